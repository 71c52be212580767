#include "scenes/raster/read_raster.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "engine/base/check.hpp"
#include "scenes/raster/raster_text.hpp"

namespace read_raster_test {

using namespace scree;
using namespace scree::scenes;

namespace {

namespace fs = std::filesystem;

// A folder of its own that goes with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("scree_raster_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

RasterOptions shown_as(const std::string& name) {
  RasterOptions options;
  options.shown = name;
  return options;
}

Decimal decimal(const std::string& text) {
  Decimal value;
  REQUIRE(Decimal::read(text, value));
  return value;
}

std::string error_of(const std::string& name, const std::string& text,
                     const std::string& projection = "") {
  const Folder folder;
  const std::string path = folder.write(name, text);
  if (!projection.empty()) folder.write("t.prj", projection);
  try {
    read_raster(path, shown_as("t"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

bool same(const Raster& a, const Raster& b) {
  return a.x == b.x && a.y == b.y && a.dx == b.dx && a.dy == b.dy && a.columns == b.columns &&
         a.rows == b.rows && a.values == b.values;
}

const std::string small_header = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\n";

}  // namespace

TEST_CASE("Decimals subtract exactly and round once") {
  CHECK((decimal("2793260.428143590223") - decimal("2793000")).value() == 260.428143590223);
  CHECK((decimal("1e6") - decimal("999999.9")).value() == 0.1);
  CHECK((decimal("-0.1") + decimal("0.3")).value() == 0.2);
  CHECK(decimal("0.25").half().value() == 0.125);
  CHECK(decimal("1180268.476802509977").text() == "1180268.476802509977");
  CHECK(decimal("-12.50e-1").text() == "-1.25");
  CHECK(decimal("000.000").text() == "0");
  CHECK(Decimal::of(0.1).text() == "0.1");
  CHECK(Decimal::of(-2.5e-7).text() == "-0.00000025");
  Decimal value;
  for (const char* bad : {"", "-", ".", "1,5", "nan", "inf", "1e", "1e99", "0x1", "1 "})
    CHECK_FALSE(Decimal::read(bad, value));
}

TEST_CASE("Plain numbers are read as the library reads them") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200000; ++i) {
    std::string word = std::to_string(static_cast<std::int64_t>(random() % 200000) - 100000);
    word += '.';
    for (std::uint64_t n = random() % 12; n > 0; --n)
      word += static_cast<char>('0' + random() % 10);
    double value = 0.0, expected = 0.0;
    std::from_chars(word.data(), word.data() + word.size(), expected);
    if (read_plain_number(word, value)) REQUIRE(value == expected);
    Decimal exact;
    REQUIRE(Decimal::read(word, exact));
    REQUIRE(exact.value() == expected);
  }
}

TEST_CASE("Plain numbers subtract as decimals do") {
  std::mt19937_64 random(4);
  int used = 0;
  const auto draw = [&] {
    std::string word = random() % 3 == 0 ? "-" : "";
    word += std::to_string(random() % 10000000);
    if (random() % 4 == 0) return word;
    word += '.';
    for (std::uint64_t n = random() % 10; n > 0; --n)
      word += static_cast<char>('0' + random() % 10);
    return word;
  };
  for (int i = 0; i < 100000; ++i) {
    const std::string a = draw(), b = draw();
    PlainNumber one, other;
    if (!read_plain(a, one) || !read_plain(b, other)) continue;
    double difference = 0.0;
    if (!one.less(other, difference)) continue;
    ++used;
    CAPTURE(a, b);
    REQUIRE(difference == (decimal(a) - decimal(b)).value());
  }
  CHECK(used > 50000);
  PlainNumber small, large;
  REQUIRE(read_plain("0.000000000000001", small));
  REQUIRE(read_plain("9007199254740992", large));
  double difference = 0.0;
  CHECK_FALSE(large.less(small, difference));  // has more digits than are kept
}

TEST_CASE("An ESRI ASCII grid is read in all its variants") {
  const Folder folder;
  const Raster raster = read_raster(folder.write("a.asc", small_header + "1 2 3\n4 5 6\n"));
  CHECK(raster.columns == 3);
  CHECK(raster.rows == 2);
  CHECK(raster.x == 11.0);
  CHECK(raster.y == 21.0);
  CHECK(raster.at(0, 0) == 4.0);  // rows come from the north
  CHECK(raster.at(2, 1) == 3.0);
  const char* variants[] = {
      "NCOLS 3\r\nNROWS 2\r\nXLLCENTER 11\r\nYLLCENTER 21\r\nCELLSIZE 2\r\n1 2 3 4\r\n5 6",
      "\xEF\xBB\xBFnrows 2\nncols 3\ncellsize 2.0\nyllcorner 2e1\nxllcorner 10\nNODATA_value "
      "-9999\n1 2\n3 4 5\n6\n\n",
      "ncols 3\nnrows 2\nxllcorner 10\nyllcenter 21\ndx 2\ndy 2\n1.0 2.0 3e0\n+4 5. 6.00\n",
      "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nnodata_value nan\n1\t2\t3\n4 5 6"};
  for (const char* text : variants) {
    CAPTURE(text);
    CHECK(same(raster, read_raster(folder.write("b.asc", text))));
  }
}

TEST_CASE("Missing values are holes") {
  const Folder folder;
  const std::string four = "ncols 4\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  for (const std::string text :
       {"-9999 2 3 4\n5 6 7 8\n",
        "nodata_value -3.4028234663852886e+38\n-3.40282e38 2 3 4\n5 6 7 8",
        "nodata_value 0\n0.000 2 3 4\n5 6 7 8", "NODATA_value nan\nnan 2 3 4 5 6 7 8"}) {
    CAPTURE(text);
    const Raster raster = read_raster(folder.write("c.asc", four + text));
    CHECK(std::isnan(raster.at(0, 1)));
    CHECK(raster.at(1, 1) == 2.0);
    CHECK(raster.is_hole(0, 0));
    CHECK_FALSE(raster.is_hole(1, 0));
    CHECK_FALSE(ground_at(raster, 0.75, 0.75).known());
    CHECK(ground_at(raster, 2.0, 0.5).height == 6.0 + 0.5);
  }
}

TEST_CASE("Large map coordinates are told from an origin without loss") {
  const Folder folder;
  const auto text = [](const char* x, const char* y, const char* values) {
    return std::string("ncols 3\nnrows 2\nxllcorner ") + x + "\nyllcorner " + y +
           "\ncellsize 0.05\n" + values;
  };
  const Raster local = read_raster(folder.write(
      "l.asc", text("260.428143590223", "268.476802509977", "0.1 0.2 0.3 1.7 1.8 1.9")));
  RasterOptions options;
  options.origin = {decimal("2793000"), decimal("1180000"), decimal("2380")};
  const Raster map =
      read_raster(folder.write("m.asc", text("2793260.428143590223", "1180268.476802509977",
                                             "2380.1 2380.2 2380.3 2381.7 2381.8 2381.9")),
                  options);
  CHECK(same(local, map));
  CHECK(map.map.west.text() == "2793260.428143590223");
}

TEST_CASE("Points of a regular grid are the same raster") {
  const Folder folder;
  const Raster grid = read_raster(folder.write("a.asc", small_header + "1 2 3\n4 5 6\n"));
  const char* lists[] = {"11 23 1\n13 23 2\n15 23 3\n11 21 4\n13 21 5\n15 21 6\n",
                         "x,y,z\n15,21,6\n13,21,5\n11,21,4\n11,23,1\n13,23,2\n15,23,3",
                         "X Y Z\n11.00;21.0;4\n11;23;1\n13;21;5\n13;23;2\n15;21;6\n15;23;3\n"};
  for (const char* text : lists) {
    CAPTURE(text);
    CHECK(same(grid, read_raster(folder.write("p.xyz", text))));
  }
  const Raster hole = read_raster(
      folder.write("h.xyz", "0 0 1\n1 0 2\n2 0 3\n0 1 4\n1 1 5\n2 1 6\n1 2 8\n2 2 9\n"));
  CHECK(hole.is_hole(0, 1));
  CHECK_FALSE(hole.is_hole(1, 1));
}

TEST_CASE("Bad rasters are refused in one line") {
  const std::string h = small_header;
  CHECK(error_of("t.asc", h + "1 2 3\n4 5") ==
        "t: ends after 5 of ncols x nrows = 6 values; is it cut off?");
  CHECK(error_of("t.asc", h + "1 2 3\n4 5 6\n7") ==
        "t:8: there are more than ncols x nrows = 6 values");
  CHECK(error_of("t.asc", h + "1 2 3\n4 nan 6") == "t:7: 'nan' is not a finite number");
  CHECK(error_of("t.asc", h + "1 2 3\n4 inf 6") == "t:7: 'inf' is not a finite number");
  CHECK(error_of("t.asc", h + "1,5 2 3\n4 5 6") ==
        "t:6: '1,5' has a comma; decimals are written with a point, and blanks stand between "
        "numbers");
  CHECK(error_of("t.asc", h + "1 2 3\n4 5 six") == "t:7: 'six' is not a finite number");
  CHECK(error_of("t.asc", "ncols 3\nncols 3\n") == "t:2: there is already a ncols");
  CHECK(error_of("t.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3 4 5 6")
            .find("the header has no cellsize") != std::string::npos);
  CHECK(error_of("t.asc", h + "rotation 30\n1 2 3 4 5 6").find("t:6: unknown key 'rotation'") == 0);
  CHECK(error_of("t.asc", h + "xllcenter 0\n1 2 3 4 5 6")
            .find("xllcorner and xllcenter; must have one of them") != std::string::npos);
  CHECK(error_of("t.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize -2\n1 2 3 4 5 6")
            .find("cellsize = -2 is not allowed") != std::string::npos);
  CHECK(error_of("t.asc", "ncols 1\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2")
            .find("must be at least 2 x 2") != std::string::npos);
  CHECK(error_of("t.asc", "ncols 99999\nnrows 99999\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2")
            .find("at most 134217728 are") != std::string::npos);
  CHECK(error_of("t.asc", h + "-9999 2 -9999 4 -9999 6") ==
        "t: no cell has data at all of its four nodes");
  CHECK(error_of("t.asc", "").find("the header has no ncols") != std::string::npos);
  CHECK(error_of("t.asc", h + "1 2 3\n4 5 6", "GEOGCS[\"WGS 84\"]").find("(degrees)") !=
        std::string::npos);
  CHECK(error_of("t.asc", h + "1 2 3\n4 5 6", "PROJCS[\"x\",UNIT[\"US survey foot\",0.3048]]")
            .find("in feet") != std::string::npos);
  CHECK(error_of("t.asc",
                 "ncols 3\nnrows 2\nxllcorner 9.1\nyllcorner 46.6\ncellsize "
                 "0.000277777778\n1 2 3 4 5 6")
            .find("are they in degrees?") != std::string::npos);
  CHECK(
      error_of("t.xyz", "0 0 1\n1 0 2\n0 1 3\n1.5 1 4\n").find("t:4: x = 1.5 is not on the grid") ==
      0);
  CHECK(error_of("t.xyz", "0 0 1\n1 0 2\n0 1 3\n1 1 4\n1 0 2\n") ==
        "t:5: there is already a point at this place");
  CHECK(error_of("t.xyz", "0 0\n").find("t:1: a line must have three numbers") == 0);
  CHECK(error_of("t.dem", "0 0\n").find("t: unknown kind of raster") == 0);
}

TEST_CASE("Ground is two triangles a cell with the chosen diagonal") {
  Raster raster;
  raster.columns = raster.rows = 2;
  raster.values = {0.0, 1.0, 0.25, 0.5};  // sw, se, nw, ne: falling differs by 0.75, rising by 0.5
  CHECK(raster.rises(0, 0));
  CHECK(ground_at(raster, 0.5, 0.5).height == 0.25);
  raster.diagonal = Diagonal::falling;
  CHECK(ground_at(raster, 0.5, 0.5).height == 0.625);
  for (const Diagonal diagonal : {Diagonal::rising, Diagonal::falling}) {
    raster.diagonal = diagonal;
    CHECK(ground_at(raster, 0.0, 0.0).height == 0.0);
    CHECK(ground_at(raster, 1.0, 0.0).height == 1.0);
    CHECK(ground_at(raster, 0.0, 1.0).height == 0.25);
    CHECK(ground_at(raster, 1.0, 1.0).height == 0.5);
    CHECK_FALSE(ground_at(raster, 1.0 + 1e-15, 0.5).known());
    const Ground low = ground_at(raster, 0.75, 0.125);
    CHECK(low.normal.dot(Vector3(1.0, 0.0, 1.0)) == Approx(0.0).margin(1e-15));
  }
}

}  // namespace read_raster_test
