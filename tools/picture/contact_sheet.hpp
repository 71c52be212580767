// Several moments of a run in one picture, side by side, under one camera.
#pragma once

#include <span>

#include "tools/picture/camera.hpp"
#include "tools/picture/image.hpp"
#include "tools/picture/picture_scene.hpp"

namespace scree::picture {

// Renders the scenes into a grid of equal panels with their captions; a single scene fills the
// picture. The camera is placed once, so that all that moves stays inside each panel and can be
// compared. Throws InputError when a panel would be smaller than 64 pixels.
Image draw_contact_sheet(std::span<const PictureScene> scenes, const View& view, int width,
                         int height);

// Columns of the grid for n panels: the panels come out as near as possible to the proportions of
// 3:2.
int sheet_columns(int n, int width, int height);

}  // namespace scree::picture
