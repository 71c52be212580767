// Random pairs of random polyhedra against brute-force separating axes.
#include <catch2/catch.hpp>

#include "tests/collision/pairs/pair_fixture.hpp"
#include "tests/support/brute_force_sat.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/validation_table.hpp"

namespace scree::test::random_pairs_test {
namespace {

using collision::PairContact;

struct Tally {
  int with_contacts = 0, overlapping = 0, edge_contacts = 0, facing = 0;
  int off_surface = 0, off_normal = 0, beyond_reach = 0, wrong_depth = 0, missed = 0, too_close = 0,
      invented = 0;
  int not_mirrored = 0, depends_on_cache = 0;
  double worst_surface = 0.0, worst_depth = 0.0;
};

struct RandomPair {
  ConvexPolyhedron a, b;
  TwoPoses poses;
  double reach = 0.05;     // [m] needles spin fast: theirs is long
  double tolerance = 0.0;  // 1e-9 of the smaller size, the bar of the project
};

// Tetrahedron of length 1 and thickness near 0.01, thickest in the middle: the lines of its edges
// pass close to those of another one far from where the bodies are closest.
ConvexPolyhedron needle(RandomShapes& random) {
  std::vector<Vector3> points{Vector3(-0.5, 0.0, 0.0), Vector3(0.5, 0.0, 0.0)};
  for (int i = 0; i < 2; ++i) points.push_back(random.direction() * 0.01);
  return make_convex_polyhedron(points);
}

// Poses about the origin of a; the distance is chosen so that a third of the pairs each overlap,
// nearly touch, are apart.
RandomPair random_pair(RandomShapes& random, bool needles = false) {
  RandomPair pair;
  pair.a = needles ? needle(random) : random.polyhedron();
  pair.b = needles ? needle(random) : random.polyhedron();
  if (needles) pair.reach = 0.4;
  pair.poses.a.q = random.rotation();
  pair.poses.b.q = random.rotation();
  pair.poses.a.x = random.in_cube(3.0);
  const Vector3 way = random.direction();
  pair.poses.b.x = pair.poses.a.x + way;
  const double apart =
      brute_force_separation(moved_solid(pair.a, pair.poses.a), moved_solid(pair.b, pair.poses.b));
  const double wanted[3] = {-random.uniform(0.0, 0.2), random.uniform(-1e-3, 1e-3),
                            random.uniform(0.0, 2.0 * pair.reach)};
  pair.poses.b.x += way * (wanted[random.integer(0, 2)] - apart);
  pair.tolerance = 1e-9 * std::min(pair.a.size, pair.b.size);
  return pair;
}

void check_points(const RandomPair& pair, const std::vector<PairContact>& contacts, Tally& tally) {
  for (const PairContact& c : contacts) {
    const double worst = std::max(std::abs(height_over_surface(pair.a, pair.poses.a, c.point_a)),
                                  std::abs(height_over_surface(pair.b, pair.poses.b, c.point_b)));
    tally.worst_surface = std::max(tally.worst_surface, worst / pair.tolerance);
    tally.off_surface += worst > pair.tolerance ? 1 : 0;
    tally.off_normal += (c.point_b - c.point_a - c.gap * c.normal).norm() > 1e-12
                            ? 1
                            : 0;  // round-off at size 1, distance 5
    tally.beyond_reach += c.gap > pair.reach ? 1 : 0;
    tally.edge_contacts +=
        contacts.size() == 1 && c.feature_a >> 28 == 2 && c.feature_b >> 28 == 2 ? 1 : 0;
  }
}

void check_depth(const RandomPair& pair, const std::vector<PairContact>& contacts, Tally& tally) {
  const double separation =
      brute_force_separation(moved_solid(pair.a, pair.poses.a), moved_solid(pair.b, pair.poses.b));
  const double gap = smallest_gap(contacts);
  tally.with_contacts += contacts.empty() ? 0 : 1;
  if (separation < -pair.tolerance) {
    ++tally.overlapping;
    tally.missed += contacts.empty() ? 1 : 0;
    if (!contacts.empty()) {
      tally.worst_depth = std::max(tally.worst_depth, std::abs(gap - separation) / pair.tolerance);
      tally.wrong_depth += std::abs(gap - separation) > pair.tolerance ? 1 : 0;
    }
  } else if (!contacts.empty()) {
    tally.facing += std::abs(gap - separation) <= pair.tolerance ? 1 : 0;
    tally.too_close += gap < separation - pair.tolerance ? 1 : 0;
    tally.invented += separation > pair.reach ? 1 : 0;
  }
}

bool mirrored(const std::vector<PairContact>& one, const std::vector<PairContact>& other,
              double tolerance) {
  if (one.size() != other.size()) return false;
  for (const PairContact& c : one) {
    const auto twin = std::find_if(other.begin(), other.end(), [&](const PairContact& d) {
      return d.feature_a == c.feature_b && d.feature_b == c.feature_a;
    });
    if (twin == other.end() || (twin->normal + c.normal).norm() > 1e-12 ||
        std::abs(twin->gap - c.gap) > tolerance || (twin->point_a - c.point_b).norm() > tolerance ||
        (twin->point_b - c.point_a).norm() > tolerance) {
      return false;
    }
  }
  return true;
}

bool identical(const std::vector<PairContact>& one, const std::vector<PairContact>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const PairContact& c, const PairContact& d) {
                      return c.feature_a == d.feature_a && c.feature_b == d.feature_b &&
                             c.gap == d.gap && c.normal == d.normal && c.point_a == d.point_a;
                    });
}

