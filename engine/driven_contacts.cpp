#include "engine/driven_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact_frames.hpp"

namespace scree {

namespace {

const DrivenStep* turning_step(const Model& model, const Workspace& work, BodyIndex body) {
  const std::int32_t history = model.history[static_cast<std::size_t>(body)];
  if (history < 0) return nullptr;
  const DrivenStep& step = work.free.driven[static_cast<std::size_t>(history)];
  return step.turns ? &step : nullptr;
}

const Shape& shape_of(const Model& model, BodyIndex body, std::int32_t part) {
  const auto first = static_cast<std::size_t>(model.part_begin[static_cast<std::size_t>(body)]);
  return model
      .shapes[static_cast<std::size_t>(model.part_shape[first + static_cast<std::size_t>(part)])];
}

// Whether the points of its surface that touch stay the same ones while it turns.
bool is_flat(const Shape& shape) {
  const bool rounded = std::visit([](const auto& s) { return s.rounding() > 0.0; }, shape);
  return !rounded && !std::holds_alternative<CylinderWall>(shape);
}

// Whether `n_B`, in the axes of the shape, is the normal of one of its faces, either way round.
bool is_face_normal(const Shape& shape, const Vector3& n_B) {
  constexpr double same = 1.0 - 1e-8;  // [-] cosine: 1.4e-4 rad
  if (const auto* wall = std::get_if<HalfSpace>(&shape))
    return std::abs(wall->normal.dot(n_B)) > same;
  const auto* solid = std::get_if<ConvexPolyhedron>(&shape);
  if (solid == nullptr) return false;
  const auto& normals = solid->face_normal;
  return std::any_of(normals.begin(), normals.end(),
                     [&](const Vector3& n) { return std::abs(n.dot(n_B)) > same; });
}

void carry_contact(const Model& model, const State& state, std::size_t c, bool a_drives,
                   const DrivenStep& step, Workspace& work) {
  ContactSet& contacts = work.contacts;
  const ContactKey& key = contacts.key[c];
  const BodyIndex driver = a_drives ? key.body_a : key.body_b;
  const Shape& shape = shape_of(model, driver, a_drives ? key.part_a : key.part_b);
  if (!is_flat(shape)) return;
  const auto a = static_cast<std::size_t>(key.body_a), b = static_cast<std::size_t>(key.body_b);
  const Vector3 to_b = state.x[b] - state.x[a] + image_offset(work, key.image),
                X = a_drives ? to_b : Vector3(-to_b);
  if (!work.start_q.empty()) {
    Vector3 &of_driver = a_drives ? contacts.point_a[c] : contacts.point_b[c],
            &of_other = a_drives ? contacts.point_b[c] : contacts.point_a[c];
    const Vector3 &x_driver = work.frame_x[a_drives ? a : b],
                  &x_other = work.frame_x[a_drives ? b : a];
    const Vector3 arm = step.mean_arm * (step.frame_turn.transpose() * (of_driver - x_driver));
    of_driver = x_driver + arm;
    of_other = x_other + (arm - step.mean_arm * X);
  } else {
    work.carried.push_back({c, contacts.point_a[c], contacts.point_b[c], contacts.normal[c]});
    contacts.point_a[c] = state.x[a] + step.mean_arm * (contacts.point_a[c] - state.x[a]);
    contacts.point_b[c] = state.x[b] + step.mean_arm * (contacts.point_b[c] - state.x[b]);
    const Vector3 n_B = state.q[static_cast<std::size_t>(driver)].conjugate() * contacts.normal[c];
    if (is_face_normal(shape, n_B))
      contacts.normal[c] = (step.half_turn * contacts.normal[c]).normalized();
  }
  const Vector3 bend = step.bend * X;
  work.ride_change[c] = a_drives ? Vector3(-bend) : bend;
}

}  // namespace

double look_ahead_of_driven(const Model& model, const State& state, double h, std::size_t i,
                            Workspace& work) {
  const DrivenStep& step = work.free.driven[static_cast<std::size_t>(model.history[i])];
  if (state.active[i] == 0) return 0.0;
  work.x_ahead[i] = step.x_1;
  work.q_ahead[i] = step.q_1;
  // Impacts act on the velocity at the end of the step.
  const double way =
      std::max({h * step.mean.v.norm(), h * step.begin.v.norm(), h * step.end.v.norm()});
  const double turn = std::max(
      {step.angle, h * step.mean.w_W.norm(), h * step.begin.w_W.norm(), h * step.end.w_W.norm()});
  const double radius = model.radius[i];
  return way + (std::isfinite(radius) ? turn * radius : 0.0);
}

void spread_turning_walls(const Model& model, double h, const State& state, Workspace& work) {
  for (std::size_t w = 0; w < state.x.size(); ++w) {
    if (state.active[w] == 0 || std::isfinite(model.radius[w])) continue;
    const DrivenStep* step = turning_step(model, work, static_cast<BodyIndex>(w));
    if (step == nullptr) continue;
    double farthest = 0.0;
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      if (model.kind[i] != BodyKind::dynamic || state.active[i] == 0) continue;
      farthest =
          std::max(farthest, (state.x[i] - state.x[w]).norm() + model.radius[i] + work.reach[i]);
    }
    work.reach[w] += std::max(step->angle, h * step->mean.w_W.norm()) * farthest;
  }
}

void carry_to_middle(const Model& model, const Settings& settings, const State& state,
                     Workspace& work) {
  work.carried.clear();
  work.ride_change.clear();
  if (settings.step.frames == Frames::middle) meet_in_one_point(work);
  const auto turns = [](const DrivenStep& step) { return step.turns; };
  const bool any = std::any_of(work.free.driven.begin(), work.free.driven.end(), turns);
  if (any || settings.step.frames == Frames::middle)
    work.ride_change.assign(work.contacts.size(), Vector3::Zero());
  if (!any) return;
  for (std::size_t c = 0; c < work.contacts.size(); ++c) {
    const ContactKey& key = work.contacts.key[c];
    const DrivenStep *a = turning_step(model, work, key.body_a),
                     *b = turning_step(model, work, key.body_b);
    if (a != nullptr || b != nullptr)
      carry_contact(model, state, c, a != nullptr, a != nullptr ? *a : *b, work);
  }
}

void carry_back(Workspace& work) {
  for (const Workspace::CarriedContact& contact : work.carried) {
    work.contacts.point_a[contact.candidate] = contact.point_a;
    work.contacts.point_b[contact.candidate] = contact.point_b;
    work.contacts.normal[contact.candidate] = contact.normal;
  }
}

}  // namespace scree
