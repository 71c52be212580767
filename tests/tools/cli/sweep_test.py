"""Values given beside a scene, and sweeps over them: the same bytes for any jobs and kills, closed forms, bad input.

usage: sweep_test.py SCREE [unittest options]
"""
import csv
import json
import re
import signal
import time

import h5py
import numpy

import program

G, DT, SPEED = 9.81, 0.002, 2.0
# A slab that slides until friction has stopped it.
SCENE = f"""title = "A slab slides"
[time]
dt = {DT}
end = 1.25
theta = 0.5
[solver]
tolerance = 1e-12
{program.ground("stone", 2300, 0.5, 0.0)}
[[body]]
name = "it's a slab"
kind = "box"
sides = [1, 1, 0.1]
material = "stone"
position = [0, 0, 0.05]
velocity = [{SPEED}, 0, 0]
"""
SLAB = "it's a slab"


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def sliding(mu, speed, theta=0.5):
    """Distance and last speed of the scheme under `fremond`.

    v loses mu g h a step while w_T = v_{k+1} + (1 - theta) / theta v_k stays positive, and such a step moves
    h (theta v_{k+1} + (1 - theta) v_k); after that the slab sticks, w_T = 0, and moves no more.
    """
    loss, v, distance = mu * G * DT, speed, 0.0
    while v > theta * loss:
        distance += DT * (theta * (v - loss) + (1.0 - theta) * v)
        v -= loss
    return distance, v


class Case(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SCENE, "slab.toml")


