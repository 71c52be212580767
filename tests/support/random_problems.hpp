// Random contact problems with fixed seeds, and their dense form for oracles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "contact/laws/assemble.hpp"
#include "contact/laws/laws.hpp"
#include "contact/problem/contact_problem.hpp"

namespace scree::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1.0p-53;
  }
  int integer(int low, int high) {  // inclusive
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  Vector3 vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  Matrix3 rotation() {
    const double a = uniform(-1.0, 1.0), b = uniform(-1.0, 1.0), c = uniform(-1.0, 1.0),
                 d = uniform(-1.0, 1.0);
    return Quaternion(a, b, c, d).normalized().toRotationMatrix();
  }

 private:
  std::mt19937_64 engine_;
};

struct RandomProblemOptions {
  int n_bodies = 4;  // body 0 is fixed
  int n_contacts = 6;
  double mu_max = 1.0;
  bool shared_mu = false;  // every contact has mu = mu_max
  double rolling_max =
      0.0;  // > 0: contacts resist rolling and spinning, a tenth of them only one or neither
};

// Bodies of unlike masses and inertias, contacts at random places between random pairs, sorted by
// pair. A common velocity pattern makes every contact approach at the start, so that impulses are
// needed.
inline contact::BodyProblem random_body_problem(std::uint64_t seed,
                                                const RandomProblemOptions& options = {}) {
  Random random(seed);
  contact::BodyProblem problem;
  for (int i = 0; i < options.n_bodies; ++i) {
    const Matrix3 R = random.rotation();
    const Vector3 principal(random.uniform(1.0, 2.0), random.uniform(1.0, 2.0),
                            random.uniform(1.0, 2.0));
    const double inverse_mass = std::pow(10.0, random.uniform(-0.5, 0.5));
    const Matrix3 inertia = 3.0 * inverse_mass * (R * principal.asDiagonal() * R.transpose());
    problem.inverse_mass.push_back(i == 0 ? 0.0 : inverse_mass);
    problem.inverse_inertia_W.push_back(i == 0 ? Matrix3(Matrix3::Zero())
                                               : Matrix3(0.5 * (inertia + inertia.transpose())));
    problem.v_free.push_back(random.vector(1.0));
    problem.w_free_W.push_back(random.vector(1.0));
  }
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < options.n_contacts; ++i) {
    const int a = random.integer(0, options.n_bodies - 2),
              b = random.integer(a + 1, options.n_bodies - 1);
    pairs.emplace_back(a, b);
  }
  std::sort(pairs.begin(), pairs.end());
  for (const auto& pair : pairs) {
    problem.body_a.push_back(pair.first);
    problem.body_b.push_back(pair.second);
    problem.R_WC.push_back(random.rotation());
    problem.r_a_W.push_back(random.vector(1.0));
    problem.r_b_W.push_back(random.vector(1.0));
    problem.mu.push_back(options.shared_mu ? options.mu_max : random.uniform(0.0, options.mu_max));
    problem.bias.push_back(random.vector(0.5));
    problem.scale.push_back(random.integer(0, 1) == 0 ? 1.0 : 0.5);
    if (options.rolling_max == 0.0) continue;
    problem.length.push_back(std::pow(10.0, random.uniform(-1.0, 0.5)));
    problem.mu_spin.push_back(random.integer(0, 9) == 0 ? 0.0
                                                        : random.uniform(0.0, options.rolling_max));
    problem.mu_roll.push_back(random.integer(0, 9) == 0 ? 0.0
                                                        : random.uniform(0.0, options.rolling_max));
    problem.spin_bias.push_back(random.vector(0.5));
  }
  return problem;
}

// H, so that the contact velocities are H (v, omega) + bias.
inline Eigen::MatrixXd dense_jacobian(const contact::BodyProblem& problem) {
  const auto n = static_cast<int>(problem.n_contacts()),
             n_bodies = static_cast<int>(problem.n_bodies());
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3 * n, 6 * n_bodies);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Matrix3 Rt = problem.R_WC[at].transpose();
    H.block<3, 3>(3 * i, 6 * problem.body_a[at]) = -Rt;
    H.block<3, 3>(3 * i, 6 * problem.body_a[at] + 3) = Rt * skew(problem.r_a_W[at]);
    H.block<3, 3>(3 * i, 6 * problem.body_b[at]) = Rt;
    H.block<3, 3>(3 * i, 6 * problem.body_b[at] + 3) = -Rt * skew(problem.r_b_W[at]);
  }
  return H;
}

inline Eigen::MatrixXd dense_inverse_mass(const contact::BodyProblem& problem) {
  const auto n_bodies = static_cast<int>(problem.n_bodies());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(6 * n_bodies, 6 * n_bodies);
  for (int i = 0; i < n_bodies; ++i) {
    const auto at = static_cast<std::size_t>(i);
    result.block<3, 3>(6 * i, 6 * i) = problem.inverse_mass[at] * Matrix3::Identity();
    result.block<3, 3>(6 * i + 3, 6 * i + 3) = problem.inverse_inertia_W[at];
  }
  return result;
}

