// A process of its own for each measurement: fresh memory, fresh threads, and a crash that does not
// take the rest along.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace scree::bench {

// Forks, calls `work` in the child and returns its result. Throws std::runtime_error with the
// message of the child's exception, or when the child was killed; `what` names the work. The
// calling process must have no other threads.
nlohmann::json in_child(const std::string& what, const std::function<nlohmann::json()>& work);

}  // namespace scree::bench
