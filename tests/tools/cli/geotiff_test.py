"""A terrain from GeoTIFF is that of the same grid as text, and what is wrong with a file is said in one line.

usage: geotiff_test.py SCREE [unittest options]
The slow ones: geotiff_test.py SCREE Large. In builds without GDAL: geotiff_test.py SCREE WithoutGdal
"""
import decimal
import json
import subprocess
import sys
import unittest

import numpy

import program
import terrain_test
from terrain_test import CELL, COLUMNS, EAST, NORTH, ROWS, height, is_hole
from tiff import geotiff

# As geotiff() wants it.
WEST, TOP = EAST - CELL / 2, NORTH + CELL * (ROWS - 1) + CELL / 2
SHOWN = "ground.tif"
PLACES = [[(EAST + CELL * column, NORTH + CELL * row) for column in range(COLUMNS)] for row in reversed(range(ROWS))]


def heights(digits=3, hole=-9999.0, kind=float):
    return numpy.array([[hole if is_hole(x, y) else round(height(x, y), digits) for x, y in row] for row in PLACES], kind)


def exact(value):
    """All digits of a double."""
    return format(decimal.Decimal(value), "f")


def text_of(values, nodata="-9999", number=exact):
    """The same grid as .asc."""
    head = f"ncols {COLUMNS}\nnrows {ROWS}\nxllcenter {EAST}\nyllcenter {NORTH}\ncellsize {CELL}\nnodata_value {nodata}\n"
    return head + "\n".join(" ".join(number(float(value)) for value in row) for row in values) + "\n"


class Case(terrain_test.Case):
    def put(self, values, name=SHOWN, **options):
        options = {"west": WEST, "north": TOP, "cell": CELL, "nodata": "-9999"} | options
        (self.folder / name).write_bytes(geotiff(values, **options))

    def hash_of(self, name, *options):
        run = self.run_scene("--t-end", "0.5", "--set", f"body[ground].file={name}", *options)
        return run["state_hash"]


class SameGround(Case):
    def test_numbers_of_64_bits_are_those_of_the_text(self):
        values = heights()
        expected = self.hash_of("ground.asc")
        for name, options in (("strip", {}), ("rows", {"strip": 3}), ("tiles", {"tile": 16}), ("deflated", {"deflate": True, "tile": 16}),
                              ("big", {"order": ">"}), ("point", {"point": True, "west": EAST, "north": TOP - CELL / 2}),
                              ("matrix", {"transformation": [CELL, 0, 0, WEST, 0, -CELL, 0, TOP, 0, 0, 0, 0, 0, 0, 0, 1]})):
            with self.subTest(name):
                self.put(values, **options)
                self.assertEqual(self.hash_of(SHOWN), expected)
        self.put(values, name="GROUND.TIFF")
        self.assertEqual(self.hash_of("GROUND.TIFF"), expected)
        # Heights of all digits, about origins that have some of their own.
        values = heights(digits=20)
        self.put(values)
        self.write(text_of(values, number=repr), "ground.asc")
        for origin in ("[1020, 2010, 500]", "[1020.1, 2010.3, 500.7]"):
            with self.subTest(origin=origin):
                edit = ("--set", f"world.origin={origin}", "--set", "solver.max_iterations=1000")
                self.assertEqual(self.hash_of(SHOWN, *edit), self.hash_of("ground.asc", *edit))

    def test_holes_by_not_a_number_and_by_the_largest_float(self):
        expected = self.hash_of("ground.asc")
        self.put(heights(hole=numpy.nan), nodata="nan")
        self.assertEqual(self.hash_of(SHOWN), expected)
        values = heights(hole=-3.4028234663852886e+38).astype("f4")
        self.put(values, nodata="-3.4028234663852886e+38")
        self.write(text_of(values, nodata="-3.4028234663852886e+38"), "ground.asc")
        self.assertEqual(self.hash_of(SHOWN), self.hash_of("ground.asc"))

    def test_narrow_numbers_are_exact(self):
        for kind in ("f4", "i2", "i4"):
            with self.subTest(kind):
                values = heights(digits=3 if kind == "f4" else 0).astype(kind)
                self.put(values)
                self.write(text_of(values.astype(float)), "ground.asc")
                self.assertEqual(self.hash_of(SHOWN, "--set", "world.origin=[1020, 2010, 501]"),
                                 self.hash_of("ground.asc", "--set", "world.origin=[1020, 2010, 501]"))

    def test_scaled_integers_are_their_decimals(self):
        expected = self.hash_of("ground.asc")
        values = heights()
        counts = numpy.where(values == -9999, -1, numpy.rint((values - 400) * 1000)).astype("i4")
        self.put(counts, nodata="-1", metadata='<Item name="SCALE" sample="0" role="scale">0.001</Item>'
                                               '<Item name="OFFSET" sample="0" role="offset">400</Item>')
        self.assertEqual(self.hash_of(SHOWN), expected)

    def test_a_resumed_run_finds_the_raster_in_either_form(self):
        self.put(heights())
        self.scree("run", "scene.toml", "--set", f"body[ground].file={SHOWN}", "--out", "run.h5", "--t-end", "0.2", "--checkpoint-every-steps", "10", expect=(0, 3))
        self.put(heights(), tile=16, deflate=True)
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.5", expect=(0, 3))
        self.assertEqual(json.loads(self.scree("info", "run.h5", "--json").stdout)["state_hash"], self.hash_of("ground.asc"))
        changed = heights()
        changed[0, 0] += 1
        self.scree("run", "scene.toml", "--set", f"body[ground].file={SHOWN}", "--out", "other.h5", "--t-end", "0.2", "--checkpoint-every-steps", "10", expect=(0, 3))
        self.put(changed)
        self.refuse("resume", "other.h5.checkpoint", "--t-end", "0.5", says="other values than the run began with")


