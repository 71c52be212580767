// Periodic worlds and sheared ones (Lees and Edwards): against the same world without a face,
// against explicit copies, and the bits of a start that is moved by periods.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/files/checkpoint.hpp"
#include "engine/measure/gauges.hpp"
#include "engine/periodic_cell.hpp"
#include "engine/state_hash.hpp"
#include "scenes/read/scene.hpp"
#include "scenes/simulation.hpp"
#include "tests/support/momentum.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/validation_table.hpp"
#include "tests/support/world.hpp"

namespace periodic_test {

using namespace scree;
using test::Stepper;
using test::World;

namespace {

constexpr double grid = 1.0 / (1 << 20);  // [m] numbers that periods move without rounding

double on_grid(double value) { return std::round(value / grid) * grid; }

void validation(const std::string& name, const std::string& expected, double error, double allowed,
                const char* source) {
  test::add_validation_row({"Periodic worlds", name, expected, test::digits(error, 2),
                            test::digits(error, 2), test::digits(allowed, 2), source});
}

// A gas of balls and blocks on a lattice, knocked about, in a cell that is periodic along all axes.
World gas(int n_along, double h, double shear_rate = 0.0) {
  World world;
  world.settings.time.dt = h;
  world.settings.step.solver.tolerance = 1e-8;
  world.model.gravity.setZero();
  world.law() = PairLaw{0.3, 0.8, ImpactLaw::fremond};
  const double pitch = 0.25, length = n_along * pitch;
  world.model.cell.length = Vector3::Constant(length);
  world.model.cell.corner = Vector3(-0.5, 0.25, 0.125);
  world.model.cell.shear_rate = shear_rate;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto any = [&](double size) {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vector3(size * x, size * y, size * z);
  };
  for (int k = 0; k < n_along * n_along * n_along; ++k) {
    const Vector3 cell(k % n_along, k / n_along % n_along, k / (n_along * n_along));
    Vector3 x = world.model.cell.corner + pitch * cell + any(0.02);
    for (double& value : x) value = on_grid(value);
    const Vector3 v = any(1.5), w = any(4.0);
    if (k % 2 == 0)
      world.add_sphere(0.1, x, 1.0 + 0.2 * (k % 3), v, w);
    else
      world.add_box({0.13, 0.11, 0.12}, {x, Quaternion(1.0, 0.1 * (k % 5), 0.2, 0.1).normalized()},
                    800.0, v, w);
  }
  enter_cell(world.model, world.state);
  return world;
}

std::int64_t image_contacts(const Workspace& work) {
  return std::count_if(work.in_problem.begin(), work.in_problem.end(), [&](ContactIndex c) {
    return work.contacts.key[static_cast<std::size_t>(c)].image != 0;
  });
}

// Sum over contacts of the last step on b [N s].
Vector3 impulse_on_b(const Workspace& work) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c)
    sum += work.problem.R_WC[c] * work.p[c];
  return sum;
}

}  // namespace

TEST_CASE("A packed image adds like its three numbers and keeps their order", "[periodic]") {
  const int values[] = {-7, -1, 0, 1, 2, 40};
  for (const int i : values) {
    for (const int j : values) {
      for (const int k : values) {
        const ImageCode code = image_code(i, j, k);
        CHECK((periods_of(code) == PeriodCount{i, j, k}));
        CHECK(code + image_code(3, -2, 1) == image_code(i + 3, j - 2, k + 1));
        CHECK(-code == image_code(-i, -j, -k));
        for (const int other : values) {
          CHECK((image_code(i, j, k) < image_code(i, j, other)) == (k < other));
          CHECK((image_code(i, j, k) < image_code(i, other, k)) == (j < other));
          CHECK((image_code(i, j, k) < image_code(other, j, k)) == (i < other));
        }
      }
    }
  }
}

