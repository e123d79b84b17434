#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"

#include "known_keys.h"
#include <algorithm>
#include <array>
#include <string>

/// The YAML that `accelerate config` writes and `accelerate launch` reads. Source: accelerate at 16cb6eb,
/// commands/config/config_args.py, commands/launch.py, utils/dataclasses.py, parallelism_config.py.
namespace oomlint {

namespace {

/// `distributed_type`; PyYAML reads an unquoted NO as false.
std::string kind(const ReadContext& context) {
  const ScalarValue value = context.scalar("distributed_type");
  if (std::holds_alternative<bool>(value)) return "NO";
  return context.text("distributed_type").value_or("NO");
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string fsdp_sharding(const ReadContext& context) {
  for (const std::string_view path :
       {"fsdp_config.fsdp_reshard_after_forward", "fsdp_config.fsdp_sharding_strategy"}) {
    if (const auto reshard = context.flag(path); reshard && !context.count(path))
      return *reshard ? "fsdp" : "fsdp_grad_op";
    const std::string word = upper(context.text(path).value_or(""));
    if (word == "FULL_SHARD" || word == "1") return "fsdp";
    if (word == "SHARD_GRAD_OP" || word == "2") return "fsdp_grad_op";
    if (word == "NO_SHARD" || word == "3") return "ddp";
    if (word == "HYBRID_SHARD" || word == "HYBRID_SHARD_ZERO2" || word == "4" || word == "5") return "hsdp";
  }
  return "fsdp";
}

/// What is divided: the kind of launch, refined by the block that belongs to it; other blocks are not read.
std::optional<Scalar> read_sharding(const ReadContext& context, NodeId) {
  const std::string type = kind(context);
  if (type == "NO") return Scalar(std::string("none"));
  if (type == "FSDP") return Scalar(fsdp_sharding(context));
  if (type == "MEGATRON_LM") return Scalar(std::string("megatron"));
  if (type == "DEEPSPEED") {
    const auto stage = context.count("deepspeed_config.zero_stage");
    if (!stage) return std::nullopt;
    if (*stage == 0) return Scalar(std::string("ddp"));
    return *stage <= 3 ? Scalar("zero" + std::to_string(*stage)) : Scalar();
  }
  return type.starts_with("MULTI_") ? std::optional(Scalar(std::string("ddp"))) : std::nullopt;
}

std::optional<std::string> write_sharding(const Scalar& sharding) {
  const std::string word = to_string(sharding);
  if (word == "ddp") return "MULTI_GPU";
  return word == "none" ? std::optional<std::string>("NO") : std::nullopt;
}

std::optional<Scalar> read_fsdp_flag(const ReadContext& context, NodeId node) {
  if (kind(context) != "FSDP") return std::nullopt;
  const auto on = context.flag(context.document.path_of(node));
  return on && *on ? std::optional(Scalar(true)) : std::nullopt;
}

std::optional<Scalar> read_fsdp_checkpointing(const ReadContext& context, NodeId node) {
  return read_fsdp_flag(context, node) ? std::optional(Scalar(std::string("full"))) : std::nullopt;
}

std::optional<Scalar> read_deepspeed_device(const ReadContext& context, NodeId node) {
  if (kind(context) != "DEEPSPEED") return std::nullopt;
  const std::string_view device = context.document.at(node).text;
  if (device == "cpu" || device == "nvme") return Scalar(true);
  return device == "none" ? std::optional(Scalar(false)) : std::nullopt;
}

std::optional<Scalar> read_deepspeed_steps(const ReadContext& context, NodeId) {
  const auto steps = context.count("deepspeed_config.gradient_accumulation_steps");
  return kind(context) == "DEEPSPEED" && steps && *steps > 0 ? std::optional(Scalar(*steps)) : std::nullopt;
}

constexpr std::array<WordPair, 5> precision{
    {{"bf16", "bf16"}, {"fp16", "fp16"}, {"fp8", "fp8"}, {"no", ""}, {"false", ""}}};

constexpr std::array<KeySpec, 17> keys{{
    {.path = "num_processes", .field = Field::world},
    {.path = "num_machines", .field = Field::nodes},
    {.path = "mixed_precision", .field = Field::compute_dtype, .convert = Convert::words, .words = precision},
    {.path = "distributed_type",
     .field = Field::sharding,
     .convert = Convert::custom,
     .read = read_sharding,
     .write = write_sharding},
    {.path = "fsdp_config.fsdp_offload_params",
     .field = Field::offload_parameters,
     .convert = Convert::custom,
     .read = read_fsdp_flag,
     .spell = false},
    {.path = "fsdp_config.fsdp_offload_params",
     .field = Field::offload_optimizer,
     .convert = Convert::custom,
     .read = read_fsdp_flag,
     .spell = false},
    {.path = "fsdp_config.fsdp_activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::custom,
     .read = read_fsdp_checkpointing,
     .spell = false},
    {.path = "deepspeed_config.offload_optimizer_device",
     .field = Field::offload_optimizer,
     .convert = Convert::custom,
     .read = read_deepspeed_device,
     .spell = false},
    {.path = "deepspeed_config.offload_param_device",
     .field = Field::offload_parameters,
     .convert = Convert::custom,
     .read = read_deepspeed_device,
     .spell = false},
    {.path = "deepspeed_config.gradient_accumulation_steps",
     .field = Field::accumulation,
     .convert = Convert::custom,
     .read = read_deepspeed_steps,
     .spell = false},
    {.path = "parallelism_config.parallelism_config_dp_shard_size", .field = Field::shard_group},
    {.path = "parallelism_config.parallelism_config_tp_size", .field = Field::tensor_parallel},
    {.path = "parallelism_config.parallelism_config_cp_size", .field = Field::context_parallel},
    {.path = "parallelism_config.parallelism_config_sp_size", .field = Field::context_parallel},
    {.path = "megatron_lm_config.megatron_lm_tp_degree", .field = Field::tensor_parallel, .spell = false},
    {.path = "megatron_lm_config.megatron_lm_pp_degree", .field = Field::pipeline_parallel},
    {.path = "megatron_lm_config.megatron_lm_sequence_parallelism", .field = Field::sequence_parallel},
}};

std::int64_t degree(const ReadContext& context, std::string_view path) {
  return context.count(path).value_or(1);
}

std::optional<ConstraintHit> no_processes(const ReadContext& context) {
  if (context.has("num_processes") || !kind(context).starts_with("MULTI_")) return std::nullopt;
  return blame(context, "distributed_type");
}

/// What a DeepSpeed file decides may not be said beside it.
std::optional<ConstraintHit> keys_beside_deepspeed_file(const ReadContext& context) {
  if (!context.has("deepspeed_config.deepspeed_config_file")) return std::nullopt;
  for (const std::string_view path :
       {"deepspeed_config.zero_stage", "deepspeed_config.gradient_accumulation_steps",
        "deepspeed_config.gradient_clipping", "deepspeed_config.offload_optimizer_device",
        "deepspeed_config.offload_param_device", "deepspeed_config.zero3_save_16bit_model",
        "mixed_precision"}) {
    if (context.has(path)) return blame(context, path, {"deepspeed_config.deepspeed_config_file"});
  }
  return std::nullopt;
}

std::optional<ConstraintHit> fsdp1_option_on_fsdp2(const ReadContext& context) {
  if (kind(context) != "FSDP" || context.count("fsdp_config.fsdp_version") != 2) return std::nullopt;
  constexpr std::string_view reshard = "fsdp_config.fsdp_reshard_after_forward";
  constexpr std::string_view state = "fsdp_config.fsdp_state_dict_type";
  constexpr std::string_view prefetch = "fsdp_config.fsdp_forward_prefetch";
  if (context.has(reshard) && !context.flag(reshard))
    return blame(context, reshard, {"fsdp_config.fsdp_version"});
  if (context.text(state) == "LOCAL_STATE_DICT") return blame(context, state, {"fsdp_config.fsdp_version"});
  if (is_on(context, prefetch)) return blame(context, prefetch, {"fsdp_config.fsdp_version"});
  return std::nullopt;
}

constexpr std::string_view cp = "parallelism_config.parallelism_config_cp_size";
constexpr std::string_view sp = "parallelism_config.parallelism_config_sp_size";
constexpr std::string_view tp = "parallelism_config.parallelism_config_tp_size";
constexpr std::string_view replicate = "parallelism_config.parallelism_config_dp_replicate_size";
constexpr std::string_view shard = "parallelism_config.parallelism_config_dp_shard_size";

std::optional<ConstraintHit> context_and_sequence_parallel(const ReadContext& context) {
  if (degree(context, cp) <= 1 || degree(context, sp) <= 1) return std::nullopt;
  return blame(context, sp, {cp});
}

std::optional<ConstraintHit> model_parallel_without_shards(const ReadContext& context) {
  if (degree(context, replicate) <= 1 || degree(context, shard) > 1) return std::nullopt;
  if (degree(context, tp) <= 1 && degree(context, cp) <= 1) return std::nullopt;
  return blame(context, replicate, {tp, cp, shard});
}

constexpr std::string_view dataclasses = "accelerate/utils/dataclasses.py at 16cb6eb";
constexpr std::string_view parallelism = "accelerate/parallelism_config.py at 16cb6eb";

constexpr std::array<Constraint, 5> constraints{{
    {.id = "accelerate/no-processes",
     .effect = Effect::warned,
     .message = "without `num_processes`, `accelerate launch` stops unless the command line gives it",
     .remedy = "set num_processes to the number of all devices",
     .source = "accelerate/commands/launch.py at 16cb6eb",
     .when = no_processes},
    {.id = "accelerate/keys-beside-deepspeed-file",
     .effect = Effect::refused,
     .message = "with `deepspeed_config_file`, accelerate takes this setting from that file only",
     .remedy = "drop the key here and set it in the DeepSpeed file",
     .source = dataclasses,
     .when = keys_beside_deepspeed_file},
    {.id = "accelerate/fsdp1-option-on-fsdp2",
     .effect = Effect::refused,
     .message = "this value belongs to FSDP 1; `fsdp_version: 2` refuses it",
     .remedy =
         "write fsdp_reshard_after_forward as true or false, drop forward prefetch and local state dicts",
     .source = dataclasses,
     .when = fsdp1_option_on_fsdp2},
    {.id = "accelerate/context-and-sequence-parallel",
     .effect = Effect::refused,
     .message = "context and sequence parallelism exclude each other",
     .remedy = "set one of the two sizes to 1",
     .source = parallelism,
     .when = context_and_sequence_parallel},
    {.id = "accelerate/model-parallel-without-shards",
     .effect = Effect::refused,
     .message = "tensor or context parallelism with replicas needs `dp_shard_size` above 1",
     .remedy = "divide the replicas into shards",
     .source = parallelism,
     .when = model_parallel_without_shards},
}};

constexpr std::array<std::string_view, 1> all_of{"distributed_type"};
constexpr std::array<std::string_view, 9> any_of{
    "compute_environment", "num_processes", "mixed_precision", "fsdp_config",       "deepspeed_config",
    "machine_rank",        "downcast_bf16", "fp8_config",      "parallelism_config"};
constexpr std::array<Companion, 1> companions{{
    {.path = "deepspeed_config.deepspeed_config_file", .dialect = "deepspeed"},
}};

}  // namespace

extern constinit const Dialect accelerate{
    .name = "accelerate",
    .title = "accelerate",
    .package = "accelerate",
    .stack = "hf_trainer",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 1, .bytes = all_of},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .keys = keys,
    .known = accelerate_known_keys,
    .unknown_keys = UnknownKeys::refused,
    .constraints = constraints,
    .companions = companions,
    .precedence = Precedence::companion,
    .companion_only = true,
};

}  // namespace oomlint
