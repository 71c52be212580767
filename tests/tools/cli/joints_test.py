"""Joints of a run: what `scree joints` says of them, against closed forms, and its file for COMPAS.

usage: joints_test.py SCREE [unittest options]
"""
import json
import math
import re

import program
from import_test import box, obj

G, DENSITY = 9.81, 2000.0


def prism(profile, low, high):
    """Vertices and faces of a polygon in x and z, counter-clockwise seen from -y, from y = low to high."""
    n = len(profile)
    vertices = [(x, y, z) for y in (low, high) for x, z in profile]
    sides = [((k + 1) % n, k, n + k, n + (k + 1) % n) for k in range(n)]
    return vertices, [tuple(range(n)), tuple(2 * n - 1 - k for k in range(n)), *sides]


def meshes(blocks):
    """Text of an OBJ file of (name, (vertices, faces))."""
    text, first = "", 1
    for name, (vertices, faces) in blocks:
        text += f"o {name}\n" + "".join("v {!r} {!r} {!r}\n".format(*v) for v in vertices)
        text += "".join("f " + " ".join(str(first + v) for v in face) + "\n" for face in faces)
        first += len(vertices)
    return text


def minus(p, q):
    return [a - b for a, b in zip(p, q)]


def cross(p, q):
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


def dot(p, q):
    return sum(a * b for a, b in zip(p, q))


def total(vectors):
    return [sum(v[k] for v in vectors) for k in range(3)]


def area(points):
    return 0.5 * math.hypot(*total([cross(minus(points[k], points[0]), minus(points[k + 1], points[0])) for k in range(1, len(points) - 1)]))


def volume(mesh):
    """Within a closed surface; each edge must belong to two faces, one each way."""
    vertex, edges, sum = mesh["vertex"], {}, 0.0
    for face in mesh["face"].values():
        corners = [[vertex[str(v)][c] for c in "xyz"] for v in face]
        for k in range(1, len(face) - 1):
            sum += dot(corners[0], cross(corners[k], corners[k + 1])) / 6
        for u, v in zip(face, face[1:] + face[:1]):
            edges[u, v] = edges.get((u, v), 0) + 1
    assert all(count == 1 and edges.get((v, u)) == 1 for (u, v), count in edges.items()), edges
    return sum


