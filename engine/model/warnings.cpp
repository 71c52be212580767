#include "engine/model/warnings.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace scree {

const std::array<WarningInfo, n_warnings> warning_catalogue = {{
    {Warning::no_support, "no-support", KnownIn::check,
     "Gravity acts, but there is nothing that bodies could land on",
     "moving bodies have nothing below them", "bodies",
     "Add a floor below the bodies: a fixed half_space or box. A cylinder_wall has none of its "
     "own, whatever its "
     "bottom "
     "is. If free fall is meant, nothing need be done."},
    {Warning::nothing_moves, "nothing-moves", KnownIn::check, "Nothing can move",
     "bodies stand still", "bodies",
     "Give gravity = [0, 0, -9.81], bodies a velocity, or a driven body a motion; where all bodies "
     "are fixed, leave out fixed = true."},
    {Warning::driven_still, "driven-still", KnownIn::check, "A driven body never moves",
     "driven bodies stand still", "bodies",
     "Give it velocities or accelerations other than 0, or write fixed = true instead."},
    {Warning::driven_through, "driven-through", KnownIn::check,
     "A driven body moves into one that is fixed, driven or locked, which does not stop it",
     "of the thinnest extent", "pairs",
     "Let its motion end before that, or lead it past the other body."},
    {Warning::long_step, "long-step", KnownIn::check, "The step is much too long",
     "times the suggested dt", "scenes", "Set dt to about what `scree check` suggests."},
    {Warning::large_body, "large-body", KnownIn::check,
     "A moving body is as large as if its lengths were not in metres", "m across", "bodies",
     "Lengths are metres: write 0.2 for 200 mm."},
    {Warning::small_body, "small-body", KnownIn::check,
     "A moving body is as small as if its lengths were not in metres", "m across", "bodies",
     "Lengths are metres: write 2.0 for 2 m.", true},
    {Warning::far_away, "far-away", KnownIn::check,
     "A body is so far from the origin that its coordinates lack digits",
     "of the thinnest extent is the spacing of its coordinates", "bodies",
     "Place the scene near its origin; [world] origin keeps map coordinates in the files."},
    {Warning::heavy_body, "heavy-body", KnownIn::check,
     "A moving body is as heavy as if lengths or masses were in other "
     "units than metres and kg",
     "kg", "bodies", "Lengths are metres, masses kg, densities kg/m3."},
    {Warning::mass_ratio, "mass-ratio", KnownIn::check, "The masses of moving bodies differ widely",
     "times the lightest", "scenes",
     "Errors of heavy bodies are large for light ones: compare a run with a tenth of the "
     "tolerance, or give the "
     "light ones more mass."},
    {Warning::low_density, "low-density", KnownIn::check,
     "A density is as low as if it were not in kg/m3", "kg/m3", "bodies",
     "Densities are kg/m3: write 2650 for rock, not 2.65 or 26.5.", true},
    {Warning::high_density, "high-density", KnownIn::check,
     "A density is higher than that of any usual solid", "kg/m3", "bodies",
     "Densities are kg/m3: write 2650 for rock."},
    {Warning::odd_inertia, "odd-inertia", KnownIn::check,
     "A given inertia is far from that of a filled body of this shape and mass",
     "times as much, or as little, about an axis", "bodies",
     "Inertias are kg m2 about the centre of mass: leave inertia out to have it computed."},
    {Warning::large_gravity, "large-gravity", KnownIn::check,
     "Gravity is as large as if it were not in m/s2", "m/s2", "scenes",
     "Gravity is m/s2: write [0, 0, -9.81]."},
    {Warning::large_acceleration, "large-acceleration", KnownIn::check,
     "An acceleration of the ground, a table or a field is as large as if it were not in m/s2",
     "m/s2", "records",
     "Accelerations are m/s2: give unit = \"cm/s2\" or \"g\" where they are not."},
    {Warning::large_friction, "large-friction", KnownIn::check,
     "A friction coefficient is larger than that of any usual pair of materials",
     "is the coefficient", "pairs",
     "mu is the tangent of the friction angle, not the angle: for 30 degrees write 0.577."},
    {Warning::large_cohesion, "large-cohesion", KnownIn::check,
     "A cohesion is larger than any material holds",
     "Pa over the square of the largest body's size", "pairs",
     "Cohesion is the force in N at which two bodies let go of each other."},
    {Warning::loose_tolerance, "loose-tolerance", KnownIn::check,
     "The tolerance is so loose that forces mean little", "is the tolerance", "scenes",
     "Use a tolerance of 1e-3 or less."},
    {Warning::initial_overlap, "initial-overlap", KnownIn::check,
     "Bodies overlap at the start, as the scene allows", "of the thinnest extent", "pairs",
     "Move the bodies apart, or use correction = \"projection\": without it these overlaps stay."},
    {Warning::late_overlap, "late-overlap", KnownIn::check,
     "A body appears where another one is, unless it has moved by then", "of the thinnest extent",
     "pairs", "Let the body appear elsewhere, or let the other one vanish before."},
    {Warning::never_happens, "never-happens", KnownIn::check,
     "The run ends before something that the scene asks for", "s is when it would happen", "things",
     "Let the run last longer (time.end), or let it happen earlier."},
    {Warning::idle_closing, "idle-closing", KnownIn::check,
     "The two-step rule closes nothing: it acts on pairs with e = 0", "is the least e", "scenes",
     "Give the pairs that are to close gently e = 0, or leave closing = \"impact\"."},
    {Warning::short_step, "short-step", KnownIn::check,
     "The step is much shorter than the motion asks for", "times shorter than the suggested dt",
     "scenes", "Set dt to about what `scree check` suggests."},
    {Warning::many_steps, "many-steps", KnownIn::check, "The run has very many steps", "steps",
     "scenes",
     "Use a longer dt or an earlier time.end: times are seconds. `scree check` says what the steps "
     "take at least."},
    {Warning::loose_stop, "loose-stop", KnownIn::check,
     "The stop rule takes bodies for quiet that move", "m/s is quiet enough for it", "scenes",
     "Ask for less displacement in a longer window ([stop]): for a hundredth of the smallest body "
     "in a second, say."},
    {Warning::cut_record, "cut-record", KnownIn::check, "The run ends in the middle of a record",
     "s is when the record ends", "records",
     "Let the run last as long as the record (time.end), or give a shorter one."},
    {Warning::idle_record, "idle-record", KnownIn::check,
     "A load or an acceleration is zero at all times", "are zero", "records",
     "Give it a value (scale = 0 takes all of a record away), or leave it out."},
    {Warning::far_load, "far-load", KnownIn::check,
     "A load acts at a point far outside of its body", "times the body's radius from its centre",
     "loads", "Points of loads are counted from the body's own origin, in m."},
    {Warning::plate_length, "plate-length", KnownIn::check,
     "A body across a periodic world is longer or shorter than the period",
     "of the period is missing, or too much", "bodies",
     "Give a plate the length and the width of the period, so that its images join."},
    {Warning::odd_terrain, "odd-terrain", KnownIn::check,
     "The terrain has a cliff as high as if heights were missing", "m high is the cliff",
     "terrains",
     "Say in the raster which value stands for no data (nodata_value), or mend its heights."},
    {Warning::blind_device, "blind-device", KnownIn::check,
     "A gauge or a screen is where no body is or is going to", "are out of reach", "devices",
     "Place it where bodies come by: [world] origin is taken off its coordinates too."},
    {Warning::unconverged, "unconverged", KnownIn::run, "Steps did not reach the tolerance",
     "is the residual", "steps",
     "Use a smaller dt, more max_iterations or method = \"auto\"; where bodies are wedged there "
     "may be no solution."},
    {Warning::wedged, "wedged", KnownIn::run,
     "Steps have no solution: impulses between wedged bodies grow without bound", "is the residual",
     "steps", "Give these bodies room, or less friction; what is written of them is no answer."},
    {Warning::deep_overlap, "deep-overlap", KnownIn::run, "Bodies overlap deeply",
     "of the thinnest extent", "steps",
     "Use a smaller dt, or correction = \"projection\"; what is locked in a direction (free) gives "
     "way to nothing there."},
    {Warning::crushed, "crushed", KnownIn::run,
     "A driven body presses on bodies that cannot give way",
     "times the weight of all moving bodies", "steps",
     "A driven body moves whatever it meets: end its motion before that, or press with a heavy "
     "moving body instead."},
    {Warning::left_scene, "left-scene", KnownIn::run, "Bodies left the scene and fall for ever",
     "m below the lowest support", "bodies",
     "Make the floor wider, close the vessel, or let these bodies vanish (vanishes_at)."},
    {Warning::flown_off, "flown-off", KnownIn::run,
     "Bodies fly away: what acts on them is stronger than gravity and nothing is above them",
     "m above all that is fixed or driven", "bodies",
     "Look at the size, the direction and the end of loads and fields: forces are N, pressures "
     "Pa."},
    {Warning::left_terrain, "left-terrain", KnownIn::run,
     "Bodies left the terrain, beyond its rim or over cells without data, and were taken out",
     "J of kinetic energy", "bodies",
     "Take a larger raster, fill its holes, or let the run end before."},
    {Warning::no_contact, "no-contact", KnownIn::run, "Moving bodies never touched anything",
     "s were run", "bodies",
     "Let the run last longer (time.end; [stop] may end it too), or look whether bodies are where "
     "they should be (`scree export`)."},
    {Warning::moving_stop, "moving-stop", KnownIn::run,
     "The stop rule ended the run while bodies moved", "m/s is the speed of the fastest", "bodies",
     "Ask for less displacement in a longer window ([stop])."},
    {Warning::fast_motion, "fast-motion", KnownIn::run, "Bodies in contact move far in one step",
     "of the thinnest extent in a step", "steps", "Use a smaller dt."},
    {Warning::fast_spin, "fast-spin", KnownIn::run, "Bodies turn far in one step", "rad in a step",
     "looks", "Use a smaller dt."},
    {Warning::unsolved_spin, "unsolved-spin", KnownIn::run,
     "The spin of a body at the end of a step was not found", "rad in a step", "steps",
     "Use a smaller dt: a body is to turn by less than 1 rad in a step."},
    {Warning::turns_back, "turns-back", KnownIn::run,
     "A clamped body keeps its speed, turned round at every step", "m/s to and fro", "looks",
     "Use rest = \"clamped\", which is the default, or \"damped\"; e = 1, or e_T = 1 under moreau, "
     "needs a smaller one. The way of the body is right, its kinetic energy means nothing."},
    {Warning::left_out, "left-out", KnownIn::run,
     "The rule of activation left out contacts that bore, so that bodies sink",
     "of the thinnest extent deep", "steps",
     "Use activation = \"predict\"; of the published rules gamma and mid let the least of it "
     "through."},
    {Warning::positive_work, "positive-work", KnownIn::run,
     "A contact put in more energy than the tolerance explains", "of the energy scale", "steps",
     "Use a smaller tolerance; the laws newton and moreau may do this by themselves: use the law "
     "fremond."},
    {Warning::projection_work, "projection-work", KnownIn::run,
     "The position correction lifted bodies by much energy", "of the energy at hand in a step",
     "steps",
     "Let bodies start without overlap, and use a smaller dt, so that there is less to correct."},
    {Warning::open_ledger, "open-ledger", KnownIn::run, "The energy ledger does not close",
     "of the energy scale", "steps",
     "Masses or speeds differ by so much that sums lose their digits: use a smaller dt; where no "
     "other warning is, report it as a fault."},
}};

