#include "integrations/emit/emit.h"
#include "integrations/emit/excerpt.h"
#include "integrations/emit/fingerprint.h"
#include "integrations/emit/regions.h"
#include "integrations/emit/tally.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace oomlint {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json interval_json(const Interval& interval) {
  return {
      {"low", interval.low.count()}, {"likely", interval.likely.count()}, {"high", interval.high.count()}};
}

Json scalar_json(const Scalar& value) {
  struct Visitor {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t count) const { return count; }
    Json operator()(double number) const { return number; }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const std::vector<std::string>& list) const { return list; }
  };
  return std::visit(Visitor{}, value);
}

// --- runs: the same for `estimate` and `check`
// ---------------------------------------------------------------------

Json origin_json(const Origin& origin, const RunReport& run, const Report& report) {
  Json json{{"kind", to_string(origin.kind)},
            {"path", nullptr},
            {"line", nullptr},
            {"column", nullptr},
            {"note", text_or_null(origin.note)}};
  if (origin.file >= run.plan.files.size()) return json;
  const std::string& path = run.plan.files[origin.file];
  json["path"] = path;
  if (const SourceFile* source = source_of(report, path)) {
    const Position at = source->position(origin.span.begin);
    json["line"] = at.line + 1;
    json["column"] = at.code_point_column + 1;
  }
  return json;
}

Json plan_json(const RunReport& run, const Report& report) {
  Json plan = Json::object();
  for (const FieldInfo& field : all_fields()) {
    const Value& value = run.plan[field.field];
    if (!is_known(value.requested) && !is_known(value.effective)) continue;
    Json entry{{"requested", scalar_json(value.requested)},
               {"effective", scalar_json(value.effective)},
               {"origin", origin_json(value.effective_origin, run, report)}};
    if (value.difference != Difference::none) {
      entry["difference"] = to_string(value.difference);
      entry["because"] = text_or_null(value.because);
    }
    plan[std::string(field.name)] = std::move(entry);
  }
  return plan;
}

/// A term is as certain as the least certain of its inputs.
Certainty certainty_of(const Term& term, const RunReport& run) {
  Certainty certainty = Certainty::certain;
  for (const Field input : term.inputs) {
    switch (run.plan[input].effective_origin.kind) {
      case OriginKind::unknown:
        certainty = std::min(certainty, Certainty::low);
        break;
      case OriginKind::inferred:
        certainty = std::min(certainty, Certainty::medium);
        break;
      case OriginKind::framework_default:
        certainty = std::min(certainty, Certainty::high);
        break;
      case OriginKind::given:
      case OriginKind::derived:
      case OriginKind::policy:
      case OriginKind::assumed:
        break;
    }
    if (input == Field::model) certainty = std::min(certainty, run.model.certainty);
  }
  return certainty;
}

Json phases_json(const RunReport& run) {
  const Evaluation& evaluation = run.evaluation;
  Json phases = Json::array();
  for (std::size_t i = 0; i < evaluation.likely.phases.size(); ++i) {
    const PhaseEstimate& phase = evaluation.likely.phases[i];
    Json terms = Json::array();
    for (const Term& term : phase.terms) {
      terms.push_back({{"name", to_string(term.kind)},
                       {"bytes", term.bytes.count()},
                       {"dtype", to_word(term.dtype)},
                       {"formula", text_or_null(term.formula)},
                       {"certainty", to_string(certainty_of(term, run))}});
    }
    phases.push_back(
        {{"name", to_string(phase.phase)},
         {"terms", std::move(terms)},
         {"allocated", interval_json(i < evaluation.phases.size() ? evaluation.phases[i] : Interval{})}});
  }
  return phases;
}

Json gpu_json(const RunReport& run) {
  Json json{{"name", nullptr}, {"usable_bytes", nullptr}, {"world", or_null(run.plan.count(Field::world))}};
  if (run.card) {
    json["name"] = run.card->name;
    json["usable_bytes"] = run.evaluation.usable.count();
  }
  return json;
}