class Refused(Case):
    def check(self, says, values=None, **options):
        self.put(heights() if values is None else values, **options)
        said = self.refuse("check", "scene.toml", "--set", f"body[ground].file={SHOWN}", says=says)
        self.assertIn(SHOWN, said)

    def test_bad_files_are_refused_in_one_line(self):
        s, c = CELL * 0.6, CELL * 0.8
        turned = [c, s, 0, WEST, s, -c, 0, TOP, 0, 0, 0, 0, 0, 0, 0, 1]
        with_nan = heights()
        with_nan[3, 4] = numpy.nan
        for name, says, options in (
                ("turned", "turned against the axes", {"transformation": turned}),
                ("mirrored", "from west to east", {"transformation": [-CELL, 0, 0, WEST, 0, -CELL, 0, TOP, 0, 0, 0, 0, 0, 0, 0, 1]}),
                ("degrees", "coordinates are geographic (degrees)", {"model": "geographic", "keys": {2048: 4326}}),
                ("feet", "in units of 0.3048006 m (feet?)", {"keys": {3072: 2229}}),
                ("heights in feet", "heights are in units of 0.3048", {"keys": {3072: 2056, 4096: 6360}}),
                ("unit of the band", "heights are in 'ft'", {"metadata": '<Item name="UNITTYPE" sample="0" role="unittype">ft</Item>'}),
                ("bands", "has 3 bands; must have one", {"values": numpy.stack([heights()] * 3, -1), "bands": 3}),
                ("nan", "row 4, column 5: is not a finite number, and the nodata value of the file is -9999", {"values": with_nan}),
                ("nan alone", "row 4, column 5: is not a finite number, and the nodata value of the file is not given", {"values": with_nan, "nodata": None}),
                ("infinite", "row 1, column 1: is not a finite number", {"values": numpy.full((ROWS, COLUMNS), numpy.inf)}),
                ("huge", "is not allowed; must be from -1e12 to 1e12", {"values": numpy.full((ROWS, COLUMNS), 1e30)}),
                ("empty", "no cell has data", {"values": numpy.full((ROWS, COLUMNS), -9999.0)}),
                ("place", "does not say where it lies", {"placed": False}),
                ("small", "must be at least 2 x 2", {"values": heights()[:1]}),
                ("complex", "values are of the type", {"values": heights().astype("i8")}),
                ("left out", "leaves out parts of its values", {"strip": 2, "sparse": (1,), "nodata": None}),
                ("millimetres", "differ by", {"values": heights() * 1e3, "cell": 1e-3})):
            with self.subTest(name):
                self.check(says, **options)

    def test_cut_and_damaged_files(self):
        data = geotiff(heights(), WEST, TOP, CELL, nodata="-9999", strip=2)
        for deflate in (False, True):
            data = geotiff(heights(), WEST, TOP, CELL, nodata="-9999", strip=2, deflate=deflate)
            for length in (0, 3, 8, 100, len(data) // 2, len(data) - 9):
                with self.subTest(length=length, deflate=deflate):
                    (self.folder / SHOWN).write_bytes(data[:length])
                    self.refuse("check", "scene.toml", "--set", f"body[ground].file={SHOWN}", says=SHOWN)
        self.write("not a picture at all\n", SHOWN)
        self.refuse("check", "scene.toml", "--set", f"body[ground].file={SHOWN}", says="is no GeoTIFF")

    def test_no_other_file_is_read(self):
        self.put(heights(), name="real.tif")
        real = self.folder / "real.tif"
        virtual = f"""<VRTDataset rasterXSize="{COLUMNS}" rasterYSize="{ROWS}"><GeoTransform>{WEST}, 2, 0, {TOP}, 0, -2</GeoTransform>
<VRTRasterBand dataType="Float64" band="1"><SimpleSource><SourceFilename>{real}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>"""
        self.write(virtual, SHOWN)
        self.refuse("check", "scene.toml", "--set", f"body[ground].file={SHOWN}", says="is no GeoTIFF")
        for name in ("/vsicurl/http://127.0.0.1:9/ground.tif", f"GTIFF_DIR:1:{real}.tif", "/vsimem/ground.tif"):
            self.refuse("check", "scene.toml", "--set", f"body[ground].file='{name}'", says="No such file")
        # What lies beside a file changes nothing of it, and does not place it.
        self.put(heights())
        before = self.hash_of(SHOWN)
        self.write("1\n0\n0\n-1\n5\n5\n", "ground.tfw")
        self.write('<PAMDataset><PAMRasterBand band="1"><NoDataValue>512.1</NoDataValue><Scale>2</Scale></PAMRasterBand></PAMDataset>', "ground.tif.aux.xml")
        self.assertEqual(self.hash_of(SHOWN), before)
        self.check("does not say where it lies", placed=False)

    def test_releases_over_no_data_are_refused(self):
        self.put(heights())
        self.write(terrain_test.Ensembles.SITE.replace("ground.asc", SHOWN).replace("line = [[1003, 2004], [1003, 2016]]", "points = [[1036.5, 2010]]"), "site.toml")
        self.refuse("ensemble", "site.toml", "-o", "out", says=("ensemble.release", "there is no ground under run"))


class Maps(Case):
    def test_maps_are_read_back(self):
        """What an ensemble writes is a GeoTIFF to GDAL, with the numbers of the .asc beside it and in the place that this says."""
        self.write(terrain_test.Ensembles.SITE, "site.toml")
        self.scree("ensemble", "site.toml", "-o", "out")
        scene = terrain_test.SCENE.split("[[rock]]")[0].replace("[1020, 2010, 500]", "[1020, 2010, 0]")
        for name in ("passes", "velocity_max"):
            lines = (self.folder / f"out/maps/{name}.asc").read_text().splitlines()
            seen = []
            for ending in ("asc", "tif"):
                self.write(scene.replace("ground.asc", f"out/maps/{name}.{ending}"), "map.toml")
                (terrain,) = json.loads(self.scree("check", "map.toml", "--json").stdout)["terrain"]
                terrain.pop("file")
                seen.append(terrain)
            self.assertAlmostEqual(seen[0]["high"][2], seen[1]["high"][2], delta=1e-6 * abs(seen[0]["high"][2]))
            for terrain in seen:
                terrain.pop("steepest_deg"), terrain["high"].pop(), terrain["low"].pop()
            self.assertEqual(seen[0], seen[1])
            self.assertEqual(lines[0], f"ncols {seen[0]['nodes'][0]}")


class Large(Case):
    def test_1e8_cells_are_under_a_gigabyte_and_open_in_five_seconds(self):
        """The bar of CPU time is for a machine of its own; another load only stretches the time of wall."""
        columns, rows = 10000, 10000
        x, y = numpy.arange(columns), numpy.arange(rows)
        values = (500 + 0.05 * x[None, :] + 0.2 * numpy.sin(0.01 * y)[:, None]).astype("f4")
        scene = terrain_test.SCENE.split("[[rock]]")[0]
        self.write(scene.replace("ground.asc", SHOWN), "large.toml")
        # A process of its own, as what this one holds would count with that of its children.
        measured = ("import resource, subprocess, sys\ncode = subprocess.run(sys.argv[1:]).returncode\n"
                    "use = resource.getrusage(resource.RUSAGE_CHILDREN)\nprint(use.ru_utime + use.ru_stime, use.ru_maxrss)\nsys.exit(code)")
        for name, options in (("strips", {"strip": 16}), ("deflated tiles", {"tile": 512, "deflate": True})):
            with self.subTest(name):
                self.put(values, **options)
                done = subprocess.run([sys.executable, "-c", measured, program.SCREE, "check", "large.toml"], cwd=self.folder, text=True,
                                      stdout=subprocess.PIPE, check=True)
                seconds, kilobytes = map(float, done.stdout.splitlines()[-1].split())
                print(f"{name}: {seconds:.2f} s of CPU, {kilobytes / 1000:.0f} MB")
                self.assertIn("10000 x 10000 nodes", done.stdout)
                self.assertLess(kilobytes, 1_000_000)
                self.assertLess(seconds, 5)


class WithoutGdal(Case):
    def test_the_package_is_named(self):
        self.put(heights())
        self.refuse("check", "scene.toml", "--set", f"body[ground].file={SHOWN}", says=("built without GDAL", "libgdal-dev"))


def load_tests(loader, tests, pattern):
    """Those that are not asked for by name."""
    suite = unittest.TestSuite()
    for case in (SameGround, Refused, Maps):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    program.main()
