// Gauges: mean stress, density, velocity and its fluctuation of regions and of sets of bodies, at
// every step (engine/method/stress.md).
//
// A region counts what is in it: bodies by their mass centres, contacts by the share of the way
// from each mass centre to the point of contact that lies inside. So over all cells of a grid that
// holds everything V sigma sums up to that of the bodies, and at rest what one layer gives the next
// is the weight above. In motion stress and kinetic stress together are the flux of momentum: the
// stress of what spins is no flux, and the kinetic stress takes it off again, of balls in every
// step, of others in the mean over their turns. In a periodic world a region counts the images of
// bodies and contacts as well, so what crosses a face of the cell has its share on both sides.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/measure/body_stress.hpp"
#include "engine/measure/column.hpp"
#include "engine/measure/segment_share.hpp"
#include "engine/measure/stress_tensor.hpp"
#include "engine/run.hpp"

namespace scree::measure {

// What a cell holds in a step. Densities are over the volume of the cell, pores and all.
struct GaugeRow {
  StressTensor stress = {}, kinetic_stress = {};
  double density = 0.0, solid_fraction = 0.0;
  Vector3 velocity = Vector3::Zero();
  double temperature = 0.0;

  template <class AnyRow, class Visit>
  static void columns(AnyRow& row, Visit&& visit) {
    visit(Column{"stress", "Pa", "mean stress of the step, of contacts, loads and spins"},
          row.stress);
    visit(Column{"kinetic_stress", "Pa",
                 "-sum (m u' (x) u' + O P O^T) / V, u' from the cell's own mean velocity, the rest "
                 "of spins"},
          row.kinetic_stress);
    visit(Column{"density", "kg/m3", "mass of the bodies, by their centres, over the volume"},
          row.density);
    visit(Column{"solid_fraction", "", "volume of the bodies, by their centres, over the volume"},
          row.solid_fraction);
    visit(
        Column{"velocity", "m/s", "momentum over mass, mean of the step; 0 where there is nothing"},
        row.velocity);
    visit(
        Column{"temperature", "m2/s2", "granular: sum m u'.u' / (D sum m), D = 3, in plane mode 2"},
        row.temperature);
  }
};

class Gauges {
 public:
  Gauges() = default;
  Gauges(const Model& model, const std::vector<Gauge>& gauges);

  // Of the step of `view`, whose stress is known.
  void compute(const StepView& view, const BodyStress& stress);
  // [n_cells] of a gauge.
  std::span<const GaugeRow> rows(std::size_t gauge) const { return of_gauge_[gauge].rows; }

 private:
  struct OneGauge {
    Gauge gauge;
    CellGrid grid;
    std::vector<Matrix3> moment;  // [n_cells] V sigma
    std::vector<double> mass, volume;
    std::vector<Vector3> momentum;
    std::vector<Matrix3> square;     // sum of m u' (x) u'
    std::vector<std::int32_t> cell;  // [n_bodies] -1: not counted
    std::vector<GaugeRow> rows;
  };

  void place_bodies(const StepView& view, OneGauge& of) const;
  void sum_stress(const StepView& view, const BodyStress& stress, OneGauge& of) const;
  void sum_motion(const StepView& view, const BodyStress& stress, OneGauge& of) const;

  std::vector<OneGauge> of_gauge_;
};

}  // namespace scree::measure
