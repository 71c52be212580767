// One run of a study of flow in a periodic cell.
#pragma once

#include <atomic>

#include "tools/study/flow_measures.hpp"

namespace scree::study {

// The member's scene, read. Throws InputError.
Scene flow_member_scene(const FlowSetup& setup, const FlowMember& member);

// Throws InputError when the folder holds a finished result of the member's name but of another
// scene.
void refuse_other_flow(const FlowSetup& setup, const FlowMember& member, const Scene& scene);

// Runs it, unless the result of the same scene is there already, and measures. Leaves NAME.toml,
// NAME.h5 and NAME-profile.csv. May be called from several threads at once. Throws on failure, and
// Stopped.
FlowMeasures run_flow_member(const FlowSetup& setup, const FlowMember& member, int threads,
                             const std::atomic<bool>& stop);

}  // namespace scree::study
