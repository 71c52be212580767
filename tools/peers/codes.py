"""The codes: how each is found, started on one processor, and what its trace is."""
import json
import os
import pathlib
import resource
import subprocess
import time

import numpy

import model
import scenes

HERE = pathlib.Path(__file__).resolve().parent
DEBIAN_PYTHON = "/usr/bin/python3"  # the one that Debian's Siconos belongs to


class Failed(Exception):
    """A code did not come to the end of its job."""


class Code:
    law_of_newton = True  # what `residual` measures


def run_pinned(command, log, processor, timeout, env=None):
    """Runs it to its end; its processor time over the time that it took."""
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with open(log, "w") as out:
        try:
            done = subprocess.run(
                ["taskset", "-c", str(processor), *map(str, command)],
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                timeout=timeout,
                check=False,
                env={**os.environ, **one_thread, **(env or {})},
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"not done after {timeout} s") from None
    if done.returncode not in (0, 3):
        last = pathlib.Path(log).read_text(errors="replace").strip().splitlines()[-1:]
        raise Failed(f"exit code {done.returncode}: {(last or ['no word'])[0][:200]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used / (time.perf_counter() - begin)


def read_trace(path):
    with numpy.load(path) as file:
        return {name: file[name] for name in file.files}


class Scree(Code):
    name = "scree"
    law = "newton"

    def __init__(self, program):
        self.program = program

    def version(self):
        return subprocess.run(
            [self.program, "--version"], capture_output=True, text=True, check=True
        ).stdout.splitlines()[0]

    def run(self, job, processor, timeout):
        scene, work = job["scene"], pathlib.Path(job["trace"]).with_suffix("")
        steps = job["warm_up"] + job["steps"]
        work.with_suffix(".toml").write_text(
            scenes.scene_file(
                scene,
                dt=job["dt"],
                end=steps * job["dt"],
                law=self.law,
                tolerance=job["tolerance"],
                start=job["result"],
            )
        )
        share = run_pinned(
            [
                self.program,
                "run",
                work.with_suffix(".toml"),
                "--out",
                work.with_suffix(".h5"),
                "--force",
                "--backend",
                "serial",
                "--json",
            ],
            work.with_suffix(".log"),
            processor,
            timeout,
        )
        return {**self.trace(work.with_suffix(".h5"), job), "processor_share": share}

    def trace(self, result, job):
        import h5py

        with h5py.File(result) as file:
            moving = numpy.flatnonzero(file["bodies/mass"][()] > 0)
            own = numpy.full(len(file["bodies/mass"]), -1)
            own[moving] = numpy.arange(len(moving))
            window = slice(job["warm_up"], None)
            frames, contacts, table = file["frames"], file["frames/contacts"], file["solver"]
            offset = contacts["offset"][()]
            first = offset[job["warm_up"] + 1]
            seconds = sum(table[name][window] for name in table if name.startswith("seconds_"))
            return {
                "seconds": seconds,
                "x": frames["position"][window][:, moving],
                "q": frames["orientation"][window][:, moving],
                "v": frames["velocity"][window][:, moving].astype(float),
                "begin": offset[job["warm_up"] + 1 :] - first,
                "a": own[contacts["body_a"][first:]],
                "b": own[contacts["body_b"][first:]],
                "point": contacts["point"][first:],
                "normal": contacts["normal"][first:],
                "impulse": contacts["impulse_world"][first:],
                "sweeps": table["iterations"][window],
                "residual_scaled": table["residual_scaled"][window],
            }


class ScreeFremond(Scree):
    name, law = "scree-fremond", "fremond"
    law_of_newton = False


class Siconos(Code):
    name = "siconos"

    def __init__(self, libraries, shortcut):
        self.libraries = libraries  # built without assertions, by name; the others are Debian's
        self.preloaded = [*shortcut, *libraries.values()]

    def version(self):
        package = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", "python3-siconos"],
            capture_output=True,
            text=True,
            check=False,
        )
        kept = [
            name
            for name in ("kernel", "mechanics", "numerics", "externals")
            if name not in self.libraries
        ]
        text = f"Siconos {package.stdout}"
        if self.libraries:
            text += f"; {', '.join(self.libraries)} rebuilt with -O3 -DNDEBUG"
        if kept:
            text += f"; {', '.join(kept)} as Debian has built them, with assertions, the checks of "
            text += "whole graphs short-circuited"
        return text

    def run(self, job, processor, timeout):
        path = pathlib.Path(job["trace"]).with_suffix(".json")
        keys = ("start", "trace", "dt", "warm_up", "steps", "tolerance")
        path.write_text(
            json.dumps(
                {
                    **{key: job[key] for key in keys},
                    "iterations": 1000,
                    "margin": job.get("margin", 0.04),
                }
            )
        )
        # Templates of Siconos live in its Python modules too, with assertions: what is preloaded is
        # found first.
        share = run_pinned(
            [DEBIAN_PYTHON, HERE / "siconos_steps.py", path],
            path.with_suffix(".log"),
            processor,
            timeout,
            {"LD_PRELOAD": " ".join(self.preloaded)},
        )
        return {**read_trace(job["trace"]), "processor_share": share}


