#include "lint/text/diagnostic.h"

#include <tuple>

namespace oomlint {

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "note";
}

const char* to_string(Certainty certainty) {
  switch (certainty) {
    case Certainty::low:
      return "low";
    case Certainty::medium:
      return "medium";
    case Certainty::high:
      return "high";
    case Certainty::certain:
      return "certain";
  }
  return "low";
}

bool comes_before(const Diagnostic& a, const Diagnostic& b) {
  return std::tie(a.primary.path, a.primary.span, a.code, a.message) <
         std::tie(b.primary.path, b.primary.span, b.code, b.message);
}

}  // namespace oomlint
