"""`scree ensemble --then`: what the worst rocks of an ensemble do to a scene of blocks, against a closed form.

usage: then_test.py SCREE [unittest options]
"""
import csv

import h5py

import program

SITE = """
[world]
gravity = [0, 0, 0]
[time]
dt = {h}
end = 3
[solver]
measure = "scaled"
tolerance = 1e-12
[[material]]
name = "rock"
[[material]]
name = "stone"
density = 2000
[[contact]]
between = ["rock", "stone"]
mu = 0
e = 0.4
law = "newton"
[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"
[ensemble]
map = {{ cell = 1, low = [-1, -10], high = [12, 10] }}
[[ensemble.rock]]
name = "ball"
shape = "ball"
diameter = 0.4
mass = {m}
material = "rock"
[[ensemble.release]]
name = "slow"
points = [[0, 0, 1]]
velocity = [4, 0, 0]
[[ensemble.release]]
name = "fast"
points = [[0, 0, 1]]
velocity = [{v}, 0, 0]
[[ensemble.barrier]]
name = "line"
line = [[5, 3], [5, -3]]
[[ensemble.barrier]]
name = "nobody"
line = [[5, 8], [5, 7]]
"""
# The ball hits the one block beside its middle; nothing hits the other.
WALL = """
[world]
gravity = [0, 0, 0]
[time]
dt = {h}
end = 1
[solver]
measure = "scaled"
tolerance = 1e-12
[[material]]
name = "rock"
[[material]]
name = "stone"
density = 2000
[[contact]]
between = ["rock", "stone"]
mu = 0
e = 0.4
law = "newton"
[[contact]]
between = ["stone", "stone"]
mu = 0
e = 0
[[body]]
name = "hit"
kind = "box"
sides = [0.5, 0.6, 0.4]
material = "stone"
position = [7, 0.1, 1.05]
[[body]]
name = "not hit"
kind = "box"
sides = [0.5, 0.6, 0.4]
material = "stone"
position = [7, 5, 1]
"""
V, M_ROCK, E = 8.0, 50.0, 0.4
M_BLOCK = 2000.0 * 0.5 * 0.6 * 0.4
# Impulse along x of two bodies that meet in a point: (1 + e) v over the sum of 1/m and of the arms about the block's middle.
INERTIA_Y, INERTIA_Z = M_BLOCK * (0.5**2 + 0.4**2) / 12, M_BLOCK * (0.5**2 + 0.6**2) / 12
# The block spins up within the step of the hit, about no principal axis: the gyroscopic term leaves 1e-8 of the impulse at 2 ms.
CLOSE = 1e-7
IMPULSE = (1 + E) * V / (1 / M_ROCK + 1 / M_BLOCK + 0.05**2 / INERTIA_Y + 0.1**2 / INERTIA_Z)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Then(program.FolderCase):
    def test_what_the_blocks_get_is_the_impulse_of_the_hit(self):
        for h in (0.002, 0.0005):
            folder = f"h{h}"
            self.write(SITE.format(h=h, m=M_ROCK, v=V), "site.toml")
            self.write(WALL.format(h=h), "wall.toml")
            self.scree("ensemble", "site.toml", "-o", folder, "--then", "wall.toml", "--barrier", "line", "--worst", "1")
            (row,) = rows_of(self.folder / folder / "then.csv")  # the faster of the two
            number = {name: float(value) for name, value in row.items() if name not in ("status", "file")}
            self.assertEqual((row["status"], row["run"], row["file"]), ("done", "1", "run-1.h5"))
            self.assertAlmostEqual(number["energy [J]"], 0.5 * M_ROCK * V**2, delta=1e-9)
            self.assertAlmostEqual(number["impulse [N s]"], IMPULSE, delta=CLOSE * IMPULSE)
            self.assertAlmostEqual(number["peak_force [N]"], IMPULSE / h, delta=CLOSE * IMPULSE / h)
            after = V - IMPULSE / M_ROCK
            self.assertAlmostEqual(number["energy_left [J]"], 0.5 * M_ROCK * after**2, delta=CLOSE * IMPULSE * V)
            self.assertEqual((row["blocks"], row["displaced"]), ("2", "1"))
            self.assertEqual(number["end_time [s]"], 1.0)
            # Handed over at the end of the step in which it crosses 5; it touches the block at 7 - 0.25 - 0.2, and the block
            # goes from the end of that step on, for which the step before it is known to h only.
            steps = -(-5 // (V * h))
            free = 1.0 - (6.55 - steps * V * h) / V
            self.assertAlmostEqual(number["largest_displacement [m]"], IMPULSE / M_BLOCK * free, delta=1.5 * h * IMPULSE / M_BLOCK)
            history = rows_of(self.folder / folder / "then" / "run-1.csv")
            hits = [line for line in history if float(line["impulse_x [N s]"]) != 0]
            self.assertEqual(len(hits), 1)
            self.assertAlmostEqual(float(hits[0]["impulse_x [N s]"]), IMPULSE, delta=CLOSE * IMPULSE)
            self.assertEqual(float(hits[0]["impulse_y [N s]"]), 0.0)
            self.assertAlmostEqual(float(hits[0]["time [s]"]), 1.0 - free, delta=1.5 * h)
            self.assertEqual([history[0]["displaced"], history[-1]["displaced"]], ["0", "1"])
            with h5py.File(self.folder / folder / "then" / "run-1.h5", "r") as file:  # an ordinary result
                momentum = M_ROCK * (file["frames/velocity"][-1, -1, 0] - V) + M_BLOCK * file["frames/velocity"][-1, 0, 0]
            self.assertAlmostEqual(momentum, 0.0, delta=1e-6 * IMPULSE)  # frames have single precision

    def test_both_rocks_strike_a_fresh_wall(self):
        self.write(SITE.format(h=0.002, m=M_ROCK, v=V), "site.toml")
        self.write(WALL.format(h=0.002), "wall.toml")
        self.scree("ensemble", "site.toml", "-o", "out", "--then", "wall.toml", "--barrier", "line", "--worst", "5")
        fast, slow = rows_of(self.folder / "out" / "then.csv")
        self.assertEqual((fast["run"], slow["run"]), ("1", "0"))
        self.assertAlmostEqual(float(slow["impulse [N s]"]), 0.5 * float(fast["impulse [N s]"]), delta=CLOSE * IMPULSE)

    def test_one_line_each(self):
        self.write(SITE.format(h=0.002, m=M_ROCK, v=V), "site.toml")
        self.write(WALL.format(h=0.002), "wall.toml")
        self.write(WALL.format(h=0.002).replace('name = "rock"', 'name = "stuff"').replace('["rock"', '["stuff"'), "other.toml")
        self.scree("ensemble", "site.toml", "-o", "out")
        ask = ("ensemble", "site.toml", "-o", "out", "--force", "--then")
        for arguments, says in ((("wall.toml",), "--barrier: the site has several barriers"),
                                (("wall.toml", "--barrier", "lin"), "--barrier: the site has no barrier 'lin'"),
                                (("wall.toml", "--barrier", "nobody"), "--then: no run has crossed that line"),
                                (("other.toml", "--barrier", "line"), 'of the material "rock"'),
                                (("none.toml", "--barrier", "line"), "none.toml")):
            done = self.scree(*ask, *arguments, expect=2)
            self.assertIn(says, done.stderr)
            self.assertEqual(len([line for line in done.stderr.splitlines() if says in line]), 1)


if __name__ == "__main__":
    program.main()
