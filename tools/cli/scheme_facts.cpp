#include "tools/cli/scheme_facts.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "contact/laws/laws.hpp"

namespace scree {
namespace {

constexpr std::string_view published_moreau = contact::MoreauPublished::name;

// Whether all contacts together do no positive work, though single ones may: tangential
// restitution equals the normal one, the same at all pairs.
bool dissipates_in_total(const MaterialTable& materials, double theta) {
  double e = -1.0;
  for (const std::optional<PairLaw>& pair : materials.pair_law) {
    if (!pair) continue;
    if (e < 0.0) e = pair->e;
    const bool apart_alike = contact::Laws::name_of(pair->law) != published_moreau || e == 0.0;
    if (pair->e != e || contact::Laws::reversed(*pair, theta) != e || !apart_alike) return false;
  }
  return theta <= 1.0 / (1.0 + e);
}

// What an impact law does to a contact that sticks.
std::string sticking(const PairLaw& law, const Settings& settings) {
  const double reversed = contact::Laws::reversed(law, settings.time.theta);
  if (reversed == 0.0) return "what sticks stops there";
  if (reversed < 0.0 && contact::Laws::name_of(law.law) != published_moreau) {
    return fmt::format(
        "what sticks in an impact keeps {:g} of its tangential velocity; other contacts have dry "
        "friction",
        -reversed);
  }
  if (reversed < 0.0) {
    return fmt::format(
        "what sticks keeps {:g} of its tangential velocity, at every step: little is left of dry "
        "friction",
        -reversed);
  }
  if (contact::Laws::averages(law) && settings.step.rest == Rest::damped) {
    return fmt::format(
        "what sticks stops there; where that would put in energy it leaves with {:g} times its "
        "tangential velocity",
        -reversed);
  }
  return fmt::format("what sticks leaves with {:g} times its tangential velocity", -reversed);
}

// The same, and whether it may put in energy.
std::string impact_line(const PairLaw& law, const Settings& settings, bool none_in_total) {
  const char* energy = contact::Laws::dissipates(law, settings.time.theta) ? ""
                       : none_in_total ? "; single contacts may put in energy, all together do not"
                                       : "; coupled contacts may put in energy";
  return fmt::format("{}: {}{}", contact::Laws::name_of(law.law), sticking(law, settings), energy);
}

}  // namespace

std::vector<std::string> pair_lines(const MaterialTable& materials, const Settings& settings) {
  const bool none_in_total = dissipates_in_total(materials, settings.time.theta);
  std::vector<std::string> lines;
  for (std::size_t a = 0; a < materials.name.size(); ++a) {
    for (std::size_t b = a; b < materials.name.size(); ++b) {
      const auto& law = materials.at(static_cast<MaterialIndex>(a), static_cast<MaterialIndex>(b));
      if (!law) continue;
      std::string line = fmt::format("{} - {}: ", materials.name[a], materials.name[b]);
      const auto& parameters = contact::Laws::parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!contact::Laws::takes(law->law, i)) continue;
        const bool told = parameters[i].is_key && parameters[i].told;
        if (!told && contact::Laws::number(*law, i) == 0.0) continue;
        line += fmt::format("{} = {:g}{}{}, ", parameters[i].name, contact::Laws::number(*law, i),
                            *parameters[i].unit == '\0' ? "" : " ", parameters[i].unit);
      }
      lines.push_back(line + impact_line(*law, settings, none_in_total));
    }
  }
  return lines;
}

std::vector<SchemeChoice> scheme_choices(const StepSettings& step) {
  std::vector<SchemeChoice> list;
  list.push_back(step.frames == Frames::start
                     ? SchemeChoice{"frames", "start", "contacts are found at the poses of t_k"}
                     : SchemeChoice{"frames", "middle",
                                    "contacts are found in the middle of the step and keep the "
                                    "angular momentum"});
  list.push_back(
      step.closing == Closing::impact
          ? SchemeChoice{"closing", "impact", "what closes within a step is stopped in it"}
          : SchemeChoice{"closing", "two_step",
                         "pairs with e = 0 close in one step and stop in the next"});
  list.push_back(step.rest == Rest::published
                     ? SchemeChoice{"rest", "published", "what sticks obeys its law"}
                 : step.rest == Rest::clamped
                     ? SchemeChoice{"rest", "clamped",
                                    "what sticks obeys its law; what it turns back in five steps "
                                    "on end stops"}
                     : SchemeChoice{"rest", "damped", "what sticks under fremond stops"});
  return list;
}

}  // namespace scree
