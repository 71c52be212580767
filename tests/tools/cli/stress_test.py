"""Stresses reach every command: check, run, info, CSV, ParaView, pictures, plots, analyse and the reading example; they are the same
for any threads and after a kill.

usage: stress_test.py SCREE READ_RESULTS [unittest options]
"""
import csv
import json
import pathlib
import subprocess
import sys

import h5py
import numpy

import program

# Blocks that are knocked about, balls that roll against them, one that spins in flight: every term of a stress.
SCENE = """
title = "Stressed"

[time]
dt = 0.001
end = 0.3

[output]
frames_per_second = 40
stress = true
stress_mean = "{mean}"

[solver]
threads = {threads}
backend = "{backend}"

[[material]]
name = "stone"
density = 1000

[[contact]]
between = ["stone", "stone"]
mu = 0.5
e = 0.1
rolling = 0.02

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"

[[stack]]
name = "tower"
material = "stone"
count = 3
sides = [0.2, 0.2, 0.2]
group = "tower"

[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "stone"
position = [-0.3, 0.02, 0.3]
velocity = [3, 0, 1]
angular_velocity = [0, 20, 5]
load = {{ force = [0, 0, -20], at = [0.05, 0, 0.02] }}

[[gauge]]
name = "whole tower"
kind = "bodies"
bodies = ["tower"]

[[gauge]]
name = "box"
kind = "box"
low = [-1, -1, 0]
high = [1, 1, 1]

[[gauge]]
name = "layers"
kind = "grid"
low = [-1, -1, 0]
high = [1, 1, 1]
cells = [2, 1, 5]
"""

REST = """
[time]
dt = 0.001
end = 0.05
[output]
frames_per_second = 100
velocities = "double"
{output}
[[material]]
name = "a"
density = 1000
[[contact]]
between = ["a", "a"]
mu = 0.4
e = 0
[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "a"
[[stack]]
name = "t"
material = "a"
count = 4
sides = [0.5, 0.5, 0.5]
"""


def scene(mean="step", threads=1, backend="serial"):
    return SCENE.format(mean=mean, threads=threads, backend=backend)


def rows_of(path):
    with path.open(newline="", encoding="utf8") as text:
        return list(csv.DictReader(text))


