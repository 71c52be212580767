// `rest = "damped"` contact by contact: what the engine leaves of positive work, and how often it
// solves.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/contact_frames.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace damped_rest_test {

using namespace scree;
using test::World;

namespace {

constexpr double g = 9.81;
const char* section = "Properties over random cases";
const char* source = "no contact does positive work";

// A number of cases that has to be large enough for the others to mean something.
void add_count(const std::string& name, int of, int got, int least) {
  test::add_validation_row({section, name, "> " + test::digits(least) + " of " + test::digits(of),
                            test::digits(got), "-", "-", "counted"});
}

// Work p . u_theta of one contact, as of the last solve, over its own bound, 10 tolerance |p_c|
// max(|u_k|, h |g|).
double work_over_bound(const Workspace& work, const Settings& settings, std::size_t c) {
  const double theta = contact_theta(work, c);
  const Vector3 u_1 = contact::local_velocity(work.problem, c, work.end.v, work.end.w_W);
  double done = work.p[c].dot((1.0 - theta) * work.u_0[c] + theta * u_1);
  double impulse = work.p[c].norm(), speed = work.u_0[c].norm();
  if (work.problem.has_moments()) {  // a moment counts with the length of the contact
    const double length = work.problem.length[c];
    done += work.moment[c].dot((1.0 - theta) * work.spin_0[c] +
                               theta * contact::local_spin(work.problem, c, work.end.w_W));
    impulse = std::hypot(impulse, work.moment[c].norm() / length);
    speed = std::hypot(speed, length * work.spin_0[c].norm());
  }
  return done <= 0.0 ? 0.0
                     : done / (10.0 * settings.step.solver.tolerance * impulse *
                               std::max(speed, settings.time.dt * g));
}

// Largest over the contacts of the last solve that are damped still, and over those that went back
// to the published law.
struct Works {
  double damped = 0.0, published = 0.0;
};

Works largest_works(const Workspace& work, const Settings& settings) {
  Works largest;
  for (std::size_t c = 0; c < work.p.size(); ++c) {
    double& of = work.damped[static_cast<std::size_t>(work.in_problem[c])] != 0 ? largest.damped
                                                                                : largest.published;
    of = std::max(of, work_over_bound(work, settings, c));
  }
  return largest;
}

// Two to ten bodies of unlike masses and inertias, one of them held, with 1 to 12 contacts at
// random places in random directions, all closed; every pair of bodies has friction and restitution
// of its own. Speeds are a tenth of h g to thirty times it, so that groups are slow, or fast, or
// not moving at all. No geometry makes these contacts: the candidates are given.
struct RandomScene {
  World world;
  ContactSet candidates;
};

RandomScene random_scene(std::uint64_t seed) {
  test::Random random(seed);
  RandomScene scene;
  World& world = scene.world;
  const int n_bodies = random.integer(2, 10), n_contacts = random.integer(1, 12);
  const bool rolling = random.integer(0, 2) == 0;
  world.settings.time.dt = 0.02;
  world.settings.step.rest = Rest::damped;
  world.settings.step.solver.tolerance = 1e-10;
  world.settings.step.solver.max_iterations = 5000;
  world.model.materials.name.clear();
  double e_max = 0.0;
  for (int i = 0; i < n_bodies; ++i)
    world.model.materials.name.push_back("stone" + std::to_string(i));
  world.model.materials.pair_law.assign(static_cast<std::size_t>(n_bodies * n_bodies), PairLaw{});
  for (int a = 0; a < n_bodies; ++a) {
    for (int b = a; b < n_bodies; ++b) {
      PairLaw law{random.uniform(0.0, 2.0), random.uniform(0.0, 1.0), ImpactLaw::fremond};
      if (rolling) {
        contact::Laws::number(law, "rolling") = random.uniform(0.0, 0.3);
        contact::Laws::number(law, "spinning") = random.uniform(0.0, 0.3);
      }
      world.model.materials.pair_law[static_cast<std::size_t>(a * n_bodies + b)] = law;
      world.model.materials.pair_law[static_cast<std::size_t>(b * n_bodies + a)] = law;
      e_max = std::max(e_max, law.e);
    }
  }
  world.settings.time.theta =
      random.integer(0, 1) == 0 ? 0.5 : random.uniform(0.5, 1.0 / (1.0 + e_max));
  const double speed = world.settings.time.dt * g * std::pow(10.0, random.uniform(-1.0, 1.5));
  for (int i = 0; i < n_bodies; ++i) {
    BodyDefinition body;
    body.name = "body" + std::to_string(i);
    body.kind = i == 0 ? BodyKind::fixed : BodyKind::dynamic;
    body.shape = PointSet{{Vector3(0.5, 0.0, 0.0), Vector3(-0.5, 0.0, 0.0)}};
    body.mass = std::pow(10.0, random.uniform(-0.5, 0.5));
    body.inertia = body.mass * Vector3(random.uniform(0.2, 0.3), random.uniform(0.2, 0.3),
                                       random.uniform(0.2, 0.3))
                                   .asDiagonal()
                                   .toDenseMatrix();
    body.material = static_cast<MaterialIndex>(i);
    const Pose pose{random.vector(1.0), Quaternion(random.rotation())};
    const Vector3 v = random.vector(speed), w = random.vector(speed);
    world.add(body, pose, i == 0 ? Vector3(Vector3::Zero()) : v,
              i == 0 ? Vector3(Vector3::Zero()) : w);
  }
  for (int i = 0; i < n_contacts; ++i) {
    const int a = random.integer(0, n_bodies - 2), b = random.integer(a + 1, n_bodies - 1);
    scene.candidates.key.push_back({a, b, 0, 0, 0, 0, make_feature(FeatureKind::vertex, i)});
  }
  std::sort(scene.candidates.key.begin(), scene.candidates.key.end());
  scene.candidates.resize(scene.candidates.key.size());
  for (std::size_t c = 0; c < scene.candidates.size(); ++c) {
    const ContactKey& key = scene.candidates.key[c];
    const Vector3 between = 0.5 * (world.state.x[static_cast<std::size_t>(key.body_a)] +
                                   world.state.x[static_cast<std::size_t>(key.body_b)]);
    scene.candidates.normal[c] = random.rotation().col(0);
    scene.candidates.point_a[c] = scene.candidates.point_b[c] = between + random.vector(0.7);
    scene.candidates.gap[c] =
        -1.0;  // so that all of them are in the problem from the first solve on
  }
  return scene;
}

}  // namespace