class Yade(Code):
    name = "yade"

    def version(self):
        package = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", "yade"], capture_output=True, text=True
        )
        return f"Yade {package.stdout} (Debian's build, WITH ASSERTIONS of Eigen and CGAL)"

    def run(self, job, processor, timeout):
        path = pathlib.Path(job["trace"]).with_suffix(".json")
        keys = (
            "start",
            "trace",
            "dt",
            "warm_up",
            "steps",
            "stiffness",
            "explicit_dt",
            "damping",
            "summed_steps",
        )
        path.write_text(json.dumps({key: job[key] for key in keys}))
        share = run_pinned(
            ["yade", "-n", "-x", "-j1", HERE / "yade_steps.py"],
            path.with_suffix(".log"),
            processor,
            timeout,
            {"PEERS_JOB": str(path), "PEERS_CODE": str(HERE / "yade_steps.py")},
        )
        if not pathlib.Path(job["trace"]).exists():
            raise Failed(
                path.with_suffix(".log").read_text(errors="replace").strip().splitlines()[-1][:200]
            )
        return {**read_trace(job["trace"]), "processor_share": share}


class Bullet(Code):
    name = "bullet"

    def __init__(self, program):
        self.program = program

    def version(self):
        package = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", "libbullet-dev"],
            capture_output=True,
            text=True,
        )
        return f"Bullet {package.stdout} (single precision, sequential impulses, -O3 -DNDEBUG)"

    def run(self, job, processor, timeout):
        start = model.Start(job["start"])
        work = pathlib.Path(job["trace"])
        principal = [numpy.linalg.eigh(inertia) for inertia in start.inertia]
        # Boxes stay in their own axes: an eigenvector of three equal moments is any.
        boxes = start.is_box[start.shape_of]
        turns = numpy.array(
            [
                numpy.eye(3) if box else axes * numpy.sign(numpy.linalg.det(axes))
                for box, (_, axes) in zip(boxes, principal)
            ]
        )
        moments = numpy.array(
            [
                numpy.diag(inertia) if box else values
                for box, inertia, (values, _) in zip(boxes, start.inertia, principal)
            ]
        )
        # A shape that several bodies share has the inertia of the first: bodies of one shape are
        # equal.
        turn_of_shape = {}
        for i, shape in enumerate(start.shape_of):
            turn_of_shape.setdefault(shape, turns[i])
        turns = numpy.array([turn_of_shape[shape] for shape in start.shape_of])
        quaternions = numpy.array([from_rotation(turn) for turn in turns])
        q = model.product(start.q, quaternions)
        spin = numpy.einsum("nij,nj->ni", model.rotations(start.q), start.v[:, 3:])
        size = min(numpy.ptp(vertices, axis=0).min() for vertices in start.shapes())
        margin = job.get("margin", 0.04) * size
        text = f"{job['dt']} {start.mu} {start.e} {margin} "
        text += f"{job['iterations']} {job['warm_up']} {job['steps']}\n"
        text += f"{len(start.planes)}\n" + lines(start.planes) + f"{len(start.is_box)}\n"
        for shape, vertices in enumerate(start.shapes()):
            if start.is_box[shape]:
                text += "1 " + lines([numpy.ptp(vertices, axis=0) / 2])
            else:
                text += f"0 {len(vertices)}\n" + lines(vertices @ turn_of_shape[shape])
        text += f"{len(start.mass)}\n"
        for i, shape in enumerate(start.shape_of):
            text += f"{shape} " + lines(
                [[start.mass[i], *moments[i], *start.x[i], *q[i], *start.v[i, :3], *spin[i]]]
            )
        work.with_suffix(".txt").write_text(text)
        share = run_pinned(
            ["sh", "-c", f"exec '{self.program}' < '{work.with_suffix('.txt')}'"],
            work.with_suffix(".log"),
            processor,
            timeout,
        )
        return {**self.trace(work.with_suffix(".log"), quaternions), "processor_share": share}

    def trace(self, path, turns):
        recorder, contacts, states, seconds = model.Recorder(), [], [], []
        for line in pathlib.Path(path).read_text().splitlines():
            if line in ("state", "contacts", "seconds"):
                kind = line
                if kind != "seconds":
                    (states if kind == "state" else contacts).append([])
            elif kind == "seconds":
                seconds.append(float(line))
            else:
                (states if kind == "state" else contacts)[-1].append(
                    [float(word) for word in line.split()]
                )
        for table in contacts:
            table = numpy.array(table).reshape(-1, 11)
            recorder.step_contacts(
                table[:, 0], table[:, 1], table[:, 2:5], table[:, 5:8], table[:, 8:]
            )
        back = turns * numpy.array([1.0, -1.0, -1.0, -1.0])
        for table in states:
            table = numpy.array(table)
            q = model.product(table[:, 3:7], back)
            spin = numpy.einsum("nji,nj->ni", model.rotations(q), table[:, 10:])
            recorder.state(table[:, :3], q, numpy.hstack([table[:, 7:10], spin]))
        recorder.seconds = seconds
        out = pathlib.Path(path).with_suffix(".npz")
        recorder.save(out)
        return read_trace(out)


def from_rotation(matrix):
    """Quaternion (w, x, y, z) of a rotation: the largest of its four squares first."""
    trace = numpy.trace(matrix)
    squares = [1 + trace, *(1 + 2 * matrix[i, i] - trace for i in range(3))]
    m, k = matrix, int(numpy.argmax(squares))
    rows = [
        [squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
        [m[2, 1] - m[1, 2], squares[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
        [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], squares[2], m[1, 2] + m[2, 1]],
        [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[3]],
    ]
    return numpy.array(rows[k]) / (2 * numpy.sqrt(squares[k]))


def lines(rows):
    return "".join(" ".join(repr(float(number)) for number in row) + "\n" for row in rows)
