"""The program as its users meet it: bad input, interrupted runs, the JSON object, result files seen from h5py.

usage: command_line_test.py SCREE [unittest options]
"""
import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import time

import h5py
import numpy

import program

SCENE = '\ntitle = "A ball falls"\n' + program.falling_ball(0.5)

BALL = """
[[body]]
name = "{name}"
kind = "sphere"
radius = 0.1
material = "rubber"
position = [{x}, 0, {z}]
"""

FLAT = """
[[body]]
name = "flat"
kind = "convex"
vertices = [[0, 0, 2], [1, 0, 2], [1, 1, 2], [0, 1, 2]]
material = "rubber"
position = [0, 0, 2]
"""


class Case(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SCENE)

    def write(self, text, name="ball.toml"):
        super().write(text, name)

    def wait_for(self, holds):
        for _ in range(300):
            if holds():
                return
            time.sleep(0.05)
        self.fail("did not happen within 15 s")


class BadInput(Case):
    """Exit code 2, one line that names the culprit, nothing written."""

    def refuse_scene(self, old, new, says):
        self.assertIn(old, SCENE)
        self.write(SCENE.replace(old, new, 1))
        return self.refuse("run", "ball.toml", says=says)

    def test_missing_file(self):
        self.refuse("run", "none.toml", says=["none.toml", "No such file"])

    def test_folder_instead_of_file(self):
        (self.folder / "folder.toml").mkdir()
        self.refuse("run", "folder.toml", says="folder")

    def test_broken_toml(self):
        line = SCENE.splitlines().index("dt = 0.001") + 1
        self.refuse_scene("dt = 0.001", "dt = = 0.001", f"ball.toml:{line}:")

    def test_unknown_key(self):
        self.refuse_scene("radius = 0.1", "radios = 0.1", ["radios", "radius", "ball.toml:"])

    def test_pair_without_law(self):
        self.write(SCENE.replace("[[contact]]", '[[material]]\nname = "ice"\ndensity = 900\n\n[[contact]]')
                   + BALL.format(name="cube", x=2, z=1).replace("rubber", "ice"))
        self.refuse("run", "ball.toml", says=["ice", "rubber"])

    def test_negative_friction(self):
        self.refuse_scene("mu = 0.5", "mu = -0.5", "mu")

    def test_restitution_above_one(self):
        self.refuse_scene("\ne = 0.5", "\ne = 1.5", ["e", "1.5"])

    def test_theta_outside_its_interval(self):
        self.refuse_scene("end = 0.5", "end = 0.5\ntheta = 0.9", ["theta", "0.9", "0.66666"])
        self.write(SCENE)
        self.refuse("run", "ball.toml", "--theta", "0.9", says=["theta", "0.66666"])
        self.scree("run", "ball.toml", "--theta", "0.9", "--law", "newton")

    def test_step_not_positive(self):
        self.refuse_scene("dt = 0.001", "dt = 0", "dt")
        self.write(SCENE)
        self.refuse("run", "ball.toml", "--dt", "-1", says="dt")
        self.refuse("run", "ball.toml", "--dt", "nan", says="dt")

    def test_number_that_is_not_finite(self):
        self.refuse_scene("position = [0, 0, 0.3]", "position = [0, 0, nan]", "position")

    def test_coplanar_vertices(self):
        self.write(SCENE + FLAT)
        self.refuse("run", "ball.toml", says=["ball.toml:", "vertices", "one plane"])

    def test_two_bodies_with_one_name(self):
        self.write(SCENE + BALL.format(name="ball", x=3, z=1))
        self.refuse("run", "ball.toml", says=['"ball"', "name"])

    def test_overlap_at_the_start(self):
        self.write(SCENE + BALL.format(name="second", x=0.15, z=0.3))
        self.refuse("run", "ball.toml", says=["ball.toml", "'ball'", "'second'", "0.05 m", "allow_initial_overlap"])

    def test_many_overlaps_lead_with_the_deepest(self):
        self.write(SCENE + "".join(BALL.format(name=f"b{i}", x=1 + i, z=0.099 - 0.001 * i) for i in range(14)))
        self.refuse("run", "ball.toml", says="overlap at the start: 'ground' and 'b13' by 0.014 m, the deepest, and 13 more pairs; more than 1e-06 of")
        done = self.scree("check", "ball.toml", expect=2)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        listed = done.stdout[done.stdout.index("14 at the start"):done.stdout.index("thresholds")].splitlines()
        self.assertEqual((len(listed), listed[1].strip(), listed[-1].strip()), (12, "'ground' and 'b13' by 0.014 m", "and 4 more"))

    def test_overlap_allowed(self):
        self.write("start.allow_initial_overlap = true\n" + SCENE + BALL.format(name="second", x=0.15, z=0.3))
        self.scree("run", "ball.toml", "--t-end", "0.01")

    def test_output_that_cannot_be_written(self):
        self.refuse("run", "ball.toml", "--out", "none/out.h5", says=["none/out.h5", "folder does not exist"])
        self.refuse("run", "ball.toml", "--out", "x" * 300 + ".h5", says="File name too long")
        self.refuse("run", "ball.toml", "--out", "", says="--out")
        self.refuse("run", "ball.toml", "--out", ".", says="folder")
        self.refuse("run", "ball.toml", "--out", "/dev/full", "--force", says="/dev/full")

    def test_existing_output(self):
        (self.folder / "ball.h5").write_text("precious")
        self.refuse("run", "ball.toml", says=["ball.h5", "--force"])
        self.assertEqual((self.folder / "ball.h5").read_text(), "precious")
        self.scree("run", "ball.toml", "--force")
        self.scree("info", "ball.h5")

    def test_scene_is_never_its_own_output(self):
        (self.folder / "link.toml").symlink_to("ball.toml")
        for out in ("ball.toml", "./ball.toml", "link.toml"):
            self.refuse("run", "ball.toml", "--out", out, "--force", says="is the file that is read")
        self.assertEqual((self.folder / "ball.toml").read_text(), SCENE)

    def test_scene_that_is_no_regular_file(self):
        os.mkfifo(self.folder / "fifo.toml")
        self.refuse("run", "fifo.toml", says="not a regular file")
        self.refuse("run", "/dev/zero", says="not a regular file")

    def test_more_steps_than_can_be_counted(self):
        self.refuse("run", "ball.toml", "--t-end", "1e18", says=["time.end", "at most 1e+12"])
        self.refuse("run", "ball.toml", "--dt", "1e-300", says=["time.end", "at most 1e+12"])

    def refuse_in_both(self, text, says):
        """`check` and `run` refuse a scene with the same line."""
        self.write(text)
        lines = [self.refuse(command, "ball.toml", says=says) for command in ("check", "run")]
        self.assertEqual(lines[0], lines[1])

    def test_sizes_and_masses_that_cannot_be_computed_with(self):
        sizes, masses = "must be from 1e-12 to 1e12 [m]", "must be from 1e-40 to 1e40 [kg]"
        box = '[[body]]\nname = "box"\nkind = "box"\nsides = [{0}, {0}, {0}]\nmaterial = "rubber"\nposition = [3, 0, 3]\n'
        for side in ("1e-200", "1e-13", "1e200"):
            self.refuse_in_both(SCENE + box.format(side), [side.replace("1e200", "1e+200"), sizes])
        self.refuse_in_both(SCENE.replace("radius = 0.1", "radius = 1e-100"), ["radius", "1e-100", sizes])
        self.refuse_in_both(SCENE.replace("radius = 0.1", "radius = 1e160"), ["radius", sizes])
        self.refuse_in_both(SCENE + FLAT.replace("[0, 1, 2]]", "[1e200, 1, 3]]"), ["vertices", "from -1e12 to 1e12 [m]"])
        self.refuse_in_both(SCENE + FLAT.replace("[1, 0, 2], [1, 1, 2], [0, 1, 2]", "[1e200, 0, 2], [1e200, 1e200, 2], [0, 0, 1e200]"), "from -1e12 to 1e12 [m]")
        for density in ("1e300", "1e-300"):
            self.refuse_in_both(SCENE.replace("density = 1100", f"density = {density}"), ["density", "must be from 1e-20 to 1e20 [kg/m3]"])
        self.refuse_in_both(SCENE.replace("radius = 0.1", "radius = 0.1\nmass = 1e300"), ["mass", masses])
        self.refuse_in_both(SCENE + BALL.format(name="second", x=5, z=1e308), ["position", "1e+308", "from -1e12 to 1e12 [m]"])
        for scale in ("1e-9", "1e9"):   # far from any use, and no trouble
            self.write(SCENE + box.format(scale).replace("[3, 0, 3]", f"[{scale}, 0, 3e9]"))
            self.scree("run", "ball.toml", "--t-end", "0.01", "--force")

    def test_threads_have_one_bound(self):
        says = "is not allowed; must be an integer from {} to 4096"
        for command, low in ((["run", "ball.toml"], 0), (["resume", "x"], 0), (["solve", "x"], 0), (["bench"], 1), (["study", "column", "ball.toml"], 1)):
            for value in ("-1", "4097", "1e30", "two"):
                self.assertLess(len(self.refuse(*command, "--threads", value, says=f"--threads: {value} {says.format(low)}")), 150)
        self.refuse_scene("[time]", "solver.threads = 5000\n[time]", ["solver.threads", "5000", "4096"])

    def test_unknown_words_are_named_with_the_nearest(self):
        self.refuse("rnu", says=["unknown command 'rnu'; did you mean run?", "check, info"])
        self.refuse("frobnicate", says=["unknown command 'frobnicate'. Known are example, import, run"])
        self.refuse("study", "colum", says="unknown command 'colum'; did you mean column?")
        self.refuse("run", "ball.toml", "--tolerence", "1", says="--tolerence is not expected here; did you mean --tolerance?")
        self.refuse("--frob", says="--frob is not expected here")

    def test_option_at_fault_is_named(self):
        for option, value, field in (("--dt", "-1", "time.dt"), ("--t-end", "nan", "time.end"), ("--dt", "7", "time.end"), ("--theta", "0.4", "time.theta"),
                                     ("--tolerance", "0", "solver.tolerance"), ("--checkpoint-every-minutes", "-1", "checkpoint.every_minutes")):
            self.assertTrue(self.refuse("run", "ball.toml", option, value, says="not allowed").startswith(f"{option}: {field}: "))

    def test_values_that_options_replace_are_not_judged(self):
        self.write(SCENE.replace("[time]", "[time]\ntheta = 0.9"), "late.toml")
        self.refuse("run", "late.toml", says=["late.toml:", "time.theta: 0.9 is not allowed"])
        for options in (["--theta", "0.6"], ["--law", "newton"]):
            self.scree("run", "late.toml", "--force", *options)
        self.assertTrue(self.refuse("run", "late.toml", "--force", "--theta", "0.95", says="not allowed").startswith("--theta: time.theta: "))
        self.refuse("run", "late.toml", "--force", "--dt", "1e-3", says=["late.toml:", "time.theta"])

    def test_control_characters_never_reach_the_terminal(self):
        """In names of files and commands, values of options, keys and strings of scenes, on both streams: one line, escaped."""
        odd, shown = "a\x1b[31m\nb\u202ec", r"a\u001b[31m\nb\u202ec"
        self.write(SCENE, odd)
        self.refuse("run", odd + "x", says=shown + "x: cannot be read")
        for command in (["info", odd], ["resume", odd], ["solve", odd], ["export", odd, "-o", "x.png"], ["plot", odd, "kinetic", "-o", "x.svg"],
                        ["run", "ball.toml", "--law", odd], [odd], ["run", "ball.toml", odd], ["run", "ball.toml", "--" + odd],
                        ["run", "ball.toml", "--out", f"{odd}/x.h5"], ["export", "ball.toml", "-o", odd]):
            self.refuse(*command, says=shown)
        self.write(SCENE.replace("radius = 0.1", '"rad\\u001bius" = 0.1'))
        self.refuse("run", "ball.toml", says=r"ball.rad\u001bius: unknown key".replace("ball.", "body."))
        self.write(SCENE.replace('title = "A ball falls"\n', ""), odd)
        for command in (["check", odd], ["run", odd, "--out", odd + ".h5"], ["info", odd + ".h5"], ["plot", odd + ".h5", "kinetic", "-o", odd + ".svg"]):
            done = self.scree(*command)
            self.assertIn(shown, done.stdout + done.stderr)
            self.assertNotRegex(done.stdout + done.stderr, "[\\x00-\\x09\\x0b-\\x1f\\u202e]")

    def test_names_that_are_no_utf8_are_shown_and_kept(self):
        name = os.fsdecode(b"b\xffll.toml")
        self.write(SCENE, name)
        self.assertIn(r"b\xffll.h5", self.scree("run", name).stdout)
        self.assertIn(b"b\xffll.h5", os.listdir(os.fsencode(self.folder)))
        self.assertEqual(json.loads(self.scree("run", name, "--json", "--force").stdout)["scene"], "b\ufffdll.toml")
        json.loads(self.scree("check", name, "--json").stdout)
        json.loads(self.scree("info", os.fsdecode(b"b\xffll.h5"), "--json").stdout)

    def test_link_that_leads_nowhere_is_no_output(self):
        self.write(SCENE)
        (self.folder / "link.h5").symlink_to("nowhere.h5")
        for force in ([], ["--force"]):
            self.refuse("run", "ball.toml", "--out", "link.h5", *force, says="is a link to a file that does not exist")

    def test_empty_names_are_refused(self):
        for command in (["run", "ball.toml", "--out"], ["run", "ball.toml", "--dump-fclib"], ["resume", "x", "--out"], ["export", "x", "-o"],
                        ["plot", "x", "kinetic", "-o"], ["report", "x", "-o"], ["bench", "--csv"], ["bench", "--plot"], ["bench", "--save-scenes"],
                        ["study", "column", "ball.toml", "--out"]):
            self.refuse(*command, "", says="is empty")
        for command in (["run", ""], ["check", ""], ["info", ""], ["resume", ""], ["solve", ""]):
            self.refuse(*command, says="is empty")

    def test_numbers_of_options_are_numbers(self):
        for option in ("--aspect", "--friction"):
            self.refuse("study", "column", "ball.toml", option, "nan", says=f"{option}: nan is not allowed; must be a number from")

    def test_integers_are_no_more_than_they_can_be(self):
        """None is cut to the largest of its kind, or to a whole one, or taken for an octal number."""
        study, bench, picture = ["study", "column", "ball.toml"], ["bench"], ["export", "x", "-o", "y.png"]
        largest = 2**63 - 1
        for command, option, low, high in ((study, "--seeds", 0, largest), (study, "--grains", 1, 1000000), (study, "--jobs", 1, 4096), (bench, "--sizes", 1, 1000000),
                                           (bench, "--steps", 1, 1000000), (bench, "--repeats", 1, 10000), (bench, "--warm-up", 0, 1000000),
                                           (bench, "--max-iterations", 1, largest), (["solve", "x"], "--max-iterations", 1, largest),
                                           (["run", "ball.toml"], "--checkpoint-every-steps", 0, largest), (["report", "x"], "--frames", 2, 100000),
                                           (picture, "--panels", 1, 100), (picture, "--frame", -10**9, 10**9),
                                           (["plot", "x", "contact_forces", "-o", "y.svg"], "--frame", -10**9, 10**9)):
            for value in ("99999999999999999999", str(2**63), str(2**64), "-99999999999999999999", "1.5", "1e3x", "0x10", "010", "+5"):
                self.refuse(*command, option, value, says=f"{option}: {value} is not allowed; must be an integer from {low} to {high}")
        self.write(SCENE + "[checkpoint]\nevery_steps = 99999999999999999999\n", "many.toml")
        self.refuse("run", "many.toml", says="many.toml:")

    def test_numbers_are_no_larger_than_they_can_be(self):
        for value in ("1e999", "-1e999", "inf", "nan"):
            for option in ("--t-end", "--dt", "--theta", "--tolerance", "--checkpoint-every-minutes"):
                self.refuse("run", "ball.toml", option, value, says=[option, "is not allowed"])
            for option in ("--aspect", "--friction"):
                self.refuse("study", "column", "ball.toml", option, value, says=f"{option}: {value} is not allowed; must be a number from")
            self.refuse("bench", "--tolerance", value, says=f"--tolerance: {value} is not allowed")
            self.refuse("solve", "x", "--tolerance", value, says=f"--tolerance: {value} is not allowed")
        self.scree("run", "ball.toml", "--t-end", "0.01", "--out", "run.h5")
        for option in ("--time", "--width", "--look"):
            self.refuse("export", "run.h5", "-o", "x.png", option, "1e999" if option != "--look" else "0,0,1e999", says=option)

    def test_values_with_units_say_what_is_allowed(self):
        for command, option, value, kind in ((["run", "ball.toml"], "--t-end", "1s", "a number"), (["run", "ball.toml"], "--dt", "0,001", "a number"),
                                             (["run", "ball.toml"], "--theta", "1/2", "a number"),
                                             (["export", "x", "-o", "y.png"], "--width", "2m", "a number"), (["export", "x", "-o", "y.png"], "--time", "now", "a number")):
            self.refuse(*command, option, value, says=f"{option}: '{value}' is not allowed; must be {kind}")

    def test_result_file_is_no_scene(self):
        self.scree("run", "ball.toml")
        for command in ("run", "check"):
            self.refuse(command, "ball.h5", says="ball.h5: is an HDF5 file, as results are; must be a scene")

    def test_bad_usage(self):
        for arguments in (["frobnicate"], [], ["run"], ["run", "ball.toml", "--law", "hooke"], ["run", "ball.toml", "--frob"],
                          ["run", "ball.toml", "--threads", "-1"], ["run", "ball.toml", "--dt", "soon"], ["info"]):
            done = self.scree(*arguments, expect=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), ["ball.toml"])


