// Coarse graining and fabric against their definitions: integrals, lattices whose contacts are
// known, and packings made of random contacts.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "tests/support/validation_table.hpp"
#include "tools/analyse/coarse_graining.hpp"
#include "tools/analyse/fabric.hpp"
#include "tools/analyse/images.hpp"

namespace analyse_test {

using namespace scree;
using namespace scree::analyse;

namespace {

constexpr double pi = std::numbers::pi;

// Balls with random contacts between them and with a wall; nothing is in balance.
Packing random_packing(int plane_normal) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> in(-1.0, 1.0);
  const auto vector = [&] {
    Vector3 v(in(random), in(random), in(random));
    if (plane_normal >= 0) v[plane_normal] = 0.0;
    return v;
  };
  Packing packing;
  packing.plane_normal = plane_normal;
  constexpr std::size_t n = 30;
  for (std::size_t i = 0; i < n; ++i) {
    packing.centre.push_back(vector()), packing.velocity.push_back(vector());
    packing.mass.push_back(1.5 + in(random)), packing.volume.push_back(0.02);
    packing.moves.push_back(i > 0 ? 1 : 0);
  }
  for (int k = 0; k < 80; ++k) {
    PackedContact contact;
    contact.body_a = std::uniform_int_distribution<std::size_t>(0, n - 2)(random);
    contact.body_b = std::uniform_int_distribution<std::size_t>(contact.body_a + 1, n - 1)(random);
    contact.moves_a = packing.moves[contact.body_a] != 0;
    contact.moves_b = packing.moves[contact.body_b] != 0;
    contact.point =
        0.5 * (packing.centre[contact.body_a] + packing.centre[contact.body_b]) + 0.1 * vector();
    contact.arm_a = contact.point - packing.centre[contact.body_a];
    contact.arm_b = contact.point - packing.centre[contact.body_b];
    contact.normal = vector().normalized();
    contact.force = vector();
    packing.contacts.push_back(contact);
  }
  return packing;
}

Matrix3 sum_of_moments(const Packing& packing) {
  Matrix3 sum = Matrix3::Zero();
  for (const Matrix3& moment : moments_of(packing)) sum += moment;
  return sum;
}

// Integral of fields over a box around everything, by the trapezoidal rule, which is exact to
// exp(-2 pi^2 w^2 / step^2) for a Gaussian.
struct Integral {
  double mass = 0.0, volume = 0.0;
  Matrix3 stress = Matrix3::Zero();
};

Integral integral_of(const Packing& packing, const Kernel& kernel, double step) {
  const double side = 1.7 + kernel.reach();
  const int n = static_cast<int>(std::ceil(side / step));
  std::vector<Vector3> points;
  for (int i = -n; i <= n; ++i) {
    for (int j = -n; j <= n; ++j) {
      for (int k = -n; k <= n; ++k) {
        Vector3 x(i * step, j * step, k * step);
        if (kernel.plane_normal < 0 || x[kernel.plane_normal] == 0.0) points.push_back(x);
      }
    }
  }
  const double cell = kernel.plane_normal < 0 ? step * step * step : step * step * kernel.depth;
  Integral sum;
  for (const FieldPoint& point : fields_at({packing}, points, kernel)) {
    sum.mass += cell * point.density, sum.volume += cell * point.solid_fraction;
    sum.stress += cell * measure::matrix_of(point.stress);
  }
  return sum;
}

void check_row(const std::string& name, double got, double allowed, const char* source) {
  INFO(name);
  CHECK(test::validated({"Stress", name, 0.0, got, allowed, false, source}));
}

Matrix3 symmetric(const Matrix3& m) { return 0.5 * (m + m.transpose()); }

}  // namespace

