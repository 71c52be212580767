#include "tools/study/flow_member.hpp"

#include <filesystem>
#include <mutex>

#include "tools/common/output_file.hpp"
#include "tools/study/member_run.hpp"

namespace scree::study {
namespace {

std::string base_of(const FlowSetup& setup, const FlowMember& member) {
  return (std::filesystem::path(setup.folder) / member.name(setup.kind)).string();
}

}  // namespace

Scene flow_member_scene(const FlowSetup& setup, const FlowMember& member) {
  return parse_scene(flow_scene(setup, member), base_of(setup, member) + ".toml");
}

void refuse_other_flow(const FlowSetup& setup, const FlowMember& member, const Scene& scene) {
  const std::string file = base_of(setup, member) + ".h5";
  if (const auto found = finished_scene(file))
    refuse_other_settings(file, found->is(scene.source, scene.files));
}

FlowMeasures run_flow_member(const FlowSetup& setup, const FlowMember& member, int threads,
                             const std::atomic<bool>& stop) {
  const std::string base = base_of(setup, member);
  Scene scene = with_threads(flow_member_scene(setup, member), threads);
  if (!is_finished(base + ".h5", scene)) {
    write_file(base + ".toml", scene.source);
    run_into(scene, base + ".h5", nullptr, stop);
  }
  FlowMeasures found;
  {
    const std::lock_guard lock(hdf5());
    const ResultReader results(base + ".h5");
    found = setup.kind == FlowKind::shear ? shear_measures(setup, member, results)
                                          : chute_measures(setup, member, results);
  }
  write_file(base + "-profile.csv", profile_csv(setup, found.profile));
  remove_checkpoint(base + ".h5");
  return found;
}

}  // namespace scree::study
