#include "parsers/dialects/axolotl_parts/schedule_checks.h"

#include "parsers/dialects/axolotl_parts/axolotl_parts.h"
#include "parsers/dialects/shared/conditions.h"

#include <string>

namespace oomlint::axolotl_parts {

namespace {

/// The word under a key that is switched on; a bare `no` is YAML 1.1's false and switches nothing on.
std::string chosen(C c, std::string_view path) {
  return is_truthy(c, path) ? c.text(path).value_or("") : std::string();
}

}  // namespace

Hit evaluation_rhythm(C c) {
  const std::string strategy = chosen(c, "eval_strategy");
  if (strategy.empty() || strategy == "steps") return std::nullopt;
  for (const std::string_view path : {"eval_steps", "evals_per_epoch"}) {
    if (is_truthy(c, path)) return blame(c, "eval_strategy", {path});
  }
  return std::nullopt;
}

Hit evaluation_without_data(C c) {
  const std::string strategy = chosen(c, "eval_strategy");
  if (c.number("val_set_size") != 0.0 || is_truthy(c, "test_datasets") || strategy == "no")
    return std::nullopt;
  if (is_truthy(c, "eval_steps")) return blame(c, "eval_steps", {"val_set_size"});
  return strategy.empty() ? std::nullopt : Hit(blame(c, "eval_strategy", {"val_set_size"}));
}

Hit validation_beside_tests(C c) {
  if (!is_truthy(c, "val_set_size") || !is_truthy(c, "test_datasets")) return std::nullopt;
  return blame(c, "val_set_size", {"test_datasets"});
}

Hit generation_table(C c) {
  if (!is_truthy(c, "sample_packing") || !is_truthy(c, "eval_table_size") || c.document.partial() ||
      c.flag("eval_sample_packing") == false) {
    return std::nullopt;
  }
  return blame(c, "eval_table_size", {"sample_packing", "eval_sample_packing"});
}

Hit early_stopping(C c) {
  if (!is_truthy(c, "early_stopping_patience") || c.document.partial()) return std::nullopt;
  const auto saves = c.count("save_steps");
  const auto evaluates = c.count("eval_steps");
  // Fractions of the run are allowed, too, and not whole numbers.
  if (is_truthy(c, "save_steps") && is_truthy(c, "eval_steps") &&
      (!saves || !evaluates || *saves % *evaluates == 0)) {
    return std::nullopt;
  }
  return blame(c, "early_stopping_patience", {"save_steps", "eval_steps"});
}

Hit simpo_warmup(C c) {
  if (c.text("rl") != "simpo" || !is_truthy(c, "warmup_ratio")) return std::nullopt;
  return blame(c, "warmup_ratio", {"rl"});
}

Hit packed_streams(C c) {
  if (!is_truthy(c, "streaming") || !is_truthy(c, "sample_packing")) return std::nullopt;
  const NodeId sets = c.document.resolve(c.find("datasets"));
  if (sets == no_node || c.document.at(sets).kind != NodeKind::sequence) return std::nullopt;
  const NodeId first = c.document.at(sets).first_child;
  if (first == no_node || c.document.at(first).next == no_node) return std::nullopt;
  return blame(c, "sample_packing", {"streaming", "datasets"});
}

}  // namespace oomlint::axolotl_parts
