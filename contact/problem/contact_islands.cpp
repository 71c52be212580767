#include "contact/problem/contact_islands.hpp"

#include <algorithm>
#include <numeric>

#include "contact/problem/contact_problem.hpp"
#include "engine/base/forest.hpp"
#include "engine/base/index.hpp"

namespace scree::contact {

namespace {

bool moves(const BodyProblem& problem, BodyIndex body) {
  return problem.inverse_mass[index(body)] > 0.0 ||
         !problem.inverse_inertia_W[index(body)].isZero(0.0);
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

// The body that stands for contact c where islands are joined.
BodyIndex body_of(const BodyProblem& problem, std::size_t c) {
  const BodyIndex a = problem.body_a[c], b = problem.body_b[c];
  return !moves(problem, a) && moves(problem, b) ? b : a;
}

// Returns the number of islands; roots have their numbers.
std::int32_t join_bodies(const BodyProblem& problem, ContactIslands& islands) {
  islands.parent.resize(problem.n_bodies());
  std::iota(islands.parent.begin(), islands.parent.end(), 0);
  islands.number.assign(problem.n_bodies(), -1);
  for_each_pair(problem, [&](std::size_t c, std::size_t) {
    const BodyIndex a = problem.body_a[c], b = problem.body_b[c];
    if (!moves(problem, a) || !moves(problem, b)) return;
    const BodyIndex root_a = root_of(islands.parent, a), root_b = root_of(islands.parent, b);
    islands.parent[index(std::max(root_a, root_b))] = std::min(root_a, root_b);
  });
  std::int32_t n_islands = 0;
  for_each_pair(problem, [&](std::size_t c, std::size_t) {
    std::int32_t& number = islands.number[index(root_of(islands.parent, body_of(problem, c)))];
    if (number < 0) number = n_islands++;
  });
  return n_islands;
}

}  // namespace

void find_islands(const BodyProblem& problem, ContactIslands& islands) {
  const std::size_t n = problem.n_contacts();
  islands.n_contacts = n;
  islands.of.clear(), islands.begin.clear(), islands.contact.clear();
  islands.aim.clear();
  const std::int32_t n_islands = join_bodies(problem, islands);
  if (n_islands < 2) return;
  islands.of.resize(n), islands.contact.resize(n);
  islands.begin.assign(index(n_islands) + 1, 0);
  for_each_pair(problem, [&](std::size_t first, std::size_t end) {
    const std::int32_t k = islands.number[index(root_of(islands.parent, body_of(problem, first)))];
    for (std::size_t c = first; c < end; ++c) islands.of[c] = k;
    islands.begin[index(k) + 1] += static_cast<std::int32_t>(end - first);
  });
  std::partial_sum(islands.begin.begin(), islands.begin.end(), islands.begin.begin());
  for (std::size_t c = 0; c < n; ++c)
    islands.contact[index(islands.begin[index(islands.of[c])]++)] = static_cast<ContactIndex>(c);
  // Each begin went on to the next one's.
  std::rotate(islands.begin.begin(), islands.begin.end() - 1, islands.begin.end());
  islands.begin.front() = 0;
}

}  // namespace scree::contact
