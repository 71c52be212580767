#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <zlib.h>

#include "tools/common/base64.hpp"
#include "tools/common/html.hpp"
#include "tools/report/curves.hpp"
#include "tools/report/page.hpp"
#include "tools/report/payload.hpp"
#include "tools/report/replay.hpp"

namespace report_test {

using namespace scree;
using namespace scree::report;

namespace {

std::string inflated(const std::string& packed, std::size_t size) {
  std::string bytes(size, '\0');
  uLongf length = size;
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                     reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK);
  bytes.resize(length);
  return bytes;
}

bool evenly_spread(const std::vector<std::int64_t>& frames) {
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < frames.size(); ++i) gaps.push_back(frames[i] - frames[i - 1]);
  const auto [least, most] = std::minmax_element(gaps.begin(), gaps.end());
  return *least > 0 && *most - *least <= 1;
}

}  // namespace

TEST_CASE("Thinned curves keep every row when rows are few", "[report][unit]") {
  const std::vector<double> values = {3.0, 1.0, 2.0};
  CHECK(thin(values, 4) == std::vector<std::size_t>{0, 1, 2});
  CHECK(thin({}, 4).empty());
}

TEST_CASE("Thinned curves keep the ends and every extreme of each stretch", "[report][property]") {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::vector<double> values(10'007);
  for (double& value : values) value = noise(random);
  values[5003] = 100.0;
  values[7] = -100.0;
  values[9000] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::size_t> rows = thin(values, 4000);
  REQUIRE(rows.size() <= 4000);
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
  CHECK(rows.front() == 0);
  CHECK(rows.back() == values.size() - 1);
  CHECK(std::binary_search(rows.begin(), rows.end(), std::size_t{5003}));
  CHECK(std::binary_search(rows.begin(), rows.end(), std::size_t{7}));
  // Any window of two stretches (2 * 10007 / 1000 rows) holds a whole stretch, so its own extremes
  // are at least as far out as that stretch's, which are kept.
  for (std::size_t begin = 0; begin + 11 <= values.size() && begin < 8900; begin += 500) {
    const double highest =
        *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(begin),
                          values.begin() + static_cast<std::ptrdiff_t>(begin + 11));
    double kept = -std::numeric_limits<double>::infinity();
    for (const std::size_t row : rows) {
      if (row + 11 >= begin && row <= begin + 22) kept = std::max(kept, values[row]);
    }
    CHECK(kept >= highest);
  }
}

TEST_CASE("Thinned curves of values that are not finite keep at most the stretches ends",
          "[report][unit]") {
  const std::vector<double> values(100, std::numeric_limits<double>::quiet_NaN());
  const std::vector<std::size_t> rows = thin(values, 8);
  CHECK(rows == std::vector<std::size_t>{0, 49, 50, 99});
}

TEST_CASE("Running sum adds row by row", "[report][unit]") {
  CHECK(running_sum(std::vector<double>{1.0, 2.0, -4.0}) == std::vector<double>{1.0, 3.0, -1.0});
}

TEST_CASE("Base64 gives the test vectors of RFC 4648", "[report][oracle]") {
  CHECK(encode_base64("").empty());
  CHECK(encode_base64("f") == "Zg==");
  CHECK(encode_base64("fo") == "Zm8=");
  CHECK(encode_base64("foo") == "Zm9v");
  CHECK(encode_base64("foob") == "Zm9vYg==");
  CHECK(encode_base64("fooba") == "Zm9vYmE=");
  CHECK(encode_base64("foobar") == "Zm9vYmFy");
  CHECK(encode_base64(std::string("\xff\x00\xfe", 3)) == "/wD+");
}

