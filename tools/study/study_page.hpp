// What the pages of studies share: what was expected and found, tables of rows, and their text.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace scree::study {

using PageRow = nlohmann::ordered_json;

bool is_done(const PageRow& row);  // its `status`
double number(const PageRow& row, const char* key);

// One thing that is expected of a study.
struct Check {
  std::string what, got, wanted;
  bool met = false;
};

Check check_band(const std::string& what, double got, double low, double high);
Check check_most(const std::string& what, double got, const std::string& where, double bar);

// Adds the largest size of what the rows have in the columns, and whose it is; nothing without
// rows.
void add_worst(std::vector<Check>& checks, const std::vector<PageRow>& rows,
               const std::string& what, const std::vector<const char*>& keys, double bar);

std::string checks_text(const std::vector<Check>& checks);   // a line each, for the terminal
std::string checks_table(const std::vector<Check>& checks);  // HTML

// All rows with the columns of one that is done; HTML.
std::string rows_table(const std::vector<PageRow>& rows);

// A whole page: heading, what it says below it (HTML), and the parts.
std::string study_page(const std::string& title, const std::vector<PageRow>& rows,
                       const std::string& command, const std::string& body);

}  // namespace scree::study
