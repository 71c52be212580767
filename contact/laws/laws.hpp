// The table of contact laws. A new law is a file of its own (law.hpp says what is in it), its
// include, and its name in one of the two lists; reader, check, results, checkpoints and ledger
// find it here.
#pragma once

#include "contact/laws/adhesion.hpp"
#include "contact/laws/device.hpp"
#include "contact/laws/fremond.hpp"
#include "contact/laws/law_table.hpp"
#include "contact/laws/moreau.hpp"
#include "contact/laws/newton.hpp"
#include "contact/laws/rolling_resistance.hpp"
#include "contact/laws/scar_drag.hpp"
#include "contact/laws/slip_friction.hpp"

namespace scree::contact {

using ImpactLaws = LawList<  //
    Fremond,                 // 0, the default
    Newton,                  // 1
    Moreau,                  // e_T
    MoreauPublished          // the same with separating contacts as in the source
    >;
using FurtherLaws = LawList<  //
    Adhesion,                 // cohesion
    RollingResistance,        // rolling, spinning
    ContactDevice,            // device
    ScarDrag,                 // scar_drag
    SlipFriction              // mu_slip
    >;
using Laws = LawTable<ImpactLaws, FurtherLaws>;

}  // namespace scree::contact
