// Rows of engine/VALIDATION.md. A test adds one for each figure that it checks; `tools/validation
// --update` collects them.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/model/materials.hpp"

#include "tests/support/places.hpp"

namespace scree::test {

struct ValidationRow {
  std::string section;  // heading of the page
  std::string name;     // the case; with the section, what identifies a row
  std::string expected, got, error, allowed;
  std::string source;  // of what is expected
};

inline std::string digits(double value, int count = 6) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", count, value);
  return text;
}

// "bouncing ball, newton, h = 0.001 s: "
inline std::string case_name(const std::string& subject, ImpactLaw law, double h) {
  return subject + (law == ImpactLaw::newton ? ", newton" : ", fremond") + ", h = " + digits(h) +
         " s: ";
}

// Where a test case leaves its rows: a file of its own, named by the case, so that cases may run
// side by side.
inline std::filesystem::path rows_file(std::string test_case) {
  std::replace(test_case.begin(), test_case.end(), '/', '_');
  return std::filesystem::path(validation_folder()) / (test_case + ".tsv");
}

// Begins the file anew: what an earlier run of the case left is gone, and an empty file says that
// it ran. Every test program calls this at the start of each case (validation_listener.cpp).
inline void begin_rows(const std::string& test_case) {
  std::filesystem::create_directories(validation_folder());
  std::ofstream(rows_file(test_case), std::ios::trunc | std::ios::binary);
}

// Appends to the file of the case that runs; of rows with the same section and name, the last one
// counts.
inline void add_validation_row(const ValidationRow& row) {
  const std::string line = row.section + '\t' + row.name + '\t' + row.expected + '\t' + row.got +
                           '\t' + row.error + '\t' + row.allowed + '\t' + row.source + '\n';
  std::ofstream(rows_file(Catch::getResultCapture().getCurrentTestName()),
                std::ios::app | std::ios::binary)
      << line;
}

// A number against a number: the error is |got - expected|, divided by |expected| when `relative`.
struct ValidationFigure {
  std::string section, name;
  double expected = 0.0, got = 0.0, allowed = 0.0;
  bool relative = false;
  std::string source;
};

inline double error_of(const ValidationFigure& figure) {
  const double difference = std::abs(figure.got - figure.expected);
  return figure.relative ? difference / std::abs(figure.expected) : difference;
}

// Adds the row and says whether the error is allowed: CHECK(validated({...})).
inline bool validated(const ValidationFigure& figure) {
  const std::string unit = figure.relative ? " rel." : "";
  const bool met = error_of(figure) <= figure.allowed;
  add_validation_row({figure.section, figure.name, digits(figure.expected, 9),
                      digits(figure.got, 9), digits(error_of(figure), 2) + unit,
                      digits(figure.allowed, 2) + unit + (met ? "" : " (exceeded)"),
                      figure.source});
  return met;
}

}  // namespace scree::test