TEST_CASE("Coarse-grained stress integrates to the sum of the bodies' stresses",
          "[tools][analytic]") {
  const int plane_normal = GENERATE(-1, 1);
  const Packing packing = random_packing(plane_normal);
  double mass = 0.0, volume = 0.0;
  for (std::size_t i = 0; i < packing.mass.size(); ++i) {
    if (packing.moves[i] == 0) continue;
    mass += packing.mass[i], volume += packing.volume[i];
  }
  const Matrix3 expected = symmetric(sum_of_moments(packing));
  const char* where = plane_normal < 0 ? "in space" : "in a plane";
  for (const double step : {0.2, 0.15}) {
    const Kernel kernel{Kernel::Kind::gaussian, 0.25, plane_normal, 0.7};
    const Integral found = integral_of(packing, kernel, step);
    const std::string name =
        std::string("Gaussian kernel ") + where + ", points " + test::digits(step) + " m apart: ";
    check_row(name + "integral of the stress, rel.",
              (found.stress - expected).norm() / expected.norm(), 1e-10, "sum of V_b sigma_b");
    check_row(name + "integral of the density, rel.", std::abs(found.mass - mass) / mass, 1e-10,
              "mass");
    check_row(name + "integral of the solid fraction, rel.",
              std::abs(found.volume - volume) / volume, 1e-10, "volume");
  }
  // A kernel with an edge is integrated to the size of the points' cells only.
  const Kernel ball{Kernel::Kind::heaviside, 0.5, plane_normal, 0.7};
  const Integral found = integral_of(packing, ball, 0.05);
  check_row(std::string("Heaviside kernel ") + where + ": integral of the stress, rel.",
            (found.stress - expected).norm() / expected.norm(), 3e-3, "sum of V_b sigma_b");
}

TEST_CASE("Means over the cells of a grid add up to the bodies for any grid", "[tools][property]") {
  const Packing packing = random_packing(-1);
  const Matrix3 expected = symmetric(sum_of_moments(packing));
  for (const auto& cells : {std::array<std::int32_t, 3>{1, 1, 1}, {1, 1, 40}, {7, 5, 3}}) {
    const measure::CellGrid grid{Vector3(-1.5, -1.4, -1.6), Vector3(1.3, 1.4, 1.2), cells};
    const auto means = cell_means({packing}, grid);
    Matrix3 sum = Matrix3::Zero();
    double mass = 0.0, expected_mass = 0.0;
    for (const FieldPoint& point : means) {
      sum += grid.cell_volume() * measure::matrix_of(point.stress);
      mass += grid.cell_volume() * point.density;
    }
    for (std::size_t i = 1; i < packing.mass.size(); ++i) expected_mass += packing.mass[i];
    CHECK((sum - expected).norm() <= 1e-13 * expected.norm());
    CHECK(std::abs(mass - expected_mass) <= 1e-13 * mass);
  }
}

TEST_CASE("Shares of a way in cells are lengths", "[measure][unit]") {
  const measure::CellGrid grid{Vector3::Zero(), Vector3(1.0, 2.0, 3.0), {2, 2, 3}};
  const auto shares = [&](const Vector3& x, const Vector3& way) {
    std::vector<std::pair<std::size_t, double>> found;
    measure::for_each_share(
        grid, x, way, [&](std::size_t cell, double share) { found.emplace_back(cell, share); });
    return found;
  };
  // Upwards through all layers, from below the grid to its middle.
  const auto up = shares({0.25, 0.5, -1.0}, {0.0, 0.0, 2.5});
  REQUIRE(up.size() == 2);
  CHECK(up[0].first == grid.index({0, 0, 0}));
  CHECK(std::abs(up[0].second - 0.4) < 1e-15);
  CHECK(std::abs(up[1].second - 0.2) < 1e-15);
  // Along the face between two cells: in the upper one alone.
  const auto on_face = shares({0.5, 1.0, 1.0}, {0.4, 0.0, 0.0});
  REQUIRE(on_face.size() == 1);
  CHECK(on_face[0] == std::pair(grid.index({1, 1, 1}), 1.0));
  // Outside, and along the upper face of the grid, which belongs to what is above.
  CHECK(shares({0.5, 1.0, 3.0}, {0.2, 0.1, 0.0}).empty());
  CHECK(shares({2.0, 1.0, 1.0}, {0.2, 0.1, 0.0}).empty());
  const auto point = shares({0.5, 1.0, 1.0}, Vector3::Zero());
  REQUIRE(point.size() == 1);
  CHECK(point[0] == std::pair(grid.index({1, 1, 1}), 1.0));
}