TEST_CASE("A periodic gas keeps its momentum, and its bits when the start moves by periods",
          "[periodic][validation]") {
  for (const double h : {2e-3, 5e-4}) {
    World world = gas(5, h);
    const World start = world;
    const Vector3 before = test::momentum_of(world).linear;
    double size = 0.0, worst = 0.0, balance = 0.0;
    for (std::size_t i = 0; i < world.state.v.size(); ++i)
      size += world.model.mass[i] * world.state.v[i].norm();
    std::int64_t through = 0, contacts = 0;
    const int n = static_cast<int>(std::lround(0.4 / h));
    {
      Stepper stepper(world);
      for (int k = 0; k < n; ++k) {
        const StepRecord& record = stepper.step();
        REQUIRE(record.converged);
        worst = std::max(worst, (test::momentum_of(world).linear - before).norm() / size);
        balance = std::max(balance, std::abs(record.ledger.balance));
        through += image_contacts(stepper.work());
        contacts += record.contacts;
      }
    }
    INFO("h = " << h << ", contacts " << contacts << ", through faces " << through);
    CHECK(through > 50);
    CHECK(worst <= 1e-12);
    CHECK(balance <= 1e-12 * world.state.energy_scale);
    bool went = false;
    for (const PeriodCount& image : world.state.image) went = went || image != PeriodCount{};
    CHECK(went);
    validation("gas of 125 bodies, h = " + test::digits(h) + " s: change of momentum", "0", worst,
               1e-12, "impulses are equal and opposite");
    validation("gas of 125 bodies, h = " + test::digits(h) + " s: balance", "0",
               balance / world.state.energy_scale, 1e-12, "every joule has a name");

    // All by one period, and each by its own.
    for (const bool each : {false, true}) {
      World moved = start;
      moved.state.image.clear();
      for (std::size_t i = 0; i < moved.state.x.size(); ++i) {
        const auto own = static_cast<std::int32_t>(each ? i % 4 : 1);
        moved.state.x[i] += moved.model.cell.offset(PeriodCount{own - 1, 1, -own}, 0.0);
      }
      enter_cell(moved.model, moved.state);
      Stepper(moved).steps(n);
      CHECK(resume_hash(moved.state) == resume_hash(world.state));
    }
    for (const auto& [backend, threads] :
         {std::pair(Backend::openmp, 2), std::pair(Backend::tbb, 3)}) {
      World other = start;
      other.settings.backend = backend, other.settings.threads = threads;
      Stepper(other).steps(n);
      CHECK(resume_hash(other.state) == resume_hash(world.state));
    }
  }
}

TEST_CASE("A sheared gas closes its ledger and goes on with the same bits",
          "[periodic][validation]") {
  for (const double h : {2e-3, 5e-4}) {
    for (const double theta : {0.5, 0.55}) {
      World world = gas(4, h, 1.7);
      world.settings.time.theta = theta;
      const World start = world;
      const int n = static_cast<int>(std::lround(1.0 / h)), half = n / 2;
      const test::TemporaryFolder folder;
      const std::string path = folder.file("state.checkpoint");
      const auto kinetic = [](const World& w) {
        double sum = 0.0;
        for (std::size_t i = 0; i < w.state.x.size(); ++i)
          sum += 0.5 * (w.model.mass[i] * w.state.v[i].squaredNorm() +
                        w.state.w[i].dot(w.model.inertia[i].cwiseProduct(w.state.w[i])));
        return sum;
      };
      double works = 0.0, balance = 0.0, shear = 0.0;
      const double before = kinetic(world);
      std::int64_t sheared_contacts = 0, over = 0;
      {
        Stepper stepper(world);
        for (int k = 0; k < n; ++k) {
          const LedgerRow& row = stepper.step().ledger;
          REQUIRE(stepper.record().converged);
          balance = std::max(balance, std::abs(row.balance));
          works += row.contact_normal_work + row.contact_tangential_work + row.shear_work +
                   row.numerical_dissipation;
          CHECK(row.max_normal_work <= 1e-7 * world.state.energy_scale);
          shear += row.shear_work;
          for (const ContactIndex c : stepper.work().in_problem) {
            const ContactKey& key = stepper.work().contacts.key[static_cast<std::size_t>(c)];
            sheared_contacts += periods_of(key.image)[2] != 0 ? 1 : 0;
          }
        }
        for (const PeriodCount& image : world.state.image) over += image[2] != 0 ? 1 : 0;
      }
      INFO("h = " << h << ", theta = " << theta << ", contacts over the sheared face "
                  << sheared_contacts << ", bodies " << over << ", shear work " << shear);
      CHECK(sheared_contacts > 10);
      CHECK(over > 2);
      CHECK(shear != 0.0);
      CHECK(balance <= 1e-12 * world.state.energy_scale);
      const double error = std::abs(kinetic(world) - before - works) / world.state.energy_scale;
      CHECK(error <= 1e-11);
      validation("sheared gas, h = " + test::digits(h) + " s, theta = " + test::digits(theta) +
                     ": kinetic energy less all works",
                 "0", error, 1e-11, "work of images, and what crossing bodies bring");

      World broken = start;
      Stepper(broken).steps(half);
      CheckpointOrigin origin;
      origin.result = "run.h5", origin.start_hash = std::string(64, 'a');
      write_checkpoint(path, origin, {}, broken.state);
      broken.state = read_checkpoint(path).state;
      broken.settings.backend = Backend::openmp, broken.settings.threads = 2;
      Stepper(broken).steps(n - half);
      CHECK(resume_hash(broken.state) == resume_hash(world.state));
      CHECK(state_hash(broken.state) == state_hash(world.state));
    }
  }
}

