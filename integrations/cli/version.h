#pragma once

namespace oomlint {

/// "0.1.0"
[[nodiscard]] const char* product_version();

}  // namespace oomlint
