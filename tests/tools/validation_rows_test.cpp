#include <catch2/catch.hpp>

#include <fstream>

#include "tests/support/validation_table.hpp"

namespace validation_rows_test {

using namespace scree;

TEST_CASE("Each test case begins its file of validation rows anew", "[tools][unit]") {
  const std::string name = "Each test case begins its file of validation rows anew";
  const std::filesystem::path file = test::rows_file(name);
  REQUIRE(std::filesystem::exists(file));  // the listener of the program made it
  CHECK(std::filesystem::file_size(file) == 0);
  test::add_validation_row({"Statics", "a row", "1", "1", "0", "0", "-"});
  CHECK(std::filesystem::file_size(file) > 0);
  test::begin_rows(name);
  CHECK(std::filesystem::file_size(file) == 0);
  CHECK(test::rows_file("arch/wall").filename() == "arch_wall.tsv");
}

}  // namespace validation_rows_test
