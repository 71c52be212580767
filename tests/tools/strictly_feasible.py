"""Whether a contact problem has a velocity strictly inside all dual cones: if so it has a solution.

usage: strictly_feasible.py FILE.hdf5 ...

For each FCLIB file (global form) the largest s is sought for which some v has

    u = H^T v + w,   u_N - s >= mu |u_T|   at every contact,   |v|_M <= R,

by a barrier method of its own: nothing here knows the solver. s > 0: a solution exists. s < 0 for large R:
there is no velocity in all dual cones, so impulses in the friction cones move nothing and are asked for more.
"""
import sys

import h5py
import numpy


def matrix(group):
    rows, columns, nz = (int(group[name][0]) for name in ("m", "n", "nz"))
    dense = numpy.zeros((rows, columns))
    i, p, x = group["i"][:], group["p"][:], group["x"][:]
    if nz >= 0:
        numpy.add.at(dense, (i[:nz], p[:nz]), x[:nz])
        return dense
    for outer in range(len(p) - 1):
        for k in range(p[outer], p[outer + 1]):
            dense[(i[k], outer) if nz == -1 else (outer, i[k])] += x[k]
    return dense


def read(path):
    """M [dofs, dofs], A [3 contacts, dofs], w [3 contacts], mu [contacts]; (n, t, s) at each contact."""
    with h5py.File(path, "r") as file:
        group = file["fclib_global"]
        return matrix(group["M"]), matrix(group["H"]).T, group["vectors/w"][:], group["vectors/mu"][:]


def margin(M, A, w, mu, largest=None):
    """The largest s [m/s], to a thousandth of the velocities of the problem; `largest`: R [sqrt(kg) m/s]."""
    n, dofs = len(mu), A.shape[1]
    root = numpy.linalg.cholesky(M).T        # |root v| = |v|_M
    B = numpy.linalg.solve(root.T, A.T).T    # u = B y + w, y = root v
    scale = numpy.abs(w).max() or 1.0        # of u and y, from here on
    w = w / scale
    R = largest / scale if largest else 1e3 / numpy.abs(B).max()

    def cones(z):
        u = (B @ z[:dofs] + w).reshape(n, 3)
        return u[:, 0] - z[dofs], mu[:, None] * u[:, 1:]

    def barrier(z, t):
        a, q = cones(z)
        inside = a * a - (q * q).sum(axis=1)
        ball = R * R - z[:dofs] @ z[:dofs]
        if (a <= 0).any() or (inside <= 0).any() or ball <= 0:
            return numpy.inf
        return -t * z[dofs] - numpy.log(inside).sum() - numpy.log(ball)

    z = numpy.zeros(dofs + 1)
    u = w.reshape(n, 3)
    z[dofs] = (u[:, 0] - mu * numpy.hypot(u[:, 1], u[:, 2])).min() - 1.0
    normal, tangent = B[0::3], numpy.stack([B[1::3], B[2::3]], axis=1) * mu[:, None, None]
    t = 1.0
    while True:
        for _ in range(100):
            a, q = cones(z)
            inside, ball = a * a - (q * q).sum(axis=1), R * R - z[:dofs] @ z[:dofs]
            # d inside / dz of each cone; a falls by 1 with s.
            da = numpy.hstack([normal, -numpy.ones((n, 1))])
            dq = numpy.concatenate([tangent, numpy.zeros((n, 2, 1))], axis=2)
            slope = 2 * (a[:, None] * da - numpy.einsum("ci,cid->cd", q, dq))
            gradient = -(slope / inside[:, None]).sum(axis=0)
            gradient[dofs] -= t
            gradient[:dofs] += 2 * z[:dofs] / ball
            hessian = numpy.einsum("cd,ce->de", slope / inside[:, None], slope / inside[:, None])
            hessian -= 2 * (numpy.einsum("c,cd,ce->de", 1 / inside, da, da) - numpy.einsum("c,cid,cie->de", 1 / inside, dq, dq))
            hessian[:dofs, :dofs] += 2 * numpy.eye(dofs) / ball + 4 * numpy.outer(z[:dofs], z[:dofs]) / ball ** 2
            step = numpy.linalg.lstsq(hessian, -gradient, rcond=None)[0]
            decrement = -gradient @ step
            if decrement < 1e-8:
                break
            length, now = 1.0, barrier(z, t)
            while length > 1e-12 and not barrier(z + length * step, t) <= now - 0.1 * length * decrement:
                length *= 0.5
            if length <= 1e-12:
                break
            z = z + length * step
        if 2.0 * (n + 1) / t < 1e-3:   # the gap to the largest s is at most the number of barriers over t
            return z[dofs] * scale
        t *= 8.0


def main(paths):
    for path in paths:
        s = margin(*read(path))
        print(f"{path}: margin {s:.3e} m/s, " + ("strictly inside the dual cones: a solution exists" if s > 0 else "no velocity strictly inside all dual cones"))


if __name__ == "__main__":
    main(sys.argv[1:])
