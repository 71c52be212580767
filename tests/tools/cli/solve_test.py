"""scree solve: its columns, its exit codes, problems with known solutions, and damaged files.

usage: solve_test.py SCREE FOLDER_OF_FCLIB_FILES [unittest options]
"""
import csv
import io
import json
import pathlib
import shutil
import sys
import xml.etree.ElementTree

import h5py
import numpy

import program

FILES = None

COLUMNS = ("file,contacts,dofs,method,measure,tolerance,converged,iterations,seconds,"
           "residual_scaled,residual_published,residual_siconos").split(",")
ARCH = "BT_Arch25-nc86-k00060.hdf5"
PYRAMID = "BT_BoxPyramid5-nc580-k00010_global.hdf5"


class Case(program.FolderCase):
    def solve(self, *arguments, **options):
        return self.scree("solve", *arguments, timeout=300, **options)

    def rows(self, *arguments, expect=0):
        return list(csv.DictReader(io.StringIO(self.solve(*arguments, "--csv", expect=expect).stdout)))


class Columns(Case):
    def test_csv_has_the_columns_and_one_row_a_file(self):
        done = self.solve(FILES / ARCH, FILES / PYRAMID, "--csv")
        self.assertEqual(done.stdout.splitlines()[0].split(","), COLUMNS)
        self.assertEqual(done.stderr, "")
        arch, pyramid = csv.DictReader(io.StringIO(done.stdout))
        self.assertEqual((arch["file"], arch["contacts"], arch["dofs"]), (ARCH, "86", "162"))
        self.assertEqual((pyramid["file"], pyramid["contacts"], pyramid["dofs"]), (PYRAMID, "580", "330"))
        for row in (arch, pyramid):
            self.assertEqual((row["method"], row["measure"], float(row["tolerance"])), ("auto", "scaled", 1e-6))
            self.assertEqual(row["converged"], "yes")
            self.assertLessEqual(float(row["residual_scaled"]), 1e-6)
            self.assertGreater(int(row["iterations"]), 0)
            self.assertGreater(float(row["seconds"]), 0)

    def test_json_has_the_same_keys_and_values(self):
        row, = json.loads(self.solve(FILES / ARCH, "--json").stdout)
        self.assertEqual(list(row), COLUMNS)
        other, = self.rows(FILES / ARCH)
        for key in COLUMNS:
            if key != "seconds":
                self.assertEqual(str(row[key]) if isinstance(row[key], str) else float(row[key]),
                                 other[key] if isinstance(row[key], str) else float(other[key]), key)

    def test_name_of_a_file_is_quoted_where_csv_needs_it(self):
        shutil.copy(FILES / ARCH, self.folder / 'a,"b".hdf5')
        row, = self.rows('a,"b".hdf5')
        self.assertEqual(row["file"], 'a,"b".hdf5')

    def test_every_method_and_measure(self):
        for method in ("nsgs", "nncg", "apgd", "interior", "auto"):
            row, = self.rows(FILES / PYRAMID, "--method", method, "--tolerance", "1e-4")
            self.assertEqual((row["method"], row["converged"]), (method, "yes"))
        for measure in ("scaled", "published", "siconos"):
            row, = self.rows(FILES / PYRAMID, "--measure", measure, "--tolerance", "1e-5")
            self.assertEqual((row["measure"], row["converged"]), (measure, "yes"))
            self.assertLessEqual(float(row["residual_" + measure]), 1e-5)

    def test_both_forms_of_a_global_problem(self):
        rows = [self.rows(FILES / PYRAMID, "--form", form)[0] for form in ("bodies", "matrix")] + self.rows(FILES / PYRAMID)
        for row in rows:
            self.assertEqual((row["contacts"], row["dofs"], row["converged"]), ("580", "330", "yes"))
            self.assertLessEqual(float(row["residual_scaled"]), 1e-6)
        self.assertEqual(rows[2]["residual_scaled"], rows[0]["residual_scaled"])
        self.assertNotEqual(rows[1]["residual_scaled"], rows[0]["residual_scaled"])
        local = [self.rows(FILES / ARCH, "--form", form)[0]["residual_scaled"] for form in ("bodies", "matrix")]
        self.assertEqual(*local)

    def test_bits_do_not_depend_on_threads(self):
        seen = set()
        for options in ((), ("--backend", "openmp", "--threads", "2"), ("--backend", "tbb", "--threads", "3")):
            row, = self.rows(FILES / PYRAMID, *options)
            seen.add((row["iterations"], row["residual_scaled"], row["residual_published"], row["residual_siconos"]))
        self.assertEqual(len(seen), 1)


