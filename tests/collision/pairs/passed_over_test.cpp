// No invented contacts: bodies that slide or roll over flush blocks, and real hits that must stay.
#include <catch2/catch.hpp>

#include "tests/collision/pairs/pair_fixture.hpp"

namespace scree::test::passed_over_test {
namespace {

using collision::PairContact;

constexpr double h = 5e-4;  // [s]

struct Slide {
  double speed = 1.0;             // [m/s] along x
  double height = 0.0;            // [m] of the bottom over the floor's top
  double yaw = 0.0, pitch = 0.0;  // [rad]
  double drop = 0.0;              // [m/s] downward
};

Quaternion turned(const Slide& slide) {
  return Quaternion(Eigen::AngleAxisd(slide.yaw, Vector3::UnitZ()) *
                    Eigen::AngleAxisd(slide.pitch, Vector3::UnitY()));
}

// Does the contact close, and within this step? Candidates that stay open or part never act.
bool closes(const PairContact& contact, const Slide& slide) {
  const double rate = contact.normal.dot(Vector3(slide.speed, 0.0, -slide.drop));
  return rate <= 0.0 && contact.gap + h * rate <= 1e-12;
}

// Slides a shape whose lowest point is `bottom` below its centre over three flush blocks (side 1,
// top at z = 0), from x_begin to x_end, and returns the largest horizontal component of the normals
// that act.
double worst_horizontal(const Shape& slider, double bottom, const Slide& slide, double x_begin,
                        double x_end) {
  const Quaternion q = turned(slide);
  std::vector<PairFixture> pairs;
  for (int i = 0; i < 3; ++i) pairs.emplace_back(make_box({1.0, 1.0, 1.0}), slider);
  double worst = 0.0;
  int contacts = 0;
  for (double x = x_begin; x < x_end; x += slide.speed * h) {
    for (int i = 0; i < 3; ++i) {
      const Pose block = at(static_cast<double>(i), 0.0, -0.5);
      const TwoPoses now{block, at(x, 0.0, bottom + slide.height, q)};
      const TwoPoses ahead{block,
                           at(x + slide.speed * h, 0.0, bottom + slide.height - slide.drop * h, q)};
      for (const PairContact& c :
           pairs[static_cast<std::size_t>(i)].detect(now, ahead, 2.0 * slide.speed * h + 1e-5)) {
        ++contacts;
        if (closes(c, slide)) worst = std::max(worst, std::hypot(c.normal.x(), c.normal.y()));
      }
    }
  }
  CHECK(contacts > 0);
  return worst;
}

TEST_CASE("Sliding over flush blocks never meets the side of the next block",
          "[collision][property]") {
  const double width = GENERATE(1.0, 0.5);  // flush sides and narrower
  const double height = GENERATE(0.0, -1e-7, 1e-9, -1e-12, -5e-6);
  const Shape slider = make_box({0.6, width, 0.4});
  CAPTURE(width, height);
  // Fast: two joints at x = 0.5 and 1.5 under the front (and the back) of the block.
  CHECK(worst_horizontal(slider, 0.2, {1.0, height}, 0.0, 1.8) < 1e-6);
  // Slow: 5e-7 m a step, 200 steps on each side of the joint under the front edge, off any round
  // number.
  CHECK(worst_horizontal(slider, 0.2, {1e-3, height}, 0.2 - 1.00003e-4, 0.2 + 1e-4) < 1e-6);
  // Away from the joint under the back edge.
  CHECK(worst_horizontal(slider, 0.2, {1e-3, height}, 0.8 - 1.00003e-4, 0.8 + 1e-4) < 1e-6);
}

TEST_CASE("Sliding with a little yaw and pitch never meets the side of the next block",
          "[collision][property]") {
  const double angle = GENERATE(1e-9, 1e-7, 1e-5);
  const Shape slider = make_box({0.6, 0.5, 0.4});
  // The front edge dips by up to 0.3 * pitch below the floor; normals may lean by the pitch itself.
  CHECK(worst_horizontal(slider, 0.2, {1.0, -1e-7, angle, angle}, 0.0, 1.8) <= 2.0 * angle + 1e-6);
  CHECK(worst_horizontal(slider, 0.2, {1.0, -1e-7, 0.3, angle}, 0.0, 1.8) <= 2.0 * angle + 1e-6);
}

TEST_CASE("A falling step of gravity does not bring the side of the next block back",
          "[collision][property]") {
  const Shape slider = make_box({0.6, 0.5, 0.4});
  CHECK(worst_horizontal(slider, 0.2, {1.0, 0.0, 0.0, 0.0, 9.81 * h}, 0.0, 1.8) < 1e-6);
}

// The next block's edge lies d ahead and d^2 / 2r below the sphere. The step closes that gap,
// linearised, for d < 2 v h, so the normal may lean by 2 v h / r and no more; without the rule it
// would lean so on every joint with penetration.
TEST_CASE("A sphere that rolls over flush blocks feels only their tops", "[collision][property]") {
  const double height = GENERATE(0.0, -1e-7, 1e-9);
  const double speed = GENERATE(1.0, 0.1);
  CHECK(worst_horizontal(Sphere{0.2}, 0.2, {speed, height}, 0.3, 1.7) <= 2.02 * speed * h / 0.2);
}

TEST_CASE("Points that slide over flush blocks feel only their tops", "[collision][property]") {
  const double height = GENERATE(0.0, -1e-7, 1e-9);
  const PointSet points{
      {Vector3(0.1, 0.0, -0.2), Vector3(-0.1, 0.1, -0.2), Vector3(-0.1, -0.1, -0.2)}};
  CHECK(worst_horizontal(points, 0.2, {1.0, height}, 0.3, 1.7) < 1e-6);
}

TEST_CASE("A block that slides into a wall of blocks hits the one at its level and no other",
          "[collision][unit]") {
  const Shape block = make_box({1.0, 1.0, 1.0});
  const double start = GENERATE(2e-4, 1e-5, 1e-7, 0.0, -1e-7);
  const double height = GENERATE(0.0, -1e-7, 1e-9);
  const TwoPoses level{at(0.0, 0.0, height), at(1.0 + start, 0.0, 0.0)};
  const TwoPoses above{at(0.0, 0.0, height), at(1.0 + start, 0.0, 1.0)};
  const auto moved = [](TwoPoses poses) {
    poses.a.x.x() += 1.0 * h;
    return poses;
  };
  CAPTURE(start, height);
  PairFixture pair(block, block);
  const std::vector<PairContact> hit = pair.detect(level, moved(level), 1e-3);
  REQUIRE(hit.size() == 4);
  for (const PairContact& c : hit) {
    CHECK((c.normal - Vector3::UnitX()).norm() < 1e-12);
    CHECK(std::abs(c.gap - start) < 1e-12);  // round-off of poses near 1
  }
  PairFixture upper(block, block);
  CHECK(upper.detect(above, moved(above), 1e-3).empty());
}

TEST_CASE("A block hits a ledge that is higher than a shallow step", "[collision][unit]") {
  const Shape block = make_box({1.0, 1.0, 1.0});
  const TwoPoses now{at(0.0, 0.0, 0.0),
                     at(1.0 + 1e-4, 0.0, -1.0 + 2e-3)};  // the neighbour stands 2 mm proud
  TwoPoses ahead = now;
  ahead.a.x.x() += 5e-3;  // 10 m/s: one step ahead the overlap in x is larger than the ledge
  PairFixture pair(block, block);
  const std::vector<PairContact> hit = pair.detect(now, ahead, 1e-2);
  REQUIRE_FALSE(hit.empty());
  for (const PairContact& c : hit) CHECK(c.normal.x() > 0.999);
}

TEST_CASE("Blocks that share only an edge or a corner make no contact", "[collision][unit]") {
  const Shape block = make_box({1.0, 1.0, 1.0});
  const double noise = GENERATE(0.0, 1e-12, -1e-12, 1e-10, -1e-8, 1e-5);
  PairFixture pair(block, block);
  CAPTURE(noise);
  CHECK(pair.detect({at(0.0, 0.0, 0.0), at(1.0 + noise, 0.0, 1.0)}, 1e-3).empty());
  CHECK(pair.detect({at(0.0, 0.0, 0.0), at(1.0 + noise, 1.0 + noise, 1.0)}, 1e-3).empty());
  CHECK(
      pair.detect({at(0.0, 0.0, 0.0), at(1.0 + noise, 0.3, 1.0 + std::abs(noise))}, 1e-3).empty());
}

TEST_CASE("Blocks that overlap by a corner always touch", "[collision][unit]") {
  const Shape block = make_box({1.0, 1.0, 1.0});
  PairFixture pair(block, block);
  const double depth = GENERATE(1e-4, 1e-3, 1e-2);  // beyond 4 flush_corners of the size 1.7: 7e-5
  CHECK_FALSE(
      pair.detect({at(0.0, 0.0, 0.0), at(1.0 - depth, 0.0, 1.0 - 1.5 * depth)}, 1e-3).empty());
  CHECK_FALSE(
      pair.detect({at(0.0, 0.0, 0.0), at(1.0 - depth, 1.0 - depth, 1.0 - 1.5 * depth)}, 1e-3)
          .empty());
}

}  // namespace
}  // namespace scree::test::passed_over_test
