"""A terrain whose material changes from place to place: by a raster, by polygons; what is wrong with them is said in one line.

usage: zones_test.py SCREE [unittest options]
"""
import json
import math

import h5py

import program
import terrain_test

# Flat ground, 41 x 11 nodes a metre apart; ice west of x = 1020, gravel east of it. Under newton what sticks stops.
COLUMNS, ROWS, EAST, NORTH, EDGE = 41, 11, 1000, 2000, 1020
SCENE = """[world]
origin = [1020, 2005, 500]
[time]
dt = {dt}
end = 8
[law]
default = "newton"
[output]
frames_per_second = 1
[[material]]
name = "stone"
density = 2500
[[material]]
name = "ice"
[[material]]
name = "gravel"
[[contact]]
between = ["stone", "ice"]
mu = 0.05
e = 0
[[contact]]
between = ["stone", "gravel"]
mu = 0.4
e = 0
[[body]]
name = "ground"
kind = "terrain"
file = "ground.asc"
material = "ice"
{zones}
[[body]]
name = "slider"
kind = "points"
points = [[0, 0, 0]]
mass = 2
inertia = [1, 1, 1]
material = "stone"
position = [-15, 0.25, 0]
velocity = [6, 0, 0]
free = ["x", "z"]
"""
BY_RASTER = 'zones = { file = "zones.asc", classes = [{ code = 3, material = "ice" }, { code = 7, material = "gravel" }] }'
BY_POLYGONS = 'zones = { file = "zones.geojson" }'


def ground():
    return f"ncols {COLUMNS}\nnrows {ROWS}\nxllcenter {EAST}\nyllcenter {NORTH}\ncellsize 1\n" + "\n".join(" ".join(["500"] * COLUMNS) for _ in range(ROWS)) + "\n"


def classes(cell=0.5, west=EAST - 1, south=NORTH - 1, columns=84, rows=24, code=lambda x, y: 3 if x < EDGE else 7, nodata=-9999):
    lines = [f"ncols {columns}", f"nrows {rows}", f"xllcorner {west}", f"yllcorner {south}", f"cellsize {cell}", f"nodata_value {nodata}"]
    for row in reversed(range(rows)):
        lines.append(" ".join(str(code(west + (column + 0.5) * cell, south + (row + 0.5) * cell)) for column in range(columns)))
    return "\n".join(lines) + "\n"


def box(west, south, east, north):
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def feature(rings, properties, kind="Polygon"):
    return {"type": "Feature", "properties": properties, "geometry": {"type": kind, "coordinates": rings}}


def collection(*features, **more):
    return json.dumps({"type": "FeatureCollection", **more, "features": list(features)})


GRAVEL = feature([box(EDGE, NORTH - 1, EAST + 50, NORTH + 20)], {"material": "gravel"})


