#include "engine/files/result_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
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
#include "engine/model/shapes/shapes.hpp"

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

std::vector<PeriodCount> to_periods(const std::vector<std::int32_t>& numbers) {
  std::vector<PeriodCount> periods;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    periods.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return periods;
}

std::vector<Vector3> to_vectors(const std::vector<double>& numbers) {
  std::vector<Vector3> vectors;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    vectors.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  return vectors;
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

ResultBodies ResultReader::bodies() const {
  return impl_->guarded([&](hid_t f) {
    ResultBodies bodies;
    bodies.name = h5::read_names(f, "bodies/name");
    bodies.shape = h5::read_rows<std::int32_t>(f, "bodies/shape");
    bodies.material = h5::read_rows<std::int32_t>(f, "bodies/material");
    bodies.mass = h5::read_rows<double>(f, "bodies/mass");
    const std::vector<double> inertia = h5::read_rows<double>(f, "bodies/inertia");
    for (std::size_t i = 0; i + 8 < inertia.size(); i += 9)
      bodies.inertia.emplace_back(Eigen::Map<const Matrix3>(inertia.data() + i));
    bodies.fixed = h5::read_rows<std::uint8_t>(f, "bodies/fixed");
    const std::size_t n = bodies.name.size();
    check(bodies.shape.size() == n && bodies.material.size() == n && bodies.mass.size() == n &&
              bodies.inertia.size() == n && bodies.fixed.size() == n,
          "bodies", "not one row a body");
    std::size_t shapes = 0;
    while (h5::exists(f, "shapes/" + std::to_string(shapes))) ++shapes;
    check_indices(bodies.shape, shapes, "bodies/shape");
    check_indices(bodies.material, static_cast<std::size_t>(impl_->rows("materials/name")),
                  "bodies/material");
    return bodies;
  });
}

namespace {

// Reads the fields of a shape that is drawn by its surface.
struct FieldReader {
  hid_t file;
  std::string group;

  void operator()(const ShapeField& field, double& value) const { value = numbers(field).at(0); }
  void operator()(const ShapeField& field, Vector3& value) const {
    const std::vector<double> n = numbers(field);
    value = Vector3(n.at(0), n.at(1), n.at(2));
  }
  template <std::size_t N>
  void operator()(const ShapeField& field, std::array<Vector3, N>& points) const {
    const std::vector<double> n = numbers(field);
    for (std::size_t i = 0; i < N; ++i)
      points[i] = Vector3(n.at(3 * i), n.at(3 * i + 1), n.at(3 * i + 2));
  }
  // Of shapes that are corners and faces: those are read as they are.
  template <class T>
  void operator()(const ShapeField&, std::vector<T>&) const {}

 private:
  std::vector<double> numbers(const ShapeField& field) const {
    return h5::read_rows<double>(file, group + "/" + field.name);
  }
};

// Corners and faces of shapes that have neither, and a surface.
void draw_surface(hid_t file, const std::string& group, ResultShape& shape) {
  Shape known = shape_named(shape.kind);
  if (shape.kind != shape_kind(known)) return;
  std::visit(
      [&]<class T>(T& s) {
        if constexpr (requires { s.surface(); }) {
          T::fields(s, FieldReader{file, group});
          check_shape(s, group);
          if constexpr (requires { s.integrals(); }) shape.volume = s.integrals().volume;
        }
      },
      known);
  const Surface surface = surface_of(known);
  if (surface.triangles.empty()) return;
  shape.vertices = surface.vertices;
  shape.face_begin = {0};
  for (const auto& triangle : surface.triangles) {
    shape.faces.insert(shape.faces.end(), triangle.begin(), triangle.end());
    shape.face_begin.push_back(static_cast<std::int32_t>(shape.faces.size()));
  }
}

}  // namespace

namespace {

// Of a closed surface of flat faces, counter-clockwise from outside.
double enclosed_volume(const ResultShape& shape) {
  double six_fold = 0.0;
  for (std::size_t f = 0; f + 1 < shape.face_begin.size(); ++f) {
    const auto corner = [&](std::int32_t k) -> const Vector3& {
      return shape.vertices[static_cast<std::size_t>(shape.faces[static_cast<std::size_t>(k)])];
    };
    const std::int32_t begin = shape.face_begin[f], end = shape.face_begin[f + 1];
    for (std::int32_t k = begin + 1; k + 1 < end; ++k)
      six_fold += corner(begin).dot(corner(k).cross(corner(k + 1)));
  }
  return six_fold / 6.0;
}

}  // namespace

std::vector<ResultShape> ResultReader::shapes() const {
  return impl_->guarded([](hid_t f) {
    std::vector<ResultShape> shapes;
    for (std::string group = "shapes/0"; h5::exists(f, group);
         group = "shapes/" + std::to_string(shapes.size())) {
      ResultShape& shape = shapes.emplace_back();
      shape.kind = h5::read_strings(f, group + "/kind").at(0);
      const auto has = [&](const char* name) { return h5::exists(f, group + name); };
      const auto numbers = [&](const char* name) { return h5::read_rows<double>(f, group + name); };
      if (has("/vertices")) shape.vertices = to_vectors(numbers("/vertices"));
      if (has("/faces")) shape.faces = h5::read_rows<std::int32_t>(f, group + "/faces");
      if (has("/face_begin"))
        shape.face_begin = h5::read_rows<std::int32_t>(f, group + "/face_begin");
      if (has("/part_face_begin"))
        shape.part_face_begin = h5::read_rows<std::int32_t>(f, group + "/part_face_begin");
      if (has("/radius")) shape.radius = numbers("/radius").at(0);
      if (has("/centre")) shape.centre = to_vectors(numbers("/centre")).at(0);
      if (has("/normal")) shape.normal = to_vectors(numbers("/normal")).at(0);
      if (has("/offset")) shape.offset = numbers("/offset").at(0);
      if (has("/bottom")) shape.bottom = numbers("/bottom").at(0);
      if (has("/top")) shape.top = numbers("/top").at(0);
      if (shape.vertices.empty()) draw_surface(f, group, shape);
      check_shape(shape, group);
      if (shape.kind == "sphere")
        shape.volume = Sphere{shape.radius, Vector3::Zero()}.integrals().volume;
      if (is_solid(shape)) shape.volume = enclosed_volume(shape);
    }
    return shapes;
  });
}

std::int64_t ResultReader::n_bodies() const { return impl_->bodies; }
std::int64_t ResultReader::n_steps() const { return impl_->steps; }
std::int64_t ResultReader::n_frames() const { return impl_->frames; }
bool ResultReader::has_contacts() const { return impl_->contacts; }

std::uint64_t ResultReader::frame_bytes() const {
  if (impl_->frames == 0) return 0;
  return impl_->guarded([](hid_t f) {
    std::uint64_t bytes = 0;
    for (const char* name : frame_tables)
      bytes += h5::storage_size(f, std::string("frames/") + name);
    return bytes;
  });
}

std::uint64_t ResultReader::contact_bytes() const {
  if (!impl_->contacts) return 0;
  return impl_->guarded([&](hid_t f) {
    std::uint64_t bytes = h5::storage_size(f, "frames/contacts/offset");
    for (const char* name : contact_tables)
      bytes += h5::storage_size(f, std::string("frames/contacts/") + name);
    for (const char* name : contact_part_tables) {
      if (impl_->parts) bytes += h5::storage_size(f, std::string("frames/contacts/") + name);
    }
    return bytes;
  });
}

std::int64_t ResultReader::n_contacts() const {
  return impl_->contacts && impl_->frames > 0
             ? impl_->offset[static_cast<std::size_t>(impl_->frames)]
             : 0;
}

std::int64_t ResultReader::n_pairs() const {
  if (!impl_->contacts || impl_->frames == 0) return 0;
  return impl_->guarded([&](hid_t f) {
    return h5::read_rows<std::int64_t>(f, "frames/pairs/offset", impl_->frames, 1).front();
  });
}

double ResultReader::time_end() const {
  if (impl_->ledger_rows == 0) return 0.0;
  return impl_->guarded([&](hid_t f) {
    return h5::read_rows<double>(f, "ledger/time", impl_->ledger_rows - 1, 1).at(0);
  });
}

std::vector<double> ResultReader::frame_times() const {
  if (impl_->frames == 0) return {};
  return impl_->guarded(
      [&](hid_t f) { return h5::read_rows<double>(f, "frames/time", 0, impl_->frames); });
}

ResultFrame ResultReader::frame(std::int64_t index) const {
  require(index >= 0 && index < impl_->frames, impl_->path, fmt::format("has no frame {}", index));
  return impl_->guarded([&](hid_t f) {
    ResultFrame frame;
    frame.time = h5::read_rows<double>(f, "frames/time", index, 1).at(0);
    frame.step = h5::read_rows<std::int64_t>(f, "frames/step", index, 1).at(0);
    frame.position = to_vectors(h5::read_rows<double>(f, "frames/position", index, 1));
    const std::vector<double> q = h5::read_rows<double>(f, "frames/orientation", index, 1);
    for (std::size_t i = 0; i + 3 < q.size(); i += 4)
      frame.orientation.emplace_back(q[i], q[i + 1], q[i + 2], q[i + 3]);
    const std::vector<Vector3> velocity =
        to_vectors(h5::read_rows<double>(f, "frames/velocity", index, 1));
    for (std::size_t i = 0; i + 1 < velocity.size(); i += 2) {
      frame.velocity.push_back(velocity[i]);
      frame.spin.push_back(velocity[i + 1]);
    }
    frame.active = h5::read_rows<std::uint8_t>(f, "frames/active", index, 1);
    const auto n = static_cast<std::size_t>(impl_->bodies);
    if (h5::exists(f, frame_image)) {
      frame.image = to_periods(h5::read_rows<std::int32_t>(f, frame_image, index, 1));
      frame.image_shift = h5::read_rows<double>(f, frame_image_shift, index, 1).at(0);
      check(frame.image.size() == n && std::isfinite(frame.image_shift), frame_image,
            "not one row a body, or a shift that is not finite");
    }
    check(frame.position.size() == n && frame.orientation.size() == n &&
              frame.velocity.size() == n && frame.active.size() == n,
          "frames", "not one row a body");
    check(std::all_of(frame.position.begin(), frame.position.end(),
                      [](const Vector3& x) { return x.allFinite(); }) &&
              std::all_of(frame.orientation.begin(), frame.orientation.end(),
                          [](const Quaternion& turn) { return turn.coeffs().allFinite(); }),
          "frames", "a pose that is not finite");
    return frame;
  });
}

ResultFrame ResultReader::last_frame() const {
  ResultFrame last = frame(impl_->frames - 1);
  impl_->guarded([&](hid_t f) {
    if (!h5::exists(f, last_velocity)) return;
    const std::vector<Vector3> exact = to_vectors(h5::read_rows<double>(f, last_velocity));
    if (exact.size() != 2 * last.velocity.size())
      throw h5::Error(std::string(last_velocity) + ": of another size");
    const auto refine = [](Vector3& rounded, const Vector3& value) {
      if ((value.cast<float>().cast<double>().array() == rounded.array()).all()) rounded = value;
    };
    for (std::size_t i = 0; i < last.velocity.size(); ++i) {
      refine(last.velocity[i], exact[2 * i]);
      refine(last.spin[i], exact[2 * i + 1]);
    }
  });
  return last;
}

ResultContacts ResultReader::contacts(std::int64_t frame) const {
  require(frame >= 0 && frame < impl_->frames, impl_->path, fmt::format("has no frame {}", frame));
  require(impl_->contacts, impl_->path, "keeps no contacts");
  const auto i = static_cast<std::size_t>(frame);
  const std::int64_t first = impl_->offset[i], count = impl_->offset[i + 1] - first;
  return impl_->guarded([&](hid_t f) {
    const std::string group = "frames/contacts/";
    const auto vectors = [&](const char* name) {
      return to_vectors(h5::read_rows<double>(f, group + name, first, count));
    };
    ResultContacts contacts;
    contacts.body_a = h5::read_rows<std::int32_t>(f, group + "body_a", first, count);
    contacts.body_b = h5::read_rows<std::int32_t>(f, group + "body_b", first, count);
    const std::vector<std::int32_t> unknown(static_cast<std::size_t>(count), -1);
    contacts.part_a =
        impl_->parts ? h5::read_rows<std::int32_t>(f, group + "part_a", first, count) : unknown;
    contacts.part_b =
        impl_->parts ? h5::read_rows<std::int32_t>(f, group + "part_b", first, count) : unknown;
    contacts.feature_a = h5::read_rows<std::uint32_t>(f, group + "feature_a", first, count);
    contacts.feature_b = h5::read_rows<std::uint32_t>(f, group + "feature_b", first, count);
    contacts.point = vectors("point");
    contacts.normal = vectors("normal");
    contacts.tangent = vectors("tangent");
    contacts.impulse = vectors("impulse");
    contacts.impulse_world = vectors("impulse_world");
    contacts.velocity = vectors("velocity");
    if (h5::exists(f, group + "moment"))
      contacts.moment = vectors("moment"), contacts.spin = vectors("spin");
    if (h5::exists(f, contact_image))
      contacts.image = to_periods(h5::read_rows<std::int32_t>(f, contact_image, first, count));
    contacts.gap = h5::read_rows<double>(f, group + "gap", first, count);
    contacts.status = h5::read_rows<std::uint8_t>(f, group + "status", first, count);
    for (const auto* bodies : {&contacts.body_a, &contacts.body_b})
      check_indices(*bodies, static_cast<std::size_t>(impl_->bodies), group + "body_a, body_b");
    check(std::all_of(contacts.status.begin(), contacts.status.end(),
                      [](std::uint8_t s) { return s <= 2; }),
          group + "status", "a status that there is not");
    return contacts;
  });
}

std::vector<double> ResultReader::ledger(const std::string& name) const {
  std::string known = "time";
  for (const LedgerColumn& column : ledger_columns) known += std::string(", ") + column.name;
  require((", " + known + ", ").find(", " + name + ", ") != std::string::npos, name,
          "no such term of the ledger; known are " + known);
  const bool newer =
      std::any_of(ledger_columns.begin(), ledger_columns.end(),
                  [&](const LedgerColumn& column) { return column.newer && name == column.name; });
  return impl_->guarded([&](hid_t f) {
    if (newer && !h5::exists(f, "ledger/" + name))
      return std::vector<double>(static_cast<std::size_t>(impl_->ledger_rows), 0.0);
    return h5::read_rows<double>(f, "ledger/" + name, 0, impl_->ledger_rows);
  });
}

std::vector<double> ResultReader::solver(const std::string& name) const {
  std::string known;
  bool newer = false;
  const auto look_through = [&](const auto& columns) {
    for (const auto& column : columns) {
      known += std::string(column.name) + ", ";
      newer = newer || (column.newer && name == column.name);
    }
  };
  look_through(solver_counts);
  look_through(solver_numbers);
  require((", " + known).find(", " + name + ", ") != std::string::npos, name,
          "no such column of the solver's table; known are " + known.substr(0, known.size() - 2));
  return impl_->guarded([&](hid_t f) {
    if (newer && !h5::exists(f, "solver/" + name))
      return std::vector<double>(static_cast<std::size_t>(impl_->steps), 0.0);
    return h5::read_rows<double>(f, "solver/" + name, 0, impl_->steps);
  });
}

std::vector<std::int32_t> ResultReader::loaded_bodies() const {
  return impl_->guarded([&](hid_t f) {
    if (!h5::exists(f, "loads")) return std::vector<std::int32_t>();
    const auto bodies = h5::read_rows<std::int32_t>(f, "loads/body");
    check_indices(bodies, static_cast<std::size_t>(impl_->bodies), "loads/body");
    return bodies;
  });
}

std::vector<ResultLoad> ResultReader::loads() const {
  const std::vector<std::int32_t> bodies = loaded_bodies();
  return impl_->guarded([&](hid_t f) {
    std::vector<ResultLoad> loads(bodies.size());
    if (bodies.empty()) return loads;
    const auto n = static_cast<std::size_t>(impl_->steps) * bodies.size();
    const auto read = [&](const char* name) {
      const std::vector<Vector3> all = to_vectors(h5::read_rows<double>(f, name, 0, impl_->steps));
      check(all.size() == n, name, "not one row a loaded body");
      return all;
    };
    const std::vector<Vector3> force = read("loads/force"), torque = read("loads/torque");
    for (std::size_t i = 0; i < n; ++i) {
      ResultLoad& load = loads[i % bodies.size()];
      load.body = bodies[i % bodies.size()];
      load.force.push_back(force[i]), load.torque.push_back(torque[i]);
    }
    return loads;
  });
}

ResultGround ResultReader::ground() const {
  return impl_->guarded([&](hid_t f) {
    ResultGround ground;
    if (!h5::exists(f, "ground")) return ground;
    const auto read = [&](const char* name) {
      const std::vector<Vector3> all = to_vectors(h5::read_rows<double>(f, name, 0, impl_->steps));
      check(all.size() == static_cast<std::size_t>(impl_->steps), name, "not one row a step");
      return all;
    };
    ground.acceleration = read("ground/acceleration");
    ground.velocity = read("ground/velocity");
    ground.displacement = read("ground/displacement");
    return ground;
  });
}

}  // namespace scree
