"""scree bench: every scene runs, all rows of a scene end in the same bits, and its files can be read by others.

usage: bench_test.py SCREE [unittest options]
"""
import csv
import json
import xml.etree.ElementTree

import program

OWN_SIZES = {"towers": (10, 50, 300), "arch": (15,), "dominoes": (30,), "rockfall": (276,)}
SCENES = ("wall", "pyramid", "pile", "column", *OWN_SIZES)
PROBLEMS = [(scene, size) for scene in SCENES for size in OWN_SIZES.get(scene, (40,))]
COLUMNS = ("scene,size,bodies,contacts,method,measure,tolerance,backend,threads,steps,unconverged_steps,step_seconds,step_seconds_p95,step_seconds_mean,detect_seconds,"
           "assemble_seconds,solve_seconds,advance_seconds,sweeps_median,sweeps_p95,solve_ns_per_contact_sweep,sweep_ns_per_contact,"
           "triad_bytes_per_second,triad_share,triad_at_size_bytes_per_second,triad_at_size_share,speed_up_step,speed_up_solve,efficiency_step,efficiency_solve,bytes_per_body,"
           "bytes_per_contact,residual_scaled,residual_published,residual_siconos,state_hash").split(",")
TEXTS = ("scene", "method", "measure", "backend", "state_hash")


class Case(program.FolderCase):
    def bench(self, *arguments, **options):
        return self.scree("bench", *arguments, timeout=300, **options)


