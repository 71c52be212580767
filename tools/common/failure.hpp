// What is said of a failure that is no bad input.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace scree {

// The reason in words: the standard library says "std::bad_alloc" of memory that it does not get.
inline std::string reason_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "needs more memory than this machine gives";
  if (dynamic_cast<const std::length_error*>(&error) != nullptr)
    return "needs more memory than any machine has";
  return error.what();
}

// Whether it is for want of memory.
inline bool is_out_of_memory(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
         dynamic_cast<const std::length_error*>(&error) != nullptr;
}

}  // namespace scree
