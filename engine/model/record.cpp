#include "engine/model/record.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/check.hpp"

namespace scree {

namespace {

Vector3 zero() { return Vector3::Zero(); }

// Number of entries before or at t.
std::size_t entries_until(const Record& record, double t) {
  const std::vector<double>& time = record.time;
  return static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
}

// Beyond the first or the last entry.
Vector3 outside(const Record& record, const Vector3& nearest) {
  return record.holds ? nearest : zero();
}

// On the line from entry i to the next. Two equal entries give that value, to the last bit.
Vector3 on_piece(const Record& record, std::size_t i, double t) {
  const double share = (t - record.time[i]) / (record.time[i + 1] - record.time[i]);
  return record.value[i] + share * (record.value[i + 1] - record.value[i]);
}

// Limits of the value at t from later and from earlier times.
Vector3 after(const Record& record, double t) {
  const std::size_t next = entries_until(record, t);
  if (next == 0) return outside(record, record.value.front());
  if (next == record.time.size()) return outside(record, record.value.back());
  return on_piece(record, next - 1, t);
}

Vector3 before(const Record& record, double t) {
  const std::vector<double>& time = record.time;
  const auto next =
      static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  if (next == 0) return outside(record, record.value.front());
  if (next == time.size()) return outside(record, record.value.back());
  return on_piece(record, next - 1, t);
}

// Integrals from the first entry to t, of either sign.
TwoIntegrals from_first(const Record& record, double t) {
  const std::size_t next = entries_until(record, t), i = next == 0 ? 0 : next - 1;
  const double d = t - record.time[i];
  Vector3 begin = record.value[i], slope = zero();
  if (next == 0 || next == record.time.size()) {
    begin = outside(record, begin);
  } else {
    slope = (record.value[i + 1] - begin) / (record.time[i + 1] - record.time[i]);
  }
  const Vector3 gained = d * (begin + 0.5 * d * slope);
  return {record.once[i] + gained,
          record.twice[i] + d * (record.once[i] + d * (0.5 * begin + d / 6.0 * slope))};
}

}  // namespace

Record constant_record(const Vector3& value) {
  Record record{{0.0}, {value}};
  sum_up(record);
  return record;
}

void sum_up(Record& record) {
  const std::size_t n = record.time.size();
  record.once.assign(n, zero()), record.twice.assign(n, zero());
  for (std::size_t i = 1; i < n; ++i) {
    const double d = record.time[i] - record.time[i - 1];
    const Vector3 &a = record.value[i - 1], &b = record.value[i];
    record.once[i] = record.once[i - 1] + 0.5 * d * (a + b);
    record.twice[i] = record.twice[i - 1] + d * (record.once[i - 1] + d / 6.0 * (2.0 * a + b));
  }
}

Vector3 value_at(const Record& record, double t) {
  if (record.empty()) return zero();
  return t == record.time.back() ? record.value.back() : after(record, t);
}

Vector3 integral(const Record& record, double t, double h) {
  if (record.empty()) return zero();
  const std::size_t n = record.time.size();
  Vector3 sum = zero(), begin = after(record, t);
  double done = 0.0;
  for (std::size_t i = entries_until(record, t); i < n; ++i) {
    const double until = record.time[i] - t;
    if (until >= h) break;
    const Vector3& value = record.value[i];
    const Vector3 end = i == 0 ? outside(record, value) : value;
    sum += 0.5 * (until - done) * (begin + end);
    begin = i + 1 == n ? outside(record, value) : value;
    done = until;
  }
  return sum + 0.5 * (h - done) * (begin + before(record, t + h));
}

TwoIntegrals integrals_until(const Record& record, double t) {
  if (record.empty()) return {};
  const TwoIntegrals start = from_first(record, 0.0), end = from_first(record, t);
  return {end.once - start.once, end.twice - start.twice - t * start.once};
}

void correct_baseline(Record& record, Baseline baseline) {
  const std::size_t n = record.time.size();
  if (baseline == Baseline::none || n < 2) return;
  sum_up(record);
  // Integrals of the record and of its product with the time since its first entry. The second is
  // T once - twice.
  const double T = record.time.back() - record.time.front();
  const Vector3 area = record.once.back(), moment = T * area - record.twice.back();
  Vector3 start = area / T, slope = zero();
  if (baseline == Baseline::linear) {
    slope = (12.0 * moment - 6.0 * T * area) / (T * T * T);
    start -= 0.5 * T * slope;
  }
  for (std::size_t i = 0; i < n; ++i)
    record.value[i] -= start + (record.time[i] - record.time.front()) * slope;
  sum_up(record);
}

void check_record(const Record& record, const std::string& field) {
  const std::size_t n = record.time.size();
  require(n > 0, field, "has no entries; at least one time with its value is needed");
  require(record.value.size() == n, field, "needs one value for each time");
  for (std::size_t i = 0; i < n; ++i) {
    require(std::isfinite(record.time[i]) && record.value[i].allFinite(), field,
            "entry " + std::to_string(i + 1) + " is not finite");
    require(i == 0 || record.time[i] > record.time[i - 1], field,
            "times must increase; entry " + std::to_string(i + 1) + " does not");
  }
}

}  // namespace scree