TEST_CASE("Fabric of an even and of an elliptic distribution is what made it",
          "[tools][analytic]") {
  // Contacts of unit branches at every angle with weights: E, f_n, f_t and l as harmonics of the
  // angle, all with the same axis, by their share of contacts and the sizes of forces.
  const double a_n = 0.3, a_t = 0.1, a_l = 0.05, axis = 0.4;
  Packing packing;
  packing.plane_normal = 1;
  constexpr std::size_t n = 3600;
  for (std::size_t i = 0; i <= n; ++i) {
    packing.centre.push_back(Vector3::Zero()), packing.velocity.push_back(Vector3::Zero());
    packing.mass.push_back(1.0), packing.volume.push_back(1.0), packing.moves.push_back(1);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2.0 * pi * (static_cast<double>(k) + 0.5) / n,
                 twice = 2.0 * (angle - axis);
    PackedContact contact;
    contact.body_a = 0, contact.body_b = k + 1;
    contact.moves_a = contact.moves_b = true;
    contact.normal = Vector3(std::cos(angle), 0.0, std::sin(angle));
    const Vector3 along(-std::sin(angle), 0.0, std::cos(angle));
    const double length = 1.0 + a_l * std::cos(twice);
    contact.arm_a = 0.5 * length * contact.normal, contact.arm_b = -contact.arm_a;
    contact.force = (1.0 + a_n * std::cos(twice)) * contact.normal - a_t * std::sin(twice) * along;
    packing.contacts.push_back(contact);
  }
  const Fabric fabric = fabric_of(packing, std::nullopt);
  REQUIRE(fabric.plane);
  CHECK((fabric.fabric - Vector3(0.5, 0.0, 0.5).asDiagonal().toDenseMatrix()).norm() < 1e-12);
  CHECK(std::abs(fabric.plane->a_c) < 1e-12);
  check_row("plane fabric: a_n of forces made with it", std::abs(fabric.plane->a_n - a_n), 1e-12,
            "harmonics");
  check_row("plane fabric: a_t", std::abs(fabric.plane->a_t - a_t), 1e-12, "harmonics");
  check_row("plane fabric: a_l", std::abs(fabric.plane->a_l - a_l), 1e-12, "harmonics");
  CHECK(std::abs(fabric.plane->theta_stress - axis) < 1e-12);
  // Exact to products of anisotropies, a_n a_l / 2 in p and the like.
  check_row("plane fabric: q/p against (a_c + a_n + a_t + a_l) / 2",
            std::abs(fabric.plane->q_over_p - fabric.plane->predicted), 0.5 * a_n * a_l,
            "stress-force-fabric");
  CHECK(std::abs(fabric.coordination - 2.0 * n / (n + 1.0)) < 1e-12);
  CHECK(fabric.rattlers == static_cast<std::int64_t>(n));  // each has one contact
  CHECK(fabric.strong.contacts + fabric.weak.contacts == static_cast<std::int64_t>(n));
  CHECK(std::abs(fabric.strong.pressure_share + fabric.weak.pressure_share - 1.0) < 1e-12);
}

TEST_CASE("Contacts that prefer a direction have its anisotropy", "[tools][analytic]") {
  // E = (1 + a cos 2 (theta - axis)) / 2 pi, drawn by the inverse of its integral.
  const double a = 0.5, axis = -0.6;
  Packing packing;
  packing.plane_normal = 1;
  packing.mass = {1.0, 1.0}, packing.volume = {1.0, 1.0}, packing.moves = {1, 1};
  packing.centre.assign(2, Vector3::Zero()), packing.velocity.assign(2, Vector3::Zero());
  constexpr int n = 20000;
  for (int k = 0; k < n; ++k) {
    const double wanted = 2.0 * pi * (k + 0.5) / n;
    double angle = wanted;
    for (int i = 0; i < 60; ++i)
      angle -=
          (angle + 0.5 * a * std::sin(2.0 * angle) - wanted) / (1.0 + a * std::cos(2.0 * angle));
    angle += axis;
    PackedContact contact;
    contact.body_a = 0, contact.body_b = 1;
    contact.moves_a = contact.moves_b = true;
    contact.normal = Vector3(std::cos(angle), 0.0, std::sin(angle));
    contact.arm_a = 0.5 * contact.normal, contact.arm_b = -contact.arm_a;
    contact.force = contact.normal;
    packing.contacts.push_back(contact);
  }
  const Fabric fabric = fabric_of(packing, std::nullopt);
  CHECK(std::abs(fabric.plane->a_c - a) < 1e-6);
  CHECK(std::abs(fabric.plane->theta_c - axis) < 1e-6);
  CHECK(std::abs(fabric.plane->q_over_p - 0.5 * a) < 1e-6);
  CHECK(std::abs(fabric.plane->predicted - 0.5 * a) < 1e-6);
  const Distributions found = distributions_of({packing}, std::nullopt, 36, 60);
  REQUIRE(found.roses.size() == 1);
  CHECK(std::abs(found.roses[0].a_c - a) < 1e-6);
  double sum = 0.0, worst = 0.0;
  for (std::size_t k = 0; k < 36; ++k) {
    const double middle = -pi + 2.0 * pi * static_cast<double>(k) / 36.0, half = pi / 36.0;
    // Mean of the distribution over the bin.
    const double expected =
        (1.0 + a * std::cos(2.0 * (middle - axis)) * std::sin(2.0 * half) / (2.0 * half)) /
        (2.0 * pi);
    worst = std::max(worst, std::abs(found.roses[0].density[k] - expected));
    sum += found.roses[0].density[k] * 2.0 * half;
  }
  CHECK(std::abs(sum - 1.0) < 1e-12);
  CHECK(worst < 1e-3);
}