TEST_CASE("Deflated bytes are what zlib inflates", "[report][oracle]") {
  std::string bytes(100'000, 'a');
  for (std::size_t i = 0; i < bytes.size(); i += 7) bytes[i] = static_cast<char>(i % 251);
  const std::string packed = deflate(bytes);
  CHECK(packed.size() < bytes.size() / 10);
  CHECK(inflated(packed, bytes.size()) == bytes);
}

TEST_CASE("Rounded bits stay within half a unit of the last bit kept", "[report][property]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> mantissa(-2.0, 2.0);
  for (int exponent = -30; exponent < 30; ++exponent) {
    const double value = std::ldexp(mantissa(random), exponent);
    const float rounded = round_bits(value, 16);
    // Half a unit of 16 bits: 2^-16 of the number; the rounding to float before it adds 2^-24.
    CHECK(std::abs(static_cast<double>(rounded) - value) <=
          std::abs(value) * (std::ldexp(1.0, -16) + std::ldexp(1.0, -24)));
    CHECK(round_bits(static_cast<double>(rounded), 16) == rounded);
  }
  CHECK(round_bits(0.0, 16) == 0.0F);
  CHECK(std::isinf(round_bits(1e300, 16)));
  CHECK(std::isnan(round_bits(std::nan(""), 16)));
}

TEST_CASE("Payload is deterministic and its filters make smooth numbers small", "[report][unit]") {
  std::vector<std::int32_t> parabola;
  for (std::int32_t i = 0; i < 2000; ++i) parabola.push_back(5 * i * i - 7 * i);
  const auto size = [&](Filter filter) {
    Payload payload;
    payload.add<std::int32_t>("x", parabola, 1, filter);
    CHECK(payload.base64({{"a", 1}}) == payload.base64({{"a", 1}}));
    return payload.base64({{"a", 1}}).size();
  };
  CHECK(size(Filter::delta) < size(Filter::none));
  CHECK(size(Filter::curvature) < size(Filter::delta) / 3);  // most of what is left is the header
}

TEST_CASE("Shown frames are evenly spread and hold the first and the last", "[report][property]") {
  for (const std::int64_t total : {2, 3, 7, 300, 301, 1000, 5003}) {
    for (const std::int64_t wanted : {2, 3, 50, 300, 6000}) {
      const std::vector<std::int64_t> frames = shown_frames(total, 10, wanted);
      CHECK(static_cast<std::int64_t>(frames.size()) == std::min(total, wanted));
      CHECK(frames.front() == 0);
      CHECK(frames.back() == total - 1);
      CHECK((frames.size() < 3 || evenly_spread(frames)));
    }
  }
  CHECK(shown_frames(1, 10, {}) == std::vector<std::int64_t>{0});
  CHECK(shown_frames(1000, 1000, {}).size() == 301);
  CHECK(shown_frames(1000, 10'000, {}).size() == 60);
  CHECK(shown_frames(1000, 10'000'000, {}).size() == 2);
}

TEST_CASE("Contacts per frame use the budget as far as one limit for all frames can",
          "[report][oracle]") {
  std::mt19937 random(11);
  std::uniform_int_distribution<std::size_t> count(0, 50);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::size_t> counts(1 + count(random) / 10);
    for (std::size_t& c : counts) c = count(random);
    const std::size_t budget = count(random) * 4;
    const auto used = [&](std::size_t limit) {
      return std::accumulate(
          counts.begin(), counts.end(), std::size_t{0},
          [&](std::size_t sum, std::size_t c) { return sum + std::min(c, limit); });
    };
    const std::size_t limit = contacts_per_frame(counts, budget),
                      most = *std::max_element(counts.begin(), counts.end());
    CHECK(used(limit) <= budget);
    CHECK((limit == most || used(limit + 1) > budget));
  }
}

TEST_CASE("Text in a page cannot become markup", "[report][unit]") {
  CHECK(escape_html("a < b && c > d") == "a &lt; b &amp;&amp; c &gt; d");
}

TEST_CASE("Viewer is built in and has one place for each mark", "[report][unit]") {
  const std::string_view page = viewer_template();
  CHECK(page.substr(0, 15) == "<!doctype html>");
  for (const char* mark : {"SCREE-TITLE-HERE", "SCREE-DATA-HERE"}) {
    const std::size_t at = page.find(mark);
    REQUIRE(at != std::string_view::npos);
    CHECK(page.find(mark, at + 1) == std::string_view::npos);
  }
  CHECK(page.substr(page.size() - 8) == "</html>\n");
}

}  // namespace report_test
