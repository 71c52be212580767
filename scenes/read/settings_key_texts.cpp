// What the keys of settings mean.
#include "scenes/read/key_texts.hpp"

#include <iterator>

namespace scree::scenes {

KeySection with_device_keys(KeySection section) {
  const KeyText keys[] = {
      {"device.period_steps", "1",
       "period of the device; the longer, the softer the contacts, and the fewer iterations"},
      {"device.normal", "true", "along the normal: normal forces become unique"},
      {"device.tangential", "false",
       "along the surface, with memory: friction forces become unique too"}};
  section.keys.insert(section.keys.end(), std::begin(keys), std::end(keys));
  return section;
}

std::vector<KeySection> settings_key_sections() {
  return {
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
      with_device_keys(
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
  };
}

}  // namespace scree::scenes
