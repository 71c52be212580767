"""Brings the peers: Debian's packages, Siconos once more without its assertions, and the program
that steps Bullet."""
import hashlib
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = [
    "siconos",
    "python3-siconos",
    "yade",
    "libbullet-dev",
    "g++",
    "pkg-config",
    "python3-numpy",
    "python3-h5py",
]
# What Siconos' own CMake looks for; its Python modules stay Debian's.
BUILD_PACKAGES = [
    "cmake",
    "ninja-build",
    "gfortran",
    "libsuitesparse-dev",
    "libgmp-dev",
    "libmumps-seq-dev",
    "libboost-graph-dev",
    "libboost-filesystem-dev",
    "libboost-serialization-dev",
    "libboost-timer-dev",
    "libboost-chrono-dev",
    "liblpsolve55-dev",
    "liblapacke-dev",
    "libopenblas-dev",
    "python3-packaging",
    "dpkg-dev",
    "xz-utils",
]
OPTIONS = """
set(COMPONENTS externals numerics kernel mechanics CACHE INTERNAL "")
option(WITH_PYTHON_WRAPPER "" OFF)
option(WITH_CXX "" ON)
option(WITH_FORTRAN "" ON)
option(BUILD_SHARED_LIBS "" ON)
option(WITH_BULLET "" ON)
option(WITH_MUMPS "" ON)
option(WITH_SYSTEM_SUITESPARSE "" ON)
option(WITH_TESTING "" OFF)
option(WITH_DOCUMENTATION "" OFF)
"""
SICONOS_LIBRARIES = ["kernel", "mechanics", "numerics", "externals"]


def installed(package):
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Status}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.startswith("install ok installed")


def root(command):
    return command if os.geteuid() == 0 else ["sudo", *command]


def call(command, log, **options):
    with open(log, "a") as out:
        subprocess.run(
            [str(part) for part in command], stdout=out, stderr=out, check=True, **options
        )


def install_packages(packages, log, say):
    missing = [package for package in packages if not installed(package)]
    if missing:
        say("installing " + " ".join(missing))
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        call(root(["apt-get", "install", "-y", "--no-install-recommends", *missing]), log, env=env)


def siconos_build(folder):
    """The libraries that were built without assertions, by name."""
    built = {
        name: folder / "siconos" / "build" / name / f"libsiconos_{name}.so"
        for name in SICONOS_LIBRARIES
    }
    return {name: str(path) for name, path in built.items() if path.exists()}


def build_shortcut(folder):
    """Two libraries that, preloaded, take out of Debian's Siconos the checks that look through
    whole graphs: siconos_graphs.cpp, and the two functions that do nothing else, which answer at
    once."""
    source = HERE / "siconos_graphs.cpp"
    graphs = folder / f"siconos_graphs-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}.so"
    checks = folder / "siconos_checks.so"
    if not graphs.exists() or not checks.exists():
        names = subprocess.run(
            "nm -D --defined-only /usr/lib/*/libsiconos_kernel.so.7 | "
            "awk '/state_assert|adjacent_vertices_ok/ {print $3}'",
            shell=True,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        checks.with_suffix(".c").write_text(
            "".join(f"int {name}(void) {{ return 1; }}\n" for name in names)
        )
        log, shared = folder / "siconos.log", ["-O2", "-shared", "-fPIC"]
        call(["gcc", *shared, checks.with_suffix(".c"), "-o", checks], log)
        headers = pathlib.Path("/usr/include/siconos")
        places = [f"-I{path}" for path in [headers, *headers.rglob("*")] if path.is_dir()]
        call(
            [
                "g++",
                "-std=c++14",
                "-DNDEBUG",
                "-w",
                *shared,
                *places,
                "-I/usr/include/suitesparse",
                source,
                "-o",
                graphs,
            ],
            log,
        )
    return [str(graphs), str(checks)]


def build_siconos(folder, say):
    """Debian's source with Debian's patches, in CMake's build type Release. Ten minutes of two
    processors."""
    place, log = folder / "siconos", folder / "siconos.log"
    if len(siconos_build(folder)) == len(SICONOS_LIBRARIES):
        return
    place.mkdir(parents=True, exist_ok=True)
    install_packages(BUILD_PACKAGES, log, say)
    say(f"building Siconos without assertions ({log}); this takes ten minutes or more")
    (place / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    release = dict(
        line.split("=", 1)
        for line in pathlib.Path("/etc/os-release").read_text().splitlines()
        if "=" in line
    )
    (place / "sources.list").write_text(
        f"deb-src http://deb.debian.org/debian {release['VERSION_CODENAME']} main\n"
    )
    apt = [
        "apt-get",
        "-o",
        f"Dir::Etc::SourceList={place}/sources.list",
        "-o",
        "Dir::Etc::SourceParts=-",
        "-o",
        f"Dir::State::Lists={place}/lists",
    ]
    call([*apt, "update"], log)
    call([*apt, "source", "siconos"], log, cwd=place)  # unpacks and patches
    source = next(
        path for path in place.iterdir() if path.name.startswith("siconos-") and path.is_dir()
    )
    (place / "options.cmake").write_text(OPTIONS)
    call(
        [
            "cmake",
            "-G",
            "Ninja",
            "-S",
            source,
            "-B",
            place / "build",
            f"-DUSER_OPTIONS_FILE={place}/options.cmake",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_Fortran_FLAGS=-fallow-argument-mismatch",
            "-DIDONTWANTMPI=ON",
            "-DPython3_EXECUTABLE=/usr/bin/python3",
        ],
        log,
    )
    call(["nice", "-n", "10", "ninja", "-C", place / "build"], log)


def build_bullet(folder):
    """The program bullet_steps, made anew when its source has changed."""
    source = HERE / "bullet_steps.cpp"
    program = folder / f"bullet_steps-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}"
    if not program.exists():
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", "bullet"],
            capture_output=True,
            text=True,
            check=True,
        )
        call(
            ["g++", "-std=c++17", "-O3", "-DNDEBUG", source, "-o", program, *flags.stdout.split()],
            folder / "bullet.log",
        )
    return program


def has_yade():
    return shutil.which("yade") is not None


def has_siconos():
    return (
        subprocess.run(
            ["/usr/bin/python3", "-c", "import siconos.kernel, siconos.mechanics.collision.bullet"],
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )


def has_bullet():
    if shutil.which("pkg-config") is None or shutil.which("g++") is None:
        return False
    return subprocess.run(["pkg-config", "--exists", "bullet"], check=False).returncode == 0
