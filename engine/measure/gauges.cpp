#include "engine/measure/gauges.hpp"

#include <algorithm>

#include "engine/measure/second_moment.hpp"

namespace scree::measure {
namespace {

bool is_counted(const StepView& view, const Gauge& gauge, std::size_t body) {
  return gauge.counted[body] != 0 && view.model.kind[body] == BodyKind::dynamic &&
         view.state.active[body] != 0;
}

void add_to(StressTensor& sum, const StressTensor& more) {
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
}

// Flux of momentum within a body that turns, the integral of rho v (x) v about its mass centre [J]:
// what of the spin that BodyStress has is no flux, in a ball all of it.
Matrix3 turning_flux(const StepView& view, std::size_t body) {
  const Vector3 &w_0 = view.start_spin_W[body], &w_1 = view.end_spin_W[body];
  if (w_0.isZero(0.0) && w_1.isZero(0.0)) return Matrix3::Zero();
  const double theta = view.settings.step.frames == Frames::middle ? 0.5 : view.theta[body];
  const Matrix3 turning = skew((1.0 - theta) * w_0 + theta * w_1);
  return turning * second_moment(view.model.inertia[body], view.R_WB[body]) * turning.transpose();
}

}  // namespace

Gauges::Gauges(const Model& model, const std::vector<Gauge>& gauges) {
  const auto n = static_cast<std::size_t>(model.n_bodies());
  for (const Gauge& gauge : gauges) {
    OneGauge& of = of_gauge_.emplace_back();
    of.gauge = gauge;
    of.grid = {gauge.low, gauge.high, gauge.cells};
    const std::size_t cells = gauge.n_cells();
    of.moment.resize(cells), of.mass.resize(cells), of.volume.resize(cells);
    of.momentum.resize(cells), of.square.resize(cells), of.rows.resize(cells);
    of.cell.resize(n);
  }
}

void Gauges::compute(const StepView& view, const BodyStress& stress) {
  for (OneGauge& of : of_gauge_) {
    place_bodies(view, of);
    sum_stress(view, stress, of);
    sum_motion(view, stress, of);
  }
}

void Gauges::place_bodies(const StepView& view, OneGauge& of) const {
  const bool everywhere = of.gauge.kind == Gauge::Kind::bodies;
  for (std::size_t i = 0; i < of.cell.size(); ++i) {
    of.cell[i] = -1;
    if (!is_counted(view, of.gauge, i)) continue;
    if (everywhere) {
      of.cell[i] = 0;
    } else if (const Vector3 x =
                   image_at(of.grid, view.model.cell, view.image_shift, view.centre[i]);
               of.grid.holds(x)) {
      of.cell[i] = static_cast<std::int32_t>(of.grid.index(
          {of.grid.cell_of(0, x.x()), of.grid.cell_of(1, x.y()), of.grid.cell_of(2, x.z())}));
    }
  }
}

void Gauges::sum_stress(const StepView& view, const BodyStress& stress, OneGauge& of) const {
  std::fill(of.moment.begin(), of.moment.end(), Matrix3::Zero());
  const bool everywhere = of.gauge.kind == Gauge::Kind::bodies;
  for (std::size_t i = 0; i < of.cell.size(); ++i) {
    if (of.cell[i] < 0) continue;
    of.moment[static_cast<std::size_t>(of.cell[i])] +=
        everywhere ? stress.moment()[i] : stress.own()[i];
  }
  if (everywhere) return;
  const double per_step = 1.0 / view.settings.time.dt;
  const contact::BodyProblem& problem = view.problem;
  for (std::size_t c = 0; c < view.in_problem.size(); ++c) {
    const Vector3 force = per_step * view.impulse_W[c];  // on b
    if (force.isZero(0.0)) continue;
    const auto add = [&](BodyIndex body, const Vector3& arm, const Vector3& on) {
      const auto i = static_cast<std::size_t>(body);
      if (!is_counted(view, of.gauge, i)) return;
      const Matrix3 moment = arm * on.transpose();
      for_each_share(of.grid, view.model.cell, view.image_shift, view.centre[i], arm,
                     [&](std::size_t cell, double share) { of.moment[cell] += share * moment; });
    };
    add(problem.body_a[c], problem.r_a_W[c], -force);
    add(problem.body_b[c], problem.r_b_W[c], force);
  }
}

void Gauges::sum_motion(const StepView& view, const BodyStress& stress, OneGauge& of) const {
  std::fill(of.mass.begin(), of.mass.end(), 0.0);
  std::fill(of.volume.begin(), of.volume.end(), 0.0);
  std::fill(of.momentum.begin(), of.momentum.end(), Vector3::Zero());
  std::fill(of.square.begin(), of.square.end(), Matrix3::Zero());
  const Model& model = view.model;
  const auto velocity = [&](std::size_t i) -> Vector3 {
    const double theta = view.theta[i];
    return (1.0 - theta) * stress.start_v()[i] + theta * view.state.v[i];
  };
  for (std::size_t i = 0; i < of.cell.size(); ++i) {
    if (of.cell[i] < 0) continue;
    const auto cell = static_cast<std::size_t>(of.cell[i]);
    of.mass[cell] += model.mass[i], of.volume[cell] += model.volume[i];
    of.momentum[cell] += model.mass[i] * velocity(i);
  }
  const double per_volume = 1.0 / of.gauge.volume, dimensions = model.plane_normal < 0 ? 3.0 : 2.0;
  for (GaugeRow& row : of.rows) row.kinetic_stress.fill(0.0);
  for (std::size_t i = 0; i < of.cell.size(); ++i) {
    if (of.cell[i] < 0) continue;
    const auto cell = static_cast<std::size_t>(of.cell[i]);
    const Vector3 u = velocity(i) - of.momentum[cell] / of.mass[cell];
    of.square[cell] += model.mass[i] * u * u.transpose();
    add_to(of.rows[cell].kinetic_stress, symmetric_part(-per_volume * turning_flux(view, i)));
  }
  for (std::size_t cell = 0; cell < of.rows.size(); ++cell) {
    GaugeRow& row = of.rows[cell];
    row.stress = symmetric_part(per_volume * of.moment[cell]);
    add_to(row.kinetic_stress, symmetric_part(-per_volume * of.square[cell]));
    row.density = per_volume * of.mass[cell];
    row.solid_fraction = per_volume * of.volume[cell];
    const bool empty = !(of.mass[cell] > 0.0);
    row.velocity = empty ? Vector3(Vector3::Zero()) : Vector3(of.momentum[cell] / of.mass[cell]);
    row.temperature = empty ? 0.0 : of.square[cell].trace() / (dimensions * of.mass[cell]);
  }
}

}  // namespace scree::measure
