// What acts on bodies besides gravity and contacts, in a result file: the resultant of the loads on
// each body, and how the ground moves. One row a step, as in /solver; absent from scenes without.
// Private to the readers and writers of result files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/hdf5_file.hpp"
#include "engine/run.hpp"

namespace scree {

// The tables of a file that grow by a row a step.
std::vector<std::string> load_tables_of(hid_t file);

void create_load_tables(hid_t file, const Model& model);

class LoadTables {
 public:
  explicit LoadTables(hid_t file);

  // A step that was done.
  void push(const StepView& view);

  template <class Action>
  void each(Action&& action) {
    for (auto& table : tables_) action(table);
  }

 private:
  bool loads_ = false, ground_ = false;
  std::vector<h5::Appender<double>> tables_;
};

}  // namespace scree
