#include "engine/files/result_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "engine/base/check.hpp"
#include "engine/base/hdf5_file.hpp"
#include "engine/files/measure_tables.hpp"
#include "engine/files/result_appenders.hpp"
#include "engine/files/result_copy.hpp"
#include "engine/files/result_layout.hpp"
#include "engine/files/stress_tables.hpp"
#include "engine/files/twin_driver.hpp"
#include "engine/files/warning_table.hpp"
#include "engine/state_hash.hpp"

namespace scree {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

[[noreturn]] void refuse_target(const std::string& path, const std::string& message) {
  throw InputError(path + ": " + message);
}

void check_target(const std::string& path, bool replace) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) refuse_target(path, "is a folder; give the name of a file");
  if (!replace)
    refuse_target(path, "exists already; choose another name, or use --force to replace it");
  if (!fs::is_regular_file(status))
    refuse_target(path, "is not a regular file, so it cannot be replaced by a result file");
  if (access(path.c_str(), W_OK) != 0)
    refuse_target(path, std::string("cannot be replaced: ") + std::strerror(errno));
}

}  // namespace

struct ResultWriter::Impl {
  TwinFile twin;  // outlives `file`
  h5::Handle file;
  std::int64_t failure_offset = 0;  // in the file
  std::unique_ptr<StepTables> steps;
  std::unique_ptr<MeasureTables> measures;
  std::unique_ptr<FrameTables> frames;
  std::unique_ptr<ContactTables> contacts;
  std::unique_ptr<PairTables> pairs;
  std::unique_ptr<measure::BodyStress> stress;  // none unless somebody asks for stresses
  std::unique_ptr<StressTables> stresses;
  std::unique_ptr<GaugeTables> gauges;
  ImpulseSums sums;  // since the last frame
  double frames_per_second = 0.0;
  double last_frame = 0.0;  // number of frame periods at the last frame
  std::optional<RecordedRows>
      before_extra;  // before a frame that is there only because the run ended off schedule
  bool started = false, failed = false, held = false;
  double last_time = -1.0, last_frame_time = -1.0;  // [s] recorded
  double safe_time = -1.0, safe_frame_time = -1.0;  // [s] joined
  WarningLog warnings;                              // of the last step recorded
  double join_seconds = 0.0;                        // that the last join took
  Clock::time_point begin = Clock::now(), last_join = begin, last_frames = begin;

  Impl(const std::string& path, bool replace) : twin(path, replace) {}
  ~Impl() { twin.discard(); }  // what is closed now changes nothing any more
  void create(const Resumption* resumption, const ResultOrigin& origin, const Model& model,
              const Settings& settings);
  void open_tables(const Model& model, const Settings& settings, const Resumption* resumption);
  void record(const StepView& view, bool last);
  double periods_at(double time) const { return std::floor(time * frames_per_second + 1e-6); }
  bool frame_due(const StepView& view);
  void write_frames();
  void join_when_due(bool last);
  void write_all();
  void join();
  RecordedRows rows() const {
    return {frames ? frames->count : 0, contacts ? contacts->count : 0, pairs ? pairs->count : 0,
            sums.pairs(), stresses ? stresses->open_sums() : measure::StressSums()};
  }
  void record_stress(const StepView& view);
  void abandon();
  void note_failure(const std::string& reason);
  std::string what_is_kept() const;

  // Calls action() with the library quiet; an error of it ends the recording.
  template <class Action>
  void guarded(Action&& action) {
    if (failed) return;
    const h5::Quiet quiet;
    try {
      action();
    } catch (const h5::Error& error) {
      abandon();
      const std::string kept = what_is_kept();
      note_failure(fmt::format("writing failed: {}; {}", error.what(), kept));
      throw RecordingFailure(fmt::format("{}: {}; {}", twin.path(), error.what(), kept));
    }
  }

  template <class Action>
  void each_frame_table(Action&& action) {
    if (contacts) contacts->each(action);
    if (pairs) pairs->each(action);
    if (stresses) stresses->each(action);
    if (frames) frames->each(action);
  }
  // Those of steps come last: what readers count steps by.
  template <class Action>
  void each_step_table(Action&& action) {
    if (measures) measures->each(action);
    if (gauges) gauges->each(action);
    if (steps) steps->each(action);
  }
  template <class Action>
  void each_table(Action&& action) {
    each_frame_table(action);
    each_step_table(action);
  }
};

void ResultWriter::Impl::create(const Resumption* resumption, const ResultOrigin& origin,
                                const Model& model, const Settings& settings) {
  const h5::Quiet quiet;
  try {
    file = h5::create_twin(twin);
    write_layout(file.id(), origin, model, settings);
    if (resumption != nullptr) copy_recorded(*resumption, file.id());
    failure_offset = h5::offset_of(file.id(), failure_data_set);
    open_tables(model, settings, resumption);
    h5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "cannot be written");
  } catch (const h5::Error& error) {
    abandon();
    throw RecordingFailure(fmt::format("{}: {}; nothing was recorded", twin.path(), error.what()));
  } catch (const std::exception&) {
    abandon();
    throw;
  }
}