class Stressed(program.FolderCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = program.new_folder(cls.addClassCleanup)
        (cls.folder / "scene.toml").write_text(scene())
        program.scree("run", "scene.toml", "--out", "run.h5", cwd=cls.folder)
        (cls.folder / "rest.toml").write_text(REST.format(output="stress = true"))
        program.scree("run", "rest.toml", "--out", "rest.h5", cwd=cls.folder)
        (cls.folder / "plain.toml").write_text(REST.format(output=""))
        program.scree("run", "plain.toml", "--out", "plain.h5", cwd=cls.folder)

    def test_tables_have_units_and_the_right_shape(self):
        with h5py.File(self.folder / "run.h5") as file:
            n, frames, steps = len(file["bodies/name"]), len(file["frames/time"]), len(file["solver/time"])
            stress = file["frames/bodies/stress"]
            self.assertEqual(stress.shape, (frames, n, 6))
            self.assertEqual(stress.attrs["unit"].decode(), "Pa")
            self.assertEqual(file["frames/bodies/asymmetry"].shape, (frames, n))
            self.assertEqual(file["frames/bodies/couple_stress"].shape, (frames, n, 9))
            self.assertTrue(numpy.isnan(stress[0]).all())         # no step was done
            self.assertTrue(numpy.isnan(stress[:, 0]).all())      # the ground is fixed
            self.assertTrue(numpy.isfinite(stress[1:, 1:]).all())
            self.assertLess(numpy.nanmax(file["frames/bodies/asymmetry"]), 1e-9)
            self.assertEqual(file["every_step/stress_gauge_whole tower"].shape, (steps, 6))
            self.assertEqual(file["every_step/stress_gauge_layers"].shape, (steps, 10, 6))
            self.assertEqual(file["every_step/velocity_gauge_layers"].shape, (steps, 10, 3))
            self.assertEqual(file["every_step/density_gauge_box"].shape, (steps,))
            self.assertAlmostEqual(file["bodies/volume"][1], 0.008, delta=1e-15)

    def test_gauges_agree_with_the_bodies_and_with_each_other(self):
        with h5py.File(self.folder / "run.h5") as file:
            step = file["frames/step"][-1]
            stress, volume = file["frames/bodies/stress"][-1], file["bodies/volume"][()]
            tower = (stress[1:4] * volume[1:4, None]).sum(axis=0) / volume[1:4].sum()
            numpy.testing.assert_allclose(file["every_step/stress_gauge_whole tower"][step - 1], tower, rtol=1e-12, atol=1e-9)
            # All is in the box, so the cells add up to the bodies.
            whole = (stress[1:] * volume[1:, None]).sum(axis=0)
            numpy.testing.assert_allclose(file["every_step/stress_gauge_box"][step - 1] * 4, whole, rtol=1e-9, atol=1e-9 * abs(whole).max())
            for name in ("stress", "density", "solid_fraction"):
                cells, box = file[f"every_step/{name}_gauge_layers"][()], file[f"every_step/{name}_gauge_box"][()]
                numpy.testing.assert_allclose(cells.mean(axis=1), box, rtol=1e-12, atol=1e-11 * abs(box).max())
            momentum = (file["every_step/density_gauge_layers"][()][..., None] * file["every_step/velocity_gauge_layers"][()]).mean(axis=1)
            box = file["every_step/density_gauge_box"][()][:, None] * file["every_step/velocity_gauge_box"][()]
            numpy.testing.assert_allclose(momentum, box, atol=1e-12 * abs(box).max())
            # Mean square of velocities of centres, and what turns besides.
            self.assertGreaterEqual(file["every_step/temperature_gauge_box"][()].min(), 0)
            kinetic, density = file["every_step/kinetic_stress_gauge_box"][()], file["every_step/density_gauge_box"][()]
            of_centres = 3 * density * file["every_step/temperature_gauge_box"][()]
            spin, inertia = file["frames/velocity"][1:, 1:, 3:], file["bodies/inertia"][1:]
            turning = numpy.einsum("fbi,bij,fbj->f", spin, inertia.reshape(-1, 3, 3), spin) / 4   # w . J w over the volume of the box, at the end
            extra = -kinetic[:, :3].sum(axis=1) - of_centres
            self.assertGreaterEqual(extra.min(), -1e-12 * of_centres.max())
            self.assertLessEqual(extra.max(), 4 * turning.max() + 1e-12 * of_centres.max())

    def test_threads_and_kills_leave_the_same_numbers(self):
        for mean in ("step", "frame"):
            self.write(scene(mean), "one.toml")
            self.write(scene(mean, 3, "openmp"), "three.toml")
            self.scree("run", "one.toml", "--out", "one.h5", "--force")
            self.scree("run", "three.toml", "--out", "three.h5", "--force")
            # Off the schedule of frames, where sums are open, and at a frame, where there are none.
            for name, end in (("off", "0.131"), ("at", "0.15")):
                self.scree("run", "one.toml", "--out", f"{name}.h5", "--force", "--t-end", end, "--checkpoint-every-steps", "1000")
                self.scree("resume", f"{name}.h5.checkpoint", "--t-end", "0.3", "--force")
            one, *others = (program.result_numbers(self.folder / f"{name}.h5") for name in ("one", "three", "off", "at"))
            for other in others:
                self.assertEqual(one[1], other[1])
                for name, value in one[0].items():
                    if name.startswith(("frames/bodies", "every_step", "gauges", "bodies")):
                        numpy.testing.assert_array_equal(value, other[0][name], err_msg=f"{mean} {name}")

    def test_scenes_without_are_as_before(self):
        plain, rest = (program.result_numbers(self.folder / f"{name}.h5") for name in ("plain", "rest"))
        self.assertEqual(plain[1], rest[1])
        self.assertEqual(set(rest[0]) - set(plain[0]), {"frames/bodies/stress", "frames/bodies/asymmetry", "bodies/volume"})

    def test_means_over_frames_are_means_of_steps(self):
        every = scene("step").replace("frames_per_second = 40", "frames_per_second = 1000")
        self.write(every, "every.toml")
        self.write(scene("frame"), "mean.toml")
        for name in ("every", "mean"):
            self.scree("run", f"{name}.toml", "--out", f"{name}.h5", "--force")
        with h5py.File(self.folder / "every.h5") as all_steps, h5py.File(self.folder / "mean.h5") as means:
            steps = means["frames/step"][()]
            for frame in range(1, len(steps)):
                expected = all_steps["frames/bodies/stress"][steps[frame - 1] + 1:steps[frame] + 1, 1:].mean(axis=0)
                numpy.testing.assert_allclose(means["frames/bodies/stress"][frame, 1:], expected, rtol=1e-11, atol=1e-9)

    def test_analyse_finds_from_contacts_what_the_run_wrote(self):
        self.scree("analyse", "rest.h5", "--bodies", "--fabric", "--fields", "--width", "0.3", "--frame", "3", "--force")
        self.scree("analyse", "rest.h5", "--profiles", "--frame", "3", "--bins", "4", "--cell=-0.25,-0.25,0,0.25,0.25,2", "--force")
        rows = rows_of(self.folder / "rest-bodies.csv")
        with h5py.File(self.folder / "rest.h5") as file:
            expected = file["frames/bodies/stress"][3, 1:]
        found = numpy.array([[float(row[f"stress {axes} [Pa]"]) for axes in ("xx", "yy", "zz", "xy", "yz", "xz")] for row in rows])
        numpy.testing.assert_allclose(found, expected, atol=1e-9 * abs(expected).max())
        weight = 1000 * 0.125 * 9.81
        numpy.testing.assert_allclose(found[:, 2], [-(4 - i - 0.5) * weight / 0.25 for i in range(4)], rtol=1e-6)
        profile = rows_of(self.folder / "rest-profiles.csv")
        numpy.testing.assert_allclose([float(row["stress zz [Pa]"]) for row in profile], found[:, 2], rtol=1e-6)
        fabric = rows_of(self.folder / "rest-fabric.csv")[0]
        self.assertEqual((float(fabric["H zz"]), float(fabric["contacts"]), float(fabric["wall contacts"])), (1, 12, 4))
        self.assertEqual(float(fabric["neighbours"]), (3 * 2 + 1) / 4)
        self.assertEqual(float(fabric["coordination"]), (2 * 12 + 4) / 4)
        for name in ("rest-normals.svg", "rest-forces.svg", "rest-profiles.svg"):
            self.assertTrue((self.folder / name).read_text().startswith("<svg"))
        forces = rows_of(self.folder / "rest-forces.csv")
        total = sum((float(row["f/<f> to"]) - float(row["f/<f> from"])) * float(row["P of normal forces"]) for row in forces)
        self.assertAlmostEqual(total, 1, delta=1e-12)
        roses = rows_of(self.folder / "rest-normals.csv")
        for plane in ("xz", "yz"):
            density = [float(row["E [1/rad]"]) for row in roses if row["plane"] == plane]
            self.assertAlmostEqual(sum(density) * 2 * numpy.pi / len(density), 1, delta=1e-12)

    def test_analyse_sees_through_the_faces_of_a_periodic_world(self):
        """Smooth beads do not turn, so gauges have their contacts alone; a box that is cut elsewhere holds the same."""
        self.scree("example", "shear_cell")
        text = (self.folder / "shear_cell.toml").read_text().replace("mu = 0.5", "mu = 0").replace("end = 0.15", "end = 0.06").replace("[law]\n", "[law]\ncorrection = \"none\"\n")
        text = text.replace("frames_per_second = 400", "frames_per_second = 400\nvelocities = \"double\"")
        layers = '\n[[gauge]]\nname = "layers"\nkind = "grid"\nbodies = ["beads"]\nlow = [0, 0, 0]\nhigh = [0.006, 0.005196, 0.0045]\ncells = [1, 1, 4]\n'
        self.write(text + layers, "cell.toml")
        self.scree("run", "cell.toml", "--out", "cell.h5", "--force")
        columns = [f"stress {axes} [Pa]" for axes in ("xx", "yy", "zz", "xy", "yz", "xz")]

        def profile(box, name):
            self.scree("analyse", "cell.h5", "--profiles", "--bins", "4", "--only", "bead-*", f"--cell={box}", "--out", name, "--force")
            rows = rows_of(self.folder / f"{name}-profiles.csv")
            return numpy.array([[float(row[column]) for column in columns] for row in rows])
        with h5py.File(self.folder / "cell.h5") as file:
            expected = file["every_step/stress_gauge_layers"][file["frames/step"][-1] - 1]
        found = profile("0,0,0,0.006,0.005196,0.0045", "here")
        self.assertGreater(abs(expected[:, 2]).min(), 100)
        numpy.testing.assert_allclose(found, expected, atol=1e-6 * abs(expected).max())
        numpy.testing.assert_allclose(profile("-0.0131,0.0021,0,-0.0071,0.007296,0.0045", "there"), found, atol=1e-9 * abs(found).max())
        numpy.testing.assert_allclose(profile("0,0,0,0.012,0.005196,0.0045", "two"), found, atol=1e-9 * abs(found).max())
        # Without a box: a period, from the lowest to the highest of what counts. Fields of all of it have the same mean.
        self.scree("analyse", "cell.h5", "--fabric", "--fields", "--width", "0.001", "--points", "6,6,8", "--only", "bead-*", "--out", "all")
        points = rows_of(self.folder / "all-fields.csv")
        for row, low in (("x [m]", 0), ("y [m]", 0)):
            self.assertTrue(all(0 < float(point[row]) < 0.006 for point in points))

    def test_analyse_of_some_bodies_takes_the_others_as_walls(self):
        said = self.scree("analyse", "rest.h5", "--fabric", "--json", "--only", "t-1,t-2", "--out", "some").stdout
        fabric = json.loads(said)["fabric"][0]
        self.assertEqual((fabric["bodies"], fabric["contacts"], fabric["wall contacts"]), (2, 4, 8))
        self.refuse("analyse", "rest.h5", "--fabric", "--only", "u-*", "--out", "none", says="--only: there is no body 'u-*'")

    def test_analyse_says_where_nothing_is(self):
        far = "--cell=10,10,10,11,11,12"
        self.assertIn("1 of 1 frames have no contact", self.scree("analyse", "rest.h5", "--fabric", "--frame", "3", far, "--out", "far").stderr)
        self.assertIn("far-profiles.csv: 4 of 4 points have no body near", self.scree("analyse", "rest.h5", "--profiles", "--bins", "4", "--frame", "3", far, "--out", "far").stderr)
        self.assertRegex(self.scree("analyse", "rest.h5", "--fields", "--width", "1e-4", "--kernel", "heaviside", "--frame", "3", "--out", "far").stderr, r"far-fields.csv: [78]\d\d\d of 8000 points have no body near")
        self.assertIn("no contact carries a force in these frames", self.scree("analyse", "rest.h5", "--fabric", "--frame", "0", "--out", "far", "--force").stderr)
        self.assertNotIn("say nothing", self.scree("analyse", "rest.h5", "--profiles", "--frame", "3", "--bins", "4", "--cell=-0.25,-0.25,0,0.25,0.25,2", "--out", "near").stderr)

    def test_analyse_takes_any_file_with_contacts(self):
        said = self.scree("analyse", "plain.h5", "--fabric", "--json", "--force").stdout
        self.assertEqual(json.loads(said)["fabric"][0]["bodies"], 4)
        self.scree("export", "plain.h5", "-o", "plain.png", "--colour", "pressure", "--forces", "--force")

    def test_exports_have_stresses(self):
        with h5py.File(self.folder / "run.h5") as file:
            stress = file["frames/bodies/stress"][-1]
        self.scree("export", "run.h5", "-o", "run.csv", "--frame", "-1", "--force")
        rows = rows_of(self.folder / "run.csv")
        self.assertEqual([float(row["stress zz [Pa]"]) for row in rows[1:]], list(stress[1:, 2]))
        self.assertEqual(float(rows[1]["pressure [Pa]"]), -(stress[1, 0] + stress[1, 1] + stress[1, 2]) / 3)
        self.scree("export", "run.h5", "-o", "run.vtkhdf", "--force")
        with h5py.File(self.folder / "run.vtkhdf") as file:
            data = file["VTKHDF/CellData"]
            self.assertEqual(data["stress"].shape, (*data["speed"].shape, 6))
            cells = len(data["body"])
            body = data["body"][()]
            numpy.testing.assert_array_equal(data["stress"][-cells:], stress[body])
        self.scree("export", "run.h5", "-o", "run.pvd", "--force")
        self.assertIn("pressure [Pa]", next((self.folder / "run").glob("bodies_*.vtp")).read_text())
        self.scree("export", "run.h5", "-o", "gauges.csv", "--table", "gauges", "--force")
        gauges = rows_of(self.folder / "gauges.csv")
        with h5py.File(self.folder / "run.h5") as file:
            self.assertEqual(len(gauges), 12 * len(file["solver/time"]))
            self.assertEqual(float(gauges[0]["stress zz [Pa]"]), file["every_step/stress_gauge_whole tower"][0, 2])

    def test_pictures_and_plots(self):
        for colour in ("pressure", "tau"):
            self.scree("export", "run.h5", "-o", f"{colour}.png", "--colour", colour, "--forces", "--force")
        self.scree("plot", "run.h5", "whole tower.pressure", "whole tower.tau", "box.sigma_zz", "box.temperature", "-o", "gauges.svg", "--force")
        self.refuse("plot", "run.h5", "layers.pressure", "-o", "x.svg", says="is of a grid")
        self.refuse("plot", "run.h5", "whole tower.presure", "-o", "x.svg", says="known are pressure, tau")

    def test_check_info_and_the_reading_example_tell_of_them(self):
        said = self.scree("check", "scene.toml").stdout
        for part in ("gauge        whole tower: 3 bodies", "layers: grid of 2 x 1 x 5 cells", "stress       of each body in each frame"):
            self.assertIn(part, said)
        gauges = json.loads(self.scree("check", "scene.toml", "--json").stdout)["measures"]["gauges"]
        self.assertEqual((gauges["box"]["kind"], gauges["box"]["bodies"], gauges["layers"]["cells"]), ("box", 4, [2, 1, 5]))
        info = json.loads(self.scree("info", "run.h5", "--json").stdout)
        self.assertEqual((info["gauges"], info["stress_mean"]), (["whole tower", "box", "layers"], "step"))
        read = subprocess.run([sys.executable, READ_RESULTS, "run.h5"], cwd=self.folder, text=True, stdout=subprocess.PIPE, check=True).stdout
        self.assertIn("Pa", read)

    def test_bad_calls_are_refused(self):
        self.refuse("analyse", "run.h5", says="what to analyse is missing")
        self.refuse("analyse", "run.h5", "--fields", says="--width: is missing")
        self.refuse("analyse", "run.h5", "--fabric", "--width", "1", says="--width: has no effect here")
        self.refuse("analyse", "run.h5", "--profiles", "--cell", "0,0,0,1,1,0", says="a cell without volume is not allowed: along z")
        self.refuse("analyse", "run.h5", "--profiles", "--cell", "0,0,0,1,1", says="two corners of a box")
        self.refuse("analyse", "run.h5", "--fields", "--width", "1", "--points", "1,2,0", says="three integers >= 1")
        self.refuse("analyse", "run.h5", "--fabric", "--from", "9", says="is after the last frame")
        self.refuse("analyse", "run.h5", "--profiles", "--depth", "2", says="--depth: has no effect here; it goes with plane problems")
        self.write(scene().replace("stress = true", "stress = true\ncontacts = false"), "none.toml")
        self.scree("run", "none.toml", "--out", "none.h5", "--force")
        self.refuse("analyse", "none.h5", "--fabric", says="keeps no contacts")
        self.refuse("export", "plain.h5", "-o", "x.csv", "--table", "gauges", says="[[gauge]]")


if __name__ == "__main__":
    READ_RESULTS = pathlib.Path(sys.argv.pop(2)).resolve()
    program.main()
