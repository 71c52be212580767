// scree joints: forces in the joints of a run, reactions, the thrust line, and what statics leaves
// open.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/base/check.hpp"
#include "engine/base/index.hpp"
#include "tools/cli/commands.hpp"
#include "tools/common/console.hpp"
#include "tools/common/list_option.hpp"
#include "tools/common/number_choices.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/output_path.hpp"
#include "tools/joints/write_joints.hpp"

namespace scree {
namespace {

struct JointsOptions {
  std::string run, out, compas, plane;
  std::vector<std::string> intervals;
  int frame = -1, sides = 16;
  JointQuery query;
  bool least = false, force = false;
};

// What the run would need to come to rest.
void print_outlook(const JointReport& report) {
  const MotionVerdict& verdict = report.verdict;
  if (verdict.at_rest() || verdict.motion == Motion::follows) return;
  if (!verdict.settling) return;
  const bool slower = verdict.speed_lately < verdict.speed_before;
  const std::string speeds =
      slower ? fmt::format("the largest speed falls ({:.3g} m/s in the first half, {:.3g} lately)",
                           verdict.speed_before, verdict.speed_lately)
             : std::string("all motion is within the worst gap at the start");
  output(
      "hint         {}: gaps (at the start up to {:.3g} m) may still be closing; run longer:\n"
      "             scree run SCENE.toml --t-end {:.3g}\n",
      speeds, verdict.gap_at_start, 10.0 * report.time);
}

void print_interval(const AskedInterval& asked) {
  const Interval& i = asked.interval;
  const std::string& name = asked.resultant.text;
  if (!i.admissible) {
    output(
        "interval     {}: no state of forces is admissible; {:.2g} of a block's weight is "
        "left without support\n",
        name, i.missing);
    return;
  }
  const auto bounds = [&](double low, double high) {
    return fmt::format("[{}, {}] N", i.bounded_low ? fmt::format("{:.6g}", low) : "-unlimited",
                       i.bounded_high ? fmt::format("{:.6g}", high) : "unlimited");
  };
  output("interval     {}: {}, computed {:.6g} N\n", name, bounds(i.low, i.high), i.computed);
  if (i.bounded_low || i.bounded_high) {
    output("             with the pyramid around the cone of friction {}; {} solved to {:.1e} N\n",
           bounds(i.low_outer, i.high_outer),
           i.bounded_low && i.bounded_high ? "linear programs" : "finite end", i.error);
  }
  if (i.outside() > 0.0) {
    output(
        "             computed lies {:.3g} N outside, more than errors account for ({:.1e} N): "
        "the run is not in equilibrium with weights and friction alone\n",
        i.outside(), i.error + i.unbalanced);
  }
}

// Two names of one file, also of one that is not there yet.
bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::equivalent(one, other, error)) return true;
  const fs::path first = fs::weakly_canonical(fs::absolute(one), error);
  if (error) return false;
  const fs::path second = fs::weakly_canonical(fs::absolute(other), error);
  return !error && first == second;
}

