"""The figures of the two tables of engine/method/contact_frames.md are those of runs: of shipped scenes with frames at the start and in the
middle of the step (with --all of all scenes to their ends), and of the cases, which the validation page has from their tests.

usage: contact_frames_page_test.py SCREE [--all]
"""
import csv
import json
import math
import pathlib
import re
import sys
import unittest

import program
from program import scree

ENGINE = pathlib.Path(__file__).resolve().parents[3] / "engine"
PAGE = (ENGINE / "method" / "contact_frames.md").read_text()
VALIDATION = (ENGINE / "VALIDATION.md").read_text()
ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
FRAMES = ("start", "middle")


def table(head):
    """Rows of cells of the table whose first line begins so, without that line."""
    lines = PAGE[PAGE.index(head):].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def digits_of(text, value):
    """`value` with as many significant digits as the page has."""
    mantissa = re.sub(r"e.*|-", "", text).replace(".", "").lstrip("0")
    return f"{value:.{max(len(mantissa), 1)}g}"


class ShippedScenes(unittest.TestCase):
    def setUp(self):
        self.folder = program.new_folder(self.addCleanup)

    def runs(self, scene, *sets):
        """Of the frames at the start and in the middle: the numbers of `run --json`, and how far out the scene ends, in plan."""
        scree("example", scene, "--force", cwd=self.folder)
        found = []
        for frames in FRAMES:
            words = [word for item in (f"law.frames={frames}", *sets) for word in ("--set", item)]
            done = scree("run", f"{scene}.toml", *words, "--no-frames", "--out", "run.h5", "--force", "--json", cwd=self.folder)
            found.append(json.loads(done.stdout))
        words = [word for item in sets for word in ("--set", item)]
        places = ("rock.x", "rock.y") if scene == "rockfall_wall" else ("run_out",)
        measures = [word for place in places for word in ("--measure", f"end({place})")]
        scree("sweep", f"{scene}.toml", "--set", "law.frames=" + ",".join(FRAMES), *words, *measures, "-o", "sweep.csv", "--force", cwd=self.folder)
        with open(self.folder / "sweep.csv", newline="") as file:
            for run, row in zip(found, csv.DictReader(file)):
                run["farthest"] = math.hypot(*(float(row[f"end({place}) [m]"]) for place in places))
        return found

    @staticmethod
    def sweeps(run):
        return round(run["iterations"]["mean"] * run["steps"])

    def check_sweeps(self, runs, cell, ratio):
        numbers = [int(number.replace(",", "")) for number in cell.split("; ")]
        self.assertEqual([self.sweeps(run) for run in runs], numbers)
        self.assertEqual(f"{numbers[1] / numbers[0]:.2f}", ratio)
        for run in runs:
            self.assertEqual(run["residual"]["unconverged_steps"], 0)
            self.assertLess(run["energy"]["max_abs_balance"], 1e-15 * run["energy"]["energy_scale"])

    def check_row(self, scene, row, *sets):
        _, sweeps, ratio, farthest, works, overlap = row
        runs = self.runs(scene, *sets)
        self.check_sweeps(runs, sweeps, ratio)
        out = re.findall(r"\d+\.\d+", farthest)
        for k, run in enumerate(runs):
            energy = run["energy"]
            work = sum(energy[f"contact_{part}_work"] for part in ("normal", "tangential", "rolling"))
            if out:
                self.assertEqual(float(digits_of(out[k], run["farthest"])), float(out[k]))
            if works != "0":
                expected = works.split("; ")[k]
                self.assertEqual(float(digits_of(expected, work)), float(expected))
            if overlap != "as laid":
                expected = overlap.split("; ")[k]
                self.assertEqual(float(digits_of(expected, run["penetration"]["max"])), float(expected))

    def rows(self):
        return {row[0]: row for row in table("| scene | sweeps, `start` and `middle`")}

    def test_rock_alone(self):
        rows = self.rows()
        self.check_row("rock_alone", rows["`rock_alone`, 2 s"])

    def test_arch_and_tower(self):
        row = self.rows()["`arch`, `tower`"]
        for scene, sweeps, ratio in zip(("arch", "tower"), row[1].split(". "), row[2].split(", ")):
            with self.subTest(scene):
                self.check_sweeps(self.runs(scene), sweeps, ratio)

    @unittest.skipUnless(ALL, "minutes: --all")
    def test_wall_at_rest(self):
        self.check_row("wall_at_rest", self.rows()["`wall_at_rest`, 2 s"])

    @unittest.skipUnless(ALL, "an hour: --all")
    def test_column_slice(self):
        self.check_row("column_slice", self.rows()["`column_slice`, 1.6 s"])

    @unittest.skipUnless(ALL, "an hour: --all")
    def test_rockfall_wall(self):
        rows = self.rows()
        self.check_row("rockfall_wall", rows["`rockfall_wall`, 4 s"])
        for name, sets in (("the same up to the wall, 1.8 s, `rest = \"damped\"`", ("time.end=1.8", "law.rest=damped")),
                           ("the same up to 1 s at 1e-6", ("time.end=1", "solver.tolerance=1e-6"))):
            with self.subTest(name):
                self.check_sweeps(self.runs("rockfall_wall", *sets), *rows[name][1:3])


