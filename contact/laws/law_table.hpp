// A table of contact laws, and what the program asks of it without knowing any law. Everything is
// resolved at compile time: a law costs a comparison where it does not act.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "contact/laws/law.hpp"

namespace scree::contact {

template <class... Law>
struct LawList {
  static constexpr std::size_t size = sizeof...(Law);
};

// What laws need not declare.
template <class Law>
constexpr bool has_moments = requires {
  requires Law::moments;
};
template <class Law>
constexpr bool has_shifts = requires {
  requires Law::shifts;
};
template <class Law>
constexpr bool has_energies = requires {
  Law::energies;
};
template <class Law>
constexpr bool is_compliant = requires {
  requires Law::compliant;
};
template <class Law>
constexpr bool has_row = requires(const double* own, const ContactInput& in, ContactRow& row) {
  Law::row(own, in, row);
};
template <class Law>
constexpr bool books_contacts = requires(const double* own, ContactEnd& end,
                                         std::span<double> energy) {
  Law::end(own, end, energy);
};
template <class Law>
constexpr bool has_fault = requires(const double* own) {
  Law::fault(own);
};
template <class Law>
constexpr bool has_drag = requires {
  requires Law::drags;
};
template <class Law>
constexpr bool has_slip = requires {
  requires Law::slips;
};
template <class Law>
constexpr bool may_enter = requires(const double* own, const ContactInput& in) {
  Law::enters(own, in);
};

// The numbers of every pair, whatever its laws.
inline constexpr std::array common_parameters = {
    // Above 100 friction is as good as infinite, and tangential round-off times mu is no longer
    // small beside the tolerance.
    LawParameter{"mu", "", 0.0, 100.0, std::numeric_limits<double>::quiet_NaN(), 2.0,
                 "friction of each pair of materials; NaN: no such pair"},
    LawParameter{"e", "", 0.0, 1.0, std::numeric_limits<double>::quiet_NaN(), 1.0,
                 "restitution of each pair of materials"}};

template <class ImpactList, class FurtherList>
class LawTable;

template <class... Impact, class... Further>
class LawTable<LawList<Impact...>, LawList<Further...>> {
  template <class Law>
  static constexpr std::size_t energies_of() {
    if constexpr (has_energies<Law>)
      return Law::energies.size();
    else
      return 0;
  }
  static constexpr std::size_t n_own =
      (Impact::parameters.size() + ... + 0) + (Further::parameters.size() + ... + 0);
  static_assert(n_own <= most_law_numbers, "PairLaw has no room for the numbers of all laws");
  static constexpr std::size_t n_impact = (Impact::parameters.size() + ... + 0);
  static_assert((int{is_compliant<Further>} + ... + 0) <= 1, "a contact has one memory");
  static_assert((int{has_drag<Further>} + ... + 0) <= 1, "the ground has one drag");
  static_assert((int{has_slip<Further>} + ... + 0) <= 1, "a body has one slip");

 public:
  static constexpr std::size_t n_parameters = common_parameters.size() + n_own;
  static constexpr std::size_t n_energies = (energies_of<Further>() + ... + 0);

  // All numbers that a pair may have, in the order of `number`.
  static constexpr std::array<LawParameter, n_parameters> parameters = [] {
    std::array<LawParameter, n_parameters> all = {};
    auto to = std::copy(common_parameters.begin(), common_parameters.end(), all.begin());
    ((to = std::copy(Impact::parameters.begin(), Impact::parameters.end(), to)), ...);
    ((to = std::copy(Further::parameters.begin(), Further::parameters.end(), to)), ...);
    return all;
  }();

  static constexpr std::array<LawEnergy, n_energies> energies = [] {
    std::array<LawEnergy, n_energies> all = {};
    [[maybe_unused]] auto to = all.begin();
    const auto append = [&]<class Law>(std::type_identity<Law>) {
      if constexpr (has_energies<Law>)
        to = std::copy(Law::energies.begin(), Law::energies.end(), to);
    };
    (append(std::type_identity<Further>()), ...);
    return all;
  }();

  // Numbers of a pair start at 0, and a law of which all are 0 does not act.
  static_assert(std::all_of(parameters.begin() + common_parameters.size(), parameters.end(),
                            [](const LawParameter& own) { return own.absent == 0.0; }));

  static constexpr std::array<const char*, sizeof...(Impact)> impact_names = {Impact::name...};

  static const char* name_of(ImpactLaw law) { return impact_names[static_cast<std::size_t>(law)]; }
  static std::optional<ImpactLaw> named(std::string_view name) {
    for (std::size_t i = 0; i < impact_names.size(); ++i) {
      if (name == impact_names[i]) return static_cast<ImpactLaw>(i);
    }
    return std::nullopt;
  }

