#pragma once

#include "lint/dialect/dialect.h"

#include <initializer_list>
#include <string_view>

namespace oomlint {

/// A flag that is given and true.
[[nodiscard]] bool is_on(const ReadContext& context, std::string_view path);

/// A hit at `path`, with those of the related keys that are there.
[[nodiscard]] ConstraintHit blame(const ReadContext& context, std::string_view path,
                                  std::initializer_list<std::string_view> related = {});

}  // namespace oomlint
