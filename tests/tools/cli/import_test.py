"""Models of blocks from other programs: import, run, joints, and back.

usage: import_test.py SCREE DATA_FOLDER [unittest options]
"""
import json
import math
import pathlib
import re
import subprocess
import sys

import program

DATA = None
CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
FACES = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


def box(at, sides):
    return [tuple(a + s * c for a, s, c in zip(at, sides, corner)) for corner in CUBE]


def obj(blocks):
    """Text of an OBJ file of (name, corners) of hexahedra."""
    text, first = "", 1
    for name, corners in blocks:
        text += f"o {name}\n" + "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in corners)
        text += "".join("f " + " ".join(str(first + v) for v in face) + "\n" for face in FACES)
        first += 8
    return text


def voussoirs(count, inner, outer, depth):
    """Corners of the voussoirs of a semicircular arch, from +x to -x: polygonal, with radial joints."""
    blocks = []
    for i in range(count):
        corners = []
        for y in (0.0, depth):
            for radius, k in ((inner, i), (outer, i), (outer, i + 1), (inner, i + 1)):
                angle = math.pi * k / count
                corners.append((radius * math.cos(angle), y, radius * math.sin(angle)))
        blocks.append(corners)
    return blocks


def poly(corners, group, number):
    """One 3DEC block: faces clockwise from outside. Corners as those of a voussoir."""
    faces = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    text = f'block create group "{group}" poly '
    for face in faces:
        text += "face " + " ".join(",".join(repr(c) for c in corners[v]) for v in face) + " "
    return text + f"r={number}\n"


def toothed(lower, upper, depth):
    """A COMPAS assembly of two blocks, 1 m x 0.5 m, whose faces at z = 0 have teeth, and the plane between them."""
    def block(name, teeth, other, top):
        # Teeth begin and end at the plane, and are as far above it as below.
        profile = [(k / (4 * teeth), depth * (0, 1, 0, -1)[k % 4]) for k in range(4 * teeth + 1)]
        loop = profile + [(1.0, other), (0.0, other)]
        if not top:
            loop.reverse()   # counter-clockwise seen from -y
        n = len(loop)
        vertex = {str(k + n * side): {"x": x, "y": 0.5 * side, "z": z} for side in (0, 1) for k, (x, z) in enumerate(loop)}
        face = {"0": list(range(n)), "1": [2 * n - 1 - k for k in range(n)]}
        for k in range(n):
            face[str(k + 2)] = [(k + 1) % n, k, k + n, (k + 1) % n + n]
        return {"dtype": "compas.datastructures/Mesh", "data": {"attributes": {"name": name}, "vertex": vertex, "face": face}}
    joint = {"dtype": "compas_assembly.datastructures/Interface", "data": {"points": [[0, 0, 0], [1, 0, 0], [1, 0.5, 0], [0, 0.5, 0]]}}
    graph = {"node": {"0": {"block": block("lower", lower, -0.3, False)}, "1": {"block": block("upper", upper, 0.4, True)}},
             "edge": {"0": {"1": {"interfaces": [joint]}}, "1": {}}}
    return {"dtype": "compas_assembly.datastructures/Assembly", "data": {"graph": {"dtype": "compas.datastructures/Graph", "data": graph}}}


