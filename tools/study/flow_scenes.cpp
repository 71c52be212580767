#include "tools/study/flow_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tools/study/flow_fit.hpp"

namespace scree::study {
namespace {

// World, law, materials, and what both kinds of flow measure.
std::string head(const FlowSetup& setup, const FlowMember& member) {
  const bool shear = setup.kind == FlowKind::shear;
  const double slope = member.value * std::numbers::pi / 180.0;
  const double end = setup.time(member, setup.settle + setup.measure);
  std::string text;
  if (shear) {
    text = fmt::format(
        "# Plane shear of grains between two rough plates under a pressure, I = {0:g}.\n"
        "# Look for: a straight profile of velocities, and a friction that grows with I.\n"
        "title = \"Plane shear, I = {0:g}\"\n\n[world]\ngravity = [0, 0, 0]\n",
        member.value);
  } else {
    text = fmt::format(
        "# A layer of grains on a rough slope of {0:g} degrees; x goes down the slope.\n"
        "# Look for: a steady flow, the faster the higher above the base.\n"
        "title = \"Flow down {0:g} degrees\"\n\n[world]\ngravity = [{1}, 0, {2}]\n",
        member.value, setup.g * std::sin(slope), -setup.g * std::cos(slope));
  }
  text += fmt::format("periodic = [{}, {}, 0]\n\n", setup.length(), setup.width());
  text +=
      fmt::format("[time]\ndt = {}\nend = {}\ntheta = {}\n\n", setup.dt(member), end, setup.theta);
  text += fmt::format(
      "[law]\ndefault = \"{}\"\ncorrection = \"projection\"\ncorrection_slop = 1e-3\n\n",
      setup.law);
  text += fmt::format("[solver]\ntolerance = {}\n\n[output]\nframes_per_second = {}\n\n",
                      setup.tolerance, 100.0 / end);
  text += fmt::format("[[material]]\nname = \"bead\"\ndensity = {}\n\n", setup.density);
  text += fmt::format("[[contact]]\nbetween = [\"bead\", \"bead\"]\nmu = {}\ne = {}\n\n",
                      member.friction, member.restitution);
  return text;
}

// `top` [m]: where shear's velocities, which begin as a straight profile, are those of the upper
// plate.
std::string grains(const FlowSetup& setup, const FlowMember& member, double top) {
  const double low = (1.0 - setup.spread) * setup.d, high = (1.0 + setup.spread) * setup.d;
  std::string text = fmt::format(
      "[[grains]]\nname = \"grain\"\ngroup = \"grains\"\nmaterial = \"bead\"\ncount = {}\nseed = "
      "{}\nshape = \"{}\"\n",
      setup.grains, member.seed, setup.shape);
  if (setup.shape == "hull") text += "sphericity = 0.8\n";
  text += fmt::format("size_range = [{}, {}]\n", low, high);
  // Above the highest grain of the plate, which reaches 0.7 d above its middle.
  const double base = 0.25 * setup.d;
  text += fmt::format("position = [{}, {}, {}]\n", 0.5 * setup.length(), 0.5 * setup.width(), base);
  if (setup.kind == FlowKind::shear) {
    const double gradient = -setup.plate_speed(member) / top;
    text += fmt::format("velocity = [{}, 0, 0]\nvelocity_gradient = [{}, 0, 0]\n",
                        setup.plate_speed(member) + base * gradient, gradient);
  } else {
    text += fmt::format("velocity = [{}, 0, 0]\n", setup.start_speed(member));
  }
  text += fmt::format("region = {{ kind = \"box\", length = {}, width = {} }}\n\n", setup.length(),
                      setup.width());
  return text;
}

// A plate whose surface is about the plane z = 0 (lower) or `z` (upper).
std::string plate(const FlowSetup& setup, const char* name, std::int64_t seed, double z,
                  const std::string& keys) {
  return fmt::format(
      "[[rough_plate]]\nname = \"{0}\"\ngroup = \"{0}\"\nmaterial = \"bead\"\nlength = {1}\nwidth "
      "= {2}\ngrain = {3}\nseed = {4}\nposition = [{5}, {6}, {7}]\n{8}\n",
      name, setup.length(), setup.width(), setup.d, seed, 0.5 * setup.length(), 0.5 * setup.width(),
      z, keys);
}

std::string gauge(const FlowSetup& setup, const char* name, double low, double high, int cells) {
  return fmt::format(
      "[[gauge]]\nname = \"{}\"\nkind = \"grid\"\nbodies = [\"grains\"]\nlow = [0, 0, {}]\nhigh = "
      "[{}, {}, {}]\ncells = [1, 1, {}]\n\n",
      name, low, setup.length(), setup.width(), high, cells);
}

// Of the highest grain at the start [m].
double top_of_grains(const FlowSetup& setup, const FlowMember& member) {
  const Scene scene =
      parse_scene(head(setup, member) + grains(setup, member, setup.height()), "grains");
  double top = 0.0;
  for (std::size_t i = 0; i < scene.state.x.size(); ++i)
    top = std::max(top, scene.state.x[i].z() + scene.model.radius[i]);
  return top;
}

}  // namespace

std::string FlowMember::name(FlowKind kind) const {
  return fmt::format("{}{:g}-s{}-mu{:g}-e{:g}", kind == FlowKind::shear ? "I" : "a", value, seed,
                     friction, restitution);
}

double FlowSetup::length() const { return across * d; }

double FlowSetup::width() const {
  const double rows = 2.0 * std::max(1.0, std::round(across / std::sqrt(3.0)));
  return rows * 0.5 * std::sqrt(3.0) * d;
}

double FlowSetup::height() const {
  // Mean of the cube of sizes spread evenly.
  const double volume = std::numbers::pi / 6.0 * d * d * d * (1.0 + spread * spread);
  return static_cast<double>(grains) * volume / (packing * area());
}

double FlowSetup::time_unit() const {
  return kind == FlowKind::shear ? d * std::sqrt(density / P) : std::sqrt(d / g);
}

double FlowSetup::dt(const FlowMember& member) const {
  // Neighbours pass by at I d in a unit of time: in a step by at most a twentieth of `step`. On a
  // slope I is about 0.3, and the unit that of the weight half way up.
  constexpr double slow = 0.05, on_slope = 0.3;
  if (kind == FlowKind::shear) return step * std::min(1.0, slow / member.value) * time_unit();
  const double load = packing * 0.5 * height() / d;
  return step * slow / on_slope / std::sqrt(load) * time_unit();
}

double FlowSetup::time(const FlowMember& member, double amount) const {
  return kind == FlowKind::shear ? amount / member.value * time_unit() : amount * time_unit();
}

// On a slope: the mean of Bagnold's profile at the inertial number that has the slope's friction,
// by the law of glass beads (flow_fit.hpp).
double FlowSetup::start_speed(const FlowMember& member) const {
  const double slope = member.value * std::numbers::pi / 180.0, mu = std::tan(slope);
  const FrictionLaw& beads = published_laws[0].law;
  constexpr double most = 0.5;
  const double I = mu >= beads.mu_2
                       ? most
                       : std::clamp(beads.I_0 * (mu - beads.mu_s) / (beads.mu_2 - mu), 0.0, most);
  return 0.4 * I * std::sqrt(packing * g * std::cos(slope) * d) * std::pow(height() / d, 1.5);
}

double FlowSetup::plate_speed(const FlowMember& member) const {
  return member.value / time_unit() * height();
}

std::string flow_scene(const FlowSetup& setup, const FlowMember& member) {
  std::string text = head(setup, member);
  const double top = 1.3 * setup.height(), below = -0.5 * setup.d;
  const int layers = std::max(4, static_cast<int>(std::lround(top / setup.d)));
  text += gauge(setup, "profile", 0.0, top, layers);
  double highest = 0.0;  // [m] of the grains
  if (setup.kind == FlowKind::shear) {
    highest = top_of_grains(setup, member);
    const double middle = 0.5 * setup.height(), half = 0.25 * setup.height();
    text += gauge(setup, "bulk", middle - half, middle + half, 1);
    text += plate(setup, "lower", 1, below,
                  fmt::format("motion = {{ kind = \"velocity\", time = [0], linear = [[{}, 0, "
                              "0]] }}\n",
                              setup.plate_speed(member)));
    text += plate(setup, "upper", 2, highest + 0.75 * setup.d,
                  fmt::format("free = [\"z\"]\nload = {{ pressure = {}, direction = [0, 0, -1], "
                              "area = {} }}\n",
                              setup.P, setup.area()));
  } else {
    text += plate(setup, "lower", 1, below, "fixed = true\n");
  }
  return text + grains(setup, member, highest);
}

}  // namespace scree::study
