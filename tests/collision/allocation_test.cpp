// A warm detection allocates nothing: operator new and Bullet's allocator are counted.
#include <catch2/catch.hpp>

#include <cstdlib>

#include <LinearMath/btAlignedAllocator.h>

#include "tests/collision/small_world.hpp"
#include "tests/support/allocation_count.hpp"

namespace scree::test::allocation_test {
namespace {

TEST_CASE("A warm detection does not allocate", "[collision][unit]") {
  btAlignedAllocSetCustom(counted_malloc, std::free);
  const long before_first = allocations();
  {
    SmallWorld world = mixed_heap(150, 5);
    RandomShapes random(6);
    collision::Detector detector;
    ContactSet contacts;
    const auto step = [&] {
      for (std::size_t i = 1; i < world.x.size(); ++i) world.x[i] += random.in_cube(1e-3);
      detector.detect(world.model, world.poses(), world.poses(), world.poses(), world.active,
                      world.reach, Executor(), contacts);
    };
    for (int i = 0; i < 20; ++i) step();
    CHECK(allocations() > before_first);    // the counters count
    contacts.reserve(2 * contacts.size());  // room for the few contacts that come and go
    const long warm = allocations();
    for (int i = 0; i < 20; ++i) step();
    CHECK(allocations() == warm);
  }
  btAlignedAllocSetCustom(nullptr, nullptr);  // back to Bullet's own
}

}  // namespace
}  // namespace scree::test::allocation_test
