#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"

#include "known_keys.h"
#include <array>
#include <string>

/// DeepSpeed's JSON. Values that are "auto" are filled in by the Trainer or accelerate and so say nothing.
/// Source: DeepSpeed at edaa722, runtime/config.py, runtime/zero/config.py, runtime/zero/offload_config.py,
/// runtime/precision_config.py.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 4> stages{{{"3", "zero3"}, {"2", "zero2"}, {"1", "zero1"}, {"0", "ddp"}}};
constexpr std::array<WordPair, 3> devices{{{"cpu", "true"}, {"none", "false"}, {"nvme", "true"}}};
constexpr std::array<WordPair, 1> is_bf16{{{"true", "bf16"}}};
constexpr std::array<WordPair, 1> is_fp16{{{"true", "fp16"}}};
constexpr std::array<WordPair, 1> is_true{{{"true", "true"}}};
constexpr std::array<WordPair, 7> dtypes{{{"fp32", "fp32"},
                                          {"fp16", "fp16"},
                                          {"bf16", "bf16"},
                                          {"float32", "fp32"},
                                          {"float16", "fp16"},
                                          {"bfloat16", "bf16"},
                                          {"float", "fp32"}}};
constexpr std::array<DefaultValue, 1> bucket{{{"500000000"}}};

/// The optimizer DeepSpeed builds: its own kernels keep fp32 states, `torch_adam` asks for torch's.
std::optional<Scalar> read_optimizer(const ReadContext& context, NodeId node) {
  if (context.document.at(node).kind != NodeKind::scalar) return std::nullopt;
  std::string name(context.document.at(node).text);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool adam = name == "adam" || name == "adamw";
  if (adam && is_on(context, "optimizer.params.torch_adam")) return Scalar(std::string("adamw_torch"));
  return Scalar(adam ? "deepspeed_" + name : name);
}

std::optional<Scalar> read_tensor_parallel(const ReadContext& context, NodeId) {
  const auto size = context.count("tensor_parallel.autotp_size");
  return size && *size > 0 ? std::optional(Scalar(*size)) : std::nullopt;
}

constexpr std::array<KeySpec, 25> keys{{
    {.path = "zero_optimization.stage", .field = Field::sharding, .convert = Convert::words, .words = stages},
    {.path = "zero_optimization.offload_optimizer.device",
     .field = Field::offload_optimizer,
     .convert = Convert::words,
     .words = devices},
    {.path = "zero_optimization.cpu_offload",
     .field = Field::offload_optimizer,
     .convert = Convert::true_means,
     .words = is_true,
     .renamed_to = "zero_optimization.offload_optimizer.device"},
    {.path = "zero_optimization.offload_param.device",
     .field = Field::offload_parameters,
     .convert = Convert::words,
     .words = devices},
    {.path = "zero_optimization.cpu_offload_param",
     .field = Field::offload_parameters,
     .convert = Convert::true_means,
     .words = is_true,
     .renamed_to = "zero_optimization.offload_param.device"},
    {.path = "zero_optimization.reduce_bucket_size",
     .field = Field::reduce_bucket_elements,
     .defaults = bucket,
     .null_means = NullMeans::unknown},
    {.path = "zero_optimization.mics_shard_size", .field = Field::shard_group},
    {.path = "train_micro_batch_size_per_gpu", .field = Field::micro_batch},
    {.path = "gradient_accumulation_steps", .field = Field::accumulation},
    {.path = "train_batch_size", .field = Field::effective_batch},
    {.path = "bf16.enabled", .field = Field::compute_dtype, .convert = Convert::true_means, .words = is_bf16},
    {.path = "fp16.enabled", .field = Field::compute_dtype, .convert = Convert::true_means, .words = is_fp16},
    {.path = "bfloat16.enabled",
     .field = Field::compute_dtype,
     .convert = Convert::true_means,
     .words = is_bf16,
     .renamed_to = "bf16.enabled"},
    // The engine casts the module and keeps an fp32 copy of what it trains.
    {.path = "bf16.enabled",
     .field = Field::weight_dtype,
     .convert = Convert::true_means,
     .words = is_bf16,
     .spell = false},
    {.path = "fp16.enabled",
     .field = Field::weight_dtype,
     .convert = Convert::true_means,
     .words = is_fp16,
     .spell = false},
    {.path = "bf16.enabled",
     .field = Field::master_weights,
     .convert = Convert::true_means,
     .words = is_true,
     .spell = false},
    {.path = "fp16.enabled",
     .field = Field::master_weights,
     .convert = Convert::true_means,
     .words = is_true,
     .spell = false},
    {.path = "data_types.grad_accum_dtype",
     .field = Field::gradient_dtype,
     .convert = Convert::words,
     .words = dtypes},
    {.path = "torch_autocast.enabled", .field = Field::autocast},
    {.path = "optimizer.type",
     .field = Field::optimizer,
     .convert = Convert::custom,
     .read = read_optimizer,
     .spell = false},
    {.path = "optimizer.params.momentum", .field = Field::optimizer_momentum},
    {.path = "tensor_parallel.autotp_size",
     .field = Field::tensor_parallel,
     .convert = Convert::custom,
     .read = read_tensor_parallel,
     .spell = false},
    {.path = "sequence_parallel_size", .field = Field::context_parallel},
    {.path = "compile.enabled", .field = Field::compile, .spell = false},
    {.path = "compile.deepcompile", .field = Field::compile, .spell = false},
}};

