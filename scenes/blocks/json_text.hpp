// JSON of files that users name, and in plain words what is wrong with it.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace scree {

struct JsonFault {
  std::size_t line = 1, column = 1;  // from 1; columns are characters
  std::string what;                  // a sentence without the place
};

// The value of a text, or else what it lacks to be JSON: then the value means nothing.
nlohmann::json parse_json(const std::string& text, std::optional<JsonFault>& fault);

}  // namespace scree
