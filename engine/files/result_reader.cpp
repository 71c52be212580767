#include "engine/files/result_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "contact/laws/laws.hpp"
#include "engine/base/check.hpp"
#include "engine/base/hdf5_file.hpp"
#include "engine/base/hdf5_screen.hpp"
#include "engine/base/input_file.hpp"
#include "engine/base/posix_file.hpp"
#include "engine/base/printable.hpp"
#include "engine/files/load_tables.hpp"
#include "engine/files/result_checks.hpp"
#include "engine/files/result_reader_impl.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/files/scene_group.hpp"
#include "engine/files/stress_tables.hpp"
#include "engine/files/warning_table.hpp"

namespace scree {
namespace {

using files::refuse;

// What the first bytes of the file say: whether it is an HDF5 file, and whether its writer was
// stopped.
struct Head {
  bool hdf5 = false, open_for_writing = false;
};

Head read_head(const std::string& path) {
  constexpr std::size_t size = 12;
  const std::string bytes = read_input_file(path, size);
  if (bytes.size() < size) return {};
  // Superblock: signature, version, size of offsets, size of lengths, consistency flags (from
  // version 3).
  const bool hdf5 = std::memcmp(bytes.data(), "\x89HDF\r\n\x1a\n", 8) == 0;
  return {hdf5, hdf5 && bytes[8] >= 3 && (bytes[11] & 0x5) != 0};
}

// Rows that were written whole: times rise strictly, so a row that is still empty (zero) ends the
// run of them.
std::int64_t rising(const std::vector<double>& times) {
  if (!times.empty() && std::isnan(times[0])) return 0;
  const auto end =
      std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); });
  return end == times.end() ? static_cast<std::int64_t>(times.size()) : end - times.begin() + 1;
}

}  // namespace

void ResultReader::Impl::open() {
  const Head head = read_head(path);
  if (!head.hdf5) refuse(path, "is not an HDF5 file, so it is no result file of scree");
  const h5::Quiet quiet;  // before the flags: these macros start the library
  const unsigned flags =
      head.open_for_writing ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY;
  const h5::Handle access = h5::file_access();
  // The run that writes the file may give its name to the next version at any moment; the one that
  // is locked stays as it is.
  for (int tries = 0; tries < most_tries; ++tries) {
    file.reset();
    held = posix::open_shared(path);
    try {
      h5::screen_file(path, flags);
    } catch (const InputError&) {
      if (posix::leads_to(path, held)) throw;
      continue;
    }
    file = h5::Handle(H5Fopen(path.c_str(), flags, access.id()), &H5Fclose);
    if (posix::leads_to(path, held)) break;
  }
  if (!file.valid()) refuse(path, "is damaged or truncated");
}

void ResultReader::Impl::check_format() const {
  const bool ours = guarded([](hid_t f) {
    return h5::has_attribute(f, "format") && h5::has_attribute(f, "version") &&
           h5::read_string_attribute(f, "format") == result_format_name;
  });
  const bool checkpoint = guarded([](hid_t f) {
    return h5::has_attribute(f, "format") && h5::is_string_attribute(f, "format") &&
           h5::read_string_attribute(f, "format") == checkpoint_format_name;
  });
  if (checkpoint)
    refuse(path, "is a checkpoint, not a result file; `scree resume` goes on from it");
  const bool sweep = guarded([](hid_t f) {
    return h5::has_attribute(f, "format") && h5::is_string_attribute(f, "format") &&
           h5::read_string_attribute(f, "format") == "scree-sweep";
  });
  if (sweep)
    refuse(path, "is the table of a sweep, not a result file; its columns are plain data sets");
  if (!ours) refuse(path, "is an HDF5 file, but no result file of scree");
  const std::int64_t version =
      guarded([](hid_t f) { return h5::read_integer_attribute(f, "version"); });
  if (version > result_format_version) {
    refuse(path,
           fmt::format("has version {} of the result format; this program reads up to version {}",
                       version, result_format_version));
  }
}

