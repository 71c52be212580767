#include "engine/contact_memory.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "contact/laws/laws.hpp"
#include "engine/model/contact_law.hpp"

namespace scree {

namespace {

bool same_law(const Model& model, const ContactKey& one, const ContactKey& other) {
  const PairLaw &a = law_between(model, one.body_a, one.body_b),
                &b = law_between(model, other.body_a, other.body_b);
  return a.numbers == b.numbers;
}

void forget_others(const Model& model, const Settings& settings, const State& state,
                   Workspace& work, LedgerRow& ledger) {
  const std::vector<ContactMemory>& kept = state.kept.memory;
  work.goes_on.assign(kept.size(), 0);
  for (const ContactIndex candidate : work.in_problem) {
    const ContactIndex k = work.memory_of[static_cast<std::size_t>(candidate)];
    if (k >= 0) work.goes_on[static_cast<std::size_t>(k)] = 1;
  }
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const ContactKey& key = state.kept.key[k];
    if (work.goes_on[k] == 0) {
      contact::Laws::drop(law_between(model, key.body_a, key.body_b), settings.time.dt, kept[k],
                          ledger.law_energy);
    }
  }
}

// How far a point is from a feature of a body in its frame of the step [m]; of faces, and of round
// surfaces, which are not corners of a contact's polygon: 0.
double distance_to_feature(const Model& model, const Workspace& work, BodyIndex body,
                           std::int32_t part, Feature feature, const Vector3& point) {
  const auto i = static_cast<std::size_t>(body);
  const auto first = static_cast<std::size_t>(model.part_begin[i]);
  const auto shape =
      static_cast<std::size_t>(model.part_shape[first + static_cast<std::size_t>(part)]);
  const auto* solid = std::get_if<ConvexPolyhedron>(&model.shapes[shape]);
  if (solid == nullptr) return 0.0;
  constexpr Feature index_bits = 0x0FFFFFFF;
  const std::size_t index = feature & index_bits;
  const Vector3 x = work.free.R_WB[i].transpose() * (point - work.frame_x[i]);
  switch (static_cast<FeatureKind>(feature >> 28)) {
    case FeatureKind::vertex:
      return index < solid->vertices.size() ? (x - solid->vertices[index]).norm() : 0.0;
    case FeatureKind::edge: {
      if (index >= solid->edges.size()) return 0.0;
      const Vector3 &a = solid->vertices[static_cast<std::size_t>(solid->edges[index].vertex_0)],
                    &b = solid->vertices[static_cast<std::size_t>(solid->edges[index].vertex_1)];
      const double along = std::clamp((x - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
      return (x - a - along * (b - a)).norm();
    }
    default:
      return 0.0;
  }
}

// Where a contact of the last step with this key would be, seen from a candidate of the same pair:
// how far the candidate's points are from the features that it had [m].
double distance_to_contact(const Model& model, const Workspace& work, const ContactKey& key,
                           std::size_t c) {
  const ContactKey& now = work.contacts.key[c];
  if (key.part_a != now.part_a || key.part_b != now.part_b || key.image != now.image)
    return std::numeric_limits<double>::infinity();
  return std::max(distance_to_feature(model, work, key.body_a, key.part_a, key.feature_a,
                                      work.contacts.point_a[c]),
                  distance_to_feature(model, work, key.body_b, key.part_b, key.feature_b,
                                      work.contacts.point_b[c]));
}

// Corners of two faces that lie nearly on each other are now of the one, now of the other body, or
// where two edges cross: the contact has another key and is the same. A candidate without memory
// takes that of the nearest contact of the same parts which has no candidate any more.
void recall_neighbours(const Model& model, const State& state, Workspace& work) {
  constexpr double near = 0.02;  // [-] of the smaller body's size
  const std::vector<ContactKey>&key = work.contacts.key, &kept = state.kept.key;
  const auto before = [](const ContactKey& a, const ContactKey& b) {
    return std::pair(a.body_a, a.body_b) < std::pair(b.body_a, b.body_b);
  };
  std::size_t first = 0;
  for (std::size_t c = 0; c < key.size(); ++c) {
    if (work.memory_of[c] >= 0) continue;
    const double size = std::min(work.body_size[static_cast<std::size_t>(key[c].body_a)],
                                 work.body_size[static_cast<std::size_t>(key[c].body_b)]);
    if (!(work.contacts.gap[c] <= near * size)) continue;
    while (first < kept.size() && before(kept[first], key[c])) ++first;
    double nearest = near * size;
    std::size_t found = kept.size();
    for (std::size_t k = first; k < kept.size() && !before(key[c], kept[k]); ++k) {
      if (work.goes_on[k] != 0 || state.kept.memory[k] == ContactMemory{}) continue;
      const double distance = distance_to_contact(model, work, kept[k], c);
      if (distance < nearest) nearest = distance, found = k;
    }
    if (found == kept.size()) continue;
    work.goes_on[found] = 1;
    work.memory[c] = state.kept.memory[found];
    work.memory_of[c] = static_cast<ContactIndex>(found);
  }
}

}  // namespace

void recall_memory(const Model& model, const State& state, Workspace& work) {
  work.memory.clear(), work.memory_of.clear();
  if (!contact::Laws::any_memory(model.materials)) return;
  const std::size_t n = work.contacts.size();
  const std::vector<ContactMemory>& kept = state.kept.memory;
  work.memory.assign(n, ContactMemory{}), work.memory_of.assign(n, -1);
  work.goes_on.assign(kept.size(), 0);
  for (std::size_t c = 0; c < n; ++c) {
    const auto k = static_cast<std::size_t>(work.match[c]);
    if (work.match[c] < 0 || k >= kept.size() || work.goes_on[k] != 0) continue;
    if (!same_law(model, work.contacts.key[c], state.kept.key[k])) continue;
    work.goes_on[k] = 1;
    work.memory[c] = kept[k], work.memory_of[c] = work.match[c];
  }
  if (!kept.empty()) recall_neighbours(model, state, work);
}

contact::ContactEnd contact_end(const Model& model, const Settings& settings, const Workspace& work,
                                std::size_t c, const Vector3& u_theta) {
  const PairLaw& pair = law_of(model, work.contacts, work.in_problem[c]);
  contact::ContactEnd end = {.mu = pair.mu, .e = pair.e, .p = work.p[c], .u_theta = u_theta};
  if (!work.problem.beside.empty()) end.shift = -work.problem.beside[c];
  if (work.memory_start.empty()) return end;
  end.h = settings.time.dt, end.theta = contact_theta(work, c);
  end.R_WC = work.problem.R_WC[c], end.memory = work.memory_start[c];
  return end;
}

void record_laws(const Model& model, const Settings& settings, const State& state, Workspace& work,
                 LedgerRow& ledger) {
  const bool remembers = contact::Laws::any_memory(model.materials);
  work.memory_end.clear();
  if (!contact::Laws::any_energies(model.materials)) return;
  for (std::size_t c = 0; c < work.problem.n_contacts(); ++c) {
    contact::ContactEnd end = contact_end(model, settings, work, c, work.u_theta[c]);
    contact::Laws::end(law_of(model, work.contacts, work.in_problem[c]), end, ledger.law_energy);
    if (remembers) work.memory_end.push_back(end.memory);
  }
  if (remembers) forget_others(model, settings, state, work, ledger);
}

void keep_memory(const Workspace& work, State& state) {
  state.kept.memory.assign(work.memory_end.begin(), work.memory_end.end());
}

}  // namespace scree
