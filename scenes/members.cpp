#include "scenes/members.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/posix_file.hpp"
#include "engine/state_hash.hpp"

namespace scree {
namespace {

constexpr std::size_t chunk_rows = 64;
constexpr std::string_view format_line = "scree runs 1";

std::string hash_of(const std::string& text) { return sha256(text.data(), text.size()); }

// Behind `text`, all else of a chunk file.
std::string last_line(const std::string& text) { return fmt::format("sha256 {}\n", hash_of(text)); }

// A field between tabs.
std::string escaped(const std::string& text) {
  std::string field;
  for (const char c : text) {
    if (c == '\\' || c == '\t' || c == '\n' || c == '\r') field += '\\';
    field += c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c;
  }
  return field;
}

std::string plain(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      text += field[i];
      continue;
    }
    const char c = field[++i];
    text += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return text;
}

// The shortest digits that give the same number again, of one NaN only.
std::string field_of(const MemberCell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return std::isnan(*number) ? "nan" : fmt::format("{}", *number);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *count);
  return escaped(std::get<std::string>(cell));
}

template <class Value>
std::optional<MemberCell> parsed(std::string_view field) {
  Value value{};
  const char* const end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

std::optional<MemberCell> cell_of(std::string_view field, MemberColumn::Kind kind) {
  if (kind == MemberColumn::Kind::number) return parsed<double>(field);
  if (kind == MemberColumn::Kind::count) return parsed<std::int64_t>(field);
  return plain(field);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string line_of(const std::string& key, const MemberRow& row) {
  std::string line = escaped(key);
  for (const MemberCell& cell : row) line += fmt::format("\t{}", field_of(cell));
  line += '\n';
  return line;
}

// The row of a line; none: it is not one of this table.
std::optional<MemberRow> row_of(const std::vector<std::string_view>& fields,
                                const std::vector<MemberColumn>& columns) {
  if (fields.size() != columns.size() + 1) return std::nullopt;
  MemberRow row;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::optional<MemberCell> cell = cell_of(fields[c + 1], columns[c].kind);
    if (!cell) return std::nullopt;
    row.push_back(std::move(*cell));
  }
  return row;
}

// What comes before the rows of a table.
std::string identity_of(const MemberTable& table) {
  std::string text = table.identity + "\n";
  for (const MemberColumn& column : table.columns) {
    text += fmt::format("{}\t{}\t{}\n", static_cast<int>(column.kind), escaped(column.name),
                        escaped(column.unit));
  }
  for (const std::string& key : table.key) text += escaped(key) + "\n";
  return text;
}

// The whole file or none of it.
void replace_file(const std::string& path, const std::string& text) {
  OutputClaim claim(path);
  const auto fail = [&] {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  };
  if (ftruncate(claim.file().number(), 0) != 0) fail();
  if (!posix::write_all(claim.file().number(), text.data(), text.size(), 0)) fail();
  claim.publish();
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  require(!error, folder, fmt::format("the folder cannot be made: {}", error.message()));
  require(std::filesystem::is_directory(folder, error), folder, "exists and is not a folder");
}

// In alphabetical order, which is that of the chunks.
std::vector<std::string> chunk_files(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("chunk-") && name.ends_with(".txt"))
      paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::string member_line(const MemberRow& row) {
  std::string line = line_of("", row);
  line.pop_back();
  return line.substr(1);
}

std::optional<MemberRow> member_row(std::string_view line,
                                    const std::vector<MemberColumn>& columns) {
  std::vector<std::string_view> fields = split(line, '\t');
  fields.insert(fields.begin(), std::string_view());
  return row_of(fields, columns);
}

MemberStore::MemberStore(const std::string& folder, MemberTable table, bool replace, double pause)
    : folder_(folder),
      identity_hash_(hash_of(identity_of(table))),
      pause_(pause),
      table_(std::move(table)),
      rows_(table_.key.size()) {
  make_folder(folder_);
  claim_.emplace(folder_);
  for (const std::string& path : chunk_files(folder_)) read_chunk(path, replace);
}

void MemberStore::adopt(const std::string& folder) {
  for (const std::string& path : chunk_files(folder)) read_chunk(path, false);
}

std::string MemberStore::chunk_path(std::size_t chunk) const {
  return (std::filesystem::path(folder_) / fmt::format("chunk-{:06}.txt", chunk)).string();
}

std::string MemberStore::chunk_text(std::size_t chunk) const {
  std::string text = fmt::format("{}\ntable {}\nchunk {}\n", format_line, identity_hash_, chunk);
  for (std::size_t i = chunk * chunk_rows; i < std::min(size(), (chunk + 1) * chunk_rows); ++i) {
    if (rows_[i]) text += line_of(table_.key[i], *rows_[i]);
  }
  return text + last_line(text);
}

void MemberStore::read_chunk(const std::string& path, bool replace) {
  const std::string text = read_input_file(path);
  const std::size_t last = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2) + 1;
  const std::string body = text.substr(0, last);
  const std::vector<std::string_view> lines = split(body, '\n');
  if (text.substr(last) != last_line(body) || lines.size() < 4 || lines[0] != format_line) {
    damaged_.push_back(path);
    return;
  }
  if (lines[1] != fmt::format("table {}", identity_hash_)) {
    require(replace, std::filesystem::path(path).parent_path().string(),
            "holds runs of another sweep, ensemble, scene or program; choose another name, or use "
            "--force to "
            "drop them");
    std::filesystem::remove(path);
    return;
  }
  // The rows are in the order of the table, some of them.
  std::size_t i = 0;
  while (i < size() && lines[2] != fmt::format("chunk {}", i / chunk_rows)) i += chunk_rows;
  const std::size_t end = std::min(size(), i + chunk_rows);
  for (std::size_t l = 3; l + 1 < lines.size(); ++l) {
    const std::vector<std::string_view> fields = split(lines[l], '\t');
    while (i < end && table_.key[i] != plain(fields[0])) ++i;
    std::optional<MemberRow> row = row_of(fields, table_.columns);
    if (i >= end || !row) {
      damaged_.push_back(path);
      return;
    }
    n_done_ += rows_[i] ? 0U : 1U;
    rows_[i++] = std::move(row);
  }
}