TEST_CASE("A body that meets nothing goes straight through a sheared world", "[periodic]") {
  World world;
  world.model.gravity.setZero();
  world.model.cell.length = Vector3(1.0, 0.0, 0.7);
  world.model.cell.shear_rate = -3.1;
  world.settings.time.dt = 1e-2;
  world.add_sphere(0.1, {0.2, 0.3, 0.4}, 1.0, {0.9, 0.1, 2.3});
  enter_cell(world.model, world.state);
  Stepper stepper(world);
  double worst = 0.0;
  for (int k = 1; k <= 200; ++k) {
    stepper.step();
    const Vector3 x = path_end(world.model.cell, world.state, 0),
                  expected = Vector3(0.2, 0.3, 0.4) + 0.01 * k * Vector3(0.9, 0.1, 2.3);
    worst = std::max(worst, (x - expected).norm());
    CHECK(std::abs(world.state.x[0].x() - 0.5) <= 0.5);
    CHECK(std::abs(world.state.x[0].z() - 0.35) <= 0.35);
  }
  CHECK(world.state.image[0][2] == 7);
  CHECK(worst <= 1e-12);
}

TEST_CASE("Two bodies pressed together and sheared through a face feel what they feel without it",
          "[periodic][validation]") {
  for (const double h : {1e-3, 2.5e-4}) {
    for (const bool boxes : {false, true}) {
      for (const double speed : {0.0, 2.0}) {
        // The lower body at the top of the cell; the upper at its bottom, in the cell or above it.
        const auto make = [&](bool periodic, const Vector3& shift) {
          World world;
          world.settings.time.dt = h;
          world.settings.step.solver.tolerance = 1e-13;
          world.law() = PairLaw{0.4, 0.2, ImpactLaw::fremond};
          world.model.gravity.setZero();
          const double length = 1.0;
          const Vector3 up(0.0, 0.0, periodic ? 0.0 : length);
          if (periodic) {
            world.model.cell.length = Vector3(length, length, length);
            world.model.cell.shear_rate = speed / length;
          }
          const Vector3 along(periodic ? 0.0 : speed, 0.0, 0.0);
          const Vector3 low = Vector3(0.5, 0.5, 0.9) + shift,
                        high = Vector3(0.53, 0.52, 0.1) + shift + up;
          const double size = 0.2 + (boxes ? 0.0 : 1e-3);
          const Vector3 v_low(0.1, 0.2, 0.5), v_high = Vector3(0.0, -0.3, -0.5) + along;
          if (boxes) {
            world.add_box(Vector3::Constant(size), {low, Quaternion::Identity()}, 1000.0, v_low);
            world.add_box({0.18, 0.19, size}, {high, Quaternion::Identity()}, 900.0, v_high);
          } else {
            world.add_sphere(0.5 * size, low, 8.0, v_low, {0.0, 1.0, 0.0});
            world.add_sphere(0.5 * size, high, 7.0, v_high);
          }
          for (const int sign : {1, -1}) {
            Load load;
            load.force = constant_record({0.0, 0.0, 400.0 * sign});
            SteeredBody steered;
            steered.body = sign > 0 ? 0 : 1;
            steered.load_begin = sign > 0 ? 0 : 1, steered.load_end = steered.load_begin + 1;
            world.model.loads.push_back(load);
            world.model.steered.push_back(steered);
          }
          enter_cell(world.model, world.state);
          return world;
        };
        World free = make(false, Vector3::Zero()), cut = make(true, Vector3::Zero()),
              // The same in the middle of the cell: no face between them.
            whole = make(true, {0.21, -0.4, 0.37});
        Stepper of_free(free), of_cut(cut), of_whole(whole);
        double worst = 0.0;
        std::int64_t through = 0;
        // Faces share their friction among four corners in many ways, and what differs in the last
        // digit grows.
        const int n = boxes ? 8 : 40;
        for (int k = 0; k < n; ++k) {
          of_free.step(), of_cut.step(), of_whole.step();
          const Vector3 expected = impulse_on_b(of_free.work());
          const double scale = 0.02 * 8.0;  // [N s] of what a step of them can have
          worst = std::max({worst, (impulse_on_b(of_cut.work()) - expected).norm() / scale,
                            (impulse_on_b(of_whole.work()) - expected).norm() / scale});
          through += image_contacts(of_cut.work());
        }
        INFO("h = " << h << ", boxes " << boxes << ", speed " << speed);
        CHECK(through >= 8);
        CHECK(worst <= 1e-12);
        validation(std::string(boxes ? "two boxes" : "two balls") + " through a face, images at " +
                       test::digits(speed) + " m/s, h = " + test::digits(h) + " s: contact force",
                   "as without the face", worst, 1e-12, "the same two without a cell");
      }
    }
  }
}

