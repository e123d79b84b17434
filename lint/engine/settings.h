#pragma once

#include "lint/catalog/catalog.h"
#include "lint/estimate/evaluate.h"
#include "lint/plan/layer.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// The target machine as asked for: a card name or size as the user wrote it, and device counts. All
/// optional.
struct Target {
  std::string gpu;  ///< "A100-80GB", "24GB", "80GiB", "none"; empty: not said
  std::optional<std::int64_t> world;
  std::optional<std::int64_t> nodes;
  Origin gpu_origin;
};

enum class Level : std::uint8_t { off, note, warning, error };

/// A finding silenced in the settings, for files that cannot carry comments.
struct IgnoreEntry {
  std::string file;  ///< glob
  std::string key;   ///< logical key path, empty: any
  std::vector<std::string> rules;
  std::string reason;
  Location place;  ///< in the settings file
};

/// Spending limits of the policy; 0 means no limit.
struct Limits {
  double max_hours = 0;
  double max_cost = 0;
  std::uint64_t max_disk_bytes = 0;
  double price_per_gpu_hour = 0;
  double price_per_kwh = 0;
};

/// Everything the user decides about one linted file, already resolved for its path.
struct Settings {
  Target target;
  Target command_line;  ///< what of the target the command line said: a modeline does not change it
  HeadroomPolicy headroom;
  bool report_recommended_headroom = false;
  Limits limits;
  std::map<std::string, Level> levels;          ///< by rule name or code
  std::string dialect;                          ///< forced dialect, empty: recognise
  std::map<std::string, std::string> versions;  ///< package → version
  std::vector<Assignment> assumed;              ///< --assume
  std::vector<IgnoreEntry> ignores;
  Overlay catalogue;   ///< models and cards of the user
  std::string source;  ///< shown path of the settings file, empty for none
};

/// What the settings say for a rule, by its code or its name; nothing when they leave it to the rule.
[[nodiscard]] std::optional<Level> chosen_level(std::string_view code, std::string_view name,
                                                const Settings& settings);
/// A level that is not off.
[[nodiscard]] Severity to_severity(Level level);
/// The level a rule reports at: what the settings say for its code or its name, else its own; nothing when it
/// is off.
[[nodiscard]] std::optional<Severity> level_of(std::string_view code, std::string_view name, Severity own,
                                               const Settings& settings);

/// Puts what `over` says into `base`.
void overlay(Target& base, const Target& over);

}  // namespace oomlint