TEST_CASE("Damped rest leaves no contact that does positive work", "[engine][property]") {
  int converged = 0, again = 0, more = 0, mixed = 0, slow = 0;
  double worst_damped = 0.0, worst_published = 0.0;
  const int n = 10000;
  for (int seed = 0; seed < n; ++seed) {
    RandomScene scene = random_scene(static_cast<std::uint64_t>(seed));
    World& world = scene.world;
    Workspace work(world.model, world.settings);
    work.contacts = scene.candidates;
    find_frames(world.model, world.settings, world.state, work);
    StepRecord record;
    solve_candidates(world.model, world.settings, world.state, work, record);
    INFO("seed " << seed);
    REQUIRE(work.p.size() == scene.candidates.size());
    const int solves = 1 + record.rounds;  // further passes are for the gyroscopic coupling
    const auto damped = std::count(work.damped.begin(), work.damped.end(), std::uint8_t{1});
    // one-way: each contact that is not damped any more went back once, and for good
    REQUIRE(record.reversions == static_cast<int>(work.damped.size()) - damped);
    REQUIRE(solves <= static_cast<int>(world.state.x.size()));  // a group more at each solve
    const Works works = largest_works(work, world.settings);
    worst_damped =
        std::max(worst_damped, works.damped);  // measured, whether the solve converged or not
    if (!record.converged) continue;
    ++converged;
    again += solves > 1 ? 1 : 0;
    more += solves > 2 ? 1 : 0;
    mixed += damped > 0 && record.reversions > 0 ? 1 : 0;
    slow += std::any_of(work.theta.begin(), work.theta.end(),
                        [&](double theta) { return theta != world.settings.time.theta; })
                ? 1
                : 0;
    worst_published = std::max(worst_published, works.published);
  }
  const std::string name = "damped rest, 10000 coupled problems: ";
  CHECK(test::validated({section, name + "work of a damped contact / its own bound, worst", 0.0,
                         worst_damped, 1.0, false, source}));
  CHECK(test::validated({section, name + "work of a contact that went back / its own bound, worst",
                         0.0, worst_published, 1.0, false, source}));
  add_count(name + "problems that converged", n, converged, 9900);
  CHECK(converged > 9900);
  // A second solve in a fifth of them. Groups touch each other nowhere, so what one does wakes no
  // other: there is no third.
  add_count(name + "problems that were solved twice", n, again, 1000);
  CHECK(again > 1000);
  CHECK(test::validated({section, name + "problems that were solved three times", 0.0,
                         static_cast<double>(more), 0.0, false, "groups do not feel each other"}));
  CHECK(mixed > 100);  // some contacts of the problem went back, others stayed
  CHECK(slow > 500);   // with the larger theta
}

