#!/usr/bin/env python3
"""Reads a result file with h5py: paths of bodies, energies, forces in joints. An example to copy from.

usage: read_results.py RUN.h5 [BODY]        (all tables and units: engine/RESULTS.md)
"""
import difflib
import os
import resource
import signal
import sys

import h5py
import numpy


def names(file):
    return [name.decode() for name in file["bodies/name"][()]]


def body_path(file, body):
    """Times [s] and positions [m] of a body's centre of mass, one row a frame; of a periodic world as if it had never left the cell."""
    if body not in names(file):
        sys.exit(f"there is no body '{body}'; near: {', '.join(difflib.get_close_matches(body, names(file), 3, 0)) or 'none'}")
    position = file["frames/position"][:, (index := names(file).index(body))]
    if "frames/image" in file:   # periods gone; those along z are sheared
        image, shift = file["frames/image"][:, index], file["frames/image_shift"][()][:, None] * [1, 0, 0]
        position = position + image * file["settings"].attrs["periodic"] + image[:, 2:] * shift
    return file["frames/time"][()], position


def energies(file):
    """Energies at the end and works summed over the run [J], by name."""
    works = {name: table[()].sum() for name, table in file["ledger"].items() if name.endswith("_work") and not name.startswith("max")}
    return {"kinetic": file["ledger/kinetic"][-1], "potential": file["ledger/potential"][-1], **works}


def joints(file, frame):
    """Pairs that touch: names of a and b, impulse on b since the frame before [N s], mean force on b in the step [N], its point [m]."""
    pairs, name = file["frames/pairs"], names(file)
    for i in range(*pairs["offset"][()][[frame, frame + 1]]):
        yield (name[pairs["body_a"][i]], name[pairs["body_b"][i]], pairs["impulse_sum"][i], pairs["mean_force"][i], pairs["point"][i])


def rows(file, log):
    """Rows of a log, "impacts" or "crossings", as {column: entry}; none without the log. Units are attributes of file[log][column]."""
    columns = {name: item[()] for name, item in file[log].items() if isinstance(item, h5py.Dataset)} if log in file else {}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def group_impulses(file):
    """{(a, b): impulses of each step on group b from group a [N s]}; of solver/time; divided by dt: mean forces."""
    group = [name.decode() for name in file["groups/name"][()]] if "groups" in file else []
    pairs = zip(*(file[f"groups/pair_{which}"][()] for which in "ab")) if group else []
    return {(group[a], group[b]): file["groups/impulse"][:, i] for i, (a, b) in enumerate(pairs)}


def loads(file):
    """Bodies that carry loads, and the resultant on each [N], one row a step; what shakes: ground acceleration [m/s2]."""
    carried = [(names(file)[body], file["loads/force"][:, i]) for i, body in enumerate(file["loads/body"][()])] if "loads" in file else []
    return carried, file["ground/acceleration"][()] if "ground" in file else None


def stresses(file, frame):
    """Mean stress of each body [Pa] in a frame, as 3 x 3 matrices, tension positive; NaN: none. Only with [output] stress = true."""
    return file["frames/bodies/stress"][frame][:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]


def gauge(file, name, column="stress"):
    """Times [s] and what a gauge measured at every step: stress [Pa] (xx, yy, zz, xy, yz, xz), density, velocity, temperature, ..."""
    return file["solver/time"][()], file[f"every_step/{column}_gauge_{name}"][()]


def opened(path):
    """Any result file, also while the run goes on and after a kill; killed runs of version 1 of the format need swmr."""
    try:
        return h5py.File(path, "r")
    except OSError:
        return h5py.File(path, "r", swmr=True)


def look_through(group, size, seen):
    """All that a file of that size holds, visited once: hard links only, no data in other files, no more numbers than it can hold."""
    for name in group:
        assert isinstance(group.get(name, getlink=True), h5py.HardLink), f"{group.name}/{name} leads elsewhere"
        item = group[name]
        if isinstance(item, h5py.Dataset):
            most = size * (1 if item.chunks is None else 1100)   # deflate packs by 1032 at most
            assert item.external is None and not item.is_virtual and item.nbytes <= most, f"{item.name} is not all in this file"
        elif isinstance(item, h5py.Group) and item.id not in seen:
            seen.add(item.id)
            look_through(item, size, seen)


def refuse_damaged(path):
    """The HDF5 library breaks down on some damaged files: so another process looks first."""
    if (child := os.fork()) == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
            look_through(opened(path), os.path.getsize(path), set())
        except BaseException as error:
            print(f"{path}: cannot be read: {error}", flush=True)
            os._exit(2)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        print(f"{path}: cannot be read: the HDF5 library breaks down on it")
    if status != 0:
        sys.exit(2)


def main(path, body=None):
    refuse_damaged(path)
    with opened(path) as file:
        bodies = names(file)
        if body and "frames" not in file:
            sys.exit(f"{path}: has no frames, so no path of '{body}': the run was made with --no-frames")
        for time, position in [body_path(file, body or bodies[-1])] if "frames" in file else []:
            print(f"{body or bodies[-1]}: from {position[0]} m at {time[0]:g} s to {position[-1]} m at {time[-1]:g} s")
        for name, value in energies(file).items():
            print(f"{name:<28}{value:>16.6g} J")
        for name, force in loads(file)[0]:
            print(f"{name:<28}{numpy.linalg.norm(force, axis=1).max(initial=0):>16.6g} N at most from loads")
        if (ground := loads(file)[1]) is not None:
            print(f"{'ground':<28}{numpy.linalg.norm(ground, axis=1).max(initial=0):>16.6g} m/s2 at most")
        for name, impulse in zip(bodies, file["frames/body_impulse_sum"][()].sum(axis=0) if "frames/body_impulse_sum" in file else []):
            print(f"{name:<28}{numpy.linalg.norm(impulse):>16.6g} N s from contacts")
        for name, tensor in zip(bodies, stresses(file, -1)) if "frames/bodies" in file else []:
            print(f"{name:<28}{-numpy.trace(tensor) / 3:>16.6g} Pa pressure")
        for name in file["gauges/name"][()] if "gauges" in file else []:
            print(f"{name.decode():<28}{-gauge(file, name.decode())[1][-1].reshape(-1, 6)[:, :3].mean():>16.6g} Pa pressure in the gauge")
        for hit in rows(file, "impacts"):
            b, a, speed = bodies[hit["body_b"]], bodies[hit["body_a"]], -hit["velocity_before"][0]
            print(f"{b} hits {a} at {hit['time']:g} s with {speed:.6g} m/s: {hit['energy_lost']:.6g} J lost")
        for passed in rows(file, "crossings"):
            print(f"{bodies[passed['body']]} passes {file['screens/name'][passed['screen']].decode()} at {passed['time']:g} s with "
                  f"{numpy.linalg.norm(passed['velocity']):.6g} m/s: {passed['kinetic_energy'] + passed['rotation_energy']:.6g} J")
        for (a, b), impulse in group_impulses(file).items():
            total, most = numpy.linalg.norm(impulse.sum(axis=0)), numpy.linalg.norm(impulse, axis=1).max(initial=0)
            print(f"{f'{a} on {b}':<28}{total:>16.6g} N s from contacts, {most / float(file['settings'].attrs['dt']):.6g} N at most")
        for a, b, impulse, force, point in joints(file, len(file["frames/time"]) - 1) if "frames/pairs" in file else []:
            print(f"{a} on {b}: {numpy.linalg.norm(force):.6g} N at {point} m; {numpy.linalg.norm(impulse):.6g} N s since the last frame")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)   # a reader that has seen enough, as `head`, ends it
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
