#include <iostream>

#include <engine/run.hpp>
#include <scenes/read/scene.hpp>

int main() {
  scree::Scene scene = scree::parse_scene(std::string(std::istreambuf_iterator<char>(std::cin), {}),
                                          "standard input");
  const scree::Observer observer = [](const scree::StepView& view) {
    std::cout << view.record.time << ' ' << view.state.x[0].z() << '\n';
  };
  scree::run(scene.model, scene.settings, scene.state, {&observer, 1});
}
