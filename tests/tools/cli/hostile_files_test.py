"""HDF5 files that somebody made to hurt their reader: one line, exit code 2, in a moment and in little memory.

usage: hostile_files_test.py SCREE [unittest options]
"""
import hashlib
import lzma
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import zlib

import h5py
import numpy

import program

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
OLD = DATA / "old_files" / "0.1.0"
PROBLEM = DATA / "fclib" / "BT_Arch25-nc86-k00060.hdf5"
READER = pathlib.Path(__file__).resolve().parents[3] / "tools" / "read_results.py"
TRAILER = 64
ANSWER = 10      # [s] of CPU that an answer may take; what waits for ever is caught by a timeout
MEMORY = 1 << 31   # bytes of addresses that a reader may ask for: a table that claims 16 GB must not be believed

# A data set of each kind of file, one that is read at once, and one in chunks.
PLACES = {"run.h5": ("ledger/time", "frames/contacts/gap"), "run.h5.checkpoint": ("state/x", "kept/impulse"), "run.hdf5": ("fclib_local/W/x", "fclib_local/vectors/q")}


def cpu_of_children():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def external_link(file, name):
    del file[name]
    file[name] = h5py.ExternalLink("other.h5", "/data")


def external_link_to_a_pipe(file, name):
    del file[name]
    file[name] = h5py.ExternalLink("pipe", "/data")


def soft_link(file, name):
    values = file[name][()]
    del file[name]
    file["elsewhere"] = values
    file[name] = h5py.SoftLink("/elsewhere")


def soft_link_to_itself(file, name):
    del file[name]
    file[name] = h5py.SoftLink("/" + name)


def external_storage(file, name):
    values = file[name][()]
    del file[name]
    file.create_dataset(name, shape=values.shape, dtype=values.dtype, external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])


def virtual(file, name):
    values = file[name][()]
    del file[name]
    layout = h5py.VirtualLayout(shape=values.shape, dtype=values.dtype)
    layout[...] = h5py.VirtualSource("other.h5", "data", shape=values.shape)
    file.create_virtual_dataset(name, layout)


def huge_in_chunks(file, name):
    kind = file[name].dtype
    del file[name]
    file.create_dataset(name, shape=(2**31, *([3] if "x" in name or "impulse" in name else [])), dtype=kind, chunks=True, compression="gzip")


def huge_at_once(file, name):
    kind = file[name].dtype
    del file[name]
    file.create_dataset(name, shape=(2**40,), dtype=kind)


def bomb(file, name):
    """A piece that unpacks to a thousand times its size, and more than the table has room for."""
    kind = file[name].dtype
    del file[name]
    table = file.create_dataset(name, shape=(1000,), dtype=kind, chunks=(1000,), compression="gzip")
    table.id.write_direct_chunk((0,), zlib.compress(bytes(50_000_000), 9))


def short_piece(file, name):
    kind = file[name].dtype
    del file[name]
    table = file.create_dataset(name, shape=(100_000,), dtype=kind, chunks=(100_000,), compression="gzip")
    table.id.write_direct_chunk((0,), zlib.compress(bytes(8), 9))


def other_filter(file, name):
    values = file[name][()]
    del file[name]
    file.create_dataset(name, data=numpy.resize(values, (1000,)), chunks=(100,), compression="lzf")


def compound(file, name):
    values = file[name][()]
    del file[name]
    file[name] = numpy.zeros(len(values), [("a", "f8"), ("b", "S5")])


def strings_of_any_length(file, name):
    values = file[name][()]
    del file[name]
    file.create_dataset(name, data=["text"] * len(values), dtype=h5py.string_dtype())


def references(file, name):
    del file[name]
    file[name] = numpy.array([file.ref], h5py.ref_dtype)


def loop(file, name):
    del file[name]
    file[name] = file["/"]


def too_deep(file, name):
    del file[name]
    file.create_group(name + "/a" * 3000)


def other_type_in_the_file(file, name):
    del file[name]
    file[name] = numpy.dtype("f8")


TRICKS = (external_link, external_link_to_a_pipe, soft_link, soft_link_to_itself, external_storage, virtual, huge_in_chunks, huge_at_once, bomb, short_piece,
          other_filter, compound, strings_of_any_length, references, loop, too_deep, other_type_in_the_file)


