#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/derive.h"

#include <array>
#include <string>

// NeMo AutoModel: recipes as YAML with `_target_` components. Source: NVIDIA-NeMo/Automodel 36044ad3d,
// nemo_automodel/components/{training/step_scheduler,distributed/config,loss}.py.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 8> dtypes{{{"bfloat16", "bf16"},
                                          {"bf16", "bf16"},
                                          {"torch.bfloat16", "bf16"},
                                          {"float16", "fp16"},
                                          {"torch.float16", "fp16"},
                                          {"float32", "fp32"},
                                          {"torch.float32", "fp32"},
                                          {"auto", ""}}};
constexpr std::array<WordPair, 3> strategies{{{"fsdp2", "fsdp"}, {"ddp", "ddp"}, {"megatron_fsdp", "fsdp"}}};
constexpr std::array<WordPair, 2> checkpointing{{{"", "full"}, {"", "none"}}};
constexpr std::array<DefaultValue, 1> one{{{"1"}}};
constexpr std::array<DefaultValue, 1> thirty_two{{{"32"}}};
constexpr std::array<DefaultValue, 1> no{{{"false"}}};
constexpr std::array<DefaultValue, 1> yes{{{"true"}}};
constexpr std::array<DefaultValue, 1> none{{{"none"}}};
constexpr std::array<DefaultValue, 1> fsdp{{{"fsdp"}}};
constexpr std::array<DefaultValue, 1> plain{{{"plain"}}};
constexpr std::array<DefaultValue, 1> every_hundred{{{"100"}}};

std::string last_part(std::string_view target) {
  return std::string(target.substr(target.rfind('.') + 1));
}

std::optional<Scalar> read_optimizer(const ReadContext& context, NodeId node) {
  return Scalar(last_part(context.document.at(node).text));
}

/// A loss over 16-bit logits unless it upcasts; one that never makes them; one by chunks.
std::optional<Scalar> read_loss(const ReadContext& context, NodeId node) {
  const std::string name = last_part(context.document.at(node).text);
  if (name == "FusedLinearCrossEntropy") return Scalar(std::string("fused"));
  if (name == "ChunkedCrossEntropy") return Scalar(std::string("chunked"));
  if (name == "TEParallelCrossEntropy") return Scalar(std::string("kernel"));
  const bool upcasts = context.flag("loss_fn.fp32_upcast").value_or(true);
  return Scalar(std::string(upcasts ? "plain" : "kernel"));
}

/// Zero means that sequences are not packed.
std::optional<Scalar> read_packed_length(const ReadContext& context, NodeId /*node*/) {
  const auto length = context.count("packed_sequence.packed_sequence_size");
  if (!length || *length < 1) return std::nullopt;
  return Scalar(*length);
}

constexpr std::array<KeySpec, 36> keys{{
    {.path = "model.pretrained_model_name_or_path", .field = Field::model},
    {.path = "model.config.pretrained_model_name_or_path", .field = Field::model, .spell = false},
    {.path = "model.torch_dtype", .field = Field::weight_dtype, .convert = Convert::words, .words = dtypes},
    {.path = "step_scheduler.local_batch_size", .field = Field::micro_batch, .defaults = one},
    {.path = "step_scheduler.global_batch_size", .field = Field::effective_batch, .defaults = thirty_two},
    {.path = "step_scheduler.num_epochs", .field = Field::epochs},
    {.path = "step_scheduler.max_steps", .field = Field::max_steps},
    {.path = "step_scheduler.ckpt_every_steps", .field = Field::save_steps, .defaults = every_hundred},
    {.path = "checkpoint.max_recent_checkpoints", .field = Field::save_limit},
    {.path = "packed_sequence.packed_sequence_size",
     .field = Field::sequence_length,
     .convert = Convert::custom,
     .read = read_packed_length,
     .spell = false},
    {.path = "dataset.seq_length", .field = Field::sequence_length, .spell = false},
    {.path = "dataset.seq_len", .field = Field::sequence_length, .spell = false},
    {.path = "dataset.max_length", .field = Field::sequence_length, .spell = false},
    {.path = "benchmark.seq_len", .field = Field::sequence_length, .spell = false},
    {.path = "optimizer._target_",
     .field = Field::optimizer,
     .convert = Convert::custom,
     .read = read_optimizer,
     .spell = false},
    {.path = "loss_fn._target_",
     .field = Field::loss,
     .convert = Convert::custom,
     .defaults = plain,
     .read = read_loss,
     .spell = false},
    {.path = "peft.dim", .field = Field::lora_rank},
    {.path = "peft.alpha", .field = Field::lora_alpha},
    {.path = "peft.dropout", .field = Field::lora_dropout},
    {.path = "peft.target_modules", .field = Field::lora_targets},
    {.path = "compile.enabled", .field = Field::compile, .defaults = no},
    {.path = "distributed.strategy",
     .field = Field::sharding,
     .convert = Convert::words,
     .words = strategies,
     .defaults = fsdp},
    {.path = "distributed.activation_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = checkpointing,
     .defaults = none},
    {.path = "distributed.defer_fsdp_grad_sync", .field = Field::deferred_reduction, .defaults = yes},
    {.path = "distributed.dp_replicate_size", .field = Field::replica_groups},
    {.path = "distributed.tp_size", .field = Field::tensor_parallel},
    {.path = "distributed.pp_size", .field = Field::pipeline_parallel},
    {.path = "distributed.pipeline.pp_microbatch_size", .field = Field::pipeline_micro_batch},
    {.path = "distributed.cp_size", .field = Field::context_parallel},
    {.path = "distributed.ep_size", .field = Field::expert_parallel},
    {.path = "distributed.sequence_parallel", .field = Field::sequence_parallel, .defaults = no},
    {.path = "distributed.tensor_parallel_size", .field = Field::tensor_parallel, .spell = false},
    {.path = "fsdp.tp_size", .field = Field::tensor_parallel, .spell = false},
    {.path = "fsdp.cp_size", .field = Field::context_parallel, .spell = false},
    {.path = "fsdp.pp_size", .field = Field::pipeline_parallel, .spell = false},
    {.path = "benchmark.num_nodes", .field = Field::nodes, .spell = false},
}};