struct DenseProblem {
  Eigen::MatrixXd W;
  Eigen::VectorXd b;
};

// W and b by dense products, as the definition says.
inline DenseProblem dense_problem(const contact::BodyProblem& problem) {
  const Eigen::MatrixXd H = dense_jacobian(problem);
  Eigen::VectorXd z(6 * static_cast<int>(problem.n_bodies())),
      bias(3 * static_cast<int>(problem.n_contacts()));
  for (std::size_t i = 0; i < problem.n_bodies(); ++i) {
    z.segment<3>(6 * static_cast<int>(i)) = problem.v_free[i];
    z.segment<3>(6 * static_cast<int>(i) + 3) = problem.w_free_W[i];
  }
  for (std::size_t i = 0; i < problem.n_contacts(); ++i)
    bias.segment<3>(3 * static_cast<int>(i)) = problem.bias[i];
  return {H * dense_inverse_mass(problem) * H.transpose(), H * z + bias};
}

// The same problem as blocks; zero blocks are left out, diagonal ones kept.
inline contact::MatrixProblem matrix_problem(const DenseProblem& dense,
                                             const std::vector<double>& mu) {
  contact::MatrixProblem problem;
  const auto n = static_cast<int>(mu.size());
  problem.mu = mu;
  problem.row_begin.push_back(0);
  for (int i = 0; i < n; ++i) {
    problem.b.push_back(dense.b.segment<3>(3 * i));
    for (int j = 0; j < n; ++j) {
      const Matrix3 block = dense.W.block<3, 3>(3 * i, 3 * j);
      if (i != j && block.isZero(0.0)) continue;
      problem.column.push_back(j);
      problem.block.push_back(block);
    }
    problem.row_begin.push_back(static_cast<std::int64_t>(problem.column.size()));
  }
  return problem;
}

// A random problem under a law: velocities at t_k unlike the free ones; theta anywhere in the
// interval of the law.
struct LawCase {
  contact::BodyProblem problem;
  std::vector<Vector3> u_0, spin_0;  // at t_k, (n,t,s); no spins unless contacts resist rolling
  double theta = 0.5;
};

inline LawCase random_law_case(std::uint64_t seed, ImpactLaw law, double mu_max,
                               double rolling_max = 0.0) {
  Random random(seed);
  RandomProblemOptions options;
  options.n_bodies = random.integer(2, 6);
  options.n_contacts = random.integer(1, 12);
  options.mu_max = mu_max;
  options.rolling_max = rolling_max;
  LawCase result;
  result.problem = random_body_problem(seed + 7777777, options);
  const double e = random.uniform(0.0, 1.0);
  result.theta = random.uniform(0.5, law == ImpactLaw::fremond ? 1.0 / (1.0 + e) : 1.0);
  std::vector<Vector3> v, w;
  for (int i = 0; i < options.n_bodies; ++i)
    v.push_back(random.vector(1.0)), w.push_back(random.vector(1.0));
  for (std::size_t c = 0; c < result.problem.n_contacts(); ++c) {
    const PairLaw pair{result.problem.mu[c], e, law};
    result.u_0.push_back(contact::local_velocity(result.problem, c, v, w));
    contact::ContactInput in = {.mu = pair.mu, .e = e, .theta = result.theta, .u_0 = result.u_0[c]};
    if (result.problem.has_moments()) {
      result.spin_0.push_back(contact::local_spin(result.problem, c, w));
      in.spin_0 = result.spin_0[c];
    }
    const contact::ContactRow row = contact::Laws::row(pair, in);
    if (result.problem.has_moments()) result.problem.spin_bias[c] = row.spin_bias;
    result.problem.bias[c] = row.bias;
    result.problem.scale[c] = row.scale;
  }
  return result;
}

// The same with bodies on which nothing acts but the contacts, and a law whose numbers `set` fills
// in for each pair.
template <class SetLaw>
LawCase random_impact(std::uint64_t seed, double theta, SetLaw&& set) {
  Random random(seed);
  RandomProblemOptions options;
  options.n_bodies = random.integer(2, 6);
  options.n_contacts = random.integer(1, 12);
  LawCase result;
  result.theta = theta;
  result.problem = random_body_problem(seed + 7777777, options);
  contact::BodyProblem& problem = result.problem;
  for (std::size_t c = 0; c < problem.n_contacts(); ++c) {
    PairLaw pair;
    pair.mu = problem.mu[c];
    set(random, pair);
    result.u_0.push_back(contact::local_velocity(problem, c, problem.v_free, problem.w_free_W));
    contact::ContactInput in = {.mu = pair.mu, .e = pair.e, .theta = theta, .u_0 = result.u_0[c]};
    const contact::ContactRow row = contact::Laws::row(pair, in);
    problem.bias[c] = row.bias;
    problem.scale[c] = row.scale;
  }
  return result;
}

}  // namespace scree::test
