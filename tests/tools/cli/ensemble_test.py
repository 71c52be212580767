"""Ensembles of rocks: the same bytes for any jobs, parts and kills; maps hold what the runs did; bad input.

usage: ensemble_test.py SCREE [unittest options]
"""
import csv
import hashlib
import json
import math
import os
import signal
import subprocess
import time

import h5py
import numpy

import program

G = 9.81
SITE = """title = "Slope and fence"
[time]
dt = 0.005
end = 5.0
[stop]
displacement = 0.01
window = 0.25
[solver]
measure = "scaled"
tolerance = 1e-8
[[material]]
name = "stone"
density = 2700
[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.3
[[body]]
name = "flat"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"
[[body]]
name = "slope"
kind = "half_space"
normal = [-1, 0, 1]
material = "stone"
[ensemble]
seed = 7
map = { cell = 2, low = [-60, -40], high = [60, 40], epsg = 2056 }
[[ensemble.rock]]
name = "equant"
shape = "eota"
mass = { kind = "lognormal", median = 500, sigma = 0.5 }
material = "stone"
[[ensemble.rock]]
name = "plate"
shape = "eota"
proportions = [2, 2, 1]
volume = { kind = "power", low = 0.1, high = 1, exponent = 1.5 }
material = "stone"
[[ensemble.release]]
name = "cliff"
line = [[20, -5], [20, 5]]
runs = 30
drop = 1
[[ensemble.release]]
name = "block"
points = [[15, 0], [18, 2, 25]]
runs = 5
velocity = [-2, 0, 0]
[[ensemble.barrier]]
name = "fence"
line = [[8, 30], [8, -30]]
"""


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def grid_of(path):
    lines = path.read_text().splitlines()
    head = {line.split()[0]: float(line.split()[1]) for line in lines[:6]}
    values = numpy.array([[float(word) for word in line.split()] for line in lines[6:]])
    return head, numpy.flipud(values)


