#include "contact/solver/islands.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "contact/solver/at.hpp"
#include "engine/base/forest.hpp"

namespace scree::contact {

namespace {

bool moves(const BodyProblem& problem, BodyIndex body) {
  return problem.inverse_mass[at(body)] > 0.0 || !problem.inverse_inertia_W[at(body)].isZero(0.0);
}

// Calls visit(first, end) for the contacts of each pair.
template <class Visit>
void for_each_pair(const BodyProblem& problem, const Visit& visit) {
  for (std::size_t first = 0, end = 0; first < problem.n_contacts(); first = end) {
    while (end < problem.n_contacts() && problem.body_a[end] == problem.body_a[first] &&
           problem.body_b[end] == problem.body_b[first])
      ++end;
    visit(first, end);
  }
}

}  // namespace

// A contact between two bodies that nothing moves belongs to the first of them.
std::int32_t Islands::root_of_contact(const BodyProblem& problem, std::size_t contact) {
  const BodyIndex a = problem.body_a[contact], b = problem.body_b[contact];
  return root_of(parent_, !moves(problem, a) && moves(problem, b) ? b : a);
}

void Islands::join_bodies(const BodyProblem& problem) {
  parent_.resize(problem.n_bodies());
  std::iota(parent_.begin(), parent_.end(), 0);
  for_each_pair(problem, [&](std::size_t c, std::size_t) {
    const BodyIndex a = problem.body_a[c], b = problem.body_b[c];
    if (!moves(problem, a) || !moves(problem, b)) return;
    const auto [low, high] = std::minmax({root_of(parent_, a), root_of(parent_, b)});
    parent_[at(high)] = low;
  });
}

void Islands::find(const BodyProblem& problem) {
  begin_.clear();
  const std::size_t n = problem.n_contacts();
  if (n < 2 * smallest) return;
  join_bodies(problem);
  n_contacts_.assign(problem.n_bodies(), 0);
  for_each_pair(problem, [&](std::size_t first, std::size_t end) {
    n_contacts_[at(root_of_contact(problem, first))] += static_cast<std::int32_t>(end - first);
  });

  // Parts in the order of their lowest bodies; the last one takes the small islands.
  std::int32_t n_parts = 0;
  std::int64_t largest = 0, rest = static_cast<std::int64_t>(n);
  for (const std::int32_t in_island : n_contacts_) {
    if (in_island < static_cast<std::int32_t>(smallest)) continue;
    largest = std::max<std::int64_t>(largest, in_island);
    rest -= in_island;
    ++n_parts;
  }
  if (static_cast<double>(std::max(largest, rest)) > largest_share * static_cast<double>(n)) return;
  const std::int32_t n_own = std::min(n_parts, static_cast<std::int32_t>(most_parts) - 1);
  n_parts = 0;
  begin_.assign(at(n_own) + 2, 0);
  for (std::int32_t& island : n_contacts_) {
    const bool own = island >= static_cast<std::int32_t>(smallest) && n_parts < n_own;
    const std::int32_t part = own ? n_parts++ : n_own;
    begin_[at(part) + 1] += island;
    island = part;
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  contact_.resize(n);
  for_each_pair(problem, [&](std::size_t first, std::size_t end) {
    std::int32_t& next = begin_[at(n_contacts_[at(root_of_contact(problem, first))])];
    for (std::size_t c = first; c < end; ++c) contact_[at(next++)] = static_cast<ContactIndex>(c);
  });
  std::rotate(begin_.begin(), begin_.end() - 1,
              begin_.end());  // each begin went on to the next one's
  begin_.front() = 0;
  if (begin_[at(n_own)] == begin_.back()) begin_.pop_back();  // no small islands
}

}  // namespace scree::contact
