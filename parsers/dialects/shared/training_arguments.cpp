#include "parsers/dialects/shared/training_arguments.h"

#include "parsers/dialects/shared/conditions.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace oomlint::training_arguments {

namespace {

bool one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The options of `fsdp`, written as a list or as one text.
std::vector<std::string> fsdp_options(const ReadContext& context) {
  std::vector<std::string> options;
  for (const std::string& item : context.list("fsdp")) {
    std::size_t begin = 0;
    while (begin < item.size()) {
      const std::size_t end = std::min(item.find_first_of(" ,", begin), item.size());
      if (end > begin) options.push_back(item.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return options;
}

bool has_option(const std::vector<std::string>& options, std::string_view option) {
  return std::find(options.begin(), options.end(), option) != options.end();
}

std::string strategy(const ReadContext& context, std::string_view path, std::string_view otherwise) {
  const ScalarValue value = context.scalar(path);
  const auto* flag = std::get_if<bool>(&value);
  if (flag != nullptr) return *flag ? "true" : "no";
  return context.text(path).value_or(std::string(otherwise));
}

// OptimizerNames of all versions read.
constexpr std::array<std::string_view, 43> optimizers{"adamw_hf",
                                                      "adamw_torch",
                                                      "adamw_torch_fused",
                                                      "adamw_torch_xla",
                                                      "adamw_torch_npu_fused",
                                                      "adamw_apex_fused",
                                                      "adafactor",
                                                      "adamw_anyprecision",
                                                      "adamw_torch_4bit",
                                                      "adamw_torch_8bit",
                                                      "ademamix",
                                                      "sgd",
                                                      "adagrad",
                                                      "adamw_bnb_8bit",
                                                      "adamw_8bit",
                                                      "ademamix_8bit",
                                                      "lion_8bit",
                                                      "lion_32bit",
                                                      "paged_adamw_32bit",
                                                      "paged_adamw_8bit",
                                                      "paged_ademamix_32bit",
                                                      "paged_ademamix_8bit",
                                                      "paged_lion_32bit",
                                                      "paged_lion_8bit",
                                                      "rmsprop",
                                                      "rmsprop_bnb",
                                                      "rmsprop_bnb_8bit",
                                                      "rmsprop_bnb_32bit",
                                                      "galore_adamw",
                                                      "galore_adamw_8bit",
                                                      "galore_adafactor",
                                                      "galore_adamw_layerwise",
                                                      "galore_adamw_8bit_layerwise",
                                                      "galore_adafactor_layerwise",
                                                      "lomo",
                                                      "adalomo",
                                                      "grokadamw",
                                                      "schedule_free_radam",
                                                      "schedule_free_adamw",
                                                      "schedule_free_sgd",
                                                      "apollo_adamw",
                                                      "apollo_adamw_layerwise",
                                                      "stable_adamw"};

}  // namespace

std::string eval_strategy(const ReadContext& context) {
  return context.has("eval_strategy") ? strategy(context, "eval_strategy", "no")
                                      : strategy(context, "evaluation_strategy", "no");
}

std::optional<Scalar> read_four_bit(const ReadContext& context, NodeId node) {
  if (context.document.at(node).kind == NodeKind::null) return std::nullopt;
  const auto asked = context.flag("load_in_4bit");
  if (!asked) return Scalar();
  if (!*asked) return std::nullopt;
  const bool nested = is_on(context, "use_bnb_nested_quant") || is_on(context, "bnb_4bit_use_double_quant");
  const std::string kind = context.text("bnb_4bit_quant_type").value_or("nf4");
  if (kind != "nf4" && kind != "fp4") return Scalar();
  return Scalar(nested ? kind + "_double" : kind);
}

std::optional<Scalar> read_fsdp(const ReadContext& context, NodeId node) {
  const Node& at = context.document.at(node);
  if (at.kind == NodeKind::null) return std::nullopt;
  if (const auto flag = context.flag("fsdp")) {
    if (!*flag) return std::nullopt;
    const auto reshard = context.flag("fsdp_config.reshard_after_forward");
    return Scalar(std::string(reshard.value_or(true) ? "fsdp" : "fsdp_grad_op"));
  }
  const std::vector<std::string> options = fsdp_options(context);
  if (has_option(options, "full_shard")) return Scalar(std::string("fsdp"));
  if (has_option(options, "shard_grad_op")) return Scalar(std::string("fsdp_grad_op"));
  if (has_option(options, "hybrid_shard") || has_option(options, "hybrid_shard_zero2"))
    return Scalar(std::string("hsdp"));
  if (has_option(options, "no_shard")) return Scalar(std::string("ddp"));
  return options.empty() ? std::nullopt : std::optional(Scalar());
}

std::optional<std::string> write_fsdp(const Scalar& sharding) {
  const std::string word = to_string(sharding);
  if (word == "fsdp") return "full_shard auto_wrap";
  if (word == "fsdp_grad_op") return "shard_grad_op auto_wrap";
  if (word == "hsdp") return "hybrid_shard auto_wrap";
  return std::nullopt;
}

std::optional<Scalar> read_fsdp_offload(const ReadContext& context, NodeId) {
  return has_option(fsdp_options(context), "offload") ? std::optional(Scalar(true)) : std::nullopt;
}

std::optional<Scalar> read_eval_accumulation(const ReadContext& context, NodeId) {
  return context.count("eval_accumulation_steps").value_or(0) > 0 ? std::optional(Scalar(false))
                                                                  : std::nullopt;
}

std::optional<ConstraintHit> fp16_and_bf16(const ReadContext& context) {
  if (!is_on(context, "fp16") || !is_on(context, "bf16")) return std::nullopt;
  return blame(context, "fp16", {"bf16"});
}

std::optional<ConstraintHit> best_model_strategies_differ(const ReadContext& context) {
  if (!is_on(context, "load_best_model_at_end")) return std::nullopt;
  const std::string save = strategy(context, "save_strategy", "steps");
  if (save == "best" || save == eval_strategy(context)) return std::nullopt;
  return blame(context, "load_best_model_at_end", {"eval_strategy", "evaluation_strategy", "save_strategy"});
}

std::optional<ConstraintHit> save_between_evaluations(const ReadContext& context) {
  if (!is_on(context, "load_best_model_at_end") || eval_strategy(context) != "steps") return std::nullopt;
  if (strategy(context, "save_strategy", "steps") != "steps") return std::nullopt;
  const auto every = context.count("eval_steps");
  const std::int64_t save = context.has("save_steps") ? context.count("save_steps").value_or(0) : 500;
  if (!every || *every < 2 || save < 1 || save % *every == 0) return std::nullopt;
  return blame(context, context.has("save_steps") ? "save_steps" : "eval_steps",
               {"load_best_model_at_end", "eval_steps"});
}

std::optional<ConstraintHit> evaluation_without_steps(const ReadContext& context) {
  if (eval_strategy(context) != "steps" || context.number("eval_steps").value_or(0) > 0) return std::nullopt;
  if (context.number("logging_steps").value_or(1) > 0) return std::nullopt;
  return blame(context, "logging_steps", {"eval_strategy", "evaluation_strategy"});
}

std::optional<ConstraintHit> prefetch_without_workers(const ReadContext& context) {
  if (!context.has("dataloader_prefetch_factor")) return std::nullopt;
  if (context.has("dataloader_num_workers") && context.count("dataloader_num_workers").value_or(1) != 0)
    return std::nullopt;
  return blame(context, "dataloader_prefetch_factor", {"dataloader_num_workers"});
}

std::optional<ConstraintHit> low_rank_optimizer_without_targets(const ReadContext& context) {
  const std::string name = context.text("optim").value_or("");
  if (!name.starts_with("galore_") && !name.starts_with("apollo_")) return std::nullopt;
  if (context.has("optim_target_modules")) return std::nullopt;
  return blame(context, "optim");
}

std::optional<ConstraintHit> unknown_optimizer(const ReadContext& context) {
  const auto name = context.text("optim");
  if (!name || name->empty() || one_of(*name, optimizers)) return std::nullopt;
  ConstraintHit result = blame(context, "optim");
  result.message = "`" + *name + "` is not the name of an optimizer of the Trainer";
  return result;
}

std::optional<ConstraintHit> batch_search_with_zero3(const ReadContext& context) {
  if (!is_on(context, "auto_find_batch_size")) return std::nullopt;
  if (context.count("deepspeed.zero_optimization.stage") != 3) return std::nullopt;
  return blame(context, "auto_find_batch_size", {"deepspeed.zero_optimization.stage"});
}

std::optional<ConstraintHit> hybrid_shard_on_fsdp2(const ReadContext& context) {
  const std::vector<std::string> options = fsdp_options(context);
  if (!has_option(options, "hybrid_shard") && !has_option(options, "hybrid_shard_zero2")) return std::nullopt;
  const bool asked = context.has("fsdp_config.version") || context.has("fsdp_config.fsdp_version");
  const std::int64_t version =
      context.count("fsdp_config.version").value_or(context.count("fsdp_config.fsdp_version").value_or(2));
  if (asked ? version != 2 : context.stated("transformers") == nullptr) return std::nullopt;
  return blame(context, "fsdp", {"fsdp_config.version", "fsdp_config.fsdp_version"});
}

std::optional<ConstraintHit> checkpointing_beside_fsdp(const ReadContext& context) {
  const bool full_shard = is_on(context, "fsdp") || has_option(fsdp_options(context), "full_shard");
  if (!full_shard || !is_on(context, "gradient_checkpointing")) return std::nullopt;
  return blame(context, "gradient_checkpointing", {"fsdp"});
}

std::optional<ConstraintHit> four_and_eight_bit(const ReadContext& context) {
  if (!is_on(context, "load_in_4bit") || !is_on(context, "load_in_8bit")) return std::nullopt;
  return blame(context, "load_in_8bit", {"load_in_4bit"});
}

std::optional<ConstraintHit> quantised_storage_dtype(const ReadContext& context) {
  static constexpr std::array<std::string_view, 6> known{"float16", "float32", "int8",
                                                         "uint8",   "float64", "bfloat16"};
  const auto dtype = context.text("bnb_4bit_quant_storage");
  if (!dtype || one_of(*dtype, known)) return std::nullopt;
  return blame(context, "bnb_4bit_quant_storage");
}

}  // namespace oomlint::training_arguments
