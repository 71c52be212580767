"""Bodies, shapes and motion as every code is given them, read from a result file of scree. numpy
only.

A *start* is a file .npz: mass [kg], inertia [N,3,3] and the vertices of each shape in the body's
own axes, about its centre of mass; x, q (w, x, y, z) and v (velocity in world axes, spin in the
body's axes); planes, each (normal, offset): the solid is normal . x <= offset. Every body moves
freely and is convex; what stands still is a plane.

A *trace* is what a code hands back, a file .npz too: `seconds` of each step measured; x, q, v at
the start of the window and after each of its steps; and the contacts of these steps: `begin` [steps
+ 1], body `a` (-1: a plane) and `b`, point, normal from a to b, impulse on b over the step in world
axes.
"""
import numpy

GRAVITY = numpy.array([0.0, 0.0, -9.81])


def read_start(path, out, frame=-1):
    """Writes the start that a frame of a result file is."""
    import h5py  # not in here for codes that bring a Python without it

    with h5py.File(path) as file:
        moving = numpy.flatnonzero(file["bodies/mass"][()] > 0)
        shape_of, kinds = file["bodies/shape"][()], {}
        planes = []
        for body in numpy.flatnonzero(file["bodies/mass"][()] == 0):
            shape = file[f"shapes/{shape_of[body]}"]
            kind = shape["kind"][()].decode()
            assert (
                kind == "half_space"
            ), f"{path}: a fixed body is a {kind}; only planes are given to other codes"
            normal = shape["normal"][()]
            offset = shape["offset"][()] + normal @ file["frames/position"][frame, body]
            planes.append([*normal, offset])
        used = sorted(set(shape_of[moving]))
        shapes = []
        for index in used:
            shape = file[f"shapes/{index}"]
            begin, faces = shape["face_begin"][()], shape["faces"][()]
            kinds[index] = shape["kind"][()].decode()
            assert kinds[index] in (
                "box",
                "polyhedron",
            ), f"{path}: a moving body is a {kinds[index]}"
            shapes.append((shape["vertices"][()], [faces[a:b] for a, b in zip(begin, begin[1:])]))
        mu, e = file["materials/mu"][()], file["materials/e"][()]
        last = (
            frame in (-1, file["frames/position"].shape[0] - 1)
            and "last_velocity" in file["frames"]
        )
        velocity = file["frames/last_velocity"][()] if last else file["frames/velocity"][frame]
        start = {
            "mass": file["bodies/mass"][()][moving],
            "inertia": file["bodies/inertia"][()][moving],
            "shape_of": numpy.searchsorted(used, shape_of[moving]),
            "planes": numpy.array(planes),
            "is_box": numpy.array([kinds[index] == "box" for index in used]),
            "vertices": numpy.concatenate([vertices for vertices, _ in shapes]),
            "vertex_begin": numpy.cumsum([0] + [len(vertices) for vertices, _ in shapes]),
            "faces": numpy.concatenate([face for _, faces in shapes for face in faces]),
            "face_begin": numpy.cumsum([0] + [len(face) for _, faces in shapes for face in faces]),
            "shape_face_begin": numpy.cumsum([0] + [len(faces) for _, faces in shapes]),
            "x": file["frames/position"][frame][moving],
            "q": file["frames/orientation"][frame][moving],
            "v": velocity[moving].astype(float),
            "mu": mu[0, 0],
            "e": e[0, 0],
            "scree_index": moving,
        }
    numpy.savez(out, **start)


class Start:
    """A start, read from its file."""

    def __init__(self, path):
        with numpy.load(path) as file:
            self.__dict__.update({name: file[name] for name in file.files})
        self.mu, self.e = float(self.mu), float(self.e)

    def shapes(self):
        """Vertices of each shape."""
        return [self.vertices[a:b] for a, b in zip(self.vertex_begin, self.vertex_begin[1:])]

    def shape_faces(self):
        """Faces of each shape, lists of indices of its vertices, counter-clockwise from outside."""
        faces = [self.faces[a:b] for a, b in zip(self.face_begin, self.face_begin[1:])]
        return [faces[a:b] for a, b in zip(self.shape_face_begin, self.shape_face_begin[1:])]


def rotations(q):
    """Matrices of quaternions [..., 4]."""
    w, x, y, z = numpy.moveaxis(q / numpy.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    return numpy.stack(
        [
            1 - 2 * (y * y + z * z),
            2 * (x * y - z * w),
            2 * (x * z + y * w),
            2 * (x * y + z * w),
            1 - 2 * (x * x + z * z),
            2 * (y * z - x * w),
            2 * (x * z - y * w),
            2 * (y * z + x * w),
            1 - 2 * (x * x + y * y),
        ],
        axis=-1,
    ).reshape(q.shape[:-1] + (3, 3))


def product(p, q):
    """Of quaternions [..., 4]."""
    a, b, c, d = numpy.moveaxis(p, -1, 0)
    w, x, y, z = numpy.moveaxis(q, -1, 0)
    return numpy.stack(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ],
        axis=-1,
    )


class Recorder:
    """Collects a trace."""

    def __init__(self):
        self.seconds, self.states, self.contacts = [], [], []

    def state(self, x, q, v):
        self.states.append(
            [numpy.array(x, dtype=float), numpy.array(q, dtype=float), numpy.array(v, dtype=float)]
        )

    def step_contacts(self, a, b, point, normal, impulse):
        """Of the step whose end is the next state."""
        self.contacts.append((a, b, point, normal, impulse))

    def save(self, path, **more):
        columns = list(zip(*self.contacts)) or [[], [], [], [], []]
        shaped = [
            numpy.concatenate(
                [numpy.asarray(part, dtype=kind).reshape((-1,) + shape) for part in column]
                or [numpy.zeros((0,) + shape)]
            )
            for column, kind, shape in zip(
                columns, (int, int, float, float, float), ((), (), (3,), (3,), (3,))
            )
        ]
        x, q, v = (numpy.array(part) for part in zip(*self.states))
        numpy.savez(
            path,
            seconds=numpy.array(self.seconds),
            x=x,
            q=q,
            v=v,
            begin=numpy.cumsum([0] + [len(contacts[0]) for contacts in self.contacts]),
            **dict(zip(("a", "b", "point", "normal", "impulse"), shaped)),
            **more,
        )
