"""Checks the structure that a linker cannot: who includes whom, who touches files and argv, what lies at the top.

usage: layers_test.py ROOT             checks a checkout
       layers_test.py --self-test      checks that each kind of violation is found
"""
import pathlib
import re
import sys
import tempfile

MIDDLE = ["collision", "integrators", "contact"]
MAY_INCLUDE = {
    "engine/model": ["engine/model"],
    **{folder: [folder, "engine/model"] for folder in MIDDLE},
    "engine": ["engine", *MIDDLE],
    "scenes": ["scenes", "engine", *MIDDLE],
    "tools": ["tools", "scenes", "engine", *MIDDLE],
    "tests": ["tests", "tools", "scenes", "engine", *MIDDLE],
}
LIBRARY_FOLDERS = ["engine", "scenes", *MIDDLE]
TOP_LEVEL = {"engine", "collision", "integrators", "contact", "scenes", "tests", "tools", "CMakeLists.txt",
             "CMakePresets.json", "README.md", "CHANGELOG.md", "LICENSE"}
NOT_OURS = re.compile(r"^(\..*|build.*|out|node_modules|compile_commands\.json)$")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
BULLET = re.compile(r"^(bullet/|Bullet\w*/|LinearMath/|bt\w+\.h)")
BULLET_ALLOWED = re.compile(r"^(tests/)?collision/[^/]+\.cpp$")
# The engine owns the formats of result files and checkpoints; input_file is how all open what users name.
OWN_FORMATS = re.compile(r"^engine/(result_\w+|checkpoint|model/input_file)\.cpp$")
OUTSIDE_WORLD = re.compile(r"\bargv\b|<fstream>|\bfopen\s*\(|\bstd::(cout|cerr|cin|getenv|system)\b|\bgetenv\s*\(")
COMMENT = re.compile(r"//.*$")


def folder_of(path):
    return "engine/model" if path.parts[:2] == ("engine", "model") else path.parts[0]


def is_in(include, folder):
    return include.startswith(folder + "/")


def check_includes(path, number, mark, include):
    where = f"{path}:{number}"
    if BULLET.match(include) and not BULLET_ALLOWED.match(str(path)):
        yield f"{where}: Bullet belongs into collision/*.cpp and its tests only: {include}"
    if mark == '"':
        allowed = MAY_INCLUDE[folder_of(path)]
        if not any(is_in(include, folder) for folder in allowed):
            yield f"{where}: {folder_of(path)} may include {', '.join(allowed)} only: {include}"


def check_source(root, path):
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield from check_includes(path, number, *found.groups())
        files_allowed = "<fstream>" in line and OWN_FORMATS.match(str(path))
        if path.parts[0] in LIBRARY_FOLDERS and OUTSIDE_WORLD.search(COMMENT.sub("", line)) and not files_allowed:
            yield f"{path}:{number}: only tools reads argv and files and prints: {line.strip()}"


def check(root):
    problems, n_files = [], 0
    for entry in sorted(root.iterdir()):
        if entry.name not in TOP_LEVEL and not NOT_OURS.match(entry.name):
            problems.append(f"{entry.name}: not an entry of the top level")
    for folder in [*LIBRARY_FOLDERS, "tools", "tests"]:
        for path in sorted((root / folder).rglob("*")):
            # tests/install_test is a user's program outside the project
            if path.suffix in (".hpp", ".cpp") and "install_test" not in path.parts and "node_modules" not in path.parts:
                n_files += 1
                problems += check_source(root, path.relative_to(root))
    return problems, n_files


VIOLATIONS = {
    "engine/model/a.hpp": '#include "engine/settings.hpp"',
    "collision/a.hpp": '#include "contact/solver/solver.hpp"',
    "integrators/a.cpp": '#include "collision/detect.hpp"',
    "contact/a.cpp": '#include "engine/step.hpp"',
    "engine/a.cpp": '#include "scenes/read/scene.hpp"',
    "engine/b.cpp": '#include "step.hpp"',
    "scenes/a.cpp": '#include "tools/cli/export.hpp"',
    "scenes/b.cpp": "#include <fstream>",
    "tools/a.cpp": '#include "tests/support/matchers.hpp"',
    "collision/b.hpp": "#include <BulletCollision/CollisionShapes/btBoxShape.h>",
    "engine/c.cpp": "#include <bullet/LinearMath/btVector3.h>",
    "contact/b.cpp": 'std::cout << "hello";',
    "collision/c.cpp": "#include <fstream>",
    "tests/engine/a.cpp": "#include <LinearMath/btVector3.h>",
    "stray/a.txt": "",
}
LAWFUL = {
    "engine/files/result_reader.cpp": "#include <fstream>\n",
    "engine/files/checkpoint.cpp": "#include <fstream>\n",
    "tests/collision/a_test.cpp": "#include <LinearMath/btAlignedAllocator.h>\n",
    "collision/a.cpp": '#include <btBulletCollisionCommon.h>\n#include "engine/base/math.hpp"  // argv\n',
    "tools/b.cpp": '#include <fstream>\n#include "scenes/read/scene.hpp"\nint main(int argc, char** argv) {}\n',
}


def self_test():
    for violations, expected in (({}, 0), (VIOLATIONS, len(VIOLATIONS))):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**LAWFUL, **violations}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text + "\n")
            problems, _ = check(root)
            assert len(problems) == expected, "\n".join(problems)
    print(f"all {len(VIOLATIONS)} violations were found")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    problems, n_files = check(pathlib.Path(sys.argv[1]).resolve())
    print(*problems, f"{n_files} files, {len(problems)} problems", sep="\n")
    sys.exit(1 if problems or n_files == 0 else 0)


if __name__ == "__main__":
    main()
