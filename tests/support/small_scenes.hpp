// Random small scenes as a new user would write them: one to twelve bodies, default settings, all
// from one seed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "tests/support/random_problems.hpp"

namespace scree::test {

struct SmallScene {
  std::string kind;
  std::string text;             // TOML
  bool at_rest_at_end = false;  // a stack that was set up at rest on level ground
  double dt = 0.0;
  int steps = 0;
};

// Writes bodies and materials of one scene.
class SmallSceneWriter {
 public:
  explicit SmallSceneWriter(std::uint64_t seed) : random_(seed * 2654435761u + 17u), seed_(seed) {}

  // `mirrored`: y -> -y, the same motion seen in a mirror. `halved`: twice as many steps of half
  // the length.
  SmallScene write(bool mirrored = false, bool halved = false) {
    mirrored_ = mirrored;
    size_ = std::pow(10.0, random_.uniform(-1.0, 0.3));
    static constexpr std::array kinds = {
        &SmallSceneWriter::stack,   &SmallSceneWriter::slope, &SmallSceneWriter::thrown,
        &SmallSceneWriter::grazing, &SmallSceneWriter::train, &SmallSceneWriter::fall,
        &SmallSceneWriter::bridge,  &SmallSceneWriter::heap,  &SmallSceneWriter::pushed};
    const double dt = std::pow(10.0, random_.uniform(-3.5, -2.5)) * std::sqrt(size_);
    const int steps = random_.integer(100, 300);
    (this->*kinds[static_cast<std::size_t>(
                random_.integer(0, static_cast<int>(kinds.size()) - 1))])();
    SmallScene scene;
    scene.kind = kind_;
    scene.at_rest_at_end = rests_;
    scene.dt = halved ? 0.5 * dt : dt;
    scene.steps = halved ? 2 * steps : steps;
    scene.text = fmt::format("title = \"{} {}\"\n[time]\ndt = {:.17g}\nend = {:.17g}\n", kind_,
                             seed_, scene.dt, dt * steps);
    if (no_gravity_) scene.text += "[world]\ngravity = [0.0, 0.0, 0.0]\n";
    if (random_.integer(0, 3) == 0) scene.text += "[law]\ndefault = \"newton\"\n";
    scene.text += fmt::format(
        "[[material]]\nname = \"a\"\ndensity = {:.17g}\n[[material]]\nname = \"b\"\ndensity = "
        "{:.17g}\n",
        density_a_, density_b_);
    for (const char* pair : {"\"a\", \"a\"", "\"a\", \"b\"", "\"b\", \"b\""}) {
      scene.text += fmt::format("[[contact]]\nbetween = [{}]\nmu = {}\ne = {}\n", pair, mu_, e_);
    }
    scene.text += bodies_;
    return scene;
  }

 private:
  void name(const std::string& kind) {
    kind_ = kind;
    static constexpr std::array mus = {0.0, 0.1, 0.3, 0.5, 0.7, 1.0};
    static constexpr std::array es = {0.0, 0.0, 0.2, 0.5, 0.9};
    mu_ = mus[static_cast<std::size_t>(random_.integer(0, 5))],
    e_ = es[static_cast<std::size_t>(random_.integer(0, 4))];
    density_a_ = 2500.0, density_b_ = random_.integer(0, 3) == 0 ? 25.0 : 2500.0;
  }

  std::string place(Vector3 x) const {
    if (mirrored_) x.y() = -x.y();
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x.x(), x.y(), x.z());
  }
  std::string axial(Vector3 w) const {  // changes sign with the mirror but along y
    if (mirrored_) w.x() = -w.x(), w.z() = -w.z();
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", w.x(), w.y(), w.z());
  }

  void ground(const Vector3& normal = Vector3::UnitZ()) {
    bodies_ += fmt::format(
        "[[body]]\nname = \"ground\"\nkind = \"half_space\"\nmaterial = \"a\"\nnormal = {}\n",
        place(normal));
  }

