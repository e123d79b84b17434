#include "integrations/emit/byte_table.h"
#include "integrations/emit/emit.h"
#include "integrations/emit/excerpt.h"
#include "integrations/emit/fingerprint.h"
#include "integrations/emit/regions.h"
#include "integrations/emit/sarif_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>

namespace oomlint {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view root = "%SRCROOT%";
constexpr std::uint32_t context_lines = 2;
constexpr std::uint32_t context_bytes = 2000;
constexpr std::size_t most_results = 5000;  // what GitHub shows of a run; it keeps 25,000

std::string sentence(std::string_view text) {
  std::string result(text);
  if (!result.empty() && !result.ends_with('.')) result += '.';
  return result;
}

double rank(Certainty certainty) {
  switch (certainty) {
    case Certainty::low:
      return 30;
    case Certainty::medium:
      return 60;
    case Certainty::high:
      return 90;
    case Certainty::certain:
      return 100;
  }
  return 0;
}

Json region_json(const SourceFile& source, const Region& region, bool snippet) {
  Json json{{"startLine", region.start_line},
            {"startColumn", region.start_column},
            {"endLine", region.end_line},
            {"endColumn", region.end_column}};
  if (snippet) json["snippet"] = {{"text", source.text(region.bytes)}};
  return json;
}

Json artifact_json(const std::string& path) {
  Json json{{"uri", path_to_uri(path)}};
  if (!path.starts_with('/')) json["uriBaseId"] = root;
  return json;
}

/// Some lines around a region; where lines are very long (JSON without newlines), a stretch of the same line.
Region context_of(const SourceFile& source, const Region& region) {
  const std::uint32_t line = region.start_line - 1;
  const std::uint32_t first = line > context_lines ? line - context_lines : 0;
  const std::uint32_t last = std::min(line + context_lines, source.line_count() - 1);
  const auto end_of = [&](std::uint32_t index) {
    return source.line_start(index) + static_cast<std::uint32_t>(source.line(index).size());
  };
  const Span whole{source.line_start(first), end_of(last)};
  if (whole.size() <= context_bytes) return exact_region(source, whole);
  const auto on_boundary = [&](std::uint32_t offset) {
    return source.offset_at_utf16(line, source.position(offset).utf16_column);
  };
  const std::uint32_t before = std::min(region.bytes.begin - source.line_start(line), context_bytes / 4);
  const std::uint32_t after = std::min(end_of(line) - region.bytes.end, context_bytes / 4);
  return exact_region(source,
                      {on_boundary(region.bytes.begin - before), on_boundary(region.bytes.end + after)});
}

/// Builds the log of one report.
class Log {
 public:
  Log(const Report& report, const EmitOptions& options) : report_(report), options_(options) {}

  Json build() {
    Json results = results_json();
    Json driver{{"name", "oomlint"},
                {"fullName", "oomlint " + report_.version},
                {"version", report_.version},
                {"semanticVersion", report_.version},
                {"informationUri", "urn:oomlint"},
                {"rules", rules_json()}};
    Json run{{"tool", {{"driver", std::move(driver)}}},
             {"automationDetails",
              {{"id", options_.category},
               {"description", {{"text", "Static checks of the configs of training runs."}}}}},
             {"language", "en-US"},
             {"columnKind", "utf16CodeUnits"},
             {"newlineSequences", {"\r\n", "\n", "\r"}},
             {"originalUriBaseIds",
              {{root, {{"description", {{"text", "The root of the linted repository."}}}}}}}};
    if (options_.provenance) {
      const Provenance& from = *options_.provenance;
      Json entry{{"repositoryUri", from.repository_uri}, {"revisionId", from.revision}};
      if (!from.branch.empty()) entry["branch"] = from.branch;
      entry["mappedTo"] = {{"uriBaseId", root}};
      run["versionControlProvenance"] = Json::array({std::move(entry)});
    }
    run["invocations"] = Json::array({invocation_json()});
    run["results"] = std::move(results);
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
  }

 private:
  /// A finding together with those of the same rule on the same line, which GitHub would merge into one
  /// alert.
  struct Group {
    const Diagnostic* first;
    const Suppressed* suppressed;
    std::vector<const Diagnostic*> others;
  };