void MemberStore::put(std::size_t i, MemberRow row) {
  const std::lock_guard lock(mutex_);
  n_done_ += rows_[i] ? 0U : 1U;
  rows_[i] = std::move(row);
  unwritten_.insert(i / chunk_rows);
  if (std::chrono::duration<double>(Clock::now() - written_).count() >= pause_) write_held_back();
}

void MemberStore::flush() {
  const std::lock_guard lock(mutex_);
  write_held_back();
}

void MemberStore::write_held_back() {
  for (; !unwritten_.empty(); unwritten_.erase(unwritten_.begin()))
    replace_file(chunk_path(*unwritten_.begin()), chunk_text(*unwritten_.begin()));
  written_ = Clock::now();
}

std::string MemberStore::hash(std::size_t n_members) const {
  std::string text = identity_hash_ + "\n";
  for (std::size_t i = 0; i < std::min(size(), n_members); ++i) {
    if (rows_[i]) text += line_of(table_.key[i], *rows_[i]);
  }
  return hash_of(text);
}

void MemberStore::remove() {
  std::error_code ignored;  // what stays does no harm
  for (std::size_t chunk = 0; chunk * chunk_rows < size(); ++chunk) {
    std::filesystem::remove(chunk_path(chunk), ignored);
    // What a kill left of a chunk.
    std::filesystem::remove(chunk_path(chunk) + ".partial", ignored);
  }
  std::filesystem::remove(folder_, ignored);
}

std::vector<std::size_t> members_left(const MemberStore& store, const MemberRuns& runs) {
  std::vector<std::size_t> left;
  for (std::size_t k = 0; k < (runs.members ? runs.members->size() : store.size()); ++k) {
    const std::size_t i = runs.members ? (*runs.members)[k] : k;
    if (!store.row(i)) left.push_back(i);
  }
  return left;
}

bool run_members(MemberStore& store, const MemberRuns& runs) {
  const std::vector<std::size_t> left = members_left(store, runs);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    while (!failed && (runs.stop == nullptr || !*runs.stop)) {
      const std::size_t k = next++;
      if (k >= left.size()) return;
      try {
        std::optional<MemberRow> row = runs.run(left[k]);
        if (!row) return;
        store.put(left[k], std::move(*row));
        const std::lock_guard lock(mutex);
        if (runs.progress) runs.progress(store.n_done(), store.size());
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  const auto jobs = std::min(static_cast<std::size_t>(std::max(runs.jobs, 1)), left.size());
  for (std::size_t j = 1; j < jobs; ++j) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  store.flush();
  if (failure) std::rethrow_exception(failure);
  return members_left(store, runs).empty();
}

}  // namespace scree
