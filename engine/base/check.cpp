#include "engine/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace scree {

void require(bool holds, const std::string& field, const std::string& message) {
  if (!holds) throw InputError(field + ": " + message);
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "scree: internal error: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace scree
