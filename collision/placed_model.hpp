// All parts of a model in their places, with their float boxes: what both phases read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad/broad_phase.hpp"
#include "collision/detect.hpp"
#include "collision/pairs/pair_contacts.hpp"

namespace scree::collision {

class PlacedModel {
 public:
  // Places the parts of all bodies with present != 0 and grows their boxes by reach [m, n_bodies].
  // Keeps tables of shapes and memory between calls; what can't be moved by contacts and is where
  // it was stays as it was placed. Returns true when the model is another one than in the last call
  // (or the first).
  bool update(const Model& model, const Poses& poses, std::span<const std::uint8_t> present,
              std::span<const double> reach, const Executor& executor);

  // All pairs that can touch and whose boxes overlap, sorted as the keys of their contacts are.
  // Pairs without a dynamic body and of one body are left out.
  void find_pairs(BroadPhase& broad_phase, const Executor& executor, std::vector<BoxPair>& pairs);

  // The order of pairs: by bodies, then by parts.
  bool comes_before(BoxPair one, BoxPair other) const;

  std::int32_t n_parts() const { return static_cast<std::int32_t>(body_.size()); }
  std::size_t n_bodies() const { return placed_.size(); }
  std::int32_t first_part(BodyIndex body) const { return begin_[static_cast<std::size_t>(body)]; }
  const LargestShape& largest_shape() const { return largest_; }
  const PlacedPart& part(std::int32_t p) const { return parts_[static_cast<std::size_t>(p)]; }
  const Bounds& bounds(std::int32_t p) const { return bounds_[static_cast<std::size_t>(p)]; }
  BodyIndex body(std::int32_t p) const { return body_[static_cast<std::size_t>(p)]; }
  ContactKey key_of(BoxPair pair, const PairContact& contact) const {
    return {body(pair.first),          body(pair.second), part_of_body(pair.first),
            part_of_body(pair.second), pair.image,        contact.feature_a,
            contact.feature_b};
  }
  // The two parts of a pair: the first in its place, the second where its image is.
  PairQuery query(const BoxPair& pair) const;
  Ahead ahead(const BoxPair& pair, const Poses& poses) const;
  // From a part to its image, as all are placed now [m].
  Vector3 offset(ImageCode image) const { return cell_.offset(image, image_shift_); }
  const Cell& cell() const { return cell_; }
  // Names what a part moves together with, the parts of its body or all that is fixed; -1: it is by
  // itself.
  std::int32_t joint(std::int32_t p) const { return joint_[static_cast<std::size_t>(p)]; }
  bool has_joints() const { return has_joints_; }
  double reach(std::int32_t p) const { return reach_[static_cast<std::size_t>(p)]; }
  std::int32_t part_of_body(std::int32_t p) const {
    return p - begin_[static_cast<std::size_t>(body(p))];
  }

 private:
  bool is_known(const Model& model) const;
  void find_joints(const Model& model);
  void adopt(const Model& model, const Poses& poses, std::span<const std::uint8_t> present);
  void find_changed(const Poses& poses, std::span<const std::uint8_t> present,
                    std::span<const double> reach);
  void place_one(const Model& model, const Poses& poses, std::span<const double> reach,
                 std::size_t p);
  void bring_into_cell(std::size_t p);
  void list_images();
  void list_images_of(std::int32_t p, const FloatBox& all);
  void find_image_pairs(BroadPhase& broad_phase, const Executor& executor,
                        std::vector<BoxPair>& pairs);
  bool may_touch(BoxPair pair) const;
  bool may_reach(std::int32_t wall, std::size_t p) const;
  bool may_reach_terrain(std::int32_t wall, std::size_t p) const;
  void find_wall_pairs(std::vector<BoxPair>& pairs) const;
  void sort_pairs(const Executor& executor, std::vector<BoxPair>& pairs);

  std::uint64_t known_model_ = 0;    // stamp
  std::vector<BodyKind> kind_;       // [n_bodies]
  std::vector<ShapeTables> tables_;  // [n_shapes]
  LargestShape largest_;
  std::vector<std::int32_t> begin_;    // [n_bodies + 1]
  std::vector<ShapeIndex> shape_;      // [n_parts]
  std::vector<BodyIndex> body_;        // [n_parts]
  std::vector<std::uint8_t> dynamic_;  // [n_parts]
  std::vector<std::int32_t> joint_;    // [n_parts]
  bool has_joints_ = false;
  std::vector<std::int32_t> dynamic_parts_;  // those of bodies that contacts move
  std::vector<std::size_t> memory_begin_;    // [n_parts + 1] into memory_
  std::vector<Vector3> memory_;
  std::vector<PlacedPart> parts_;
  std::vector<Bounds> bounds_;   // [m] about the body's centre, grown by reach
  std::vector<double> reach_;    // [m, n_parts]
  std::vector<FloatBox> boxes_;  // about centre_; of the images that lie in the cell
  std::vector<BoxRole> role_;    // [n_parts] in the trees; walls stay outside
  struct Placed {
    Vector3 x = Vector3::Zero();
    Quaternion q = Quaternion::Identity();
    double reach = 0.0;
    std::uint8_t present = 0;
  };
  std::vector<Placed> placed_;            // [n_bodies] as of the last call
  std::vector<std::int32_t> changed_;     // parts to be placed in this call
  std::vector<std::int32_t> pair_begin_;  // [n_bodies + 2] pairs by their first body
  std::vector<BoxPair> by_body_;
  std::vector<std::int32_t> walls_;   // part numbers of what has no bounds
  Vector3 centre_ = Vector3::Zero();  // [m] where the float boxes have their origin

  // Of a periodic world. Parts are placed where their bodies are; their boxes stand for the images
  // in the cell, and further images that may meet these are looked for one by one.
  struct FurtherImage {
    std::int32_t part = 0;
    ImageCode image = 0;  // of what is in the cell
  };
  Cell cell_;
  double image_shift_ = 0.0;      // [m]
  std::vector<ImageCode> cells_;  // [n_parts] which image of the cell each part lies in
  std::vector<FurtherImage> further_;
  std::vector<FloatBox> further_boxes_;
  std::vector<BoxPair> hits_;
};

}  // namespace scree::collision
