#include <cstdint>

#include <Eigen/LU>

#include "contact/fclib/fclib.hpp"
#include "contact/fclib/fclib_file.hpp"
#include "contact/laws/assemble.hpp"
#include "contact/problem/sparse_entries.hpp"
#include "engine/base/check.hpp"

namespace scree::contact {

namespace {

// An FCLIB file being written; throws InputError when something fails.
class Writer {
 public:
  explicit Writer(const std::string& path)
      : path_(path),
        file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
    check(file_.valid(), "cannot be created");
  }

  void group(const std::string& name) {
    const FclibHandle handle(
        H5Gcreate2(file_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    check(handle.valid(), "cannot be written");
  }

  void reals(const std::string& name, const std::vector<double>& values) {
    dataset(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }

  void integers(const std::string& name, const std::vector<std::int32_t>& values) {
    dataset(name, H5T_STD_I32LE, H5T_NATIVE_INT32, values.size(), values.data());
  }

  void text(const std::string& name, const std::string& value) {
    const FclibHandle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(type.id(), value.size() + 1);
    const FclibHandle set(H5Dcreate2(file_.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT),
                          H5Dclose);
    check(set.valid() &&
              H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()) >= 0,
          "cannot be written");
  }

  // As triplets: i rows, p columns.
  void matrix(const std::string& name, const SparseEntries& matrix) {
    std::vector<std::int32_t> rows, columns;
    std::vector<double> values;
    for (const Entry& e : matrix.entry) {
      rows.push_back(static_cast<std::int32_t>(e.row));
      columns.push_back(static_cast<std::int32_t>(e.column));
      values.push_back(e.value);
    }
    const auto count = static_cast<std::int32_t>(values.size());
    group(name);
    integers(name + "/nzmax", {count});
    integers(name + "/m", {static_cast<std::int32_t>(matrix.rows)});
    integers(name + "/n", {static_cast<std::int32_t>(matrix.columns)});
    integers(name + "/nz", {count});
    integers(name + "/p", columns);
    integers(name + "/i", rows);
    reals(name + "/x", values);
  }

  void info(const std::string& problem, const std::string& title) {
    group(problem + "/info");
    text(problem + "/info/title", title);
    text(problem + "/info/description", "");
    text(problem + "/info/math_info", "");
  }

 private:
  void check(bool holds, const std::string& message) const {
    if (!holds) throw InputError(path_ + ": " + message);
  }

  void dataset(const std::string& name, hid_t stored, hid_t memory, std::size_t count,
               const void* data) {
    const hsize_t extent = count;
    const FclibHandle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const FclibHandle set(H5Dcreate2(file_.id(), name.c_str(), stored, space.id(), H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT),
                          H5Dclose);
    check(set.valid(), "cannot be written");
    check(count == 0 || H5Dwrite(set.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
          "cannot be written");
  }

  h5::Quiet quiet_;  // before the file
  std::string path_;
  FclibHandle file_;
};

std::vector<double> flatten(const std::vector<Vector3>& vectors) {
  std::vector<double> result;
  for (const Vector3& x : vectors) result.insert(result.end(), x.data(), x.data() + 3);
  return result;
}

void add_block(SparseEntries& matrix, std::int64_t row, std::int64_t column, const Matrix3& block) {
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (block(i, k) != 0.0) matrix.entry.push_back({row + i, column + k, block(i, k)});
    }
  }
}

// Rows of M: three for each body's velocity that can change, three for its spin; -1 for those that
// cannot.
struct Layout {
  std::vector<std::int64_t> linear, spin;
  std::int64_t dofs = 0;
};

Layout lay_out(const BodyProblem& problem) {
  Layout layout;
  for (std::size_t i = 0; i < problem.n_bodies(); ++i) {
    const bool moves = problem.inverse_mass[i] > 0.0,
               turns = !problem.inverse_inertia_W[i].isZero(0.0);
    layout.linear.push_back(moves ? layout.dofs : -1);
    layout.dofs += moves ? 3 : 0;
    layout.spin.push_back(turns ? layout.dofs : -1);
    layout.dofs += turns ? 3 : 0;
  }
  return layout;
}

// One body's columns of one contact: `sign` is +1 for b, -1 for a. What cannot move goes to w.
void add_body(const BodyProblem& problem, const Layout& layout, std::size_t contact, BodyIndex body,
              double sign, const Vector3& arm, SparseEntries& H, Vector3& w) {
  const auto i = static_cast<std::size_t>(body);
  const auto column = 3 * static_cast<std::int64_t>(contact);
  const Matrix3 linear = sign * problem.R_WC[contact],
                spin = sign * (skew(arm) * problem.R_WC[contact]);
  if (layout.linear[i] >= 0)
    add_block(H, layout.linear[i], column, linear);
  else
    w += linear.transpose() * problem.v_free[i];
  if (layout.spin[i] >= 0)
    add_block(H, layout.spin[i], column, spin);
  else
    w += spin.transpose() * problem.w_free_W[i];
}

// A contact that gives way moves, besides the bodies, a mass of its own that nothing else touches:
// 1 / D for each row, whose velocity D p is what the row gives.
struct Giving {
  std::size_t contact;
  int row;
  std::int64_t dof;
};

std::vector<Giving> lay_out_compliance(const BodyProblem& problem, std::int64_t& dofs) {
  std::vector<Giving> all;
  for (std::size_t c = 0; problem.has_compliance() && c < problem.n_contacts(); ++c) {
    for (int k = 0; k < 3; ++k) {
      if (problem.compliance[c][k] > 0.0) all.push_back({c, k, dofs++});
    }
  }
  return all;
}

// The solution that impulses p make: r, u and the velocities v of what can move.
void write_solution(Writer& writer, const BodyProblem& problem, const Layout& layout,
                    std::span<const Giving> giving, std::span<const Vector3> p) {
  std::vector<Vector3> v(problem.n_bodies()), w_W(problem.n_bodies()), u(problem.n_contacts());
  velocities_with(problem, p, v, w_W);
  for (std::size_t c = 0; c < u.size(); ++c)
    u[c] = local_velocity(problem, c, v, w_W) + problem.bias[c] + problem.give(c, p[c]);
  std::vector<double> moving(static_cast<std::size_t>(layout.dofs));
  const auto set = [&](std::int64_t row, const Vector3& velocity) {
    for (int k = 0; row >= 0 && k < 3; ++k) moving[static_cast<std::size_t>(row + k)] = velocity[k];
  };
  for (std::size_t i = 0; i < v.size(); ++i)
    set(layout.linear[i], v[i]), set(layout.spin[i], w_W[i]);
  for (const Giving& g : giving)
    moving[static_cast<std::size_t>(g.dof)] = problem.give(g.contact, p[g.contact])[g.row];
  writer.group("/solution");
  writer.reals("/solution/r", flatten({p.begin(), p.end()}));
  writer.reals("/solution/u", flatten(u));
  writer.reals("/solution/v", moving);
}

}  // namespace

void write_fclib(const std::string& path, const MatrixProblem& problem, const std::string& title) {
  SparseEntries W;
  W.rows = W.columns = 3 * static_cast<std::int64_t>(problem.n_contacts());
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    const auto end = static_cast<std::size_t>(problem.row_begin[i + 1]);
    for (auto at = static_cast<std::size_t>(problem.row_begin[i]); at < end; ++at) {
      add_block(W, 3 * static_cast<std::int64_t>(i), 3 * std::int64_t{problem.column[at]},
                problem.block[at]);
    }
  }
  Writer writer(path);
  writer.group("/fclib_local");
  writer.integers("/fclib_local/spacedim", {3});
  writer.matrix("/fclib_local/W", W);
  writer.group("/fclib_local/vectors");
  writer.reals("/fclib_local/vectors/q", flatten(problem.b));
  writer.reals("/fclib_local/vectors/mu", problem.mu);
  writer.info("/fclib_local", title);
}

