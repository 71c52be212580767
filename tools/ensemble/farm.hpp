// The runs of an ensemble spread over processes that mpirun started: rank 0 keeps the table, hands
// out numbers of runs and computes as well; the others compute. In a build without MPI
// (SCREE_MPI=OFF) there is one process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scenes/members.hpp"

namespace scree::ensemble {

class Farm {
 public:
  // Throws InputError when mpirun has started several processes of a build without MPI.
  Farm();
  ~Farm();
  Farm(const Farm&) = delete;
  Farm& operator=(const Farm&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // On rank 0: as run_members, with the help of the others.
  bool run(MemberStore& store, const MemberRuns& runs);
  // On the others: computes until rank 0 has no more.
  void serve(const std::function<std::optional<MemberRow>(std::size_t i)>& run);
  // Ends all processes at once, for what cannot be told in another way.
  [[noreturn]] void abort(int exit_code);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  int rank_ = 0, size_ = 1;
};

}  // namespace scree::ensemble
