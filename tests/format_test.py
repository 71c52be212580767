"""Checks that clang-format would change nothing, and that prose keeps to 100 columns.

usage: format_test.py ROOT
"""
import pathlib
import subprocess
import sys

COLUMNS = 100
OURS = ("engine", "collision", "integrators", "contact", "scenes", "tests", "tools")
# Made by a tool from what tests print; its lines are rows of tables.
GENERATED = {"engine/VALIDATION.md"}


def files(root, *suffixes):
    for folder in OURS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and not {"node_modules", "dist"} & set(path.parts):
                yield path
    if ".md" in suffixes:
        yield from sorted(root.glob("*.md"))


def unformatted(paths):
    done = subprocess.run(["clang-format", "--dry-run", "--Werror", *map(str, paths)], capture_output=True, text=True)
    return [line for line in done.stderr.splitlines() if "error:" in line] or ([] if done.returncode == 0 else [done.stderr])


def long_prose(path):
    code = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        start = line.lstrip()
        if start.startswith("```"):
            code = not code
        # A row of a table, a picture, a tag and a formula (four spaces) are one line each.
        elif len(line) > COLUMNS and " " in start and not code and not line.startswith("    ") and not start.startswith(("|", "![", "<")):
            yield f"{path}:{number}: {len(line)} columns of prose"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    sources, pages = list(files(root, ".cpp", ".hpp")), list(files(root, ".md"))
    problems = unformatted(sources)
    for path in pages:
        if str(path.relative_to(root)) not in GENERATED:
            problems += long_prose(path)
    print(*problems, f"{len(sources)} sources, {len(pages)} pages, {len(problems)} problems", sep="\n")
    sys.exit(1 if problems or not sources or not pages else 0)


if __name__ == "__main__":
    main()
