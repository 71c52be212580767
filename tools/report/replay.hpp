// The 3D part of a report: shapes, poses and contacts of the frames that are shown.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/files/result_reader.hpp"
#include "tools/report/payload.hpp"

namespace scree::report {

// Without a number of frames: at most `default_frames` (the start and 3 s at 100 a second), and no
// more than `default_body_frames` poses in all, but always 2 frames.
inline constexpr std::int64_t default_frames = 301;
inline constexpr std::int64_t default_body_frames = 600'000;
// More contacts than this in all frames together are cut down to the strongest of each frame.
inline constexpr std::size_t max_contacts = 450'000;

// Indices of `wanted` frames (default: see above) of n_frames, evenly spread, first and last
// included.
std::vector<std::int64_t> shown_frames(std::int64_t n_frames, std::int64_t n_bodies,
                                       std::optional<std::int64_t> wanted);

// The largest number of contacts a frame with which all frames together have at most `budget`.
std::size_t contacts_per_frame(std::vector<std::size_t> counts, std::size_t budget);

// Adds the arrays of the frames; the result describes them: bodies, shapes, local origin, quanta,
// what was left out.
nlohmann::json add_replay(const ResultReader& results, const std::vector<std::int64_t>& frames,
                          Payload& payload);

// The same of a file without frames: one moment, at which no body is there.
nlohmann::json add_empty_replay(Payload& payload);

}  // namespace scree::report
