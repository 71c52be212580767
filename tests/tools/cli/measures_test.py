"""Impact log, screens and groups reach every command: check, run, info, CSV with units, plots, the report and the reading example.

usage: measures_test.py SCREE [unittest options]
"""
import csv
import json
import pathlib
import subprocess
import sys

import h5py
import numpy

import program

ROOT = pathlib.Path(__file__).resolve().parents[3]

# A tower on a table that is shaken, and a ball that flies through a window before it hits it.
SCENE = """
title = "Measured"

[time]
dt = 0.001
end = 0.5

[output]
frames_per_second = 40
velocities = "double"

[record]
impacts = { speed = 0.1, impulse = 2 }
moved = 0.02
relative_to = "table"

[[material]]
name = "stone"
density = 1000

[[contact]]
between = ["stone", "stone"]
mu = 0.5
e = 0.1

[[body]]
name = "table"
kind = "box"
sides = [4, 4, 0.2]
position = [0, 0, -0.1]
material = "stone"
group = "foundation"
motion = { kind = "velocity", time = [0, 0.1, 0.3, 0.5], linear = [[0, 0, 0], [0.4, 0, 0], [-0.4, 0, 0], [0, 0, 0]] }

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
position = [-0.801, 0, 0.4]
velocity = [4, 0, 1]
angular_velocity = [0, 0, 2]

[[gauge]]
name = "core"
kind = "bodies"
bodies = ["tower"]

[[screen]]
name = "window"
corners = [[-0.4, -1, 0], [-0.4, 1, 0], [-0.4, 1, 1], [-0.4, -1, 1]]
bodies = ["ball"]
"""


