// Counts what a program takes from the heap. A test program that lists allocation_count.cpp among
// its sources has operator new and delete replaced, in all forms.
#pragma once

#include <cstddef>

namespace scree::test {

// Allocations of all threads since the start.
long allocations();

// std::malloc, counted: for libraries with an allocator of their own.
void* counted_malloc(std::size_t size);

}  // namespace scree::test
