"""tools/published_figures: six runs, eight figures, the numbers beside them, and what they show.

usage: published_figures_test.py SCREE [unittest options]
"""
import csv
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import h5py
import numpy

import program

TOOL = pathlib.Path(__file__).resolve().parents[3] / "tools" / "published_figures"
PANELS = ["coordinates [m], [rad]", "velocities [m/s], [rad/s]", "local velocities [m/s]", "impulses in a step [N s]", "work of the reactions in a step [J]",
          "energies [J]"]


WALL_PANELS = ["energies [J]", "balance [J]", "largest positive work [J]", "most negative work [J]"]
LAWS = ("newton", "fremond")


def numbers_of(path):
    """{(panel, curve): (x, y)} of the numbers beside a figure."""
    curves = {}
    with path.open(newline="", encoding="utf8") as text:
        for row in csv.DictReader(text):
            curves.setdefault((row["panel"], row["curve"]), []).append((float(row["x"]), float(row["y"])))
    return {name: numpy.array(points).T for name, points in curves.items()}


class Figures(program.FolderCase):
    def draw(self, *arguments, scree=None):
        return subprocess.run([sys.executable, TOOL, *arguments], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**os.environ, "SCREE": scree or program.SCREE})

    def test_draws_eight_figures_with_their_numbers(self):
        done = self.draw("--wall-end", "0.03", "figures")
        self.assertEqual(done.returncode, 0, done.stderr)
        small = [f"{scene}-{law}" for scene in ("impacting_stick", "rocking_block") for law in LAWS]
        wall = [f"rockfall_wall-{law}" for law in LAWS]
        sums = ["rocking_block-contact_work", "rockfall_wall-contact_work"]
        folder = self.folder / "figures"
        files = {f"{name}.{kind}" for name in small + wall for kind in ("h5", "svg", "csv")} | {f"{name}.{kind}" for name in sums for kind in ("svg", "csv")}
        self.assertEqual({path.name for path in folder.iterdir()}, files)
        self.assertEqual(sum(name.endswith(".svg") for name in files), 8)
        positive, gained = {}, {}
        for name in small + wall:
            texts = [element.text or "" for element in ElementTree.parse(folder / f"{name}.svg").iter()]
            for label in PANELS if name in small else WALL_PANELS:
                self.assertTrue(any(text.startswith(label) for text in texts), (name, label))
            with h5py.File(folder / f"{name}.h5") as file:
                ledger = {term: table[()] for term, table in file["ledger"].items()}
                self.assertEqual(file.attrs["finished"], 1)
            energy = ledger["kinetic"] + ledger["potential"]
            positive[name] = ledger["max_positive_tangential_work"].max() / ledger["energy_scale"][-1]
            gained[name] = (energy.max() - energy[0]) / ledger["energy_scale"][-1]
            # The numbers beside the figure are those of the ledger.
            curves = numbers_of(folder / f"{name}.csv")
            terms = ({"work of the reactions": ("contact_normal_work", "contact_tangential_work"), "energies": ("kinetic", "potential")} if name in small else
                     {"energies": ("kinetic",), "largest positive": ("max_positive_tangential_work",), "most negative": ("max_negative_tangential_work",)})
            for panel, labels in terms.items():
                for label in labels:
                    x, y = next(curve for (begin, text), curve in curves.items() if begin.startswith(panel) and text == label)
                    numpy.testing.assert_array_equal(x, ledger["time"], err_msg=label)
                    numpy.testing.assert_array_equal(y, ledger[label], err_msg=label)
        for name in sums:
            curves = numbers_of(folder / f"{name}.csv")
            self.assertEqual(len(curves), 2)
            for law, (_, values) in zip(LAWS, curves.values()):
                with h5py.File(folder / f"{name.split('-')[0]}-{law}.h5") as file:
                    works = sum(file[f"ledger/{term}"][()] for term in ("contact_normal_work", "contact_tangential_work"))
                    scale = file["ledger/energy_scale"][-1]
                numpy.testing.assert_allclose(values, numpy.cumsum(works), atol=1e-13 * scale)
                if name.startswith("rocking"):   # the text: the accumulated work becomes positive at times
                    self.assertEqual(values.max() > 1e-3, law == "newton")
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