def outputs(folder):
    """Hash of every file but those of the runs."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file() and "runs" not in path.relative_to(folder).parts}


class Case(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SITE, "site.toml")


class SameBytes(Case):
    def test_jobs_parts_and_kills_make_the_same_files(self):
        self.scree("ensemble", "site.toml", "--jobs", "1", "-o", "one")
        whole = outputs(self.folder / "one")
        self.assertGreater(len(whole), 50)
        self.scree("ensemble", "site.toml", "--jobs", "2", "-o", "two")
        self.assertEqual(outputs(self.folder / "two"), whole)
        self.refuse("ensemble", "site.toml", "--merge", "-o", "one", "--set", "ensemble.seed=8", says="holds runs of another")
        for part in (2, 0, 1):
            self.scree("ensemble", "site.toml", "--chunk", f"{part}/3", "-o", "parts")
        self.scree("ensemble", "site.toml", "--merge", "-o", "parts")
        self.assertEqual(outputs(self.folder / "parts"), whole)
        run, kills = None, 0
        for delay in (0.03, 0.06, 0.1, 0.15):
            run = self.start("ensemble", "site.toml", "--jobs", "2", "-o", "killed")
            time.sleep(delay)
            run.send_signal(signal.SIGTERM if kills == 2 else signal.SIGKILL)
            run.communicate()
            kills += 1
        self.scree("ensemble", "site.toml", "--jobs", "2", "-o", "killed")
        self.assertEqual(outputs(self.folder / "killed"), whole)

    def test_tasks_of_a_slurm_array_make_the_same_files(self):
        """The batch file as Slurm runs it: one task a number, one of them told to stop, which queues again."""
        self.scree("ensemble", "site.toml", "-o", "one")
        done = self.scree("ensemble", "site.toml", "--slurm", "3", "--jobs", "1", "-o", "array")
        self.assertIn("sbatch", done.stdout)
        (batch,) = self.folder.glob("*.sbatch")
        self.assertIn("#SBATCH --array=0-2", batch.read_text())
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "scree").symlink_to(program.SCREE)
        (programs / "scontrol").write_text("#!/bin/sh\necho \"$@\" >> requeued\n")
        (programs / "scontrol").chmod(0o755)

        def task(number):
            return subprocess.Popen(["/bin/sh", batch.name], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                    env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": str(number),
                                         "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_JOB_ID": "7", "SLURM_CPUS_PER_TASK": "1"})
        stopped = task(1)
        while stopped.poll() is None and not list((self.folder / "array").rglob("*")):
            time.sleep(0.005)
        stopped.send_signal(signal.SIGTERM)
        self.assertEqual(stopped.wait(), 0)
        requeued = self.folder / "requeued"
        if requeued.exists():  # else it had come to its end
            self.assertEqual(requeued.read_text(), "requeue 7_1\n")
        for number in (2, 0, 1):
            self.assertEqual(task(number).wait(), 0, number)
        self.scree("ensemble", "site.toml", "--merge", "-o", "array")
        self.assertEqual(outputs(self.folder / "array"), outputs(self.folder / "one"))

    def test_more_runs_of_one_release_change_no_run_of_another(self):
        self.scree("ensemble", "site.toml", "-o", "few")
        self.scree("ensemble", "site.toml", "--set", "ensemble.release[cliff].runs=37", "-o", "more")
        hashes = [{(row["release"], row["number"]): row["state_hash"] for row in rows_of(self.folder / name / "runs.csv")} for name in ("few", "more")]
        self.assertEqual(len(hashes[1]), len(hashes[0]) + 7)
        for key, value in hashes[0].items():
            self.assertEqual(hashes[1][key], value, key)

    def test_a_replay_is_an_ordinary_result_with_the_bits_of_its_run(self):
        self.scree("ensemble", "site.toml", "-o", "out")
        row = rows_of(self.folder / "out/runs.csv")[11]
        self.scree("ensemble", "site.toml", "--replay", "11", "-o", "run.h5")
        self.assertIn(row["state_hash"], self.scree("info", "run.h5").stdout + self.scree("info", "run.h5", "--json").stdout)
        with h5py.File(self.folder / "run.h5") as file:
            last = file["final/position"][-1] if "final/position" in file else None
        if last is not None:
            self.assertEqual([float(row[f"end_{axis} [m]"]) for axis in "xyz"], list(last))


class Maps(Case):
    def test_counts_are_those_of_the_runs(self):
        self.scree("ensemble", "site.toml", "-o", "out")
        rows = rows_of(self.folder / "out/runs.csv")
        head, passes = grid_of(self.folder / "out/maps/passes.asc")
        self.assertEqual((head["ncols"], head["nrows"], head["xllcorner"], head["yllcorner"], head["cellsize"]), (60, 40, -60, -40, 2))
        starts = numpy.zeros_like(passes)
        for row in rows:
            column, line = (math.floor((float(row[key]) - low) / 2) for key, low in (("x [m]", -60), ("y [m]", -40)))
            starts[line, column] += 1
        self.assertTrue((passes[starts > 0] >= starts[starts > 0]).all())
        self.assertTrue((passes[starts == 0] != 0).all())  # no data where nobody came by
        _, reach = grid_of(self.folder / "out/maps/reach.asc")
        _, error = grid_of(self.folder / "out/maps/reach_error.asc")
        passed = passes > 0
        n = len(rows)
        numpy.testing.assert_allclose(reach[passed], passes[passed] / n, rtol=1e-6)
        numpy.testing.assert_allclose(error[passed], numpy.sqrt(passes[passed] / n * (1 - passes[passed] / n) / n), rtol=1e-5, atol=1e-9)
        for quantity, column in (("energy", "energy [J]"), ("velocity", "velocity [m/s]"), ("jump", "jump [m]"), ("spin", "spin [rad/s]")):
            _, largest = grid_of(self.folder / f"out/maps/{quantity}_max.asc")
            self.assertAlmostEqual(largest[passed].max() / max(float(row[column]) for row in rows), 1.0, delta=1e-6)
            _, median = grid_of(self.folder / f"out/maps/{quantity}_p50.asc")
            self.assertTrue((median[passed] <= largest[passed]).all())

    def test_cells_of_a_run_are_those_of_its_way(self):
        one = SITE.replace("runs = 30", "runs = 1").replace("points = [[15, 0], [18, 2, 25]]\nruns = 5", "points = [[15, 0]]\nruns = 1")
        self.write(one, "one.toml")
        self.scree("ensemble", "one.toml", "-o", "out")
        cells = set()
        path = json.loads((self.folder / "out/paths.geojson").read_text())
        for feature in path["features"]:
            for x, y, _ in feature["geometry"]["coordinates"]:
                cells.add((math.floor((y + 40) / 2), math.floor((x + 60) / 2)))
        _, passes = grid_of(self.folder / "out/maps/passes.asc")
        marked = {(int(r), int(c)) for r, c in zip(*numpy.nonzero(passes > 0))}
        self.assertTrue(cells <= marked)
        self.assertLessEqual(len(marked - cells), 12)  # cut at a corner between two of the points shown

    def test_sums_of_a_hundred_falls_are_those_of_their_ways(self):
        """Every run again, with a frame a step: the cells that its way crosses, found by the cuts with the lines of the grid."""
        self.write(SITE.replace("runs = 30", "runs = 80").replace("runs = 5", "runs = 10"), "hundred.toml")
        self.scree("ensemble", "hundred.toml", "-o", "out")
        _, passes = grid_of(self.folder / "out/maps/passes.asc")
        rows = rows_of(self.folder / "out/runs.csv")
        self.assertEqual(len(rows), 100)
        counted = numpy.zeros_like(passes)
        for number in range(len(rows)):
            self.scree("ensemble", "hundred.toml", "--replay", number, "-o", "run.h5", "--force", "--set", "output.frames_per_second=200")
            with h5py.File(self.folder / "run.h5") as file:
                places = (file["frames/position"][:, -1, :2] + numpy.array([60, 40])) / 2
            self.assertEqual(len(places), 1 + int(rows[number]["steps"]))
            cells = {tuple(numpy.floor(places[0]).astype(int))}
            for a, b in zip(places[:-1], places[1:]):
                cuts = [0.0, 1.0]
                for p, q in zip(a, b):
                    cuts += [(line - p) / (q - p) for line in range(math.ceil(min(p, q)), math.floor(max(p, q)) + 1) if p != q]
                cuts.sort()
                cells |= {tuple(numpy.floor(a + (s + t) / 2 * (b - a)).astype(int)) for s, t in zip(cuts[:-1], cuts[1:]) if t > s}
            for column, row in cells:
                if 0 <= column < 60 and 0 <= row < 40:
                    counted[row, column] += 1
        found = numpy.where(passes > 0, passes, 0)
        print(f"100 falls: sum of passes {found.sum():.0f}, of the ways {counted.sum():.0f}, {int((found != counted).sum())} cells differ", flush=True)
        self.assertTrue((found == counted).all())

    def test_geotiff_says_what_the_ascii_grid_says(self):
        self.scree("ensemble", "site.toml", "-o", "out")
        data = (self.folder / "out/maps/energy_p95.tif").read_bytes()
        _, values = grid_of(self.folder / "out/maps/energy_p95.asc")
        self.assertEqual(data[:4], b"II*\0")
        count = int.from_bytes(data[8:10], "little")
        tags = {}
        for i in range(count):
            entry = data[10 + 12 * i:22 + 12 * i]
            tags[int.from_bytes(entry[:2], "little")] = entry
        self.assertEqual(list(tags), sorted(tags))
        at = int.from_bytes(tags[273][8:12], "little")
        numpy.testing.assert_allclose(numpy.frombuffer(data[at:], "<f4").reshape(40, 60)[::-1], values, rtol=1e-6)
        tie = int.from_bytes(tags[33922][8:12], "little")
        self.assertEqual(list(numpy.frombuffer(data[tie:tie + 48], "<f8")), [0, 0, 0, -60, 40, 0])


class Barriers(Case):
    def test_table_holds_the_quantiles_of_the_crossings(self):
        self.scree("ensemble", "site.toml", "-o", "out")
        largest = {}
        for row in rows_of(self.folder / "out/crossings.csv"):
            largest[row["run"]] = max(largest.get(row["run"], 0.0), float(row["energy [J]"]))
            self.assertAlmostEqual(float(row["x [m]"]), 8.0, delta=1e-9)
        values = sorted(largest.values())
        self.assertGreater(len(values), 10)
        energy = next(row for row in rows_of(self.folder / "out/barriers.csv") if row["quantity"] == "energy")
        self.assertEqual(int(energy["crossed"]), len(values))
        self.assertEqual(float(energy["p95"]), values[math.ceil(0.95 * len(values) - 1e-9) - 1])
        self.assertEqual(float(energy["max"]), values[-1])

    def test_until_ends_at_the_same_run_for_any_jobs_and_parts(self):
        until = ["--set", "ensemble.until={ barrier = 'fence', quantity = 'velocity', quantile = 0.5, tolerance = 0.2, batch = 10 }"]
        for name, jobs in (("one", "1"), ("two", "2")):
            self.scree("ensemble", "site.toml", *until, "--jobs", jobs, "-o", name)
        for part in (0, 1):
            self.scree("ensemble", "site.toml", *until, "--chunk", f"{part}/2", "-o", "parts")
        self.scree("ensemble", "site.toml", *until, "--merge", "-o", "parts")
        self.assertLess(len(rows_of(self.folder / "one/runs.csv")), 40)
        for name in ("two", "parts"):
            self.assertEqual(outputs(self.folder / name), outputs(self.folder / "one"))


class ClosedForm(program.FolderCase):
    def test_slabs_let_go_on_a_slope_stop_after_their_distance(self):
        """Down a plane with a < atan mu: v0^2 / (2 g (mu cos a - sin a)), whatever the mass."""
        angle, mu, speed = 0.3, 0.6, 3.0
        s, c = math.sin(angle), math.cos(angle)
        self.write(SITE.replace("dt = 0.005", "dt = 0.0005").replace("e = 0.3", "e = 0").replace("normal = [-1, 0, 1]", f"normal = [{s}, 0, {c}]\nposition = [0, 0, 200]")
                   .split("[[ensemble.rock]]")[0].replace("low = [-60, -40]", "low = [-200, -40]") + f"""[[ensemble.rock]]
