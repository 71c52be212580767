"""An ensemble of a thousand runs: the same bytes for one job, two, a run killed ten times, and a real Slurm. Slow.

usage: thousand_runs_test.py SCREE [unittest options]
"""
import hashlib
import json
import resource
import signal
import time

import ensemble_test
import program
import slurm

RUNS = ensemble_test.SITE.replace("runs = 30", "runs = 800").replace("runs = 5", "runs = 100")


def hash_of(files):
    """One hash of the hashes of all files."""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


class ThousandRuns(program.FolderCase):
    """Each test makes the files of `--jobs 1` again, in another way."""

    @classmethod
    def setUpClass(cls):
        cls.folder = program.new_folder(cls.addClassCleanup)
        (cls.folder / "site.toml").write_text(RUNS)
        cls.whole = cls.made("--jobs 1", "one", cls.timed("--jobs", "1", "-o", "one"))
        rows = ensemble_test.rows_of(cls.folder / "one" / "runs.csv")
        assert len(rows) == 1000, len(rows)
        assert {row["status"] for row in rows} <= {"done", "unconverged"}

    @classmethod
    def timed(cls, *options):
        """What was said of the times of a run of the program to its end."""
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        program.scree("ensemble", "site.toml", *options, cwd=cls.folder, expect=(0, 3))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return f"{after.ru_utime - before.ru_utime:.2f} s of user CPU, {time.monotonic() - start:.2f} s of wall"

    @classmethod
    def made(cls, how, name, told=""):
        files = ensemble_test.outputs(cls.folder / name)
        print(f"{how}: {len(files)} files, sha256 {hash_of(files)[:16]}{', ' + told if told else ''}", flush=True)
        return files

    def same(self, how, name, told=""):
        self.assertEqual(self.made(how, name, told), self.whole)

    def test_two_jobs(self):
        self.same("--jobs 2", "two", self.timed("--jobs", "2", "-o", "two"))

    def test_killed_ten_times(self):
        kept = [0]
        for kill in range(10):
            run = self.start("ensemble", "site.toml", "--jobs", "1", "-o", "killed")
            # Rows are written every two seconds: most are killed before there are any, the fifth when there are.
            time.sleep(0.1 + 0.1 * kill)
            while kill == 4 and self.bytes_kept() == 0 and run.poll() is None:
                time.sleep(0.01)
            self.assertIsNone(run.poll(), f"came to its end before kill {kill}")
            run.send_signal(signal.SIGKILL)
            run.communicate()
            kept.append(self.bytes_kept())
        self.assertEqual(kept, sorted(kept))
        self.assertGreater(kept[-1], 0)
        self.scree("ensemble", "site.toml", "--jobs", "2", "-o", "killed", expect=(0, 3))
        self.same("killed ten times by SIGKILL", "killed", f"bytes kept after the last: {kept[-1]}")

    def bytes_kept(self):
        return sum(path.stat().st_size for path in (self.folder / "killed" / "runs").rglob("*") if path.is_file())

    @program.needs(slurm.missing())
    def test_array_of_slurm(self):
        """The batch file of four tasks as sbatch takes it, one of them told to stop, which queues again; the merge depends on it."""
        self.scree("ensemble", "site.toml", "--slurm", "4", "--jobs", "1", "-o", "array")
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "scree").symlink_to(program.SCREE)
        with slurm.Cluster(self.folder / "cluster") as cluster:
            path = {"PATH": f"{programs}:{slurm.SYSTEM}"}
            job = cluster.run("sbatch", "--parsable", "site.sbatch", cwd=self.folder, extra=path, check=True).stdout.strip()
            merge = cluster.run("sbatch", "--parsable", f"--dependency=afterok:{job}", "--output=merge.log", "--wrap",
                                "scree ensemble site.toml --merge --out array", cwd=self.folder, extra=path, check=True).stdout.strip()
            part = self.folder / "array" / "runs" / "part-00001-of-00004"
            cluster.wait_for(lambda: part.exists() or not self.is_queued(cluster, job), "the second task")
            cluster.run("scancel", "--batch", "--signal=TERM", f"{job}_1")
            cluster.wait_for(lambda: not self.is_queued(cluster, f"{job},{merge}"), "the array and its merge", 600)
            tasks = [cluster.run("scontrol", "show", "job", f"{job}_{task}").stdout for task in range(4)]
            logs = "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))
        self.assertEqual([("JobState=COMPLETED" in task, "ExitCode=0:0" in task) for task in tasks], [(True, True)] * 4, logs)
        self.assertIn("Restarts=1", tasks[1], "the task that was told to stop has queued again")
        self.assertIn("Stopped by a signal", logs)
        self.same("Slurm array of 4 tasks, one queued again", "array")

    @staticmethod
    def is_queued(cluster, jobs):
        return bool(cluster.run("squeue", "--noheader", "--jobs", jobs).stdout.strip())


if __name__ == "__main__":
    program.main()
