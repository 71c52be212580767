"""Checks the structure that a linker cannot: who includes whom, who touches files and argv, what lies at the top.

usage: layers_test.py ROOT             checks a checkout
       layers_test.py --self-test      checks that each kind of violation is found
"""
import pathlib
import re
import sys
import tempfile

FLOORS = [line for line in pathlib.Path(__file__).with_name("layers.txt").read_text().splitlines() if line and not line.startswith("#")]
WINGS = {"collision", "integrators", "contact"}
LIBRARY_FOLDERS = ["engine", "scenes", *sorted(WINGS)]
TOP_LEVEL = {"engine", "collision", "integrators", "contact", "scenes", "tests", "tools", "CMakeLists.txt",
             "CMakePresets.json", "README.md", "CHANGELOG.md", "LICENSE"}
NOT_OURS = re.compile(r"^(\..*|build.*|out|node_modules|compile_commands\.json)$")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
BULLET = re.compile(r"^(bullet/|Bullet\w*/|LinearMath/|bt\w+\.h)")
# tools/peers has a program of its own that is nothing but Bullet, to compare with.
BULLET_ALLOWED = re.compile(r"^((tests/)?collision/([^/]+/)?[^/]+|tools/peers/bullet_steps)\.cpp$")
# How all open what users name.
READS_FILES = "engine/base/input_file.cpp"
OUTSIDE_WORLD = re.compile(r"\bargv\b|<fstream>|\bfopen\s*\(|\bstd::(cout|cerr|cin|getenv|system)\b|\bgetenv\s*\(")
COMMENT = re.compile(r"//.*$")


def room_of(path):
    """The room in which a file lies: the deepest folder of the list. None: of no room."""
    folder = path.rsplit("/", 1)[0]
    while folder not in FLOORS:
        if "/" not in folder:
            return None
        folder = folder.rsplit("/", 1)[0]
    return folder


def wing_of(room):
    top = room.split("/")[0]
    return top if top in WINGS else None


def may_include(room, other):
    if room == other:
        return True
    wings = {wing_of(room), wing_of(other)} - {None}
    return FLOORS.index(other) < FLOORS.index(room) and not (wing_of(room) and len(wings) > 1)


def check_includes(path, number, mark, include):
    where = f"{path}:{number}"
    if BULLET.match(include) and not BULLET_ALLOWED.match(str(path)):
        yield f"{where}: Bullet belongs into collision and its tests only: {include}"
    if mark == '"':
        room, other = room_of(str(path)), room_of(include)
        if room is None:
            yield f"{where}: lies in no room of tests/layers.txt"
        elif other is None:
            yield f"{where}: no such room: {include}"
        elif not may_include(room, other):
            yield f"{where}: {room} may not include {other}: {include}"


def check_source(root, path):
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield from check_includes(path, number, *found.groups())
        files_allowed = "<fstream>" in line and str(path) == READS_FILES
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
    "engine/model/shapes/a.hpp": '#include "engine/model/bodies.hpp"',
    "engine/base/a.hpp": '#include "engine/model/bodies.hpp"',
    "engine/d.cpp": '#include "engine/files/checkpoint.hpp"',
    "collision/a.hpp": '#include "contact/solver/solver.hpp"',
    "collision/pairs/a.hpp": '#include "collision/detect.hpp"',
    "integrators/a.cpp": '#include "collision/detect.hpp"',
    "contact/solver/a.cpp": '#include "engine/step.hpp"',
    "contact/problem/a.cpp": '#include "contact/laws/impact_law.hpp"',
    "contact/a.cpp": '#include "engine/base/math.hpp"',
    "engine/a.cpp": '#include "scenes/read/scene.hpp"',
    "engine/b.cpp": '#include "step.hpp"',
    "scenes/read/a.cpp": '#include "tools/cli/export.hpp"',
    "scenes/read/b.cpp": "#include <fstream>",
    "tools/picture/a.cpp": '#include "tools/cli/export.hpp"',
    "tools/cli/a.cpp": '#include "tests/support/matchers.hpp"',
    "collision/b.hpp": "#include <BulletCollision/CollisionShapes/btBoxShape.h>",
    "engine/c.cpp": "#include <bullet/LinearMath/btVector3.h>",
    "contact/solver/b.cpp": 'std::cout << "hello";',
    "collision/c.cpp": "#include <fstream>",
    "tests/engine/a.cpp": "#include <LinearMath/btVector3.h>",
    "stray/a.txt": "",
}
LAWFUL = {
    "engine/base/input_file.cpp": "#include <fstream>\n",
    "engine/files/result_reader.cpp": '#include "engine/run.hpp"\n',
    "tests/collision/pairs/a_test.cpp": "#include <LinearMath/btAlignedAllocator.h>\n",
    "collision/a.cpp": '#include <btBulletCollisionCommon.h>\n#include "engine/base/math.hpp"  // argv\n',
    "tools/peers/bullet_steps.cpp": "#include <btBulletDynamicsCommon.h>\n",
    "tools/cli/b.cpp": '#include <fstream>\n#include "scenes/read/scene.hpp"\nint main(int argc, char** argv) {}\n',
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