void ResultReader::Impl::count() {
  guarded([&](hid_t f) {
    bodies = rows("bodies/name");
    ledger_rows = rows("ledger/time");
    for (const LedgerColumn& column : ledger_columns) {
      const std::string table = std::string("ledger/") + column.name;
      if (!column.newer || h5::exists(f, table)) ledger_rows = std::min(ledger_rows, rows(table));
    }
    ledger_rows = rising(h5::read_rows<double>(f, "ledger/time", 0, ledger_rows));
    steps = rows("solver/time");
    const auto count_steps = [&](const auto& columns) {
      for (const auto& column : columns) {
        const std::string table = std::string("solver/") + column.name;
        if (!column.newer || h5::exists(f, table)) steps = std::min(steps, rows(table));
      }
    };
    count_steps(solver_counts);
    count_steps(solver_numbers);
    for (const std::string& table : load_tables_of(f)) steps = std::min(steps, rows(table));
    for (const std::string& table : gauge_tables_of(f)) steps = std::min(steps, rows(table));
    steps = std::min(rising(h5::read_rows<double>(f, "solver/time", 0, steps)),
                     std::max<std::int64_t>(ledger_rows - 1, 0));
    ledger_rows = std::min(ledger_rows, steps + 1);
    if (!h5::exists(f, "frames")) return;
    frames = rows("frames/time");
    for (const char* name : {"position", "orientation", "velocity", "active", "step"}) {
      frames = std::min(frames, rows(std::string("frames/") + name));
    }
    for (const char* table : {frame_image, frame_image_shift}) {
      if (h5::exists(f, table)) frames = std::min(frames, rows(table));
    }
    for (const std::string& table : stress_frame_tables(f)) frames = std::min(frames, rows(table));
    contacts = h5::exists(f, "frames/contacts");
    if (contacts) {
      offset = h5::read_rows<std::int64_t>(f, "frames/contacts/offset");
      std::int64_t stored = rows("frames/contacts/status");
      for (const char* name : contact_tables)
        stored = std::min(stored, rows(std::string("frames/contacts/") + name));
      if (h5::exists(f, contact_image)) stored = std::min(stored, rows(contact_image));
      parts = h5::exists(f, "frames/contacts/part_b");
      for (const char* name : contact_part_tables) {
        if (parts) stored = std::min(stored, rows(std::string("frames/contacts/") + name));
      }
      if (h5::exists(f, "frames/contacts/moment")) {
        for (const char* name : moment_tables)
          stored = std::min(stored, rows(std::string("frames/contacts/") + name));
      }
      std::size_t usable = 0;
      while (usable < offset.size() && offset[usable] <= stored &&
             (usable == 0 || offset[usable] >= offset[usable - 1]))
        ++usable;
      frames = std::min(frames, std::max<std::int64_t>(static_cast<std::int64_t>(usable) - 1, 0));
    }
    frames = rising(h5::read_rows<double>(f, "frames/time", 0, frames));
    // A run that was killed leaves tables of unequal length; one that has ended does not.
    const bool ended = h5::read_integer_attribute(f, "finished") == 1;
    check(!ended || frames == rows("frames/time"), "frames",
          "fewer frames than times, though the run has ended");
  });
}

ResultReader::ResultReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->open();
  impl_->check_format();
  impl_->count();
}

ResultReader::~ResultReader() {
  const h5::Quiet quiet;
  impl_.reset();
}

ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;

std::string ResultReader::title() const {
  return impl_->guarded([](hid_t f) { return printable(h5::read_string_attribute(f, "title")); });
}
std::string ResultReader::program() const {
  return impl_->guarded([](hid_t f) { return h5::read_string_attribute(f, "program"); });
}
std::string ResultReader::scene_sha256() const {
  return impl_->guarded([](hid_t f) { return h5::read_string_attribute(f, "scene_sha256"); });
}
std::string ResultReader::state_hash() const {
  return impl_->guarded([](hid_t f) { return h5::read_string_attribute(f, "state_hash"); });
}
bool ResultReader::finished() const {
  return impl_->guarded([](hid_t f) { return h5::read_integer_attribute(f, "finished") == 1; });
}
std::string ResultReader::failure() const {
  return impl_->guarded([](hid_t f) {
    return h5::exists(f, failure_data_set) ? h5::read_strings(f, failure_data_set).at(0) : "";
  });
}
bool ResultReader::records_warnings() const {
  return impl_->guarded([](hid_t f) { return has_warning_table(f); });
}
std::vector<RecordedWarning> ResultReader::warnings() const {
  return impl_->guarded([](hid_t f) { return read_warnings(f, h5::read_names(f, "bodies/name")); });
}
std::string ResultReader::scene_source() const {
  return impl_->guarded([](hid_t f) { return read_scene_source(f); });
}
std::vector<SceneFile> ResultReader::scene_files() const {
  return impl_->guarded([](hid_t f) { return read_scene_files(f); });
}
std::vector<std::string> ResultReader::materials() const {
  return impl_->guarded([](hid_t f) { return h5::read_names(f, "materials/name"); });
}

