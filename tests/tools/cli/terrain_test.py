"""A terrain works in every command: check, run, resume, info, report, export, results; who leaves it is told; bad rasters are refused.

usage: terrain_test.py SCREE [unittest options]
"""
import csv
import json
import math
import signal
import time

import h5py
import numpy

import program

# Two metres a cell; 21 x 11 nodes from (1000, 2000) on; a hole at its eastern end, a slope of 1 : 2 towards it.
COLUMNS, ROWS, CELL = 21, 11, 2.0
EAST, NORTH = 1000.0, 2000.0
SCENE = """title = "Rocks on a raster"
[world]
origin = [1020, 2010, 500]
[time]
dt = 0.002
end = 6
[output]
frames_per_second = 20
[[material]]
name = "stone"
density = 2500
[[contact]]
between = ["stone", "stone"]
mu = 0.3
e = 0.2
[[body]]
name = "ground"
kind = "terrain"
file = "ground.asc"
material = "stone"
[[rock]]
name = "rock"
material = "stone"
size = 1
position = [-14, 0, 8.5]
velocity = [2, 0, 0]
[[body]]
name = "ball"
kind = "sphere"
radius = 0.4
material = "stone"
position = [-15, 4, 9]
[[body]]
name = "log"
kind = "capsule"
radius = 0.2
length = 1
material = "stone"
position = [-15, -4, 9]
rotation = { axis = [0, 1, 0], angle_deg = 90 }
[[body]]
name = "ell"
kind = "compound"
material = "stone"
position = [-13, 7, 8.5]
parts = [
  { kind = "box", sides = [0.8, 0.4, 0.4] },
  { kind = "box", sides = [0.4, 0.4, 0.4], position = [0.2, 0, 0.4] }
]
"""


def height(x, y):
    """Of the node at map coordinates."""
    return 500 - 0.5 * (x - 1020) + 0.1 * math.sin(3 * x + y)


def is_hole(x, y):
    return x > 1034 and abs(y - 2010) < 3


def grid(nodata="-9999", **changes):
    head = dict(ncols=COLUMNS, nrows=ROWS, xllcenter=EAST, yllcenter=NORTH, cellsize=CELL, nodata_value=nodata) | changes
    lines = [f"{key} {value}" for key, value in head.items() if value is not None]
    for row in reversed(range(ROWS)):
        places = [(EAST + CELL * column, NORTH + CELL * row) for column in range(COLUMNS)]
        lines.append(" ".join(nodata if is_hole(x, y) else f"{height(x, y):.3f}" for x, y in places))
    return "\n".join(lines) + "\n"


FIRST = grid().splitlines()[6].split()[0]   # the north-western height


class Case(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SCENE, "scene.toml")
        self.write(grid(), "ground.asc")

    def run_scene(self, *options, out="run.h5", expect=(0, 3)):
        return json.loads(self.scree("run", "scene.toml", "--out", out, "--force", "--json", *options, expect=expect).stdout)


