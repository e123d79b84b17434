#include "lint/engine/suppress.h"

#include "lint/engine/directive_problems.h"
#include "lint/text/glob.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

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
      : all_(all),
        sources_(sources),
        settings_(settings),
        rules_(rules),
        context_(context),
        findings_(rules, settings) {
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
    for (const Directives& file : all_) report_unknown_words(file, context_.card_problem, findings_);
    if (context_.rules_ran) report_unused();
    result_.findings = findings_.take();
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
    std::uint32_t first = source->line_of(at.span.begin);
    // A command that goes on over lines has its comment above it.
    while (first > 0 && continues(source->line(first - 1))) --first;
    return {first, source->line_of(std::max(at.span.begin, at.span.end))};
  }

  static bool continues(std::string_view line) {
    const std::size_t last = line.find_last_not_of("\r\n");
    return last != std::string_view::npos && line[last] == '\\';
  }

  [[nodiscard]] const SourceFile* source_of(std::string_view path) const {
    const auto found = std::find_if(sources_.begin(), sources_.end(),
                                    [&](const auto& source) { return source->path() == path; });
    return found == sources_.end() ? nullptr : found->get();
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
          findings_.add("unused-suppression",
                        quoted_list(unused) + (unused.size() == 1 ? " is" : " are") + " not reported here",
                        {main.path, entry->span, {}});
      if (finding != nullptr) finding->fixes.push_back(removal(main, *entry, unused));
    }
    for (std::size_t i = 0; i < settings_.ignores.size(); ++i) {
      const IgnoreEntry& entry = settings_.ignores[i];
      const bool could = std::any_of(entry.rules.begin(), entry.rules.end(),
                                     [&](const auto& word) { return could_fire(word); });
      if (used_ignores_[i] || entry.file != main.path || !could) continue;
      findings_.add("unused-suppression",
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
  EngineFindings findings_;
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
