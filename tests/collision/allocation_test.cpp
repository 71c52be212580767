// A warm detection allocates nothing: operator new and Bullet's allocator are counted.
#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

#include <LinearMath/btAlignedAllocator.h>

#include "tests/collision/small_world.hpp"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

void* counted_aligned(std::size_t size, std::size_t alignment) {
  ++allocations;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(counted(size)); }
void* operator new[](std::size_t size) { return or_throw(counted(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return or_throw(counted_aligned(size, static_cast<std::size_t>(alignment)));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return or_throw(counted_aligned(size, static_cast<std::size_t>(alignment)));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace scree::test {
namespace {

TEST_CASE("A warm detection does not allocate", "[collision][unit]") {
  btAlignedAllocSetCustom(counted, std::free);
  const long before_first = allocations;
  {
    SmallWorld world = mixed_heap(150, 5);
    RandomShapes random(6);
    collision::Detector detector;
    ContactSet contacts;
    const auto step = [&] {
      for (std::size_t i = 1; i < world.x.size(); ++i) world.x[i] += random.in_cube(1e-3);
      detector.detect(world.model, world.poses(), world.poses(), world.active, world.reach, Executor(), contacts);
    };
    for (int i = 0; i < 20; ++i) step();
    CHECK(allocations > before_first);  // the counters count
    contacts.key.reserve(2 * contacts.size());  // room for the few contacts that come and go
    contacts.gap.reserve(2 * contacts.size());
    contacts.normal.reserve(2 * contacts.size());
    contacts.point_a.reserve(2 * contacts.size());
    contacts.point_b.reserve(2 * contacts.size());
    const long warm = allocations;
    for (int i = 0; i < 20; ++i) step();
    CHECK(allocations == warm);
  }
  btAlignedAllocSetCustom(nullptr, nullptr);  // back to Bullet's own
}

}  // namespace
}  // namespace scree::test