// The joints that carry most, and all reactions.
void print(const JointReport& report, const std::vector<AskedInterval>& intervals) {
  std::size_t loaded = 0, hinges = 0, open = 0, edges = 0, sliding = 0;
  const JointForce *strongest = nullptr, *most_used = nullptr, *nearest_edge = nullptr;
  for (const JointForce& f : report.joints) {
    if (!f.loaded()) continue;
    ++loaded;
    hinges += f.hinge ? 1U : 0U;
    open += f.state == JointState::open ? 1U : 0U;
    edges += f.state == JointState::edge ? 1U : 0U;
    sliding += f.utilisation() > 0.999 ? 1U : 0U;
    if (strongest == nullptr || f.normal > strongest->normal) strongest = &f;
    if (most_used == nullptr || f.utilisation() > most_used->utilisation()) most_used = &f;
    if (f.thickness > 0.0 && (nearest_edge == nullptr || f.edge_share < nearest_edge->edge_share))
      nearest_edge = &f;
  }
  const auto pair = [&](const JointForce& f) {
    return fmt::format("'{}' and '{}'", report.name[index(f.joint.a)],
                       report.name[index(f.joint.b)]);
  };
  output("{}\n", report.title.empty() ? report.source : report.title);
  output("time         {:g} s: {}; residual {:.2e} of {}{}\n", report.time, state_text(report),
         report.residual, report.gravity.norm() > 0.0 ? "a block's weight" : "the largest force",
         report.residual_body < 0
             ? ""
             : fmt::format(" ('{}')", report.name[index(report.residual_body)]));
  output(
      "motion       largest speed {:.3g} m/s; farthest {:.3g} m from the start{}\n", report.speed,
      report.moved,
      report.moved_body < 0 ? "" : fmt::format(" ('{}')", report.name[index(report.moved_body)]));
  output("solver       residual {:.2e} in that step\n", report.solver_residual);
  print_outlook(report);
  output("joints       {}, {} of them loaded; {} with a hinge, {} at the friction limit{}{}\n",
         report.joints.size(), loaded, hinges, sliding,
         open > 0 ? fmt::format(", {} open", open) : "",
         edges > 0 ? fmt::format(", {} at edges alone", edges) : "");
  if (strongest != nullptr)
    output("compression  at most {:.6g} N, {}\n", strongest->normal, pair(*strongest));
  if (most_used != nullptr)
    output("utilisation  at most {:.4g} of the friction, {}\n", most_used->utilisation(),
           pair(*most_used));
  if (nearest_edge != nullptr) {
    output("eccentricity at most {:.4g} of the thickness, {}\n",
           nearest_edge->eccentricity / nearest_edge->thickness, pair(*nearest_edge));
  }
  Vector3 sum = Vector3::Zero();
  for (const Reaction& r : report.reactions) sum += r.force;
  constexpr std::size_t most_reactions = 12;
  for (std::size_t i = 0; i < std::min(most_reactions, report.reactions.size()); ++i) {
    const Reaction& r = report.reactions[i];
    output("reaction     {}: ({:.6g}, {:.6g}, {:.6g}) N at ({:.4g}, {:.4g}, {:.4g}) m\n",
           report.name[index(r.body)], r.force.x(), r.force.y(), r.force.z(), r.point.x(),
           r.point.y(), r.point.z());
  }
  if (report.reactions.size() > most_reactions)
    output("reaction     and {} more\n", report.reactions.size() - most_reactions);
  output("reactions    ({:.9g}, {:.9g}, {:.9g}) N in all; weight {:.9g} N\n", sum.x(), sum.y(),
         sum.z(), report.weight.norm());
  for (const AskedInterval& asked : intervals) print_interval(asked);
  if (!intervals.empty() && report.weight.norm() == 0.0)
    output("             without gravity the one unit of forces is the newton: 0, or unlimited\n");
}

// Intervals know weights and friction alone.
void require_weights_alone(const ResultReader& results, const JointReport& report) {
  const auto fail = [](const char* what) {
    throw InputError(
        fmt::format("--interval: {}, and intervals are of weights and friction alone; "
                    "leave it out",
                    what));
  };
  if (!results.loads().empty()) fail("loads act in this run");
  if (!results.ground().acceleration.empty()) fail("the ground moves in this run");
  for (const ResultPair& pair : results.pairs()) {
    const auto cohesion = pair.number.find("cohesion");
    if (cohesion != pair.number.end() && cohesion->second > 0.0)
      fail("a pair of materials has cohesion");
  }
  std::vector<Vector3> sum(report.name.size(), Vector3::Zero());
  for (const JointForce& joint : report.joints) {
    sum[index(joint.joint.a)] -= joint.force;
    sum[index(joint.joint.b)] += joint.force;
  }
  // Locked directions and uniform fields show in what contacts do not balance.
  for (std::size_t i = 0; report.balanced() && i < sum.size(); ++i) {
    if (report.fixed[i] != 0 || report.bodies[i].faces.empty()) continue;
    const Vector3 weight = report.mass[i] * report.gravity;
    if (weight.isZero(0.0)) continue;
    if ((sum[i] + weight).norm() > 2e-3 * weight.norm())
      fail("more than weights and contacts acts on blocks that are at rest (a field, locks)");
  }
}