TEST_CASE("A cubic lattice has its fabric and coordination", "[tools][analytic]") {
  Packing packing;
  constexpr int n = 5;
  const auto index = [](int i, int j, int k) {
    return static_cast<std::size_t>((i * n + j) * n + k);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        packing.centre.emplace_back(i, j, k);
        packing.velocity.push_back(Vector3::Zero());
        packing.mass.push_back(1.0), packing.volume.push_back(pi / 6.0), packing.moves.push_back(1);
      }
    }
  }
  const auto touch = [&](std::size_t a, std::size_t b, const Vector3& normal) {
    PackedContact contact;
    contact.body_a = a, contact.body_b = b, contact.moves_a = contact.moves_b = true;
    contact.normal = normal, contact.force = 2.0 * normal;
    contact.point = packing.centre[a] + 0.5 * normal;
    contact.arm_a = 0.5 * normal, contact.arm_b = -0.5 * normal;
    packing.contacts.push_back(contact);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        if (i + 1 < n) touch(index(i, j, k), index(i + 1, j, k), Vector3::UnitX());
        if (j + 1 < n) touch(index(i, j, k), index(i, j + 1, k), Vector3::UnitY());
        if (k + 1 < n) touch(index(i, j, k), index(i, j, k + 1), Vector3::UnitZ());
      }
    }
  }
  const Fabric whole = fabric_of(packing, std::nullopt);
  CHECK((whole.fabric - Matrix3::Identity() / 3.0).norm() < 1e-14);
  CHECK(whole.anisotropy < 1e-13);
  CHECK(std::abs(whole.coordination - 6.0 * (n - 1) / n) < 1e-14);
  CHECK(whole.rattlers == 0);
  // The one ball in the middle has six neighbours, and a pressure of 2 on a face of 1.
  const analyse::SampleBox middle{Vector3::Constant(1.5), Vector3::Constant(2.5)};
  const Fabric one = fabric_of(packing, middle);
  CHECK(one.bodies == 1);
  CHECK(one.coordination == 6.0);
  CHECK(one.neighbours == 6.0);
  const auto mean = cell_means({packing}, {middle.low, middle.high, {1, 1, 1}});
  CHECK((measure::matrix_of(mean[0].stress) + 2.0 * Matrix3::Identity()).norm() < 1e-13);
  CHECK(std::abs(mean[0].density - 1.0) < 1e-14);
}

TEST_CASE("Granular temperature is that of velocities about their mean", "[tools][unit]") {
  Packing packing;
  for (int k = 0; k < 4; ++k) {
    packing.centre.emplace_back(0.1 * k, 0.0, 0.0);
    packing.velocity.emplace_back(5.0 + (k % 2 == 0 ? 1.0 : -1.0), 2.0, k < 2 ? 3.0 : -3.0);
    packing.mass.push_back(2.0), packing.volume.push_back(0.01), packing.moves.push_back(1);
  }
  const auto mean = cell_means({packing}, {-Vector3::Ones(), Vector3::Ones(), {1, 1, 1}});
  CHECK((mean[0].velocity - Vector3(5.0, 2.0, 0.0)).norm() < 1e-14);
  CHECK(std::abs(mean[0].temperature - 10.0 / 3.0) < 1e-14);
  CHECK(std::abs(mean[0].kinetic_stress[0] + 1.0) < 1e-14);
  CHECK(std::abs(mean[0].kinetic_stress[2] + 9.0) < 1e-14);
}