class Rows(Case):
    """One run of everything, tiny."""

    @classmethod
    def setUpClass(cls):
        folder = program.new_folder(cls.addClassCleanup)
        # A column and a pile fall for some steps before they touch much; the accuracy is what the impact reaches quickly.
        cls.done = program.scree("bench", "--sizes", "40", "--threads", "1,2,3,4,8", "--warm-up", "40", "--steps", "2",
                                 "--repeats", "2", "--measure", "published", "--tolerance", "1e-3", "--json", "--csv", "rows.csv",
                                 "--plot", "speed.svg", expect=(0, 3), cwd=folder, timeout=300)
        cls.result = json.loads(cls.done.stdout)
        cls.rows = cls.result["rows"]
        with open(folder / "rows.csv", newline="") as f:
            cls.header, *cls.lines = csv.reader(f)
        cls.svg = (folder / "speed.svg").read_text()

    def test_all_scenes_backends_and_threads(self):
        lanes = [("serial", 1)] + [(backend, n) for backend in ("openmp", "tbb") for n in (1, 2, 3, 4, 8)]
        self.assertEqual([(row["scene"], row["size"], row["backend"], row["threads"]) for row in self.rows],
                         [(*problem, *lane) for problem in PROBLEMS for lane in lanes])
        self.assertEqual([lane["threads"] for lane in self.result["triad"]], [1, 2, 3, 4, 8])

    def test_all_rows_of_a_scene_are_the_same_problem(self):
        for problem in PROBLEMS:
            seen = {tuple(row[key] for key in ("state_hash", "bodies", "contacts", "sweeps_median", "sweeps_p95", "unconverged_steps",
                                               "residual_scaled", "residual_published", "residual_siconos"))
                    for row in self.rows if (row["scene"], row["size"]) == problem}
            self.assertEqual(len(seen), 1, problem)
            self.assertRegex(seen.pop()[0], "^[0-9a-f]{64}$")
        self.assertEqual(len({row["state_hash"] for row in self.rows}), len(PROBLEMS))
        self.assertEqual({(row["method"], row["measure"], row["tolerance"]) for row in self.rows}, {("auto", "published", 1e-3)})

    def test_nothing_but_progress_goes_to_standard_error(self):
        threads = [f"memory bandwidth, threads: {n}" for n in (1, 2, 3, 4, 8)]
        sizes = [f"{scene} {size}" for scene, size in PROBLEMS]
        lines = [line for line in self.done.stderr.splitlines() if "did not reach" not in line]
        self.assertEqual(lines, [*threads, *sizes, "wrote rows.csv", "wrote speed.svg"])

    def test_numbers_fit_together(self):
        for row in self.rows:
            for key in COLUMNS:
                if key not in TEXTS:
                    self.assertIsInstance(row[key], (int, float), key)
            self.assertGreater(row["contacts"], 0)
            self.assertGreaterEqual(row["step_seconds_p95"], row["step_seconds"])
            self.assertGreaterEqual(row["sweeps_p95"], row["sweeps_median"])
            # A phase is a part of each step, so its median over the repeats and mean over the steps are no larger than the step's, on
            # however busy a machine.
            for phase in ("detect", "assemble", "solve", "advance"):
                self.assertGreater(row[phase + "_seconds"], 0.0)
                self.assertLessEqual(row[phase + "_seconds"], row["step_seconds_mean"] * (1 + 1e-12))
            self.assertAlmostEqual(row["efficiency_step"], row["speed_up_step"] / row["threads"], delta=1e-12)
            if row["threads"] == 1:
                self.assertEqual((row["speed_up_step"], row["speed_up_solve"]), (1, 1))
            self.assertGreater(row["triad_bytes_per_second"], 1e8)
            self.assertGreater(row["bytes_per_body"], 0)
            self.assertGreater(row["triad_at_size_bytes_per_second"], 1e8)
            for key in ("triad", "triad_at_size"):
                share = 256e9 / row["sweep_ns_per_contact"] / row[key + "_bytes_per_second"]
                self.assertAlmostEqual(row[key + "_share"], share, delta=1e-9 * abs(share))

    def test_csv_has_the_columns_and_the_rows_of_the_json(self):
        self.assertEqual(self.header, COLUMNS)
        self.assertEqual(list(self.rows[0]), COLUMNS)
        self.assertEqual(len(self.lines), len(self.rows))
        for line, row in zip(self.lines, self.rows):
            for text, key in zip(line, COLUMNS, strict=True):
                self.assertEqual(text if key in TEXTS else float(text), row[key], key)

    def test_plot_has_a_panel_for_steps_and_solver_of_each_scene(self):
        root = xml.etree.ElementTree.fromstring(self.svg)
        space = "{http://www.w3.org/2000/svg}"
        panels = root.findall(space + "g")
        self.assertEqual(len(panels), 2 * len(SCENES))
        for number, panel in enumerate(panels):
            curves = [path.find(space + "title").text for path in panel.iter(space + "path") if path.find(space + "title") is not None]
            self.assertEqual(curves[0], "ideal")
            sizes = OWN_SIZES.get(SCENES[number // 2], (40,))
            self.assertEqual([curve.split()[-1] for curve in curves[1:]], ["openmp", "tbb"] * len(sizes))


class Table(Case):
    def test_table_prints_state_bandwidth_and_phases(self):
        done = self.bench("--scenes", "wall", "--sizes", "20", "--backends", "serial", "--warm-up", "2", "--steps", "2", "--repeats", "1")
        for part in ("wall 20: 21 bodies, 128 contacts", "bytes a body", "bytes a contact", "GB/s", "% triad % size", "detect", "advance"):
            self.assertIn(part, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^state [0-9a-f]{64} after 2 steps")

    def test_help_says_what_the_shares_of_the_triad_are(self):
        text = self.scree("bench", "--help").stdout
        for part in ("% triad: 256 bytes a contact and sweep", "above 100 % the data of the row stay in the caches", "% size: the same"):
            self.assertIn(part, text)

    def test_walls_of_the_comparison_have_their_sizes(self):
        # 8 contacts for each cube that rests on two others and 4 for each on the ground.
        for size, bodies, contacts in ((200, 201, 1484), (1000, 1001, 7564)):
            done = self.bench("--scenes", "wall", "--sizes", size, "--backends", "serial", "--warm-up", "1", "--steps", "1",
                              "--repeats", "1", "--tolerance", "1e-2", "--json")
            row, = json.loads(done.stdout)["rows"]
            self.assertEqual((row["bodies"], row["contacts"]), (bodies, contacts))

    def test_saved_scene_is_the_one_measured(self):
        done = self.bench("--scenes", "pyramid", "--sizes", "14", "--backends", "serial", "--warm-up", "1", "--steps", "2", "--repeats", "1",
                          "--save-scenes", "scenes", "--json")
        row, = json.loads(done.stdout)["rows"]
        run = self.scree("run", "scenes/pyramid-14.toml", "--t-end", "0.015", "--json")
        self.assertEqual(json.loads(run.stdout)["state_hash"], row["state_hash"])

    def test_unconverged_steps_give_exit_code_3(self):
        done = self.bench("--scenes", "wall", "--sizes", "20", "--backends", "serial", "--warm-up", "0", "--steps", "1", "--repeats", "1",
                          "--method", "nsgs", "--tolerance", "1e-300", "--max-iterations", "3", expect=3)
        self.assertIn("did not reach the tolerance", done.stderr)


class Refused(Case):
    def test_bad_usage_in_one_line(self):
        for arguments, says in ((("--scenes", "castle"), "castle"), (("--scenes", "wall,castle"), "castle"), (("--sizes", "0"), "0"),
                                (("--sizes", "ten"), "ten"), (("--sizes", "-5"), "-5"), (("--sizes", "1e9"), "1e9"),
                                (("--backends", "cuda"), "cuda"), (("--threads", "0"), "0"), (("--threads", "1,x"), "x"),
                                (("--measure", "l2"), "l2"), (("--method", "newton"), "newton"), (("--steps", "0"), "0"),
                                (("--repeats", "0"), "0"), (("--tolerance", "0"), "0"), (("--warm-up", "-1"), "-1"),
                                (("extra",), "extra")):
            self.refuse("bench", *arguments, says=says)

    def test_lists_with_empty_or_repeated_entries(self):
        for option, first, other in (("--scenes", "wall", "pile"), ("--sizes", "20", "40"), ("--backends", "serial", "tbb"), ("--threads", "2", "1")):
            for text in (f"{first},", f",{first}", f"{first},,{other}", ",", f" ,{first}"):
                self.refuse("bench", option, text, says=[option + ": ", "empty" if text[0] != " " else ""])
            self.refuse("bench", option, f"{first},{other},{first}", says=f"{option}: '{first}' is there twice")
            self.refuse("bench", option, first, option, first, says=f"{option}: '{first}' is there twice")
        self.refuse("bench", "--threads", "1,01", says="--threads: 01 is not allowed")

    def test_files_that_cannot_be_written(self):
        (self.folder / "there.csv").write_text("old")
        self.refuse("bench", "--csv", "there.csv", says="--force")
        self.refuse("bench", "--csv", "none/rows.csv", says="folder does not exist")
        self.refuse("bench", "--plot", "speed.png", says=".svg")
        self.refuse("bench", "--save-scenes", "there.csv", says=["--save-scenes", "not a folder"])
        self.refuse("bench", "--save-scenes", "none/scenes", says=["--save-scenes", "cannot be made"])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["there.csv"])
        self.assertEqual((self.folder / "there.csv").read_text(), "old")


if __name__ == "__main__":
    program.main()
