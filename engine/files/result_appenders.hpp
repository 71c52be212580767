// The growing tables of a result file: what a step or a frame adds to each. Private to the result
// writer.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/hdf5_file.hpp"
#include "engine/files/impulse_sums.hpp"
#include "engine/files/load_tables.hpp"
#include "engine/files/result_tables.hpp"
#include "engine/run.hpp"

namespace scree {

// One row a step. Times come last, so that a reader that trusts them finds all the other columns
// filled.
struct StepTables {
  std::vector<h5::Appender<double>> ledger, numbers;
  std::vector<h5::Appender<std::int64_t>> counts;
  LoadTables loads;
  h5::Appender<double> ledger_time;

  explicit StepTables(hid_t file) : loads(file) {
    for (const LedgerColumn& column : ledger_columns)
      ledger.emplace_back(file, std::string("ledger/") + column.name);
    for (const SolverCount& column : solver_counts)
      counts.emplace_back(file, std::string("solver/") + column.name);
    for (const SolverNumber& column : solver_numbers)
      numbers.emplace_back(file, std::string("solver/") + column.name);
    std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end());
    ledger_time = h5::Appender<double>(file, "ledger/time");
  }

  void push(const StepView& view, bool start) {
    const StepRecord& record = view.record;
    for (std::size_t i = 0; i < ledger.size(); ++i)
      ledger[i].push(ledger_columns[i].value(record.ledger));
    ledger_time.push(record.time);
    if (!start) {
      loads.push(view);
      for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i].push(solver_counts[i].value(record));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i].push(solver_numbers[(i + 1) % numbers.size()].value(record));
      }
    }
  }

  // Several chunks are written at once: that costs little more than one.
  bool full() const { return ledger_time.waiting() >= 512; }

  template <class Action>
  void each(Action&& action) {
    loads.each(action);
    for (auto& column : counts) action(column);
    for (auto& column : numbers) action(column);
    for (auto& column : ledger) action(column);
    action(ledger_time);
  }
};

struct ContactTables {
  h5::Appender<std::int32_t> body_a, body_b, part_a, part_b;
  h5::Appender<std::uint32_t> feature_a, feature_b;
  h5::Appender<double> point, normal, tangent, gap, impulse, impulse_world, velocity;
  h5::Appender<std::uint8_t> status;
  h5::Appender<std::int64_t> offset;
  std::unique_ptr<h5::Appender<double>> moment, spin;  // none unless the file has them
  std::unique_ptr<h5::Appender<std::int32_t>> image;   // likewise
  std::int64_t count = 0;

  ContactTables(hid_t file, std::int64_t recorded)
      : body_a(file, "frames/contacts/body_a"),
        body_b(file, "frames/contacts/body_b"),
        part_a(file, "frames/contacts/part_a"),
        part_b(file, "frames/contacts/part_b"),
        feature_a(file, "frames/contacts/feature_a"),
        feature_b(file, "frames/contacts/feature_b"),
        point(file, "frames/contacts/point"),
        normal(file, "frames/contacts/normal"),
        tangent(file, "frames/contacts/tangent"),
        gap(file, "frames/contacts/gap"),
        impulse(file, "frames/contacts/impulse"),
        impulse_world(file, "frames/contacts/impulse_world"),
        velocity(file, "frames/contacts/velocity"),
        status(file, "frames/contacts/status"),
        offset(file, "frames/contacts/offset"),
        count(recorded) {
    if (offset.rows() == 0) offset.push(0);
    if (h5::exists(file, contact_image))
      image = std::make_unique<h5::Appender<std::int32_t>>(file, contact_image);
    if (!h5::exists(file, "frames/contacts/moment")) return;
    moment = std::make_unique<h5::Appender<double>>(file, "frames/contacts/moment");
    spin = std::make_unique<h5::Appender<double>>(file, "frames/contacts/spin");
  }

  void push(const StepView& view) {
    for (std::size_t i = 0; i < view.in_problem.size(); ++i) {
      const auto c = static_cast<std::size_t>(view.in_problem[i]);
      const ContactKey& key = view.contacts.key[c];
      body_a.push(key.body_a), body_b.push(key.body_b);
      part_a.push(key.part_a), part_b.push(key.part_b);
      feature_a.push(key.feature_a), feature_b.push(key.feature_b);
      const Vector3 middle = contact_middle(view, c) + view.model.origin;
      push(point, middle), push(normal, view.contacts.normal[c]), push(tangent, view.tangent[i]);
      gap.push(view.contacts.gap[c]);
      push(impulse, view.impulse[i]), push(impulse_world, view.impulse_W[i]),
          push(velocity, view.velocity[i]);
      if (moment) push(*moment, view.moment[i]), push(*spin, view.spin[i]);
      if (image) image->push(periods_of(key.image));
      status.push(static_cast<std::uint8_t>(view.status[i]));
    }
    count += static_cast<std::int64_t>(view.in_problem.size());
    offset.push(count);
  }

