// The part of ResultReader that reads stresses: of bodies in frames, of gauges at every step.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/check.hpp"
#include "engine/files/result_checks.hpp"
#include "engine/files/result_reader_impl.hpp"
#include "engine/files/stress_tables.hpp"

namespace scree {
namespace {

constexpr const char* no_stress =
    "has no stresses of bodies; [output] stress = true in the scene asks for them";
constexpr const char* no_gauge = "has no gauge; [[gauge]] in the scene makes one";
constexpr std::size_t stress_width = 6, couple_width = 9;

// Reads a member of a row from the numbers of a table.
void take(const double* numbers, measure::StressTensor& value) {
  std::copy_n(numbers, value.size(), value.begin());
}
void take(const double* numbers, Vector3& value) {
  value = Vector3(numbers[0], numbers[1], numbers[2]);
}
void take(const double* numbers, double& value) { value = *numbers; }
template <class T>
constexpr std::size_t width_of = 1;
template <>
constexpr std::size_t width_of<measure::StressTensor> = stress_width;
template <>
constexpr std::size_t width_of<Vector3> = 3;

}  // namespace

bool ResultReader::has_stress() const {
  return impl_->guarded([](hid_t f) { return !stress_frame_tables(f).empty(); });
}

std::string ResultReader::stress_mean() const {
  if (!has_stress()) return "";
  return impl_->guarded([](hid_t f) {
    const h5::Handle group =
        h5::own(H5Gopen2(f, body_stress_group, H5P_DEFAULT), &H5Gclose, body_stress_group);
    return h5::read_string_attribute(group.id(), "mean");
  });
}

ResultStress ResultReader::stress(std::int64_t frame) const {
  require(frame >= 0 && frame < impl_->frames, impl_->path, fmt::format("has no frame {}", frame));
  if (!has_stress()) files::refuse(impl_->path, no_stress);
  return impl_->guarded([&](hid_t f) {
    const auto n = static_cast<std::size_t>(impl_->bodies);
    ResultStress found;
    const auto read = [&](const char* name, std::size_t width) {
      std::vector<double> numbers = h5::read_rows<double>(f, name, frame, 1);
      check(numbers.size() == width * n, name, "not one row a body");
      return numbers;
    };
    const std::vector<double> stress = read("frames/bodies/stress", stress_width);
    found.stress.resize(n);
    for (std::size_t i = 0; i < n; ++i) take(stress.data() + stress_width * i, found.stress[i]);
    found.asymmetry = read("frames/bodies/asymmetry", 1);
    if (!h5::exists(f, "frames/bodies/couple_stress")) return found;
    const std::vector<double> couple = read("frames/bodies/couple_stress", couple_width);
    for (std::size_t i = 0; i < n; ++i) {
      Matrix3 tensor;
      for (Eigen::Index k = 0; k < 9; ++k)
        tensor(k / 3, k % 3) = couple[couple_width * i + static_cast<std::size_t>(k)];
      found.couple.push_back(tensor);
    }
    return found;
  });
}

std::vector<ResultGauge> ResultReader::gauges() const {
  return impl_->guarded([&](hid_t f) {
    std::vector<ResultGauge> gauges;
    if (!h5::exists(f, gauges_group)) return gauges;
    const std::vector<std::string> name = h5::read_names(f, "gauges/name"),
                                   kind = h5::read_strings(f, "gauges/kind");
    const auto low = h5::read_rows<double>(f, "gauges/low"),
               high = h5::read_rows<double>(f, "gauges/high"),
               volume = h5::read_rows<double>(f, "gauges/volume");
    const auto cells = h5::read_rows<std::int32_t>(f, "gauges/cells");
    const auto counted = h5::read_rows<std::uint8_t>(f, "gauges/counted");
    const std::size_t n = name.size(), bodies = static_cast<std::size_t>(impl_->bodies);
    check(kind.size() == n && low.size() == 3 * n && high.size() == 3 * n && volume.size() == n &&
              cells.size() == 3 * n && counted.size() == bodies * n,
          "gauges", "not one row a gauge");
    for (std::size_t i = 0; i < n; ++i) {
      ResultGauge gauge;
      gauge.name = name[i], gauge.kind = kind[i], gauge.volume = volume[i];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        gauge.low[axis] = low[3 * i + k], gauge.high[axis] = high[3 * i + k];
        gauge.cells[k] = cells[3 * i + k];
        check(gauge.cells[k] > 0 && gauge.cells[k] <= 1'000'000, "gauges/cells", "not a count");
      }
      gauge.counted.assign(counted.begin() + static_cast<std::ptrdiff_t>(bodies * i),
                           counted.begin() + static_cast<std::ptrdiff_t>(bodies * (i + 1)));
      gauges.push_back(std::move(gauge));
    }
    return gauges;
  });
}

std::vector<measure::GaugeRow> ResultReader::gauge_rows(std::size_t gauge) const {
  const std::vector<ResultGauge> all = gauges();
  if (all.empty()) files::refuse(impl_->path, no_gauge);
  require(gauge < all.size(), impl_->path, "has no such gauge");
  return impl_->guarded([&](hid_t f) {
    const std::size_t count = static_cast<std::size_t>(impl_->steps) * all[gauge].n_cells();
    std::vector<measure::GaugeRow> rows;
    std::size_t column = 0;
    measure::GaugeRow sample;
    measure::GaugeRow::columns(sample, [&]<class T>(const measure::Column& what, T&) {
      const std::string table = gauge_table(what.name, all[gauge].name);
      const auto numbers = h5::read_rows<double>(f, table, 0, impl_->steps);
      check(numbers.size() == count * width_of<T>, table, "not one row a cell");
      rows.resize(count);
      for (std::size_t r = 0; r < count; ++r) {
        std::size_t i = 0;
        measure::GaugeRow::columns(rows[r], [&]<class U>(const measure::Column&, U& value) {
          if constexpr (std::is_same_v<T, U>) {
            if (i == column) take(numbers.data() + width_of<T> * r, value);
          }
          ++i;
        });
      }
      ++column;
    });
    return rows;
  });
}

std::vector<double> ResultReader::volumes() const {
  const auto n = static_cast<std::size_t>(impl_->bodies);
  const bool says = impl_->guarded([](hid_t f) { return h5::exists(f, "bodies/volume"); });
  if (says) {
    return impl_->guarded([&](hid_t f) {
      std::vector<double> volumes = h5::read_rows<double>(f, "bodies/volume");
      check(volumes.size() == n, "bodies/volume", "not one row a body");
      return volumes;
    });
  }
  const ResultBodies all = bodies();
  const std::vector<ResultShape> shapes = this->shapes();
  const std::map<std::string, std::string> values = settings();
  std::vector<double> volumes;
  for (std::size_t i = 0; i < n; ++i) {
    const ResultShape& shape = shapes[static_cast<std::size_t>(all.shape[i])];
    const double square = shape.radius * shape.radius;
    // A disc has the shape of a ball and the inertia of a disc.
    const bool disc = values.contains("plane") && shape.kind == "sphere" &&
                      all.inertia[i](0, 0) > 0.45 * all.mass[i] * square;
    volumes.push_back(disc ? std::numbers::pi * square : shape.volume);
  }
  return volumes;
}

}  // namespace scree
