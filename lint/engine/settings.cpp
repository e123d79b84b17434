#include "lint/engine/settings.h"

namespace oomlint {

std::optional<Level> chosen_level(std::string_view code, std::string_view name, const Settings& settings) {
  for (const std::string_view key : {code, name}) {
    const auto found = settings.levels.find(std::string(key));
    if (found != settings.levels.end()) return found->second;
  }
  return std::nullopt;
}

Severity to_severity(Level level) {
  if (level == Level::error) return Severity::error;
  return level == Level::warning ? Severity::warning : Severity::note;
}

std::optional<Severity> level_of(std::string_view code, std::string_view name, Severity own,
                                 const Settings& settings) {
  const auto chosen = chosen_level(code, name, settings);
  if (!chosen) return own;
  return *chosen == Level::off ? std::nullopt : std::optional(to_severity(*chosen));
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
