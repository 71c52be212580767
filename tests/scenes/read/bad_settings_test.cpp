#include "tests/scenes/read/bad_input.hpp"

namespace bad_settings_test {

using namespace scree::test;

namespace {

const BadInput bad_settings[] = {
    {"dt of zero", "dt = 0.001", "dt = 0",
     "2:6: time.dt: 0 is not allowed; must be a finite number > 0 [s]"},
    {"a negative dt", "dt = 0.001", "dt = -1e-3",
     "2:6: time.dt: -0.001 is not allowed; must be a finite number > 0 [s]"},
    {"dt not a number", "dt = 0.001", "dt = nan",
     "2:6: time.dt: nan is not allowed; must be a finite number > 0 [s]"},
    {"an infinite dt", "dt = 0.001", "dt = inf",
     "2:6: time.dt: inf is not allowed; must be a finite number > 0 [s]"},
    {"an end before the first step", "end = 1.0", "end = 0.0005",
     "3:7: time.end: 0.0005 is not allowed; must be at least one step, dt = 0.001 [s]"},
    {"an end of zero", "end = 1.0", "end = 0",
     "3:7: time.end: 0 is not allowed; must be a finite number > 0 [s]"},
    {"theta too small", "theta = 0.5", "theta = 0.49",
     "4:9: time.theta: 0.49 is not allowed; must be in [1/2, 1/(1+e)] = [0.5, 0.8333333333333334], "
     "e = 0.2 being the "
     "largest restitution of the pairs under the law fremond (stone - stone)"},
    {"theta too large for the restitution", "theta = 0.5", "theta = 0.84",
     "4:9: time.theta: 0.84 is not allowed; must be in [1/2, 1/(1+e)] = [0.5, 0.8333333333333334], "
     "e = 0.2 being the "
     "largest restitution of the pairs under the law fremond (stone - stone)"},
    {"theta not a number", "theta = 0.5", "theta = nan",
     "4:9: time.theta: nan is not allowed; must be in [1/2, 1/(1+e)] = [0.5, 0.8333333333333334], "
     "e = 0.2 being the "
     "largest restitution of the pairs under the law fremond (stone - stone)"},
    {"theta too large under newton alone", "theta = 0.5",
     "theta = 1.01\n[law]\ndefault = \"newton\"",
     "4:9: time.theta: 1.01 is not allowed; must be in [1/2, 1] = [0.5, 1]"},
    {"a tolerance of zero", "[time]", "[solver]\ntolerance = 0\n[time]",
     "2:13: solver.tolerance: 0 is not allowed; must be a finite number > 0"},
    {"a tolerance that asks for nothing", "[time]", "[solver]\ntolerance = 1e300\n[time]",
     "2:13: solver.tolerance: 1e+300 is not allowed; must be at most 1"},
    {"no iterations allowed", "[time]", "[solver]\nmax_iterations = 0\n[time]",
     "2:18: solver.max_iterations: 0 is not allowed; must be an integer >= 1"},
    {"more iterations demanded than allowed", "[time]",
     "[solver]\nmax_iterations = 5\nmin_iterations = 6\n[time]",
     "3:18: solver.min_iterations: 6 is not allowed; must be at most max_iterations = 5"},
    {"no passes allowed", "[time]", "[solver]\nmax_passes = 0\n[time]",
     "2:14: solver.max_passes: 0 is not allowed; must be an integer in [1, 1000000]"},
    {"negative threads", "[time]", "[solver]\nthreads = -1\n[time]",
     "2:11: solver.threads: -1 is not allowed; must be an integer in [0, 4096]"},
    {"a negative frame rate", "[time]", "[output]\nframes_per_second = -1\n[time]",
     "2:21: output.frames_per_second: -1 is not allowed; must be a finite number >= 0 [1/s]"},
    {"a negative checkpoint rate", "[time]", "[checkpoint]\nevery_minutes = -1\n[time]",
     "2:17: checkpoint.every_minutes: -1 is not allowed; must be a finite number >= 0 [min]"},
    {"a negative slop", "[time]", "[law]\ncorrection_slop = -1e-5\n[time]",
     "2:19: law.correction_slop: -1e-05 is not allowed; must be a finite number >= 0"},
    {"a negative overlap tolerance", "[time]", "[start]\noverlap_tolerance = -1\n[time]",
     "2:21: start.overlap_tolerance: -1 is not allowed; must be a finite number >= 0"},
    {"a friction beyond all use", "mu = 0.6", "mu = 101",
     "12:6: contact.mu: 101 is not allowed; must be a number in [0, 100]"},
    {"a density beyond all use", "density = 2300", "density = 1e300",
     "8:11: material.density: 1e+300 is not allowed; must be from 1e-20 to 1e20 [kg/m3]"},
    {"an integer that no number is near enough to", "dt = 0.001", "dt = 9223372036854775807",
     "3:7: time.end: 1 is not allowed; must be at least one step, dt = 9.223372036854776e+18 [s]"},
    {"an unknown measure", "[time]", "[solver]\nmeasure = \"publishd\"\n[time]",
     R"(2:11: solver.measure: unknown value "publishd"; did you mean "published"? Allowed here: combined, scaled, published, siconos)"},
    {"an unknown backend", "[time]", "[solver]\nbackend = \"cuda\"\n[time]",
     R"(2:11: solver.backend: unknown value "cuda"; allowed here: serial, openmp, tbb)"},
    {"an unknown law", "e = 0.2", "e = 0.2\nlaw = \"poisson\"",
     R"(14:7: contact.law: unknown value "poisson"; allowed here: fremond, newton, moreau, moreau_published)"},
    {"an unknown default law", "[time]", "[law]\ndefault = \"fremont\"\n[time]",
     R"(2:11: law.default: unknown value "fremont"; did you mean "fremond"? Allowed here: fremond, newton, moreau, moreau_published)"},
    {"an unknown kind of shape", R"(kind = "box")", R"(kind = "bix")",
     R"(23:8: body.kind: unknown value "bix"; did you mean "box"? Allowed here: sphere, capsule, box, convex, disc, half_space, points, cylinder_wall, compound, terrain)"},
    {"a negative friction", "mu = 0.6", "mu = -0.1",
     "12:6: contact.mu: -0.1 is not allowed; must be a number in [0, 100]"},
    {"friction not a number", "mu = 0.6", "mu = nan",
     "12:6: contact.mu: nan is not allowed; must be a number in [0, 100]"},
    {"a negative rolling resistance", "mu = 0.6", "mu = 0.6\nrolling = -0.1",
     "13:11: contact.rolling: -0.1 is not allowed; must be a number in [0, 100]"},
    {"rolling resistance not a number", "mu = 0.6", "mu = 0.6\nrolling = nan",
     "13:11: contact.rolling: nan is not allowed; must be a number in [0, 100]"},
    {"an infinite spinning resistance", "mu = 0.6", "mu = 0.6\nspinning = inf",
     "13:12: contact.spinning: inf is not allowed; must be a number in [0, 100]"},
    {"a misspelt rolling resistance", "mu = 0.6", "mu = 0.6\nroling = 0.1",
     "13:1: contact.roling: unknown key; did you mean \"rolling\"?"},
    {"tangential restitution under a law without", "mu = 0.6", "mu = 0.6\ne_T = 0.5",
     "13:7: contact.e_T: says nothing under the law \"fremond\"; tangential restitution under the "
     "law moreau: what sticks leaves with -e_T times its tangential velocity; below 0 in impacts "
     "only, where the published R_t, the share that is left, is -e_T"},
    {"tangential restitution above one", "mu = 0.6", "mu = 0.6\nlaw = \"moreau\"\ne_T = 1.5",
     "14:7: contact.e_T: 1.5 is not allowed; must be a number in [-1, 1]"},
    {"a restitution above one", "e = 0.2", "e = 1.1",
     "13:5: contact.e: 1.1 is not allowed; must be a number in [0, 1]"},
    {"a negative restitution", "e = 0.2", "e = -0.1",
     "13:5: contact.e: -0.1 is not allowed; must be a number in [0, 1]"},
    {"a pair of materials without a law", "[[contact]]\nbetween = [\"stone\", \"stone\"]",
     "[[material]]\nname = \"wood\"\n[[contact]]\nbetween = [\"stone\", \"wood\"]",
     R"(12:1: contact: no law for the materials "stone" and "stone", whose bodies can meet; add a [[contact]] with between = ["stone", "stone"])"},
    {"a file without any law", "[[contact]]\nbetween = [\"stone\", \"stone\"]\nmu = 0.6\ne = 0.2\n",
     "",
     R"(1:1: contact: no law for the materials "stone" and "stone", whose bodies can meet; add a [[contact]] with between = ["stone", "stone"])"},
    {"a law with an unknown material", R"(between = ["stone", "stone"])",
     R"(between = ["stone", "stonr"])",
     R"(11:11: contact.between: unknown value "stonr"; did you mean "stone"? Allowed here: stone)"},
    {"a law between three materials", R"(between = ["stone", "stone"])",
     R"(between = ["stone", "stone", "stone"])",
     "11:11: contact.between: an array of 3 is not allowed; must be the names of two materials, "
     "which may be the same"},
    {"a law given twice", "[[body]]",
     "[[contact]]\nbetween = [\"stone\", \"stone\"]\nmu = 0.1\ne = 0\n[[body]]",
     R"(16:11: contact.between: there is already a law between "stone" and "stone"; give each pair once)"},
    {"a material defined twice", "[[contact]]", "[[material]]\nname = \"stone\"\n[[contact]]",
     R"(11:8: material.name: there is already a material "stone"; names must be unique)"},
};

}  // namespace

TEST_CASE("Scene reader states the range of settings and laws", "[scenes][unit]") {
  for (const BadInput& input : bad_settings) check_message(input);
}

TEST_CASE("Scene reader wants at least one body", "[scenes][unit]") {
  CHECK(message_of("[time]\ndt = 1\nend = 1\n") ==
        "scene.toml:1:1: body: missing; must be at least one [[body]], [[wall]], [[rock]], "
        "[[stack]], [[arch]], [[pyramid]], [[grains]], [[fragments]], "
        "[[blocks]], [[rough_plate]] or [column]");
}

}  // namespace bad_settings_test
