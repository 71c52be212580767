"""Contact problems written by `scree run --dump-fclib`: what the run solved, `scree solve` solves again.

usage: problem_dump_test.py SCREE [unittest options]
"""
import json
import time

import h5py
import numpy

import program

# A row of balls on the ground, pushed along: contacts that stick and slip.
SCENE = """
[time]
dt = 0.001
end = 0.02

[solver]
tolerance = 1e-10

""" + program.ground("rubber", 1100, 0.5, 0.5) + "".join(f"""
[[body]]
name = "ball {i}"
kind = "sphere"
radius = 0.1
material = "rubber"
position = [{0.2 * i}, 0, 0.1]
velocity = [{1.0 - i}, 0, 0]
""" for i in range(4))


class Dump(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SCENE, "balls.toml")

    def test_problems_are_those_of_the_run(self):
        done = self.scree("run", "balls.toml", "--dump-fclib", "problems", "--json")
        files = sorted((self.folder / "problems").iterdir())
        steps = json.loads(done.stdout)["steps"]
        self.assertEqual(len(files), steps)
        self.assertIn(f"{steps} contact problems", done.stderr)
        with h5py.File(self.folder / "balls.h5") as f:
            contacts = f["solver/contacts"][:]
        self.assertTrue(any(contacts > 4))
        for step, path in enumerate(files, start=1):
            self.assertEqual(path.name, f"balls-s{step:07d}-nc{contacts[step - 1]}.hdf5")
            with h5py.File(path) as f:
                dense = {}
                for name in "MH":
                    m = f["fclib_global"][name]
                    dense[name] = numpy.zeros((m["m"][0], m["n"][0]))
                    numpy.add.at(dense[name], (m["i"][:], m["p"][:]), m["x"][:])
                vectors, solution = f["fclib_global/vectors"], f["solution"]
                r, u, v, mu = solution["r"][:], solution["u"][:], solution["v"][:], vectors["mu"][:]
                # M v = H r + f and u = H^T v + w hold to round-off of velocities of order 1 m/s and masses of 5 kg
                momentum = dense["M"] @ v - dense["H"] @ r - vectors["f"][:]
                self.assertLess(abs(momentum).max(), 1e-12)
                self.assertLess(abs(dense["H"].T @ v + vectors["w"][:] - u).max(), 1e-12)
                # Coulomb's law: impulses in the cone, and p . (w + mu |w_T| e_N) = 0 within the run's tolerance
                r, u = r.reshape(-1, 3), u.reshape(-1, 3)
                self.assertTrue((numpy.hypot(r[:, 1], r[:, 2]) <= mu * r[:, 0] + 1e-12).all())
                shifted = u[:, 0] + mu * numpy.hypot(u[:, 1], u[:, 2])
                power = (r[:, 1:] * u[:, 1:]).sum(axis=1) + r[:, 0] * shifted
                self.assertLess(abs(power).max(), 1e-8)
        names = [f"problems/{path.name}" for path in files]
        for row in json.loads(self.scree("solve", *names, "--tolerance", "1e-8", "--json").stdout):
            self.assertEqual(row["converged"], "yes")

    def test_condition_chooses_the_steps(self):
        self.scree("run", "balls.toml", "--dump-fclib", "late", "--dump-when", "step>5 and time<=0.008")
        self.assertEqual([path.name[6:14] for path in sorted((self.folder / "late").iterdir())],
                         ["s0000006", "s0000007", "s0000008"])

    def test_kill_leaves_no_half_of_a_problem(self):
        """Whatever stands under its name is whole; what a kill cuts off is called .partial."""
        for delay in (0.0, 0.003, 0.007, 0.011, 0.02):
            run = self.start("run", "balls.toml", "--t-end", "1e4", "--force", "--dump-fclib", "killed")
            while not (self.folder / "killed").exists() or len(list((self.folder / "killed").iterdir())) < 5:
                self.assertIsNone(run.poll())
            time.sleep(delay)
            run.kill()
            run.communicate()
        names = [path.name for path in (self.folder / "killed").iterdir()]
        whole = [f"killed/{name}" for name in names if name.endswith(".hdf5")]
        self.assertLessEqual(len(names) - len(whole), 5)
        self.scree("solve", *whole)

    def test_bad_usage_is_refused(self):
        for condition, says in (("sweeps>2", "known are contacts"), ("iterations", "not a comparison"),
                                ("iterations=>2", "unknown sign"), ("iterations>two", "not a finite number"),
                                ("iterations>", "not a finite number"), ("time>nan", "not a finite number"),
                                ("step>1 and ", "not a comparison")):
            self.refuse("run", "balls.toml", "--dump-fclib", "x", "--dump-when", condition, says=says)
        self.refuse("run", "balls.toml", "--dump-when", "step>1", says="--dump-fclib")
        self.refuse("run", "balls.toml", "--dump-fclib", "none/x", says="cannot be made")
        self.refuse("run", "balls.toml", "--dump-fclib", "balls.toml", says="not a folder")
        (self.folder / "full").mkdir()
        (self.folder / "full" / "file").write_text("")
        self.refuse("run", "balls.toml", "--dump-fclib", "full", says="--force")


if __name__ == "__main__":
    program.main()
