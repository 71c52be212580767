"""scree beside its peers: the same scenes, on one processor, in turns; one table.

usage: python3 tools/peers [options]   (/usr/bin/python3: Debian's numpy and h5py belong to that)

Installs Siconos, Yade and Bullet from Debian where they are missing, builds what needs to be built,
gives each code the same bodies in the same state, lets them take turns, and prints a table.
Residual, overlap and energy are computed here from what each code hands back, by one program
(tools/peers/README.md).
"""
import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

try:
    import h5py  # noqa: F401  (needed by model.py)
    import numpy  # noqa: F401
except ModuleNotFoundError as error:
    sys.exit(
        f"peers: this Python has no {error.name}: use /usr/bin/python3 with the packages "
        "python3-numpy and python3-h5py"
    )

import codes  # noqa: E402
import contest  # noqa: E402
import install  # noqa: E402
import page  # noqa: E402
import scenes  # noqa: E402

CODES = ("scree", "scree-fremond", "siconos", "bullet", "yade")


def say(text):
    print(f"peers: {text}", file=sys.stderr, flush=True)


def names(allowed):
    def parse(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"'{name}' is not one of {', '.join(allowed)}")
        return chosen

    return parse


def count(least, most):
    def parse(text):
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not an integer from {least} to {most}")
        return int(text)

    return parse


def parse_arguments(arguments, known):
    parser = argparse.ArgumentParser(
        prog="peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--quick", action="store_true", help="two small scenes, short windows: one or two minutes"
    )
    parser.add_argument(
        "--scenes",
        type=names(known),
        help=f"separated by commas, of {', '.join(known)}; default: all but tiny ones",
    )
    parser.add_argument(
        "--codes",
        type=names(CODES),
        default=list(CODES),
        help=f"separated by commas, of {', '.join(CODES)}; default: all",
    )
    parser.add_argument(
        "--rounds",
        type=count(1, 100),
        default=3,
        help="times that the codes take turns; default: 3",
    )
    parser.add_argument(
        "--processor", type=count(0, 4095), help="the one that all are pinned to; default: the last"
    )
    parser.add_argument(
        "--timeout",
        type=count(1, 100000),
        default=600,
        help="[s] of one code on one scene; default: 600",
    )
    parser.add_argument(
        "--folder",
        type=pathlib.Path,
        default=ROOT / "out" / "peers",
        help="for all that is made; default: out/peers",
    )
    parser.add_argument(
        "--scree", type=pathlib.Path, default=ROOT / "build" / "tools" / "scree", help="the program"
    )
    parser.add_argument(
        "--no-install",
        action="store_true",
        help="installs and builds nothing: what is not there is left out, and said",
    )
    parser.add_argument(
        "--build-siconos",
        action="store_true",
        help="first build Siconos from Debian's source without assertions: ten minutes or more",
    )
    parser.add_argument("--page", type=pathlib.Path, help="write the table as a page of Markdown")
    parser.add_argument(
        "--csv", type=pathlib.Path, help="write every run of every code as comma-separated values"
    )
    return parser.parse_args(arguments)


def bring(arguments):
    """The codes that are there, by name, and what is said of those that are not."""
    folder, absent, there = arguments.folder, {}, {}
    if not arguments.no_install:
        install.install_packages(install.PACKAGES, folder / "install.log", say)
        if arguments.build_siconos:
            install.build_siconos(folder, say)
    if not os.access(arguments.scree, os.X_OK):
        sys.exit(
            f"peers: {arguments.scree}: is not there; build first (tools/demo), or give --scree"
        )
    there["scree"], there["scree-fremond"] = codes.Scree(arguments.scree), codes.ScreeFremond(
        arguments.scree
    )
    if not install.has_siconos():
        absent["siconos"] = "not installed"
    elif "siconos" in arguments.codes:
        there["siconos"] = codes.Siconos(
            install.siconos_build(folder), install.build_shortcut(folder)
        )
    if not install.has_yade():
        absent["yade"] = "not installed"
    else:
        there["yade"] = codes.Yade()
    if not install.has_bullet():
        absent["bullet"] = "not installed"
    elif "bullet" in arguments.codes:
        there["bullet"] = codes.Bullet(install.build_bullet(folder))
    for name, why in absent.items():
        if name in arguments.codes:
            say(f"{name} is left out: {why}")
    return {name: there[name] for name in CODES if name in there and name in arguments.codes}


def main(arguments):
    every = {
        scene.name: scene
        for scene in scenes.all_scenes((ROOT / "scenes" / "benchmarks" / "wall_impact.toml").read_text())
    }
    arguments = parse_arguments(arguments, list(every))
    chosen = arguments.scenes or [
        name for name, scene in every.items() if scene.quick == arguments.quick and not scene.tiny
    ]
    arguments.folder = arguments.folder.resolve()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    arguments.processor = os.cpu_count() - 1 if arguments.processor is None else arguments.processor
    there = bring(arguments)
    if not there:
        sys.exit("peers: no code is left")
    rows, loads = [], [os.getloadavg()[0]]
    for name in chosen:
        rows += contest.contest(every[name], there, arguments, say)
        loads.append(os.getloadavg()[0])
    report = page.Report(
        rows,
        {name: code.version() for name, code in there.items()},
        {s: every[s] for s in chosen},
        arguments.rounds,
        loads,
    )
    print(report.table(), end="")
    if arguments.page:
        arguments.page.write_text(report.page())
        say(f"wrote {arguments.page}")
    if arguments.csv:
        arguments.csv.write_text(report.csv())
        say(f"wrote {arguments.csv}")
    failed = [row for row in rows if row.failure]
    return 1 if any(row.code.startswith("scree") for row in failed) else 0


try:
    sys.exit(main(sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit("peers: stopped")
