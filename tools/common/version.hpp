// What this program was built from.
#pragma once

#include <string>

namespace scree {

std::string version_text();  // version, compiler, flags, libraries; several lines

}  // namespace scree