class Case(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(ground(), "ground.asc")
        self.write(classes(), "zones.asc")
        self.write(collection(GRAVEL), "zones.geojson")

    def scene(self, zones=BY_RASTER, dt=1 / 512, name="scene.toml"):
        self.write(SCENE.format(zones=zones, dt=dt), name)

    def run_scene(self, *options):
        return json.loads(self.scree("run", "scene.toml", "--out", "run.h5", "--force", "--json", *options).stdout)


def stopped_at(dt, mu_of, x=-15.0, v=6.0, g=9.81):
    """Where the scheme brings a sliding point to rest: dry friction takes h g mu of the place at the beginning of each step."""
    theta = 0.5
    while v > 0:
        left = max(0.0, v - dt * g * mu_of(x))
        x += dt * ((1 - theta) * v + theta * left)
        v = left
    return x


class Friction(Case):
    def test_a_slider_feels_the_zone_that_it_is_in(self):
        for dt in (1 / 512, 1 / 2048):
            expected = stopped_at(dt, lambda x: 0.05 if x < 0 else 0.4)
            # Of the continuous motion it differs by what one step does at the boundary and at the end.
            exact = (36 - 2 * 9.81 * 0.05 * 15) / (2 * 9.81 * 0.4)
            self.assertLess(abs(expected - exact), 6 * dt)
            hashes = set()
            for zones in (BY_RASTER, BY_POLYGONS):
                with self.subTest(dt=dt, zones=zones):
                    self.scene(zones, dt)
                    hashes.add(self.run_scene()["state_hash"])
                    with h5py.File(self.folder / "run.h5") as file:
                        place = file["frames/position"][-1, 1, 0]
                        self.assertAlmostEqual(place - EDGE, expected, delta=1e-9)
                        self.assertEqual(file["frames/velocity"][-1, 1, 0], 0)
                        work = file["ledger/contact_tangential_work"][()].sum()
                        self.assertAlmostEqual(work, -36, delta=1e-9)
                        self.assertLess(abs(file["ledger/balance"][()]).max(), 1e-12 * 36)
            self.assertEqual(len(hashes), 1, "the same zones in two forms")

    def test_restitution_of_the_zone(self):
        """A ball that is let fall on each zone rises as that says."""
        text = SCENE.format(zones=BY_RASTER, dt=0.001).split("[[body]]\nname = \"slider\"")[0].replace("end = 8", "end = 1.2").replace("frames_per_second = 1", "every_step = true")
        first, second = text.split("mu = 0.05\ne = 0", 1)
        text = first + "mu = 0.05\ne = 0.8" + second.replace("mu = 0.4\ne = 0", "mu = 0.4\ne = 0.2", 1).replace("dt = ", "theta = 0.5\ndt = ")
        text = text.replace("every_step = true", "frames_per_second = 1000")
        # The balls are too far apart to meet, which nobody knows beforehand.
        text += '[[contact]]\nbetween = ["stone", "stone"]\nmu = 0\ne = 0\n'
        text += "".join(f"""[[body]]
name = "{name}"
kind = "sphere"
radius = 0.5
material = "stone"
position = [{x}, 0, 2.5]
""" for name, x in (("on ice", -5), ("on gravel", 5)))
        self.write(text, "scene.toml")
        self.run_scene()
        with h5py.File(self.folder / "run.h5") as file:
            speed = file["frames/velocity"][:, 1:, 2]
            for body, e in ((0, 0.8), (1, 0.2)):
                falls = -speed[:, body].min()
                self.assertAlmostEqual(falls, math.sqrt(2 * 9.81 * 2), delta=0.02)
                self.assertAlmostEqual(speed[:, body].max() / falls, e, delta=0.005)

    def test_zones_of_one_law_change_no_bit(self):
        """Rocks, balls and capsules over zones whose materials are all alike move as without zones."""
        self.write(terrain_test.grid(), "ground.asc")
        text = terrain_test.SCENE.replace("[[body]]", '[[material]]\nname = "other"\n[[contact]]\nbetween = ["stone", "other"]\nmu = 0.3\ne = 0.2\n[[body]]', 1)
        self.write(text, "scene.toml")
        hashes = [self.run_scene("--t-end", "3")["state_hash"]]
        self.write(collection(*(feature([box(x, NORTH - 9, x + 0.7, NORTH + 99)], {"material": "other"}) for x in range(990, 1050))), "zones.geojson")
        self.write(text.replace('file = "ground.asc"', 'file = "ground.asc"\nzones = { file = "zones.geojson" }'), "scene.toml")
        for options in ((), ("--threads", "2"), ("--threads", "2", "--backend", "tbb")):
            hashes.append(self.run_scene("--t-end", "3", *options)["state_hash"])
        self.assertEqual(len(set(hashes)), 1, hashes)


class Reading(Case):
    def shares(self, zones):
        self.scene(zones)
        (terrain,) = json.loads(self.scree("check", "scene.toml", "--json").stdout)["terrain"]
        return terrain["zones"]["share_of_area"]

    def test_check_tells_the_shares_of_area(self):
        self.assertEqual(self.shares(BY_RASTER), {"ice": 0.5, "gravel": 0.5})
        self.assertIn("material by zones of zones.asc: ice 50.0 %, gravel 50.0 % of the area", self.scree("check", "scene.toml").stdout)
        self.assertEqual(self.shares(BY_POLYGONS), {"ice": 0.5, "gravel": 0.5})
        # A hole in a polygon, two parts of one, an earlier polygon before a later one, names and codes of the file.
        self.write(collection(
            feature([box(1010, 2000, 1020, 2010)], {"soil": 12}),
            feature([box(1000, 2000, 1040, 2010), box(1020, 2000, 1040, 2005)], {"soil": "loose"}),
            feature([[box(0, 0, 1, 1)], [box(1030, 2000, 1040, 2005)]], {"soil": "loose"}, "MultiPolygon")), "soil.json")
        zones = """zones = { file = "soil.json", property = "soil", classes = [{ code = 12, material = "ice" }, { name = "loose", material = "gravel" }] }"""
        self.assertEqual(self.shares(zones), {"ice": 0.25 + 0.125, "gravel": 0.75 - 0.125})
        # Cells without data are no zone.
        self.write(classes(code=lambda x, y: -9999 if x < 1010 else 7), "zones.asc")
        self.assertEqual(self.shares(BY_RASTER), {"ice": 0.25, "gravel": 0.75})

    def test_what_is_wrong_is_said_in_one_line(self):
        degrees = {"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}}
        ring = [[EDGE, NORTH], [1040, NORTH], [1040, 2010]]
        for name, says, text, zones in (
                ("code", "the code 9 at (1000.25, 2000.25) has no class; `classes` has 3, 7",
                 classes(code=lambda x, y: 9 if (x, y) == (1000.25, 2000.25) else 3), BY_RASTER),
                ("half", "2.5 at", classes(code=lambda x, y: 2.5), BY_RASTER),
                ("small", "does not cover the terrain: its cells go from (1000.5, 1999) to (1042.5, 2011)", classes(west=1000.5), BY_RASTER),
                ("cut", "values", classes()[:400], BY_RASTER),
                ("property of a raster", "a raster has no properties", classes(), BY_RASTER.replace("{ file", '{ property = "soil", file', 1)),
                ("twice", "this class is given twice", classes(), BY_RASTER.replace("code = 7", "code = 3")),
                ("no code", "zones.classes.code", classes(), BY_RASTER.replace("code = 7, ", "")),
                ("material", "unknown value \"gravl\"", classes(), BY_RASTER.replace('material = "gravel"', 'material = "gravl"')),
                ("ending", "unknown kind of raster", None, BY_RASTER.replace("zones.asc", "scene.toml")),
                ("absent", "other.asc", None, BY_RASTER.replace("zones.asc", "other.asc")),
                ("unknown key", "unknown key", None, BY_RASTER.replace("classes", "class")),
                ("no property", 'feature 2: has no property "material"', collection(GRAVEL, feature([box(0, 0, 1, 1)], {"soil": "gravel"})), BY_POLYGONS),
                ("no material", 'feature 1: "sand" is neither a material nor a name', collection(feature([box(0, 0, 1, 1)], {"material": "sand"})), BY_POLYGONS),
                ("number", "feature 1: the code 4 has no class", collection(feature([box(0, 0, 1, 1)], {"material": 4})), BY_POLYGONS),
                ("line", "feature 1: is a LineString; must be a Polygon", collection(feature(ring, {"material": "ice"}, "LineString")), BY_POLYGONS),
                ("open", "last position is not its first", collection(feature([[*ring, [1020, 2010]]], {"material": "ice"})), BY_POLYGONS),
                ("short", "less than four positions", collection(feature([ring], {"material": "ice"})), BY_POLYGONS),
                ("numbers", "position that is no two numbers", collection(feature([[["a", 1]] * 4], {"material": "ice"})), BY_POLYGONS),
                ("far", "none of its polygons lies over the terrain", collection(feature([box(7.1, 46.2, 7.2, 46.3)], {"material": "ice"})), BY_POLYGONS),
                ("degrees", "geographic (degrees)", collection(GRAVEL, **degrees), BY_POLYGONS),
                ("empty", "has no features", collection(), BY_POLYGONS),
                ("kind", "FeatureCollection", json.dumps(GRAVEL), BY_POLYGONS),
                ("json", "zones.geojson: is no sound JSON: line 1, column 10: the file ends", '{"type": ', BY_POLYGONS)):
            with self.subTest(name):
                self.write(classes(), "zones.asc")
                if text is not None:
                    self.write(text, "zones.asc" if "zones.asc" in zones else "zones.geojson")
                self.scene(zones)
                self.refuse("check", "scene.toml", says=says)

    def test_laws_of_all_zones_must_be_there_and_remember_alike(self):
        self.scene()
        text = (self.folder / "scene.toml").read_text()
        self.write(text.replace('between = ["stone", "gravel"]', 'between = ["gravel", "gravel"]'), "scene.toml")
        self.refuse("check", "scene.toml", says='no law for the materials "stone" and "gravel"')
        self.scene()
        self.refuse("check", "scene.toml", "--set", "body[slider].zones={ file = 'zones.geojson' }", says="only a terrain has zones")
        self.write(text.replace("mu = 0.4\n", "mu = 0.4\ndevice = { period_steps = 20 }\n"), "scene.toml")
        self.refuse("check", "scene.toml", says="must be the same in all zones of a ground")

    def test_a_resumed_run_has_the_zones_that_it_began_with(self):
        for zones, name, changed in ((BY_RASTER, "zones.asc", classes(code=lambda x, y: 7)),):
            self.scene(zones)
            whole = self.run_scene()["state_hash"]
            self.scree("run", "scene.toml", "--out", "part.h5", "--force", "--t-end", "2.5", "--checkpoint-every-steps", "100")
            before = (self.folder / name).read_text()
            self.write(changed, name)
            self.refuse("resume", "part.h5.checkpoint", "--t-end", "8", says="zones.asc has other values than the run began with")
            self.write(before, name)
            self.scree("resume", "part.h5.checkpoint", "--t-end", "8")
            self.assertEqual(json.loads(self.scree("info", "part.h5", "--json").stdout)["state_hash"], whole)

    def test_ensembles_have_zones(self):
        site = SCENE.format(zones=BY_POLYGONS, dt=0.005).split("[[body]]\nname = \"slider\"")[0] + """[ensemble]
seed = 1
map = { cell = 1 }
[[ensemble.rock]]
name = "slab"
shape = "box"
sides = [0.6, 0.6, 0.1]
material = "stone"
[[ensemble.release]]
name = "west"
points = [[1012, 2005], [1024, 2005]]
runs = 1
drop = 1e-4
velocity = [2, 0, 0]
rotation = { axis = [0, 0, 1], angle_deg = 0 }
"""
        self.write(site, "site.toml")
        self.scree("ensemble", "site.toml", "-o", "one", "--jobs", "1")
        self.scree("ensemble", "site.toml", "-o", "two", "--jobs", "2")
        rows = (self.folder / "one/runs.csv").read_text()
        self.assertEqual(rows, (self.folder / "two/runs.csv").read_text())
        names, *values = [line.split(",") for line in rows.splitlines() if not line.startswith("#")]
        ends = sorted(float(row[names.index("end_x [m]")]) for row in values)
        # v^2 / (2 g mu) of each zone; a slab that slides stops a little apart, as it tips.
        self.assertAlmostEqual(ends[0] - 1012, 4 / (2 * 9.81 * 0.05), delta=0.1)
        self.assertAlmostEqual(ends[1] - 1024, 4 / (2 * 9.81 * 0.4), delta=0.1)


if __name__ == "__main__":
    program.main()