TEST_CASE("Contacts through faces are those of explicit copies", "[periodic]") {
  std::size_t all_through = 0;
  for (const int seed : {1, 2, 3, 4, 5, 6}) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const double length = 1.0, shift = seed % 2 == 0 ? 0.0 : 0.37;
    World world, copies;
    for (World* w : {&world, &copies}) w->model.gravity.setZero();
    Cell& cell = world.model.cell;
    cell.length = Vector3(length, seed % 3 == 0 ? 0.0 : length, length);
    if (shift > 0.0) cell.shear_rate = 1e-9;
    world.state.image_shift = shift;
    struct Drawn {
      BodyDefinition body;
      Pose pose;
    };
    std::vector<Drawn> bodies;
    for (int k = 0; k < 24; ++k) {
      Drawn drawn;
      drawn.body.density = 1000.0;
      const double size = 0.18 + 0.1 * unit(random);
      if (k % 2 == 0)
        drawn.body.shape = Sphere{0.5 * size, Vector3::Zero()};
      else
        drawn.body.shape = make_box({size, 0.8 * size, 0.9 * size});
      const double x = unit(random), y = unit(random), z = unit(random);
      drawn.pose.x = Vector3(x, y, z);
      drawn.pose.q =
          Quaternion(unit(random), unit(random), unit(random), unit(random) - 0.5).normalized();
      drawn.body.name = "b" + std::to_string(k);
      bodies.push_back(drawn);
      world.add(drawn.body, drawn.pose);
    }
    enter_cell(world.model, world.state);
    // Body k, then its images; `own[c]` says which.
    std::vector<std::pair<int, ImageCode>> own;
    const int over_y = cell.length.y() > 0.0 ? 1 : 0;
    for (int k = 0; k < 24; ++k) {
      for (int m = -1; m <= 1; ++m) {
        for (int j = -over_y; j <= over_y; ++j) {
          for (int i = -2; i <= 2; ++i) {
            Drawn copy = bodies[static_cast<std::size_t>(k)];
            copy.body.name += "_" + std::to_string(own.size());
            copy.pose.x = world.state.x[static_cast<std::size_t>(k)] +
                          cell.offset(PeriodCount{i, j, m}, shift);
            copies.add(copy.body, copy.pose);
            own.emplace_back(k, image_code(i, j, m));
          }
        }
      }
    }
    const auto found = [](World& w, double s) {
      collision::Detector detector;
      ContactSet contacts;
      const collision::Poses poses{w.state.x, w.state.q, s};
      const std::vector<double> reach(w.state.x.size(), 0.02);
      detector.detect(w.model, poses, poses, poses, w.state.active, reach, Executor(), contacts);
      return contacts;
    };
    const ContactSet mine = found(world, shift), all = found(copies, 0.0);
    using Name = std::tuple<int, int, ImageCode, Feature, Feature>;
    std::map<Name, std::size_t> expected;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const ContactKey& key = all.key[c];
      const auto [a, image_a] = own[static_cast<std::size_t>(key.body_a)];
      const auto [b, image_b] = own[static_cast<std::size_t>(key.body_b)];
      if (image_a != 0 || a == b) continue;
      expected[{a, b, image_b, key.feature_a, key.feature_b}] = c;
    }
    // Those of a body in the cell with an image of a lower one say the same the other way round.
    std::size_t matched = 0, through = 0;
    for (std::size_t c = 0; c < mine.size(); ++c) {
      const ContactKey& key = mine.key[c];
      const auto at =
          expected.find({key.body_a, key.body_b, key.image, key.feature_a, key.feature_b});
      REQUIRE(at != expected.end());
      const std::size_t e = at->second;
      CHECK(std::abs(mine.gap[c] - all.gap[e]) <= 1e-12);
      CHECK((mine.normal[c] - all.normal[e]).norm() <= 1e-10);
      CHECK((mine.point_a[c] - all.point_a[e]).norm() <= 1e-12);
      CHECK((mine.point_b[c] + cell.offset(key.image, shift) - all.point_b[e]).norm() <= 1e-12);
      ++matched, through += key.image != 0 ? 1U : 0U;
    }
    CHECK(matched == expected.size());
    all_through += through;
    CHECK(std::is_sorted(mine.key.begin(), mine.key.end()));
  }
  CHECK(all_through > 30);
}

