// A vector over time as a table of entries, linear between two of them: a load, the shaking of the
// ground. What a step needs of it is its integral, which is exact.
#pragma once

#include <string>
#include <vector>

#include "engine/base/math.hpp"

namespace scree {

struct Record {
  std::vector<double> time;    // [s] strictly increasing; empty: the record is zero
  std::vector<Vector3> value;  // [n_entries]
  bool holds = true;           // before the first and after the last entry: their values; else zero

  // Integrals of the interpolation from the first entry to each, once and twice; by sum_up().
  std::vector<Vector3> once = {}, twice = {};

  bool empty() const { return time.empty(); }
};

// A value that does not change.
Record constant_record(const Vector3& value);

// Fills the sums. `record` has passed check_record.
void sum_up(Record& record);

// Value at time t [s]; at a jump (the end of a record that does not hold) the value of the record.
Vector3 value_at(const Record& record, double t);

// Integral from t to t + h, exact: the trapezoids of the pieces in between, whose lengths add up to
// h. O(log n) and the entries that lie in the step, so that a run of many steps looks at each once.
Vector3 integral(const Record& record, double t, double h);

// Integrals from time 0 to t >= 0, once and twice (an acceleration's velocity and way), exact, by
// the sums.
struct TwoIntegrals {
  Vector3 once = Vector3::Zero(), twice = Vector3::Zero();
};
TwoIntegrals integrals_until(const Record& record, double t);

// What is taken from a record of ground acceleration, so that the ground does not run away.
//   constant   its mean: the velocity at the end is that at the start
//   linear     the straight line nearest to it in the mean of squares: way and velocity at the end
//              are those of the start
enum class Baseline { none, constant, linear };
void correct_baseline(Record& record, Baseline baseline);

// Throws InputError: empty, lengths that differ, times not increasing, values not finite.
void check_record(const Record& record, const std::string& field);

}  // namespace scree
