#include "tools/study/front_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>

#include "tools/common/output_file.hpp"

namespace scree::study {
namespace {

constexpr const char* front_header =
    "time [s],mass_99_front [m],chain_front [m],top [m],kinetic [J]";
constexpr double time_slack = 1e-12;  // [s] round-off of a time

std::optional<std::array<double, 5>> read_row(const std::string& line) {
  std::array<double, 5> row{};
  const char *at = line.data(), *end = at + line.size();
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto [after, error] = std::from_chars(at, end, row[k]);
    const bool is_last = k + 1 == row.size();
    if (error != std::errc() || (is_last ? after != end : after == end || *after != ','))
      return std::nullopt;
    at = after + 1;
  }
  return row;
}

}  // namespace

bool FrontRecorder::go_on(double until) {
  std::ifstream file(path_);
  std::string line;
  if (!std::getline(file, line) || line != front_header) return false;
  std::vector<double>* const columns[] = {&time, &mass_99, &chain_front, &top, &kinetic};
  while (std::getline(file, line) && !file.eof()) {  // a line without its end is no row
    const auto row = read_row(line);
    // Steps after that are done again. Off the schedule is the last step before a stop.
    if (!row || row->front() > until + time_slack) break;
    if (row->front() < next_ - time_slack) continue;
    for (std::size_t k = 0; k < row->size(); ++k) columns[k]->push_back((*row)[k]);
    next_ = time.back() + interval_;
  }
  if (!time.empty() && next_ > until + time_slack) return true;
  start_over();
  return false;
}

void FrontRecorder::start_over() {
  for (std::vector<double>* column : {&time, &mass_99, &chain_front, &top, &kinetic})
    column->clear();
  next_ = 0.0;
}

void FrontRecorder::operator()(const StepView& view) {
  if (!view.last && view.record.time < next_ - time_slack) return;
  next_ = view.record.time + interval_;
  const std::vector<GrainPlace> places = grain_places(view.model, view.state, grains_, frame_);
  const std::vector<std::uint8_t> pile = in_pile(view, grains_);
  double chain = 0.0, height = 0.0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (pile[k] == 0) continue;
    chain = std::max(chain, places[k].out), height = std::max(height, places[k].top);
  }
  time.push_back(view.record.time), mass_99.push_back(volume_radius(places, grains_, 0.99));
  chain_front.push_back(chain), top.push_back(height),
      kinetic.push_back(view.record.ledger.kinetic);
  if (view.last)
    coordination = coordination_number(view, grains_), last_pile = pile, last_places = places;
  write();
}

double FrontRecorder::time_of(double share) const {
  const double wanted = mass_99.front() + share * (mass_99.back() - mass_99.front());
  std::size_t i = time.size();
  while (i > 0 && mass_99[i - 1] >= wanted) --i;
  return i < time.size() ? time[i] : time.back();
}

double FrontRecorder::time_of_largest_speed() const {
  double best = 0.0, at = 0.0;
  for (std::size_t i = 1; i < time.size(); ++i) {
    const double speed = (mass_99[i] - mass_99[i - 1]) / (time[i] - time[i - 1]);
    if (speed > best) best = speed, at = 0.5 * (time[i] + time[i - 1]);
  }
  return at;
}

// With all digits, from which a run goes on.
void FrontRecorder::write() const {
  std::string text = fmt::format("{}\n", front_header);
  for (std::size_t i = 0; i < time.size(); ++i)
    text +=
        fmt::format("{},{},{},{},{}\n", time[i], mass_99[i], chain_front[i], top[i], kinetic[i]);
  write_file(path_, text);
}

}  // namespace scree::study
