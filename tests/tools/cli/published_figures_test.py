"""tools/published_figures: four runs, four figures, and what is in them.

usage: published_figures_test.py SCREE [unittest options]
"""
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import h5py

import program

TOOL = pathlib.Path(__file__).resolve().parents[3] / "tools" / "published_figures"
PANELS = ["coordinates [m], [rad]", "velocities [m/s], [rad/s]", "local velocities [m/s]", "impulses in a step [N s]", "work of the reactions in a step [J]",
          "energies [J]"]


class Figures(program.FolderCase):
    def draw(self, *arguments, scree=None):
        return subprocess.run([sys.executable, TOOL, *arguments], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**os.environ, "SCREE": scree or program.SCREE})

    def test_draws_both_scenes_under_both_laws(self):
        done = self.draw("figures")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [f"{scene}-{law}" for scene in ("impacting_stick", "rocking_block") for law in ("fremond", "newton")]
        folder = self.folder / "figures"
        self.assertEqual(sorted(path.name for path in folder.iterdir()), [f"{name}.{kind}" for name in names for kind in ("h5", "svg")])
        positive, gained = {}, {}
        for name in names:
            texts = [element.text or "" for element in ElementTree.parse(folder / f"{name}.svg").iter()]
            for label in PANELS:
                self.assertTrue(any(text.startswith(label) for text in texts), (name, label))
            with h5py.File(folder / f"{name}.h5") as file:
                self.assertEqual(file.attrs["finished"], 1)
                energy = file["ledger/kinetic"][()] + file["ledger/potential"][()]
                positive[name] = file["ledger/max_positive_tangential_work"][()].max() / file["ledger/energy_scale"][-1]
                gained[name] = (energy.max() - energy[0]) / file["ledger/energy_scale"][-1]
        # What the figures show: under one law friction does positive work, so that the stick gains energy; under the other round-off.
        self.assertGreater(positive["impacting_stick-newton"], 1e-5)
        self.assertGreater(gained["impacting_stick-newton"], 1e-5)
        for scene in ("impacting_stick", "rocking_block"):
            self.assertLess(positive[f"{scene}-fremond"], 1e-12)
            self.assertLess(gained[f"{scene}-fremond"], 1e-12)

    def test_bad_usage(self):
        self.assertIn("usage", self.draw("one", "two").stderr)
        self.assertIn("is not there", self.draw("figures", scree="/no/such/scree").stderr)
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    program.main()
