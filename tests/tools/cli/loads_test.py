"""Loads, drag and the shaking of the ground through the commands: check, run, info, plot, export, report, resume, the Python reader.

usage: loads_test.py SCREE READ_RESULTS [unittest options]
"""
import json
import os
import subprocess
import sys

import h5py
import numpy

import program

READER = None

RECORD = "x [g], z [cm/s2]\n" + "".join(f"{0.2 * numpy.sin(0.9 * i):.6f}, {20 * numpy.cos(0.7 * i):.6f}\n" for i in range(60))

SCENE = """
[world]
acceleration = { kind = "ground", file = "shake.csv", time_step = 0.005, baseline = "linear" }

[time]
dt = 0.001
end = 0.3

[output]
frames_per_second = 40

""" + program.ground("stone", 2300, 0.6, 0.1) + "".join(f"""
[[body]]
name = "block{i}"
kind = "box"
sides = [0.5, 0.4, 0.3]
material = "stone"
position = [{0.52 * (i % 3)}, 0, {0.16 + 0.31 * (i // 3)}]
drag = {{ linear = 20, angular = 2 }}
""" for i in range(6)) + """
[[body.load]]
at = [0.1, 0.05, 0.15]
time = [0, 0.11, 0.2]
force = [[0, 0, 0], [900, 100, 0], [-300, 0, 50]]

[[load]]
body = "block0"
torque = [0, 30, 0]
axes = "body"
"""


