// Two kinds of failure, kept apart: bad input from a user (InputError) and our own bugs
// (SCREE_ASSERT).
#pragma once

#include <stdexcept>
#include <string>

namespace scree {

// Input that cannot be used. `what()` is one line: "field: what is wrong and what is allowed";
// readers of files prefix "file:line:column: ".
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Throws InputError("field: message") unless `holds`.
void require(bool holds, const std::string& field, const std::string& message);

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace scree

// Checks an invariant of ours. On in the dev and sanitizer presets, independent of NDEBUG.
#ifdef SCREE_ENABLE_ASSERTS
#define SCREE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::scree::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define SCREE_ASSERT(condition) static_cast<void>(0)
#endif