class Run(Case):
    def test_json_is_one_object_with_all_keys(self):
        done = self.scree("run", "ball.toml", "--json")
        summary = json.loads(done.stdout)
        keys = {"bodies", "steps", "time_end", "contacts", "iterations", "residual", "energy", "penetration", "wall_seconds",
                "threads", "backend", "state_hash", "version", "scene", "out", "law", "theta", "dt", "title"}
        self.assertLessEqual(keys, set(summary))
        inner = {
            "contacts": {"max", "mean"}, "iterations": {"mean", "median", "p95", "max"}, "penetration": {"max"},
            "residual": {"scaled", "published", "siconos", "unconverged_steps"},
            "energy": {"kinetic", "potential", "external_work", "driven_work", "contact_normal_work", "contact_tangential_work",
                       "numerical_dissipation", "projection_work", "event_energy", "max_positive_normal_work",
                       "max_positive_tangential_work", "max_abs_balance", "energy_scale"},
            "wall_seconds": {"total", "detect", "assemble", "solve", "advance", "record"}}
        for key, wanted in inner.items():
            self.assertLessEqual(wanted, set(summary[key]), key)
        self.assertEqual((summary["bodies"], summary["steps"], summary["title"]), (2, 500, "A ball falls"))
        self.assertAlmostEqual(summary["time_end"], 0.5, delta=1e-12)
        self.assertEqual(summary["out"], "ball.h5")

    def test_deep_overlaps_are_told_with_what_to_do(self):
        """A ball on its way round in a vessel goes straight in each step, and without correction ever deeper into the wall."""
        scene = program.falling_ball(0.4).replace('kind = "half_space"\nnormal = [0, 0, 1]', 'kind = "cylinder_wall"\nradius = 1')
        self.write(scene.replace("position = [0, 0, 0.3]", "position = [0.9, 0, 0]\nvelocity = [0, 20, 0]") + "[world]\ngravity = [0, 0, 0]\n")
        done = self.scree("run", "ball.toml", "--json")
        summary = json.loads(done.stdout)
        depth = summary["penetration"]["max"]
        self.assertGreater(depth, 0.02)
        found = summary["warnings"]
        self.assertEqual([warning["id"] for warning in found], ["deep-overlap"])
        self.assertAlmostEqual(found[0]["worst"], depth / 0.2, delta=1e-12)
        self.assertEqual(set(found[0]["bodies"]), {"ground", "ball"})
        self.assertIn('correction = "projection"', found[0]["advice"])
        self.assertEqual(done.stderr.count(f"warning      deep-overlap: {found[0]['message']}\n"), 1, done.stderr)
        self.assertEqual(done.stderr.count("warning"), 1)
        self.write((self.folder / "ball.toml").read_text() + '[law]\ncorrection = "projection"\n')
        done = self.scree("run", "ball.toml", "--json", "--force")
        self.assertEqual(json.loads(done.stdout)["warnings"], [])
        self.assertNotIn("warning", done.stderr)

    def test_table_goes_to_standard_output_and_hash_repeats(self):
        hashes = set()
        for name in ("a.h5", "b.h5"):
            done = self.scree("run", "ball.toml", "--out", name)
            self.assertIn("energy [J]", done.stdout)
            hashes.add(done.stdout.split("state hash")[1].split()[0])
        self.assertEqual(len(hashes), 1)

    def test_options_replace_values_of_the_scene(self):
        self.scree("run", "ball.toml", "--t-end", "0.02", "--dt", "0.002", "--law", "newton", "--theta", "0.75", "--measure", "published",
                   "--tolerance", "1e-9", "--method", "nsgs", "--backend", "openmp", "--threads", "2", "--no-frames")
        info = json.loads(self.scree("info", "ball.h5", "--json").stdout)
        self.assertEqual((info["steps"], info["frames"], info["status"]), (10, 0, "finished"))
        wanted = {"dt": "0.002", "end": "0.02", "theta": "0.75", "measure": "published", "method": "nsgs", "backend": "openmp",
                  "threads": "2"}
        self.assertEqual({key: info["settings"][key] for key in wanted}, wanted)
        self.assertIn("--law newton", info["settings"]["overrides"])

    def test_serial_says_that_one_thread_is_used(self):
        done = self.scree("run", "ball.toml", "--threads", "3", "--backend", "serial", "--json")
        self.assertIn("one thread", done.stderr)
        self.assertEqual(json.loads(done.stdout)["threads"], 1)

    def test_unconverged_steps_give_exit_code_3(self):
        stack = "".join(BALL.format(name=f"b{i}", x=0, z=0.5 + 0.2 * i) for i in range(4))
        self.write(SCENE + stack + "[solver]\nmax_iterations = 1\n")   # one sweep cannot solve an impact on a column
        done = self.scree("run", "ball.toml", "--tolerance", "1e-12", "--json", expect=3)
        self.assertGreater(json.loads(done.stdout)["residual"]["unconverged_steps"], 0)
        self.assertIn("did not reach the tolerance", done.stderr)

    def test_five_lines_of_h5py(self):
        self.scree("run", "ball.toml")
        with h5py.File(self.folder / "ball.h5") as f:
            height, t = f["frames/position"][:, 1, 2], f["frames/time"][:]
            kinetic, potential = f["ledger/kinetic"][:], f["ledger/potential"][:]
            mass = f["bodies/mass"][1]
            self.assertEqual(f.attrs["format"].decode(), "scree-results")
            self.assertEqual(f.attrs["finished"], 1)
            self.assertEqual([name.decode() for name in f["bodies/name"]], ["ground", "ball"])
            source = f["scene/source"][()]
            self.assertEqual(f.attrs["scene_sha256"].decode(), hashlib.sha256(source).hexdigest())
            self.assertEqual(source.decode(), SCENE)
            missing = []
            f.visititems(lambda name, item: missing.append(name) if isinstance(item, h5py.Dataset) and "unit" not in item.attrs else None)
            self.assertEqual(missing, [])
        # Free fall of the scheme is exact at theta = 1/2 until the ball touches at t = 0.2019 s; 1e-12: round-off.
        early = t < 0.2
        numpy.testing.assert_allclose(height[early], 0.3 - 0.5 * 9.81 * t[early] ** 2, atol=1e-12)
        numpy.testing.assert_allclose(kinetic[:200] + potential[:200], mass * 9.81 * 0.3, rtol=1e-12)
        self.assertEqual(len(t), 51)   # 100 frames a second over 0.5 s, and the start


