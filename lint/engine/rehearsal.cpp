#include "lint/engine/rehearsal.h"

#include "lint/engine/plan_builder.h"
#include "lint/text/edits.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oomlint {

namespace {

std::shared_ptr<const Document> edited(const Document& document, std::span<const TextEdit> edits,
                                       const Parts& parts) {
  const std::string& path = document.source().path();
  std::vector<TextEdit> own;
  std::copy_if(edits.begin(), edits.end(), std::back_inserter(own),
               [&](const TextEdit& edit) { return edit.path == path; });
  if (own.empty()) return nullptr;
  return read_document(std::make_shared<SourceFile>(path, apply_edits(document.source().bytes(), own)),
                       parts);
}

std::set<std::string_view> refusals(const LoadedRun& run, const TrainingPlan& plan) {
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < run.files.size(); ++i) {
    const LoadedFile& file = run.files[i];
    const ReadContext context{*file.dialect, *file.document, plan.versions, static_cast<FileIndex>(i),
                              file.root};
    for (const ConstraintFinding& finding : check_constraints(context, &plan)) {
      if (finding.constraint->effect == Effect::refused) ids.insert(finding.constraint->id);
    }
  }
  return ids;
}

}  // namespace

Rehearsal rehearse(const LoadedRun& run, std::span<const TextEdit> edits, const Settings& settings,
                   const Parts& parts) {
  Rehearsal after{run, {}, true};
  for (std::size_t i = 0; i < run.files.size(); ++i) {
    const LoadedFile& before = run.files[i];
    const auto document = edited(*before.document, edits, parts);
    if (document == nullptr) continue;
    LoadedFile& file = after.run.files[i];
    file.document = document;
    file.root = before.root == before.document->root()
                    ? document->root()
                    : document->find(before.document->path_of(before.root));
    after.readable = after.readable && !document->partial() && file.root != no_node;
  }
  if (after.readable) after.plan = build_plan(after.run, settings);
  return after;
}

bool newly_refused(const LoadedRun& before, const TrainingPlan& plan_before, const Rehearsal& after) {
  const auto old = refusals(before, plan_before);
  const auto now = refusals(after.run, after.plan);
  return std::any_of(now.begin(), now.end(), [&](std::string_view id) { return !old.contains(id); });
}

}  // namespace oomlint
