"""Runs a fuzz target on small files that the repository has.

usage: fuzz_test.py FUZZ_READERS TARGET [options of fuzz_readers, such as --seconds 60 or --count 200]
"""
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
SCENES = TESTS.parent / "scenes"
# Smaller columns and walls of the same kinds: a scene is read a thousand times a second, not ten.
SMALLER = ((r"(?m)^length = 15\b", "length = 4"), (r"(?m)^grains = \d+", "grains = 60"), (r"(?m)^count = \d{3,}", "count = 50"),
           (r"(?m)^courses = \d\d+", "courses = 5"), (r"(?m)^first_course = \d\d+", "first_course = 9"))
HISTORY = "# station 3\ntime [s], linear_x [m/s], linear_z [m/s], angular_y [rad/s]\n0.00, 0.0, 0.0, 1e-3\n0.02, -0.013, 4e-3, 0\n\n1.5,2,3,4\n"
AT2 = "PEER STRONG MOTION DATABASE RECORD\nSomewhere, 1999, station 3\nACCELERATION TIME HISTORY IN UNITS OF G\nNPTS= 6, DT= .01 SEC\n .1E-01 -.2E-02 .3 .4\n .5 -.6\n"
GROUND = "# station 3\ntime [s], acceleration [g]\n0.00, 0.0\n0.02, -0.013\n\n1.5, 2e-1\n"
STARTS = "id, x [m], y_m, z, vx_mps, vy, vz, rock, remark\n1, 0.5, 2e1, 3, 0, 0, 0, a, first\n2, -1, 0, 12.25, 1, 0, -2, a, \n"
CLOUD = "8\n" + "".join(f"{x}.5 {y} {z}e-1\n" for x in (0, 1) for y in (0, 2) for z in (0, 9))
ASC = "ncols 4\nnrows 3\nxllcorner 100.5\nyllcorner 200\ncellsize 2\nNODATA_value -9999\n1 2 3 4\n1.5 2.5 -9999 4.5\n2 3 4 5\n"
XYZ = "".join(f"{10 + 2 * x} {20.5 + 2 * y} {x * 0.5 + y}\n" for y in range(3) for x in range(4))


def unpacked(pattern, folder):
    for path in TESTS.glob(f"data/old_files/*/{pattern}.xz"):
        (folder / f"{path.parent.name}-{path.stem}").write_bytes(lzma.decompress(path.read_bytes()))


def collect(target, folder):
    if target == "scene":
        for path in (*SCENES.glob("*/*.toml"), *TESTS.glob("fuzz/corpus/*.toml"), *TESTS.glob("data/warnings/*.toml"), *TESTS.glob("data/old_files/*/*.toml")):
            text = path.read_text(encoding="utf8")
            for large, small in SMALLER:
                text = re.sub(large, small, text)
            (folder / f"{path.parent.name}-{path.name}").write_text(text, encoding="utf8")
    elif target == "history":
        (folder / "history.csv").write_text(HISTORY)
    elif target == "record":
        (folder / "record.AT2").write_text(AT2)
        (folder / "record.csv").write_text(GROUND)
    elif target == "points":
        (folder / "starts.csv").write_text(STARTS)
        (folder / "cloud.pts").write_text(CLOUD)
    elif target == "heights":
        (folder / "ground.asc").write_text(ASC)
        (folder / "ground.xyz").write_text(XYZ)
    elif target == "blocks":
        for path in (*TESTS.glob("data/masonry/*.*"), *(path for path in TESTS.glob("fuzz/corpus/*") if path.suffix != ".toml")):
            if path.stat().st_size < 6000 and path.suffix != ".md":
                shutil.copy(path, folder)
    elif target == "result":
        unpacked("*.h5", folder)
    elif target == "checkpoint":
        unpacked("*.checkpoint", folder)
    elif target == "fclib":
        for path in sorted(TESTS.glob("data/fclib/*.hdf5"), key=lambda path: path.stat().st_size)[:4]:
            shutil.copy(path, folder)


def shares(said):
    """What share of the inputs was refused by form, by content, and accepted [%]."""
    return [float(share) for share in re.search(r"([0-9.]+) % refused by form, ([0-9.]+) % by content, ([0-9.]+) % accepted", said).groups()]


def main(program, target, *options):
    with tempfile.TemporaryDirectory() as folder:
        collect(target, pathlib.Path(folder))
        done = subprocess.run([program, target, folder, *options], stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    # Inputs that all fail at the door try nothing behind it. Tables of numbers have no form of their own.
    for share in shares(done.stdout)[1 if target in ("history", "record", "points", "heights") else 0:]:
        if share == 0.0:
            sys.exit("one kind of answer never came")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
