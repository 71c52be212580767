#!/usr/bin/env python3
"""Reads a result file with h5py: paths of bodies, energies, forces in joints. An example to copy from.

usage: read_results.py RUN.h5 [BODY]        (all tables and units: engine/RESULTS.md)
"""
import difflib
import signal
import sys

import h5py
import numpy


def names(file):
    return [name.decode() for name in file["bodies/name"][()]]


def body_path(file, body):
    """Times [s] and positions [m] of a body's centre of mass, one row a frame."""
    if body not in names(file):
        sys.exit(f"there is no body '{body}'; near: {', '.join(difflib.get_close_matches(body, names(file), 3, 0)) or 'none'}")
    return file["frames/time"][()], file["frames/position"][:, names(file).index(body)]


def energies(file):
    """Energies at the end and works summed over the run [J], by name."""
    ends = {name: file["ledger"][name][-1] for name in ("kinetic", "potential")}
    works = {name: table[()].sum() for name, table in file["ledger"].items() if name.endswith("_work") and not name.startswith("max")}
    return {**ends, **works}


def joints(file, frame):
    """Pairs of bodies that touch: names of a and b, impulse on b since the frame before [N s], mean force on b over the frame's step
    [N], where it acts [m]. An impact's force depends on the step length, its impulse does not."""
    begin, end = file["frames/pairs/offset"][()][[frame, frame + 1]]
    pairs, name = file["frames/pairs"], names(file)
    for i in range(begin, end):
        yield (name[pairs["body_a"][i]], name[pairs["body_b"][i]], pairs["impulse_sum"][i], pairs["mean_force"][i], pairs["point"][i])


def main(path, body=None):
    with h5py.File(path, "r") as file:   # also while the run goes on, and after a kill
        last = len(file["frames/time"]) - 1
        time, position = body_path(file, body or names(file)[-1])
        print(f"{body or names(file)[-1]}: from {position[0]} m at {time[0]:g} s to {position[-1]} m at {time[-1]:g} s")
        for name, value in energies(file).items():
            print(f"{name:<28}{value:>16.6g} J")
        total = file["frames/body_impulse_sum"][()].sum(axis=0)   # over the whole run
        for name, impulse in zip(names(file), numpy.linalg.norm(total, axis=1)):
            print(f"{name:<28}{impulse:>16.6g} N s from contacts")
        for a, b, impulse, force, point in joints(file, last):
            print(f"{a} on {b}: {numpy.linalg.norm(force):.6g} N at {point} m; {numpy.linalg.norm(impulse):.6g} N s since the last frame")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)   # a reader that has seen enough, as `head`, ends it
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
