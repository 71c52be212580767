#include "scenes/joints_of_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "engine/base/index.hpp"
#include "engine/base/printable.hpp"

namespace scree {
namespace {

std::string names_of(const Model& model, const std::vector<std::int32_t>& bodies) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, bodies.size()); ++i) {
    text += text.empty() ? "" : ", ";
    text += "'" + model.name[index(bodies[i])] + "'";
  }
  if (bodies.size() > most) text += fmt::format(" and {} more", bodies.size() - most);
  return printable(text);
}

}  // namespace

std::vector<blocks::JointBody> joint_bodies(const Model& model, const State& state) {
  std::vector<blocks::JointBody> bodies(model.name.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].fixed = model.kind[i] != BodyKind::dynamic;
    for (std::int32_t p = model.part_begin[i]; p < model.part_begin[i + 1]; ++p) {
      const Shape& shape = model.shapes[index(model.part_shape[index(p)])];
      const auto* solid = std::get_if<ConvexPolyhedron>(&shape);
      if (solid == nullptr) continue;
      for (std::int32_t f = 0; f < solid->n_faces(); ++f) {
        std::vector<Vector3> corners;
        for (const std::int32_t v : solid->face(f))
          corners.push_back(state.x[i] + state.q[i] * solid->vertices[index(v)]);
        add_face(bodies[i], std::move(corners));
      }
    }
  }
  return bodies;
}

JointSummary summarise_joints(const Model& model, const std::vector<blocks::JointBody>& bodies,
                              const blocks::JointOptions& options) {
  JointSummary summary;
  summary.joints = find_joints(bodies, options);
  std::set<std::int32_t> joined;
  for (const blocks::Joint& joint : summary.joints) {
    summary.area += joint.area;
    joined.insert({joint.a, joint.b});
    if (joint.gap > (summary.gap == nullptr ? 0.0 : summary.gap->gap)) summary.gap = &joint;
    if (joint.overlap > (summary.overlap == nullptr ? 0.0 : summary.overlap->overlap))
      summary.overlap = &joint;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].faces.empty()) continue;
    ++(bodies[i].fixed ? summary.supports : summary.blocks);
    if (model.part_begin[i + 1] - model.part_begin[i] > 1) ++summary.compounds;
    if (!bodies[i].fixed && !joined.contains(static_cast<std::int32_t>(i)))
      summary.alone.push_back(static_cast<std::int32_t>(i));
  }
  summary.islands = islands_without_support(bodies, summary.joints);
  std::erase_if(summary.islands, [](const auto& island) { return island.size() < 2; });
  return summary;
}

std::string joint_lines(const Model& model, const JointSummary& summary) {
  std::string text;
  const auto out = std::back_inserter(text);
  const auto pair = [&](const blocks::Joint& joint) {
    return printable(
        fmt::format("'{}' and '{}'", model.name[index(joint.a)], model.name[index(joint.b)]));
  };
  fmt::format_to(out, "blocks       {} that move, {} supports; {} of them not convex\n",
                 summary.blocks, summary.supports, summary.compounds);
  fmt::format_to(out, "joints       {}, {:.6g} m2 in all\n", summary.joints.size(), summary.area);
  if (summary.gap != nullptr)
    fmt::format_to(out, "gap          {:.3g} m at worst, of {}\n", summary.gap->gap,
                   pair(*summary.gap));
  if (summary.overlap != nullptr) {
    fmt::format_to(out, "overlap      {:.3g} m at worst, of {}\n", summary.overlap->overlap,
                   pair(*summary.overlap));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(summary.islands.size(), 5); ++i) {
    fmt::format_to(out, "island       {} blocks without support: {}\n", summary.islands[i].size(),
                   names_of(model, summary.islands[i]));
  }
  if (summary.islands.size() > 5)
    fmt::format_to(out, "island       and {} more\n", summary.islands.size() - 5);
  if (!summary.alone.empty()) {
    fmt::format_to(out, "no joint     {} block{}: {}\n", summary.alone.size(),
                   summary.alone.size() == 1 ? "" : "s", names_of(model, summary.alone));
  }
  return text;
}

}  // namespace scree