class Measures(program.FolderCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = program.new_folder(cls.addClassCleanup)
        (cls.folder / "scene.toml").write_text(SCENE)
        program.scree("run", "scene.toml", "--out", "run.h5", cwd=cls.folder)

    def table(self, name):
        """{column: values} of a CSV table; numbers where they are."""
        self.scree("export", "run.h5", "-o", f"{name}.csv", "--table", name, "--force")
        with (self.folder / f"{name}.csv").open(newline="", encoding="utf8") as text:
            rows = list(csv.reader(text))
        columns = dict(zip(rows[0], zip(*rows[1:])))
        for column, values in columns.items():
            try:
                columns[column] = numpy.array([float(value) for value in values])
            except ValueError:
                pass
        return columns

    def ledger(self, name):
        with h5py.File(self.folder / "run.h5") as file:
            return file[f"ledger/{name}"][()]

    def test_impacts_have_units_names_and_the_numbers_of_the_file(self):
        log, below = self.table("impacts"), self.table("below_threshold")
        with h5py.File(self.folder / "run.h5") as file:
            numpy.testing.assert_array_equal(log["time [s]"], file["impacts/time"][()])
            numpy.testing.assert_array_equal(log["velocity_before n [m/s]"], file["impacts/velocity_before"][:, 0])
            numpy.testing.assert_array_equal(log["impulse_world z [N s]"], file["impacts/impulse_world"][:, 2])
            self.assertEqual(file["impacts/energy_lost"].attrs["unit"].decode(), "J")
            self.assertEqual(file.attrs["version"], 5)
        self.assertGreater(len(log["step"]), 5)
        self.assertLessEqual(set(log["name of body_a"]) | set(log["name of body_b"]), {"table", "ball", "tower-1", "tower-2", "tower-3"})
        fast, heavy = log["velocity_before n [m/s]"] <= -0.1, numpy.linalg.norm([log[f"impulse {axis} [N s]"] for axis in "nts"], axis=0) >= 2
        self.assertTrue((fast | heavy).all())
        for work in ("normal", "tangential"):
            sums = numpy.bincount(log["step"].astype(int), log[f"{work}_work [J]"], minlength=len(self.ledger("time")))[1:]
            rest = sums + below[f"{work}_work [J]"] - self.ledger(f"contact_{work}_work")[1:]
            self.assertLess(abs(rest).max(), 1e-15 * self.ledger("energy_scale")[-1])
        lost = -sum(self.ledger(f"contact_{work}_work").sum() for work in ("normal", "tangential"))
        booked = log["energy_lost [J]"].sum() - below["normal_work [J]"].sum() - below["tangential_work [J]"].sum()
        self.assertAlmostEqual(booked, lost, delta=1e-13 * self.ledger("energy_scale")[-1])

    def test_window_notes_the_ball_once_on_its_parabola(self):
        passed = self.table("crossings")
        self.assertEqual((passed["name of screen"], passed["name of body"]), (("window",), ("ball",)))
        self.assertEqual(passed["direction"], [1])
        # Theta = 1/2 and no contact: v_theta of the step that starts at t_k is v_0 - g (t_k + h/2), the way up to t_k exact.
        h, g, mass = 1e-3, 9.81, 1000 * 4 / 3 * numpy.pi * 1e-3
        k, share = 100, (0.401 - 4 * h * 100) / (4 * h)
        vz = 1 - g * (k + 0.5) * h
        z = 0.4 + k * h - g * (k * h) ** 2 / 2 + share * h * vz
        for column, value in {"time [s]": (k + share) * h, "position x [m]": -0.4, "step": k + 1, "position z [m]": z, "velocity x [m/s]": 4,
                              "velocity z [m/s]": vz, "spin z [rad/s]": 2, "height [m]": z, "kinetic_energy [J]": mass * (16 + vz * vz) / 2,
                              "rotation_energy [J]": 0.5 * 0.4 * mass * 0.01 * 4, "potential_energy [J]": mass * g * z}.items():
            self.assertAlmostEqual(passed[column][0], value, delta=1e-12 * abs(value), msg=column)

    def test_groups_balance_momentum(self):
        groups = self.table("groups")
        with h5py.File(self.folder / "run.h5") as file:
            velocity, mass = file["frames/velocity"][:, :, :3], file["bodies/mass"][()]
            names = [name.decode() for name in file["bodies/name"][()]]
            time = file["frames/time"][-1]
        tower = [i for i, name in enumerate(names) if name.startswith("tower")]
        change = sum(mass[i] * (velocity[-1, i] - velocity[0, i]) for i in tower)
        given = numpy.array([groups[f"foundation on tower: impulse {axis} [N s]"].sum() - groups[f"tower on others: impulse {axis} [N s]"].sum()
                             for axis in "xyz"])
        weight = numpy.array([0, 0, -9.81 * time * sum(mass[i] for i in tower)])
        numpy.testing.assert_allclose(given + weight, change, atol=1e-10 * numpy.linalg.norm(weight))
        self.assertGreater(groups["tower: bodies moved"][-1], 0)
        numpy.testing.assert_allclose(groups["foundation on tower: mean force z [N]"], groups["foundation on tower: impulse z [N s]"] / 1e-3)

    def test_pairs_are_those_of_the_file(self):
        pairs = self.table("pairs")
        with h5py.File(self.folder / "run.h5") as file:
            numpy.testing.assert_array_equal(pairs["impulse z [N s]"], file["frames/pairs/impulse_sum"][:, 2])
            numpy.testing.assert_array_equal(pairs["mean moment x [N m]"], file["frames/pairs/mean_moment"][:, 0])

    def test_displacements_are_seen_from_the_table(self):
        bodies = self.table("bodies")
        with h5py.File(self.folder / "run.h5") as file:
            x = file["frames/position"][()]
        seen = (x - x[0]) - (x - x[0])[:, :1]
        numpy.testing.assert_allclose(bodies["relative displacement x [m]"], seen[:, :, 0].ravel(), atol=1e-15)
        self.assertGreater(abs(x[:, 0, 0]).max(), 0.02)
        self.scree("plot", "run.h5", "tower-1.displacement", "-o", "relative.svg", "--force")
        self.assertIn("displacement relative to table [m]", (self.folder / "relative.svg").read_text())

    def test_plots_know_what_was_measured(self):
        quantities = ("impacts.speed", "impacts.impulse", "impacts.energy_lost", "window.passed", "window.speed", "window.energy", "tower.moved",
                      "foundation:tower.force", "others:tower.impulse", "contact_work", "total_work", "sum(contact_normal_work)")
        self.scree("plot", "run.h5", *quantities, "-o", "measured.svg", "--force")
        svg = (self.folder / "measured.svg").read_text()
        for quantity in quantities:
            self.assertIn(f">{quantity}<", svg)
        self.refuse("plot", "run.h5", "impacts.sped", "-o", "x.svg", says="known are speed, impulse, energy_lost")
        self.refuse("plot", "run.h5", "tower:roof.force", "-o", "x.svg", says="there is no group 'roof'")
        self.refuse("plot", "run.h5", "door.passed", "-o", "x.svg", says="the run has no body, screen, group or gauge 'door' that has 'passed'")
        for wrong in ("kinetic", "step", "impacts.speed", "window.height", "tower.moved", "ball.x"):
            self.refuse("plot", "run.h5", f"sum({wrong})", "-o", "x.svg", says="its sum means nothing")

    def test_sums_of_plots_are_those_of_sweeps(self):
        sums = ("sum(iterations)", "sum(impacts.impulse)", "sum(impacts.energy_lost)", "sum(window.energy)", "sum(contact_normal_work)")
        self.scree("plot", "run.h5", *sums, "-o", "sums.svg", "--csv", "sums.csv", "--force")
        self.scree("sweep", "scene.toml", "--set", "time.end=0.5", *(word for measure in sums for word in ("--measure", measure)), "-o", "sums_of_sweep.csv", "--force")
        with (self.folder / "sums.csv").open(newline="", encoding="utf8") as text:
            last = {row["curve"]: (row["panel"], float(row["x"]), float(row["y"])) for row in csv.DictReader(text)}
        with (self.folder / "sums_of_sweep.csv").open(newline="", encoding="utf8") as text:
            (row,) = csv.DictReader(text)
        swept = {name.split(" [")[0]: value for name, value in row.items()}
        for name in sums:
            self.assertEqual(last[name][2], float(swept[name]), name)   # added up in the same order
            self.assertAlmostEqual(last[name][1], 0.5, delta=1e-12)
        self.assertEqual(last["sum(impacts.impulse)"][0], "so far: impulse of impacts [N s]")

    def test_messages_about_several_files_name_the_one(self):
        self.write(program.falling_ball(0.01), "plain.toml")
        self.scree("run", "plain.toml", "--out", "plain.h5", "--force")
        for quantity, says in (("tower-1.x", "there is no body 'tower-1'"), ("window.passed", "has no body, screen, group or gauge 'window'"), ("ground.ax", "no [world] acceleration")):
            self.refuse("plot", "run.h5", "plain.h5", quantity, "-o", "x.svg", says=["plain.h5: " if quantity != "ground.ax" else "run.h5: ", quantity, says])

    def test_names_mean_one_thing(self):
        for name, what in (("ball", "a body"), ("tower", "a group"), ("window", "a screen"), ("others", "the bodies that are in no group"), ("tower:others", "what one group gives another")):
            self.write(SCENE.replace('name = "core"', f'name = "{name}"'), "named.toml")
            said = self.refuse("check", "named.toml", says=[f'"{name}" is not allowed; it means', "already in names of curves"])
            self.assertTrue(what in said or name == "window", said)   # screens may be read first
        for old, key in (('name = "core"', "gauge.name"), ('name = "window"', "screen.name"), ('name = "ball"', "body.name"), ('group = "tower"', "stack.group")):
            self.write(SCENE.replace(old, old.split("=")[0] + '= "impacts"'), "named.toml")
            self.refuse("check", "named.toml", says=[key, '"impacts" is not allowed; it means the impact log in names of curves'])
        # A body whose name looks like that of a pair is there beside it.
        self.write(SCENE.replace('name = "ball"', 'name = "foundation:tower"').replace('bodies = ["ball"]', 'bodies = ["foundation:tower"]'), "named.toml")
        self.scree("run", "named.toml", "--t-end", "0.05", "--out", "named.h5", "--force")
        self.scree("plot", "named.h5", "foundation:tower.x", "foundation:tower.force", "-o", "named.svg", "--force")
        self.scree("sweep", "named.toml", "--set", "time.end=0.01", "--measure", "foundation:tower.x", "--measure", "foundation:tower.force", "-o", "named.csv", "--force")

    def test_screens_say_whom_they_do_not_note(self):
        self.write(SCENE.replace('bodies = ["ball"]', 'bodies = ["ball", "foundation"]'), "both.toml")
        self.assertIn("notes 1 bodies; 1 more is fixed or driven, whose passing is not noted", self.scree("check", "both.toml").stdout)
        self.assertNotIn("not noted", self.scree("check", "scene.toml").stdout)
        # Without names those that are driven: the table.
        self.write(SCENE.replace('bodies = ["ball"]\n', ""), "all.toml")
        self.assertIn("notes 4 bodies; 1 more is fixed or driven", self.scree("check", "all.toml").stdout)
        self.assertEqual(json.loads(self.scree("check", "all.toml", "--json").stdout)["measures"]["screens"]["window"]["not_noted"], 1)

    def test_check_info_and_the_reading_example_tell_of_them(self):
        said = self.scree("check", "scene.toml").stdout
        for part in ("logged from 0.1 m/s or 2 N s on", "window: polygon of 4", "group        tower: 3 bodies", "farther than 0.02 m", "relative to table"):
            self.assertIn(part, said)
        measures = json.loads(self.scree("check", "scene.toml", "--json").stdout)["measures"]
        self.assertEqual((measures["groups"], measures["screens"]["window"]["bodies"]), ({"foundation": 1, "tower": 3}, 1))
        info = json.loads(self.scree("info", "run.h5", "--json").stdout)
        self.assertEqual((info["crossings"], info["groups"]), (1, ["foundation", "tower", "others"]))
        self.assertEqual(info["impacts"], len(self.table("impacts")["step"]))
        read = subprocess.run([sys.executable, ROOT / "tools" / "read_results.py", "run.h5"], cwd=self.folder, text=True, stdout=subprocess.PIPE, check=True)
        self.assertEqual(read.stdout.count(" J lost"), info["impacts"])
        (passed,) = [line for line in read.stdout.splitlines() if "passes window" in line]
        self.assertRegex(passed, r"ball passes window at 0.10025 s with 4.0\d* m/s: \d+\.\d+ J")
        self.assertRegex(read.stdout, r"foundation on tower +[\d.]+ N s from contacts, [\d.]+ N at most")

    def test_sweeps_measure_what_single_runs_record(self):
        """Each number of a row is that of the result file of the same run, bit for bit; sums to round-off."""
        measures = ("impacts.speed", "max(impacts.impulse)", "sum(impacts.energy_lost)", "window.passed", "max(window.speed)", "sum(window.energy)", "tower.moved",
                    "foundation:tower.impulse", "max(tower:others.fx)", "core.pressure", "min(core.sigma_xz)", "contact_work", "total_work")
        speeds = ("3", "4", "-1")
        self.scree("sweep", "scene.toml", "--set", f"body[ball].velocity[0]={','.join(speeds)}", *(word for measure in measures for word in ("--measure", measure)), "-o", "sweep.csv")
        with (self.folder / "sweep.csv").open(newline="", encoding="utf8") as text:
            table = list(csv.DictReader(text))
        for speed, row in zip(speeds, table):
            found = {key.split(" [")[0]: value for key, value in row.items()}
            self.scree("run", "scene.toml", "--set", f"body[ball].velocity[0]={speed}", "--out", "one.h5", "--force")
            with h5py.File(self.folder / "one.h5") as file:
                names = [name.decode() for name in file["groups/name"][()]]
                pairs = [(names[a], names[b]) for a, b in zip(file["groups/pair_a"][()], file["groups/pair_b"][()])]
                impacts, crossings = ({column: item[()] for column, item in file[log].items() if isinstance(item, h5py.Dataset)} for log in ("impacts", "crossings"))
                on_tower = file["groups/impulse"][:, pairs.index(("foundation", "tower"))]
                on_others = file["groups/impulse"][:, pairs.index(("tower", "others"))]
                stress = file["every_step/stress_gauge_core"][()]
                ledger = {name: item[()] for name, item in file["ledger"].items()}
                exact = {"impacts.speed": -impacts["velocity_before"][-1, 0], "window.passed": len(crossings["time"]), "tower.moved": file["groups/moved"][-1, names.index("tower")],
                         "max(tower:others.fx)": (on_others[:, 0] / 1e-3).max(), "min(core.sigma_xz)": stress[:, 5].min(), "state_hash": file.attrs["state_hash"].decode()}
                contact = sum(ledger[f"contact_{work}_work"].sum() for work in ("normal", "tangential", "rolling"))
                rounded = {"max(impacts.impulse)": numpy.linalg.norm(impacts["impulse"], axis=1).max(), "sum(impacts.energy_lost)": impacts["energy_lost"].sum(),
                           "foundation:tower.impulse": numpy.linalg.norm(on_tower.sum(axis=0)), "core.pressure": -stress[-1, :3].sum() / 3, "contact_work": contact,
                           "total_work": contact + sum(ledger[name].sum() for name in ("external_work", "drag_work", "driven_work", "numerical_dissipation", "projection_work", "event_energy"))}
                if len(crossings["time"]):
                    rounded |= {"max(window.speed)": numpy.linalg.norm(crossings["velocity"], axis=1).max(), "sum(window.energy)": (crossings["kinetic_energy"] + crossings["rotation_energy"]).sum()}
                else:   # who never passed has no speed there, and a sum of nothing is 0
                    exact |= {"max(window.speed)": "", "sum(window.energy)": 0}
            for name, value in exact.items():
                self.assertEqual(found[name], str(value) if isinstance(value, str) else found[name], name)
                if not isinstance(value, str):
                    self.assertEqual(float(found[name]), value, name)
            for name, value in rounded.items():
                self.assertAlmostEqual(float(found[name]), value, delta=1e-12 * max(abs(value), 1), msg=name)
            self.assertEqual(set(measures) - set(exact) - set(rounded), set())
        self.assertEqual([row["window.passed"] for row in table], ["1", "1", "0"])
        for measure, says in (("nobody.passed", "there is no screen, group or gauge 'nobody'"), ("ball.passed", "a body has no 'passed'"), ("window.q", "known are passed, speed"),
                              ("impacts.sped", "known are speed, impulse, energy_lost"), ("tower:roof.force", "there is no group 'roof'"), ("tower:tower.force", "within a group"),
                              ("tower.q", "known is moved"), ("core.q", "known are pressure"), ("sum(tower.moved)", "its sum means nothing"), ("sum(kinetic)", "its sum means nothing")):
            with self.subTest(measure=measure):
                self.refuse("sweep", "scene.toml", "--set", "time.dt=1e-3,5e-4", "--measure", measure, "-o", "x.csv", says=[f"--measure {measure}: ", says])
        # A group may have the name of a body.
        self.scree("sweep", "scene.toml", "--set", "body[table].group=ball,foundation", "--set", "time.end=0.01", "--measure", "ball.x", "--measure", "ball.vx", "-o", "both.csv")
        self.write(program.falling_ball(0.01), "plain.toml")
        self.refuse("sweep", "plain.toml", "--set", "time.dt=1e-3,5e-4", "--measure", "max(impacts.speed)", "-o", "x.csv", says="the scene logs no impacts")

    def test_report_has_them(self):
        self.scree("report", "run.h5", "-o", "page.html", "--force")
        self.assertIn("What was measured", (self.folder / "page.html").read_text())

    def test_reading_example_takes_files_without_contacts(self):
        self.write(SCENE.replace("[output]", "[output]\ncontacts = false"), "few.toml")
        self.scree("run", "few.toml", "--t-end", "0.2", "--out", "few.h5", "--force")
        read = subprocess.run([sys.executable, ROOT / "tools" / "read_results.py", "few.h5"], cwd=self.folder, text=True, stdout=subprocess.PIPE, check=True)
        self.assertIn("ball passes window", read.stdout)

    def test_runs_without_devices_say_so(self):
        self.write(program.falling_ball(0.01), "plain.toml")
        self.scree("run", "plain.toml", "--out", "plain.h5", "--force")
        for table, key in (("impacts", "[record] impacts"), ("below_threshold", "[record] impacts"), ("crossings", "[[screen]]"), ("groups", "[[group]]")):
            self.refuse("export", "plain.h5", "-o", "x.csv", "--table", table, says=key)
        self.refuse("export", "run.h5", "-o", "x.csv", "--table", "impacts", "--frame", "0", says="which is of the whole run")


if __name__ == "__main__":
    program.main()