METHODS = ["nsgs", "nncg", "apgd", "interior", "auto"]


class Profiles(Case):
    def test_all_methods_one_row_each(self):
        rows = self.rows(FILES / ARCH, FILES / PYRAMID, "--method", "all", "--tolerance", "1e-4")
        self.assertEqual([(row["file"], row["method"]) for row in rows], [(name, method) for name in (ARCH, PYRAMID) for method in METHODS])
        for row in rows:   # each as if it were asked for alone
            alone, = self.rows(FILES / row["file"], "--method", row["method"], "--tolerance", "1e-4")
            self.assertEqual((row["iterations"], row["residual_scaled"]), (alone["iterations"], alone["residual_scaled"]))

    def test_profile_is_the_share_within_a_factor_of_the_best(self):
        limit = ("--method", "all", "--tolerance", "1e-5", "--max-iterations", "2000", "--cost", "iterations")
        rows = self.rows(FILES / ARCH, FILES / PYRAMID, *limit, "--profile-file", "profile.csv", expect=3)
        cost = {(row["method"], row["file"]): int(row["iterations"]) if row["converged"] == "yes" else numpy.inf for row in rows}
        self.assertIn(numpy.inf, cost.values())   # so that a method that fails is tried
        best = {name: min(cost[method, name] for method in METHODS) for name in (ARCH, PYRAMID)}
        curves = {method: [] for method in METHODS}
        for row in csv.DictReader(io.StringIO((self.folder / "profile.csv").read_text())):
            curves[row["method"]].append((float(row["tau"]), float(row["share"])))
        for method in METHODS:
            taus = [tau for tau, _ in curves[method]]
            self.assertEqual(taus, sorted(set(taus)))
            for tau, share in curves[method]:
                within = sum(cost[method, name] <= tau * best[name] * (1 + 1e-12) for name in best)
                self.assertEqual(share, within / 2)
            solved = sum(numpy.isfinite(cost[method, name]) for name in best)
            self.assertEqual(curves[method][-1][1], solved / 2)
        done = self.solve(FILES / ARCH, FILES / PYRAMID, *limit, "--profile", expect=3)
        table = done.stdout.split("\n\n")[1].splitlines()
        self.assertEqual(table[0], "share of 2 problems solved within tau times the least iterations")
        self.assertEqual([line.split()[0] for line in table[2:]], METHODS)
        for line, method in zip(table[2:], METHODS):
            at_best = sum(cost[method, name] == best[name] for name in best) / 2
            self.assertEqual((float(line.split()[1]), float(line.split()[-1])), (at_best, curves[method][-1][1]))

    def test_profile_as_a_figure(self):
        self.solve(FILES / PYRAMID, "--method", "all", "--tolerance", "1e-4", "--profile-file", "profile.svg")
        text = xml.etree.ElementTree.parse(self.folder / "profile.svg").getroot().itertext()
        self.assertTrue(set(METHODS) <= {word.strip() for word in text})

    def test_bad_usage_of_profiles(self):
        (self.folder / "there.csv").write_text("mine")
        for arguments in (("--profile",), ("--method", "all", "--profile", "--csv"), ("--method", "all", "--profile-file", "x.png"),
                          ("--method", "nsgs", "--profile-file", "x.csv"), ("--method", "all", "--profile-file", "there.csv"), ("--cost", "flops")):
            self.refuse("solve", FILES / PYRAMID, *arguments, says=())
        self.assertEqual((self.folder / "there.csv").read_text(), "mine")