name = "slab"
shape = "box"
proportions = [8, 8, 1]
mass = {{ kind = "uniform", low = 100, high = 1000 }}
material = "stone"
[[ensemble.release]]
name = "top"
points = [[-20, 0]]
runs = 4
drop = 1e-10
velocity = [{speed * c}, 0, {-speed * s}]
rotation = {{ axis = [0, 1, 0], angle_deg = {math.degrees(angle)} }}
""", "slabs.toml")
        self.scree("ensemble", "slabs.toml", "-o", "out")
        expected = speed**2 / (2 * G * (mu * c - s)) * c
        rows = rows_of(self.folder / "out/runs.csv")
        self.assertEqual(len({row["mass [kg]"] for row in rows}), 4)
        errors = [abs(float(row["run_out [m]"]) / expected - 1.0) for row in rows]
        print(f"slabs stop after {expected:.4f} m, relative error {max(errors):.1e}", flush=True)
        self.assertLess(max(errors), 1e-4)


class BadInput(Case):
    def test_one_line_each(self):
        for edit, says in (("ensemble.release[cliff].line=[[20, -5]]", "ensemble.release.line"),
                           ("ensemble.rock[equant].shape=cube", 'ensemble.rock.shape: unknown value "cube"'),
                           ("ensemble.rock[equant].mass=-1", "ensemble.rock.mass: -1"),
                           ("ensemble.map.cell=1e-9", "cells"),
                           ("ensemble.release[block].points=[[500, 0]]", "outside the map"),
                           ("ensemble.until={ barrier = 'road' }", "ensemble.until.barrier")):
            with self.subTest(edit=edit):
                self.refuse("ensemble", "site.toml", "--set", edit, "-o", "out", says=says)
        self.refuse("run", "site.toml", says="scree ensemble")
        self.refuse("ensemble", "site.toml", "--chunk", "3/3", says="--chunk: '3/3' is not allowed")
        self.refuse("ensemble", "site.toml", "--replay", "40", says="runs 0 to 39")


if __name__ == "__main__":
    program.main()
