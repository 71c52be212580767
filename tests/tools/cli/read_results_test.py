"""Impulse sums of a result file against the balance of momentum, and the example that reads them.

usage: read_results_test.py SCREE [unittest options]
"""
import os
import pathlib
import re
import signal
import subprocess
import sys

import h5py
import numpy

import program

READER = pathlib.Path(__file__).resolve().parents[3] / "tools" / "read_results.py"

# A block rests off centre on another; a ball falls beside them, bounces and rolls.
SCENE = """
[world]
origin = [1000, 2000, 300]

[time]
dt = 0.001
end = 0.6

[solver]
tolerance = 1e-10
max_iterations = 100000

[output]
frames_per_second = 40
velocities = "double"   # for balances to round-off

""" + program.ground("stone", 2500, 0.5, 0.4) + """
[[body]]
name = "lower"
kind = "box"
sides = [1, 1, 0.5]
material = "stone"
position = [0, 0, 0.25]

[[body]]
name = "upper"
kind = "box"
sides = [1, 1, 0.5]
material = "stone"
position = [0.2, 0.1, 0.75]

[[body]]
name = "ball"
kind = "sphere"
radius = 0.2
material = "stone"
position = [3, 0, 0.7]
velocity = [1, 0, 0]
"""


class Case(program.RunCase):
    SCENE = SCENE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = h5py.File(cls.folder / "run.h5")
        cls.addClassCleanup(cls.file.close)
        cls.mass = cls.file["bodies/mass"][()]
        cls.time = cls.file["frames/time"][()]
        cls.pairs = {name: table[()] for name, table in cls.file["frames/pairs"].items()}

    def rows(self, frame):
        return range(*self.pairs["offset"][frame:frame + 2])

    def row(self, frame, a, b):
        return next(i for i in self.rows(frame) if (self.pairs["body_a"][i], self.pairs["body_b"][i]) == (a, b))

    def test_sums_on_bodies_are_their_change_of_momentum(self):
        """m dv = m g dt + sums, in every interval between frames: exact for the scheme, so to round-off."""
        sums, v = self.file["frames/body_impulse_sum"][()], self.file["frames/velocity"][:, :, :3]
        weight = numpy.array([0, 0, -9.81])
        for body in (1, 2, 3):
            expected = self.mass[body] * (numpy.diff(v[:, body], axis=0) - numpy.diff(self.time)[:, None] * weight)
            numpy.testing.assert_allclose(sums[1:, body], expected, atol=1e-9 * self.mass[body])
        self.assertTrue(numpy.all(sums[0] == 0))
        self.assertGreater(numpy.abs(sums[:, 3]).max(), 100)   # the ball does hit the ground

    def test_sums_on_pairs_add_up_to_those_on_bodies(self):
        for frame in range(len(self.time)):
            bodies = numpy.zeros((4, 3))
            for i in self.rows(frame):
                bodies[self.pairs["body_a"][i]] -= self.pairs["impulse_sum"][i]
                bodies[self.pairs["body_b"][i]] += self.pairs["impulse_sum"][i]
            numpy.testing.assert_allclose(bodies, self.file["frames/body_impulse_sum"][frame], atol=1e-9)

    def test_joints_at_rest_carry_weights_through_the_middle_of_what_is_above(self):
        last = len(self.time) - 1
        joint, base = self.row(last, 1, 2), self.row(last, 0, 1)
        # The tolerance of the solver, 1e-10 of the impulses, with room for what it leaves to move.
        numpy.testing.assert_allclose(self.pairs["mean_force"][joint], [0, 0, 9.81 * self.mass[2]], atol=1e-4 * self.mass[2])
        numpy.testing.assert_allclose(self.pairs["mean_force"][base], [0, 0, 9.81 * 2 * self.mass[2]], atol=1e-4 * self.mass[2])
        numpy.testing.assert_allclose(self.pairs["point"][joint], [1000.2, 2000.1, 300.5], atol=1e-5)
        numpy.testing.assert_allclose(self.pairs["point"][base], [1000.1, 2000.05, 300], atol=1e-5)
        numpy.testing.assert_allclose(self.pairs["mean_moment"][joint], 0, atol=1e-3 * self.mass[2])

    def test_resultants_are_those_of_the_contacts_of_the_step(self):
        contacts = {name: table[()] for name, table in self.file["frames/contacts"].items()}
        dt = self.file["settings"].attrs["dt"]
        for frame in range(1, len(self.time)):
            of_frame = slice(*contacts["offset"][frame:frame + 2])
            for i in self.rows(frame):
                pair = (contacts["body_a"][of_frame] == self.pairs["body_a"][i]) & (contacts["body_b"][of_frame] == self.pairs["body_b"][i])
                impulse = contacts["impulse_world"][of_frame][pair]
                numpy.testing.assert_allclose(self.pairs["mean_force"][i] * dt, impulse.sum(axis=0), atol=1e-9)
                arms = contacts["point"][of_frame][pair] - self.pairs["point"][i]
                moment = numpy.cross(arms, impulse).sum(axis=0) / dt
                if impulse.any():   # lever arms are differences of coordinates of 1e3 m: 1e-13 m times 1e4 N
                    numpy.testing.assert_allclose(self.pairs["mean_moment"][i], moment, atol=1e-7)

    def test_example_prints_paths_energies_and_joints(self):
        self.assertLess(len(READER.read_text().splitlines()), 150)
        done = subprocess.run([sys.executable, READER, self.folder / "run.h5", "ball"], check=True, text=True, stdout=subprocess.PIPE)
        found = re.search(r"ball: from \[1003\. +2000\. +300\.7\] m at 0 s to \[(\S+)", done.stdout)
        self.assertIsNotNone(found, done.stdout)
        self.assertAlmostEqual(float(found[1]), self.file["frames/position"][-1, 3, 0], places=3)
        force = float(re.search(r"lower on upper: (\S+) N at", done.stdout)[1])
        self.assertAlmostEqual(force, 9.81 * self.mass[2], delta=1e-3 * force)
        work = float(re.search(r"contact_normal_work +(\S+) J", done.stdout)[1])
        self.assertAlmostEqual(work, self.file["ledger/contact_normal_work"][()].sum(), delta=1e-4 * abs(work))

    def test_example_ends_quietly_when_nobody_reads_on(self):
        end, start = os.pipe()
        os.close(end)
        done = subprocess.run([sys.executable, READER, self.folder / "run.h5"], stdout=start, stderr=subprocess.PIPE, text=True)
        os.close(start)
        self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))

    def test_example_names_the_nearest_body(self):
        done = subprocess.run([sys.executable, READER, self.folder / "run.h5", "bal"], text=True, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "there is no body 'bal'; near: ball, lower, upper\n")


if __name__ == "__main__":
    program.main()
