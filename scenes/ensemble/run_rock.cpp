// One run of an ensemble: watched step by step, until the rock lies still, has left or time is up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/run.hpp"
#include "engine/warning_words.hpp"
#include "scenes/ensemble/ensemble.hpp"
#include "scenes/site/clearance.hpp"

namespace scree::ensemble {
namespace {

// The larger of both; what is not known counts for nothing.
void raise(double& largest, double value) {
  if (value > largest || std::isnan(largest)) largest = value;
}

class RunWatch {
 public:
  RunWatch(const Ensemble& ensemble, const RockScene& scene, RunRow& row)
      : ensemble_(ensemble), rock_(scene.rock), row_(row), cells_(ensemble.map()) {}

  // Whether the run goes on.
  bool look(const StepView& view, const RunObserver& observer) {
    if (left_) return false;  // the run ends one step after it was told to
    const auto i = static_cast<std::size_t>(rock_);
    const Vector3& x = view.state.x[i];
    const bool first = view.record.step == 0;
    if (first) x_ = x;
    const QuantityValues values = values_of(view);
    cells_.pass(x_, x, values);
    note_largest(values);
    crossed_.clear();
    if (!first) {
      row_.way += (x - x_).norm();
      note_impact(view);
      note_crossings(view, values);
    }
    x_ = x, v_ = view.state.v[i], w_ = view.state.w[i];
    end_ = x, end_time_ = view.state.time;
    left_ = has_left(view.state, i) || cell_of(ensemble_.map(), x.x(), x.y()) < 0 ||
            !std::isfinite(ensemble_.ground().height(x.x(), x.y()));
    if (observer && observer(view, rock_, crossed_)) return false;
    return !left_;
  }

  void finish(const Vector3& origin) {
    row_.end_x = end_.x() + origin.x(), row_.end_y = end_.y() + origin.y();
    row_.end_z = end_.z() + origin.z(), row_.end_time = end_time_;
    row_.crossings = crossings_text(crossings_);
    row_.cells = cells_text(cells_.cells());
  }

  bool left() const { return left_; }
  const Vector3& end() const { return end_; }

 private:
  double rotation_energy(const Model& model, const Vector3& w) const {
    const Vector3& J = model.inertia[static_cast<std::size_t>(rock_)];
    return 0.5 * (J.x() * w.x() * w.x() + J.y() * w.y() * w.y() + J.z() * w.z() * w.z());
  }

  double energy(const Model& model, const Vector3& v, const Vector3& w) const {
    return 0.5 * model.mass[static_cast<std::size_t>(rock_)] * v.squaredNorm() +
           rotation_energy(model, w);
  }

  QuantityValues values_of(const StepView& view) {
    const auto i = static_cast<std::size_t>(rock_);
    const Vector3 &v = view.state.v[i], &w = view.state.w[i];
    // A corner in the ground by the slop of the contacts is no jump. Beyond the ground nothing is
    // known, and the last value stands.
    const double clearance =
        site::rock_clearance(view.model, view.state, rock_, ensemble_.ground());
    if (!std::isnan(clearance)) jump_ = std::max(clearance, 0.0);
    return {energy(view.model, v, w), v.norm(), jump_, w.norm()};
  }

  void note_largest(const QuantityValues& values) {
    raise(row_.energy, values[0]), raise(row_.velocity, values[1]);
    raise(row_.jump, values[2]), raise(row_.spin, values[3]);
  }

  // From no impulse in a step to one in the next.
  void note_impact(const StepView& view) {
    bool touches = false;
    for (std::size_t c = 0; c < view.in_problem.size(); ++c) {
      const ContactKey& key = view.contacts.key[static_cast<std::size_t>(view.in_problem[c])];
      if (key.body_a != rock_ && key.body_b != rock_) continue;
      touches = touches || view.impulse[c].x() > 0.0;
    }
    if (touches && !touching_) ++row_.impacts;
    touching_ = touches;
  }

  void note_crossings(const StepView& view, const QuantityValues& values) {
    const auto i = static_cast<std::size_t>(rock_);
    const Vector3& x = view.state.x[i];
    const site::Site& site = ensemble_.site();
    for (std::size_t b = 0; b < site.barriers.size(); ++b) {
      for (const LineCut& cut : cuts_of(site.barriers[b], x_, x)) {
        LineCrossing crossing;
        crossing.barrier = static_cast<std::int64_t>(b), crossing.direction = cut.direction;
        crossing.step = view.record.step, crossing.along = cut.along;
        crossing.time = view.state.time - (1.0 - cut.share) * view.settings.time.dt;
        describe(view, Vector3(x_ + cut.share * (x - x_)), values, crossing);
        crossed_.push_back(crossing);
      }
    }
    std::ranges::stable_sort(crossed_, {}, &LineCrossing::time);
    crossings_.insert(crossings_.end(), crossed_.begin(), crossed_.end());
  }