std::int64_t stage(const ReadContext& context) {
  return context.count("zero_optimization.stage").value_or(0);
}

/// The product of micro batch and accumulation must divide the batch, whatever the number of devices.
std::optional<ConstraintHit> batch_not_divisible(const ReadContext& context) {
  const auto all = context.count("train_batch_size");
  const auto micro = context.count("train_micro_batch_size_per_gpu");
  const auto steps = context.count("gradient_accumulation_steps");
  if (!all || !micro || *all <= 0 || *micro <= 0) return std::nullopt;
  const std::int64_t per_device = *micro * std::max<std::int64_t>(steps.value_or(1), 1);
  if (*all % per_device == 0) return std::nullopt;
  ConstraintHit hit =
      blame(context, "train_batch_size", {"train_micro_batch_size_per_gpu", "gradient_accumulation_steps"});
  hit.message = "`train_batch_size` " + std::to_string(*all) +
                " is not a multiple of micro batch times accumulation, " + std::to_string(per_device);
  return hit;
}

std::optional<ConstraintHit> no_batch(const ReadContext& context) {
  if (context.has("train_batch_size") || context.has("train_micro_batch_size_per_gpu")) return std::nullopt;
  return context.has("optimizer.type") ? std::optional(blame(context, "optimizer")) : std::nullopt;
}

std::optional<ConstraintHit> fp16_and_bf16(const ReadContext& context) {
  if (!is_on(context, "fp16.enabled") || !is_on(context, "bf16.enabled")) return std::nullopt;
  return blame(context, "fp16.enabled", {"bf16.enabled"});
}

/// pydantic forbids what it does not know inside this block; at the top level nothing looks.
std::optional<ConstraintHit> unknown_zero_key(const ReadContext& context) {
  const NodeId block = context.document.resolve(context.find("zero_optimization"));
  if (block == no_node || context.document.at(block).kind != NodeKind::mapping) return std::nullopt;
  for (NodeId id = context.document.at(block).first_child; id != no_node; id = context.document.at(id).next) {
    const std::string name(context.document.at(id).key);
    if (is_known_key(context.dialect, "zero_optimization." + name)) continue;
    ConstraintHit hit;
    hit.at = id;
    const std::string near = nearest_known_key(context.dialect, "zero_optimization." + name);
    hit.message =
        "DeepSpeed refuses the unknown key `" + name + "` in zero_optimization" +
        (near.empty() ? std::string() : "; did you mean `" + near.substr(near.rfind('.') + 1) + "`?");
    return hit;
  }
  return std::nullopt;
}

std::optional<ConstraintHit> partial_offload_below_stage3(const ReadContext& context) {
  constexpr std::string_view ratio = "zero_optimization.offload_optimizer.ratio";
  if (context.number(ratio).value_or(1) >= 1 || stage(context) == 3) return std::nullopt;
  return blame(context, ratio, {"zero_optimization.stage"});
}

std::optional<ConstraintHit> parameter_offload_below_stage3(const ReadContext& context) {
  constexpr std::string_view device = "zero_optimization.offload_param.device";
  const std::string where = context.text(device).value_or("none");
  if (where == "none" || where == "auto" || !context.count("zero_optimization.stage") || stage(context) == 3)
    return std::nullopt;
  return blame(context, device, {"zero_optimization.stage"});
}

std::optional<ConstraintHit> bf16_states_alone(const ReadContext& context) {
  if (!is_on(context, "bf16.bf16_optimizer_states") || is_on(context, "bf16.bf16_master_weights_and_grads"))
    return std::nullopt;
  return blame(context, "bf16.bf16_optimizer_states", {"bf16.bf16_master_weights_and_grads"});
}

std::optional<ConstraintHit> one_bit_optimizer_with_zero(const ReadContext& context) {
  std::string name = context.text("optimizer.type").value_or("");
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name != "onebitadam" && name != "onebitlamb" && name != "zerooneadam") return std::nullopt;
  if (stage(context) < 1) return std::nullopt;
  return blame(context, "optimizer.type", {"zero_optimization.stage"});
}