void report_joints(const JointsOptions& options) {
  const std::string extension = options.out.empty() ? "" : extension_of(options.out);
  if (!options.out.empty()) {
    require(extension == ".csv" || extension == ".json" || extension == ".svg", options.out,
            fmt::format("unknown extension '{}'; known: .csv, .json, .svg", extension));
    check_output_path(options.out, options.run, options.force);
  }
  if (!options.compas.empty()) {
    require(extension_of(options.compas) == ".json", options.compas, "must end in .json");
    check_output_path(options.compas, options.run, options.force);
  }
  require(options.out.empty() || options.compas.empty() || !same_file(options.out, options.compas),
          "--compas", "is the file of --out; give each its own");
  const ResultReader results(options.run);
  JointQuery query = options.query;
  query.frame = options.frame;
  query.least_corners = options.least;
  const JointReport report = joint_report(results, options.run, query);
  std::vector<AskedInterval> intervals;
  if (!options.intervals.empty()) require_weights_alone(results, report);
  for (const std::string& text : options.intervals) {
    AskedInterval asked;
    asked.resultant = resultant_named(text, report);
    asked.interval = interval_of(report, asked.resultant, options.sides);
    intervals.push_back(asked);
  }
  print(report, intervals);
  if (extension == ".csv") write_file(options.out, joints_csv(report));
  if (extension == ".json") write_file(options.out, joints_json(report, intervals).dump(1) + "\n");
  if (extension == ".svg") write_file(options.out, joints_svg(report, options.plane));
  if (!options.compas.empty()) {
    std::vector<std::string> as_parts;
    write_file(options.compas, joints_compas(report, results, as_parts).dump(1) + "\n");
    if (!as_parts.empty()) {
      notice(
          "{}: {} block{} written as convex parts, whose common surface does not close: '{}'{}\n",
          options.compas, as_parts.size(), as_parts.size() == 1 ? "" : "s", as_parts.front(),
          as_parts.size() == 1 ? "" : " and others");
    }
  }
  for (const std::string& file : {options.out, options.compas}) {
    if (!file.empty()) notice("wrote {}\n", file);
  }
}

// How many sides a pyramid around a cone may have.
CLI::Validator side_count() {
  const auto check = [](const std::string& text) {
    const std::optional<std::int64_t> value = choices::integer_of(text);
    const bool good = value && *value >= 4 && *value <= 256 && *value % 4 == 0;
    return good ? std::string()
                : fmt::format("{} is not allowed; must be a multiple of 4 from 4 to 256", text);
  };
  return {check, "INTEGER"};
}

}  // namespace

void add_joints_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<JointsOptions>();
  CLI::App* const command = app.add_subcommand(
      "joints", "Forces in the joints of a run: resultants, thrust line, reactions, intervals");
  command->add_option("run", options->run, "result file")->required();
  command->add_option("-o,--out", options->out,
                      "file to write: .csv, .json, or .svg with the thrust line");
  command->add_option("--compas", options->compas, "file to write: an assembly for COMPAS, .json");
  command->add_option("--frame", options->frame, "number of the frame, -1: the last")
      ->capture_default_str();
  add_list_option(*command, "--interval", options->intervals,
                  "resultants whose smallest and largest admissible value to find: A:B.normal, "
                  "A:B.x, SUPPORT.z");
  command
      ->add_option("--sides", options->sides,
                   "of the pyramids for the cones of friction, a multiple of 4")
      ->check(side_count())
      ->capture_default_str();
  command
      ->add_option("--joint-tolerance", options->query.tolerance,
                   "faces nearer than this part of a block's size make a joint")
      ->check(choices::number_within(0.0, 0.1))
      ->capture_default_str();
  command
      ->add_option("--hinge", options->query.hinge_share,
                   "a resultant nearer to an edge than this part of half the thickness is a hinge")
      ->check(choices::number_within(0.0, 1.0))
      ->capture_default_str();
  command
      ->add_option("--view", options->plane,
                   "of an .svg: plane of the picture; default: the wider of xz and yz")
      ->check(CLI::IsMember({"xz", "yz", "xy"}));
  command->add_flag("--least-corners", options->least,
                    "corner forces of least norm with the resultants of the run");
  command->add_flag("--force", options->force, "replace existing files");
  command->callback([options, &exit_code] {
    report_joints(*options);
    exit_code = exit_done;
  });
}

}  // namespace scree
