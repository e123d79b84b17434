#include "lint/dialect/dialect.h"

#include <algorithm>
#include <array>

// torchtitan: TOML job configs up to v0.2.2 (later versions configure in Python). Sources: torchtitan v0.2.2
// (73a0e69), torchtitan/config/job_config.py,
// distributed/{parallel_dims,activation_checkpoint,pipeline_parallel}.py,
// components/{optimizer,checkpoint}.py, models/llama3/infra/parallelize.py.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 3> dtypes{{{"float32", "fp32"}, {"bfloat16", "bf16"}, {"float16", "fp16"}}};
constexpr std::array<WordPair, 4> checkpointing{
    {{"none", "none"}, {"full", "full"}, {"selective", "selective"}, {"memory_budget", "selective"}}};

constexpr std::array<DefaultValue, 1> eight{{{"8"}}};
constexpr std::array<DefaultValue, 1> length{{{"2048"}}};
constexpr std::array<DefaultValue, 1> fp32{{{"fp32"}}};
constexpr std::array<DefaultValue, 1> bf16{{{"bf16"}}};
constexpr std::array<DefaultValue, 1> selective{{{"selective"}}};
constexpr std::array<DefaultValue, 1> no{{{"false"}}};
constexpr std::array<DefaultValue, 1> adamw{{{"adamw_torch_fused"}}};
constexpr std::array<DefaultValue, 1> sdpa{{{"sdpa"}}};
constexpr std::array<DefaultValue, 1> plain{{{"plain"}}};
constexpr std::array<DefaultValue, 1> steps{{{"10000"}}};

/// The model is a family and a flavor of it: "llama3" and "8B" name one row of a Python table, "llama3:8B" in
/// the catalogue.
std::optional<Scalar> read_model(const ReadContext& context, NodeId /*node*/) {
  const std::string name = context.text("model.name").value_or("llama3");
  const auto flavor = context.text("model.flavor");
  if (!flavor) return std::nullopt;
  return Scalar(name + ":" + *flavor);
}

/// Fused unless the implementation says otherwise.
std::optional<Scalar> read_optimizer(const ReadContext& context, NodeId /*node*/) {
  const std::string name = context.text("optimizer.name").value_or("AdamW");
  if (name != "Adam" && name != "AdamW") return Scalar(name);
  const std::string loop = context.text("optimizer.implementation").value_or("fused");
  return Scalar(std::string(loop == "fused" ? "adamw_torch_fused" : "adamw_torch"));
}

/// "op" keeps the outputs of some operators, a number recomputes one layer in so many.
std::optional<Scalar> read_every(const ReadContext& context, NodeId /*node*/) {
  const std::string option = context.text("activation_checkpoint.selective_ac_option").value_or("op");
  if (option.empty() || option.size() > 4) return std::nullopt;
  std::int64_t every = 0;
  for (const char digit : option) {
    if (digit < '0' || digit > '9') return std::nullopt;
    every = every * 10 + (digit - '0');
  }
  return every > 0 ? std::optional(Scalar(every)) : std::nullopt;
}

std::optional<Scalar> read_compiled_loss(const ReadContext& context, NodeId /*node*/) {
  const std::vector<std::string> parts = context.list("compile.components");
  return Scalar(std::find(parts.begin(), parts.end(), "loss") != parts.end());
}