class Set(Case):
    def test_a_run_has_the_bits_of_a_scene_that_is_written_so(self):
        written = SCENE.replace("mu = 0.5", "mu = 0.25").replace("velocity = [2.0, 0, 0]", "velocity = [1.5, 0, 0.5]")
        self.assertNotIn("2.0, 0, 0", written)
        self.write(written, "written.toml")
        self.scree("run", "written.toml", "--out", "written.h5")
        done = self.scree("run", "slab.toml", "--set", "contact[0].mu=0.25", "--set", f"body[{SLAB}].velocity=[1.5, 0, 0.5]", "--out", "set.h5", "--json")
        numbers, ended = program.result_numbers(self.folder / "set.h5")
        written_numbers, written_ended = program.result_numbers(self.folder / "written.h5")
        self.assertEqual(ended, written_ended)
        for name in written_numbers:
            if not name.startswith("scene/"):
                numpy.testing.assert_array_equal(numbers[name], written_numbers[name], err_msg=name)
        json.loads(done.stdout)

    def test_the_file_keeps_it_and_a_killed_run_goes_on_with_it(self):
        sets = ["--set", "contact[0].mu=0.1", "--set", f"body[{SLAB}].velocity[1]=1.25", "--set", "time.dt=1e-5"]
        often = ["--checkpoint-every-steps", "200"]
        self.scree("run", "slab.toml", *sets, *often, "--out", "whole.h5", "--t-end", "0.1")
        run = self.start("run", "slab.toml", *sets, *often, "--out", "run.h5", "--t-end", "0.1")
        checkpoint = self.folder / "run.h5.checkpoint"
        while not checkpoint.exists() and run.poll() is None:
            time.sleep(0.005)
        run.kill()
        run.communicate()
        self.assertEqual(run.returncode, -signal.SIGKILL)
        self.scree("resume", "run.h5.checkpoint")
        (tables, ended), (others, other_ended) = (program.result_numbers(self.folder / name) for name in ("run.h5", "whole.h5"))
        self.assertEqual(ended, other_ended)
        for name in others:
            numpy.testing.assert_array_equal(tables[name], others[name], err_msg=name)
        info = json.loads(self.scree("info", "run.h5", "--json").stdout)
        self.assertIn("--set 'contact[0].mu=0.1' --set 'body[it'\\''s a slab].velocity[1]=1.25' --set 'time.dt=1e-5'", info["settings"]["overrides"])
        self.assertEqual(float(info["settings"]["dt"]), 1e-5)
        self.scree("report", "run.h5", "-o", "run.html")
        self.scree("plot", "run.h5", f"{SLAB}.x", "-o", "run.svg")

    def test_check_knows_it(self):
        self.assertIn("mu = 0.125", self.scree("check", "slab.toml", "--set", "contact[0].mu=0.125").stdout)

    def test_law_of_the_command_line_takes_its_numbers_from_it_too(self):
        self.scree("run", "slab.toml", "--law", "moreau", "--set", "contact[0].e_T=0.25", "--t-end", "0.1", "--out", "run.h5")
        with h5py.File(self.folder / "run.h5") as file:
            self.assertEqual((file["materials/e_T"][0, 0], file["materials/law"][0]), (0.25, b"moreau"))
        # What an option makes wrong names the option.
        self.write(SCENE.replace("mu = 0.5", "mu = 0.5\ne_T = 0.25").replace("[time]", '[law]\ndefault = "moreau"\nclosing = "two_step"\n[time]').replace("theta = 0.5", "theta = 1"), "laws.toml")
        self.scree("check", "laws.toml")
        self.assertTrue(self.refuse("run", "laws.toml", "--law", "newton", says='says nothing under the law "newton", which --law gives').startswith("--law: laws.toml:"))
        self.assertTrue(self.refuse("run", "laws.toml", "--theta", "0.5", says='"two_step" is not allowed with theta below 1').startswith("--theta: law.closing: "))
        for key in ("law.default", "contact[0].law"):
            self.refuse("run", "slab.toml", "--law", "newton", "--set", f"{key}=fremond", says=f"--set {key}=fremond: --law gives the law of all pairs")
        self.refuse("run", "slab.toml", "--law", "newton", "--set", "contact[0].e_T=0.25", says='says nothing under the law "newton", which --law gives')

    def test_check_says_who_overrules_a_preset(self):
        self.write(SCENE + '[preset]\nuse = "masonry"\n', "masonry.toml")
        self.assertIn("but the scene says 1e-12", self.scree("check", "masonry.toml").stdout)
        self.assertIn("but --set says 1e-09", self.scree("check", "masonry.toml", "--set", "solver.tolerance=1e-9").stdout)

    def test_bad_values_are_named_as_they_were_typed(self):
        for command in ("run", "check"):
            for edit, says in (("contact[0].mux=1", ['unknown key; did you mean "mu"?']), ("contact[0].mu=-1", ["contact.mu: -1 is not allowed"]),
                               ("time.theta=0.3", ["time.theta: 0.3 is not allowed"]), ("body[slab].velocity=[0,0,0]", ["body has no 'slab'"]),
                               ("contact[7].mu=1", ["contact has 1 entries"]), ("time.dt", ["must be KEY=VALUE"]), ("time.dt=1;2", ["is no value of TOML"])):
                with self.subTest(command=command, edit=edit):
                    self.refuse(command, "slab.toml", "--set", edit, says=[f"--set {edit}: ", *says])
        # An entry of an array of the file is the edit's, and so is what an edit makes wrong elsewhere.
        self.refuse("run", "slab.toml", "--set", f"body[{SLAB}].velocity[1]=nan", says=f"--set body[{SLAB}].velocity[1]=nan: body.velocity: nan is not allowed")
        edit = f"body[{SLAB}].position[2]=0.02"
        self.refuse("run", "slab.toml", "--set", edit, says=[f"with --set {edit}: slab.toml:", "overlap at the start"])
        edits = ("material[0].name=marble", "time.end=1")
        self.refuse("run", "slab.toml", "--set", edits[0], "--set", edits[1], says=[f"with --set {edits[0]} --set {edits[1]}: slab.toml:", 'unknown value "stone"'])
        self.refuse("run", "slab.toml", "--set", "time.dt=0.01", "--dt", "0.02", says="--set time.dt=0.01: --dt gives time.dt too")
        self.assertLess(len(self.refuse("run", "slab.toml", "--set", "w" * 100000 + "=1", says="ww")), 3000)
        self.assertLess(len(self.refuse("run", "slab.toml", "--set", "title=" + "w" * 100000 + "#", says="ww")), 3000)


