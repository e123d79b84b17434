#include "lint/engine/suppress.h"

#include "lint/text/glob.h"
#include "lint/text/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace oomlint {

namespace {

constexpr std::array<std::string_view, 4> modeline_words{"gpu", "world", "nodes", "dialect"};

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

std::string quoted_list(const std::vector<std::string>& names) {
  std::string joined;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) joined += i + 1 == names.size() ? " and " : ", ";
    joined += "`" + names[i] + "`";
  }
  return joined;
}

/// One suppression run: which words silenced something, and what is left.
class Suppressor {
 public:
  Suppressor(std::span<const Directives> all, std::span<const std::shared_ptr<const SourceFile>> sources,
             const Settings& settings, std::span<const Rule* const> rules, const SuppressionContext& context)
      : all_(all), sources_(sources), settings_(settings), rules_(rules), context_(context) {
    for (const Directives& file : all_) {
      for (const Directive& entry : file.entries)
        used_.emplace_back(&entry, std::vector<bool>(entry.rules.size()));
    }
    used_ignores_.resize(settings_.ignores.size());
  }

  SuppressionResult run(std::vector<Diagnostic> diagnostics) {
    for (Diagnostic& diagnostic : diagnostics) {
      if (auto silenced = silence(diagnostic)) {
        result_.suppressed.push_back(
            {std::move(diagnostic), std::move(silenced->reason), silenced->in_source});
      } else {
        result_.kept.push_back(std::move(diagnostic));
      }
    }
    for (const Directives& file : all_) report_unknown(file);
    if (context_.rules_ran) report_unused();
    std::sort(result_.findings.begin(), result_.findings.end(), comes_before);
    return std::move(result_);
  }

 private:
  struct Silence {
    std::string reason;
    bool in_source = true;
  };

  /// Every directive that applies is marked as used, so that two that say the same are not called unused by
  /// turns.
  std::optional<Silence> silence(const Diagnostic& diagnostic) {
    std::optional<Silence> found;
    std::size_t index = 0;
    for (const Directives& file : all_) {
      for (const Directive& entry : file.entries) {
        std::vector<bool>& used = used_[index++].second;
        if (entry.kind == Directive::Kind::enable || !reaches(file, entry, diagnostic)) continue;
        for (std::size_t i = 0; i < entry.rules.size(); ++i) {
          if (!names_rule(entry.rules[i].text, diagnostic.code, diagnostic.name)) continue;
          if (entry.kind == Directive::Kind::disable &&
              !in_range(file, entry, entry.rules[i].text, diagnostic))
            continue;
          used[i] = true;
          if (!found) found = Silence{entry.reason, true};
        }
      }
    }
    for (std::size_t i = 0; i < settings_.ignores.size(); ++i) {
      const IgnoreEntry& entry = settings_.ignores[i];
      const bool named = std::any_of(entry.rules.begin(), entry.rules.end(), [&](const std::string& word) {
        return names_rule(word, diagnostic.code, diagnostic.name);
      });
      if (!named || !meant_by(entry, diagnostic)) continue;
      used_ignores_[i] = true;
      if (!found) found = Silence{entry.reason, false};
    }
    return found;
  }

  template <class Condition>
  static bool any_place(const Diagnostic& diagnostic, const Condition& condition) {
    return condition(diagnostic.primary) ||
           std::any_of(diagnostic.related.begin(), diagnostic.related.end(),
                       [&](const Label& label) { return condition(label.location); });
  }

  [[nodiscard]] bool reaches(const Directives& file, const Directive& entry,
                             const Diagnostic& diagnostic) const {
    if (entry.kind == Directive::Kind::file_ignore) return diagnostic.primary.path == file.path;
    if (entry.kind == Directive::Kind::disable) return true;
    return any_place(diagnostic, [&](const Location& at) {
      if (at.path != file.path) return false;
      const auto [first, last] = lines_of(at);
      return entry.line == first || entry.line == last;
    });
  }

