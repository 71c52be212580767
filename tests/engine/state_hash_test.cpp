#include "engine/state_hash.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "engine/model/state_fields.hpp"

namespace scree::state_hash_test {
namespace {

State two_bodies() {
  State state;
  state.time = 0.25;
  state.x = {Vector3(1.0, 2.0, 3.0), Vector3(-1.0, 0.5, 0.0)};
  state.q = {Quaternion::Identity(), Quaternion(0.8, 0.6, 0.0, 0.0)};
  state.v = {Vector3(0.1, 0.2, 0.3), Vector3::Zero()};
  state.w = {Vector3::Zero(), Vector3(0.0, 0.0, 2.0)};
  state.active = {1, 1};
  return state;
}

}  // namespace

TEST_CASE("State hash agrees with the published SHA-256 vectors", "[engine][analytic]") {
  // FIPS 180-2, appendix B, and the empty message.
  CHECK(sha256("abc", 3) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("", 0) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("State hash is that of the documented bytes", "[engine][oracle]") {
  const State state = two_bodies();
  std::string bytes;
  const auto add = [&](double value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add(state.time);
  for (std::size_t i = 0; i < 2; ++i) {
    for (int k = 0; k < 3; ++k) add(state.x[i][k]);
    add(state.q[i].w()), add(state.q[i].x()), add(state.q[i].y()), add(state.q[i].z());
    for (int k = 0; k < 3; ++k) add(state.v[i][k]);
    for (int k = 0; k < 3; ++k) add(state.w[i][k]);
    bytes += static_cast<char>(state.active[i]);
  }
  CHECK(state_hash(state) == sha256(bytes.data(), bytes.size()));
}

TEST_CASE("State hash sees the last bit of every quantity", "[engine][property]") {
  const State state = two_bodies();
  const std::string hash = state_hash(state);
  const auto changed = [&](auto change) {
    State other = state;
    change(other);
    return state_hash(other) != hash;
  };
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(changed([](State& s) { s.time = std::nextafter(s.time, 1.0); }));
  CHECK(changed([](State& s) { s.x[1].y() = std::nextafter(s.x[1].y(), 1.0); }));
  CHECK(changed([&](State& s) { s.q[0].z() += tiny; }));
  CHECK(changed([&](State& s) { s.v[1].z() += tiny; }));
  CHECK(changed([&](State& s) { s.w[0].x() += tiny; }));
  CHECK(changed([](State& s) { s.active[0] = 0; }));
  CHECK(changed([](State& s) { std::swap(s.x[0], s.x[1]); }));
  CHECK_FALSE(changed([](State& s) { s.step = 7; }));
}

namespace {

// Every field filled, and one more entry in every array for each call.
struct Filler {
  double next = 0.5;

  void operator()(const StateField&, std::int64_t& value) {
    value = static_cast<std::int64_t>(next += 1.0);
  }
  void operator()(const StateField&, double& value) { value = next += 1.0; }
  void operator()(const StateField&, std::vector<Vector3>& values) {
    values.emplace_back(next += 1.0, -0.0, 1.0 / 3.0);
  }
  void operator()(const StateField&, std::vector<Quaternion>& values) {
    values.emplace_back(next += 1.0, -0.0, 0.5, 1.0 / 7.0);
  }
  void operator()(const StateField&, std::vector<std::uint8_t>& values) { values.push_back(1); }
  void operator()(const StateField&, std::vector<std::int64_t>& values) { values.push_back(1); }
  void operator()(const StateField&, std::vector<double>& values) { values.push_back(next += 1.0); }
  void operator()(const StateField&, std::vector<MotionStart>& starts) {
    starts.push_back({next += 1.0, Vector3::Ones(), Quaternion::Identity()});
  }
  void operator()(const StateField&, std::vector<ContactMemory>& memories) {
    memories.push_back({next += 1.0, -0.0, 1.0 / 3.0});
  }
  void operator()(const StateField&, std::vector<ContactKey>& keys) {
    keys.push_back({1, 2, 3, 4, 7, 5, 6});
  }
  void operator()(const StateField&, std::vector<PeriodCount>& images) {
    images.push_back({1, -2, 3});
  }
};

// Changes the last bit of one number of the field with a given index.
struct Nudger {
  int index;
  bool decides = false;
  const char* name = "";

  template <class T>
  void operator()(const StateField& field, T& value) {
    if (index-- != 0) return;
    decides = field.use == FieldUse::future;
    name = field.name;
    nudge(value);
  }

  static void nudge(std::int64_t& value) { ++value; }
  static void nudge(double& value) { value = std::nextafter(value, 1e300); }
  static void nudge(std::vector<Vector3>& values) { nudge(values.back().z()); }
  static void nudge(std::vector<Quaternion>& values) { nudge(values.back().z()); }
  static void nudge(std::vector<std::uint8_t>& values) { values.back() = 0; }
  static void nudge(std::vector<std::int64_t>& values) { values.back() = 0; }
  static void nudge(std::vector<double>& values) { nudge(values.back()); }
  static void nudge(std::vector<MotionStart>& starts) { nudge(starts.back().x.z()); }
  static void nudge(std::vector<ContactMemory>& memories) { nudge(memories.back().back()); }
  static void nudge(std::vector<ContactKey>& keys) { ++keys.back().feature_b; }
  static void nudge(std::vector<PeriodCount>& images) { ++images.back()[2]; }
};

}  // namespace

TEST_CASE("Resume hash sees the last bit of every field that decides the future",
          "[engine][property]") {
  State state;
  for (int time = 0; time < 2; ++time) for_each_field(state, Filler{});
  const std::string hash = resume_hash(state);
  CHECK(resume_hash(State(state)) == hash);
  int fields = 0;
  for_each_field(state, [&](const StateField&, auto&) { ++fields; });
  REQUIRE(fields == 28);
  for (int i = 0; i < fields; ++i) {
    State other = state;
    Nudger nudger{i};
    for_each_field(other, nudger);
    INFO(nudger.name);
    CHECK((resume_hash(other) != hash) == nudger.decides);
  }
  // An entry that moves from one array to the next is another state.
  State other = state;
  other.kept.impulse_W.push_back(other.kept.before_W.front());
  other.kept.before_W.erase(other.kept.before_W.begin());
  CHECK(resume_hash(other) != hash);
}

// A State with one member more than this test knows must be listed in for_each_field.
TEST_CASE("List of the fields of a state is complete", "[engine][unit]") {
  std::size_t listed = 0;
  State state;
  for_each_field(state, [&](const StateField&, auto& value) { listed += sizeof value; });
  CHECK(listed + sizeof state.warnings == sizeof(State));
}

}  // namespace scree::state_hash_test