  std::vector<Group> groups() const {
    std::vector<Group> groups;
    std::map<std::tuple<std::string_view, std::string_view, std::uint32_t, bool>, std::size_t> at;
    const auto add = [&](const Diagnostic& diagnostic, const Suppressed* suppressed) {
      const SourceFile* source = source_of(report_, diagnostic.primary.path);
      const std::uint32_t line = source == nullptr ? 0 : source->position(diagnostic.primary.span.begin).line;
      const auto [entry, added] = at.try_emplace(
          {diagnostic.code, diagnostic.primary.path, line, suppressed != nullptr}, groups.size());
      if (added) {
        groups.push_back({&diagnostic, suppressed, {}});
      } else {
        groups[entry->second].others.push_back(&diagnostic);
      }
    };
    for (const Diagnostic& diagnostic : report_.diagnostics) add(diagnostic, nullptr);
    if (options_.suppressed) {
      for (const Suppressed& suppressed : report_.suppressed) add(suppressed.diagnostic, &suppressed);
    }
    return groups;
  }

  Json results_json() {
    std::vector<Group> all = groups();
    if (all.size() > most_results) {
      std::stable_sort(all.begin(), all.end(),
                       [](const Group& a, const Group& b) { return a.first->severity > b.first->severity; });
      left_out_ = all.size() - most_results;
      all.resize(most_results);
    }
    number_rules(all);
    Json results = Json::array();
    for (const Group& group : all) results.push_back(result_json(group));
    return results;
  }

  /// Rules of the build in the order of their codes, then those only a finding knows.
  void number_rules(const std::vector<Group>& all) {
    std::map<std::string, RuleEntry> by_code;
    for (const Rule* rule : options_.rules) by_code[std::string(rule->code)] = {rule, nullptr, {}};
    for (const Group& group : all) by_code[group.first->code].sample = group.first;
    for (auto& [code, entry] : by_code) {
      index_[code] = rules_.size();
      rules_.push_back(std::move(entry));
    }
  }

  Json result_json(const Group& group) {
    const Diagnostic& d = *group.first;
    const std::size_t index = index_.at(d.code);
    Json related = Json::array();
    const Json message = message_json(group, rules_[index], related);
    Json result{{"ruleId", d.code},   {"ruleIndex", index},
                {"kind", "fail"},     {"level", to_string(d.severity)},
                {"message", message}, {"locations", Json::array({location_json(d.primary)})}};
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    result["partialFingerprints"] = fingerprints_json(d);
    if (!d.table.rows.empty()) result["codeFlows"] = Json::array({code_flow_json(d)});
    if (Json fixes = fixes_json(d); !fixes.empty()) result["fixes"] = std::move(fixes);
    if (options_.suppressed) {
      result["suppressions"] = Json::array();
      if (group.suppressed != nullptr) {
        Json entry{{"kind", group.suppressed->in_source ? "inSource" : "external"}, {"status", "accepted"}};
        if (!group.suppressed->reason.empty()) entry["justification"] = group.suppressed->reason;
        result["suppressions"].push_back(std::move(entry));
      }
    }
    result["rank"] = rank(d.certainty);
    result["properties"] = properties_json(d);
    return result;
  }

  struct RuleEntry {
    const Rule* rule = nullptr;
    const Diagnostic* sample = nullptr;  ///< stands in for a rule the build does not list
    std::vector<std::string> patterns;
  };

  Json message_json(const Group& group, RuleEntry& rule, Json& related) {
    const Diagnostic& d = *group.first;
    MessageParts parts = take_apart(d.message);
    if (parts.arguments.empty()) {
      parts.add(", at ");
      parts.add_argument(d.primary.key.empty() ? d.primary.path : d.primary.key);
    }
    parts.add(".");
    const auto link = [&](const Location& location, const std::string& text) {
      Json entry = location_json(location);
      entry["id"] = related.size() + 1;
      if (!text.empty()) entry["message"] = {{"text", sentence(text)}};
      related.push_back(std::move(entry));
      parts.add(related.size() == 1 ? " See also [" : ", [");
      parts.add_argument(location.key.empty() ? location.path : location.key);
      parts.add("](" + std::to_string(related.size()) + ")");
    };
    for (const Label& label : d.related) link(label.location, label.text);
    for (const Diagnostic* other : group.others) link(other->primary, other->message);
    if (!related.empty()) parts.add(".");

    const auto known = std::find(rule.patterns.begin(), rule.patterns.end(), parts.pattern);
    const auto number = static_cast<std::size_t>(known - rule.patterns.begin());
    if (known == rule.patterns.end()) rule.patterns.push_back(parts.pattern);
    return {{"text", parts.text}, {"id", pattern_id(number)}, {"arguments", parts.arguments}};
  }

