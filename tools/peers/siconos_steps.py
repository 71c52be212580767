"""Runs in a Python that has Siconos: siconos_steps.py JOB.json. Bodies of a start, steps of
Siconos, a trace (model.py)."""
import json
import sys
import time

import numpy
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.io.io_base import MechanicsIO
from siconos.mechanics.collision import (
    RigidBodyDS,
    SiconosBox,
    SiconosContactor,
    SiconosContactorSet,
    SiconosConvexHull,
    SiconosPlane,
)
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

from model import GRAVITY, Recorder, Start, rotations


def shapes_of(start, margin):
    """Outer sizes are the true ones: margins lie inside. Bullet rounds a box or hull by its
    margin."""
    shapes = []
    for vertices, is_box in zip(start.shapes(), start.is_box):
        if is_box:
            shape = SiconosBox(*(vertices.max(axis=0) - vertices.min(axis=0)))
        else:
            shape = SiconosConvexHull(vertices)
        shape.setInsideMargin(margin)
        shape.setOutsideMargin(0.0)
        shapes.append(shape)
    return shapes


def contactor_set(shape):
    contactors = SiconosContactorSet()
    contactors.append(SiconosContactor(shape))
    return contactors


def turn_z_to(normal):
    """Quaternion of the shortest turn."""
    half = numpy.array([1 + normal[2], -normal[1], normal[0], 0.0])
    return half / numpy.linalg.norm(half) if normal[2] > -1 else numpy.array([0.0, 1.0, 0.0, 0.0])


class Simulation:
    def __init__(self, start, job):
        size = min(numpy.ptp(vertices, axis=0).min() for vertices in start.shapes())
        self.nsds = kernel.NonSmoothDynamicalSystem(0.0, 1e6)
        shapes = shapes_of(start, job["margin"] * size)
        self.keep = [shapes]
        self.bodies = []
        for i, mass in enumerate(start.mass):
            body = RigidBodyDS(
                [*start.x[i], *start.q[i]], list(start.v[i]), float(mass), start.inertia[i]
            )
            body.setUseContactorInertia(False)
            body.setContactors(contactor_set(shapes[start.shape_of[i]]))
            body.setFExtPtr(list(mass * GRAVITY))
            self.nsds.insertDynamicalSystem(body)
            self.bodies.append(body)
        self.index = {body.number(): i for i, body in enumerate(self.bodies)}
        options = SiconosBulletOptions()
        options.worldScale = 1 / size  # Bullet's lengths are meant for bodies of about 1
        options.contactBreakingThreshold = 0.02
        self.manager = SiconosBulletCollisionManager(options)
        self.manager.useEqualityConstraints(False)
        for plane in start.planes:
            shape = SiconosPlane()
            shape.setInsideMargin(0.0)
            shape.setOutsideMargin(0.0)
            self.manager.insertStaticContactorSet(
                contactor_set(shape), [*(plane[:3] * plane[3]), *turn_z_to(plane[:3])]
            )
            self.keep.append(shape)
        self.manager.insertNonSmoothLaw(
            kernel.NewtonImpactFrictionNSL(start.e, 0.0, start.mu, 3), 0, 0
        )
        integrator = kernel.MoreauJeanOSI(0.5)
        integrator.setConstraintActivationThreshold(0.0)
        solver = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
        solver.dparam[numerics.SICONOS_DPARAM_TOL] = job["tolerance"]
        solver.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = job["iterations"]
        solver.iparam[
            numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION
        ] = numerics.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT_WITH_FULL_FINAL
        self.problem = kernel.FrictionContact(3, solver)
        self.problem.setMStorageType(numerics.NM_SPARSE_BLOCK)
        self.problem.setKeepLambdaAndYState(True)
        self.simulation = kernel.TimeStepping(self.nsds, kernel.TimeDiscretisation(0.0, job["dt"]))
        self.simulation.insertIntegrator(integrator)
        self.simulation.insertNonSmoothProblem(self.problem)
        self.simulation.insertInteractionManager(self.manager)
        self.simulation.setNewtonOptions(kernel.SICONOS_TS_NONLINEAR)
        self.simulation.setNewtonMaxIteration(1)
        self.simulation.setNewtonTolerance(1e-10)
        self.keep += [integrator, solver]

    def step(self):
        """Seconds; Siconos' own bookkeeping between steps included."""
        begin = time.perf_counter()
        self.simulation.computeOneStep()
        middle = time.perf_counter()
        self.contacts = self.read_contacts()
        again = time.perf_counter()
        self.simulation.clearNSDSChangeLog()
        self.simulation.nextStep()
        return time.perf_counter() - again + middle - begin

    def read_contacts(self):
        table = MechanicsIO().contactPoints(self.nsds, 1)
        if table is None or len(table) == 0:
            return [], [], [], [], []
        first, second = (
            numpy.array([self.index[int(k)] for k in table[:, column]]) for column in (23, 24)
        )
        # The normal points into the first body and the impulse acts on it; a plane has the number
        # of the body that it carries.
        return (
            numpy.where(first == second, -1, second),
            first,
            table[:, 1:4],
            table[:, 7:10],
            table[:, 10:13],
        )

    def state(self):
        q = numpy.array([body.q() for body in self.bodies])
        return q[:, :3], q[:, 3:], numpy.array([body.twist() for body in self.bodies])


def main(path):
    with open(path) as file:
        job = json.load(file)
    simulation, recorder = Simulation(Start(job["start"]), job), Recorder()
    for _ in range(job["warm_up"]):
        simulation.step()
    recorder.state(*simulation.state())
    solves = []
    for _ in range(job["steps"]):
        recorder.seconds.append(simulation.step())
        recorder.step_contacts(*simulation.contacts)
        recorder.state(*simulation.state())
        solves.append(
            simulation.problem.numericsSolverOptions().iparam[numerics.SICONOS_IPARAM_ITER_DONE]
        )
    recorder.save(job["trace"], sweeps=numpy.array(solves))


main(sys.argv[1])
