// Puts bodies into a scene: Model and State grow together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenes/read/document.hpp"
#include "scenes/read/read_loads.hpp"
#include "scenes/read/scene.hpp"

namespace scree::scenes {

// What the position of a body is the position of.
enum class Reference { centre_of_mass, drawing };

// Where a body starts and how it moves, in world axes W; U are the axes that its shape was drawn
// in.
struct Placement {
  Reference reference = Reference::centre_of_mass;
  Vector3 position = Vector3::Zero();  // [m]
  Quaternion q_WU = Quaternion::Identity();
  Vector3 v_W = Vector3::Zero();                      // [m/s]
  Vector3 w_W = Vector3::Zero();                      // [rad/s] world axes
  std::optional<std::vector<std::string>> free = {};  // directions; all, or those of the plane
};

class SceneBuilder {
 public:
  SceneBuilder(Document& document, Scene& scene, std::vector<NamedLoad> loads = {})
      : document_(document), scene_(scene), loads_(std::move(loads)) {}

  // Appends a body, with the loads that name it; `place` and `field` name it in messages.
  void add(const BodyDefinition& definition, const Placement& placement, Place place,
           const std::string& field);

  // Finds the bodies that loads name. Throws unless all are there. Call last.
  void finish_loads();

  const Scene& scene() const { return scene_; }
  WarningLog& warnings() { return scene_.state.warnings; }

  // Bodies that are added from now on are of this group; empty: of none.
  void set_group(std::string group) { group_ = std::move(group); }
  const std::vector<std::string>& group_of_body() const { return group_of_body_; }

 private:
  // Locks what the body's `free` and the plane of the scene lock.
  void lock(const BodyDefinition& definition, const Placement& placement, Place place,
            const std::string& field);
  BodyIndex body_named(const std::string& name, Place place, const std::string& field) const;
  std::vector<std::string> free_names(const Placement& placement, Place place,
                                      const std::string& field) const;

  void warn_of_matter(const BodyDefinition& definition);
  void append(const BodyDefinition& definition, const Placement& placement, Place place,
              const std::string& field);

  Document& document_;
  Scene& scene_;
  std::vector<NamedLoad> loads_;
  std::map<std::string, Place> named_;
  std::optional<double> plane_;  // [m] coordinate of the plane that all bodies are symmetric to
  std::string group_;
  std::vector<std::string> group_of_body_;  // [n_bodies]
};

}  // namespace scree::scenes
