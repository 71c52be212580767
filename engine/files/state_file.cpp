#include "engine/files/state_file.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "engine/files/warning_table.hpp"
#include "engine/model/state_fields.hpp"

namespace scree {
namespace {

class StateWriter {
 public:
  explicit StateWriter(hid_t file)
      : state_(h5::create_group(file, "state")), kept_(h5::create_group(file, "kept")) {}

  void operator()(const StateField& field, std::int64_t value) {
    h5::write_attribute(group(field), field.name, value);
  }
  void operator()(const StateField& field, double value) {
    h5::write_attribute(group(field), field.name, value);
  }

  void operator()(const StateField& field, const std::vector<Vector3>& values) {
    std::vector<double> numbers;
    for (const Vector3& v : values) numbers.insert(numbers.end(), {v.x(), v.y(), v.z()});
    h5::write_dataset<double>(group(field), described(field), numbers, {values.size(), 3});
  }

  void operator()(const StateField& field, const std::vector<Quaternion>& values) {
    std::vector<double> numbers;
    for (const Quaternion& q : values) numbers.insert(numbers.end(), {q.w(), q.x(), q.y(), q.z()});
    h5::write_dataset<double>(group(field), described(field), numbers, {values.size(), 4});
  }

  void operator()(const StateField& field, const std::vector<std::uint8_t>& values) {
    h5::write_dataset<std::uint8_t>(group(field), described(field), values, {values.size()});
  }

  void operator()(const StateField& field, const std::vector<std::int64_t>& values) {
    h5::write_dataset<std::int64_t>(group(field), described(field), values, {values.size()});
  }

  void operator()(const StateField& field, const std::vector<double>& values) {
    h5::write_dataset<double>(group(field), described(field), values, {values.size()});
  }

  void operator()(const StateField& field, const std::vector<MotionStart>& starts) {
    std::vector<double> numbers;
    for (const MotionStart& s : starts) {
      numbers.insert(numbers.end(),
                     {s.time, s.x.x(), s.x.y(), s.x.z(), s.q.w(), s.q.x(), s.q.y(), s.q.z()});
    }
    h5::write_dataset<double>(group(field), described(field), numbers, {starts.size(), 8});
  }

  void operator()(const StateField& field, const std::vector<PeriodCount>& images) {
    std::vector<std::int32_t> numbers;
    for (const PeriodCount& n : images) numbers.insert(numbers.end(), n.begin(), n.end());
    h5::write_dataset<std::int32_t>(group(field), described(field), numbers, {images.size(), 3});
  }

  void operator()(const StateField& field, const std::vector<ContactMemory>& memories) {
    std::vector<double> numbers;
    for (const ContactMemory& m : memories) numbers.insert(numbers.end(), m.begin(), m.end());
    h5::write_dataset<double>(group(field), described(field), numbers,
                              {memories.size(), most_memory_numbers});
  }

  void operator()(const StateField& field, const std::vector<ContactKey>& keys) {
    std::vector<std::int32_t> bodies, parts;
    std::vector<std::uint32_t> features;
    for (const ContactKey& key : keys) {
      bodies.insert(bodies.end(), {key.body_a, key.body_b});
      parts.insert(parts.end(), {key.part_a, key.part_b});
      features.insert(features.end(), {key.feature_a, key.feature_b});
    }
    if (std::any_of(keys.begin(), keys.end(), [](const ContactKey& k) { return k.image != 0; })) {
      std::vector<std::int32_t> images;
      for (const ContactKey& key : keys) images.push_back(key.image);
      h5::write_dataset<std::int32_t>(
          group(field), {"images", "", "image of b that a meets, (k 1024 + j) 1024 + i"}, images,
          {keys.size()});
    }
    const hid_t g = group(field);
    h5::write_dataset<std::int32_t>(g, {"bodies", "", "bodies a and b of each contact"}, bodies,
                                    {keys.size(), 2});
    h5::write_dataset<std::int32_t>(g, {"parts", "", "parts of a and b"}, parts, {keys.size(), 2});
    h5::write_dataset<std::uint32_t>(g, {"features", "", "features of a and b"}, features,
                                     {keys.size(), 2});
  }

 private:
  hid_t group(const StateField& field) const {
    return (std::string_view(field.group) == "kept" ? kept_ : state_).id();
  }
  static h5::Description described(const StateField& field) {
    return {field.name, field.unit, field.meaning};
  }

  h5::Handle state_, kept_;
};

class StateReader {
 public:
  explicit StateReader(hid_t file)
      : file_(file),
        version_(h5::read_integer_attribute(file, "version")),
        state_(h5::own(H5Gopen2(file, "state", H5P_DEFAULT), &H5Gclose, "state")) {}

