"""Runs what README.md shows: every command of its `sh` blocks, then its Python block, in a folder like a fresh clone.

usage: readme_test.py ROOT BUILD_FOLDER

tools/demo and tools/test themselves are left out (they install packages and call this test), and runs that take long are cut short. Also checks that the C++ and
CMake blocks are those that the installation test compiles, and that every link and picture exists.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Scenes of which the first moments are enough here: end [s].
SHORTER = {"scenes/benchmarks/wall_impact.toml": 0.02}

LEFT_OUT = ("tools/demo", "tools/test", "git clone", "cd scree")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(text):
    for block in blocks(text, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split("  #")[0].strip()
            if command and not command.startswith("#") and not command.startswith(LEFT_OUT):
                yield cut_short(command)


def cut_short(command):
    for scene, end in SHORTER.items():
        command = command.replace(f"scree run {scene}", f"scree run {scene} --t-end {end}")
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


def check_links(root, text):
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)#]+)\)", prose)
    missing = [target for target in targets if "://" not in target and not (root / target).exists()]
    if missing:
        sys.exit(f"README.md points to files that do not exist: {missing}")
    return len(targets)


def check_snippets(root, text):
    folder = root / "tests" / "install_test"
    for language, name in (("cpp", "user.cpp"), ("cmake", "CMakeLists.txt")):
        if (folder / name).read_text() not in blocks(text, language):
            sys.exit(f"README.md: no {language} block equals tests/install_test/{name}")


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    text = (root / "README.md").read_text()
    n_links = check_links(root, text)
    check_snippets(root, text)
    shown, snippets = list(commands(text)), blocks(text, "python")
    if len(shown) < 5 or not snippets:
        sys.exit("README.md: hardly any command was found; is the format of the blocks still understood?")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        make_clone(root, build, work)
        for command in shown:
            run(command, work, build)
        for snippet in snippets:
            print(run([sys.executable, "-c", snippet], work, build))
    print(f"{len(shown)} commands, {len(snippets)} Python blocks, {n_links} links")


if __name__ == "__main__":
    main()
