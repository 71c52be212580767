"""What the table of contact laws says of a law reaches every command: cohesion in check, run, results, ledger and resume.

usage: cohesion_test.py SCREE [unittest options]
"""
import json

import h5py

import program

# A ball hangs below a fixed plate; another, of twice the weight, falls off.
SCENE = """
[time]
dt = 0.001
end = 0.05

[[material]]
name = "glue"
density = 1000

[[contact]]
between = ["glue", "glue"]
mu = 0.5
e = 0
cohesion = 50

[[body]]
name = "plate"
kind = "box"
sides = [2, 2, 0.2]
material = "glue"
fixed = true
position = [0, 0, 0.1]
""" + "".join(f"""
[[body]]
name = "{name}"
kind = "sphere"
radius = {radius}
material = "glue"
position = [{x}, 0, {-radius}]
""" for name, radius, x in (("light", 0.1, -0.5), ("heavy", 0.126, 0.5)))


class Cohesion(program.FolderCase):
    def test_reaches_every_command(self):
        self.write(SCENE, "scene.toml")
        self.assertIn("glue - glue: mu = 0.5, e = 0, cohesion = 50 N, rolling = 0, spinning = 0, fremond", self.scree("check", "scene.toml").stdout)
        summary = json.loads(self.scree("run", "scene.toml", "--out", "run.h5", "--json").stdout)
        self.assertEqual(summary["residual"]["unconverged_steps"], 0)
        with h5py.File(self.folder / "run.h5", "r") as file:
            self.assertEqual(file["materials/cohesion"][0, 0], 50.0)
            self.assertEqual(file["materials/cohesion"].attrs["unit"].decode(), "N")
            work = file["ledger/adhesion_work"][()].sum()
            light, heavy = file["frames/position"][-1, 1:, 2]
            impulse = file["frames/contacts/impulse"][0]
        self.assertAlmostEqual(summary["energy"]["adhesion_work"], work, delta=1e-12)
        self.assertLess(work, 0.0)
        self.assertAlmostEqual(light, -0.1, delta=1e-12)
        self.assertLess(heavy, -0.1265)
        self.assertLess(impulse[0], 0.0)  # in tension
        self.assertIn("adhesion_work [J]", self.scree("export", "run.h5", "-o", "ledger.csv", "--table", "ledger") and (self.folder / "ledger.csv").read_text())

    def test_goes_on_bit_for_bit(self):
        self.write(SCENE, "scene.toml")
        whole = json.loads(self.scree("run", "scene.toml", "--out", "whole.h5", "--json").stdout)
        self.scree("run", "scene.toml", "--out", "run.h5", "--t-end", "0.02", "--checkpoint-every-steps", "7")
        rest = json.loads(self.scree("resume", "run.h5.checkpoint", "--t-end", "0.05", "--json").stdout)
        self.assertEqual(rest["state_hash"], whole["state_hash"])
        self.assertEqual(rest["resume_hash"], whole["resume_hash"])

    def test_refuses_what_it_does_not_allow(self):
        self.write(SCENE.replace("cohesion = 50", "cohesion = -1"), "scene.toml")
        self.refuse("check", "scene.toml", says="contact.cohesion: -1 is not allowed; must be a number in [0, 1000000000000] [N]")


if __name__ == "__main__":
    program.main()