class Interrupted(Case):
    def setUp(self):
        super().setUp()
        self.result = self.folder / "ball.h5"

    def begin(self):
        process = self.start("run", "ball.toml", "--t-end", "1e6")
        self.addCleanup(lambda: process.poll() is None and process.kill())
        self.wait_for(lambda: self.result.exists() and self.steps() > 0)
        return process

    def steps(self):
        try:
            with h5py.File(self.result, "r", swmr=True) as f:
                return len(f["solver/time"])
        except OSError:
            return 0   # not yet complete

    def test_killed_run_leaves_a_readable_file(self):
        process = self.begin()
        process.kill()
        process.communicate()
        with h5py.File(self.result, "r", swmr=True) as f:
            steps = len(f["solver/time"])
            numpy.testing.assert_allclose(f["solver/time"][:], 0.001 * numpy.arange(1, steps + 1), rtol=1e-12)
            frames = min(len(f["frames/time"]), len(f["frames/position"]))
            self.assertGreater(frames, 0)
            self.assertTrue(numpy.isfinite(f["frames/position"][:frames]).all())
            self.assertEqual(f.attrs["finished"], 0)
        info = json.loads(self.scree("info", "ball.h5", "--json").stdout)
        self.assertEqual((info["status"], info["steps"]), ("running or killed", steps))

    def test_file_is_readable_while_the_run_goes_on(self):
        process = self.begin()
        first = self.steps()
        self.wait_for(lambda: self.steps() > first)
        info = json.loads(self.scree("info", "ball.h5", "--json").stdout)
        self.assertGreater(info["steps"], 0)
        self.assertIsNone(process.poll())

    def test_signals_end_the_run_after_a_step(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.begin()
            process.send_signal(number)
            process.send_signal(number)   # as `timeout` does: to the program and to its group
            out, err = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 1, err)
            self.assertIn("ball.h5 is readable up to there", err)
            self.assertIn("energy [J]", out)
            promised = float(err.split("at t = ")[1].split()[0])
            info = json.loads(self.scree("info", "ball.h5", "--json").stdout)
            self.assertEqual(info["status"], "stopped")
            self.assertAlmostEqual(info["time_end"], promised, delta=1e-6)   # printed with nine digits
            with h5py.File(self.result) as f:   # closed: no swmr needed
                self.assertEqual(f["frames/time"][-1], info["time_end"])
            self.result.unlink()

    def test_signal_before_the_first_step_is_told_and_leaves_nothing(self):
        grains = '[[grains]]\nname = "g"\nmaterial = "rubber"\ncount = 30000\nshape = "hull"\nsize = 0.1\nregion = {{ kind = "box", length = 9, width = 9 }}\n'
        self.write(SCENE + grains.format() + "position = [20, 0, 5]\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("run", "ball.toml")
            self.wait_for(lambda: self.catches(process, number))
            process.send_signal(number)
            out, err = process.communicate(timeout=300)
            self.assertEqual((process.returncode, out, err), (1, "", "Stopped by a signal before the first step; nothing was written.\n"))
            self.assertEqual(self.files(), ["ball.toml"])

    @staticmethod
    def catches(process, number):
        """It is at work on the scene: the handler is there, and some time has been spent."""
        with open(f"/proc/{process.pid}/status") as status:
            mask = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
        with open(f"/proc/{process.pid}/stat") as stat:
            ticks = int(stat.read().split()[13])
        return mask >> (number - 1) & 1 and ticks >= 5

    def test_full_disk_keeps_what_was_written(self):
        for limit in (200_000, 1_000_000):
            done = self.scree("run", "ball.toml", "--t-end", "1e4", "--force", expect=1,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            last = done.stderr.splitlines()[-1]
            self.assertIn("File too large", last)
            promised = float(last.split("readable up to t = ")[1].split()[0])
            info = json.loads(self.scree("info", "ball.h5", "--json").stdout)
            self.assertGreaterEqual(info["time_end"], promised - 1e-6)
            self.assertEqual(self.files(), ["ball.h5", "ball.toml"])

    def test_forced_run_on_a_full_disk_spares_the_old_file(self):
        self.result.write_text("precious")
        done = self.scree("run", "ball.toml", "--force", expect=1,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
        self.assertEqual(done.stderr, "ball.h5: cannot be written: File too large; nothing was recorded\n")
        self.assertEqual(self.result.read_text(), "precious")
        self.assertEqual(self.files(), ["ball.h5", "ball.toml"])


class Keys(Case):
    def test_all_of_a_section_and_of_a_name(self):
        everything = self.scree("keys").stdout
        for part in ("[time]", "[[contact]]", "[wall.buttresses]", "frames_per_second: >= 0 [1/s]; default 100", "dt: > 0 [s]; required"):
            self.assertIn(part, everything)
        contact = self.scree("keys", "contact").stdout
        self.assertTrue(contact.startswith("[[contact]]  One for each pair"))
        self.assertEqual(re.findall(r"(?m)^  (\w+):", contact)[:3], ["between", "mu", "e"])
        self.assertNotIn("[time]", contact)
        self.assertIn(contact.strip(), everything)
        self.assertEqual(self.scree("keys", "contact.mu").stdout.count("mu:"), 1)
        density = self.scree("keys", "density").stdout
        self.assertEqual(set(re.findall(r"(?m)^\[+([\w.]+)", density)), {"material", "blocks", "body", "stack", "arch", "pyramid", "grains", "fragments", "column", "wall", "ensemble.rock"})
        self.assertLessEqual(max(map(len, everything.splitlines())), 100)

    def test_page_is_what_the_program_says(self):
        page = pathlib.Path(__file__).resolve().parents[3] / "scenes" / "KEYS.md"
        self.assertEqual(page.read_text(), self.scree("keys", "--markdown").stdout, "make it anew: scree keys --markdown > scenes/KEYS.md")

    def test_unknown_words(self):
        self.refuse("keys", "tolernce", says="no section and no key is called 'tolernce'; did you mean tolerance? Sections are preset, world, world.acceleration, time")
        self.refuse("keys", "contact", "--markdown", says="--markdown: shows all keys; leave the name out")


class Presets(Case):
    def test_check_tells_every_setting_and_what_the_scene_replaces(self):
        self.write(SCENE + '\n[preset]\nuse = "flow"\n', "flow.toml")
        text = self.scree("check", "flow.toml").stdout
        self.assertIn("preset       flow: heaps, columns and avalanches of many grains; sets\n             solver.tolerance = 1e-3\n", text)
        self.assertRegex(text, r"\n  tolerance +0\.001 ")
        self.assertIn('             law.correction = "projection"\n             law.correction_slop = 1e-3\n', text)
        self.write("solver.tolerance = 1e-5\n" + SCENE + '\n[preset]\nuse = "flow"\n', "own.toml")
        text = self.scree("check", "own.toml").stdout
        self.assertIn("solver.tolerance = 1e-3, but the scene says 1e-05, which is taken", text)
        self.assertRegex(text, r"\n  tolerance +1e-05 ")
        told = json.loads(self.scree("check", "own.toml", "--json").stdout)["preset"]
        self.assertEqual(told, {"use": "flow", "sets": {"solver.tolerance": {"value": "1e-3", "taken": False},
                                                        "law.correction": {"value": '"projection"', "taken": True},
                                                        "law.correction_slop": {"value": "1e-3", "taken": True}}})
        self.assertIn("preset       none", self.scree("check", "ball.toml").stdout)
        self.assertIsNone(json.loads(self.scree("check", "ball.toml", "--json").stdout)["preset"])
        self.refuse("check", "ball.toml", "--jsn", says="--json")


class CheckAndInfo(Case):
    def test_check_runs_nothing_and_lists_thresholds(self):
        done = self.scree("check", "ball.toml")
        for part in ("suggested dt", "overlap_tolerance", "tolerance", "rubber - rubber", "allowed from 0.5 to 0.666666667"):
            self.assertIn(part, done.stdout)
        self.assertEqual(self.files(), ["ball.toml"])

    def test_check_looks_at_every_part_of_a_compound(self):
        part = 'kind = "box", sides = [1, 1, {}], position = [0, 0, {}]'
        thin = SCENE + '[[body]]\nname = "thing"\nkind = "compound"\nmaterial = "rubber"\nposition = [5, 0, 5]\nparts = [%s]\n'
        found = []
        for parts in ((1, 0.02), (0.02, 1)):
            z = (0.0, 0.5 * (parts[0] + parts[1]))
            self.write(thin % ", ".join("{ " + part.format(h, zi) + " }" for h, zi in zip(parts, z)))
            found.append(json.loads(self.scree("check", "ball.toml", "--json").stdout)["suggested_dt"]["by_gravity"])
        for value in found:
            self.assertAlmostEqual(value, 0.1 * (0.02 / 9.81) ** 0.5, delta=1e-12)

    def test_check_as_json(self):
        found = json.loads(self.scree("check", "ball.toml", "--json").stdout)
        self.assertEqual(found["bodies"], {"dynamic": 1, "driven": 0, "fixed": 1, "late": 0})
        mass = 1100 * 4 / 3 * numpy.pi * 0.1**3
        self.assertAlmostEqual(found["mass"], mass, delta=1e-12 * mass)
        # 1/20 of the diameter at the speed of a fall from the top of the ball, at 0.4 m, to the ground.
        self.assertAlmostEqual(found["suggested_dt"]["by_speed"], 0.2 / 20 / (2 * 9.81 * 0.4) ** 0.5, delta=1e-12)
        self.assertAlmostEqual(found["suggested_dt"]["by_gravity"], 0.1 * (0.2 / 9.81) ** 0.5, delta=1e-12)
        self.assertIsNone(found["periodic"])
        self.assertIsNone(found["plane"])

    def test_check_tells_what_is_particular_of_the_world(self):
        self.write("""
[world]
gravity = [0, 0, 0]
periodic = [6, 5, 4]
shear_rate = 0.5
[time]
dt = 0.01
end = 1
[[material]]
name = "glass"
density = 2500
[[body]]
name = "bead"
kind = "sphere"
radius = 0.1
material = "glass"
position = [0, 0, 0]
velocity = [1, 0, 0]
""")
        found = json.loads(self.scree("check", "ball.toml", "--json").stdout)
        self.assertEqual(found["periodic"]["length"], [6, 5, 4])
        self.assertEqual((found["periodic"]["shear_rate"], found["periodic"]["image_speed"]), (0.5, 2))
        # Without gravity there is one bound on the step, and no other is spoken of.
        self.assertIsNone(found["suggested_dt"]["by_gravity"])
        line = next(line for line in self.scree("check", "ball.toml").stdout.splitlines() if line.startswith("suggested dt"))
        self.assertNotIn("smaller of", line)
        self.assertNotIn("inf", line)

    def test_check_refuses_overlaps(self):
        self.write(SCENE + BALL.format(name="second", x=0.15, z=0.3))
        self.assertIn("'second'", self.scree("check", "ball.toml", expect=2).stderr)

    def test_info_refuses_what_is_no_result_file(self):
        self.scree("run", "ball.toml")
        good = (self.folder / "ball.h5").read_bytes()
        (self.folder / "cut.h5").write_bytes(good[: len(good) // 2])
        with h5py.File(self.folder / "other.h5", "w") as f:
            f["data"] = [1, 2, 3]
        (self.folder / "newer.h5").write_bytes(good)
        with h5py.File(self.folder / "newer.h5", "r+") as f:
            f.attrs["version"] = 99
        for name, says in (("none.h5", "No such file"), ("ball.toml", "not an HDF5 file"), ("other.h5", "no result file"),
                           ("newer.h5", "version 99"), ("cut.h5", "truncated"), (".", ".")):
            done = self.scree("info", name, expect=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_version_names_compiler_flags_and_libraries(self):
        text = self.scree("--version").stdout
        for part in (r"scree \d", r"compiler: +\w+ \d", "-ffp-contract=off", r"HDF5 \d", r"Bullet \d\.\d", r"Eigen \d", r"TBB \d"):
            self.assertRegex(text, part)

    def test_help_lists_the_subcommands(self):
        text = self.scree("--help").stdout
        for command in ("run", "check", "info"):
            self.assertRegex(text, rf"(?m)^  {command} +\S")


if __name__ == "__main__":
    program.main(verbosity=2)
