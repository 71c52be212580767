#include "tools/common/version.hpp"

#include "engine/base/version.hpp"

namespace scree {

std::string version_text() {
  return program_name() + "\ncompiler:  " SCREE_COMPILER "\nflags:     " SCREE_FLAGS
                          "\nlibraries: " SCREE_LIBRARY_VERSIONS;
}

}  // namespace scree
