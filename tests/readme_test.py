"""Runs what the guides show: every command of their `sh` blocks, then their Python blocks; follows every page's links.

usage: readme_test.py ROOT BUILD_FOLDER [PAGE...]

README.md runs in a folder like a fresh clone. The other pages must work with the installed program: in an empty folder.
tools/demo and tools/test themselves are left out (they install packages and call this test), and runs that take long are
cut short. Also checks that the C++ and CMake blocks are those that the installation test compiles, and that every link and
picture exists.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

IN_A_CLONE = ("README.md",)
GUIDES = re.compile(r"(README|tools/README|engine/LIBRARY|scenes/\w+/(README|stress))\.md")
# Scenes of which the first moments are enough here: end [s]. A study makes one small column.
SHORTER = {"wall_impact.toml": 0.02, "settling_support.toml": 0.1}

LEFT_OUT = ("tools/demo", "tools/test", "git clone", "cd scree", "cmake --install")


def pages(root):
    yield "README.md"
    for folder in ("tools", "engine", "engine/method", "contact", "collision", "scenes", "scenes/*", "scenes/*/results"):
        for path in sorted(root.glob(f"{folder}/*.md")):
            yield str(path.relative_to(root))


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(text):
    for block in blocks(text, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split("  #")[0].strip()
            if command and not command.startswith("#") and not command.startswith(LEFT_OUT):
                yield cut_short(command)


def cut_short(command):
    if "study column" in command:
        command = command.replace(" --quick", " --quick --grains 60 --aspect 0.5")
    if "study shear" in command or "study chute" in command:
        command = command.replace(" --quick", " --quick --grains 60 --across 4 --settle 1 --measure 1")
    for scene, end in SHORTER.items():
        command = re.sub(rf"(scree run (?:\S*/)?{re.escape(scene)})(?! --t-end)", rf"\1 --t-end {end}", command)
    return command


def make_clone(root, build, work):
    """Links to what a built clone has at its top, so that relative paths in commands work and output stays apart."""
    for name in ("scenes", "tools", "engine", "tests", "CMakeLists.txt", "README.md"):
        (work / name).symlink_to(root / name)
    (work / "build").symlink_to(build)
    (work / "out").mkdir()


def run(command, work, build, **options):
    environment = {**os.environ, "PATH": f"{build / 'tools'}:{os.environ['PATH']}", "HOME": str(work)}
    print("+", command, flush=True)
    done = subprocess.run(command, shell=not isinstance(command, list), cwd=work, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nexit code {done.returncode}: {command}")
    return done.stdout


def check_links(root, page, text):
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+)\)", prose)
    folder = (root / page).parent
    missing = [target for target in targets if "://" not in target and not (folder / target).exists()]
    if missing:
        sys.exit(f"{page} points to files that do not exist: {missing}")
    return len(targets)


def check_snippets(root, text):
    folder = root / "tests" / "install_test"
    for language, name in (("cpp", "user.cpp"), ("cmake", "CMakeLists.txt")):
        if (folder / name).read_text() not in blocks(text, language):
            sys.exit(f"engine/LIBRARY.md: no {language} block equals tests/install_test/{name}")


def run_page(root, build, page):
    text = (root / page).read_text()
    n_links = check_links(root, page, text)
    if not GUIDES.fullmatch(page):
        return 0
    shown, snippets = list(commands(text)), blocks(text, "python")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if page in IN_A_CLONE:
            make_clone(root, build, work)
        for command in shown:
            run(command, work, build)
        for snippet in snippets:
            print(run([sys.executable, "-c", snippet], work, build))
    print(f"{page}: {len(shown)} commands, {len(snippets)} Python blocks, {n_links} links")
    return len(shown) + len(snippets)


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    chosen = sys.argv[3:] or list(pages(root))
    check_snippets(root, (root / "engine" / "LIBRARY.md").read_text())
    done = sum(run_page(root, build, page) for page in chosen)
    if not sys.argv[3:] and done < 30:
        sys.exit(f"only {done} commands were found; is the format of the blocks still understood?")


if __name__ == "__main__":
    main()