TEST_CASE("A block slides over tiles and over the face of the cell without a kick", "[periodic]") {
  for (const bool block_first : {true, false}) {
    World world;
    world.settings.time.dt = 1e-3;
    world.settings.step.solver.tolerance = 1e-12;
    world.law() = PairLaw{0.0, 0.0, ImpactLaw::fremond};
    world.model.cell.length = Vector3(2.0, 2.0, 0.0);
    const auto add_block = [&] {
      world.add_box({0.4, 0.3, 0.2}, {Vector3(1.7, 1.66, 0.1), Quaternion::Identity()}, 1000.0,
                    {1.3, 0.7, 0.0});
    };
    if (block_first) add_block();
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        BodyDefinition tile;
        tile.name = "tile" + std::to_string(4 * i + j);
        tile.kind = BodyKind::fixed;
        tile.shape = make_box({0.5, 0.5, 0.2});
        world.add(tile, {Vector3(0.25 + 0.5 * i, 0.25 + 0.5 * j, -0.1), Quaternion::Identity()});
      }
    }
    if (!block_first) add_block();
    enter_cell(world.model, world.state);
    const auto block = static_cast<std::size_t>(block_first ? 0 : 16);
    Stepper stepper(world);
    double worst = 0.0;
    std::int64_t through = 0;
    for (int k = 0; k < 3000; ++k) {
      stepper.step();
      REQUIRE(stepper.record().converged);
      worst = std::max({worst, (world.state.v[block] - Vector3(1.3, 0.7, 0.0)).norm(),
                        world.state.w[block].norm(), std::abs(world.state.x[block].z() - 0.1)});
      through += image_contacts(stepper.work());
    }
    CHECK(world.state.image[block][0] == 2);
    CHECK(world.state.image[block][1] == 1);
    CHECK(through > 100);
    CHECK(worst <= 1e-9);
  }
}

TEST_CASE("What rests on a device keeps its memory over a face", "[periodic]") {
  const auto make = [](bool periodic) {
    World world;
    world.settings.time.dt = 1e-3;
    world.settings.step.solver.tolerance = 1e-12;
    world.law() = PairLaw{0.5, 0.0, ImpactLaw::fremond};
    contact::Laws::number(world.law(), "device_normal") = 2.0;
    contact::Laws::number(world.law(), "device_tangential") = 2.0;
    world.model.gravity = Vector3(1.0, 0.0, -9.0);
    if (periodic) world.model.cell.length = Vector3(1.0, 1.0, 0.0);
    // Two blocks on each other, on a driven floor that takes them along.
    world.add_box({0.4, 0.4, 0.2}, {Vector3(0.7, 0.5, 0.1), Quaternion::Identity()}, 1000.0,
                  {1.0, 0.1, 0.0});
    world.add_box({0.3, 0.3, 0.2}, {Vector3(0.72, 0.5, 0.3), Quaternion::Identity()}, 1000.0,
                  {1.0, 0.1, 0.0});
    BodyDefinition floor;
    floor.name = "floor", floor.kind = BodyKind::driven;
    floor.shape = HalfSpace{Vector3::UnitZ(), 0.0};
    floor.history.time = {0.0}, floor.history.linear = {Vector3(1.0, 0.1, 0.0)};
    floor.history.angular = {Vector3::Zero()};
    integrate(floor.history);
    world.add(floor, Pose{});
    enter_cell(world.model, world.state);
    return world;
  };
  World free = make(false), cut = make(true);
  Stepper of_free(free), of_cut(cut);
  double worst = 0.0;
  std::int64_t through = 0;
  for (int k = 0; k < 600; ++k) {
    of_free.step(), of_cut.step();
    for (BodyIndex i = 0; i < 2; ++i) {
      worst = std::max(worst, (of_free.impulse_on(i) - of_cut.impulse_on(i)).norm());
      CHECK((path_end(cut.model.cell, cut.state, static_cast<std::size_t>(i)) -
             free.state.x[static_cast<std::size_t>(i)])
                .norm() <= 1e-9);
    }
    REQUIRE(free.state.kept.memory.size() == cut.state.kept.memory.size());
    through += image_contacts(of_cut.work());
  }
  CHECK(cut.state.image[0][0] + cut.state.image[1][0] > 0);
  CHECK(through > 10);
  CHECK(worst <= 1e-9);
}

TEST_CASE("A plate of parts that cannot turn may span the cell", "[periodic]") {
  // Four bumps a row, glued; a ball is pressed into the gap at the face and into one in the middle.
  const auto force = [](double at) {
    World world;
    world.settings.time.dt = 1e-3;
    world.settings.step.solver.tolerance = 1e-12;
    world.law() = PairLaw{0.5, 0.0, ImpactLaw::fremond};
    world.model.cell.length = Vector3(1.0, 1.0, 0.0);
    BodyDefinition plate;
    plate.name = "plate", plate.mass = 5.0;
    plate.inertia = Matrix3::Identity();
    plate.centre_is_origin = true;
    for (int i = 0; i < 4; ++i) {
      std::vector<Vector3> corners;
      for (const double y : {-0.2, 0.2}) {
        for (const double s : {-0.125, 0.0, 0.125})
          corners.emplace_back(0.125 + 0.25 * i + s, y, s == 0.0 ? 0.1 : 0.0);
      }
      const Shape bump = Shape(make_convex_polyhedron(corners));
      if (i == 0)
        plate.shape = bump;
      else
        plate.further_parts.push_back(bump);
    }
    world.add(plate, {Vector3(0.0, 0.5, 0.2), Quaternion::Identity()});
    set_freedom(world.model,
                freedom_of({"x", "y", "z"}, world.model.inertia.back(), world.state.q.back()));
    world.add_plane();
    world.add_sphere(0.1, {at, 0.5, 0.2 + 0.16}, 2.0);
    check_cell(world.model, world.settings, world.state);
    enter_cell(world.model, world.state);
    Stepper stepper(world);
    stepper.steps(300);
    return std::pair(stepper.impulse_on(2), image_contacts(stepper.work()));
  };
  const auto [in_middle, none] = force(0.5);
  const auto [at_face, some] = force(0.0);
  CHECK(none == 0);
  CHECK(some > 0);
  CHECK(std::abs(in_middle.z() - 2.0 * 9.81e-3) <= 1e-9);
  CHECK((in_middle - at_face).norm() <= 1e-9);
}