Tally study(int n, unsigned seed, bool needles = false) {
  RandomShapes random(seed);
  Tally tally;
  for (int i = 0; i < n; ++i) {
    const RandomPair pair = random_pair(random, needles);
    PairFixture fixture(pair.a, pair.b), exchanged(pair.b, pair.a);
    const std::vector<PairContact> contacts = fixture.detect(pair.poses, pair.reach);
    check_points(pair, contacts, tally);
    check_depth(pair, contacts, tally);
    tally.depends_on_cache += identical(contacts, fixture.detect(pair.poses, pair.reach)) ? 0 : 1;
    const std::vector<PairContact> other =
        exchanged.detect({pair.poses.b, pair.poses.a}, pair.reach);
    tally.not_mirrored += mirrored(contacts, other, pair.tolerance) ? 0 : 1;
  }
  return tally;
}

// Rows that pairs of any kind share; the tolerance is 1e-9 of the smaller size.
void check_rows(const Tally& tally, const std::string& name) {
  const char *section = "Properties over random cases", *source = "brute-force separating axes";
  const auto row = [&](const char* what, int count, const char* of = nullptr) {
    CHECK(validated({section, name + ": " + what, 0.0, static_cast<double>(count), 0.0, false,
                     of == nullptr ? source : of}));
  };
  CHECK(validated({section, name + ": distance of a witness point from its surface / tolerance",
                   0.0, tally.worst_surface, 1.0, false, "planes of the faces"}));
  row("overlaps without contacts", tally.missed);
  row("contacts deeper than the overlap", tally.too_close);
  row("contacts of pairs farther apart than the reach", tally.invented);
  row("pairs that differ when they are exchanged", tally.not_mirrored, "symmetry");
}

void check(const Tally& tally, int n) {
  check_rows(tally, digits(n) + " pairs of polyhedra");
  CHECK(validated({"Properties over random cases",
                   digits(n) + " pairs of polyhedra: error of the depth / tolerance", 0.0,
                   tally.worst_depth, 1.0, false, "brute-force separating axes"}));
  CAPTURE(tally.worst_surface, tally.worst_depth, tally.facing);
  CHECK(tally.with_contacts > n / 3);  // the study has something to look at
  CHECK(tally.overlapping > n / 4);
  CHECK(tally.edge_contacts > n / 20);
  CHECK(tally.facing > n / 20);
  CHECK(tally.off_surface == 0);
  CHECK(tally.off_normal == 0);
  CHECK(tally.beyond_reach == 0);
  CHECK(tally.wrong_depth == 0);
  CHECK(tally.depends_on_cache == 0);
}

TEST_CASE("Random pairs of polyhedra agree with brute force and mirror under exchange",
          "[collision][oracle]") {
  check(study(10000, 1), 10000);
}

TEST_CASE("Random pairs of needles never touch deeper than brute force allows",
          "[collision][oracle]") {
  const Tally tally = study(10000, 3, true);
  CAPTURE(tally.wrong_depth, tally.worst_depth, tally.not_mirrored);
  CHECK(tally.with_contacts > 1000);
  CHECK(tally.overlapping > 50);
  CHECK(tally.off_surface == 0);
  check_rows(tally, "10000 pairs of needles");
}

TEST_CASE(
    "Random pairs of polyhedra agree with brute force and mirror under exchange in a long study",
    "[collision][oracle][slow]") {
  check(study(100000, 2), 100000);
}

}  // namespace
}  // namespace scree::test::random_pairs_test