class Loads(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(RECORD, "shake.csv")
        self.write(SCENE, "scene.toml")

    def run_scene(self, *options):
        return json.loads(self.scree("run", "scene.toml", "--json", *options).stdout)

    def test_reaches_every_command(self):
        check = self.scree("check", "scene.toml").stdout
        self.assertIn("load         all bodies: ground acceleration of up to", check)
        self.assertIn("load         block5: force of up to 905.539 N, 3 entries from 0 to 0.2 s, world axes, at a point", check)
        self.assertIn("load         block0: torque of up to 30 N m, body axes", check)
        self.assertIn("load         block0: drag 20 N s/m, 2 N m s", check)
        self.assertEqual(len(json.loads(self.scree("check", "scene.toml", "--json").stdout)["loads"]), 9)
        summary = self.run_scene("--out", "run.h5")
        self.assertEqual(summary["residual"]["unconverged_steps"], 0)
        self.assertLess(summary["energy"]["max_abs_balance"], 1e-12 * summary["energy"]["energy_scale"])
        with h5py.File(self.folder / "run.h5", "r") as file:
            steps = len(file["solver/time"])
            self.assertEqual(list(file["loads/body"][()]), [1, 6])
            self.assertEqual(file["loads/force"].shape, (steps, 2, 3))
            impulse = 0.001 * file["loads/force"][()].sum(axis=0)[1]
            last = file["ground/displacement"][-1]
            self.assertAlmostEqual(summary["energy"]["drag_work"], file["ledger/drag_work"][()].sum(), delta=1e-12)
        # Trapezoids of the record, whose last value holds until 0.3 s.
        wanted = 0.11 / 2 * numpy.array([900, 100, 0]) + 0.09 / 2 * numpy.array([600, 100, 50]) + 0.1 * numpy.array([-300, 0, 50])
        numpy.testing.assert_allclose(impulse, wanted, atol=1e-11)
        self.assertLess(summary["energy"]["drag_work"], 0.0)
        self.assertLess(numpy.linalg.norm(last), 1e-14)  # the record is over, the ground is back
        self.assertIn("loaded_bodies                  2", self.scree("info", "run.h5").stdout)
        self.assertIn("ground_acceleration_max", self.scree("info", "run.h5").stdout)
        self.scree("plot", "run.h5", "ground.ax", "ground.displacement_z", "block5.load_x", "block0.torque_y", "-o", "loads.svg")
        self.assertIn("ground.ax", (self.folder / "loads.svg").read_text())
        self.refuse("plot", "run.h5", "block1.load_x", "-o", "x.svg", says="the body carries no load")
        self.scree("report", "run.h5", "-o", "page.html")
        self.scree("export", "run.h5", "-o", "ledger.csv", "--table", "ledger")
        self.assertIn("drag_work [J]", (self.folder / "ledger.csv").read_text())
        told = subprocess.run([sys.executable, READER, "run.h5"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        self.assertIn("N at most from loads", told)

    def test_same_bits_for_threads_and_resume(self):
        whole = self.run_scene("--out", "whole.h5")
        for options in (("--backend", "openmp", "--threads", "2"), ("--backend", "tbb", "--threads", "2")):
            self.assertEqual(self.run_scene("--out", "other.h5", "--force", *options)["state_hash"], whole["state_hash"])
        self.run_scene("--out", "run.h5", "--t-end", "0.13", "--checkpoint-every-steps", "17")
        rest = json.loads(self.scree("resume", "run.h5.checkpoint", "--t-end", "0.3", "--json").stdout)
        self.assertEqual((rest["state_hash"], rest["resume_hash"]), (whole["state_hash"], whole["resume_hash"]))
        with h5py.File(self.folder / "run.h5", "r") as run, h5py.File(self.folder / "whole.h5", "r") as all_of_it:
            for table in ("loads/force", "loads/torque", "ground/acceleration", "ground/velocity", "ground/displacement", "ledger/external_work"):
                numpy.testing.assert_array_equal(run[table][()], all_of_it[table][()])


# Discs between walls under a lid, in a plane.
PRESSED = """
[world]
plane = "xz"

[time]
dt = 0.001
end = 0.2

[solver]
tolerance = 1e-7

""" + program.ground("rod", 2000, 0.3, 0) + "".join(f"""
[[body]]
name = "disc{i}"
kind = "disc"
radius = {0.05 + 0.004 * (i % 3)}
material = "rod"
position = [{0.12 * (i % 4) + 0.01 * (i // 4 % 2):.3f}, 0, {0.06 + 0.112 * (i // 4):.3f}]
""" for i in range(12)) + "".join(f"""
[[body]]
name = "wall{side}"
kind = "half_space"
normal = [{-side}, 0, 0]
offset = {-0.08 if side < 0 else -0.45}
material = "rod"
""" for side in (-1, 1)) + """
[[body]]
name = "lid"
kind = "box"
sides = [0.5, 1, 0.05]
material = "rod"
position = [0.18, 0, 0.42]
free = ["z"]

[[body.load]]
direction = [0, 0, -1]
area = 0.53
pressure = 2000
"""


class Locks(program.FolderCase):
    def test_reach_every_command(self):
        self.write(PRESSED, "scene.toml")
        check = self.scree("check", "scene.toml").stdout
        self.assertIn("plane        xz", check)
        self.assertIn("free         lid: z, no rotation", check)
        self.assertIn("free         disc0, disc1, disc2, disc3, disc4, ... (12 bodies): x, z, rotation about (0, 1, 0)", check)
        self.assertIn("load         lid: force of up to 1060 N, world axes, at the centre of mass", check)
        whole = json.loads(self.scree("run", "scene.toml", "--out", "whole.h5", "--json").stdout)
        self.assertEqual(whole["residual"]["unconverged_steps"], 0)
        self.assertLess(whole["energy"]["max_abs_balance"], 1e-12 * whole["energy"]["energy_scale"])
        with h5py.File(self.folder / "whole.h5", "r") as file:
            names = [name.decode() for name in file["bodies/name"][()]]
            free = [text.decode() for text in file["bodies/free"][()]]
            position = file["frames/position"][()]
        self.assertEqual(free[names.index("lid")], "z, no rotation")
        self.assertEqual(free[names.index("ground")], "")
        self.assertTrue((position[:, :, 1] == 0).all())
        self.assertTrue((position[:, names.index("lid"), 0] == 0.18).all())
        self.assertLess(position[-1, names.index("lid"), 2], 0.42)
        self.assertIn("plane                          xz", self.scree("info", "whole.h5").stdout)
        for options in (("--backend", "openmp", "--threads", "2"), ("--backend", "tbb", "--threads", "2")):
            other = json.loads(self.scree("run", "scene.toml", "--out", "other.h5", "--force", "--json", *options).stdout)
            self.assertEqual(other["state_hash"], whole["state_hash"])
        self.scree("run", "scene.toml", "--out", "run.h5", "--t-end", "0.08", "--checkpoint-every-steps", "13")
        rest = json.loads(self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2", "--json").stdout)
        self.assertEqual((rest["state_hash"], rest["resume_hash"]), (whole["state_hash"], whole["resume_hash"]))
        # Another run starts from its end, with the same locks.
        self.write(PRESSED + '\n[start]\nallow_initial_overlap = true\n[initial]\nfrom = "whole.h5"\n', "later.toml")
        self.scree("run", "later.toml", "--out", "later.h5", "--t-end", "0.01")
        self.write(PRESSED.replace('free = ["z"]', 'free = ["x"]') + '\n[initial]\nfrom = "whole.h5"\n', "other.toml")
        self.refuse("run", "other.toml", "--out", "x.h5", says="its body 'lid' moves along a direction that is locked here")


if __name__ == "__main__":
    READER = os.path.abspath(sys.argv.pop(2))
    program.main()
