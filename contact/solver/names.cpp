#include "contact/solver/names.hpp"

namespace scree::contact {

const char* name_of(Measure measure) {
  switch (measure) {
    case Measure::combined:
      return "combined";
    case Measure::scaled:
      return "scaled";
    case Measure::published:
      return "published";
    case Measure::siconos:
      return "siconos";
  }
  return "";
}

const char* name_of(Method method) {
  switch (method) {
    case Method::nsgs:
      return "nsgs";
    case Method::nncg:
      return "nncg";
    case Method::apgd:
      return "apgd";
    case Method::interior:
      return "interior";
    case Method::automatic:
      return "automatic";
  }
  return "";
}

}  // namespace scree::contact
