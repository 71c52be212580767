"""Studies of plane shear and of flow down a slope: their numbers against the result files, that they go on, and what physics fixes.

usage: flow_study_test.py SCREE [--slow] [unittest options]
"""
import csv
import json
import math
import signal
import sys
import time

import h5py
import numpy

import program

SLOW = "--slow" in sys.argv and not sys.argv.remove("--slow")
D, RHO, P, G = 1e-3, 2500.0, 1000.0, 9.81
SMALL = ["--grains", "60", "--across", "4", "--settle", "1", "--measure", "1", "--tolerance", "1e-2"]


def table(path):
    with open(path, newline="") as file:
        return [{key: float(value) if key not in ("member", "status", "shape", "law", "warnings", "state_hash", "flow") else value for key, value in row.items()}
                for row in csv.DictReader(file)]


class Run:
    """A member's result file, read with h5py alone."""

    def __init__(self, path, settle, measure):
        with h5py.File(path) as file:
            self.dt = file["settings"].attrs["dt"]
            self.lengths = file["settings"].attrs["periodic"]
            self.names = [name.decode() for name in file["bodies/name"][()]]
            self.mass = file["bodies/mass"][()]
            groups = [name.decode() for name in file["groups/name"][()]]
            self.impulse = {(groups[a], groups[b]): file["groups/impulse"][:, i]
                            for i, (a, b) in enumerate(zip(file["groups/pair_a"][()], file["groups/pair_b"][()]))}
            gauges = [name.decode() for name in file["gauges/name"][()]]
            self.low, self.high = ({name: value for name, value in zip(gauges, file[f"gauges/{end}"][()])} for end in ("low", "high"))
            self.gauge = {name: {column: file[f"every_step/{column}_gauge_{name}"][()]
                                 for column in ("stress", "kinetic_stress", "density", "solid_fraction", "velocity")} for name in gauges}
            self.frame_step, self.position = file["frames/step"][()], file["frames/position"][()]
            self.velocity = file["frames/velocity"][..., :3]
            self.ledger = {name: item[()] for name, item in file["ledger"].items()}
            self.hash = file.attrs["state_hash"]
        self.n = len(self.gauge["profile"]["density"])
        self.first = int(settle / (settle + measure) * self.n)
        self.grains = numpy.array([name.startswith("grain-") for name in self.names])
        self.area = self.lengths[0] * self.lengths[1]

    def force_on(self, plate):
        """Mean over the window of the force of the grains on a plate [N]."""
        both = [sign * self.impulse[pair] for pair, sign in ((("grains", plate), 1), ((plate, "grains"), -1)) if pair in self.impulse]
        return both[0][self.first:].mean(axis=0) / self.dt

    def packing(self, low, high):
        """Share of balls between two heights, over the frames of the window."""
        radius = numpy.cbrt(0.75 / math.pi * self.mass / RHO)[self.grains]

        def below(z):
            at = numpy.clip(z, -radius, radius)
            return (math.pi * (radius**2 * (at + radius) - (at**3 + radius**3) / 3)).sum()
        frames = [frame for frame, step in enumerate(self.frame_step) if step >= self.first]
        z = [self.position[frame, self.grains, 2] for frame in frames]
        return sum(below(high - x) - below(low - x) for x in z) / (len(frames) * (high - low) * self.area)