namespace {

// A bed in a cell that is periodic along x and y, on a plate that shakes, under a lid that a
// pressure holds down: balls and blocks, of which every third resists by drag, with cohesion,
// rolling resistance and devices, shaken as a whole, pushed and turned.
std::string everything_at_once(double h, double theta, bool sheared) {
  std::string text = "[world]\nperiodic = " + std::string(sheared ? "[1, 1, 1]" : "[1, 1, 0]");
  text += sheared ? "\ngravity = [0, 0, 0]\nshear_rate = 2\n"
                  : "\n[[world.acceleration]]\nkind = \"ground\"\ntime = [0, 0.05, 0.1]\n"
                    "acceleration = [[0, 0, 0], [4, 1, 2], [-3, 0, 0]]\n";
  text += "[time]\ndt = " + test::digits(h) + "\nend = 1\ntheta = " + test::digits(theta);
  text +=
      "\n[solver]\ntolerance = 1e-7\n[law]\nrest = \"damped\"\n[[material]]\nname = \"s\"\n"
      "density = 500\n[[contact]]\nbetween = [\"s\", \"s\"]\nmu = 0.5\ne = 0.2\ncohesion = 2\n"
      "rolling = 0.05\nspinning = 0.05\ndevice = { period_steps = 2, tangential = true }\n";
  if (!sheared) {
    text +=
        "[[body]]\nname = \"plate\"\nkind = \"half_space\"\nnormal = [0, 0, 1]\nmaterial = "
        "\"s\"\nmotion = { kind = \"velocity\", time = [0, 0.02, 0.06], linear = [[0, 0, 0], "
        "[0.3, 0, 0.2], [-0.3, 0.1, -0.2]] }\n"
        "[[body]]\nname = \"lid\"\nkind = \"convex\"\nvertices = [[0, 0, 0], [0.5, 0, 0], [0, "
        "0.5, 0], [0.5, 0.5, 0], [0, 0, 0.1], [0.5, 0, 0.1], [0, 0.5, 0.1], [0.5, 0.5, 0.1]]\n"
        "material = \"s\"\nposition = [0.9, 0.8, 1.12]\nfree = [\"z\"]\n"
        "load = { pressure = 2000, area = 0.25, direction = [0, 0, -1] }\n";
  }
  int k = 0;
  for (const double z : {0.13, 0.38, 0.63, 0.88}) {
    for (const double y : {0.0, 0.25, 0.5, 0.75}) {
      for (const double x : {0.0, 0.25, 0.5, 0.75}) {
        const std::string n = std::to_string(k);
        text += "[[body]]\nname = \"b" + n + "\"\nmaterial = \"s\"\nposition = [";
        text +=
            test::digits(x) + ", " + test::digits(y) + ", " + test::digits(z) + "]\nvelocity = [";
        text += test::digits(0.3 * (k % 5) - 0.6) + ", " + test::digits(0.2 * (k % 4) - 0.3) + ", ";
        text += test::digits(0.3 * (k % 3) - 0.3) + "]\n";
        text += k % 2 == 0 ? "kind = \"sphere\"\nradius = 0.12\n"
                           : "kind = \"box\"\nsides = [0.19, 0.2, 0.21]\n";
        if (k % 3 == 0 && !sheared) text += "drag = { linear = 3, angular = 0.01 }\n";
        if (k % 7 == 2) text += "free = [\"x\", \"y\", \"z\"]\n";
        if (k % 5 == 0)
          text += "load = { force = [3, -2, 4], torque = [0.1, 0, 0.2], at = [0.05, 0, 0] }\n";
        ++k;
      }
    }
  }
  return text;
}

}  // namespace

