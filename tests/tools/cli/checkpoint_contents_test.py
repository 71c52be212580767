"""Checkpoints with a right checksum and odd contents: refused in one line, before anything is touched.

Every table and attribute that a checkpoint has is found in the file itself, so that new ones are tested without being listed.

usage: checkpoint_contents_test.py SCREE [unittest options]
"""
import hashlib
import pathlib
import shutil
import signal
import subprocess
import time

import h5py
import numpy

import program

SCENES = pathlib.Path(__file__).resolve().parents[2] / "data" / "old_files" / "0.1.0"
TRAILER = 64
# Texts that may be anything: they are shown, or they set apart.
FREE_TEXTS = {"program", "scene_name", "arithmetic"}


def numbers_out_of_place(kind):
    """Values that no table or attribute of that kind may hold. A number that is merely another one has no sign of it."""
    if kind == "f":
        return {"NaN": numpy.nan, "infinity": numpy.inf, "minus infinity": -numpy.inf}
    return {"minus one": -1, "far out of range": 2**30} if kind == "i" else {"far out of range": 255}


def other_kind(values):
    if values.dtype.kind == "f":
        return {"single precision": values.astype("f4"), "integers": numpy.zeros(values.shape, "i8")}
    if values.dtype.kind in "iu":
        return {"wider": values.astype("i8" if values.dtype.itemsize < 8 else "i4"), "with a point": values.astype("f8")}
    return {"numbers": numpy.zeros(values.shape or 1)}


def mutations_of_table(values):
    """{what: other values}; None stands for a table that is not there."""
    found = {"missing": None, "another rank": values[..., None], **other_kind(values)}
    if values.dtype.kind == "S":
        return {**found, "empty": values.reshape(-1)[:0], "two": numpy.repeat(values.reshape(-1)[:1], 2)}
    if not len(values):   # what the scene or the run does not have: a row of it is one too many
        return {**found, "a row": numpy.zeros((1, *values.shape[1:]), values.dtype)}
    last = values[-1:]
    found.update({"empty": values[:0], "one row short": values[:-1], "one row long": numpy.concatenate([values, last])})
    if values.ndim > 1:
        found.update({"rows one short": values[:, :-1], "rows one long": numpy.concatenate([values, values[:, :1]], axis=1)})
    for what, number in numbers_out_of_place(values.dtype.kind).items():
        for place, row in (("first", 0), ("last", -1)):
            changed = values.copy()
            changed[row] = number if numpy.ndim(changed[row]) == 0 else [number, *changed[row][1:]]
            found[f"{what} in the {place} row"] = changed
    return found


def mutations_of_attribute(name, value):
    if isinstance(value, (bytes, str)):
        found = {"missing": None, "a number": 1.0, "two": numpy.array([b"a", b"b"], "S1")}
        if name not in FREE_TEXTS:
            found["garbage"] = numpy.bytes_(b"../--x y\xff\n")
        return found if name in FREE_TEXTS | {"overrides"} else {**found, "empty": numpy.bytes_(b"\0")}
    value = numpy.asarray(value)
    found = {"missing": None, "a text": numpy.bytes_(b"1"), "two": numpy.array([value, value]), "none": numpy.zeros(0, value.dtype)}
    found.update({"with a point": value.astype("f8")} if value.dtype.kind == "i" else {})
    largest = {"the largest": numpy.int64(2**63 - 1)} if value.dtype.kind == "i" else {}
    return {**found, **{what: numpy.array(number, value.dtype) for what, number in {**numbers_out_of_place(value.dtype.kind), **largest}.items()}}


