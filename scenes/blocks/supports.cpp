#include "scenes/blocks/supports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "engine/base/check.hpp"
#include "engine/base/printable.hpp"
#include "scenes/blocks/close_gaps.hpp"
#include "scenes/blocks/joints.hpp"
#include "scenes/blocks/triangulate.hpp"

namespace scree::blocks {
namespace {

double lowest_of(const Solid& solid) {
  double low = std::numeric_limits<double>::infinity();
  for (const Vector3& v : solid.vertices) low = std::min(low, v.z());
  return low;
}

// Blocks that rest at the lowest height, within a thousandth of the model's.
std::vector<std::uint8_t> lowest(const std::vector<Solid>& solids) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Solid& solid : solids) {
    for (const Vector3& v : solid.vertices)
      low = std::min(low, v.z()), high = std::max(high, v.z());
  }
  std::vector<std::uint8_t> chosen;
  for (const Solid& solid : solids)
    chosen.push_back(lowest_of(solid) <= low + 1e-3 * (high - low) ? 1 : 0);
  return chosen;
}

// Blocks with one neighbour: the springings of an arch.
std::vector<std::uint8_t> ends(const std::vector<Solid>& solids) {
  const std::vector<JointBody> bodies = faces_of(solids);
  std::vector<std::vector<std::int32_t>> neighbours(solids.size());
  for (const Joint& joint : find_joints(bodies, {})) {
    neighbours[static_cast<std::size_t>(joint.a)].push_back(joint.b);
    neighbours[static_cast<std::size_t>(joint.b)].push_back(joint.a);
  }
  std::vector<std::uint8_t> chosen;
  for (std::vector<std::int32_t>& of : neighbours) {
    std::sort(of.begin(), of.end());
    chosen.push_back(std::unique(of.begin(), of.end()) - of.begin() == 1 ? 1 : 0);
  }
  return chosen;
}

bool is_height(const std::string& text, double& height) {
  if (!text.starts_with("z<")) return false;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), height);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(height);
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::uint8_t> named_by(const std::vector<Solid>& solids,
                                   const std::vector<std::string>& patterns) {
  std::vector<std::uint8_t> chosen(solids.size(), 0);
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t s = 0; s < solids.size(); ++s) {
      const bool fits = pattern == "all" || matches(pattern, solids[s].name) ||
                        (!solids[s].key.empty() && matches(pattern, solids[s].key));
      if (fits) chosen[s] = 1, any = true;
    }
    if (!any) {
      throw InputError(printable(fmt::format(
          "supports: no block has the name \"{}\"; the first are \"{}\"{}", pattern, solids[0].name,
          solids.size() > 1 ? fmt::format(" and \"{}\"", solids[1].name) : "")));
    }
  }
  return chosen;
}

std::string choose_supports(std::vector<Solid>& solids, const std::vector<std::string>& choice) {
  std::vector<std::uint8_t> chosen(solids.size(), 0);
  const auto add = [&](const std::vector<std::uint8_t>& more) {
    for (std::size_t s = 0; s < solids.size(); ++s)
      chosen[s] = static_cast<std::uint8_t>(chosen[s] | more[s]);
  };
  std::vector<std::uint8_t> marked;
  for (const Solid& solid : solids) marked.push_back(solid.support ? 1 : 0);
  std::string how;
  if (choice.empty()) {
    const bool any = std::count(marked.begin(), marked.end(), 1) > 0;
    chosen = any ? marked : lowest(solids);
    how = any ? "marked in the file" : "the file marks none: its lowest blocks";
    if (!any && solids.size() > 1 && std::count(chosen.begin(), chosen.end(), 0) == 0) {
      std::fill(chosen.begin() + 1, chosen.end(), std::uint8_t{0});
      how = "the file marks none and all are lowest: the first block";
    }
  }
  for (const std::string& word : choice) {
    double height = 0.0;
    if (word == "marked") {
      add(marked);
    } else if (word == "lowest") {
      add(lowest(solids));
    } else if (word == "ends") {
      add(ends(solids));
    } else if (is_height(word, height)) {
      for (std::size_t s = 0; s < solids.size(); ++s) {
        if (solids[s].integrals.centre.z() < height) chosen[s] = 1;
      }
    } else if (word != "none") {
      add(named_by(solids, {word}));
    }
    how += (how.empty() ? "" : ", ") + word;
  }
  for (std::size_t s = 0; s < solids.size(); ++s) solids[s].support = chosen[s] != 0;
  return how;
}

}  // namespace scree::blocks
