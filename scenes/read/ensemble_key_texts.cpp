// What the keys of [ensemble] mean.
#include "scenes/read/key_reference.hpp"

namespace scree::scenes {
namespace {

KeySection ensemble_section() {
  return {"ensemble",
          false,
          "Many rocks on the ground of the scene, one a run (`scree ensemble`), in map coordinates",
          {
              {"seed", "1", "a seed gives the same runs on every machine"},
              {"ground", "all that can be",
               "fixed bodies whose upper surface is the ground: rocks start above it, have left "
               "where it ends, and jump heights are measured from it"},
              {"confidence", "0.95", "of the intervals of quantiles"},
              {"rock", "required", "see `[[ensemble.rock]]`"},
              {"release", "required", "see `[[ensemble.release]]`"},
              {"barrier", "none", "see `[[ensemble.barrier]]`"},
              {"map", "required", "see `[ensemble.map]`"},
              {"until", "none", "see `[ensemble.until]`"},
          }};
}

KeySection rock_section() {
  return {"ensemble.rock",
          true,
          "Rocks to draw from: of the lengths given, or scaled to a mass or volume",
          {
              {"name", "required", "name of the rock, unique"},
              {"shape", "required",
               "`eota`: the test block of the EOTA norm, a box whose edges are cut off at a "
               "quarter of its sides; `box`; `ball`; `irregular`: another hull of random points in "
               "each run; `cloud`: the hull of points in a file"},
              {"material", "required", "name of a `[[material]]`"},
              {"density", "that of the material", "density"},
              {"sides", "none", "eota, box: lengths of the box around it"},
              {"proportions", "[1, 1, 1]",
               "eota, box, irregular: ratio of the sides; the size follows from mass or volume"},
              {"diameter", "none", "ball: diameter, if no mass or volume gives it"},
              {"corners", "16", "irregular: points drawn"},
              {"irregularity", "0.2", "irregular: radii lie between 1 - this and 1"},
              {"file", "required",
               "cloud: .pts, .xyz, .txt (x y z on each line), .obj, .stl or .ply; as it is, in "
               "metres, unless a mass or volume is given"},
              {"mass", "from the density",
               "a number, or a table that says how it is spread. With lengths it is the mass of "
               "that shape, whatever its density"},
              {"mass.kind", "required",
               "`uniform`; `lognormal`; `power`: the share above x falls as x^-exponent; `table`"},
              {"mass.low", "0", "nothing below; required for `uniform` and `power`"},
              {"mass.high", "no limit", "nothing above; required for `uniform` and `power`"},
              {"mass.median", "required", "lognormal: half of all is below"},
              {"mass.sigma", "required", "lognormal: standard deviation of the natural logarithm"},
              {"mass.exponent", "required", "power: its exponent"},
              {"mass.values", "required", "table: the values"},
              {"mass.weights", "all 1", "table: how often each is drawn, relative to the others"},
              {"volume", "none", "instead of the mass, with the same keys"},
              {"weight", "1", "share of the runs of a release, relative to its other rocks"},
          }};
}

KeySection release_section() {
  return {
      "ensemble.release",
      true,
      "Where rocks start; exactly one of `points`, `file`, `line` and `polygon`",
      {
          {"name", "required", "name of the release, unique"},
          {"points", "none", "points [x, y], or [x, y, z] with the height of the centre of mass"},
          {"file", "none",
           "CSV file of points: columns x, y and if wanted z, vx, vy, vz, wx, wy, wz, qw, qx, "
           "qy, qz, rock (a name) and id; other columns are not read"},
          {"line", "none", "corners [x, y]: evenly along it"},
          {"polygon", "none", "corners [x, y]: evenly over its area"},
          {"runs", "1", "runs of each point; of a line or polygon in all"},
          {"drop", "0.01",
           "least clearance of the lowest corner above the ground; a rock without z starts so, "
           "one that would be lower is lifted"},
          {"velocity", "[0, 0, 0]", "at the start"},
          {"angular_velocity", "[0, 0, 0]", "at the start, in world axes"},
          {"orientation", "random", "quaternion [w, x, y, z]; random: uniform over all rotations"},
          {"rotation", "random", "the same as a table, `{ axis = [0, 0, 1], angle_deg = 30 }`"},
          {"rotation.axis", "required", "axis of the turn"},
          {"rotation.angle_deg", "required", "angle of the turn"},
          {"rocks", "all", "names of the rocks that it draws from"},
      }};
}

std::vector<KeySection> sections() {
  return {
      ensemble_section(),
      rock_section(),
      release_section(),
      {"ensemble.barrier",
       true,
       "A line on the map; who crosses it is noted, and goes on",
       {
           {"name", "required", "name of the line, unique"},
           {"line", "required", "its corners [x, y]"},
       }},
      {"ensemble.map",
       false,
       "Cells in which passing rocks are counted; a run that leaves them ends",
       {
           {"cell", "required", "side of a cell"},
           {"low", "where the ground ends", "lower left corner [x, y]"},
           {"high", "where the ground ends", "upper right corner [x, y], rounded up to a cell"},
           {"epsg", "none", "number of the projected coordinate system, for the files of the map"},
       }},
      {"ensemble.until",
       false,
       "Ends the ensemble before all runs once a quantile is known well enough",
       {
           {"barrier", "required", "name of the line"},
           {"quantity", "energy", "`energy`, `velocity`, `jump` or `spin`"},
           {"quantile", "0.95", "share of the crossing runs that stay below"},
           {"tolerance", "0.1", "half of the quantile's interval over its value"},
           {"batch", "100", "runs between two looks"},
       }},
  };
}

}  // namespace

std::vector<KeySection> with_ensemble(std::vector<KeySection> all) {
  for (KeySection& section : sections()) all.push_back(std::move(section));
  return all;
}

}  // namespace scree::scenes
