#include "lint/engine/engine.h"

#include "lint/engine/loaded_run.h"
#include "lint/engine/plan_builder.h"
#include "lint/engine/run_context.h"
#include "lint/engine/suppress.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

const Rule* rule_named(const Parts& parts, std::string_view name) {
  const auto found = std::find_if(parts.rules.begin(), parts.rules.end(),
                                  [&](const Rule* rule) { return rule->name == name; });
  return found == parts.rules.end() ? nullptr : *found;
}

std::optional<Severity> level_of(const Rule& rule, const Settings& settings) {
  return oomlint::level_of(rule.code, rule.name, rule.severity, settings);
}

Diagnostic engine_finding(const Rule& rule, Severity severity, std::string message, Location at) {
  Diagnostic finding;
  finding.code = rule.code;
  finding.name = rule.name;
  finding.severity = severity;
  finding.message = std::move(message);
  finding.primary = std::move(at);
  return finding;
}

/// One syntax finding a document: the first problem; what follows a syntax error is noise. `alone` is the
/// dialect of a file that no other names, so that its own framework's reader is the one that counts.
void report_syntax(const Document& document, const Dialect* alone, const Settings& settings,
                   const Parts& parts, std::vector<Diagnostic>& out) {
  const Rule* rule = rule_named(parts, "syntax-error");
  if (rule == nullptr || document.problems().empty()) return;
  const auto level = level_of(*rule, settings);
  if (!level) return;
  const SyntaxProblem& problem = document.problems().front();
  const Location at{document.source().path(), problem.span, {}};
  Diagnostic finding = engine_finding(*rule, *level, problem.message, at);
  if (problem.tolerance == Tolerance::template_) finding.severity = std::min(*level, Severity::note);
  if (problem.tolerance == Tolerance::hjson && alone != nullptr && alone->reads_hjson) {
    finding.severity = std::min(*level, Severity::warning);
    finding.message += ": " + std::string(alone->title) + " itself reads on, other JSON readers stop here";
  }
  out.push_back(std::move(finding));
}

void report_ambiguity(const Document& document, const std::vector<const Dialect*>& accepted,
                      const Settings& settings, const Parts& parts, std::vector<Diagnostic>& out) {
  const Rule* rule = rule_named(parts, "ambiguous-dialect");
  if (rule == nullptr) return;
  const auto level = level_of(*rule, settings);
  if (!level) return;
  std::string names;
  for (const Dialect* dialect : accepted)
    names += (names.empty() ? "" : " and ") + std::string(dialect->title);
  out.push_back(engine_finding(*rule, *level,
                               "this could be a config of " + names + ", so nothing is checked",
                               {document.source().path(), {0, 0}, {}}));
}

void check_rules(const RunReport& report, const LoadedRun& loaded, const Settings& settings,
                 const Parts& parts, std::vector<Diagnostic>& out) {
  RunContext context(report, loaded, settings, parts, out);
  for (const Rule* rule : parts.rules) {
    const auto chosen = chosen_level(rule->code, rule->name, settings);
    if (chosen == Level::off || rule->check == nullptr) continue;
    context.enter(*rule, chosen ? std::optional(to_severity(*chosen)) : std::nullopt);
    rule->check(context);
  }
}

/// GPUs × hours × price, with the energy's price on top where there is one.
std::optional<double> cost_of(const ComputeEstimate& compute, const TrainingPlan& plan,
                              const Limits& limits) {
  constexpr double seconds_per_hour = 3600;
  if (!compute.seconds_likely || limits.price_per_gpu_hour + limits.price_per_kwh <= 0) return std::nullopt;
  const auto gpus = static_cast<double>(std::max<std::int64_t>(1, plan.count(Field::world).value_or(1)));
  return gpus * *compute.seconds_likely / seconds_per_hour * limits.price_per_gpu_hour +
         compute.energy_kwh.value_or(0) * limits.price_per_kwh;
}

/// How the run would do on the usual cards, for who has not chosen one.
std::vector<CardOutlook> outlook_of(const RunReport& report, const HeadroomPolicy& policy) {
  std::vector<CardOutlook> outlook;
  for (Card& card : typical_cards()) {
    const Evaluation on_it = evaluate(report.plan, report.model, &card, policy);
    outlook.push_back({std::move(card), on_it.verdict, on_it.free_fraction});
  }
  return outlook;
}

/// No claims are made about a file of its own that only companions need, nor where no part of the run has
/// what makes one.
bool is_fragment(const LoadedRun& loaded) {
  const LoadedFile& main = loaded.files.front();
  if (main.dialect->companion_only) return true;
  if (main.document->launch() == no_node)
    return main.dialect->is_fragment != nullptr && main.dialect->is_fragment(*main.document);
  return std::none_of(loaded.files.begin(), loaded.files.end(), [](const LoadedFile& file) {
    return !file.dialect->companion_only && file.root == file.document->root() &&
           (file.dialect->is_fragment == nullptr || !file.dialect->is_fragment(*file.document));
  });
}

