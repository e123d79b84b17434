#pragma once

#include <string>
#include <string_view>

namespace oomlint::test {

/// Holds `text` against tests/goldens/`name`; with OOMLINT_UPDATE_GOLDENS in the environment the file is
/// written instead.
void check_golden(std::string_view name, const std::string& text);

}  // namespace oomlint::test
