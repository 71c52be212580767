"""Runs that are killed, starved and cheated in every way that a machine knows, and must lose nothing.

usage: torture.py SCREE FAULTY [options]

  SCREE     the program
  FAULTY    the library built from faulty_calls.cpp, which makes one system call of a program go wrong

  --kills N        kill -9 at random instants, while other processes load the machine; resumed until done (default 60)
  --terms N        the same with SIGTERM, SIGINT and SIGHUP, mostly in runs without any checkpoint option (default 12)
  --limits N       runs into files that may not grow beyond a random size, then resumed (default 8)
  --tmpfs N        the same on a disk of a random size that gets full (default 4; where this user may mount one, which root
                   and most others may in a name space of their own)
  --torn N         writes torn at the edge of a page; 0: every such write of a run, and as many pages of it as N asks for (default 20)
  --calls N        every N-th of the system calls of a short run fails, or kills the run (default 40; 1: all of them)
  --end S          of the runs, at most 0.4 (default 0.4; a short run is sooner hit in its first and last moments)
  --load N         processes that keep the machine busy meanwhile (default 2)
  --seed N         of all that is random (default 1)
  --keep           leaves the folder of a failure for a look

By hand, a night's work:  torture.py build/tools/scree build/tests/tools/libfaulty_calls.so --kills 2000 --torn 1000 --calls 1

After each blow: RUN.h5, if it is there, opens in plain h5py without any option and holds the first rows of the undisturbed run, bit for
bit; `scree info` opens it. If there is a checkpoint, `scree resume` goes on from it and ends with exit code 0; the file is then that of
the undisturbed run in all its numbers but wall times. A message never claims rows that are not there.
"""
import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

import program

SCENE = program.ball_hits_pile(dt=0.002, end=0.4, frames_per_second=100, courses=3, ball_at=[-0.8, 1.2, 0.5])
CADENCES = ([], ["--checkpoint-every-steps", "7"], ["--checkpoint-every-steps", "1"], ["--checkpoint-every-minutes", "0.0005"])
BACKENDS = (["--backend", "serial"], ["--backend", "openmp", "--threads", "2"], ["--backend", "tbb", "--threads", "3"])
SHORT = ["--t-end", "0.03"]
LAST_CALLS = 20
BEFORE_FIRST_STEP = "Stopped by a signal before the first step; nothing was written.\n"
ERRORS = {"pwrite": "28", "fsync": "5", "rename": "5", "ftruncate": "28", "open": "13", "link": "5", "unlink": "5"}   # ENOSPC, EIO, EACCES


class Failure(Exception):
    pass


