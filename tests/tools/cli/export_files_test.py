"""Exported files read by readers that are not ours, against the result file.

usage: export_files_test.py SCREE [unittest options]

With VTK's Python package (Debian: python3-vtk9) its own readers open the files too.
"""
import base64
import csv
import importlib.util
import json
import pathlib
import struct
import subprocess
import xml.etree.ElementTree

import h5py
import numpy

import program

SCENE = """
title = "A block slides, a ball appears"

[world]
origin = [2600000, 1200000, 500]

[time]
dt = 0.001
end = 0.3

[output]
frames_per_second = 50

""" + program.ground("stone", 2500, 0.5, 0.2) + """
[[body]]
name = "block, the \\"first\\""
kind = "box"
sides = [0.4, 0.6, 0.2]
material = "stone"
position = [0, 0, 0.1]
velocity = [2, 0, 0]

[[body]]
name = "tumbling"
kind = "convex"
vertices = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3], [1, 1, 1]]
material = "stone"
position = [5, 0, 2]
angular_velocity = [3, 2, 1]

[[body]]
name = "late"
kind = "sphere"
radius = 0.3
material = "stone"
position = [0, 3, 1]
appears_at = 0.1
"""


def read_obj(path):
    """{name: (points, faces)}, faces with indices into the object's own points."""
    objects, count = {}, 0
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "o":
            points, faces = objects.setdefault(rest, ([], []))
            first = count
        elif word == "v":
            points.append([float(number) for number in rest.split()])
            count += 1
        elif word == "f":
            faces.append([int(number) - 1 - first for number in rest.split()])
    return {name: (numpy.array(points), faces) for name, (points, faces) in objects.items()}


def volume(points, faces):
    """By the divergence theorem: positive when faces are counter-clockwise from outside."""
    p = points - points.mean(axis=0)
    return sum(numpy.dot(p[f[0]], numpy.cross(p[f[i]], p[f[i + 1]])) for f in faces for i in range(1, len(f) - 1)) / 6


def read_glb(path):
    data = path.read_bytes()
    magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
    size_binary, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0" and 28 + size + size_binary == len(data)
    return json.loads(data[20:20 + size]), data[28 + size:]


