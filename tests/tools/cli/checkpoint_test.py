"""Runs go on from their checkpoint bit for bit, and refuse what they cannot go on from.

usage: checkpoint_test.py SCREE [unittest options]        (kills: torture.py)
"""
import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

import h5py
import numpy

import program

# A block appears on the way. Every device measures.
SCENE = program.ball_hits_pile(dt=0.001, end=1.0, frames_per_second=30, courses=4, ball_at=[-1.5, 1.2, 0.7]) + """
[[body]]
name = "late"
kind = "box"
sides = [0.3, 0.2, 0.1]
material = "stone"
position = [0, 1, 2]
angular_velocity = [1, 2, 3]
appears_at = 0.35

[record]
impacts = { speed = 0.02, impulse = 40 }
moved = 0.001

[[group]]
name = "wall"
bodies = ["wall-*"]
[[group]]
name = "hitting"
bodies = ["ball", "late"]

[[screen]]
name = "level"
normal = [0, 0.1, 1]
point = [0, 0, 0.5]
"""

OFTEN = ("--checkpoint-every-steps", "7")

class Case(program.FolderCase):
    def setUp(self):
        super().setUp()
        self.write(SCENE, "pile.toml")
        self.checkpoint = self.folder / "run.h5.checkpoint"

    def assert_same(self, one, other):
        (tables, attributes), (others, other_attributes) = program.result_numbers(self.folder / one), program.result_numbers(self.folder / other)
        self.assertEqual(attributes, other_attributes)
        self.assertEqual(tables.keys(), others.keys())
        for name in tables:
            numpy.testing.assert_array_equal(tables[name], others[name], err_msg=name)