  // Number i of a pair, 0 <= i < n_parameters.
  static double& number(PairLaw& pair, std::size_t i) {
    return i == 0 ? pair.mu : i == 1 ? pair.e : pair.numbers[i - common_parameters.size()];
  }
  static double number(const PairLaw& pair, std::size_t i) {
    PairLaw copy = pair;
    return number(copy, i);
  }
  // The number with this name, which must be one.
  static double& number(PairLaw& pair, std::string_view name) {
    std::size_t i = 0;
    while (name != parameters[i].name) ++i;
    return number(pair, i);
  }

  // Whether the impact law acts on velocities averaged over the step.
  static bool averages(const PairLaw& pair) {
    constexpr std::array<bool, sizeof...(Impact)> answers = {Impact::averages...};
    return answers[static_cast<std::size_t>(pair.law)];
  }

  // Whether any pair has a law that acts and declares so.
  static bool any_moments(const MaterialTable& materials) {
    return any(materials, []<class Law>(std::type_identity<Law>) { return has_moments<Law>; });
  }
  // Books what single contacts do.
  static bool any_energies(const MaterialTable& materials) {
    return any(materials, []<class Law>(std::type_identity<Law>) { return books_contacts<Law>; });
  }
  static bool any_drag(const MaterialTable& materials) {
    return any(materials, []<class Law>(std::type_identity<Law>) { return has_drag<Law>; });
  }
  static bool any_slip(const MaterialTable& materials) {
    return any(materials, []<class Law>(std::type_identity<Law>) { return has_slip<Law>; });
  }
  static bool any_shifts(const MaterialTable& materials) {
    return any(materials, []<class Law>(std::type_identity<Law>) { return has_shifts<Law>; });
  }
  static bool any_enters(const MaterialTable& materials) {
    return any(materials, []<class Law>(std::type_identity<Law>) { return may_enter<Law>; });
  }
  static bool any_memory(const MaterialTable& materials) {
    return any(materials, []<class Law>(std::type_identity<Law>) { return is_compliant<Law>; });
  }

  // What share of its tangential velocity a sticking contact leaves with, the other way.
  static double reversed(const PairLaw& pair, double theta) {
    double share = 0.0;
    with_impact_law(pair.law, [&]<class Law>(std::type_identity<Law>, std::size_t first) {
      share = Law::reversed(pair.numbers.data() + first, theta);
    });
    return share;
  }

  // Whether no contact of this law does positive work, whatever the coupling.
  static bool dissipates(const PairLaw& pair, double theta) {
    bool none = false;
    with_impact_law(pair.law, [&]<class Law>(std::type_identity<Law>, std::size_t first) {
      none = Law::dissipates(pair.numbers.data() + first, pair.e, theta);
    });
    return none;
  }

  // Whether number i says something under this impact law.
  static bool takes(ImpactLaw law, std::size_t i) {
    if (i < common_parameters.size() || i >= common_parameters.size() + n_impact) return true;
    bool found = false;
    with_impact_law(law, [&]<class Law>(std::type_identity<Law>, std::size_t first) {
      const std::size_t own = i - common_parameters.size();
      found = own >= first && own < first + NumbersOf<Law>::parameters.size();
    });
    return found;
  }

  // The first fault of a pair's numbers, if any.
  static LawFault fault(const PairLaw& pair) {
    LawFault first;
    each_further(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      if constexpr (has_fault<Law>) first = first.parameter != nullptr ? first : Law::fault(own);
    });
    return first;
  }

