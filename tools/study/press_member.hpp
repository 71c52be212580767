// One run of a study of packings under walls.
#pragma once

#include <atomic>

#include "tools/study/press_measures.hpp"

namespace scree::study {

// The member's scene, or of a biaxial test that of its packing, read. Throws InputError.
Scene press_member_scene(const PressSetup& setup, const PressMember& member);

// Throws InputError when the folder holds a finished result of the member's name but of another
// scene.
void refuse_other_press(const PressSetup& setup, const PressMember& member, const Scene& scene);

// Runs it, unless the result of the same scene is there already, and measures. Leaves NAME.toml,
// NAME.h5 and NAME-curve.csv, and of a biaxial test NAME-packing.toml and .h5. May be called from
// several threads at once. Throws on failure, and Stopped.
PressMeasures run_press_member(const PressSetup& setup, const PressMember& member, int threads,
                               const std::atomic<bool>& stop);

}  // namespace scree::study
