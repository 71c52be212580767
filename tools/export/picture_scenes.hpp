// Frames of a result file as scenes to draw.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/picture/picture_scene.hpp"

namespace scree {

// pressure: -tr(s)/3 of each body's mean stress s; tau: sqrt(s':s'/2) of its deviator.
enum class ColourBy { body, speed, displacement, pressure, tau };

// Which frames to draw; at most one of the members is set. None: the last frame.
struct FrameChoice {
  std::vector<double> times;           // [s] the nearest frames
  std::optional<std::int64_t> frame;   // number, from 0; negative: from the end
  std::optional<std::int64_t> panels;  // this many, evenly spread from the first to the last
};

// Indices of the chosen frames. Throws InputError for a moment or number outside the file (the
// range is stated) and for a file without frames.
std::vector<std::int64_t> choose_frames(const FrameChoice& choice,
                                        std::span<const double> frame_times);

// The bodies at those frames, coloured on one scale, with captions; the first has the bar that
// tells what colours mean. What moves is framed, but for a few bodies that have gone far from all
// others. Stresses are those that the file has, else those of its contacts. With `forces`, the
// force between each two bodies is a bar from mass centre to mass centre through where it acts,
// whose thickness and colour grow with it.
std::vector<picture::PictureScene> picture_scenes(const ResultReader& results,
                                                  std::span<const std::int64_t> frames,
                                                  ColourBy colour_by, bool forces = false);

}  // namespace scree
