#include "engine/state_hash.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <string>

namespace scree {
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
  const auto add = [&](double value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
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

}  // namespace scree
