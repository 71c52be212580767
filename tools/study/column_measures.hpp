// What a state of a collapsing column looks like in numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/run.hpp"

namespace scree::study {

// The vessel that the grains stood in: around the axis z, or from x = 0 to `length` between side
// walls.
struct ColumnFrame {
  bool round = false;
  double length = 0.0;  // [m] initial radius or length
  double width = 0.0;   // [m] of a slice

  double area(double from, double to) const;  // [m2] of the base between two distances
};

// Reads the vessel off the bodies "gate", "side-1", ... that the generator of columns makes. Throws
// InputError when there is no gate.
ColumnFrame column_frame(const Model& model, const State& state);

// The moving bodies of the model.
struct GrainTable {
  std::vector<std::size_t> body;
  std::vector<double> volume;  // [m3]

  explicit GrainTable(const Model& model);

  double total_volume() const;  // [m3]
  double mean_size() const;     // [m] diameter of the ball of the mean volume
};

// One grain in its place: how far out and how high its surface reaches.
struct GrainPlace {
  double centre = 0.0, out = 0.0,
         top =
             0.0;  // [m] distance of the centre, of the farthest point; height of the highest point
};
std::vector<GrainPlace> grain_places(const Model& model, const State& state,
                                     const GrainTable& grains, const ColumnFrame& frame);

// 1 for the grains of the largest heap (by volume) that contacts carrying an impulse in the last
// step hold together. Before the first step no impulses are known: all.
std::vector<std::uint8_t> in_pile(const StepView& view, const GrainTable& grains);

// Mean number of grains that a grain carries an impulse with.
double coordination_number(const StepView& view, const GrainTable& grains);

// Distance within which the centres of `share` of the volume lie [m].
double volume_radius(const std::vector<GrainPlace>& places, const GrainTable& grains, double share);

// Twice the height of the centre of mass [m]: the height of a column of even density.
double column_height(const Model& model, const State& state, const GrainTable& grains);

// Heights over the distance, in bins of equal width.
struct DepositProfile {
  std::vector<double> distance;  // [m] middle of the bin
  std::vector<double>
      top;  // [m] highest point of the grains of the pile whose centres are in it, 0: none
  std::vector<double> filled;  // [m] height of those grains at the packing fraction given
};
DepositProfile deposit_profile(const std::vector<GrainPlace>& places, const GrainTable& grains,
                               const std::vector<std::uint8_t>& pile, const ColumnFrame& frame,
                               double bin, double packing);

// The least-squares straight line through points.
class LineFit {
 public:
  void add(double x, double y) { n_ += 1.0, x_ += x, y_ += y, xx_ += x * x, xy_ += x * y; }
  double count() const { return n_; }
  double slope() const { return (n_ * xy_ - x_ * y_) / (n_ * xx_ - x_ * x_); }

 private:
  double n_ = 0.0, x_ = 0.0, y_ = 0.0, xx_ = 0.0, xy_ = 0.0;
};

// Angle [degrees] of the least-squares line through the filled heights between two distances,
// positive downhill; NaN with fewer than two bins.
double slope_degrees(const DepositProfile& profile, double from, double to);

}  // namespace scree::study