class Contents(program.FolderCase):
    @classmethod
    def setUpClass(cls):
        cls.made = program.new_folder(cls.addClassCleanup)
        for path in (*SCENES.glob("*.toml"), *SCENES.glob("*.csv")):
            shutil.copy(path, cls.made)
        # A kill leaves impulses that no frame has counted yet; `rest` has the window of the stop rule.
        run = subprocess.Popen([program.SCREE, "run", "pile.toml", "--t-end", "1000", "--out", "killed.h5", "--checkpoint-every-steps", "40"],
                               cwd=cls.made, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (cls.made / "killed.h5.checkpoint").exists() or cls.step_of("killed.h5.checkpoint") < 40:
            time.sleep(0.005)
        run.send_signal(signal.SIGKILL)
        run.wait()
        program.scree("run", "rest.toml", "--t-end", "0.25", "--out", "rest.h5", cwd=cls.made)

    @classmethod
    def step_of(cls, name):
        (cls.made / "look.h5").write_bytes((cls.made / name).read_bytes()[:-TRAILER])
        with h5py.File(cls.made / "look.h5") as file:
            return file["state"].attrs["step"]

    def tables(self, checkpoint):
        (self.folder / "look.h5").write_bytes((self.made / checkpoint).read_bytes()[:-TRAILER])
        tables, attributes = {}, {}
        with h5py.File(self.folder / "look.h5") as file:
            def visit(name, item):
                if isinstance(item, h5py.Dataset):
                    tables[name] = numpy.asarray(item[()])
                else:
                    attributes.update({(name, key): value for key, value in item.attrs.items()})
            file.visititems(visit)
            attributes.update({("/", key): value for key, value in file.attrs.items()})
        (self.folder / "look.h5").unlink()
        return tables, attributes

    def write_changed(self, checkpoint, change):
        path = self.folder / checkpoint
        path.write_bytes((self.made / checkpoint).read_bytes()[:-TRAILER])
        with h5py.File(path, "r+") as file:
            change(file)
        bytes_ = path.read_bytes()
        path.write_bytes(bytes_ + hashlib.sha256(bytes_).hexdigest().encode())

    def refuse_changed(self, run, what, change):
        for name in (f"{run}.h5", f"{run}.h5.checkpoint"):
            shutil.copy(self.made / name, self.folder)
        self.write_changed(f"{run}.h5.checkpoint", change)
        with self.subTest(run=run, what=what):
            self.refuse("resume", f"{run}.h5.checkpoint", "--t-end", "3", says=f"{run}.h5")
        (self.folder / f"{run}.h5.checkpoint").unlink()   # the result file is written again only if a case failed

    def test_every_table(self):
        for run in ("killed", "rest"):
            tables, _ = self.tables(f"{run}.h5.checkpoint")
            self.assertGreater(len(tables), 10)
            for name, values in tables.items():
                for what, other in mutations_of_table(values).items():
                    if other is not None and other.dtype == values.dtype and numpy.array_equal(other, values, equal_nan=values.dtype.kind == "f"):
                        continue   # it is what was there: an empty table of texts, or the NaN of a warning that was never raised
                    def change(file, name=name, other=other):
                        del file[name]
                        if other is not None:
                            file[name] = other
                    self.refuse_changed(run, f"{name}: {what}", change)

    def test_every_attribute(self):
        _, attributes = self.tables("killed.h5.checkpoint")
        for (group, name), value in attributes.items():
            for what, other in mutations_of_attribute(name, value).items():
                def change(file, group=group, name=name, other=other):
                    del file[group].attrs[name]
                    if other is not None:
                        file[group].attrs.create(name, other)
                self.refuse_changed("killed", f"{group} {name}: {what}", change)

    def test_contents_that_do_not_fit_each_other(self):
        def swap(file):
            file["kept/bodies"][...] = file["kept/bodies"][...][:, ::-1]
        def disorder(file):
            for table in file["kept"].values():
                table[...] = table[...][::-1]
        def unwind(file):
            file["state/q"][0] = [2, 0, 0, 0]
        def twice(file):
            for table in file["open_sums"].values():
                table[1] = table[0]
        def move_ground(file):
            file["state/x"][0] = [0, 0, 1]
        def part(file):
            file["kept/parts"][-1] = [7, 7]
        def feature(file):
            file["kept/features"][0] = [0xF0000000, 0]
        def later(file):
            file["state"].attrs["step"] += 1
        def beyond(file):
            file["state"].attrs["time"] *= 1.5
        def nudge(file):
            file["state/v"][-1] += 1e-9
        for what in (swap, disorder, unwind, twice, move_ground, part, feature, later, beyond, nudge):
            self.refuse_changed("killed", what.__name__, what)

    def test_steps_that_no_run_can_have(self):
        """Where step + 1 would be no number: refused before it is counted with."""
        for step in (2 ** 63 - 1, 2 ** 53 + 1, -1):
            shutil.copy(self.made / "killed.h5", self.folder)
            self.write_changed("killed.h5.checkpoint", lambda file, step=step: file["state"].attrs.modify("step", numpy.int64(step)))
            self.refuse("resume", "killed.h5.checkpoint", says="state/step: is not from 0 to 2^53")

    def test_tables_that_are_gone_together(self):
        """Tables that fit each other, and are all empty: no kept impulse, no window, no open sum."""
        together = {"kept": ("killed", "rest"), "open_sums": ("killed",), "state/window_": ("rest",), "warnings": ("killed",)}
        for prefix, runs in together.items():
            for run in runs:
                tables, _ = self.tables(f"{run}.h5.checkpoint")
                chosen = [name for name in tables if name.startswith(prefix)]
                self.assertGreater(min(len(tables[name]) for name in chosen if not any(word in name for word in ("moment", "velocity", "memory"))), 0, f"{run}: {prefix}")
                def clear(file, chosen=chosen, tables=tables):
                    for name in chosen:
                        del file[name]
                        file[name] = tables[name][:0]
                self.refuse_changed(run, f"{prefix}: all empty", clear)

    def test_checksum_comes_first(self):
        """A byte changed anywhere is found before HDF5 sees the file."""
        whole = (self.made / "rest.h5.checkpoint").read_bytes()
        for place in range(8, len(whole), len(whole) // 50):
            changed = bytearray(whole)
            changed[place] ^= 0x40
            (self.folder / "rest.h5.checkpoint").write_bytes(changed)
            self.assertIn("checksum", self.refuse("resume", "rest.h5.checkpoint", says="rest.h5.checkpoint: is damaged or truncated"))


if __name__ == "__main__":
    program.main()
