// The viewer's files, byte by byte, in the program: it works from any folder and needs nothing
// beside it.
#include "tools/report/page.hpp"

__asm__(
    ".pushsection .rodata\n"
    "scree_viewer_begin:\n"
    ".incbin \"" SCREE_VIEWER_FILE
    "\"\n"
    "scree_viewer_end:\n"
    ".byte 0\n"
    ".globl scree_viewer_begin\n"
    ".globl scree_viewer_end\n"
    "scree_several_begin:\n"
    ".incbin \"" SCREE_SEVERAL_FILE
    "\"\n"
    "scree_several_end:\n"
    ".byte 0\n"
    ".globl scree_several_begin\n"
    ".globl scree_several_end\n"
    ".popsection\n");

extern "C" {
extern const char scree_viewer_begin[];
extern const char scree_viewer_end[];
extern const char scree_several_begin[];
extern const char scree_several_end[];
}

namespace scree::report {

std::string_view viewer_template() {
  return {scree_viewer_begin, static_cast<std::size_t>(scree_viewer_end - scree_viewer_begin)};
}

std::string_view several_template() {
  return {scree_several_begin, static_cast<std::size_t>(scree_several_end - scree_several_begin)};
}

}  // namespace scree::report
