#include "lint/engine/directive_problems.h"

#include "lint/text/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace oomlint {

namespace {

constexpr std::array<std::string_view, 4> modeline_words{"gpu", "world", "nodes", "dialect"};
constexpr std::string_view unknown = "unknown-suppression";

void report_unknown_rule(const std::string& word, Location at, EngineFindings& findings) {
  if (rule_of(word, findings.rules()) != nullptr) return;
  std::vector<std::string_view> names;
  for (const Rule* rule : findings.rules()) names.insert(names.end(), {rule->name, rule->code});
  const Span span = at.span;
  const std::string path = at.path;
  Diagnostic* finding = findings.add(unknown, "there is no rule `" + word + "`", std::move(at));
  const std::string_view near = nearest(word, names);
  if (finding == nullptr || near.empty()) return;
  finding->help = "did you mean `" + std::string(near) + "`?";
  if (!span.empty()) {
    finding->fixes.push_back({"write `" + std::string(near) + "`",
                              Applicability::unsafe,
                              {{path, span, std::string(near)}},
                              {},
                              0});
  }
}

void report_modeline(const std::string& path, const ModelineEntry& entry, std::string_view card_problem,
                     EngineFindings& findings) {
  const std::string& name = entry.name.text;
  const std::string& value = entry.value.text;
  if (std::find(modeline_words.begin(), modeline_words.end(), name) == modeline_words.end()) {
    Diagnostic* finding =
        findings.add(unknown, "a comment for oomlint can't set `" + name + "`", {path, entry.name.span, {}});
    if (finding != nullptr) finding->help = "it can set gpu, world, nodes and dialect";
    return;
  }
  if (name == "gpu" && !card_problem.empty()) {
    findings.add(unknown, std::string(card_problem), {path, entry.value.span, {}});
  }
  std::int64_t count = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), count);
  const bool is_count = parsed.ec == std::errc{} && parsed.ptr == value.data() + value.size() && count > 0;
  if ((name == "world" || name == "nodes") && !is_count) {
    findings.add(unknown, "`" + name + "` is a whole number of at least 1, not `" + value + "`",
                 {path, entry.value.span, {}});
  }
}

}  // namespace

bool names_rule(std::string_view word, std::string_view code, std::string_view name) {
  if (word == name) return true;
  return word.size() == code.size() &&
         std::equal(word.begin(), word.end(), code.begin(),
                    [](unsigned char a, char b) { return std::toupper(a) == b; });
}

const Rule* rule_of(std::string_view word, std::span<const Rule* const> rules) {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const Rule* rule) { return names_rule(word, rule->code, rule->name); });
  return found == rules.end() ? nullptr : *found;
}

Diagnostic* EngineFindings::add(std::string_view rule_name, std::string message, Location at) {
  const Rule* rule = rule_of(rule_name, rules_);
  if (rule == nullptr) return nullptr;
  const auto level = level_of(rule->code, rule->name, rule->severity, settings_);
  if (!level) return nullptr;
  Diagnostic finding;
  finding.code = rule->code;
  finding.name = rule->name;
  finding.severity = *level;
  finding.message = std::move(message);
  finding.primary = std::move(at);
  found_.push_back(std::move(finding));
  return &found_.back();
}

void report_unknown_words(const Directives& file, std::string_view card_problem, EngineFindings& findings) {
  for (const DirectiveWord& word : file.malformed) {
    Diagnostic* finding = findings.add(unknown, "this comment names no rule, so it silences nothing",
                                       {file.path, word.span, {}});
    if (finding != nullptr)
      finding->help =
          "write `# oomlint: ignore[RULE] reason`, with a code or a name from `oomlint list rules`";
  }
  for (const Directive& entry : file.entries) {
    for (const DirectiveWord& word : entry.rules)
      report_unknown_rule(word.text, {file.path, word.span, {}}, findings);
  }
  for (const ModelineEntry& entry : file.modeline) report_modeline(file.path, entry, card_problem, findings);
}

}  // namespace oomlint