class Bench:
    """A folder with a scene, the undisturbed run of it, and what is done to others."""

    def __init__(self, scree, faulty, seed, end=()):
        self.scree, self.faulty, self.end = scree, faulty, list(end)
        self.chance = random.Random(seed)
        self.note = self.blow = ""   # the last command, and the last with a fault
        self.said = ""   # on standard error, since the folder was cleared
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="torture-"))
        (self.folder / "scene.toml").write_text(SCENE)
        begin = time.monotonic()
        self.run(["run", "scene.toml", "--out", "whole.h5", *self.end])
        self.seconds = time.monotonic() - begin
        self.whole = program.result_numbers(self.folder / "whole.h5")
        self.hash = self.whole[1]["state_hash"]
        self.work_in(self.folder)

    def work_in(self, folder):
        self.folder, self.result, self.checkpoint = folder, folder / "run.h5", folder / "run.h5.checkpoint"

    def fail(self, text):
        raise Failure(f"{text}\n  blow: {self.blow}\n  last: {self.note}\n  folder: {self.folder}")

    def start(self, arguments, fault=None, **options):
        environment = dict(os.environ, ASAN_OPTIONS="verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", ""))
        if fault:
            environment.update({name: str(value) for name, value in fault.items()}, LD_PRELOAD=str(self.faulty))
        self.note = f"{' '.join(f'{k}={v}' for k, v in (fault or {}).items())} scree {' '.join(map(str, arguments))}"
        if fault:
            self.blow = self.note
        return subprocess.Popen([self.scree, *map(str, arguments)], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def run(self, arguments, expect=(0,), **options):
        process = self.start(arguments, **options)
        out, err = process.communicate()
        self.said += err
        if process.returncode not in expect:
            self.fail(f"exit code {process.returncode}, not one of {expect}: {out}{err}")
        return err

    def tell(self, blows):
        """Now and then, on standard error: a night is long."""
        if blows % 100 == 0:
            print(f"{blows} blows", file=sys.stderr, flush=True)

    def clear(self):
        self.said = ""
        for path in self.folder.iterdir():
            if path.name.startswith("run."):
                path.unlink()

    def first(self, cadence):
        return ["run", "scene.toml", "--out", "run.h5", *self.end, *cadence, *self.chance.choice(BACKENDS)]

    def next(self, cadence):
        """What a user does after a blow: go on from the checkpoint, or start over where there is none."""
        if self.checkpoint.exists():
            return ["resume", "run.h5.checkpoint", *self.chance.choice(BACKENDS)]
        return [*self.first(cadence), "--force"]

    def frames_on_schedule(self, found):
        """How many frames the undisturbed run has as well: an end off the schedule has a frame of its own, with rows in all tables of frames."""
        time, reference = found["frames/time"], self.whole[0]["frames/time"]
        last = len(time) - 1
        return last + 1 if last < 0 or (last < len(reference) and time[last] == reference[last]) else last

    def readable(self):
        """What is there opens, and is the beginning of the undisturbed run. The time of the last step; -1: no file."""
        if not self.result.exists():
            return -1.0
        try:
            found, _ = program.result_numbers(self.result)
        except OSError as error:
            self.fail(f"plain h5py: {error}")
        frames = self.frames_on_schedule(found)
        for name, value in found.items():
            if not name.startswith(("ledger/", "solver/", "frames/")) or name == "frames/last_velocity":
                continue
            reference = self.whole[0][name]
            rows = len(value)
            if name.startswith("frames/"):
                table = name.rpartition("/")[0]
                offset = found.get(f"{table}/offset") if table != "frames" else None
                rows = frames if offset is None else frames + 1 if name.endswith("/offset") else offset[frames]
            if not numpy.array_equal(value[:rows], reference[:rows], equal_nan=value.dtype.kind == "f"):
                self.fail(f"{name} of what was left differs from the undisturbed run")
        return float(found["ledger/time"][-1])

    def finish(self, cadence):
        """On to the end without a blow; the file is then that of the undisturbed run."""
        last = self.readable()
        if last >= 0.0:
            self.run(["info", "run.h5"])
        said = self.run(self.next(cadence), expect=(0, 2))
        with h5py.File(self.result, "r") as file:
            finished = file.attrs["finished"]
        if not finished or ("is left to do" not in said and "run.h5: " in said):
            self.fail(f"refused: {said}")
        self.same()

    def same(self):
        found, ended = program.result_numbers(self.result)
        if ended != self.whole[1]:
            self.fail(f"ended otherwise: {ended}, not {self.whole[1]}")
        for name, value in self.whole[0].items():
            if not numpy.array_equal(found[name], value, equal_nan=value.dtype.kind == "f"):
                self.fail(f"{name} differs from the undisturbed run")
        left = [path.name for path in self.folder.iterdir() if path.name.startswith("run.") and path.name.endswith((".partial", ".spare", ".old"))]
        if left and not all(f"{name} could not be removed" in self.said for name in left):
            self.fail(f"left behind: {left}")

    def told_truth(self, said):
        """A message that promises rows up to a time finds them; one that says that nothing was recorded leaves none."""
        promised = re.search(r"run\.h5.*readable up to (?:t = ([0-9.e+-]+) s|there)", said)
        last = self.readable()
        if promised and promised[1] and abs(last - float(promised[1])) > 1e-8:
            self.fail(f"promised t = {promised[1]}, found {last}: {said}")
        if "nothing was recorded" in said and last >= 0.0 and "run.h5: " in said and "--force" not in self.note and "resume" not in self.note:
            self.fail(f"said that nothing was recorded, but t = {last}: {said}")


def kills(bench, count):
    """kill -9 at random instants of the wall, through chains of runs and resumes."""
    done = blows = 0
    cadence = []
    while blows < count:
        process = bench.start(bench.next(cadence))
        time.sleep(bench.chance.uniform(0.0, 1.1 * bench.seconds))
        process.kill()
        out, err = process.communicate()
        if process.returncode == -signal.SIGKILL:
            blows += 1
            bench.tell(blows)
            bench.readable()
            if bench.result.exists() and bench.chance.random() < 0.3:
                bench.run(["info", "run.h5"])
            if bench.chance.random() < 0.2:
                bench.finish(cadence)
        elif process.returncode not in (0, 2) or (process.returncode == 2 and "is left to do" not in err):
            bench.fail(f"exit code {process.returncode}: {out}{err}")
        else:
            bench.same()
        if bench.result.exists() and process.returncode != -signal.SIGKILL or bench.chance.random() < 0.05:
            done += 1
            bench.clear()
            cadence = bench.chance.choice(CADENCES)
    bench.finish(cadence)
    return f"{blows} kills in {done + 1} runs"


def terms(bench, count):
    """Asked to stop, with no option most of the time, and resumed: the same end. A third of them at any instant, so also before there is a
    scene: then nothing is there, and that is said, or (in the first milliseconds, when the program is not up yet) the signal ends it."""
    asked = early = 0
    while asked < count:
        bench.clear()
        cadence = bench.chance.choice((CADENCES[0], CADENCES[0], CADENCES[1]))
        process = bench.start(bench.first(cadence))
        if bench.chance.random() < 0.33:
            time.sleep(bench.chance.uniform(0.0, 0.2 * bench.seconds))
        else:
            while not bench.result.exists() and process.poll() is None:
                time.sleep(0.001)
            time.sleep(bench.chance.uniform(0.0, 0.5 * bench.seconds))
        number = bench.chance.choice((signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
        process.send_signal(number)
        said = process.communicate()[1]
        if process.returncode == 0:
            continue
        asked += 1
        bench.tell(asked)
        if process.returncode == -number or "nothing was written" in said:
            early += 1
            left = [path.name for path in bench.folder.iterdir() if path.name.startswith("run.")]
            if left or (process.returncode != -number and (process.returncode != 1 or said != BEFORE_FIRST_STEP)):
                bench.fail(f"exit code {process.returncode}, left behind {left}: {said}")
            continue
        if process.returncode != 1 or not bench.checkpoint.exists():
            bench.fail(f"exit code {process.returncode}, checkpoint {bench.checkpoint.exists()}: {said}")
        bench.finish(cadence)
        if not cadence and bench.checkpoint.exists():
            bench.fail("a finished run that was not asked for checkpoints leaves one")
    return f"{asked} signals, {early} of them before there was a run"


def limits(bench, count):
    """Files that may not grow beyond a size, as on a full disk; then room again."""
    size = (bench.folder / "whole.h5").stat().st_size
    for _ in range(count):
        bench.clear()
        limit = bench.chance.randrange(1000, size)
        cadence = bench.chance.choice(CADENCES)
        said = bench.run(bench.first(cadence), expect=(1,), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        bench.note += f" with files of at most {limit} bytes"
        if "File too large" not in said:
            bench.fail(f"no reason given: {said}")
        bench.told_truth(said)
        bench.finish(cadence)
    return f"{count} sizes"


def mount(*arguments):
    return subprocess.run(["mount", *arguments], stderr=subprocess.DEVNULL).returncode == 0


def may_mount(folder):
    return mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder) and subprocess.run(["umount", folder]).returncode == 0


def tmpfs(bench, count):
    """A disk that gets full, at a size between nothing and what the run needs; then room again."""
    home, scene = bench.folder, (bench.folder / "scene.toml").read_text()
    page = os.sysconf("SC_PAGE_SIZE")
    most = 3 * (home / "whole.h5").stat().st_size // page
    small = home / "small"
    small.mkdir()
    full = 0
    bench.work_in(small)
    for _ in range(count):
        pages = bench.chance.randrange(2, most)
        if not mount("-t", "tmpfs", "-o", f"size={pages * page}", "tmpfs", small):
            bench.fail("a tmpfs can't be mounted any more")
        try:
            (small / "scene.toml").write_text(scene)
            cadence = bench.chance.choice(CADENCES)
            process = bench.start(bench.first(cadence))
            said = process.communicate()[1]
            bench.note += f" on a disk of {pages} pages"
            if process.returncode == 0:
                bench.same()
                continue
            full += 1
            if process.returncode != 1 or "No space left on device" not in said:
                bench.fail(f"exit code {process.returncode}, or no reason given: {said}")
            bench.told_truth(said)
            mount("-o", "remount,size=256m", small)
            bench.finish(cadence)
        finally:
            subprocess.run(["umount", "-l", small])
    bench.work_in(home)
    return f"{full} disks of {count} got full"


def counts(bench, arguments):
    bench.clear()
    path = bench.folder / "counts"
    bench.run(arguments, fault={"FAULT_COUNT": path})
    return {line.split()[0]: int(line.split()[1]) for line in path.read_text().splitlines()}


def torn(bench, count):
    """Writes that cross the edge of a page, torn there: all of them, or so many at random."""
    cadence = CADENCES[1]
    number = counts(bench, bench.first(cadence))["torn"]
    each = max(1, -(-count // number))
    blows = [(n, page) for n in range(1, number + 1) for page in range(each)]
    if count < len(blows):
        blows = bench.chance.sample(blows, count)
    for i, (n, page) in enumerate(blows):
        bench.tell(i + 1)
        bench.clear()
        bench.run(bench.first(cadence), expect=(-signal.SIGKILL, 0), fault={"FAULT": f"pwrite:{n}:torn", "FAULT_SEED": page})
        bench.finish(cadence)
    return f"{len(blows)} torn writes of {number} that cross a page"


def calls(bench, every):
    """A short run in which the n-th system call fails, or is the last: fresh, over old files, and resumed."""
    failures = killed = 0
    cadences = {"run": CADENCES[1], "force": CADENCES[1], "plain": CADENCES[0]}
    for what, cadence in cadences.items():
        command = [*bench.first(cadence), *(["--force"] if what == "force" else [])]
        number = counts(bench, command)
        blows = [(kind, n, error) for kind, error in ERRORS.items() for n in range(1, number[kind] + 1)]
        blows += [("any", n, "kill") for n in range(1, number["any"] + 1)]
        chosen = blows[bench.chance.randrange(every)::every]
        if what == "run":   # between the last checkpoint and the end of the file, in any case
            chosen += [blow for blow in blows[-LAST_CALLS:] if blow not in chosen]
        for kind, n, error in chosen:
            bench.tell(failures + killed + 1)
            bench.clear()
            old = None
            if what == "force":
                for name in ("run.h5", "run.h5.checkpoint"):
                    shutil.copy(bench.folder / "old" / name, bench.folder / name)
                old = {name: (bench.folder / name).read_bytes() for name in ("run.h5", "run.h5.checkpoint")}
            process = bench.start(command, fault={"FAULT": f"{kind}:{n}:{error}"})
            out, said = process.communicate()
            bench.said += said
            if error == "kill":
                killed += 1
                if process.returncode not in (-signal.SIGKILL, 0):
                    bench.fail(f"exit code {process.returncode}: {said}")
            else:
                failures += 1
                if process.returncode not in (0, 1, 2):
                    bench.fail(f"exit code {process.returncode}: {said}")
                if process.returncode == 2 and old is None and bench.result.exists():
                    bench.fail(f"refused, but there is a result file: {said}")
            now = {name: (bench.folder / name).read_bytes() if (bench.folder / name).exists() else None for name in old or ()}
            if old is not None and now == old:
                bench.run(["resume", "run.h5.checkpoint", "--t-end", "0.03"])   # still good for what it was
                bench.same()
                continue
            if old is not None and not bench.checkpoint.exists():
                bench.fail(f"the old checkpoint is gone and there is no new one: {said}")
            if process.returncode == 0:
                bench.same()
                continue
            if error != "kill":
                bench.told_truth(said)
            bench.finish(cadence)
    return f"{failures} failing calls, {killed} kills before a call"


def old_run(bench):
    """A good run that was stopped, which another may replace only when that one stands."""
    (bench.folder / "old").mkdir()
    bench.clear()
    bench.run(["run", "scene.toml", "--out", "run.h5", "--t-end", "0.02", "--checkpoint-every-steps", "5"])
    for name in ("run.h5", "run.h5.checkpoint"):
        shutil.copy(bench.folder / name, bench.folder / "old" / name)


def in_own_mounts():
    """This program once more, where what it mounts is its own affair, and goes with it."""
    mark = "TORTURE_OWN_MOUNTS"
    alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if mark in os.environ or subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return
    os.execvpe(alone[0], [*alone, sys.executable, *sys.argv], {**os.environ, mark: "1"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scree", type=os.path.abspath)
    parser.add_argument("faulty", type=os.path.abspath)
    for name, default in (("kills", 60), ("terms", 12), ("limits", 8), ("tmpfs", 4), ("torn", 20), ("calls", 40), ("load", 2), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--end", type=float, default=0.4)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    if options.tmpfs > 0:
        in_own_mounts()
        with tempfile.TemporaryDirectory() as folder:
            if not may_mount(folder):
                print("tmpfs: left out, as this user may not mount one", flush=True)
                options.tmpfs = 0
    load = [subprocess.Popen(["nice", sys.executable, "-c", "while True: pass"]) for _ in range(options.load)]
    passed = failed = 0
    try:
        whole = ["--t-end", str(options.end)]
        for part, end, number in ((kills, whole, options.kills), (terms, whole, options.terms), (limits, whole, options.limits),
                                  (tmpfs, whole, options.tmpfs), (torn, whole, options.torn), (calls, SHORT, options.calls)):
            if number == 0:
                continue
            bench = Bench(options.scree, options.faulty, options.seed, end)
            folder = bench.folder
            begin = time.monotonic()
            try:
                if part is calls:
                    old_run(bench)
                says = part(bench, number)
                passed += 1
            except Failure as failure:
                says = f"FAILED: {failure}"
                failed += 1
            print(f"{part.__name__}: {says} ({time.monotonic() - begin:.0f} s)", flush=True)
            if not options.keep or not says.startswith("FAILED"):
                shutil.rmtree(folder)
    finally:
        for process in load:
            process.kill()
            process.wait()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
