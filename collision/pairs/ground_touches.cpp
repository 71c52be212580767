#include "collision/pairs/ground_touches.hpp"

namespace scree::collision {
namespace {

// A point that is deeper than so many cells leaves along the normal of the ground above it.
constexpr double deepest_search = 32.0;
constexpr double same_slope = 1e-9;  // [rad]

class TouchSearch {
 public:
  TouchSearch(const TerrainView& view, const Vector3& p, double radius, double slide, double eps,
              const Vector3& way, std::vector<GroundTouch>& touches)
      : view_(view),
        p_(p),
        radius_(radius),
        slide_(slide),
        eps_(eps),
        way_(way),
        touches_(touches) {}

  void run() {
    touches_.clear();
    if (p_.z() - radius_ > view_.highest()) return;
    below_ = view_.column_at(p_);
    ground_ =
        below_.known ? Vector3(p_ - below_.height / below_.plane.n.z() * Vector3::UnitZ()) : p_;
    if (below_.known && below_.height < -eps_) {
      inside();
      return;
    }
    const CellWindow window = window_about(radius_);
    for (std::int32_t i = window.south; i <= window.north; ++i) {
      for (std::int32_t j = window.west; j <= window.east; ++j) {
        if (p_.z() - radius_ > view_.height_range(j, i)[1] || !view_.is_ground(j, i)) continue;
        add_face(j, i, 0), add_face(j, i, 1);
        add_edges_and_node(j, i, window);
      }
    }
    if (touches_.size() > 1) leave_out_doubles();
    if (has_slopes_ahead_) slopes_ahead(window);
  }

 private:
  CellWindow window_about(double radius) const {
    return view_.cells(p_.x() - radius, p_.y() - radius, p_.x() + radius, p_.y() + radius);
  }

  void add_face(std::int32_t j, std::int32_t i, int triangle) {
    const bool is_below = below_.column == j && below_.row == i && below_.triangle == triangle;
    // The foot is at most the reach away in plan, by which `outside` changes by at most a root of
    // two times that.
    constexpr double most = 1.5;
    if (!is_below &&
        view_.outside(j, i, triangle, p_).largest() > most * radius_ + std::max(slide_, eps_))
      return;
    const GroundPlane plane = is_below ? below_.plane : view_.plane(j, i, triangle);
    const double distance = plane.height(p_);
    if (distance > radius_ || distance < -eps_) return;
    const Vector3 foot = p_ - distance * plane.n;
    const TerrainView::Outside out = view_.outside(j, i, triangle, foot);
    if (out.largest() > eps_) {
      const bool other_slope =
          !below_.known || (plane.n - below_.plane.n).squaredNorm() > same_slope * same_slope;
      has_slopes_ahead_ = has_slopes_ahead_ || (other_slope && out.largest() <= slide_);
      return;
    }
    touches_.push_back({view_.face_feature(j, i, triangle), plane.n, distance, foot});
  }

  // Across a valley the plane of the other slope is below the ground, and a point that slides there
  // in this step comes to it before its foot does.
  void slopes_ahead(const CellWindow& window) {
    for (std::int32_t i = window.south; i <= window.north; ++i) {
      for (std::int32_t j = window.west; j <= window.east; ++j) {
        if (!view_.is_ground(j, i)) continue;
        for (int triangle = 0; triangle < 2; ++triangle) {
          const GroundPlane plane = view_.plane(j, i, triangle);
          const double distance = plane.height(p_);
          if (distance > radius_ || distance < -eps_) continue;
          const Vector3 foot = p_ - distance * plane.n;
          const TerrainView::Outside out = view_.outside(j, i, triangle, foot);
          if (out.largest() > eps_ && is_ahead(j, i, triangle, plane, out, slide_))
            add_slope({view_.face_feature(j, i, triangle), plane.n, distance, foot});
        }
      }
    }
  }

  // Whether the point is out of a triangle beyond edges in valleys only, by at most `most`, and the
  // plane does not rise above the ground here.
  bool is_ahead(std::int32_t j, std::int32_t i, int triangle, const GroundPlane& plane,
                const TerrainView::Outside& out, double most) const {
    for (int side = 0; side < 3; ++side) {
      const double by = out.by[static_cast<std::size_t>(side)];
      if (by <= eps_) continue;
      if (by > eps_ + most || !(view_.bulge_of_side(j, i, triangle, side) < -view_.flat()))
        return false;
    }
    return plane.height(ground_) >= -eps_;
  }

