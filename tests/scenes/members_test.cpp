#include <catch2/catch.hpp>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <string>

#include "engine/base/check.hpp"
#include "scenes/members.hpp"
#include "tests/support/temporary_folder.hpp"

namespace members_test {

using namespace scree;
using namespace scree::test;

namespace {

constexpr std::size_t n_members = 150;  // in three chunks

MemberTable table_of(const std::string& identity) {
  using Kind = MemberColumn::Kind;
  MemberTable table{
      identity, {}, {{Kind::number, "x", "m"}, {Kind::count, "n", ""}, {Kind::text, "why", ""}}};
  for (std::size_t i = 0; i < n_members; ++i) table.key.push_back("i=" + std::to_string(i));
  return table;
}

// Numbers with all digits, one that is none, and texts with what separates fields.
MemberRow row_of(std::size_t i) {
  const double x = i % 7 == 0 ? std::numeric_limits<double>::quiet_NaN()
                              : std::sqrt(static_cast<double>(i)) * 1e-7;
  return {x, static_cast<std::int64_t>(i) - 5, "a\tb\\\n" + std::to_string(i)};
}

bool same(const MemberRow& a, const MemberRow& b) {
  const double x = std::get<double>(a[0]), y = std::get<double>(b[0]);
  return (x == y || (std::isnan(x) && std::isnan(y))) && a[1] == b[1] && a[2] == b[2];
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("Members are run once each, for any number of jobs and stops, with one hash") {
  std::set<std::string> hashes;
  for (const int jobs : {1, 2, 5}) {
    const TemporaryFolder folder;
    std::atomic<std::size_t> runs{0};
    for (bool complete = false; !complete;) {
      // As after a kill: all that is known is in the files.
      MemberStore store(folder.file("runs"), table_of("one"), false);
      CHECK(store.n_done() == runs);
      std::atomic<bool> stop{false};
      std::atomic<std::size_t> here{0};
      const auto one = [&](std::size_t i) -> std::optional<MemberRow> {
        if (++here > 40) {
          stop = true;
          return std::nullopt;
        }
        ++runs;
        return row_of(i);
      };
      complete = run_members(store, {jobs, one, &stop, {}});
      CHECK(complete == store.complete());
      if (!complete) continue;
      hashes.insert(store.hash());
      for (std::size_t i = 0; i < n_members; ++i) CHECK(same(*store.row(i), row_of(i)));
      store.remove();
      CHECK_FALSE(std::filesystem::exists(folder.file("runs")));
    }
    CHECK(runs == n_members);
  }
  CHECK(hashes.size() == 1);
}

TEST_CASE("A torn chunk is told of and its runs are done again, others are kept") {
  const TemporaryFolder folder;
  const auto row = [](std::size_t i) { return std::optional(row_of(i)); };
  {
    MemberStore store(folder.file("runs"), table_of("one"), false);
    REQUIRE(run_members(store, {1, row, nullptr, {}}));
  }
  const std::string chunk = folder.file("runs") + "/chunk-000001.txt";
  const std::string text = bytes_of(chunk);
  // Cut anywhere, or with a byte changed anywhere.
  for (std::size_t at = 0; at < text.size(); at += 97) {
    for (const bool cut : {true, false}) {
      std::string torn = cut ? text.substr(0, at) : text;
      if (!cut) torn[at] = static_cast<char>(torn[at] ^ 1);
      std::ofstream(chunk, std::ios::binary) << torn;
      const MemberStore store(folder.file("runs"), table_of("one"), false);
      CHECK(store.damaged() == std::vector<std::string>{chunk});
      CHECK(store.n_done() == n_members - 64);
    }
  }
  MemberStore store(folder.file("runs"), table_of("one"), false);
  CHECK(run_members(store, {2, row, nullptr, {}}));
  CHECK(bytes_of(chunk) == text);
}

TEST_CASE("Rows of another table are refused, or dropped when that is asked for") {
  const TemporaryFolder folder;
  const auto row = [](std::size_t i) { return std::optional(row_of(i)); };
  {
    MemberStore store(folder.file("runs"), table_of("one"), false);
    run_members(store, {1, row, nullptr, {}});
    CHECK_THROWS_AS(MemberStore(folder.file("runs"), table_of("one"), false), InputError);
  }
  CHECK_THROWS_AS(MemberStore(folder.file("runs"), table_of("two"), false), InputError);
  MemberTable fewer = table_of("one");
  fewer.key.pop_back();
  CHECK_THROWS_AS(MemberStore(folder.file("runs"), fewer, false), InputError);
  CHECK(MemberStore(folder.file("runs"), table_of("one"), false).complete());
  CHECK(MemberStore(folder.file("runs"), table_of("two"), true).n_done() == 0);
  CHECK(MemberStore(folder.file("runs"), table_of("one"), false).n_done() == 0);
}

TEST_CASE("An error of a run ends the others after the runs in hand and keeps what is done") {
  const TemporaryFolder folder;
  MemberStore store(folder.file("runs"), table_of("one"), false);
  const auto one = [](std::size_t i) -> std::optional<MemberRow> {
    if (i == 20) throw std::runtime_error("disk full");
    return row_of(i);
  };
  CHECK_THROWS_WITH(run_members(store, {2, one, nullptr, {}}), "disk full");
  CHECK(store.n_done() >= 19);
  CHECK(store.n_done() < n_members);
}

}  // namespace members_test