class Continued(Case):
    def test_equals_the_run_in_one_go(self):
        self.scree("run", "pile.toml", "--out", "whole.h5")
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.313", *OFTEN)
        back = self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2", expect=2)
        self.assertEqual(back.stderr, "run.h5.checkpoint: is at t = 0.313 s, after --t-end 0.2; a run does not go back\n")
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.5")
        self.scree("resume", "run.h5.checkpoint", "--t-end", "1", "--backend", "tbb", "--threads", "3")
        self.assert_same("whole.h5", "run.h5")

    def test_tables_that_a_scene_does_not_need_are_there_and_empty(self):
        """Without rolling, driven bodies and a stop rule, in contact and in free fall: such a checkpoint is whole as well."""
        for name, height in (("falling", 0.5), ("lying", 0.15)):
            body = f'kind = "box"\nsides = [0.3, 0.3, 0.3]\nmaterial = "stone"\nposition = [0, 0, {height}]\nangular_velocity = [0.1, 0.2, 0]\n'
            self.write('[time]\ndt = 0.001\nend = 0.2\n[output]\nframes_per_second = 100\n[[material]]\nname = "stone"\ndensity = 2300\n'
                       '[[contact]]\nbetween = ["stone", "stone"]\nmu = 0.6\ne = 0\n[[body]]\nname = "ground"\nkind = "half_space"\n'
                       f'normal = [0, 0, 1]\nmaterial = "stone"\n[[body]]\nname = "box"\n{body}', f"{name}.toml")
            self.scree("run", f"{name}.toml", "--out", "whole.h5", "--force")
            self.scree("run", f"{name}.toml", "--out", "run.h5", "--t-end", "0.1", "--force", *OFTEN)
            (self.folder / "look.h5").write_bytes(self.checkpoint.read_bytes()[:-64])
            with h5py.File(self.folder / "look.h5") as file:
                shapes = {table: file[table].shape for table in ("kept/moment", "kept/moment_before", "state/motion_start", "state/window_x", "state/window_q")}
                self.assertEqual(len(file["kept/bodies"]) > 0, name == "lying")
            self.assertEqual(shapes, {"kept/moment": (0, 3), "kept/moment_before": (0, 3), "state/motion_start": (0, 8), "state/window_x": (0, 3),
                                      "state/window_q": (0, 4)})
            self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2")
            self.assert_same("whole.h5", "run.h5")

    def test_other_result_file_leaves_the_first_alone(self):
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.1", *OFTEN)
        before = (self.folder / "run.h5").read_bytes(), self.checkpoint.read_bytes()
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2", "--out", "more.h5")
        self.scree("run", "pile.toml", "--out", "whole.h5", "--t-end", "0.2")
        self.assertEqual(((self.folder / "run.h5").read_bytes(), self.checkpoint.read_bytes()), before)
        self.assert_same("whole.h5", "more.h5")

    def test_goes_on_from_a_file_of_before(self):
        """Parts of contacts, rounded velocities and works of rolling came later: what a file does not have is marked as unknown, or zero."""
        self.scree("run", "pile.toml", "--out", "whole.h5", "--t-end", "0.6")
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.5", *OFTEN)
        with h5py.File(self.folder / "run.h5", "r+") as file:
            rows, velocity = file["frames/contacts/part_a"].shape[0], file["frames/velocity"][()].astype("f8")
            for name in ("contacts/part_a", "contacts/part_b", "last_velocity", "velocity"):
                del file["frames"][name]
            file["frames/velocity"] = velocity
            steps = file["ledger/time"].shape[0]
            for name in [name for name in file["ledger"] if "rolling" in name]:
                del file["ledger"][name]
        self.scree("export", "run.h5", "-o", "old.csv", "--table", "contacts")
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.6")
        (tables, attributes), (others, other_attributes) = program.result_numbers(self.folder / "whole.h5"), program.result_numbers(self.folder / "run.h5")
        self.assertEqual(attributes, other_attributes)
        for name in tables:
            if name.startswith("frames/contacts/part_"):
                self.assertEqual((set(others[name][:rows]), set(others[name][rows:])), ({-1}, {0}))
            elif name.startswith("ledger/") and "rolling" in name:
                self.assertEqual(set(others[name][:steps]), {0.0})
                numpy.testing.assert_array_equal(tables[name][steps:], others[name][steps:], err_msg=name)
            else:
                numpy.testing.assert_array_equal(tables[name], others[name], err_msg=name)

    def test_keeps_the_options_of_the_run(self):
        options = ("--law", "newton", "--dt", "0.0007", "--theta", "0.6", "--tolerance", "3e-7", "--no-frames")
        self.scree("run", "pile.toml", "--out", "whole.h5", "--t-end", "0.3", *options)
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.2", *options, *OFTEN)
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.3")
        self.assert_same("whole.h5", "run.h5")

    def test_scene_key_asks_for_checkpoints(self):
        self.write(SCENE.replace("[output]", "[checkpoint]\nevery_minutes = 60\n\n[output]"), "pile.toml")
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.1")
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2")

    def test_interrupted_run_goes_on(self):
        self.scree("run", "pile.toml", "--out", "whole.h5")
        run = self.start("run", "pile.toml", "--out", "run.h5", *OFTEN)
        while not self.checkpoint.exists() and run.poll() is None:
            time.sleep(0.001)
        run.send_signal(signal.SIGINT)
        self.assertIn("scree resume run.h5.checkpoint", run.communicate(timeout=300)[1])
        self.scree("resume", "run.h5.checkpoint")
        self.assert_same("whole.h5", "run.h5")

    def test_file_size_depends_on_bodies_and_contacts_only(self):
        sizes = []
        for end in ("0.02", "0.04"):   # before the ball arrives: the same contacts
            self.scree("run", "pile.toml", "--out", "run.h5", "--force", "--t-end", end, *OFTEN)
            sizes.append(self.checkpoint.stat().st_size)
        self.assertEqual(*sizes)


class Unasked(Case):
    """A run that nobody asked for checkpoints leaves one when it is asked to stop, and none when it is finished."""

    def test_stopped_run_goes_on(self):
        self.scree("run", "pile.toml", "--out", "whole.h5")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.stop(number)
            self.scree("resume", "run.h5.checkpoint")
            self.assert_same("whole.h5", "run.h5")
            self.assertEqual(self.files(), ["pile.toml", "run.h5", "whole.h5"])

    def stop(self, number):
        while True:
            (self.folder / "run.h5").unlink(missing_ok=True)
            run = self.start("run", "pile.toml", "--out", "run.h5")
            while not (self.folder / "run.h5").exists() and run.poll() is None:
                time.sleep(0.001)
            run.send_signal(number)
            says = run.communicate(timeout=300)[1]
            if run.returncode == 0:
                continue   # it was done before that, on a busy machine
            self.assertEqual(run.returncode, 1, says)
            self.assertIn("scree resume run.h5.checkpoint goes on from there", says)
            return


