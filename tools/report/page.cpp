#include "tools/report/page.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "engine/base/check.hpp"
#include "tools/common/base64.hpp"
#include "tools/common/html.hpp"
#include "tools/report/curves.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/measured.hpp"
#include "tools/report/payload.hpp"
#include "tools/report/replay.hpp"

namespace scree::report {
namespace {

constexpr std::string_view title_mark = "SCREE-TITLE-HERE";
constexpr std::string_view data_mark = "SCREE-DATA-HERE";
constexpr std::string_view viewer_mark = "SCREE-VIEWER-HERE";
constexpr std::string_view runs_mark = "SCREE-RUNS-HERE";

std::string_view until(std::string_view& rest, std::string_view mark) {
  const std::size_t at = rest.find(mark);
  if (at == std::string_view::npos)
    throw std::logic_error("the viewer has no mark " + std::string(mark));
  const std::string_view before = rest.substr(0, at);
  rest.remove_prefix(at + mark.size());
  return before;
}

// What the viewer shows of a run.
struct Run {
  std::string title, data;
};

Run read_run(const ResultReader& results, const std::string& name,
             std::optional<std::int64_t> frames) {
  Payload payload;
  Run run{results.title().empty() ? name : results.title(), ""};
  nlohmann::json header = describe_run(results);
  header["title"] = run.title;
  header["measured"] = describe_measures(results);
  header["replay"] =
      results.n_frames() > 0
          ? add_replay(results, shown_frames(results.n_frames(), results.n_bodies(), frames),
                       payload)
          : add_empty_replay(payload);
  add_curves(results, payload);
  run.data = payload.base64(std::move(header));
  return run;
}

}  // namespace

std::string write_page(const ResultReader& results, const std::string& name,
                       std::optional<std::int64_t> frames, const std::vector<Section>& sections) {
  const Run run = read_run(results, name, frames);
  std::string_view rest = viewer_template();
  std::string page;
  page += until(rest, title_mark);
  page += escape_html(run.title);
  page += until(rest, data_mark);
  page += run.data;
  const std::size_t end = rest.rfind("</body>");
  if (end == std::string_view::npos) throw std::logic_error("the viewer has no end of its body");
  page += rest.substr(0, end);
  for (const Section& section : sections) {
    page += fmt::format(
        "<section style=\"max-width: 1100px; margin: 1.5rem auto; padding: 0 1rem\"><h2>{}</h2>\n{}"
        "</section>\n",
        escape_html(section.title), section.html);
  }
  page += rest.substr(end);
  return page;
}

std::string write_page_of_several(std::span<const NamedResults> runs,
                                  std::optional<std::int64_t> frames) {
  std::string title, blocks;
  for (const NamedResults& one : runs) {
    const Run run = read_run(*one.results, one.name, frames);
    title += title.empty() ? "" : ", ";
    title += escape_html(one.name);
    blocks +=
        fmt::format("<script type=\"text/plain\" class=\"run\" data-name=\"{}\">{}</script>\n",
                    escape_html(one.name), run.data);
  }
  std::string_view rest = several_template();
  std::string page;
  for (int times = 0; times < 2; ++times) {  // in the head and in the body
    page += until(rest, title_mark);
    page += title;
  }
  page += until(rest, viewer_mark);
  page += encode_base64(deflate(std::string(viewer_template())));
  page += until(rest, runs_mark);
  page += blocks;
  page += rest;
  return page;
}

}  // namespace scree::report
