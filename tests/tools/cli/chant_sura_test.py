"""Eleven rebounds at Chant Sura, without tuning. The data may not be passed on, so it is read from a folder of the user's. Slow.

usage: chant_sura_test.py SCREE [unittest options]
SCREE_CHANT_SURA is the folder with chant_sura_*.csv and .asc (doi 10.16904/envidat.174, as rust_rockfall prepares it); without it
the test is skipped, and says so. SCREE_ORIENTATIONS: of each segment, 20 unless it says otherwise.
"""
import csv
import math
import os
import pathlib

import h5py
import numpy

import program

FOLDER = os.environ.get("SCREE_CHANT_SURA")
ORIENTATIONS = int(os.environ.get("SCREE_ORIENTATIONS", "20"))
PEER = {"velocity": 4.1, "energy": 0.44, "time": 0.47}  # rust_rockfall 0.6.1: a sphere, [m/s], [-], [s]
ORIGIN = (2793260, 1180270, 2370)
# EOTA221 (wheel) and EOTA111 (equant); the names of the runs say which.
SITE = """
[world]
origin = [{origin}]
[time]
dt = 0.001
end = 2.2
[solver]
tolerance = 1e-5
[output]
frames_per_second = 1000
[[material]]
name = "rock"
density = 2670
[[material]]
name = "meadow"
[[contact]]
between = ["rock", "meadow"]
ground = "medium"
[[body]]
name = "ground"
kind = "terrain"
file = "ground.asc"
material = "meadow"
[ensemble]
seed = 2020
map = {{ cell = 0.5, epsg = 2056 }}
{rocks}
[[ensemble.release]]
name = "segments"
file = "segments.csv"
runs = {runs}
"""
ROCK = """[[ensemble.rock]]
name = "{name}"
shape = "eota"
proportions = {proportions}
mass = {mass}
material = "rock"
"""
APART = 0.02  # [s] without contact: the rebound is over
LONGEST = 0.3  # [s] after the first contact: a rebound that is not over is taken here


def rows_of(name):
    with open(pathlib.Path(FOLDER) / name, newline="") as file:
        return list(csv.DictReader(file))


def reach_of(equant, mass):
    """How far a corner of the block is from its centre [m]: sides (a, a, a) or (a, a, a/2), 17/24 of their product is the volume."""
    flat = 1.0 if equant else 0.5
    a = (mass / 2670 * 24 / 17 / flat) ** (1 / 3)
    return a * math.sqrt(0.5**2 + 0.25**2 + (0.25 * flat)**2)


def first_over_raster(flight, ground, reach):
    """The first point of the observed flight at which no corner of the rock can be beyond the rim of the raster."""
    head = {line.split()[0].lower(): float(line.split()[1]) for line in ground.splitlines()[:6]}
    low = [head["xllcorner"] + 0.5 * head["cellsize"], head["yllcorner"] + 0.5 * head["cellsize"]]
    high = [low[0] + (head["ncols"] - 1) * head["cellsize"], low[1] + (head["nrows"] - 1) * head["cellsize"]]
    for row in flight:
        if all(a + reach < float(row[key]) < b - reach for key, a, b in zip(("x_m", "y_m"), low, high)):
            return row
    raise AssertionError(f"{flight[0]['trajectory_id']} is nowhere over the raster as a whole")


def rebound(path):
    """Time of the first contact, and velocity of the centre when the rock has left the ground again."""
    with h5py.File(path, "r") as file:
        time, velocity = file["frames/time"][()], file["frames/velocity"][:, -1, :3]
        offset, impulse = file["frames/contacts/offset"][()], file["frames/contacts/impulse"][:, 0]
    touches = numpy.array([impulse[a:b].sum() > 0 for a, b in zip(offset[:-1], offset[1:])])
    if not touches.any():
        return None
    first = int(numpy.argmax(touches))
    free = 0.0
    for k in range(first + 1, len(time)):
        free = 0.0 if touches[k] else free + time[k] - time[k - 1]
        if free >= APART or time[k] - time[first] >= LONGEST:
            break
    last = max([j for j in range(first, k + 1) if touches[j]])
    return time[first], velocity[last]