void ResultWriter::Impl::open_tables(const Model& model, const Settings& settings,
                                     const Resumption* resumption) {
  frames_per_second = settings.output.frames_per_second;
  if (resumption != nullptr) {
    started = true;
    last_time = resumption->time;
    last_frame = periods_at(resumption->time);
    sums = ImpulseSums(resumption->rows.open_sums);
  }
  steps = std::make_unique<StepTables>(file.id());
  if (settings.measure.wanted() || h5::exists(file.id(), departures_group))
    measures = std::make_unique<MeasureTables>(file.id(), settings);
  if (settings.output.keep_frames) frames = std::make_unique<FrameTables>(file.id());
  if (settings.output.keep_frames && settings.output.contacts) {
    contacts = std::make_unique<ContactTables>(
        file.id(), resumption != nullptr ? resumption->rows.contacts : 0);
    pairs =
        std::make_unique<PairTables>(file.id(), resumption != nullptr ? resumption->rows.pairs : 0);
  }
  if (settings.output.writes_stress()) {
    stresses = std::make_unique<StressTables>(
        file.id(), settings,
        resumption != nullptr ? resumption->rows.open_stress : measure::StressSums());
  }
  if (!settings.measure.gauges.empty())
    gauges = std::make_unique<GaugeTables>(file.id(), model, settings);
  if (stresses || gauges) stress = std::make_unique<measure::BodyStress>();
}

// A frame is due when a multiple of the period has been reached since the last one; a millionth of
// it is round-off.
bool ResultWriter::Impl::frame_due(const StepView& view) {
  const double periods = periods_at(view.state.time);
  const bool due = !started || (frames_per_second > 0.0 && periods > last_frame);
  if (due) last_frame = periods;
  return due;
}

void ResultWriter::Impl::record_stress(const StepView& view) {
  if (!stress) return;
  if (!started) return stress->start(view.state);
  stress->compute(view);
  if (gauges) gauges->push(view, *stress);
  if (stresses) stresses->add(*stress);
}

void ResultWriter::Impl::record(const StepView& view, bool last) {
  const auto write_full = [](auto& table) { table.write_full(); };
  steps->push(view, !started);
  if (measures && started) measures->push(view);
  if (measures && !started) measures->begin(view.state);
  record_stress(view);
  if (measures && measures->full()) measures->each([](auto& table) { table.write_out(); });
  if (steps->full()) each_step_table([](auto& table) { table.write_out(); });
  if (pairs) sums.add(view);
  const bool due = frame_due(view);
  if (frames && (due || last)) {
    if (!due) before_extra = rows();
    if (contacts) contacts->push(view);
    if (pairs) pairs->push(view, sums);
    sums.clear();
    if (stresses) stresses->push(view, started);
    frames->push(view.model, view.state);
    if (contacts) contacts->each(write_full);
    if (pairs) pairs->each(write_full);
    if (stresses) stresses->each(write_full);
    if (frames->full()) write_frames();
  }
  last_time = view.state.time;
  warnings = view.state.warnings;
  started = true;
  join_when_due(last);
}

void ResultWriter::Impl::write_frames() {
  each_frame_table([](auto& table) { table.write_out(); });
  if (frames) frames->write_last(file.id());
  last_frames = Clock::now();
}

// The tables of steps are joined once a second at first, every half minute after hours, and so that
// joins take a twentieth of the time at most. Frames go out when their chunks are full: written
// before, they would be compressed twice. They wait ten seconds at first, a minute after hours.
void ResultWriter::Impl::join_when_due(bool last) {
  if (held) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = seconds_between(begin, now);
  const double wait = std::max(std::clamp(elapsed / 200.0, 1.0, 30.0), 20.0 * join_seconds);
  const bool first = !twin.published();
  if (!first && !last && seconds_between(last_join, now) <= wait) return;
  if (first || last || seconds_between(last_frames, now) > std::clamp(elapsed / 20.0, 10.0, 60.0))
    write_frames();
  join();
}

void ResultWriter::Impl::write_all() {
  write_frames();
  write_warnings(file.id(), warnings);
  each_step_table([](auto& table) { table.write_out(); });
  h5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "cannot be written");
}

// Rows of frames that wait are not in it.
void ResultWriter::Impl::join() {
  const Clock::time_point start = Clock::now();
  if (file.valid()) {
    write_warnings(file.id(), warnings);
    each_step_table([](auto& table) { table.write_out(); });
    h5::check(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "cannot be written");
  }
  try {
    twin.publish(!file.valid());
  } catch (const std::runtime_error& error) {
    throw h5::Error(error.what());
  }
  held = false;
  safe_time = last_time;
  safe_frame_time = frames ? frames->written_time : -1.0;
  last_join = Clock::now();
  join_seconds = seconds_between(start, last_join);
}

