#include "contact/laws/activation.hpp"

#include <algorithm>
#include <limits>

#include "contact/laws/laws.hpp"
#include "contact/problem/local_frame.hpp"
#include "engine/base/block_loop.hpp"
#include "engine/model/contact_law.hpp"

namespace scree::contact {

namespace {

double contact_size(const ContactKey& key, const StepScale& scale) {
  return std::min(scale.body_size[static_cast<std::size_t>(key.body_a)],
                  scale.body_size[static_cast<std::size_t>(key.body_b)]);
}

}  // namespace

double touch_length(const ContactKey& key, const StepScale& scale) {
  return touch_tolerance * contact_size(key, scale) + scale.h * scale.h * scale.gravity;
}

double gap_digits(const ContactSet& candidates, std::size_t c, const StepScale& scale) {
  constexpr double last_digits = 16.0 * std::numeric_limits<double>::epsilon();
  return last_digits * (contact_size(candidates.key[c], scale) + candidates.point_b[c].norm());
}

void normal_velocities(const ContactSet& candidates, std::span<const Vector3> x,
                       std::span<const Vector3> v, std::span<const Vector3> w_W, const Cell& cell,
                       const Executor& executor, std::vector<double>& u_N) {
  u_N.resize(candidates.size());
  for_each_item(candidates.size(), executor, [&](std::size_t c) {
    const auto a = static_cast<std::size_t>(candidates.key[c].body_a);
    const auto b = static_cast<std::size_t>(candidates.key[c].body_b);
    const Vector3 relative = point_velocity(v[b], w_W[b], candidates.point_b[c] - x[b]) -
                             point_velocity(v[a], w_W[a], candidates.point_a[c] - x[a]);
    u_N[c] = candidates.normal[c].dot(relative);
  });
  if (!cell.is_sheared()) return;
  for_each_item(candidates.size(), executor, [&](std::size_t c) {
    u_N[c] += candidates.normal[c].dot(cell.velocity(candidates.key[c].image));
  });
}

void activate_predicted(const ContactSet& candidates, const StepScale& scale,
                        std::span<const double> u_N_theta, std::span<const ContactIndex> match,
                        std::vector<ContactIndex>& in_problem) {
  const double fall = scale.h * scale.h * scale.gravity;
  in_problem.clear();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const double touch = touch_tolerance * contact_size(candidates.key[c], scale);
    const bool predicted = candidates.gap[c] + scale.h * u_N_theta[c] <= touch;
    const bool stayed = match[c] >= 0 && candidates.gap[c] <= fall;
    if (predicted || stayed) in_problem.push_back(static_cast<ContactIndex>(c));
  }
}

void enter_by_law(const ContactSet& candidates, const StepScale& scale,
                  const MaterialTable& materials, std::span<const MaterialIndex> material,
                  std::span<const ContactMemory> memory, std::vector<ContactIndex>& in_problem) {
  if (!Laws::any_enters(materials)) return;
  const std::size_t known = in_problem.size();
  std::size_t next = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (next < known && in_problem[next] == static_cast<ContactIndex>(c)) {
      ++next;
      continue;
    }
    const ContactKey& key = candidates.key[c];
    const auto& pair = law_of(candidates, c, materials, material);
    ContactInput in;
    in.h = scale.h, in.gap = candidates.gap[c], in.touch = touch_length(key, scale);
    if (!memory.empty()) in.memory = memory[c];
    if (pair && Laws::enters(*pair, in)) in_problem.push_back(static_cast<ContactIndex>(c));
  }
  std::sort(in_problem.begin(), in_problem.end());
}

void activate_published(const ContactSet& candidates, std::span<const double> u_N_k,
                        const PublishedRule& rule, std::vector<ContactIndex>& in_problem) {
  in_problem.clear();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (candidates.gap[c] + rule.lead * u_N_k[c] <= 0.0 && (!rule.approaching || u_N_k[c] <= 0.0))
      in_problem.push_back(static_cast<ContactIndex>(c));
  }
}

void find_missed(const ContactSet& candidates, const StepScale& scale,
                 std::span<const double> u_N_theta, std::span<const ContactIndex> in_problem,
                 std::vector<ContactIndex>& missed) {
  missed.clear();
  std::size_t next = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (next < in_problem.size() && in_problem[next] == static_cast<ContactIndex>(c)) {
      ++next;
      continue;
    }
    const double allowed = miss_tolerance * contact_size(candidates.key[c], scale);
    if (candidates.gap[c] + scale.h * u_N_theta[c] < -allowed)
      missed.push_back(static_cast<ContactIndex>(c));
  }
}

void insert_contacts(std::span<const ContactIndex> missed, std::vector<ContactIndex>& in_problem,
                     std::vector<Vector3>& p, std::vector<Vector3>& moment) {
  const bool moments = moment.size() == p.size();
  std::size_t old = in_problem.size(), fresh = missed.size();
  in_problem.resize(old + fresh);
  p.resize(old + fresh);
  if (moments) moment.resize(old + fresh);
  for (std::size_t to = old + fresh; fresh > 0;) {
    --to;
    if (old > 0 && in_problem[old - 1] > missed[fresh - 1]) {
      --old;
      in_problem[to] = in_problem[old];
      p[to] = p[old];
      if (moments) moment[to] = moment[old];
    } else {
      --fresh;
      in_problem[to] = missed[fresh];
      p[to].setZero();
      if (moments) moment[to].setZero();
    }
  }
}

}  // namespace scree::contact
