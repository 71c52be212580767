"""Checks that tools/packages.txt names a package for everything that CMake looks for.

usage: packages_test.py ROOT
"""
import pathlib
import re
import sys


def listed_names(root):
    names = set()
    for line in (root / "tools" / "packages.txt").read_text().splitlines():
        if line.startswith("optional "):  # package, the one name, what it is for
            names.add(line.split()[2])
        elif not line.startswith(("#", "slow ")):
            names.update(line.split()[1:])
    return names


def wanted_names(root):
    for path in [root / "CMakeLists.txt", *root.glob("*/CMakeLists.txt"), *root.glob("*/*/CMakeLists.txt")]:
        relative = path.relative_to(root)
        if relative.parts[0].startswith("build") or "install_test" in relative.parts:
            continue
        for name in re.findall(r"^\s*find_package\((\w+)", path.read_text(), re.MULTILINE):
            yield name, relative


def main():
    root = pathlib.Path(sys.argv[1])
    listed, wanted = listed_names(root), list(wanted_names(root))
    missing = [f"{path}: no package is listed for {name}" for name, path in wanted if name not in listed]
    stale = [f"tools/packages.txt: nothing looks for {name}" for name in listed - {name for name, _ in wanted}]
    print(*missing, *stale, f"{len(wanted)} packages looked for", sep="\n")
    sys.exit(1 if missing or stale or len(wanted) < 10 else 0)


if __name__ == "__main__":
    main()
