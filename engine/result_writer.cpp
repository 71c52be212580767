#include "engine/result_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "engine/hdf5_file.hpp"
#include "engine/model/check.hpp"
#include "engine/result_copy.hpp"
#include "engine/result_layout.hpp"
#include "engine/result_tables.hpp"
#include "engine/state_hash.hpp"

namespace scree {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// One row a step. Times come last, so that a reader that trusts them finds all the other columns filled.
struct StepTables {
  std::vector<h5::Appender<double>> ledger, numbers;
  std::vector<h5::Appender<std::int64_t>> counts;
  h5::Appender<double> ledger_time;

  explicit StepTables(hid_t file) {
    for (const LedgerColumn& column : ledger_columns) ledger.emplace_back(file, std::string("ledger/") + column.name);
    for (const SolverCount& column : solver_counts) counts.emplace_back(file, std::string("solver/") + column.name);
    for (const SolverNumber& column : solver_numbers) numbers.emplace_back(file, std::string("solver/") + column.name);
    std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end());
    ledger_time = h5::Appender<double>(file, "ledger/time");
  }

  void push(const StepRecord& record, bool start) {
    for (std::size_t i = 0; i < ledger.size(); ++i) ledger[i].push(record.ledger.*ledger_columns[i].value);
    ledger_time.push(record.time);
    if (!start) {
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i].push(solver_counts[i].value(record));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i].push(solver_numbers[(i + 1) % numbers.size()].value(record));
      }
    }
  }

  bool full() const { return ledger_time.full(); }

  template <class Action>
  void each(Action&& action) {
    for (auto& column : counts) action(column);
    for (auto& column : numbers) action(column);
    for (auto& column : ledger) action(column);
    action(ledger_time);
  }
};

struct ContactTables {
  h5::Appender<std::int32_t> body_a, body_b;
  h5::Appender<std::uint32_t> feature_a, feature_b;
  h5::Appender<double> point, normal, tangent, gap, impulse, impulse_world, velocity;
  h5::Appender<std::uint8_t> status;
  h5::Appender<std::int64_t> offset;
  std::int64_t count = 0;

  ContactTables(hid_t file, std::int64_t recorded)
      : body_a(file, "frames/contacts/body_a"),
        body_b(file, "frames/contacts/body_b"),
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
  }

  void push(const StepView& view) {
    for (std::size_t i = 0; i < view.in_problem.size(); ++i) {
      const auto c = static_cast<std::size_t>(view.in_problem[i]);
      const ContactKey& key = view.contacts.key[c];
      body_a.push(key.body_a), body_b.push(key.body_b);
      feature_a.push(key.feature_a), feature_b.push(key.feature_b);
      const Vector3 middle = 0.5 * (view.contacts.point_a[c] + view.contacts.point_b[c]) + view.model.origin;
      push(point, middle), push(normal, view.contacts.normal[c]), push(tangent, view.tangent[i]);
      gap.push(view.contacts.gap[c]);
      push(impulse, view.impulse[i]), push(impulse_world, view.impulse_W[i]), push(velocity, view.velocity[i]);
      status.push(static_cast<std::uint8_t>(view.status[i]));
    }
    count += static_cast<std::int64_t>(view.in_problem.size());
    offset.push(count);
  }

  bool full() const { return point.full(); }

  template <class Action>
  void each(Action&& action) {
    action(body_a), action(body_b), action(feature_a), action(feature_b), action(point), action(normal), action(tangent);
    action(gap), action(impulse), action(impulse_world), action(velocity), action(status), action(offset);
  }

 private:
  static void push(h5::Appender<double>& table, const Vector3& value) { table.push({value.data(), 3}); }
};

struct FrameTables {
  h5::Appender<double> position, orientation, velocity, time;
  h5::Appender<std::uint8_t> active;
  h5::Appender<std::int64_t> step;
  std::int64_t count = 0;

  explicit FrameTables(hid_t file)
      : position(file, "frames/position"),
        orientation(file, "frames/orientation"),
        velocity(file, "frames/velocity"),
        time(file, "frames/time"),
        active(file, "frames/active"),
        step(file, "frames/step"),
        count(static_cast<std::int64_t>(step.rows())) {}

