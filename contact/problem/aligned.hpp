// Numbers that begin on a cache line, so that a body's eight of them are one line and threads never
// share one.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace scree::contact {

template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheAligned() = default;
  template <class Other>
  CacheAligned(const CacheAligned<Other>&) noexcept {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, alignment); }

  bool operator==(const CacheAligned&) const = default;
};

using Numbers = std::vector<double, CacheAligned<double>>;

}  // namespace scree::contact
