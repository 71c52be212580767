"""How deep bodies lie in each other: separating axes of convex polyhedra, all of them, in double
precision."""
import numpy

from model import rotations


def unique_directions(vectors):
    """One of each line."""
    vectors = vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
    kept = []
    for vector in vectors:
        if not any(abs(vector @ other) > 1 - 1e-12 for other in kept):
            kept.append(vector)
    return numpy.array(kept)


def directions(vertices, faces):
    """Normals of the faces and directions of the edges."""
    normals, edges = [], []
    for face in faces:
        ring = vertices[face]
        normals.append(
            sum(
                numpy.cross(ring[i] - ring[0], ring[i + 1] - ring[0])
                for i in range(1, len(face) - 1)
            )
        )
        edges += list(numpy.roll(ring, -1, axis=0) - ring)
    return unique_directions(numpy.array(normals)), unique_directions(numpy.array(edges))


def pair_depth(vertices_a, axes_a, vertices_b, axes_b):
    """Least translation that parts the two [m]; at most 0 when they are apart."""
    crossed = numpy.cross(axes_a[1][:, None, :], axes_b[1][None, :, :]).reshape(-1, 3)
    depth = numpy.inf
    for axes in (axes_a[0], axes_b[0], crossed):
        length = numpy.linalg.norm(axes, axis=1)
        axes = axes[length > 1e-9] / length[length > 1e-9][:, None]
        on_a, on_b = vertices_a @ axes.T, vertices_b @ axes.T
        along = numpy.minimum(
            on_a.max(axis=0) - on_b.min(axis=0), on_b.max(axis=0) - on_a.min(axis=0)
        )
        depth = min(depth, along.min(initial=numpy.inf))
        if depth <= 0:
            break
    return depth


def near_pairs(x, radius):
    """Pairs whose bounding balls meet."""
    pairs, order = [], numpy.argsort(x[:, 0])
    x, radius, reach = x[order], radius[order], 2 * radius.max()
    for i in range(len(x)):
        last = numpy.searchsorted(x[:, 0], x[i, 0] + reach)
        others = numpy.arange(i + 1, last)
        near = numpy.sum((x[others] - x[i]) ** 2, axis=1) < (radius[others] + radius[i]) ** 2
        pairs += [(order[i], order[j]) for j in others[near]]
    return pairs


def overlaps(start, x, q):
    """Depths [m] of all pairs of bodies, and of bodies and planes, that overlap."""
    shapes, rotation = start.shapes(), rotations(q)
    own = [directions(vertices, faces) for vertices, faces in zip(shapes, start.shape_faces())]
    radius = numpy.array([numpy.linalg.norm(vertices, axis=1).max() for vertices in shapes])[
        start.shape_of
    ]
    world = [shapes[s] @ rotation[i].T + x[i] for i, s in enumerate(start.shape_of)]
    axes = [
        (own[s][0] @ rotation[i].T, own[s][1] @ rotation[i].T) for i, s in enumerate(start.shape_of)
    ]
    depths = [pair_depth(world[i], axes[i], world[j], axes[j]) for i, j in near_pairs(x, radius)]
    for nx, ny, nz, offset in start.planes:
        depths += [offset - (vertices @ (nx, ny, nz)).min() for vertices in world]
    depths = numpy.array(depths)
    return depths[depths > 0]
