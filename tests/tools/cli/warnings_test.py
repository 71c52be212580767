"""Every warning: its example raises it, the next change just does not, and with its advice taken nothing is warned of at all.

usage: warnings_test.py SCREE        examples and changes are those of engine/WARNINGS.md
"""
import base64
import json
import pathlib
import re
import unittest
import zlib

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


def report_header(page):
    """What the page knows of the run: the text part of its block of data."""
    data = re.search(r'id="scree-data"[^>]*>([^<]*)<', page.read_text()).group(1)
    raw = zlib.decompress(base64.b64decode(data.strip()))
    return json.loads(raw[4:4 + int.from_bytes(raw[:4], "little")])


class Warnings(unittest.TestCase):
    def setUp(self):
        self.folder = program.new_folder(self.addCleanup)

    def scene(self, name, changes):
        text = (EXAMPLES / f"{name}.toml").read_text()
        for old, new in changes:
            self.assertEqual(text.count(old), 1, f"{name}: `{old}` must stand in the example once")
            text = text.replace(old, new)
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
                told = report_header(self.folder / "page.html")["warnings"]
                self.assertIn(f"{mine[0]['message']}. {mine[0]['advice']} ({name})", told)

    def test_next_change_just_does_not(self):
        for name, example, changes in cases():
            with self.subTest(name, example=example):
                self.assertGreater(len(changes["just not"]), 0)
                self.scene(example, changes["just not"])
                found = {warning["id"] for warning in self.run_scene()[0] + self.check_scene()}
                self.assertNotIn(name, found)

    def test_advice_helps_in_its_own_example(self):
        for name, example, changes in cases():
            with self.subTest(name, example=example):
                self.assertGreater(len(changes["with the advice"]), 0)
                self.scene(example, changes["with the advice"])
                self.assertEqual(self.run_scene()[0] + self.check_scene(), [])


if __name__ == "__main__":
    program.main()
