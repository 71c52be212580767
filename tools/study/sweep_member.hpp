// The runs of a sweep as members of a table (scenes/members.hpp).
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "scenes/members.hpp"
#include "scenes/read/scene.hpp"
#include "tools/study/sweep_measures.hpp"
#include "tools/study/sweep_plan.hpp"

namespace scree::study {

struct SweepTask {
  std::string scene_name, scene_text;  // TOML; the folder of the name is where its files are
  SweepPlan plan;
  std::vector<SweepMeasure> measures;
};

// Columns of a row, before and behind the measures.
enum class SweepColumn : std::size_t { status, end, t_end, steps, unconverged_steps, warnings };
inline constexpr std::size_t first_measure = 6;

// The scene of a run, with one thread. Throws InputError.
Scene sweep_scene(const SweepTask& task, const std::vector<std::string>& edits);

// Throws InputError when there is a listed value with which the scene cannot be read whatever the
// other lists have, or when none of the draws can be read: so a slip of the pen ends a sweep before
// it begins, in whatever order the lists and their values stand. What only some of the other values
// refuse is a row. Returns the scene of the first choice that can be read.
Scene check_sweep(const SweepTask& task);

// `scene` is that of check_sweep, whose files and start belong to what makes the rows.
MemberTable sweep_members(const SweepTask& task, const Scene& scene);

// The row of a run, also of one that its scene or its motion ended: `status` is done, unconverged,
// refused (the scene cannot be run) or failed (the run could not go on), `message` says why. None
// when `stop` was set. May be called from several threads at once.
std::optional<MemberRow> run_sweep_member(const SweepTask& task, std::size_t i,
                                          const std::atomic<bool>& stop);

}  // namespace scree::study
