"""Every warning: its example raises it, the next change just does not, and with its advice taken nothing is warned of at all.

usage: warnings_test.py SCREE        examples and changes are those of engine/WARNINGS.md
"""
import json
import pathlib
import re
import shutil
import unittest

import program
from program import scree

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "tests" / "data" / "warnings"
SECTION = re.compile(r"\n## ([a-z-]+)\n(.*?)(?=\n## |\Z)", re.S)
TABLE = re.compile(r"\| \[example\]\(\.\./tests/data/warnings/([a-z-]+)\.toml\) \| change \|\n\|---\|---\|\n((?:\| .* \|\n?)+)")
CHANGE = re.compile(r"`([^`]+)` → `([^`]+)`")
ROWS = ("raises it", "just not", "with the advice")


# What no scene is known to raise, and the page says so.
NEVER_SEEN = {"unsolved-spin"}


def cases():
    """[(id, example, {"raises it": [(old, new), ...], "just not": [...], "with the advice": [...]})] of the page: a warning has one or more."""
    page = (ROOT / "engine" / "WARNINGS.md").read_text()
    found = []
    for name, text in SECTION.findall(page):
        tables = TABLE.findall(text)
        if name in NEVER_SEEN:
            assert "No scene is known that raises it" in text and not tables, name
            continue
        assert tables and len(tables) == text.count("[example]"), name
        for example, rows in tables:
            changes = dict(re.findall(r"^\| (raises it|just not|with the advice) \| (.*) \|$", rows, re.M))
            assert tuple(changes) == ROWS, (name, example)
            found.append((name, example, {row: CHANGE.findall(text) for row, text in changes.items()}))
    assert {path.stem for path in EXAMPLES.glob("*.toml")} == {example for _, example, _ in found}
    return found


class Warnings(unittest.TestCase):
    def setUp(self):
        self.folder = program.new_folder(self.addCleanup)

    def scene(self, name, changes):
        text = (EXAMPLES / f"{name}.toml").read_text()
        for old, new in changes:
            self.assertEqual(text.count(old), 1, f"{name}: `{old}` must stand in the example once")
            text = text.replace(old, new)
        for raster in EXAMPLES.glob(f"{name}*.asc"):
            shutil.copy(raster, self.folder)
        (self.folder / "scene.toml").write_text(text)

    def run_scene(self):
        done = scree("run", "scene.toml", "--out", "run.h5", "--force", "--json", cwd=self.folder, expect=(0, 3))
        return json.loads(done.stdout)["warnings"], done.stderr

    def check_scene(self):
        return json.loads(scree("check", "scene.toml", "--json", cwd=self.folder).stdout)["warnings"]

    def test_every_example_raises_its_warning(self):
        listed = dict(re.findall(r"^\| \[`([a-z-]+)`\]\(#[a-z-]+\) \| (check and run|run) \|", (ROOT / "engine" / "WARNINGS.md").read_text(), re.M))
        self.assertEqual(set(listed), {name for name, _, _ in cases()} | NEVER_SEEN)
        for name, example, changes in cases():
            with self.subTest(name, example=example):
                self.scene(example, changes["raises it"])
                warnings, summary = self.run_scene()
                mine = [warning for warning in warnings if warning["id"] == name]
                self.assertEqual(len(mine), 1, warnings)
                self.assertEqual(set(mine[0]), {"id", "message", "advice", "count", "worst", "time", "bodies"})
                self.assertGreater(mine[0]["count"], 0)
                self.assertIn(f"warning      {name}: {mine[0]['message']}\n             {mine[0]['advice']}\n", summary)
                checked = self.check_scene()
                self.assertEqual(name in {warning["id"] for warning in checked}, listed[name] == "check and run", checked)
                # What check tells, a run tells in the same words.
                for warning in checked:
                    self.assertIn(warning, warnings)
                info = json.loads(scree("info", "run.h5", "--json", cwd=self.folder).stdout)
                self.assertEqual(info["warnings"], warnings)
                scree("report", "run.h5", "-o", "page.html", "--force", cwd=self.folder)
                told = program.report_header(self.folder / "page.html")["warnings"]
                self.assertIn(f"{mine[0]['message']}. {mine[0]['advice']} ({name})", told)

    def test_next_change_just_does_not(self):
        for name, example, changes in cases():
            with self.subTest(name, example=example):
                self.assertGreater(len(changes["just not"]), 0)
                self.scene(example, changes["just not"])
                found = {warning["id"] for warning in self.run_scene()[0] + self.check_scene()}
                self.assertNotIn(name, found)

    def test_what_is_right_is_not_warned_of(self):
        scenes = sorted((EXAMPLES / "silent").glob("*.toml"))
        self.assertGreater(len(scenes), 0)
        for path in scenes:
            with self.subTest(path.stem):
                shutil.copy(path, self.folder / "scene.toml")
                self.assertEqual(self.run_scene()[0] + self.check_scene(), [])

    def test_short_runs_are_looked_at(self):
        for example, end in (("fast-spin", 0.063), ("fast-spin", 0.003), ("turns-back", 0.05)):
            with self.subTest(example, end=end):
                self.scene(example, [])
                done = scree("run", "scene.toml", "--out", "run.h5", "--force", "--json", "--t-end", str(end), cwd=self.folder, expect=(0, 3))
                self.assertIn(example, {warning["id"] for warning in json.loads(done.stdout)["warnings"]})

    def test_failed_run_tells_what_it_was_warned_of(self):
        self.scene("plate-length", [("end = 0.05", "end = 5"), ("dt = 0.0001", "dt = 0.05")])
        done = scree("run", "scene.toml", "--out", "run.h5", "--force", "--json", cwd=self.folder, expect=1)
        told = {warning["id"]: warning for warning in json.loads(done.stdout)["warnings"]}
        self.assertIn("plate-length", told)
        self.assertIn(f"warning      plate-length: {told['plate-length']['message']}", done.stderr)

    def test_farthest_body_is_named_when_a_step_goes_beyond_half_the_period(self):
        self.scene("plate-length", [("length = 0.007", "length = 0.006"), ("position = [0.003, 0.0026, 0.0008]", "position = [0.003, 0.0026, 0.0008]\nload = { force = [0, 0, -1] }")])
        done = scree("run", "scene.toml", "--out", "run.h5", "--force", cwd=self.folder, expect=1)
        self.assertIn("body 'bead' may come", done.stderr)

    def test_advice_helps_in_its_own_example(self):
        for name, example, changes in cases():
            with self.subTest(name, example=example):
                self.assertGreater(len(changes["with the advice"]), 0)
                self.scene(example, changes["with the advice"])
                self.assertEqual(self.run_scene()[0] + self.check_scene(), [])


