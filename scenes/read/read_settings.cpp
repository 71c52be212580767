#include "scenes/read/read_settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "contact/laws/laws.hpp"
#include "scenes/read/ground_preset.hpp"
#include "scenes/read/read_loads.hpp"

namespace scree::scenes {
namespace {

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_passes = 1000000;

const Choices<ImpactLaw>& laws() {
  static const Choices<ImpactLaw> choices = [] {
    Choices<ImpactLaw> table;
    for (const char* name : contact::Laws::impact_names)
      table.emplace_back(name, *contact::Laws::named(name));
    return table;
  }();
  return choices;
}

// Overwrites `target` when the file has a value.
template <class Target, class Value>
void set(Target& target, const std::optional<Value>& value) {
  if (value) target = static_cast<Target>(*value);
}

void read_time(TableReader& file, TimeSettings& time) {
  TableReader reader = file.need(file.table("time"), "time", "a section [time] with dt and end");
  const std::string expected = positive("[s]").text();
  time.dt = reader.need(reader.unchecked_number("dt", positive("[s]")), "dt", expected);
  time.end = reader.need(reader.unchecked_number("end", positive("[s]")), "end", expected);
  set(time.theta, reader.unchecked_number("theta", {.low = 0.5, .high = 1.0}));
  reader.finish();
}

// `device = { period_steps = 1, normal = true, tangential = false }`, as numbers of a law.
std::optional<DeviceNumbers> read_device(TableReader& table) {
  std::optional<TableReader> reader = table.table("device");
  if (!reader) return std::nullopt;
  const Range range = {.low = contact::ContactDevice::shortest,
                       .high = contact::ContactDevice::longest,
                       .unit = "[steps]"};
  const double period = reader->number("period_steps", range).value_or(1.0);
  const bool normal = reader->boolean("normal").value_or(true),
             tangential = reader->boolean("tangential").value_or(false);
  reader->finish();
  return DeviceNumbers{normal ? period : 0.0, tangential ? period : 0.0};
}

void read_law(TableReader& reader, StepSettings& step) {
  static const Choices<Activation> activations = [] {
    Choices<Activation> choices;
    for (std::size_t i = 0; i < activation_names.size(); ++i)
      choices.emplace_back(activation_names[i], static_cast<Activation>(i));
    return choices;
  }();
  static const Choices<Closing> closings = {{"impact", Closing::impact},
                                            {"two_step", Closing::two_step}};
  static const Choices<Rest> rests = {
      {"published", Rest::published}, {"clamped", Rest::clamped}, {"damped", Rest::damped}};
  static const Choices<PositionCorrection> corrections = {
      {"none", PositionCorrection::none},
      {"projection", PositionCorrection::projection},
      {"repeated", PositionCorrection::repeated}};
  static const Choices<RotationUpdate> rotations = {{"cayley", RotationUpdate::cayley},
                                                    {"exponential", RotationUpdate::exponential}};
  static const Choices<Frames> frames = {{"start", Frames::start}, {"middle", Frames::middle}};
  reader.choice("default", laws());
  set(step.activation, reader.choice("activation", activations));
  if (const auto gamma = reader.unchecked_number("activation_gamma", {.low = 0.0, .high = 1.0})) {
    if (step.activation != Activation::gamma && *gamma != step.activation_gamma)
      reader.fail("activation_gamma", "says nothing unless activation is \"gamma\"");
    step.activation_gamma = *gamma;
  }
  set(step.closing, reader.choice("closing", closings));
  set(step.rest, reader.choice("rest", rests));
  set(step.correction, reader.choice("correction", corrections));
  set(step.correction_slop, reader.unchecked_number("correction_slop", {.low = 0.0}));
  set(step.catch_share, reader.unchecked_number("catch_share", {.low = 0.0}));
  set(step.rotation, reader.choice("rotation", rotations));
  set(step.frames, reader.choice("frames", frames));
  read_device(reader);
  reader.finish();
}

void read_solver(TableReader& reader, Settings& settings) {
  using contact::Measure;
  using contact::Method;
  static const Choices<Method> methods = {{"automatic", Method::automatic},
                                          {"nsgs", Method::nsgs},
                                          {"nncg", Method::nncg},
                                          {"apgd", Method::apgd},
                                          {"interior", Method::interior}};
  static const Choices<Measure> measures = {{"combined", Measure::combined},
                                            {"scaled", Measure::scaled},
                                            {"published", Measure::published},
                                            {"siconos", Measure::siconos}};
  static const Choices<Backend> backends = {
      {"serial", Backend::serial}, {"openmp", Backend::openmp}, {"tbb", Backend::tbb}};
  const Range share = {.low = 0.0, .high = 1.0, .low_allowed = false};
  contact::SolverOptions& solver = settings.step.solver;
  set(solver.method, reader.choice("method", methods));
  set(solver.measure, reader.choice("measure", measures));
  set(solver.tolerance, reader.unchecked_number("tolerance", share));
  set(solver.velocity_tolerance, reader.unchecked_number("velocity_tolerance", share));
  set(solver.max_iterations, reader.integer("max_iterations", 1, highest));
  set(solver.min_iterations, reader.integer("min_iterations", 0, highest));
  set(settings.step.max_passes, reader.integer("max_passes", 1, most_passes));
  set(settings.backend, reader.choice("backend", backends));
  set(settings.threads, reader.integer("threads", 0, most_threads));
  reader.finish();
}

void read_output(TableReader& reader, OutputSettings& output) {
  static const Choices<VelocityPrecision> precisions = {
      {"double", VelocityPrecision::double_precision},
      {"single", VelocityPrecision::single_precision}};
  static const Choices<StressMean> means = {{"step", StressMean::step},
                                            {"frame", StressMean::frame}};
  set(output.frames_per_second,
      reader.unchecked_number("frames_per_second", not_negative("[1/s]")));
  set(output.contacts, reader.boolean("contacts"));
  set(output.keep_frames, reader.boolean("keep_frames"));
  set(output.velocities, reader.choice("velocities", precisions));
  set(output.stress, reader.boolean("stress"));
  set(output.stress_mean, reader.choice("stress_mean", means));
  if (output.stress_mean == StressMean::frame && !output.stress)
    reader.fail("stress_mean", "goes with stress = true, which is not there; leave it out");
  if (output.stress && !output.keep_frames)
    reader.fail("stress", "is written in frames, and keep_frames = false keeps none");
  reader.finish();
}

void read_checkpoint(TableReader& reader, CheckpointSettings& checkpoint) {
  set(checkpoint.every_steps, reader.integer("every_steps", 0, highest));
  set(checkpoint.every_minutes, reader.unchecked_number("every_minutes", not_negative("[min]")));
  reader.finish();
}

void read_stop(TableReader& reader, StopSettings& stop) {
  const auto displacement = reader.number("displacement", positive("[m]")),
             window = reader.number("window", positive("[s]")),
             after = reader.unchecked_number("after", not_negative("[s]"));
  const auto wedged_steps = reader.integer("wedged_steps", 0, highest);
  set(stop.wedged_steps, wedged_steps);
  if (displacement || window || after || !wedged_steps) {
    stop.displacement = reader.need(displacement, "displacement", positive("[m]").text());
    stop.window = reader.need(window, "window", positive("[s]").text());
    set(stop.after, after);
  }
  reader.finish();
}

void read_start(TableReader& reader, Settings& settings) {
  set(settings.overlap_tolerance, reader.unchecked_number("overlap_tolerance", {.low = 0.0}));
  set(settings.allow_initial_overlap, reader.boolean("allow_initial_overlap"));
  reader.finish();
}

// A number that the law does not take. Where an option gave the law it is the option that is wrong.
[[noreturn]] void fail_under_law(const TableReader& reader, const contact::LawParameter& parameter,
                                 ImpactLaw law, bool by_option) {
  try {
    reader.fail(parameter.name,
                fmt::format("says nothing under the law \"{}\"{}; {}", contact::Laws::name_of(law),
                            by_option ? ", which --law gives" : "", parameter.meaning));
  } catch (const InputError& error) {
    if (!by_option || std::string_view(error.what()).starts_with("--")) throw;
    throw InputError(std::string("--law: ") + error.what());
  }
}

// `ground` of a pair; null: none.
const GroundPreset* read_ground_preset(TableReader& reader) {
  Choices<const GroundPreset*> names;
  for (const GroundPreset& preset : ground_presets()) names.emplace_back(preset.name, &preset);
  return reader.choice("ground", names).value_or(nullptr);
}

// What the ground says of a number; none: nothing.
std::optional<double> number_of(const GroundPreset* ground, std::string_view parameter) {
  if (ground == nullptr) return std::nullopt;
  for (const GroundPreset::Number& number : ground->numbers) {
    if (parameter == number.parameter) return number.value;
  }
  return std::nullopt;
}

void read_contact(TableReader& reader, const LawChoice& choice, MaterialNames& names,
                  MaterialTable& table) {
  const char* expected = "the names of two materials, which may be the same";
  const auto between = reader.need(reader.texts("between"), "between", expected);
  if (between.size() != 2) {
    reader.fail("between",
                fmt::format("an array of {} is not allowed; must be {}", between.size(), expected));
  }
  std::size_t index[2] = {0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto found = names.index.find(between[i]);
    if (found == names.index.end()) reader.fail_choice("between", between[i], table.name);
    index[i] = static_cast<std::size_t>(found->second);
  }
  const GroundPreset* ground = read_ground_preset(reader);
  AppliedGround applied{between[0], between[1], "", "", ""};
  if (ground != nullptr) applied.name = ground->name, applied.meaning = ground->meaning;
  PairLaw law;
  const ImpactLaw otherwise =
      ground != nullptr ? *contact::Laws::named(ground_preset_law) : choice.otherwise.impact;
  law.law = reader.choice("law", laws()).value_or(otherwise);
  law.law = choice.instead.value_or(law.law);
  const auto& parameters = contact::Laws::parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const contact::LawParameter& p = parameters[i];
    if (!p.is_key) continue;
    const std::string unit = *p.unit == '\0' ? "" : fmt::format("[{}]", p.unit);
    const Range range = {.low = p.low, .high = p.high, .unit = unit.c_str()};
    std::optional<double> value = reader.number(p.name, range);
    const std::optional<double> of_ground = number_of(ground, p.name);
    if (value && of_ground)
      applied.own += fmt::format("{}{} = {:g}", applied.own.empty() ? "" : ", ", p.name, *value);
    const bool by_ground = !value && of_ground;
    if (by_ground) value = of_ground;
    if (!value && std::isnan(p.absent)) value = reader.need(value, p.name, range.text());
    if (value && !contact::Laws::takes(law.law, i))
      fail_under_law(reader, p, law.law, choice.instead.has_value());
    contact::Laws::number(law, i) = value.value_or(p.absent);
    // What the pair switches off takes the ground's other numbers of that law with it.
    const contact::LawFault fault = contact::Laws::fault(law);
    if (by_ground && fault.parameter != nullptr && std::string_view(fault.parameter) == p.name)
      contact::Laws::number(law, i) = p.absent;
  }
  const contact::LawFault fault = contact::Laws::fault(law);
  if (fault.parameter != nullptr) reader.fail(fault.parameter, fault.text);
  if (ground != nullptr) names.grounds.push_back(std::move(applied));
  const DeviceNumbers device = read_device(reader).value_or(choice.otherwise.device);
  contact::Laws::number(law, "device_normal") = device.normal;
  contact::Laws::number(law, "device_tangential") = device.tangential;
  reader.finish();
  std::optional<PairLaw>& entry = table.pair_law[index[0] * table.name.size() + index[1]];
  if (entry) {
    reader.fail("between",
                fmt::format("there is already a law between \"{}\" and \"{}\"; give each pair once",
                            between[0], between[1]));
  }
  entry = law;
  table.pair_law[index[1] * table.name.size() + index[0]] = law;
}

}  // namespace