bool is_worse(Warning warning, double a, double b) {
  return info_of(warning).less_is_worse ? a < b : a > b;
}

void WarningLog::raise(Warning warning, double how_bad, std::initializer_list<BodyIndex> bodies,
                       double time) {
  WarningEntry& entry = entries_[static_cast<std::size_t>(warning)];
  ++entry.count;
  any_ = true;
  if (entry.count > 1 && !is_worse(warning, how_bad, entry.worst)) return;
  entry.worst = how_bad;
  entry.time = time;
  entry.bodies = {-1, -1, -1, -1};
  std::copy_n(bodies.begin(), std::min(bodies.size(), entry.bodies.size()), entry.bodies.begin());
}

void WarningLog::set_raised(const WarningLog& other) {
  for (std::size_t i = 0; i < n_warnings; ++i) {
    if (other.entries_[i].count > 0) set(static_cast<Warning>(i), other.entries_[i]);
  }
}

void WarningLog::add_raised(const WarningLog& step, double time) {
  any_ = true;
  for (std::size_t i = 0; i < n_warnings; ++i) {
    const WarningEntry& raised = step.entries_[i];
    if (raised.count == 0) continue;
    WarningEntry& entry = entries_[i];
    ++entry.count;
    if (entry.count > 1 && !is_worse(static_cast<Warning>(i), raised.worst, entry.worst)) continue;
    entry.worst = raised.worst;
    entry.time = time;
    entry.bodies = raised.bodies;
  }
}