class FlowStudies(program.FolderCase):
    def check_shear_row(self, row, run):
        lower, upper = run.force_on("lower"), run.force_on("upper")
        mu = (abs(lower[0]) + abs(upper[0])) / (abs(lower[2]) + abs(upper[2]))
        self.assertAlmostEqual(row["mu_wall"] / mu, 1, places=9)
        of = run.gauge["bulk"]
        stress = (of["stress"] + of["kinetic_stress"]).reshape(run.n, 6)[run.first:].mean(axis=0)
        self.assertAlmostEqual(row["mu_bulk"] / abs(stress[5] / stress[2]), 1, places=9)
        low, high = run.low["bulk"][2], run.high["bulk"][2]
        self.assertAlmostEqual(row["packing"] / run.packing(low, high), 1, places=6)
        # The inertial number is the slope of the velocities in the middle.
        profile = run.gauge["profile"]
        cells = profile["density"].shape[1]
        density = profile["density"][run.first:]
        speed = (density * profile["velocity"][run.first:, :, 0]).mean(axis=0) / numpy.maximum(density.mean(axis=0), 1e-30)
        z = run.low["profile"][2] + (numpy.arange(cells) + 0.5) * (run.high["profile"][2] - run.low["profile"][2]) / cells
        chosen = (z >= low) & (z <= high) & (density.mean(axis=0) > 0)
        rate = abs(numpy.polyfit(z[chosen], speed[chosen], 1)[0])
        pressure = 0.5 * (abs(lower[2]) + abs(upper[2])) / run.area
        self.assertAlmostEqual(row["inertial"] / (rate * D * math.sqrt(RHO / pressure)), 1, places=6)
        works = {name: values[run.first + 1:].sum() for name, values in run.ledger.items()}
        put_in = works["driven_work"] + works["external_work"]
        self.assertAlmostEqual(row["work_of_walls"] / put_in, 1, places=9)
        taken = works["contact_normal_work"] + works["contact_tangential_work"] + works["numerical_dissipation"]
        self.assertAlmostEqual(row["work_of_contacts"] / taken, 1, places=9)
        self.assertLess(abs(row["work_left"]), 1e-11)

    def test_shear(self):
        study = ["study", "shear", *SMALL, "--inertial", "0.05,0.1,0.2,0.4", "--out", "out", "--jobs", "2"]
        said = self.scree(*study).stdout
        out = self.folder / "out"
        rows = table(out / "results.csv")
        self.assertEqual([row["member"] for row in rows], [f"I{I}-s1-mu0.5-e0.1" for I in ("0.05", "0.1", "0.2", "0.4")])
        for row in rows:
            self.assertEqual(row["status"], "done")
            run = Run(out / f"{row['member']}.h5", 1, 1)
            self.assertEqual(run.hash.decode() if isinstance(run.hash, bytes) else run.hash, row["state_hash"])
            self.check_shear_row(row, run)
            # What the plates gave the grains is the change of their momentum. Velocities of frames have six digits.
            given = sum((1 if pair[1] == "grains" else -1) * impulse.sum(axis=0)
                        for pair, impulse in run.impulse.items() if "grains" in pair and ("lower" in pair or "upper" in pair))
            has = (run.mass[run.grains, None] * (run.velocity[-1] - run.velocity[0])[run.grains]).sum(axis=0)
            self.assertLess(numpy.abs(given - has).max(), 1e-6 * run.mass[run.grains].sum() * numpy.abs(run.velocity[-1]).max())
        # Plates touch the grains alone, and the upper one rides on the pressure: its weight is that of no gravity.
        self.assertGreater(rows[-1]["inertial"], rows[0]["inertial"])
        fit = json.loads((out / "fit.json").read_text())
        for key in ("mu_s", "mu_2", "I_0"):
            self.assertIn(f"{key} = {fit[key]:.3f}", said)
        page = (out / "page.html").read_text()
        self.assertEqual(page.count("<svg"), 1)
        self.assertIn("Jop et al. 2006", page)
        self.check_alone(rows[1])
        self.check_goes_on(study, rows)
        self.refuse(*[word if word != "60" else "61" for word in study], says=("I0.05-s1-mu0.5-e0.1.h5", "is the finished result of other settings"))

    # scree run of a member's scene gives the same bits.
    def check_alone(self, row):
        result = json.loads(self.scree("run", f"out/{row['member']}.toml", "--out", "alone.h5", "--json").stdout)
        self.assertEqual(result["state_hash"], row["state_hash"])

    # Stopped in the middle and started again: the same numbers; what is finished stays.
    def check_goes_on(self, study, rows):
        again = [word if word != "out" else "again" for word in study]
        running = self.start(*again)
        deadline = time.monotonic() + 300
        while not list(self.folder.glob("again/*.h5*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=300)
        self.assertEqual(running.returncode, 1)
        left = list(self.folder.glob("again/*.h5.checkpoint"))
        said = self.scree(*again).stderr
        self.assertEqual(said.count("goes on after step"), len(left), said)
        self.assertEqual(said.count("the run before was stopped or killed"), len(left), said)
        times = [{**row, "seconds": 0} for row in table(self.folder / "again" / "results.csv")]
        self.assertEqual(times, [{**row, "seconds": 0} for row in rows])
        made = {path: path.stat().st_mtime_ns for path in self.folder.glob("again/*.h5")}
        self.scree(*again)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.folder.glob("again/*.h5")}, made)

    def test_chute(self):
        self.scree("study", "shear", *SMALL, "--inertial", "0.1,0.2,0.4", "--out", "shear")
        said = self.scree("study", "chute", *SMALL[:4], "--tolerance", "1e-2", "--settle", "20", "--measure", "20", "--slopes", "24,30",
                          "--shear", "shear", "--out", "out").stdout
        self.assertIn("against the fit of plane shear", said)
        out = self.folder / "out"
        for row in table(out / "results.csv"):
            self.assertEqual(row["status"], "done")
            run, slope = Run(out / f"{row['member']}.h5", 20, 20), math.radians(row["slope_deg"])
            self.assertAlmostEqual(row["mu"], math.tan(slope), places=12)
            self.assertLess(abs(row["work_left"]), 1e-11)
            # The base carries the weight, but for what the grains gain along z.
            weight = run.mass[run.grains].sum() * G * math.cos(slope)
            self.assertLess(abs(run.force_on("lower")[2] / -weight - 1), 0.02)
            # The flux is what the gauge's momenta say.
            profile = run.gauge["profile"]
            momentum = (profile["density"] * profile["velocity"][:, :, 0])[run.first:].mean(axis=0)
            share = profile["solid_fraction"][run.first:].mean(axis=0) / numpy.maximum(profile["density"][run.first:].mean(axis=0), 1e-30)
            layer = (run.high["profile"][2] - run.low["profile"][2]) / len(momentum)
            self.assertAlmostEqual(row["flux"] / ((share * momentum).sum() * layer / D / math.sqrt(G * D)), 1, places=6)
        self.refuse("study", "chute", "--shear", "nowhere", says="nowhere/fit.json")

    # The numbers of the guide, in runs of a minute: momentum goes from plate to plate, and friction grows with I.
    def test_bars(self):
        if not SLOW:
            self.skipTest("takes minutes; --slow")
        self.scree("study", "shear", "--grains", "300", "--across", "6", "--inertial", "0.03,0.1", "--settle", "3", "--measure", "5",
                   "--out", "shear")
        slow, fast = table(self.folder / "shear" / "results.csv")
        for row in (slow, fast):
            for key, bar in BARS.items():
                self.assertLess(abs(row[key]), bar, f"{row['member']}: {key}")
        self.assertAlmostEqual(slow["mu_bulk"], 0.348, delta=0.02)
        self.assertAlmostEqual(fast["mu_bulk"], 0.405, delta=0.02)
        self.assertGreater(slow["packing"], fast["packing"])


# Of 300 balls over a strain of 4 (scenes/periodic/README.md). The forces on both plates differ by what the grains gain or lose.
BARS = {"shear_bulk_over_wall": 0.01, "pressure_bulk_over_wall": 0.01, "momentum_balance_x": 0.02, "momentum_balance_z": 0.01,
        "work_left": 1e-9}


program.main()