RunReport judge(const LoadedRun& loaded, const Settings& settings, const LintOptions& options,
                std::string& card_problem) {
  RunReport report;
  const LoadedFile& main = loaded.files.front();
  for (const LoadedFile& file : loaded.files) {
    if (std::find(report.files.begin(), report.files.end(), file.path) == report.files.end())
      report.files.push_back(file.path);
  }
  report.dialect = main.dialect->name;
  report.plan = build_plan(loaded, settings);
  report.stack = report.plan.text(Field::stack).value_or("");
  report.fragment = is_fragment(loaded);
  report.card = resolve_card(report.plan, settings, card_problem);
  if (report.fragment) return report;
  report.model = resolve_model(report.plan, loaded, settings);
  HeadroomPolicy policy = settings.headroom;
  policy.largest_accelerator = largest_capacity();
  const Limits& limits = settings.limits;
  const bool limited = limits.max_hours > 0 || limits.max_cost > 0 || limits.max_disk_bytes > 0;
  report.evaluation = evaluate(report.plan, report.model, report.card ? &*report.card : nullptr, policy,
                               options.explain || limited ? Explain::yes : Explain::no);
  const Evaluation& evaluation = report.evaluation;
  if (options.outlook && !report.card && evaluation.estimated && evaluation.missing.empty())
    report.outlook = outlook_of(report, policy);
  // What could not be read may be what makes it fit.
  if (main.document->partial()) report.evaluation.certainty = Certainty::low;
  report.evaluation.compute.cost = cost_of(report.evaluation.compute, report.plan, limits);
  return report;
}

std::vector<const Dialect*> dialects_of(const Document& document, const Settings& settings,
                                        const Parts& parts) {
  if (settings.dialect.empty()) return recognise(document, parts.dialects);
  std::vector<const Dialect*> forced;
  std::copy_if(parts.dialects.begin(), parts.dialects.end(), std::back_inserter(forced),
               [&](const Dialect* dialect) { return dialect->name == settings.dialect; });
  return forced;
}

/// Recognises, loads and judges the run of one document into `result`.
void lint_document(const std::shared_ptr<const Document>& document, Files& files, const Settings& settings,
                   const Parts& parts, const LintOptions& options, FileResult& result,
                   SuppressionContext& context) {
  if (options.detection) {
    for (const Dialect* dialect : parts.dialects)
      result.detection.push_back(hold_against(*document, *dialect));
  }
  std::vector<const Dialect*> accepted = dialects_of(*document, settings, parts);
  if (accepted.empty() && document->launch() != no_node && could_train(*document)) {
    // A program nobody knows that is given a config somebody does.
    const LoadedFile config = config_of_command(*document, nullptr, files, parts);
    if (config.document != nullptr && !config.dialect->companion_only) accepted.push_back(config.dialect);
  }
  context.rules_ran = context.rules_ran || (options.rules && accepted.size() == 1 && !document->partial());
  if (options.rules && (!accepted.empty() || options.named)) {
    report_syntax(*document, accepted.size() == 1 ? accepted.front() : nullptr, settings, parts,
                  result.diagnostics);
  }
  if (accepted.size() > 1 && options.rules) {
    report_ambiguity(*document, accepted, settings, parts, result.diagnostics);
  }
  if (accepted.size() != 1) return;

  const LoadedRun loaded =
      load_run({document->source().path(), document, accepted.front(), document->root()}, files, parts);
  for (const LoadedFile& file : loaded.files) {
    const bool known = std::any_of(result.sources.begin(), result.sources.end(),
                                   [&](const auto& seen) { return seen->path() == file.path; });
    if (known) continue;
    result.sources.push_back(file.document->shared_source());
    if (options.rules) report_syntax(*file.document, nullptr, settings, parts, result.diagnostics);
  }
  RunReport report = judge(loaded, settings, options, context.card_problem);
  context.verdict_known = context.verdict_known || report.evaluation.verdict != Verdict::unknown;
  if (!report.fragment) {
    result.outcome = FileResult::Outcome::run;
  } else if (result.outcome != FileResult::Outcome::run) {
    result.outcome = FileResult::Outcome::fragment;
  }
  if (options.rules) check_rules(report, loaded, settings, parts, result.diagnostics);
  result.runs.push_back(std::move(report));
}

}  // namespace

FileResult lint(std::string_view path, Files& files, const Settings& settings, const Parts& parts,
                const LintOptions& options) {
  FileResult result;
  FileContent content = files.read(path);
  if (content.error != ReadError::none) {
    result.outcome = FileResult::Outcome::unreadable;
    result.error = content.error;
    return result;
  }
  if (!options.named && settings.dialect.empty() && !worth_reading(path, content.bytes, parts)) return result;

  const auto source = std::make_shared<SourceFile>(std::string(path), std::move(content.bytes));
  result.sources.push_back(source);
  const auto documents = read_runs(source, parts);
  if (documents.empty()) return result;

  Settings local = settings;
  apply_modeline(parse_directives(*source), local);
  SuppressionContext context;
  context.rules_ran = false;
  for (const auto& document : documents)
    lint_document(document, files, local, parts, options, result, context);

  if (options.rules) {
    std::vector<Directives> directives;
    directives.reserve(result.sources.size());
    for (const auto& each : result.sources) directives.push_back(parse_directives(*each));
    SuppressionResult silenced = apply_suppressions(std::move(result.diagnostics), directives, result.sources,
                                                    local, parts.rules, context);
    result.diagnostics = std::move(silenced.kept);
    result.suppressed = std::move(silenced.suppressed);
    std::move(silenced.findings.begin(), silenced.findings.end(), std::back_inserter(result.diagnostics));
  }
  std::sort(result.diagnostics.begin(), result.diagnostics.end(), comes_before);
  return result;
}

}  // namespace oomlint
