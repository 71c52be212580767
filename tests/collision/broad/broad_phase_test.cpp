// The tree finds the pairs that brute force finds, and nothing is lost in single precision.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "collision/broad/broad_phase.hpp"
#include "tests/support/random_shapes.hpp"

namespace scree::test::broad_phase_test {
namespace {

using collision::BoxPair;
using collision::BoxRole;
using collision::BroadPhase;
using collision::FloatBox;
using collision::rounded_outward;

std::vector<BoxPair> brute_force(const std::vector<FloatBox>& boxes,
                                 const std::vector<BoxRole>& role) {
  std::vector<BoxPair> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (role[i] == BoxRole::absent || role[j] == BoxRole::absent || !boxes[i].overlaps(boxes[j]))
        continue;
      if (role[i] == BoxRole::passive && role[j] == BoxRole::passive) continue;
      pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
    }
  }
  return pairs;
}

TEST_CASE("Broad phase finds the pairs of brute force while boxes move, come and go",
          "[collision][oracle]") {
  RandomShapes random(61);
  const std::size_t n = 300;
  std::vector<Vector3> centre, half;
  for (std::size_t i = 0; i < n; ++i) {
    centre.push_back(random.in_cube(1.5));
    half.push_back(Vector3::Constant(0.2) + random.in_cube(0.15));
  }
  half[0] = Vector3(5.0, 5.0, 0.1);  // a floor among pebbles
  std::vector<FloatBox> boxes(n);
  // A third stands still, but for the tenth steps.
  const auto own_role = [](std::size_t i) {
    return i % 3 == 0 ? BoxRole::passive : BoxRole::mobile;
  };
  std::vector<BoxRole> role;
  std::vector<std::int32_t> all, changed;
  for (std::size_t i = 0; i < n; ++i)
    role.push_back(own_role(i)), all.push_back(static_cast<std::int32_t>(i));
  BroadPhase kept;
  std::size_t total = 0;
  int wrong = 0, depends_on_history = 0;
  for (int step = 0; step < 60; ++step) {
    changed.clear();
    for (std::size_t i = 0; i < n; ++i) {
      const bool comes_or_goes = random.integer(0, 20) == 0;
      if (comes_or_goes) role[i] = role[i] == BoxRole::absent ? own_role(i) : BoxRole::absent;
      if (step % 10 != 0 && own_role(i) == BoxRole::passive && !comes_or_goes) continue;
      centre[i] += random.in_cube(step % 10 == 0 ? 1.0 : 0.02);
      boxes[i] = rounded_outward(centre[i] - half[i], centre[i] + half[i]);
      changed.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<BoxPair> found, fresh;
    kept.find_pairs(boxes, role, changed, Executor(), found);
    BroadPhase().find_pairs(boxes, role, all, Executor(Backend::openmp, 2), fresh);
    std::sort(found.begin(), found.end());
    std::sort(fresh.begin(), fresh.end());
    wrong += found != brute_force(boxes, role) ? 1 : 0;
    depends_on_history += found != fresh ? 1 : 0;
    total += found.size();
  }
  CHECK(total > 5000);
  CHECK(wrong == 0);
  CHECK(depends_on_history == 0);
}

TEST_CASE("Float boxes hold the boxes they are rounded from", "[collision][property]") {
  RandomShapes random(62);
  int outside = 0, loose = 0;
  for (int i = 0; i < 10000; ++i) {
    const Vector3 low = random.in_cube(std::pow(10.0, random.integer(-6, 6)));
    const Vector3 high = low + Vector3::Constant(random.uniform(0.0, 1e-3));
    const FloatBox box = rounded_outward(low, high);
    for (int k = 0; k < 3; ++k) {
      const double below = low(k) - static_cast<double>(box.low[k]),
                   above = static_cast<double>(box.high[k]) - high(k);
      outside += below < 0.0 || above < 0.0 ? 1 : 0;
      loose += below > 2.4e-7 * std::abs(low(k)) || above > 2.4e-7 * std::abs(high(k)) + 1e-44
                   ? 1
                   : 0;  // 2 units
    }
  }
  CHECK(outside == 0);
  CHECK(loose == 0);
}

TEST_CASE("Broad phase stands boxes that no float holds, and loses no pair of them",
          "[collision][property]") {
  RandomShapes random(7);
  for (const double reach : {1e11, 1e13, 1e20, 1e38, 1e200, 1e307}) {
    const std::size_t n = 40;
    std::vector<FloatBox> boxes(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Vector3 centre = random.in_cube(1.0),
                    far = i % 2 == 0 ? Vector3(Vector3::Constant(reach)) : random.in_cube(reach);
      boxes[i] = rounded_outward(centre - far.cwiseAbs(), centre + far.cwiseAbs());
    }
    const std::vector<BoxRole> role(n, BoxRole::mobile);
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(static_cast<std::int32_t>(i));
    BroadPhase tree;
    std::vector<BoxPair> pairs;
    tree.find_pairs(boxes, role, all, Executor(), pairs);
    std::sort(pairs.begin(), pairs.end());
    CHECK(pairs.size() == n * (n - 1) / 2);  // all hold the middle
    CHECK(pairs == brute_force(boxes, role));
  }
}

}  // namespace
}  // namespace scree::test::broad_phase_test