class Honesty(Case):
    def test_exit_code_3_when_one_file_does_not_converge(self):
        rows = self.rows(FILES / PYRAMID, FILES / ARCH, "--max-iterations", "1", expect=3)
        self.assertEqual([row["converged"] for row in rows], ["no", "no"])
        for row in rows:
            self.assertEqual(row["iterations"], "1")
            self.assertGreater(float(row["residual_scaled"]), 1e-6)
        # One that converges does not hide one that does not.
        rows = self.rows(FILES / PYRAMID, FILES / ARCH, "--max-iterations", "300", "--tolerance", "1e-6", expect=3)
        self.assertEqual([row["converged"] for row in rows], ["yes", "no"])

    def write_open(self):
        path = self.folder / "open.hdf5"
        shutil.copy(FILES / ARCH, path)
        with h5py.File(path, "r+") as f:
            q = f["fclib_local/vectors/q"]
            q[...] = numpy.tile([1.0, 0.0, 0.0], len(q) // 3)
        return path

    def test_a_row_appears_when_its_file_is_solved(self):
        # The second file never meets this tolerance within any time; the row of the first is there nevertheless.
        for options, heading in ((("--csv",), COLUMNS[0]), ((), "auto to scaled 1e-300")):
            process = self.start("solve", str(self.write_open()), str(FILES / ARCH), "--tolerance", "1e-300", "--max-iterations", str(10**12), *options)
            try:
                self.assertTrue(process.stdout.readline().startswith(heading))
                self.assertTrue(any(process.stdout.readline().startswith("open.hdf5") for _ in range(2)))
                self.assertIsNone(process.poll())
            finally:
                process.kill()
                process.communicate()

    def test_contacts_that_open_by_themselves_need_no_impulse(self):
        # q_N > 0 everywhere: p = 0 is the solution, and all residuals are zero.
        path = self.write_open()
        row, = self.rows(path)
        self.assertEqual((row["converged"], float(row["residual_scaled"]), float(row["residual_siconos"])), ("yes", 0.0, 0.0))

    def test_one_contact_has_the_solution_in_closed_form(self):
        # W = diag(2, 1, 1), q = (-2, 3, 0), mu = 0.5: p_N = 1, slip, |p_T| = 0.5 against u_T = (2.5, 0). One sweep solves it.
        path = self.folder / "one.hdf5"
        write_local(path, numpy.diag([2.0, 1.0, 1.0]), [-2.0, 3.0, 0.0], [0.5])
        row, = self.rows(path, "--tolerance", "1e-12", "--method", "nsgs")
        self.assertEqual((row["contacts"], row["converged"]), ("1", "yes"))
        self.assertLessEqual(int(row["iterations"]), 2)
        self.assertLess(float(row["residual_published"]), 1e-12)
        row, = self.rows(path, "--tolerance", "1e-12", "--max-iterations", "1", "--method", "apgd", expect=3)
        self.assertEqual(row["converged"], "no")


    def test_body_between_walls_that_close_has_no_solution(self):
        # Impulses grow without end, and sweeps see it. The answer is then some sweeps from p = 0: the wall swept last is obeyed and the other one is
        # missed by 2 m/s, |p - proj(p - w~)| = |w~| = 2 and |b| = sqrt(2). Whatever the measure, this is said and does not count as converged.
        path = self.folder / "squeeze.hdf5"
        write_squeezed(path, 1.0)
        for form in ("bodies", "matrix"):
            for options in (("--measure", "published", "--tolerance", "1e-12"), ("--measure", "scaled"), ("--measure", "siconos"),
                            ("--method", "nsgs"), ("--method", "nncg", "--tolerance", "1e-10")):
                done = self.solve(path, "--form", form, "--json", *options, expect=3)
                self.assertEqual(done.stderr, f"{path}: no solution: impulses grow without bound (published residual 0.83)\n")
                row, = json.loads(done.stdout)
                self.assertEqual(list(row), COLUMNS + ["warning"])
                self.assertEqual(row["converged"], "no")
                self.assertLess(row["iterations"], 500)
                self.assertAlmostEqual(row["residual_published"], 2 / (1 + 2**0.5), 6)
            # Methods whose impulses are large before that is seen meet a tolerance relative to them: the velocities left, sqrt(2), tell.
            for method in ("apgd", "interior"):
                done = self.solve(path, "--form", form, "--method", method, "--tolerance", "1e-4", "--json")
                self.assertEqual(done.stderr, f"{path}: impulses grow without bound: the problem may have no solution (published residual 0.59)\n")
                row, = json.loads(done.stdout)
                self.assertIn("may have no solution", row["warning"])
                self.assertAlmostEqual(row["residual_published"], 2**0.5 / (1 + 2**0.5), 6)
        # The same walls, one opening as fast as the other closes: nothing to warn of. Nor of a residual that is just not small.
        write_squeezed(path, -1.0)
        self.assertEqual(self.solve(path).stderr, "")
        write_squeezed(path, 1.0)
        self.assertEqual(self.solve(path, "--tolerance", "0.1").stderr, "")

    def test_files_of_walls_and_arches_have_nothing_to_warn_of(self):
        for measure in ("scaled", "siconos"):
            self.assertEqual(self.solve(FILES / ARCH, FILES / PYRAMID, "--measure", measure, "--tolerance", "1e-4").stderr, "")


def write_squeezed(path, closing):
    """A body of mass 1 between a wall that comes at 1 m/s and one that comes at `closing`: x, then -x, are the normals."""
    H = numpy.zeros((6, 6))
    H[:3, :3], H[:3, 3:] = numpy.eye(3), numpy.diag([-1.0, -1.0, 1.0])
    with h5py.File(path, "w") as f:
        group = f.create_group("fclib_global")
        group["spacedim"] = numpy.array([3], dtype="i4")
        write_triplets(group, "M", numpy.diag([1.0, 1.0, 1.0, 0.1, 0.1, 0.1]))
        write_triplets(group, "H", H)
        group["vectors/f"], group["vectors/mu"] = numpy.zeros(6), numpy.full(2, 0.5)
        group["vectors/w"] = numpy.array([-1.0, 0.0, 0.0, -closing, 0.0, 0.0])


def write_triplets(group, name, matrix):
    row, column = numpy.nonzero(matrix)
    for key, value in (("m", matrix.shape[0]), ("n", matrix.shape[1]), ("nz", len(row)), ("nzmax", len(row))):
        group[f"{name}/{key}"] = numpy.array([value], dtype="i4")
    group[name + "/i"], group[name + "/p"], group[name + "/x"] = row.astype("i4"), column.astype("i4"), matrix[row, column]


def write_local(path, W, q, mu):
    with h5py.File(path, "w") as f:
        group = f.create_group("fclib_local")
        group["spacedim"] = numpy.array([3], dtype="i4")
        write_triplets(group, "W", W)
        group["vectors/q"], group["vectors/mu"] = numpy.array(q, dtype=float), numpy.array(mu, dtype=float)


class Damaged(Case):
    def refuse_changed(self, source, change, *says):
        path = self.folder / "bad.hdf5"
        shutil.copy(FILES / source, path)
        with h5py.File(path, "r+") as f:
            change(f)
        self.refuse("solve", "bad.hdf5", says=("bad.hdf5: ", *says))

    def replace(self, name, values, dtype=None):
        def change(f):
            dtype_there = f[name].dtype
            del f[name]
            f[name] = numpy.asarray(values, dtype=dtype or dtype_there)
        return change

    def put(self, name, index, value):
        def change(f):
            f[name][index] = value
        return change

    def remove(self, name):
        def change(f):
            del f[name]
        return change

    def test_truncated_anywhere(self):
        for source in (ARCH, PYRAMID):
            data = (FILES / source).read_bytes()
            for share in (0.0, 0.001, 0.05, 0.3, 0.5, 0.9, 0.999):
                (self.folder / "cut.hdf5").write_bytes(data[: int(share * len(data))])
                self.refuse("solve", "cut.hdf5", says="cut.hdf5: ")

    def test_no_fclib_file(self):
        (self.folder / "text.hdf5").write_text("no problem\n")
        with h5py.File(self.folder / "empty.hdf5", "w"):
            pass
        for name, says in (("text.hdf5", "not an HDF5 file"), ("empty.hdf5", "no FCLIB problem"), ("none.hdf5", "none.hdf5"),
                           (".", ".")):
            self.refuse("solve", name, says=says)

    def test_wrong_sizes(self):
        self.refuse_changed(ARCH, self.replace("fclib_local/vectors/q", numpy.zeros(257)), "vectors/q", "258")
        self.refuse_changed(ARCH, self.replace("fclib_local/vectors/mu", numpy.zeros(87)), "vectors/mu", "86")
        self.refuse_changed(ARCH, self.replace("fclib_local/W/x", numpy.zeros(7163)), "/W")
        self.refuse_changed(ARCH, self.replace("fclib_local/W/p", numpy.zeros(258)), "/W/p")
        self.refuse_changed(ARCH, self.replace("fclib_local/W/n", [259]), "square")
        self.refuse_changed(ARCH, self.replace("fclib_local/W/m", [258, 258]), "one integer")
        self.refuse_changed(PYRAMID, self.replace("fclib_global/H/i", numpy.zeros(17519)), "/H")
        self.refuse_changed(PYRAMID, self.replace("fclib_global/H/m", [329]), "/H")
        self.refuse_changed(PYRAMID, self.replace("fclib_global/vectors/f", numpy.zeros(331)), "vectors/f")
        for name in ("fclib_local/vectors/q", "fclib_local/W/x", "fclib_local/W/nz", "fclib_local/spacedim"):
            self.refuse_changed(ARCH, self.remove(name), "missing")

    def test_room_that_disagrees_with_the_arrays(self):
        for nzmax in (7163, 7165, 0, -1, 2**31 - 1):   # compressed: the length of i and x
            self.refuse_changed(ARCH, self.put("fclib_local/W/nzmax", 0, nzmax), "/W/i", str(nzmax))
        for nzmax in (17519, 0, -1, 2**31 - 1):        # triplets: room for at least nz, within reason
            self.refuse_changed(PYRAMID, self.put("fclib_global/H/nzmax", 0, nzmax), "/H/nzmax", "17520")
        self.refuse_changed(ARCH, self.remove("fclib_local/W/nzmax"), "missing")
        for nz in (0, 100, 17519):
            self.refuse_changed(PYRAMID, self.put("fclib_global/H/nz", 0, nz), "/H/i", f"must have {nz} entries, has 17520")
        for name in "pix":
            longer = self.replace("fclib_global/H/" + name, numpy.zeros(17521))
            self.refuse_changed(PYRAMID, longer, "/H/" + name, "must have 17520 entries, has 17521")

    def test_room_for_more_triplets_than_there_are(self):
        # Genuine files have it; older versions of FCLIB's library write x as long as the room.
        expected, = self.rows(FILES / PYRAMID)
        for extend_x in (False, True):
            shutil.copy(FILES / PYRAMID, self.folder / "room.hdf5")
            with h5py.File(self.folder / "room.hdf5", "r+") as f:
                self.put("fclib_global/H/nzmax", 0, 30000)(f)
                if extend_x:
                    x = f["fclib_global/H/x"][()]
                    self.replace("fclib_global/H/x", numpy.concatenate([x, numpy.ones(30000 - len(x))]))(f)
            row, = self.rows("room.hdf5")
            self.assertEqual((row["iterations"], row["residual_scaled"]), (expected["iterations"], expected["residual_scaled"]))

    def test_indices_out_of_range(self):
        for index, value in ((0, -1), (7163, 258), (100, 2**31 - 1), (100, -2**31)):
            self.refuse_changed(ARCH, self.put("fclib_local/W/i", index, value), "/W/i", "out of range")
            self.refuse_changed(PYRAMID, self.put("fclib_global/H/i", index, 330 if value == 258 else value), "/H/i",
                                "out of range")
        self.refuse_changed(ARCH, self.put("fclib_local/W/p", 5, 7000), "/W/p", "rise")
        self.refuse_changed(ARCH, self.put("fclib_local/W/p", 258, 7165), "/W/p")
        self.refuse_changed(ARCH, self.put("fclib_local/W/p", 0, -1), "/W/p")

    def test_numbers_that_are_none(self):
        for value in (numpy.nan, numpy.inf, -numpy.inf):
            for source, names in ((ARCH, ("fclib_local/W/x", "fclib_local/vectors/q", "fclib_local/vectors/mu")),
                                  (PYRAMID, ("fclib_global/M/x", "fclib_global/H/x", "fclib_global/vectors/f",
                                             "fclib_global/vectors/w", "fclib_global/vectors/mu"))):
                for name in names:
                    self.refuse_changed(source, self.put(name, 3, value), name, "not finite")
        self.refuse_changed(ARCH, self.put("fclib_local/vectors/mu", 3, -0.1), "mu", "negative")

    def test_mass_that_has_no_inverse(self):
        def change(f):
            f["fclib_global/M/x"][0] = 0.0
        self.refuse_changed(PYRAMID, change, "fclib_global")

    def test_dimensions_that_would_exhaust_memory(self):
        largest = 2**31 - 2
        for value in (largest, -1, -2**31):
            self.refuse_changed(ARCH, lambda f, v=value: [self.put(f"fclib_local/W/{n}", 0, v)(f) for n in "mn"], "/W")
            self.refuse_changed(PYRAMID, lambda f, v=value: [self.put(f"fclib_global/M/{n}", 0, v)(f) for n in "mn"], "/")
            self.refuse_changed(PYRAMID, self.put("fclib_global/H/n", 0, value), "/")
        self.refuse_changed(ARCH, self.put("fclib_local/W/nz", 0, largest), "/W")
        self.refuse_changed(ARCH, self.put("fclib_local/W/nz", 0, -3), "/W/nz")
        self.refuse_changed(ARCH, self.put("fclib_local/spacedim", 0, 4), "spacedim")

        def huge(f):   # 2^60 numbers, of which the file holds none
            del f["fclib_local/vectors/q"]
            f.create_dataset("fclib_local/vectors/q", shape=(2**60,), dtype="f8", chunks=(1024,))
        self.refuse_changed(ARCH, huge, "vectors/q", "more data than the file holds")

    def test_types_that_are_no_numbers(self):
        self.refuse_changed(ARCH, self.replace("fclib_local/vectors/q", [b"text"] * 258, "S4"), "vectors/q")
        def group(f):
            del f["fclib_local/vectors/q"]
            f.create_group("fclib_local/vectors/q")
        self.refuse_changed(ARCH, group, "vectors/q")

    def test_types_and_shapes_of_other_arrays(self):
        for name in ("W/i", "W/p", "W/m", "W/nz", "W/nzmax", "spacedim"):
            def floats(f, name="fclib_local/" + name):
                self.replace(name, f[name][()], "f8")(f)
            self.refuse_changed(ARCH, floats, name, "must hold integers")
        for name in ("W/i", "W/x", "W/m", "vectors/q", "vectors/mu"):
            def column(f, name="fclib_local/" + name):
                self.replace(name, f[name][()].reshape(-1, 1))(f)
            self.refuse_changed(ARCH, column, name, "one dimension, has 2")

        # Integers of another width are integers.
        expected, = self.rows(FILES / ARCH)
        shutil.copy(FILES / ARCH, self.folder / "wide.hdf5")
        with h5py.File(self.folder / "wide.hdf5", "r+") as f:
            for name in ("W/i", "W/p", "W/m"):
                self.replace("fclib_local/" + name, f["fclib_local/" + name][()], "i8")(f)
        row, = self.rows("wide.hdf5")
        self.assertEqual(row["residual_scaled"], expected["residual_scaled"])

    def test_one_line_also_where_hdf5_has_lines_of_its_own(self):
        # A header of a data set that claims to be huge: HDF5 opens the file, fails, keeps what it has read of it, and would say at its end that
        # it cannot let go.
        data = bytearray((FILES / ARCH).read_bytes())
        with h5py.File(FILES / ARCH) as f:
            header = h5py.h5o.get_info(f["fclib_local/W/nz"].id).addr
        data[header + 8:header + 12] = b"\xff" * 4   # its size, in a header of the first version
        (self.folder / "header.hdf5").write_bytes(data)
        self.refuse("solve", "header.hdf5", says=("header.hdf5: ", "/W/nz", "damaged"))

    def test_random_bytes_never_crash(self):
        random = numpy.random.default_rng(1)
        data = numpy.frombuffer((FILES / ARCH).read_bytes(), dtype=numpy.uint8)
        for trial in range(60):
            changed = data.copy()
            # Half of the trials aim at the headers, which are a small part of the file.
            limit = len(data) if trial % 2 else 8000
            for at in random.integers(0, limit, size=8):
                changed[at] = random.integers(0, 256)
            (self.folder / "noise.hdf5").write_bytes(changed.tobytes())
            try:
                done = self.solve("noise.hdf5", "--csv", "--max-iterations", "50", expect=(0, 2, 3))
            except AssertionError as error:
                self.fail(f"trial {trial}: {error}")
            self.assertEqual(len(done.stderr.splitlines()), 1 if done.returncode == 2 else 0, done.stderr)

    def test_a_bad_file_does_not_hide_the_others(self):
        (self.folder / "bad.hdf5").write_text("")
        done = self.solve("bad.hdf5", FILES / ARCH, "--csv", expect=2)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        row, = csv.DictReader(io.StringIO(done.stdout))
        self.assertEqual(row["converged"], "yes")

    def test_bad_usage(self):
        for arguments in ((), (FILES / ARCH, "--method", "newton"), (FILES / ARCH, "--measure", "l2"), (FILES / ARCH, "--form", "dense"), (FILES / ARCH, "--tolerance", "0"),
                          (FILES / ARCH, "--tolerance", "nan"), (FILES / ARCH, "--csv", "--json"), (FILES / ARCH, "--max-iterations", "0")):
            self.refuse("solve", *arguments, says=())


if __name__ == "__main__":
    FILES = pathlib.Path(sys.argv.pop(2)).resolve()
    program.main(verbosity=2)
