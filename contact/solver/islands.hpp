// Parts of a problem, of one island or several: each is solved for itself, and stops when its own
// residual is small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/problem/contact_islands.hpp"

namespace scree::contact {

// Keeps its memory from call to call.
class Islands {
 public:
  // Islands of fewer contacts than this make one part together.
  static constexpr std::size_t smallest = 1024;
  static constexpr std::size_t most_parts = 16;
  // Parts pay only when the largest has at most this share of the contacts.
  static constexpr double largest_share = 0.8;

  // Finds the parts from the islands of a problem of n contacts. Those listed in `apart` are parts
  // of their own whatever their size.
  void find(const ContactIslands& islands, std::size_t n, std::span<const std::int32_t> apart = {});

  // Number of parts; 1: the problem is better solved in one piece.
  std::size_t size() const { return begin_.empty() ? 1 : begin_.size() - 1; }

  // Contacts of a part, ascending; there is a list only with two parts or more.
  std::span<const ContactIndex> part(std::size_t k) const {
    const auto begin = static_cast<std::size_t>(begin_[k]),
               end = static_cast<std::size_t>(begin_[k + 1]);
    return std::span(contact_).subspan(begin, end - begin);
  }

 private:
  std::vector<std::int32_t> part_of_;  // [n_islands]
  std::vector<std::int32_t> begin_;    // [n_parts + 1] into contact_; empty: one part
  std::vector<ContactIndex> contact_;
};

}  // namespace scree::contact
