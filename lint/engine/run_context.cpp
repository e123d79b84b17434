#include "lint/engine/run_context.h"

#include "lint/engine/plan_builder.h"
#include "lint/engine/rehearsal.h"
#include "lint/engine/remedies.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

constexpr int max_key_depth = 32;

/// Applies an edit as if the config had said so; what the framework derived from the old value is dropped.
void apply(TrainingPlan& plan, const PlanEdit& edit) {
  plan.set(edit.field, edit.value, {OriginKind::given, no_file, {}, {}, "edit"});
}

}  // namespace

RunContext::RunContext(const RunReport& report, const LoadedRun& loaded, const Settings& settings,
                       const Parts& parts, std::vector<Diagnostic>& out)
    : report_(report), loaded_(loaded), parts_(parts), out_(out) {
  settings_ = &settings;
}

void RunContext::enter(const Rule& rule, std::optional<Severity> chosen) {
  rule_ = &rule;
  chosen_ = chosen;
}

ReadContext RunContext::read_context(FileIndex file) const {
  const LoadedFile& from = loaded_.files[file];
  return {*from.dialect, *from.document, report_.plan.versions, file, from.root};
}

Evaluation RunContext::evaluate(std::span<const PlanEdit> edits) {
  TrainingPlan plan = report_.plan;
  for (const PlanEdit& edit : edits) apply(plan, edit);
  return oomlint::evaluate(plan, report_.model, report_.card ? &*report_.card : nullptr, settings_->headroom);
}

const Evaluation& RunContext::explained() {
  if (!explained_) {
    explained_ = oomlint::evaluate(report_.plan, report_.model, report_.card ? &*report_.card : nullptr,
                                   settings_->headroom, Explain::yes);
  }
  return *explained_;
}

const std::vector<Remedy>& RunContext::remedies() {
  if (!remedies_) {
    remedies_ = search_remedies(
        report_, [this](std::span<const PlanEdit> edits) { return evaluate(edits); },
        [this](std::span<const PlanEdit> edits) { return spell_unchecked(edits); },
        [this](Remedy& remedy) { return holds(remedy); });
  }
  return *remedies_;
}

Fix RunContext::to_fix(const Remedy& remedy) {
  Fix fix;
  fix.title = remedy.title;
  fix.cost = remedy.cost;
  fix.new_peak_bytes = remedy.after.need.likely.count();
  if (auto edits = spell_unchecked(remedy.edits)) {
    fix.edits = std::move(*edits);
    fix.applicability = Applicability::unsafe;
  } else {
    fix.applicability = Applicability::display;
  }
  return fix;
}

std::optional<std::vector<TextEdit>> RunContext::spell(std::span<const PlanEdit> edits) {
  auto spelled = spell_unchecked(edits);
  if (!spelled) return std::nullopt;
  const Rehearsal after = rehearse(loaded_, *spelled, *settings_, parts_);
  const bool says_so = after.readable && std::all_of(edits.begin(), edits.end(), [&](const PlanEdit& edit) {
                         return to_string(after.plan[edit.field].effective) == to_string(edit.value);
                       });
  if (!says_so || newly_refused(loaded_, report_.plan, after)) return std::nullopt;
  return spelled;
}

bool RunContext::has_words_for(std::span<const PlanEdit> edits) const {
  return std::all_of(edits.begin(), edits.end(), [&](const PlanEdit& edit) {
    // Another method may be another command or recipe of the framework.
    const bool method = edit.field == Field::method || edit.field == Field::quantisation ||
                        edit.field == Field::lora_rank || edit.field == Field::lora_targets;
    return method || std::any_of(loaded_.files.begin(), loaded_.files.end(), [&](const LoadedFile& file) {
             return std::any_of(file.dialect->keys.begin(), file.dialect->keys.end(),
                                [&](const KeySpec& key) { return key.field == edit.field; });
           });
  });
}

/// A remedy that can be written is judged by what the files then say; one that can't must at least be
/// possible.
bool RunContext::holds(Remedy& remedy) {
  const auto spelled = spell_unchecked(remedy.edits);
  if (!spelled) return has_words_for(remedy.edits);
  Rehearsal after = rehearse(loaded_, *spelled, *settings_, parts_);
  if (!after.readable || newly_refused(loaded_, report_.plan, after)) return false;
  const ResolvedModel model = resolve_model(after.plan, after.run, *settings_);
  Evaluation evaluation =
      oomlint::evaluate(after.plan, model, report_.card ? &*report_.card : nullptr, settings_->headroom);
  if (evaluation.verdict != Verdict::fits) return false;
  remedy.after = std::move(evaluation);
  return true;
}

std::optional<std::vector<TextEdit>> RunContext::spell_unchecked(std::span<const PlanEdit> edits) const {
  std::vector<TextEdit> all;
  for (const PlanEdit& edit : edits) {
    // The file that decides the field now, else the first that has a key for it.
    std::optional<std::vector<TextEdit>> spelled;
    const FileIndex decides = report_.plan[edit.field].effective_origin.file;
    if (decides < loaded_.files.size()) spelled = oomlint::spell(read_context(decides), edit);
    for (std::size_t i = 0; !spelled && i < loaded_.files.size(); ++i) {
      spelled = oomlint::spell(read_context(static_cast<FileIndex>(i)), edit);
    }
    if (!spelled) return std::nullopt;
    // Two edits may need the same key; it is written once.
    for (TextEdit& each : *spelled) {
      if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(std::move(each));
    }
  }
  return all;
}