def accessor(gltf, binary, index):
    item = gltf["accessors"][index]
    view = gltf["bufferViews"][item["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[item["type"]]
    numbers = numpy.frombuffer(binary, "<f4", item["count"] * width, view["byteOffset"])
    return numbers.reshape(-1, width) if width > 1 else numbers


def read_vtp(path):
    types = {"Float64": "<f8", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1"}
    root = xml.etree.ElementTree.parse(path).getroot()
    assert root.attrib["type"] == "PolyData" and root.attrib["header_type"] == "UInt64"
    arrays = {}
    for item in root.iter("DataArray"):
        data = base64.b64decode(item.text, validate=True)
        assert struct.unpack_from("<Q", data)[0] == len(data) - 8
        values = numpy.frombuffer(data, types[item.attrib["type"]], offset=8)
        width = int(item.attrib["NumberOfComponents"])
        arrays.setdefault(item.attrib["Name"], values.reshape(-1, width) if width > 1 else values)
    return arrays, root.find(".//Piece").attrib


def khronos_report(path):
    """What Khronos' own validator (tests/third_party) says about a file."""
    script = pathlib.Path(__file__).resolve().with_name("gltf_issues.cjs")
    return json.loads(subprocess.run(["node", script, path], check=True, stdout=subprocess.PIPE, text=True).stdout)


def vtk_steps(path):
    """Every step of a temporal file as VTK 9.3 or newer reads it: time, points, data of cells."""
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    information, key = reader.GetOutputInformation(0), vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    for time in [information.Get(key, i) for i in range(information.Length(key))]:
        reader.UpdateTimeStep(time)
        grid = reader.GetOutput()
        arrays = [grid.GetCellData().GetArray(i) for i in range(grid.GetCellData().GetNumberOfArrays())]
        yield time, vtk_to_numpy(grid.GetPoints().GetData()).copy(), {a.GetName(): vtk_to_numpy(a).copy() for a in arrays}


class Case(program.RunCase):
    SCENE = SCENE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with h5py.File(cls.folder / "run.h5") as file:
            cls.names = [name.decode() for name in file["bodies/name"][()]]
            cls.frames = {name: file["frames"][name][()] for name in ("time", "position", "orientation", "velocity", "active")}
            cls.contacts = {name: item[()] for name, item in file["frames/contacts"].items()}
            cls.mass = file["bodies/mass"][()]
            cls.ledger = {name: item[()] for name, item in file["ledger"].items()}
        cls.last = len(cls.frames["time"]) - 1

    def export(self, name, *arguments):
        self.scree("export", "run.h5", "-o", name, "--force", *arguments)
        return self.folder / name


class Written(Case):
    def test_obj_has_closed_bodies_at_their_places(self):
        objects = read_obj(self.export("run.obj"))
        self.assertEqual(list(objects), [name.replace(" ", "_") for name in self.names])
        for index in (1, 2):   # polyhedra: volume is mass over density, to the digits of coordinates of 2.6e6 m
            points, faces = list(objects.values())[index]
            self.assertAlmostEqual(volume(points, faces), self.mass[index] / 2500, delta=1e-7)
        points, faces = objects["late"]
        self.assertTrue(numpy.allclose(numpy.linalg.norm(points - self.frames["position"][-1, 3], axis=1), 0.3, atol=1e-8))
        self.assertTrue(0.95 < volume(points, faces) / (self.mass[3] / 2500) < 1.0)   # facets cut a few per cent off a sphere
        self.assertEqual(len(read_obj(self.export("first.obj", "--frame", "0"))), 3)  # the ball is not there yet
        ground, faces = objects["ground"]
        self.assertTrue(numpy.all(ground[:, 2] == 500.0))
        normal = numpy.cross(ground[faces[0][1]] - ground[faces[0][0]], ground[faces[0][2]] - ground[faces[0][1]])
        self.assertGreater(normal[2], 0)

    def test_gltf_moves_nodes_as_the_run_moved_bodies(self):
        gltf, binary = read_glb(self.export("run.glb"))
        nodes = gltf["nodes"]
        root = nodes[gltf["scenes"][0]["nodes"][0]]
        self.assertEqual([nodes[child]["name"] for child in root["children"]], self.names)
        origin = numpy.array(root["extras"]["origin"])
        animation, seen = gltf["animations"][0], {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            numpy.testing.assert_allclose(accessor(gltf, binary, sampler["input"]), self.frames["time"], atol=1e-7)
            target = nodes[channel["target"]["node"]]["name"], channel["target"]["path"]
            seen[target] = accessor(gltf, binary, sampler["output"])
        for index in (1, 2, 3):   # single precision over some hundred metres from the file's origin
            numpy.testing.assert_allclose(seen[self.names[index], "translation"] + origin, self.frames["position"][:, index], atol=1e-4)
        turned = seen["tumbling", "rotation"][:, [3, 0, 1, 2]]
        self.assertTrue(numpy.allclose(numpy.abs((turned * self.frames["orientation"][:, 2]).sum(axis=1)), 1, atol=1e-6))
        self.assertTrue(numpy.all((turned[1:] * turned[:-1]).sum(axis=1) > 0))
        numpy.testing.assert_array_equal(seen["late", "scale"][:, 0], self.frames["active"][:, 3])
        self.assertNotIn(("ground", "translation"), seen)

    def test_gltf_of_a_periodic_world_has_no_flights_across_the_cell(self):
        """Between any two moments but the two of a jump a body goes no farther than along its path, and the film of it is that path in the cell."""
        program.scree("example", "shear_cell", cwd=self.folder)
        program.scree("run", "shear_cell.toml", "--t-end", "0.03", "--force", cwd=self.folder)
        program.scree("export", "shear_cell.h5", "-o", "cell.glb", "--force", cwd=self.folder)
        gltf, binary = read_glb(self.folder / "cell.glb")
        with h5py.File(self.folder / "shear_cell.h5") as file:
            position, image, time = (file[f"frames/{name}"][()] for name in ("position", "image", "time"))
            period = file["settings"].attrs["periodic"]
        path = position + image * period
        gone, animation = 0, gltf["animations"][0]
        for channel in animation["channels"]:
            if channel["target"]["path"] != "translation":
                continue
            sampler, body = animation["samplers"][channel["sampler"]], channel["target"]["node"] - 1
            moments, places = (accessor(gltf, binary, sampler[end]) for end in ("input", "output"))
            self.assertTrue((numpy.diff(moments) > 0).all())
            at = numpy.searchsorted(moments, time.astype(numpy.float32))
            numpy.testing.assert_allclose(places[at], position[:, body], atol=1e-8)
            longest = numpy.abs(numpy.diff(path[:, body], axis=0)).max()
            ways = numpy.abs(numpy.diff(places, axis=0)).max(axis=1)
            jumps = numpy.diff(moments) < 1e-7
            self.assertLessEqual(ways[~jumps].max(), longest + 1e-7)
            self.assertEqual(jumps.sum(), (numpy.diff(image[:, body], axis=0) != 0).any(axis=1).sum())
            gone += jumps.sum()
        self.assertGreater(gone, 50)

    def test_gltf_passes_the_validator_of_khronos(self):
        for name in ("run.glb", "one.glb"):
            found = khronos_report(self.export(name, *(["--frame", "2"] if name == "one.glb" else [])))
            self.assertEqual(found["issues"]["messages"], [])
            self.assertEqual(found["info"].get("animationCount", 0), 1 if name == "run.glb" else 0)
        # It does look: a file whose first mesh points to an accessor that does not exist.
        data = (self.folder / "run.glb").read_bytes()
        (self.folder / "bad.glb").write_bytes(data.replace(b'"POSITION":', b'"POSITION":9', 1))
        self.assertGreater(khronos_report(self.folder / "bad.glb")["issues"]["numErrors"], 0)

    def test_gltf_meshes_are_closed_and_bounded(self):
        gltf, binary = read_glb(self.export("run.glb"))
        block = gltf["meshes"][gltf["nodes"][2]["mesh"]]["primitives"][0]["attributes"]
        corners, normals = accessor(gltf, binary, block["POSITION"]), accessor(gltf, binary, block["NORMAL"])
        self.assertEqual(len(corners), 36)   # a box: twelve triangles
        limits = gltf["accessors"][block["POSITION"]]
        numpy.testing.assert_array_equal(corners.max(axis=0), numpy.array(limits["max"], "f4"))
        numpy.testing.assert_allclose(limits["max"], [0.2, 0.3, 0.1], rtol=1e-6)
        self.assertTrue(numpy.all((corners * normals).sum(axis=1) > 0))   # outward

    def test_vtkhdf_keeps_to_the_published_layout(self):
        path, objects = self.export("run.vtkhdf"), read_obj(self.export("last.obj"))
        with h5py.File(path) as file:
            grid = file["VTKHDF"]
            self.assertEqual((list(grid.attrs["Version"]), grid.attrs["Type"]), ([2, 0], b"UnstructuredGrid"))
            self.assertEqual(grid.attrs["Version"].dtype.kind, "i")
            kind = grid.attrs.get_id("Type").get_type()   # readers of VTK up to 9.2 want a fixed length and ASCII
            self.assertEqual((kind.is_variable_str(), kind.get_cset()), (False, h5py.h5t.CSET_ASCII))
            for name, of in (("Connectivity", "i"), ("Offsets", "i"), ("NumberOfPoints", "i"), ("NumberOfCells", "i"),
                             ("NumberOfConnectivityIds", "i"), ("Types", "u"), ("Points", "f")):
                self.assertEqual(grid[name].dtype.kind, of, name)
            steps, n = grid["Steps"], self.last + 1
            self.assertEqual(set(steps), {"Values", "PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets",
                                          "CellDataOffsets"})
            self.assertEqual(set(steps["CellDataOffsets"]), set(grid["CellData"]))
            self.assertEqual(len(grid["NumberOfPoints"]), 1)   # one part, which all steps share
            self.assertEqual(steps.attrs["NSteps"], n)
            numpy.testing.assert_array_equal(steps["Values"], self.frames["time"])
            points, cells = grid["NumberOfPoints"][0], grid["NumberOfCells"][0]
            self.assertEqual(grid["Points"].shape, (n * points, 3))
            self.assertEqual(grid["Offsets"].shape, (cells + 1,))
            self.assertEqual(grid["Offsets"][-1], grid["NumberOfConnectivityIds"][0])
            self.assertEqual(grid["Connectivity"].shape, (grid["NumberOfConnectivityIds"][0],))
            self.assertLess(grid["Connectivity"][()].max(), points)
            self.assertTrue(numpy.all(grid["Types"][()] == 7))
            numpy.testing.assert_array_equal(steps["PointOffsets"], numpy.arange(n) * points)
            for name in ("CellOffsets", "ConnectivityIdOffsets"):
                numpy.testing.assert_array_equal(steps[name], numpy.zeros((n, 1)))
            for name in ("PartOffsets", "CellDataOffsets/body"):
                numpy.testing.assert_array_equal(steps[name], numpy.zeros(n))
            numpy.testing.assert_array_equal(steps["NumberOfParts"], numpy.ones(n))
            numpy.testing.assert_array_equal(steps["CellDataOffsets/speed"], numpy.arange(n) * cells)
            at = steps["PointOffsets"][-1]
            numpy.testing.assert_array_equal(grid["Points"][at:at + points], numpy.concatenate([p for p, _ in objects.values()]))
            at = steps["CellDataOffsets/speed"][-1]
            body, speed = grid["CellData/body"][()], grid["CellData/speed"][at:at + cells]
            expected = numpy.linalg.norm(self.frames["velocity"][-1, :, :3], axis=1)[body]
            numpy.testing.assert_allclose(speed, expected, rtol=1e-14)
            self.check_arrays_of_bodies(grid["CellData"], cells, -1)

    def check_arrays_of_bodies(self, data, cells, frame):
        """Displacement, spin, mass and material of the body of each cell, with their units, in the last frame of the file."""
        units = {"speed": "m/s", "velocity": "m/s", "displacement": "m", "spin": "rad/s", "mass": "kg"}
        said = lambda name, what: (lambda text: text.decode() if isinstance(text, bytes) else text)(data[name].attrs[what])
        self.assertEqual({name: said(name, "unit") for name in units}, units)
        body = data["body"][()]
        moved = self.frames["position"][frame] - self.frames["position"][0]
        numpy.testing.assert_array_equal(data["displacement"][-cells:], moved[body])
        self.assertGreater(numpy.abs(moved).max(), 0.01)
        w, x, y, z = numpy.moveaxis(self.frames["orientation"][frame], -1, 0)
        turn = numpy.moveaxis(numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                                           [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                           [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]), (0, 1), (-2, -1))
        spin = numpy.einsum("ijk,ik->ij", turn, self.frames["velocity"][frame, :, 3:])
        self.assertGreater(numpy.abs(spin).max(), 0.01)
        numpy.testing.assert_allclose(data["spin"][-cells:], spin[body], rtol=0, atol=1e-13 * numpy.abs(spin).max())
        with h5py.File(self.folder / "run.h5") as run:
            numpy.testing.assert_array_equal(data["mass"][()], run["bodies/mass"][()][body])
            numpy.testing.assert_array_equal(data["material"][()], run["bodies/material"][()][body])
            names = [name.decode() if isinstance(name, bytes) else name for name in run["materials/name"][()]]
        self.assertEqual(said("material", "meaning"), "index of the material: " + ", ".join(f"{i} {name}" for i, name in enumerate(names)))

    def test_vtkhdf_of_one_frame_is_static(self):
        with h5py.File(self.export("one.vtkhdf", "--frame", "3")) as file:
            self.assertEqual(list(file["VTKHDF"].attrs["Version"]), [1, 0])
            self.assertNotIn("Steps", file["VTKHDF"])
            self.assertEqual(file["VTKHDF/Points"].shape[0], file["VTKHDF/NumberOfPoints"][0])
            self.check_arrays_of_bodies(file["VTKHDF/CellData"], file["VTKHDF/NumberOfCells"][0], 3)   # from the start of the run

    def test_paraview_files_hold_bodies_and_contact_forces(self):
        root = xml.etree.ElementTree.parse(self.export("run.pvd")).getroot()
        sets = [item.attrib for item in root.iter("DataSet")]
        self.assertEqual([float(item["timestep"]) for item in sets[::2]], list(self.frames["time"]))
        self.assertTrue(all((self.folder / item["file"]).exists() for item in sets))
        bodies, counts = read_vtp(self.folder / sets[-2]["file"])
        objects = read_obj(self.export("last.obj"))
        numpy.testing.assert_array_equal(bodies["points"], numpy.concatenate([points for points, _ in objects.values()]))
        self.assertEqual(int(counts["NumberOfPolys"]), sum(len(faces) for _, faces in objects.values()))
        contacts, counts = read_vtp(self.folder / sets[-1]["file"])
        begin, end = self.contacts["offset"][-2:]
        self.assertGreater(end, begin)
        self.assertEqual(int(counts["NumberOfVerts"]), end - begin)
        numpy.testing.assert_array_equal(contacts["impulse [N s]"], self.contacts["impulse_world"][begin:end])
        numpy.testing.assert_allclose(contacts["mean force [N]"], self.contacts["impulse_world"][begin:end] / 0.001, rtol=1e-14)

    def test_csv_keeps_every_digit(self):
        with self.export("bodies.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), (self.last + 1) * len(self.names))
        self.assertEqual([row["name"] for row in rows[:4]], self.names)
        self.assertEqual([float(row["z [m]"]) for row in rows], list(self.frames["position"][:, :, 2].ravel()))
        self.assertEqual([int(row["active"]) for row in rows], list(self.frames["active"].ravel()))
        with self.export("ledger.csv", "--table", "ledger").open(newline="") as file:
            rows = list(csv.DictReader(file))
        for name, values in self.ledger.items():
            unit = " [s]" if name == "time" else " [J]"
            self.assertEqual([float(row[name + unit]) for row in rows], list(values))
        with self.export("contacts.csv", "--table", "contacts").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["impulse z [N s]"]) for row in rows], list(self.contacts["impulse_world"][:, 2]))


class Refused(Case):
    def test_bad_input(self):
        self.refuse("export", "run.h5", "-o", "run.blend", says="unknown extension '.blend'; known: .png, .glb, .vtkhdf, .pvd, .csv, .obj")
        self.refuse("export", "scene.toml", "-o", "a.glb", says="scene.toml: is not an HDF5 file")
        self.refuse("export", "run.h5", "-o", "none/a.glb", says="the folder does not exist")
        self.refuse("export", "run.h5", "-o", "a.obj", "--frame", "999", says="frame: 999 is not one of the frames")
        self.refuse("export", "run.h5", "-o", "a.obj", "--times", "0,0.1", says="holds one frame")
        self.refuse("export", "run.h5", "-o", "scene.toml/a.csv", says="the folder does not exist")

    def test_run_without_frames_has_tables_of_steps_only(self):
        self.scree("run", "scene.toml", "--out", "bare.h5", "--no-frames", "--force")
        for extension in ("glb", "vtkhdf", "pvd", "csv", "obj", "png"):
            self.refuse("export", "bare.h5", "-o", f"a.{extension}", says="bare.h5: holds no frames")
        self.refuse("export", "bare.h5", "-o", "a.png", "--frame", "0", says="bare.h5: holds no frames")
        self.scree("export", "bare.h5", "-o", "bare.csv", "--table", "solver", "--force")


class WithVtk(Case):
    def test_readers_of_vtk_agree(self):
        import vtk
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(self.export("vtk.vtkhdf", "--frame", "-1")))
        reader.Update()
        grid = reader.GetOutput()
        polydata = vtk.vtkXMLPolyDataReader()
        self.export("vtk.pvd", "--frame", "-1")
        polydata.SetFileName(str(self.folder / "vtk" / f"bodies_{self.last:05}.vtp"))
        polydata.Update()
        surface = polydata.GetOutput()
        self.assertEqual(grid.GetNumberOfCells(), surface.GetNumberOfCells())
        self.assertEqual(grid.GetBounds(), surface.GetBounds())
        data = grid.GetCellData()
        self.assertEqual({data.GetArrayName(i) for i in range(data.GetNumberOfArrays())},
                         {"active", "body", "displacement", "mass", "material", "speed", "spin", "velocity"})
        self.assertEqual((data.GetArray("displacement").GetNumberOfComponents(), data.GetArray("mass").GetNumberOfComponents()), (3, 1))
        self.assertEqual(grid.GetCellData().GetArray("speed").GetRange(), surface.GetCellData().GetArray("speed [m/s]").GetRange())


    def test_vtk_reads_every_step(self):
        """With VTK 9.3 or newer, the first that knows steps; Debian 13 has it."""
        steps = list(vtk_steps(self.export("steps.vtkhdf")))
        self.assertEqual([time for time, _, _ in steps], list(self.frames["time"]))
        for frame, (_, points, cells) in enumerate(steps):
            objects = read_obj(self.export("one.obj", "--frame", str(frame)))
            there = numpy.concatenate([part for part, _ in objects.values()])
            if len(points) == len(there):   # .obj leaves out bodies that are not there yet
                numpy.testing.assert_array_equal(points, there)
            speed = numpy.linalg.norm(self.frames["velocity"][frame, :, :3], axis=1)
            numpy.testing.assert_allclose(cells["speed"], speed[cells["body"]], rtol=1e-14)


if importlib.util.find_spec("vtk") is None:
    del WithVtk
else:
    import vtk
    if (vtk.vtkVersion.GetVTKMajorVersion(), vtk.vtkVersion.GetVTKMinorVersion()) < (9, 3):
        del WithVtk.test_vtk_reads_every_step

if __name__ == "__main__":
    program.main()
