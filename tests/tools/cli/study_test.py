"""A small column study: its files, that it goes on where it was, and that each member is reproducible alone.

usage: study_test.py SCREE [unittest options]
"""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import time
import tomllib
import unittest

import h5py

import program

# Spheres in a slice, so few and with steps so long that it takes seconds.
SCENE = """
title = "Small column"
[time]
dt = 0.001
end = 0.5
theta = 0.55
[solver]
tolerance = 1e-3
measure = "scaled"
[output]
frames_per_second = 20
contacts = false
[stop]
displacement = 2e-4
window = 0.04
after = 0.45
[[material]]
name = "rock"
density = 2600
[[material]]
name = "glass"
[[contact]]
between = ["rock", "rock"]
mu = 0.5
e = 0.3
[[contact]]
between = ["rock", "glass"]
mu = 0.0
e = 0.3
[column]
kind = "slice"
aspect = 1.0
grains = 60
width = 3
material = "rock"
side_material = "glass"
shape = "sphere"
size = 0.01
release = 0.3
"""


class ColumnStudy(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SCENE, "small.toml")

    def rows(self):
        with open(self.folder / "out" / "results.csv", newline="") as table:
            return list(csv.DictReader(table))

    def test_study(self):
        study = ["study", "column", "small.toml", "--quick", "--aspect", "0.6,2", "--grains", "60", "--out", "out", "--jobs", "2"]
        self.scree(*study)
        rows = self.rows()
        self.assertEqual([row["member"] for row in rows], ["a0.6-s1", "a2-s1"])
        for row in rows:
            self.assertEqual(row["status"], "done")
            self.assertEqual(row["grains"], "60")
            # Column and vessel fit: volume = packing * length * width * height, with the width of three mean sizes.
            length, height, size = (float(row[key]) for key in ("initial_length", "initial_height", "size"))
            self.assertAlmostEqual(float(row["aspect_measured"]), height / length, places=9)
            self.assertAlmostEqual(float(row["packing_fraction"]) * length * 3 * size * height, 60 * 0.5235987755982988 * size**3, delta=1e-3 * 60 * size**3)
            self.assertTrue(0.3 < float(row["packing_fraction"]) < 0.74)
            # The potential energy lost is what contacts and the scheme took.
            self.assertLess(float(row["max_abs_balance"]), 1e-12 * float(row["energy_scale"]))
            self.assertLess(float(row["contact_tangential_work"]), 0.0)
            self.check_energies(row)
        run_out = [float(row["run_out_mass_99"]) for row in rows]
        self.assertLess(run_out[0], run_out[1])
        for name in ("results.svg", "a2-s1-front.csv", "a2-s1-profile.csv", "a2-s1-pack.toml", "a2-s1-collapse.toml"):
            self.assertGreater((self.folder / "out" / name).stat().st_size, 100, name)
        self.assertIn("Lube et al. 2005", (self.folder / "out" / "results.svg").read_text())
        with open(self.folder / "out" / "a2-s1-front.csv", newline="") as table:
            front = list(csv.reader(table))[1:]
        self.assertAlmostEqual(float(front[-1][1]), (1 + run_out[1]) * float(rows[1]["initial_length"]), places=5)
        self.check_alone(rows[1])
        self.check_goes_on(study)
        self.check_page(study, rows)

    # What both energies lost is the sum of the works: sums over the steps of increments that each close to round-off.
    def check_energies(self, row):
        change, work = (sum(sign * float(row[key]) for key, sign in parts) for parts in (
            (("kinetic_end", 1), ("potential_end", 1), ("kinetic_start", -1), ("potential_start", -1)),
            ((f"contact_{part}_work", 1) for part in ("normal", "tangential", "rolling")),))
        work += sum(float(row[key]) for key in ("numerical_dissipation", "projection_work", "driven_work", "external_work", "event_energy"))
        self.assertLess(change, -0.1 * float(row["energy_scale"]))
        self.assertAlmostEqual(change, work, delta=1e-11 * float(row["energy_scale"]))

    # scree run of a member's own files gives the same bits.
    def check_alone(self, row):
        out = self.folder / "out"
        (out / "alone").mkdir()
        for name in ("a2-s1-pack", "a2-s1-collapse"):
            (out / "alone" / f"{name}.toml").write_text((out / f"{name}.toml").read_text())
            result = json.loads(program.scree("run", f"{name}.toml", "--json", "--backend", "tbb", "--threads", "2", cwd=out / "alone").stdout)
        self.assertEqual(result["state_hash"], row["state_hash"])

    # A finished member is not run again, a missing one is; one that is damaged too.
    def check_goes_on(self, study):
        out = self.folder / "out"
        before, times = self.rows(), {name: (out / f"{name}-collapse.h5").stat().st_mtime_ns for name in ("a0.6-s1", "a2-s1")}
        (out / "a2-s1-collapse.h5").write_bytes(b"damaged")
        self.scree(*study)
        self.assertEqual((out / "a0.6-s1-collapse.h5").stat().st_mtime_ns, times["a0.6-s1"])
        self.assertNotEqual((out / "a2-s1-collapse.h5").stat().st_mtime_ns, times["a2-s1"])
        self.assertEqual([row["state_hash"] for row in self.rows()], [row["state_hash"] for row in before])

    # tools/column_page: numbers of the table, their law and their exponent.
    def check_page(self, study, rows):
        kept = self.folder / "studies" / "slice-aspect"
        shutil.copytree(self.folder / "out", kept)
        (kept / "command.txt").write_text("scree " + " ".join(study) + "\n")
        tool = pathlib.Path(__file__).resolve().parents[3] / "tools" / "column_page"
        subprocess.run([sys.executable, tool, "studies", "page"], cwd=self.folder, check=True)
        page = (self.folder / "page" / "README.md").read_text()
        a, run_out = ([float(row[key]) for row in rows] for key in ("aspect_measured", "run_out_mass_99"))
        self.assertIn(f"| {a[0]:.3f} | 60 | ", page)
        self.assertIn(f" | {run_out[0]:.3f} | ", page)
        self.assertIn(f" | {1.2 * a[0]:.2f} | {2.5 * a[0]:.2f} | ", page)
        self.assertEqual((self.folder / "page" / "slice-aspect.csv").read_bytes(), (kept / "results.csv").read_bytes())
        refused = subprocess.run([sys.executable, tool, "none"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((refused.returncode, refused.stderr.count("\n")), (1, 1))

    def test_finished_members_of_other_settings_are_kept(self):
        short = ("end = 0.5", "end = 0.05"), ("dt = 0.001", "dt = 0.002")
        text = SCENE
        for old, new in short:
            text = text.replace(old, new)
        self.write(text.replace("[time]", '[law]\ncorrection = "projection"\n[time]'), "small.toml")
        study = ["study", "column", "small.toml", "--grains", "20", "--out", "out"]
        self.scree(*study, "--aspect", "0.6,0.8")
        first = self.rows()
        for row in first:
            self.assertEqual(row["status"], "done")
            self.check_energies(row)
            self.assertNotEqual(float(row["projection_work"]), 0.0)
        kept = {path.name: path.read_bytes() for path in (self.folder / "out").glob("a*")}
        # Other grains, and other frames, which only the collapse has.
        self.refuse("study", "column", "small.toml", "--grains", "21", "--out", "out", "--aspect", "0.5,0.8",
                    says="out/a0.8-s1-pack.h5: is the finished result of other settings; choose another folder, or use --force to replace it")
        small = (self.folder / "small.toml").read_text()
        self.write(small.replace("frames_per_second = 20", "frames_per_second = 25"), "small.toml")
        self.refuse(*study, "--aspect", "0.6", says="out/a0.6-s1-collapse.h5: is the finished result of other settings")
        (self.folder / "out" / "a0.6-s1-pack.h5").unlink()
        self.refuse(*study, "--aspect", "0.6", says="out/a0.6-s1-collapse.h5: is the finished result of other settings")
        (self.folder / "out" / "a0.6-s1-pack.h5").write_bytes(kept["a0.6-s1-pack.h5"])
        self.write(small, "small.toml")
        # More members, fewer members, from another folder: the table is of those asked for, and what was finished stays as it is, from earlier versions too.
        row = json.loads(kept["a0.6-s1.json"])
        for key in ("kinetic_start", "potential_start", "potential_end", "projection_work", "external_work", "event_energy"):
            del row[key]
        (self.folder / "out" / "a0.6-s1.json").write_text(json.dumps(row))
        self.scree(*study, "--aspect", "0.5,0.6,0.8")
        self.assertEqual(self.rows()[1:], first)
        self.scree("study", "column", str(self.folder / "small.toml"), *study[3:], "--aspect", "0.8")
        self.assertEqual(self.rows(), first[1:])
        for name, content in kept.items():
            if name != "a0.6-s1.json":
                self.assertEqual((self.folder / "out" / name).read_bytes(), content, name)
        self.scree("study", "column", "small.toml", "--grains", "21", "--out", "out", "--aspect", "0.8", "--force")
        self.assertEqual(self.rows()[0]["grains"], "21")

    def test_a_resumed_table_is_the_fresh_one_and_tells_what_still_moved(self):
        # So short that nothing comes to rest, and so low that the deposit has no slope at its toe.
        self.write(SCENE.replace("end = 0.5", "end = 0.004").replace("displacement = 2e-4", "displacement = 1e-9"), "small.toml")
        study = ["study", "column", "small.toml", "--aspect", "0.05,1", "--grains", "20", "--out", "out"]
        done = self.scree(*study, "--jobs", "1")
        fresh = (self.folder / "out" / "results.csv").read_bytes()
        self.assertIn("", [row["slope_toe_deg"] for row in self.rows()])
        self.assertNotIn(b"null", fresh)
        self.assertNotIn(b"nan", fresh)
        self.assertEqual([(row["packing_quiet"], row["collapse_quiet"]) for row in self.rows()], 2 * [("false", "false")])
        self.assertEqual(done.stderr.count("; let go while still moving; still moving at the end\n"), 2, done.stderr)
        self.assertIn("Let go while the packing was still moving: 2 of 2 members (a0.05-s1, a1-s1)\n", done.stdout)
        self.assertIn("Still moving at the end of the collapse: 2 of 2 members (a0.05-s1, a1-s1)\n", done.stdout)
        self.scree(*study)
        self.assertEqual((self.folder / "out" / "results.csv").read_bytes(), fresh)
        # One seed: a dot without a bar; laws that jump are broken there.
        figure = (self.folder / "out" / "results.svg").read_text()
        self.assertEqual(figure.count('<circle class="dot" cx'), 6)
        self.assertNotIn('class="deviation"', figure)
        self.scree(*study[:4], "2.5", "--seeds", "1,2", *study[5:])
        figure = (self.folder / "out" / "results.svg").read_text()
        self.assertEqual((figure.count('<circle class="dot" cx'), figure.count('class="deviation"')), (3, 3))
        law = figure.split("<title>Lube et al. 2005, channel")[0].rsplit("<path", 1)[1]
        self.assertEqual(law.count("M"), 2)   # the branches below and above a = 2.3

    # Killed in the filling, stopped in the collapse, killed there: it goes on from its checkpoints, and ends as if nothing had been.
    def test_a_member_goes_on_in_the_middle(self):
        self.write(SCENE.replace("dt = 0.001", "dt = 0.0005") + "[checkpoint]\nevery_steps = 10\n", "small.toml")
        study = ["study", "column", "small.toml", "--aspect", "1", "--jobs", "1", "--out"]
        self.scree(*study, "whole")
        out, seconds, first = self.folder / "out", {}, {}
        for part, signal in (("pack", "kill"), ("collapse", "terminate"), ("collapse", "kill")):
            process = self.start(*study, "out")
            file = out / f"a1-s1-{part}.h5"
            self.wait_for(process, lambda file=file, wanted=first.get(part, 0) + 60: len(self.step_seconds(file)) >= wanted)
            getattr(process, signal)()
            process.communicate()
            self.assertNotEqual(process.returncode, 0)
            self.assertTrue(file.with_name(file.name + ".checkpoint").exists())
            seconds[part] = self.step_seconds(file)
            first[part] = len(seconds[part]) // 10 * 10
        # The scene may be named in another way.
        done = self.scree("study", "column", str(self.folder / "small.toml"), *study[3:], "out")
        self.assertRegex(done.stderr, r"a1-s1-collapse\.h5: goes on after step \d+, t = \S+ s; the run before was stopped or killed\n")
        # That, the member's line, and what it was warned of.
        said = [line for line in done.stderr.splitlines() if not line.startswith(("warning", " "))]
        self.assertEqual(len(said), 2, done.stderr)
        for part, before in seconds.items():
            # Times of steps are never the same twice: these were not computed again.
            self.assertEqual(self.step_seconds(out / f"a1-s1-{part}.h5")[:first[part] - 10], before[:first[part] - 10])
        self.assertEqual([path.name for path in out.glob("*.checkpoint")], [])
        self.assertEqual(sorted(path.name for path in out.iterdir()), sorted(path.name for path in (self.folder / "whole").iterdir()))
        for name in ("a1-s1-front.csv", "a1-s1-profile.csv"):
            self.assertEqual((out / name).read_bytes(), (self.folder / "whole" / name).read_bytes(), name)
        rows = [json.loads((self.folder / folder / "a1-s1.json").read_text()) for folder in ("out", "whole")]
        for row in rows:
            self.assertGreater(row.pop("seconds"), 0.0)
        self.assertEqual(rows[0], rows[1])

    # Times that the steps recorded in a result file took.
    def step_seconds(self, file):
        try:
            with h5py.File(file, "r", swmr=True) as result:
                return result["solver/seconds_solve"][:].tolist()
        except (OSError, KeyError):
            return []

    def wait_for(self, process, done):
        while not done():
            self.assertIsNone(process.poll(), "ended too early")
            time.sleep(0.005)

    # Without what belongs to the checkpoint a run starts over.
    def test_a_member_without_a_whole_checkpoint_starts_over(self):
        self.write(SCENE.replace("dt = 0.001", "dt = 0.0005") + "[checkpoint]\nevery_steps = 10\n", "small.toml")
        study = ["study", "column", "small.toml", "--aspect", "1", "--jobs", "1", "--out", "out"]
        out, hashes = self.folder / "out", set()
        checkpoint, front, file = (out / f"a1-s1-{name}" for name in ("collapse.h5.checkpoint", "front.csv", "collapse.h5"))

        def truncate(path):
            path.write_bytes(path.read_bytes()[:100])

        def halve(path):
            path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])

        for damage in (lambda: truncate(checkpoint), front.unlink, lambda: truncate(front), file.unlink, lambda: halve(file)):
            process = self.start(*study)
            self.wait_for(process, lambda: len(self.step_seconds(file)) >= 60)
            process.terminate()
            process.communicate()
            damage()
            done = self.scree(*study)
            self.assertEqual(done.stderr.count("; the run starts over\n"), 1, done.stderr)
            hashes.add(self.rows()[0]["state_hash"])
            self.assertFalse(checkpoint.exists())
            file.unlink()
        self.scree(*study)
        # A collapse that was run by hand to its quiet end, with a checkpoint there.
        (out / "a1-s1.json").unlink()
        program.scree("run", "a1-s1-collapse.toml", "--force", cwd=out)
        self.scree(*study)
        hashes.add(self.rows()[0]["state_hash"])
        # A filling with options of its own is none of the study's. Its tolerance is tighter, so that every step reaches it: a looser one would
        # leave the bound of the velocities as it is, and that alone is hard for some steps here.
        program.scree("run", "a1-s1-pack.toml", "--force", "--tolerance", "5e-4", "--out", "pack.h5", cwd=out)
        filling = (out / "a1-s1-pack.h5").read_bytes()
        (out / "pack.h5").rename(out / "a1-s1-pack.h5")
        self.refuse(*study, says="out/a1-s1-pack.h5: is the finished result of other settings")
        (out / "a1-s1-pack.h5").write_bytes(filling)
        # The row of another result, left by a kill between the two.
        row = out / "a1-s1.json"
        row.write_text(json.dumps(json.loads(row.read_text()) | {"state_hash": "of another", "steps": 7}))
        self.scree(*study)
        hashes.add(self.rows()[0]["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_columns_are_documented(self):
        self.write(SCENE.replace("end = 0.5", "end = 0.002"), "small.toml")
        self.scree("study", "column", "small.toml", "--aspect", "1", "--grains", "20", "--out", "out")
        page = (pathlib.Path(__file__).resolve().parents[3] / "scenes" / "README.md").read_text().split("## Column studies")[1]
        columns = [name.strip() for line in page.splitlines() if line.startswith("| `") for name in line.split("|")[1].replace("`", "").split(",")]
        table = columns[columns.index("member"):]
        self.assertEqual(table, list(self.rows()[0]))
        for name in ("front", "profile"):
            with open(self.folder / "out" / f"a1-s1-{name}.csv", newline="") as text:
                for column in next(csv.reader(text)):
                    self.assertIn(f"`{column.split(' ')[0]}`", page)

    # No grain of the filling falls by more than 0.6 sizes in a step, from the top of the rain to the height asked for; the collapse keeps the
    # scene's step.
    def test_high_columns_are_filled_with_a_shorter_step(self):
        self.write(SCENE.replace("dt = 0.001", "dt = 0.004"), "small.toml")
        self.scree("study", "column", "small.toml", "--grains", "250", "--aspect", "1,20", "--out", "out")
        parts = []
        for row in self.rows():
            name, length, size = row["member"], float(row["initial_length"]), float(row["size"])
            pack, collapse = (tomllib.loads((self.folder / "out" / f"{name}-{part}.toml").read_text())["time"]["dt"] for part in ("pack", "collapse"))
            self.assertEqual(collapse, 0.004)
            with h5py.File(self.folder / "out" / f"{name}-pack.h5") as filling:
                top = max(filling["frames/position"][0][:, 2])
            fall = max(0.0, top - float(row["aspect"]) * length)
            parts.append(max(1, math.ceil(math.sqrt(2 * 9.81 * fall) * 0.004 / (0.6 * size))))
            self.assertAlmostEqual(pack, 0.004 / parts[-1], places=12)
        self.assertEqual(parts[0], 1)
        self.assertGreater(parts[1], 1)

    # What a step, theta or tolerance changes is seen on the very same column.
    def test_numerical_options_are_those_of_the_collapse(self):
        study = ["study", "column", "small.toml", "--grains", "20", "--aspect", "0.6"]
        self.scree(*study, "--out", "out")
        self.scree(*study, "--dt", "0.0005", "--theta", "0.6", "--tolerance", "1e-4", "--method", "auto", "--out", "other")
        packs = []
        for folder in ("out", "other"):
            with h5py.File(self.folder / folder / "a0.6-s1-pack.h5") as filling:
                packs.append((filling["scene/source"][()], filling["frames/position"][-1].tobytes(), filling["frames/last_velocity"][()].tobytes()))
        self.assertEqual(packs[0], packs[1])
        scene = tomllib.loads((self.folder / "other" / "a0.6-s1-collapse.toml").read_text())
        self.assertEqual((scene["time"]["dt"], scene["time"]["theta"], scene["solver"]["tolerance"], scene["solver"]["method"]), (0.0005, 0.6, 1e-4, "automatic"))

    def test_one_failing_member_does_not_stop_the_rest(self):
        (self.folder / "out" / "a0.6-s1-pack.h5").mkdir(parents=True)  # a folder where its result file would be
        done = self.scree("study", "column", "small.toml", "--aspect", "0.6,0.7", "--grains", "40", "--out", "out", expect=1)
        status = [row["status"] for row in self.rows()]
        self.assertTrue(status[0].startswith("failed: "), status)
        self.assertEqual(status[1], "done")
        self.assertIn("1 of 2 members", done.stdout)

    def test_bad_input_is_one_line_and_leaves_nothing(self):
        cases = [(["--aspect", "0"], "--aspect"), (["--aspect", "1", "--seeds", "-1"], "--seeds"), ([], "--aspect"),
                 (["--aspect", "1", "--grains", "50", "--length", "5"], "--grains excludes --length"), (["--aspect", "1,1.0000001"], "two members would be called a1-s1"),
                 (["--aspect", "1", "--shapes", "cubes"], "column.shape"), (["--aspect", "30", "--grains", "20"], "cannot hold"),
                 (["--aspect", "1", "--restitution", "1.5"], "contact.e"), (["--aspect", "1", "--dt", "-0.001"], "time.dt"),
                 (["--aspect", "1", "--theta", "0.4"], "time.theta"), (["--aspect", "1", "--tolerance", "0"], "solver.tolerance"), (["--aspect", "1", "--method", "sor"], "--method"),
                 (["--aspect", "1", "--rolling", "-0.1"], "contact.rolling"),
                 (["--aspect", "1,,2"], "--aspect: an entry of the list '1,,2' is empty"), (["--aspect", "1,2,1.0"], "--aspect: '1.0' is there twice"),
                 (["--aspect", "1", "--seeds", "1,1"], "--seeds: '1' is there twice"), (["--aspect", "1", "--seeds", "1.5"], "--seeds: 1.5 is not allowed"),
                 (["--aspect", "1", "--seeds", "7,007"], "--seeds: 007 is not allowed; must be an integer from 0"),
                 (["--aspect", "1", "--shapes", "hull,"], "--shapes: an entry of the list 'hull,' is empty"),
                 (["--aspect", "1", "--friction", "0.3,0.30"], "--friction: '0.30' is there twice"),
                 (["--aspect", "1", "--friction", ",0.3"], "--friction: an entry of the list ',0.3' is empty")]
        for options, expected in cases:
            with self.subTest(options):
                self.refuse("study", "column", "small.toml", "--out", "none", *options, says=expected)
        for length in ("400000", "29992.265213415285"):  # more than an integer holds
            self.refuse("study", "column", "small.toml", "--aspect", "1", "--length", length, says="at most 1000000")
        self.refuse("study", "column", "small.toml", "--aspect", "0.5", "1", says="1 is not expected here")
        self.write(SCENE + '[initial]\nfrom = "none.h5"\n', "plain.toml")
        self.refuse("study", "column", "plain.toml", "--aspect", "1", says="has [initial]")
        self.write(SCENE.replace("[stop]\ndisplacement = 2e-4\nwindow = 0.04\nafter = 0.45\n", ""), "plain.toml")
        self.refuse("study", "column", "plain.toml", "--aspect", "1", says="has no [stop]")

    def test_a_run_does_not_start_from_other_grains(self):
        text = SCENE.replace("release = 0.3", "").replace("end = 0.5", "end = 0.002")
        self.write(text, "pack.toml")
        self.scree("run", "pack.toml")
        start = "\n[initial]\nfrom = 'pack.h5'\n"
        self.write(text.replace("size = 0.01", "size = 0.02") + start, "other.toml")
        self.refuse("run", "other.toml", says="its body 'grain-1' has another mass")
        self.write(text.replace("grains = 60", "grains = 61") + start, "more.toml")
        self.refuse("run", "more.toml", says="initial.from: pack.h5: ")
        self.write(text + start.replace("pack", "none"), "none.toml")
        self.refuse("run", "none.toml", says="none.h5")

    # The members' scenes lie in another folder than the history that they name; another history makes another run.
    def test_a_study_of_a_scene_with_a_history(self):
        (self.folder / "scenes" / "motions").mkdir(parents=True)
        shaken = """
[[body]]
name = "shaker"
kind = "box"
sides = [0.01, 0.01, 0.01]
position = [0.5, 0, 0.1]
material = "rock"
motion = { kind = "velocity", file = "motions/shake.csv" }
"""
        self.write(SCENE.replace("dt = 0.001", "dt = 0.002") + shaken, "scenes/shaken.toml")
        study = ["study", "column", "scenes/shaken.toml", "--aspect", "0.6", "--grains", "20", "--out", "out"]
        self.refuse(*study, says="motions/shake.csv")
        self.write("time,linear_z\n0,0\n1,0.1\n", "scenes/motions/shake.csv")
        self.scree(*study)
        (first,) = self.rows()
        self.assertEqual(first["status"], "done")
        for name in ("a0.6-s1-pack", "a0.6-s1-collapse"):
            result = json.loads(program.scree("run", f"{name}.toml", "--json", "--force", cwd=self.folder / "out").stdout)
        self.assertEqual(result["state_hash"], first["state_hash"])
        self.write("time,linear_z\n0,0\n1,0.2\n", "scenes/motions/shake.csv")
        self.refuse(*study, says="out/a0.6-s1-pack.h5: is the finished result of other settings")
        self.scree(*study, "--force")
        self.assertNotEqual(self.rows()[0]["state_hash"], first["state_hash"])


if __name__ == "__main__":
    program.main()