class Departures(Case):
    def test_every_reader_tells_who_left_where_and_when(self):
        for dt in ("0.002", "0.004"):
            with self.subTest(dt=dt):
                done = self.scree("run", "scene.toml", "--out", "run.h5", "--force", "--json", "--set", f"time.dt={dt}")
                summary = json.loads(done.stdout)
                gone = summary["departures"]
                self.assertGreaterEqual(len(gone), 3, "they slide down into the hole or over the rim")
                (warning,) = [w for w in summary["warnings"] if w["id"] == "left-terrain"]
                self.assertEqual(warning["count"], len(gone))
                self.assertEqual(warning["bodies"], [d["body"] for d in gone][:4])
                self.assertNotIn("left-scene", [w["id"] for w in summary["warnings"]])
                info = json.loads(self.scree("info", "run.h5", "--json").stdout)
                self.assertEqual(info["departures"], gone)
                with h5py.File(self.folder / "run.h5") as file:
                    names = [name.decode() for name in file["bodies/name"]]
                    times, active = file["frames/time"][()], file["frames/active"][()]
                    for k, departure in enumerate(gone):
                        self.assertIn(f"'{departure['body']}' left the terrain at t = {departure['time']:.9g} s", done.stderr)
                        body = names.index(departure["body"])
                        self.assertEqual(list(file["departures/position"][k]), departure["position"])
                        self.assertEqual(departure["time"], departure["step"] * float(dt))
                        # From the step after it on it is not there, and stays where it left.
                        self.assertTrue((active[times < departure["time"] + 1e-9, body] == 1).all())
                        self.assertTrue((active[times > departure["time"] + 1e-9, body] == 0).all())
                        self.assertTrue(numpy.allclose(file["frames/position"][-1, body], departure["position"], atol=1e-9))
                        x, y, _ = departure["position"]
                        self.assertTrue(x > 1038 or min(y - 2000, 2020 - y) < 1 or x + 1 > 1034 and abs(y - 2010) < 5, departure)
                    total = sum(file[f"ledger/{name}"][()].sum() for name in file["ledger"] if name.endswith("_work") and not name.startswith("max"))
                    total += file["ledger/numerical_dissipation"][()].sum() + file["ledger/event_energy"][()].sum()
                    kinetic, potential = file["ledger/kinetic"][()], file["ledger/potential"][()]
                    change = kinetic[-1] + potential[-1] - kinetic[0] - potential[0]
                    self.assertAlmostEqual(total / change, 1, delta=1e-9)
                    self.assertLess(numpy.abs(file["ledger/balance"][()]).max(), 1e-12 * file["ledger/energy_scale"][-1])
        self.scree("report", "run.h5", "-o", "page.html")
        header = program.report_header(self.folder / "page.html")
        self.assertEqual([row[1] for row in header["measured"]["departures"]["rows"]], [d["body"] for d in gone])
        self.scree("export", "run.h5", "-o", "gone.csv", "--table", "departures")
        self.assertEqual(len((self.folder / "gone.csv").read_text().splitlines()), 1 + len(gone))

    def test_nobody_starts_off_the_terrain(self):
        for edit, what in (("body[ball].position=[40, 0, 0]", "ball"), ("body[ball].position=[16.5, 0, 0]", "ball"),
                           ("rock[rock].position=[-19.9, 0, 10]", "rock"), ("body[log].position=[-15, -9.9, 8]", "log")):
            for command in ("check", "run"):
                with self.subTest(edit=edit, command=command):
                    self.refuse(command, "scene.toml", "--set", edit, says=f'the body "{what}" starts off the terrain')
        # High above the rim it may start, as its centre is inside.
        self.scree("check", "scene.toml", "--set", "rock[rock].position=[-19.9, 0, 30]")


