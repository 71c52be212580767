// What every key of a scene file means. What it may be is asked of the reader (key_reference.cpp).
#include "scenes/read/key_reference.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string_view>

#include "contact/laws/laws.hpp"
#include "scenes/read/ground_preset.hpp"

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

std::vector<KeyText> device_keys() {
  return {{"device.period_steps", "1",
           "period of the device; the longer, the softer the contacts, and the fewer iterations"},
          {"device.normal", "true", "along the normal: normal forces become unique"},
          {"device.tangential", "false",
           "along the surface, with memory: friction forces become unique too"}};
}

std::string names_of_grounds() {
  std::string names;
  for (const GroundPreset& preset : ground_presets())
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", preset.name);
  return names;
}

// Adds the keys of the device to those of a section.
KeySection with_device(KeySection section) {
  for (KeyText& key : device_keys()) section.keys.push_back(std::move(key));
  return section;
}

}  // namespace

// Its numbers are those of the table of laws.
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
  for (KeyText& key : device_keys()) section.keys.push_back(std::move(key));
  return section;
}

const std::vector<KeySection>& key_sections() {
  static const std::vector<KeySection> sections = with_ensemble({
      {"",
       false,
       "The file",
       {
           {"title", "empty", "title of the scene"},
       }},
      {"preset",
       false,
       "Settings by use, for the keys that the scene leaves out",
       {
           {"use", "required", "the use that the settings are for"},
       }},
      {"world",
       false,
       "Gravity and map coordinates",
       {
           {"gravity", "[0, 0, -9.81]", "acceleration of free fall"},
           {"origin", "[0, 0, 0]", "map coordinates of the scene's (0, 0, 0)"},
           {"acceleration", "none", "see `[[world.acceleration]]`: earthquakes, tilting gravity"},
           {"plane", "none",
            "a plane problem: all bodies stay in this plane, and must be their own mirror images "
            "in "
            "it"},
           {"periodic", "[0, 0, 0]",
            "lengths of the periods along x, y, z; 0: not periodic. Each at least twice the "
            "largest body, or the largest part of what cannot turn; half-spaces must lie along it"},
           {"periodic_corner", "the origin", "lowest corner of the cell"},
           {"shear_rate", "0",
            "of a world periodic along x and z, without gravity and with bodies that move freely "
            "only: images above move along x by this times the height (Lees and Edwards)"},
       }},
      {"world.acceleration",
       true,
       "The shaking of the ground, or another uniform field besides gravity; several add up",
       {
           {"kind", "required",
            "`ground`: acceleration of the ground, to which the scene's axes are fixed, so that "
            "bodies feel minus that and positions are those relative to it; `field`: acceleration "
            "that bodies feel (tilting or growing gravity)"},
           {"acceleration", "required unless there is a file",
            "one vector (constant), or one for each time, linear in between; one number for each "
            "where there is a `direction`"},
           {"time", "none", "times of the table"},
           {"time_step", "none", "distance of the entries, the first at 0, instead of `time`"},
           {"file", "none",
            "CSV file with the columns time, x, y, z (with a `direction`: time, acceleration), "
            "each "
            "with its unit, `x [g]`, or in `unit`; no column of times is needed where there is a "
            "`time_step`. Or a record of the PEER databases, `X.AT2`, which has its unit and time "
            "step in it"},
           {"direction", "none", "of a record of one component"},
           {"unit", "m/s2", "`m/s2`, `g` (9.80665 m/s2) or `cm/s2`"},
           {"scale", "1", "factor on the whole record"},
           {"start", "0", "when the record begins"},
           {"outside", "zero for `ground`, hold for `field`",
            "before the first and after the last entry: `zero`, or `hold` their values"},
           {"baseline", "none",
            "what is taken off: `constant`, the mean, so that the velocity of the ground ends at "
            "zero; `linear`, the nearest straight line, so that its displacement ends there too"},
       }},
      {"time",
       false,
       "Step and duration",
       {
           {"dt", "required", "step length"},
           {"end", "required", "duration, at least one step"},
           {"theta", "0.5",
            "weight of the scheme, in [1/2, 1/(1+e)], e being the largest restitution of the pairs "
            "under `fremond` that can meet; in [1/2, 1] if there is none"},
       }},
      with_device(
          {"law",
           false,
           "Impact law and what goes with it",
           {
               {"default", "fremond",
                "law of the pairs that name none: what a contact that sticks does to its "
                "tangential "
                "velocity. `fremond` turns it round (at `theta` = 1/2; rocks and soil do not) and "
                "creates no energy at a contact, within the solver's tolerance; `newton`, "
                "classical "
                "Moreau-Jean, stops it; `moreau` leaves -`e_T` of it. Which for what: "
                "engine/method/which_law.md. On a support that is "
                "shaken "
                "just above friction's limit, `fremond` with `theta` near 0.5 leaves too much "
                "slip, by "
                "the first order of `dt`"},
               {"activation", "predict",
                "`predict`: contacts that would close within the step enter; the published rules "
                "look "
                "at its start alone: `paper`: gap <= 0 and approaching; `forecast`: gap + h u_N <= "
                "0 "
                "and approaching; `gamma`: gap + gamma h u_N <= 0; `mid`: gamma = 1 - theta"},
               {"activation_gamma", "0.5", "the gamma of that rule"},
               {"closing", "impact",
                "what closes within a step is stopped in it; `two_step`: pairs with e = 0 close in "
                "one "
                "step and stop in the next, exactly at the touch (theta = 1)"},
               {"rest", "clamped",
                "`clamped`: contacts obey their laws, but what they turn back in five steps on "
                "end, at more than ten steps' fall, stops (engine/method/rest.md); `published`: "
                "the laws as they stand, so that what is clamped keeps its speed; `damped`: "
                "sticking contacts under `fremond` do not reverse their tangential velocity; the "
                "nearer restitution is to 1, the longer it takes (engine/method/damped_rest.md)"},
               {"correction", "none",
                "`projection`: penetration is removed after each step without touching velocities; "
                "`repeated`: until none is left, at most ten times a step"},
               {"catch_share", "0.5",
                "a body that an impact could carry deeper than this share of the thickness of the "
                "thinner of the two, h v (1 - e)/2, ends its way of that step at the touch; 0: "
                "every "
                "impact that is looked for along the way"},
               {"correction_slop", "1e-5",
                "penetration that the projection leaves, as a share of the smallest body's size"},
               {"rotation", "cayley",
                "`cayley` conserves energy and angular momentum of a free body"},
               {"frames", "start",
                "poses that contacts are found at: of t_k, or in the `middle` of the step, where "
                "contacts "
                "keep the angular momentum too"},
               {"device", "none",
                "viscoelastic device of contacts that stay closed, so that their forces are unique "
                "and "
                "overlaps heal (engine/method/contact_device.md); `{}` takes it as it is by "
                "default"},
           }}),
      {"solver",
       false,
       "Contact solver",
       {
           {"method", "automatic",
            "`nsgs` (Gauss-Seidel), `nncg` (conjugate gradient), `apgd` (projected gradient), "
            "`interior` (interior points and Newton) or a choice among them"},
           {"measure", "combined", "residual that decides (contact/README.md)"},
           {"tolerance", "1e-6",
            "bound on the residual; what stands is solved to a twentieth of it"},
           {"velocity_tolerance", "1e-3",
            "`combined` only: least bound on the velocity error of each contact, as a share of "
            "what counts as much there; a tolerance above 1e-6 loosens it to 1000 times itself, at "
            "most 0.3"},
           {"max_iterations", "50000",
            "sweeps a solve may take; once one of a step has used them all, the further solves of "
            "that step may take a tenth (not with `rest = \"damped\"`)"},
           {"min_iterations", "1",
            "sweeps done even if the start is good enough, at most `max_iterations`"},
           {"max_passes", "10",
            "solves a step may take for the gyroscopic coupling before it counts as unconverged; "
            "those for added contacts and for damped rest do not count"},
           {"backend", "serial", "what runs the threads; all give the same bits"},
           {"threads", "1", "number of threads; 0 is all processors; `serial` uses one"},
       }},
      {"output",
       false,
       "What is kept",
       {
           {"frames_per_second", "100",
            "frames kept for each second of the scene's time; 0 keeps the first and the last"},
           {"contacts", "true", "write the contacts of each frame"},
           {"keep_frames", "true", "`false` writes only the tables of ledger and solver"},
           {"velocities", "single",
            "of frames: `single` rounds them to 6e-8 of their size, `double` keeps every digit and "
            "takes a third more room for a frame. Nothing else changes: ledger, checkpoints and "
            "`[initial]` have every digit with both"},
           {"stress", "false", "write the mean stress of each body in each frame"},
           {"stress_mean", "step",
            "of the frame's own `step`, or of all steps since the `frame` before (for flows)"},
       }},
      {"record",
       false,
       "What is measured besides, at every step; nothing of it changes the run",
       {
           {"impacts", "none",
            "a table: log of the contacts that were approached fast or carry much, each at its own "
            "step; what it leaves out is booked, so that nothing of the ledger is lost"},
           {"impacts.speed", "none",
            "a contact that carries an impulse is logged from this speed of approach on; at least "
            "one of the two thresholds is needed"},
           {"impacts.impulse", "none", "a contact is logged from this impulse in a step on"},
           {"moved", "none",
            "bodies of each group that move freely and are farther than this from where they "
            "started "
            "are counted; those that are fixed or driven never are"},
           {"relative_to", "none",
            "name of a body (the ground that is shaken): displacements are as seen from it, here, "
            "in plots, tables and the report"},
       }},
      {"group",
       true,
       "Bodies by name; bodies and generators have a key `group` as well",
       {
           {"name", "required",
            "name of the group; one of bodies that have it already grows. Not `impacts`, `others`"},
           {"bodies", "required",
            "names of bodies; `wall-*` means all whose names begin with `wall-`. A body is in one "
            "group; those in none are `others`"},
       }},
      {"screen",
       true,
       "A plane or polygon that notes whose centre of mass passes, when and how",
       {
           {"name", "required",
            "name of the screen, that of no body, group or other device; not `impacts`, `ground`, "
            "`others`"},
           {"point", "[0, 0, 0]", "of the plane"},
           {"normal", "required, or `corners`",
            "of the plane; who passes along it has direction 1, against it -1"},
           {"corners", "none",
            "of a polygon instead, in order; its normal is the one about which they turn "
            "counter-clockwise"},
           {"bodies", "all that move freely",
            "groups and bodies that it notes; those among them that are fixed or driven it never "
            "notes"},
       }},
      {"gauge",
       true,
       "Mean stress, density, velocity and its fluctuation at every step, of a region or of bodies",
       {
           {"name", "required",
            "name of the gauge, that of no body, group or other device; tables are named after it"},
           {"kind", "required",
            "`bodies`: of these bodies together; `box`: of what lies in a region; `grid`: of each "
            "cell of one, `cells = [1, 1, 20]` is a profile over z"},
           {"bodies", "all that move freely",
            "groups and bodies that count; required for `bodies`"},
           {"volume", "that of the bodies",
            "bodies: what the stress is a mean over, where pores are to count"},
           {"low", "required", "box, grid: corner of the region"},
           {"high", "required", "box, grid: the opposite one, above `low` along each axis"},
           {"cells", "required", "grid: how many along x, y and z"},
       }},
      {"checkpoint",
       false,
       "When a run leaves a checkpoint",
       {
           {"every_steps", "0", "steps between two checkpoints; 0: not by steps"},
           {"every_minutes", "0",
            "wall time between two checkpoints; 0: not by time (with both 0: as without this "
            "section)"},
       }},
      {"stop",
       false,
       "Ends a run once everything is at rest, or has no answer any more",
       {
           {"displacement", "none",
            "farther than this nothing may have been at the end of a window"},
           {"window", "with `displacement`", "length of the window"},
           {"after", "0", "the first window starts no earlier"},
           {"wedged_steps", "50",
            "so many steps on end without a solution, as bodies are wedged, end the run; 0: it "
            "goes on (engine/WARNINGS.md#wedged)"},
       }},
      {"initial",
       false,
       "Bodies start where an earlier run left them",
       {
           {"from", "required", "name of the result file, from the folder of the scene"},
       }},
      {"start",
       false,
       "Overlaps at the start",
       {
           {"overlap_tolerance", "1e-6",
            "overlap of two bodies at the start that is let pass, as a share of the smaller one's "
            "size"},
           {"allow_initial_overlap", "false", "`true` runs in spite of larger overlaps"},
       }},
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
      {"rock",
       true,
       "An irregular convex body; the keys of `[[body]]` but those of the shape apply as well",
       {
           {"size", "required; with `vertices`: as drawn",
            "largest side of its bounding box in its own axes"},
           {"vertices", "none",
            "its corners, at least 4 points [m], instead of the four keys below"},
           {"seed", "1", "a seed gives the same rock on every machine"},
           {"corners", "16", "points drawn; those inside the hull are no corners"},
           {"irregularity", "0.2",
            "distances from the centre lie between 1 - irregularity and 1, before scaling"},
           {"proportions", "[1, 1, 1]", "stretch along each axis, before scaling"},
       }},
      {"rough_plate",
       true,
       "A plate of glued grains; the keys of `[[body]]` but those of the shape apply as well",
       {
           {"length", "required", "along x; the period, of a plate that goes on through a face"},
           {"width", "required", "along y, likewise"},
           {"grain", "required",
            "size of its grains, icosahedra turned at random on a triangular lattice"},
           {"roughness", "0.2", "grains lie up to so many sizes above and below the middle"},
           {"seed", "1", "a seed gives the same plate on every machine"},
       }},
      {"stack",
       true,
       "A tower of equal boxes along z",
       {
           {"name", "required", "names of the bodies begin with it"},
           {"material", "required", "name of a `[[material]]`"},
           {"density", "that of the material", "density"},
           {"group", "none", "group of all of them, see `[[group]]`"},
           {"count", "required", "boxes of the tower"},
           {"sides", "required", "of one box"},
           {"gap", "0", "between two boxes"},
           {"position", "[0, 0, 0]", "middle of the bottom of the lowest box, three numbers [m]"},
       }},
      {"arch",
       true,
       "A semicircular arch of equal voussoirs",
       {
           {"name", "required", "names of the bodies begin with it"},
           {"material", "required", "name of a `[[material]]`"},
           {"density", "that of the material", "density"},
           {"group", "none", "group of all of them, see `[[group]]`"},
           {"voussoirs", "required", "stones of the arch"},
           {"radius", "required", "of the mean circle"},
           {"thickness", "required", "in the direction of the radius, < 2 `radius`"},
           {"depth", "required",
            "depth; of radius, thickness and depth none less than 1e-6 of another"},
           {"position", "[0, 0, 0]", "of the origin, three numbers [m]"},
           {"orientation", "no turn",
            "quaternion [w, x, y, z] that turns the arch about that point"},
           {"rotation", "no turn", "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
           {"rotation.axis", "required", "axis of the turn"},
           {"rotation.angle_deg", "required", "angle of the turn"},
       }},
      {"blocks",
       true,
       "Blocks drawn in another program, see [importing](import/README.md)",
       {
           {"name", "none", "names of the bodies are those of the file, with this before them"},
           {"file", "required",
            "COMPAS JSON, OBJ, STL or PLY as text, BODIES.DAT of LMGC90 or 3DEC text, relative to "
            "the scene's folder"},
           {"material", "required", "name of a `[[material]]`"},
           {"density", "that of the file, then of the material",
            "of blocks for which the file has none"},
           {"group", "none", "group of all of them, see `[[group]]`"},
           {"scale", "1",
            "metres in a unit of the file: 0.001 for millimetres; given, any size is taken"},
           {"repair", "false",
            "`true` drops doubled faces, closes small holes and puts hanging vertices into edges"},
           {"joint_tolerance", "0.001",
            "faces nearer than this part of the smaller block's size make a joint for `gaps`"},
           {"gaps", "keep",
            "`keep`: blocks stand as drawn; `shift`: faces of joints move half the gap or overlap "
            "each, so that they meet"},
           {"joints", "faces",
            "`faces`: blocks touch where their surfaces do; `drawn`: in the polygons that the file "
            "states (COMPAS), and nowhere else"},
           {"supports", "those that the file marks, else the lowest",
            "blocks that are fixed, or move by `motion`"},
           {"only", "all", "blocks of the file that are taken"},
           {"motion", "none", "of the supports, as `[body.motion]`"},
           {"moved", "all", "supports that move by `motion`; the others are fixed"},
           {"position", "[0, 0, 0]", "of the file's origin, three numbers [m]"},
           {"orientation", "no turn", "quaternion [w, x, y, z] that turns all about that point"},
           {"rotation", "no turn", "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
           {"rotation.axis", "required", "axis of the turn"},
           {"rotation.angle_deg", "required", "angle of the turn"},
       }},
      {"pyramid",
       true,
       "A square pyramid of equal blocks",
       {
           {"name", "required", "names of the bodies begin with it"},
           {"material", "required", "name of a `[[material]]`"},
           {"density", "that of the material", "density"},
           {"group", "none", "group of all of them, see `[[group]]`"},
           {"block", "required", "sides of a block along x, y and z, three lengths [m], > 0"},
           {"first_course", "required", "blocks along each side of the lowest course"},
           {"courses", "first_course", "number of courses, at most `first_course`"},
           {"joint_along", "0", "gap between neighbours of a course"},
           {"joint_up", "0", "gap between courses"},
           {"position", "[0, 0, 0]", "of the middle of the base, three numbers [m]"},
           {"orientation", "no turn",
            "quaternion [w, x, y, z] that turns the pyramid about that point"},
           {"rotation", "no turn", "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
           {"rotation.axis", "required", "axis of the turn"},
           {"rotation.angle_deg", "required", "angle of the turn"},
       }},
      {"grains",
       true,
       "Grains above a base, ready to fall",
       {
           {"name", "required", "names of the bodies begin with it"},
           {"material", "required", "name of a `[[material]]`"},
           {"density", "that of the material", "density"},
           {"group", "none", "group of all of them, see `[[group]]`"},
           {"count", "required", "number of grains"},
           {"seed", "1", "a seed gives the same grains on every machine"},
           {"shape", "required",
            "`hull` (random and angular), `voronoi` (cells of a random tessellation), `cross` "
            "(three bars that cross, not convex), `sphere`, `tetrahedron`, `cube`, `octahedron`, "
            "`dodecahedron`, `icosahedron`, or the name of a `[[shape]]` (sphere, box, convex, "
            "compound), scaled to size"},
           {"size", "required, or one of the next two",
            "mean: sizes spread evenly over 0.87 to 1.13 of it, by number"},
           {"size_range", "none", "smallest and largest size, spread evenly by number"},
           {"grading", "none",
            "a table: a grading curve, met within 1 % of the mass at each of its sizes"},
           {"grading.size", "required", "ascending sizes [m]"},
           {"grading.mass", "required",
            "mass fraction between each two sizes, summing to 1; within them spread evenly over "
            "the size"},
           {"corners", "12", "hull: directions drawn"},
           {"sphericity",
            "as it comes: 98 % of hulls with 6 corners 0.72 to 0.84, mean 0.79; with 8 corners "
            "0.79 to 0.88, mean 0.85; with 12 corners 0.87 to 0.92, mean 0.90; with 30 corners "
            "0.95 to 0.97, mean 0.96",
            "hull: surface of the ball of the same volume over that of the grain, met within "
            "0.002; what `corners` and `elongation` cannot give is an error"},
           {"elongation", "1", "hull: length over width of the bounding box"},
           {"thickness", "0.4", "cross: side of a bar over its length"},
           {"region", "required", "a table: where grains are put"},
           {"region.kind", "required", "what the region is"},
           {"region.radius", "required", "cylinder: radius"},
           {"region.length", "required", "box: along x"},
           {"region.width", "required", "box: along y"},
           {"region.height", "without bound", "more grains than fit below it are an error"},
           {"position", "[0, 0, 0]", "of the middle of the base, three numbers [m]"},
           {"velocity", "[0, 0, 0]", "at the start, at the height of `position`"},
           {"velocity_gradient", "[0, 0, 0]",
            "by which the velocity grows with the height of the centres above that"},
       }},
      {"fragments",
       true,
       "A block broken into the cells of a random Voronoi tessellation",
       {
           {"name", "required", "names of the bodies begin with it"},
           {"material", "required", "name of a `[[material]]`"},
           {"density", "that of the material", "density"},
           {"group", "none", "group of all of them, see `[[group]]`"},
           {"sides", "required", "of the block, none less than 1e-4 of another"},
           {"count", "required", "number of fragments"},
           {"seed", "1", "a seed gives the same fragments on every machine"},
           {"position", "[0, 0, 0]", "of the middle of the block's bottom, three numbers [m]"},
           {"orientation", "no turn",
            "quaternion [w, x, y, z] that turns the block about that point"},
           {"rotation", "no turn", "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
           {"rotation.axis", "required", "axis of the turn"},
           {"rotation.angle_deg", "required", "angle of the turn"},
       }},
      {"column",
       false,
       "A column of grains behind a gate; the keys of `[[grains]]` from `seed` to `thickness` "
       "apply as well",
       {
           {"kind", "required",
            "`axisymmetric`: in a cylinder around z; `slice`: from x = 0 to the gate, between two "
            "side walls"},
           {"name", "grain", "the grains are NAME-1, ..."},
           {"material", "required", "of the grains"},
           {"density", "that of the material", "of the grains"},
           {"base_material", "that of the grains", "of the plane"},
           {"wall_material", "that of the base", "of the gate and the back wall"},
           {"side_material", "required",
            "slice: of the side walls, usually without friction against the grains"},
           {"aspect", "required", "height over radius or length"},
           {"grains", "required, or `length`", "number of grains"},
           {"length", "none", "initial radius or length in mean sizes; gives the number of grains"},
           {"width", "5", "slice: width in mean sizes"},
           {"packing", "0.58", "packing fraction expected"},
           {"release", "never",
            "time at which the gate is gone (0: there is none); without it the gate stays"},
           {"lift_speed", "none",
            "the gate is not gone then, but lifted at this speed; it vanishes when it is one and a "
            "half heights of the column up"},
       }},
      {"wall",
       true,
       "A wall one block thick, in running bond",
       {
           {"name", "required", "names of the bodies begin with it"},
           {"material", "required", "name of a `[[material]]`"},
           {"density", "that of the material", "density"},
           {"group", "none", "group of all of them, see `[[group]]`"},
           {"block", "required", "sides of a block across, along and up, three lengths [m], > 0"},
           {"courses", "required",
            "number of courses; in a raking wall at most as many as have a block left"},
           {"first_course", "required", "blocks in the lowest course"},
           {"ends", "raking",
            "`raking`: each course has `rake` blocks fewer than the one below; `straight`: even "
            "courses have a half block at each end"},
           {"rake", "1",
            "raking walls: blocks by which each course is shorter than the one below; if even, "
            "every second course is shifted by half a block towards +y"},
           {"joint_along", "0", "gap between neighbours of a course"},
           {"joint_up", "0", "gap between courses"},
           {"position", "[0, 0, 0]", "of the middle of the base, three numbers [m]"},
           {"orientation", "no turn",
            "quaternion [w, x, y, z] that turns the wall about that point"},
           {"rotation", "no turn", "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
           {"rotation.axis", "required", "axis of the turn"},
           {"rotation.angle_deg", "required", "angle of the turn"},
           {"buttresses", "none", "see `[wall.buttresses]`"},
       }},
      {"wall.buttresses",
       false,
       "Buttresses against the back of a wall",
       {
           {"positions", "required", "middle of each buttress, along the wall from its middle"},
           {"blocks", "required", "length in blocks, a multiple of 0.5 in [0.5, 1000]"},
           {"courses", "required", "number of courses"},
           {"gap_odd", "0",
            "between the wall's back and the buttress in odd courses; negative overlaps"},
           {"gap_even", "0", "the same in even courses"},
           {"turned_blocks", "false",
            "`false`: boxes drawn with their long side across the wall, so that faces that should "
            "touch touch exactly; `true`: the wall's blocks, turned by -90 degrees about z, exact "
            "to round-off (1e-15 m)"},
       }},
  });
  return sections;
}

}  // namespace scree::scenes
