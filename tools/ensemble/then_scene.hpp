// The worst rocks of an ensemble in another scene: a wall where the barrier line is.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "scenes/ensemble/ensemble.hpp"
#include "scenes/ensemble/statistics.hpp"

namespace scree::ensemble {

struct ThenTask {
  std::string scene;    // of the wall, in the coordinates of the site
  std::string barrier;  // line of the site at which rocks are handed over
  std::size_t worst = 1;
  std::string folder;  // for the result files
  bool replace = false;
};

// What a rock did there.
struct ThenRow {
  std::size_t run = 0;
  std::string file, status;
  double mass = 0.0;
  double energy = 0.0;                     // [J] of the rock as it comes
  double impulse = 0.0;                    // [N s] size of the sum on the blocks, by the rock
  double peak_force = 0.0;                 // [N] largest mean over a step
  double moved = 0.0;                      // [m] beyond which a block counts as displaced
  std::int64_t displaced = 0, blocks = 0;  // that move freely, other than the rock
  double largest_displacement = 0.0;       // [m]
  double energy_left = 0.0;                // [J] of the rock at the end
  double end_time = 0.0;                   // [s]
};

// Before any run: throws InputError if the line is not there, or the scene cannot be read.
void check_then(const Ensemble& ensemble, const ThenTask& task);

// Runs that crossed the line, by their energy there, the largest first; hands each over at the end
// of the step in which it crosses, and runs the scene to its end. Writes FOLDER/run-K.h5, and
// FOLDER/run-K.csv with the impulse on the blocks over time. Throws InputError.
std::vector<ThenRow> run_then(const Ensemble& ensemble, const RunTable& table, const ThenTask& task,
                              const std::atomic<bool>& stop);

std::string then_csv(const std::vector<ThenRow>& rows);

}  // namespace scree::ensemble
