"""Plots against the numbers they show: axes are read from the labels of the ticks, curves from their paths.

usage: plot_test.py SCREE [unittest options]
"""
import csv
import re
import shutil
import struct
import xml.etree.ElementTree

import h5py
import numpy

import program

SVG = "{http://www.w3.org/2000/svg}"

SCENE = """
title = "Ball & <block>"

[time]
dt = 0.001
end = 0.5

[output]
frames_per_second = 100

""" + program.ground("stone", 2500, 0.5, 0.4) + """
[[body]]
name = "block"
kind = "box"
sides = [1, 1, 0.5]
material = "stone"
position = [0, 0, 0.25]

[[body]]
name = "ball"
kind = "sphere"
radius = 0.2
material = "stone"
position = [3, 0, 0.9]
velocity = [2, 1, 0]

[[body]]
name = "late"
kind = "sphere"
radius = 0.1
material = "stone"
position = [-3, 0, 0.1]
appears_at = 0.2
"""


class Panel:
    """A panel as a reader of the picture sees it."""

    def __init__(self, group):
        texts = [(item, item.text) for item in group.iter(f"{SVG}text")]
        self.x_label, self.y_label = [text for item, text in texts if "label" in item.get("class", "")]
        x = [(float(item.get("x")), float(text)) for item, text in texts if item.get("class") == "mid"]
        y = [(float(item.get("y")) - 4, float(text)) for item, text in texts if item.get("class") == "end"]
        self.x_axis, self.y_axis = numpy.polyfit(*zip(*x), 1), numpy.polyfit(*zip(*y), 1)
        self.curves = {}
        for path in group.iter(f"{SVG}path"):
            title = path.find(f"{SVG}title")
            if title is not None:
                points = [tuple(map(float, pair.split())) for pair in re.split("[ML]", path.get("d"))[1:]]
                px, py = numpy.array(points).T
                self.curves[title.text] = numpy.polyval(self.x_axis, px), numpy.polyval(self.y_axis, py)
        frame, = [item for item in group.iter(f"{SVG}rect") if item.get("class") == "frame"]
        self.frame_top = float(frame.get("y"))
        self.legend = {text: (float(item.get("x")), float(item.get("y"))) for item, text in texts if item.get("class") is None}
        self.bars = [item for item in group.iter(f"{SVG}rect") if item.get("class") == "bar"]

    def resolution(self):
        return abs(self.y_axis[0])   # of a pixel, in the unit of the axis