class Import(program.FolderCase):
    def settle(self, model, *options, end=None, run=()):
        """Imports and runs a model; its joints as JSON."""
        self.scree("import", model, "-o", "model.toml", "--force", *options)
        self.scree("run", "model.toml", "--out", "model.h5", "--force", *(["--t-end", end] if end else []), *run)
        self.scree("joints", "model.h5", "-o", "joints.json", "--force")
        return json.loads((self.folder / "joints.json").read_text())

    def test_two_blocks_share_the_weight_among_four_corners(self):
        for corners_of in ([], ["--least-corners"]):
            found = self.settle(DATA / "two-blocks_assembly.json", "--density", 1000)
            self.scree("joints", "model.h5", "-o", "joints.json", "--force", *corners_of)
            found = json.loads((self.folder / "joints.json").read_text())
            self.assertTrue(found["at_rest"])
            (joint,) = found["joints"]
            self.assertAlmostEqual(joint["area"], 1.0, delta=1e-12)
            self.assertEqual(len(joint["corners"]), 4)
            for corner in joint["corners"]:
                # The step's mean force, and a step that began with it: the solver's tolerance.
                # The solver's are open by statics: near a quarter, not it.
                self.assertAlmostEqual(corner["normal"], 1000 * 9.81 / 4, delta=(1e-6 if corners_of else 0.1) * 9810)
            self.assertAlmostEqual(joint["normal_force"], 9810, delta=1e-6 * 9810)
            self.assertLess(joint["eccentricity"], 1e-6)
            (reaction,) = found["reactions"]
            self.assertAlmostEqual(reaction["force"][2], 9810, delta=1e-6 * 9810)

    def test_samples_stand_or_fall(self):
        """Verdicts of their publishers, at the friction that they state, the model turned as they turn it.

        BRG/compas_cra, docs/examples: 02 to 13 and 16; friction 0.84 is that solver's default. What `cra_solve` finds forces
        for stands; the others are said below.
        """
        g, turn = 9.81, math.radians(50)
        table = {  # file, gravity (as if the model were turned): options, stands
            ("arch_assembly.json", None): ([], True),
            ("stack.json", None): ([], True),
            ("wall_interfaces.json", None): ([], True),
            ("cra_cubes.json", None): (["--mu", 0.84], True),
            ("cra_type-a.json", None): (["--mu", 0.84], True),
            ("cra_type-b.json", None): (["--mu", 0.84], True),
            # Turned by 90 degrees about y (example 05).
            ("cra_type-b.json", (g, 0.0, 0.0)): (["--mu", 0.84], True),
            # A plate in a groove, flush with its sides: it slides down by nothing. And turned by 50 degrees (example 12).
            ("cra_concave-long.json", None): (["--mu", 0.84], True),
            ("cra_concave-long.json", (g * math.sin(turn), 0.0, -g * math.cos(turn))): (["--mu", 0.84], True),
            ("cra_bridge.json", None): (["--mu", 0.9], True),
            # Called unstable and stable by Kao et al. 2022, doi 10.1016/j.cad.2022.103216.
            ("cra_shelf.json", None): (["--mu", 0.9], False),
            ("cra_shelf-stable.json", None): (["--mu", 0.9], True),
            # A block between two walls that do not press: nothing holds it, whatever the friction. Statics alone
            # (`rbe_solve`, example 16) finds forces.
            ("cra_A.json", None): (["--mu", 0.84], False),
            ("cra_H.json", None): (["--mu", 0.84], False),
            # Without a verdict of its publisher: 80 warped blocks of several parts each, drawn up to 54 um into each other.
            ("dome.obj", None): (["--repair"], True),
        }
        for (file, gravity), (options, stands) in table.items():
            with self.subTest(file=file, gravity=gravity):
                pull = [] if gravity is None else ["--set", "world.gravity=[{!r}, {!r}, {!r}]".format(*gravity)]
                found = self.settle(DATA / file, *options, end=0.4, run=pull)
                self.assertEqual(found["at_rest"], stands, (found["residual"], found["largest_displacement [m]"]))
                if stands:
                    self.assertLess(found["largest_displacement [m]"], 1e-3)
                else:
                    self.assertGreater(found["largest_displacement [m]"], 1e-2)
        # With the joints that their files draw.
        for file in ("arch_assembly.json", "arch_stray_keys.json", "wall_interfaces.json", "cra_concave-long.json"):
            with self.subTest(file=file, joints="drawn"):
                found = self.settle(DATA / file, "--joints", "drawn", end=0.4)
                self.assertTrue(found["at_rest"], found["residual"])
                self.assertLess(found["largest_displacement [m]"], 1e-6)

    def test_joints_as_drawn_where_surfaces_do_not_fit(self):
        """Two blocks whose faces have teeth of their own, and the plane between them as the joint.

        The plane decides: tilted, the upper block stays, or slides by the sum of h^2 k over the steps, k = 1 .. n, times
        g (sin - mu cos). Its mass is that of its surface as drawn.
        """
        self.write(json.dumps(toothed(lower=3, upper=5, depth=0.01)), "toothed.json")
        said = self.scree("import", "toothed.json", "-o", "faces.toml", "--mu", 0.5, "--supports", "lower").stdout
        self.assertIn("--joints drawn", said)
        said = self.scree("import", "toothed.json", "-o", "drawn.toml", "--mu", 0.5, "--supports", "lower", "--joints", "drawn").stdout
        self.assertIn("1 polygons of 1 joints", said)
        # Teeth are as much above the plane as below it.
        mass = 2000.0 * 1.0 * 0.5 * 0.4
        checked = json.loads(self.scree("check", "drawn.toml", "--json").stdout)
        self.assertAlmostEqual(checked["mass"], mass, delta=1e-12 * mass)
        self.assertEqual([w["name"] for w in checked["warnings"]], [])
        self.assertEqual(checked["overlaps"], [])
        g, mu, n = 9.81, 0.5, 100
        for degrees in (26.0, 27.0):
            for h in (2e-3, 1e-3):
                angle = math.radians(degrees)
                pull = "world.gravity=[{!r}, 0, {!r}]".format(g * math.sin(angle), -g * math.cos(angle))
                self.scree("run", "drawn.toml", "--out", "model.h5", "--force", "--set", pull, "--set", f"time.dt={h}", "--t-end", n * h)
                self.scree("joints", "model.h5", "-o", "joints.json", "--force")
                found = json.loads((self.folder / "joints.json").read_text())
                # The midpoint of each step: h v_k+1/2 summed, v_k = k h a.
                way = 0.5 * (n * h) ** 2 * g * (math.sin(angle) - mu * math.cos(angle))
                stays = math.tan(angle) < mu
                self.assertEqual(found["at_rest"], stays)
                self.assertAlmostEqual(found["largest_displacement [m]"], 0.0 if stays else way, delta=1e-6 * 0.5 * (n * h) ** 2 * g)
                (joint,) = found["joints"]
                self.assertAlmostEqual(joint["area"], 0.5 * (1.0 - found["largest_displacement [m]"]), delta=1e-6)
                self.assertAlmostEqual(joint["normal_force"], mass * g * math.cos(angle), delta=1e-6 * mass * g)
        self.refuse("import", "toothed.json", "-o", "bad.toml", "--joints", "drawn", "--gaps", "shift", says=["--gaps", "--joints drawn"])
        self.refuse("import", DATA / "wall.obj", "-o", "bad.toml", "--joints", "drawn", says=["wall.obj", "states no joints", "faces"])
        text = (self.folder / "drawn.toml").read_text()
        self.write(text.replace("drawn.blocks.obj", "faces.blocks.obj"), "none.toml")
        self.refuse("check", "none.toml", says=["none.toml:", "blocks.joints", "faces.blocks.obj", "states none"])

    def test_thrust_of_an_arch_lies_in_the_interval_of_statics(self):
        """20 voussoirs of BRG/compas_3dec's example: admissible crown thrust [19.840, 23.188] kN by a linear program."""
        arch = voussoirs(20, 5.0, 5.5, 0.5)
        text = "".join(poly(corners, "Supports" if i in (0, 19) else "Blocks", i) for i, corners in enumerate(arch))
        self.write(text, "arch.3ddat")
        self.scree("import", "arch.3ddat", "-o", "arch.toml", "--density", 2400, "--mu", math.tan(math.radians(35)))
        self.scree("run", "arch.toml", "--out", "arch.h5")
        self.scree("joints", "arch.h5", "-o", "arch.json", "--interval", "block-9:block-10.normal")
        found = json.loads((self.folder / "arch.json").read_text())
        self.assertTrue(found["at_rest"])
        (interval,) = found["intervals"]
        self.assertAlmostEqual(interval["low"], 19840, delta=0.01 * 19840)
        self.assertAlmostEqual(interval["high"], 23188, delta=0.01 * 23188)
        self.assertGreater(interval["computed"], interval["low"] - 1)
        self.assertLess(interval["computed"], interval["high"] + 1)
        total = [sum(r["force"][k] for r in found["reactions"]) for k in range(3)]
        self.assertAlmostEqual(total[2], found["weight [N]"], delta=1e-6 * found["weight [N]"])
        self.assertAlmostEqual(total[0], 0, delta=1e-6 * found["weight [N]"])

    def test_interval_of_a_determinate_force_is_a_point_and_of_none_is_said(self):
        self.settle(DATA / "two-blocks_assembly.json", "--density", 1000)
        done = self.scree("joints", "model.h5", "-o", "j.json", "--interval", "block-0:block-1.normal")
        self.assertIn("interval", done.stdout)
        (interval,) = json.loads((self.folder / "j.json").read_text())["intervals"]
        self.assertAlmostEqual(interval["low"], 9810, delta=1e-4)
        self.assertAlmostEqual(interval["high"], 9810, delta=1e-4)
        # Overhanging by more than half: no state of forces holds it.
        self.write(obj([("base", box((0, 0, 0), (1, 1, 1))), ("over", box((0.6, 0, 1), (1, 1, 1)))]), "over.obj")
        self.scree("import", "over.obj", "-o", "over.toml", "--supports", "base")
        self.scree("run", "over.toml", "--out", "over.h5", "--t-end", 0.005)
        done = self.scree("joints", "over.h5", "--interval", "base:over.normal", "--joint-tolerance", "0.01")
        self.assertIn("no state of forces is admissible", done.stdout)

    def test_interval_on_a_half_space_and_of_more_than_weights(self):
        """A half-space has no polygon: the places of contact are its corners. Ten cubes of 2300 kg on each other."""
        self.scree("example", "tower")
        self.scree("run", "tower.toml", "--t-end", "0.05", "--out", "tower.h5")
        said = self.scree("joints", "tower.h5", "--interval", "ground.z").stdout
        low, high = map(float, re.search(r"interval +ground\.z: \[(\S+), (\S+)\] N", said).groups())
        weight = 10 * 2300 * 9.81
        self.assertAlmostEqual(low, weight, delta=1e-5 * weight)
        self.assertAlmostEqual(high, weight, delta=1e-5 * weight)
        for name, change in (("loaded", 'load = { force = [0, 0, -1000] }'), ("drawn", None)):
            scene = program.ground("stone", 2300, 0.6, 0.0) if change else program.ground("stone", 2300, 0.6, 0.0).replace("e = 0.0", "e = 0.0\ncohesion = 1000")
            self.write(f"[time]\ndt = 0.001\nend = 0.05\n{scene}\n[[body]]\nname = \"block\"\nkind = \"box\"\nsides = [1, 1, 1]\nmaterial = \"stone\"\n"
                       f"position = [0, 0, 0.5]\n{change or ''}\n", f"{name}.toml")
            self.scree("run", f"{name}.toml", "--out", f"{name}.h5")
            self.refuse("joints", f"{name}.h5", "--interval", "ground.z", says="intervals are of weights and friction alone")

    def test_supports_none_fixes_nothing(self):
        self.write(obj([("a", box((0, 0, 0), (1, 1, 1))), ("b", box((0, 0, 1), (1, 1, 1)))]), "two.obj")
        self.scree("import", "two.obj", "-o", "free.toml", "--supports", "none")
        self.assertIn("2 dynamic", self.scree("check", "free.toml").stdout)

    def test_back_to_compas(self):
        before = self.settle(DATA / "arch_assembly.json")
        self.scree("joints", "model.h5", "--compas", "back.json")
        back, sample = (json.loads(path.read_text()) for path in (self.folder / "back.json", DATA / "arch_assembly.json"))
        self.assertEqual(back["dtype"], sample["dtype"])
        graph, other = back["data"]["graph"]["data"], sample["data"]["graph"]["data"]
        self.assertLessEqual(set(other) , set(graph))
        self.assertEqual(len(graph["node"]), len(other["node"]))
        edges = [(u, v, e) for u, of in graph["edge"].items() for v, e in of.items()]
        self.assertEqual(len(edges), sum(len(of) for of in other["edge"].values()))
        for u, v, edge in edges:
            (interface,) = edge["interfaces"]
            data = interface["data"]
            model = next(iter(next(of for of in other["edge"].values() if of).values()))["interfaces"][0]["data"]
            self.assertEqual(set(model), set(data))
            self.assertEqual(set(model["forces"][0]), set(data["forces"][0]))
            frame = data["frame"]["data"]
            x, y = frame["xaxis"], frame["yaxis"]
            z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
            force = [sum((f["c_np"] - f["c_nn"]) * z[k] + f["c_u"] * x[k] + f["c_v"] * y[k] for f in data["forces"]) for k in range(3)]
            for k in range(3):
                self.assertAlmostEqual(force[k], edge["force"][k], delta=1e-9 * max(1.0, math.dist(force, (0, 0, 0))))
        self.scree("import", "back.json", "-o", "again.toml")
        checked = json.loads(self.scree("check", "again.toml", "--json").stdout)
        self.assertEqual(checked["joints"]["joints"], len(before["joints"]))
        self.assertEqual(checked["joints"]["supports"], 2)

    def test_faces_without_corners_are_refused(self):
        """Of a block of so many faces that it could be several in one mesh."""
        text = (DATA / "cra_bridge.json").read_text()
        face = re.search(r'"face": ?\{"\d+": ?(\[[\d, ]+\])', text)
        self.write(text[:face.start(1)] + "[]" + text[face.end(1):], "hole.json")
        self.refuse("import", "hole.json", "-o", "x.toml", says=["hole.json: block", "is open"])

    def test_blocks_cut_into_parts_come_back_whole(self):
        """Parts of the bridge's blocks miss each other by 1e-7 of their size: no cracks, no pieces of their own."""
        self.settle(DATA / "cra_bridge.json", "--mu", 0.9, end=0.005)
        self.scree("joints", "model.h5", "--compas", "back.json", "--force")
        said = self.scree("import", "back.json", "-o", "again.toml", "--force").stdout
        self.assertIn("14 that move, 2 supports", said)
        nodes = json.loads((self.folder / "back.json").read_text())["data"]["graph"]["data"]["node"]
        for node in nodes.values():
            corners = [(v["x"], v["y"], v["z"]) for v in node["block"]["data"]["vertex"].values()]
            size = math.dist(*(tuple(f(p[k] for p in corners) for k in range(3)) for f in (min, max)))
            nearest = min(math.dist(p, q) for i, p in enumerate(corners) for q in corners[:i])
            self.assertGreater(nearest, 1e-4 * size, node["block"]["name"])

    def test_scenes_take_files_of_blocks(self):
        self.write((DATA / "stack.json").read_text(), "stack.json")
        scene = """
[time]
dt = 0.002
end = 0.1
[[material]]
name = "stone"
density = 2000
[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = 0
[[blocks]]
file = "stack.json"
material = "stone"
"""
        self.write(scene, "scene.toml")
        self.scree("run", "scene.toml", "--out", "a.h5")
        self.scree("resume", "a.h5.checkpoint", expect=(0, 2))
        self.write(scene + 'supports = ["0", "9"]\nmotion = { kind = "velocity", time = [0], linear = [[0, 0, 1]] }\nmoved = ["9"]\n', "moved.toml")
        self.scree("run", "moved.toml", "--out", "b.h5")
        self.refuse("run", "nobody.toml", says="nobody.toml")
        self.write(scene + 'supports = ["nobody"]\n', "bad.toml")
        self.refuse("check", "bad.toml", says=["bad.toml:15:", "blocks.supports", "no block has the name \"nobody\""])
        self.write(scene.replace("stack.json", "none.json"), "bad.toml")
        self.refuse("check", "bad.toml", says=["bad.toml:13:", "none.json"])
        (self.folder / "binary.stl").write_bytes(b"\0" * 84)
        self.write(scene.replace("stack.json", "binary.stl"), "bad.toml")
        self.refuse("check", "bad.toml", says=["bad.toml:13:", "binary file", "scree import"])

    def test_report_has_the_thrust_line(self):
        self.settle(DATA / "arch_assembly.json", end=0.02)
        self.scree("report", "model.h5", "-o", "model.html")
        page = (self.folder / "model.html").read_text()
        self.assertIn("<h2>Forces in joints at the end</h2>", page)
        self.assertIn("red: thrust line", page)
        self.assertTrue(page.rstrip().endswith("</html>"))

    def test_check_takes_models(self):
        found = json.loads(self.scree("check", DATA / "arch_assembly.json", "--json").stdout)["joints"]
        self.assertEqual((found["blocks"], found["supports"], found["joints"]), (28, 2, 29))
        self.assertAlmostEqual(found["area"], 29 * 0.15, delta=1e-9)  # as the sample's own interfaces
        self.write(obj([("a", box((0, 0, 0), (1, 1, 1))), ("b", box((0, 0, 1.0004), (1, 1, 1))), ("c", box((5, 0, 3), (1, 1, 1))),
                        ("d", box((5, 0, 4), (1, 1, 1))), ("e", box((9, 9, 9), (1, 1, 1)))]), "m.obj")
        said = self.scree("check", "m.obj").stdout
        self.assertIn("gap          0.0004 m at worst, of 'a' and 'b'", said)
        self.assertIn("island       2 blocks without support: 'c', 'd'", said)
        self.assertIn("no joint     1 block: 'e'", said)

    def test_bad_models_are_refused_in_one_line(self):
        self.write("o a\nv 0 0 0\nf 1 1\n", "bad.obj")
        self.refuse("import", "bad.obj", "-o", "x.toml", says="bad.obj:3: a face needs at least three corners")
        self.refuse("import", DATA / "dome.obj", "-o", "x.toml", says=["dome.obj: block 'Mesh 0'", "there twice", "--repair"])
        self.scree("import", DATA / "dome.obj", "-o", "dome.toml", "--repair")
        self.write(obj([("a", box((0, 0, 0), (900, 400, 300)))]), "mm.obj")
        self.refuse("import", "mm.obj", "-o", "x.toml", says=["mm.obj: half of its blocks are larger", "--scale 0.001"])
        self.scree("import", "mm.obj", "-o", "mm.toml", "--scale", "0.001")
        self.refuse("import", "mm.obj", "-o", "x.toml", "--scale", "0", says="--scale: 0 is not allowed; must be a finite number > 0")
        self.refuse("import", "mm.obj", "-o", "x.obj", says="must be .toml")
        (self.folder / "big.json").write_bytes(b"[" * 100_000_000)
        self.say_one_line("big.json", "big.json: goes deeper than 200 levels")
        self.write('[{"vertex": {"0": {"x": 0, "y": 0, "z": 0}},\n  "face": {"0": [0 1]}}]', "comma.json")
        self.say_one_line("comma.json", "comma.json:2:20: is no sound JSON: a comma or ']' must stand here, not '1'")
        with open(self.folder / "huge.obj", "wb") as file:
            file.truncate(400_000_000)
        self.say_one_line("huge.obj", "huge.obj: has 400 MB; at most 256 MB are read")

    def say_one_line(self, file, message):
        done = self.scree("import", file, "-o", "x.toml", expect=2)
        self.assertEqual((done.stdout, done.stderr), ("", message + "\n"))

    def test_ten_thousand_blocks(self):
        blocks = [(f"b{i}-{j}-{k}", box((1.0 * i, 0.6 * j, 0.4 * k), (1.0, 0.6, 0.4))) for i in range(20) for j in range(25) for k in range(20)]
        self.write(obj(blocks), "many.obj")
        # The memory of a child counts what its parent had, so a small one starts it.
        small = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); use = resource.getrusage(resource.RUSAGE_CHILDREN); print('used', use.ru_utime + use.ru_stime, use.ru_maxrss)"
        done = subprocess.run([sys.executable, "-c", small, program.SCREE, "import", "many.obj", "-o", "many.toml"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        self.assertIn("9500 that move, 500 supports", done.stdout)
        took, memory = map(float, done.stdout.split("used ")[1].split())  # [s] of CPU, [kB]
        print(f"10,000 blocks in {took:.1f} s of CPU, {memory / 1e6:.2f} GB")
        self.assertLess(memory, 1_000_000)


if __name__ == "__main__":
    DATA = pathlib.Path(sys.argv.pop(2)).resolve()
    program.main()
