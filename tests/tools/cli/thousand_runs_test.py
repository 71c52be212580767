"""An ensemble of a thousand runs: the same bytes for one job, two jobs killed ten times, and the tasks of an array. Slow.

usage: thousand_runs_test.py SCREE [unittest options]
"""
import signal
import time

import ensemble_test
import program

RUNS = ensemble_test.SITE.replace("runs = 30", "runs = 800").replace("runs = 5", "runs = 100")


class ThousandRuns(program.FolderCase):
    def test_same_bytes(self):
        self.write(RUNS, "site.toml")
        self.scree("ensemble", "site.toml", "--jobs", "1", "-o", "one", expect=(0, 3))
        rows = ensemble_test.rows_of(self.folder / "one" / "runs.csv")
        self.assertEqual(len(rows), 1000)
        self.assertEqual({row["status"] for row in rows} - {"done", "unconverged"}, set())
        whole = ensemble_test.outputs(self.folder / "one")
        for kill in range(10):
            run = self.start("ensemble", "site.toml", "--jobs", "2", "-o", "two")
            time.sleep(0.5 + 0.17 * kill)
            self.assertIsNone(run.poll(), "came to its end before it was killed")
            run.send_signal(signal.SIGTERM if kill % 3 == 2 else signal.SIGKILL)
            run.communicate()
        self.scree("ensemble", "site.toml", "--jobs", "2", "-o", "two", expect=(0, 3))
        self.assertEqual(ensemble_test.outputs(self.folder / "two"), whole)
        for task in (3, 1, 0, 2):
            self.scree("ensemble", "site.toml", "--jobs", "1", "--chunk", f"{task}/4", "-o", "array", expect=(0, 3))
        self.scree("ensemble", "site.toml", "--merge", "-o", "array", expect=(0, 3))
        self.assertEqual(ensemble_test.outputs(self.folder / "array"), whole)


if __name__ == "__main__":
    program.main()
