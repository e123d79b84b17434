#include "lint/dialect/dialect.h"

#include <algorithm>
#include <array>

// torchtune: OmegaConf recipes whose `_component_` values name builders. Sources: torchtune 0.6.1 (bd2a0fc),
// recipes/*.py, recipes/configs/**, torchtune/training/*.py.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 3> dtypes{{{"bf16", "bf16"}, {"fp32", "fp32"}, {"fp16", "fp16"}}};
constexpr std::array<DefaultValue, 1> one{{{"1"}}};
constexpr std::array<DefaultValue, 1> no{{{"false"}}};
constexpr std::array<DefaultValue, 1> sdpa{{{"sdpa"}}};
constexpr std::array<DefaultValue, 1> fp32{{{"fp32"}}};

bool on(const ReadContext& context, std::string_view key) {
  return context.flag(key).value_or(false);
}
std::string builder(const ReadContext& context) {
  return context.text("model._component_").value_or("");
}
/// The builder's own name: what follows the last dot.
std::string builder_name(const ReadContext& context) {
  const std::string path = builder(context);
  return path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
}

std::optional<Scalar> read_optimizer(const ReadContext& context, NodeId /*node*/) {
  std::string name = context.text("optimizer._component_").value_or("");
  if (name.empty()) return std::nullopt;
  if (name == "torch.optim.AdamW" || name == "torch.optim.Adam") {
    return Scalar(std::string(on(context, "optimizer.fused") ? "adamw_torch_fused" : "adamw_torch"));
  }
  return Scalar(std::move(name));
}

/// Full checkpointing is the plain switch; with `ac_mode` beside it neither branch of the recipe runs.
std::optional<Scalar> read_checkpointing(const ReadContext& context, NodeId /*node*/) {
  const bool plain = on(context, "enable_activation_checkpointing");
  const std::string mode = context.text("ac_mode").value_or("");
  if (plain) return Scalar(std::string(mode.empty() ? "full" : "none"));
  return Scalar(std::string(mode == "full" ? "full" : mode == "selective" ? "selective" : "none"));
}
std::optional<std::string> write_checkpointing(const Scalar& value) {
  const std::string word = to_string(value);
  if (word == "full") return "True";
  return word == "none" ? std::optional<std::string>("False") : std::nullopt;
}

std::optional<Scalar> read_loss(const ReadContext& context, NodeId /*node*/) {
  const std::string loss = context.text("loss._component_").value_or("");
  if (loss.empty()) return std::nullopt;
  const bool chunked =
      loss.find("Chunked") != std::string::npos || loss.find("LinearCrossEntropy") != std::string::npos;
  return Scalar(std::string(chunked ? "chunked" : "plain"));
}

/// `compile` is a flag or a mapping of flags by part.
std::optional<Scalar> read_compile(const ReadContext& context, NodeId node) {
  if (node != no_node && context.document.at(node).kind == NodeKind::mapping)
    return Scalar(on(context, "compile.model"));
  const auto flag = context.flag("compile");
  return flag ? std::optional(Scalar(*flag)) : std::nullopt;
}

constexpr std::array<KeySpec, 23> keys{{
    {.path = "model._component_", .field = Field::model, .spell = false},
    {.path = "dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = dtypes,
     .defaults = fp32},
    {.path = "batch_size", .field = Field::micro_batch},
    {.path = "batch_size_val", .field = Field::evaluation_batch},
    {.path = "gradient_accumulation_steps", .field = Field::accumulation, .defaults = one},
    {.path = "tokenizer.max_seq_len", .field = Field::sequence_length},
    {.path = "dataset.max_seq_len", .field = Field::sequence_length, .spell = false},
    {.path = "dataset.packed", .field = Field::packing, .defaults = no},
    {.path = "optimizer._component_",
     .field = Field::optimizer,
     .convert = Convert::custom,
     .read = read_optimizer,
     .spell = false},
    {.path = "enable_activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::custom,
     .read = read_checkpointing,
     .write = write_checkpointing},
    {.path = "enable_activation_offloading", .field = Field::activation_offload, .defaults = no},
    {.path = "loss._component_",
     .field = Field::loss,
     .convert = Convert::custom,
     .read = read_loss,
     .spell = false},
    {.path = "compile",
     .field = Field::compile,
     .convert = Convert::custom,
     .defaults = no,
     .read = read_compile,
     .spell = false},
    {.path = "model.lora_rank", .field = Field::lora_rank},
    {.path = "model.lora_alpha", .field = Field::lora_alpha},
    {.path = "model.lora_dropout", .field = Field::lora_dropout},
    {.path = "fsdp_cpu_offload", .field = Field::offload_parameters, .defaults = no},
    {.path = "tensor_parallel_dim", .field = Field::tensor_parallel},
    {.path = "context_parallel_dim", .field = Field::context_parallel},
    {.path = "data_parallel_shard_dim", .field = Field::shard_group},
    {.path = "epochs", .field = Field::epochs},
    {.path = "save_every_n_steps", .field = Field::save_steps},
    {.path = "attn_implementation", .field = Field::attention, .defaults = sdpa, .spell = false},
}};

