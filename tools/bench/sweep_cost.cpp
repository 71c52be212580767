#include "tools/bench/sweep_cost.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/stopwatch.hpp"

namespace scree::bench {
namespace {

struct Solve {
  double seconds = 0.0;
  std::int64_t sweeps = 0;
};

// From the impulses that the step ended with; nothing stops the sweeps but their number.
Solve fixed_sweeps(Workspace& work, std::int64_t count) {
  contact::SolverOptions options;
  options.method = contact::Method::nsgs;
  options.tolerance = std::numeric_limits<double>::min();
  options.min_iterations = options.max_iterations = count;
  std::vector<Vector3> p = work.p, moment = work.moment;
  Stopwatch watch;
  const contact::SolveReport report = work.solver.solve(work.problem, options, work.executor, p,
                                                        work.v_solver, work.w_solver, moment);
  return {watch.lap(), report.iterations};
}

}  // namespace

double sweep_cost(Workspace& work) {
  constexpr std::int64_t few = 4;
  constexpr double visits = 4e5;  // of the longer solve: about a hundredth of a second
  const std::size_t n = work.problem.n_contacts();
  if (n == 0) return std::numeric_limits<double>::quiet_NaN();
  const std::int64_t many =
      few + std::max<std::int64_t>(20, static_cast<std::int64_t>(visits / static_cast<double>(n)));
  // What else the machine does only adds time: the shortest of some.
  Solve short_one = fixed_sweeps(work, few), long_one = fixed_sweeps(work, many);
  for (int i = 0; i < 4; ++i) {
    short_one.seconds = std::min(short_one.seconds, fixed_sweeps(work, few).seconds);
    long_one.seconds = std::min(long_one.seconds, fixed_sweeps(work, many).seconds);
  }
  return 1e9 * (long_one.seconds - short_one.seconds) /
         static_cast<double>((long_one.sweeps - short_one.sweeps) * static_cast<std::int64_t>(n));
}

}  // namespace scree::bench
