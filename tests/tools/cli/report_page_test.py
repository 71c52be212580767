"""The page of `scree report` in headless Chromium, against the result file as h5py reads it.

usage: report_page_test.py SCREE [unittest options]
"""
import hashlib
import json
import pathlib
import re
import shutil
import sys
import unittest

import h5py
import numpy as np

import program
from browser import Browser
from program import scree

ROOT = pathlib.Path(__file__).resolve().parents[3]
ORIGIN = np.array([2600000.0, 1200000.0, 480.0])

# A ball hits a stack of two boxes on a plane, at map coordinates.
SCENE = """
title = "Ball & stack </script><i>"

[world]
origin = [2600000, 1200000, 480]

[time]
dt = 0.001
end = 0.4

[output]
frames_per_second = 50

[[material]]
name = "stone"
density = 2300

[[material]]
name = "steel"
density = 7800

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.2

[[contact]]
between = ["stone", "steel"]
mu = 0.3
e = 0.5

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"

[[body]]
name = "lower"
kind = "box"
sides = [1, 2, 1]
material = "stone"
position = [0, 0, 0.5]

[[body]]
name = "upper"
kind = "box"
sides = [1, 2, 1]
material = "stone"
position = [0, 0, 1.5]

[[body]]
name = "ball"
kind = "sphere"
radius = 0.4
material = "steel"
position = [2, 0.3, 1.6]
velocity = [-8, 0, 1]
"""

BOUNCES = """
[time]
dt = 1e-4
end = 1.0

[output]
frames_per_second = 20

""" + program.ground("rubber", 1100, 0.5, 0.8) + """
[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "rubber"
position = [0, 0, 0.3]
"""


def shown(text, label, unit):
    """The number after a label, with its prefix."""
    scale = {"": 1.0, "k": 1e3, "M": 1e6, "m": 1e-3, "µ": 1e-6, "n": 1e-9}
    number, prefix = re.search(label + r"\s+([\d.\u2009]+) ([kMmµn]?)" + unit, text).groups()
    return float(number.replace("\u2009", "")) * scale[prefix]


