"""What the tests of the program share: a folder of their own, runs of `scree` in it, bad input refused in one line.

A test file ends with `program.main()`, which takes the program's path from the command line.
"""
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zlib

import h5py

SCREE = None
WALL_TIMES = ("seconds_detect", "seconds_assemble", "seconds_solve", "seconds_advance")


def ground(material, density, mu, e):
    """Part of a scene: a material, its contact with itself, and a floor of it at z = 0."""
    return f"""[[material]]
name = "{material}"
density = {density}

[[contact]]
between = ["{material}", "{material}"]
mu = {mu}
e = {e}

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "{material}"
"""


def falling_ball(end):
    """Scene: a rubber ball above a floor, steps of 1 ms to `end` [s]."""
    return f"""
[time]
dt = 0.001
end = {end}

{ground("rubber", 1100, 0.5, 0.5)}
[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "rubber"
position = [0, 0, 0.3]
"""


def ball_hits_pile(dt, end, frames_per_second, courses, ball_at):
    """Scene: blocks that fall apart under a ball, with resistance to rolling: every field of the state matters."""
    return f"""
title = "A ball hits a pile"

[time]
dt = {dt}
end = {end}

[solver]
tolerance = 1e-4

[output]
frames_per_second = {frames_per_second}

[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0.3
rolling = 0.05
spinning = 0.02

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"

[[wall]]
name = "wall"
material = "stone"
block = [0.4, 0.6, 0.3]
courses = {courses}
first_course = 4

[[body]]
name = "ball"
kind = "sphere"
radius = 0.3
material = "stone"
position = {ball_at}
velocity = [8, 0, 1]
angular_velocity = [0, 3, 1]
"""


def scree(*arguments, expect=0, program=None, **options):
    """A run of the program to its end; anything but the exit code `expect`, or one of several, is an error that shows what it said."""
    done = subprocess.run([program or SCREE, *map(str, arguments)], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options)
    expected = expect if isinstance(expect, tuple) else (expect,)
    assert done.returncode in expected, f"exit code {done.returncode}, not {expect}: {done.stdout}{done.stderr}"
    return done


def new_folder(add_cleanup):
    """A temporary folder that goes when the test, or the class, is done."""
    folder = tempfile.TemporaryDirectory()
    add_cleanup(folder.cleanup)
    return pathlib.Path(folder.name)


def result_numbers(path):
    """All tables of a result file but wall times, and how the run ended. Plain h5py: no option is needed, whatever happened to the run."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        ended = {name: file.attrs[name] for name in ("state_hash", "finished", "time_end")}
    return {name: value for name, value in found.items() if not name.endswith(WALL_TIMES)}, ended


def report_header(page):
    """What the page knows of the run: the text part of its block of data."""
    data = re.search(r'id="scree-data"[^>]*>([^<]*)<', page.read_text()).group(1)
    raw = zlib.decompress(base64.b64decode(data.strip()))
    return json.loads(raw[4:4 + int.from_bytes(raw[:4], "little")])


def contents(folder):
    """{path: bytes} of the files in a folder and below; None for what is no regular file."""
    return {path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


class FolderCase(unittest.TestCase):
    """Tests that use `self.folder`: a new one for each test, or one for all if setUpClass makes it."""

    folder = None

    def setUp(self):
        if self.folder is None:
            self.folder = new_folder(self.addCleanup)

    def write(self, text, name):
        (self.folder / name).write_text(text)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def scree(self, *arguments, **options):
        return scree(*arguments, cwd=self.folder, **options)

    def start(self, *arguments):
        return subprocess.Popen([SCREE, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def refuse(self, *arguments, says, lines=1):
        """Exit code 2, nothing on standard output, so many lines that say it, and every file as it was."""
        before = contents(self.folder)
        done = self.scree(*arguments, expect=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), lines, done.stderr)
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)
        self.assertEqual(contents(self.folder), before)
        return done.stderr


class RunCase(FolderCase):
    """Tests about the result file `run.h5` of one scene, the text `SCENE` of the class, in one folder."""

    SCENE = None

    @classmethod
    def setUpClass(cls):
        cls.folder = new_folder(cls.addClassCleanup)
        (cls.folder / "scene.toml").write_text(cls.SCENE)
        scree("run", "scene.toml", "--out", "run.h5", cwd=cls.folder)


SKIPPED = 77  # exit code that CTest shows as a skipped test (SKIP_RETURN_CODE), where nothing failed
ABSENT = set()


def needs(missing):
    """For tests that need what may not be on this machine: skips them, and has CTest show it, where `missing` says what is not there."""
    if missing:
        ABSENT.add(missing)
    return unittest.skipIf(missing, missing)


def main(**options):
    global SCREE
    SCREE = os.path.abspath(sys.argv.pop(1))
    result = unittest.main(module="__main__", exit=False, **options).result
    absent = {reason for _, reason in result.skipped} & ABSENT
    for reason in sorted(absent):
        print(f"skipped: {reason}", flush=True)
    sys.exit(SKIPPED if absent and result.wasSuccessful() else not result.wasSuccessful())