constexpr std::string_view config_source = "deepspeed/runtime/config.py at edaa722";

constexpr std::array<Constraint, 8> constraints{{
    {.id = "deepspeed/batch-not-divisible",
     .effect = Effect::refused,
     .message = "`train_batch_size` must be micro batch times accumulation times devices",
     .remedy = "give two of the three and let DeepSpeed derive the third",
     .source = config_source,
     .when = batch_not_divisible},
    {.id = "deepspeed/no-batch",
     .effect = Effect::warned,
     .message = "without `train_batch_size` or `train_micro_batch_size_per_gpu` DeepSpeed stops unless the "
                "Trainer fills one in",
     .remedy = "set train_micro_batch_size_per_gpu",
     .source = config_source,
     .when = no_batch},
    {.id = "deepspeed/fp16-and-bf16",
     .effect = Effect::refused,
     .message = "fp16 and bf16 can't both be enabled",
     .remedy = "enable one of the two",
     .source = config_source,
     .when = fp16_and_bf16},
    {.id = "deepspeed/unknown-zero-key",
     .effect = Effect::refused,
     .message = "DeepSpeed refuses unknown keys in zero_optimization",
     .remedy = "correct or drop the key",
     .source = "deepspeed/runtime/config_utils.py at edaa722, extra=forbid",
     .when = unknown_zero_key,
     .package = "deepspeed",
     .since = {0, 18, 0}},
    {.id = "deepspeed/partial-offload-below-stage-3",
     .effect = Effect::refused,
     .message = "offloading a part of the optimizer needs ZeRO-3",
     .remedy = "set stage 3 or drop ratio",
     .source = "deepspeed/runtime/zero/config.py at edaa722",
     .when = partial_offload_below_stage3},
    {.id = "deepspeed/parameter-offload-below-stage-3",
     .effect = Effect::ignored,
     .message = "`offload_param` works with ZeRO-3 only",
     .remedy = "set stage 3",
     .source = "deepspeed/runtime/zero/config.py at edaa722, its documentation",
     .when = parameter_offload_below_stage3,
     .field = Field::offload_parameters,
     .effective = "false"},
    {.id = "deepspeed/bf16-states-alone",
     .effect = Effect::refused,
     .message = "`bf16_optimizer_states` needs `bf16_master_weights_and_grads`",
     .remedy = "set both or neither",
     .source = config_source,
     .when = bf16_states_alone},
    {.id = "deepspeed/one-bit-optimizer-with-zero",
     .effect = Effect::refused,
     .message = "1-bit optimizers don't work with ZeRO",
     .remedy = "set stage 0 or another optimizer",
     .source = "deepspeed/runtime/engine.py at edaa722",
     .when = one_bit_optimizer_with_zero},
}};

constexpr std::array<std::string_view, 5> any_of{"zero_optimization", "train_micro_batch_size_per_gpu",
                                                 "zero_allow_untested_optimizer", "train_batch_size",
                                                 "autotuning"};
constexpr std::array<std::string_view, 8> none_of{"distributed_type", "train_iters", "train-iters",
                                                  "num_layers",       "num-layers",  "model",
                                                  "model_family",     "hidden_size"};

/// `train_batch_size` is everybody's word; beside one of these it is DeepSpeed's.
bool is_own(const Document& document) {
  for (const std::string_view key :
       {"zero_optimization", "train_micro_batch_size_per_gpu", "zero_allow_untested_optimizer",
        "autotuning.enabled", "autotuning.metric"}) {
    if (document.find(key) != no_node) return true;
  }
  if (document.find("train_batch_size") == no_node) return false;
  for (const std::string_view key :
       {"steps_per_print", "fp16.enabled", "bf16.enabled", "optimizer.params", "wall_clock_breakdown"}) {
    if (document.find(key) != no_node) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 4> bytes{"zero_optimization", "train_micro_batch_size_per_gpu",
                                                "train_batch_size", "autotuning"};

}  // namespace

extern constinit const Dialect deepspeed{
    .name = "deepspeed",
    .title = "DeepSpeed",
    .package = "deepspeed",
    .stack = "hf_trainer",
    .recognise = {.any_of = any_of,
                  .any_count = 1,
                  .none_of = none_of,
                  .bytes = bytes,
                  .extra = is_own,
                  .extra_doc = "a batch size alone is no DeepSpeed config"},
    .scalars = ScalarSchema::hjson,
    .keys = keys,
    .known = deepspeed_known_keys,
    .unknown_keys = UnknownKeys::ignored,
    .constraints = constraints,
    .precedence = Precedence::companion,
    .reads_hjson = true,
    .companion_only = true,
};

}  // namespace oomlint