class Joints(program.FolderCase):
    def run_model(self, text, supports, *, mu=0.6, end=0.4, dt=None, scene="", options=(), gravity=None):
        """Imports, runs and analyses a model; its joints as JSON."""
        self.write(text, "model.obj")
        self.scree("import", "model.obj", "-o", "model.toml", "--force", "--supports", supports, "--mu", mu, "--density", DENSITY)
        self.write((self.folder / "model.toml").read_text() + scene, "model.toml")
        changes = [f"time.dt={dt}"] if dt else []
        changes += ["world.gravity=[{!r}, {!r}, {!r}]".format(*map(float, gravity))] if gravity else []
        self.scree("run", "model.toml", "--out", "model.h5", "--force", "--t-end", end, *(word for c in changes for word in ("--set", c)))
        return self.joints(*options)

    def joints(self, *options):
        self.said = self.scree("joints", "model.h5", "-o", "joints.json", "--force", *options).stdout
        return json.loads((self.folder / "joints.json").read_text())

    def compas(self):
        """Nodes of the assembly, and its edges with both names and all they hold."""
        self.scree("joints", "model.h5", "--compas", "back.json", "--force")
        graph = json.loads((self.folder / "back.json").read_text())["data"]["graph"]["data"]
        return graph["node"], [edge for of in graph["edge"].values() for edge in of.values()]

    def check_interfaces(self, edges):
        """Each polygon has the area stated; forces at its corners have the resultant and moment of the contacts."""
        for edge in edges:
            forces, moments = [], []
            for interface in edge["interfaces"]:
                data = interface["data"]
                points = [p["data"] for p in data["points"]]
                self.assertEqual(len(points), len(data["forces"]))
                if len(points) >= 3:
                    self.assertAlmostEqual(area(points), data["size"], delta=1e-9 * data["size"])
                    self.assertEqual(data["mesh"]["data"]["face"], {"0": list(range(len(points)))})
                frame = data["frame"]["data"]
                z = cross(frame["xaxis"], frame["yaxis"])
                for point, f in zip(points, data["forces"]):
                    force = [(f["c_np"] - f["c_nn"]) * c + f["c_u"] * a + f["c_v"] * b for a, b, c in zip(frame["xaxis"], frame["yaxis"], z)]
                    self.assertGreaterEqual(min(f["c_np"], f["c_nn"]), 0.0)
                    forces.append(force)
                    moments.append(cross(point, force))
            there = total([cross(p, f) for p, f in zip(edge["contact_point"], edge["force_vector"])])
            size = max(1.0, math.hypot(*edge["force"]))
            for k in range(3):
                self.assertAlmostEqual(total(forces)[k], edge["force"][k], delta=1e-9 * size)
                self.assertAlmostEqual(total(moments)[k], there[k], delta=1e-8 * size)

    def test_interfaces_for_compas_are_polygons_in_order(self):
        """A cube on a cube: 1 m2. A bridge of three blocks over two piers. Both with the moment of their contacts."""
        self.run_model(obj([("base", box((0, 0, 0), (1, 1, 1))), ("top", box((0, 0, 1), (1, 1, 1)))]), "base")
        _, (edge,) = self.compas()
        (interface,) = edge["interfaces"]
        self.assertAlmostEqual(interface["data"]["size"], 1.0, delta=1e-9)
        self.check_interfaces([edge])
        # Shifted and of other sizes: corners of either block, and crossings of their edges. The upper one overhangs, so
        # that the pressure is at one side.
        blocks = [("base", box((0, 0, 0), (1, 1, 1))), ("cross", box((0.3, -0.2, 1), (0.9, 0.8, 0.5))), ("top", box((0.2, 0.1, 1.5), (0.4, 0.4, 0.4)))]
        found = self.run_model(obj(blocks), "base")
        _, edges = self.compas()
        self.assertEqual(len(edges), 2)
        self.check_interfaces(edges)
        sizes = sorted(edge["interfaces"][0]["data"]["size"] for edge in edges)
        for size, wanted in zip(sizes, (0.3 * 0.4, 0.7 * 0.6)):
            self.assertAlmostEqual(size, wanted, delta=1e-6)
        self.assertTrue(found["at_rest"])

    def test_blocks_for_compas_have_one_closed_surface(self):
        """A U, a block with a step, and a ring: drawn, cut into parts, and written as drawn."""
        u = prism([(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)], 0.0, 1.0)
        step = prism([(4, 0), (6, 0), (6, 1), (5, 1), (5, 3), (4, 3)], 0.0, 1.0)
        blocks = [("plane", prism([(-1, -1), (9, -1), (9, 0), (-1, 0)], -1.0, 2.0)), ("U", u), ("step", step)]
        found = self.run_model(meshes(blocks), "plane")
        nodes, edges = self.compas()
        self.check_interfaces(edges)
        for node, (name, (vertices, faces)), wanted in zip(nodes.values(), blocks, (30.0, 5.0, 4.0)):
            mesh = node["block"]["data"]
            self.assertEqual(node["block"]["name"], name)
            self.assertEqual((len(mesh["vertex"]), len(mesh["face"])), (len(vertices), len(faces)))
            self.assertAlmostEqual(volume(mesh), wanted, delta=1e-9 * wanted)
        said = self.scree("import", "back.json", "-o", "again.toml", "--density", DENSITY).stdout
        self.assertIn("2 that move, 1 supports", said)
        self.scree("run", "again.toml", "--out", "model.h5", "--force", "--t-end", 0.1)
        self.assertAlmostEqual(self.joints()["weight [N]"], found["weight [N]"], delta=1e-9 * found["weight [N]"])

    def test_parts_of_a_compound_make_one_surface(self):
        """A cross of a bar of 3 x 1 x 1 and two cubes at its sides is 5 m3, with two faces of 12 corners."""
        self.write(f"""[time]
dt = 0.002
end = 0.1
{program.ground("stone", DENSITY, 0.6, 0.0)}
[[body]]
name = "cross"
kind = "compound"
material = "stone"
position = [0, 0, 0.5]
parts = [
  {{ kind = "box", sides = [3, 1, 1] }},
  {{ kind = "box", sides = [1, 1, 1], position = [0, 1, 0] }},
  {{ kind = "box", sides = [1, 1, 1], position = [0, -1, 0] }},
]
""", "cross.toml")
        self.scree("run", "cross.toml", "--out", "model.h5")
        nodes, _ = self.compas()
        (mesh,) = [node["block"]["data"] for node in nodes.values()]
        self.assertAlmostEqual(volume(mesh), 5.0, delta=1e-9)
        self.assertEqual((len(mesh["vertex"]), len(mesh["face"])), (24, 14))

    def sinking(self, depth, **more):
        """A beam of 5 m over piers from 0 to 1 m and from 4 to 4.5 m, of which the second one sinks."""
        blocks = [("pier", box((0, 0, -1), (1, 1, 1))), ("sinks", box((4, 0, -1), (0.5, 1, 1))), ("beam", box((0, 0, 0), (5, 1, 0.5)))]
        scene = '\nmoved = ["sinks"]\nmotion = { kind = "velocity", time = [0, 0.4, 0.402], linear = [[0, 0, %r], [0, 0, %r], [0, 0, 0]] }\n' % (-depth / 0.4, -depth / 0.4)
        return self.run_model(obj(blocks), "pier,sinks", end=1.2, scene=scene, **more)

    def test_hinges_stay_when_they_open(self):
        """Piers carry at their edges, on top: hinges of their whole width, 1 m and 0.5 m, however far they open."""
        for depth, opened in ((0.02, False), (0.3, True)):
            found = self.sinking(depth)
            self.assertTrue(found["at_rest"], self.said)
            for joint, width, edge in zip(found["joints"], (1.0, 0.5), (1.0, 4.5)):
                self.assertEqual(joint["area"] == 0.0, opened)
                self.assertEqual((joint["state"], joint["hinge"]), ("open", True))
                # Of the pier's top, along the arm, which is not quite that of x.
                along, across = 0.5 * width, joint["point"][1] - 0.5
                self.assertAlmostEqual(joint["thickness"], (along * width + abs(across)) / math.hypot(along, across), delta=1e-2)
                self.assertAlmostEqual(joint["edge_share"], 0.0, delta=2e-3)
                self.assertAlmostEqual(joint["point"][0], edge, delta=1e-3)
            self.assertIn("2 with a hinge", self.said)
            self.assertIn("2 open", self.said)
            self.scree("joints", "model.h5", "-o", "joints.svg", "--force")
            self.assertEqual((self.folder / "joints.svg").read_text().count('r="5"'), 2)
            self.scree("joints", "model.h5", "-o", "joints.csv", "--force")
            self.assertEqual([row.split(",")[-1] for row in (self.folder / "joints.csv").read_text().splitlines()], ["state", "open", "open"])
            _, edges = self.compas()
            self.check_interfaces(edges)
            for at, width in zip(edges, (1.0, 0.5)):
                self.assertAlmostEqual(at["interfaces"][0]["data"]["size"], width, delta=2e-3)

    def test_intervals_of_an_open_joint_are_of_what_is_closed(self):
        """The beam, turned by an angle: it touches the pier from 1 m back to where the gap is the tolerance.

        Reactions by moments about the other pier; friction has the arm that the angle gives it, 0.6 tan.
        """
        depth = 0.03
        found = self.sinking(depth, options=["--interval", "pier.z"])
        slope = depth / 3.5
        weight = 5 * 0.5 * DENSITY * G
        closed = [1e-3 * math.sqrt(3) / slope, 1e-3 * math.sqrt(2.25) / slope]
        middle = 2.5
        share = [(far - middle) / (far - near) for near in (1.0, 1.0 - closed[0]) for far in (4.5, 4.5 - closed[1])]
        (interval,) = found["intervals"]
        tolerance = 2 * 0.6 * slope * weight
        self.assertAlmostEqual(interval["low"], min(share) * weight, delta=tolerance)
        self.assertAlmostEqual(interval["high"], max(share) * weight, delta=tolerance)
        self.assertGreater(min(share) - (4.5 - middle) / 4.5, 5 * tolerance / weight)  # the whole face would be told apart
        self.assertGreater(interval["computed"], interval["low"] - 1e-3 * weight)
        self.assertLess(interval["computed"], interval["high"] + 1e-3 * weight)
        self.assertEqual(interval["computed_outside"], 0.0)

    def lean(self):
        """A slab of 2 x 1 x 0.2 m that leans on a rough wall at 60 degrees, on its edges."""
        turned = [(0.5 * x - math.sin(math.radians(60)) * z, y, math.sin(math.radians(60)) * x + 0.5 * z) for x, y, z in box((0, 0, 0), (2, 1, 0.2))]
        shift = -min(p[0] for p in turned)
        slab = [(x + shift, y, z) for x, y, z in turned]
        wall = max(p[0] for p in slab)
        return self.run_model(obj([("floor", box((-3, -1, -1), (3 + wall + 1, 3, 1))), ("wall", box((wall, -1, 0), (1, 3, 3))), ("slab", slab)]),
                              "floor,wall", end=1.0)

    def test_edges_have_torsion_and_are_hinges(self):
        found = self.lean()
        self.assertTrue(found["at_rest"])
        for joint, width in zip(found["joints"], (0.2, 2.0)):
            arms = [minus(corner["point"], joint["point"]) for corner in joint["corners"]]
            moment = total([cross(arm, corner["force"]) for arm, corner in zip(arms, joint["corners"])])
            self.assertAlmostEqual(joint["torsion"], dot(joint["normal"], moment), delta=1e-9 * joint["normal_force"])
            self.assertGreater(abs(joint["torsion"]), 1e-4 * joint["normal_force"])
            self.assertEqual((joint["state"], joint["hinge"], joint["area"]), ("edge", True, 0.0))
            self.assertAlmostEqual(joint["edge_share"], 0.0, delta=1e-6)
            # From the middle of the face of the slab whose edge it is, `width` x 1 m, and its extent in that direction.
            along, across = 0.5 * width, joint["point"][1] - 0.5
            arm = math.hypot(along, across)
            self.assertAlmostEqual(joint["eccentricity"], arm, delta=1e-6)
            self.assertAlmostEqual(joint["thickness"], (along * width + abs(across)) / arm, delta=1e-6)
        self.assertIn("2 at edges alone", self.said)
        # Torsion is in the moment of the reaction: about a vertical through its point, on the floor.
        floor = found["reactions"][0]
        self.assertAlmostEqual(floor["moment"][2], found["joints"][0]["torsion"], delta=1e-6 * floor["force"][2])

    def test_a_block_on_a_half_space_has_a_thickness(self):
        self.write(f"""[time]
dt = 0.002
end = 0.2
{program.ground("stone", DENSITY, 0.6, 0.0)}
[[body]]
name = "block"
kind = "box"
sides = [2, 1, 1]
material = "stone"
position = [0, 0, 0.5]
""", "block.toml")
        self.scree("run", "block.toml", "--out", "model.h5", "--force", "--set", "world.gravity=[3, 0, -10]")
        (joint,) = self.joints()["joints"]
        # The resultant leaves the middle by h/2 times 3/10.
        self.assertAlmostEqual(joint["thickness"], 2.0, delta=1e-3)
        self.assertAlmostEqual(joint["eccentricity"], 0.15, delta=1e-4)
        self.assertAlmostEqual(joint["edge_share"], 0.85, delta=1e-4)
        self.assertEqual((joint["state"], joint["hinge"]), ("closed", False))

    def test_sliding_on_is_not_rest(self):
        """A cube on a slope a little steeper than its friction, or less steep: v = g (sin - mu cos) t, or 0."""
        model = obj([("plane", box((-3, -3, -1), (6, 6, 1))), ("cube", box((-0.5, -0.5, 0), (1, 1, 1)))])
        for tangent, state in ((0.60015, "sliding"), (0.5999, "at rest")):
            for end in (0.1, 0.5, 2.0):
                angle = math.atan(tangent)
                found = self.run_model(model, "plane", end=end, gravity=(G * math.sin(angle), 0, -G * math.cos(angle)), dt=0.005)
                self.assertEqual((found["state"], found["at_rest"]), (state, state == "at rest"), self.said)
                self.assertTrue(found["in_balance"])
                speed = max(0.0, G * (math.sin(angle) - 0.6 * math.cos(angle)) * end)
                self.assertAlmostEqual(found["largest_speed [m/s]"], speed, delta=1e-3 * G * 1.5e-4 * end)
                self.assertIn("sliding: forces balance, but 'cube' goes on at" if speed else "s: at rest;", self.said)

    def test_supports_that_move_take_blocks_along(self):
        model = obj([("base", box((0, 0, 0), (1, 1, 1))), ("top", box((0, 0, 1), (1, 1, 1)))])
        found = self.run_model(model, "base", scene='\nmoved = ["base"]\nmotion = { kind = "velocity", time = [0], linear = [[0.01, 0, 0]] }\n')
        self.assertEqual((found["state"], found["at_rest"], found["in_balance"]), ("follows its supports", False, True))
        self.assertIn("follows supports that move at 0.01 m/s", self.said)

    def test_what_moves_is_told_to_run_longer_where_that_may_help(self):
        """A cube 0.9 mm over another, which is less than the tolerance: it falls, and stands. One in the air falls on."""
        near = obj([("base", box((0, 0, 0), (1, 1, 1))), ("top", box((0, 0, 1.0009), (1, 1, 1)))])
        found = self.run_model(near, "base", end=0.01, dt=0.001)
        self.assertEqual((found["state"], found["may_come_to_rest"]), ("moving", True))
        self.assertIn("gaps (at the start up to 0.0009 m) may still be closing; run longer:", self.said)
        self.assertIn("--t-end 0.1", self.said)
        found = self.run_model(near, "base", end=0.2, dt=0.001)
        self.assertTrue(found["at_rest"])
        self.assertNotIn("hint", self.said)
        far = obj([("base", box((0, 0, 0), (1, 1, 1))), ("top", box((0, 0, 3), (1, 1, 1)))])
        found = self.run_model(far, "base", end=0.1, dt=0.001)
        self.assertEqual((found["state"], found["may_come_to_rest"]), ("moving", False))
        self.assertNotIn("hint", self.said)

    def between_walls(self, gravity, *resultants):
        blocks = [("floor", box((-2, 0, -1), (5, 1, 1))), ("left", box((-1, 0, 0), (1, 1, 1))), ("right", box((1, 0, 0), (1, 1, 1))), ("cube", box((0, 0, 0), (1, 1, 1)))]
        options = [word for resultant in resultants for word in ("--interval", resultant)]
        return self.run_model(obj(blocks), "floor,left,right", end=0.02, gravity=gravity, options=options)["intervals"]

    def test_unlimited_intervals_and_the_error_of_their_finite_ends(self):
        """Walls may press on a cube as they like; its weight W may hang on them. Supports take W together, no less than 0."""
        weight = DENSITY * G
        wall, floor = self.between_walls((0, 0, -G), "left:cube.normal", "floor:cube.normal")
        self.assertAlmostEqual(wall["low"], 0.0, delta=1e-4 * weight)
        self.assertIsNone(wall["high"])
        self.assertLess(wall["error"], 1e-5 * weight)
        errors = [float(e) for e in re.findall(r"finite end solved to (\S+) N", self.said)]
        self.assertTrue(errors and max(errors) < 1e-5 * weight, self.said)
        self.assertAlmostEqual(floor["low"], 0.0, delta=1e-4 * weight)

    def test_intervals_without_gravity(self):
        """One cube can't be pressed; between walls it can, and nothing holds it there."""
        found = self.run_model(obj([("base", box((0, 0, 0), (1, 1, 1))), ("top", box((0, 0, 1), (1, 1, 1)))]), "base", end=0.02, gravity=(0, 0, 0),
                               options=["--interval", "base:top.normal"])
        (interval,) = found["intervals"]
        self.assertAlmostEqual(interval["low"], 0.0, delta=1e-5)
        self.assertAlmostEqual(interval["high"], 0.0, delta=1e-5)
        self.assertTrue(found["at_rest"])
        (interval,) = self.between_walls((0, 0, 0), "left:cube.normal")
        self.assertAlmostEqual(interval["low"], 0.0, delta=1e-5)
        self.assertIsNone(interval["high"])

    def test_outputs_have_files_of_their_own(self):
        self.run_model(obj([("base", box((0, 0, 0), (1, 1, 1))), ("top", box((0, 0, 1), (1, 1, 1)))]), "base", end=0.02)
        (self.folder / "sub").mkdir()
        for other in ("same.json", "./same.json", "sub/../same.json", str(self.folder / "same.json")):
            self.refuse("joints", "model.h5", "-o", "same.json", "--compas", other, says=["--compas", "is the file of --out"])
        self.scree("joints", "model.h5", "-o", "one.json", "--compas", "two.json")
        (self.folder / "link.json").symlink_to("one.json")
        self.refuse("joints", "model.h5", "--force", "-o", "one.json", "--compas", "link.json", says=["--compas", "is the file of --out"])

    def test_a_frame_for_compas_has_its_own_places(self):
        """Free fall: the transformation of frame k is down by h^2 g k^2 / 2 of its steps."""
        far = obj([("base", box((0, 0, 0), (1, 1, 1))), ("top", box((0, 0, 3), (1, 1, 1))), ("other", box((0, 0, 1), (1, 1, 1)))])
        self.run_model(far, "base", end=0.2, dt=0.002)
        down = []
        for frame in (2, -1):
            found = self.joints("--frame", frame, "--compas", "back.json")
            graph = json.loads((self.folder / "back.json").read_text())["data"]["graph"]["data"]
            down.append(graph["node"]["1"]["transformation"][2][3])
            self.assertAlmostEqual(down[-1], -0.5 * G * found["time [s]"] ** 2, delta=1e-5)
        self.assertLess(down[1], 2 * down[0])


if __name__ == "__main__":
    program.main()
