#include "tools/study/press_member.hpp"

#include <filesystem>
#include <mutex>

#include "scenes/read/initial_state.hpp"
#include "tools/common/output_file.hpp"
#include "tools/study/member_run.hpp"

namespace scree::study {
namespace {

std::string base_of(const PressSetup& setup, const PressMember& member) {
  return (std::filesystem::path(setup.folder) / member.name(setup.kind)).string();
}

// The run of one scene, unless it is done.
void run_scene(Scene& scene, const std::string& base, const std::atomic<bool>& stop) {
  if (is_finished(base + ".h5", scene)) return;
  write_file(base + ".toml", scene.source);
  run_into(scene, base + ".h5", nullptr, stop);
}

Scene compression(const PressSetup& setup, const PressMember& member) {
  const std::string name = member.name(setup.kind);
  return parse_scene(biaxial_scene(setup, member, name + "-packing.h5"),
                     base_of(setup, member) + ".toml");
}

}  // namespace

Scene press_member_scene(const PressSetup& setup, const PressMember& member) {
  const std::string base = base_of(setup, member);
  return setup.kind == PressKind::oedometer
             ? parse_scene(oedometer_scene(setup, member), base + ".toml")
             : parse_scene(biaxial_packing_scene(setup, member), base + "-packing.toml");
}

void refuse_other_press(const PressSetup& setup, const PressMember& member, const Scene& scene) {
  const std::string base = base_of(setup, member);
  const bool biaxial = setup.kind == PressKind::biaxial;
  const std::string file = base + (biaxial ? "-packing.h5" : ".h5");
  if (const auto found = finished_scene(file))
    refuse_other_settings(file, found->is(scene.source, scene.files));
  if (!biaxial) return;
  if (const auto found = finished_scene(base + ".h5")) {
    const Scene other = compression(setup, member);
    refuse_other_settings(base + ".h5", found->is(other.source, other.files));
  }
}

PressMeasures run_press_member(const PressSetup& setup, const PressMember& member, int threads,
                               const std::atomic<bool>& stop) {
  const std::string base = base_of(setup, member);
  Scene scene = with_threads(press_member_scene(setup, member), threads);
  if (setup.kind == PressKind::oedometer) {
    run_scene(scene, base, stop);
  } else {
    const std::string packing = base + "-packing";
    run_scene(scene, packing, stop);
    remove_checkpoint(packing + ".h5");
    Scene pressed = with_threads(compression(setup, member), threads);
    {
      const std::lock_guard lock(hdf5());
      start_from(ResultReader(packing + ".h5"), packing + ".h5", pressed);
    }
    run_scene(pressed, base, stop);
  }
  PressMeasures found;
  {
    const std::lock_guard lock(hdf5());
    const ResultReader results(base + ".h5");
    found = setup.kind == PressKind::oedometer ? oedometer_measures(setup, member, results)
                                               : biaxial_measures(setup, member, results);
  }
  write_file(base + "-curve.csv", found.curve.csv());
  remove_checkpoint(base + ".h5");
  return found;
}

}  // namespace scree::study
