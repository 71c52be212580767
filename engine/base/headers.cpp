// Nothing of its own: the source of the target whose precompiled headers all others take
// (CMakeLists.txt).