constexpr std::array<KeySpec, 35> keys{{
    {.path = "model.flavor",
     .field = Field::model,
     .convert = Convert::custom,
     .read = read_model,
     .spell = false},
    {.path = "training.local_batch_size", .field = Field::micro_batch, .defaults = eight},
    {.path = "training.batch_size", .field = Field::micro_batch, .renamed_to = "training.local_batch_size"},
    {.path = "training.global_batch_size", .field = Field::effective_batch},
    {.path = "training.seq_len", .field = Field::sequence_length, .defaults = length},
    {.path = "training.steps", .field = Field::max_steps, .defaults = steps},
    {.path = "training.dtype",
     .field = Field::weight_dtype,
     .convert = Convert::words,
     .words = dtypes,
     .defaults = fp32},
    {.path = "training.mixed_precision_param",
     .field = Field::compute_dtype,
     .convert = Convert::words,
     .words = dtypes,
     .defaults = bf16},
    {.path = "training.mixed_precision_reduce",
     .field = Field::gradient_dtype,
     .convert = Convert::words,
     .words = dtypes,
     .defaults = fp32},
    {.path = "training.enable_cpu_offload", .field = Field::offload_parameters, .defaults = no},
    {.path = "training.compile", .field = Field::compile, .renamed_to = "compile.enable"},
    {.path = "compile.enable", .field = Field::compile, .defaults = no},
    {.path = "optimizer.name",
     .field = Field::optimizer,
     .convert = Convert::custom,
     .defaults = adamw,
     .read = read_optimizer,
     .spell = false},
    {.path = "activation_checkpoint.mode",
     .field = Field::checkpointing,
     .convert = Convert::words,
     .words = checkpointing,
     .defaults = selective},
    {.path = "activation_checkpoint.selective_ac_option",
     .field = Field::checkpointing_every,
     .convert = Convert::custom,
     .read = read_every,
     .spell = false},
    {.path = "compile.components",
     .field = Field::compiled_loss,
     .convert = Convert::custom,
     .read = read_compiled_loss,
     .spell = false},
    {.path = "optimizer.early_step_in_backward", .field = Field::optimizer_in_backward, .defaults = no},
    {.path = "parallelism.data_parallel_replicate_degree", .field = Field::replica_groups},
    {.path = "training.data_parallel_replicate_degree", .field = Field::replica_groups, .spell = false},
    {.path = "parallelism.pipeline_parallel_microbatch_size", .field = Field::pipeline_micro_batch},
    {.path = "experimental.pipeline_parallel_microbatch_size",
     .field = Field::pipeline_micro_batch,
     .spell = false},
    {.path = "parallelism.data_parallel_shard_degree", .field = Field::shard_group},
    {.path = "training.data_parallel_shard_degree", .field = Field::shard_group, .spell = false},
    {.path = "training.data_parallel_degree", .field = Field::shard_group, .spell = false},
    {.path = "parallelism.tensor_parallel_degree", .field = Field::tensor_parallel},
    {.path = "training.tensor_parallel_degree", .field = Field::tensor_parallel, .spell = false},
    {.path = "parallelism.pipeline_parallel_degree", .field = Field::pipeline_parallel},
    {.path = "experimental.pipeline_parallel_degree", .field = Field::pipeline_parallel, .spell = false},
    {.path = "parallelism.context_parallel_degree", .field = Field::context_parallel},
    {.path = "experimental.context_parallel_degree", .field = Field::context_parallel, .spell = false},
    {.path = "parallelism.expert_parallel_degree", .field = Field::expert_parallel},
    {.path = "checkpoint.interval", .field = Field::save_steps},
    {.path = "checkpoint.keep_latest_k", .field = Field::save_limit},
    {.path = "model.attention", .field = Field::attention, .defaults = sdpa, .spell = false},
    {.path = "model.loss", .field = Field::loss, .defaults = plain, .spell = false},
}};

constexpr std::array<std::string_view, 2> all_of{"training", "model.flavor"};
constexpr std::array<std::string_view, 9> any_of{"training.seq_len",
                                                 "training.local_batch_size",
                                                 "training.batch_size",
                                                 "activation_checkpoint.mode",
                                                 "parallelism.data_parallel_shard_degree",
                                                 "optimizer.name",
                                                 "job.dump_folder",
                                                 "training.steps",
                                                 "lr_scheduler.warmup_steps"};
constexpr std::array<std::string_view, 2> none_of{"trainer.model", "orchestrator"};
constexpr std::array<std::string_view, 1> bytes{"flavor"};

void derive(const ReadContext& context, Layer& layer, Field field, Scalar value, std::string_view key,
            std::string note) {
  const NodeId node = context.find(key);
  Origin origin{OriginKind::derived, context.file, {}, std::string(key), note};
  if (node != no_node) origin = context.origin_of(node, OriginKind::derived, std::move(note));
  layer.assignments.push_back({field, std::move(value), std::move(origin)});
}