  void describe(const StepView& view, const Vector3& place, const QuantityValues& values,
                LineCrossing& crossing) const {
    const auto i = static_cast<std::size_t>(rock_);
    const double theta = view.theta[i];
    const Vector3 v = (1.0 - theta) * v_ + theta * view.state.v[i],
                  w = (1.0 - theta) * w_ + theta * view.state.w[i];
    const Vector3 map = place + view.model.origin;
    crossing.x = map.x(), crossing.y = map.y(), crossing.z = map.z();
    crossing.vx = v.x(), crossing.vy = v.y(), crossing.vz = v.z();
    crossing.energy = energy(view.model, v, w), crossing.rotation = rotation_energy(view.model, w);
    crossing.velocity = v.norm(), crossing.spin = w.norm(), crossing.jump = values[2];
    const site::GroundSurface::Point ground = ensemble_.ground().at(place.x(), place.y());
    crossing.centre = place.z() - ground.height;
    crossing.top = crossing.centre + site::rock_top(view.model, view.state, rock_);
    crossing.normal_z = ground.normal.z();
  }

  const Ensemble& ensemble_;
  BodyIndex rock_;
  RunRow& row_;
  CellMaxima cells_;
  std::vector<LineCrossing> crossings_, crossed_;
  bool left_ = false, touching_ = false;
  Vector3 x_ = Vector3::Zero(), v_ = Vector3::Zero(), w_ = Vector3::Zero();
  Vector3 end_ = Vector3::Zero();
  double end_time_ = 0.0, jump_ = 0.0;
};

void describe_start(const RockScene& scene, RunRow& row) {
  const RockStart& start = scene.start;
  const auto i = static_cast<std::size_t>(scene.rock);
  const Vector3 x = start.position + scene.model.origin;
  row.rock = start.kind->name, row.label = start.label, row.lifted = start.lifted;
  row.mass = scene.model.mass[i], row.volume = scene.model.volume[i];
  row.length = std::visit([](const auto& shape) { return shape.diameter(); }, start.rock.shape);
  row.x = x.x(), row.y = x.y(), row.z = x.z(), row.way = 0.0;
  const Quaternion& q = start.orientation;
  row.qw = q.w(), row.qx = q.x(), row.qy = q.y(), row.qz = q.z();
}

void describe_end(const RunReport& report, const RockScene& scene, const RunWatch& watch,
                  RunRow& row) {
  row.warnings = warning_words(raised_warnings(report.warnings, scene.model.name));
  row.end = watch.left()                   ? "left"
            : report.end == RunEnd::quiet  ? "rest"
            : report.end == RunEnd::wedged ? "wedged"
                                           : "time";
  row.steps = report.steps, row.unconverged_steps = report.unconverged_steps;
  row.penetration = report.penetration_max;
  row.state_hash = report.state_hash;
  const Vector3 way = watch.end() - scene.start.position;
  row.run_out = std::sqrt(way.x() * way.x() + way.y() * way.y());
  row.fall = -way.z();
  row.status = report.unconverged_steps == 0 ? "done" : "unconverged";
  if (report.unconverged_steps > 0) {
    row.message = fmt::format("{} of {} steps did not reach the tolerance",
                              report.unconverged_steps, report.steps);
  }
}

}  // namespace

std::optional<MemberRow> run_rock(const Ensemble& ensemble, std::size_t i,
                                  const std::atomic<bool>& stop, const RunObserver& observer) {
  const RunId& id = ensemble.runs()[i];
  RunRow row;
  std::optional<RockScene> started;
  row.release = ensemble.site().releases[static_cast<std::size_t>(id.release)].name;
  row.number = id.number;
  try {
    RockScene& scene = started.emplace(rock_scene(ensemble, i));
    describe_start(scene, row);
    RunWatch watch(ensemble, scene, row);
    std::atomic<bool> end{false};
    bool over = false;  // because the rock has left, or the observer has seen enough
    const Observer look = [&](const StepView& view) {
      over = over || !watch.look(view, observer);
      if (over || stop.load(std::memory_order_relaxed)) end = true;
    };
    const RunReport report = run(scene.model, scene.settings, scene.state, {&look, 1}, &end);
    if (report.end == RunEnd::stopped && !over) return std::nullopt;
    watch.finish(ensemble.scene().model.origin);
    describe_end(report, scene, watch, row);
  } catch (const InputError& error) {
    row.status = "refused", row.message = error.what();
  } catch (const RunFailure& failure) {
    row.status = "failed", row.message = failure.what();
    row.warnings = warning_words(raised_warnings(started->state.warnings, started->model.name));
  }
  return row_of(row);
}

}  // namespace scree::ensemble