namespace {

// What many steps of a scene leave.
struct Tally {
  double damped = 0.0, published = 0.0,
         published_of_all =
             0.0;       // largest works of a contact over its own bound, and over that of all
  double solves = 0.0;  // a step, those for the gyroscopic coupling included
  int unconverged = 0, steps_again = 0;
  std::int64_t went_back = 0, over = 0;
};

Tally follow(World& world, int steps) {
  Workspace work(world.model, world.settings);
  Tally tally;
  for (int k = 0; k < steps; ++k) {
    const StepRecord record = step(world.model, world.settings, world.state, work);
    tally.solves += static_cast<double>(record.passes) / steps;
    tally.steps_again += record.reversions > 0 ? 1 : 0;
    tally.went_back += record.reversions;
    tally.damped = std::max(tally.damped, largest_works(work, world.settings).damped);
    tally.unconverged += record.converged ? 0 : 1;
    if (!record.converged) continue;
    double all = 0.0, speed = world.settings.time.dt * g;
    for (std::size_t c = 0; c < work.p.size(); ++c) {
      all += work.p[c].squaredNorm();
      speed = std::max(speed, work.u_0[c].norm());
    }
    for (std::size_t c = 0; c < work.p.size(); ++c) {
      const double own = work_over_bound(work, world.settings, c);
      if (!(own > 0.0)) continue;
      tally.over += own > 1.0 ? 1 : 0;
      if (work.damped[static_cast<std::size_t>(work.in_problem[c])] != 0) continue;
      tally.published = std::max(tally.published, own);
      const double bound = 10.0 * world.settings.step.solver.tolerance;
      tally.published_of_all =
          std::max(tally.published_of_all,
                   work.p[c].dot(work.u_theta[c]) / (bound * std::sqrt(all) * speed));
    }
  }
  return tally;
}

World falling_rocks(double h) {
  World world;
  test::RandomShapes random(2);
  world.law() = PairLaw{0.5, 0.2, ImpactLaw::fremond};
  world.settings.time.dt = h;
  world.settings.step.rest = Rest::damped;
  world.add_plane();
  for (int i = 0; i < 18; ++i) {
    BodyDefinition rock;
    rock.name = "rock" + std::to_string(i);
    rock.shape = random.polyhedron();
    rock.density = 2300.0;
    world.add(rock, Pose{Vector3(1.05 * (i % 3), 1.05 * (i / 3 % 3), 0.55 + 1.05 * (i / 9)),
                         random.rotation()});
  }
  return world;
}

}  // namespace

TEST_CASE("Damped rest in a pile of falling rocks holds each contact to its own bound",
          "[engine][property]") {
  for (const double h : {2e-3, 1e-3}) {
    World world = falling_rocks(h);
    const int steps = static_cast<int>(std::lround(0.8 / h));
    const Tally tally = follow(world, steps);
    const std::string name = "damped rest, 18 falling rocks, h = " + test::digits(h) + " s: ";
    CHECK(test::validated({section, name + "work of a damped contact / its own bound, worst", 0.0,
                           tally.damped, 1.0, false, source}));
    // The published law holds to the residual, which is a norm over all contacts: what a contact
    // that went back may do is bounded with the impulses of all. Further solves bring it within its
    // own bound, unless these end first.
    CHECK(test::validated(
        {section, name + "work of a contact that went back / bound with the impulses of all, worst",
         0.0, tally.published_of_all, 1.0, false, source}));
    const double share = static_cast<double>(tally.over) / static_cast<double>(tally.went_back);
    CHECK(test::validated({section,
                           name + "share of contacts that went back and exceed their own bound",
                           0.0, share, 1e-3, false, "further solves"}));
    CHECK(test::validated({section,
                           name + "solves a step, those for the gyroscopic coupling included", 1.0,
                           tally.solves, 3.0, false, "cost of the switches"}));
    test::add_validation_row({section, name + "share of steps in which contacts went back", "> 0.1",
                              test::digits(static_cast<double>(tally.steps_again) / steps, 2), "-",
                              "-", "counted"});
    CHECK(tally.steps_again > steps / 10);  // the switch is used
    CHECK(tally.unconverged < steps / 20);  // while rocks still roll, at 1e-8
  }
}

}  // namespace damped_rest_test
