"""tools/peers: its measures against closed forms and against scree's own, and a contest of scree
alone.

usage: peers_test.py SCREE [unittest options]
"""
import csv
import math
import os
import pathlib
import shutil
import subprocess
import sys
import types

import h5py
import numpy

import program

TOOL = pathlib.Path(__file__).resolve().parents[3] / "tools" / "peers"
sys.path.insert(0, str(TOOL))

import codes  # noqa: E402
import measures  # noqa: E402
import model  # noqa: E402
import overlap  # noqa: E402

CUBE = numpy.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
CUBE_FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
UNTURNED = numpy.array([1.0, 0.0, 0.0, 0.0])


def cubes(n, mu=0.6, e=0.0):
    """n unit cubes of 1 kg above the plane z = 0."""
    start = types.SimpleNamespace(
        mass=numpy.ones(n),
        inertia=numpy.array([numpy.eye(3) / 6] * n),
        mu=mu,
        e=e,
        shape_of=numpy.zeros(n, dtype=int),
        planes=numpy.array([[0.0, 0.0, 1.0, 0.0]]),
    )
    start.shapes, start.shape_faces = (lambda: [CUBE]), (lambda: [CUBE_FACES])
    return start


class Measures(program.FolderCase):
    def residual(self, impulses, v_end, v=None):
        """Of one cube that stands on the plane with four corners."""
        corners = CUBE[CUBE[:, 2] < 0] + [0, 0, 0.5]
        contacts = (
            numpy.full(4, -1),
            numpy.zeros(4, dtype=int),
            corners,
            numpy.array([[0.0, 0, 1]] * 4),
            numpy.array(impulses),
        )
        still = numpy.zeros((1, 6))
        return measures.step_residual(
            cubes(1),
            numpy.array([[0, 0, 0.5]]),
            UNTURNED[None],
            still if v is None else v,
            v_end,
            contacts,
        )

    def test_rest_sliding_and_what_is_neither(self):
        still = numpy.zeros((1, 6))
        self.assertEqual(self.residual([[0, 0, 1.0]] * 4, still)[0], 0.0)
        self.assertEqual(
            self.residual([[0.5, 0, 1.0]] * 4, still)[0], 0.0
        )  # sticks inside the cone
        sliding = numpy.array([[-2.0, 0, 0, 0, 0, 0]])
        self.assertLess(
            self.residual([[0.6, 0, 1.0]] * 4, sliding)[0], 1e-15
        )  # on the cone, against the velocity
        self.assertGreater(self.residual([[-0.6, 0, 1.0]] * 4, sliding)[0], 0.1)  # along it
        # An impulse outside the cone is wrong by its distance from the cone: (t - mu n) / sqrt(1 +
        # mu^2).
        wrong = self.residual([[1.0, 0, 1.0]] * 4, still)[0]
        self.assertAlmostEqual(wrong, 0.4 / math.hypot(1, 0.6) / math.sqrt(2), delta=1e-15)
        # Sinking at s with no impulse to answer is an error of velocity s: corners' natural map
        # over rho, 4 equal contacts.
        sinking = numpy.array([[0, 0, -0.01, 0, 0, 0]])
        self.assertAlmostEqual(self.residual([[0, 0, 1.0]] * 4, sinking)[1], 0.01, delta=1e-15)

    def test_overlap_of_turned_cubes(self):
        def depth(x, q):
            return overlap.overlaps(
                cubes(2), numpy.array([[0, 0, 5.0], x]), numpy.array([UNTURNED, q])
            )

        self.assertAlmostEqual(depth([0.9, 0.2, 5.0], UNTURNED)[0], 0.1, delta=1e-15)
        self.assertEqual(len(depth([1.1, 0, 5.0], UNTURNED)), 0)
        half = math.pi / 8
        edge_first = numpy.array([math.cos(half), 0, 0, math.sin(half)])  # 45 degrees about z
        self.assertAlmostEqual(
            depth([0.5 + math.sqrt(0.5) - 0.03, 0, 5.0], edge_first)[0], 0.03, delta=1e-14
        )
        self.assertAlmostEqual(depth([0, 0, 0.3], UNTURNED)[0], 0.2, delta=1e-15)  # in the plane
        # Two edges that cross: each cube turned onto an edge, about x and about y; the axis z is
        # edge x edge alone.
        about_x = numpy.array([math.cos(half), math.sin(half), 0, 0])
        about_y = numpy.array([math.cos(half), 0, math.sin(half), 0])
        found = overlap.overlaps(
            cubes(2),
            numpy.array([[0, 0, 5.0], [0, 0, 5.0 + math.sqrt(2) - 0.02]]),
            numpy.array([about_x, about_y]),
        )
        self.assertAlmostEqual(found[0], 0.02, delta=1e-14)

    def test_energy_counts_rises_alone(self):
        start = cubes(1)
        x = numpy.array([[[0, 0, z]] for z in (1.0, 1.5, 1.2, 1.3)])
        self.assertAlmostEqual(
            measures.energy_created(start, x, numpy.zeros((4, 1, 6))), 0.6, delta=1e-14
        )

    def test_rotations_come_back(self):
        random = numpy.random.default_rng(7)
        q = random.normal(size=(200, 4))
        q /= numpy.linalg.norm(q, axis=1, keepdims=True)
        back = numpy.array([codes.from_rotation(matrix) for matrix in model.rotations(q)])
        self.assertLess(numpy.abs(numpy.abs(numpy.sum(q * back, axis=1)) - 1).max(), 1e-14)


