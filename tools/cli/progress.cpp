#include "tools/cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace scree {

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(seconds, 0.0)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(bool terminal) : terminal_(terminal), interval_(terminal ? 0.1 : 5.0) {}

std::string Progress::line(const StepView& view, double elapsed) const {
  const double share = std::clamp(view.state.time / view.settings.time.end, 0.0, 1.0);
  const std::string left = share > 0.0 ? duration(elapsed * (1.0 - share) / share) : "?";
  const StepRecord& record = view.record;
  const std::string numbers =
      fmt::format("{:3.0f} %  t = {:.4g} s  {} left  {} contacts  {} sweeps  residual {:.1e}",
                  100.0 * share, view.state.time, left, record.contacts, record.iterations,
                  contact::stop_value(record.residual, view.settings.step.solver));
  if (!terminal_) return numbers + "\n";
  constexpr int width = 24;
  const auto full = static_cast<std::size_t>(std::floor(width * share));
  return fmt::format("\r[{:<{}}] {}\x1b[K", std::string(full, '='), width, numbers);
}

void Progress::update(const StepView& view) {
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < interval_) return;
  last_ = now;
  shown_ = true;
  std::fputs(line(view, std::chrono::duration<double>(now - begin_).count()).c_str(), stderr);
  std::fflush(stderr);
}

void Progress::finish() {
  if (terminal_ && shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace scree