  static std::string pattern_id(std::size_t number) {
    return number == 0 ? "default" : "variant" + std::to_string(number);
  }

  Json location_json(const Location& location) const {
    Json physical{{"artifactLocation", artifact_json(location.path)}};
    if (const SourceFile* source = source_of(report_, location.path)) {
      const Region region = one_line_region(*source, location.span);
      physical["region"] = region_json(*source, region, true);
      const Region context = context_of(*source, region);
      if (context.bytes.size() > region.bytes.size())
        physical["contextRegion"] = region_json(*source, context, true);
    } else {
      physical["region"] = {{"startLine", 1}};
    }
    Json json{{"physicalLocation", std::move(physical)}};
    if (!location.key.empty()) {
      json["logicalLocations"] = Json::array({{{"fullyQualifiedName", location.key}, {"kind", "property"}}});
    }
    return json;
  }

  Json fingerprints_json(const Diagnostic& d) {
    Json json = Json::object();
    std::string line_hash;
    if (const SourceFile* source = source_of(report_, d.primary.path)) {
      auto [entry, added] = hashes_.try_emplace(d.primary.path);
      if (added) entry->second = line_hashes(source->bytes());
      const std::uint32_t line = one_line_region(*source, d.primary.span).start_line - 1;
      if (line < entry->second.size()) line_hash = entry->second[line];
    }
    if (!line_hash.empty()) json["primaryLocationLineHash"] = line_hash;
    const std::string own =
        stable_fingerprint(d.code, d.primary.path, d.primary.key.empty() ? line_hash : d.primary.key);
    json["oomlint/v1"] = own + ':' + std::to_string(++fingerprints_seen_[own]);
    return json;
  }

  Json code_flow_json(const Diagnostic& d) const {
    Json steps = Json::array();
    const int decimals = gib_decimals(d.table.total_bytes);
    const auto step = [&](const Location& location, const std::string& text) {
      Json entry = location_json(location);
      entry["message"] = {{"text", text}};
      steps.push_back(
          {{"location", std::move(entry)}, {"nestingLevel", 0}, {"executionOrder", steps.size() + 1}});
    };
    for (const ByteRow& row : d.table.rows) {
      std::string text = row.name + ": " + gib_text(row.bytes, decimals);
      if (!row.formula.empty()) text += " = " + row.formula;
      if (!row.dtype.empty()) text += " (" + row.dtype + ")";
      step(row.inputs.empty() ? d.primary : row.inputs.front(), text + '.');
    }
    std::string text = "together: " + gib_text(d.table.total_bytes, decimals);
    if (d.table.capacity_bytes > 0) text += " of " + gib_text(d.table.capacity_bytes, decimals);
    step(d.primary, text + '.');
    return {{"message", {{"text", "How the bytes of the peak add up."}}},
            {"threadFlows", Json::array({{{"locations", std::move(steps)}}})}};
  }

  Json fixes_json(const Diagnostic& d) const {
    Json fixes = Json::array();
    for (const Fix& fix : d.fixes) {
      std::map<std::string, Json> by_path;
      bool complete = !fix.edits.empty();
      for (const TextEdit& edit : fix.edits) {
        const SourceFile* source = source_of(report_, edit.path);
        complete = complete && source != nullptr;
        if (source == nullptr) continue;
        Json replacement{{"deletedRegion", region_json(*source, exact_region(*source, edit.span), false)}};
        if (!edit.text.empty()) replacement["insertedContent"] = {{"text", edit.text}};
        by_path.try_emplace(edit.path, Json::array()).first->second.push_back(std::move(replacement));
      }
      if (!complete) continue;
      Json changes = Json::array();
      for (auto& [path, replacements] : by_path) {
        changes.push_back(
            {{"artifactLocation", artifact_json(path)}, {"replacements", std::move(replacements)}});
      }
      fixes.push_back(
          {{"description", {{"text", sentence(fix.title)}}}, {"artifactChanges", std::move(changes)}});
    }
    return fixes;
  }