void ResultWriter::Impl::abandon() {
  failed = true;
  twin.discard();
  each_table([](auto& table) { table.abandon(); });
  file.abandon();
}

// Past HDF5, into bytes that the file has had from the start: they can be written when nothing can
// be added.
void ResultWriter::Impl::note_failure(const std::string& reason) {
  twin.patch(reason.substr(0, failure_length - 1) + '\0', failure_offset);
}

// What was joined stands, whatever failed since, unless somebody took it away.
std::string ResultWriter::Impl::what_is_kept() const {
  if (!twin.published() || safe_time < 0.0) return "nothing was recorded";
  if (!twin.stands()) return "what was recorded was removed or changed while the run went on";
  const std::string with_frames =
      safe_frame_time < 0.0 ? "" : fmt::format(", with frames up to t = {:.9g} s", safe_frame_time);
  return fmt::format("it is readable up to t = {:.9g} s{}", safe_time, with_frames);
}

ResultWriter::ResultWriter(const std::string& path, bool replace, const ResultOrigin& origin,
                           const Model& model, const Settings& settings) {
  check_target(path, replace);
  impl_ = std::make_unique<Impl>(path, replace);
  impl_->create(nullptr, origin, model, settings);
}

ResultWriter::ResultWriter(const std::string& path, const Resumption& resumption,
                           const ResultOrigin& origin, const Model& model,
                           const Settings& settings) {
  check_target(path, true);
  impl_ = std::make_unique<Impl>(path, true);
  check_recorded(resumption, scene_hash(origin.scene_source, origin.scene_files));
  Resumption wanted = resumption;
  if (resumption.at_end) {
    wanted.rows = rows_to_end(resumption);
    impl_->before_extra = resumption.rows;
  }
  impl_->create(&wanted, origin, model, settings);
}

ResultWriter::~ResultWriter() {
  if (!impl_ || !impl_->file.valid() || impl_->failed) return;
  const h5::Quiet quiet;
  try {
    if (impl_->started) impl_->write_all(), impl_->join();
  } catch (const h5::Error&) {
    impl_->abandon();  // the run that could not finish has been reported; a second message would
                       // say nothing new
  }
  impl_.reset();
}

ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;

void ResultWriter::record(const StepView& view, bool last) {
  impl_->guarded([&] { impl_->record(view, last); });
}

void ResultWriter::go_on_from(const State& state) {
  if (impl_->measures) impl_->measures->go_on_from(state);
  if (impl_->stress) impl_->stress->start(state);
}

void ResultWriter::hold() { impl_->held = true; }

RecordedRows ResultWriter::prepare() {
  RecordedRows rows;
  impl_->guarded([&] {
    impl_->write_all();
    rows = impl_->before_extra.value_or(impl_->rows());
  });
  return rows;
}

void ResultWriter::join() {
  impl_->guarded([&] { impl_->join(); });
}

void ResultWriter::flush() {
  prepare();
  join();
}

void ResultWriter::finish(const RunReport& report) {
  impl_->guarded([&] {
    impl_->warnings = report.warnings;
    impl_->write_all();
    h5::update_attribute(impl_->file.id(), "time_end", report.time_end);
    h5::update_attribute(impl_->file.id(), "state_hash", report.state_hash);
    h5::update_attribute(impl_->file.id(), "finished", std::int64_t{report.end != RunEnd::stopped});
    h5::check(H5Fflush(impl_->file.id(), H5F_SCOPE_LOCAL), "cannot be written");
    impl_->each_table([](auto& table) { table = {}; });
    impl_->file.reset();
    impl_->join();
    impl_->twin.discard();  // here, so that a copy that cannot be removed is told of
  });
}

void ResultWriter::fail(const std::string& reason) {
  // Held back for a checkpoint that never came: an older file, with a checkpoint of its own, stays.
  if (impl_->held) return impl_->abandon();
  impl_->guarded([&] {
    impl_->write_all();
    impl_->join();
    impl_->note_failure(
        impl_->safe_time < 0.0
            ? reason
            : fmt::format("{}; it is readable up to t = {:.9g} s", reason, impl_->safe_time));
    impl_->failed = true;
    impl_->twin.discard();
  });
}

const std::string& ResultWriter::path() const { return impl_->twin.path(); }

const std::vector<std::string>& ResultWriter::disturbances() const {
  return impl_->twin.disturbances();
}

std::string ResultWriter::readable() const {
  const bool stands = impl_->twin.stands() && impl_->safe_time >= 0.0;
  return stands ? fmt::format("{} is readable up to t = {:.9g} s", path(), impl_->safe_time)
                : fmt::format("{}: {}", path(), impl_->what_is_kept());
}

}  // namespace scree
