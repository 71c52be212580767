"""Files of earlier versions of the program open with the numbers that they had, and their runs go on.

usage: old_files_test.py SCREE [unittest options]       tests all sets in tests/data/old_files
       old_files_test.py --make SCREE FOLDER            adds to a folder of scenes what that program makes of them: a new set

A set is a folder named after the version that made it: scenes, result files and checkpoints (compressed), and
expected.json, which is what that version itself said of them. Whoever changes a format raises its version, and adds a set.
"""
import csv
import io
import json
import lzma
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

import program

SETS = pathlib.Path(__file__).resolve().parents[2] / "data" / "old_files"
READER = pathlib.Path(__file__).resolve().parents[3] / "tools" / "read_results.py"
NAMES = ("pile", "killed", "rest", "ledger")
HULLS = {"pile", "killed"}   # their scene has a wedge
SCENES = {"pile": "pile.toml", "killed": "pile.toml", "rest": "rest.toml", "ledger": "rest.toml"}
TABLES = ("bodies", "contacts", "ledger")
UNKNOWN = re.compile("does not say with which arithmetic|other bits|bit for bit")


def numbers_of(text):
    """A table in CSV as {column: [rows, sum of its numbers, first, last]}, exactly."""
    def number(field):
        try:
            return float(field)
        except ValueError:
            return 0.0
    rows = list(csv.reader(io.StringIO(text)))
    columns = {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}
    return {name: [len(fields), math.fsum(map(number, fields)), *fields[:1], *fields[-1:]] for name, fields in columns.items()}


def said_of(run, name):
    """What a program says of a result file: its numbers, by reader. `run` runs it and returns its standard output, or None if refused."""
    info = json.loads(run("info", f"{name}.h5", "--json"))
    said = {"info": {key: value for key, value in info.items() if key != "file"}}
    for table in TABLES:
        text = run("export", f"{name}.h5", "-o", f"{name}.{table}.csv", "--table", table, "--force")
        said[table] = None if text is None else numbers_of((run.folder / f"{name}.{table}.csv").read_text(encoding="utf8"))
    return said


