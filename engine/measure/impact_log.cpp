#include "engine/measure/impact_log.hpp"

#include "contact/laws/assemble.hpp"
#include "contact/laws/laws.hpp"
#include "engine/model/contact_law.hpp"

namespace scree::measure {
namespace {

// Works of contact i of the problem, as the ledger has them.
struct ContactWorks {
  double normal = 0.0, tangential = 0.0, rolling = 0.0, law = 0.0;
};

ContactWorks works_of(const StepView& view, bool laws_book, std::size_t i) {
  const Vector3& p = view.reaction[i];
  const Vector3 u =
      view.yield.empty() ? view.velocity[i] : Vector3(view.velocity[i] - view.yield[i]);
  ContactWorks works;
  works.normal = u.x() * p.x();
  works.tangential = u.y() * p.y() + u.z() * p.z();
  if (!view.moment.empty()) works.rolling = view.moment[i].dot(view.spin[i]);
  if (!laws_book) return works;
  const PairLaw& pair = law_of(view.model, view.contacts, view.in_problem[i]);
  contact::ContactEnd end = {.mu = pair.mu, .e = pair.e, .p = p};
  end.h = view.settings.time.dt;
  end.theta = contact::pair_theta(view.theta, view.problem.body_a[i], view.problem.body_b[i]);
  if (!view.problem.beside.empty()) end.shift = -view.problem.beside[i];
  end.u_theta = view.velocity[i];
  std::array<double, contact::Laws::n_energies> energies = {};
  contact::Laws::end(pair, end, energies);
  for (const double energy : energies) works.law += energy;
  // Works of springs and dashpots together, which without memory are nothing above; what contacts
  // that are gone had stored cancels out of their sum.
  if (!view.yield.empty()) works.law += p.dot(view.yield[i]);
  return works;
}

Impact impact_of(const StepView& view, const ContactWorks& works, std::size_t i) {
  const auto c = static_cast<std::size_t>(view.in_problem[i]);
  const ContactSet& contacts = view.contacts;
  const ContactKey& key = contacts.key[c];
  Impact impact;
  impact.step = view.record.step;
  impact.time = view.record.time;
  impact.body_a = key.body_a, impact.body_b = key.body_b;
  impact.part_a = key.part_a, impact.part_b = key.part_b;
  impact.feature_a = key.feature_a, impact.feature_b = key.feature_b;
  impact.point = contact_middle(view, c) + view.model.origin;
  impact.normal = contacts.normal[c];
  impact.tangent = view.tangent[i];
  impact.gap = contacts.gap[c];
  const double theta = contact::pair_theta(view.theta, key.body_a, key.body_b);
  impact.velocity_before = view.velocity_before[i];
  impact.velocity_after = (view.velocity[i] - (1.0 - theta) * view.velocity_before[i]) / theta;
  impact.impulse = view.impulse[i];
  impact.impulse_world = view.impulse_W[i];
  impact.normal_work = works.normal, impact.tangential_work = works.tangential;
  impact.rolling_work = works.rolling, impact.law_work = works.law;
  impact.energy_lost = -(works.normal + works.tangential + works.rolling + works.law);
  return impact;
}

bool is_logged(const ImpactLogSettings& settings, const Vector3& before, const Vector3& impulse) {
  return !impulse.isZero(0.0) &&
         (-before.x() >= settings.speed || impulse.norm() >= settings.impulse);
}

}  // namespace

BelowThreshold log_impacts(const StepView& view, std::vector<Impact>& log) {
  const bool laws_book = contact::Laws::any_energies(view.model.materials);
  BelowThreshold rest;
  for (std::size_t i = 0; i < view.in_problem.size(); ++i) {
    const ContactWorks works = works_of(view, laws_book, i);
    if (is_logged(view.settings.measure.impacts, view.velocity_before[i], view.impulse[i])) {
      log.push_back(impact_of(view, works, i));
      continue;
    }
    ++rest.contacts;
    rest.normal_work += works.normal;
    rest.tangential_work += works.tangential;
    rest.rolling_work += works.rolling;
    rest.law_work += works.law;
  }
  return rest;
}

}  // namespace scree::measure