class Case(program.RunCase):
    SCENE = SCENE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = h5py.File(cls.folder / "run.h5")
        cls.addClassCleanup(cls.file.close)

    def panels(self, *quantities):
        self.scree("plot", "run.h5", *quantities, "-o", "plot.svg", "--force")
        root = xml.etree.ElementTree.parse(self.folder / "plot.svg").getroot()
        self.assertEqual(root.find(f"{SVG}text").text, "Ball & <block>")
        return [Panel(group) for group in root.findall(f"{SVG}g")]

    def assert_curve(self, panel, name, time, values):
        x, y = panel.curves[name]
        numpy.testing.assert_allclose(x, time, atol=0.002)   # a pixel of 650 over half a second, and rounding of the ticks' labels
        numpy.testing.assert_allclose(y, values, atol=0.1 * panel.resolution())   # coordinates have two digits after the point

    def test_ledger_terms_share_a_panel(self):
        panel, = self.panels("kinetic", "potential", "balance")
        self.assertEqual((panel.x_label, panel.y_label), ("time [s]", "energy [J]"))
        for name in ("kinetic", "potential", "balance"):
            self.assert_curve(panel, name, self.file["ledger/time"][()], self.file["ledger"][name][()])

    def test_units_have_panels_of_their_own(self):
        labels = [panel.y_label for panel in self.panels("kinetic", "contacts", "ball.z", "max_penetration", "block.z", "ball.spin")]
        self.assertEqual(labels, ["energy [J]", "number a step [-]", "position [m]", "max_penetration [m]", "spin [rad/s]"])

    def test_motion_of_bodies(self):
        time, frames = self.file["frames/time"][()], self.file["frames"]
        position, velocity = frames["position"][()], frames["velocity"][()]
        z, speed, displacement = self.panels("ball.z", "ball.speed", "ball.displacement")
        self.assert_curve(z, "ball.z", time, position[:, 2, 2])
        self.assert_curve(speed, "ball.speed", time, numpy.linalg.norm(velocity[:, 2, :3], axis=1))
        self.assert_curve(displacement, "ball.displacement", time, numpy.linalg.norm(position[:, 2] - position[0, 2], axis=1))
        late, = self.panels("late.z")
        there = frames["active"][:, 3] == 1
        self.assertTrue(0 < there.sum() < len(time))
        self.assert_curve(late, "late.z", time[there], position[there, 3, 2])

    def test_legend_covers_no_data(self):
        names = [f"{body}.{axis}" for body in ("ball", "block", "late") for axis in "xyz"] + ["height"]
        panel = next(panel for panel in self.panels(*names) if "ball.x" in panel.curves)
        self.assertEqual(set(panel.legend), set(panel.curves))
        for name, (x, y) in panel.legend.items():
            self.assertLess(y + 3, panel.frame_top, name)   # 3: what letters reach below their line
            self.assertLess(x + 7 * len(name), 740, name)
        self.assertEqual(len(set(panel.legend.values())), len(panel.legend))

    def test_height_and_run_out(self):
        time, position = self.file["frames/time"][()], self.file["frames/position"][()]
        active = self.file["frames/active"][()] == 1
        height, run_out = self.panels("height", "run_out")
        z = numpy.where(active[:, 1:], position[:, 1:, 2], -numpy.inf)
        self.assert_curve(height, "height", time, z.max(axis=1))
        middle = position[0, 1:3].mean(axis=0)   # the late ball is not there yet
        distance = numpy.where(active[:, 1:], numpy.linalg.norm((position[:, 1:] - middle)[:, :, :2], axis=2), 0)
        self.assert_curve(run_out, "run-out", time, distance.max(axis=1))

    def test_histogram_counts_every_contact_that_carries_force(self):
        panel, = self.panels("contact_forces")
        offset = self.file["frames/contacts/offset"][()]
        forces = self.file["frames/contacts/impulse"][offset[-2]:offset[-1], 0] / 0.001
        heights = [float(bar.get("height")) * panel.resolution() for bar in panel.bars]
        counts, _ = numpy.histogram(forces[forces > 0], bins=len(heights), range=(0, forces.max()))
        numpy.testing.assert_allclose(heights, counts, atol=0.01)
        self.assertIn("[N]", panel.x_label)

    def test_numbers_of_axes_are_not_cut_off(self):
        """Long numbers: a hundred-thousandth of what they lie at, over times of which the digits behind the point differ."""
        shutil.copy(self.folder / "run.h5", self.folder / "long.h5")
        with h5py.File(self.folder / "long.h5", "r+") as file:
            n = len(file["ledger/time"])
            file["ledger/time"][:] = 123456.5 + numpy.linspace(0, 0.5, n)
            file["ledger/kinetic"][:] = -8.53e-13 * (1 + 1e-5 * numpy.linspace(0, 1, n))
        self.scree("plot", "long.h5", "kinetic", "-o", "long.svg", "--force")
        self.scree("plot", "run.h5", "kinetic", "-o", "short.svg", "--force")
        lefts = []
        for name in ("long.svg", "short.svg"):
            root = xml.etree.ElementTree.parse(self.folder / name).getroot()
            group, = root.findall(f"{SVG}g")
            numbers = [item for item in group.iter(f"{SVG}text") if item.get("class") in ("mid", "end")]
            for item in numbers:
                wide = 6.7 * len(item.text)   # of Helvetica's digits at 12 pixels
                x = float(item.get("x"))
                self.assertGreaterEqual(x - wide if item.get("class") == "end" else x - wide / 2, 24, item.text)   # right of the axis' label
                self.assertLessEqual(x if item.get("class") == "end" else x + wide / 2, 760, item.text)
            frame, = [item for item in group.iter(f"{SVG}rect") if item.get("class") == "frame"]
            lefts.append(float(frame.get("x")))
            self.assertLessEqual(float(frame.get("x")) + float(frame.get("width")), 740)
        self.assertGreater(lefts[0], lefts[1])   # it had to make room
        self.assertEqual(lefts[1], 92)           # and has the old place otherwise

    def test_six_panels_of_a_run_with_one_free_body(self):
        scene = SCENE[:SCENE.index('[[body]]\nname = "ball"')].replace("frames_per_second = 100", "frames_per_second = 1000")
        scene = scene.replace("end = 0.5", "end = 0.1").replace("position = [0, 0, 0.25]", "position = [0, 0, 0.26]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 2, 0]")
        self.write(scene, "one.toml")
        self.scree("run", "one.toml", "--force")
        self.scree("plot", "one.h5", "published", "-o", "six.svg", "--force")
        root = xml.etree.ElementTree.parse(self.folder / "six.svg").getroot()
        place, velocity, local, impulses, work, energies = [Panel(group) for group in root.findall(f"{SVG}g")]
        with h5py.File(self.folder / "one.h5") as file:
            frames, ledger, time = file["frames"], file["ledger"], file["frames/time"][()]
            q, spin, v = frames["orientation"][:, 1], frames["velocity"][:, 1, 3:], frames["velocity"][:, 1, :3]
            angle = 2 * numpy.arctan2(q[:, 2], q[:, 0])   # the motion is planar, about y
            self.assertLessEqual({"turn about y", "x", "z"}, set(place.curves))
            self.assert_curve(place, "z", time, frames["position"][:, 1, 2])
            self.assert_curve(place, "turn about y", time, angle)
            self.assert_curve(velocity, "vx", time, v[:, 0])
            self.assert_curve(velocity, "spin about y", time, spin[:, 1])
            shape = file["shapes"][str(file["bodies/shape"][1])]["vertices"][()]
            touched = frames["contacts/feature_b"][()] & 0x0fffffff
            self.assertEqual(len(local.curves), 2 * len(set(touched)))
            corner = touched[0]
            arm = numpy.array([numpy.cos(angle) * shape[corner, 0] + numpy.sin(angle) * shape[corner, 2],
                               numpy.cos(angle) * shape[corner, 2] - numpy.sin(angle) * shape[corner, 0]])
            self.assert_curve(local, f"corner {corner + 1}, normal", time, v[:, 2] - spin[:, 1] * arm[0])
            self.assert_curve(local, f"corner {corner + 1}, tangential", time, v[:, 0] + spin[:, 1] * arm[1])
            offset, given = frames["contacts/offset"][()], frames["contacts/impulse"][()]
            of_corner = [sum(given[i, 0] for i in range(*offset[k:k + 2]) if touched[i] == corner) for k in range(len(time))]
            self.assertGreater(max(of_corner), 0)
            self.assert_curve(impulses, f"corner {corner + 1}, normal", time, of_corner)
            for term in ("contact_normal_work", "contact_tangential_work"):
                self.assert_curve(work, term, ledger["time"][()], ledger[term][()])
            self.assert_curve(energies, "total", ledger["time"][()], ledger["kinetic"][()] + ledger["potential"][()])

    def test_published_panels_of_many_bodies_are_energies(self):
        self.scree("plot", "run.h5", "published", "-o", "many.svg", "--csv", "many.csv", "--force")
        with h5py.File(self.folder / "run.h5") as file:
            ledger = {name: table[()] for name, table in file["ledger"].items()}
        with (self.folder / "many.csv").open(newline="") as text:
            rows = list(csv.DictReader(text))
        def curve(panel, label):
            return numpy.array([float(row["y"]) for row in rows if row["panel"].startswith(panel) and row["curve"] == label])
        scale = ledger["energy_scale"][-1]
        contacts = numpy.cumsum(sum(ledger[name] for name in ("contact_normal_work", "contact_tangential_work", "contact_rolling_work", "adhesion_work")))
        numpy.testing.assert_allclose(curve("energies", "work of contacts"), contacts, atol=1e-14 * scale)
        numpy.testing.assert_array_equal(curve("energies", "kinetic"), ledger["kinetic"])
        numpy.testing.assert_array_equal(curve("largest positive", "max_positive_tangential_work"), ledger["max_positive_tangential_work"])
        numpy.testing.assert_array_equal(curve("most negative", "max_negative_tangential_work"), ledger["max_negative_tangential_work"])
        # All works together are the change of energy.
        self.scree("plot", "run.h5", "total_work", "-o", "total.svg", "--csv", "total.csv", "--force")
        with (self.folder / "total.csv").open(newline="") as text:
            total = numpy.array([float(row["y"]) for row in csv.DictReader(text)])
        energy = ledger["kinetic"] + ledger["potential"]
        numpy.testing.assert_allclose(total, energy - energy[0], atol=1e-12 * scale)
        # Change of energy less external work: what contacts and the scheme took, to round-off.
        change = curve("balance", "change of energy less external work")
        numpy.testing.assert_allclose(change, contacts + numpy.cumsum(ledger["numerical_dissipation"]), atol=1e-12 * scale)

    def test_several_runs_are_drawn_beside_each_other(self):
        self.scree("run", "scene.toml", "--law", "newton", "--out", "newton.h5", "--force")
        self.scree("plot", "run.h5", "newton.h5", "contact_work", "kinetic", "-o", "laws.svg", "--csv", "laws.csv", "--force")
        text = (self.folder / "laws.svg").read_text()
        labels = [f"{quantity}: {label}" for quantity in ("contact_work", "kinetic") for label in ("Ball & <block> (fremond)", "Ball & <block> (newton)")]
        with (self.folder / "laws.csv").open(newline="") as rows:
            curves = list(dict.fromkeys(row["curve"] for row in csv.DictReader(rows)))
        self.assertEqual(curves, labels)
        for label in labels:
            self.assertIn(f">{label.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}<", text)
        self.refuse("plot", "run.h5", "newton.h5", "published", "-o", "x.svg", says="is drawn of one run only")
        self.refuse("plot", "run.h5", "newton.h5", "-o", "x.svg", says="quantities: are missing")
        self.refuse("plot", "run.h5", "kinetic", "newton.h5", "-o", "x.svg", says="is a file; result files come first")

    def test_corners_of_a_compound_are_those_of_its_parts(self):
        """A stool of a seat and two feet: corners of different parts have the same numbers."""
        scene = SCENE[:SCENE.index('[[body]]\nname = "block"')].replace("frames_per_second = 100", "frames_per_second = 1000").replace("end = 0.5", "end = 0.1")
        self.write(scene + """
[[body]]
name = "stool"
kind = "compound"
material = "stone"
position = [0, 0, 0.41]   # of the centre of mass, 0.4 above the feet
velocity = [1, 0, 0]
angular_velocity = [0, 0.1, 0]
parts = [
  { kind = "box", sides = [1, 1, 0.1], position = [0, 0, 0.1] },
  { kind = "box", sides = [0.1, 1, 0.5], position = [-0.4, 0, -0.2] },
  { kind = "box", sides = [0.1, 1, 0.5], position = [0.4, 0, -0.2] },
]
""", "stool.toml")
        self.scree("run", "stool.toml", "--force")
        self.scree("plot", "stool.h5", "published", "-o", "six.svg", "--force")
        local, impulses = [Panel(group) for group in xml.etree.ElementTree.parse(self.folder / "six.svg").getroot().findall(f"{SVG}g")][2:4]
        with h5py.File(self.folder / "stool.h5") as file:
            frames, contacts, time = file["frames"], file["frames/contacts"], file["frames/time"][()]
            angle = 2 * numpy.arctan2(frames["orientation"][:, 1, 2], frames["orientation"][:, 1, 0])
            spin, v, shape = frames["velocity"][:, 1, 4], frames["velocity"][:, 1, :3], file["shapes"][str(file["bodies/shape"][1])]["vertices"][()]
            touched = list(zip(contacts["part_b"][()], contacts["feature_b"][()] & 0x0fffffff))
            self.assertEqual((set(contacts["part_a"][()]), {part for part, _ in touched}), ({0}, {1, 2}))
            self.assertEqual(len(local.curves), 2 * len(set(touched)))
            offset, given = contacts["offset"][()], contacts["impulse"][()]
            for part, corner in set(touched):
                name, at = f"corner {corner + 1} of part {part + 1}", shape[8 * part + corner]   # a box has eight
                self.assert_curve(local, f"{name}, normal", time, v[:, 2] - spin * (numpy.cos(angle) * at[0] + numpy.sin(angle) * at[2]))
                self.assert_curve(local, f"{name}, tangential", time, v[:, 0] + spin * (numpy.cos(angle) * at[2] - numpy.sin(angle) * at[0]))
                self.assert_curve(impulses, f"{name}, normal", time,
                                  [sum(given[i, 0] for i in range(*offset[k:k + 2]) if touched[i] == (part, corner)) for k in range(len(time))])

    def test_png_has_three_pixels_a_unit_of_the_svg(self):
        """What it shows is compared in plot_png_test.cpp."""
        self.scree("plot", "run.h5", "ball.z", "kinetic", "-o", "plot.png", "--force")
        data = (self.folder / "plot.png").read_bytes()
        self.assertEqual(data[:16], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        self.assertEqual(struct.unpack(">IIBBBBB", data[16:29]), (3 * 760, 3 * 630, 8, 2, 0, 0, 0))   # 8 bits, RGB, not interlaced

    def test_unknown_names_are_refused_with_the_nearest(self):
        for quantity, says in (("kinetics", "did you mean 'kinetic'?"), ("bal.z", "there is no body 'bal'; did you mean 'ball'?"),
                               ("ball.q", "a body has no 'q'; known are x, y, z"), ("zzz", "known are terms of the ledger")):
            for out in ("new.svg", "new.png"):
                self.refuse("plot", "run.h5", quantity, "-o", out, says=says)
        self.refuse("plot", "run.h5", "kinetic", "-o", "plot.pdf", says="unknown extension '.pdf'; known: .svg, .png")


if __name__ == "__main__":
    program.main()
