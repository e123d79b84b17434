#include "lint/dialect/convert.h"
#include "lint/dialect/edit.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

/// A row of the edited field whose key stands in the document, and what it says.
struct Said {
  const KeySpec* key;
  NodeId node;
  std::optional<Scalar> value;
};

std::vector<Said> said_about(const ReadContext& context, Field field) {
  std::vector<Said> rows;
  for (const KeySpec& key : context.dialect.keys) {
    if (key.field != field) continue;
    const NodeId node = own_key(context, path_of(key));
    if (node != no_node) rows.push_back({&key, node, read_value(context, key, node)});
  }
  return rows;
}

/// The field's value as the document alone makes it, derived and settled values included.
Scalar value_now(const ReadContext& context, Field field) {
  TrainingPlan plan;
  stack(plan, read(context));
  return plan[field].effective;
}

bool append(std::optional<TextEdit> edit, std::vector<TextEdit>& edits) {
  if (!edit) return false;
  edits.push_back(std::move(*edit));
  return true;
}

/// Makes a row stop contradicting the edit: a flag is turned off, anything else goes.
bool silence(const ReadContext& context, const Said& row, const Scalar& target,
             std::vector<TextEdit>& edits) {
  if (!row.value || *row.value == target) return true;
  const bool flag = row.key->convert == Convert::true_means && row.key->words.size() == 1;
  return append(flag ? replace_value(context, row.node, Scalar(false)) : remove_key(context, row.node),
                edits);
}

const KeySpec* insertable(const ReadContext& context, const PlanEdit& edit) {
  const VersionRange* range = context.stated(context.dialect.package);
  for (const KeySpec& key : context.dialect.keys) {
    if (key.field != edit.field || !key.spell || !key.renamed_to.empty()) continue;
    const auto since = parse_version(key.since);
    const auto until = parse_version(key.until);
    if (range != nullptr && ((since && range->low < *since) || (until && range->high >= *until))) continue;
    if (range == nullptr && until) continue;
    if (write_value(key, edit.value)) return &key;
  }
  return nullptr;
}

std::string_view parent_of(std::string_view path) {
  return path.substr(0, std::min(path.rfind('.'), path.size()));
}

/// Writes the key that is wanted over another of the same field, where taking that one out and putting this
/// one in would meet at the same comma.
bool respell(const ReadContext& context, const Said& old, const KeySpec& fresh, const Scalar& value,
             std::vector<TextEdit>& edits) {
  const Document& document = context.document;
  if (document.syntax() != Syntax::json || parent_of(path_of(*old.key)) != parent_of(path_of(fresh)))
    return false;
  const std::string_view path = path_of(fresh);
  const std::string name(path.substr(path.rfind('.') + 1));
  edits.push_back({document.source().path(), document.key_span(old.node), '"' + name + '"'});
  return append(replace_value(context, old.node, value), edits);
}

}  // namespace

std::optional<std::vector<TextEdit>> spell(const ReadContext& context, const PlanEdit& edit) {
  std::vector<TextEdit> edits;
  if (value_now(context, edit.field) == edit.value) return edits;
  if (context.dialect.spell != nullptr && context.dialect.spell(context, edit, edits)) return edits;
  edits.clear();

  const std::vector<Said> rows = said_about(context, edit.field);
  if (!is_known(edit.value)) {
    std::vector<NodeId> going;
    going.reserve(rows.size());
    for (const Said& row : rows) going.push_back(row.node);
    for (const NodeId node : going) {
      if (!append(remove_key(context, node, going), edits)) return std::nullopt;
    }
    return edits;
  }
  const auto writer = std::find_if(rows.begin(), rows.end(), [&](const Said& row) {
    return row.key->spell && write_value(*row.key, edit.value).has_value();
  });
  const KeySpec* fresh = writer == rows.end() ? insertable(context, edit) : nullptr;
  if (writer == rows.end() && fresh == nullptr) return std::nullopt;
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    if (fresh != nullptr && respell(context, *row, *fresh, *write_value(*fresh, edit.value), edits)) {
      fresh = nullptr;
      continue;
    }
    const bool done =
        row == writer ? append(replace_value(context, row->node, *write_value(*row->key, edit.value)), edits)
                      : silence(context, *row, edit.value, edits);
    if (!done) return std::nullopt;
  }
  if (fresh != nullptr &&
      !append(insert_key(context, path_of(*fresh), *write_value(*fresh, edit.value)), edits)) {
    return std::nullopt;
  }
  return edits;
}

}  // namespace oomlint
