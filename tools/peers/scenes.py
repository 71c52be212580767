"""The scenes that every code gets, as scene files of scree, and the window of time that is
measured."""
import dataclasses

MATERIAL = """
[[material]]
name = "stone"
density = 2300

[[contact]]
between = ["stone", "stone"]
mu = 0.6
e = {e}

[[body]]
name = "ground"
kind = "half_space"
normal = [0, 0, 1]
material = "stone"
"""
SIDE = """
[[body]]
name = "{}"
kind = "half_space"
normal = {}
offset = {}
material = "stone"
"""


@dataclasses.dataclass(frozen=True)
class Scene:
    name: str
    what: str
    bodies: str  # TOML: materials, generators, bodies
    dt: float  # [s] of the codes that solve contacts implicitly
    warm_up: int  # steps of each code before the window
    steps: int  # of the window
    tolerance: float  # asked of every solver, measured as Siconos does ("siconos")
    filled_until: float = 0.0  # [s] scree computes this far first; all codes start there
    codes: tuple = ("scree", "siconos", "bullet")
    settings: dict = dataclasses.field(default_factory=dict)  # of a code, other than the scene's
    quick: bool = False
    tiny: bool = False  # for a test


def wall(n):
    """The wall of `scree bench`: a trapezium in running bond, ten courses, gaps of 1 cm in a
    course: all load is in bed joints."""
    courses = max(1, min(10, int(n**0.5)))
    first = max(2 * courses - 1, courses - 1 + round(n / courses))
    return (
        MATERIAL.format(e=0.0)
        + f"""
[[wall]]
name = "wall"
material = "stone"
block = [1, 1, 1]
courses = {courses}
first_course = {first}
rake = 2
joint_along = 0.01
"""
    )


def grains(n, side):
    """Convex polyhedra of 5 to 6.65 cm above a square bin of this side [m]."""
    sides = [
        ("left", "[1, 0, 0]"),
        ("right", "[-1, 0, 0]"),
        ("front", "[0, 1, 0]"),
        ("back", "[0, -1, 0]"),
    ]
    return (
        MATERIAL.format(e=0.0)
        + "".join(SIDE.format(name, normal, -side / 2) for name, normal in sides)
        + f"""
[[grains]]
name = "grain"
material = "stone"
shape = "hull"
size_range = [0.05, 0.0665]
count = {n}
seed = 1
region = {{ kind = "box", length = {side}, width = {side} }}
"""
    )


def rock(shipped):
    """The bodies of scenes/benchmarks/wall_impact.toml, whose text this is given."""
    return "[[material]]" + shipped.split("[[material]]", 1)[1]


def settling(name, n, side, **more):
    """Grains half a second after they were let go: they have landed, and rearrange themselves."""
    return Scene(
        name,
        f"{n:,} polyhedra settle in a bin",
        grains(n, side),
        dt=0.002,
        tolerance=1e-4,
        filled_until=0.36,
        codes=("scree", "siconos", "bullet", "yade"),
        **more,
    )


# Of the settling grains: the softest contacts that keep overlaps as small as scree has them with
# steps of 2 ms, and the longest step that these allow (README.md, "Yade's stiffness and step").
YADE = {"stiffness": 4e10, "explicit_dt": 4e-5, "damping": 0.2, "warm_up": 0, "summed_steps": 1}


def all_scenes(wall_impact):
    at_rest = {"dt": 0.005, "tolerance": 1.5e-7}
    return [
        Scene("wall-200", "wall of 200 cubes at rest", wall(200), warm_up=10, steps=5, **at_rest),
        Scene(
            "wall-1000", "wall of 1,000 cubes at rest", wall(1000), warm_up=4, steps=3, **at_rest
        ),
        Scene(
            "wall-3000", "wall of 3,000 cubes at rest", wall(3000), warm_up=2, steps=2, **at_rest
        ),
        settling(
            "grains-300", 300, 0.5, warm_up=0, steps=10, settings={"yade": {**YADE, "steps": 2}}
        ),
        settling(
            "grains-3000", 3000, 1.0, warm_up=0, steps=5, settings={"yade": {**YADE, "steps": 1}}
        ),
        Scene(
            "rock-on-wall",
            "a rock of 72 tonnes hits a wall of 275 blocks",
            rock(wall_impact),
            dt=0.0005,
            warm_up=2,
            steps=10,
            tolerance=1.5e-7,
            codes=("scree", "scree-fremond", "siconos", "bullet"),
        ),
        Scene(
            "wall-50",
            "wall of 50 cubes at rest",
            wall(50),
            warm_up=10,
            steps=10,
            quick=True,
            **at_rest,
        ),
        settling(
            "grains-60",
            60,
            0.3,
            warm_up=0,
            steps=5,
            quick=True,
            settings={"yade": {**YADE, "steps": 1}},
        ),
        Scene(
            "wall-8", "wall of 8 cubes at rest", wall(8), warm_up=2, steps=3, tiny=True, **at_rest
        ),
        settling(
            "grains-8",
            8,
            0.15,
            warm_up=0,
            steps=3,
            tiny=True,
            settings={"yade": {**YADE, "steps": 1}},
        ),
    ]


def scene_file(
    scene, *, dt, end, law="newton", measure="siconos", tolerance=None, start=None, frames=True
):
    """The text of a scene file of scree, whose generators make the bodies of all codes."""
    text = f"""title = "{scene.what}"

[time]
dt = {dt}
end = {end}
theta = 0.5

[law]
default = "{law}"

[solver]
measure = "{measure}"
tolerance = {tolerance or scene.tolerance}

[output]
frames_per_second = {1 / dt if frames else 0}
velocities = "double"
"""
    if start:
        text += f'\n[initial]\nfrom = "{start}"\n\n[start]\noverlap_tolerance = 1.0\n'
    return text + scene.bodies
