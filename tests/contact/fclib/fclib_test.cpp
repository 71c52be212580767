#include "contact/fclib/fclib.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include <hdf5.h>

#include <catch2/catch.hpp>

#include "contact/problem/sparse_entries.hpp"
#include "contact/solver/solver.hpp"
#include "engine/base/check.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/temporary_folder.hpp"

namespace scree::contact::fclib_test {
namespace {

Eigen::MatrixXd to_dense(const MatrixProblem& problem) {
  const auto n = static_cast<int>(problem.n_contacts());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = problem.row_begin[row]; k < problem.row_begin[row + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      W.block<3, 3>(3 * i, 3 * problem.column[at]) += problem.block[at];
    }
  }
  return W;
}

// Overwrites one value of a dataset in place.
template <class Value>
void poke(const std::string& path, const std::string& dataset, hid_t type, std::size_t index,
          Value value) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), space = H5Dget_space(set);
  std::vector<Value> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  values.at(index) = value;
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space), H5Dclose(set), H5Fclose(file);
}

void poke_int(const std::string& path, const std::string& dataset, int value,
              std::size_t index = 0) {
  poke<int>(path, dataset, H5T_NATIVE_INT, index, value);
}

void poke_real(const std::string& path, const std::string& dataset, double value) {
  poke<double>(path, dataset, H5T_NATIVE_DOUBLE, 0, value);
}

void remove_link(const std::string& path, const std::string& name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  H5Fclose(file);
}

// Replaces a dataset by a chunked one that claims `extent` values and stores none.
void claim(const std::string& path, const std::string& name, hsize_t extent) {
  remove_link(path, name);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &extent, nullptr), layout = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = std::min<hsize_t>(extent, 1024);
  H5Pset_chunk(layout, 1, &chunk);
  const hid_t set =
      H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  H5Dclose(set), H5Pclose(layout), H5Sclose(space), H5Fclose(file);
}

void truncate(const std::string& path, double share) {
  std::filesystem::resize_file(
      path,
      static_cast<std::uintmax_t>(share * static_cast<double>(std::filesystem::file_size(path))));
}

// Whether reading throws an InputError of one line that begins with the path.
bool refused(const std::string& path) {
  try {
    (void)read_fclib(path);
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.rfind(path + ": ", 0) == 0 && message.find('\n') == std::string::npos;
  }
  return false;
}

}  // namespace

TEST_CASE("FCLIB local problem is read back bit for bit", "[contact][unit]") {
  const BodyProblem body = test::random_body_problem(7, {5, 9, 0.8, false});
  MatrixProblem problem = test::matrix_problem(test::dense_problem(body), body.mu);
  problem.block[0](0, 1) += 0.25;  // unsymmetric
  const test::TemporaryFolder folder;
  const std::string path = folder.file("local.hdf5");
  write_fclib(path, problem, "a title");
  const FclibProblem read = read_fclib(path);
  CHECK_FALSE(read.global);
  CHECK(read.title == "a title");
  CHECK(read.dofs == 27);
  CHECK(read.problem.row_begin == problem.row_begin);
  CHECK(read.problem.column == problem.column);
  CHECK(read.problem.mu == problem.mu);
  CHECK(read.problem.b == problem.b);
  CHECK(read.problem.block == problem.block);
}

TEST_CASE("FCLIB global problem is condensed to the dense product", "[contact][oracle]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const BodyProblem problem = test::random_body_problem(seed, {6, 10, 0.8, false});
    const test::TemporaryFolder folder;
    const std::string path = folder.file("global.hdf5");
    write_fclib(path, problem, "");
    const FclibProblem read = read_fclib(path);
    const test::DenseProblem dense = test::dense_problem(problem);
    CHECK(read.global);
    CHECK(read.dofs == 30);  // body 0 is fixed and left out
    CHECK(read.problem.mu == problem.mu);
    // Round-off of inverting the inertia twice.
    CHECK((to_dense(read.problem) - dense.W).norm() < 1e-12 * dense.W.norm());
    for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
      CHECK((read.problem.b[i] - dense.b.segment<3>(3 * static_cast<int>(i))).norm() <
            1e-12 * dense.b.norm());
    }
  }
}

TEST_CASE("Condensation solves mass matrices that are not block diagonal", "[contact][oracle]") {
  constexpr int n = 300, m = 6;
  test::Random random(31);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), H = Eigen::MatrixXd::Zero(n, m);
  const bool symmetric = GENERATE(true, false);
  for (int i = 0; i < n; ++i) {
    M(i, i) = random.uniform(3.0, 4.0);
    if (i > 0) M(i, i - 1) = random.uniform(-1.0, 1.0);
    if (i > 0 && symmetric) M(i - 1, i) = M(i, i - 1);
  }
  for (int k = 0; k < 8 * m; ++k)
    H(random.integer(0, n - 1), random.integer(0, m - 1)) = random.uniform(-1.0, 1.0);
  SparseEntries M_entries{n, n, {}}, H_entries{n, m, {}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (M(i, j) != 0.0) M_entries.entry.push_back({i, j, M(i, j)});
    }
    for (int j = 0; j < m; ++j) {
      if (H(i, j) != 0.0) H_entries.entry.push_back({i, j, H(i, j)});
    }
  }
  std::vector<double> f, w(m, 0.5);
  for (int i = 0; i < n; ++i) f.push_back(random.uniform(-1.0, 1.0));
  const CondensedProblem result = condense(M_entries, H_entries, f, w, 1000000);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(m, m);
  for (const Entry& e : result.W.entry) W(e.row, e.column) += e.value;
  const Eigen::MatrixXd expected = H.transpose() * M.fullPivLu().solve(H);
  CHECK((W - expected).norm() < 1e-12 * expected.norm());  // well conditioned: round-off
  const Eigen::VectorXd q =
      H.transpose() * M.fullPivLu().solve(Eigen::Map<Eigen::VectorXd>(f.data(), n)) +
      Eigen::VectorXd::Constant(m, 0.5);
  CHECK((Eigen::Map<const Eigen::VectorXd>(result.q.data(), m) - q).norm() < 1e-12 * q.norm());
  M_entries.entry[0].value = -1.0;
  CHECK_THROWS_AS(condense(M_entries, H_entries, f, w, 1000000), InputError);
  M_entries.entry[0].value = 3.0;
  CHECK_THROWS_AS(condense(M_entries, H_entries, f, w, 3), InputError);
}