Settings read_settings(TableReader& file) {
  Settings settings;
  read_time(file, settings.time);
  std::optional<TableReader> law = file.table("law"), solver = file.table("solver"),
                             output = file.table("output"), start = file.table("start"),
                             checkpoint = file.table("checkpoint"), stop = file.table("stop");
  if (law) read_law(*law, settings.step);
  if (solver) read_solver(*solver, settings);
  if (output) read_output(*output, settings.output);
  if (checkpoint) read_checkpoint(*checkpoint, settings.checkpoint);
  if (stop) read_stop(*stop, settings.stop);
  if (start) read_start(*start, settings);
  return settings;
}

std::string read_initial(TableReader& file, Place& place) {
  std::optional<TableReader> reader = file.table("initial");
  if (!reader) return "";
  const std::string from = reader->need(reader->text("from"), "from", "the name of a result file");
  if (from.empty())
    reader->fail("from", "an empty text is not allowed; must be the name of a result file");
  place = reader->place("from");
  reader->finish();
  return from;
}

DefaultLaw read_default_law(TableReader& file) {
  std::optional<TableReader> reader = file.table("law");
  if (!reader) return {};
  return {reader->choice("default", laws()).value_or(ImpactLaw::fremond),
          read_device(*reader).value_or(DeviceNumbers{})};
}

