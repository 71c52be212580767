#include "tools/report/page.hpp"

#include <stdexcept>

#include "engine/base/check.hpp"
#include "tools/report/curves.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/payload.hpp"
#include "tools/report/replay.hpp"

namespace scree::report {
namespace {

constexpr std::string_view title_mark = "SCREE-TITLE-HERE";
constexpr std::string_view data_mark = "SCREE-DATA-HERE";

std::string_view until(std::string_view& rest, std::string_view mark) {
  const std::size_t at = rest.find(mark);
  if (at == std::string_view::npos)
    throw std::logic_error("the viewer has no mark " + std::string(mark));
  const std::string_view before = rest.substr(0, at);
  rest.remove_prefix(at + mark.size());
  return before;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string write_page(const ResultReader& results, const std::string& name,
                       std::optional<std::int64_t> frames) {
  require(results.n_frames() > 0, name,
          "has no frames, so there is nothing to replay; run with frames to make a report");
  Payload payload;
  const std::string title = results.title().empty() ? name : results.title();
  nlohmann::json header = describe_run(results);
  header["title"] = title;
  header["replay"] =
      add_replay(results, shown_frames(results.n_frames(), results.n_bodies(), frames), payload);
  add_curves(results, payload);
  std::string_view rest = viewer_template();
  std::string page;
  page += until(rest, title_mark);
  page += escape_html(title);
  page += until(rest, data_mark);
  page += payload.base64(std::move(header));
  page += rest;
  return page;
}

}  // namespace scree::report