Json compute_json(const ComputeEstimate& compute) {
  return {{"tokens",
           {{"presented", or_null(compute.tokens_presented)},
            {"supervised", or_null(compute.tokens_supervised)},
            {"padded", or_null(compute.tokens_padded)}}},
          {"flops", or_null(compute.flops)},
          {"seconds",
           {{"low", or_null(compute.seconds_low)},
            {"likely", or_null(compute.seconds_likely)},
            {"high", or_null(compute.seconds_high)}}},
          {"energy_kwh", or_null(compute.energy_kwh)},
          {"cost", or_null(compute.cost)}};
}

Json run_json(const RunReport& run, const Report& report) {
  const Evaluation& evaluation = run.evaluation;
  const bool estimated = evaluation.estimated && !run.fragment && !evaluation.likely.phases.empty();
  const auto task = run.plan.text(Field::task);
  Json json{{"files", run.files},
            {"dialect", run.dialect},
            {"stack", text_or_null(run.stack)},
            {"task", task ? Json(*task) : Json(nullptr)},
            {"fragment", run.fragment},
            {"gpu", gpu_json(run)},
            {"plan", plan_json(run, report)},
            {"phases", estimated ? phases_json(run) : Json::array()}};
  if (estimated) {
    json["peak"] = {{"phase", to_string(evaluation.likely.peak().phase)},
                    {"allocated", interval_json(evaluation.allocated)},
                    {"reserved", interval_json(evaluation.reserved)},
                    {"device", interval_json(evaluation.device)}};
    json["host_bytes"] = evaluation.likely.host.count();
  } else {
    json["peak"] = nullptr;
  }
  json["verdict"] = to_string(run.fragment ? Verdict::unknown : evaluation.verdict);
  json["free_fraction"] = or_null(evaluation.free_fraction);
  json["certainty"] = to_string(evaluation.certainty);
  Json missing = Json::array();
  for (const Field field : evaluation.missing) missing.push_back(name_of(field));
  json["missing"] = std::move(missing);
  Json unknowns = Json::array();
  for (const Unknown& unknown : evaluation.unknowns) {
    unknowns.push_back({{"field", unknown.name},
                        {"low", unknown.low},
                        {"likely", unknown.likely},
                        {"high", unknown.high},
                        {"share", unknown.share}});
  }
  json["unknowns"] = std::move(unknowns);
  if (!run.outlook.empty()) {
    Json cards = Json::array();
    for (const CardOutlook& outlook : run.outlook) {
      cards.push_back({{"name", outlook.card.name},
                       {"usable_bytes", outlook.card.capacity.count()},
                       {"verdict", to_string(outlook.verdict)},
                       {"free_fraction", or_null(outlook.free_fraction)}});
    }
    json["cards"] = std::move(cards);
  }
  json["compute"] = compute_json(evaluation.compute);
  json["disk"] = {{"bytes", evaluation.disk.count() > 0 ? Json(evaluation.disk.count()) : Json(nullptr)}};
  json["evidence"] = text_or_null(evaluation.evidence);
  return json;
}

Json head_json(const Report& report) {
  Json runs = Json::array();
  for (const RunReport& run : report.runs) runs.push_back(run_json(run, report));
  return {{"version", 1},
          {"tool", {{"name", "oomlint"}, {"version", report.version}}},
          {"runs", std::move(runs)}};
}

// --- findings
// ------------------------------------------------------------------------------------------------------

Json position_json(const SourceFile& source, std::uint32_t offset) {
  const Position at = source.position(offset);
  return {{"line", at.line + 1},
          {"column", at.code_point_column + 1},
          {"utf16_column", at.utf16_column + 1},
          {"offset", offset}};
}

Json location_json(const Location& location, const Report& report) {
  Json json{{"path", location.path}, {"range", nullptr}, {"key", text_or_null(location.key)}};
  if (const SourceFile* source = source_of(report, location.path)) {
    const Span span = exact_region(*source, location.span).bytes;
    json["range"] = {{"start", position_json(*source, span.begin)},
                     {"end", position_json(*source, span.end)}};
  }
  return json;
}