TEST_CASE("The ledger of a periodic world closes with all loads, locks and devices at once",
          "[periodic][validation]") {
  for (const bool sheared : {false, true}) {
    for (const double theta : {0.5, 0.6}) {
      for (const double h : {2e-3, 5e-4}) {
        Scene scene = parse_scene(everything_at_once(h, theta, sheared), "cell.toml");
        Workspace work(scene.model, scene.settings);
        double balance = 0.0, external = 0.0, drag = 0.0, driven = 0.0, shear = 0.0, device = 0.0;
        std::int64_t through = 0;
        for (int k = 0; k < static_cast<int>(std::lround(0.2 / h)); ++k) {
          const LedgerRow row = step(scene.model, scene.settings, scene.state, work).ledger;
          balance = std::max(balance, std::abs(row.balance));
          external += std::abs(row.external_work), drag += row.drag_work;
          driven += std::abs(row.driven_work), shear += std::abs(row.shear_work);
          for (const double energy : row.law_energy) device += std::abs(energy);
          through += image_contacts(work);
        }
        INFO("sheared " << sheared << ", theta " << theta << ", h " << h << ", balance "
                        << balance / scene.state.energy_scale << ", through " << through
                        << ", works " << external << " " << drag << " " << driven << " " << shear
                        << " " << device);
        CHECK(through > 100);
        CHECK(external > 0.0);
        CHECK(device > 0.0);
        CHECK((sheared ? shear : driven) > 0.0);
        CHECK((sheared || drag < 0.0));
        CHECK(balance <= 1e-12 * scene.state.energy_scale);
        std::string name = sheared ? "sheared cell" : "cell";
        name += " with everything at once, theta = " + test::digits(theta) +
                ", h = " + test::digits(h) + " s: balance";
        validation(name, "0 of the scale", balance / scene.state.energy_scale, 1e-12,
                   "every joule has a name");
      }
    }
  }
}

namespace {

// A gas of balls in a cell of one metre, and gauges: of all bodies, of the cell, of a region of its
// size elsewhere, of a half of it, of that half one period on, and of the other half.
std::string gauged_gas(double h, bool sheared) {
  std::string text = "[world]\ngravity = [0, 0, 0]\nperiodic = [1, 1, 1]\n";
  if (sheared) text += "shear_rate = 1.5\n";
  text += "[time]\nend = 0.3\ndt = " + test::digits(h);
  text +=
      "\n[[material]]\nname = \"s\"\ndensity = 500\n[[contact]]\nbetween = [\"s\", \"s\"]\n"
      "mu = 0.5\ne = 0.9\n";
  const char* gauges[][2] = {{"[0, 0, 0]", "[1, 1, 1]"},
                             {"[0.3, -2.6, 0]", "[1.3, -1.6, 1]"},
                             {"[0.3, 0.2, 0]", "[0.8, 1.2, 1]"},
                             {"[1.3, 0.2, 0]", "[1.8, 1.2, 1]"},
                             {"[-0.2, 0.2, 0]", "[0.3, 1.2, 1]"}};
  text += "[[gauge]]\nname = \"all\"\nkind = \"bodies\"\nbodies = [\"b*\"]\nvolume = 1\n";
  for (const auto& [low, high] : gauges) {
    text += "[[gauge]]\nkind = \"box\"\nname = \"";
    text += std::string(low) + "\"\nlow = " + low + "\nhigh = " + high + "\n";
  }
  for (int k = 0; k < 64; ++k) {
    text += "[[body]]\nkind = \"sphere\"\nradius = 0.11\nmaterial = \"s\"\nname = \"b";
    text += std::to_string(k) + "\"\nposition = [" + test::digits(0.02 + 0.25 * (k % 4)) + ", ";
    text += test::digits(0.01 + 0.25 * (k / 4 % 4)) + ", " + test::digits(0.03 + 0.25 * (k / 16));
    text += "]\nvelocity = [" + test::digits(0.9 * (k * 7 % 5) - 1.8) + ", ";
    text += test::digits(0.7 * (k * 5 % 7) - 2.1) + ", " + test::digits(1.1 * (k * 3 % 4) - 1.6);
    text += "]\n";
  }
  return text;
}

}  // namespace