/// Every run shards with FSDP 2 (mixed precision without autocast) on streams packed to the full length.
void finish(const ReadContext& context, Layer& layer) {
  derive(context, layer, Field::task, std::string("pretrain"), "training", "torchtitan pre-trains");
  derive(context, layer, Field::method, std::string("full"), "training", "torchtitan trains all parameters");
  derive(context, layer, Field::packing, true, "training.seq_len", "streams packed to the full length");
  derive(context, layer, Field::autocast, false, "training.dtype",
         "mixed precision by FSDP, not by autocast");
  const std::string reshard = context.text("parallelism.fsdp_reshard_after_forward").value_or("default");
  if (reshard == "never") {
    derive(context, layer, Field::sharding, std::string("fsdp_grad_op"),
           "parallelism.fsdp_reshard_after_forward", "FSDP 2 that keeps weights gathered");
  } else {
    derive(context, layer, Field::sharding, std::string("fsdp"), "parallelism.data_parallel_shard_degree",
           "FSDP 2");
  }
}

std::optional<ConstraintHit> at(const ReadContext& context, std::string_view key,
                                std::string_view other = {}) {
  ConstraintHit hit;
  hit.at = context.find(key);
  if (const NodeId node = context.find(other); !other.empty() && node != no_node) hit.related.push_back(node);
  return hit;
}
std::int64_t degree(const ReadContext& c, std::string_view key) {
  return std::max<std::int64_t>(1, c.count(key).value_or(1));
}

std::optional<ConstraintHit> length_divisible(const ReadContext& c) {
  const std::int64_t cp = degree(c, "parallelism.context_parallel_degree");
  const std::int64_t by = degree(c, "parallelism.tensor_parallel_degree") * (cp > 1 ? 2 * cp : 1);
  const auto length_given = c.count("training.seq_len");
  if (!length_given || *length_given % by == 0) return std::nullopt;
  return at(c, "training.seq_len",
            cp > 1 ? "parallelism.context_parallel_degree" : "parallelism.tensor_parallel_degree");
}
std::optional<ConstraintHit> selective_option(const ReadContext& c) {
  const auto option = c.text("activation_checkpoint.selective_ac_option");
  if (!option || *option == "op" || c.text("activation_checkpoint.mode") != "selective") return std::nullopt;
  const bool digits = !option->empty() && std::all_of(option->begin(), option->end(),
                                                      [](char x) { return x >= '0' && x <= '9'; });
  return digits && *option != "0" ? std::nullopt : at(c, "activation_checkpoint.selective_ac_option");
}
std::optional<ConstraintHit> budget_without_compile(const ReadContext& c) {
  if (c.text("activation_checkpoint.mode") != "memory_budget" || c.flag("compile.enable").value_or(false))
    return std::nullopt;
  return at(c, "activation_checkpoint.mode", "compile.enable");
}
std::optional<ConstraintHit> early_step_parallel(const ReadContext& c) {
  if (!c.flag("optimizer.early_step_in_backward").value_or(false)) return std::nullopt;
  for (const std::string_view key :
       {"parallelism.pipeline_parallel_degree", "parallelism.expert_parallel_degree"}) {
    if (degree(c, key) > 1) return at(c, "optimizer.early_step_in_backward", key);
  }
  return std::nullopt;
}
std::optional<ConstraintHit> other_optimizer(const ReadContext& c) {
  const auto name = c.text("optimizer.name");
  return !name || *name == "Adam" || *name == "AdamW" ? std::nullopt : at(c, "optimizer.name");
}
std::optional<ConstraintHit> pipeline_divisible(const ReadContext& c) {
  const auto batch = c.count("training.local_batch_size");
  const auto micro = c.count("parallelism.pipeline_parallel_microbatch_size");
  if (!batch || !micro || *micro < 1 || degree(c, "parallelism.pipeline_parallel_degree") < 2 ||
      *batch % *micro == 0)
    return std::nullopt;
  return at(c, "training.local_batch_size", "parallelism.pipeline_parallel_microbatch_size");
}
std::optional<ConstraintHit> keep_one(const ReadContext& c) {
  if (c.count("checkpoint.keep_latest_k") != 1) return std::nullopt;
  const bool enabled =
      c.flag("checkpoint.enable").value_or(false) || c.flag("checkpoint.enable_checkpoint").value_or(false);
  return enabled ? at(c, "checkpoint.keep_latest_k") : std::nullopt;
}
std::optional<ConstraintHit> expert_tensor(const ReadContext& c) {
  const auto etp = c.count("parallelism.expert_tensor_parallel_degree");
  if (!etp || *etp == 1 || *etp == degree(c, "parallelism.tensor_parallel_degree")) return std::nullopt;
  return at(c, "parallelism.expert_tensor_parallel_degree", "parallelism.tensor_parallel_degree");
}

