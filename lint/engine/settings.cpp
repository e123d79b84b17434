#include "lint/engine/settings.h"

namespace oomlint {

std::optional<Severity> level_of(std::string_view code, std::string_view name, Severity own,
                                 const Settings& settings) {
  for (const std::string_view key : {code, name}) {
    const auto found = settings.levels.find(std::string(key));
    if (found == settings.levels.end()) continue;
    switch (found->second) {
      case Level::off:
        return std::nullopt;
      case Level::note:
        return Severity::note;
      case Level::warning:
        return Severity::warning;
      case Level::error:
        return Severity::error;
    }
  }
  return own;
}

void overlay(Target& base, const Target& over) {
  if (!over.gpu.empty()) {
    base.gpu = over.gpu;
    base.gpu_origin = over.gpu_origin;
  }
  if (over.world) base.world = over.world;
  if (over.nodes) base.nodes = over.nodes;
}

}  // namespace oomlint