def rotation(q):
    """Matrices of unit quaternions (w, x, y, z)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.moveaxis(np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                                 [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                 [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]), (0, 1), (-2, -1))


class PageOfARun(program.FolderCase):
    """One run, one page, one browser for all cases."""

    @classmethod
    def setUpClass(cls):
        cls.folder = program.new_folder(cls.addClassCleanup)
        (cls.folder / "stack.toml").write_text(SCENE)
        scree("run", "stack.toml", "--set", "output.stress=true", cwd=cls.folder)
        scree("report", "stack.h5", "-o", "page.html", cwd=cls.folder)
        cls.file = h5py.File(cls.folder / "stack.h5", "r")
        cls.addClassCleanup(cls.file.close)
        cls.browser = cls.enterClassContext(Browser(1000, 760))
        cls.browser.open(cls.folder / "page.html")

    def setUp(self):
        self.browser.evaluate("scree.player.pause(); scree.player.seek(0); window.scrollTo(0, 0)")
        self.choose("contacts", "none")
        self.choose("colour", "speed")

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])

    def choose(self, menu, value):
        self.browser.evaluate(f"(m => {{ m.value = '{value}'; m.dispatchEvent(new Event('change')); }})(document.getElementById('{menu}'))")
        self.browser.settle()

    def box(self, selector):
        return json.loads(self.browser.evaluate(
            f"JSON.stringify((r => [r.x, r.y, r.width, r.height])(document.querySelector('{selector}').getBoundingClientRect()))"))

    def picture(self):
        """Pixels of the middle of the replay, where no menu lies."""
        self.browser.settle()
        x, y, width, height = self.box("#canvas")
        return self.browser.pixels((x + 300, y + 90, width - 320, height - 160))[..., :3].astype(int)

    def changed_pixels(self, before, after):
        return int((np.abs(before - after).max(axis=-1) > 12).sum())

    def array(self, expression):
        return np.array(json.loads(self.browser.evaluate(f"JSON.stringify(Array.from({expression}))")), float)

    def drawn_matrix(self, body):
        return self.array(f"(p => p.mesh.instanceMatrix.array.slice(16 * p.index, 16 * p.index + 16))(scree.stage.bodies.place[{body}])").reshape(4, 4).T

    def test_loads_from_the_file_alone(self):
        self.assertEqual(self.browser.requests, [(self.folder / "page.html").resolve().as_uri()[:80]])
        self.assertEqual(self.browser.evaluate("document.title"), "Ball & stack </script><i>")
        self.assertEqual(self.browser.evaluate("document.getElementById('title').textContent"), "Ball & stack </script><i>")
        self.assertEqual(self.browser.evaluate("document.getElementById('source').textContent"), SCENE)

    def test_draws_the_bodies(self):
        with_bodies = self.picture()
        self.browser.evaluate("scree.stage.bodies.group.visible = false; scree.stage.invalidate()")
        without = self.picture()
        self.browser.evaluate("scree.stage.bodies.group.visible = true; scree.stage.invalidate()")
        self.assertGreater(self.changed_pixels(with_bodies, without), with_bodies.shape[0] * with_bodies.shape[1] // 50)
        self.assertGreater(len(np.unique(with_bodies.reshape(-1, 3), axis=0)), 100)

    def test_scrubbing_moves_bodies_to_the_poses_of_the_file(self):
        before = self.picture()
        x, y, width, height = self.box("#scrub")
        self.browser.click(x + 0.75 * width, y + height / 2)
        frame = round(self.browser.evaluate("scree.player.moment"))
        self.assertAlmostEqual(frame, 0.75 * 20, delta=1)
        self.assertGreater(self.changed_pixels(before, self.picture()), 500)
        for frame in (0, frame, 20):
            self.browser.evaluate(f"scree.player.seek({frame})")
            self.assertIn(f"t = {self.file['frames/time'][frame]:.4f} s", self.browser.evaluate("document.getElementById('time').textContent"))
            self.check_poses(frame)

    def check_poses(self, frame):
        position, orientation = self.file["frames/position"][frame], self.file["frames/orientation"][frame]
        shown_origin = self.array("scree.replay.origin")
        self.assertTrue((np.abs(shown_origin - ORIGIN) < 1000).all())
        for body, scale in ((1, [0.5, 1, 0.5]), (2, [0.5, 1, 0.5]), (3, [0.4] * 3)):
            drawn = self.drawn_matrix(body)
            # Positions: a millionth of the scene's 3 m. Orientations: 16 bits over [-1, 1], four of them in an entry.
            np.testing.assert_allclose(drawn[:3, 3] + shown_origin, position[body], rtol=0, atol=4e-6)
            np.testing.assert_allclose(drawn[:3, :3], rotation(orientation[body]) * scale, rtol=0, atol=1.5e-4)

    def test_numbers_of_bodies_equal_the_file(self):
        velocity, mass, inertia = self.file["frames/velocity"][:], self.file["bodies/mass"][:], self.file["bodies/inertia"][:]
        speed = np.linalg.norm(velocity[..., :3], axis=-1)
        w = velocity[..., 3:]
        kinetic = 0.5 * (mass * speed ** 2 + np.einsum("fbi,bij,fbj->fb", w, inertia, w))
        force = np.zeros_like(speed)
        contacts, offset, step = self.file["frames/contacts"], self.file["frames/contacts/offset"][:], self.file["frames/step"][:]
        time = self.file["ledger/time"][:]
        for f in range(1, len(step)):
            rows = slice(offset[f], offset[f + 1])
            mean = np.linalg.norm(contacts["impulse"][rows], axis=-1) / (time[step[f]] - time[step[f] - 1])
            np.add.at(force[f], contacts["body_a"][rows], mean)
            np.add.at(force[f], contacts["body_b"][rows], mean)
        position = self.file["frames/position"][:]
        displacement = np.linalg.norm(position - position[0], axis=-1)
        stress = self.file["frames/bodies/stress"][:]  # xx, yy, zz, xy, yz, xz
        pressure = -stress[..., :3].mean(axis=-1)
        deviator = stress.copy()
        deviator[..., :3] += pressure[..., None]
        shear = np.sqrt(0.5 * (deviator[..., :3] ** 2).sum(axis=-1) + (deviator[..., 3:] ** 2).sum(axis=-1))
        self.assertGreater(np.nanmax(pressure), 0)
        for name, values in (("speed", speed), ("kinetic", kinetic), ("force", force), ("pressure", pressure), ("shear", shear)):
            # 16 significant bits, then float32
            np.testing.assert_allclose(self.array(f"scree.replay.{name}").reshape(values.shape), values, rtol=1.6e-5, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(self.array("scree.replay.displacement").reshape(displacement.shape), displacement, rtol=0, atol=1e-5)

    def test_contacts_equal_the_file(self):
        contacts = self.file["frames/contacts"]
        np.testing.assert_array_equal(self.array("scree.replay.contact.begin"), contacts["offset"][:])
        impulse = contacts["impulse"][:]
        for name, values, tolerance in (("body_a", contacts["body_a"][:], 0), ("body_b", contacts["body_b"][:], 0), ("status", contacts["status"][:], 0),
                                        ("normal_impulse", impulse[:, 0], 1.6e-5), ("tangential_impulse", np.hypot(impulse[:, 1], impulse[:, 2]), 1.6e-5),
                                        ("gap", contacts["gap"][:], 2.5e-4)):
            np.testing.assert_allclose(self.array(f"scree.replay.contact.{name}"), values, rtol=tolerance, atol=0, err_msg=name)
        points = self.array("scree.replay.contact.point").reshape(-1, 3) * self.browser.evaluate("scree.replay.about.contact_quantum")
        np.testing.assert_allclose(points + self.array("scree.replay.origin"), contacts["point"][:], rtol=0, atol=3e-5)
        world = contacts["impulse_world"][:]
        strong = np.flatnonzero(np.linalg.norm(world, axis=1) > 0)
        self.assertGreater(len(strong), 50)
        for c in strong[:: len(strong) // 20]:
            drawn = self.array(f"scree.replay.contactDirection({c}, [0, 0, 0])")
            np.testing.assert_allclose(drawn, world[c] / np.linalg.norm(world[c]), rtol=0, atol=1e-4)

    def test_plotted_values_equal_the_file(self):
        ledger, solver = self.file["ledger"], self.file["solver"]
        shown = set()
        for i, (title, curves) in enumerate(json.loads(self.browser.evaluate("JSON.stringify(scree.charts.map(c => [c.title, c.curves]))"))):
            for k, name in enumerate(curves):
                data = json.loads(self.browser.evaluate(f"JSON.stringify([scree.charts[{i}].plot.data[0], scree.charts[{i}].plot.data[{k + 1}]])"))
                time, values = (np.array(column, float) for column in data)
                expected_time, expected = self.expected_curve(name, ledger, solver)
                if title == "Residuals":   # a logarithm has no zero
                    expected = np.where(expected > 0, expected, np.nan)
                found = dict(zip(time, values))
                np.testing.assert_allclose([found[t] for t in expected_time], expected, rtol=1e-13, atol=1e-300, err_msg=name)
                shown.add(name)
        self.assertLessEqual({"kinetic", "potential_change", "sum/contact_normal_work", "sum/contact_tangential_work", "balance", "sum/balance",
                              "max_positive_normal_work", "max_positive_tangential_work", "max_negative_normal_work",
                              "max_negative_tangential_work", "contacts", "iterations", "residual_scaled", "residual_published",
                              "residual_siconos", "seconds_solve", "max_penetration"}, shown)

    @staticmethod
    def expected_curve(name, ledger, solver):
        if name == "potential_change":
            return ledger["time"][:], ledger["potential"][:] - ledger["potential"][0]
        if name.startswith("sum/"):
            return ledger["time"][:], np.cumsum(ledger[name[4:]][:])
        table = ledger if name in ledger else solver
        return table["time"][:], table[name][:].astype(float)

    def hover(self, js_point):
        x, y, _, _ = self.box("#canvas")
        at = json.loads(self.browser.evaluate(f"JSON.stringify(scree.stage.toScreen({js_point}))"))
        self.browser.mouse("mouseMoved", x=x + at["x"], y=y + at["y"])
        self.browser.settle()
        return self.browser.evaluate("document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText")

    def test_pointing_at_a_body_shows_its_numbers(self):
        self.browser.evaluate("scree.player.seek(10)")
        position = "scree.stage.centre.clone().fromArray(scree.replay.position, 3 * (10 * scree.replay.n + 3))"
        text = self.hover(position)
        mass = self.file["bodies/mass"][3]
        speed = np.linalg.norm(self.file["frames/velocity"][10, 3, :3])
        self.assertIn("ball", text)
        self.assertAlmostEqual(shown(text, "mass", "kg"), mass, delta=1e-3 * mass)
        self.assertAlmostEqual(shown(text, "speed", "m/s"), speed, delta=1e-3 * speed)
        self.browser.mouse("mouseMoved", x=2, y=2)

    def test_pointing_at_a_contact_shows_its_numbers(self):
        self.choose("contacts", "points")
        self.browser.evaluate("scree.player.seek(20)")
        contacts = self.file["frames/contacts"]
        rows = range(contacts["offset"][20], contacts["offset"][21])
        c = max((c for c in rows if contacts["body_a"][c] == 0), key=lambda c: contacts["impulse"][c, 0])
        text = self.hover(f"scree.stage.centre.clone().fromArray(scree.replay.contactPoint({c}, [0, 0, 0]))")
        bodies = self.file["bodies/name"][:].astype(str)
        self.assertIn(f"{bodies[0]} – {bodies[contacts['body_b'][c]]}", text)
        impulses = contacts["impulse"][rows[0]:rows[-1] + 1]
        normal = shown(text, "normal impulse", "N s")
        nearest = rows[0] + int(np.argmin(np.abs(impulses[:, 0] - normal)))
        self.assertAlmostEqual(normal, contacts["impulse"][nearest, 0], delta=1e-3 * normal)
        self.assertAlmostEqual(shown(text, "mean normal force", "N"), contacts["impulse"][nearest, 0] / 0.001, delta=2e-3 * normal / 0.001)
        self.assertRegex(text, r"status\s+(stick|slip|open)")
        self.assertRegex(text, r"gap\s+\S+")
        self.browser.mouse("mouseMoved", x=2, y=2)

    def test_colours_and_contacts_change_the_picture_and_the_legend(self):
        self.browser.evaluate("scree.player.seek(12)")
        pictures = [self.picture()]
        for name, legend in (("kinetic", "Kinetic energy [J]"), ("displacement", r"Displacement [m]"), ("force", "Contact force [N]"),
                             ("pressure", "Pressure ["), ("shear", "Shear stress ["), ("material", "Material\nstone\nsteel")):
            self.choose("colour", name)
            self.assertIn(legend, self.browser.evaluate("document.getElementById('legend').innerText"))
            pictures.append(self.picture())
        self.choose("colour", "speed")
        self.assertIn("Speed [m/s]", self.browser.evaluate("document.getElementById('legend').innerText"))
        for mode, legend in (("chains", "thickness of the lines"), ("vectors", "length of the lines"), ("points", "stick")):
            self.choose("contacts", mode)
            self.assertIn(legend, self.browser.evaluate("document.getElementById('legend').innerText"))
            pictures.append(self.picture())
        for i, one in enumerate(pictures):
            for other in pictures[:i]:
                self.assertGreater(self.changed_pixels(one, other), 100)

    def test_bodies_show_through_the_back_of_a_plane(self):
        self.browser.evaluate("(s => { s.frame(s.up.clone().multiplyScalar(-1).add(s.horizontal()[0].multiplyScalar(0.5)).normalize()); "
                              "s.controls.update(); s.invalidate(); })(scree.stage)")
        self.assertLess(float(self.browser.evaluate("scree.stage.camera.position.dot(scree.stage.up)")), 0)
        self.browser.settle()
        x, y, width, height = self.box("#canvas")
        seen = self.browser.pixels((x, y + 80, width, height - 230))[..., :3].astype(int)
        red, green, blue = np.moveaxis(seen, -1, 0)  # the ball, at full speed, is purple; it lies higher than the plane
        self.browser.evaluate("scree.stage.view('start')")
        self.assertGreater(np.count_nonzero((blue > green + 25) & (red > green + 15)), 100)

    def test_chains_are_as_thick_as_their_impulse(self):
        # At the frame with the most impulses that differ: which one that is after the hit depends on the last digits.
        offset, strengths = self.file["frames/contacts/offset"][:], np.linalg.norm(self.file["frames/contacts/impulse"][:], axis=1)
        frames = [np.unique(np.round(strengths[begin:end], 3)) for begin, end in zip(offset, offset[1:])]
        frame = max(range(len(frames)), key=lambda f: np.count_nonzero(frames[f]))
        self.choose("contacts", "chains")
        self.browser.evaluate(f"scree.player.seek({frame})")
        segments = json.loads(self.browser.evaluate("JSON.stringify(scree.stage.forces.segments.map(s => s[0]))"))
        widths = self.array(f"Array.from({{length: {len(segments)}}}, (_, i) => Math.hypot(...scree.stage.forces.lines.instanceMatrix.array.slice(16 * i, 16 * i + 3)))")
        impulse = strengths[segments]
        between = (widths > 1.01 * widths.min()) & (widths < 0.99 * widths.max())
        self.assertGreater(between.sum(), 2)
        np.testing.assert_allclose(widths[between] / widths[between][0], impulse[between] / impulse[between][0], rtol=1e-3)

    def test_play_runs_and_pause_stops_at_a_frame(self):
        """By a clock of the test, so that a slow machine shows the same."""
        self.browser.evaluate("""
            window.own = { time: 0, now: () => own.time, next: (action) => { own.action = action; }, usual: scree.player.clock,
                           pass: (ms) => { own.time += ms; const action = own.action; own.action = null; action?.(own.time); } };
            scree.player.clock = own""")
        self.addCleanup(self.browser.evaluate, "scree.player.pause(); scree.player.clock = own.usual")
        self.choose("speed", 0.05)
        x, y, width, height = self.box("#play")
        self.browser.click(x + width / 2, y + height / 2)
        self.browser.evaluate("own.pass(200); own.pass(60)")
        self.assertAlmostEqual(self.browser.evaluate("scree.player.time"), 0.05 * 0.26, delta=1e-12)
        self.assertTrue(self.browser.evaluate("scree.player.playing"))
        self.browser.click(x + width / 2, y + height / 2)
        self.assertEqual(self.browser.evaluate("[scree.player.playing, scree.player.moment, scree.player.time].join()"), "false,1,0.02")
        self.browser.evaluate("own.pass(1000)")
        self.assertEqual(self.browser.evaluate("scree.player.moment"), 1)   # a frame that was asked for before the pause moves nothing
        self.choose("speed", 10)
        self.browser.evaluate("scree.player.play(); own.pass(10)")
        self.assertTrue(self.browser.evaluate("scree.player.playing"))
        self.browser.evaluate("own.pass(30)")
        self.assertEqual(self.browser.evaluate("[scree.player.playing, scree.player.moment].join()"), "false,20")

    def test_dragging_turns_the_camera(self):
        before = self.picture()
        x, y, width, height = self.box("#canvas")
        self.browser.mouse("mouseMoved", x=x + width / 2, y=y + 100)
        self.browser.mouse("mousePressed", x=x + width / 2, y=y + 100, button="left", clickCount=1)
        for k in range(1, 6):
            self.browser.mouse("mouseMoved", x=x + width / 2 + 30 * k, y=y + 100, button="left", buttons=1)
        self.browser.mouse("mouseReleased", x=x + width / 2 + 150, y=y + 100, button="left", clickCount=1)
        self.assertGreater(self.changed_pixels(before, self.picture()), 1000)
        self.browser.evaluate("scree.stage.view('start')")
        self.assertEqual(self.changed_pixels(before, self.picture()), 0)

    def test_clicking_in_a_curve_goes_to_that_moment(self):
        self.browser.evaluate("document.querySelector('.u-over').scrollIntoView({ block: 'center' })")
        x, y, width, height = self.box(".u-over")
        time = self.browser.evaluate(f"scree.charts[0].plot.posToVal({width / 2}, 'x')")
        self.browser.click(x + width / 2, y + height / 2)
        self.assertAlmostEqual(self.browser.evaluate("scree.player.time"), time, delta=0.011)   # half a frame, and the pixel

    def test_settings_and_hashes_are_shown(self):
        text = self.browser.evaluate("document.getElementById('facts').innerText")
        for part in (self.file.attrs["scene_sha256"], self.file.attrs["state_hash"], self.file.attrs["program"]):
            self.assertIn(part.decode() if isinstance(part, bytes) else part, text)
        for part in (r"impact law\s+fremond", r"theta\s+0\.5", r"dt, step length\s+0\.001 s", r"tolerance\s+\S+", r"backend\s+serial", r"threads\s+1",
                     r"stone – steel\s+mu = 0\.3, e = 0\.5, fremond"):
            self.assertRegex(text, part)


    def test_what_moved_equals_the_file(self):
        position, names = self.file["frames/position"][:], ["lower", "upper", "ball"]
        ways = json.loads(self.browser.evaluate("JSON.stringify(scree.ways)"))
        self.assertEqual({way["name"] for way in ways}, set(names))
        self.assertEqual([way["end"] for way in ways], sorted((way["end"] for way in ways), reverse=True))
        for way in ways:
            from_start = np.linalg.norm(position[:, way["body"]] - position[0, way["body"]], axis=-1)
            self.assertAlmostEqual(way["end"], from_start[-1], delta=1e-5)   # positions: a millionth of the scene's 3 m
            self.assertAlmostEqual(way["most"], from_start.max(), delta=1e-5)
            q = self.file["frames/orientation"][:, way["body"]]
            angle = np.degrees(2 * np.arccos(min(1, abs(q[0] @ q[-1]))))
            self.assertAlmostEqual(way["angle"], angle, delta=0.6 if angle < 1 else 0.05)   # 16 bits a component: 0.5 degrees near none
        shown = self.browser.evaluate("[...document.querySelectorAll('#moved tbody tr')].map(row => row.cells[0].textContent).join()")
        self.assertEqual(shown, ",".join(way["name"] for way in ways))

    def test_what_moved_leads_to_the_body_and_its_colour(self):
        body = self.browser.evaluate("scree.ways[0].body")
        self.browser.evaluate("document.querySelector('#moved tbody tr').click()")
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("[scree.controls.pinned, scree.player.moment].join()"), f"{body},20")
        self.browser.evaluate("document.getElementById('by-displacement').click()")
        self.browser.settle()
        self.assertEqual(self.browser.evaluate("[scree.controls.pinned, scree.controls.colouring.name].join()"), "-1,displacement")
        farthest = np.linalg.norm(self.file["frames/position"][:] - self.file["frames/position"][0], axis=-1).max()
        self.assertAlmostEqual(self.browser.evaluate("scree.controls.colouring.high"), farthest, delta=1e-5)
        self.assertRegex(self.browser.evaluate("document.getElementById('legend').innerText"), r"Displacement \[m\]")


class PeriodicWorlds(program.FolderCase):
    def test_replay_follows_what_goes_on_as_its_image(self):
        """Half of the way out of the cell, half in on the other side, and displacements along the path."""
        scree("example", "shear_cell", cwd=self.folder)
        scree("run", "shear_cell.toml", "--t-end", "0.03", "--force", cwd=self.folder)
        scree("report", "shear_cell.h5", "-o", "page.html", cwd=self.folder)
        with h5py.File(self.folder / "shear_cell.h5") as file:
            position, image = file["frames/position"][()], file["frames/image"][()]
            period = np.array(file["settings"].attrs["periodic"])
        path = position + image * period
        passes = [(f, b) for f, b in zip(*np.nonzero((np.diff(image, axis=0) != 0).any(axis=2)))]
        self.assertGreater(len(passes), 50)
        with Browser(900, 700) as browser:
            browser.open(self.folder / "page.html")
            frames = browser.evaluate("scree.replay.frames")
            self.assertEqual(frames, len(position))
            ask = json.dumps([[int(f), int(b)] for f, b in passes])
            poses = np.array(json.loads(browser.evaluate(
                f"JSON.stringify({ask}.map(([f, b]) => [0, 0.25, 0.75, 1].map((s) => scree.replay.pose(f, s, b, new Float64Array(7)).slice(0, 3)).map((p) => Array.from(p))))")))
            for (f, b), (start, early, late, end) in zip(passes, poses):
                way = path[f + 1, b] - path[f, b]
                np.testing.assert_allclose(start, position[f, b], atol=1e-7)
                np.testing.assert_allclose(early, position[f, b] + 0.25 * way, atol=1e-7)
                np.testing.assert_allclose(late, position[f + 1, b] - 0.25 * way, atol=1e-7)
                np.testing.assert_allclose(end, position[f + 1, b], atol=1e-7)
            displacement = np.array(json.loads(browser.evaluate("JSON.stringify(Array.from(scree.replay.displacement))"))).reshape(len(path), -1)
            np.testing.assert_allclose(displacement, np.linalg.norm(path - path[0], axis=2), atol=1e-7)
            self.assertEqual(browser.problems, [])


class OtherScreens(program.FolderCase):
    """The same page on a telephone, and where the reader likes dark pages; several runs in one page."""

    @classmethod
    def setUpClass(cls):
        cls.folder = program.new_folder(cls.addClassCleanup)
        (cls.folder / "stack.toml").write_text(SCENE)
        scree("run", "stack.toml", cwd=cls.folder)
        scree("run", "stack.toml", "--out", "newton.h5", "--law", "newton", cwd=cls.folder)
        scree("report", "stack.h5", "-o", "page.html", cwd=cls.folder)
        scree("report", "stack.h5", "newton.h5", "-o", "both.html", cwd=cls.folder)

    def open(self, page, width, dark=False):
        browser = self.enterContext(Browser(width, 800))
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        browser.open(self.folder / page)
        self.addCleanup(lambda: self.assertEqual(browser.problems, []))
        return browser

    def test_telephone_reaches_every_control(self):
        browser = self.open("page.html", 390)
        self.assertEqual(browser.evaluate("document.documentElement.scrollWidth"), 390)   # nothing to scroll sideways
        reached = json.loads(browser.evaluate("""JSON.stringify([...document.querySelectorAll('#replay button, #replay select, #replay input, #moved button')]
            .filter(part => part.offsetParent !== null && !part.disabled).map(part => {
              part.scrollIntoView({ block: 'center', behavior: 'instant' });
              const box = part.getBoundingClientRect();
              const on = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
              return { name: part.id || part.textContent, box: [box.left, box.right, box.width, box.height], free: part.contains(on) };
            }))"""))
        self.assertGreaterEqual({part["name"] for part in reached}, {"play", "scrub", "back", "forward", "speed", "colour", "contacts", "opacity", "full", "Top"})
        for part in reached:
            left, right, width, height = part["box"]
            with self.subTest(part["name"]):
                self.assertTrue(part["free"], "something lies on top of it")
                self.assertGreaterEqual(left, 0)
                self.assertLessEqual(right, 390)
                self.assertGreaterEqual(min(width, height), 12)
        width, height = json.loads(browser.evaluate("JSON.stringify((r => [r.width, r.height])(document.getElementById('play').getBoundingClientRect()))"))
        self.assertEqual((width, height), (34, 34))
        self.assertGreater(browser.evaluate("document.getElementById('canvas').getBoundingClientRect().height"), 270)

    def test_dark_page_is_dark_everywhere(self):
        light, dark = self.open("page.html", 1000), self.open("page.html", 1000, dark=True)
        for browser, brightness in ((light, lambda value: value > 200), (dark, lambda value: value < 70)):
            browser.evaluate("window.scrollTo(0, 0)")
            for selector in ("body", "header", ".overlay.menu", ".chart", ".panel", "details", "select"):
                colour = browser.evaluate(f"getComputedStyle(document.querySelector('{selector}')).backgroundColor")
                self.assertTrue(brightness(np.mean([float(x) for x in re.findall(r"[\d.]+", colour)[:3]])), (selector, colour))
        axes = [browser.evaluate("scree.charts[0].plot.axes[0].stroke()") for browser in (light, dark)]
        self.assertEqual(axes, ["#5b6670", "#9aa7b2"])
        self.assertLess(dark.pixels()[..., :3].mean(), 0.6 * light.pixels()[..., :3].mean())

    def test_dark_text_stands_out(self):
        """Contrast of text to what is behind it by WCAG: 4.5 at least."""
        for dark in (False, True):
            browser = self.open("page.html", 1000, dark)
            pairs = json.loads(browser.evaluate("""JSON.stringify([['body', 'body'], ['.chip', '.chip'], ['#program', 'header'], ['.facts th', '.panel'], ['.list th', '.panel'],
                ['.notice', '.notice'], ['.hint', 'body'], ['select', 'select']].map(([text, paper]) =>
                [text, getComputedStyle(document.querySelector(text)).color, getComputedStyle(document.querySelector(paper)).backgroundColor]))"""))
            for name, text, paper in pairs:
                with self.subTest(name, dark=dark):
                    self.assertGreaterEqual(contrast(text, paper), 4.5)

    def test_several_runs_share_time_and_colours(self):
        browser = self.open("both.html", 1280)
        self.assertEqual(browser.evaluate("scree.runs.map(run => run.name).join()"), "stack.h5,newton.h5")
        browser.evaluate("(bar => { bar.value = 0.3; bar.dispatchEvent(new Event('input')); })(document.getElementById('scrub-all'))")
        times = json.loads(browser.evaluate("JSON.stringify(scree.runs.map(run => run.page.player.time))"))
        np.testing.assert_allclose(times, [0.3, 0.3], rtol=0, atol=1e-9)
        with h5py.File(self.folder / "stack.h5") as one, h5py.File(self.folder / "newton.h5") as two:
            for colour in ("displacement", "speed"):
                browser.evaluate(f"(m => {{ m.value = '{colour}'; m.dispatchEvent(new Event('change')); }})(document.getElementById('colour-all'))")
                highs = json.loads(browser.evaluate("JSON.stringify(scree.runs.map(run => run.page.controls.colouring.high))"))
                largest = max(np.linalg.norm(f["frames/position"][:] - f["frames/position"][0] if colour == "displacement" else f["frames/velocity"][:, :, :3], axis=-1).max()
                              for f in (one, two))
                np.testing.assert_allclose(highs, [largest, largest], rtol=1e-3)
            ways = [np.linalg.norm(f["frames/position"][-1] - f["frames/position"][0], axis=-1)[1:] for f in (one, two)]
            hashes = [(lambda text: text.decode() if isinstance(text, bytes) else text)(f.attrs["state_hash"])[:12] for f in (one, two)]
        rows = json.loads(browser.evaluate("JSON.stringify([...document.querySelectorAll('#moved-all tbody tr')].map(row => [...row.cells].map(cell => cell.textContent)))"))
        names, difference = ["lower", "upper", "ball"], np.abs(ways[0] - ways[1])
        self.assertEqual([row[0] for row in rows], [names[i] for i in np.argsort(-difference)])
        for row in rows:
            i = names.index(row[0])
            np.testing.assert_allclose([float(x) for x in row[1:]], [difference[i], ways[0][i], ways[1][i]], rtol=1e-3, atol=2e-5)
        differing = browser.evaluate("[...document.querySelectorAll('#facts-all tr.differs')].map(row => row.innerText).join('\\n')")
        self.assertIn(hashes[0], differing)
        self.assertIn(hashes[1], differing)
        self.assertRegex(differing, r"--law newton")
        self.assertNotRegex(differing, r"(?m)^(theta|dt|tolerance|bodies)\b")
        self.assertEqual(browser.evaluate("document.querySelectorAll('#charts svg polyline').length"), 12)   # six charts of two runs

    def test_run_without_frames_has_a_page_without_replay(self):
        scree("run", "stack.toml", "--out", "bare.h5", "--no-frames", "--force", cwd=self.folder)
        scree("report", "bare.h5", "-o", "bare.html", "--force", cwd=self.folder)
        browser = self.open("bare.html", 1000)
        shown = lambda selector: browser.evaluate(f"document.querySelector('{selector}').offsetParent !== null")
        self.assertEqual([shown(part) for part in ("#replay", ".hint", "#moved", "#charts", "#facts")], [False, False, False, True, True])
        self.assertIn("no replay", browser.evaluate("document.getElementById('notices').innerText"))
        self.assertEqual(browser.evaluate("document.getElementById('chips').lastElementChild.textContent"), "no frames")
        whole = self.open("page.html", 1000)
        for curve in ("kinetic", "sum/contact_normal_work", "iterations"):
            values = [json.loads(page.evaluate(f"JSON.stringify(Array.from(scree.arrays['curve/{curve}/value']))")) for page in (browser, whole)]
            self.assertEqual(*values)
        # Beside one that has frames, and two without any.
        scree("report", "stack.h5", "bare.h5", "-o", "mixed.html", "--force", cwd=self.folder)
        mixed = self.open("mixed.html", 1280)
        self.assertEqual(mixed.evaluate("document.getElementById('moved-note').textContent"), "Not known of runs that kept no frames: bare.h5.")
        self.assertEqual(mixed.evaluate("document.querySelectorAll('#charts svg polyline').length"), 11)   # the farthest way is that of one
        mixed.evaluate("scree.seek(0.3)")
        self.assertAlmostEqual(mixed.evaluate("scree.runs[0].page.player.time"), 0.3, delta=1e-9)
        (self.folder / "other").mkdir(exist_ok=True)
        shutil.copy2(self.folder / "bare.h5", self.folder / "other" / "bare.h5")
        scree("report", "bare.h5", "other/bare.h5", "-o", "bares.html", "--force", cwd=self.folder)
        bares = self.open("bares.html", 1280)
        self.assertEqual(bares.evaluate("[document.querySelector('.runs-bar').offsetParent !== null, document.querySelectorAll('#charts svg polyline').length].join()"), "false,10")

    def test_several_runs_show_what_their_devices_measured(self):
        devices = """
