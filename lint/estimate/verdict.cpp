#include "lint/estimate/evaluate.h"

namespace oomlint {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::fits:
      return "fits";
    case Verdict::tight:
      return "tight";
    case Verdict::over:
      return "over";
    case Verdict::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace oomlint
