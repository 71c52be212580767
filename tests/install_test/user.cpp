#include <cstdio>
#include <exception>

#include <scenes/simulation.hpp>

// Runs the scene that is named, records it, and tells how its first body moves.
int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: user SCENE.toml RESULT.h5\n"), 2;
  try {
    scree::Simulation simulation = scree::Simulation::read(argv[1]);
    std::printf("time [s]  height [m]  speed [m/s]  contacts  kinetic + potential [J]\n");
    simulation.observe([](const scree::StepView& view) {
      const scree::State& state = view.state;
      std::printf("%8.4f %11.6f %12.6f %9ld %24.9g\n", state.time, state.x[0].z(),
                  state.v[0].norm(), long(view.record.contacts),
                  view.record.ledger.kinetic + view.record.ledger.potential);
    });
    simulation.record(argv[2], true);
    const scree::RunReport report = simulation.run();
    std::printf("%ld steps, %ld unconverged, state %.8s, in %s\n", long(report.steps),
                long(report.unconverged_steps), report.state_hash.c_str(),
                simulation.file().c_str());
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
