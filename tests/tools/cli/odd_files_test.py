"""What reads result files, against odd ones: cut, changed, empty, with names and options that nobody expects.

usage: odd_files_test.py SCREE [unittest options]
"""
import csv
import json
import random
import shutil
import struct
import xml.etree.ElementTree as ElementTree

import h5py
import numpy

import program
from browser import Browser

NAME = 'a,"b" <img src=x onerror="window.hurt=1"> & \'壁\' .z'
SCENE = f"""
title = 'odd </script> " & <b> 壁'

[time]
dt = 0.001
end = 0.04

[output]
frames_per_second = 100

[[material]]
name = 'sto"ne, <b>'
density = 2300

[[contact]]
between = ['sto"ne, <b>', 'sto"ne, <b>']
mu = 0.6
e = 0.3

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = 'sto"ne, <b>'

[[body]]
name = {json.dumps(NAME, ensure_ascii=False)}
kind = "box"
sides = [1, 1, 1]
material = 'sto"ne, <b>'
position = [0, 0, 0.5]

[[body]]
name = "ball"
kind = "sphere"
radius = 0.3
material = 'sto"ne, <b>'
position = [0, 0, 1.3]
"""

READERS = [("info", "{file}"), ("report", "{file}", "-o", "o/x.html"),
           ("plot", "{file}", "kinetic", "contacts", "height", "contact_forces", "ball.z", "-o", "o/x.svg"),
           *(("export", "{file}", "-o", f"o/x.{kind}", *more) for kind, *more in [
               ("png", "--size", "96x64"), ("glb",), ("vtkhdf",), ("pvd",), ("obj",), ("csv",), ("csv", "--table", "contacts"), ("csv", "--table", "ledger")])]


class Case(program.RunCase):
    SCENE = SCENE

    def setUp(self):
        self.out = self.folder / "o"
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()

    def copy(self, name="copy.h5"):
        return shutil.copy(self.folder / "run.h5", self.folder / name)

    def read_all(self, name, expect, readers=READERS):
        """All readers on one file; those that refuse it say one line about it and leave nothing behind."""
        said = []
        for reader in readers:
            self.setUp()
            done = self.scree(*(part.format(file=name) for part in reader), expect=expect)
            if done.returncode == 2:
                self.assertEqual((done.stdout, len(done.stderr.splitlines()), list(self.out.iterdir())), ("", 1, []), (reader, done.stderr))
                said.append(done.stderr)
        return said


