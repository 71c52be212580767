"""Runs a fuzz target on small files that the repository has.

usage: fuzz_test.py FUZZ_READERS TARGET [options of fuzz_readers, such as --seconds 60 or --count 200]
"""
import lzma
import pathlib
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
SCENES = TESTS.parent / "scenes"
HISTORY = "# station 3\ntime [s], linear_x [m/s], linear_z [m/s], angular_y [rad/s]\n0.00, 0.0, 0.0, 1e-3\n0.02, -0.013, 4e-3, 0\n\n1.5,2,3,4\n"


def unpacked(pattern, folder):
    for path in TESTS.glob(f"data/old_files/*/{pattern}.xz"):
        (folder / f"{path.parent.name}-{path.stem}").write_bytes(lzma.decompress(path.read_bytes()))


def collect(target, folder):
    if target == "scene":
        for path in (*SCENES.glob("*/*.toml"), *TESTS.glob("fuzz/corpus/*.toml"), *TESTS.glob("data/old_files/*/*.toml")):
            shutil.copy(path, folder)
    elif target == "history":
        (folder / "history.csv").write_text(HISTORY)
    elif target == "result":
        unpacked("*.h5", folder)
    elif target == "checkpoint":
        unpacked("*.checkpoint", folder)
    elif target == "fclib":
        for path in sorted(TESTS.glob("data/fclib/*.hdf5"), key=lambda path: path.stat().st_size)[:4]:
            shutil.copy(path, folder)


def main(program, target, *options):
    with tempfile.TemporaryDirectory() as folder:
        collect(target, pathlib.Path(folder))
        sys.exit(subprocess.run([program, target, folder, *options]).returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
