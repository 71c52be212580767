"""A build with -DSCREE_MPI=ON spreads an ensemble over processes, with the bytes of one.

usage: mpi_test.py SCREE SOURCE_FOLDER [unittest options]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import ensemble_test
import program

SOURCE = None


@unittest.skipIf(shutil.which("mpirun") is None, "no mpirun: the optional package libopenmpi-dev is not installed")
class Mpi(program.FolderCase):
    def test_processes_make_the_same_files(self):
        self.write(ensemble_test.SITE, "site.toml")
        self.scree("ensemble", "site.toml", "-o", "one")
        whole = ensemble_test.outputs(self.folder / "one")
        with tempfile.TemporaryDirectory() as build:
            launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={path}" for path in [shutil.which("ccache")] if path]
            subprocess.run(["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSCREE_MPI=ON", *launcher],
                           check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["cmake", "--build", build, "--target", "scree"], check=True, stdout=subprocess.DEVNULL)
            scree = pathlib.Path(build) / "tools" / "scree"
            as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
            for processes in (1, 2, 4):
                folder = f"mpi{processes}"
                subprocess.run(["mpirun", "--oversubscribe", "-n", str(processes), str(scree), "ensemble", "site.toml", "-o", folder],
                               cwd=self.folder, check=True, env={**os.environ, **as_root})
                self.assertEqual(ensemble_test.outputs(self.folder / folder), whole, processes)


if __name__ == "__main__":
    SOURCE = str(pathlib.Path(sys.argv.pop(2)).resolve())
    program.main()
