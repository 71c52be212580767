// Exit codes of the program.
#pragma once

namespace scree {

// 0 done; 1 run failed, or a result could not be written; 2 bad usage or input; 3 done, but some
// steps did not reach the tolerance.
constexpr int exit_done = 0, exit_failed = 1, exit_bad_input = 2, exit_unconverged = 3;

}  // namespace scree
