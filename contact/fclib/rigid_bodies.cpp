#include <array>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "contact/fclib/rigid_blocks.hpp"

namespace scree::contact {

namespace {

constexpr double round_off =
    1e-12;  // [-] what programs leave in frames and rotations that they have normalised

bool is_small(const Matrix3& matrix, double size) {
  return matrix.cwiseAbs().maxCoeff() <= round_off * size;
}

bool are_rigid(const std::vector<MassBlock>& mass) {
  for (const MassBlock& m : mass) {
    const Matrix3 linear = m.topLeftCorner<3, 3>(), spin = m.bottomRightCorner<3, 3>();
    if (!(linear(0, 0) > 0.0) ||
        !is_small(linear - linear(0, 0) * Matrix3::Identity(), linear(0, 0)))
      return false;
    if (!m.topRightCorner<3, 3>().isZero(0.0) || !m.bottomLeftCorner<3, 3>().isZero(0.0))
      return false;
    if (!is_small(spin - spin.transpose(), spin.norm()) ||
        Eigen::LLT<Matrix3>(spin).info() != Eigen::Success)
      return false;
  }
  return true;
}

// Frames, and which of its two bodies is b: H has +R of b and -R of a, R right-handed. What touches
// one body only touches `fixed`. `spin` gets the rows of the spins of a and b, times +-R^T: Q^T
// skew(r), with Q the rotation from the axes of the spin to the world.
bool find_frames(std::vector<ContactColumns> contacts, BodyIndex fixed, BodyProblem& problem,
                 std::vector<std::array<Matrix3, 2>>& spin) {
  for (ContactColumns& contact : contacts) {
    if (contact.body[0] < 0) return false;
    if (contact.block[0].topRows<3>().determinant() > 0.0) {
      std::swap(contact.body[0], contact.body[1]);
      std::swap(contact.block[0], contact.block[1]);
    }
    const auto& [block_a, block_b] = contact.block;
    const Matrix3 R =
        contact.body[1] >= 0 ? Matrix3(block_b.topRows<3>()) : Matrix3(-block_a.topRows<3>());
    if (!is_small(R.transpose() * R - Matrix3::Identity(), 1.0)) return false;
    if (contact.body[0] >= 0 && !is_small(R + block_a.topRows<3>(), 1.0)) return false;
    problem.R_WC.push_back(R);
    problem.body_a.push_back(contact.body[0] >= 0 ? contact.body[0] : fixed);
    problem.body_b.push_back(contact.body[1] >= 0 ? contact.body[1] : fixed);
    spin.push_back(
        {-block_a.bottomRows<3>() * R.transpose(), block_b.bottomRows<3>() * R.transpose()});
  }
  return true;
}

// Q from S = Q^T skew(r): S r = 0 gives r but for its sign, and S maps the plane across r as Q^T
// does, turned by a right angle.
Matrix3 rotation_from(const Matrix3& S, double sign) {
  Vector3 r = Vector3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vector3 across = S.row(i).cross(S.row((i + 1) % 3)).transpose();
    if (across.squaredNorm() > r.squaredNorm()) r = across;
  }
  r *= sign / r.norm();
  const double length = S.norm() / std::sqrt(2.0);
  const Vector3 e1 = r.unitOrthogonal(), e2 = r.cross(e1);
  const Vector3 q1 = -S * e2 / length, q2 = S * e1 / length;
  return e1 * q1.transpose() + e2 * q2.transpose() + r * q1.cross(q2).transpose();
}

// The rotations from the axes of each body's spin to the world: those in which all that its
// contacts do is r x.
bool find_rotations(const BodyProblem& problem, const std::vector<std::array<Matrix3, 2>>& spin,
                    std::vector<Matrix3>& rotation) {
  std::vector<std::vector<const Matrix3*>> of_body(rotation.size() + 1);  // the last one is fixed
  for (std::size_t c = 0; c < spin.size(); ++c) {
    of_body[static_cast<std::size_t>(problem.body_a[c])].push_back(&spin[c][0]);
    of_body[static_cast<std::size_t>(problem.body_b[c])].push_back(&spin[c][1]);
  }
  for (std::size_t i = 0; i < rotation.size(); ++i) {
    const Matrix3* largest = nullptr;
    for (const Matrix3* S : of_body[i]) {
      if (largest == nullptr || S->squaredNorm() > largest->squaredNorm()) largest = S;
    }
    if (largest == nullptr || largest->isZero(0.0)) continue;
    const auto fits = [&](const Matrix3& Q) {
      if (!is_small(Q * Q.transpose() - Matrix3::Identity(), 1.0)) return false;
      for (const Matrix3* S : of_body[i]) {
        const Matrix3 turned = Q * *S;
        if (!is_small(turned + turned.transpose(), S->norm())) return false;
      }
      return true;
    };
    bool found = false;
    for (const Matrix3& Q : {Matrix3(Matrix3::Identity()), rotation_from(*largest, 1.0),
                             rotation_from(*largest, -1.0)}) {
      if (!(found = fits(Q))) continue;
      rotation[i] = Q;
      break;
    }
    if (!found) return false;
  }
  return true;
}

Vector3 arm_of(const Matrix3& skew) {
  return 0.5 * Vector3(skew(2, 1) - skew(1, 2), skew(0, 2) - skew(2, 0), skew(1, 0) - skew(0, 1));
}

}  // namespace

std::optional<BodyProblem> as_rigid_bodies(const RigidBlocks& blocks) {
  const std::vector<MassBlock>& mass = blocks.mass;
  std::vector<std::array<Matrix3, 2>> spin;
  BodyProblem problem;
  if (!are_rigid(mass)) return std::nullopt;
  std::vector<Matrix3> rotation(mass.size(), Matrix3::Identity());
  if (!find_frames(blocks.contact, static_cast<BodyIndex>(mass.size()), problem, spin) ||
      !find_rotations(problem, spin, rotation))
    return std::nullopt;
  rotation.push_back(Matrix3::Zero());  // of what is fixed
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const Eigen::Map<const Vector3> push(blocks.f.data() + 6 * i),
        turn(blocks.f.data() + 6 * i + 3);
    const Matrix3 inverse =
        rotation[i] * mass[i].bottomRightCorner<3, 3>().inverse() * rotation[i].transpose();
    problem.inverse_mass.push_back(1.0 / mass[i](0, 0));
    problem.inverse_inertia_W.push_back(0.5 * (inverse + inverse.transpose()));
    problem.v_free.push_back(push / mass[i](0, 0));
    problem.w_free_W.push_back(problem.inverse_inertia_W.back() * (rotation[i] * turn));
  }
  problem.inverse_mass.push_back(0.0), problem.inverse_inertia_W.push_back(Matrix3::Zero());
  problem.v_free.push_back(Vector3::Zero()), problem.w_free_W.push_back(Vector3::Zero());
  for (std::size_t c = 0; c < spin.size(); ++c) {
    problem.r_a_W.push_back(
        arm_of(rotation[static_cast<std::size_t>(problem.body_a[c])] * spin[c][0]));
    problem.r_b_W.push_back(
        arm_of(rotation[static_cast<std::size_t>(problem.body_b[c])] * spin[c][1]));
    problem.bias.push_back(Eigen::Map<const Vector3>(blocks.w.data() + 3 * c));
  }
  problem.mu = blocks.mu;
  problem.scale.assign(blocks.mu.size(), 1.0);
  return problem;
}

}  // namespace scree::contact
