"""Frames on disk: how much room they take, and that they round velocities and nothing else.

usage: frames_test.py SCREE [unittest options]
"""
import json
import os
import shutil

import h5py
import numpy

import program

# A wall falls on an edge and goes to pieces, a ball flies into them: nearly all blocks tumble.
SCENE = """
[time]
dt = 0.001
end = 0.6

[solver]
tolerance = 1e-4

[output]
frames_per_second = 200

""" + program.ground("stone", 2300, 0.6, 0.3) + """
[[wall]]
name = "wall"
material = "stone"
block = [0.4, 0.6, 0.3]
courses = 6
first_course = 6
position = [0, 0, 0.4]
rotation = { axis = [0.3, 1, 0], angle_deg = 25 }

[[body]]
name = "ball"
kind = "sphere"
radius = 0.4
material = "stone"
position = [-2.5, 0, 2]
velocity = [12, 0, 1]
"""


class Case(program.RunCase):
    SCENE = SCENE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "double.toml").write_text(SCENE.replace("[output]", '[output]\nvelocities = "double"'))
        program.scree("run", "double.toml", cwd=cls.folder)
        cls.file, cls.double = (cls.enterClassContext(h5py.File(cls.folder / name)) for name in ("run.h5", "double.h5"))

    def bytes_a_body(self, file, names):
        frames, bodies = file["frames/position"].shape[:2]
        return sum(file["frames"][name].id.get_storage_size() for name in names) / (frames * bodies)

    def test_most_bodies_move(self):
        speed = numpy.linalg.norm(self.file["frames/velocity"][-1, :, :3], axis=1)
        self.assertGreater((speed > 0.1).mean(), 0.5)

    def test_frames_are_compressed(self):
        """104 bytes of numbers; those of velocities hardly repeat in motion like this one."""
        names = ("position", "orientation", "velocity", "active", "step", "time")
        for name, file, most in (("run", self.file, 64), ("double", self.double, 88)):
            size = self.bytes_a_body(file, names)
            self.assertLess(size, most)
            self.assertAlmostEqual(json.loads(self.scree("info", f"{name}.h5", "--json").stdout)["frame_bytes_per_body"], size, delta=0.051)   # one decimal

    def test_single_precision_rounds_velocities_and_nothing_else(self):
        self.assertEqual(self.file.attrs["state_hash"], self.double.attrs["state_hash"])
        self.assertEqual((self.file["frames/velocity"].dtype, self.double["frames/velocity"].dtype), ("f4", "f8"))
        numpy.testing.assert_array_equal(self.file["frames/velocity"][()], self.double["frames/velocity"][()].astype("f4"))
        numpy.testing.assert_array_equal(self.file["frames/last_velocity"][()], self.double["frames/velocity"][-1])
        self.assertNotIn("last_velocity", self.double["frames"])
        for name in ("position", "orientation", "active", "time", "step", "body_impulse_sum", "contacts/impulse", "pairs/mean_force"):
            numpy.testing.assert_array_equal(self.file["frames"][name][()], self.double["frames"][name][()], err_msg=name)
        self.assertEqual([file["settings"].attrs["velocities"] for file in (self.file, self.double)], [b"single", b"double"])

    def test_other_runs_start_from_the_same_bits(self):
        """`[initial]` takes velocities that are not rounded, also from a run whose frames round them."""
        head, body = '[initial]\nfrom = "{}.h5"\n\n[start]\noverlap_tolerance = 0.1\n', SCENE.replace("end = 0.6", "end = 0.02")
        for name in ("rounded", "changed"):
            shutil.copy(self.folder / "run.h5", self.folder / f"{name}.h5")
            with h5py.File(self.folder / f"{name}.h5", "r+") as file:
                if name == "rounded":
                    del file["frames/last_velocity"]
                else:   # as after a kill between the writing of two data sets
                    file["frames/last_velocity"][...] *= 1.5
        hashes = {}
        for name in ("run", "double", "rounded", "changed"):
            self.write(head.format(name) + body, f"after_{name}.toml")
            hashes[name] = json.loads(self.scree("run", f"after_{name}.toml", "--json").stdout)["state_hash"]
        self.assertEqual(hashes["run"], hashes["double"])
        self.assertNotEqual(hashes["run"], hashes["rounded"])   # so that the line above says something
        self.assertEqual(hashes["changed"], hashes["rounded"])

    def test_files_have_few_holes(self):
        used = []
        self.file.visititems(lambda name, item: used.append(item.id.get_storage_size()) if isinstance(item, h5py.Dataset) else None)
        size = os.path.getsize(self.folder / "run.h5")
        self.assertLess(size - sum(used), 0.1 * size + 120_000)   # the second: headers, attributes and indices of 70 tables

    def test_our_readers_take_both(self):
        for name in ("run", "double"):
            self.scree("export", f"{name}.h5", "-o", f"{name}.csv")
        rows = [numpy.genfromtxt(self.folder / f"{name}.csv", delimiter=",", names=True, encoding="utf8") for name in ("run", "double")]
        column = next(name for name in rows[0].dtype.names if name.startswith("vx"))
        numpy.testing.assert_allclose(rows[1][column], rows[0][column], rtol=1e-7)


if __name__ == "__main__":
    program.main()
