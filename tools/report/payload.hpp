// The numbers of a report as one block of text: arrays, filtered so that they shrink well,
// deflated, in base64. tools/viewer/src/payload.js is the other side.
//
//   u32 length of the header; header (JSON: what the caller gives, and "arrays": name -> {type,
//   begin, count, row, filter}); the bytes of each array from `begin` on, counted from the end of
//   the header
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace scree::report {

// How a row of an array is written, given the rows before it. Bytes of equal weight are then stored
// together.
enum class Filter {
  none,
  delta,      // integers: difference from the last row
  curvature,  // integers: difference from the straight line through the last two rows
  bits,       // floating point: bits that differ from the last row
};

class Payload {
 public:
  // Adds an array of u8, u16, i16, i32, f32 or f64. `row` values make a row.
  template <class T>
  void add(const std::string& name, std::span<const T> values, std::size_t row = 1,
           Filter filter = Filter::none);

  // The block, with the members of `header` (an object) in its header. Deterministic.
  std::string base64(nlohmann::json header) const;

 private:
  nlohmann::json arrays_ = nlohmann::json::object();
  std::string bytes_;
};

// The nearest float with that many significant bits (2 to 24): the bytes that are left shrink.
float round_bits(double value, int significant_bits);

std::string deflate(const std::string& bytes);  // zlib format

}  // namespace scree::report
