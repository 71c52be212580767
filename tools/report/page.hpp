// The page of `scree report`: the viewer that is built in, with the data of a run in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/result_reader.hpp"

namespace scree::report {

// The viewer (tools/viewer/dist/report.html), with two marks where title and data go.
std::string_view viewer_template();

// What stands below the viewer: a section of a page.
struct Section {
  std::string title, html;
};

// The whole page; that of a file without frames has no replay. `frames`: how many to show at most,
// see shown_frames. `name` is what the page calls the run when the scene has no title.
std::string write_page(const ResultReader& results, const std::string& name,
                       std::optional<std::int64_t> frames,
                       const std::vector<Section>& sections = {});

// The page around the viewers of several runs (tools/viewer/dist/several.html), with marks for
// their title, the viewer and their data.
std::string_view several_template();

struct NamedResults {
  std::string name;
  const ResultReader* results;
};

// The page of several runs beside each other, each with its name above it.
std::string write_page_of_several(std::span<const NamedResults> runs,
                                  std::optional<std::int64_t> frames);

}  // namespace scree::report
