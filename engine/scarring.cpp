#include "engine/scarring.hpp"

#include <algorithm>
#include <cmath>

#include "contact/laws/laws.hpp"
#include "engine/model/contact_law.hpp"

namespace scree {

namespace {

// The moving one of two bodies of which the other is fixed; -1: there is none.
BodyIndex body_on_ground(const Model& model, BodyIndex a, BodyIndex b) {
  const auto kind = [&](BodyIndex body) { return model.kind[static_cast<std::size_t>(body)]; };
  if (kind(a) == BodyKind::fixed && kind(b) == BodyKind::dynamic) return b;
  if (kind(b) == BodyKind::fixed && kind(a) == BodyKind::dynamic) return a;
  return -1;
}

// Takes drag with c [kg/s] into account where the body goes without contacts.
void drag(double h, const State& state, std::size_t i, Workspace& work) {
  FreeMotion& free = work.free;
  const double c = work.ground_drag[i], theta = work.theta[i];
  work.drag_theta[i] = theta;
  const double share = h * c * free.inverse_mass[i], heavier = 1.0 + theta * share;
  Vector3 slowed = share * state.v[i];
  if (!free.directions.empty()) slowed = slowed.cwiseProduct(free.directions[i]);
  free.v[i] = state.v[i] + (free.v[i] - state.v[i] - slowed) / heavier;
  free.inverse_mass[i] /= heavier;
}

}  // namespace

void drag_by_ground(const Model& model, const Settings& settings, const State& state,
                    Workspace& work) {
  if (!contact::Laws::any_drag(model.materials)) return;
  const std::size_t n = state.x.size();
  work.ground_drag.assign(n, 0.0), work.drag_theta.assign(n, 0.0);
  for (std::size_t k = 0; k < state.kept.key.size(); ++k) {
    const ContactKey& key = state.kept.key[k];
    const BodyIndex body = body_on_ground(model, key.body_a, key.body_b);
    if (body < 0 || state.kept.impulse_W[k].isZero(0.0)) continue;
    const auto i = static_cast<std::size_t>(body);
    if (state.active[i] == 0) continue;
    // Of a ground with zones, that under the body's centre.
    const double rate =
        contact::Laws::drag(law_about(model, state.x, key.body_a, key.body_b, state.x[i]));
    work.ground_drag[i] = std::max(work.ground_drag[i], rate * model.mass[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (work.ground_drag[i] > 0.0) drag(settings.time.dt, state, i, work);
  }
}

void record_scarring(const Model& model, const Settings& settings, const State& state,
                     const Workspace& work, LedgerRow& ledger) {
  if (!contact::Laws::any_drag(model.materials)) return;
  const double h = settings.time.dt;
  double taken = 0.0;
  for (std::size_t i = 0; i < work.ground_drag.size(); ++i) {
    if (!(work.ground_drag[i] > 0.0)) continue;
    const auto mean = [&](double theta) -> Vector3 {
      return (1.0 - theta) * state.v[i] + theta * work.end.v[i];
    };
    // The weight of a body may have changed since its drag was taken into account (damped rest).
    Vector3 v = mean(work.drag_theta[i]);
    if (!work.free.directions.empty()) v = v.cwiseProduct(work.free.directions[i]);
    taken -= h * work.ground_drag[i] * v.dot(mean(work.theta[i]));
  }
  contact::Laws::book_drag(taken, ledger.law_energy);
}

void keep_slip(const Model& model, const Settings& settings, Workspace& work, State& state) {
  if (!contact::Laws::any_slip(model.materials)) return;
  constexpr double none = -1.0;
  const std::size_t n = state.x.size();
  state.slip.resize(n, 0.0), state.slip_recovery.resize(n, 0.0);
  std::vector<double>& here = work.slip_here;
  here.assign(n, none);
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    const BodyIndex a = work.problem.body_a[c], b = work.problem.body_b[c];
    const BodyIndex body = body_on_ground(model, a, b);
    if (body < 0 || !(work.p[c].x() > 0.0)) continue;
    const auto recovery =
        contact::Laws::slip_recovery(law_of(model, work.contacts, work.in_problem[c]));
    double& mine = here[static_cast<std::size_t>(body)];
    if (recovery) mine = std::max(mine, *recovery);
  }
  const double h = settings.time.dt;
  for (std::size_t i = 0; i < n; ++i) {
    if (here[i] != none) {
      const double theta = work.theta[i];
      state.slip[i] += h * ((1.0 - theta) * state.v[i] + theta * work.end.v[i]).norm();
      state.slip_recovery[i] = here[i];
    } else if (state.slip[i] > 0.0) {
      state.slip[i] *= std::exp(-state.slip_recovery[i] * h);
    }
  }
}

}  // namespace scree
