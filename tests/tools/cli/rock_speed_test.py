"""What a step of one rock on a raster of 1000 x 1000 nodes costs, and a run of an ensemble. Slow.

usage: rock_speed_test.py SCREE SCENES_FOLDER [unittest options]
Times are user CPU, the least of several repeats. What else runs on the machine makes them longer: they are judged on a quiet one only.
"""
import csv
import os
import pathlib
import random
import re
import resource
import sys

import program

SCENES = None
REPEATS, STEPS = 5, 60000
NODES, CELL = 1000, 2.0
SCENE = """[time]
dt = 0.001
end = 100
[[material]]
name = "stone"
density = 2600
[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.3
[[body]]
name = "ground"
kind = "terrain"
file = "ground.asc"
material = "stone"
[[rock]]
name = "rock"
material = "stone"
size = 1
position = [20, 1000, {height}]
velocity = [5, 0, 0]
"""


def raster(slope, rough):
    """Of heights that fall to the east, with noise of so many metres."""
    draw = random.Random(1)
    rows = [" ".join(f"{slope * CELL * (NODES - 1 - j) + draw.uniform(-rough, rough):.3f}" for j in range(NODES)) for _ in range(NODES)]
    return f"ncols {NODES}\nnrows {NODES}\nxllcenter 0\nyllcenter 0\ncellsize {CELL}\n" + "\n".join(rows) + "\n"


class RockSpeed(program.FolderCase):
    def setUp(self):
        super().setUp()
        load = os.getloadavg()[0]
        self.quiet = load < os.cpu_count()
        if not self.quiet:
            print(f"not judged: others keep the processors busy, load {load:.1f}", flush=True)

    def seconds(self, *arguments):
        """User CPU of a run of the program."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.scree(*arguments, expect=(0, 3))
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    def microseconds_a_step(self, slope, rough, steps):
        """Without what reading the raster takes, which a short run has as well."""
        self.write(raster(slope, rough), "ground.asc")
        self.write(SCENE.format(height=slope * CELL * (NODES - 11) + 2), "scene.toml")
        run = ("run", "scene.toml", "--force", "--out", "run.h5", "--threads", "1", "--t-end")
        short, long = (min(self.seconds(*run, str(0.001 * n)) for _ in range(REPEATS)) for n in (1000, 1000 + steps))
        return 1e6 * (long - short) / steps

    def test_rock_on_a_large_raster(self):
        for name, slope in (("bounces and rolls down a slope of 1 : 2", 0.5), ("lies still", 0.0)):
            found = self.microseconds_a_step(slope, 0.3, STEPS)
            print(f"rock that {name}, {NODES} x {NODES} nodes, {STEPS} steps of 1 ms, recording included: {found:.2f} us a step", flush=True)
            if self.quiet and slope > 0:
                self.assertLess(found, 8)

    def test_ensemble(self):
        text = (SCENES / "tschamut.toml").read_text().replace("\nend = 40\n", "\nend = 10\n").replace("\nruns = 1\n", "\nruns = 2\n")
        self.write(re.sub(r"\n\[stop\][^\[]*", "\n", text), "tschamut.toml")
        for name in ("tschamut.asc", "tschamut.csv"):
            self.write((SCENES / name).read_text(), name)
        one, two = (min(self.seconds("ensemble", "tschamut.toml", "--jobs", str(jobs), "-o", f"out{k}-{jobs}") for k in range(REPEATS))
                    for jobs in (1, 2))
        with open(self.folder / "out0-1" / "runs.csv", newline="") as file:
            steps = sum(int(row["steps"]) for row in csv.DictReader(file))
        falls = steps / 4000  # of 10 s: some end before
        print(f"160 throws, as {falls:.0f} falls of 10 s at h = 2.5 ms: {falls / one:.1f} falls a second on one core, {1e6 * one / steps:.2f} us a step, "
              f"maps and page included; CPU of --jobs 2 over that of --jobs 1: {two / one:.3f}", flush=True)
        if self.quiet:
            self.assertGreater(falls / one, 25)
            self.assertLess(two / one, 1.05)


if __name__ == "__main__":
    SCENES = pathlib.Path(sys.argv.pop(2)).resolve() / "hazard"
    program.main()
