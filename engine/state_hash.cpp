#include "engine/state_hash.hpp"

#include <openssl/evp.h>

#include <array>
#include <bit>
#include <memory>
#include <stdexcept>

#include "engine/model/state_fields.hpp"

namespace scree {
namespace {

static_assert(std::endian::native == std::endian::little,
              "hashes are defined over little-endian bytes");

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) fail();
  }

  void add(const void* bytes, std::size_t size) {
    if (EVP_DigestUpdate(context_.get(), bytes, size) != 1) fail();
  }

  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_DigestFinal_ex(context_.get(), digest.data(), &length) != 1) fail();
    std::string text;
    for (unsigned int i = 0; i < length; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

 private:
  [[noreturn]] static void fail() { throw std::runtime_error("SHA-256 is not available"); }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

constexpr int first_version_with_hash = 3;  // of checkpoints

// Adds fields to a hash: an array as its length, then its entries.
struct FieldHasher {
  Sha256& hash;

  void add(double value) { hash.add(&value, sizeof value); }
  void add(std::uint8_t value) { hash.add(&value, sizeof value); }
  void add(std::int64_t value) { hash.add(&value, sizeof value); }
  void add(const Vector3& v) { hash.add(v.data(), 3 * sizeof(double)); }
  void add(const Quaternion& q) {
    for (const double value : {q.w(), q.x(), q.y(), q.z()}) add(value);
  }
  void add(const MotionStart& start) { add(start.time), add(start.x), add(start.q); }
  void add(const ContactMemory& memory) { hash.add(memory.data(), sizeof memory); }
  void add(const ContactKey& key) {
    const std::array<std::int64_t, 6> numbers = {key.body_a, key.body_b,    key.part_a,
                                                 key.part_b, key.feature_a, key.feature_b};
    hash.add(numbers.data(), sizeof numbers);
    if (key.image != 0) hash.add(&key.image, sizeof key.image);
  }
  void add(const PeriodCount& image) { hash.add(image.data(), sizeof image); }

  void operator()(const StateField& field, std::int64_t value) {
    if (field.since > first_version_with_hash && value == 0) return;
    if (field.use == FieldUse::future) hash.add(&value, sizeof value);
  }
  void operator()(const StateField& field, double value) {
    if (field.since > first_version_with_hash && value == 0.0) return;
    if (field.use == FieldUse::future) add(value);
  }
  template <class T>
  void operator()(const StateField& field, const std::vector<T>& values) {
    if (field.use != FieldUse::future) return;
    // Hashes of checkpoints that came before a field stay as they are.
    if (field.since > first_version_with_hash && values.empty()) return;
    const auto count = static_cast<std::int64_t>(values.size());
    hash.add(&count, sizeof count);
    for (const T& value : values) add(value);
  }
};

}  // namespace

std::string sha256(const void* bytes, std::size_t size) {
  Sha256 hash;
  hash.add(bytes, size);
  return hash.hexadecimal();
}

std::string state_hash(const State& state) {
  Sha256 hash;
  hash.add(&state.time, sizeof state.time);
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const Quaternion& q = state.q[i];
    const std::array<double, 13> numbers = {
        state.x[i].x(), state.x[i].y(), state.x[i].z(), q.w(),          q.x(),
        q.y(),          q.z(),          state.v[i].x(), state.v[i].y(), state.v[i].z(),
        state.w[i].x(), state.w[i].y(), state.w[i].z()};
    hash.add(numbers.data(), sizeof numbers);
    hash.add(&state.active[i], sizeof state.active[i]);
  }
  if (!state.image.empty())
    hash.add(state.image.data(), state.image.size() * sizeof state.image[0]);
  return hash.hexadecimal();
}

std::string resume_hash(const State& state) {
  Sha256 hash;
  for_each_field(state, FieldHasher{hash});
  return hash.hexadecimal();
}

}  // namespace scree