Json table_json(const ByteTable& table, const Report& report) {
  if (table.rows.empty()) return nullptr;
  Json rows = Json::array();
  for (const ByteRow& row : table.rows) {
    Json inputs = Json::array();
    for (const Location& input : row.inputs) inputs.push_back(location_json(input, report));
    rows.push_back({{"name", row.name},
                    {"bytes", row.bytes},
                    {"dtype", text_or_null(row.dtype)},
                    {"formula", text_or_null(row.formula)},
                    {"inputs", std::move(inputs)}});
  }
  return {{"phase", text_or_null(table.phase)},
          {"rows", std::move(rows)},
          {"total_bytes", table.total_bytes},
          {"limit_bytes", table.capacity_bytes > 0 ? Json(table.capacity_bytes) : Json(nullptr)},
          {"gpu", text_or_null(table.card)}};
}

const char* to_string(Applicability applicability) {
  switch (applicability) {
    case Applicability::safe:
      return "safe";
    case Applicability::unsafe:
      return "unsafe";
    case Applicability::display:
      return "display";
  }
  return "display";
}

Json fix_json(const Fix& fix, const Report& report) {
  Json edits = Json::array();
  for (const TextEdit& edit : fix.edits) {
    Json json = location_json({edit.path, edit.span, {}}, report);
    json.erase("key");
    json["text"] = edit.text;
    edits.push_back(std::move(json));
  }
  return {{"title", fix.title},
          {"applicability", to_string(fix.applicability)},
          {"edits", std::move(edits)},
          {"cost", text_or_null(fix.cost)},
          {"peak_bytes", fix.new_peak_bytes > 0 ? Json(fix.new_peak_bytes) : Json(nullptr)}};
}

Json diagnostic_json(const Diagnostic& diagnostic, const Report& report) {
  Json json{{"code", diagnostic.code},
            {"name", diagnostic.name},
            {"severity", to_string(diagnostic.severity)},
            {"certainty", to_string(diagnostic.certainty)},
            {"message", diagnostic.message}};
  json.update(location_json(diagnostic.primary, report));
  json["label"] = text_or_null(diagnostic.primary_label);
  Json related = Json::array();
  for (const Label& label : diagnostic.related) {
    Json entry = location_json(label.location, report);
    entry["label"] = label.text;
    related.push_back(std::move(entry));
  }
  json["related"] = std::move(related);
  json["notes"] = diagnostic.notes;
  json["help"] = text_or_null(diagnostic.help);
  Json fixes = Json::array();
  for (const Fix& fix : diagnostic.fixes) fixes.push_back(fix_json(fix, report));
  json["fixes"] = std::move(fixes);
  json["table"] = table_json(diagnostic.table, report);
  json["fingerprint"] = stable_fingerprint(diagnostic.code, diagnostic.primary.path, diagnostic.primary.key);
  return json;
}

Json summary_json(const Report& report) {
  const Tally found = tally(report);
  const Summary& summary = report.summary;
  return {{"errors", found.errors},
          {"warnings", found.warnings},
          {"notes", found.notes},
          {"suppressed", report.suppressed.size()},
          {"fixable", found.fixable},
          {"unsafely_fixable", found.unsafely_fixable},
          {"files", summary.files_seen},
          {"files_with_findings", found.files},
          {"unrecognised", summary.unrecognised},
          {"fragments", summary.fragments},
          {"unreadable", summary.unreadable},
          {"without_gpu", summary.without_card},
          {"without_model", summary.without_model}};
}

void print(const Json& json, std::ostream& out) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

void emit_json(const Report& report, const EmitOptions&, std::ostream& out) {
  Json json = head_json(report);
  json["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : report.diagnostics) {
    json["diagnostics"].push_back(diagnostic_json(diagnostic, report));
  }
  json["suppressed"] = Json::array();
  for (const Suppressed& suppressed : report.suppressed) {
    Json entry = diagnostic_json(suppressed.diagnostic, report);
    entry["suppression"] = {{"kind", suppressed.in_source ? "in source" : "settings"},
                            {"reason", text_or_null(suppressed.reason)}};
    json["suppressed"].push_back(std::move(entry));
  }
  json["unreadable"] = report.unreadable_named;
  json["summary"] = summary_json(report);
  print(json, out);
}

void emit_estimate_json(const Report& report, const EmitOptions&, std::ostream& out) {
  print(head_json(report), out);
}

}  // namespace oomlint
