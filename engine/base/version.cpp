#include "engine/base/version.hpp"

namespace scree {

std::string program_name() { return "scree " SCREE_VERSION; }

}  // namespace scree
