#include "collision/pairs/capsule_terrain.hpp"

#include "collision/pairs/round_terrain.hpp"
#include "collision/pairs/segment.hpp"
#include "collision/polyhedra/tolerances.hpp"

namespace scree::collision {
namespace {

class CapsuleSearch {
 public:
  CapsuleSearch(const PairQuery& query, PairWork& work)
      : query_(query), view_(query.b, query.d()), core_(core_of(query.a)), work_(work) {}

  const TerrainView& view() const { return view_; }

  void mantle() {
    const double margin = query_.reach + query_.a.rounding();
    const Vector3 low = core_.from.cwiseMin(core_.to), high = core_.from.cwiseMax(core_.to);
    const CellWindow window =
        view_.cells(low.x() - margin, low.y() - margin, high.x() + margin, high.y() + margin);
    if (window.empty()) return;
    for (std::int32_t i = window.south; i <= window.north + 1; ++i) {
      for (std::int32_t j = window.west; j <= window.east + 1; ++j) {
        if (view_.is_peaked(j, i)) node_contact(j, i);
        for (const EdgeWay way : {EdgeWay::along_x, EdgeWay::along_y, EdgeWay::diagonal}) {
          if (view_.is_convex(j, i, way)) edge_contact(view_.edge(j, i, way));
        }
      }
    }
  }

 private:
  void add(const Vector3& at, const Vector3& foot, const Vector3& n, double distance,
           Feature feature) {
    PairContact contact;
    contact.feature_a = surface_feature();
    contact.feature_b = feature;
    contact.normal = -n;
    contact.gap = distance - query_.a.rounding();
    if (contact.gap > query_.reach) return;
    contact.point_a = at - query_.a.rounding() * n;
    contact.point_b = foot;
    work_.contacts.push_back(contact);
  }

  // The common normal of core and edge, upward: also of a core that is below the edge.
  void edge_contact(const GroundEdge& edge) {
    const Segment line{edge.from, edge.to};
    const LinesNearest nearest = nearest_of_lines(core_, line);
    if (!nearest.inside(core_, line, query_.eps)) return;
    Vector3 n = core_.along().cross(line.along()).normalized();
    if (n.z() < 0.0) n = -n;
    if (n.dot(edge.side_1) > looks_away * edge.side_1.norm() ||
        n.dot(edge.side_2) > looks_away * edge.side_2.norm())
      return;
    const Vector3 at = core_.at(nearest.share_one), foot = line.at(nearest.share_other);
    add(at, foot, n, n.dot(at - foot), edge.feature);
  }

  void node_contact(std::int32_t j, std::int32_t i) {
    const Vector3 foot = view_.node(j, i);
    const double share = core_.share_of(foot), margin = query_.eps / core_.length();
    if (share <= margin || share >= 1.0 - margin) return;
    const Vector3 at = core_.at(share), away = at - foot;
    const double distance = away.norm();
    if (distance == 0.0) return;
    const Vector3 n = away / (away.z() > 0.0 ? distance : -distance);
    if (!view_.looks_along(j, i, n, looks_away)) return;
    add(at, foot, n, n.dot(away), view_.node_feature(j, i));
  }

  const PairQuery& query_;
  TerrainView view_;
  Segment core_;
  PairWork& work_;
};

}  // namespace

void capsule_terrain(const PairQuery& query, const Ahead& ahead, CullingHint&, PairWork& work) {
  work.contacts.clear();
  CapsuleSearch search(query, work);
  const Vector3 way = way_over(query, ahead);
  for (std::int32_t i = 0; i < 2; ++i) {
    ball_on_terrain(query, search.view(), query.a.points[static_cast<std::size_t>(i)],
                    query.a.rounding(), way, vertex_feature(i), work);
  }
  search.mantle();
}

}  // namespace scree::collision