class Cases(unittest.TestCase):
    """The cases of the first table are tests of the engine, whose figures the validation page has."""

    def row(self, start):
        row, = (row for row in table("| case | `start` | `middle` |") if row[0].startswith(start))
        return row[1:]

    @staticmethod
    def measured(name):
        """The error column of a row of the validation page."""
        line, = (line for line in VALIDATION.splitlines() if line.startswith(f"| {name} |"))
        return line.split("|")[4].strip().removesuffix(" rel.")

    SWARM = "swarm of 100 spinning bodies, frames {}, fremond, h = 0.002 s: {}"
    IMPACT = "{} at 20 rad/s strikes the ground askew, frames {}, one pass, h = {} s: velocity and spin, rel.{}"

    def check(self, cell, *names):
        """The numbers of a cell are those of these rows, to the digits of the page."""
        numbers = re.findall(r"\d[\d.]*(?:e-\d+)?", cell)
        self.assertEqual(len(numbers), len(names), cell)
        for number, name in zip(numbers, names):
            self.assertEqual(float(number), float(self.measured(name)), name)

    def test_swarm(self):
        start, middle = self.row("swarm of 100 hulls and balls")
        self.check(start, self.SWARM.format("start", "angular momentum, rel."))
        self.check(middle, self.SWARM.format("middle", "at most 1 passes: angular momentum, rel."))

    def test_cylinder(self):
        for cell, frames in zip(self.row("ball that rolls in a cylinder, h = 2 ms"), ("start", "middle")):
            self.check(cell, f"ball that rolls in a cylinder, frames {frames}, h = 0.002 s: period [s]")

    def test_tables_that_turn(self):
        turns = "block on a table at 10 rad/s for 20 s, h = {} s: way on the table{} [m]"
        tilts = "block on a table that tilts for 0.15 s, h = {} s: way on the table{} [m]"
        middle = ", frames middle"
        self.assertEqual(self.row("block on a table at 10 rad/s, 20 s"), ["< 1e-9 m", "< 1e-9 m"])
        self.assertEqual(self.row("block on a table that tilts")[0], "< 1e-9 m")
        for name in [turns.format(h, frames) for h in ("0.002", "0.001") for frames in ("", middle)] + [tilts.format("0.002", "")]:
            self.assertLess(float(self.measured(name)), 1e-9, name)
        coarse, fine = (self.measured(tilts.format(h, middle)) for h in ("0.002", "0.001"))
        self.check(self.row("block on a table that tilts")[1].split(" m, order")[0], tilts.format("0.002", middle))
        self.assertAlmostEqual(math.log2(float(coarse) / float(fine)), 2.0, delta=0.1)

    def test_passes(self):
        for cell, frames in zip(self.row("passes for it, 200 steps"), ("start", "middle")):
            name = self.SWARM.format(frames, "passes in 0.4 s" if frames == "start" else "at most 10 passes: passes in 0.4 s")
            line, = (line for line in VALIDATION.splitlines() if line.startswith(f"| {name} |"))
            self.assertEqual(cell, line.split("|")[3].strip())

    def test_oblique_impacts(self):
        steps = ("0.01", "0.001", "0.0001")
        for body, row in (("ball", "oblique impact on a plane at 20 rad/s"), ("hull", "the same of a hull")):
            start, middle = self.row(row)
            self.check(start, *(self.IMPACT.format(body, "start", h, "") for h in steps))
            worst = [self.IMPACT.format(body, "middle", h, "") for h in steps]
            half = [self.IMPACT.format(body, "middle", h, ", touch at half a step") for h in steps] if body == "hull" else []
            self.check(middle, *worst, *half)


if __name__ == "__main__":
    program.main()