class Damaged(Case):
    def test_cut_anywhere(self):
        whole = (self.folder / "run.h5").read_bytes()
        for i in range(20):
            (self.folder / "cut.h5").write_bytes(whole[:len(whole) * i // 20])
            for line in self.read_all("cut.h5", 2, READERS[:2] + READERS[5:6]):
                self.assertIn("cut.h5: is", line)

    def test_bytes_changed_anywhere(self):
        """Metadata have checksums, numbers have not: a changed number may be shown, but nothing may crash."""
        whole, places = (self.folder / "run.h5").read_bytes(), random.Random(4)
        for _ in range(40):
            changed = bytearray(whole)
            for _ in range(8):
                changed[places.randrange(len(changed))] = places.randrange(256)
            (self.folder / "changed.h5").write_bytes(changed)
            self.read_all("changed.h5", (0, 2), READERS[:1] + [places.choice(READERS[1:])])

    def test_data_sets_that_are_not_there(self):
        names = []
        with h5py.File(self.folder / "run.h5") as file:
            file.visit(names.append)
        for name in names:
            with h5py.File(self.copy(), "r+") as file:
                del file[name]
            self.read_all("copy.h5", (0, 2), [READERS[0], READERS[names.index(name) % (len(READERS) - 1) + 1]])

    def test_settings_that_are_not_there(self):
        for name in ("dt", "gravity", "measure"):
            with h5py.File(self.copy(), "r+") as file:
                del file["settings"].attrs[name]
            self.read_all("copy.h5", (0, 2))

    def test_indices_that_lead_nowhere(self):
        for name, value in (("bodies/shape", 7), ("bodies/shape", -1), ("bodies/material", 1), ("shapes/1/faces", 8), ("shapes/1/face_begin", -1),
                            ("shapes/1/face_begin", 10**6), ("frames/contacts/body_b", 3), ("frames/contacts/body_a", -2), ("frames/contacts/status", 3)):
            with h5py.File(self.copy(), "r+") as file:
                file[name][-1] = value
            refused = self.read_all("copy.h5", (0, 2))
            self.assertTrue(refused, name)
            for line in refused:
                self.assertRegex(line, r"^copy\.h5: is damaged or truncated \(.+\)$")

    def test_frames_that_are_lost(self):
        with h5py.File(self.copy(), "r+") as file:
            file["frames/contacts/offset"][1] = 10**9
        self.refuse("export", "copy.h5", "-o", "o/y.csv", says="fewer frames than times")

    def test_numbers_that_are_none(self):
        for value in (numpy.nan, numpy.inf, -numpy.inf, 1e300):
            with h5py.File(self.copy(), "r+") as file:
                for name in ("position", "orientation", "velocity", "contacts/impulse", "contacts/point", "contacts/gap"):
                    file["frames"][name][-1] = value
                file["ledger/kinetic"][-1] = value
            self.read_all("copy.h5", (0, 2))
            self.refuse("export", "copy.h5", "-o", "o/y.glb",
                        says="no finite number in single precision" if value == 1e300 else "a pose that is not finite")

    def test_newer_version(self):
        with h5py.File(self.copy(), "r+") as file:
            file.attrs["version"] = numpy.int64(6)
        for line in self.read_all("copy.h5", 2):
            self.assertEqual(line, "copy.h5: has version 6 of the result format; this program reads up to version 5\n")

    def test_no_bodies(self):
        """Not from this program, which wants a body in a scene."""
        with h5py.File(self.folder / "run.h5") as old, h5py.File(self.folder / "none.h5", "w", libver="latest") as new:
            new.attrs.update(old.attrs)
            for name in old:
                old.copy(name, new)
            for name in [f"bodies/{name}" for name in new["bodies"]]:
                values = new[name][:0]
                del new[name]
                new[name] = values
            for name in ("position", "orientation", "velocity", "active", "body_impulse_sum"):
                values = new["frames"][name][:, :0]
                del new["frames"][name]
                new["frames"][name] = values
            del new["frames/contacts"], new["frames/pairs"], new["frames/last_velocity"]
        self.read_all("none.h5", (0, 2))


class Odd(Case):
    def test_names_survive_every_format(self):
        self.read_all("run.h5", 0)
        for reader in READERS[1:]:
            self.scree(*(part.format(file="run.h5") for part in reader), "--force")
        self.scree("export", "run.h5", "-o", "o/x.csv", "--force")
        with open(self.out / "x.csv", newline="", encoding="utf8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["name"] for row in rows}, {"ground", NAME, "ball"})
        glb = (self.out / "x.glb").read_bytes()
        nodes = json.loads(glb[20:20 + struct.unpack("<I", glb[12:16])[0]])["nodes"]
        self.assertEqual([node["name"] for node in nodes[1:]], ["ground", NAME, "ball"])
        self.scree("plot", "run.h5", f"{NAME}.z", "-o", "o/name.svg")
        for path in (*self.out.rglob("*.svg"), *self.out.rglob("*.pvd"), *self.out.rglob("*.vtp")):
            ElementTree.parse(path)
        self.assertIn(f"{NAME}.z", {element.text for element in ElementTree.parse(self.out / "name.svg").iter()})
        self.assertEqual(sum(line.startswith("o ") for line in (self.out / "x.obj").read_text(encoding="utf8").splitlines()), 3)

    def test_names_do_nothing_in_the_page(self):
        self.scree("report", "run.h5", "-o", "o/x.html")
        with Browser() as browser:
            browser.open(self.out / "x.html")
            browser.evaluate("scree.player.seek(2); scree.stage.canvas.scrollIntoView()")
            x, y, width, height = json.loads(browser.evaluate("JSON.stringify((r => [r.x, r.y, r.width, r.height])(scree.stage.canvas.getBoundingClientRect()))"))
            for k in range(40):   # from the middle down the box is hit somewhere
                browser.mouse("mouseMoved", x=x + width / 2, y=y + height * (0.3 + 0.01 * k))
                browser.settle()
                shown = browser.evaluate("document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText")
                if NAME in shown:
                    break
            self.assertIn(NAME, shown)
            self.assertEqual((browser.evaluate("window.hurt === undefined"), browser.problems), (True, []))

    def test_one_step(self):
        self.write(SCENE.replace("end = 0.04", "end = 0.001"), "one.toml")
        self.scree("run", "one.toml", "--force")
        self.read_all("one.h5", 0)

    def test_one_frame(self):
        """The start alone, as a run leaves it that was killed early."""
        with h5py.File(self.copy("start.h5"), "r+") as file:
            for name in ("time", "step", "position", "orientation", "velocity", "active", "body_impulse_sum"):
                file["frames"][name].resize(1, axis=0)
            for name in ("contacts", "pairs"):
                for table in file["frames"][name].values():
                    table.resize(2 if table.name.endswith("offset") else 0, axis=0)
            for group in ("ledger", "solver"):
                for table in file[group].values():
                    table.resize(1 if group == "ledger" else 0, axis=0)
            file.attrs["finished"] = 0
        for line in self.read_all("start.h5", (0, 2)):
            self.assertEqual(line, "contact_forces: no contact of frame 0 carries a force\n")

    def test_no_frames(self):
        self.write(SCENE.replace("frames_per_second = 100", "keep_frames = false"), "none.toml")
        self.scree("run", "none.toml", "--force")
        report = next(reader for reader in READERS if reader[0] == "report")
        for reader in READERS[1:-1]:
            if reader is not report:
                for line in self.read_all("none.h5", 2, [reader]):
                    self.assertRegex(line, "no frames|no contacts")
        self.read_all("none.h5", 0, [READERS[0], report, READERS[-1], ("plot", "{file}", "kinetic", "contacts", "-o", "o/x.png")])

    def test_options_out_of_range(self):
        for option, values in (("--time", ["nan", "inf", "-1", "1e400", "1e9"]), ("--times", ["0,nan", "0,0.04,-inf"]),
                               ("--frame", ["5", "-6", "9223372036854775807", "-9223372036854775808", "99999999999999999999999"]),
                               ("--panels", ["0", "101", "99999999999999999999"])):
            for value in values:
                self.refuse("export", "run.h5", "-o", "o/x.png", option, value, says=option.strip("-").rstrip("s"))
                if option in ("--time", "--frame"):
                    self.refuse("plot", "run.h5", "contact_forces", "-o", "o/x.svg", option, value, says=option.strip("-"))

    def test_empty_arguments(self):
        """Of a shell variable that is not set: not the same as a zero, or as no option."""
        for option in ("--time", "--frame", "--panels", "--size", "--width"):
            self.refuse("export", "run.h5", "-o", "o/x.png", option, "", says=f"an argument is empty, after '{option}'")
        self.refuse("export", "run.h5", "-o", "o/x.png", "--time=", says="an argument is empty, after '--time='")
        self.refuse("info", "", says="an argument is empty, after 'info'")
        self.refuse("plot", "run.h5", "kinetic", "", "-o", "o/x.svg", says="an argument is empty, after 'kinetic'")

    def test_checkpoint_instead_of_its_result(self):
        self.scree("run", "scene.toml", "--out", "kept.h5", "--checkpoint-every-steps", "20", "--force")
        for line in self.read_all("kept.h5.checkpoint", 2):
            self.assertEqual(line, "kept.h5.checkpoint: is a checkpoint, not a result file; `scree resume` goes on from it\n")
        line = self.refuse("resume", "kept.h5.checkpoint", "--threads", "-1", says="--threads: -1 is not allowed; must be an integer from 0 to 4096")
        self.assertLess(len(line), 120)

    def test_output_that_is_the_input_or_cannot_be(self):
        for kind in ("png", "glb", "vtkhdf", "pvd", "csv", "obj"):
            self.copy(f"same.{kind}")
            (self.out / f"link.{kind}").symlink_to(self.folder / "run.h5")
            self.refuse("export", f"same.{kind}", "-o", f"same.{kind}", "--force", says="is the file that is read")
            self.refuse("export", "run.h5", "-o", f"o/link.{kind}", "--force", says="is the file that is read")
            self.refuse("export", "run.h5", "-o", f"o/no/x.{kind}", says="the folder does not exist")
        for out in ("o/x.PNGX", "o/x", "o/.png", "o/x.png/", "o/x.h5"):
            self.refuse("export", "run.h5", "-o", out, says="unknown extension")

    def test_folder_of_a_pvd_file(self):
        """What stands where the .vtp files go is checked before anything is written."""
        (self.out / "x").write_text("mine")
        self.refuse("export", "run.h5", "-o", "o/x.pvd", says="o/x: is no folder")
        self.refuse("export", "run.h5", "-o", "o/x.pvd", "--force", says="o/x: is no folder")
        (self.out / "x").unlink()
        (self.out / "x").mkdir()
        (self.out / "x" / "bodies_00000.vtp").write_text("mine")
        self.refuse("export", "run.h5", "-o", "o/x.pvd", says="o/x: exists already and is not empty")
        self.scree("export", "run.h5", "-o", "o/x.pvd", "--force")
        self.assertEqual(len(list((self.out / "x").iterdir())), 10)

    def test_bodies_are_named_when_one_is_unknown(self):
        self.refuse("plot", "run.h5", "rock.z", "-o", "o/x.svg", says=["there is no body 'rock'", "known are ground, ", ", ball"])


if __name__ == "__main__":
    program.main()
