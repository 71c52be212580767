"""A hundred wrong command lines: each is refused in one line that names the wrong word as it was typed, with exit code 2.

usage: wrong_words_test.py SCREE [unittest options]
"""
import csv
import json
import resource

import h5py
import numpy

import program

SCENE = '\ntitle = "A ball falls"\n' + program.falling_ball(0.02)

# (command line, the word that must be in the line). `ball.toml`, `run.h5`, `other.h5` and `run.h5.checkpoint` are there.
LINES = [
    ("rnu ball.toml", "rnu"), ("Run ball.toml", "Run"), ("runball.toml", "runball.toml"), ("--run ball.toml", "--run"), ("-x", "-x"), ("frobnicate", "frobnicate"),
    ("study", "study"), ("study colunm", "colunm"), ("study column", "scene"), ("run", "scene"), ("check", "scene"), ("info", "file"), ("resume", "checkpoint"),
    ("solve", "FILE"), ("export run.h5", "--out"), ("plot run.h5 kinetic", "--out"), ("plot -o x.svg", "run"),
    ("run ball.toml extra", "extra"), ("run none.toml", "none.toml"), ("run ball.toml --ot x.h5", "--ot"), ("run ball.toml --outt x.h5", "--outt"),
    ("run ball.toml --t-ent 1", "--t-ent"), ("run ball.toml --tend 1", "--tend"), ("run ball.toml --dt", "--dt"), ("run ball.toml --dt 1ms", "1ms"),
    ("run ball.toml --dt 0", "--dt"), ("run ball.toml --dt -1", "--dt"), ("run ball.toml --dt nan", "--dt"), ("run ball.toml --dt 1,5", "1,5"),
    ("run ball.toml --t-end inf", "--t-end"), ("run ball.toml --t-end 1e300", "--t-end"), ("run ball.toml --theta 2", "--theta"), ("run ball.toml --theta half", "half"),
    ("run ball.toml --law poisson", "poisson"), ("run ball.toml --law Newton", "Newton"), ("run ball.toml --measure exact", "exact"), ("run ball.toml --method newton", "newton"),
    ("run ball.toml --backend cuda", "cuda"), ("run ball.toml --backend OpenMP", "OpenMP"), ("run ball.toml --threads two", "two"), ("run ball.toml --threads -1", "-1"),
    ("run ball.toml --threads 4097", "4097"), ("run ball.toml --threads 1.5", "1.5"), ("run ball.toml --tolerance 0", "--tolerance"), ("run ball.toml --tolerance 2", "--tolerance"),
    ("run ball.toml --tolerance small", "small"), ("run ball.toml --checkpoint-every-steps ten", "ten"), ("run ball.toml --checkpoint-every-steps -1", "-1"),
    ("run ball.toml --checkpoint-every-minutes -1", "--checkpoint-every-minutes"), ("run ball.toml --dump-when contacts>1", "--dump-when"),
    ("run ball.toml --dump-fclib d --dump-when weight>1", "weight"), ("run ball.toml --out x.txt", "x.txt"), ("run ball.toml -o x", "-o"), ("run ball.toml --out none/x.h5", "none/x.h5"),
    ("run ball.toml --out .", "."), ("run ball.toml --out ball.toml", "ball.toml"), ("run run.h5", "run.h5"), ("run ball.toml --force --json --quick", "--quick"),
    ("run ball.toml --no-frame", "--no-frame"), ("check run.h5", "run.h5"), ("check ball.toml ball.toml", "ball.toml"), ("check none.toml", "none.toml"), ("check ball.toml --jsn", "--jsn"),
    ("info ball.toml", "ball.toml"), ("info none.h5", "none.h5"), ("info run.h5.checkpoint", "run.h5.checkpoint"), ("info run.h5 other.h5", "other.h5"), ("info run.h5 --verbose", "--verbose"),
    ("resume run.h5", "run.h5"), ("resume ball.toml", "ball.toml"), ("resume none.checkpoint", "none.checkpoint"), ("resume run.h5.checkpoint --dt 1", "--dt"),
    ("resume run.h5.checkpoint --t-end x", "x"), ("resume run.h5.checkpoint --t-end 1 --out x.csv", "x.csv"), ("solve ball.toml", "ball.toml"), ("solve run.h5", "run.h5"),
    ("solve none.hdf5", "none.hdf5"), ("solve run.h5 --tolerance 0", "--tolerance"), ("solve run.h5 --form dense", "dense"), ("solve run.h5 --json --csv", "--csv"),
    ("export run.h5 -o x.jpg", ".jpg"), ("export run.h5 -o x", "x"), ("export run.h5 --out x.png --size big", "big"), ("export run.h5 -o x.png --size 1x1", "1x1"),
    ("export run.h5 -o x.png --times 9", "--times"), ("export run.h5 -o x.png --time 9", "--time:"), ("export run.h5 -o x.png --times=9", "--times"), ("export run.h5 -o x.png --times 0,,1", "0,,1"),
    ("export run.h5 -o x.png --frame 99", "99"), ("export run.h5 -o x.png --panels 0", "0"), ("export run.h5 -o x.png --colour red", "red"), ("export run.h5 -o x.png --view 1", "'1'"),
    ("export run.h5 -o x.png --width -3", "--width"), ("export run.h5 -o x.csv --table forces", "forces"), ("export run.h5 -o x.png --table ledger", "--table"),
    ("export run.h5 -o x.csv --size 200x200", "--size"), ("export run.h5 -o run.h5", "run.h5"), ("export none.h5 -o x.png", "none.h5"),
    ("plot run.h5 kinetik -o x.svg", "kinetik"), ("plot run.h5 ball.q -o x.svg", "'q'"), ("plot run.h5 bal.z -o x.svg", "bal"), ("plot run.h5 kinetic other.h5 -o x.svg", "other.h5"),
    ("plot other.h5 run.h5 q -o x.svg", "q"), ("plot run.h5 kinetic -o x.pdf", ".pdf"), ("plot run.h5 kinetic -o x.svg --frame 0", "--frame"), ("plot run.h5 kinetic -o x.svg --time 0", "--time"),
    ("report ball.toml", "ball.toml"), ("report run.h5 --frames 1", "1"), ("report run.h5 --frame 3", "--frame"), ("bench --sizes 0", "0"), ("bench --steps many", "many"), ("bench ball.toml", "ball.toml"),
    ("run ball.toml --set time.dtt=1", "time.dtt"), ("run ball.toml --set ball=1 --set=", "--set"), ("check ball.toml --set body[bal].position=[0,0,1]", "bal"),
    ("sweep ball.toml", "--set"), ("sweep ball.toml --set time.dt=1:0:1 -o x.csv", "1:0:1"), ("sweep ball.toml --set time.dt=0.001 -o x.xls", ".xls"),
    ("sweep ball.toml --set time.dt=0.001 --measure ball.q -o x.csv", "'q'"), ("swep ball.toml", "swep"),
    ("export run.h5 -o x.png --width -1", "-1 is not allowed"), ("joints run.h5 --sides 5", "5 is not"), ("joints run.h5 --hinge 2", "2 is not"),
    ("joints run.h5 --joint-tolerance -0.5", "-0.5 is not"), ("import x.obj -o x.toml --scale -2", "-2 is not"), ("import x.obj -o x.toml --density 0", "0 is not"),
    ("import x.obj -o x.toml --mu -3", "-3 is not"), ("bench --csv b.txt", "b.txt"), ("bench --tolerance 2", "2 is not"), ("solve run.h5 --tolerance 2", "2 is not"),
    ("run ball.toml -o a.h5 --out b.h5", "-o: is given 2 times; give it once"), ("run ball.toml --dt 1 --dt 2", "--dt: is given 2 times"),
    ("plot run.h5 nosuch.h5 kinetic -o x.svg", "nosuch.h5: there is no such file"), ("plot run.h5 kinetic nosuch.HDF5 -o x.svg", "nosuch.HDF5: there is no such file"),
    ("run ball.toml --dt 0x10", "'0x10' is not"), ("run ball.toml --t-end 0X1p4", "'0X1p4' is not"), ("run ball.toml --checkpoint-every-minutes 0x1", "'0x1' is not"), ("run ball.toml --dt +-1", "'+-1' is not"),
    ("export run.h5 -o x.png --view 0x10,0x10", "'0x10,0x10'"), ("export run.h5 -o x.png --times 0x0", "'0x0' is not"), ("export run.h5 -o x.png --width 0x1", "'0x1' is not"),
    ("analyse run.h5 --from 0x0", "'0x0' is not"), ("analyse run.h5 --width 0x1", "'0x1' is not"), ("solve run.h5 --tolerance 0x1", "'0x1' is not"),
    ("joints run.h5 --hinge 0x1", "0x1 is not"), ("import x.obj -o x.toml --scale 0x2", "'0x2' is not"), ("study column ball.toml --aspect 0x1", "0x1 is not"), ("study column ball.toml --rolling 0x1", "'0x1' is not"),
    ("study column ball.toml --aspect 0", "0"), ("study column ball.toml --aspect 1,1", "1"), ("study column ball.toml --jobs 0", "0"), ("study column ball.toml", "--aspect"),
]


