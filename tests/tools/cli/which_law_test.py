"""The figures of engine/method/which_law.md are those of runs: the tables of the rock on a slope, of the ball, and, with --all, of every step
and of the rock on the wall.

usage: which_law_test.py SCREE [--all]
"""
import csv
import pathlib
import re
import sys
import unittest

import h5py
import numpy

import program
from program import scree

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "engine" / "method" / "which_law.md").read_text()
ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
FRICTION = 0.6  # of rock_alone


def table(head):
    """Rows of cells of the table whose first line begins so."""
    lines = PAGE[PAGE.index(head):].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|") and not line.startswith("|---")]


def same_digits(text, value):
    """Whether `value` rounds to the number that stands there, whatever the number of its digits."""
    decimals = len(text.split(".")[1]) if "." in text else 0
    return abs(float(text) - value) <= 0.501 * 10.0 ** -decimals


class WhichLaw(unittest.TestCase):
    def setUp(self):
        self.folder = program.new_folder(self.addCleanup)

    def sweep(self, scene, sets, measures):
        scree("example", scene, "--force", cwd=self.folder)
        scree("sweep", f"{scene}.toml", *[word for item in sets for word in ("--set", item)],
              *[word for item in measures for word in ("--measure", item)], "-o", "sweep.csv", "--force", cwd=self.folder)
        with open(self.folder / "sweep.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_energies_and_places_of_the_rock_on_a_slope(self):
        head, *rows = table("| e_T | h = 0.5 ms")
        self.assertEqual(len(rows), 5)
        columns = [(0.0005, "start"), (0.00025, "start"), (0.000125, "start"), (0.000125, "middle")]
        self.assertEqual(len(head), 1 + len(columns))
        e_T = [row[0].split(" ")[0] for row in rows]
        for column, (dt, frames) in enumerate(columns if ALL else columns[:1], start=1):
            runs = self.sweep("rock_alone", ["law.default=moreau", f"time.dt={dt}", f"law.frames={frames}", "contact[0].e_T=" + ",".join(e_T)],
                              ["end(rock.x)", "end(kinetic)"])
            self.assertEqual(len(runs), 5)
            for row, run in zip(rows, runs):
                energy, x = row[column].split(", ")
                with self.subTest(e_T=row[0], dt=dt, frames=frames):
                    self.assertTrue(same_digits(energy, float(run["end(kinetic) [J]"]) * 1e-6), (energy, run))
                    self.assertTrue(same_digits(x, float(run["end(rock.x) [m]"])), (x, run))

    def test_what_the_text_says_of_that_table(self):
        rows = table("| e_T | h = 0.5 ms")[1:]
        columns = numpy.array([[[float(number) for number in cell.split(", ")] for cell in row[1:]] for row in rows])
        ratios = [f"{column.max() / column.min():.0f}" for column in columns[:, :, 0].T]
        text = " ".join(PAGE.split())
        self.assertIn(f"by a factor of {', '.join(ratios[:-1])} and {ratios[-1]} in the four columns", text)
        self.assertIn("Halving the step moves a result by at most a tenth of the spread", text)
        spread = columns[:, :3].max(axis=0) - columns[:, :3].min(axis=0)
        moved = numpy.abs(numpy.diff(columns[:, :3], axis=1)).max(axis=0)
        self.assertLessEqual((moved / spread[1:]).max(), 0.1)

    def test_impacts_that_stick(self):
        order = {"the first": 0, "the second": 1, "the third": 2, "the fourth": 3, "the last": -1}
        for e_T, count, sticks, share in table("| e_T | impacts | stick | share |")[1:]:
            with self.subTest(e_T=e_T):
                scree("example", "rock_alone", "--force", cwd=self.folder)
                scree("run", "rock_alone.toml", "--set", "law.default=moreau", "--set", f"contact[0].e_T={e_T}",
                      "--set", "output.frames_per_second=2000", "--out", "run.h5", "--force", cwd=self.folder)
                with h5py.File(self.folder / "run.h5") as run:
                    impulse = run["frames/contacts/impulse"][()]
                impulse = impulse[impulse[:, 0] > 0.0]
                self.assertEqual(len(impulse), int(count))
                shares = numpy.hypot(impulse[:, 1], impulse[:, 2]) / (FRICTION * impulse[:, 0])
                sticking = [] if sticks == "0" else [order[sticks] % len(shares)]
                for k, of in enumerate(shares):
                    if k in sticking:
                        self.assertTrue(same_digits(share, of), (share, of))
                    else:
                        self.assertAlmostEqual(of, 1.0, delta=1e-6)

    def test_ball_that_skids(self):
        head, along, spin = table("| e_T | -1 (smooth)")
        runs = self.sweep("skidding_ball", ["contact[0].e_T=" + ",".join(cell.split(" ")[0] for cell in head[1:])], ["end(ball.vx)", "end(ball.spin)"])
        scene = (self.folder / "skidding_ball.toml").read_text()
        radius = float(re.search(r"^radius = ([0-9.]+)", scene, re.M).group(1))
        for k, run in enumerate(runs, start=1):
            self.assertTrue(same_digits(along[k], float(run["end(ball.vx) [m/s]"])), run)
            self.assertTrue(same_digits(spin[k], radius * float(run["end(ball.spin) [rad/s]"])), run)

    def lines_of_check(self, *sets):
        scree("example", "bouncing_ball", "--force", cwd=self.folder)
        done = scree("check", "bouncing_ball.toml", *[word for item in sets for word in ("--set", item)], cwd=self.folder)
        return done.stdout

    def test_check_says_what_sticks(self):
        pairs = {
            ("law.default=fremond",): "fremond: what sticks leaves with -1 times its tangential velocity\n",
            ("law.default=fremond", "law.rest=damped"): "fremond: what sticks stops there; where that would put in energy it leaves with -1 times its "
                                                        "tangential velocity\n",
            ("law.default=moreau",): "moreau: what sticks stops there; coupled contacts may put in energy\n",
            ("law.default=newton", "contact[0].e=0"): "newton: what sticks stops there; single contacts may put in energy, all together do not\n",
            ("law.default=moreau", "contact[0].e=0.5", "contact[0].e_T=0.5"): "moreau: what sticks leaves with -0.5 times its tangential velocity; "
                                                                              "single contacts may put in energy, all together do not\n",
            ("law.default=moreau", "contact[0].e=0.5", "contact[0].e_T=-0.85"): "moreau: what sticks in an impact keeps 0.85 of its tangential velocity; "
                                                                                "other contacts have dry friction; coupled contacts may put in energy\n",
            ("law.default=moreau_published", "contact[0].e_T=-1"): "what sticks keeps 1 of its tangential velocity, at every step: little is left of dry "
                                                                   "friction; coupled contacts may put in energy\n",
        }
        for sets, line in pairs.items():
            with self.subTest(sets):
                self.assertIn(line, self.lines_of_check(*[item for item in sets]))

    def test_check_shows_the_scheme(self):
        text = self.lines_of_check("law.default=newton", "law.frames=middle", "law.closing=two_step", "time.theta=1", "contact[0].e=0")
        for line in ("frames       middle: ", "closing      two_step: ", "rest         clamped: "):
            self.assertIn(line, text)

    @unittest.skipUnless(ALL, "minutes: --all")
    def test_rock_on_a_wall(self):
        for law, frames, x, speed, energy, friction in table("| law | frames | x of the rock")[1:]:
            name = law.split("`")[1]
            sets = [f"law.default={name}", f"law.frames={frames}"]
            if "e_T" in law:
                sets.append("contact[0].e_T=" + law.split(" = ")[1])
            run, = self.sweep("wall_impact", sets, ["end(rock.x)", "end(rock.speed)", "end(kinetic)", "sum(contact_tangential_work)"])
            with self.subTest(law=law, frames=frames):
                self.assertTrue(same_digits(x, float(run["end(rock.x) [m]"])), run)
                self.assertTrue(same_digits(speed, float(run["end(rock.speed) [m/s]"])), run)
                self.assertTrue(same_digits(energy, float(run["end(kinetic) [J]"]) * 1e-6), run)
                self.assertTrue(same_digits(friction, -float(run["sum(contact_tangential_work) [J]"]) * 1e-6), run)


if __name__ == "__main__":
    program.main()
