"""One scene, all codes in turns."""
import dataclasses
import subprocess

import codes
import measures
import model
import numpy
import overlap
import scenes


@dataclasses.dataclass
class Row:
    """A code on a scene in one round."""

    scene: str
    code: str
    round: int
    bodies: int = 0
    contacts: int = 0
    dt: float = 0.0  # [s]
    processor_share: float = float("nan")  # processor time of the whole run over the time it took
    seconds_step: float = 0.0  # mean over the window
    seconds_grain_second: float = 0.0  # wall time of a body and a simulated second
    sweeps: float = float("nan")  # a step
    residual: float = float("nan")  # largest of the window, scaled: measures.py
    velocity_error: float = float("nan")  # [m/s]
    momentum: float = float("nan")  # defect of linear momentum
    overlap_max: float = float("nan")  # [m] in the window
    overlap_added: float = float("nan")  # [m] the same less what the start has
    energy_created: float = float("nan")  # [m]
    failure: str = ""

    def long(self):
        """Whether its own steps are most of the run, not starting and reading."""
        return self.seconds_step > 0.1


def start_of(scene, program, folder):
    """The result file whose last frame all start from, and the start of the codes that do not read
    it."""
    text = folder / f"{scene.name}-start.toml"
    result, start = text.with_suffix(".h5"), folder / f"{scene.name}.npz"
    filling = scene.filled_until > 0.0
    # Nothing is known of a scene's bodies before it runs. Where they start as they are placed, that
    # is the first frame.
    dt = 0.0005 if filling else 1e-9
    text.write_text(
        scenes.scene_file(
            scene,
            dt=dt,
            end=scene.filled_until or dt,
            measure="scaled",
            tolerance=1e-4,
            frames=False,
        )
    )
    done = subprocess.run(
        [program, "run", text, "--out", result, "--force", "--backend", "serial", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 3):
        raise codes.Failed(f"the start of {scene.name}: {done.stderr.strip().splitlines()[-1]}")
    model.read_start(result, start, -1 if filling else 0)
    return result if filling else None, start


def measure(start, before, trace, row):
    """Fills the row from the trace. The residual is that of the steps that have contacts."""
    steps = len(trace["begin"]) - 1
    row.bodies = len(start.mass)
    row.seconds_step = float(numpy.mean(trace["seconds"]))
    row.seconds_grain_second = row.seconds_step / row.dt / row.bodies
    row.processor_share = float(trace["processor_share"])
    if "sweeps" in trace:
        row.sweeps = float(numpy.mean(trace["sweeps"]))
    errors = []
    for k in range(steps):
        part = slice(trace["begin"][k], trace["begin"][k + 1])
        if part.start == part.stop:
            continue
        contacts = tuple(trace[name][part] for name in ("a", "b", "point", "normal", "impulse"))
        v, v_end = trace["v"][k], trace["v"][k + 1]
        errors.append(
            (
                *measures.step_residual(start, trace["x"][k], trace["q"][k], v, v_end, contacts),
                measures.momentum_defect(start, v, v_end, contacts, row.dt),
            )
        )
        row.contacts = part.stop - part.start
    if errors:
        row.residual, row.velocity_error, row.momentum = (
            float(max(column)) for column in zip(*errors)
        )
    # All states of a window where that takes a second or two, else the last.
    states = range(len(trace["x"])) if row.bodies <= 500 else [len(trace["x"]) - 1]
    row.overlap_max = max(
        float(overlap.overlaps(start, trace["x"][k], trace["q"][k]).max(initial=0.0))
        for k in states
    )
    row.overlap_added = max(0.0, row.overlap_max - before)
    row.energy_created = float(measures.energy_created(start, trace["x"], trace["v"]))
    return row


def job_for(scene, code, files, trace):
    result, start = files
    return {
        "scene": scene,
        "result": str(result) if result else None,
        "start": str(start),
        "trace": str(trace),
        "dt": scene.dt,
        "warm_up": scene.warm_up,
        "steps": scene.steps,
        "tolerance": scene.tolerance,
        "iterations": 10,
        **scene.settings.get(code, {}),
    }


def contest(scene, there, arguments, say):
    program = there["scree"].program if "scree" in there else arguments.scree
    files = start_of(scene, program, arguments.folder)
    start = model.Start(files[1])
    before = float(overlap.overlaps(start, start.x, start.q).max(initial=0.0))
    rows, out = [], set()
    for turn in range(1, arguments.rounds + 1):
        for name, code in there.items():
            if name not in scene.codes or name in out:
                continue
            say(f"{scene.name}, round {turn}: {name}")
            trace = arguments.folder / f"{scene.name}-{name}.npz"
            trace.unlink(missing_ok=True)
            job = job_for(scene, name, files, trace)
            row = Row(scene.name, name, turn, dt=job["dt"])
            try:
                row = measure(
                    start, before, code.run(job, arguments.processor, arguments.timeout), row
                )
                if not code.law_of_newton:  # the measure's law is not the one that was solved
                    row.residual = row.velocity_error = float("nan")
                rows.append(row)
            except codes.Failed as failure:
                say(f"{scene.name}: {name}: {failure}")
                row.failure = str(failure)
                rows.append(row)
                out.add(name)  # the next round would end the same way
    return rows
