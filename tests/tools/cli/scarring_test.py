"""Ground that is scarred reaches every command: check, run, results, ledger, resume, refusals; kinds of ground by name.

usage: scarring_test.py SCREE [unittest options]
"""
import json

import h5py

import program

# A block slides on a meadow, and another tumbles over it.
SCENE = """
[time]
dt = 0.002
end = 0.6

[[material]]
name = "rock"
density = 2600

[[material]]
name = "meadow"

[[contact]]
between = ["rock", "meadow"]
ground = "medium"

[[contact]]
between = ["rock", "rock"]
mu = 0.6
e = 0

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "meadow"

[[body]]
name = "slab"
kind = "box"
sides = [0.6, 0.4, 0.1]
material = "rock"
position = [0, 0, 0.05]
velocity = [5, 0, 0]

[[body]]
name = "block"
kind = "box"
sides = [0.4, 0.3, 0.3]
material = "rock"
position = [0, 2, 0.4]
velocity = [5, 0, 0]
angular_velocity = [0, 9, 0]
"""
NUMBERS = {"mu": 0.35, "e": 0.0, "mu_slip": 2.0, "slip_rate": 2.0, "slip_recovery": 150.0, "scar_drag": 0.6}


class Scarring(program.FolderCase):
    def test_reaches_every_command(self):
        self.write(SCENE, "scene.toml")
        checked = self.scree("check", "scene.toml").stdout
        self.assertIn("rock - meadow: mu = 0.35, e = 0, cohesion = 0 N, rolling = 0, spinning = 0, scar_drag = 0.6 1/s, mu_slip = 2, "
                      "slip_rate = 2 1/m, slip_recovery = 150 1/s, newton", checked)
        self.assertIn("rock - meadow: medium, meadow on stony soil: rocks leave flat scars; numbers of [B15] RAMMS::ROCKFALL", checked)
        self.assertIn("rock - rock: mu = 0.6, e = 0, cohesion = 0 N, rolling = 0, spinning = 0, fremond", checked)  # nothing of scars
        self.assertIn("medium", json.loads(self.scree("check", "scene.toml", "--json").stdout)["grounds"][0])
        summary = json.loads(self.scree("run", "scene.toml", "--out", "run.h5", "--json").stdout)
        self.assertEqual(summary["residual"]["unconverged_steps"], 0)
        with h5py.File(self.folder / "run.h5", "r") as file:
            for name, value in NUMBERS.items():
                self.assertEqual(file[f"materials/{name}"][0, 1], value, name)
            self.assertEqual(file["materials/scar_drag"].attrs["unit"].decode(), "1/s")
            self.assertEqual(file["materials/scar_drag"][0, 0], 0.0)
            work = file["ledger/scarring_work"][()]
            balance, scale = abs(file["ledger/balance"][()]).max(), file["ledger/energy_scale"][-1]
        self.assertTrue((work <= 0.0).all())
        self.assertLess(work.sum(), -1.0)
        self.assertLess(balance, 1e-12 * scale)
        self.assertAlmostEqual(summary["energy"]["scarring_work"], work.sum(), delta=1e-12 * scale)
        self.assertIn("scarring_work", self.scree("info", "run.h5").stdout)
        self.assertIn("work of the drag of ground", self.scree("run", "scene.toml", "--out", "again.h5").stdout)
        self.scree("export", "run.h5", "-o", "ledger.csv", "--table", "ledger")
        self.assertIn("scarring_work [J]", (self.folder / "ledger.csv").read_text())
        self.scree("plot", "run.h5", "sum(scarring_work)", "-o", "drag.svg")
        self.scree("report", "run.h5", "-o", "run.html")

    def test_goes_on_bit_for_bit(self):
        self.write(SCENE, "scene.toml")
        whole = json.loads(self.scree("run", "scene.toml", "--out", "whole.h5", "--json").stdout)
        self.scree("run", "scene.toml", "--out", "run.h5", "--t-end", "0.25", "--checkpoint-every-steps", "7")
        with h5py.File(self.folder / "run.h5.checkpoint", "r") as file:
            self.assertEqual(file.attrs["version"], 9)
            self.assertGreater(file["state/slip"][1], 0.5)
            self.assertEqual(list(file["state/slip_recovery"][()]), [0.0, 150.0, 150.0])
        rest = json.loads(self.scree("resume", "run.h5.checkpoint", "--t-end", "0.6", "--json").stdout)
        self.assertEqual(rest["state_hash"], whole["state_hash"])
        self.assertEqual(rest["resume_hash"], whole["resume_hash"])
        two = json.loads(self.scree("run", "scene.toml", "--out", "two.h5", "--backend", "openmp", "--threads", "2", "--json").stdout)
        self.assertEqual(two["resume_hash"], whole["resume_hash"])

    def test_what_the_pair_says_itself_counts(self):
        self.write(SCENE.replace('ground = "medium"', 'ground = "medium"\nmu = 0.5\nscar_drag = 0'), "scene.toml")
        checked = self.scree("check", "scene.toml").stdout
        self.assertIn("rock - meadow: mu = 0.5, e = 0, cohesion = 0 N, rolling = 0, spinning = 0, mu_slip = 2,", checked)
        self.assertIn("but the pair says mu = 0.5, scar_drag = 0, which is taken", checked)
        self.write(SCENE.replace('ground = "medium"', 'ground = "hard"\nmu_slip = 0'), "scene.toml")  # and with it its rates
        self.assertIn("rock - meadow: mu = 0.55, e = 0, cohesion = 0 N, rolling = 0, spinning = 0, scar_drag = 0.4 1/s, newton",
                      self.scree("check", "scene.toml").stdout)
        softer = self.scree("check", "scene.toml", "--set", "contact[0].ground=extra_soft").stdout
        self.assertIn("mu = 0.2,", softer)

    def test_refuses_what_it_does_not_allow(self):
        def refused(other, says):
            self.write(SCENE.replace('ground = "medium"', other), "scene.toml")
            self.refuse("check", "scene.toml", says=says)
        refused('ground = "mediun"', ["scene.toml:15:10: contact.ground", "extra_soft", "medium_hard", "snow"])
        refused("mu = 0.3\ne = 0\nmu_slip = 2", "contact.slip_rate: is missing: mu_slip is reached at this rate")
        refused("mu = 0.3\ne = 0\nslip_rate = 2", "contact.slip_rate: says nothing without mu_slip")
        refused("mu = 0.3\ne = 0\nslip_recovery = 2", "contact.slip_recovery: says nothing without mu_slip")
        refused("mu = 0.3\ne = 0\nscar_drag = -1", "contact.scar_drag: -1 is not allowed; must be a number in [0, 100] [1/s]")


if __name__ == "__main__":
    program.main()
