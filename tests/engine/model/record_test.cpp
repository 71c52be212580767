// Records that are linear between entries: their integrals are exact, whatever the steps.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "engine/base/check.hpp"
#include "engine/model/record.hpp"
#include "tests/support/random_problems.hpp"

namespace record_test {

using namespace scree;

namespace {

Record random_record(std::uint64_t seed, std::size_t n, bool holds) {
  test::Random random(seed);
  Record record;
  record.holds = holds;
  double t = random.uniform(0.0, 0.3);
  for (std::size_t i = 0; i < n; ++i) {
    record.time.push_back(t);
    record.value.push_back(random.vector(5.0));
    t += random.uniform(1e-3, 0.4);
  }
  sum_up(record);
  return record;
}

// Integral from 0 to t by the trapezoids of the pieces, one after the other.
Vector3 summed(const Record& record, double t) {
  Vector3 sum = Vector3::Zero();
  const auto add = [&](double from, double to, const Vector3& a, const Vector3& b) {
    if (to > from) sum += 0.5 * (to - from) * (a + b);
  };
  const Vector3 zero = Vector3::Zero();
  const Vector3 first = record.holds ? record.value.front() : zero,
                last = record.holds ? record.value.back() : zero;
  add(0.0, std::min(t, record.time.front()), first, first);
  for (std::size_t i = 0; i + 1 < record.time.size(); ++i) {
    const double from = record.time[i], to = std::min(t, record.time[i + 1]);
    const double share = (to - from) / (record.time[i + 1] - from);
    add(from, to, record.value[i], (1.0 - share) * record.value[i] + share * record.value[i + 1]);
  }
  add(record.time.back(), t, last, last);
  return sum;
}

}  // namespace

TEST_CASE("The integral of a record over steps is that of its pieces", "[model][unit]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Record record = random_record(seed, 1 + seed % 17, seed % 3 != 0);
    const double h = seed % 2 == 0 ? 0.037 : 0.9;
    Vector3 total = Vector3::Zero();
    for (int k = 0; k < 100; ++k) {
      total += integral(record, k * h, h);
      INFO("seed " << seed << ", step " << k);
      REQUIRE((total - summed(record, (k + 1) * h)).norm() <=
              1e-14 * 100.0 * std::max(1.0, (k + 1) * h));
    }
    const TwoIntegrals until = integrals_until(record, 3.0);
    CHECK((until.once - summed(record, 3.0)).norm() <= 1e-13);
    // The way by Simpson's rule over the pieces, on which the once integrated record is a parabola.
    Vector3 way = Vector3::Zero();
    double from = 0.0;
    std::vector<double> ends = record.time;
    ends.push_back(3.0);
    for (double to : ends) {
      to = std::min(to, 3.0);
      way += (to - from) / 6.0 *
             (summed(record, from) + 4.0 * summed(record, 0.5 * (from + to)) + summed(record, to));
      from = to;
    }
    CHECK((until.twice - way).norm() <= 1e-12);
  }
}

TEST_CASE("A constant load gives the same impulse in every step, to the last bit",
          "[model][unit]") {
  const Record constant = constant_record(Vector3(1.0 / 3.0, -7.1, 1e-9));
  for (int k = 0; k < 1000; ++k)
    REQUIRE(integral(constant, k * 1e-3, 1e-3) == Vector3(1e-3 * constant.value.front()));
  CHECK(integral(Record{}, 0.0, 1.0).isZero(0.0));
}

TEST_CASE("A corrected record leaves the ground where it is told to", "[model][unit]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Record record = random_record(seed, 200, false);
    const double end = record.time.back() + 1.0;
    Record mean = record;
    correct_baseline(mean, Baseline::constant);
    CHECK(integrals_until(mean, end).once.norm() <= 1e-12);
    CHECK(integrals_until(mean, end).twice.norm() > 1e-3);
    correct_baseline(record, Baseline::linear);
    const TwoIntegrals left = integrals_until(record, end);
    CHECK(left.once.norm() <= 1e-12);
    CHECK(left.twice.norm() <= 1e-10);  // of ways of hundreds of metres
  }
}

TEST_CASE("Records with faults are refused", "[model][unit]") {
  const auto message = [](const Record& record) -> std::string {
    try {
      check_record(record, "load");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const Vector3 one = Vector3::Ones();
  CHECK(message({{}, {}}) == "load: has no entries; at least one time with its value is needed");
  CHECK(message({{0.0, 1.0}, {one}}) == "load: needs one value for each time");
  CHECK(message({{0.0, 0.0}, {one, one}}) == "load: times must increase; entry 2 does not");
  CHECK(message({{0.0, NAN}, {one, one}}) == "load: entry 2 is not finite");
}

}  // namespace record_test
