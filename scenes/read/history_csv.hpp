// Tables over time from CSV files: histories of driven bodies, loads, the shaking of the ground.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/motion_history.hpp"
#include "scenes/read/table_reader.hpp"

namespace scree::scenes {

// A column that a file may have, and what its unit in square brackets may be: the first is meant
// where none is given, and values are multiplied by its factor.
struct CsvColumn {
  std::string name;
  std::vector<std::pair<std::string, double>> units;
};

struct CsvFormat {
  std::vector<CsvColumn> columns;   // besides the time
  std::string unit_reason = {};     // ends a message about a unit: " for kind = \"velocity\""
  std::optional<double> time_step;  // [s] of equally spaced rows, the first at 0: a column of times
                                    // may be left out, and must agree where it is there
};

struct CsvTable {
  std::vector<double> time;                // [s] increasing, >= 0
  std::vector<std::vector<double>> value;  // [n_columns][n_rows] zero where the file has none
  std::vector<bool> given;                 // [n_columns] the file has it
};

// The first line that is neither empty nor begins with # names the columns: time and any of
// `format`, in any order, each with its unit in square brackets or without. Every further line has
// one number for each. Throws InputError, one line "file:line:column: field: what is wrong and what
// is allowed".
CsvTable read_csv_table(std::string_view text, const std::string& file_name,
                        const CsvFormat& format);

// Fills time, linear and angular of `history`, whose kind says what the columns hold: linear_x,
// linear_y, linear_z, angular_x, angular_y, angular_z; those left out are zero.
void read_history_csv(std::string_view text, const std::string& file_name, MotionHistory& history);

// One number of a file of text. Throws InputError unless it is finite and admitted.
double number_in_file(std::string_view text, Place place, const std::string& field,
                      const Document& document);

}  // namespace scree::scenes
