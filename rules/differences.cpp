#include "rules/differences.h"

#include "rules/support.h"

#include <algorithm>
#include <utility>

namespace oomlint::rules {

namespace {

Location place_of_node(const Context& context, FileIndex file, NodeId node) {
  const Document& document = context.document_of(file);
  if (node == no_node) return context.costliest_place();
  const Node& at = document.at(node);
  const Span span = at.has_key ? document.key_span(node) : document.value_span(node);
  return {document.source().path(), span, document.path_of(node)};
}

bool seen(const std::vector<SettingDifference>& found, const Location& at) {
  return std::any_of(found.begin(), found.end(), [&](const SettingDifference& each) {
    return each.at.path == at.path && (each.at.span == at.span || (!at.key.empty() && each.at.key == at.key));
  });
}

/// A key that goes unread because it has a newer name is the business of renamed-key.
bool has_newer_name(const Context& context, FileIndex file, std::string_view key) {
  return !key.empty() && !renaming_of(context.dialect_of(file), key).to.empty();
}

void add_constraints(Context& context, Effect effect, std::vector<SettingDifference>& found) {
  for (const RunConstraint& hit : context.constraints()) {
    const Constraint& constraint = *hit.finding.constraint;
    if (constraint.effect != effect || context.partial(hit.file)) continue;
    SettingDifference difference;
    difference.at = place_of_node(context, hit.file, hit.finding.hit.at);
    if (effect == Effect::ignored && has_newer_name(context, hit.file, difference.at.key)) continue;
    for (const NodeId node : hit.finding.hit.related) {
      if (node != no_node)
        difference.related.push_back({place_of_node(context, hit.file, node), "because of this"});
    }
    difference.message =
        hit.finding.hit.message.empty() ? std::string(constraint.message) : hit.finding.hit.message;
    difference.help = constraint.remedy;
    difference.source = constraint.source;
    difference.sure = hit.finding.every_version;
    found.push_back(std::move(difference));
  }
}

void add_values(Context& context, std::initializer_list<Difference> kinds,
                std::vector<SettingDifference>& found) {
  for (const FieldInfo& row : all_fields()) {
    const Value& value = context.plan()[row.field];
    if (std::find(kinds.begin(), kinds.end(), value.difference) == kinds.end() || !value.given()) continue;
    const OriginKind decides = value.effective_origin.kind;
    if (decides == OriginKind::assumed || decides == OriginKind::policy)
      continue;  // the user's own last word
    const FileIndex asked = value.requested_origin.file;
    if (asked == no_file || context.partial(asked)) continue;
    SettingDifference difference;
    difference.at = context.place(value.requested_origin);
    const bool ignored = value.difference == Difference::ignored;
    if (seen(found, difference.at) || (ignored && has_newer_name(context, asked, difference.at.key)))
      continue;
    const std::string key = difference.at.key.empty() ? std::string(row.name) : difference.at.key;
    difference.message = quoted(key) + " is " + to_string(value.requested);
    if (value.effective == value.requested) {
      difference.message += " without effect";
    } else {
      difference.message += " but " +
                            (value.known() ? to_string(value.effective) : std::string("another value")) +
                            " is what counts";
    }
    if (!value.because.empty()) difference.message += ": " + value.because;
    if (value.effective_origin.file != no_file && !(context.place(value.effective_origin) == difference.at)) {
      difference.related.push_back({context.place(value.effective_origin), "this decides"});
    }
    found.push_back(std::move(difference));
  }
}

}  // namespace

std::vector<SettingDifference> differences(Context& context, Effect effect,
                                           std::initializer_list<Difference> kinds) {
  std::vector<SettingDifference> found;
  if (!is_whole(context)) return found;
  add_constraints(context, effect, found);
  add_values(context, kinds, found);
  return found;
}

void report_differences(Context& context, std::vector<SettingDifference> found, Severity severity) {
  for (SettingDifference& each : found) {
    Diagnostic finding;
    finding.severity = each.sure ? severity : std::min(severity, Severity::warning);
    finding.certainty = each.sure ? Certainty::certain : Certainty::medium;
    finding.message = std::move(each.message);
    finding.primary = std::move(each.at);
    finding.related = std::move(each.related);
    finding.help = std::move(each.help);
    if (!each.source.empty()) finding.notes.push_back("checked in " + each.source);
    if (!each.sure)
      finding.notes.push_back("some versions of the framework do not; nothing pins the version here");
    context.report(std::move(finding));
  }
}

}  // namespace oomlint::rules
