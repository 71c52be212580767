#include "engine/late_things.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace scree {
namespace {

// Size of what a table of times says at each of them, in any unit.
struct Course {
  std::span<const double> time;
  std::vector<double> size;
  bool holds = true;  // before the first entry its value, else nothing
};

// When a table begins, if that is not before `end`: when it first has more than a hundredth of its
// largest value. One that begins small and of which no more than a part of the first line between
// two of many entries is reached begins with the second entry: so is one in milliseconds.
std::optional<double> late_begin(const Course& course, double end) {
  constexpr double share = 0.01;
  const std::size_t n = course.size.size();
  if (n == 0) return std::nullopt;
  const double noticed = share * *std::ranges::max_element(course.size);
  std::size_t k = 0;
  while (k < n && !(course.size[k] > noticed)) ++k;
  if (k == n) return std::nullopt;  // it has nothing at all
  if (k == 0 && course.holds) return std::nullopt;
  double begin = course.time[k];
  if (k > 0) {
    const double before = course.size[k - 1], rise = course.size[k] - before;
    begin =
        course.time[k - 1] + (course.time[k] - course.time[k - 1]) * ((noticed - before) / rise);
    if (n > 2 && course.time[1] >= end) begin = std::max(begin, course.time[1]);
  }
  return begin >= end ? std::optional(begin) : std::nullopt;
}

Course course_of(const Record& record) {
  Course course{record.time, {}, record.holds};
  for (const Vector3& value : record.value) course.size.push_back(value.norm());
  return course;
}

Course course_of(const MotionHistory& history) {
  Course course{history.time, {}, true};
  for (std::size_t k = 0; k < history.time.size(); ++k) {
    const double linear = k < history.linear.size() ? history.linear[k].norm() : 0.0,
                 angular = k < history.angular.size() ? history.angular[k].norm() : 0.0;
    course.size.push_back(linear + angular);
  }
  return course;
}

// When a table of more than two entries ends, if the run reaches no more than a part of it: it has
// begun, and after `end` it changes by more than a hundredth of its largest value.
std::optional<double> cut_end(const Course& course, std::span<const Vector3> value, double end) {
  constexpr double share = 0.01;
  const std::size_t n = course.size.size();
  if (n < 3 || value.size() != n || course.time.back() <= end * (1.0 + 1e-9) ||
      course.time.front() >= end)
    return std::nullopt;
  const double least = share * *std::ranges::max_element(course.size);
  const auto next = static_cast<std::size_t>(
      std::distance(course.time.begin(), std::ranges::upper_bound(course.time, end)));
  const double part = (end - course.time[next - 1]) / (course.time[next] - course.time[next - 1]);
  const Vector3 at_end = value[next - 1] + part * (value[next] - value[next - 1]);
  const bool changes = std::any_of(value.begin() + static_cast<std::ptrdiff_t>(next), value.end(),
                                   [&](const Vector3& v) { return (v - at_end).norm() > least; });
  return changes ? std::optional(course.time.back()) : std::nullopt;
}

// One that has not begun is late, not cut.
void warn_of_course(const Course& course, std::span<const Vector3> value, double end,
                    std::initializer_list<BodyIndex> bodies, WarningLog& log) {
  if (const auto begin = late_begin(course, end))
    log.raise(Warning::never_happens, *begin, bodies);
  else if (const auto last = cut_end(course, value, end))
    log.raise(Warning::cut_record, *last, bodies);
}

}  // namespace

void warn_of_late_things(const Model& model, const Settings& settings, WarningLog& log) {
  const double end = settings.time.end;
  const auto later = [end](double time) { return std::isfinite(time) && time >= end; };
  for (BodyIndex body = 0; body < model.n_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    if (later(model.appears_at[i])) log.raise(Warning::never_happens, model.appears_at[i], {body});
    if (later(model.vanishes_at[i]))
      log.raise(Warning::never_happens, model.vanishes_at[i], {body});
    if (model.history[i] < 0) continue;
    const MotionHistory& history = model.histories[static_cast<std::size_t>(model.history[i])];
    // Velocities that go on are how a motion is written that the run need not see the end of.
    const bool shaken = history.kind == HistoryKind::acceleration;
    warn_of_course(course_of(history),
                   shaken ? std::span<const Vector3>(history.linear) : std::span<const Vector3>{},
                   end, {body}, log);
  }
  for (const SteeredBody& steered : model.steered) {
    for (std::int32_t k = steered.load_begin; k < steered.load_end; ++k) {
      const Load& load = model.loads[static_cast<std::size_t>(k)];
      for (const Record* record : {&load.force, &load.torque}) {
        warn_of_course(course_of(*record), record->value, end, {steered.body}, log);
      }
    }
  }
  for (const FieldRecord& part : model.field) {
    warn_of_course(course_of(part.acceleration), part.acceleration.value, end, {}, log);
  }
  const StopSettings& stop = settings.stop;
  // A window that ends with the run is judged at its last step.
  if (stop.wanted() && later(stop.after + stop.window - 0.5 * settings.time.dt))
    log.raise(Warning::never_happens, stop.after + stop.window);
}

}  // namespace scree