class Contest(program.FolderCase):
    def peers(self, *arguments):
        return subprocess.run(
            [
                sys.executable,
                TOOL,
                "--scree",
                program.SCREE,
                "--no-install",
                "--folder",
                "work",
                *arguments,
            ],
            cwd=self.folder,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PATH": self.path},
        )

    path = os.environ["PATH"]

    def test_scree_alone(self):
        done = self.peers(
            "--codes",
            "scree,scree-fremond",
            "--scenes",
            "wall-8,grains-8",
            "--rounds",
            "2",
            "--csv",
            "all.csv",
            "--page",
            "page.md",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "all.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(
            [(row["scene"], row["code"], row["round"]) for row in rows],
            [(scene, "scree", turn) for scene in ("wall-8", "grains-8") for turn in "12"],
        )
        for row in rows:
            self.assertEqual(row["bodies"], "8")
            self.assertGreater(float(row["seconds_step"]), 0)
            self.assertLess(
                float(row["momentum"]), 1e-13
            )  # round-off: impulses are those that moved the bodies
            self.assertLess(float(row["overlap_added"]), 1e-4)
            self.assertEqual(row["failure"], "")
        # At rest nothing spins: our measure is the solver's own, recomputed from the result file by
        # another program. Of the whole, that is: the solver's is the largest of this and each
        # island's, and the wall has several.
        with h5py.File(self.folder / "work" / "wall-8-scree.h5") as file:
            own = file["solver/residual_scaled"][2:].max()
        self.assertLessEqual(float(rows[0]["residual"]), own * (1 + 1e-6))
        self.assertGreater(float(rows[0]["residual"]), 0.5 * own)
        page = (self.folder / "page.md").read_text()
        self.assertIn("## Wall-8: wall of 8 cubes at rest", page)
        self.assertIn("| scree | 8 |", page)
        self.assertIn("grains-8: 8 polyhedra settle in a bin", done.stdout)

    def test_says_who_is_absent(self):
        """Without the peers' programs and modules on the path."""
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "taskset").symlink_to(shutil.which("taskset"))
        self.path = str(self.folder / "bin")
        done = self.peers("--codes", "scree,yade,bullet", "--scenes", "wall-8", "--rounds", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("yade", "bullet"):
            self.assertIn(f"peers: {name} is left out: not installed\n", done.stderr)
        self.assertIn("wall-8", done.stdout)

    def test_wrong_words(self):
        for arguments, word in (
            (["--codes", "chrono"], "'chrono' is not one of scree"),
            (["--scenes", "hill"], "'hill' is not one of"),
            (["--rounds", "0"], "'0' is not an integer from 1 to 100"),
            (["--scree", "nowhere"], "nowhere: is not there"),
        ):
            done = self.peers(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    program.main()