class SameBits(Case):
    def test_threads_backends_and_resumed_runs(self):
        whole = self.run_scene()
        for options in (("--threads", "2"), ("--threads", "2", "--backend", "tbb"), ("--threads", "1", "--backend", "openmp")):
            self.assertEqual(self.run_scene(*options, out="other.h5")["state_hash"], whole["state_hash"], options)
        first = whole["departures"][0]["step"]
        numbers = program.result_numbers(self.folder / "run.h5")
        # A checkpoint in the middle, one at the end of the step in which the first leaves, one after it.
        for stop in (first // 2, first, first + 1):
            with self.subTest(stop=stop):
                self.scree("run", "scene.toml", "--out", "part.h5", "--force", "--t-end", str(stop * 0.002), "--checkpoint-every-steps", "100000", expect=(0, 3))
                self.scree("resume", "part.h5.checkpoint", "--t-end", "6", "--threads", "2")
                self.assertEqual(program.result_numbers(self.folder / "part.h5")[1]["state_hash"], numbers[1]["state_hash"])
                info = json.loads(self.scree("info", "part.h5", "--json").stdout)
                self.assertEqual(info["departures"], whole["departures"])

    def test_coordinates_of_a_million_metres_are_those_of_the_origin(self):
        near = self.run_scene("--t-end", "2")["state_hash"]
        for far in (1e6, 2793260.428143):
            self.write(grid(xllcenter=repr(EAST + far), yllcenter=repr(NORTH + far)), "ground.asc")
            origin = f"world.origin=[{1020 + far!r}, {2010 + far!r}, 500]"
            self.assertEqual(self.run_scene("--t-end", "2", "--set", origin)["state_hash"], near, far)

    def test_kills_change_nothing(self):
        self.run_scene("--t-end", "30")
        whole = program.result_numbers(self.folder / "run.h5")
        for delay in (0.15, 0.3):
            run = self.start("run", "scene.toml", "--out", "killed.h5", "--force", "--t-end", "30", "--checkpoint-every-steps", "50")
            checkpoint = self.folder / "killed.h5.checkpoint"
            while not checkpoint.exists() and run.poll() is None:
                time.sleep(0.01)
            time.sleep(delay)
            run.send_signal(signal.SIGKILL)
            run.communicate()
            self.scree("resume", "killed.h5.checkpoint", expect=(0, 2, 3))
            numbers = program.result_numbers(self.folder / "killed.h5")
            self.assertEqual(numbers[1], whole[1])
            for name in whole[0]:
                if name.startswith(("departures/", "frames/", "ledger/")):
                    self.assertTrue(numpy.array_equal(numbers[0][name], whole[0][name], equal_nan=whole[0][name].dtype.kind == "f"), name)

    def test_another_raster_refuses_the_resume(self):
        self.scree("run", "scene.toml", "--out", "run.h5", "--t-end", "1", "--checkpoint-every-steps", "100", expect=(0, 3))
        before = program.contents(self.folder)
        text = grid()
        for changed in (text.replace(FIRST, "513.000", 1), text.replace("xllcenter 1000.0", "xllcenter 1000.5")):
            self.assertNotEqual(changed, text)
            self.write(changed, "ground.asc")
            self.refuse("resume", "run.h5.checkpoint", "--t-end", "2", says="ground.asc has other values than the run began with; put the file back")
        (self.folder / "ground.asc").unlink()
        self.refuse("resume", "run.h5.checkpoint", "--t-end", "2", says="ground.asc")
        self.write(text, "ground.asc")
        self.assertEqual(program.contents(self.folder), before)
        self.scree("resume", "run.h5.checkpoint", "--t-end", "2", expect=(0, 3))


class Reading(Case):
    def test_check_and_info_show_the_terrain(self):
        (terrain,) = json.loads(self.scree("check", "scene.toml", "--json").stdout)["terrain"]
        holes = sum(any(is_hole(EAST + CELL * (c + i), NORTH + CELL * (r + j)) for i in (0, 1) for j in (0, 1))
                    for r in range(ROWS - 1) for c in range(COLUMNS - 1))
        self.assertEqual((terrain["body"], terrain["file"], terrain["nodes"], terrain["spacing"]), ("ground", "ground.asc", [COLUMNS, ROWS], [CELL, CELL]))
        self.assertEqual((terrain["cells_without_data"], terrain["cells"]), (holes, (COLUMNS - 1) * (ROWS - 1) - holes))
        self.assertEqual(terrain["low"][:2] + terrain["high"][:2], [EAST, NORTH, EAST + CELL * (COLUMNS - 1), NORTH + CELL * (ROWS - 1)])
        heights = [round(height(EAST + CELL * c, NORTH + CELL * r), 3) for r in range(ROWS) for c in range(COLUMNS)
                   if not is_hole(EAST + CELL * c, NORTH + CELL * r)]
        self.assertAlmostEqual(terrain["low"][2], min(heights), delta=1e-9)
        self.assertAlmostEqual(terrain["high"][2], max(heights), delta=1e-9)
        self.assertTrue(26.6 < terrain["steepest_deg"] < 45, terrain)
        shown = self.scree("check", "scene.toml").stdout
        self.assertIn("terrain      ground: 21 x 11 nodes of ground.asc, 2 x 2 m apart", shown)
        self.assertIn(f"{holes} cells without data", shown)
        self.run_scene("--t-end", "0.1")
        self.assertIn("raster of 21 x 11 nodes", self.scree("info", "run.h5").stdout)
        # The same ground as points is the same run.
        before = json.loads(self.scree("info", "run.h5", "--json").stdout)["state_hash"]
        points = [f"{EAST + CELL * c} {NORTH + CELL * r} {height(EAST + CELL * c, NORTH + CELL * r):.3f}" for r in range(ROWS) for c in range(COLUMNS)
                  if not is_hole(EAST + CELL * c, NORTH + CELL * r)]
        self.write("\n".join(points) + "\n", "ground.xyz")
        self.assertEqual(self.run_scene("--t-end", "0.1", "--set", "body[ground].file=ground.xyz")["state_hash"], before)

    def test_bad_input_is_refused_in_one_line(self):
        for edit, says in (("body[ground].file=other.asc", "other.asc"), ("body[ground].file=scene.toml", "unknown kind of raster"),
                           ("body[ground].fixed=false", "false is not allowed for a terrain"),
                           ("body[ground].diagonal=steep", 'unknown value "steep"'),
                           ("body[ground].motion={ kind = 'velocity', time = [0], linear = [[1, 0, 0]] }", "a terrain stands still"),
                           ("body[ground].rotation={ axis = [0, 0, 1], angle_deg = 10 }", "a terrain lies as its raster says"),
                           ("world.plane=xz", "is a terrain, whose slopes lead out of the plane")):
            with self.subTest(edit=edit):
                self.refuse("check", "scene.toml", "--set", edit, says=says)
        self.refuse("check", "scene.toml", "--set", "body[ground].fil=x.asc", says="unknown key")
        self.refuse("check", "scene.toml", "--set", "world.periodic=[100, 100, 0]", says="does not go with terrain, which 'ground' is")
        text = grid()
        for name, bad, says in (("number", text.replace(FIRST, "5o0.0", 1), "is not a finite number"), ("comma", text.replace(FIRST, "500,0", 1), "has a comma"),
                                ("cut", text[:len(text) // 2], "values"), ("key", "colour 3\n" + text, "unknown key 'colour'"),
                                ("size", grid(cellsize=None), "the header has no cellsize"), ("nan", text.replace(FIRST, "nan", 1), "not a finite number")):
            with self.subTest(name):
                self.write(bad, "ground.asc")
                self.assertIn("ground.asc", self.refuse("check", "scene.toml", says=says))
        self.write(text, "ground.asc")
        self.write('GEOGCS["WGS 84",DATUM["WGS_1984"]]', "ground.prj")
        self.refuse("check", "scene.toml", says="coordinates are geographic (degrees)")
        self.write('PROJCS["NAD83 / x",UNIT["US survey foot",0.3048]]', "ground.prj")
        self.refuse("check", "scene.toml", says="feet")


class Ensembles(Case):
    SITE = SCENE.split("[[rock]]")[0].replace("end = 6", "end = 12") + """[ensemble]
seed = 1
map = { cell = 2 }
[[ensemble.rock]]
name = "block"
shape = "eota"
mass = 500
material = "stone"
[[ensemble.release]]
name = "top"
line = [[1003, 2004], [1003, 2016]]
runs = 12
drop = 0.5
"""

    def test_rocks_that_leave_are_counted_and_stop_there(self):
        self.write(self.SITE, "site.toml")
        for dt in ("0.002", "0.004"):
            done = self.scree("ensemble", "site.toml", "-o", "out", "--force", "--set", f"time.dt={dt}")
            with open(self.folder / "out" / "runs.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            gone = [row for row in rows if row["end"] == "left"]
            self.assertGreater(len(gone), 5, rows)
            self.assertIn(f"{len(gone)} ", done.stdout + done.stderr)
            for row in gone:
                self.assertIn("left-terrain", [word.split("=")[0] for word in row["warnings"].split()])
                x, y = float(row["end_x [m]"]), float(row["end_y [m]"])
                self.assertTrue(x > EAST + CELL * (COLUMNS - 1) - 1 or min(y - NORTH, NORTH + CELL * (ROWS - 1) - y) < 1
                                or x > 1033 and abs(y - 2010) < 5, row)

    def test_releases_over_no_data_are_refused(self):
        for places in ("[[1036.5, 2010]]", "[[1020, 2010], [990, 2010]]"):
            self.write(self.SITE.replace("line = [[1003, 2004], [1003, 2016]]", f"points = {places}"), "site.toml")
            self.refuse("ensemble", "site.toml", "-o", "out", says=("ensemble.release", "there is no ground under run"))


class Export(Case):
    def test_every_format_draws_the_ground(self):
        self.run_scene("--t-end", "1")
        for kind in ("vtkhdf", "pvd", "obj", "glb", "png"):
            self.scree("export", "run.h5", "-o", f"run.{kind}")
        cells = json.loads(self.scree("check", "scene.toml", "--json").stdout)["terrain"][0]["cells"]
        with h5py.File(self.folder / "run.h5") as file:
            shape = file[f"shapes/{file['bodies/shape'][0]}"]
            self.assertEqual(shape["kind"][()].decode(), "terrain")
            self.assertEqual(len(shape["face_begin"]), 2 * cells + 1)
            vertices = shape["vertices"][()]
            self.assertEqual(len(vertices), COLUMNS * ROWS)
            self.assertAlmostEqual(vertices[0][2] + 500, round(height(EAST, NORTH), 3), delta=1e-9)
        obj = (self.folder / "run.obj").read_text()
        self.assertIn("o ground", obj)
        self.assertGreater(sum(line.startswith("f ") for line in obj.splitlines()), 2 * cells)


if __name__ == "__main__":
    program.main()
