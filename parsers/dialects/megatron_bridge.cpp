#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/derive.h"

#include <array>
#include <string>

// Megatron-Bridge: overrides of a Python recipe as YAML, TOML or dotted arguments. Source: Megatron-Bridge
// 067f987df, src/megatron/bridge/training/config.py, training/mixed_precision.py.
namespace oomlint {

namespace {

constexpr std::array<WordPair, 16> precisions{{{"bf16", "bf16"},
                                               {"bf16_mixed", "bf16"},
                                               {"fp16", "fp16"},
                                               {"fp16_mixed", "fp16"},
                                               {"fp32", "fp32"},
                                               {"fp8", "bf16"},  // matrices in 8 bits, the rest in bf16
                                               {"mxfp8", "bf16"},
                                               {"nvfp4", "bf16"},
                                               {"fp8_cs", "bf16"},
                                               {"fp8_mx", "bf16"},
                                               {"bf16_with_fp8_current_scaling_mixed", "bf16"},
                                               {"bf16_with_fp8_delayed_scaling_mixed", "bf16"},
                                               {"bf16_with_fp8_subchannel_scaling_mixed", "bf16"},
                                               {"bf16_with_mxfp8_mixed", "bf16"},
                                               {"bf16_with_nvfp4_mixed", "bf16"},
                                               {"fp16_with_fp8_current_scaling_mixed", "fp16"}}};
constexpr std::array<WordPair, 2> sharding{{{"", "megatron"}, {"", "ddp"}}};
constexpr std::array<WordPair, 2> reduction{{{"", "fp32"}, {"", "bf16"}}};
constexpr std::array<WordPair, 2> fusion{{{"", "kernel"}, {"", "plain"}}};
constexpr std::array<DefaultValue, 1> one{{{"1"}}};
constexpr std::array<DefaultValue, 1> no{{{"false"}}};
constexpr std::array<DefaultValue, 1> bf16{{{"bf16"}}};
constexpr std::array<DefaultValue, 1> distributed{{{"megatron"}}};
constexpr std::array<DefaultValue, 1> kernel{{{"kernel"}}};
constexpr std::array<DefaultValue, 1> adam{{{"adam"}}};

std::optional<Scalar> read_optimizer(const ReadContext& context, NodeId node) {
  return Scalar(std::string(context.document.at(node).text));
}

constexpr std::array<KeySpec, 36> keys{{
    {.path = "model.num_layers", .field = Field::layers},
    {.path = "model.hidden_size", .field = Field::hidden_size},
    {.path = "model.ffn_hidden_size", .field = Field::intermediate_size},
    {.path = "model.num_attention_heads", .field = Field::heads},
    {.path = "model.num_query_groups", .field = Field::kv_heads},
    {.path = "model.kv_channels", .field = Field::head_dim},
    {.path = "model.vocab_size", .field = Field::vocabulary},
    {.path = "model.num_moe_experts", .field = Field::experts},
    {.path = "model.moe_router_topk", .field = Field::experts_per_token},
    {.path = "model.moe_ffn_hidden_size", .field = Field::expert_intermediate_size},
    {.path = "model.seq_length", .field = Field::sequence_length},
    {.path = "dataset.seq_length", .field = Field::sequence_length, .spell = false},
    {.path = "dataset.sequence_length", .field = Field::sequence_length, .spell = false},
    {.path = "train.micro_batch_size", .field = Field::micro_batch},
    {.path = "train.global_batch_size", .field = Field::effective_batch},
    {.path = "train.train_iters", .field = Field::max_steps},
    {.path = "checkpoint.save_interval", .field = Field::save_steps},
    {.path = "checkpoint.most_recent_k", .field = Field::save_limit},
    {.path = "optimizer.optimizer",
     .field = Field::optimizer,
     .convert = Convert::custom,
     .defaults = adam,
     .read = read_optimizer,
     .spell = false},
    {.path = "optimizer.optimizer_cpu_offload", .field = Field::offload_optimizer},
    {.path = "mixed_precision",
     .field = Field::compute_dtype,
     .convert = Convert::words,
     .words = precisions,
     .defaults = bf16},
    {.path = "ddp.grad_reduce_in_fp32",
     .field = Field::gradient_dtype,
     .convert = Convert::true_means,
     .words = reduction},
    {.path = "ddp.use_distributed_optimizer",
     .field = Field::sharding,
     .convert = Convert::true_means,
     .words = sharding,
     .defaults = distributed},
    {.path = "optimizer.use_distributed_optimizer",
     .field = Field::sharding,
     .convert = Convert::true_means,
     .words = sharding,
     .spell = false},
    {.path = "peft.dim", .field = Field::lora_rank},
    {.path = "peft.alpha", .field = Field::lora_alpha},
    {.path = "peft.target_modules", .field = Field::lora_targets},
    {.path = "model.recompute_modules", .field = Field::recompute_modules},
    {.path = "model.tensor_model_parallel_size", .field = Field::tensor_parallel, .defaults = one},
    {.path = "model.pipeline_model_parallel_size", .field = Field::pipeline_parallel, .defaults = one},
    {.path = "model.virtual_pipeline_model_parallel_size", .field = Field::virtual_pipeline},
    {.path = "model.context_parallel_size", .field = Field::context_parallel, .defaults = one},
    {.path = "model.expert_model_parallel_size", .field = Field::expert_parallel, .defaults = one},
    {.path = "model.expert_tensor_parallel_size", .field = Field::expert_tensor_parallel, .defaults = one},
    {.path = "model.sequence_parallel", .field = Field::sequence_parallel, .defaults = no},
    {.path = "model.cross_entropy_loss_fusion",
     .field = Field::loss,
     .convert = Convert::true_means,
     .words = fusion,
     .defaults = kernel},
}};

constexpr std::array<std::string_view, 7> any_of{"train.micro_batch_size",
                                                 "train.global_batch_size",
                                                 "train.train_iters",
                                                 "model.tensor_model_parallel_size",
                                                 "model.pipeline_model_parallel_size",
                                                 "model.recompute_granularity",
                                                 "model.context_parallel_size"};
constexpr std::array<std::string_view, 11> none_of{
    "exp_manager",    "trainer",        "policy",     "MODEL_ARGS",           "recipe",
    "step_scheduler", "checkpoint_dir", "model_name", "train.max_seq_length", "train.save_interval",
    "tokenizer_dir"};
constexpr std::array<std::string_view, 3> bytes{"micro_batch_size", "global_batch_size",
                                                "model_parallel_size"};

/// Overrides name no model; the recipe they belong to often stands in a comment above them.
std::string recipe_in_head(std::string_view text) {
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    constexpr std::string_view marker = "# recipe: ";
    if (line.starts_with(marker)) {
      line.remove_prefix(marker.size());
      return std::string(line.substr(0, std::min(line.find(','), line.size())));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

void recomputation(const ReadContext& context, Layer& layer) {
  const std::string granularity = context.text("model.recompute_granularity").value_or("");
  const bool block = context.text("model.recompute_method") == "block";
  const bool none = block && context.count("model.recompute_num_layers") == 0;
  if (granularity.empty() && !none) {
    derive(context, layer, Field::checkpointing, Scalar(), "model.recompute_granularity",
           "the recipe decides, which is Python");
    return;
  }
  derive(context, layer, Field::checkpointing, none ? std::string("none") : granularity,
         "model.recompute_granularity", "recompute_granularity");
}

void finish(const ReadContext& context, Layer& layer) {
  recomputation(context, layer);
  const bool lora = context.has("peft");
  derive(context, layer, Field::method, std::string(lora ? "lora" : "full"), lora ? "peft" : "train",
         lora ? "peft" : "all parameters train");
  derive(context, layer, Field::packing, true, "model.seq_length", "blocks of the full length");
  derive(context, layer, Field::attention, std::string("flash"), "model", "Transformer Engine");
  const std::string recipe = recipe_in_head(context.document.source().bytes());
  if (recipe.empty()) return;
  layer.assignments.push_back(
      {Field::model, recipe,
       Origin{OriginKind::inferred, context.file, {}, {}, "the recipe named in the file's head"}});
}

bool is_fragment(const Document& document) {
  return document.find("train") == no_node;
}

}  // namespace

extern constinit const Dialect megatron_bridge{
    .name = "megatron_bridge",
    .title = "Megatron-Bridge",
    .package = "megatron-bridge",
    .stack = "megatron",
    .recognise = {.any_of = any_of, .any_count = 2, .none_of = none_of, .bytes = bytes},
    .scalars = ScalarSchema::yaml11_pyyaml,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .finish = finish,
    .is_fragment = is_fragment,
};

}  // namespace oomlint
