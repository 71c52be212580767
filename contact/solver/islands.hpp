// Parts of a problem that share no moving body, and so do not hear of each other: each is solved
// for itself, and stops when its own residual is small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/problem/contact_problem.hpp"

namespace scree::contact {

// Keeps its memory from call to call.
class Islands {
 public:
  // Islands of fewer contacts than this make one part together.
  static constexpr std::size_t smallest = 1024;
  static constexpr std::size_t most_parts = 16;
  // Parts pay only when the largest has at most this share of the contacts.
  static constexpr double largest_share = 0.8;

  // Finds the parts. Depends on the problem's pairs and inverse masses alone.
  void find(const BodyProblem& problem);

  // Number of parts; 1: the problem is better solved in one piece.
  std::size_t size() const { return begin_.empty() ? 1 : begin_.size() - 1; }

  // Contacts of a part, ascending; there is a list only with two parts or more.
  std::span<const ContactIndex> part(std::size_t k) const {
    const auto begin = static_cast<std::size_t>(begin_[k]),
               end = static_cast<std::size_t>(begin_[k + 1]);
    return std::span(contact_).subspan(begin, end - begin);
  }

 private:
  void join_bodies(const BodyProblem& problem);
  std::int32_t root_of_contact(const BodyProblem& problem, std::size_t contact);

  std::vector<std::int32_t> parent_;  // [n_bodies] forest of joined bodies, rooted at the lowest
  std::vector<std::int32_t> n_contacts_;  // [n_bodies] of an island, at its root; then its part
  std::vector<std::int32_t> begin_;       // [n_parts + 1] into contact_; empty: one part
  std::vector<ContactIndex> contact_;
};

}  // namespace scree::contact