[record]
impacts = { speed = 0.1 }
moved = 0.05
[[group]]
name = "stack"
bodies = ["lower", "upper"]
[[screen]]
name = "gate"
normal = [1, 0, 0]
point = [-0.5, 0, 0]
[[gauge]]
name = "core"
kind = "bodies"
bodies = ["stack"]
"""
        (self.folder / "measured.toml").write_text(SCENE + devices)
        for law in ("fremond", "newton"):
            scree("run", "measured.toml", "--out", f"{law}_measured.h5", "--law", law, "--force", cwd=self.folder)
        scree("report", "fremond_measured.h5", "newton_measured.h5", "stack.h5", "-o", "measured.html", "--force", cwd=self.folder)
        browser = self.open("measured.html", 1280)
        table = json.loads(browser.evaluate("JSON.stringify([...document.querySelectorAll('#measured-all tr')].map(row => [...row.cells].map(cell => cell.textContent)))"))
        self.assertEqual(table[0], ["", "fremond_measured.h5", "newton_measured.h5", "stack.h5"])
        rows = {row[0]: row[1:] for row in table[1:]}
        for k, law in enumerate(("fremond", "newton")):
            with h5py.File(self.folder / f"{law}_measured.h5") as file:
                names = [name.decode() for name in file["groups/name"][()]]
                pairs = [f"{names[a]} on {names[b]}" for a, b in zip(file["groups/pair_a"][()], file["groups/pair_b"][()])]
                impulse = file["groups/impulse"][:, pairs.index("stack on others")]
                stress = file["every_step/stress_gauge_core"][()]
                direction = file["crossings/direction"][()]
                pressure = -stress[:, :3].sum(axis=1) / 3
                expected = {"impacts": len(file["impacts/time"]), "energy lost in impacts [J]": file["impacts/energy_lost"][()].sum(),
                            "gate: passed along its normal": (direction > 0).sum(), "gate: passed against it": (direction < 0).sum(),
                            "stack: free bodies moved farther than 0.05 m": file["groups/moved"][-1, 0],
                            "stack on others: largest mean force of a step [N]": np.linalg.norm(impulse, axis=1).max() / 1e-3,
                            "core: pressure at the end [Pa]": pressure[-1], "core: largest pressure [Pa]": pressure.max()}
            self.assertGreater(expected["impacts"], 0)
            for name, value in expected.items():
                self.assertAlmostEqual(float(rows[name][k]), value, delta=1e-3 * abs(value), msg=name)
        self.assertEqual({row[2] for row in rows.values()}, {"–"})
        frame = "scree.runs[0].frame.contentDocument.getElementById('measured').innerText"
        self.assertIn("Gauges", browser.evaluate(frame))
        plain = self.open("both.html", 1280)
        self.assertIn("The scenes of these runs measure nothing besides.", plain.evaluate("document.body.innerText"))

    def test_several_runs_fit_a_telephone(self):
        browser = self.open("both.html", 390, dark=True)
        self.assertEqual(browser.evaluate("document.documentElement.scrollWidth"), 390)
        self.assertEqual(browser.evaluate("scree.runs.map(run => run.frame.contentDocument.documentElement.scrollWidth <= run.frame.clientWidth).join()"), "true,true")

    def test_runs_of_one_name_are_told_apart_and_no_run_is_written_over(self):
        (self.folder / "other").mkdir(exist_ok=True)
        shutil.copy2(self.folder / "newton.h5", self.folder / "other" / "stack.h5")
        scree("report", "stack.h5", "other/stack.h5", "-o", "same.html", "--force", cwd=self.folder)
        self.assertIn('data-name="other/stack.h5"', (self.folder / "same.html").read_text())
        self.refuse("report", "stack.h5", "newton.h5", "-o", "newton.h5", "--force", says="is the file that is read")
        self.refuse("report", "stack.h5", "absent.h5", "-o", "x.html", says="absent.h5: cannot be read")


def contrast(text, paper):
    def light(colour):
        parts = np.array([float(x) for x in re.findall(r"[\d.]+", colour)[:3]]) / 255
        return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]
    bright, dim = sorted((light(text), light(paper)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


class Reports(program.FolderCase):
    def run_scene(self, text, name="run"):
        (self.folder / f"{name}.toml").write_text(text)
        scree("run", f"{name}.toml", cwd=self.folder)
        return self.folder / f"{name}.h5"

    def test_bad_input_is_refused_in_one_line(self):
        run = self.run_scene(BOUNCES.replace("end = 1.0", "end = 0.01"))
        (self.folder / "text.h5").write_text("not a result file\n")
        (self.folder / "short.h5").write_bytes(run.read_bytes()[:3000])
        with h5py.File(self.folder / "foreign.h5", "w") as file:
            file["x"] = 1
        self.refuse("report", "text.h5", "-o", "page.html", says="text.h5: is not an HDF5 file")
        self.refuse("report", "short.h5", "-o", "page.html", says="short.h5: is damaged or truncated")
        self.refuse("report", "foreign.h5", "-o", "page.html", says="foreign.h5: is an HDF5 file, but no result file")
        self.refuse("report", "absent.h5", "-o", "page.html", says="absent.h5: cannot be read")
        self.refuse("report", "run.h5", "-o", "no/page.html", says="no/page.html: the folder does not exist")
        self.refuse("report", "run.h5", "-o", ".", says="is a folder")
        self.refuse("report", "run.h5", "-o", "page.pdf", says="page.pdf: unknown extension '.pdf'; known: .html, .htm")
        self.refuse("report", "run.h5", "-o", "run.h5", "--force", says="is the file that is read")
        self.refuse("report", "run.h5", "--colour", "red", says="--colour")
        self.refuse("report", "run.h5", "--frames", "1", says="--frames")
        self.refuse("report", says="run")
        (self.folder / "page.html").write_text("mine")
        self.refuse("report", "run.h5", "-o", "page.html", says="page.html: exists already")
        self.assertEqual((self.folder / "page.html").read_text(), "mine")
        scree("report", "run.h5", "-o", "page.html", "--force", cwd=self.folder)
        self.assertIn("<!doctype html>", (self.folder / "page.html").read_text()[:20])

    def test_program_makes_the_same_page_wherever_it_is(self):
        run = self.run_scene(BOUNCES.replace("end = 1.0", "end = 0.01"))
        scree("report", run, "-o", "one.html", cwd=self.folder)
        moved = self.folder / "elsewhere" / "scree"
        moved.parent.mkdir()
        shutil.copy2(program.SCREE, moved)
        scree("report", run, program=moved, cwd=moved.parent)
        self.assertEqual((moved.parent / "run.html").read_bytes(), (self.folder / "one.html").read_bytes())

    def test_warnings_name_what_went_wrong(self):
        run = self.run_scene(BOUNCES.replace("end = 1.0", "end = 0.05"))
        with h5py.File(run, "r+") as file:
            del file["warnings"]   # as in a file of an earlier program
            file.attrs["finished"] = 0
            file["solver/converged"][[3, 7]] = 0
            file["solver/residual_scaled"][7] = 0.125
            file["solver/max_penetration"][11] = 0.02
            file["ledger/balance"][21] = 0.5
        scree("report", run, "-o", "page.html", cwd=self.folder)
        with Browser() as browser:
            browser.open(self.folder / "page.html")
            notices = browser.evaluate("document.getElementById('notices').innerText")
            self.assertEqual(browser.problems, [])
        self.assertIn("did not reach its end", notices)
        self.assertRegex(notices, r"2 of 500 steps .*Worst residual \(scaled\): 0\.125, at t = 0\.0008 s")
        self.assertRegex(notices, r"overlap by up to 0\.02 m, at t = 0\.0012 s: 10 %")
        self.assertRegex(notices, r"energy ledger does not close.*t = 0\.0021 s")

    def test_rolling_resistance_has_its_curves_and_coefficients(self):
        shutil.copy2(pathlib.Path(__file__).resolve().parents[3] / "scenes" / "basics" / "rolling_resistance.toml", self.folder / "run.toml")
        scree("run", "run.toml", "--t-end", "0.5", cwd=self.folder)
        scree("report", "run.h5", "-o", "page.html", cwd=self.folder)
        with Browser() as browser, h5py.File(self.folder / "run.h5", "r") as file:
            browser.open(self.folder / "page.html")
            work = file["ledger/contact_rolling_work"][:]
            self.assertLess(work.sum(), 0.0)
            drawn = browser.evaluate("scree.charts[0].plot.data[1 + scree.charts[0].curves.indexOf('sum/contact_rolling_work')].at(-1)")
            self.assertAlmostEqual(drawn, work.sum(), delta=1e-12 * abs(work.sum()))
            text = browser.evaluate("document.getElementById('facts').innerText")
            self.assertRegex(text, r"most energy from a contact, rolling")
            self.assertRegex(text, r"mu = \S+, e = \S+, fremond, rolling 0\.\d+")
            self.assertEqual(browser.problems, [])

    def test_long_runs_keep_their_extremes(self):
        run = self.run_scene(BOUNCES)
        scree("report", run, "-o", "page.html", "--frames", "7", cwd=self.folder)
        with Browser() as browser, h5py.File(run, "r") as file:
            browser.open(self.folder / "page.html")
            self.assertEqual(browser.evaluate("scree.replay.frames"), 7)
            frames = np.array(browser.evaluate("Array.from(scree.replay.time)"))
            self.assertTrue(np.isin(frames, file["frames/time"][:]).all())
            self.assertEqual((frames[0], frames[-1]), (file["frames/time"][0], file["frames/time"][-1]))
            for name, table in (("kinetic", "ledger"), ("max_negative_normal_work", "ledger"), ("max_penetration", "solver")):
                time, values = (np.array(browser.evaluate(f"Array.from(scree.arrays['curve/{name}/{part}'])")) for part in ("time", "value"))
                column = dict(zip(file[f"{table}/time"][:], file[f"{table}/{name}"][:]))
                self.assertLessEqual(len(time), 4000)
                self.assertTrue(all(column[t] == v for t, v in zip(time, values)), name)
                self.assertEqual((values.min(), values.max()), (min(column.values()), max(column.values())))
            self.assertEqual(browser.problems, [])

    def test_without_webgl_the_rest_is_there(self):
        run = self.run_scene(BOUNCES.replace("end = 1.0", "end = 0.01"))
        scree("report", run, "-o", "page.html", cwd=self.folder)
        with Browser(flags=["--disable-3d-apis"]) as browser:
            browser.open(self.folder / "page.html")
            self.assertIn("needs WebGL", browser.evaluate("document.getElementById('replay').innerText"))
            self.assertGreaterEqual(browser.evaluate("document.querySelectorAll('.u-wrap').length"), 8)

    def test_chains_to_planes_and_walls_end_at_the_contact(self):
        """Their centres lie anywhere, that of a round wall on its axis."""
        text = BOUNCES.replace("end = 1.0", "end = 0.02").replace("dt = 1e-4", "dt = 1e-3").replace("position = [0, 0, 0.3]", "position = [0.4, 0, 0.0999999]")
        run = self.run_scene(text + """
