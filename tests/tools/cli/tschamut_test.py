"""80 throws at Tschamut, without tuning: the figures of scenes/hazard/results/tschamut.md. Slow.

usage: tschamut_test.py SCREE SCENES_FOLDER [unittest options]
"""
import csv
import math
import pathlib
import re
import sys

import program

SCENES = None
ORIENTATIONS = 20
OVERLAP = 15.0  # [m] a place of rest counts as met if an observed one is nearer; as in rust_rockfall
# Of rust_rockfall 0.6.1, which has the same throws, ground and scores.
PEERS = {"point mass": {"run-out": 63.40, "centroid": 34.6, "nearest": 18.9, "spread": 9.7, "overlap": 0.84},
         "sphere": {"run-out": 202.95, "centroid": 103.9, "nearest": 80.3, "spread": 14.6, "overlap": 0.0}}


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    middle = mean(values)
    return math.sqrt(mean([(value - middle)**2 for value in values]))


def nearest(of, to):
    return mean([min(math.dist(a, b) for b in to) for a in of])


def across(points, direction):
    return deviation([direction[0] * y - direction[1] * x for x, y in points])


def scores(starts, ends, observed_ends):
    """Of places of rest, as rust_rockfall defines them but for `across`: the spread across the mean way of the observed rocks."""
    run_out = [math.dist(a, b) for a, b in zip(starts, ends)]
    centre = [[mean([p[k] for p in points]) for k in (0, 1)] for points in (ends, observed_ends)]
    way = [centre[1][k] - mean([p[k] for p in starts]) for k in (0, 1)]
    direction = [part / math.hypot(*way) for part in way]
    return {"run-out": mean(run_out), "deviation": deviation(run_out), "centroid": math.dist(*centre),
            "nearest": 0.5 * (nearest(ends, observed_ends) + nearest(observed_ends, ends)),
            "spread": abs(deviation([p[1] for p in ends]) - deviation([p[1] for p in observed_ends])),
            "across": across(ends, direction), "across observed": across(observed_ends, direction),
            "overlap": mean([float(any(math.dist(p, o) <= OVERLAP for o in observed_ends)) for p in ends])}


def as_shape(text, shape):
    """The site with other shapes, of the same masses: boxes have the same sides, balls the mean side as diameter."""
    if shape == "box":
        return text.replace('shape = "eota"', 'shape = "box"')
    if shape == "ball":
        text = text.replace('shape = "eota"', 'shape = "ball"')
        return re.sub(r"sides = \[(.*?)\]", lambda found: f"diameter = {mean([float(x) for x in found[1].split(',')]):.9g}", text)
    return text


class Tschamut(program.FolderCase):
    def ensemble(self, shape, *options):
        """The runs of 80 throws with each so many orientations."""
        text = as_shape((SCENES / "tschamut.toml").read_text(), shape)
        self.write(re.sub(r"\nruns = 1\n", f"\nruns = {ORIENTATIONS}\n", text), "tschamut.toml")
        for name in ("tschamut.asc", "tschamut.csv"):
            self.write((SCENES / name).read_text(), name)
        folder = "-".join([shape, *options]).replace("/", "_")
        self.scree("ensemble", "tschamut.toml", "-o", folder, "--jobs", "1", *[word for o in options for word in ("--set", o)], expect=(0, 3))
        return rows_of(self.folder / folder / "runs.csv")

    def told(self, title, rows):
        observed = {row["id"]: row for row in rows_of(SCENES / "tschamut.csv")}
        self.assertEqual(len(rows), 80 * ORIENTATIONS)
        bad = [row for row in rows if row["status"] not in ("done", "unconverged")]
        self.assertEqual(bad, [])
        number = lambda row, *names: [float(row[name]) for name in names]
        starts = [number(row, "x [m]", "y [m]") for row in rows]
        ends = [number(row, "end_x [m]", "end_y [m]") for row in rows]
        seen = [number(row, "observed_x", "observed_y") for row in observed.values()]
        score = scores(starts, ends, seen)
        score["observed"] = mean([float(row["observed_run_out"]) for row in observed.values()])
        score["by rock"] = {rock: mean([float(row["run_out [m]"]) for row in rows if row["rock"] == rock]) for rock in ("leonard", "heavy", "plate")}
        score["left"] = mean([float(row["end"] == "left") for row in rows])
        score["time"] = mean([float(row["end"] == "time") for row in rows])
        score["unconverged"] = sum(row["status"] == "unconverged" for row in rows)
        score["standard error"] = score["deviation"] / math.sqrt(len(rows))
        print(f"{title}: {len(rows)} runs, mean run-out {score['run-out']:.2f} ± {score['standard error']:.2f} m (observed {score['observed']:.2f}, error {score['run-out'] - score['observed']:+.2f}), "
              f"deviation {score['deviation']:.1f} m, centroid off by {score['centroid']:.1f} m, nearest {score['nearest']:.1f} m, "
              f"lateral spread off by {score['spread']:.1f} m (across the way {score['across']:.1f}, observed {score['across observed']:.1f}), "
              f"overlap {score['overlap']:.2f}; " + ", ".join(f"{rock} {value:.1f} m" for rock, value in score["by rock"].items()) +
              f"; left {score['left']:.3f}, still moving {score['time']:.3f}, unconverged {score['unconverged']}", flush=True)
        return score

    def test_scores_are_those_of_places(self):
        starts, seen = [(0, 0), (0, 0)], [(10, 0), (10, 2)]
        same = scores(starts, seen, seen)
        self.assertEqual((same["centroid"], same["nearest"], same["spread"], same["overlap"]), (0, 0, 0, 1))
        self.assertAlmostEqual(same["run-out"], (10 + math.hypot(10, 2)) / 2)
        off = scores(starts, [(10, 20), (10, 42)], seen)
        self.assertEqual((off["centroid"], off["overlap"]), (30, 0))
        self.assertAlmostEqual(off["spread"], 10)

    def test_80_throws(self):
        eota = self.told("eota", self.ensemble("eota"))
        self.assertAlmostEqual(eota["observed"], 98.40, delta=0.005)
        for name, peer in PEERS.items():
            print(f"{name} of rust_rockfall: {peer}")
        box, ball = (self.told(shape, self.ensemble(shape)) for shape in ("box", "ball"))
        # Other machines have other bits of sin and cos.
        page = (SCENES / "results" / "tschamut.md").read_text()
        for shape, score in (("eota", eota), ("box", box), ("ball", ball)):
            shown = re.search(rf"^\| {shape} \| \d+ \| (\S+) ± (\S+) ", page, re.MULTILINE)
            self.assertIsNotNone(shown, shape)
            self.assertLess(abs(float(shown[1]) - score["run-out"]), 4 * float(shown[2]), shape)


if __name__ == "__main__":
    SCENES = pathlib.Path(sys.argv.pop(2)).resolve() / "hazard"
    program.main()
