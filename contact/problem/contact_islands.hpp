// Islands of a contact problem: contacts that hear of each other, directly or by other bodies that
// move. What is fixed or driven connects nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/indices.hpp"

namespace scree::contact {

struct BodyProblem;

// Numbered in the order of their first contacts. Keeps its memory from problem to problem.
struct ContactIslands {
  // Of a problem with two islands or more; empty with one.
  std::vector<std::int32_t> of;       // [n_contacts] number of each contact's island
  std::vector<std::int32_t> begin;    // [n_islands + 1] into `contact`
  std::vector<ContactIndex> contact;  // [n_contacts] island after island, ascending in each

  // [-, n_islands] in (0, 1] share of the tolerance that a solve goes on to (SolverOptions::aim),
  // of each; empty: that of the solve.
  std::vector<double> aim;

  std::size_t n_contacts = 0;        // of the problem that they were found for
  std::vector<std::int32_t> parent;  // [n_bodies] forest of joined bodies; scratch
  std::vector<std::int32_t> number;  // [n_bodies] of the island, at its root; scratch
  std::vector<double> of_island;     // [n_islands] scratch

  std::size_t size() const { return begin.empty() ? 1 : begin.size() - 1; }

  // Contacts of island k, ascending; with two islands or more.
  std::span<const ContactIndex> contacts(std::size_t k) const {
    const auto first = static_cast<std::size_t>(begin[k]),
               last = static_cast<std::size_t>(begin[k + 1]);
    return std::span(contact).subspan(first, last - first);
  }
};

// Depends on the problem's pairs, inverse masses and inertias alone. A contact between two bodies
// that nothing moves belongs to the first of them.
void find_islands(const BodyProblem& problem, ContactIslands& islands);

}  // namespace scree::contact