  void body(const std::string& shape, const Vector3& x, const Vector3& v = Vector3::Zero(),
            const Vector3& w = Vector3::Zero(), const Vector3& axis = Vector3::Zero(),
            double angle = 0.0) {
    bodies_ += fmt::format("[[body]]\nname = \"b{}\"\nmaterial = \"{}\"\n{}position = {}\n", ++n_,
                           random_.integer(0, 1) == 0 ? "a" : "b", shape, place(x));
    if (!v.isZero(0.0)) bodies_ += fmt::format("velocity = {}\n", place(v));
    if (!w.isZero(0.0)) bodies_ += fmt::format("angular_velocity = {}\n", axial(w));
    if (angle != 0.0)
      bodies_ +=
          fmt::format("rotation = {{ axis = {}, angle_deg = {:.17g} }}\n", axial(axis), angle);
  }

  std::string ball(double radius) const {
    return fmt::format("kind = \"sphere\"\nradius = {:.17g}\n", radius);
  }
  std::string box(const Vector3& sides) const {
    return fmt::format("kind = \"box\"\nsides = [{:.17g}, {:.17g}, {:.17g}]\n", sides.x(),
                       sides.y(), sides.z());
  }
  Vector3 sides() {
    const double x = random_.uniform(0.2, 1.0), y = random_.uniform(0.2, 1.0),
                 z = random_.uniform(0.2, 1.0);
    return size_ * Vector3(x, y, z);
  }

  // Boxes one on the other, shifted a little, at rest.
  void stack() {
    name("stack");
    rests_ = mu_ > 0.0;
    ground();
    double z = 0.0;
    for (int i = random_.integer(1, 6); i > 0; --i) {
      const Vector3 s = i % 2 == 0 ? Vector3::Constant(size_)
                                   : Vector3(size_, size_, size_ * random_.uniform(0.1, 1.0));
      const double x = size_ * random_.uniform(-0.05, 0.05),
                   y = size_ * random_.uniform(-0.05, 0.05);
      body(box(s), {x, y, z + 0.5 * s.z()});
      z += s.z();
    }
  }

  // A box lands on a slope and slides or sticks.
  void slope() {
    name("slope");
    const double angle = random_.uniform(0.0, 40.0) * M_PI / 180.0;
    ground({std::sin(angle), 0.0, std::cos(angle)});
    const Vector3 axis = random_.vector(1.0);
    body(box(random_.integer(0, 1) == 0 ? Vector3(Vector3::Constant(size_)) : sides()),
         {0.0, 0.0, size_ * random_.uniform(1.0, 1.5)}, Vector3::Zero(), Vector3::Zero(), axis,
         random_.uniform(1.0, 180.0));
  }

  // Boxes and balls thrown on the ground.
  void thrown() {
    name("thrown");
    ground();
    for (int i = random_.integer(1, 5); i > 0; --i) {
      const Vector3 x(2.5 * size_ * i, size_ * random_.uniform(-0.2, 0.2),
                      size_ * random_.uniform(1.0, 2.0));
      const Vector3 v = random_.vector(3.0 * std::sqrt(size_)),
                    w = random_.vector(3.0 / std::sqrt(size_));
      const bool round = random_.integer(0, 1) == 0;
      const std::string shape = round ? ball(size_ * random_.uniform(0.2, 0.5)) : box(sides());
      body(shape, x, v, w, random_.vector(1.0), random_.uniform(1.0, 180.0));
    }
  }

  // A ball or a box that touches a wall, or nearly, and falls along it.
  void grazing() {
    name("grazing");
    bodies_ += fmt::format(
        "[[body]]\nname = \"wall\"\nkind = \"half_space\"\nmaterial = \"a\"\nnormal = {}\n",
        place(Vector3::UnitX()));
    if (random_.integer(0, 1) == 0) ground();
    const double gap =
        random_.integer(0, 1) == 0 ? 0.0 : size_ * std::pow(10.0, random_.uniform(-12.0, -3.0));
    const bool round = random_.integer(0, 1) == 0;
    const Vector3 v(random_.integer(0, 1) == 0 ? 0.0 : -random_.uniform(0.0, 0.1), 0.0,
                    random_.integer(0, 1) == 0 ? 0.0 : random_.uniform(-1.0, 1.0));
    body(round ? ball(0.5 * size_) : box(Vector3::Constant(size_)),
         {0.5 * size_ + gap, 0.0, 1.5 * size_}, v);
  }

