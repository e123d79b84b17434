#pragma once

#include "lint/engine/files.h"
#include "lint/engine/settings.h"
#include "lint/text/source_file.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// Something wrong in a settings file. Settings that are not understood stop the run (exit code 2): linting
/// under others than the user wrote would be worse.
struct SettingsProblem {
  std::string path;
  Position at;
  std::string message;
  std::string help;
};

/// A name in a settings file that somebody who knows all names must check.
struct SettingsReference {
  enum class Kind : std::uint8_t { rule, dialect, card };
  Kind kind = Kind::rule;
  std::string name;
  std::string path;
  Position at;
};

/// What a settings file, or one of its `[[overrides]]`, can say about a linted file. An absent value resets
/// nothing.
struct SettingsPart {
  Target target;
  std::optional<Ratio> headroom;
  std::optional<Ratio> recommended_headroom;
  std::optional<bool> report_recommended;
  std::optional<Bytes> other_processes;
  std::string dialect;
  std::map<std::string, Level> levels;
  std::map<std::string, std::string> versions;
  std::vector<Assignment> assumed;
};

struct SettingsOverride {
  std::vector<std::string> files;  ///< globs from the root
  SettingsPart part;
};

/// One settings file with everything it extends. Globs are written relative to the file that holds them and
/// kept here relative to the root.
struct SettingsFile {
  std::string path;  ///< empty: none was found, all defaults
  SettingsPart part;
  std::vector<SettingsOverride> overrides;
  std::vector<std::string> exclude;
  std::string fail_on;
  Limits limits;
  std::vector<IgnoreEntry> ignores;
  Overlay catalogue;
  std::vector<SettingsReference> references;
  std::vector<SettingsProblem> problems;
  std::vector<std::shared_ptr<const SourceFile>> sources;
};

/// The settings file that holds for files in a directory: `.oomlint.toml`, `oomlint.toml` or a
/// `pyproject.toml` with
/// `[tool.oomlint]` in it or the nearest folder above. Nothing when there is none up to the root.
[[nodiscard]] std::optional<std::string> find_settings(Files& files, std::string_view directory);

/// Reads a settings file and what it extends.
[[nodiscard]] SettingsFile read_settings(Files& files, std::string_view path);

/// What the settings come to for one file: the base, then every override whose globs mean it, in order.
[[nodiscard]] Settings settings_for(const SettingsFile& file, std::string_view path);

}  // namespace oomlint