  // Row of one contact.
  static ContactRow row(const PairLaw& pair, const ContactInput& in) {
    ContactRow row;
    row.mu = pair.mu;
    with_impact_law(pair.law, [&]<class Law>(std::type_identity<Law>, std::size_t first) {
      Law::row(pair.numbers.data() + first, in, row);
    });
    each_further(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      if constexpr (has_row<Law>) Law::row(own, in, row);
    });
    return row;
  }

  // How much the pair's ground slows down what presses on it [1/s].
  static double drag(const PairLaw& pair) {
    double rate = 0.0;
    each_further(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      if constexpr (has_drag<Law>) rate = Law::drag(own);
    });
    return rate;
  }

  // Adds what drag of ground did [J] to the column of its law.
  static void book_drag(double work, std::span<double> energy) {
    const auto one = [&]<class Law>(std::type_identity<Law>) {
      if constexpr (has_drag<Law>) energy[first_energy<Law>()] += work;
    };
    (one(std::type_identity<Further>()), ...);
  }

  // How fast a body forgets its slip on the pair's ground [1/s]; none: there is no slip there.
  static std::optional<double> slip_recovery(const PairLaw& pair) {
    std::optional<double> rate;
    each_further(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      if constexpr (has_slip<Law>) rate = Law::recovery(own);
    });
    return rate;
  }

  // Whether a contact takes part whatever its velocity.
  static bool enters(const PairLaw& pair, const ContactInput& in) {
    bool any = false;
    each_further(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      if constexpr (may_enter<Law>) any = any || Law::enters(own, in);
    });
    return any;
  }

  // What of u_theta a law that gives way takes, (n,t,s) [m/s].
  static Vector3 yield(const PairLaw& pair, const ContactEnd& end) {
    Vector3 u = Vector3::Zero();
    each_compliant(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      u = Law::yield(own, end);
    });
    return u;
  }

  // Books the end of a contact that is not there any more.
  static void drop(const PairLaw& pair, double h, const ContactMemory& memory,
                   std::span<double> energy) {
    each_compliant(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      Law::drop(own, h, memory, energy.subspan(first_energy<Law>(), Law::energies.size()));
    });
  }

  // Overlap that the pair's law holds at a contact with this memory [m], <= 0.
  static double rest_gap(const PairLaw& pair, const ContactMemory& memory) {
    double gap = 0.0;
    each_compliant(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      gap = Law::rest_gap(own, memory);
    });
    return gap;
  }

  // Share of other overlaps that heals in a step [-].
  static double healing(const PairLaw& pair) {
    double share = 0.0;
    each_compliant(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      share = Law::healing(own);
    });
    return share;
  }

  // Whether the pair's laws may have kept this of a contact.
  static bool is_sound(const PairLaw& pair, const ContactMemory& memory) {
    bool sound = memory == ContactMemory{};
    each_compliant(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      sound = Law::is_sound(own, memory);
    });
    return sound;
  }

  // Adds what a contact did to `energy` [n_energies], and makes its memory that of the next step.
  static void end(const PairLaw& pair, ContactEnd& end, std::span<double> energy) {
    each_further(pair, [&]<class Law>(std::type_identity<Law>, const double* own) {
      if constexpr (books_contacts<Law>)
        Law::end(own, end, energy.subspan(first_energy<Law>(), Law::energies.size()));
    });
  }

 private:
  template <class Law>
  struct NumbersOfLaw {
    using type = Law;
  };
  template <class Law>
  requires requires { typename Law::NumbersOf; }
  struct NumbersOfLaw<Law> {
    using type = typename Law::NumbersOf;
  };
  template <class Law>
  using NumbersOf = typename NumbersOfLaw<Law>::type;

  // Where the numbers of an impact law begin.
  template <class Law>
  static constexpr std::size_t first_number() {
    std::size_t first = 0, result = 0;
    ((std::is_same_v<NumbersOf<Law>, Impact> ? (result = first) : 0,
      first += Impact::parameters.size()),
     ...);
    return result;
  }

  // Calls `act` with the impact law of that number, and where its own numbers begin.
  template <class Act>
  static void with_impact_law(ImpactLaw law, Act&& act) {
    std::size_t index = 0;
    const auto look = [&]<class Law>(std::type_identity<Law> type) {
      if (static_cast<std::size_t>(law) == index++) act(type, first_number<Law>());
    };
    (look(std::type_identity<Impact>()), ...);
  }

  template <class Law>
  static constexpr std::size_t first_energy() {
    std::size_t first = 0, result = 0;
    ((std::is_same_v<Law, Further> ? (result = first) : 0, first += energies_of<Further>()), ...);
    return result;
  }

  // Calls `act` with every further law that acts between the pair, and its numbers.
  template <class Act>
  static void each_further(const PairLaw& pair, Act&& act) {
    std::size_t slot = n_impact;
    const auto one = [&]<class Law>(std::type_identity<Law>) {
      const double* own = pair.numbers.data() + slot;
      bool acts = false;
      for (std::size_t i = 0; i < Law::parameters.size(); ++i) acts = acts || own[i] != 0.0;
      if (acts) act(std::type_identity<Law>(), own);
      slot += Law::parameters.size();
    };
    (one(std::type_identity<Further>()), ...);
  }

  template <class Act>
  static void each_compliant(const PairLaw& pair, Act&& act) {
    each_further(pair, [&]<class Law>(std::type_identity<Law> law, const double* own) {
      if constexpr (is_compliant<Law>) act(law, own);
    });
  }

  template <class Question>
  static bool any(const MaterialTable& materials, Question&& question) {
    return std::any_of(materials.pair_law.begin(), materials.pair_law.end(), [&](const auto& pair) {
      bool found = false;
      if (pair) {
        each_further(*pair, [&]<class Law>(std::type_identity<Law> law, const double*) {
          found = found || question(law);
        });
      }
      return found;
    });
  }
};

}  // namespace scree::contact