constexpr std::array<std::string_view, 1> all_of{"step_scheduler"};
constexpr std::array<std::string_view, 5> any_of{"step_scheduler.global_batch_size",
                                                 "step_scheduler.local_batch_size", "recipe",
                                                 "model._target_", "distributed.strategy"};
constexpr std::array<std::string_view, 1> none_of{"trainer"};
constexpr std::array<std::string_view, 1> bytes{"step_scheduler"};

void adapter(const ReadContext& context, Layer& layer) {
  const bool quantised =
      is_on(context, "quantization.load_in_4bit") || is_on(context, "quantization.load_in_8bit");
  const bool lora = context.has("peft");
  derive(context, layer, Field::method,
         std::string(!lora       ? "full"
                     : quantised ? "qlora"
                                 : "lora"),
         lora ? "peft" : "model", lora ? "peft" : "all parameters train");
  if (is_on(context, "quantization.load_in_4bit"))
    derive(context, layer, Field::quantisation, std::string("nf4"), "quantization.load_in_4bit", "4 bits");
  if (is_on(context, "quantization.load_in_8bit"))
    derive(context, layer, Field::quantisation, std::string("int8"), "quantization.load_in_8bit", "8 bits");
  if (is_on(context, "peft.match_all_linear"))
    derive(context, layer, Field::lora_targets, std::vector<std::string>{"all-linear"},
           "peft.match_all_linear", "all linear layers");
  if (context.text("peft.target_modules") == "*_proj")
    derive(context, layer, Field::lora_targets, std::vector<std::string>{"all-linear"}, "peft.target_modules",
           "every projection");
  if (lora && !context.has("peft.dim"))
    derive(context, layer, Field::lora_rank, std::int64_t{8}, "peft.dim", "default of PeftConfig");
}

void finish(const ReadContext& context, Layer& layer) {
  adapter(context, layer);
  const bool packed = context.count("packed_sequence.packed_sequence_size").value_or(0) > 0;
  const bool mock = last_part(context.text("dataset._target_").value_or("")).starts_with("Mock");
  const bool pretrains = is_on(context, "benchmark") || context.has("benchmark.peak_tflops");
  if (packed || mock)
    derive(context, layer, Field::packing, true, packed ? "packed_sequence" : "dataset._target_",
           packed ? "packed sequences" : "made-up sequences of the full length");
  const bool scratch = last_part(context.text("model._target_").value_or("")) == "from_config";
  derive(context, layer, Field::task, std::string(pretrains && scratch ? "pretrain" : "sft"),
         "model._target_", scratch ? "a model from its config" : "a pretrained model");
}

bool is_fragment(const Document& document) {
  return document.find("model") == no_node;
}

std::optional<ConstraintHit> async_without_sequence(const ReadContext& c) {
  if (!is_on(c, "distributed.enable_async_tensor_parallel") || is_on(c, "distributed.sequence_parallel"))
    return std::nullopt;
  return blame(c, "distributed.enable_async_tensor_parallel", {"distributed.sequence_parallel"});
}
std::optional<ConstraintHit> batch_indivisible(const ReadContext& c) {
  const auto global = c.count("step_scheduler.global_batch_size");
  const auto local = c.count("step_scheduler.local_batch_size");
  if (!global || !local || *local < 1 || *global % *local == 0) return std::nullopt;
  return blame(c, "step_scheduler.global_batch_size", {"step_scheduler.local_batch_size"});
}

constexpr std::array<Constraint, 2> constraints{{
    {.id = "nemo_automodel/async-tensor-parallel",
     .effect = Effect::refused,
     .message = "asynchronous tensor parallelism needs `sequence_parallel`",
     .remedy = "set distributed.sequence_parallel: true",
     .source = "Automodel 36044ad3d nemo_automodel/components/distributed",
     .when = async_without_sequence},
    {.id = "nemo_automodel/batch-indivisible",
     .effect = Effect::refused,
     .message = "`global_batch_size` must be a multiple of `local_batch_size` times the data-parallel ranks",
     .remedy = "choose a multiple",
     .source = "Automodel 36044ad3d nemo_automodel/components/training/step_scheduler.py",
     .when = batch_indivisible},
}};

}  // namespace

extern constinit const Dialect nemo_automodel{
    .name = "nemo_automodel",
    .title = "NeMo AutoModel",
    .package = "nemo-automodel",
    .stack = "nemo_automodel",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 2, .none_of = none_of, .bytes = bytes},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .constraints = constraints,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
