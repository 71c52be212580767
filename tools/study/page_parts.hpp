// What the pages of sweeps and studies share.
#pragma once

#include <string>

#include "engine/base/printable.hpp"
#include "tools/common/html.hpp"

namespace scree::study {

// As text of HTML.
inline std::string escaped(const std::string& text) { return escape_html(printable(text)); }

inline constexpr const char* page_style =
    "body{font:15px/1.5 Helvetica,Arial,sans-serif;color:#222;margin:2em auto;max-width:62em;"
    "padding:0 1em}table{border-collapse:collapse;font-size:12px;display:block;overflow-x:auto}"
    "th,td{border-bottom:1px solid #ddd;padding:2px 8px;text-align:right;white-space:nowrap}"
    "th{text-align:left}svg{max-width:100%;height:auto}";

}  // namespace scree::study
