#include "integrations/cli/version.h"

namespace oomlint {

const char* product_version() {
  return OOMLINT_VERSION;
}

}  // namespace oomlint