namespace {

// `periodic = [Lx, Ly, 0]`, `periodic_corner`, `shear_rate`.
void read_cell(TableReader& reader, Model& model) {
  Cell& cell = model.cell;
  set(cell.length, reader.vector("periodic", not_negative("[m]")));
  cell.corner = model.origin;
  set(cell.corner, reader.vector("periodic_corner", any("[m]")));
  cell.corner -= model.origin;
  set(cell.shear_rate, reader.number("shear_rate", any("[1/s]")));
}

}  // namespace

void read_world(TableReader& file, Model& model) {
  std::optional<TableReader> reader = file.table("world");
  if (!reader) return;
  set(model.gravity, reader->vector("gravity", any("[m/s2]")));
  set(model.origin, reader->vector("origin", any("[m]")));
  model.field = read_field(*reader);
  static const Choices<int> planes = {{"xy", 2}, {"xz", 1}, {"yz", 0}};
  set(model.plane_normal, reader->choice("plane", planes));
  read_cell(*reader, model);
  reader->finish();
}

MaterialNames read_materials(TableReader& file, const LawChoice& choice, Model& model) {
  MaterialNames names;
  for (TableReader& reader : file.tables("material")) {
    const std::string name = reader.name();
    const auto index = static_cast<MaterialIndex>(model.materials.name.size());
    if (!names.index.emplace(name, index).second) {
      reader.fail("name", "there is already a material \"" + name + "\"; names must be unique");
    }
    const std::optional<double> density = reader.number("density", positive("[kg/m3]"));
    if (density) names.density[name] = *density;
    model.materials.name.push_back(name);
    reader.finish();
  }
  model.materials.pair_law.assign(model.materials.name.size() * model.materials.name.size(),
                                  std::nullopt);
  for (TableReader& reader : file.tables("contact")) {
    if (names.index.empty())
      file.fail_missing("material", "one [[material]] or more, which [[contact]] names");
    read_contact(reader, choice, names, model.materials);
  }
  return names;
}

}  // namespace scree::scenes
