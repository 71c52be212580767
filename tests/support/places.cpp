#include "tests/support/places.hpp"

namespace scree::test {

std::string source_folder() { return SCREE_SOURCE_DIR; }
std::string data_folder() { return SCREE_SOURCE_DIR "/tests/data"; }
std::string validation_folder() { return SCREE_VALIDATION_DIR; }

}  // namespace scree::test
