"""Two thousand balls that lie as chance put them, under even pressure on six walls: the stress is the pressure, the fabric has no
direction, and branches times forces add up to what the walls do (slow).

usage: even_pressure_test.py SCREE [unittest options]
"""
import math

import h5py
import numpy

import program

BALLS, SEED = 2000, 1
P, DENSITY = 1000.0, 1000.0   # [Pa], [kg/m3]; balls of 1 m: the time in which a ball gives way is 1 s
SHARE = {"thrown": 0.25, "loose": 0.57, "dense": 0.64}   # of the volume: at random, after walls have closed in, under the pressure
VOLUME = BALLS * math.pi / 6 * (1 + 0.1 ** 2)   # [m3] sizes are spread evenly over 0.9 to 1.1 m
SIDE = {what: (VOLUME / share) ** (1 / 3) for what, share in SHARE.items()}
PLATE = SIDE["dense"] - 0.3   # lids never meet each other, and what stays open at their edges is narrower than a ball
AXES = "xyz"
CLOSING = 40.0   # [s]


def thrown_balls():
    """Centres and radii [m], one ball after the other where it meets no earlier one."""
    draw = numpy.random.default_rng(SEED)
    radius = numpy.sort(0.5 * draw.uniform(0.9, 1.1, BALLS))[::-1]
    centre = numpy.empty((0, 3))
    while len(centre) < BALLS:
        r = radius[len(centre)]
        x = draw.uniform(r, SIDE["thrown"] - r, 3)
        if (numpy.linalg.norm(centre - x, axis=1) > radius[:len(centre)] + r).all():
            centre = numpy.vstack((centre, x))
    return centre, radius


def head(h, end, tolerance):
    return (f'[world]\ngravity = [0, 0, 0]\n[law]\ndefault = "newton"\n[time]\ndt = {h}\nend = {end}\n[output]\nframes_per_second = {1 / end}\nstress = true\n'
            f'[solver]\ntolerance = {tolerance}\n[start]\nallow_initial_overlap = true\n[[material]]\nname = "a"\ndensity = {DENSITY}\n'
            '[[contact]]\nbetween = ["a", "a"]\nmu = 0\ne = 0\n')


def balls(centre, radius):
    return "".join(f'[[body]]\nname = "ball-{i}"\nkind = "sphere"\nradius = {r:.17g}\nposition = [{x[0]:.17g}, {x[1]:.17g}, {x[2]:.17g}]\nmaterial = "a"\n'
                   for i, (x, r) in enumerate(zip(centre, radius)))


def wall(name, axis, place, sign):
    across = numpy.eye(3)[axis]
    return (f'[[body]]\nname = "{name}-{AXES[axis]}"\nkind = "half_space"\nnormal = {(sign * across).tolist()}\n'
            f'position = {(place * across).tolist()}\nmaterial = "a"\n')


def closing(centre, radius):
    """The upper three walls come in evenly, with the balls, to where these are nearly packed."""
    text = head(0.02, CLOSING, 1e-3) + balls(centre, radius)
    speed = (SIDE["loose"] - SIDE["thrown"]) / CLOSING
    for axis in range(3):
        text += wall("wall", axis, 0.0, 1.0) + wall("upper", axis, SIDE["thrown"], -1.0)
        text += f'[body.motion]\nkind = "velocity"\ntime = [0, {CLOSING}]\nlinear = {[(speed * numpy.eye(3)[axis]).tolist()] * 2}\n'
    return text


def pressed(centre, radius, h, end):
    text = head(h, end, 1e-8) + balls(centre, radius)
    for axis in range(3):
        across = numpy.eye(3)[axis]
        sides, place = PLATE + (1.0 - PLATE) * across, PLATE / 2 * (1 - across) + (SIDE["loose"] + 0.5) * across
        text += wall("wall", axis, 0.0, 1.0)
        text += (f'[[body]]\nname = "lid-{AXES[axis]}"\nkind = "box"\nsides = {sides.tolist()}\nposition = {place.tolist()}\nmaterial = "a"\n'
                 f'free = ["{AXES[axis]}"]\n[[body.load]]\nforce = {(-P * SIDE["dense"] ** 2 * across).tolist()}\n')
    return text


def measures(path):
    """Of the last frame: share of the volume, errors of virial, stress and fabric, fastest ball [m/s]."""
    with h5py.File(path) as file:
        names = [name.decode() if isinstance(name, bytes) else name for name in file["bodies/name"][:]]
        is_ball = numpy.array([name.startswith("ball") for name in names])
        place = {name: file["frames/position"][-1, i] for i, name in enumerate(names) if name.startswith("lid")}
        length = numpy.array([place[f"lid-{axis}"][k] - 0.5 for k, axis in enumerate(AXES)])
        volume = file["bodies/volume"][:][is_ball]
        stress = (volume[:, None] * file["frames/bodies/stress"][-1][is_ball]).sum(axis=0) / length.prod()
        fastest = numpy.linalg.norm(file["frames/velocity"][-1][is_ball, :3], axis=1).max()
        contacts = file["frames/contacts"]
        of_last = slice(contacts["offset"][-2], contacts["offset"][-1])
        between = is_ball[contacts["body_a"][of_last]] & is_ball[contacts["body_b"][of_last]]
        loaded = between & (numpy.abs(contacts["impulse"][of_last]).max(axis=1) > 0)
        normal = contacts["normal"][of_last][loaded]
    force = P * SIDE["dense"] ** 2
    pressure = force * length.sum() / (3 * length.prod())   # in balance sum l . f = -F (L_x + L_y + L_z)
    sigma = numpy.array([[stress[0], stress[3], stress[5]], [stress[3], stress[1], stress[4]], [stress[5], stress[4], stress[2]]])
    fabric = normal.T @ normal / len(normal)
    return {"share": volume.sum() / length.prod(), "contacts of a ball": 2 * len(normal) / BALLS, "fastest": fastest,
            "virial": abs(numpy.trace(sigma) / 3 + pressure) / pressure,
            "stress": numpy.abs(sigma + pressure * numpy.eye(3)).max() / pressure,
            "fabric": 3 * numpy.abs(fabric - numpy.eye(3) / 3).max()}


class EvenPressure(program.FolderCase):
    def test_stress_is_the_pressure_and_the_fabric_has_no_direction(self):
        centre, radius = thrown_balls()
        self.write(closing(centre, radius), "closed.toml")
        self.scree("run", "closed.toml", "--out", "closed.h5")
        with h5py.File(self.folder / "closed.h5") as file:
            names = [name.decode() for name in file["bodies/name"][:]]
            centre = file["frames/position"][-1][[names.index(f"ball-{i}") for i in range(BALLS)]]
        for h in (0.02, 0.01):
            with self.subTest(h=h):
                self.write(pressed(centre, radius, h, 100.0), "pressed.toml")
                self.scree("run", "pressed.toml", "--out", "pressed.h5", "--force")
                found = measures(self.folder / "pressed.h5")
                print({"h": h, **found})
                self.assertLess(found["virial"], 1e-6)   # spec: in equilibrium
                self.assertLess(found["stress"], 0.02)
                self.assertLess(found["fabric"], 0.02)


if __name__ == "__main__":
    program.main()
