#include "tests/scenes/read/bad_input.hpp"

namespace bad_syntax_test {

using namespace scree::test;

namespace {

const BadInput bad_syntax[] = {
    {"broken TOML", "dt = 0.001", "dt = = 0.001", "2:6: TOML: ..."},
    {"a key twice", "end = 1.0", "dt = 1.0", "3:6: TOML: ..."},
    {"an unterminated string", R"(name = "stone")", R"(name = "stone)", "7:14: TOML: ..."},
    {"an unknown key in a section", "theta = 0.5", "thetta = 0.5",
     R"(4:1: time.thetta: unknown key; did you mean "theta"? Allowed here: dt, end, theta)"},
    {"an unknown key like nothing known", "theta = 0.5", "colour = 0.5",
     "4:1: time.colour: unknown key; allowed here: dt, end, theta"},
    {"an unknown section", "[time]", "[tme]", R"(1:2: tme: unknown key; did you mean "time"?)"},
    {"an unknown section beside the known ones", "[[material]]", "[outptu]\n[[material]]",
     R"(6:2: outptu: unknown key; did you mean "output"?)"},
    {"an unknown key in a body", "position = [0, 0, 0.5]", "postion = [0, 0, 0.5]",
     R"(26:1: body.postion: unknown key; did you mean "position"?)"},
    {"a misspelt required key", "sides = [1, 2, 1]", "sidse = [1, 2, 1]",
     R"(24:1: body.sidse: unknown key; did you mean "sides"?)"},
    {"a key of another kind of shape", "sides = [1, 2, 1]", "sides = [1, 2, 1]\nradius = 1",
     "25:1: body.radius: unknown key; allowed here: angular_velocity, appears_at, density, drag, "
     "fixed, free, group, inertia, kind, load, mass, "
     "material, motion, name, orientation, position, reference, rotation, shape, sides, "
     "vanishes_at, velocity"},
    {"an unknown key in an inline table", "position = [0, 0, 0.5]",
     "rotation = { axis = [0, 0, 1], angle = 3 }",
     R"(26:32: body.rotation.angle: unknown key; did you mean "angle_deg"?)"},
    {"a string instead of a number", "dt = 0.001", R"(dt = "0.001")",
     R"(2:6: time.dt: the string "0.001" is not allowed; must be a number)"},
    {"a number instead of a section", "[time]\ndt = 0.001\nend = 1.0\ntheta = 0.5", "time = 3",
     "1:8: time: the integer 3 is not allowed; must be a table"},
    {"a table instead of an array of tables", "[[contact]]", "[contact]",
     "10:1: contact: a table is not allowed; must be an array of tables, [[contact]]"},
    {"a number instead of a string", R"(name = "block")", "name = 3",
     "22:8: body.name: the integer 3 is not allowed; must be a string"},
    {"a number instead of a boolean", R"(name = "block")", "name = \"block\"\nfixed = 1",
     "23:9: body.fixed: the integer 1 is not allowed; must be true or false"},
    {"a float instead of an integer", "[time]", "[solver]\nmax_iterations = 10.5\n[time]",
     "2:18: solver.max_iterations: the number 10.5 is not allowed; must be an integer >= 1"},
    {"a float that looks like an integer", "[time]", "[solver]\nmax_iterations = 10.0\n[time]",
     "2:18: solver.max_iterations: the number 10.0 is not allowed; must be an integer >= 1"},
    {"two numbers instead of three", "sides = [1, 2, 1]", "sides = [1, 2]",
     "24:9: body.sides: an array of 2 is not allowed; must be three numbers [x, y, z] [m]"},
    {"a string in a vector", "sides = [1, 2, 1]", R"(sides = [1, "2", 1])",
     R"(24:13: body.sides: the string "2" is not allowed; must be a finite number > 0 [m])"},
    {"a missing section", "[time]\ndt = 0.001\nend = 1.0\ntheta = 0.5", "",
     "1:1: time: missing; must be a section [time] with dt and end"},
    {"a missing key in a section", "dt = 0.001\n", "",
     "1:1: time.dt: missing; must be a finite number > 0 [s]"},
    {"a missing friction", "mu = 0.6\n", "",
     "10:1: contact.mu: missing; must be a number in [0, 100]"},
    {"a missing material", "sides = [1, 2, 1]\nmaterial = \"stone\"\n", "sides = [1, 2, 1]\n",
     "21:1: body.material: missing; must be the name of a [[material]]"},
    {"a missing name", "name = \"block\"\n", "", "21:1: body.name: missing; must be a string"},
    {"an empty name", R"(name = "block")", R"(name = "")",
     "22:8: body.name: an empty name is not allowed"},
    {"a zero byte in a name", R"(name = "block")", R"(name = "blo\u0000ck")",
     R"(22:8: body.name: the string "blo\u0000ck" is not allowed; must be a string of one line, without control characters)"},
    {"an escape sequence in a name", R"(name = "block")", R"(name = "\u001b[2Jblock")",
     R"(22:8: body.name: the string "\u001b[2Jblock" is not allowed; must be a string of one line, without control characters)"},
    {"a name of two lines", R"(name = "block")", R"(name = "blo\nck")",
     R"(22:8: body.name: the string "blo\nck" is not allowed; must be a string of one line, without control characters)"},
    {"a name written backwards", R"(name = "block")", R"(name = "\u202Ekcolb")",
     R"(22:8: body.name: the string "\u202ekcolb" is not allowed; must be a string of one line, without control characters)"},
    {"a control character in the name of a material", R"(name = "stone")",
     R"(name = "sto\u0085ne")",
     R"(7:8: material.name: the string "sto\u0085ne" is not allowed; must be a string of one line, without control characters)"},
    {"a control character in the name of a wall", "[[body]]",
     "[[wall]]\nname = \"w\\u0007\"\n[[body]]",
     R"(16:8: wall.name: the string "w\u0007" is not allowed; must be a string of one line, without control characters)"},
    {"a title of two lines", "[time]", "title = \"one\\ntwo\"\n[time]",
     R"(1:9: title: the string "one\ntwo" is not allowed; must be a string of one line, without control characters)"},
    {"a control character in a pair", R"(between = ["stone", "stone"])",
     R"(between = ["stone", "sto\tne"])",
     R"(11:21: contact.between: the string "sto\tne" is not allowed; must be a string of one line, without control characters)"},
    {"an unknown key with control characters", "theta = 0.5",
     R"("the\u001b]0;x\u0007\u0000ta" = 0.5)",
     R"(4:1: time.the\u001b]0;x\u0007\u0000ta: unknown key; allowed here: dt, end, theta)"},
    {"a body without a shape", "kind = \"box\"\nsides = [1, 2, 1]\n", "",
     "21:1: body.shape: missing; must be the name of a [[shape]], or draw the shape here with kind "
     "= ..."},
};

}  // namespace

TEST_CASE("Scene reader names the place of broken TOML and of unknown missing or mistyped keys",
          "[scenes][unit]") {
  for (const BadInput& input : bad_syntax) check_message(input);
}

}  // namespace bad_syntax_test
