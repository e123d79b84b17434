#pragma once

#include "integrations/cli/options.h"
#include "lint/engine/engine.h"
#include "parsers/settings/settings.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// The settings of every linted file: the nearest settings file, its overrides, then the command line. Each
/// settings file is read and checked once.
class SettingsStore {
 public:
  SettingsStore(Files& files, const Options& options, const Parts& parts)
      : files_(files), options_(options), parts_(parts) {}

  /// Reads the settings file that holds for `directory`, or the one of `--config`. The reference stays valid.
  const SettingsFile& file_of(std::string_view directory);
  [[nodiscard]] Settings settings_of(std::string_view path);

  /// A settings file that takes the place of all others (`--config`), already read.
  void use_only(SettingsFile file);

  /// Paths of all settings files read so far, for excerpts.
  [[nodiscard]] std::vector<std::string> settings_paths() const;

  /// What is wrong with the settings files read so far and with the names on the command line.
  [[nodiscard]] const std::vector<SettingsProblem>& problems() const { return problems_; }

 private:
  const SettingsFile& add(const std::string& key, SettingsFile file);
  void check_references(const SettingsFile& file);
  void check_command_line(const SettingsFile& file);

  Files& files_;
  const Options& options_;
  const Parts& parts_;
  std::map<std::string, const SettingsFile*, std::less<>> by_directory_;
  std::map<std::string, std::unique_ptr<SettingsFile>> by_path_;
  const SettingsFile* only_ = nullptr;
  std::vector<SettingsProblem> problems_;
};

/// The path without its last name.
[[nodiscard]] std::string_view directory_of(std::string_view path);

}  // namespace oomlint
