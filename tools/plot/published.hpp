// The six panels in which [Fremond24] shows its illustrations (figures 12 and 13), of a run with
// one free body.
#pragma once

#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/plot/figure.hpp"

namespace scree::plot {

// Coordinates, velocities, local velocities and impulses of the corners that touch, work of the
// reactions in each step, energies. Coordinates and velocities that stay at zero are left out.
// Local velocities are those of a corner relative to the body that it touches, along the normal
// towards the free body and along the tangent t of the contact. Impulses are those of the frames'
// own steps, so a file with a frame for every step shows all of them. Throws InputError unless
// exactly one body moves freely and the file has frames with contacts, some of them at corners.
std::vector<Panel> published_panels(const ResultReader& results);

}  // namespace scree::plot
