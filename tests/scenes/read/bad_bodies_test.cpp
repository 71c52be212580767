#include "tests/scenes/read/bad_input.hpp"

namespace bad_bodies_test {

using namespace scree::test;

namespace {

const BadInput bad_bodies[] = {
    {"an unknown material", "sides = [1, 2, 1]\nmaterial = \"stone\"",
     "sides = [1, 2, 1]\nmaterial = \"ston\"",
     R"(25:12: body.material: unknown value "ston"; did you mean "stone"? Allowed here: stone)"},
    {"an unknown shape", "kind = \"box\"\nsides = [1, 2, 1]", R"(shape = "brick")",
     R"(23:9: body.shape: unknown value "brick"; there is no [[shape]] in this file)"},
    {"a misspelt shape", "[[body]]\nname = \"block\"\nkind = \"box\"\nsides = [1, 2, 1]",
     "[[shape]]\nname = \"brick\"\nkind = \"sphere\"\nradius = 1\n[[body]]\nname = "
     "\"block\"\nshape = \"brik\"",
     R"(27:9: body.shape: unknown value "brik"; did you mean "brick"? Allowed here: brick)"},
    {"a shape named and drawn", R"(kind = "box")", "shape = \"brick\"\nkind = \"box\"",
     "23:9: body.shape: give either shape or kind, not both"},
    {"two shapes of one name", "[[body]]",
     "[[shape]]\nname = \"s\"\nkind = \"sphere\"\nradius = 1\n[[shape]]\nname = \"s\"\nkind = "
     "\"sphere\"\nradius = "
     "2\n[[body]]",
     R"(20:8: shape.name: there is already a shape "s"; names must be unique)"},
    {"two bodies of one name", R"(name = "block")", R"(name = "ground")",
     R"(22:8: body.name: there is already a body "ground", from line 16; names must be unique)"},
    {"a zero mass", R"(name = "block")", "name = \"block\"\nmass = 0",
     "23:8: body.mass: 0 is not allowed; must be a finite number > 0 [kg]"},
    {"a negative density", R"(name = "block")", "name = \"block\"\ndensity = -2300",
     "23:11: body.density: -2300 is not allowed; must be a finite number > 0 [kg/m3]"},
    {"an infinite mass", R"(name = "block")", "name = \"block\"\nmass = inf",
     "23:8: body.mass: inf is not allowed; must be a finite number > 0 [kg]"},
    {"mass and density", R"(name = "block")", "name = \"block\"\nmass = 1\ndensity = 1",
     "23:8: body.mass: give either mass or density, not both"},
    {"no density anywhere", "density = 2300\n", "",
     "20:1: body.density: missing; must be a finite number > 0 [kg/m3], here or in the material"},
    {"a side of zero", "sides = [1, 2, 1]", "sides = [1, 0, 1]",
     "24:13: body.sides: 0 is not allowed; must be a finite number > 0 [m]"},
    {"a side not a number", "sides = [1, 2, 1]", "sides = [1, nan, 1]",
     "24:13: body.sides: nan is not allowed; must be a finite number > 0 [m]"},
    {"a negative radius", "kind = \"box\"\nsides = [1, 2, 1]", "kind = \"sphere\"\nradius = -1",
     "24:10: body.radius: -1 is not allowed; must be a finite number > 0 [m]"},
    {"a normal of no direction", "normal = [0, 0, 1]", "normal = [0, 0, 0]",
     "18:10: body.normal: [0, 0, 0] is not allowed; must have a direction"},
    {"a half-space that moves", R"(kind = "half_space")", "kind = \"half_space\"\nfixed = false",
     "18:9: body.fixed: false is not allowed for a half-space; must be true or left out"},
    {"a fixed body with a velocity", R"(name = "block")",
     "name = \"block\"\nfixed = true\nvelocity = [1, 0, 0]",
     "24:12: body.velocity: a fixed body does not move; leave velocity out"},
    {"a fixed body with a spin", R"(name = "block")",
     "name = \"block\"\nfixed = true\nangular_velocity = [1, 0, 0]",
     "24:20: body.angular_velocity: a fixed body does not move; leave angular_velocity out"},
    {"a body fixed and driven", R"(name = "block")",
     "name = \"block\"\nfixed = true\nmotion = { kind = \"velocity\", time = [0] }",
     "23:9: body.fixed: give either fixed or motion, not both"},
    {"a driven body with a velocity", R"(name = "block")",
     "name = \"block\"\nvelocity = [1, 0, 0]\nmotion = { kind = \"velocity\", time = [0] }",
     "23:12: body.velocity: the velocities of motion say how this body moves; leave velocity out"},
    {"times of a motion out of order", R"(name = "block")",
     "name = \"block\"\nmotion = { kind = \"velocity\", time = [0, 2, 1] }",
     "23:38: body.motion.time: 1 after 2 is not allowed; must be times [s], each later than the "
     "one before"},
    {"a motion with a value too few", R"(name = "block")",
     "name = \"block\"\nmotion = { kind = \"velocity\", time = [0, 2], linear = [[0, 0, 0]] }",
     "23:55: body.motion.linear: an array of 1 is not allowed; must be one vector [x, y, z] for "
     "each of the 2 times"},
    {"a position not a number", "position = [0, 0, 0.5]", "position = [0, 0, nan]",
     "26:19: body.position: nan is not allowed; must be a finite number [m]"},
    {"a quaternion not of unit length", "position = [0, 0, 0.5]", "orientation = [1, 1, 0, 0]",
     "26:15: body.orientation: norm 1.4142135623730951 is not allowed; must be a unit quaternion "
     "[w, x, y, z] (norm 1 "
     "within 1e-6)"},
    {"a quaternion of three numbers", "position = [0, 0, 0.5]", "orientation = [1, 0, 0]",
     "26:15: body.orientation: an array of 3 is not allowed; must be four numbers [w, x, y, z]"},
    {"orientation and rotation", "position = [0, 0, 0.5]",
     "orientation = [1, 0, 0, 0]\nrotation = { axis = [0, 0, 1], angle_deg = 3 }",
     "26:15: body.orientation: give either orientation or rotation, not both"},
    {"a rotation about no axis", "position = [0, 0, 0.5]",
     "rotation = { axis = [0, 0, 0], angle_deg = 3 }",
     "26:21: body.rotation.axis: [0, 0, 0] is not allowed; must have a direction"},
    {"a rotation without an angle", "position = [0, 0, 0.5]", "rotation = { axis = [0, 0, 1] }",
     "26:12: body.rotation.angle_deg: missing; must be a finite number [degrees]"},
    {"an unknown reference", "position = [0, 0, 0.5]", R"(reference = "corner")",
     R"(26:13: body.reference: unknown value "corner"; allowed here: centre_of_mass, drawing)"},
    {"a negative appearance", "position = [0, 0, 0.5]", "appears_at = -1",
     "26:14: body.appears_at: -1 is not allowed; must be a finite number >= 0 [s]"},
    {"a body that vanishes before it appears", "position = [0, 0, 0.5]",
     "appears_at = 2\nvanishes_at = 1",
     "27:15: body.vanishes_at: 1 is not allowed; must be later than appears_at = 2 [s]"},
    {"points without a mass", "kind = \"box\"\nsides = [1, 2, 1]",
     "kind = \"points\"\npoints = [[0, 0, 0]]",
     "21:1: body.mass: missing; must be given for a point set: a finite number > 0 [kg]"},
    {"points without an inertia", "kind = \"box\"\nsides = [1, 2, 1]",
     "kind = \"points\"\npoints = [[0, 0, 0]]\nmass = 1",
     "21:1: body.inertia: missing; must be given for a point set: 3 numbers (Ixx, Iyy, Izz), 6 "
     "(and Ixy, Ixz, Iyz) or "
     "3 rows of 3 [kg m2]"},
    {"no points", "kind = \"box\"\nsides = [1, 2, 1]",
     "kind = \"points\"\npoints = []\nmass = 1\ninertia = [1, 1, 1]",
     "24:10: body.points: an empty list is not allowed; must be at least one point [x, y, z] [m]"},
    {"an inertia of four numbers", R"(name = "block")", "name = \"block\"\ninertia = [1, 1, 1, 0]",
     "23:11: body.inertia: 4 numbers are not allowed; must be 3 numbers (Ixx, Iyy, Izz), 6 (and "
     "Ixy, Ixz, Iyz) or 3 "
     "rows of 3 [kg m2]"},
    {"a negative moment of inertia", R"(name = "block")", "name = \"block\"\ninertia = [1, 1, -1]",
     "23:11: body.inertia: the principal moment -1 is not allowed; must be > 0 [kg m2]"},
    {"moments of inertia that no body has", R"(name = "block")",
     "name = \"block\"\ninertia = [1, 1, 3]",
     "23:11: body.inertia: no body has the principal moments 1, 1, 3; the largest must be at most "
     "the sum of the "
     "others [kg m2]"},
    {"an inertia that is not symmetric", R"(name = "block")",
     "name = \"block\"\ninertia = [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]",
     "23:11: body.inertia: the tensor is not symmetric; must be symmetric [kg m2]"},
    {"coplanar vertices", "kind = \"box\"\nsides = [1, 2, 1]",
     "kind = \"convex\"\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
     "24:12: body.vertices: ..."},
    {"a vertex not a number", "kind = \"box\"\nsides = [1, 2, 1]",
     "kind = \"convex\"\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, nan], [0, 0, 1]]",
     "24:42: body.vertices: nan is not allowed; must be a finite number [m]"},
    {"three vertices", "kind = \"box\"\nsides = [1, 2, 1]",
     "kind = \"convex\"\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]",
     "24:12: body.vertices: ..."},
    {"gravity not a number", "[time]", "[world]\ngravity = [0, 0, nan]\n[time]",
     "2:18: world.gravity: nan is not allowed; must be a finite number [m/s2]"},
    {"an infinite origin", "[time]", "[world]\norigin = [inf, 0, 0]\n[time]",
     "2:11: world.origin: inf is not allowed; must be a finite number [m]"},
    {"a wall taller than its first course allows", "[[body]]",
     "[[wall]]\nname = \"w\"\nmaterial = \"stone\"\nblock = [1, 2, 1]\ncourses = 4\nfirst_course = "
     "3\n[[body]]",
     "19:11: wall.courses: 4 is not allowed; must be at most 3, as the first course has 3 and each "
     "course of this wall "
     "1 fewer than the one below"},
    {"a wall of too many blocks", "[[body]]",
     "[[wall]]\nname = \"w\"\nmaterial = \"stone\"\nblock = [1, 2, 1]\ncourses = "
     "1000\nfirst_course = 2000\n[[body]]",
     "19:11: wall.courses: 1000 courses of up to 2000 blocks are not allowed; a wall has at most "
     "1000000 blocks"},
    {"a wall taller than its rake allows", "[[body]]",
     "[[wall]]\nname = \"w\"\nmaterial = \"stone\"\nblock = [1, 2, 1]\ncourses = 4\nfirst_course = "
     "6\nrake = "
     "2\n[[body]]",
     "19:11: wall.courses: 4 is not allowed; must be at most 3, as the first course has 6 and each "
     "course of this wall "
     "2 fewer than the one below"},
    {"a rake of straight ends", "[[body]]",
     "[[wall]]\nname = \"w\"\nmaterial = \"stone\"\nblock = [1, 2, 1]\ncourses = 4\nfirst_course = "
     "6\nrake = "
     "2\nends = \"straight\"\n[[body]]",
     "21:8: wall.rake: a wall with straight ends has none"},
    {"a pyramid higher than a point", "[[body]]",
     "[[pyramid]]\nname = \"p\"\nmaterial = \"stone\"\nblock = [1, 1, 1]\nfirst_course = "
     "3\ncourses = 4\n[[body]]",
     "20:11: pyramid.courses: 4 is not allowed; must be an integer in [1, 3]"},
    {"a wall of no courses", "[[body]]",
     "[[wall]]\nname = \"w\"\nmaterial = \"stone\"\nblock = [1, 2, 1]\ncourses = 0\nfirst_course = "
     "3\n[[body]]",
     "19:11: wall.courses: 0 is not allowed; must be an integer in [1, 1000]"},
    {"a buttress of a third of a block", "[[body]]",
     "[[wall]]\nname = \"w\"\nmaterial = \"stone\"\nblock = [1, 2, 1]\ncourses = 2\nfirst_course = "
     "3\nbuttresses = { "
     "positions = [0], blocks = 1.3, courses = 1 }\n[[body]]",
     "21:42: wall.buttresses.blocks: 1.3 is not allowed; must be a multiple of 0.5 in [0.5, 1000]"},
    {"a rock without a size", "[[body]]", "[[rock]]\nname = \"r\"\nmaterial = \"stone\"\n[[body]]",
     "15:1: rock.size: missing; must be a finite number > 0 [m]"},
    {"a plate narrower than two rows", "[[body]]",
     "[[rough_plate]]\nname = \"p\"\nmaterial = \"stone\"\nlength = 4\nwidth = 1\ngrain = 1\n"
     "[[body]]",
     "20:9: rough_plate.grain: 1 m is not allowed; must be at most the length, 4 m, and width / "
     "sqrt(3), 0.57735 m, for two rows of grains"},
    {"a plate of too many grains", "[[body]]",
     "[[rough_plate]]\nname = \"p\"\nmaterial = \"stone\"\nlength = 4\nwidth = 1\ngrain = 1e-3\n"
     "[[body]]",
     "20:9: rough_plate.grain: 4.62e+06 grains are not allowed; at most 100000 are"},
    {"a rock of five corners", "[[body]]",
     "[[rock]]\nname = \"r\"\nmaterial = \"stone\"\nsize = 1\ncorners = 5\n[[body]]",
     "19:11: rock.corners: 5 is not allowed; must be an integer in [6, 1000]"},
    {"a rock with vertices and a seed", "[[body]]",
     "[[rock]]\nname = \"r\"\nmaterial = \"stone\"\nseed = 1\nvertices = [[0, 0, 0], [1, 0, 0], "
     "[0, 1, 0], [0, 0, "
     "1]]\n[[body]]",
     "18:8: rock.seed: give either seed or vertices, not both"},
    {"an empty stack", "[[body]]",
     "[[stack]]\nname = \"s\"\nmaterial = \"stone\"\ncount = 0\nsides = [1, 1, 1]\n[[body]]",
     "18:9: stack.count: 0 is not allowed; must be an integer in [1, 10000]"},
    {"an arch of one voussoir", "[[body]]",
     "[[arch]]\nname = \"a\"\nmaterial = \"stone\"\nvoussoirs = 1\nradius = 1\nthickness = "
     "0.1\ndepth = 1\n[[body]]",
     "18:13: arch.voussoirs: 1 is not allowed; must be an integer in [2, 1000]"},
    {"an arch as thin as nothing", "[[body]]",
     "[[arch]]\nname = \"a\"\nmaterial = \"stone\"\nvoussoirs = 3\nradius = 1\nthickness = "
     "1e-9\ndepth = 1\n[[body]]",
     "20:13: arch.thickness: 1e-09 is not allowed; must be at least 1e-06 of the largest of "
     "radius, thickness and depth, 1 [m]"},
    {"a rock stretched beyond all measure", "[[body]]",
     "[[rock]]\nname = \"r\"\nmaterial = \"stone\"\nsize = 1\nproportions = [1, 1e300, "
     "1]\n[[body]]",
     "19:19: rock.proportions: 1e+300 is not allowed; must be from 1e-6 to 1e6"},
    {"a position out of reach", "position = [0, 0, 0.5]", "position = [0, 0, -1e13]",
     "26:19: body.position: -10000000000000 is not allowed; must be from -1e12 to 1e12 [m]"},
    {"a velocity beyond all use", "position = [0, 0, 0.5]", "velocity = [0, 0, 1e13]",
     "26:19: body.velocity: 10000000000000 is not allowed; must be from -1e12 to 1e12 [m/s]"},
    {"an arch thicker than its span", "[[body]]",
     "[[arch]]\nname = \"a\"\nmaterial = \"stone\"\nvoussoirs = 3\nradius = 1\nthickness = "
     "2\ndepth = 1\n[[body]]",
     "20:13: arch.thickness: 2 is not allowed; must be less than twice the radius, 2"},
};

}  // namespace

TEST_CASE("Scene reader explains what is wrong with a body or a generator", "[scenes][unit]") {
  for (const BadInput& input : bad_bodies) check_message(input);
}

}  // namespace bad_bodies_test