void RunContext::collect_keys(FileIndex file, NodeId parent, const std::string& prefix, int depth) {
  const Document& document = *loaded_.files[file].document;
  std::size_t index = 0;
  for (NodeId id = document.at(parent).first_child; id != no_node; id = document.at(id).next, ++index) {
    const Node& node = document.at(id);
    std::string path = prefix;
    if (node.has_key) {
      if (!path.empty()) path += '.';
      path += node.key;
    } else {
      path += "[" + std::to_string(index) + "]";
    }
    const bool container = node.kind == NodeKind::mapping || node.kind == NodeKind::sequence;
    if (node.has_key) {
      bool duplicate = false;
      for (NodeId later = node.next; later != no_node && !duplicate; later = document.at(later).next) {
        duplicate = document.at(later).has_key && document.at(later).key == node.key && node.key != "<<";
      }
      keys_->push_back({file, path, node.text, id, container, duplicate});
    }
    if (container && depth < max_key_depth) collect_keys(file, id, path, depth + 1);
  }
}

const std::vector<KeyView>& RunContext::keys() {
  if (!keys_) {
    keys_.emplace();
    for (std::size_t i = 0; i < loaded_.files.size(); ++i) {
      const LoadedFile& file = loaded_.files[i];
      const bool inside_another = i > 0 && file.document == loaded_.files.front().document;
      if (file.root != no_node && !inside_another) collect_keys(static_cast<FileIndex>(i), file.root, {}, 0);
    }
  }
  return *keys_;
}

const std::vector<RunConstraint>& RunContext::constraints() {
  if (!constraints_) {
    constraints_.emplace();
    for (std::size_t i = 0; i < loaded_.files.size(); ++i) {
      const auto file = static_cast<FileIndex>(i);
      for (ConstraintFinding& finding : check_constraints(read_context(file), &report_.plan)) {
        constraints_->push_back({file, std::move(finding)});
      }
    }
  }
  return *constraints_;
}

Location RunContext::place(const Origin& origin) const {
  const FileIndex file = origin.file < loaded_.files.size() ? origin.file : FileIndex{0};
  return {loaded_.files[file].path, origin.span, origin.key};
}

std::optional<Location> RunContext::place(Field field) const {
  const Value& value = report_.plan[field];
  for (const Origin* origin : {&value.effective_origin, &value.requested_origin}) {
    if (origin->file < loaded_.files.size()) return place(*origin);
  }
  return std::nullopt;
}

Location RunContext::place(const KeyView& key, bool of_value) const {
  const LoadedFile& file = loaded_.files[key.file];
  return {file.path, of_value ? file.document->value_span(key.node) : file.document->key_span(key.node),
          key.path};
}

Location RunContext::costliest_place() const {
  if (report_.evaluation.estimated) {
    std::vector<const Term*> terms;
    for (const Term& term : report_.evaluation.likely.peak().terms) terms.push_back(&term);
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term* a, const Term* b) { return a->bytes > b->bytes; });
    for (const Term* term : terms) {
      for (const Field field : term->inputs) {
        if (field == Field::model) continue;
        if (auto at = place(field)) return *at;
      }
      if (auto at = place(Field::model);
          at && std::find(term->inputs.begin(), term->inputs.end(), Field::model) != term->inputs.end()) {
        return *at;
      }
    }
  }
  if (auto at = place(Field::model)) return *at;
  const LoadedFile& main = loaded_.files.front();
  const NodeId first = main.root == no_node ? no_node : main.document->at(main.root).first_child;
  if (first == no_node) return {main.path, {}, {}};
  return {main.path, main.document->key_span(first), std::string(main.document->at(first).key)};
}

ByteTable RunContext::byte_table() {
  ByteTable table;
  const Evaluation& full = explained();
  if (!full.estimated) return table;
  const auto add = [&](std::string name, Bytes bytes, std::string_view dtype, std::string formula,
                       const std::vector<Field>& inputs) {
    if (bytes.count() == 0) return;
    ByteRow row{std::move(name), bytes.count(), std::string(dtype), std::move(formula), {}};
    for (const Field field : inputs) {
      if (auto at = place(field)) row.inputs.push_back(std::move(*at));
    }
    table.rows.push_back(std::move(row));
  };
  table.phase = to_string(full.likely.peak().phase);
  for (const Term& term : full.likely.peak().terms) {
    add(to_string(term.kind), term.bytes, to_word(term.dtype), term.formula, term.inputs);
  }
  add("allocator", full.likely.required - full.likely.allocated, {},
      "rounding and holes of the caching allocator", {});
  add("context", full.likely.context, {}, "CUDA context and kernels, outside the allocator", {});
  table.total_bytes = (full.likely.required + full.likely.context).count();
  table.capacity_bytes = full.usable.count();
  if (report_.card) table.card = report_.card->name;
  return table;
}

void RunContext::report(Diagnostic diagnostic) {
  diagnostic.code = rule_->code;
  diagnostic.name = rule_->name;
  diagnostic.severity = chosen_.value_or(std::min(rule_->severity, diagnostic.severity));
  // A finding that rests on a guess is never an error.
  if (diagnostic.certainty == Certainty::low)
    diagnostic.severity = std::min(diagnostic.severity, Severity::warning);
  out_.push_back(std::move(diagnostic));
}

}  // namespace oomlint
