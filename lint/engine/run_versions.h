#pragma once

#include "lint/engine/pins.h"
#include "lint/engine/settings.h"
#include "lint/plan/versions.h"

#include <span>

namespace oomlint {

/// The versions a run stands on. For each package the first that knows: the user's settings, the date the run
/// is assumed to be from, the lock and requirements files near the config, the releases of the last twelve
/// months known.
[[nodiscard]] Versions resolve_versions(const Settings& settings, std::span<const Pin> pins);

}  // namespace oomlint
