#include "tools/plot/raster.hpp"

#include <cairo.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace scree::plot {
namespace {

template <class T, auto release>
struct Release {
  void operator()(T* object) const { release(object); }
};
using Document = std::unique_ptr<RsvgHandle, Release<void, g_object_unref>>;
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_t, cairo_surface_destroy>>;
using Pen = std::unique_ptr<cairo_t, Release<cairo_t, cairo_destroy>>;

[[noreturn]] void fail(const std::string& reason) {
  throw std::runtime_error("the figure cannot be drawn: " + reason);
}

[[noreturn]] void fail(GError* error) {
  const std::string reason = error->message;
  g_error_free(error);
  fail(reason);
}

void require_success(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) fail(cairo_status_to_string(status));
}

Document read_document(const std::string& svg) {
  GError* error = nullptr;
  Document document(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!document) fail(error);
  return document;
}

}  // namespace

std::string draw_png(const std::string& svg, double scale) {
  const Document document = read_document(svg);
  double width = 0.0, height = 0.0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(document.get(), &width, &height) == FALSE)
    fail("it has no size");
  const RsvgRectangle area = {0.0, 0.0, std::round(width * scale), std::round(height * scale)};
  // Without an alpha channel: papers want an opaque page.
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(area.width),
                                                   static_cast<int>(area.height)));
  require_success(cairo_surface_status(surface.get()));
  const Pen pen(cairo_create(surface.get()));
  GError* error = nullptr;
  if (rsvg_handle_render_document(document.get(), pen.get(), &area, &error) == FALSE) fail(error);
  std::string bytes;
  const auto append = [](void* target, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(target)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  };
  require_success(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

}  // namespace scree::plot