std::string message_of(const WarningInfo& info, const WarningEntry& entry,
                       const std::vector<std::string>& body_names) {
  std::string text = fmt::format("{}: {:.3g} {}", info.sentence, entry.worst, info.measure);
  if (entry.count > 1 || !std::isnan(entry.time)) text += " at worst";
  if (!std::isnan(entry.time)) text += fmt::format(", at t = {:.6g} s", entry.time);
  std::vector<std::string> names;
  for (const BodyIndex body : entry.bodies) {
    if (body >= 0 && static_cast<std::size_t>(body) < body_names.size()) {
      names.push_back("'" + body_names[static_cast<std::size_t>(body)] + "'");
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0                 ? (names.size() > 1 ? ", bodies " : ", body ")
             : i + 1 < names.size() ? ", "
                                    : " and ") +
            names[i];
  }
  if (entry.count > 1) text += fmt::format("; {} {}", entry.count, info.counted);
  return text;
}

RecordedWarning in_words(const std::string& id, const WarningEntry& entry,
                         const std::vector<std::string>& body_names) {
  const auto known = std::ranges::find(warning_catalogue, id, &WarningInfo::id);
  if (known != warning_catalogue.end()) {
    return {id, message_of(*known, entry, body_names), std::string(known->advice), entry};
  }
  const WarningInfo unknown{
      Warning::count, id, KnownIn::run, id, "(not in this program's catalogue)", "times", ""};
  return {id, message_of(unknown, entry, body_names),
          "See the documentation of the program that wrote the file.", entry};
}

std::vector<RecordedWarning> raised_warnings(const WarningLog& log,
                                             const std::vector<std::string>& body_names) {
  std::vector<RecordedWarning> list;
  for (const WarningInfo& info : warning_catalogue) {
    if (log[info.warning].count > 0)
      list.push_back(in_words(std::string(info.id), log[info.warning], body_names));
  }
  return list;
}

}  // namespace scree
