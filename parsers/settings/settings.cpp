#include "parsers/settings/settings.h"

#include "lint/text/glob.h"
#include "parsers/readers.h"
#include "parsers/settings/sections.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oomlint {

namespace {

constexpr int max_extends = 8;

std::string directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

/// The table that holds our settings: the whole file, or `[tool.oomlint]` of a pyproject.toml.
NodeId our_table(const Document& document) {
  const std::string& path = document.source().path();
  const bool python = path == "pyproject.toml" || path.ends_with("/pyproject.toml");
  if (!python) return document.root();
  const NodeId tool = document.root() == no_node ? no_node : document.child(document.root(), "tool");
  return tool == no_node ? no_node : document.child(tool, "oomlint");
}

class SettingsLoader {
 public:
  explicit SettingsLoader(Files& files) : files_(files) {}

  SettingsFile load(const std::string& path) {
    file_.path = path;
    add(path, nullptr);
    file_.path = path;
    return std::move(file_);
  }

 private:
  /// What a file extends is read before the file itself, so that the file's own words win.
  void add(const std::string& path, const SettingsValue* named_by) {
    if (std::find(chain_.begin(), chain_.end(), path) != chain_.end() || chain_.size() >= max_extends) {
      problem(path, named_by, "`extend` leads in a circle");
      return;
    }
    chain_.push_back(path);
    FileContent content = files_.read(path);
    if (content.error != ReadError::none) {
      problem(path, named_by, "can't read " + path + ": " + to_string(content.error));
      return;
    }
    const auto source = std::make_shared<const SourceFile>(path, std::move(content.bytes));
    file_.sources.push_back(source);
    const Document document = read_toml(source);
    for (const SyntaxProblem& each : document.problems()) {
      file_.problems.push_back({path, source->position(each.span.begin), each.message, {}});
    }
    const NodeId table = our_table(document);
    if (!document.problems().empty() || table == no_node) return;
    const NodeId extend = document.child(table, "extend");
    if (extend != no_node) {
      const SettingsValue value(document, extend);
      const auto target = resolve_beside(path, value.text().value_or(""));
      if (target) {
        add(*target, &value);
      } else {
        problem(path, &value, "`extend` names a file outside the repository");
      }
    }
    file_.path = path;
    read_sections(SettingsValue(document, table), file_,
                  {directory_of(path), file_.problems, file_.references});
  }

  void problem(const std::string& path, const SettingsValue* at, std::string message) {
    if (at == nullptr) {
      file_.problems.push_back({path, {}, std::move(message), {}});
    } else {
      add_problem(*at, std::move(message), {}, {{}, file_.problems, file_.references});
    }
  }

  Files& files_;
  SettingsFile file_;
  std::vector<std::string> chain_;
};

void apply(const SettingsPart& part, Settings& settings) {
  overlay(settings.target, part.target);
  if (part.headroom) settings.headroom.required = *part.headroom;
  if (part.recommended_headroom) settings.headroom.recommended = *part.recommended_headroom;
  if (part.other_processes) settings.headroom.other_processes = *part.other_processes;
  if (part.report_recommended) settings.report_recommended_headroom = *part.report_recommended;
  if (!part.dialect.empty()) settings.dialect = part.dialect;
  for (const auto& [rule, level] : part.levels) settings.levels[rule] = level;
  for (const auto& [package, version] : part.versions) settings.versions[package] = version;
  settings.assumed.insert(settings.assumed.end(), part.assumed.begin(), part.assumed.end());
}

}  // namespace

std::optional<std::string> find_settings(Files& files, std::string_view directory) {
  constexpr std::array<std::string_view, 3> names{".oomlint.toml", "oomlint.toml", "pyproject.toml"};
  for (std::string at(directory);; at = directory_of(at)) {
    for (const std::string_view name : names) {
      std::string path = at.empty() ? std::string(name) : at + "/" + std::string(name);
      if (!files.exists(path)) continue;
      // A pyproject.toml without our section is somebody else's; the text decides before any parsing.
      if (name == "pyproject.toml" && files.read(path).bytes.find("tool.oomlint") == std::string::npos)
        continue;
      return path;
    }
    if (at.empty()) return std::nullopt;
  }
}

SettingsFile read_settings(Files& files, std::string_view path) {
  return SettingsLoader(files).load(std::string(path));
}

Settings settings_for(const SettingsFile& file, std::string_view path) {
  Settings settings;
  settings.source = file.path;
  settings.limits = file.limits;
  settings.ignores = file.ignores;
  settings.catalogue = file.catalogue;
  apply(file.part, settings);
  for (const SettingsOverride& each : file.overrides) {
    const bool meant = std::any_of(each.files.begin(), each.files.end(),
                                   [&](const std::string& glob) { return path_matches(glob, path); });
    if (meant) apply(each.part, settings);
  }
  return settings;
}

}  // namespace oomlint