  template <class Action>
  void each(Action&& action) {
    action(body_a), action(body_b), action(part_a), action(part_b), action(feature_a),
        action(feature_b);
    action(point), action(normal), action(tangent);
    action(gap), action(impulse), action(impulse_world), action(velocity), action(status),
        action(offset);
    if (moment) action(*moment), action(*spin);
    if (image) action(*image);
  }

 private:
  static void push(h5::Appender<double>& table, const Vector3& value) {
    table.push({value.data(), 3});
  }
};

struct FrameTables {
  h5::Appender<double> position, orientation, velocity, time;
  h5::Appender<std::uint8_t> active;
  h5::Appender<std::int64_t> step;
  std::unique_ptr<h5::Appender<std::int32_t>> image;  // of a periodic world
  std::unique_ptr<h5::Appender<double>> image_shift;
  std::int64_t count = 0;
  bool keeps_last = false;     // frames round velocities
  std::vector<double> last;    // then those of the last frame, not rounded
  double last_time = -1.0;     // [s] of the last frame
  double written_time = -1.0;  // [s] of the last one that write_last has seen

  explicit FrameTables(hid_t file)
      : position(file, "frames/position"),
        orientation(file, "frames/orientation"),
        velocity(file, "frames/velocity"),
        time(file, "frames/time"),
        active(file, "frames/active"),
        step(file, "frames/step"),
        count(static_cast<std::int64_t>(step.rows())),
        keeps_last(h5::exists(file, last_velocity)) {
    if (h5::exists(file, frame_image)) {
      image = std::make_unique<h5::Appender<std::int32_t>>(file, frame_image);
      image_shift = std::make_unique<h5::Appender<double>>(file, frame_image_shift);
    }
    if (count > 0) last_time = h5::read_rows<double>(file, "frames/time", count - 1, 1).front();
  }

  void push(const Model& model, const State& state) {
    last.clear();
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      const Vector3 x = state.x[i] + model.origin;
      const Quaternion q_WU = state.q[i] * model.q_BU[i];
      const Vector3 w_U = model.q_BU[i].conjugate() * state.w[i];
      for (const double value : {x.x(), x.y(), x.z()}) position.push(value);
      for (const double value : {q_WU.w(), q_WU.x(), q_WU.y(), q_WU.z()}) orientation.push(value);
      const Vector3& v = state.v[i];
      for (const double value : {v.x(), v.y(), v.z(), w_U.x(), w_U.y(), w_U.z()}) {
        velocity.push(value);
        if (keeps_last) last.push_back(value);
      }
      active.push(state.active[i]);
    }
    if (image) {
      for (const PeriodCount& n : state.image) image->push(n);
      image_shift->push(state.image_shift);
    }
    step.push(state.step);
    time.push(state.time);
    last_time = state.time;
    ++count;
  }

  bool full() const { return velocity.full(); }

  // What readers take for the last frame's only if it rounds to what the frame says: so it need not
  // be written in one go with it.
  void write_last(hid_t file) {
    if (keeps_last && !last.empty()) h5::overwrite(file, last_velocity, last);
    written_time = last_time;
  }

  template <class Action>
  void each(Action&& action) {
    if (image) action(*image), action(*image_shift);
    action(position), action(orientation), action(velocity), action(active), action(step),
        action(time);
  }
};

struct PairTables {
  h5::Appender<std::int32_t> body_a, body_b;
  h5::Appender<double> impulse_sum, mean_force, point, mean_moment, body_impulse_sum;
  h5::Appender<std::int64_t> offset;
  std::int64_t count = 0;

  PairTables(hid_t file, std::int64_t recorded)
      : body_a(file, "frames/pairs/body_a"),
        body_b(file, "frames/pairs/body_b"),
        impulse_sum(file, "frames/pairs/impulse_sum"),
        mean_force(file, "frames/pairs/mean_force"),
        point(file, "frames/pairs/point"),
        mean_moment(file, "frames/pairs/mean_moment"),
        body_impulse_sum(file, "frames/body_impulse_sum"),
        offset(file, "frames/pairs/offset"),
        count(recorded) {
    if (offset.rows() == 0) offset.push(0);
  }

  void push(const StepView& view, const ImpulseSums& sums) {
    const std::vector<PairResultant> step = resultants(view, sums.pairs());
    for (std::size_t i = 0; i < step.size(); ++i) {
      const PairImpulse& pair = sums.pairs()[i];
      body_a.push(pair.body_a), body_b.push(pair.body_b);
      impulse_sum.push({pair.sum.data(), 3}), mean_force.push({step[i].force.data(), 3});
      point.push({step[i].point.data(), 3}), mean_moment.push({step[i].moment.data(), 3});
    }
    for (const Vector3& sum : sums.on_bodies(view.state.x.size()))
      body_impulse_sum.push({sum.data(), 3});
    count += static_cast<std::int64_t>(step.size());
    offset.push(count);
  }

  template <class Action>
  void each(Action&& action) {
    action(body_a), action(body_b), action(impulse_sum), action(mean_force), action(point),
        action(mean_moment);
    action(body_impulse_sum), action(offset);
  }
};

}  // namespace scree
