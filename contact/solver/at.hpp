#pragma once

#include <cstddef>
#include <cstdint>

namespace scree::contact {

inline std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace scree::contact
