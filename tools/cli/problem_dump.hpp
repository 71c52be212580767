// Writes the contact problems of chosen steps of a run as FCLIB files, for `scree solve` and other
// programs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/output_claim.hpp"
#include "engine/run.hpp"

namespace scree {

// Which steps: comparisons of what a step did, all of which must hold.
class StepCondition {
 public:
  // `text`: "iterations>200", "contacts>=100 and converged=0"; empty: every step. Throws InputError
  // with what is allowed.
  explicit StepCondition(const std::string& text);

  bool holds(const StepRecord& record) const;

 private:
  std::vector<std::function<bool(const StepRecord&)>> comparisons_;
};

class ProblemDump {
 public:
  // Makes `folder` when it is not there; a folder with files in it needs `force`. Throws
  // InputError.
  ProblemDump(std::string folder, const std::string& condition, std::string scene, bool force);

  // Writes <scene>-s<step>-nc<contacts>.hdf5: M, H, f, w, mu and the solution found. Throws
  // RunFailure when it cannot.
  void update(const StepView& view);

  const std::string& folder() const { return folder_; }
  std::int64_t written() const { return written_; }

 private:
  std::string folder_, scene_;
  StepCondition condition_;
  std::optional<FolderClaim> claim_;
  std::int64_t written_ = 0;
};

}  // namespace scree
