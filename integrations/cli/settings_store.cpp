#include "integrations/cli/settings_store.h"

#include "lint/text/nearest.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view near = nearest(word, names);
  return near.empty() ? "" : "did you mean `" + std::string(near) + "`?";
}

}  // namespace

std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

const SettingsFile& SettingsStore::file_of(std::string_view directory) {
  if (only_ != nullptr) return *only_;
  const auto known = by_directory_.find(directory);
  if (known != by_directory_.end()) return *known->second;
  const auto path = find_settings(files_, directory);
  const std::string key = path.value_or("");
  const auto read = by_path_.find(key);
  const SettingsFile& file =
      read != by_path_.end() ? *read->second : add(key, path ? read_settings(files_, *path) : SettingsFile());
  by_directory_.emplace(std::string(directory), &file);
  return file;
}

void SettingsStore::use_only(SettingsFile file) {
  const std::string key = file.path;
  only_ = &add(key, std::move(file));
}

const SettingsFile& SettingsStore::add(const std::string& key, SettingsFile file) {
  const auto entry = by_path_.emplace(key, std::make_unique<SettingsFile>(std::move(file))).first;
  const SettingsFile& added = *entry->second;
  problems_.insert(problems_.end(), added.problems.begin(), added.problems.end());
  check_references(added);
  check_command_line(added);
  return added;
}

Settings SettingsStore::settings_of(std::string_view path) {
  Settings settings = settings_for(file_of(directory_of(path)), path);
  settings.command_line = options_.target;
  overlay(settings.target, options_.target);
  settings.assumed.insert(settings.assumed.end(), options_.assumed.begin(), options_.assumed.end());
  return settings;
}

std::vector<std::string> SettingsStore::settings_paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, file] : by_path_) {
    for (const auto& source : file->sources) paths.push_back(source->path());
  }
  return paths;
}

void SettingsStore::check_references(const SettingsFile& file) {
  for (const SettingsReference& reference : file.references) {
    std::vector<std::string_view> names;
    std::string_view what = "rule";
    std::string help;
    switch (reference.kind) {
      case SettingsReference::Kind::rule:
        for (const Rule* rule : parts_.rules) names.insert(names.end(), {rule->name, rule->code});
        break;
      case SettingsReference::Kind::dialect:
        what = "dialect";
        for (const Dialect* dialect : parts_.dialects) names.push_back(dialect->name);
        break;
      case SettingsReference::Kind::card:
        if (reference.name == "none" || find_card(reference.name, file.catalogue, help)) continue;
        what = "card";
        break;
    }
    if (std::find(names.begin(), names.end(), reference.name) != names.end()) continue;
    if (help.empty()) help = did_you_mean(reference.name, names);
    problems_.push_back(
        {reference.path, reference.at, "unknown " + std::string(what) + " `" + reference.name + "`", help});
  }
}

/// A card of `--gpu` may come from the settings' own catalogue, so it is checked against each settings file;
/// one complaint is enough.
void SettingsStore::check_command_line(const SettingsFile& file) {
  const std::string& gpu = options_.target.gpu;
  std::string why;
  if (gpu.empty() || gpu == "none" || find_card(gpu, file.catalogue, why)) return;
  const bool said = std::any_of(problems_.begin(), problems_.end(),
                                [](const auto& problem) { return problem.path == "--gpu"; });
  if (!said)
    problems_.push_back({"--gpu",
                         {},
                         "unknown card `" + gpu + "`",
                         why.empty() ? "`oomlint list gpus` shows them all" : why});
}

}  // namespace oomlint