class Case(program.FolderCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = program.new_folder(cls.addClassCleanup)
        (cls.folder / "ball.toml").write_text(SCENE)
        for name in ("run.h5", "other.h5"):
            program.scree("run", "ball.toml", "--out", name, "--checkpoint-every-steps", "10", cwd=cls.folder)


class WrongWords(Case):
    def test_each_is_named_as_it_was_typed(self):
        self.assertGreaterEqual(len(LINES), 100)
        self.assertEqual(len({line for line, _ in LINES}), len(LINES))
        for line, word in LINES:
            with self.subTest(line=line):
                self.refuse(*line.split(), says=word)

    def test_long_words_are_shortened(self):
        word = "w" * 100_000
        for command in ([word], ["run", word], ["run", "ball.toml", "--" + word], ["run", "ball.toml", "--law", word], ["run", "ball.toml", "--dt", word],
                        ["plot", "run.h5", word, "-o", "x.svg"], ["plot", "run.h5", f"ball.{word}", "-o", "x.svg"], ["export", "run.h5", "-o", f"x.{word}"]):
            self.assertLess(len(self.refuse(*command, says="ww")), 3000)
        for old, new in (("radius", word), ('"ball"\nkind = "sphere"', f'"ball"\nkind = "{word}"'), ("dt = 0.001", f'dt = "{word}"'), ("mu = 0.5", f'mu = 0.5\n"{"a b " * 25000}" = 1')):
            self.assertIn(old, SCENE)
            self.write(SCENE.replace(old, new, 1), "long.toml")
            self.assertLess(len(self.refuse("check", "long.toml", says="long.toml:")), 3000)
            (self.folder / "long.toml").unlink()

    def test_names_of_outputs_that_are_too_long(self):
        """A run leaves files with longer names beside its own: what has no room for them is refused before anything is done."""
        for size in (232, 245, 250, 255, 300):
            name = "n" * (size - 3) + ".h5"
            self.refuse("run", "ball.toml", "--out", name, says="File name too long")
            self.refuse("resume", "run.h5.checkpoint", "--t-end", "1", "--out", name, says="File name too long")
            self.refuse("export", "run.h5", "-o", name[:-3] + ".png"[:4], says="File name too long")
        longest = "n" * (231 - 3) + ".h5"
        self.scree("run", "ball.toml", "--out", longest, "--checkpoint-every-steps", "5")
        self.scree("resume", longest + ".checkpoint", "--t-end", "0.03")
        for path in self.folder.glob("nnn*"):
            path.unlink()


class Resources(Case):
    def test_threads_that_cannot_be_started(self):
        few = lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))   # room for the stacks of some hundred threads
        for backend in ("openmp", "tbb"):
            done = self.scree("run", "ball.toml", "--out", "many.h5", "--backend", backend, "--threads", "4096", expect=2, preexec_fn=few)
            self.assertRegex(done.stderr, r"^(--threads: )?threads: 4096 cannot be started here \(.+\); no more than \d+ can\n$")
            self.assertFalse((self.folder / "many.h5").exists())

    def test_out_of_memory_says_what_was_asked_for(self):
        grains = '[[grains]]\nname = "g"\nmaterial = "rubber"\ncount = 1000000\nshape = "sphere"\nsize = 0.1\nregion = { kind = "box", length = 90, width = 90 }\nposition = [200, 0, 1]\n'
        self.write(SCENE + grains, "many.toml")
        done = self.scree("check", "many.toml", expect=1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)))
        self.assertEqual(done.stderr, "scree check many.toml: needs more memory than this machine gives\n")
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
        done = self.scree("run", "many.toml", "--force", "--json", expect=1, preexec_fn=limit)   # a program is told, too
        failed = json.loads(done.stdout)
        self.assertEqual((failed["scene"], failed["out"], failed["end"], failed["reason"]), ("many.toml", "many.h5", "failed", "needs more memory than this machine gives"))
        self.assertEqual(done.stderr, "scree run many.toml --force --json: needs more memory than this machine gives\n")
        done = self.scree("bench", "--scenes", "pile", "--sizes", "1000000", "--steps", "1", "--backends", "serial", expect=1, preexec_fn=limit)
        self.assertRegex(done.stderr, r"(?m)^[a-z ]+( 1000000)?: needs more memory than this machine gives$")
        self.assertNotIn("std::", done.stderr)


