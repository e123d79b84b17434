#pragma once

#include "lint/catalog/tool/sources.h"

#include <set>
#include <string>

namespace oomlint::catalog {

/// The squeezed names of a card: `own` are its key and names, `derived` these without size and form ("a100")
/// and the bare number of a consumer card ("4090").
struct CardNames {
  std::set<std::string> own;
  std::set<std::string> derived;
};
[[nodiscard]] CardNames names_of(const SourceCard& card);

}  // namespace oomlint::catalog
