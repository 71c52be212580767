"""Runs inside Yade, with the job in $PEERS_JOB: bodies of a start, steps of Yade's polyhedra, a
trace (model.py).

Polyhedra there repel with a force proportional to the volume of their overlap, `stiffness` [N/m3]
times it; one contact a pair. A *step* of the trace is `dt` long, as long as one of the codes that
solve contacts, and holds many of Yade's.
"""
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(os.environ["PEERS_CODE"])))
import numpy
from yade import *  # what scripts of Yade are given without a word
from yade import polyhedra_utils, utils

from model import Recorder, Start, product, rotations


def conjugate(q):
    return q * numpy.array([1.0, -1.0, -1.0, -1.0])


def four(quaternion):
    return numpy.array([quaternion[3], quaternion[0], quaternion[1], quaternion[2]])


def add_bodies(start, material):
    """Yade turns each body to its principal axes: returns the bodies and these turns."""
    for plane in start.planes:
        axis = int(numpy.argmax(abs(plane[:3])))
        sense = int(numpy.sign(plane[axis]))
        assert abs(plane[axis]) == 1.0, "planes across the axes only"
        O.bodies.append(utils.wall(sense * plane[3], axis=axis, sense=sense, material=material))
    bodies, turns, shapes = [], [], start.shapes()
    for i, shape in enumerate(start.shape_of):
        body = polyhedra_utils.polyhedra(material, v=[tuple(vertex) for vertex in shapes[shape]])
        turns.append(four(body.state.ori))
        ori = product(start.q[i], turns[-1])
        rotation = rotations(start.q[i])
        body.state.pos = tuple(start.x[i])
        body.state.ori = Quaternion(*ori)
        body.state.vel = tuple(start.v[i, :3])
        body.state.angVel = tuple(rotation @ start.v[i, 3:])
        body.state.angMom = tuple(rotation @ start.inertia[i] @ start.v[i, 3:])
        assert (
            abs(body.state.mass - start.mass[i]) < 1e-6 * start.mass[i]
        ), "Yade finds another mass"
        O.bodies.append(body)
        bodies.append(body)
    return bodies, numpy.array(turns)


def state_of(bodies, turns):
    x = numpy.array([tuple(body.state.pos) for body in bodies])
    q = product(numpy.array([four(body.state.ori) for body in bodies]), conjugate(turns))
    spin = numpy.array([tuple(body.state.angVel) for body in bodies])
    spin = numpy.einsum("nji,nj->ni", rotations(q), spin)
    return x, q, numpy.hstack([numpy.array([tuple(body.state.vel) for body in bodies]), spin])


class Impulses:
    """Sums over Yade's steps, contact by contact; point and normal are means, weighted with the
    size of the impulse."""

    def __init__(self, planes):
        self.planes, self.sums = planes, {}

    def add(self, dt):
        for contact in O.interactions:
            geometry, physics = contact.geom, contact.phys
            impulse = numpy.array(physics.normalForce + physics.shearForce) * dt
            size = numpy.linalg.norm(impulse)
            if size == 0.0:
                continue
            total = self.sums.setdefault(
                (contact.id1, contact.id2), [numpy.zeros(3), numpy.zeros(3), numpy.zeros(3), 0.0]
            )
            total[0] += size * numpy.array(geometry.contactPoint)
            total[1] += size * numpy.array(geometry.normal)
            total[2] += impulse
            total[3] += size

    def columns(self):
        rows = [
            (
                max(a - self.planes, -1),
                b - self.planes,
                s[0] / s[3],
                s[1] / numpy.linalg.norm(s[1]),
                s[2],
            )
            for (a, b), s in self.sums.items()
        ]
        rows = [row if row[1] >= 0 else (-1, row[0], row[2], -row[3], -row[4]) for row in rows]
        return tuple(zip(*rows)) if rows else ([], [], [], [], [])


def main():
    with open(os.environ["PEERS_JOB"]) as file:
        job = json.load(file)
    start = Start(job["start"])
    # Two equal materials make a contact of half their `young` [N/m3]
    # (Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys).
    material = PolyhedraMat(
        young=2 * job["stiffness"],
        poisson=0.2,
        density=2300,
        frictionAngle=float(numpy.arctan(start.mu)),
    )
    O.materials.append(material)
    bodies, turns = add_bodies(start, material)
    size = min(numpy.ptp(vertices, axis=0).min() for vertices in start.shapes())
    O.engines = [
        ForceResetter(),
        InsertionSortCollider([Bo1_Polyhedra_Aabb(), Bo1_Wall_Aabb()], verletDist=0.05 * size),
        InteractionLoop(
            [Ig2_Wall_Polyhedra_PolyhedraGeom(), Ig2_Polyhedra_Polyhedra_PolyhedraGeom()],
            [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()],
            [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()],
        ),
        NewtonIntegrator(damping=job["damping"], gravity=(0, 0, -9.81), exactAsphericalRot=True),
    ]
    many = max(1, round(job["dt"] / job["explicit_dt"]))
    O.dt = job["dt"] / many
    recorder = Recorder()
    for _ in range(job["warm_up"]):
        O.run(many, True)
    recorder.state(*state_of(bodies, turns))
    for _ in range(job["steps"]):
        begin = time.perf_counter()
        O.run(many, True)
        recorder.seconds.append(time.perf_counter() - begin)
        recorder.step_contacts([], [], [], [], [])
        recorder.state(*state_of(bodies, turns))
    for _ in range(job["summed_steps"]):  # one by one, so not timed
        impulses = Impulses(len(start.planes))
        for _ in range(many):
            O.step()
            impulses.add(O.dt)
        recorder.step_contacts(*impulses.columns())
        recorder.state(*state_of(bodies, turns))
    recorder.save(job["trace"], explicit_dt=O.dt, explicit_steps=many)
    sys.stdout.flush()
    os._exit(0)  # Yade's own end waits for its windows


main()
