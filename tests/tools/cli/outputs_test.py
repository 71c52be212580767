"""Files and streams that programs share: two runs on one file, signals, what a kill leaves, pipes, an output that cannot be written.

usage: outputs_test.py SCREE [unittest options]
"""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

import h5py

import program

SCENE = program.falling_ball(0.1)


class Case(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SCENE, "ball.toml")

    def wait_for(self, holds):
        for _ in range(600):
            if holds():
                return
            time.sleep(0.05)
        self.fail("did not happen within 30 s")

    def begin(self, *options):
        """A run without an end that has written its first rows."""
        process = self.start("run", "ball.toml", "--t-end", "1e6", "--out", "run.h5", *options)
        self.addCleanup(process.communicate)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        self.wait_for((self.folder / "run.h5").exists)
        return process

    def info(self, name="run.h5"):
        return json.loads(self.scree("info", name, "--json").stdout)


class OneWriter(Case):
    def test_second_run_on_a_file_is_refused_while_the_first_lives(self):
        first = self.begin("--checkpoint-every-steps", "100")
        (self.folder / "link.h5").symlink_to("run.h5")
        for arguments in (["run", "ball.toml", "--out", "run.h5", "--force"], ["run", "ball.toml", "--out", "./run.h5", "--force"],
                          ["run", "ball.toml", "--out", "link.h5", "--force"], ["resume", "run.h5.checkpoint"]):
            done = self.scree(*arguments, expect=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("run.h5: is being written by another run" if "link.h5" not in arguments else "link.h5: is being written", done.stderr)
        self.assertEqual([name for name in self.files() if name.endswith(".partial") and "checkpoint" not in name], [])
        first.send_signal(signal.SIGTERM)
        self.assertIn("Stopped by a signal", first.communicate()[1])
        self.assertEqual(self.info()["status"], "stopped")
        self.scree("run", "ball.toml", "--out", "run.h5", "--force")   # free again
        self.assertEqual(self.info()["status"], "finished")

    def test_kill_frees_the_file(self):
        first = self.begin()
        first.kill()
        first.communicate()
        self.scree("run", "ball.toml", "--out", "run.h5", "--force")
        self.assertEqual(self.info()["status"], "finished")
        self.assertEqual(self.files(), ["ball.toml", "run.h5"])

    def test_of_runs_that_start_together_one_writes(self):
        runs = [self.start("run", "ball.toml", "--out", "run.h5", "--force", "--json", "--t-end", f"{3 + i}") for i in range(4)]
        ended = [(run.returncode, out, err) for run in runs for out, err in [run.communicate()]]
        for code, _, err in ended:
            self.assertIn(code, (0, 2), err)
            self.assertEqual(code == 2, "is being written by another run" in err, err)
        # Each that was told that it is done had the file to itself until then; the last of them left what is there now.
        hashes = [json.loads(out)["state_hash"] for code, out, _ in ended if code == 0]
        self.assertIn(self.info()["state_hash"], hashes)
        self.assertEqual(self.files(), ["ball.toml", "run.h5"])

    def test_file_taken_over_between_two_runs(self):
        (self.folder / "run.h5.partial").write_text("x" * 100_000)   # left by a kill
        (self.folder / "run.h5.checkpoint.partial").write_text("x")
        (self.folder / "plot.svg.partial").write_text("x" * 1_000_000)
        self.scree("run", "ball.toml", "--out", "run.h5")
        self.scree("plot", "run.h5", "kinetic", "-o", "plot.svg")
        self.assertEqual(self.files(), ["ball.toml", "plot.svg", "run.h5"])
        self.assertTrue((self.folder / "plot.svg").read_text().endswith("</svg>\n"))

    def test_other_writers_respect_a_file_that_is_being_written(self):
        self.scree("run", "ball.toml", "--out", "done.h5")
        for name, arguments in (("a.csv", ["export", "done.h5", "-o", "a.csv"]), ("a.vtkhdf", ["export", "done.h5", "-o", "a.vtkhdf"]),
                                ("a.png", ["export", "done.h5", "-o", "a.png"]), ("a.svg", ["plot", "done.h5", "kinetic", "-o", "a.svg"]),
                                ("a.html", ["report", "done.h5", "-o", "a.html"]),
                                ("b.csv", ["bench", "--scenes", "pyramid", "--csv", "b.csv"])):
            with Lock(self.folder / (name + ".partial")):
                done = self.scree(*arguments, expect=2)
                self.assertIn(f"{name}: is being written by another run", done.stderr)
            (self.folder / (name + ".partial")).unlink()

    def test_reading_is_not_hindered(self):
        self.begin()
        self.scree("export", "run.h5", "-o", "frame.csv")
        with h5py.File(self.folder / "run.h5", "r", swmr=True) as f:
            self.assertGreater(len(f["ledger/time"]), 0)


class Lock:
    """The lock of a writer of that file (fcntl(2), open file description locks)."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        import fcntl
        import struct
        self.file = open(self.path, "w+")
        fcntl.fcntl(self.file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))   # 37: F_OFD_SETLK

    def __exit__(self, *_):
        self.file.close()


class StandardOutput(Case):
    COMMANDS = (["run", "ball.toml", "--json", "--out", "new.h5", "--force"], ["run", "ball.toml", "--out", "new.h5", "--force"],
                ["resume", "run.h5.checkpoint", "--t-end", "0.4", "--out", "new.h5", "--force", "--json"], ["check", "ball.toml"],
                ["check", "ball.toml", "--json"], ["info", "run.h5"], ["info", "run.h5", "--json"], ["solve", "PROBLEM"],
                ["solve", "PROBLEM", "--json"], ["solve", "PROBLEM", "--csv"],
                ["bench", "--scenes", "pyramid", "--sizes", "10", "--threads", "1", "--backends", "serial", "--steps", "1", "--repeats", "1"],
                ["--help"], ["run", "--help"], ["--version"])

    def setUp(self):
        super().setUp()
        self.scree("run", "ball.toml", "--out", "run.h5", "--t-end", "0.3", "--checkpoint-every-steps", "50", "--dump-fclib", "problems")
        problem = str(next((self.folder / "problems").iterdir()))
        self.commands = [[problem if word == "PROBLEM" else word for word in command] for command in self.COMMANDS]

    def run_with(self, command, stdout):
        return subprocess.run([program.SCREE, *command], cwd=self.folder, stdout=stdout, stderr=subprocess.PIPE, text=True)

    def test_full_device_is_a_failure_with_its_reason(self):
        for command in self.commands:
            with self.subTest(command=command), open("/dev/full", "w") as full:
                done = self.run_with(command, full)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stderr.splitlines()[-1], "standard output cannot be written: No space left on device")

    def test_reader_that_has_gone_is_none(self):
        for command in self.commands:
            with self.subTest(command=command):
                end, start = os.pipe()
                os.close(end)
                try:
                    done = self.run_with(command, start)
                finally:
                    os.close(start)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("standard output", done.stderr)

    def test_closed_output_never_ends_up_in_a_file(self):
        done = subprocess.run(["sh", "-c", f"'{program.SCREE}' run ball.toml --json --out new.h5 --force >&-"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output cannot be written", done.stderr)
        self.assertEqual(self.info("new.h5")["status"], "finished")

    def test_messages_that_nobody_can_read_end_nothing(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([program.SCREE, "run", "ball.toml", "--out", "new.h5", "--threads", "2", "--json"], cwd=self.folder, stderr=full,
                                  stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["steps"], 100)


class Signals(Case):
    def test_closed_terminal_ends_the_run_after_a_step(self):
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            run = self.begin("--force")
            run.send_signal(number)
            out, err = run.communicate(timeout=300)
            self.assertEqual(run.returncode, 1, err)
            self.assertIn("run.h5 is readable up to there", err)
            self.assertIn("energy [J]", out)
            self.assertEqual(self.info()["status"], "stopped")
            self.assertEqual(self.files(), ["ball.toml", "run.h5", "run.h5.checkpoint"])
            (self.folder / "run.h5").unlink()

    def test_nohup_keeps_the_run_alive(self):
        run = subprocess.Popen(["nohup", program.SCREE, "run", "ball.toml", "--t-end", "1e6", "--out", "run.h5"], cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.wait_for((self.folder / "run.h5").exists)
        run.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(run.poll())

    def test_interrupted_export_leaves_nothing(self):
        self.scree("run", "ball.toml", "--out", "run.h5", "--t-end", "30")
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            for name in ("big.csv", "big.vtkhdf", "big.png"):
                command = ["export", "run.h5", "-o", name] + (["--size", "12000x9000"] if name == "big.png" else [])
                export = self.start(*command)
                self.wait_for(lambda: (self.folder / (name + ".partial")).exists() or export.poll() is not None)
                export.send_signal(number)
                export.communicate(timeout=300)
                if export.returncode == 0:   # done before the signal came
                    (self.folder / name).unlink()
                else:
                    self.assertEqual(export.returncode, -number)
                self.assertEqual(self.files(), ["ball.toml", "run.h5"])


class Unwritable(Case):
    """What may not be written is bad input, exit code 2; what turns out to be too large for the disk is a failure, 1. For all alike."""
    COMMANDS = (("x.h5", ["run", "ball.toml", "--out", "{}"]), ("x.png", ["export", "run.h5", "-o", "{}"]), ("x.vtkhdf", ["export", "run.h5", "-o", "{}"]),
                ("x.glb", ["export", "run.h5", "-o", "{}"]), ("x.csv", ["export", "run.h5", "-o", "{}", "--table", "ledger"]),
                ("x.obj", ["export", "run.h5", "-o", "{}"]), ("x.pvd", ["export", "run.h5", "-o", "{}"]), ("x.svg", ["plot", "run.h5", "kinetic", "-o", "{}"]),
                ("y.png", ["plot", "run.h5", "kinetic", "-o", "{}"]), ("x.html", ["report", "run.h5", "-o", "{}"]))

    def setUp(self):
        super().setUp()
        self.scree("run", "ball.toml", "--out", "run.h5")
        self.closed = self.folder / "closed"
        self.closed.mkdir()
        self.folder.chmod(0o755)
        self.program = shutil.copy(program.SCREE, self.folder)   # where nobody can get at it, too

    def commands(self, folder):
        return [(f"{folder}/{name}", [word.format(f"{folder}/{name}") for word in command]) for name, command in self.COMMANDS]

    @staticmethod
    def as_nobody():
        """Whoever may write everywhere gives that up."""
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

    def test_folder_that_may_not_be_written(self):
        self.closed.chmod(0o555)
        for path, command in self.commands("closed"):
            done = self.scree(*command, expect=2, preexec_fn=self.as_nobody, program=self.program)
            self.assertEqual((done.stdout, done.stderr), ("", f"{path}: cannot be written: Permission denied\n"))

    def test_file_that_may_not_be_written(self):
        self.closed.chmod(0o777)
        for path, command in self.commands("closed"):
            (self.folder / path).write_text("precious")
            (self.folder / path).chmod(0o444)
            done = self.scree(*command, "--force", expect=2, preexec_fn=self.as_nobody, program=self.program)
            self.assertEqual((done.stdout, done.stderr), ("", f"{path}: cannot be replaced: Permission denied\n"))
            self.assertEqual((self.folder / path).read_text(), "precious")

    def test_file_too_large_for_the_disk(self):
        before = self.files()
        for path, command in self.commands("."):
            done = self.scree(*command, expect=1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"^\S+: cannot be written: File too large(; nothing was recorded)?\n$")
            self.assertEqual(self.files(), before)


class Inputs(Case):
    def test_pipes_and_devices_are_refused_by_all(self):
        os.mkfifo(self.folder / "fifo")
        for name in ("fifo", "/dev/zero"):
            for arguments in (["run", name], ["check", name], ["info", name], ["resume", name], ["solve", name], ["export", name, "-o", "x.png"],
                              ["plot", name, "kinetic", "-o", "x.svg"], ["report", name, "-o", "x.html"], ["study", "column", name, "--aspect", "1"]):
                with self.subTest(arguments=arguments):
                    done = self.scree(*arguments, expect=2, timeout=300)
                    self.assertEqual(done.stderr, f"{name}: is not a regular file, but a pipe or a device\n")
        self.write(SCENE + '[initial]\nfrom = "fifo"\n', "from.toml")
        self.assertIn("not a regular file", self.scree("run", "from.toml", expect=2, timeout=300).stderr)


class Options(Case):
    def test_option_without_effect_is_refused(self):
        self.scree("run", "ball.toml", "--out", "run.h5")
        for out, *option in (("x.glb", "--table", "ledger"), ("x.png", "--table", "bodies"), ("x.csv", "--size", "640x400"), ("x.obj", "--view", "1,2"),
                             ("x.pvd", "--look", "0,0,0"), ("x.vtkhdf", "--width", "3"), ("x.glb", "--colour", "speed")):
            self.refuse("export", "run.h5", "-o", out, *option, says=f"{option[0]}: has no effect on a {out[1:]} file; it is for a ")
        for option in (("--time", "0"), ("--frame", "0"), ("--panels", "2")):
            self.refuse("export", "run.h5", "-o", "x.csv", "--table", "ledger", *option, says=f"{option[0]}: has no effect on the table ledger")
            self.scree("export", "run.h5", "-o", "x.csv", *option, "--force")
        for option in (("--time", "0"), ("--frame", "0")):
            self.refuse("plot", "run.h5", "kinetic", "-o", "x.svg", *option, says=f"{option[0]}: has no effect on curves over time")

    def test_extensions_may_be_written_large(self):
        self.scree("run", "ball.toml", "--out", "run.h5")
        for name, begin in (("X.PNG", b"\x89PNG"), ("X.Glb", b"glTF"), ("X.CSV", b"time"), ("X.OBJ", b"#"), ("X.VTKHDF", b"\x89HDF"), ("X.PVD", b"<?xml")):
            self.scree("export", "run.h5", "-o", name, "--force")
            self.assertEqual((self.folder / name).read_bytes()[:len(begin)], begin, name)
        for command, name, begin in (("plot", "Y.PNG", b"\x89PNG"), ("plot", "Y.SVG", b"<svg"), ("report", "Y.HTML", b"<!")):
            self.scree(command, "run.h5", *(["kinetic"] if command == "plot" else []), "-o", name)
            self.assertEqual((self.folder / name).read_bytes()[:len(begin)].lower(), begin.lower(), name)


class Pictures(Case):
    def test_fewer_frames_than_panels_are_said(self):
        self.scree("run", "ball.toml", "--out", "run.h5", "--t-end", "0.03")
        for name in ("a.png", "a.csv"):
            done = self.scree("export", "run.h5", "-o", name, "--panels", "9", "--force")
            self.assertIn("run.h5 holds 4 frames, so --panels 9 shows no more than that\n", done.stderr)
            self.assertNotIn("holds", self.scree("export", "run.h5", "-o", name, "--panels", "4", "--force").stderr)

    def test_view_says_what_is_allowed(self):
        self.scree("run", "ball.toml", "--out", "run.h5")
        self.refuse("export", "run.h5", "-o", "a.png", "--view", "1", says="--view: '1' is not AZIMUTH,ELEVATION in degrees")
        for text in ("1,2", "1,2,3,", "1,,3"):
            self.refuse("export", "run.h5", "-o", "a.png", "--look", text, says=f"--look: '{text}' is not X,Y,Z")
        for text in ("1e9,0,0", "0,0,-1e12"):
            self.refuse("export", "run.h5", "-o", "a.png", "--look", text, says="--look: no body is in the picture; they lie between (")
        self.refuse("export", "run.h5", "-o", "a.png", "--look", "0,0,-1e300", says="--look: '0,0,-1e300' is not X,Y,Z, three numbers from -1e12 to 1e12 [m]")
        for text in ("1e9,20", "0,90"):
            self.refuse("export", "run.h5", "-o", "a.png", "--view", text, says=f"--view: '{text}' is not AZIMUTH,ELEVATION in degrees, the azimuth within")
        self.refuse("export", "run.h5", "-o", "a.png", "--width", "1e12", says="--width: no body is in the picture")
        for text, why in (("0,", "an entry of the list '0,' is empty"), ("0,,0.01", "an entry of the list '0,,0.01' is empty"), ("0.0,0", "'0' is there twice"),
                          ("0,1s", "'1s' is not allowed; must be a number")):
            self.refuse("export", "run.h5", "-o", "a.png", "--times", text, says="--times: " + why)   # the word that the user typed, not its other name


class Meddled(Case):
    """The result file while its run goes on, in the hands of others: nothing is lost, and what is said is true."""

    def meddle(self, action, *options):
        """What a run of 20,000 steps says, and its exit code, when `action` happens after its first rows were written. Where it happens between
        the last look at the file and the swap it does no harm, and nothing is said: then once more."""
        for _ in range(5):
            code, out, err = self.meddle_once(action, *options)
            if code != 0:
                break
            self.assert_whole("run.h5")
        return code, out, err

    def meddle_once(self, action, *options):
        while True:
            for path in self.folder.iterdir():
                if path.name != "ball.toml":
                    path.unlink()
            run = self.start("run", "ball.toml", "--t-end", "20", "--out", "run.h5", *options)
            while not (self.folder / "run.h5").exists() and run.poll() is None:
                time.sleep(0.0005)
            run.send_signal(signal.SIGSTOP)
            if run.poll() is None and self.is_stopped(run) and self.info()["steps"] < 20_000:
                break
            run.send_signal(signal.SIGCONT)   # it was done before that: once more
            says = run.communicate()[1]
            self.assertEqual(run.returncode, 0, says)
        action()
        run.send_signal(signal.SIGCONT)
        out, err = run.communicate(timeout=300)
        return run.returncode, out, err

    @staticmethod
    def is_stopped(run):
        while True:
            try:
                state = pathlib.Path(f"/proc/{run.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                return False
            if state in "TZX":
                return state == "T"
            time.sleep(0.0005)

    def assert_whole(self, name):
        info = self.info(name)
        self.assertEqual((info["status"], info["steps"]), ("finished", 20_000))
        with h5py.File(self.folder / name) as file:
            self.assertEqual(len(file["frames/time"]), 2001)

    def test_removed_file_is_written_again(self):
        code, _, err = self.meddle(lambda: (self.folder / "run.h5").unlink())
        self.assertEqual(code, 1, err)
        self.assertIn("run.h5 was removed or renamed while the run went on; it was written again, whole", err)
        self.assert_whole("run.h5")
        self.assertEqual(self.files(), ["ball.toml", "run.h5"])

    def test_renamed_file_keeps_what_it_had(self):
        code, _, err = self.meddle(lambda: (self.folder / "run.h5").rename(self.folder / "mine.h5"))
        self.assertEqual(code, 1, err)
        self.assertIn("run.h5 was removed or renamed", err)
        self.assert_whole("run.h5")
        self.assertEqual(self.info("mine.h5")["status"], "running or killed")

    def test_changed_file_is_written_again(self):
        for change in (lambda path: os.truncate(path, 100), lambda path: path.write_text("other"), lambda path: os.utime(path, (1, 1))):
            code, _, err = self.meddle(lambda: change(self.folder / "run.h5"), "--json")
            self.assertEqual(code, 1, err)
            self.assertIn("run.h5 was changed by another program while the run went on; it was written again, whole", err)
            self.assert_whole("run.h5")

    def test_file_of_others_is_left_alone(self):
        precious = self.folder / "precious"

        def put(make):
            (self.folder / "run.h5").unlink()
            make(self.folder / "run.h5")

        precious.write_text("precious")
        for make in (lambda path: path.write_text("precious"), lambda path: path.symlink_to("/dev/null"), os.mkfifo):
            code, out, err = self.meddle(lambda: put(make), "--json", "--checkpoint-every-steps", "1000")
            self.assertEqual(code, 1, err)
            says = "run.h5 was replaced by another file while the run went on, which was left alone; the results are in run.saved.h5"
            self.assertIn(says, err)
            told = [(warning["id"], warning["message"]) for warning in json.loads(out)["warnings"]]
            self.assertEqual((json.loads(out)["out"], told), ("run.saved.h5", [("result-disturbed", says)]))
            self.assert_whole("run.saved.h5")
            self.assertEqual(self.files(), ["ball.toml", "run.h5", "run.saved.h5", "run.saved.h5.checkpoint"])
            self.scree("resume", "run.saved.h5.checkpoint", "--t-end", "20.1")
            self.assertFalse((self.folder / "run.h5").is_file() and (self.folder / "run.h5").read_text() != "precious")

    def test_second_copy_that_goes_is_made_again(self):
        def remove():
            if (self.folder / "run.h5.spare").exists():
                (self.folder / "run.h5.spare").unlink()

        code, _, err = self.meddle_once(remove)
        self.assertEqual(code, 0, err)
        self.assert_whole("run.h5")

    def test_folder_that_goes_leaves_no_claim(self):
        (self.folder / "sub").mkdir()
        run = self.start("run", "ball.toml", "--t-end", "1e6", "--out", "sub/run.h5", "--json")
        self.addCleanup(lambda: run.poll() is None and run.kill())
        self.wait_for((self.folder / "sub/run.h5").exists)
        shutil.rmtree(self.folder / "sub")
        out, err = run.communicate(timeout=300)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(json.loads(out)["end"], "failed")
        self.assertNotIn("readable", err)

    def test_reader_keeps_the_version_that_it_opened(self):
        run = self.begin()
        with h5py.File(self.folder / "run.h5") as file:
            before = file["ledger/time"][:]
            size = os.fstat(file.id.get_vfd_handle()).st_size
            begin = self.info()["steps"]
            for _ in range(3):   # as many joins
                self.wait_for(lambda: self.info()["steps"] > begin)
                begin = self.info()["steps"]
            self.assertEqual(os.fstat(file.id.get_vfd_handle()).st_size, size)
            self.assertTrue((file["ledger/time"][:] == before).all())
        run.send_signal(signal.SIGTERM)
        self.assertIn("Stopped by a signal", run.communicate()[1])


class Failures(Case):
    def test_resume_says_what_a_result_file_holds(self):
        run = self.begin()
        run.kill()
        run.communicate()
        steps = self.info()["steps"]
        self.refuse("resume", "run.h5", says=[f"is the result file of a run that goes on or was killed, with {steps} steps to t = ",
                                              "cannot be continued, as there is no checkpoint run.h5.checkpoint"])
        self.scree("run", "ball.toml", "--out", "run.h5", "--force", "--checkpoint-every-steps", "50")
        self.refuse("resume", "run.h5", says=["is the result file of a run, with 100 steps to t = 0.1 s",
                                              "continues from its checkpoint: scree resume run.h5.checkpoint"])

    def test_full_disk_promises_what_is_there_and_says_so_later(self):
        for limit in range(200_000, 500_000, 60_000):
            done = self.scree("run", "ball.toml", "--t-end", "1e4", "--out", "run.h5", "--force", expect=1,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            promised = float(done.stderr.splitlines()[-1].split("readable up to t = ")[1].split()[0])
            info = self.info()
            self.assertAlmostEqual(info["time_end"], promised, delta=1e-6)   # printed with nine digits
            told = done.stderr.splitlines()[-1].removeprefix("run.h5: ")
            self.assertEqual((info["status"], info["failure"]), ("failed", f"writing failed: {told}"))
            self.assertIn("File too large", self.scree("info", "run.h5").stdout)


if __name__ == "__main__":
    program.main(verbosity=2)