class Scenes(Case):
    def refuse_scene(self, text, says):
        self.write(text, "odd.toml")
        self.assertRegex(self.refuse("check", "odd.toml", says=says), r"^odd\.toml:\d+:\d+: ")

    def test_keys_that_go_too_deep(self):
        deep = 40_000
        for text in (".".join(["a"] * deep) + " = 1", "[" + ".".join(["a"] * deep) + "]", "[[" + " . ".join(['"a"'] * deep) + "]]", "a = " + "[" * deep + "]" * deep,
                     "a = " + "{ a = " * deep + "1" + "}" * deep, "a = { " + ".".join(["a"] * deep) + " = 1 }"):
            self.refuse_scene(text, "TOML: goes deeper than 64 levels")
        for text in ("a = '" + "." * 1000 + "'", "# " + "[" * 1000, 'a = """\n' + "[." * 1000 + '\\""""', "a = [" + "1.5, " * 1000 + "]", "[a]\n" * 100):
            self.write(text, "odd.toml")   # not deep, and refused for what it is
            self.assertNotIn("deeper", self.refuse("check", "odd.toml", says="odd.toml:"))

    def test_compound_that_no_body_has(self):
        compound = '[[shape]]\nname = "s"\nkind = "compound"\nparts = [{{ kind = "box", sides = [{0}, {0}, {0}] }}, {{ kind = "box", sides = [{1}, 1, 1], position = [0, {1}, 0] }}]\n'
        self.refuse_scene(SCENE + compound.format("1e-12", "1e12"), "shape.parts")

    def test_file_to_start_from_that_is_damaged_or_lacks_a_body(self):
        self.write(SCENE.replace("end = 0.02", "end = 0.04").replace('name = "ball"\n', 'name = "ball"\nvanishes_at = 0.01\n'), "gone.toml")
        self.scree("run", "gone.toml", "--out", "start.h5", "--force")
        self.write(SCENE + '\n[initial]\nfrom = "start.h5"\n', "next.toml")
        self.assertRegex(self.refuse("check", "next.toml", says="its body 'ball' is not there at the end"), r"^next\.toml:\d+:\d+: initial\.from: start\.h5: ")
        (self.folder / "start.h5").write_bytes((self.folder / "run.h5").read_bytes())
        with h5py.File(self.folder / "start.h5", "a") as file:
            del file["bodies/inertia"]
        self.assertRegex(self.refuse("check", "next.toml", says="start.h5"), r"^next\.toml:\d+:\d+: initial\.from: ")
        (self.folder / "start.h5").unlink()

    def test_state_that_no_run_can_start_from(self):
        self.write(SCENE + '\n[initial]\nfrom = "start.h5"\n', "next.toml")
        for name, value, says in (("frames/orientation", 0.0, "orientation"), ("frames/position", 1e300, "position"), ("frames/orientation", 3.0, "orientation"),
                                  ("frames/velocity", numpy.float32(1e30), "velocity"), ("bodies/mass", numpy.nan, "mass"), ("bodies/inertia", numpy.nan, "inertia")):
            (self.folder / "start.h5").write_bytes((self.folder / "run.h5").read_bytes())
            with h5py.File(self.folder / "start.h5", "r+") as file:
                file[name][-1] = value
            self.assertRegex(self.refuse("check", "next.toml", says=says), r"^next\.toml:\d+:\d+: initial\.from: ")