  // Numbers are attributes of /state.
  void operator()(const StateField& field, std::int64_t& value) {
    if (has_number(field)) value = h5::read_integer_attribute(state_.id(), field.name);
  }
  void operator()(const StateField& field, double& value) {
    if (has_number(field)) value = h5::read_double_attribute(state_.id(), field.name);
  }

  void operator()(const StateField& field, std::vector<Vector3>& values) {
    const std::vector<double> n = numbers(field, 3);
    for (std::size_t i = 0; i + 2 < n.size(); i += 3) values.emplace_back(n[i], n[i + 1], n[i + 2]);
  }

  void operator()(const StateField& field, std::vector<Quaternion>& values) {
    const std::vector<double> n = numbers(field, 4);
    for (std::size_t i = 0; i + 3 < n.size(); i += 4)
      values.emplace_back(n[i], n[i + 1], n[i + 2], n[i + 3]);
  }

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const StateField& field, std::vector<Number>& values) {
    if (!may_lack(field) || h5::exists(file_, path(field)))
      values = h5::read_exactly<Number>(file_, path(field));
  }

  void operator()(const StateField& field, std::vector<MotionStart>& starts) {
    const std::vector<double> n = numbers(field, 8);
    for (std::size_t i = 0; i + 7 < n.size(); i += 8) {
      starts.push_back({n[i], Vector3(n[i + 1], n[i + 2], n[i + 3]),
                        Quaternion(n[i + 4], n[i + 5], n[i + 6], n[i + 7])});
    }
  }

  void operator()(const StateField& field, std::vector<PeriodCount>& images) {
    if (may_lack(field) && !h5::exists(file_, path(field))) return;
    const auto n = h5::read_exactly<std::int32_t>(file_, path(field), {3});
    for (std::size_t i = 0; i + 2 < n.size(); i += 3) images.push_back({n[i], n[i + 1], n[i + 2]});
  }

  void operator()(const StateField& field, std::vector<ContactMemory>& memories) {
    const std::vector<double> n = numbers(field, most_memory_numbers);
    memories.resize(n.size() / most_memory_numbers);
    for (std::size_t i = 0; i < memories.size(); ++i)
      std::copy_n(n.data() + i * most_memory_numbers, most_memory_numbers, memories[i].begin());
  }

  void operator()(const StateField&, std::vector<ContactKey>& keys) {
    const auto bodies = h5::read_exactly<std::int32_t>(file_, "kept/bodies", {2});
    const auto parts = h5::read_exactly<std::int32_t>(file_, "kept/parts", {2});
    const auto features = h5::read_exactly<std::uint32_t>(file_, "kept/features", {2});
    if (parts.size() != bodies.size() || features.size() != bodies.size())
      throw h5::Error("kept: not one row a contact");
    std::vector<std::int32_t> images(bodies.size() / 2, 0);
    if (h5::exists(file_, "kept/images"))
      images = h5::read_exactly<std::int32_t>(file_, "kept/images");
    if (images.size() != bodies.size() / 2) throw h5::Error("kept/images: not one a contact");
    for (std::size_t i = 0; i + 1 < bodies.size(); i += 2) {
      keys.push_back({bodies[i], bodies[i + 1], parts[i], parts[i + 1], images[i / 2], features[i],
                      features[i + 1]});
    }
  }

 private:
  static std::string path(const StateField& field) {
    return std::string(field.group) + "/" + field.name;
  }
  bool has_number(const StateField& field) const {
    return !may_lack(field) || h5::has_attribute(state_.id(), field.name);
  }
  // From its version on a field is there, if it is empty too.
  bool may_lack(const StateField& field) const { return field.since > version_; }
  std::vector<double> numbers(const StateField& field, hsize_t row) const {
    if (may_lack(field) && !h5::exists(file_, path(field))) return {};
    return h5::read_exactly<double>(file_, path(field), {row});
  }

  hid_t file_;
  std::int64_t version_;
  h5::Handle state_;
};

}  // namespace

void write_state(hid_t file, const State& state) {
  for_each_field(state, StateWriter(file));
  create_warning_table(file);
  write_warnings(file, state.warnings);
}

State read_state(hid_t file) {
  State state;
  for_each_field(state, StateReader(file));
  if (h5::read_integer_attribute(file, "version") > 1) {
    check_warning_table(file, static_cast<std::int64_t>(state.x.size()), state.step, state.time);
  }
  state.warnings = read_warning_log(file);
  return state;
}

}  // namespace scree
