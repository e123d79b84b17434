#pragma once

#include "lint/engine/context.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace oomlint::rules {

/// A setting that does not do what it says: found by the framework's own checks (constraints) or by comparing
/// what was asked for with what will be.
struct SettingDifference {
  Location at;
  std::vector<Label> related;
  std::string message;
  std::string help;
  std::string source;  ///< where the framework does it, empty for differences between files
  bool sure = true;    ///< false: holds for some versions only, and nothing pins the version
};

/// All differences of one kind in this run, one a place. Nothing for fragments, and for files that do not
/// parse: there the key that would settle it may be what could not be read.
[[nodiscard]] std::vector<SettingDifference> differences(Context& context, Effect effect,
                                                         std::initializer_list<Difference> kinds);

/// Reports each, at `severity` where it is sure and as a warning at most where it is not.
void report_differences(Context& context, std::vector<SettingDifference> found, Severity severity);

}  // namespace oomlint::rules
