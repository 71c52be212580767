// What a result file says of frames, contacts and steps.
#include "engine/files/result_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/hdf5_file.hpp"
#include "engine/files/result_checks.hpp"
#include "engine/files/result_reader_impl.hpp"
#include "engine/files/result_tables.hpp"

namespace scree {
namespace {

using files::to_vectors;

std::vector<PeriodCount> to_periods(const std::vector<std::int32_t>& numbers) {
  std::vector<PeriodCount> periods;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    periods.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return periods;
}

}  // namespace

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

}  // namespace scree