SITE = """[time]
dt = 0.005
end = 1.0
[stop]
displacement = 5
window = 0.1
[[material]]
name = "stone"
density = 2700
[[contact]]
between = ["stone", "stone"]
mu = 0.5
e = 0.0
[[body]]
name = "slope"
kind = "half_space"
normal = [-1, 0, 1]
material = "stone"
[ensemble]
map = { cell = 2, low = [-60, -40], high = [60, 40] }
[[ensemble.rock]]
name = "box"
shape = "box"
sides = [0.6, 0.5, 0.4]
mass = 0.3
material = "stone"
[[ensemble.release]]
name = "cliff"
points = [[-6, 0]]
runs = 3
[[ensemble.barrier]]
name = "road"
line = [[500, -8], [500, 8]]
"""


class ManyRuns(unittest.TestCase):
    def setUp(self):
        self.folder = program.new_folder(self.addCleanup)
        (self.folder / "site.toml").write_text(SITE)

    def test_an_ensemble_tells_of_its_runs(self):
        done = scree("ensemble", "site.toml", "-o", "out", "--maps", "asc", cwd=self.folder)
        told = {warning["id"]: warning for warning in json.loads((self.folder / "out" / "summary.json").read_text())["warnings"]}
        self.assertLessEqual({"loose-stop", "low-density", "moving-stop"}, set(told))
        page = (self.folder / "out" / "report.html").read_text()
        for name, warning in told.items():
            self.assertEqual(set(warning), {"id", "message", "advice", "runs", "worst", "worst_run"})
            self.assertIn(f"warning      {name}: in {warning['runs']} of 3 runs, worst in run {warning['worst_run']}: {warning['message']}\n             {warning['advice']}\n", done.stderr)
            self.assertIn(f"({name})</li>", page)
        self.assertEqual(told["low-density"]["runs"], 3)
        self.assertIn("road: none of 3 runs crosses", done.stdout)
        self.assertNotIn("nan", done.stdout)
        self.assertIn("outside of the map", scree("check", "site.toml", cwd=self.folder).stdout)

    def test_then_is_refused_before_the_runs(self):
        (self.folder / "wall.toml").write_text(SITE[:SITE.index("[ensemble]")])
        scree("ensemble", "site.toml", "-o", "out", "--then", "wall.toml", "--barrier", "raod", cwd=self.folder, expect=2)
        self.assertFalse((self.folder / "out").exists())

    def test_check_goes_on_where_a_run_cannot_start_and_errors_have_a_place(self):
        (self.folder / "site.toml").write_text(SITE.replace("points = [[-6, 0]]", "points = [[-600, 0]]"))
        done = scree("check", "site.toml", cwd=self.folder, expect=2)
        self.assertRegex(done.stderr, r"^site\.toml:\d+:\d+: ensemble\.release: ")
        (self.folder / "site.toml").write_text(SITE.replace("points = [[-6, 0]]", "points = [[-6, 0, -100]]"))
        self.assertIn("is lifted by", scree("check", "site.toml", cwd=self.folder).stdout)

    def test_a_sweep_tells_of_its_runs(self):
        shutil.copy(EXAMPLES / "moving-stop.toml", self.folder / "scene.toml")
        done = scree("sweep", "scene.toml", "--set", "time.dt=0.001,0.0005", "-o", "table.csv", cwd=self.folder)
        self.assertIn("warning      moving-stop: in 2 of 2 runs, worst in run ", done.stderr)


if __name__ == "__main__":
    program.main()
