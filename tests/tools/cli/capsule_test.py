"""A shape of the table works in every command: a capsule in check, run, export, picture, report, results and the reading example.

usage: capsule_test.py SCREE [unittest options]
"""
import json
import math
import pathlib
import subprocess
import sys

import h5py
import numpy

import program

READER = pathlib.Path(__file__).resolve().parents[3] / "tools" / "read_results.py"
RADIUS, LENGTH = 0.1, 0.5
VOLUME = math.pi * RADIUS**2 * LENGTH + 4 / 3 * math.pi * RADIUS**3

SCENE = """
[time]
dt = 0.001
end = 0.3

""" + program.ground("wood", 600, 0.5, 0.2) + f"""
[[body]]
name = "log"
kind = "capsule"
radius = {RADIUS}
length = {LENGTH}
material = "wood"
position = [0, 0, 0.2]
rotation = {{ axis = [0, 1, 0], angle_deg = 90 }}

[[body]]
name = "other"
kind = "capsule"
radius = {RADIUS}
length = {LENGTH}
material = "wood"
position = [0.1, 0.02, 0.45]
rotation = {{ axis = [1, 0, 0], angle_deg = 90 }}
"""


class Capsule(program.RunCase):
    SCENE = SCENE

    def test_check_and_run(self):
        found = json.loads(self.scree("check", "scene.toml", "--json").stdout)
        self.assertAlmostEqual(found["mass"], 2 * 600 * VOLUME, delta=1e-12 * 600)
        summary = json.loads(self.scree("run", "scene.toml", "--out", "again.h5", "--json").stdout)
        self.assertEqual(summary["residual"]["unconverged_steps"], 0)
        self.assertLess(summary["energy"]["max_abs_balance"], 1e-12 * summary["energy"]["energy_scale"])
        self.assertLess(summary["penetration"]["max"], 0.01 * RADIUS)

    def test_results(self):
        with h5py.File(self.folder / "run.h5", "r") as file:
            shape = file[f"shapes/{file['bodies/shape'][1]}"]
            self.assertEqual(shape["kind"][()].decode(), "capsule")
            self.assertEqual(shape["radius"][()], RADIUS)
            numpy.testing.assert_allclose(shape["ends"][()], [[0, 0, -LENGTH / 2], [0, 0, LENGTH / 2]], atol=1e-15)
            self.assertAlmostEqual(file["bodies/mass"][1], 600 * VOLUME, delta=1e-12 * 600)
        said = subprocess.run([sys.executable, READER, "run.h5", "log"], cwd=self.folder, text=True, capture_output=True, check=True).stdout
        self.assertIn("log", said)
        self.scree("info", "run.h5")

    def test_pictures_reports_and_exports(self):
        for name in ("log.png", "log.glb", "log.vtkhdf", "log.pvd", "log.csv", "log.obj"):
            self.scree("export", "run.h5", "-o", name)
            self.assertGreater((self.folder / name).stat().st_size, 0)
        self.scree("report", "run.h5")
        points, faces, first, inside = [], [], 0, False
        for line in (self.folder / "log.obj").read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "o":
                inside, first = rest == "log", first + len(points) if inside else first
            if word == "v" and inside:
                points.append([float(number) for number in rest.split()])
            elif word == "v":
                first += 1
            elif word == "f" and inside:
                faces.append([int(number) - 1 - first for number in rest.split()])
        p = numpy.array(points)
        volume = sum(numpy.dot(p[a], numpy.cross(p[b], p[c])) for a, b, c in faces) / 6
        self.assertLess(0.95 * VOLUME, volume)  # of triangles inside of the surface, seen from outside
        self.assertLess(volume, VOLUME)

    def test_refuses_a_file_with_a_shape_that_is_none(self):
        data = (self.folder / "run.h5").read_bytes()
        (self.folder / "bad.h5").write_bytes(data)
        with h5py.File(self.folder / "bad.h5", "r+") as file:
            file[f"shapes/{file['bodies/shape'][1]}/radius"][...] = -1.0
        said = self.scree("export", "bad.h5", "-o", "bad.obj", expect=2).stderr
        self.assertIn("radius", said)

    def test_refuses_what_is_no_capsule(self):
        self.write(SCENE.replace(f"length = {LENGTH}", "length = 0", 1), "none.toml")
        self.refuse("check", "none.toml", says="body.length: 0 is not allowed; must be a finite number > 0 [m]")


if __name__ == "__main__":
    program.main()
