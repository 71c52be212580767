// What the keys of materials, contacts, shapes and bodies mean.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "contact/laws/laws.hpp"
#include "scenes/read/ground_preset.hpp"
#include "scenes/read/key_texts.hpp"

namespace scree::scenes {
namespace {

// What a number of a law means where it is given; the table of laws says it of a whole result file.
std::string meaning_of(const contact::LawParameter& parameter) {
  static const std::map<std::string_view, const char*> meanings = {
      {"mu", "Coulomb friction"},
      {"e", "restitution"},
      {"rolling",
       "rolling resistance: the moment about axes in the tangent plane is at most `rolling` R N"},
      {"spinning", "spinning resistance: the moment about the normal is at most `spinning` R N"}};
  const auto found = meanings.find(parameter.name);
  return found == meanings.end() ? parameter.meaning : found->second;
}

std::string names_of_grounds() {
  std::string names;
  for (const GroundPreset& preset : ground_presets())
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", preset.name);
  return names;
}

// Texts of [[contact]]. Its numbers are those of the table of laws.
KeySection contact_key_section() {
  KeySection section{"contact",
                     true,
                     "One for each pair of materials that can meet",
                     {{"between", "required", "the two materials, which may be the same"}}};
  for (const contact::LawParameter& parameter : contact::Laws::parameters) {
    if (!parameter.is_key) continue;
    const bool required = std::isnan(parameter.absent);
    section.keys.push_back({parameter.name,
                            required ? "required" : fmt::format("{:g}", parameter.absent),
                            meaning_of(parameter)});
  }
  section.keys.push_back(
      {"law", "that of [law]",
       "impact law of the pair: `fremond` turns round the tangential velocity of what sticks (at "
       "`theta` = 1/2), `newton` stops it, `moreau` leaves -`e_T` of it "
       "(engine/method/which_law.md)"});
  section.keys.push_back(
      {"ground", "none",
       "kind of ground, which gives what the pair leaves out of `mu`, `e`, "
       "`mu_slip`, `slip_rate`, `slip_recovery`, `scar_drag`, and the law newton: " +
           names_of_grounds() + " (scenes/MATERIALS.md)"});
  section.keys.push_back({"device", "that of [law]", "viscoelastic device of the pair's contacts"});
  return with_device_keys(std::move(section));
}

}  // namespace

std::vector<KeySection> body_key_sections() {
  return {
      {"material",
       true,
       "Names what bodies are made of",
       {
           {"name", "required", "name of the material, unique"},
           {"density", "none", "for the bodies that give neither `mass` nor `density`"},
       }},
      contact_key_section(),
      {"shape",
       true,
       "A shape that several bodies share",
       {
           {"name", "required", "name of the shape, unique"},
           {"kind", "required", "what the shape is"},
           {"radius", "required", "sphere, disc, capsule, cylinder_wall: radius"},
           {"thickness", "1",
            "disc: for its mass, pi r^2 t times the density. A disc is for plane problems ([world] "
            "plane); its contacts are those of a sphere, its inertia m r^2/2"},
           {"length", "required",
            "capsule: of the segment that its radius sweeps, along z about the origin of the "
            "drawing; the whole is longer by twice the radius"},
           {"sides", "required", "box: its sides; the centre is the origin of the drawing"},
           {"vertices", "required",
            "convex: at least 4 points [m], which must not lie in one plane; their convex hull is "
            "the shape. Any number of points and of digits: facets whose corners lie within 1e-5 "
            "of the size of one plane (1e-7 in hulls of more than 10,000 corners) are one face, "
            "which is made flat by moving its corners as little as possible (`scree check` says by "
            "how much)"},
           {"normal", "required", "half_space: direction out of the solid"},
           {"offset", "0", "half_space: distance of its plane from the origin, along the normal"},
           {"file", "required",
            "terrain: a raster of heights [m] beside the scene, ESRI ASCII grid (.asc), points of "
            "a regular grid, `x y z` a line (.xyz), or GeoTIFF (.tif; in programs that were built "
            "with GDAL). Its values are nodes, at the centres of the "
            "file's cells; the ground is two triangles between four nodes, solid below without "
            "limit. Its coordinates are map coordinates: `[world] origin` is taken off, digit by "
            "digit. Bodies leave the run where they come beyond the outer nodes or over cells "
            "without data (nodata_value): the run tells where and when; they stay while "
            "another fixed or driven body lies under their centre. A terrain is fixed and does not "
            "turn; two of them must not meet or overlap"},
           {"diagonal", "\"smaller_step\"",
            "terrain: which diagonal of a cell is an edge: the one between the nodes whose heights "
            "differ less (a tie: rising), or everywhere the one from south-west to north-east "
            "(rising) or from north-west to south-east (falling)"},
           {"points", "required",
            "points: at least one point [m]; the body touches with these points only, and the "
            "origin is its centre of mass"},
           {"axis", "[0, 0, 1]",
            "cylinder_wall: direction of the axis. The wall is the inside of a round vessel around "
            "the origin: it keeps bodies in"},
           {"bottom", "none",
            "cylinder_wall: lower and, as `top`, upper end [m] along the axis. Without both, the "
            "solid is all that lies outside; with one or both, a shell without thickness that "
            "keeps in what lies between them, of bodies whose centre is inside (its rim touches "
            "spheres and the ends of capsules only)"},
           {"top", "none", "cylinder_wall: [m], above `bottom`"},
           {"parts", "required",
            "compound: at least two tables, each of kind `box` or `convex` with its keys; they may "
            "touch and must not overlap. Mass and inertia are the sums over the parts"},
           {"parts.kind", "required", "`box` or `convex`"},
           {"parts.sides", "required", "of a box"},
           {"parts.vertices", "required", "of a convex part"},
           {"parts.position", "[0, 0, 0]",
            "of the part's origin in the compound's axes, three numbers [m]"},
           {"parts.orientation", "no turn",
            "quaternion [w, x, y, z] that turns the part about its origin"},
           {"parts.rotation", "no turn",
            "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
           {"parts.rotation.axis", "required", "axis of the turn"},
           {"parts.rotation.angle_deg", "required", "angle of the turn"},
       }},
      {"body",
       true,
       "A body; the keys of `[[shape]]` from `kind` on apply as well",
       {
           {"name", "required", "unique among all bodies; not `impacts`"},
           {"shape", "required",
            "name of a `[[shape]]`; or leave it out and give the keys of a shape, from `kind` on"},
           {"material", "required", "name of a `[[material]]`"},
           {"zones", "none",
            "of a terrain: its material changes from place to place. A contact has the material of "
            "the zone that its point on the ground lies in, seen from above; where there is no "
            "zone, `material`. Coordinates are map coordinates, as those of the terrain"},
           {"zones.file", "required",
            "a raster of integers beside the scene (.asc, .xyz, .tif), whose cells must cover the "
            "nodes of the terrain (cells without data are no zone), or polygons (.geojson; the "
            "first of the file counts where they overlap)"},
           {"zones.property", "\"material\"",
            "property of a polygon that names its material, or a class"},
           {"zones.classes", "none", "an array of tables: the material of each class of the file"},
           {"zones.classes.code", "none", "integer that the file has for the class"},
           {"zones.classes.name", "none", "or its name: a text that polygons have"},
           {"zones.classes.material", "required", "name of a `[[material]]`"},
           {"fixed", "false",
            "`true`: never moves. A half-space and a cylinder wall always do so unless driven"},
           {"mass", "from the density",
            "mass, instead of `density`; required for points, unless fixed"},
           {"density", "that of the material", "density"},
           {"inertia", "computed from shape and mass",
            "about the centre of mass, in the axes of the drawing: 3 numbers (Ixx, Iyy, Izz), 6 "
            "(and Ixy, Ixz, Iyz, the entries of the tensor) or 3 rows of 3; positive, and no "
            "principal moment above the sum of the others; required for points, unless fixed"},
           {"position", "[0, 0, 0]", "of the body, from `origin`"},
           {"reference", "centre_of_mass",
            "what `position` is the position of: `centre_of_mass`, or `drawing` (the origin of the "
            "axes that the shape is drawn in). The same for spheres, boxes, half-spaces and "
            "points"},
           {"orientation", "no turn",
            "quaternion [w, x, y, z] that turns the drawing into place; its norm must be 1 within "
            "1e-6 and is then made 1"},
           {"rotation", "no turn", "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
           {"rotation.axis", "required", "axis of the turn"},
           {"rotation.angle_deg", "required", "angle of the turn"},
           {"velocity", "[0, 0, 0]", "of the centre of mass"},
           {"angular_velocity", "[0, 0, 0]", "spin **in world axes**"},
           {"motion", "none",
            "see `[body.motion]`: the body is driven, it moves as prescribed whatever touches it"},
           {"free", "all",
            "directions that are not locked: \"x\", \"y\", \"z\", and rotations \"rx\", \"ry\", "
            "\"rz\" about the axes of the world as the body lies at the start. What is locked has "
            "no "
            "mass and no inertia: nothing moves it, and nothing works there"},
           {"load", "none", "see `[[body.load]]`: forces and torques on the body"},
           {"drag", "none",
            "resistance of what is around: a force and a torque against the motion"},
           {"drag.linear", "0", "force per speed of the centre of mass"},
           {"drag.angular", "0", "torque per spin"},
           {"appears_at", "from the start", "time from which the body is there"},
           {"vanishes_at", "never", "time from which it is no longer there, after `appears_at`"},
           {"group", "none", "group whose impulses and movements are recorded, see `[[group]]`"},
       }},
      {"body.load",
       true,
       "Forces and torques on a body, in each step their exact integral; several add up",
       {
           {"force", "none", "one vector (constant), or one for each time, linear in between"},
           {"torque", "none", "the same, besides the moment of the force"},
           {"pressure", "none",
            "instead of a force: constant, or one number for each time, on an `area` or a `span`"},
           {"direction", "none", "in which the pressure pushes"},
           {"area", "none", "on which it acts"},
           {"span", "none", "the area is `depth` times the distance of two walls' faces"},
           {"span.between", "required", "names of the walls"},
           {"span.axis", "required", "direction from the first to the second"},
           {"span.length", "required", "between their faces at the start"},
           {"span.depth", "required", "across"},
           {"time", "none", "times of `force`, `torque` and `pressure`"},
           {"file", "none",
            "CSV file instead, with the column time and any of force_x, force_y, force_z ([N] or "
            "[kN]), torque_x, torque_y, torque_z ([N m] or [kN m])"},
           {"at", "the centre of mass",
            "point of the body where the force acts, in the axes that its shape is drawn in; it "
            "moves along"},
           {"axes", "world",
            "`world`: the directions stay; `body`: they are those of the drawing and turn with the "
            "body"},
           {"outside", "hold",
            "before the first and after the last time: `hold` their values, or `zero`"},
       }},
      {"load",
       true,
       "The same for any body by its name; the keys of `[[body.load]]` apply as well",
       {
           {"body", "required",
            "name of the body that carries the load, also of one that a generator makes"},
       }},
      {"body.motion",
       false,
       "A driven body: it moves as prescribed",
       {
           {"kind", "required",
            "`velocity`, or `acceleration` (from the body's `velocity` and `angular_velocity` at t "
            "= 0)"},
           {"file", "none",
            "name of a CSV file, relative to the scene file, instead of the three keys below"},
           {"time", "required", "times, each later than the one before"},
           {"linear", "zeros", "one vector [m/s] or [m/s2] for each time"},
           {"angular", "zeros", "one vector [rad/s] or [rad/s2] for each time, in world axes"},
       }},
  };
}

}  // namespace scree::scenes
