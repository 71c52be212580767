// How measures and methods of the solver are spelt in files and messages.
#pragma once

#include "contact/solver/solver.hpp"

namespace scree::contact {

const char* name_of(Measure measure);
const char* name_of(Method method);

}  // namespace scree::contact