std::vector<ResultPair> ResultReader::pairs() const {
  return impl_->guarded([](hid_t f) {
    const std::vector<std::string> law = h5::read_strings(f, "materials/law");
    const std::size_t n = h5::read_names(f, "materials/name").size();
    bool one_a_pair = law.size() == n * n;
    std::vector<std::vector<double>> numbers;  // of each parameter
    for (const contact::LawParameter& parameter : contact::Laws::parameters) {
      std::string table = "materials/";
      table += parameter.name;
      // Files of earlier programs lack the numbers of laws that there were not.
      const bool needed = std::isnan(parameter.absent) || h5::exists(f, table);
      numbers.push_back(needed ? h5::read_rows<double>(f, table)
                               : std::vector<double>(n * n, parameter.absent));
      one_a_pair = one_a_pair && numbers.back().size() == n * n;
    }
    if (!one_a_pair) throw h5::Error("materials: not one law a pair");
    std::vector<ResultPair> pairs;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a; b < n; ++b) {
        const std::size_t i = a * n + b;
        if (law[i].empty()) continue;
        ResultPair pair = {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), law[i], {}};
        for (std::size_t k = 0; k < numbers.size(); ++k)
          pair.number[contact::Laws::parameters[k].name] = numbers[k][i];
        pairs.push_back(std::move(pair));
      }
    }
    return pairs;
  });
}

std::map<std::string, std::string> ResultReader::settings() const {
  return impl_->guarded([](hid_t f) {
    const h5::Handle group = h5::own(H5Gopen2(f, "settings", H5P_DEFAULT), &H5Gclose, "settings");
    std::map<std::string, std::string> values;
    for (const std::string& name : h5::attribute_names(group.id())) {
      if (h5::is_string_attribute(group.id(), name.c_str())) {
        values[name] = h5::read_string_attribute(group.id(), name.c_str());
      } else {
        values[name] =
            fmt::format("{}", fmt::join(h5::read_vector_attribute(group.id(), name.c_str()), ", "));
      }
    }
    return values;
  });
}

Cell ResultReader::cell() const {
  Cell cell;
  const std::map<std::string, std::string> all = settings();
  const auto read = [&](const char* name, Vector3& to) {
    const auto found = all.find(name);
    if (found != all.end())
      std::sscanf(found->second.c_str(), "%lf, %lf, %lf", &to[0], &to[1], &to[2]);
  };
  read("periodic", cell.length);
  read("periodic_corner", cell.corner);
  const auto rate = all.find("shear_rate");
  if (rate != all.end()) std::sscanf(rate->second.c_str(), "%lf", &cell.shear_rate);
  if (!cell.length.allFinite() || !cell.corner.allFinite() || !std::isfinite(cell.shear_rate) ||
      (cell.length.array() < 0.0).any())
    refuse(impl_->path, "is damaged or truncated (settings/periodic: no lengths of periods)");
  return cell;
}

Vector3 ResultReader::gravity() const {
  Vector3 g = Vector3::Zero();
  std::sscanf(setting("gravity").c_str(), "%lf, %lf, %lf", &g[0], &g[1], &g[2]);
  return g;
}

std::string ResultReader::setting(const std::string& name) const {
  const std::map<std::string, std::string> values = settings();
  const auto found = values.find(name);
  if (found == values.end())
    refuse(impl_->path, fmt::format("is damaged or truncated (no setting {})", name));
  return found->second;
}

double ResultReader::dt() const {
  return impl_->guarded([](hid_t f) {
    const h5::Handle group = h5::own(H5Gopen2(f, "settings", H5P_DEFAULT), &H5Gclose, "settings");
    return h5::read_double_attribute(group.id(), "dt");
  });
}

std::int64_t ResultReader::n_bodies() const { return impl_->bodies; }
std::int64_t ResultReader::n_steps() const { return impl_->steps; }
std::int64_t ResultReader::n_frames() const { return impl_->frames; }
bool ResultReader::has_contacts() const { return impl_->contacts; }

}  // namespace scree
