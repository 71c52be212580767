"""Installs the build into an empty folder, then builds and runs a user's program against it.

usage: install_test.py BUILD_FOLDER COMPILER COMPILER_FLAGS GENERATOR
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCENE = """
[time]
dt = 1e-3
end = 0.01

[[material]]
name = "steel"
density = 7800

[[contact]]
between = ["steel", "steel"]
mu = 0.3
e = 0.5

[[body]]
name = "ball"
kind = "sphere"
radius = 0.1
material = "steel"
position = [0, 0, 1]
"""


def run(*command, **options):
    print("+", *command, flush=True)
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nexit code {done.returncode}: {command}")
    return done.stdout


def check_headers(prefix, compiler, flags, work):
    """Every installed header compiles by itself."""
    include = prefix / "include" / "scree"
    headers = sorted(path.relative_to(include) for path in include.rglob("*.hpp"))
    folders = {header.parts[0] for header in headers}
    assert folders == {"engine", "collision", "integrators", "contact", "scenes"}, folders
    source = work / "headers.cpp"
    source.write_text("".join(f'#include "{header}"\n' for header in headers))
    run(compiler, *flags, "-std=c++20", "-fsyntax-only", "-I", include, "-I/usr/include/eigen3", source)


def build_user_program(prefix, compiler, flags, generator, work):
    source = pathlib.Path(__file__).resolve().parent
    user = work / "user"
    run("cmake", "-S", source, "-B", user, "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={' '.join(flags)}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", user)
    return user / "user"


def check_fall(output):
    """Free fall from 1 m: the theta = 1/2 scheme gives z = 1 - g t^2 / 2 up to round-off and printing (6 digits)."""
    head, *lines, end = output.splitlines()
    assert head.startswith("time [s]") and end.startswith("10 steps, 0 unconverged"), output
    rows = [tuple(map(float, line.split())) for line in lines]
    assert len(rows) == 11, rows
    for time, height, *_ in rows:
        assert abs(height - (1.0 - 0.5 * 9.81 * time * time)) < 2e-6, (time, height)


def check_package(build, work):
    """A package for Debian, unpacked into a root of its own: program, library, pages, scenes, man page, completion."""
    run("cpack", "-G", "DEB", "-B", work / "package", "--config", build / "CPackConfig.cmake", cwd=build)
    package, = (work / "package").glob("*.deb")
    root = work / "root"
    run("dpkg-deb", "-x", package, root)
    for name in ("bin/scree", "bin/scree-read-results", "lib/libscree_scenes.a", "share/doc/scree/README.md",
                 "share/doc/scree/scenes/masonry/README.md", "share/doc/scree/scenes/pictures/arch.png",
                 "share/scree/scenes/masonry/arch.toml", "share/man/man1/scree.1",
                 "share/bash-completion/completions/scree"):
        assert (root / "usr" / name).exists(), name
    assert "libhdf5" in run("dpkg-deb", "-f", package, "Depends")
    scree = root / "usr" / "bin" / "scree"
    run(scree, "example", "tower", cwd=work)
    run(scree, "run", "tower.toml", "--t-end", "0.01", cwd=work)
    completion = root / "usr/share/bash-completion/completions/scree"
    words = run("bash", "-c", f"source {completion}; COMP_WORDS=({scree} run --me); COMP_CWORD=2; _scree; echo ${{COMPREPLY[@]}}")
    assert words.split() == ["--measure", "--method"], words


def main():
    build, compiler, flags, generator = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3].split(), sys.argv[4]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        staged = work / "staged"
        run("cmake", "--install", build, "--prefix", staged)
        prefix = work / "moved"  # the package must not remember where it was installed
        shutil.move(staged, prefix)
        check_headers(prefix, compiler, flags, work)
        (work / "fall.toml").write_text(SCENE)
        check_fall(run(build_user_program(prefix, compiler, flags, generator, work), work / "fall.toml", work / "fall.h5"))
        assert "finished" in run(prefix / "bin" / "scree", "info", work / "fall.h5")
        assert "scree" in run(prefix / "bin" / "scree", "--version")
        scenes = sorted((prefix / "share" / "scree" / "scenes").glob("*/*.toml"))
        assert scenes, "no scenes were installed"
        for scene in scenes:
            run(prefix / "bin" / "scree", "check", scene, cwd=work)
        check_package(build, work)


if __name__ == "__main__":
    main()