void write_fclib(const std::string& path, const BodyProblem& problem, const std::string& title,
                 std::span<const Vector3> p) {
  require(!problem.has_moments(), path,
          "cannot be written: the format has no rolling or spinning resistance");
  require(!problem.has_locks(), path,
          "cannot be written: the format has no bodies with locked directions");
  Layout layout = lay_out(problem);
  const std::vector<Giving> giving = lay_out_compliance(problem, layout.dofs);
  SparseEntries M, H;
  M.rows = M.columns = H.rows = layout.dofs;
  H.columns = 3 * static_cast<std::int64_t>(problem.n_contacts());
  std::vector<double> f(static_cast<std::size_t>(layout.dofs), 0.0);
  const auto set = [&](std::int64_t row, const Matrix3& mass, const Vector3& velocity) {
    if (row < 0) return;
    add_block(M, row, row, mass);
    const Vector3 momentum = mass * velocity;
    for (int k = 0; k < 3; ++k) f[static_cast<std::size_t>(row + k)] = momentum[k];
  };
  for (std::size_t i = 0; i < problem.n_bodies(); ++i) {
    set(layout.linear[i], Matrix3(Matrix3::Identity() / problem.inverse_mass[i]),
        problem.v_free[i]);
    if (layout.spin[i] < 0) continue;
    const Matrix3 inertia = problem.inverse_inertia_W[i].inverse();
    set(layout.spin[i], Matrix3(0.5 * (inertia + inertia.transpose())), problem.w_free_W[i]);
  }
  std::vector<Vector3> w = problem.bias;
  for (std::size_t i = 0; i < problem.n_contacts(); ++i) {
    add_body(problem, layout, i, problem.body_a[i], -1.0, problem.r_a_W[i], H, w[i]);
    add_body(problem, layout, i, problem.body_b[i], 1.0, problem.r_b_W[i], H, w[i]);
  }
  for (const Giving& g : giving) {
    M.entry.push_back({g.dof, g.dof, 1.0 / problem.compliance[g.contact][g.row]});
    H.entry.push_back({g.dof, 3 * static_cast<std::int64_t>(g.contact) + g.row, 1.0});
  }
  Writer writer(path);
  writer.group("/fclib_global");
  writer.integers("/fclib_global/spacedim", {3});
  writer.matrix("/fclib_global/M", M);
  writer.matrix("/fclib_global/H", H);
  writer.group("/fclib_global/vectors");
  writer.reals("/fclib_global/vectors/f", f);
  writer.reals("/fclib_global/vectors/w", flatten(w));
  writer.reals("/fclib_global/vectors/mu", problem.mu);
  writer.info("/fclib_global", title);
  if (!p.empty()) write_solution(writer, problem, layout, giving, p);
}

}  // namespace scree::contact
