"""What a step of any code is worth, computed here from its poses, velocities and contact impulses
alone."""
import numpy

from model import GRAVITY, rotations


def cross_matrix(r):
    zero = numpy.zeros(len(r))
    x, y, z = r.T
    return numpy.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)


class World:
    """Masses, inertias and poses of the bodies at the start of a step, and one body that never
    moves, the last, for planes."""

    def __init__(self, start, x, q):
        still = len(start.mass)
        rotation = rotations(q)
        self.rotation = rotation
        self.inertia = rotation @ start.inertia @ rotation.transpose(0, 2, 1)
        self.x = numpy.vstack([x, numpy.zeros((1, 3))])
        self.inverse_mass = numpy.append(1 / start.mass, 0.0)
        self.inverse_inertia = numpy.concatenate(
            [numpy.linalg.inv(self.inertia), numpy.zeros((1, 3, 3))]
        )
        self.still = still

    def spins(self, v):
        return numpy.einsum("nij,nj->ni", self.rotation, v[:, 3:])


def proj_cone(p, normal, mu):
    """Nearest point of Coulomb's cone about each normal."""
    along = numpy.einsum("ci,ci->c", p, normal)
    across = p - along[:, None] * normal
    size = numpy.linalg.norm(across, axis=1)
    inside, polar = size <= mu * along, mu * size <= -along
    height = (along + mu * size) / (1 + mu * mu)
    direction = across / numpy.maximum(size, 1e-300)[:, None]
    projected = height[:, None] * (normal + mu * direction)
    projected[inside] = p[inside]
    projected[polar & ~inside] = 0.0
    return projected


def relative_velocity(linear, spin, world, a, b, point):
    def at(body):
        return linear[body] + numpy.cross(spin[body], point - world.x[body])

    return at(b) - at(a)


def step_residual(start, x, q, v, v_end, contacts):
    """(residual, velocity error [m/s]) of the contact problem of one step, from state (x, q, v) to
    velocities v_end.

    Residual: norm of the natural map p - proj_K(p - rho u~) over all contacts, rho = 3 /
    trace(W_cc), divided by norm(p); u~ = u_N + e u_N,start + mu |u_T| along the normal, u_T across.
    It is scree's `scaled` for the law of Newton. Velocity error: root mean square of the natural
    map over rho. Spins of the end are taken in the body's axes, as methods of Moreau and Jean have
    them; momentum_defect says whether impulses and velocities belong together.
    """
    a, b, point, normal, impulse = contacts
    world = World(start, x, q)
    a = numpy.where(a < 0, world.still, a)

    def velocity(motion):
        linear, spin = numpy.zeros((2, world.still + 1, 3))
        linear[:-1], spin[:-1] = motion[:, :3], world.spins(motion)
        return relative_velocity(linear, spin, world, a, b, point)

    before, after = velocity(v), velocity(v_end)
    trace = numpy.zeros(len(b))
    for body in (a, b):
        arm = cross_matrix(point - world.x[body])
        trace += 3 * world.inverse_mass[body] + numpy.einsum(
            "cij,cjk,cik->c", arm, world.inverse_inertia[body], arm
        )
    along = numpy.einsum("ci,ci->c", after, normal)
    across = after - along[:, None] * normal
    modified = (
        along
        + start.e * numpy.einsum("ci,ci->c", before, normal)
        + start.mu * numpy.linalg.norm(across, axis=1)
    )
    rho = (3 / trace)[:, None]
    error = impulse - proj_cone(
        impulse - rho * (across + modified[:, None] * normal), normal, start.mu
    )
    size = numpy.linalg.norm(impulse)
    rms = numpy.sqrt(numpy.mean(numpy.sum((error / rho) ** 2, axis=1)))
    return (
        numpy.linalg.norm(error) / size if size > 0 else float("inf") if error.any() else 0.0
    ), rms


def momentum_defect(start, v, v_end, contacts, h):
    """|M (v_end - v) - h f - H^T p| over |H^T p|, linear momentum: whether the impulses are those
    that moved the bodies."""
    a, b, _, _, impulse = contacts
    push = numpy.zeros((len(start.mass) + 1, 3))
    numpy.add.at(push, b, impulse)
    numpy.add.at(push, numpy.where(a < 0, len(start.mass), a), -impulse)
    push = push[:-1]
    change = start.mass[:, None] * (v_end[:, :3] - v[:, :3] - h * GRAVITY)
    return numpy.linalg.norm(change - push) / max(numpy.linalg.norm(push), 1e-300)


def energy(start, x, v):
    """Kinetic and potential [J]."""
    spin = numpy.einsum("ni,nij,nj->", v[:, 3:], start.inertia, v[:, 3:])
    return (
        0.5 * start.mass @ numpy.sum(v[:, :3] ** 2, axis=1)
        + 0.5 * spin
        - start.mass @ (x @ GRAVITY)
    )


def energy_created(start, xs, vs):
    """[m] height by which all rises of the energy, from one state to the next, would lift all
    bodies. Nothing drives them, so a rise is created, or, in a code with springs, given back by
    them."""
    energies = numpy.array([energy(start, x, v) for x, v in zip(xs, vs)])
    return numpy.maximum(numpy.diff(energies), 0.0).sum() / (start.mass.sum() * -GRAVITY[2])
