"""A build with -DSCREE_MPI=ON spreads an ensemble over the processes of a real mpirun, with the bytes of one. Slow.

usage: mpi_test.py SCREE SOURCE_FOLDER BUILD_FOLDER [unittest options]
BUILD_FOLDER is that of a build with MPI of its own, which stays there for the next time.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import ensemble_test
import program
import thousand_runs_test

SOURCE = BUILD = None
MISSING = None if shutil.which("mpirun") else "no mpirun: as root, apt-get install libopenmpi-dev openmpi-bin"
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@program.needs(MISSING)
class Mpi(program.FolderCase):
    @classmethod
    def setUpClass(cls):
        launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={path}" for path in [shutil.which("ccache")] if path]
        subprocess.run(["cmake", "-S", SOURCE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSCREE_MPI=ON", *launcher],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", BUILD, "--target", "scree"], check=True, stdout=subprocess.DEVNULL)

    def mpirun(self, processes, *arguments, expect=(0,)):
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", str(processes), pathlib.Path(BUILD) / "tools" / "scree", *arguments],
                              cwd=self.folder, env={**os.environ, **AS_ROOT}, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertIn(done.returncode, expect, done.stdout)

    def test_processes_make_the_same_files(self):
        self.write(ensemble_test.SITE, "site.toml")
        self.scree("ensemble", "site.toml", "-o", "one")
        for processes in (1, 2, 4):
            self.mpirun(processes, "ensemble", "site.toml", "-o", f"mpi{processes}")
            self.assertEqual(ensemble_test.outputs(self.folder / f"mpi{processes}"), ensemble_test.outputs(self.folder / "one"), processes)

    def test_three_processes_make_the_files_of_a_thousand_runs(self):
        self.write(thousand_runs_test.RUNS, "site.toml")
        self.scree("ensemble", "site.toml", "--jobs", "1", "-o", "one", expect=(0, 3))
        self.mpirun(3, "ensemble", "site.toml", "-o", "three", expect=(0, 3))
        whole, files = (ensemble_test.outputs(self.folder / name) for name in ("one", "three"))
        for how, made in (("--jobs 1", whole), ("mpirun -n 3", files)):
            print(f"{how}: {len(made)} files, sha256 {thousand_runs_test.hash_of(made)[:16]}", flush=True)
        self.assertEqual(files, whole)


if __name__ == "__main__":
    SOURCE = str(pathlib.Path(sys.argv.pop(2)).resolve())
    BUILD = str(pathlib.Path(sys.argv.pop(2)).resolve())
    program.main()