class Hostile(program.FolderCase):
    def setUp(self):
        super().setUp()
        for kind, name in (("pile.h5", "run.h5"), ("pile.h5.checkpoint", "run.h5.checkpoint")):
            (self.folder / name).write_bytes(lzma.decompress((OLD / f"{kind}.xz").read_bytes()))
        shutil.copy(PROBLEM, self.folder / "run.hdf5")
        with h5py.File(self.folder / "other.h5", "w") as other:
            other["data"] = numpy.arange(1000.0)
        os.mkfifo(self.folder / "pipe")

    def read(self, *command):
        spent = cpu_of_children()
        done = subprocess.run(list(map(str, command)), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              preexec_fn=None if os.environ.get("SCREE_SANITIZED") else lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        self.assertLess(cpu_of_children() - spent, ANSWER)
        return done

    def refuse_read(self, *command, why):
        done = self.read(*command)
        said = done.stderr + (done.stdout if done.returncode else b"")
        self.assertEqual((done.returncode, len(said.splitlines())), (2, 1), (why, command[1:], done))
        return said.decode(errors="replace")

    def change(self, name, trick, place):
        path = self.folder / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-TRAILER] if name.endswith("checkpoint") else whole)
        with h5py.File(path, "r+") as file:
            trick(file, place)
        if name.endswith("checkpoint"):
            changed = path.read_bytes()
            path.write_bytes(changed + hashlib.sha256(changed).hexdigest().encode())

    def test_every_trick_on_every_kind_of_file(self):
        for name, places in PLACES.items():
            for trick in TRICKS:
                for place in places:
                    whole = (self.folder / name).read_bytes()
                    self.change(name, trick, place)
                    with self.subTest(file=name, trick=trick.__name__, place=place):
                        command = {"run.h5": ("export", name, "-o", "x.csv", "--table", place.split("/")[-2]), "run.h5.checkpoint": ("resume", name, "--t-end", "0.31"),
                                   "run.hdf5": ("solve", name)}[name]
                        said = self.refuse_read(program.SCREE, *command, why=trick.__name__)
                        self.assertTrue(said.startswith(name), said)
                        self.assertNotIn("root:", said)
                        self.assertFalse((self.folder / "x.csv").exists())
                    (self.folder / name).write_bytes(whole)

    def test_reading_example(self):
        for trick in TRICKS:
            whole = (self.folder / "run.h5").read_bytes()
            self.change("run.h5", trick, "frames/position" if trick is not loop else "frames/time")
            with self.subTest(trick=trick.__name__):
                done = self.read(sys.executable, READER, "run.h5")
                if trick in (external_link, external_link_to_a_pipe, soft_link, soft_link_to_itself, external_storage, virtual, huge_in_chunks, huge_at_once):
                    self.assertEqual((done.returncode, len(done.stdout.splitlines())), (2, 1), done)
                self.assertGreaterEqual(done.returncode, 0)
            (self.folder / "run.h5").write_bytes(whole)

    def test_file_that_another_program_has_open(self):
        """It is not damaged, and that is not what is said."""
        with h5py.File(self.folder / "open.h5", "w", libver="latest") as file:
            file["data"] = [1.0]
            file.flush()
            for command in (("info", "open.h5"), ("solve", "open.h5")):
                self.assertIn("is open for writing in another program", self.refuse_read(program.SCREE, *command, why="open"))
        with h5py.File(self.folder / "run.h5", "r"), h5py.File(self.folder / "run.hdf5", "r+"):
            self.assertEqual(self.read(program.SCREE, "info", "run.h5").returncode, 0)
            self.assertEqual(self.read(program.SCREE, "solve", "run.hdf5").returncode, 0)

    def test_bytes_changed_anywhere_never_crash_a_reader(self):
        places = random.Random(17)
        for name, command in (("run.h5", ("info",)), ("run.h5", ("report", "-o", "x.html", "--force")), ("run.hdf5", ("solve",))):
            whole = (self.folder / name).read_bytes()
            for _ in range(25):
                changed = bytearray(whole)
                for _ in range(places.choice((1, 4, 30))):
                    changed[places.randrange(len(changed))] = places.choice((0, 255, places.randrange(256)))
                (self.folder / f"changed.{name}").write_bytes(changed)
                done = self.read(program.SCREE, command[0], f"changed.{name}", *command[1:])
                self.assertIn(done.returncode, (0, 2, 3), done)


if __name__ == "__main__":
    program.main()