  void add_slope(const GroundTouch& slope) {
    const auto same = [&](const GroundTouch& one) {
      return (one.n - slope.n).squaredNorm() <= same_slope * same_slope;
    };
    if (std::none_of(touches_.begin(), touches_.end(), same)) touches_.push_back(slope);
  }

  // Those that begin at the south-western node, the diagonal, and what the window ends with.
  void add_edges_and_node(std::int32_t j, std::int32_t i, const CellWindow& window) {
    add_edge(j, i, EdgeWay::diagonal), add_edge(j, i, EdgeWay::along_x);
    add_edge(j, i, EdgeWay::along_y);
    add_node(j, i);
    // Of the neighbours beyond, when this cell is the last to see them.
    const bool east = !seen(j + 1, i, window), north = !seen(j, i + 1, window);
    if (east) add_edge(j + 1, i, EdgeWay::along_y), add_node(j + 1, i);
    if (north) add_edge(j, i + 1, EdgeWay::along_x);
    if (north && !seen(j - 1, i + 1, window)) add_node(j, i + 1);
    if (east && north && !seen(j + 1, i + 1, window)) add_node(j + 1, i + 1);
  }

  // Whether a cell is looked at, as is all that begins at its south-western node.
  bool seen(std::int32_t j, std::int32_t i, const CellWindow& window) const {
    return j >= window.west && j <= window.east && i >= window.south && i <= window.north &&
           view_.is_ground(j, i) && p_.z() - radius_ <= view_.height_range(j, i)[1];
  }

  // What is farther in plan than the reach is farther in space; the bound leaves room for rounding.
  double plan_reach() const { return radius_ + eps_; }

  void add_edge(std::int32_t j, std::int32_t i, EdgeWay way) {
    if (!view_.has_both_sides(j, i, way)) return;
    if (view_.plan_distance(j, i, way, p_) > plan_reach() || !view_.is_convex(j, i, way)) return;
    const GroundEdge edge = view_.edge(j, i, way);
    const Vector3 along = edge.along();
    const double length = along.norm(), reached = along.dot(p_ - edge.from) / length;
    if (reached <= eps_ || reached >= length - eps_) return;
    const Vector3 foot = edge.from + reached / length * along;
    add_away(foot, edge.feature, [&](const Vector3& n) {
      return n.dot(edge.side_1) <= 0.0 && n.dot(edge.side_2) <= 0.0;
    });
  }

  void add_node(std::int32_t j, std::int32_t i) {
    const Vector3 node = view_.node(j, i);
    if (std::abs(p_.x() - node.x()) > plan_reach() || std::abs(p_.y() - node.y()) > plan_reach())
      return;
    if (!view_.is_peaked(j, i)) return;
    add_away(node, view_.node_feature(j, i),
             [&](const Vector3& n) { return view_.looks_along(j, i, n, 0.0); });
  }

  template <class Admits>
  void add_away(const Vector3& foot, Feature feature, Admits admits) {
    const Vector3 away = p_ - foot;
    const double distance = away.norm();
    // Nearer is what the faces see.
    if (distance > radius_ || distance <= eps_) return;
    const Vector3 n = away / distance;
    if (admits(n)) touches_.push_back({feature, n, distance, foot});
  }

