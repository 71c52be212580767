// The thrust line on a picture of the blocks, seen along one axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/index.hpp"
#include "tools/joints/write_joints.hpp"

namespace scree {
namespace {

constexpr double width = 1000.0, margin = 40.0;  // pixels

struct View {
  int right = 0, up = 2;  // axes
  double x0 = 0.0, y0 = 0.0, scale = 1.0, height = 0.0;

  double px(const Vector3& p) const { return margin + scale * (p(right) - x0); }
  double py(const Vector3& p) const { return height - margin - scale * (p(up) - y0); }
};

View view_of(const JointReport& report, const std::string& plane) {
  Vector3 low = Vector3::Constant(1e300), high = -low;
  for (const blocks::JointBody& body : report.bodies) {
    if (body.faces.empty()) continue;
    low = low.cwiseMin(body.low), high = high.cwiseMax(body.high);
  }
  const Vector3 size = high - low;
  View view;
  view.right = plane == "yz" || (plane.empty() && size.y() > size.x()) ? 1 : 0;
  if (plane == "xy") view.right = 0, view.up = 1;
  view.x0 = low(view.right), view.y0 = low(view.up);
  view.scale = (width - 2.0 * margin) / std::max(size(view.right), 1e-12);
  view.height = view.scale * size(view.up) + 2.0 * margin;
  return view;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

// The outline of a convex hull in the plane of the picture, good enough for blocks seen as a whole.
std::vector<std::pair<double, double>> outline(const blocks::JointBody& body, const View& view) {
  std::vector<std::pair<double, double>> points;
  for (const auto& face : body.faces) {
    for (const Vector3& p : face.corners) points.emplace_back(view.px(p), view.py(p));
  }
  std::sort(points.begin(), points.end());
  std::vector<std::pair<double, double>> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t base = hull.size();
    for (const auto& p : points) {
      while (hull.size() >= base + 2) {
        const auto &a = hull[hull.size() - 2], &b = hull.back();
        if ((b.first - a.first) * (p.second - a.second) -
                (b.second - a.second) * (p.first - a.first) >
            1e-9)
          break;
        hull.pop_back();
      }
      hull.push_back(p);
    }
    if (!hull.empty()) hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

}  // namespace

std::string joints_svg(const JointReport& report, const std::string& plane) {
  const View view = view_of(report, plane);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "font-family=\"Liberation Sans, Arial, sans-serif\" font-size=\"13\">\n<title>{}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, view.height + 50.0, escaped(report.title));
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < report.bodies.size(); ++i) {
    if (report.bodies[i].faces.empty()) continue;
    fmt::format_to(out, "<polygon fill=\"{}\" stroke=\"#8a8378\" stroke-width=\"0.7\" points=\"",
                   report.fixed[i] != 0 ? "#c9c4bb" : "#ece7dd");
    for (const auto& [x, y] : outline(report.bodies[i], view))
      fmt::format_to(out, "{:.2f},{:.2f} ", x, y);
    fmt::format_to(out, "\"><title>{}</title></polygon>\n", escaped(report.name[i]));
  }
  double most = 0.0;
  for (const JointForce& f : report.joints) most = std::max(most, f.force.norm());
  const auto thickness = [&](double force) { return most > 0.0 ? 0.5 + 3.5 * force / most : 1.0; };
  for (const ThrustSegment& segment : thrust_segments(report)) {
    const JointForce &a = report.joints[segment.from], &b = report.joints[segment.to];
    fmt::format_to(out,
                   "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" "
                   "stroke=\"#b5382a\" stroke-width=\"{:.2f}\" stroke-linecap=\"round\"/>\n",
                   view.px(a.point), view.py(a.point), view.px(b.point), view.py(b.point),
                   thickness(std::min(a.force.norm(), b.force.norm())));
  }
  std::size_t hinges = 0;
  for (const JointForce& f : report.joints) {
    if (!f.loaded()) continue;
    hinges += f.hinge ? 1U : 0U;
    fmt::format_to(out,
                   "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\" stroke=\"#b5382a\">"
                   "<title>{} - {}: N {:.4g} N, T {:.4g} N, utilisation {:.3g}</title></circle>\n",
                   view.px(f.point), view.py(f.point), f.hinge ? 5 : 2.2,
                   f.hinge ? "#ffffff" : "#b5382a", escaped(report.name[index(f.joint.a)]),
                   escaped(report.name[index(f.joint.b)]), f.normal, f.shear.norm(),
                   f.utilisation());
  }
  const double arrow = 0.08 * width;
  double largest = 0.0;
  for (const Reaction& r : report.reactions) largest = std::max(largest, r.force.norm());
  for (const Reaction& r : report.reactions) {
    if (!(largest > 0.0)) break;
    const double dx = arrow * r.force(view.right) / largest,
                 dy = arrow * r.force(view.up) / largest;
    fmt::format_to(out,
                   "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" "
                   "stroke=\"#22577a\" stroke-width=\"2\"><title>{}: ({:.4g}, {:.4g}, {:.4g}) N"
                   "</title></line>\n",
                   view.px(r.point) - dx, view.py(r.point) + dy, view.px(r.point), view.py(r.point),
                   escaped(report.name[index(r.body)]), r.force.x(), r.force.y(), r.force.z());
  }
  fmt::format_to(out,
                 "<text x=\"{:.0f}\" y=\"{:.0f}\">t = {:.4g} s: {}, residual {:.1e} of a block's "
                 "weight; {} joints, {} hinge{} (open circles); thickest line {:.4g} N</text>\n",
                 margin, view.height + 15.0, report.time, name_of(report.verdict.motion),
                 report.residual, report.joints.size(), hinges, hinges == 1 ? "" : "s", most);
  fmt::format_to(out,
                 "<text x=\"{:.0f}\" y=\"{:.0f}\">red: thrust line; blue: reactions, longest "
                 "{:.4g} N</text>\n",
                 margin, view.height + 35.0, largest);
  text += "</svg>\n";
  return text;
}

}  // namespace scree
