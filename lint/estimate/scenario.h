#pragma once

#include "lint/plan/fields.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oomlint {

/// Which end of an unknown a scenario takes: the one with the smallest peak, the likely one, the one with the
/// largest.
enum class End : std::uint8_t { low, likely, high };

/// One way the open questions of a plan may be answered.
struct Scenario {
  std::vector<std::pair<Field, Scalar>> assumed;  ///< values of fields the plan leaves open
  End runtime = End::likely;  ///< of what no field holds: CUDA context, growth of reserved memory,
                              ///< communication buffers
  std::vector<std::pair<std::string, End>> versions;  ///< by package, where several versions are admissible

  /// The end that a package's versions are taken at.
  [[nodiscard]] End version_of(std::string_view package) const {
    const auto found = std::find_if(versions.begin(), versions.end(),
                                    [&](const auto& each) { return each.first == package; });
    return found == versions.end() ? End::likely : found->second;
  }
};

}  // namespace oomlint
