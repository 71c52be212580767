// A table of many runs, one row a run: kept while it grows, taken up again after a kill, and the
// same bytes whatever the number of jobs, their order and the kills.
//
//     scree::MemberTable table{identity, keys, columns};
//     scree::MemberStore store("out.csv.runs", table, false);
//     const bool complete = scree::run_members(store, {jobs, one_run, &stop, shown});
//     if (complete) ... store.row(i) for i = 0, 1, ... in the order of the table
//
// A run is known by its key. Its row holds what follows from the key and the identity alone: no
// wall times, no names of machines, nothing of the order of the runs. What a run draws it draws
// from Draws(seed, run, stream) (scenes/draws.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/files/output_claim.hpp"

namespace scree {

// A cell; what is not known of a run is NaN or an empty text.
using MemberCell = std::variant<double, std::int64_t, std::string>;
using MemberRow = std::vector<MemberCell>;

struct MemberColumn {
  enum class Kind { number, count, text } kind = Kind::number;  // the alternatives of MemberCell
  std::string name, unit;                                       // "m"; empty: none
};

struct MemberTable {
  std::string identity;          // any text: with the keys, all that makes the rows
  std::vector<std::string> key;  // [n_members] each unlike the others
  std::vector<MemberColumn> columns;
};

// A row as one line without its end, numbers by the shortest digits that give them again; and the
// row of such a line, none when it is none of these columns.
std::string member_line(const MemberRow& row);
std::optional<MemberRow> member_row(std::string_view line,
                                    const std::vector<MemberColumn>& columns);

// The rows that are done, in memory and in chunk files: member i is in chunk i / 64, a text file
// with the identity's hash, one line a row and the SHA-256 of all of it. A chunk is replaced as a
// whole whenever one of its rows is done, so a kill loses the runs in progress and no other; with a
// `pause` [s] between writes it loses what was done since the last one as well.
class MemberStore {
 public:
  // Takes over the rows that an earlier program left in `folder`, which is made if it is not there.
  // Throws InputError when another program has the folder, or when it holds rows of another table,
  // unless `replace` drops them.
  MemberStore(const std::string& folder, MemberTable table, bool replace, double pause = 0.0);

  // Takes over the rows of the same table that another program left in another folder, in memory
  // only; that folder stays as it is. Throws InputError when its rows are of another table.
  void adopt(const std::string& folder);

  const MemberTable& table() const { return table_; }
  const std::string& folder() const { return folder_; }
  std::size_t size() const { return table_.key.size(); }
  std::size_t n_done() const { return n_done_; }
  bool complete() const { return n_done_ == size(); }
  const std::optional<MemberRow>& row(std::size_t i) const { return rows_[i]; }
  // Chunk files that a machine left torn or that were changed: their runs are done again.
  const std::vector<std::string>& damaged() const { return damaged_; }

  // Keeps a row. May be called from several threads. Throws std::runtime_error when it cannot be
  // written.
  void put(std::size_t i, MemberRow row);
  // Writes what a pause has held back.
  void flush();

  // SHA-256 of identity, columns, keys and all rows that are done, or those of the first members.
  std::string hash(std::size_t n_members = SIZE_MAX) const;

  // Removes the chunk files, and the folder if nothing else is in it.
  void remove();

 private:
  using Clock = std::chrono::steady_clock;

  std::string chunk_path(std::size_t chunk) const;
  std::string chunk_text(std::size_t chunk) const;
  void read_chunk(const std::string& path, bool replace);
  void write_held_back();

  std::string folder_, identity_hash_;
  double pause_ = 0.0;               // [s]
  std::set<std::size_t> unwritten_;  // chunks with rows that are in memory only
  Clock::time_point written_ = Clock::now();
  MemberTable table_;
  std::vector<std::optional<MemberRow>> rows_;
  std::atomic<std::size_t> n_done_{0};
  std::vector<std::string> damaged_;
  std::optional<FolderClaim> claim_;
  std::mutex mutex_;
};

struct MemberRuns {
  int jobs = 1;
  // Row of member i; none: it was asked to stop. Called from `jobs` threads at once.
  std::function<std::optional<MemberRow>(std::size_t i)> run;
  const std::atomic<bool>* stop = nullptr;  // no further run is begun once it is set
  // Called after each run, by one thread at a time.
  std::function<void(std::size_t n_done, std::size_t n_members)> progress;
  // Ascending; those to run. None: all.
  std::optional<std::vector<std::size_t>> members = {};
};

// Members to run that are not done yet, ascending.
std::vector<std::size_t> members_left(const MemberStore& store, const MemberRuns& runs);

// Runs the members that are not done yet, in the order of the table. Returns whether all are done.
// Throws what `run` and the store throw, after the runs in hand.
bool run_members(MemberStore& store, const MemberRuns& runs);

}  // namespace scree