TEST_CASE("FCLIB blocks of plane problems get a third direction that carries nothing",
          "[contact][unit]") {
  SparseEntries W{
      4, 4, {{0, 0, 2.0}, {1, 1, 4.0}, {2, 2, 1.0}, {3, 3, 1.0}, {0, 2, 0.5}, {0, 2, 0.25}}};
  const MatrixProblem problem = to_blocks(W, {-1.0, 0.1, -1.0, 0.2}, {0.3, 0.4}, 2);
  REQUIRE(problem.n_contacts() == 2);
  CHECK(problem.block[0] == Matrix3(Vector3(2.0, 4.0, 3.0).asDiagonal()));
  CHECK(problem.block[1](0, 0) == 0.75);  // duplicates add up
  CHECK(problem.column == std::vector<ContactIndex>{0, 1, 1});
  CHECK(problem.b[1] == Vector3(-1.0, 0.2, 0.0));
}

TEST_CASE("FCLIB reader refuses damaged files in one line", "[contact][unit]") {
  const BodyProblem body = test::random_body_problem(7, {5, 9, 0.8, false});
  const MatrixProblem problem = test::matrix_problem(test::dense_problem(body), body.mu);
  const test::TemporaryFolder folder;
  const std::string path = folder.file("damaged.hdf5");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::string, std::function<void()>>> local_damage = {
      {"empty", [&] { truncate(path, 0.0); }},
      {"a tenth left", [&] { truncate(path, 0.1); }},
      {"half left", [&] { truncate(path, 0.5); }},
      {"nearly all left", [&] { truncate(path, 0.99); }},
      {"row out of range", [&] { poke_int(path, "/fclib_local/W/i", 27); }},
      {"negative column", [&] { poke_int(path, "/fclib_local/W/p", -1); }},
      {"entries missing", [&] { poke_int(path, "/fclib_local/W/nz", 1 << 30); }},
      {"entries beyond nz", [&] { poke_int(path, "/fclib_local/W/nz", 3); }},
      {"no entries, but arrays", [&] { poke_int(path, "/fclib_local/W/nz", 0); }},
      {"room for fewer than nz", [&] { poke_int(path, "/fclib_local/W/nzmax", 3); }},
      {"room without reason", [&] { poke_int(path, "/fclib_local/W/nzmax", 1 << 30); }},
      {"unknown storage", [&] { poke_int(path, "/fclib_local/W/nz", -7); }},
      {"triplets read as rows", [&] { poke_int(path, "/fclib_local/W/nz", -2); }},
      {"huge size", [&] { poke_int(path, "/fclib_local/W/m", 2147483647); }},
      {"negative size", [&] { poke_int(path, "/fclib_local/W/n", -3); }},
      {"not square", [&] { poke_int(path, "/fclib_local/W/m", 30); }},
      {"dimension", [&] { poke_int(path, "/fclib_local/spacedim", 4); }},
      {"matrix not finite", [&] { poke_real(path, "/fclib_local/W/x", nan); }},
      {"vector not finite", [&] { poke_real(path, "/fclib_local/vectors/q", nan); }},
      {"matrix whose squares overflow", [&] { poke_real(path, "/fclib_local/W/x", 1e160); }},
      {"negative friction", [&] { poke_real(path, "/fclib_local/vectors/mu", -0.1); }},
      {"no friction", [&] { remove_link(path, "/fclib_local/vectors/mu"); }},
      {"no matrix", [&] { remove_link(path, "/fclib_local/W"); }},
      {"no problem", [&] { remove_link(path, "/fclib_local"); }},
      {"absurd extent", [&] { claim(path, "/fclib_local/vectors/q", hsize_t{1} << 40); }},
  };
  for (const auto& [name, damage] : local_damage) {
    write_fclib(path, problem, "");
    REQUIRE_FALSE(refused(path));
    damage();
    INFO(name);
    CHECK(refused(path));
  }
  const std::vector<std::pair<std::string, std::function<void()>>> global_damage = {
      {"M singular", [&] { poke_real(path, "/fclib_global/M/x", 0.0); }},
      {"M negative", [&] { poke_real(path, "/fclib_global/M/x", -1.0); }},
      {"H of another size", [&] { poke_int(path, "/fclib_global/H/m", 6); }},
      {"f of another size", [&] { claim(path, "/fclib_global/vectors/f", 3); }},
  };
  for (const auto& [name, damage] : global_damage) {
    write_fclib(path, body, "");
    REQUIRE_FALSE(refused(path));
    damage();
    INFO(name);
    CHECK(refused(path));
  }
  CHECK(refused("/no/such/file.hdf5"));
  std::ofstream(path) << "text";
  CHECK(refused(path));
}

}  // namespace scree::contact::fclib_test