class Runner:
    def __init__(self, scree, folder):
        self.scree, self.folder = os.path.abspath(scree), folder

    def __call__(self, *arguments):
        done = subprocess.run([self.scree, *arguments], cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.stdout if done.returncode == 0 else None


def read_example(folder, name):
    done = subprocess.run([sys.executable, READER, f"{name}.h5"], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout if done.returncode == 0 else None


def make(scree, folder):
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for path in (*folder.glob("*.toml"), *folder.glob("*.csv"), *folder.glob("*.asc")):
            shutil.copy(path, work)
        run = Runner(scree, work)
        run("run", "pile.toml", "--t-end", "0.3", "--out", "pile.h5", "--checkpoint-every-steps", "50")
        run("run", "rest.toml", "--out", "rest.h5")
        run("run", "rest.toml", "--t-end", "0.3", "--no-frames", "--out", "ledger.h5")
        killed = subprocess.Popen([run.scree, "run", "pile.toml", "--t-end", "1000", "--out", "killed.h5", "--checkpoint-every-steps", "40"],
                                  cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (work / "killed.h5.checkpoint").exists():
            assert killed.poll() is None, "the run ended before its first checkpoint"
            time.sleep(0.01)
        time.sleep(0.02)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        expected = {name: {**said_of(run, name), "read_results": read_example(work, name)} for name in NAMES}
        for path in (*work.glob("*.h5"), *work.glob("*.checkpoint")):
            (folder / f"{path.name}.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))
    (folder / "expected.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


class OldFiles(program.FolderCase):
    def each_set(self):
        for source in sorted(SETS.iterdir()):
            folder = program.new_folder(self.addCleanup)
            for path in source.iterdir():
                if path.suffix == ".xz":
                    (folder / path.stem).write_bytes(lzma.decompress(path.read_bytes()))
                else:
                    shutil.copy(path, folder)
            self.folder = folder
            with self.subTest(version=source.name):
                yield folder, json.loads((folder / "expected.json").read_text())

    def assert_covers(self, found, expected, where):
        """Everything that was said then is said now; new things may have come."""
        if isinstance(expected, list) and all(isinstance(value, dict) for value in expected):
            self.assertEqual(len(found), len(expected), where)
            for value, now in zip(expected, found):
                self.assert_covers(now, value, where)
        elif isinstance(expected, dict):
            for key, value in expected.items():
                if key == "advice":   # words that may get better
                    continue
                self.assertIn(key, found, where)
                self.assert_covers(found[key], value, f"{where}/{key}")
        else:
            # NaN, a number that is not known, is equal to itself here.
            self.assertEqual(json.dumps(found), json.dumps(expected), where)

    def test_readers_show_the_same_numbers(self):
        for folder, expected in self.each_set():
            for name in NAMES:
                self.assert_covers(said_of(Runner(program.SCREE, folder), name), {key: expected[name][key] for key in ("info", *TABLES)}, name)
                self.assertEqual(read_example(folder, name), expected[name]["read_results"], name)

    def test_pictures_plots_and_reports_are_made(self):
        for folder, _ in self.each_set():
            for name in NAMES:
                frames = name != "ledger"
                for reader in (("report", f"{name}.h5"), ("plot", f"{name}.h5", "kinetic", "contacts", "-o", f"{name}.svg"),
                               *(("export", f"{name}.h5", "-o", f"{name}.{kind}") for kind in ("png", "glb", "vtkhdf", "pvd", "obj") if frames)):
                    self.scree(*reader, expect=0)

    def version_of(self, checkpoint):
        (self.folder / "look.h5").write_bytes((self.folder / checkpoint).read_bytes()[:-64])
        with h5py.File(self.folder / "look.h5") as file:
            version = file.attrs["version"]
        (self.folder / "look.h5").unlink()
        return version

    def test_runs_go_on_and_say_before_whether_bit_for_bit(self):
        """Checkpoints of version 1 do not say with which arithmetic they were computed, so nobody knows; later ones do, and a run that goes on
        without a word ends as one that was never stopped. Where bodies are made otherwise today, as hulls are since 0.1.0, no run can go on, and
        that is said with nothing touched. `rest` is quiet, and stays so."""
        for folder, expected in self.each_set():
            for name in NAMES:
                version = self.version_of(f"{name}.h5.checkpoint")
                before = program.contents(folder)
                done = self.scree("resume", f"{name}.h5.checkpoint", "--t-end", "0.5", expect=(0, 2) if name in HULLS | {"rest"} else 0)
                if done.returncode == 2:
                    self.assertRegex(done.stderr, f"^{name}.h5.checkpoint: (was written by .*, which made other bodies from this scene than this|is at .* nothing is left) .*\n$")
                    self.assertEqual(program.contents(folder), before)
                    continue
                info = json.loads(self.scree("info", f"{name}.h5", "--json").stdout)
                self.assertEqual(info["status"], "finished")
                self.assertGreater(info["time_end"], expected[name]["info"]["time_end"] if name == "pile" else 0.3)
                said = UNKNOWN.search((done.stderr.splitlines() or [""])[0])
                self.assertTrue(said or version > 1, done.stderr)
                if said:
                    continue
                # A run goes on with the default that it began with.
                law = ["--set", "law.rest=published"] if version < 8 else []
                self.scree("run", SCENES[name], "--t-end", "0.5", "--out", "whole.h5", "--force", *law)
                self.assertEqual(json.loads(self.scree("info", "whole.h5", "--json").stdout)["state_hash"], info["state_hash"], name)

    def test_runs_start_where_an_old_one_ended(self):
        for folder, _ in self.each_set():
            self.scree("run", "next.toml")

    def test_old_scenes_are_still_scenes(self):
        for folder, _ in self.each_set():
            for path in sorted(folder.glob("*.toml")):
                self.scree("check", path.name)


if __name__ == "__main__":
    if sys.argv[1] == "--make":
        make(*sys.argv[2:])
    else:
        program.main()