  static Json properties_json(const Diagnostic& d) {
    Json json{{"certainty", to_string(d.certainty)}};
    if (!d.notes.empty()) json["notes"] = d.notes;
    if (!d.help.empty()) json["help"] = d.help;
    if (!d.table.rows.empty()) {
      Json bytes = Json::object();
      for (const ByteRow& row : d.table.rows)
        bytes[row.name] = bytes.value(row.name, std::uint64_t{0}) + row.bytes;
      json["bytes"] = std::move(bytes);
      json["peakBytes"] = d.table.total_bytes;
      if (d.table.capacity_bytes > 0) json["limitBytes"] = d.table.capacity_bytes;
    }
    Json remedies = Json::array();
    for (const Fix& fix : d.fixes) {
      Json remedy{{"title", fix.title}, {"safe", fix.applicability == Applicability::safe}};
      if (fix.new_peak_bytes > 0) remedy["peakBytes"] = fix.new_peak_bytes;
      if (!fix.cost.empty()) remedy["cost"] = fix.cost;
      remedies.push_back(std::move(remedy));
    }
    if (!remedies.empty()) json["remedies"] = std::move(remedies);
    return json;
  }

  Json rules_json() const {
    Json rules = Json::array();
    for (const RuleEntry& entry : rules_) {
      const bool listed = entry.rule != nullptr;
      const std::string code = listed ? std::string(entry.rule->code) : entry.sample->code;
      const std::string name = listed ? std::string(entry.rule->name) : entry.sample->name;
      const Severity severity = listed ? entry.rule->severity : entry.sample->severity;
      const std::string summary =
          sentence(listed && !entry.rule->summary.empty() ? entry.rule->summary : std::string_view(name));
      const std::string doc = listed && !entry.rule->doc.empty() ? std::string(entry.rule->doc) : summary;
      Json rule{{"id", code},
                {"name", pascal_case(name)},
                {"shortDescription", {{"text", summary}}},
                {"fullDescription", {{"text", sentence(first_paragraph(doc, summary))}}}};
      Json messages = Json::object();
      for (std::size_t i = 0; i < entry.patterns.size(); ++i)
        messages[pattern_id(i)] = {{"text", entry.patterns[i]}};
      if (!messages.empty()) rule["messageStrings"] = std::move(messages);
      rule["defaultConfiguration"] = {{"level", to_string(severity)}};
      rule["helpUri"] = "urn:oomlint:rule:" + code;
      rule["help"] = {{"text", doc}, {"markdown", doc}};
      rule["properties"] = {
          {"tags", {"training"}},
          {"precision", "high"},
          {"problem.severity", severity == Severity::note ? "recommendation" : to_string(severity)}};
      rules.push_back(std::move(rule));
    }
    return rules;
  }

  Json invocation_json() const {
    Json notifications = Json::array();
    for (const std::string& unreadable : report_.unreadable_named) {
      notifications.push_back(
          {{"level", "error"}, {"message", {{"text", "Cannot read " + sentence(unreadable)}}}});
    }
    if (left_out_ > 0) {
      notifications.push_back(
          {{"level", "warning"},
           {"message", {{"text", std::to_string(left_out_) + " findings of lower severity are left out."}}}});
    }
    Json invocation{{"executionSuccessful", report_.unreadable_named.empty()}};
    if (!notifications.empty()) invocation["toolExecutionNotifications"] = std::move(notifications);
    return invocation;
  }

  const Report& report_;
  const EmitOptions& options_;
  std::vector<RuleEntry> rules_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, std::vector<std::string>> hashes_;
  std::map<std::string, unsigned> fingerprints_seen_;
  std::size_t left_out_ = 0;
};

}  // namespace

void emit_sarif(const Report& report, const EmitOptions& options, std::ostream& out) {
  out << Log(report, options).build().dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace oomlint