  void push(const Model& model, const State& state) {
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      const Vector3 x = state.x[i] + model.origin;
      const Quaternion q_WU = state.q[i] * model.q_BU[i];
      const Vector3 w_U = model.q_BU[i].conjugate() * state.w[i];
      for (const double value : {x.x(), x.y(), x.z()}) position.push(value);
      for (const double value : {q_WU.w(), q_WU.x(), q_WU.y(), q_WU.z()}) orientation.push(value);
      const Vector3& v = state.v[i];
      for (const double value : {v.x(), v.y(), v.z(), w_U.x(), w_U.y(), w_U.z()}) velocity.push(value);
      active.push(state.active[i]);
    }
    step.push(state.step);
    time.push(state.time);
    ++count;
  }

  bool full() const { return velocity.full(); }

  template <class Action>
  void each(Action&& action) {
    action(position), action(orientation), action(velocity), action(active), action(step), action(time);
  }
};

[[noreturn]] void refuse(const std::string& path, const std::string& message) { throw InputError(path + ": " + message); }

void check_target(const std::string& path, bool replace) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) refuse(path, "is a folder; give the name of a file");
  if (!replace) refuse(path, "exists already; choose another name, or use --force to replace it");
  if (!fs::is_regular_file(status)) refuse(path, "is not a regular file, so it cannot be replaced by a result file");
  if (access(path.c_str(), W_OK) != 0) refuse(path, std::string("cannot be replaced: ") + std::strerror(errno));
}

}  // namespace

struct ResultWriter::Impl {
  std::string path;      // where the file will be
  std::string written;   // where it is until the first flush
  h5::Handle file;
  std::unique_ptr<StepTables> steps;
  std::unique_ptr<FrameTables> frames;
  std::unique_ptr<ContactTables> contacts;
  double frames_per_second = 0.0;
  double last_frame = 0.0;                // number of frame periods at the last frame
  RecordedRows scheduled;                 // without a frame that is there only because the run ended off schedule
  bool started = false, failed = false;
  double last_time = -1.0, safe_time = -1.0;
  Clock::time_point begin = Clock::now(), last_flush = begin;

  void create(bool replace, const Resumption* resumption, const ResultOrigin& origin, const Model& model, const Settings& settings);
  void open_tables(const Settings& settings, const Resumption* resumption);
  void record(const StepView& view, bool last);
  double periods_at(double time) const { return std::floor(time * frames_per_second + 1e-6); }
  bool frame_due(const StepView& view);
  void flush();
  RecordedRows rows() const { return {frames ? frames->count : 0, contacts ? contacts->count : 0}; }
  RecordedRows sync();
  void abandon();

  // Calls action() with the library quiet; an error of it ends the recording.
  template <class Action>
  void guarded(Action&& action) {
    if (failed) return;
    const h5::Quiet quiet;
    try {
      action();
    } catch (const h5::Error& error) {
      abandon();
      const std::string kept = safe_time < 0.0 ? "nothing was recorded" : fmt::format("it is readable up to t = {:.9g} s", safe_time);
      throw RecordingFailure(fmt::format("{}: {}; {}", path, error.what(), kept));
    }
  }

  template <class Action>
  void each_table(Action&& action) {
    if (contacts) contacts->each(action);
    if (frames) frames->each(action);
    if (steps) steps->each(action);
  }
};

// Two openings: the layout is written in one go, then the tables are opened for writing while others read.
void ResultWriter::Impl::create(bool replace, const Resumption* resumption, const ResultOrigin& origin, const Model& model,
                                const Settings& settings) {
  const h5::Quiet quiet;
  bool created = false;
  try {
    const h5::Handle access = h5::file_access();
    const unsigned flags = replace ? H5F_ACC_TRUNC : H5F_ACC_EXCL;
    h5::Handle layout = h5::own(H5Fcreate(written.c_str(), flags, H5P_DEFAULT, access.id()), &H5Fclose, "cannot be written");
    created = true;
    write_layout(layout.id(), origin, model, settings);
    if (resumption != nullptr) copy_recorded(*resumption, layout.id());
    h5::check(H5Fflush(layout.id(), H5F_SCOPE_LOCAL), "cannot be written");
    layout.reset();
    file = h5::own(H5Fopen(written.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access.id()), &H5Fclose, "cannot be written");
    open_tables(settings, resumption);
  } catch (const std::exception& error) {
    abandon();
    if (created) std::remove(written.c_str());
    if (dynamic_cast<const InputError*>(&error) != nullptr && resumption != nullptr) throw;   // names the file already
    refuse(path, error.what());
  }
}

void ResultWriter::Impl::open_tables(const Settings& settings, const Resumption* resumption) {
  frames_per_second = settings.output.frames_per_second;
  if (resumption != nullptr) {
    started = true;
    last_time = resumption->time;
    last_frame = periods_at(resumption->time);
    scheduled = resumption->rows;
  }
  steps = std::make_unique<StepTables>(file.id());
  if (settings.output.keep_frames) frames = std::make_unique<FrameTables>(file.id());
  if (settings.output.keep_frames && settings.output.contacts) {
    contacts = std::make_unique<ContactTables>(file.id(), resumption != nullptr ? resumption->rows.contacts : 0);
  }
}