  // Two faces that meet at one foot are both touched in a valley; elsewhere they are one plane, or
  // an edge on which the point stands: that over which it is going, or the first. Faces go before
  // edges and nodes.
  void leave_out_doubles() {
    const auto goes = [&](const GroundTouch& one, const GroundTouch& other) {
      return way_.dot(one.n - other.n) < 0.0;
    };
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      for (std::size_t k = i + 1; k < touches_.size();) {
        if (!are_one(touches_[i], touches_[k])) {
          ++k;
          continue;
        }
        const bool both = touches_[i].is_face() && touches_[k].is_face();
        if (both ? goes(touches_[i], touches_[k]) : !touches_[i].is_face())
          touches_[i] = touches_[k];
        touches_.erase(touches_.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
  }

  bool are_one(const GroundTouch& one, const GroundTouch& other) const {
    const double near = 4.0 * eps_;
    if ((one.foot - other.foot).squaredNorm() > near * near) return false;
    if (!one.is_face() || !other.is_face()) return true;
    // In a valley each face rises above the plane of the other.
    return one.n.dot(middle_of(other) - one.foot) <= 2.0 * view_.flat();
  }

  Vector3 middle_of(const GroundTouch& face) const {
    constexpr Feature index_bits = 0x0FFFFFFF;
    const auto index = static_cast<std::int32_t>(face.feature & index_bits);
    const std::int32_t cell = index / 2, columns = view_.raster().columns;
    const std::int32_t j = cell % columns, i = cell / columns;
    const Vector3 sw = view_.node(j, i), se = view_.node(j + 1, i), nw = view_.node(j, i + 1),
                  ne = view_.node(j + 1, i + 1);
    if (view_.raster().rises(j, i)) return (sw + ne + (index % 2 == 0 ? se : nw)) / 3.0;
    return (se + nw + (index % 2 == 0 ? sw : ne)) / 3.0;
  }

  // Below the ground. The nearest face, and those that the point is still below when it has left
  // along that one: in a valley it must leave both.
  void inside() {
    const double depth = -below_.height;
    const GroundTouch above{view_.face_feature(below_.column, below_.row, below_.triangle),
                            below_.plane.n, below_.height, p_ + depth * below_.plane.n};
    if (depth <= deepest_search * std::max(view_.raster().dx, view_.raster().dy)) {
      const CellWindow window = window_about(std::max(depth, radius_) + eps_);
      for (std::int32_t i = window.south; i <= window.north; ++i) {
        for (std::int32_t j = window.west; j <= window.east; ++j) {
          if (!view_.is_ground(j, i)) continue;
          add_way_out(j, i, 0, depth), add_way_out(j, i, 1, depth);
        }
      }
    }
    keep_ways_out(above);
  }

  void add_way_out(std::int32_t j, std::int32_t i, int triangle, double depth) {
    const GroundPlane plane = view_.plane(j, i, triangle);
    const double height = plane.height(p_);
    if (height > radius_ || height < -depth - eps_) return;
    const Vector3 foot = p_ - height * plane.n;
    const TerrainView::Outside out = view_.outside(j, i, triangle, foot);
    if (out.largest() > eps_ &&
        !is_ahead(j, i, triangle, plane, out, height < 0.0 ? depth : std::max(depth, slide_)))
      return;
    touches_.push_back({view_.face_feature(j, i, triangle), plane.n, height, foot});
  }

  void keep_ways_out(const GroundTouch& above) {
    std::size_t least = touches_.size();
    for (std::size_t k = 0; k < touches_.size(); ++k) {
      if (touches_[k].distance >= 0.0) continue;
      if (least == touches_.size() || touches_[k].distance > touches_[least].distance) least = k;
    }
    if (least == touches_.size()) {
      touches_.assign(1, above);
      return;
    }
    std::swap(touches_[0], touches_[least]);
    const GroundTouch nearest = touches_[0];
    const TerrainView::Column there = view_.column_at(nearest.foot);
    const bool still_inside = there.known && there.height < -eps_;
    std::size_t kept = 1;
    for (std::size_t k = 1; k < touches_.size(); ++k) {
      const GroundTouch other = touches_[k];
      const double height = other.n.dot(nearest.foot - other.foot);
      if (height < -eps_ ? !still_inside : other.distance < -eps_) continue;
      const auto same = [&](const GroundTouch& one) {
        return (one.n - other.n).squaredNorm() <= same_slope * same_slope;
      };
      const auto end = touches_.begin() + static_cast<std::ptrdiff_t>(kept);
      if (std::none_of(touches_.begin(), end, same)) touches_[kept++] = other;
    }
    touches_.resize(kept);
  }

  const TerrainView& view_;
  const Vector3& p_;
  double radius_, slide_, eps_;
  const Vector3& way_;
  TerrainView::Column below_;         // the ground above or below the point
  Vector3 ground_ = Vector3::Zero();  // on it
  bool has_slopes_ahead_ = false;
  std::vector<GroundTouch>& touches_;
};

}  // namespace

void find_ground_touches(const TerrainView& view, const Vector3& p, double radius, double slide,
                         double eps, const Vector3& way, std::vector<GroundTouch>& touches) {
  TouchSearch(view, p, radius, slide, eps, way, touches).run();
}

}  // namespace scree::collision