namespace {

// Balls of a sheared periodic cell with random contacts through its faces: arms go half a way to
// another ball, wherever that lies.
Packing periodic_packing() {
  Packing packing = random_packing(-1);
  packing.world.length = Vector3(3.0, 2.5, 4.0);
  packing.world.corner = Vector3(-1.3, -1.1, -2.0);
  packing.world.shear_rate = 0.3;
  packing.image_shift = 0.7;
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> in(0.0, 1.0);
  for (std::size_t i = 0; i < packing.centre.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      packing.centre[i][axis] = packing.world.corner[axis] + in(random)*packing.world.length[axis];
  }
  for (PackedContact& contact : packing.contacts) {
    contact.point = packing.centre[contact.body_a] + contact.arm_a;
    contact.moves_b = packing.moves[contact.body_b] != 0;
  }
  return packing;
}

}  // namespace

TEST_CASE("A period of a periodic world holds all of it, wherever it is cut", "[tools][analytic]") {
  const Packing packing = periodic_packing();
  double mass = 0.0;
  for (std::size_t i = 0; i < packing.mass.size(); ++i) mass += packing.moves[i] * packing.mass[i];
  const Matrix3 expected = symmetric(sum_of_moments(packing));
  const Vector3 shift =
      GENERATE(Vector3(0.0, 0.0, 0.0), Vector3(0.9, -0.4, 1.7), Vector3(7.1, 2.0, -9.3));
  const Vector3 low = packing.world.corner + shift, high = low + packing.world.length;
  const measure::CellGrid grid{low, high, {2, 1, 3}};
  double found_mass = 0.0;
  Matrix3 found = Matrix3::Zero();
  for (const FieldPoint& point : cell_means({with_images(packing, low, high)}, grid)) {
    found_mass += grid.cell_volume() * point.density;
    found += grid.cell_volume() * measure::matrix_of(point.stress);
  }
  check_row("sheared periodic cell cut at " + test::digits(shift.x()) + " m: sum of V sigma, rel.",
            (found - expected).norm() / expected.norm(), 1e-10, "sum of V_b sigma_b");
  CHECK(std::abs(found_mass - mass) <= 1e-12 * mass);

  // Smooth fields repeat with the period of x, and with that of z moved along and faster.
  const Kernel kernel{Kernel::Kind::gaussian, 0.2, -1, 1.0};
  const Vector3 x(0.1, 0.2, 0.3), reach = Vector3::Constant(kernel.reach());
  const auto field = [&](const Vector3& at) {
    return fields_at({with_images(packing, at - reach, at + reach)}, {at}, kernel).front();
  };
  const FieldPoint here = field(x), along = field(x + Vector3(packing.world.length.x(), 0.0, 0.0)),
                   above = field(x + Vector3(0.7, 0.0, packing.world.length.z()));
  for (const FieldPoint* other : {&along, &above}) {
    CHECK(std::abs(other->density / here.density - 1.0) <= 1e-12);
    CHECK((measure::matrix_of(other->stress) - measure::matrix_of(here.stress)).norm() <=
          1e-12 * measure::matrix_of(here.stress).norm());
  }
  CHECK((above.velocity - here.velocity - Vector3(0.3 * 4.0, 0.0, 0.0)).norm() <= 1e-12);

  // A box of a period has every body and contact once; one of two periods has them twice.
  const Fabric whole = fabric_of(packing, std::nullopt);
  for (const int periods : {1, 2}) {
    const analyse::SampleBox box{
        low, low + Vector3(periods, 1.0, 1.0).cwiseProduct(packing.world.length)};
    const Fabric seen = fabric_of(with_images(packing, box.low, box.high), box);
    CHECK(seen.bodies == periods * whole.bodies);
    CHECK(seen.contacts == periods * whole.contacts);
    CHECK(seen.rattlers == periods * whole.rattlers);
    CHECK(seen.coordination == whole.coordination);
    CHECK(seen.coordination_without == whole.coordination_without);
    CHECK((seen.fabric - whole.fabric).norm() <= 1e-14);
  }
}

}  // namespace analyse_test
