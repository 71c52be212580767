// Overlaps of one model at many poses: tables of its shapes are made once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "collision/detect.hpp"

namespace scree::collision {

class OverlapSearch {
 public:
  OverlapSearch();
  ~OverlapSearch();
  OverlapSearch(const OverlapSearch&) = delete;
  OverlapSearch& operator=(const OverlapSearch&) = delete;

  // As find_overlaps.
  std::vector<Overlap> find(const Model& model, const Poses& poses,
                            std::span<const std::uint8_t> considered, double relative_tolerance);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree::collision