constexpr std::array<std::string_view, 1> all_of{"model._component_"};
constexpr std::array<std::string_view, 8> any_of{"tokenizer._component_",
                                                 "checkpointer._component_",
                                                 "optimizer._component_",
                                                 "metric_logger._component_",
                                                 "loss._component_",
                                                 "dataset._component_",
                                                 "enable_activation_checkpointing",
                                                 "batch_size"};
constexpr std::array<std::string_view, 1> bytes{"_component_"};

void derive(const ReadContext& context, Layer& layer, Field field, Scalar value, std::string_view key,
            std::string note) {
  const NodeId node = context.find(key);
  Origin origin{OriginKind::derived, context.file, {}, std::string(key), note};
  if (node != no_node) origin = context.origin_of(node, OriginKind::derived, std::move(note));
  layer.assignments.push_back({field, std::move(value), std::move(origin)});
}

void adapter(const ReadContext& context, Layer& layer) {
  const std::string name = builder_name(context);
  const bool quantised = name.starts_with("qlora_") || on(context, "model.quantize_base");
  const bool lora = quantised || name.starts_with("lora_");
  const std::string method = !lora                           ? "full"
                             : quantised                     ? "qlora"
                             : on(context, "model.use_dora") ? "dora"
                                                             : "lora";
  derive(context, layer, Field::method, method, "model._component_", "the model's builder");
  if (!lora) return;
  if (quantised)
    derive(context, layer, Field::quantisation, std::string("nf4_double"), "model._component_",
           "torchao NF4");
  if (!context.has("model.lora_rank"))
    derive(context, layer, Field::lora_rank, std::int64_t{8}, "model._component_", "builder default");
  std::vector<std::string> targets = context.list("model.lora_attn_modules");
  std::replace(targets.begin(), targets.end(), std::string("output_proj"), std::string("o_proj"));
  if (on(context, "model.apply_lora_to_mlp"))
    targets.insert(targets.end(), {"gate_proj", "up_proj", "down_proj"});
  if (on(context, "model.apply_lora_to_output")) targets.emplace_back("lm_head");
  if (!targets.empty()) {
    derive(context, layer, Field::lora_targets, std::move(targets), "model.lora_attn_modules",
           "the model's LoRA switches");
  }
}

/// The longest example of the Alpaca data sets with the tokenizer of Llama 2, as litgpt's tables print it.
void longest_example(const ReadContext& context, Layer& layer) {
  const std::string data = context.text("dataset._component_").value_or("");
  const std::string name = data.substr(data.rfind('.') == std::string::npos ? 0 : data.rfind('.') + 1);
  if (name != "alpaca_dataset" && name != "alpaca_cleaned_dataset") return;
  if (on(context, "dataset.packed") || context.has("dataset.source")) return;
  derive(context, layer, Field::longest_example, std::int64_t{1304}, "dataset._component_",
         "longest example of Alpaca");
}

/// `dtype: bf16` is pure: parameters, adapters, gradients and states alike.
void finish(const ReadContext& context, Layer& layer) {
  adapter(context, layer);
  longest_example(context, layer);
  const std::string dtype = context.text("dtype").value_or("fp32");
  derive(context, layer, Field::compute_dtype, dtype, "dtype", "pure " + dtype);
  derive(context, layer, Field::adapter_dtype, dtype, "dtype", "pure " + dtype);
  derive(context, layer, Field::autocast, false, "dtype", "torchtune never autocasts");
  const bool distributed = context.has("fsdp_cpu_offload") || context.has("custom_sharded_layers") ||
                           context.has("tensor_parallel_dim") || context.has("fsdp_reshard_after_forward");
  if (distributed)
    derive(context, layer, Field::sharding, std::string("fsdp"), "fsdp_cpu_offload",
           "the distributed recipes shard with FSDP 2");
  if (on(context, "optimizer_in_bwd")) {
    derive(context, layer, Field::optimizer_in_backward, true, "optimizer_in_bwd",
           "gradients are freed one by one");
  }
}

/// Evaluation, generation and quantisation recipes name a model and train nothing.
bool is_fragment(const Document& document) {
  return document.find("batch_size") == no_node || document.find("optimizer") == no_node;
}