TEST_CASE("Gauges have the share of contacts through faces on both sides",
          "[periodic][validation]") {
  for (const bool sheared : {false, true}) {
    for (const double h : {2e-3, 5e-4}) {
      Simulation simulation(parse_scene(gauged_gas(h, sheared), "gas.toml"));
      measure::BodyStress stress;
      measure::Gauges gauges(simulation.scene().model, simulation.scene().settings.measure.gauges);
      double worst = 0.0, scale = 0.0, solid = 0.0;
      std::int64_t through = 0;
      bool started = false;
      simulation.observe([&](const StepView& view) {
        if (!std::exchange(started, true)) return stress.start(view.state);
        stress.compute(view);
        gauges.compute(view, stress);
        for (const ContactIndex c : view.in_problem)
          through += view.contacts.key[static_cast<std::size_t>(c)].image != 0 ? 1 : 0;
        const auto row = [&](std::size_t gauge) { return gauges.rows(gauge).front(); };
        for (std::size_t k = 0; k < 6; ++k) {
          const double all = row(0).stress[k];
          scale = std::max(scale, std::abs(all));
          for (const double got :
               {row(1).stress[k], row(2).stress[k], 0.5 * (row(3).stress[k] + row(5).stress[k])})
            worst = std::max(worst, std::abs(got - all));
          worst = std::max(worst, std::abs(row(3).stress[k] - row(4).stress[k]));
        }
        const double balls = 64 * 4.0 / 3.0 * 3.14159265358979324 * std::pow(0.11, 3);
        for (const double got : {row(1).solid_fraction, row(2).solid_fraction,
                                 0.5 * (row(4).solid_fraction + row(5).solid_fraction)})
          solid = std::max(solid, std::abs(got - balls));
      });
      simulation.run();
      INFO("sheared " << sheared << ", h " << h << ", worst " << worst << " of " << scale << ", "
                      << through << " through faces");
      CHECK(through > 100);
      CHECK(worst <= 1e-12 * scale);
      CHECK(solid <= 1e-12);
      std::string name = sheared ? "sheared gas" : "gas";
      name += " of 64 balls, regions of and across the cell against all bodies, h = ";
      validation(name + test::digits(h) + " s: stress", "0 of the largest", worst / scale, 1e-12,
                 "V sigma = sum l (x) f, also through a face");
    }
  }
}

TEST_CASE("What a periodic world cannot hold is refused in one line", "[periodic]") {
  const auto message = [](const std::string& world, const std::string& body) {
    const std::string text =
        "[world]\n" + world +
        "\n[time]\ndt = 0.01\nend = 1\n[[material]]\nname = \"s\"\ndensity = 1\n[[contact]]\n"
        "between = [\"s\", \"s\"]\nmu = 0\ne = 0\n[[body]]\nname = \"a\"\nmaterial = \"s\"\n" +
        body + "\n";
    try {
      parse_scene(text, "cell.toml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string ball = "kind = \"sphere\"\nradius = 0.3\nposition = [0, 0, 0]";
  const std::string still = "gravity = [0, 0, 0]\n";
  CHECK(message("periodic = [1.2, 1.2, 0]", ball).empty());
  CHECK(message(still + "periodic = [2, 0, 2]\nshear_rate = 1", ball).empty());
  using Catch::Contains;
  CHECK_THAT(message("periodic = [1.1, 0, 0]", ball), Contains("cell.toml:2:") &&
                                                          Contains("a period of 1.1 m along x") &&
                                                          Contains("at least twice that, 1.2 m"));
  CHECK_THAT(message("periodic = [-1, 0, 0]", ball), Contains("world.periodic"));
  CHECK_THAT(message("shear_rate = 1", ball), Contains("world.shear_rate"));
  const std::string gauge =
      ball + "\n[[gauge]]\nname = \"g\"\nkind = \"box\"\nlow = [0, 0, 0]\nhigh = ";
  CHECK_THAT(message("periodic = [2, 0, 0]", gauge + "[2.1, 9, 9]"),
             Contains("gauge: 'g' is 2.1 m long along x") && Contains("at most the period, 2 m"));
  CHECK_THAT(message(still + "periodic = [2, 0, 2]\nshear_rate = 1\nperiodic_corner = [0, 0, -1]",
                     gauge + "[1, 9, 2]"),
             Contains("gauge: 'g' reaches out of the cell along z"));
  CHECK_THAT(message("periodic = [2, 0, 0]\nshear_rate = 1", ball),
             Contains("both must be periodic"));
  CHECK_THAT(message("periodic = [2, 0, 2]\nshear_rate = 1", ball),
             Contains("gravity = [0, 0, 0]"));
  CHECK_THAT(message(still + "periodic = [2, 0, 2]\nshear_rate = 1", ball + "\nfixed = true"),
             Contains("'a' is fixed"));
  CHECK_THAT(message(still + "periodic = [2, 0, 2]\nshear_rate = 1", ball + "\nfree = [\"z\"]"),
             Contains("free along x and z"));
  CHECK_THAT(
      message("periodic = [2, 0, 0]",
              "kind = \"half_space\"\nfixed = true\nnormal = [0.1, 0, 1]\nposition = [0, 0, 0]"),
      Contains("not the same after a period along x"));
  CHECK(message("periodic = [2, 0, 0]",
                "kind = \"half_space\"\nfixed = true\nnormal = [0, 0.1, 1]\nposition = [0, 0, 0]")
            .empty());
}

}  // namespace periodic_test