  /// Between a `disable` and the next `enable` of the same rule, or the end of the file.
  [[nodiscard]] bool in_range(const Directives& file, const Directive& disable, std::string_view word,
                              const Diagnostic& diagnostic) const {
    std::uint32_t end = ~std::uint32_t{0};
    for (const Directive& entry : file.entries) {
      if (entry.kind != Directive::Kind::enable || entry.span.begin < disable.span.begin) continue;
      const bool same = std::any_of(entry.rules.begin(), entry.rules.end(), [&](const DirectiveWord& other) {
        const Rule* rule = rule_of(word, rules_);
        return other.text == word || (rule != nullptr && names_rule(other.text, rule->code, rule->name));
      });
      if (same) end = std::min(end, entry.span.begin);
    }
    return any_place(diagnostic, [&](const Location& at) {
      return at.path == file.path && disable.span.begin <= at.span.begin && at.span.begin < end;
    });
  }

  [[nodiscard]] static bool meant_by(const IgnoreEntry& entry, const Diagnostic& diagnostic) {
    return any_place(diagnostic, [&](const Location& at) {
      if (!entry.file.empty() && !path_matches(entry.file, at.path)) return false;
      return entry.key.empty() || at.key == entry.key || at.key.starts_with(entry.key + ".") ||
             at.key.starts_with(entry.key + "[");
    });
  }

  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> lines_of(const Location& at) const {
    const SourceFile* source = source_of(at.path);
    if (source == nullptr) return {0, 0};
    return {source->line_of(at.span.begin), source->line_of(std::max(at.span.begin, at.span.end))};
  }

  [[nodiscard]] const SourceFile* source_of(std::string_view path) const {
    const auto found = std::find_if(sources_.begin(), sources_.end(),
                                    [&](const auto& source) { return source->path() == path; });
    return found == sources_.end() ? nullptr : found->get();
  }

  /// A finding of a rule the engine itself emits, at the level the settings give it; null when it is off.
  Diagnostic* add_finding(std::string_view rule_name, std::string message, Location at) {
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
    result_.findings.push_back(std::move(finding));
    return &result_.findings.back();
  }

  void report_unknown(const Directives& file) {
    for (const DirectiveWord& word : file.malformed) {
      Diagnostic* finding =
          add_finding("unknown-suppression", "this comment names no rule, so it silences nothing",
                      {file.path, word.span, {}});
      if (finding != nullptr)
        finding->help =
            "write `# oomlint: ignore[RULE] reason`, with a code or a name from `oomlint list rules`";
    }
    for (const Directive& entry : file.entries) {
      for (const DirectiveWord& word : entry.rules)
        report_unknown_rule(word.text, {file.path, word.span, {}});
    }
    for (const ModelineEntry& entry : file.modeline) report_modeline(file, entry);
  }

