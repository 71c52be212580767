// Flush faces of what moves together are one face: of parts of one body, and of fixed bodies.
//
// The pairs of one toucher with such parts are found one by one, each along its own axis. Near a
// seam the axis of a pair can be one that the union does not have (covered_contacts.hpp), or the
// pair is passed over, while the toucher lies on the plane of both. Then all of its pairs with
// faces in that plane get the contacts that an undivided face has: what of the toucher's lower side
// is within reach over the face, along the face's normal, at one pose (that of the first touch when
// the toucher is fast). Where an edge of the toucher crosses a seam, or a corner of a part lies
// under one of the toucher's faces, inside the joined face or on a straight rim of it, there is no
// corner of the joined face, and no contact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad/broad_phase.hpp"
#include "collision/detect.hpp"
#include "collision/pairs/covering_face.hpp"
#include "collision/pairs/pair_contacts.hpp"
#include "collision/placed_model.hpp"
#include "engine/model/contact_set.hpp"

namespace scree::collision {

class JoinedFaces {
 public:
  // Puts the contacts of joined faces in the place of those of single parts. `contacts` are sorted
  // by key, `pairs` are those they were found for, `ahead` and `start` as in detect.hpp;
  // null: now.
  void join(const PlacedModel& placed, const std::vector<BoxPair>& pairs, const Poses& ahead,
            const Poses* start, ContactSet& contacts);

 private:
  // A pair, seen from the part that touches one of several parts that move together.
  struct Member {
    std::int32_t toucher = 0;
    std::int32_t joint = 0;  // names what moves together
    std::int32_t owner = 0;
    std::int32_t pair = 0;
    std::int32_t moved = -1;  // into moved_, if the toucher meets an image of the owner

    auto operator<=>(const Member&) const = default;
  };
  using Group = std::span<const Member>;
  struct Range {
    std::int32_t begin = 0, end = 0;
    bool empty() const { return begin == end; }
  };
  struct Plane {
    Vector3 m = Vector3::Zero(), q = Vector3::Zero();  // outward normal; a point in it [m]
  };
  struct Step;

  void reserve(const PlacedModel& placed, const std::vector<BoxPair>& pairs,
               const ContactSet& contacts);
  void list_members(const PlacedModel& placed, const std::vector<BoxPair>& pairs);
  template <class Use>
  void for_each_group(Use use) const;
  void list_ranges(const Step& step, const ContactSet& contacts);
  void find_planes(const Step& step, Group group);
  void add_covering(const Step& step, Group group, const Member& member, std::int32_t c);
  static Plane plane_of(const PlacedPart& part, std::int32_t f);
  void add_plane(const Plane& plane, double tolerance);
  bool list_hidden(const Step& step, Group group, const Member& member, const TouchedPlace& place);
  TouchedPlace touched_place(const Step& step, const Member& member, std::int32_t c) const;
  static TouchedPlace touched_place(const Step& step, const Member& member, const PairQuery& query,
                                    const PairContact& contact);
  bool find_beside_hidden(const Step& step, Group group, const Member& member);
  void drop_deep_planes(const Step& step, Group group);
  bool misses_contact(const Step& step, Group group) const;
  bool list_places(const Step& step, Group group, const Member& member);
  bool drop_planes();
  bool is_nearer_plane(const Step& step, Group group) const;
  void prefer_edges(const Step& step, Group group);
  bool lacks_normal(const Step& step, Group group, const Member& member,
                    const TouchedPlace& place) const;
  bool lacks_normals(const Step& step, Group group, const Member& member) const;
  void drop_hidden(const Step& step, Group group);
  bool is_held_beside(const Step& step, Group group, const Member& member) const;
  double share_of_touch(const Step& step, Group group, const Plane& plane);
  bool is_whole(const Step& step, const Member& member, const Vector3& m, double share) const;
  void replace_on(const Step& step, Group group, const Plane& plane);
  void add_fresh(const Step& step, const Member& member, std::int32_t face, double share);
  void keep_fresh(const Step& step, const Member& member);
  void put_together(const Step& step, ContactSet& contacts);
  bool is_inner(const Step& step, Group group, const Member& member, std::int32_t c) const;
  void remove_inner(const Step& step, ContactSet& contacts);

  std::vector<Member> members_;              // sorted
  std::vector<PlacedPart> moved_;            // images, as the touchers meet them
  std::vector<Range> range_;                 // [n_pairs] of the contacts
  std::vector<Plane> planes_;                // of one group
  std::vector<Plane> deep_planes_;           // of one group, that the toucher is sunk in deep
  std::vector<TouchedPlace> places_;         // of one member
  std::vector<Vector3> hidden_;              // [-] where a member's faces look into other members
  std::vector<const Member*> hidden_pairs_;  // of one group
  std::vector<std::int32_t> fresh_of_;       // [n_pairs] number in fresh_range_, or -1
  std::vector<Range> fresh_range_;           // in fresh_
  ContactSet fresh_, together_;
  std::vector<std::uint8_t> inner_;  // [n_contacts]
  PairWork work_;
  bool reserved_ = false;
};

}  // namespace scree::collision