class Tables(Case):
    def test_names_are_no_formulas(self):
        for name in ("=1+1", "+1", "-1", "@SUM(A1)", "=HYPERLINK(\"http://x\",\"y\")"):
            self.write(SCENE.replace('"ball"', f"'{name}'"), "name.toml")
            self.scree("run", "name.toml", "--out", "name.h5", "--force")
            self.scree("export", "name.h5", "-o", "name.csv", "--force")
            with open(self.folder / "name.csv", newline="") as file:
                names = {row["name"] for row in csv.DictReader(file)}
            self.assertEqual(names, {"ground", "'" + name})

    def test_names_of_blocks_are_no_formulas_in_joints(self):
        blocks = "".join(f"\n[[body]]\nname = '{name}'\nkind = 'box'\nsides = [1, 1, 1]\nmaterial = 'rubber'\nposition = [5, 0, {z}]\nfixed = {fixed}\n"
                         for name, z, fixed in (("=1+1", 0.5, "true"), ("@SUM(A1)", 1.5, "false"), ("-2,x", 2.5, "false")))
        self.write(SCENE + blocks, "tower.toml")
        self.scree("run", "tower.toml", "--force")
        self.scree("joints", "tower.h5", "-o", "joints.csv", "--force")
        with open(self.folder / "joints.csv", newline="") as file:
            pairs = [(row["a"], row["b"]) for row in csv.DictReader(file)]
        self.assertEqual({name for pair in pairs for name in pair}, {"'=1+1", "'@SUM(A1)", "'-2,x"})

    def test_control_characters_of_names_reach_no_file(self):
        """No scene has them in a name: a file of results that somebody has changed may."""
        (self.folder / "names.h5").write_bytes((self.folder / "run.h5").read_bytes())
        with h5py.File(self.folder / "names.h5", "r+") as file:
            names = [b"ground", b"a\x1b[2J\x07\nv 1 2 3\rb"]
            del file["bodies/name"]
            file["bodies"].create_dataset("name", data=numpy.array(names, dtype="S40"))
        for out in ("names.csv", "names.obj", "names.vtkhdf", "names.glb"):
            self.scree("export", "names.h5", "-o", out, "--force")
        self.scree("report", "names.h5", "-o", "names.html", "--force")
        self.scree("plot", "names.h5", "kinetic", "-o", "names.svg", "--csv", "names-plot.csv", "--force")
        for name in ("names.csv", "names.obj", "names.html", "names.svg", "names-plot.csv"):
            text = (self.folder / name).read_bytes()
            for raw in (b"\x1b", b"\x07", b"\rb", b"\nv 1 2 3"):
                self.assertNotIn(raw, text, name)
        self.assertIn(r"a\u001b[2J\u0007\nv 1 2 3\rb", (self.folder / "names.csv").read_text())

    def test_shape_of_an_unknown_kind(self):
        (self.folder / "odd.h5").write_bytes((self.folder / "run.h5").read_bytes())
        with h5py.File(self.folder / "odd.h5", "r+") as file:
            del file["shapes/1/kind"]
            file["shapes/1/kind"] = numpy.bytes_(b"teapot")
        for command in (("export", "odd.h5", "-o", "x.png"), ("export", "odd.h5", "-o", "x.glb"), ("export", "odd.h5", "-o", "x.obj"), ("report", "odd.h5")):
            self.refuse(*command, says="odd.h5: is damaged or truncated (shapes/1/kind: a kind of shape that this program does not know)")


if __name__ == "__main__":
    program.main()