@program.needs(None if FOLDER else "SCREE_CHANT_SURA names no folder with the data of Chant Sura")
class ChantSura(program.FolderCase):
    def test_eleven_rebounds(self):
        events = rows_of("chant_sura_observed_contact_events_extended.csv")
        flights = {}
        for row in rows_of("chant_sura_observed_trajectories_contact_extended.csv"):
            flights.setdefault(row["trajectory_id"], []).append(row)
        ground = (pathlib.Path(FOLDER) / "chant_sura_terrain_rf16_contact_extended.asc").read_text()
        self.assertEqual(len(events), 11)
        kinds = sorted({("e" in event["source_trajectory_id"][4:6], float(event["mass_kg"])) for event in events})
        names = {kind: f"{'equant' if kind[0] else 'wheel'}{kind[1]:g}" for kind in kinds}
        lines = ["id,rock,x,y,z,vx,vy,vz,wx,wy,wz"]
        begins = {}
        for event in events:
            kind = ("e" in event["source_trajectory_id"][4:6], float(event["mass_kg"]))
            start = first_over_raster(flights[event["source_segment_id"]], ground, reach_of(*kind))
            begins[event["event_id"]] = float(start["time_s"])
            spin = [start[f"omega_{k}_radps"] for k in "xyz"]
            spin = [word if word and math.isfinite(float(word)) else "0" for word in spin]
            lines.append(",".join([event["source_segment_id"], names[kind],
                                   *[start[key] for key in ("x_m", "y_m", "z_m", "vx_mps", "vy_mps", "vz_mps")], *spin]))
        self.write("\n".join(lines) + "\n", "segments.csv")
        self.write(ground, "ground.asc")
        rocks = "".join(ROCK.format(name=names[kind], proportions="[1, 1, 1]" if kind[0] else "[2, 2, 1]", mass=kind[1]) for kind in kinds)
        self.write(SITE.format(origin=", ".join(map(str, ORIGIN)), rocks=rocks, runs=ORIENTATIONS), "site.toml")
        self.scree("ensemble", "site.toml", "-o", "out", "--jobs", "1", expect=(0, 3))
        errors = {"velocity": [], "energy": [], "time": []}
        missed = 0
        for i, event in enumerate(events):
            mass, seen = float(event["mass_kg"]), numpy.array([float(event[f"outgoing_v{k}_mps"]) for k in "xyz"])
            energy_seen = 0.5 * mass * (seen @ seen)
            of_event = {name: [] for name in errors}
            for k in range(ORIENTATIONS):
                self.scree("ensemble", "site.toml", "--replay", i * ORIENTATIONS + k, "-o", "run.h5", "--force", expect=(0, 3))
                found = rebound(self.folder / "run.h5")
                if found is None:
                    missed += 1
                    continue
                time, velocity = found
                of_event["velocity"].append(numpy.linalg.norm(velocity - seen))
                of_event["energy"].append(abs(0.5 * mass * (velocity @ velocity) - energy_seen) / energy_seen)
                of_event["time"].append(abs(begins[event["event_id"]] + time - float(event["impact_time_s"])))
            for name in errors:
                errors[name].append(numpy.mean(of_event[name]))
            print(f"{event['event_id']}: rebound velocity off by {errors['velocity'][-1]:.2f} m/s, energy by {errors['energy'][-1]:.2f} of the "
                  f"observed, time by {errors['time'][-1]:.3f} s", flush=True)
        mean = {name: float(numpy.mean(values)) for name, values in errors.items()}
        print(f"11 rebounds, {ORIENTATIONS} orientations each: velocity {mean['velocity']:.2f} m/s (peer {PEER['velocity']}), energy "
              f"{mean['energy']:.2f} (peer {PEER['energy']}), time {mean['time']:.3f} s (peer {PEER['time']}); {missed} runs without contact")
        self.assertTrue(all(math.isfinite(value) for value in mean.values()))
        self.assertLess(missed, 11 * ORIENTATIONS // 4)


if __name__ == "__main__":
    program.main()