[world]
gravity = [3, 0, -9.81]   # against the wall

[[body]]
name = "vessel"
kind = "cylinder_wall"
radius = 0.5
material = "rubber"

[[body]]
name = "other"
kind = "sphere"
radius = 0.1
material = "rubber"
position = [0.2000001, 0, 0.0999999]
""", "vessel")
        scree("report", run, "-o", "page.html", cwd=self.folder)
        with Browser() as browser, h5py.File(run, "r") as file:
            browser.open(self.folder / "page.html")
            browser.evaluate("scree.player.seek(scree.replay.frames - 1); (m => { m.value = 'chains'; m.dispatchEvent(new Event('change')); })(document.getElementById('contacts'))")
            browser.settle()
            segments = json.loads(browser.evaluate("JSON.stringify(scree.stage.forces.segments.map(([c, from, to]) => [c, from.toArray(), to.toArray()]))"))
            self.assertEqual(browser.problems, [])
            names = [name.decode() for name in file["bodies/name"][()]]
            pairs = [{names[file[f"frames/contacts/{body}"][contact]] for body in ("body_a", "body_b")} for contact, _, _ in segments]
            for unbounded in ("ground", "vessel"):
                self.assertTrue(any(unbounded in pair for pair in pairs), pairs)
            for (_, _, end), pair in zip(segments, pairs):
                centres = [file["frames/position"][-1][names.index(name)] for name in pair if name in ("ball", "other")]
                self.assertLess(min(np.linalg.norm(end - centre) for centre in centres), 1e-5)   # the page's quantum is finer

    def test_300_frames_of_1000_bodies_stay_under_20_megabytes(self):
        run = self.run_scene(BOUNCES.replace("end = 1.0", "end = 0.4"))
        big = enlarge(run, self.folder / "big.h5", bodies=1000, frames=300, contacts=2500)
        scree("report", big, "-o", "big.html", cwd=self.folder)
        size = (self.folder / "big.html").stat().st_size
        print(f"300 frames of 1000 bodies with 2500 contacts: {size / 1e6:.1f} MB", file=sys.stderr)
        self.assertLess(size, 20e6)
        with Browser() as browser, h5py.File(big, "r") as file:
            browser.open(self.folder / "big.html")
            self.assertEqual((browser.evaluate("scree.replay.frames"), browser.evaluate("scree.replay.n")), (300, 1000))
            at = np.array(browser.evaluate("Array.from(scree.replay.position.slice(3 * 299 * 1000, 3 * 300 * 1000))")).reshape(-1, 3)
            # float32 numbers of up to 40 m, and the quantum, a millionth of the scene's size or a ten-thousandth of a body's
            np.testing.assert_allclose(at, file["frames/position"][299], rtol=0, atol=5e-5)
            self.assertIn("strongest contacts", browser.evaluate("document.getElementById('notices').innerText"))
            self.assertEqual(browser.problems, [])


def enlarge(source, target, bodies, frames, contacts):
    """A file like `source` with flying, turning balls and random contacts: hardly compressible, so the worst that there is."""
    random = np.random.default_rng(5)
    with h5py.File(source, "r") as old, h5py.File(target, "w", libver="latest") as new:
        new.attrs.update(old.attrs)
        for name in ("scene", "settings", "materials", "shapes", "ledger", "solver"):
            old.copy(name, new)
        for name, table in old["bodies"].items():
            values = np.repeat(table[1:2], bodies, axis=0)
            new[f"bodies/{name}"] = np.array([f"ball-{i}" for i in range(bodies)], "S") if name == "name" else values
        time = np.arange(frames) * 0.001
        step = np.arange(frames) * 10
        start, velocity, spin = random.uniform(-20, 20, (bodies, 3)), random.normal(0, 5, (bodies, 3)), random.normal(0, 5, (bodies, 3))
        kicks = np.cumsum(random.normal(0, 0.3, (frames, bodies, 3)), axis=0)
        position = start + time[:, None, None] * velocity + np.cumsum(kicks, axis=0) * 0.001
        angle = time[:, None] * np.linalg.norm(spin, axis=1)
        axis = spin / np.linalg.norm(spin, axis=1)[:, None]
        orientation = np.concatenate([np.cos(angle / 2)[..., None], np.sin(angle / 2)[..., None] * axis], axis=-1)
        rates = np.concatenate([velocity + kicks, np.broadcast_to(spin, kicks.shape) + kicks], axis=-1)
        for name, values in dict(time=time, step=step, position=position, orientation=orientation, velocity=rates,
                                 active=np.ones((frames, bodies), np.uint8)).items():
            new[f"frames/{name}"] = values
        count = frames * contacts
        pairs = np.sort(random.integers(0, bodies, (frames, contacts)), axis=1).ravel().astype(np.int32)
        normal = random.normal(size=(count, 3))
        impulse = np.abs(random.normal(size=(count, 3)))
        for name, values in dict(offset=np.arange(frames + 1) * contacts, body_a=pairs, body_b=random.integers(0, bodies, count).astype(np.int32),
                                 feature_a=np.zeros(count, np.uint32), feature_b=np.zeros(count, np.uint32), point=random.uniform(-20, 20, (count, 3)),
                                 normal=normal, tangent=normal, gap=random.normal(size=count), impulse=impulse, impulse_world=impulse,
                                 velocity=impulse, status=random.integers(1, 3, count).astype(np.uint8)).items():
            new[f"frames/contacts/{name}"] = values
    return target


class Viewer(unittest.TestCase):
    def test_is_built_from_the_sources_beside_it(self):
        folder = ROOT / "tools" / "viewer"
        digest = hashlib.sha256()
        for file in ["build.mjs", "package-lock.json", *sorted(f"src/{path.name}" for path in (folder / "src").iterdir())]:
            digest.update(f"{file}\n{(folder / file).read_text()}\n".encode())
        built = (folder / "dist" / "report.html").read_text()
        self.assertIn(f'content="{digest.hexdigest()}"', built, "dist/report.html is older than src: npm ci && npm run build in tools/viewer")

    def test_asks_nothing_of_a_network(self):
        for page in ("report.html", "several.html"):
            built = (ROOT / "tools" / "viewer" / "dist" / page).read_text()
            self.assertIsNone(re.search(r"""(?:src|href)=["']?(?:https?:)?//|@import|url\(["']?http""", built), page)

    def test_what_needs_no_library_is_in_the_page_as_written(self):
        source, dist = ROOT / "tools" / "viewer" / "src", ROOT / "tools" / "viewer" / "dist"
        for page, parts in (("report.html", ("style.css", "theme.js", "measured.js", "moved.js")), ("several.html", ("style.css", "several.js"))):
            for part in parts:
                self.assertIn((source / part).read_text(), (dist / page).read_text(), f"{page}: {part}")


if __name__ == "__main__":
    program.main(verbosity=2)
