// What made a file.
#pragma once

#include <string>

namespace scree {

std::string program_name();  // "scree 0.1.0"

}  // namespace scree
