#include "tools/common/version.hpp"

namespace scree {

std::string program_name() { return "scree " SCREE_VERSION; }

std::string version_text() {
  return program_name() + "\ncompiler:  " SCREE_COMPILER "\nflags:     " SCREE_FLAGS
                          "\nlibraries: " SCREE_LIBRARY_VERSIONS;
}

}  // namespace scree
