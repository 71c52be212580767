#include "engine/report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/quantile.hpp"

namespace scree {

namespace {

void add_ledger(const LedgerRow& row, LedgerRow& sum) {
  sum.kinetic = row.kinetic;
  sum.potential = row.potential;
  sum.energy_scale = row.energy_scale;
  sum.external_work += row.external_work;
  sum.drag_work += row.drag_work;
  sum.driven_work += row.driven_work;
  sum.shear_work += row.shear_work;
  sum.contact_normal_work += row.contact_normal_work;
  sum.contact_tangential_work += row.contact_tangential_work;
  sum.contact_rolling_work += row.contact_rolling_work;
  for (std::size_t i = 0; i < row.law_energy.size(); ++i) sum.law_energy[i] += row.law_energy[i];
  sum.numerical_dissipation += row.numerical_dissipation;
  sum.projection_work += row.projection_work;
  sum.event_energy += row.event_energy;
  sum.max_normal_work = std::max(sum.max_normal_work, row.max_normal_work);
  sum.min_normal_work = std::min(sum.min_normal_work, row.min_normal_work);
  sum.max_tangential_work = std::max(sum.max_tangential_work, row.max_tangential_work);
  sum.min_tangential_work = std::min(sum.min_tangential_work, row.min_tangential_work);
  sum.max_rolling_work = std::max(sum.max_rolling_work, row.max_rolling_work);
  sum.min_rolling_work = std::min(sum.min_rolling_work, row.min_rolling_work);
  sum.balance += row.balance;
}

// The larger of both; what is not a number is the worst.
void raise(double& largest, double value) {
  if (!(value <= largest) && !std::isnan(largest)) largest = value;
}

}  // namespace

void RunStatistics::add(const StepRecord& record) {
  RunReport& r = report_;
  ++r.steps;
  if (!record.converged) {
    ++r.unconverged_steps;
    raise(r.worst_residual, record.stop_value);
  }
  if (record.round_off) ++r.round_off_steps;
  if (record.from_zero) ++r.from_zero_steps;
  contacts_sum_ += static_cast<double>(record.contacts);
  r.contacts_max = std::max(r.contacts_max, record.contacts);
  r.iterations_max = std::max(r.iterations_max, record.iterations);
  iterations_.push_back(static_cast<std::int32_t>(record.iterations));
  raise(r.residual_max.impulse, record.residual.impulse);
  raise(r.residual_max.velocity, record.residual.velocity);
  raise(r.residual_max.scaled, record.residual.scaled);
  raise(r.residual_max.published, record.residual.published);
  raise(r.residual_max.siconos, record.residual.siconos);
  r.penetration_max = std::max(r.penetration_max, record.max_penetration);
  r.caught += record.caught;
  if (!record.projection_converged) ++r.projection_unconverged_steps;
  r.projection_residual_max = std::max(r.projection_residual_max, record.projection_residual);
  r.max_abs_balance = std::max(r.max_abs_balance, std::abs(record.ledger.balance));
  r.seconds_detect += record.seconds_detect;
  r.seconds_assemble += record.seconds_assemble;
  r.seconds_solve += record.seconds_solve;
  r.seconds_advance += record.seconds_advance;
  add_ledger(record.ledger, r.energy);
}

RunReport RunStatistics::report() const {
  RunReport report = report_;
  if (iterations_.empty()) return report;
  const auto steps = static_cast<double>(iterations_.size());
  report.contacts_mean = contacts_sum_ / steps;
  report.iterations_mean = static_cast<double>(std::accumulate(
                               iterations_.begin(), iterations_.end(), std::int64_t{0})) /
                           steps;
  report.iterations_median = quantile(iterations_, 0.5);
  report.iterations_p95 = quantile(iterations_, 0.95);
  return report;
}

}  // namespace scree