class Sweep(Case):
    GRID = ["--set", "contact[0].mu=0.2:0.9:0.1", "--set", f"body[{SLAB}].velocity[0]=linspace(0.5,2.25,8)",
            "--measure", f"{SLAB}.x", "--measure", f"max({SLAB}.vx)", "--measure", "sum(contact_tangential_work)"]

    def sweep(self, *arguments, **options):
        return self.scree("sweep", "slab.toml", *arguments, **options)

    def n_kept(self, out):
        return sum(text.count(b"\n") - 4 for text in (path.read_bytes() for path in (self.folder / f"{out}.runs").glob("chunk-*.txt")))

    def kill_ten_times(self, out, jobs, *more):
        """Kills the sweep whenever some more runs are kept."""
        kept = 0
        for number in range(10):
            sweep = self.start("sweep", "slab.toml", *self.GRID, "--jobs", str(jobs), "-o", out, *more)
            while sweep.poll() is None:
                try:
                    now = self.n_kept(out)
                except OSError:
                    continue
                if now > kept + number % 3:
                    break
                time.sleep(0.001)
            sweep.kill()
            sweep.communicate()
            self.assertEqual(sweep.returncode, -signal.SIGKILL, "the sweep ended before it was killed")
            kept = self.n_kept(out)
        self.assertLess(kept, 64)
        done = self.sweep(*self.GRID, "--jobs", str(jobs), "-o", out, *more)
        self.assertIn(f"{kept} of 64 runs are there from before", done.stderr)

    def test_sixty_four_runs_are_the_same_file_for_any_jobs_and_ten_kills(self):
        self.sweep(*self.GRID, "--jobs", "2", "-o", "whole.csv")
        for jobs in (1, 2):
            self.kill_ten_times(f"killed{jobs}.csv", jobs)
            self.assertEqual((self.folder / f"killed{jobs}.csv").read_bytes(), (self.folder / "whole.csv").read_bytes())
        self.assertEqual([name for name in self.files() if "runs" in name or "partial" in name], [])
        rows = rows_of(self.folder / "whole.csv")
        self.assertEqual(len(rows), 64)
        self.assertEqual(len({row["state_hash"] for row in rows}), 64)
        # Every row is what the scheme's own sum says, to the tolerance of the solver.
        for row in rows:
            mu, speed = float(row["contact[0].mu"]), float(row[f"body[{SLAB}].velocity[0] [m/s]"])
            expected, last = sliding(mu, speed)
            self.assertAlmostEqual(float(row[f"{SLAB}.x [m]"]), expected, delta=1e-9)
            self.assertAlmostEqual(float(row["sum(contact_tangential_work) [J]"]), -0.5 * 230.0 * (speed ** 2 - last ** 2), delta=1e-6)
            self.assertEqual(float(row[f"max({SLAB}.vx) [m/s]"]), speed)
            self.assertEqual((row["status"], row["end"], row["unconverged_steps"], row["message"]), ("done", "finished", "0", ""))

    def test_the_swept_distance_is_that_of_a_pencil_but_for_the_first_order_term(self):
        """v^2 / (2 mu g) + (1/2 - theta) h v, the rest less than mu g h^2."""
        self.sweep("--set", "time.theta=0.5,0.75,1", "--set", "contact[0].mu=0.2,0.4,0.8", "--measure", f"{SLAB}.x", "-o", "t.csv")
        rows = rows_of(self.folder / "t.csv")
        self.assertEqual([(row["time.theta"], row["contact[0].mu"]) for row in rows], [(a, b) for a in ("0.5", "0.75", "1") for b in ("0.2", "0.4", "0.8")])
        for row in rows:
            theta, mu, distance = float(row["time.theta"]), float(row["contact[0].mu"]), float(row[f"{SLAB}.x [m]"])
            self.assertAlmostEqual(distance, sliding(mu, SPEED, theta)[0], delta=1e-9)
            self.assertAlmostEqual(distance, SPEED ** 2 / (2 * mu * G) + (0.5 - theta) * DT * SPEED, delta=mu * G * DT ** 2)

    def test_an_hdf5_table_is_the_same_too_and_holds_the_numbers_of_the_csv(self):
        grid = ["--set", "contact[0].mu=0.3,0.5", "--set", "law.default=fremond,newton", "--measure", f"{SLAB}.x", "--measure", "max(contacts)"]
        self.sweep(*grid, "-o", "a.h5", "--jobs", "1")
        time.sleep(1.1)  # HDF5's times have seconds
        self.sweep(*grid, "-o", "b.h5", "--jobs", "2")
        self.assertEqual((self.folder / "a.h5").read_bytes(), (self.folder / "b.h5").read_bytes())
        self.sweep(*grid, "-o", "a.csv")
        rows = rows_of(self.folder / "a.csv")
        with h5py.File(self.folder / "a.h5") as file:
            self.assertEqual(list(file[f"{SLAB}.x"][()]), [float(row[f"{SLAB}.x [m]"]) for row in rows])
            self.assertEqual(file[f"{SLAB}.x"].attrs["unit"], b"m")
            self.assertEqual([word.decode() for word in file["law.default"][()]], [row["law.default"] for row in rows])
            self.assertEqual(list(file["steps"][()]), [625] * 4)
        self.refuse("info", "a.h5", says="is the table of a sweep, not a result file")

    def test_rows_are_the_numbers_of_single_runs(self):
        self.sweep("--set", "contact[0].mu=0.1,0.4", "--measure", "max(kinetic)", "--measure", f"end({SLAB}.vx)", "--measure", f"min({SLAB}.z)",
                   "--measure", "sum(iterations)", "--measure", "height", "--measure", "run_out", "-o", "t.csv")
        for row in rows_of(self.folder / "t.csv"):
            self.scree("run", "slab.toml", "--set", f"contact[0].mu={row['contact[0].mu']}", "--set", "output.frames_per_second=500", "--set", "output.velocities=double", "--out", "one.h5", "--force")
            with h5py.File(self.folder / "one.h5") as file:
                self.assertEqual(row["state_hash"], file.attrs["state_hash"].decode())
                velocity, position = file["frames/velocity"][:, 1], file["frames/position"][:, 1]
                self.assertEqual(len(velocity), 626)
                self.assertEqual(float(row["max(kinetic) [J]"]), file["ledger/kinetic"][()].max())
                self.assertEqual(float(row[f"end({SLAB}.vx) [m/s]"]), velocity[-1, 0])
                self.assertEqual(float(row[f"min({SLAB}.z) [m]"]), position[:, 2].min())
                self.assertEqual(float(row["sum(iterations)"]), file["solver/iterations"][()].sum())
                self.assertEqual(float(row["height [m]"]), position[-1, 2])
                self.assertAlmostEqual(float(row["run_out [m]"]), numpy.hypot(*position[-1, :2]), delta=1e-15)

    def test_draws_are_those_of_seed_and_sample(self):
        draws = ["--set", "contact[0].mu=uniform(0.2,0.6)", "--set", f"body[{SLAB}].velocity[0]=normal(1,0.1)", "--set", "time.end=0.01,0.02"]
        self.sweep(*draws, "--samples", "5", "-o", "a.csv")
        self.sweep(*draws, "--samples", "7", "--seed", "1", "-o", "b.csv")
        self.sweep(*draws, "--samples", "5", "--seed", "2", "-o", "c.csv")
        tables = {name: rows_of(self.folder / f"{name}.csv") for name in "abc"}
        drawn = {name: {row["sample"]: (row["contact[0].mu"], row[f"body[{SLAB}].velocity[0] [m/s]"]) for row in rows} for name, rows in tables.items()}
        self.assertEqual(len(tables["a"]), 10)
        self.assertEqual(drawn["a"], {sample: values for sample, values in drawn["b"].items() if int(sample) < 5})
        self.assertFalse(set(drawn["a"].values()) & set(drawn["c"].values()))
        # Written down once: every machine draws them.
        self.assertEqual(drawn["a"]["0"], ("0.5578738865340369", "0.8893362128883764"))

    def test_integers_are_drawn_or_asked_for(self):
        self.sweep("--set", "solver.max_iterations=uniform_int(500,503)", "--set", "contact[0].mu=uniform(0.3,0.6)", "--set", "time.end=0.01", "--samples", "40", "-o", "t.csv")
        rows = rows_of(self.folder / "t.csv")
        drawn = [row["solver.max_iterations"] for row in rows]
        self.assertEqual((set(drawn), {row["status"] for row in rows}), ({"500", "501", "502", "503"}, {"done"}))
        # The same share of their range as a number in (0, 1) that the first distribution draws; the second has a stream of its own.
        self.sweep("--set", "contact[0].mu=uniform(0,1)", "--set", "time.end=0.01", "--samples", "40", "-o", "shares.csv")
        shares = [float(row["contact[0].mu"]) for row in rows_of(self.folder / "shares.csv")]
        self.assertEqual(drawn, [str(500 + int(4 * share)) for share in shares])
        self.assertNotEqual([float(row["contact[0].mu"]) for row in rows], [0.3 + 0.3 * share for share in shares])
        # Numbers that are no integers: one line before the first run, not a row each.
        for other in ([], ["--set", "contact[0].mu=uniform(0.3,0.6)"]):
            self.refuse("sweep", "slab.toml", "--set", "solver.max_iterations=uniform(500,600)", *other, "--samples", "40", "-o", "u.csv",
                        says=["--set solver.max_iterations=5", "must be an integer >= 1; uniform_int(low,high) draws integers"])
        for wrong, says in (("uniform_int(1.5,3)", "'1.5' in uniform_int(1.5,3) is not allowed; must be an integer"), ("uniform_int(3,3)", "low must be below high"),
                            ("uniform_int(0,1e10)", "must be an integer from -1000000000 to 1000000000"), ("uniformint(1,3)", "did you mean uniform_int?")):
            self.refuse("sweep", "slab.toml", "--set", f"solver.max_iterations={wrong}", "--samples", "2", "-o", "u.csv", says=says)
        self.assertEqual([name for name in self.files() if name.startswith("u.")], [])

    def test_order_of_lists_does_not_decide_what_is_refused(self):
        """A value that no run can have ends the sweep; one that only some others forbid makes rows. theta goes up to 1/(1+e): 0.9 with e = 0.1, 1 with e = 0."""
        theta, e = ("0.95", "0.7"), ("0.1", "0")
        found = set()
        for values in (theta, theta[::-1]):
            for others in (e, e[::-1]):
                sets = [("--set", f"time.theta={','.join(values)}"), ("--set", f"contact[0].e={','.join(others)}"), ("--set", "time.end=0.01")]
                for ordered in (sets, sets[::-1]):
                    self.sweep(*(word for pair in ordered for word in pair), "-o", "t.csv", "--force", expect=1)
                    found.add(tuple(sorted((row["time.theta"], row["contact[0].e"], row["status"]) for row in rows_of(self.folder / "t.csv"))))
        self.assertEqual(found, {(("0.7", "0", "done"), ("0.7", "0.1", "done"), ("0.95", "0", "done"), ("0.95", "0.1", "refused"))})
        for values in ("2,0.7", "0.7,2"):   # with no e
            for sets in ([f"time.theta={values}", "contact[0].e=0,0.1"], ["contact[0].e=0.1,0", f"time.theta={values}"]):
                self.refuse("sweep", "slab.toml", "--set", sets[0], "--set", sets[1], "-o", "u.csv", says="--set time.theta=2: time.theta: 2 is not allowed")
        for values in ("1,0.01", "0.01,1"):   # longer than the run: what an edit makes wrong elsewhere
            self.refuse("sweep", "slab.toml", "--set", f"time.dt={values}", "--set", "time.end=0.5", "-o", "u.csv", says="dt = 1 [s]")

    def test_an_entry_of_an_array_that_the_scene_leaves_out_is_one_of_its_default(self):
        self.sweep("--set", f"body[{SLAB}].angular_velocity[2]=0,0.5", "--set", "time.end=0.1", "--measure", f"{SLAB}.spin", "-o", "t.csv")
        still, turning = rows_of(self.folder / "t.csv")
        self.scree("run", "slab.toml", "--set", f"body[{SLAB}].angular_velocity=[0,0,0.5]", "--t-end", "0.1", "--out", "one.h5")
        with h5py.File(self.folder / "one.h5") as file:
            self.assertEqual(turning["state_hash"], file.attrs["state_hash"].decode())
        self.assertEqual(turning[f"body[{SLAB}].angular_velocity[2] [rad/s]"], "0.5")
        self.assertNotEqual(still["state_hash"], turning["state_hash"])
        # Gravity of the default, [0, 0, -9.81], with one component changed.
        self.scree("run", "slab.toml", "--set", "world.gravity[0]=1", "--t-end", "0.1", "--out", "tilted.h5")
        self.assertEqual(json.loads(self.scree("info", "tilted.h5", "--json").stdout)["settings"]["gravity"], "1, 0, -9.81")
        for edit, says in ((f"body[{SLAB}].orientation[0]=1", "no default that is an array (no turn); give all of it, as"), (f"body[{SLAB}].velocities[0]=1", "did you mean velocity?"),
                           (f"body[{SLAB}].angular_velocity[3]=1", "angular_velocity has 3 entries"), (f"body[{SLAB}].angular_velocity[x]=1", "has no names; give a number from 0")):
            self.refuse("run", "slab.toml", "--set", edit, says=[f"--set {edit}: ", says])

    def test_runs_without_results_are_rows_that_say_so(self):
        self.write(SCENE.replace("tolerance = 1e-12", "tolerance = 1e-12\nmax_iterations = 1000"), "slab.toml")
        done = self.sweep("--set", f"body[{SLAB}].position[2]=0.05,0.02", "--measure", f"{SLAB}.x", "-o", "t.csv", "--page", "t.html", expect=1)
        good, bad = rows_of(self.folder / "t.csv")
        self.assertEqual((good["status"], good["message"], bad["status"], bad[f"{SLAB}.x [m]"], bad["state_hash"]), ("done", "", "refused", "", ""))
        self.assertIn("overlap at the start", bad["message"])
        self.assertIn("1 refused", done.stdout)
        self.assertIn("1 refused", (self.folder / "t.html").read_text())
        self.sweep("--set", "solver.max_iterations=1,1000", "--set", f"body[{SLAB}].angular_velocity=[0.1,0.2,3]", "--measure", f"{SLAB}.x", "-o", "u.csv", expect=3)
        first, second = rows_of(self.folder / "u.csv")
        self.assertEqual(first["status"], "unconverged")
        self.assertGreater(int(first["unconverged_steps"]), 0)
        self.assertIn("unconverged", first["warnings"])
        self.assertEqual(second["status"], "done")
        self.write(SCENE + "load = { force = [0, 0, 1] }\n", "slab.toml")
        done = self.sweep("--set", f"body[{SLAB}].load.force[2]=1,1e30", "--measure", f"{SLAB}.x", "-o", "v.csv", expect=1)
        good, bad = rows_of(self.folder / "v.csv")
        self.assertEqual((good["status"], bad["status"], bad["steps"], bad["state_hash"], bad[f"{SLAB}.x [m]"]), ("done", "failed", "0", "", ""))
        self.assertIn("is farther than 1e12 m from the origin", bad["message"])
        self.assertIn("1 failed", done.stdout)

    def test_a_page_has_a_curve_for_each_choice_of_the_other_keys(self):
        self.sweep("--set", "contact[0].mu=0.3,0.4,0.5", "--set", f"body[{SLAB}].velocity[0]=1,1.5", "--measure", f"{SLAB}.x", "-o", "t.csv", "--page", "t.html")
        page = (self.folder / "t.html").read_text()
        self.assertEqual(page.count("</title></path>"), 2)
        self.assertIn("velocity[0] = 1.5", page)
        self.assertEqual(page.count("<tr>"), 7)
        self.assertNotRegex(page, r"(?i)\bnan\b|https?://(?!www\.w3\.org)")

    def test_a_page_draws_over_every_distribution(self):
        self.sweep("--set", "contact[0].mu=uniform(0.3,0.6)", "--set", f"body[{SLAB}].velocity[0]=normal(1,0.1)", "--set", "time.end=0.1,0.2", "--samples", "6",
                   "--measure", f"{SLAB}.x", "--measure", f"{SLAB}.vx", "-o", "t.csv", "--page", "t.html")
        page = (self.folder / "t.html").read_text()
        labels = re.findall(r'class="mid label">([^<]+)</text>', page)[1:]   # the first is the title
        self.assertEqual(labels, [text for measure in (f"{SLAB}.x [m]", f"{SLAB}.vx [m/s]") for key in ("time.end [s]", "contact[0].mu", f"body[{SLAB}].velocity[0] [m/s]") for text in (key, measure)])
        self.assertEqual(page.count('<circle class="dot" cx'), 2 * (2 + 2 * 2 * 6) + 0)   # two means, and a dot for each run over each distribution
        self.assertIn("means over 6 samples", page)
        self.assertIn("a dot a run", page)

    def test_a_signal_keeps_the_runs_and_the_same_command_goes_on(self):
        many = ["--set", "contact[0].mu=linspace(0.2,0.5,40)", "--set", "time.dt=5e-4", "--jobs", "2", "-o", "t.csv"]
        sweep = self.start("sweep", "slab.toml", *many)
        while sweep.poll() is None and not list(self.folder.glob("t.csv.runs/chunk-*.txt")):
            time.sleep(0.005)
        sweep.send_signal(signal.SIGTERM)
        _, said = sweep.communicate()
        self.assertEqual(sweep.returncode, 1)
        kept = int(re.search(r"Stopped by a signal; (\d+) of 40 runs are kept in t.csv.runs", said).group(1))
        self.assertEqual(kept, self.n_kept("t.csv"))
        self.assertFalse((self.folder / "t.csv").exists())
        # Another sweep does not take them, and goes its way when that is asked for.
        self.refuse("sweep", "slab.toml", *many, "--set", "time.theta=0.6", says="t.csv.runs: holds runs of another sweep")
        self.sweep(*many[:-2], "-o", "u.csv", "--set", "time.end=0.01,0.02")
        self.sweep(*many)
        self.refuse("sweep", "slab.toml", *many, says="t.csv: exists already")
        self.sweep("--set", "time.end=0.01", "-o", "t.csv", "--force")
        self.assertEqual(len(rows_of(self.folder / "t.csv")), 1)

    def test_a_kill_between_table_and_clean_up_leaves_a_whole_table(self):
        grid = ["--set", "time.end=0.01,0.02", "-o", "t.csv", "--page", "t.html"]
        for lost in (False, True):
            # As after such a kill: the page cannot be written, so the table stands beside the runs that it was made of.
            (self.folder / "t.html.partial").mkdir()
            self.sweep(*grid, expect=(1, 2))
            table = (self.folder / "t.csv").read_bytes()
            self.assertEqual(len(rows_of(self.folder / "t.csv")), 2)
            self.assertTrue((self.folder / "t.csv.runs/merged.txt").exists())
            (self.folder / "t.html.partial").rmdir()
            if lost:
                (self.folder / "t.csv.runs/chunk-000000.txt").unlink()
            done = self.sweep(*grid)
            self.assertIn("nothing is left to do" if lost else "2 of 2 runs are there from before", done.stderr)
            self.assertEqual((self.folder / "t.html").exists(), not lost)
            self.assertEqual((self.folder / "t.csv").read_bytes(), table)
            self.assertFalse((self.folder / "t.csv.runs").exists())
            for path in self.folder.glob("t.*"):
                path.unlink()

    def test_bad_input_is_one_line(self):
        ok = ["--set", "contact[0].mu=0.3,0.4", "-o", "t.csv"]
        for arguments, says in (
                (["--set", "contact[0].mux=0.3,0.4", "-o", "t.csv"], ["--set contact[0].mux=0.3: ", 'did you mean "mu"?']),
                (["--set", "contact[0].mu=0.3,-1", "-o", "t.csv"], ["--set contact[0].mu=-1: ", "-1 is not allowed"]),
                (["--set", "contact[0].mu=0.5:0.1:0.1", "-o", "t.csv"], ["the range 0.5:0.1:0.1 is empty"]),
                (["--set", "contact[0].mu=0.1:0.5:0", "-o", "t.csv"], ["the step of the range 0.1:0.5:0 is 0"]),
                (["--set", "contact[0].mu=0.1:0.5", "-o", "t.csv"], ["is no range"]),
                (["--set", "contact[0].mu=0.1:x:0.1", "-o", "t.csv"], ["'x' in 0.1:x:0.1 is not allowed"]),
                (["--set", "contact[0].mu=0:1:1e-9", "-o", "t.csv"], ["more than 1000000 values"]),
                (["--set", "contact[0].mu=linspace(0,1,1)", "-o", "t.csv"], ["'1' in linspace(0,1,1)"]),
                (["--set", "contact[0].mu=0.3,,0.4", "-o", "t.csv"], ["an entry of the list '0.3,,0.4' is empty"]),
                (["--set", "contact[0].mu=0.3,0.3", "-o", "t.csv"], ["0.3 is there twice"]),
                (["--set", "contact[0].mu=0.1,0.10", "-o", "t.csv"], ["0.10 is there twice"]),
                (["--set", "contact[0].mu=Uniform(0.3,0.4)", "--samples", "2", "-o", "t.csv"], ["unknown 'Uniform'; did you mean uniform?"]),
                (["--set", "contact[0].mu=uniform(0.4,0.3)", "--samples", "2", "-o", "t.csv"], ["low must be below high"]),
                (["--set", "contact[0].mu=uniform(0.4)", "--samples", "2", "-o", "t.csv"], ["uniform(0.4) has 1 numbers"]),
                (["--set", "contact[0].mu=normal(0.4,0)", "--samples", "2", "-o", "t.csv"], ["the deviation must be above 0"]),
                (["--set", "contact[0].mu=nromal(0.4,1)", "--samples", "2", "-o", "t.csv"], ["unknown 'nromal'; did you mean normal?"]),
                (["--set", "contact[0].mu=uniform(0.3,0.4),0.5", "--samples", "2", "-o", "t.csv"], ["must stand alone"]),
                (["--set", "contact[0].mu=uniform(0.3,0.4)", "-o", "t.csv"], ["--samples must say how many"]),
                (["--set", "contact[0].mu=uniform(0.3,0.4)", "--samples", "0", "-o", "t.csv"], ["--samples: 0 is not allowed"]),
                ([*ok, "--samples", "3"], ["--samples: has no effect"]),
                ([*ok, "--set", "contact[0].mu=0.5"], ["contact[0].mu is set twice"]),
                ([*ok, "--measure", "max(slab.x)"], ["--measure max(slab.x): there is no body 'slab'"]),
                ([*ok, "--measure", f"{SLAB}.q"], ["a body has no 'q'"]),
                ([*ok, "--measure", "kinetik"], ["unknown quantity 'kinetik'; did you mean 'kinetic'?"]),
                ([*ok, "--measure", "mean(kinetic)"], ["unknown 'mean'; known are end, max, min and sum"]),
                ([*ok, "--measure", "sum(height)"], ["sums are of works of the ledger"]),
                ([*ok, "--measure", "seconds_solve"], ["wall times differ"]),
                ([*ok, "--measure", "kinetic", "--measure", "kinetic"], ["is there twice"]),
                ([*ok, "--jobs", "0"], ["--jobs"]),
                (["--set", "contact[0].mu=0.3", "-o", "t.txt"], ["unknown extension '.txt'"]),
                (["--set", "contact[0].mu=0.3", "-o", "t.csv", "--page", "t.svg"], ["unknown extension '.svg'"]),
                (["--set", "contact[0].mu=0.3", "-o", "none/t.csv"], ["the folder does not exist"]),
                (["--set", "contact[0].mu=0.3"], ["--out"]),
                (["-o", "t.csv"], ["--set"])):
            with self.subTest(arguments=arguments):
                self.refuse("sweep", "slab.toml", *arguments, says=says)
        self.refuse("sweep", "none.toml", *ok, says="none.toml")
        (self.folder / "t.csv").write_text("mine")
        self.refuse("sweep", "slab.toml", *ok, says="t.csv: exists already")


if __name__ == "__main__":
    program.main()