  void report_unknown_rule(const std::string& word, Location at) {
    if (rule_of(word, rules_) != nullptr) return;
    std::vector<std::string_view> names;
    for (const Rule* rule : rules_) names.insert(names.end(), {rule->name, rule->code});
    const Span span = at.span;
    const std::string path = at.path;
    Diagnostic* finding =
        add_finding("unknown-suppression", "there is no rule `" + word + "`", std::move(at));
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

  void report_modeline(const Directives& file, const ModelineEntry& entry) {
    const std::string& name = entry.name.text;
    const std::string& value = entry.value.text;
    if (std::find(modeline_words.begin(), modeline_words.end(), name) == modeline_words.end()) {
      Diagnostic* finding =
          add_finding("unknown-suppression", "a comment for oomlint can't set `" + name + "`",
                      {file.path, entry.name.span, {}});
      if (finding != nullptr) finding->help = "it can set gpu, world, nodes and dialect";
      return;
    }
    if (name == "gpu" && !context_.card_problem.empty()) {
      add_finding("unknown-suppression", context_.card_problem, {file.path, entry.value.span, {}});
    }
    std::int64_t count = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), count);
    const bool is_count = parsed.ec == std::errc{} && parsed.ptr == value.data() + value.size() && count > 0;
    if ((name == "world" || name == "nodes") && !is_count) {
      add_finding("unknown-suppression",
                  "`" + name + "` is a whole number of at least 1, not `" + value + "`",
                  {file.path, entry.value.span, {}});
    }
  }

  /// Only for the main config: what silences nothing in this run may be needed by another run that shares a
  /// companion.
  void report_unused() {
    if (all_.empty()) return;
    const Directives& main = all_.front();
    for (std::size_t i = 0; i < main.entries.size(); ++i) {
      const auto& [entry, used] = used_[i];
      if (entry->kind == Directive::Kind::enable) continue;
      std::vector<std::string> unused;
      for (std::size_t k = 0; k < entry->rules.size(); ++k) {
        if (!used[k] && could_fire(entry->rules[k].text)) unused.push_back(entry->rules[k].text);
      }
      if (unused.empty()) continue;
      Diagnostic* finding =
          add_finding("unused-suppression",
                      quoted_list(unused) + (unused.size() == 1 ? " is" : " are") + " not reported here",
                      {main.path, entry->span, {}});
      if (finding != nullptr) finding->fixes.push_back(removal(main, *entry, unused));
    }
    for (std::size_t i = 0; i < settings_.ignores.size(); ++i) {
      const IgnoreEntry& entry = settings_.ignores[i];
      const bool could = std::any_of(entry.rules.begin(), entry.rules.end(),
                                     [&](const auto& word) { return could_fire(word); });
      if (used_ignores_[i] || entry.file != main.path || !could) continue;
      add_finding("unused-suppression",
                  quoted_list(entry.rules) + (entry.rules.size() == 1 ? " is" : " are") +
                      " not reported in " + main.path,
                  entry.place);
    }
  }

  /// Whether a rule had its chance: an unknown one, one that is off and a memory rule without a verdict had
  /// none.
  [[nodiscard]] bool could_fire(std::string_view word) const {
    const Rule* rule = rule_of(word, rules_);
    if (rule == nullptr || !level_of(rule->code, rule->name, rule->severity, settings_)) return false;
    return context_.verdict_known || !rule->code.starts_with("OOM1");
  }

  /// Takes the comment out, or only the names that silence nothing.
  [[nodiscard]] Fix removal(const Directives& file, const Directive& entry,
                            const std::vector<std::string>& unused) const {
    Fix fix{"remove what silences nothing", Applicability::safe, {}, {}, 0};
    const SourceFile& source = *source_of(file.path);
    const std::string_view bytes = source.bytes();
    if (unused.size() < entry.rules.size()) {
      std::string left;
      for (const DirectiveWord& word : entry.rules) {
        if (std::find(unused.begin(), unused.end(), word.text) != unused.end()) continue;
        left += (left.empty() ? "" : ", ") + word.text;
      }
      fix.edits.push_back(
          {file.path, {entry.rules.front().span.begin, entry.rules.back().span.end}, std::move(left)});
      return fix;
    }
    const std::uint32_t line = source.line_of(entry.span.begin);
    const std::uint32_t start = source.line_start(line);
    Span gone = entry.span;
    while (gone.begin > start && (bytes[gone.begin - 1] == ' ' || bytes[gone.begin - 1] == '\t'))
      --gone.begin;
    const bool alone = gone.begin == start && gone.end == start + source.line(line).size();
    if (alone && line + 1 < source.line_count()) gone.end = source.line_start(line + 1);
    fix.edits.push_back({file.path, gone, {}});
    return fix;
  }

  std::span<const Directives> all_;
  std::span<const std::shared_ptr<const SourceFile>> sources_;
  const Settings& settings_;
  std::span<const Rule* const> rules_;
  const SuppressionContext& context_;
  std::vector<std::pair<const Directive*, std::vector<bool>>> used_;
  std::vector<bool> used_ignores_;
  SuppressionResult result_;
};

}  // namespace

SuppressionResult apply_suppressions(std::vector<Diagnostic> diagnostics, std::span<const Directives> all,
                                     std::span<const std::shared_ptr<const SourceFile>> sources,
                                     const Settings& settings, std::span<const Rule* const> rules,
                                     const SuppressionContext& context) {
  return Suppressor(all, sources, settings, rules, context).run(std::move(diagnostics));
}

}  // namespace oomlint