class Driven(Case):
    """A scene that names a file: what the file said counts, not what it says when the run goes on."""
    CSV = "time [s], linear_x [m/s2]\n0, 0\n0.1, 8\n0.3, -8\n0.4, 0\n"

    def setUp(self):
        super().setUp()
        (self.folder / "scenes").mkdir()
        self.csv = self.folder / "scenes" / "shake.csv"
        self.csv.write_text(self.CSV)
        table = 'name = "table"\nkind = "box"\nsides = [9, 9, 1]\nmaterial = "stone"\nposition = [0, 0, -0.5]\n'
        scene = SCENE.replace('name = "ground"\nkind = "half_space"\nnormal = [0, 0, 1]\nmaterial = "stone"\n',
                              table + '[body.motion]\nkind = "acceleration"\nfile = "shake.csv"\n')
        (self.folder / "scenes" / "pile.toml").write_text(scene)

    def run_to(self, out, end, *options):
        self.scree("run", "scenes/pile.toml", "--out", out, "--t-end", end, "--force", *options)
        with h5py.File(self.folder / out) as file:
            return file.attrs["state_hash"], file.attrs["scene_sha256"], file["frames/position"][-1, 0]

    def test_goes_on_without_the_file(self):
        whole = self.run_to("whole.h5", "0.3")
        self.run_to("run.h5", "0.2", *OFTEN)
        self.csv.unlink()
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.3")
        self.assert_same("whole.h5", "run.h5")
        with h5py.File(self.folder / "run.h5") as file:
            self.assertEqual((file["scene/file_names"][0].decode(), file["scene/file_texts"][0].decode()), ("shake.csv", self.CSV))
        # Up to 0.1 s a = 80 t, then it falls by 80 a second: v = 0.4 + 8 s - 40 s^2. A driven body is where the integral of its history
        # says, whatever the step: x = 40 t^3 / 3 up to there, and 0.4 s + 4 s^2 - 40 s^3 / 3 more. Trapezia of the velocity would lie
        # 6.7e-7 m beside it; sums of 0.15 m leave less than 1e-15 m.
        s = 0.2
        numpy.testing.assert_allclose(whole[2], [40 * 0.1 ** 3 / 3 + 0.4 * s + 4 * s ** 2 - 40 * s ** 3 / 3, 0, -0.5], rtol=0, atol=1e-12)

    def test_other_text_is_another_scene(self):
        first = self.run_to("run.h5", "0.05")
        self.csv.write_text(self.CSV + "# seen\n")
        second = self.run_to("run.h5", "0.05")
        self.assertEqual(first[0], second[0])
        self.assertNotEqual(first[1], second[1])

    def test_never_writes_over_it(self):
        before = self.csv.read_bytes()
        done = self.scree("run", "scenes/pile.toml", "--out", "scenes/shake.csv", "--force", expect=2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(self.csv.read_bytes(), before)

    def test_missing_or_bad_file_is_refused_in_one_line(self):
        for text, says in (("time,linear_x\n0,1\n0,2\n", "scenes/shake.csv:3:1: time: 0 after 0 is not allowed"),
                           (None, 'scenes/pile.toml:33:8: body.motion.file: scenes/shake.csv: cannot be read: No such file')):
            if text is None:
                self.csv.unlink()
            else:
                self.csv.write_text(text)
            done = self.scree("run", "scenes/pile.toml", "--out", "bad.h5", expect=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertFalse((self.folder / "bad.h5").exists())


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.1", *OFTEN)
        self.bytes = self.checkpoint.read_bytes()

    def test_no_such_file(self):
        self.refuse("resume", "none.checkpoint", says=["none.checkpoint", "No such file"])

    def test_folder(self):
        self.refuse("resume", ".", says="folder")

    def test_foreign_files(self):
        self.refuse("resume", "pile.toml", says="is not a checkpoint of scree")
        self.refuse("resume", "run.h5", says=["result file", "run.h5.checkpoint"])
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["x"] = 1
        self.refuse("resume", "other.h5", says="is not a checkpoint of scree")

    def test_truncated_and_changed_files(self):
        size = len(self.bytes)
        for length in (0, 7, 100, size // 2, size - 65, size - 1):
            self.checkpoint.write_bytes(self.bytes[:length])
            self.refuse("resume", "run.h5.checkpoint", says="run.h5.checkpoint: is ")
        place = size // 2
        self.checkpoint.write_bytes(self.bytes[:place] + bytes([self.bytes[place] ^ 1]) + self.bytes[place + 1:])
        self.refuse("resume", "run.h5.checkpoint", says="is damaged or truncated")

    def test_newer_version(self):
        # With a right checksum: without one nothing of a file is believed, its version neither.
        self.checkpoint.write_bytes(self.bytes[:-64])
        with h5py.File(self.checkpoint, "r+") as file:
            file.attrs.modify("version", numpy.int64(99))
        whole = self.checkpoint.read_bytes()
        self.checkpoint.write_bytes(whole + hashlib.sha256(whole).hexdigest().encode())
        self.refuse("resume", "run.h5.checkpoint", says=["version 99", "reads up to version 9"])

    def test_nothing_left_to_do(self):
        self.refuse("resume", "run.h5.checkpoint", says=["nothing is left to do", "--t-end"])

    def test_result_file_that_is_missing_or_of_another_run(self):
        (self.folder / "run.h5").rename(self.folder / "moved.h5")
        self.refuse("resume", "run.h5.checkpoint", "--t-end", "0.2", says=["run.h5: cannot be read", "No such file"])
        self.scree("run", "pile.toml", "--out", "run2.h5", "--t-end", "0.1", "--dt", "0.002")
        (self.folder / "run2.h5").rename(self.folder / "run.h5")
        self.refuse("resume", "run.h5.checkpoint", "--t-end", "0.2", says=["run.h5: ", "checkpoint"])

    def test_result_of_a_run_that_ended_later_is_not_cut_unasked(self):
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2")
        (self.folder / "old").write_bytes(self.bytes)   # of t = 0.1 s
        whole = (self.folder / "run.h5").read_bytes()
        says = ["run.h5: ended at t = 0.2 s and the checkpoint is of t = 0.1 s", "--force", "--out"]
        for name in ("old", "run.h5.checkpoint"):   # beside the later one, and in its place
            (self.folder / name).write_bytes(self.bytes)
            self.refuse("resume", name, "--t-end", "0.3", says=says)
        self.scree("resume", "old", "--t-end", "0.3", "--out", "more.h5")
        self.assertEqual((self.folder / "run.h5").read_bytes(), whole)
        self.scree("resume", "old", "--t-end", "0.15", "--force")
        with h5py.File(self.folder / "run.h5") as file:
            self.assertAlmostEqual(file["ledger/time"][-1], 0.15, delta=1e-12)

    def test_killed_run_is_cut_back_to_its_last_checkpoint_only(self):
        run = self.start("run", "pile.toml", "--out", "run.h5", "--force", "--t-end", "1e5", *OFTEN)
        while self.checkpoint_step() < 100:
            time.sleep(0.01)
        old = self.checkpoint.read_bytes()
        while self.checkpoint_step() < 300:
            time.sleep(0.01)
        run.kill()
        run.communicate()
        last = self.checkpoint.read_bytes()
        (self.folder / "old").write_bytes(old)
        self.refuse("resume", "old", "--t-end", "5", says=["run.h5: reaches t = ", "and the checkpoint is of t = ", "--force"])   # a later one is there
        self.checkpoint.write_bytes(old)
        self.refuse("resume", "run.h5.checkpoint", "--t-end", "5", says="run.h5: reaches t = ")   # farther than a kill leaves it
        self.checkpoint.write_bytes(last)
        with h5py.File(self.checkpoint) as file:
            end = file["state"].attrs["time"] + 0.05
        self.scree("resume", "run.h5.checkpoint", "--t-end", end)

    def checkpoint_step(self):
        try:
            with h5py.File(self.checkpoint) as file:
                return file["state"].attrs["step"]
        except OSError:
            return -1

    def test_run_does_not_drop_a_checkpoint_unasked(self):
        (self.folder / "run.h5").rename(self.folder / "moved.h5")
        done = self.scree("run", "pile.toml", "--out", "run.h5", expect=2)
        self.assertIn("run.h5.checkpoint: exists already", done.stderr)
        self.assertEqual(self.checkpoint.read_bytes(), self.bytes)
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.1", "--force")
        self.assertFalse(self.checkpoint.exists())

    def test_negative_rate(self):
        done = self.scree("run", "pile.toml", "--out", "b.h5", "--checkpoint-every-steps", "-1", expect=2)
        self.assertIn("--checkpoint-every-steps: -1 is not allowed", done.stderr)


class FullDisk(Case):
    def test_old_checkpoint_stays_and_the_run_goes_on_later(self):
        self.scree("run", "pile.toml", "--out", "whole.h5")
        size = (self.folder / "whole.h5").stat().st_size
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2))
        done = self.scree("run", "pile.toml", "--out", "run.h5", *OFTEN, expect=1, preexec_fn=limit)
        self.assertIn("File too large", done.stderr.splitlines()[-1])   # progress may come before, on a busy machine
        self.scree("resume", "run.h5.checkpoint")
        self.assert_same("whole.h5", "run.h5")

    def test_force_keeps_the_old_run_until_the_new_one_stands(self):
        """Result and checkpoint, on a disk that has room for nothing, or for the new result file only."""
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.1", *OFTEN)
        old = {name: (self.folder / name).read_bytes() for name in ("run.h5", "run.h5.checkpoint")}
        for size in (1000, 20_000, len(old["run.h5.checkpoint"]) - 1):
            for options in (OFTEN, ()):
                limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                done = self.scree("run", "pile.toml", "--out", "run.h5", "--force", *options, expect=1, preexec_fn=limit)
                self.assertIn("nothing was recorded", done.stderr.splitlines()[-1])
                self.assertEqual({name: (self.folder / name).read_bytes() for name in old}, old)
        self.scree("resume", "run.h5.checkpoint", "--t-end", "0.2")
        self.scree("run", "pile.toml", "--out", "whole.h5", "--t-end", "0.2")
        self.assert_same("whole.h5", "run.h5")
        self.scree("run", "pile.toml", "--out", "run.h5", "--t-end", "0.2", "--force")
        self.assert_same("whole.h5", "run.h5")
        self.assertEqual(self.files(), ["pile.toml", "run.h5", "whole.h5"])   # nobody asked this run for checkpoints

    def test_small_disk_that_is_full(self):
        """A tmpfs of half the room that the run needs, in a mount namespace of its own."""
        self.scree("run", "pile.toml", "--out", "whole.h5")
        size = (self.folder / "whole.h5").stat().st_size
        (self.folder / "disk").mkdir()
        script = """mount -t tmpfs -o size="$1" tmpfs disk || exit 99
                    "$2" run pile.toml --out disk/run.h5 --checkpoint-every-steps 7 --json 2> says > object; code=$?
                    cp disk/* . && exit $code"""
        done = subprocess.run([*OWN_MOUNTS, "sh", "-c", script, "sh", str(size // 2), program.SCREE], cwd=self.folder,
                              stdout=subprocess.DEVNULL)
        says = (self.folder / "says").read_text()
        self.assertEqual(done.returncode, 1, says)
        self.assertIn("No space left on device", says.splitlines()[-1])
        failed = json.loads((self.folder / "object").read_text())
        self.assertEqual(failed["end"], "failed")
        self.assertIn("No space left on device", failed["reason"])
        self.scree("info", "run.h5")
        # Rows that are not there say so, and the file says which: `failure` and the times that are numbers agree.
        until = float(re.search(r"readable up to t = ([0-9.e+-]+) s", says)[1])
        with h5py.File(self.folder / "run.h5", "r", swmr=True) as file:
            self.assertIn(f"readable up to t = {until:.9g} s", file["failure"][()].decode())
            for table in ("ledger", "frames"):
                times = file[f"{table}/time"][:]
                self.assertTrue((numpy.diff(times[numpy.isfinite(times)]) > 0).all(), table)
                self.assertLessEqual(numpy.nanmax(times) - until, 1.0)
        self.scree("resume", "run.h5.checkpoint")
        self.assert_same("whole.h5", "run.h5")

    def test_folder_that_may_not_be_written(self):
        # A result file on a path that cannot be created: the superuser may write into read-only folders, nobody into a file.
        (self.folder / "file").write_text("")
        done = self.scree("run", "pile.toml", "--out", "file/run.h5", *OFTEN, expect=2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_what_is_in_the_way_of_a_checkpoint_is_said_before_anything_is_computed(self):
        """With and without being asked for checkpoints: one that can't be written when the run is asked to stop is too late."""
        for make in (pathlib.Path.mkdir, os.mkfifo, lambda path: path.symlink_to("pile.toml")):
            for name in ("run.h5.checkpoint.partial", "run.h5.spare", "run.h5.partial"):
                make(self.folder / name)
                for options in (OFTEN, ()):
                    done = self.scree("run", "pile.toml", "--out", "run.h5", *options, expect=2, timeout=300)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn(f"cannot be written: {name} is in the way", done.stderr)
                (self.folder / name).rmdir() if (self.folder / name).is_dir() else (self.folder / name).unlink()
                self.assertEqual(self.files(), ["pile.toml"])
        self.assertEqual((self.folder / "pile.toml").read_text(), SCENE)


# How to mount without touching the system's mounts: as root, or in a user namespace. Where the system allows neither, the
# limit on the size of files above stands for the full disk.
MOUNT = ["sh", "-c", "mount -t tmpfs tmpfs /mnt"]
OWN_MOUNTS = next((command for command in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"])
                   if subprocess.run([*command, *MOUNT], stderr=subprocess.DEVNULL).returncode == 0), None)
if OWN_MOUNTS is None:
    del FullDisk.test_small_disk_that_is_full

if __name__ == "__main__":
    program.main()
