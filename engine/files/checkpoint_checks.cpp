#include "engine/files/checkpoint_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <tuple>
#include <variant>

#include "contact/laws/laws.hpp"
#include "engine/state_hash.hpp"

namespace scree {
namespace {

constexpr const char* not_finite = ": holds a number that is not finite";
// Orientations are normalised in every step; what is farther from length 1 is none.
constexpr double unit_tolerance = 1e-6;

bool finite(const std::vector<Vector3>& vectors) {
  return std::all_of(vectors.begin(), vectors.end(),
                     [](const Vector3& v) { return v.allFinite(); });
}

bool unit(const std::vector<Quaternion>& turns) {
  return std::all_of(turns.begin(), turns.end(), [](const Quaternion& q) {
    return std::abs(q.norm() - 1.0) <= unit_tolerance;
  });
}

std::string fault_of_vectors(const char* name, const std::vector<Vector3>& vectors,
                             std::size_t size, const char* row) {
  if (vectors.size() != size) return std::string(name) + ": not one row a " + row;
  return finite(vectors) ? "" : std::string(name) + not_finite;
}

std::string fault_of_turns(const char* name, const std::vector<Quaternion>& turns,
                           std::size_t size) {
  if (turns.size() != size) return std::string(name) + ": not one row a body";
  return unit(turns) ? "" : std::string(name) + ": holds a quaternion that is not of length 1";
}

// The first that is not empty.
std::string first(std::initializer_list<std::string> faults) {
  for (const std::string& fault : faults) {
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string fault_of_origin(const CheckpointOrigin& origin) {
  const std::filesystem::path result(origin.result);
  if (origin.result.empty() || result.filename() != result || origin.result == "." ||
      origin.result == "..") {
    return "result: is not the name of a file beside the checkpoint";
  }
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (origin.start_hash.size() != 64 ||
      !std::all_of(origin.start_hash.begin(), origin.start_hash.end(), is_digit))
    return "start_hash: is no SHA-256";
  return "";
}

std::string fault_of_numbers(const State& state) {
  constexpr std::int64_t most_steps = std::int64_t{1} << 53;  // beyond, times are not step * dt
  if (state.step < 0 || state.step > most_steps) return "state/step: is not from 0 to 2^53";
  if (!std::isfinite(state.time) || state.time < 0.0) return "state/time: is no time of a run";
  if (!std::isfinite(state.potential_change))
    return std::string("state/potential_change") + not_finite;
  if (!std::isfinite(state.energy_scale) || state.energy_scale < 0.0)
    return "state/energy_scale: is no energy scale";
  return "";
}

std::string fault_of_window(const State& state) {
  if (state.window_x.empty() && state.window_q.empty())
    return state.window_start == 0.0 ? "" : "state/window_start: there is no window";
  if (!std::isfinite(state.window_start) || state.window_start < 0.0 ||
      state.window_start > state.time)
    return "state/window_start: is no time before the state's";
  const std::size_t n = state.x.size();
  return first({fault_of_vectors("state/window_x", state.window_x, n, "body"),
                fault_of_turns("state/window_q", state.window_q, n)});
}

// Whether a table that the first step makes may be empty.
bool may_be_empty(const Checkpoint& checkpoint) {
  return checkpoint.state.step == 0 || !checkpoint.all_fields;
}

// Notes of the past, and where driven bodies began.
std::string fault_of_further_fields(const Checkpoint& checkpoint) {
  const State& state = checkpoint.state;
  const bool has_none = state.touched.empty() && may_be_empty(checkpoint);
  if (!has_none && state.touched.size() != state.x.size())
    return "state/touched: not one row a body";
  if (std::any_of(state.touched.begin(), state.touched.end(),
                  [](std::uint8_t a) { return a > (State::has_touched | State::has_turned_back); }))
    return "state/touched: holds what is not 0, 1, 2 or 3";
  if (!state.left.empty() && state.left.size() != state.x.size())
    return "state/left: not one row a body";
  const auto is_step = [&](std::int64_t step) { return step >= 0 && step <= state.step; };
  if (!std::ranges::all_of(state.left, is_step)) return "state/left: is no step of the past";
  if (!state.slip.empty() && state.slip.size() != state.x.size())
    return "state/slip: not one row a body";
  if (state.slip_recovery.size() != state.slip.size())
    return "state/slip_recovery: not as many rows as state/slip";
  const auto is_amount = [](double value) { return std::isfinite(value) && value >= 0.0; };
  if (!std::ranges::all_of(state.slip, is_amount)) return "state/slip: holds what is no way";
  if (!std::ranges::all_of(state.slip_recovery, is_amount))
    return "state/slip_recovery: holds what is no rate";
  if (!state.turned_back.empty() && state.turned_back.size() != state.x.size())
    return "state/turned_back: not one row a body";
  if (!std::ranges::all_of(state.turned_back,
                           [](std::uint8_t turns) { return turns <= State::turns_on_end; }))
    return "state/turned_back: holds what is not 0 to 4";
  if (state.wedged_on_end < 0 || state.wedged_on_end > state.step)
    return "state/wedged_on_end: is no number of steps of the past";
  for (const MotionStart& start : state.motion_start) {
    if (!std::isfinite(start.time) || !start.x.allFinite() || !unit({start.q}))
      return "state/motion_start: holds what is no pose";
  }
  return "";
}

std::string fault_of_bodies(const State& state) {
  const std::size_t n = state.x.size();
  if (n == 0) return "state/x: is empty";
  if (state.active.size() != n) return "state/active: not one row a body";
  if (std::any_of(state.active.begin(), state.active.end(), [](std::uint8_t a) { return a > 1; }))
    return "state/active: holds what is neither 0 nor 1";
  return first({fault_of_vectors("state/x", state.x, n, "body"),
                fault_of_turns("state/q", state.q, n),
                fault_of_vectors("state/v", state.v, n, "body"),
                fault_of_vectors("state/w", state.w, n, "body")});
}

// What a periodic world needs, and only that one.
std::string fault_of_images(const State& state, const Cell& cell) {
  if (state.image.size() != (cell.is_periodic() ? state.x.size() : 0)) {
    return cell.is_periodic() ? "state/image: not one row a body"
                              : "state/image: the scene is not periodic";
  }
  const double most = cell.is_sheared() ? cell.length.x() : 0.0;
  if (!(state.image_shift >= 0.0 && state.image_shift <= most))
    return "state/image_shift: is not within a period";
  if (cell.is_periodic()) return "";
  const auto& keys = state.kept.key;
  const bool any =
      std::any_of(keys.begin(), keys.end(), [](const ContactKey& key) { return key.image != 0; });
  return any ? "kept/images: the scene is not periodic" : "";
}

bool is_pair(BodyIndex a, BodyIndex b, std::size_t n) {
  return a >= 0 && a < b && static_cast<std::size_t>(b) < n;
}

std::string fault_of_kept(const KeptImpulses& kept, std::size_t n_bodies) {
  constexpr auto last_kind = static_cast<Feature>(last_feature_kind);
  for (const ContactKey& key : kept.key) {
    if (!is_pair(key.body_a, key.body_b, n_bodies))
      return "kept/bodies: a pair of bodies that there is not";
    if (key.part_a < 0 || key.part_b < 0) return "kept/parts: a part that there is not";
    for (const std::int32_t n : periods_of(key.image)) {
      if (std::abs(n) > most_periods) return "kept/images: an image that is too far away";
    }
    if (key.feature_a >> 28 > last_kind || key.feature_b >> 28 > last_kind)
      return "kept/features: a kind of feature that there is not";
  }
  if (std::adjacent_find(kept.key.begin(), kept.key.end(),
                         [](const ContactKey& a, const ContactKey& b) { return !(a < b); }) !=
      kept.key.end()) {
    return "kept/bodies: contacts that are not in order";
  }
  const std::size_t n = kept.key.size(),
                    moments = kept.moment_W.empty() && kept.before_moment_W.empty() ? 0 : n,
                    velocities = kept.velocity.empty() ? 0 : n;
  if (!kept.memory.empty() && kept.memory.size() != n) return "kept/memory: not one row a contact";
  for (const ContactMemory& memory : kept.memory) {
    if (!std::all_of(memory.begin(), memory.end(), [](double m) { return std::isfinite(m); }))
      return std::string("kept/memory") + not_finite;
  }
  return first({fault_of_vectors("kept/impulse", kept.impulse_W, n, "contact"),
                fault_of_vectors("kept/before", kept.before_W, n, "contact"),
                fault_of_vectors("kept/moment", kept.moment_W, moments, "contact"),
                fault_of_vectors("kept/moment_before", kept.before_moment_W, moments, "contact"),
                fault_of_vectors("kept/velocity", kept.velocity, velocities, "contact")});
}

std::string fault_of_rows(const RecordedRows& rows, const State& state) {
  if (rows.frames < 0 || rows.frames - 1 > state.step)
    return "recorded_frames: more than there were steps";
  if (rows.contacts < 0) return "recorded_contacts: is negative";
  if (rows.pairs < 0) return "recorded_pairs: is negative";
  const PairImpulse* last = nullptr;
  for (const PairImpulse& pair : rows.open_sums) {
    if (!is_pair(pair.body_a, pair.body_b, state.x.size()))
      return "open_sums/bodies: a pair of bodies that there is not";
    if (last != nullptr &&
        std::pair(last->body_a, last->body_b) >= std::pair(pair.body_a, pair.body_b))
      return "open_sums/bodies: pairs that are not in order";
    if (!pair.sum.allFinite()) return std::string("open_sums/impulse_sum") + not_finite;
    last = &pair;
  }
  return "";
}

// Sums of stresses are of all bodies or not there.
std::string fault_of_open_stress(const measure::StressSums& sums, std::size_t bodies) {
  const std::size_t all = measure::StressSums::width * bodies;
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (sums.steps < 0) return "open_stress/steps: is negative";
  if (sums.of_body.size() != (sums.steps > 0 ? all : 0))
    return "open_stress/bodies: not one row a body";
  if (!sums.of_couple.empty() && sums.of_couple.size() != all)
    return "open_stress/couples: not one row a body";
  if (!std::ranges::all_of(sums.of_body, is_finite) ||
      !std::ranges::all_of(sums.of_couple, is_finite))
    return std::string("open_stress") + not_finite;
  return "";
}

// How many features of a kind a shape has at most. Walls have a few: the mantle and its ends.
std::size_t most_features(const Shape& shape) {
  constexpr std::size_t of_a_simple_shape = 8;
  if (const auto* terrain = std::get_if<Terrain>(&shape))
    return 2 * terrain->raster().values.size();
  const auto* solid = std::get_if<ConvexPolyhedron>(&shape);
  if (solid == nullptr) {
    const std::size_t points =
        std::visit([](const auto& s) { return s.placed_points().size(); }, shape);
    return std::holds_alternative<PointSet>(shape) ? points : std::max(points, of_a_simple_shape);
  }
  return std::max({solid->vertices.size(), solid->edges.size(), solid->face_normal.size()});
}

std::string fault_of_features(const KeptImpulses& kept, const Model& model) {
  constexpr Feature index_bits = 0x0FFFFFFF;
  for (const ContactKey& key : kept.key) {
    for (const auto& [body, part, feature] : {std::tuple(key.body_a, key.part_a, key.feature_a),
                                              std::tuple(key.body_b, key.part_b, key.feature_b)}) {
      const auto first_part = model.part_begin[static_cast<std::size_t>(body)],
                 end = model.part_begin[static_cast<std::size_t>(body) + 1];
      if (part >= end - first_part) return "kept/parts: a part that there is not";
      const auto shape =
          static_cast<std::size_t>(model.part_shape[static_cast<std::size_t>(first_part + part)]);
      if ((feature & index_bits) >= most_features(model.shapes[shape]))
        return "kept/features: a feature that there is not";
    }
  }
  return "";
}

}  // namespace

std::string contents_hash(const RecordedRows& rows, const State& state) {
  std::string text = resume_hash(state);
  const auto add = [&text](const auto& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add(rows.frames), add(rows.contacts), add(rows.pairs);
  for (const PairImpulse& pair : rows.open_sums) {
    add(pair.body_a), add(pair.body_b);
    for (const double component : pair.sum) add(component);
  }
  if (rows.open_stress.steps == 0) return sha256(text.data(), text.size());  // nothing is written
  add(rows.open_stress.steps);
  for (const auto* sums : {&rows.open_stress.of_body, &rows.open_stress.of_couple}) {
    for (const double sum : *sums) add(sum);
  }
  return sha256(text.data(), text.size());
}

std::string fault_of(const Checkpoint& checkpoint) {
  const State& state = checkpoint.state;
  return first({fault_of_origin(checkpoint.origin), fault_of_numbers(state), fault_of_bodies(state),
                fault_of_window(state), fault_of_further_fields(checkpoint),
                fault_of_kept(state.kept, state.x.size()), fault_of_rows(checkpoint.rows, state),
                fault_of_open_stress(checkpoint.rows.open_stress, state.x.size())});
}

std::string fault_of(const Checkpoint& checkpoint, const Model& model, const Settings& settings,
                     const State& start) {
  const State& state = checkpoint.state;
  if (state.x.size() != start.x.size()) return "state/x: not one row a body of the scene";
  if (state.time != static_cast<double>(state.step) * settings.time.dt)
    return "state/time: is not that of the step";
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (model.kind[i] != BodyKind::fixed) continue;
    const bool stays = state.x[i] == start.x[i] && state.q[i].coeffs() == start.q[i].coeffs() &&
                       state.v[i].isZero(0.0) && state.w[i].isZero(0.0);
    if (!stays) return "state: '" + model.name[i] + "' has moved, and it is fixed";
  }
  if (const std::string fault = fault_of_features(state.kept, model); !fault.empty()) return fault;
  if (const std::string fault = fault_of_images(state, model.cell); !fault.empty()) return fault;
  const bool no_starts = state.motion_start.empty() && may_be_empty(checkpoint);
  if (!no_starts && state.motion_start.size() != model.histories.size())
    return "state/motion_start: not one row a driven body";
  const bool moments = contact::Laws::any_moments(model.materials);
  if (!state.kept.key.empty() && moments == state.kept.moment_W.empty())
    return moments ? "kept/moment: is missing"
                   : "kept/moment: no pair of materials resists rolling";
  const bool middle = settings.step.frames == Frames::middle;
  if (!state.kept.key.empty() && middle == state.kept.velocity.empty())
    return middle ? "kept/velocity: is missing"
                  : "kept/velocity: contact frames are not in the middle of the step";
  const bool memory = contact::Laws::any_memory(model.materials);
  if (!state.kept.key.empty() && memory == state.kept.memory.empty())
    return memory ? "kept/memory: is missing"
                  : "kept/memory: no pair of materials has a law that remembers";
  for (std::size_t k = 0; k < state.kept.memory.size(); ++k) {
    const ContactKey& key = state.kept.key[k];
    const auto& pair = model.materials.at(model.material[static_cast<std::size_t>(key.body_a)],
                                          model.material[static_cast<std::size_t>(key.body_b)]);
    if (!pair || !contact::Laws::is_sound(*pair, state.kept.memory[k]))
      return "kept/memory: holds what no law of the pair remembers";
  }
  const bool slips = contact::Laws::any_slip(model.materials);
  if (slips == state.slip.empty() && !(state.slip.empty() && may_be_empty(checkpoint)))
    return slips ? "state/slip: is missing"
                 : "state/slip: no pair of materials has friction that depends on it";
  const bool sums = checkpoint.rows.open_stress.steps > 0;
  const bool over_frames =
      settings.output.writes_stress() && settings.output.stress_mean == StressMean::frame;
  if (sums && !over_frames)
    return "open_stress: the scene has no stresses that are means of frames";
  if (sums && moments == checkpoint.rows.open_stress.of_couple.empty())
    return "open_stress/couples: do not go with the scene's materials";
  const bool window = !state.window_x.empty();
  if (window && !settings.stop.wanted()) return "state/window_x: the scene has no stop rule";
  if (!window && settings.stop.wanted() && !may_be_empty(checkpoint))
    return "state/window_x: is empty, and the scene has a stop rule";
  return "";
}

}  // namespace scree