  // Balls or cubes in a row, hit by the first; without gravity.
  void train() {
    name("train");
    no_gravity_ = true;
    const bool round = random_.integer(0, 2) > 0;
    const double gap = random_.integer(0, 1) == 0 ? 0.0 : size_ * random_.uniform(0.001, 0.02);
    const int n = random_.integer(2, 9);
    for (int i = 0; i < n; ++i) {
      body(round ? ball(0.5 * size_) : box(Vector3::Constant(size_)), {(size_ + gap) * i, 0.0, 0.0},
           i == 0 ? Vector3(random_.uniform(0.1, 2.0), 0.0, 0.0) : Vector3::Zero());
    }
  }

  // Bodies one above the other in the air, the upper ones faster: they meet and fall on together.
  void fall() {
    name("fall");
    ground();
    const bool round = random_.integer(0, 1) == 0;
    const int n = random_.integer(2, 4);
    for (int i = 0; i < n; ++i) {
      body(round ? ball(0.5 * size_) : box(Vector3::Constant(size_)),
           {0.0, 0.0, size_ * (6.0 + 1.02 * i)}, {0.0, 0.0, -0.3 * i * std::sqrt(size_)});
    }
  }

  // A beam on posts, with a block on it.
  void bridge() {
    name("bridge");
    rests_ = mu_ > 0.0;
    ground();
    const int posts = random_.integer(2, 3);
    const double height = size_ * random_.uniform(0.3, 1.0), span = size_ * 2.0;
    for (int i = 0; i < posts; ++i)
      body(box({0.3 * size_, 0.3 * size_, height}),
           {span * (i / (posts - 1.0) - 0.5), 0.0, 0.5 * height});
    const double thick = 0.1 * size_;
    body(box({1.3 * span, 0.3 * size_, thick}), {0.0, 0.0, height + 0.5 * thick});
    body(box(Vector3::Constant(0.5 * size_)),
         {size_ * random_.uniform(-0.3, 0.3), 0.0, height + thick + 0.25 * size_});
  }

  // Loose bodies dropped over each other.
  void heap() {
    name("heap");
    ground();
    for (int i = random_.integer(2, 11); i >= 0; --i) {
      const Vector3 x(size_ * random_.uniform(-0.5, 0.5), size_ * random_.uniform(-0.5, 0.5),
                      size_ * (0.9 + 1.1 * i));
      const std::string shape = random_.integer(0, 2) == 0
                                    ? ball(size_ * random_.uniform(0.2, 0.45))
                                    : box(0.6 * sides());
      body(shape, x, Vector3::Zero(), Vector3::Zero(), random_.vector(1.0),
           random_.uniform(1.0, 180.0));
    }
  }

  // A block pushed over the ground by another.
  void pushed() {
    name("pushed");
    ground();
    const double speed = random_.uniform(0.05, 1.0);
    bodies_ += fmt::format(
        "[[body]]\nname = \"pusher\"\nkind = \"box\"\nsides = [{0:.17g}, {0:.17g}, "
        "{0:.17g}]\nmaterial = \"a\"\nposition = {1}\n"
        "[body.motion]\nkind = \"velocity\"\ntime = [0.0, 100.0]\nlinear = [[{2:.17g}, 0.0, 0.0], "
        "[{2:.17g}, 0.0, 0.0]]\n",
        size_, place({-0.55 * size_, 0.0, 0.51 * size_}), speed);
    mu_ = std::min(mu_, 0.7);
    for (int i = random_.integer(1, 3); i > 0; --i)
      body(box(Vector3::Constant(0.8 * size_)), {size_ * (0.4 + 0.8 * (i - 1)), 0.0, 0.4 * size_});
  }

  Random random_;
  std::uint64_t seed_;
  double size_ = 1.0, mu_ = 0.0, e_ = 0.0, density_a_ = 0.0, density_b_ = 0.0;
  bool mirrored_ = false, rests_ = false, no_gravity_ = false;
  int n_ = 0;
  std::string kind_, bodies_;
};

inline SmallScene small_scene(std::uint64_t seed, bool mirrored = false, bool halved = false) {
  return SmallSceneWriter(seed).write(mirrored, halved);
}

}  // namespace scree::test