std::optional<ConstraintHit> at(const ReadContext& context, std::string_view key,
                                std::string_view other = {}) {
  ConstraintHit hit;
  hit.at = context.find(key);
  if (const NodeId node = context.find(other); !other.empty() && node != no_node) hit.related.push_back(node);
  return hit;
}
std::optional<ConstraintHit> backward_step_accumulates(const ReadContext& c) {
  if (!on(c, "optimizer_in_bwd") || c.count("gradient_accumulation_steps").value_or(1) <= 1)
    return std::nullopt;
  return at(c, "optimizer_in_bwd", "gradient_accumulation_steps");
}
std::optional<ConstraintHit> backward_step_clips(const ReadContext& c) {
  if (!on(c, "optimizer_in_bwd") || !c.has("clip_grad_norm")) return std::nullopt;
  return at(c, "clip_grad_norm", "optimizer_in_bwd");
}
std::optional<ConstraintHit> offload_alone(const ReadContext& c) {
  if (!on(c, "enable_activation_offloading") || on(c, "enable_activation_checkpointing")) return std::nullopt;
  return at(c, "enable_activation_offloading");
}
std::optional<ConstraintHit> checkpointing_cancelled(const ReadContext& c) {
  if (!on(c, "enable_activation_checkpointing") || !c.has("ac_mode")) return std::nullopt;
  return at(c, "enable_activation_checkpointing", "ac_mode");
}
std::optional<ConstraintHit> half_precision(const ReadContext& c) {
  return c.text("dtype") == "fp16" ? at(c, "dtype") : std::nullopt;
}
std::optional<ConstraintHit> packed_without_length(const ReadContext& c) {
  if (!on(c, "dataset.packed") || c.has("tokenizer.max_seq_len")) return std::nullopt;
  return at(c, "dataset.packed", "tokenizer.max_seq_len");
}
std::optional<ConstraintHit> tensor_parallel_without_plan(const ReadContext& c) {
  if (c.count("tensor_parallel_dim").value_or(1) <= 1 || c.has("tensor_parallel_plan")) return std::nullopt;
  return at(c, "tensor_parallel_dim");
}
std::optional<ConstraintHit> fp8_with_context_parallel(const ReadContext& c) {
  if (!on(c, "enable_fp8_training") || c.count("context_parallel_dim").value_or(1) <= 1) return std::nullopt;
  return at(c, "enable_fp8_training", "context_parallel_dim");
}

constexpr std::array<Constraint, 8> constraints{{
    {.id = "torchtune/backward-step-accumulates",
     .effect = Effect::refused,
     .message = "`optimizer_in_bwd` does not go with gradient accumulation",
     .remedy = "set gradient_accumulation_steps: 1",
     .source = "torchtune 0.6 recipes/full_finetune_*.py",
     .when = backward_step_accumulates},
    {.id = "torchtune/backward-step-clips",
     .effect = Effect::refused,
     .message = "`optimizer_in_bwd` does not go with gradient clipping",
     .remedy = "drop clip_grad_norm",
     .source = "torchtune 0.6 recipes/full_finetune_*.py",
     .when = backward_step_clips},
    {.id = "torchtune/offload-without-checkpointing",
     .effect = Effect::refused,
     .message = "`enable_activation_offloading` needs `enable_activation_checkpointing`",
     .remedy = "set enable_activation_checkpointing: True",
     .source = "torchtune 0.6 recipes/*_finetune_*.py",
     .when = offload_alone},
    {.id = "torchtune/checkpointing-cancelled",
     .effect = Effect::ignored,
     .message =
         "with `ac_mode` beside it `enable_activation_checkpointing` does nothing: no layer is checkpointed",
     .remedy = "keep one of the two",
     .source = "torchtune 0.6 recipes/full_finetune_distributed.py _setup_model",
     .when = checkpointing_cancelled},
    {.id = "torchtune/fp16",
     .effect = Effect::refused,
     .message = "torchtune does not train in fp16",
     .remedy = "set dtype: bf16",
     .source = "torchtune 0.6 recipes/*.py",
     .when = half_precision},
    {.id = "torchtune/packed-without-length",
     .effect = Effect::refused,
     .message = "packing needs `tokenizer.max_seq_len`",
     .remedy = "set tokenizer.max_seq_len",
     .source = "torchtune 0.6 torchtune/datasets/_alpaca.py",
     .when = packed_without_length},
    {.id = "torchtune/tensor-parallel-without-plan",
     .effect = Effect::refused,
     .message = "`tensor_parallel_dim` needs `tensor_parallel_plan`",
     .remedy = "name a plan",
     .source = "torchtune 0.6 recipes/full_finetune_distributed.py",
     .when = tensor_parallel_without_plan},
    {.id = "torchtune/fp8-with-context-parallel",
     .effect = Effect::refused,
     .message = "fp8 training does not go with context parallelism",
     .remedy = "drop one of the two",
     .source = "torchtune 0.6 recipes/full_finetune_distributed.py",
     .when = fp8_with_context_parallel},
}};

constexpr std::array<std::string_view, 1> programs{"tune run"};

}  // namespace

extern constinit const Dialect torchtune{
    .name = "torchtune",
    .title = "torchtune",
    .package = "torchtune",
    .stack = "torchtune",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 2, .programs = programs, .bytes = bytes},
    .scalars = ScalarSchema::yaml12_core,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .constraints = constraints,
    .finish = finish,
    .is_fragment = is_fragment,
    .divided_elsewhere = true,
};

}  // namespace oomlint
