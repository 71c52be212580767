#include "tools/study/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/version.hpp"
#include "tools/study/page_parts.hpp"

namespace scree::study {
namespace {

std::string cell_text(const PageRow& value) {
  if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

bool is_done(const PageRow& row) { return row.at("status") == "done"; }

double number(const PageRow& row, const char* key) { return row.at(key).get<double>(); }

Check check_band(const std::string& what, double got, double low, double high) {
  return {what, fmt::format("{:.3f}", got), fmt::format("{:g} to {:g}", low, high),
          got >= low && got <= high};
}

Check check_most(const std::string& what, double got, const std::string& where, double bar) {
  return {what, fmt::format("{:.2g} ({})", got, where), fmt::format("at most {:g}", bar),
          got <= bar};
}

void add_worst(std::vector<Check>& checks, const std::vector<PageRow>& rows,
               const std::string& what, const std::vector<const char*>& keys, double bar) {
  double worst = 0.0;
  std::string where;
  for (const PageRow& row : rows) {
    for (const char* key : keys) {
      const double value = std::abs(number(row, key));
      if (value >= worst) worst = value, where = row.at("member").get<std::string>();
    }
  }
  if (!where.empty()) checks.push_back(check_most(what, worst, where, bar));
}

std::string checks_text(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks)
    text += fmt::format("{} {}: {}; {}\n", check.met ? "ok    " : "missed", check.what, check.got,
                        check.wanted);
  return text;
}

std::string checks_table(const std::vector<Check>& checks) {
  std::string text =
      "<table><thead><tr><th>expected</th><th>found</th><th>bar</th><th></th></tr></thead>"
      "<tbody>\n";
  for (const Check& check : checks)
    text +=
        fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(check.what),
                    escaped(check.got), escaped(check.wanted), check.met ? "met" : "missed");
  return text + "</tbody></table>\n";
}

std::string rows_table(const std::vector<PageRow>& rows) {
  std::string text = "<table><thead><tr>";
  const auto full = std::find_if(rows.begin(), rows.end(), is_done);
  const PageRow& head = full != rows.end() ? *full : rows.front();
  for (const auto& entry : head.items()) text += "<th>" + escaped(entry.key()) + "</th>";
  text += "</tr></thead><tbody>\n";
  for (const PageRow& row : rows) {
    text += "<tr>";
    for (const auto& entry : head.items()) {
      const bool known = row.contains(entry.key());
      text += "<td>" + (known ? escaped(cell_text(row.at(entry.key()))) : "") + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

std::string study_page(const std::string& title, const std::vector<PageRow>& rows,
                       const std::string& command, const std::string& body) {
  const auto done = std::count_if(rows.begin(), rows.end(), is_done);
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
             "<style>{1}</style></head><body>\n<h1>{0}</h1>\n<p>{2} of {3} members. {4}. "
             "<code>{5}</code></p>\n",
             title, page_style, done, rows.size(), program_name(), escaped(command)) +
         body + "</body></html>\n";
}

}  // namespace scree::study
