"""Contact devices through the commands: check, run, results, ledger, threads, resume, dumped problems, messages.

usage: device_test.py SCREE [unittest options]
"""
import json

import h5py
import numpy

import program

SCENE = """
[time]
dt = 0.001
end = 0.2

[law]
device = { tangential = true }

[solver]
tolerance = 1e-10

""" + program.ground("stone", 2300, 0.6, 0.1) + "".join(f"""
[[body]]
name = "block{i}"
kind = "box"
sides = [0.5, 0.4, 0.3]
material = "stone"
position = [{0.51 * (i % 3)}, 0, {0.15 + 0.3001 * (i // 3)}]
""" for i in range(9))


class Device(program.FolderCase):
    def run_json(self, *words):
        return json.loads(self.scree("run", *words, "--json").stdout)

    def test_reaches_every_command(self):
        self.write(SCENE, "scene.toml")
        self.assertIn("spinning = 0, device_normal = 1 steps, device_tangential = 1 steps, fremond", self.scree("check", "scene.toml").stdout)
        summary = self.run_json("scene.toml", "--out", "run.h5")
        self.assertEqual(summary["residual"]["unconverged_steps"], 0)
        with h5py.File(self.folder / "run.h5", "r") as file:
            self.assertEqual(file["materials/device_tangential"][0, 0], 1.0)
            ledger = {name: table[()] for name, table in file["ledger"].items()}
            last = file["frames/contacts/offset"][-2]
            force = file["frames/contacts/impulse_world"][last:, 2].sum() / 0.001
        for name in ("contact_elastic", "contact_viscous"):
            self.assertAlmostEqual(summary["energy"][name], ledger[name].sum(), delta=1e-12)
        self.assertLess(ledger["contact_viscous"].max(), 1e-10 * ledger["energy_scale"][-1])   # the solver's tolerance
        self.assertLess(ledger["contact_elastic"].sum(), 0.0)  # something is stored
        self.assertLess(numpy.abs(ledger["balance"]).max(), 1e-12 * ledger["energy_scale"][-1])
        self.assertGreater(force, 0.0)
        works = ("external_work", "contact_normal_work", "contact_tangential_work", "contact_elastic", "contact_viscous", "numerical_dissipation",
                 "projection_work")
        energy = ledger["kinetic"] + ledger["potential"]
        numpy.testing.assert_allclose(sum(ledger[name] for name in works).cumsum(), energy - energy[0], atol=1e-12 * ledger["energy_scale"][-1])

    def test_impact_log_and_the_rest_are_the_ledger(self):
        self.write(SCENE, "scene.toml")
        self.scree("run", "scene.toml", "--set", "record.impacts.speed=0.01", "--out", "run.h5")
        with h5py.File(self.folder / "run.h5") as file:
            logged = sum(file[f"impacts/{name}_work"][()].sum() + file[f"impacts/below_threshold/{name}_work"][()].sum()
                         for name in ("normal", "tangential", "rolling", "law"))
            ledger = sum(file[f"ledger/{name}"][()].sum() for name in ("contact_normal_work", "contact_tangential_work", "contact_elastic", "contact_viscous"))
            self.assertGreater(len(file["impacts/step"]), 0)
            self.assertTrue(numpy.isfinite(file["impacts/energy_lost"][()]).all())
            self.assertAlmostEqual(logged, ledger, delta=1e-12 * file["ledger/energy_scale"][-1])

    def test_goes_on_bit_for_bit_with_any_threads(self):
        self.write(SCENE, "scene.toml")
        whole = self.run_json("scene.toml", "--out", "whole.h5")
        for backend in ("openmp", "tbb"):
            other = self.run_json("scene.toml", "--out", "other.h5", "--force", "--backend", backend, "--threads", "2")
            self.assertEqual(other["resume_hash"], whole["resume_hash"])
        self.scree("run", "scene.toml", "--out", "run.h5", "--t-end", "0.11", "--checkpoint-every-steps", "7")
        rest = json.loads(self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2", "--json").stdout)
        self.assertEqual(rest["state_hash"], whole["state_hash"])
        self.assertEqual(rest["resume_hash"], whole["resume_hash"])

    def test_dumped_problems_have_the_devices_in_w(self):
        self.write(SCENE, "scene.toml")
        self.scree("run", "scene.toml", "--out", "run.h5", "--dump-fclib", "problems", "--dump-when", "step=200")
        files = sorted((self.folder / "problems").iterdir())
        self.assertEqual(len(files), 1)
        with h5py.File(files[0], "r") as file:
            def dense(name):
                group = file["fclib_global"][name]
                matrix = numpy.zeros((group["m"][0], group["n"][0]))
                numpy.add.at(matrix, (group["i"][()], group["p"][()]), group["x"][()])
                return matrix
            M, H = dense("M"), dense("H")
            f, w, mu = (file["fclib_global/vectors"][name][()] for name in ("f", "w", "mu"))
            r, u = file["solution/r"][()], file["solution/u"][()]
        W = H.T @ numpy.linalg.solve(M, H)
        numpy.testing.assert_allclose(W @ r + H.T @ numpy.linalg.solve(M, f) + w, u, atol=1e-12)
        # A matrix of this kind has one solution: springs in all directions, and W is regular.
        self.assertGreater(numpy.linalg.eigvalsh(W).min(), 1e-3 * numpy.linalg.eigvalsh(W).max() / len(W))
        normal, slide = u[0::3] + mu * numpy.hypot(u[1::3], u[2::3]), numpy.hypot(r[1::3], r[2::3])
        self.assertGreater(normal.min(), -1e-9)
        self.assertLess(numpy.abs(normal * r[0::3]).max(), 1e-6 * numpy.abs(r).max())
        self.assertLess((slide - mu * r[0::3]).max(), 1e-9 * numpy.abs(r).max())
        answer, = json.loads(self.scree("solve", str(files[0]), "--tolerance", "1e-10", "--json").stdout)
        self.assertTrue(answer["converged"])

    def test_pair_has_the_last_word(self):
        self.write(SCENE.replace("e = 0.1", "e = 0.1\ndevice = { period_steps = 3 }"), "scene.toml")
        self.assertIn("device_normal = 3 steps, fremond", self.scree("check", "scene.toml").stdout)
        self.write(SCENE.replace("e = 0.1", "e = 0.1\ndevice = { normal = false }"), "off.toml")
        self.assertIn("spinning = 0, fremond", self.scree("check", "off.toml").stdout)
        self.scree("check", "scene.toml", "--set", "law.device.period_steps=2")

    def test_refuses_what_it_does_not_allow(self):
        for text, says in (("{ period_steps = 0 }", "law.device.period_steps: 0 is not allowed; must be a number in [0.25, 10000] [steps]"),
                           ("{ period = 1 }", "law.device.period: unknown key"),
                           ("true", "law.device: "),
                           ("{ normal = 1 }", "law.device.normal: ")):
            self.write(SCENE.replace("{ tangential = true }", text), "scene.toml")
            self.refuse("check", "scene.toml", says=says)


if __name__ == "__main__":
    program.main()
