"""tools/validation: which rows come to the page, which go and which stay.

usage: validation_test.py [unittest options]
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[3] / "tools" / "validation"


def row(name, section="Statics", error="1e-9", allowed="1e-6"):
    return "\t".join([section, name, "1", "1.000000001", error, allowed, "statics"]) + "\n"


class Validation(unittest.TestCase):
    """A copy of the tool in a folder of its own, with a build folder whose list of tests the test writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("tools", "engine", "build/validation"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(TOOL, self.root / "tools" / "validation")
        self.page = self.root / "engine" / "VALIDATION.md"

    def list_cases(self, *names):
        (self.root / "build" / "CTestTestfile.cmake").write_text("".join(f'add_test([=[{name}]=] "true")\n' for name in names))

    def leave(self, case, *rows):
        (self.root / "build" / "validation" / f"{case}.tsv").write_text("".join(rows))

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, self.root / "tools" / "validation", *arguments], cwd=self.root, text=True, capture_output=True, check=False)

    def update(self):
        done = self.run_tool("--update")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.page.read_text()

    def refuse(self, part, *arguments):
        before = self.page.read_text() if self.page.exists() else None
        done = self.run_tool("--update", *arguments)
        self.assertEqual(done.returncode, 1)
        self.assertIn(part, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual(self.page.read_text() if self.page.exists() else None, before)

    def test_rows_stand_under_their_case_in_the_order_of_the_test(self):
        self.list_cases("Tower stands", "Ball falls", "Command line is fine")
        self.leave("Ball falls", row("z", "Free motion"), row("a", "Free motion"), row("z", "Free motion", "2e-9"))
        self.leave("Tower stands", row("drift"))
        text = self.update()
        self.assertEqual([line for line in text.splitlines() if line.startswith("#")],
                         ["# Validation", "## Free motion", "### Ball falls", "## Statics", "### Tower stands"])
        self.assertEqual([line for line in text.splitlines() if line.startswith("| z") or line.startswith("| a")],
                         ["| z | 1 | 1.000000001 | 2e-9 | 1e-6 | statics |", "| a | 1 | 1.000000001 | 1e-9 | 1e-6 | statics |"])

    def test_rows_of_cases_that_are_gone_go(self):
        self.list_cases("Tower stands", "Arch stands (slow)")
        self.leave("Tower stands", row("old name"))
        self.leave("Arch stands", row("crown", "Arches"))
        self.assertIn("| crown |", self.update())
        # the tower's test names its row anew, the ball's test and the arch's no longer exist; their files lie about
        self.leave("Tower stands", row("new name"))
        self.leave("Ball falls", row("way", "Free motion"))
        self.leave("rows", row("of old"))
        self.list_cases("Tower stands", "Wall stands (slow)")
        text = self.update()
        self.assertIn("| new name |", text)
        for name in ("old name", "crown", "way", "of old"):
            self.assertNotIn(f"| {name} |", text)

    def test_a_long_case_that_was_not_run_keeps_its_rows(self):
        self.list_cases("Tower stands", "Arch stands (slow)")
        self.leave("Tower stands", row("drift"))
        self.leave("Arch stands", row("crown, |P x| / |x|", "Arches"), row("foot", "Statics"))
        text = self.update()
        self.assertIn("| crown, \\|P x\\| / \\|x\\| |", text)
        (self.root / "build" / "validation" / "Arch stands.tsv").unlink()
        self.assertEqual(self.update(), text)
        self.assertEqual(self.run_tool().stdout, text)
        self.leave("Arch stands", row("crown at h/2", "Arches"))  # run anew: its rows replace the others
        text = self.update()
        self.assertIn("| crown at h/2 |", text)
        self.assertNotIn("| crown, ", text)
        self.assertNotIn("| foot |", text)
        self.leave("Arch stands")  # run anew, writes none
        self.assertNotIn("Arch stands", self.update())

    def test_refuses_what_would_make_a_wrong_page(self):
        self.refuse("ctest lists no tests in")
        self.list_cases("Tower stands", "engine_tests_NOT_BUILT-1")
        self.refuse("engine_tests_NOT_BUILT-1")
        self.list_cases("Tower stands", "Ball falls", "Wall/arch stands")
        self.refuse("no rows in")
        self.leave("Tower stands", row("drift"))
        self.leave("Ball falls", row("way"))
        self.leave("Wall_arch stands", row("crown"))
        self.assertIn("| crown |", self.update())
        (self.root / "build" / "validation" / "Ball falls.tsv").unlink()
        self.refuse("'Ball falls' has rows on the page and did not run")
        self.leave("Ball falls", row("way", error="2e-6", allowed="1e-6 (exceeded)"))
        self.refuse("'way' has an error of 2e-6")
        self.leave("Ball falls", row("way", "Staticks"))
        self.refuse("unknown section 'Staticks'")
        self.leave("Ball falls", "a\tb\n")
        self.refuse("not a row of 7 cells")
        self.leave("Ball falls", row("way"))
        self.refuse("usage:", "build", "other")
        self.refuse("usage:", "--all")


if __name__ == "__main__":
    unittest.main()
