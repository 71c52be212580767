// The panels in which [Fremond24] shows its illustrations: figures 2, 3, 5 and 6 of one free body,
// figures 12 and 13 of many.
#pragma once

#include <string>
#include <vector>

#include "engine/files/result_reader.hpp"
#include "tools/plot/figure.hpp"

namespace scree::plot {

// Of one free body: coordinates, velocities, local velocities and impulses of the corners that
// touch, work of the reactions in each step, energies. Coordinates and velocities that stay at zero
// are left out. Local velocities are those of a corner relative to the body that it touches, along
// the normal towards the free body and along the tangent t of the contact. Impulses are those of
// the frames' own steps, so a file with a frame for every step shows all of them. Throws InputError
// unless the file has frames with contacts, some of them at corners.
//
// Of several: energies and works added up; the change of energy less external work beside the work
// of contacts; largest positive and most negative tangential work of a contact in each step.
std::vector<Panel> published_panels(const ResultReader& results);

// The impact law of all pairs of materials; empty when they differ.
std::string law_of(const ResultReader& results);

}  // namespace scree::plot