// A frame is due when a multiple of the period has been reached since the last one; a millionth of it is round-off.
bool ResultWriter::Impl::frame_due(const StepView& view) {
  const double periods = periods_at(view.state.time);
  const bool due = !started || (frames_per_second > 0.0 && periods > last_frame);
  if (due) last_frame = periods;
  return due;
}

void ResultWriter::Impl::record(const StepView& view, bool last) {
  const auto write_out = [](auto& table) { table.write_out(); };
  steps->push(view.record, !started);
  if (steps->full()) steps->each(write_out);
  const bool due = frame_due(view);
  if (frames && (due || last)) {
    scheduled = rows();
    if (contacts) contacts->push(view);
    frames->push(view.model, view.state);
    if (due) scheduled = rows();
    if (contacts && contacts->full()) contacts->each(write_out);
    if (frames->full()) frames->each(write_out);
  }
  last_time = view.state.time;
  // A flush rewrites the chunks at the ends of the tables: once a second at first, every half minute after hours.
  const Clock::time_point now = Clock::now();
  const double interval = std::clamp(seconds_between(begin, now) / 200.0, 1.0, 30.0);
  if (!started || last || seconds_between(last_flush, now) > interval) flush();
  started = true;
}

void ResultWriter::Impl::flush() {
  each_table([](auto& table) { table.write_out(); });
  h5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "cannot be written");
  if (written != path) {
    if (std::rename(written.c_str(), path.c_str()) != 0) {
      throw h5::Error(std::string("cannot be replaced: ") + std::strerror(errno));
    }
    written = path;
  }
  safe_time = last_time;
  last_flush = Clock::now();
}

RecordedRows ResultWriter::Impl::sync() {
  flush();
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const std::string reason = synced ? "" : std::strerror(errno);
  if (descriptor >= 0) close(descriptor);
  if (!synced) throw h5::Error("cannot be written: " + reason);
  return scheduled;
}

void ResultWriter::Impl::abandon() {
  failed = true;
  each_table([](auto& table) { table.abandon(); });
  file.abandon();
}

ResultWriter::ResultWriter(const std::string& path, bool replace, const ResultOrigin& origin, const Model& model,
                           const Settings& settings)
    : impl_(std::make_unique<Impl>()) {
  check_target(path, replace);
  impl_->path = impl_->written = path;
  if (replace) impl_->written = fmt::format("{}.{}.partial", path, getpid());
  impl_->create(replace, nullptr, origin, model, settings);
}

ResultWriter::ResultWriter(const std::string& path, const Resumption& resumption, const ResultOrigin& origin, const Model& model,
                           const Settings& settings)
    : impl_(std::make_unique<Impl>()) {
  check_recorded(resumption, sha256(origin.scene_source.data(), origin.scene_source.size()));
  check_target(path, true);
  impl_->path = path;
  impl_->written = fmt::format("{}.{}.partial", path, getpid());
  impl_->create(true, &resumption, origin, model, settings);
  flush();
}

ResultWriter::~ResultWriter() {
  if (!impl_ || !impl_->file.valid()) return;
  const h5::Quiet quiet;
  try {
    if (impl_->started) impl_->flush();
  } catch (const h5::Error&) {
    impl_->abandon();   // the run that could not finish has been reported; a second message would say nothing new
  }
  if (!impl_->started) std::remove(impl_->written.c_str());
  impl_.reset();
}

ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;

void ResultWriter::record(const StepView& view, bool last) {
  impl_->guarded([&] { impl_->record(view, last); });
}

void ResultWriter::flush() {
  impl_->guarded([&] { impl_->flush(); });
}

RecordedRows ResultWriter::sync() {
  RecordedRows rows;
  impl_->guarded([&] { rows = impl_->sync(); });
  return rows;
}

void ResultWriter::finish(const RunReport& report) {
  impl_->guarded([&] {
    impl_->flush();
    h5::update_attribute(impl_->file.id(), "time_end", report.time_end);
    h5::update_attribute(impl_->file.id(), "state_hash", report.state_hash);
    h5::update_attribute(impl_->file.id(), "finished", std::int64_t{report.end == RunEnd::finished});
    h5::check(H5Fflush(impl_->file.id(), H5F_SCOPE_LOCAL), "cannot be written");
    impl_->each_table([](auto& table) { table = {}; });
    impl_->file.reset();
  });
}

double ResultWriter::readable_until() const { return impl_->safe_time; }

}  // namespace scree
