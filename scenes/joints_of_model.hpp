// Joints of the bodies of a model, where they stand.
#pragma once

#include <string>
#include <vector>

#include "engine/model/bodies.hpp"
#include "engine/model/state.hpp"
#include "scenes/blocks/joints.hpp"

namespace scree {

// The polyhedra, by body; bodies of other shapes have no faces.
std::vector<blocks::JointBody> joint_bodies(const Model& model, const State& state);

// What a mason asks of a model before anything moves.
struct JointSummary {
  std::int64_t blocks = 0, supports = 0, compounds = 0;
  std::vector<blocks::Joint> joints;
  double area = 0.0;                   // [m2]
  const blocks::Joint* gap = nullptr;  // the worst of each; null: none
  const blocks::Joint* overlap = nullptr;
  std::vector<std::vector<std::int32_t>> islands;  // without support
  std::vector<std::int32_t> alone;                 // blocks without any joint
};
JointSummary summarise_joints(const Model& model, const std::vector<blocks::JointBody>& bodies,
                              const blocks::JointOptions& options);

// A table of it, one line each; empty where no two blocks are joined.
std::string joint_lines(const Model& model, const JointSummary& summary);

}  // namespace scree