constexpr std::array<Constraint, 8> constraints{{
    {.id = "torchtitan/length-divisible",
     .effect = Effect::refused,
     .message = "`training.seq_len` must be divisible by the tensor parallel degree times twice the context "
                "parallel degree",
     .remedy = "choose a multiple",
     .source = "torchtitan v0.2.2 models/llama3/infra/parallelize.py",
     .when = length_divisible},
    {.id = "torchtitan/selective-option",
     .effect = Effect::refused,
     .message = "`selective_ac_option` must be \"op\" or a positive integer in quotes",
     .remedy = "write \"op\" or \"2\"",
     .source = "torchtitan v0.2.2 distributed/activation_checkpoint.py",
     .when = selective_option},
    {.id = "torchtitan/budget-without-compile",
     .effect = Effect::refused,
     .message = "`mode = \"memory_budget\"` needs the model to be compiled",
     .remedy = "set compile.enable = true",
     .source = "torchtitan v0.2.2 distributed/activation_checkpoint.py",
     .when = budget_without_compile},
    {.id = "torchtitan/early-step-parallel",
     .effect = Effect::refused,
     .message = "`early_step_in_backward` does not go with pipeline or expert parallelism",
     .remedy = "drop it",
     .source = "torchtitan v0.2.2 components/optimizer.py",
     .when = early_step_parallel},
    {.id = "torchtitan/optimizer-name",
     .effect = Effect::refused,
     .message = "torchtitan knows the optimizers Adam and AdamW only",
     .remedy = "set name = \"AdamW\"",
     .source = "torchtitan v0.2.2 components/optimizer.py",
     .when = other_optimizer},
    {.id = "torchtitan/pipeline-divisible",
     .effect = Effect::refused,
     .message = "`training.local_batch_size` must be a multiple of the pipeline's microbatch size",
     .remedy = "choose a multiple",
     .source = "torchtitan v0.2.2 distributed/pipeline_parallel.py",
     .when = pipeline_divisible},
    {.id = "torchtitan/keep-one-checkpoint",
     .effect = Effect::refused,
     .message = "`keep_latest_k` must be 0 or at least 2",
     .remedy = "set keep_latest_k = 2",
     .source = "torchtitan v0.2.2 components/checkpoint.py",
     .when = keep_one},
    {.id = "torchtitan/expert-tensor-parallel",
     .effect = Effect::refused,
     .message = "`expert_tensor_parallel_degree` must be 1 or the tensor parallel degree",
     .remedy = "set it to 1",
     .source = "torchtitan v0.2.2 distributed/parallel_dims.py",
     .when = expert_tensor},
}};

constexpr std::array<std::string_view, 2> programs{"torchtitan.train", "torchtitan/train.py"};

}  // namespace

extern constinit const Dialect torchtitan{
    .name = "torchtitan",
    .title = "torchtitan",
    .package = "torchtitan",
    .stack = "torchtitan",
    .recognise = {.all_of = all_of,
                  .any_of = any_of,
                  .any_count = 2,
                  .none_of = none_of,
                  .programs = programs,
                  .bytes = bytes},
    .scalars = ScalarSchema::toml,
    .keys = keys,
    .unknown_keys = UnknownKeys::refused,
    .constraints = constraints,
    .finish = finish,
};

}  // namespace oomlint
