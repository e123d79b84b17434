#include "parsers/dialects/shared/megatron_rows.h"

#include "parsers/dialects/shared/derive.h"

#include <charconv>

namespace oomlint {

/// `([0]*1+[1]*26)`: a leading run of zeros is so many dense layers; a number says every how many layers
/// there are experts, which is no such run.
std::optional<Scalar> read_megatron_dense_layers(const ReadContext& context, NodeId node) {
  std::string_view text = context.document.at(node).text;
  while (text.starts_with('(')) text.remove_prefix(1);
  if (!text.starts_with("[0]*")) return std::nullopt;
  text.remove_prefix(4);
  std::int64_t dense = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dense);
  if (error != std::errc()) return std::nullopt;
  return Scalar(dense);
}

namespace megatron {

namespace {

class Arguments {
 public:
  Arguments(const ReadContext& context, Layer& layer, const Spelling& spelling)
      : context_(context), layer_(layer), spelling_(spelling) {}

  [[nodiscard]] bool has(std::string_view name) const { return context_.has(spelling_(name)); }
  [[nodiscard]] bool on(std::string_view name) const {
    return context_.flag(spelling_(name)).value_or(has(name));
  }
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view name) const {
    return context_.count(spelling_(name));
  }
  [[nodiscard]] std::string text(std::string_view name) const {
    return context_.text(spelling_(name)).value_or("");
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const {
    return context_.list(spelling_(name));
  }
  void set(Field field, Scalar value, std::string_view from, std::string note) {
    derive(context_, layer_, field, std::move(value), spelling_(from), std::move(note));
  }

 private:
  const ReadContext& context_;
  Layer& layer_;
  const Spelling& spelling_;
};

/// The family whose norms, biases and tables the arguments make.
std::string family(const Arguments& arguments) {
  const bool gated = arguments.on("swiglu");
  if (arguments.on("multi_latent_attention")) return "deepseek_v2";
  if (!gated) return arguments.text("position_embedding_type") == "rope" ? "gpt_neox" : "gpt2";
  const bool normed = arguments.on("qk_layernorm");
  if (arguments.has("num_experts")) return normed ? "qwen3_moe" : "mixtral";
  if (normed) return "qwen3";
  return arguments.on("add_qkv_bias") ? "qwen2" : "llama";
}

void shape(Arguments& arguments) {
  const auto hidden = arguments.count("hidden_size");
  if (!hidden || !arguments.has("num_layers")) return;
  arguments.set(Field::model_type, family(arguments), "num_layers", "the model's arguments");
  if (!arguments.has("ffn_hidden_size")) {
    const bool gated = arguments.on("swiglu");
    const std::int64_t width = gated ? 4 * *hidden * 2 / 3 / 64 * 64 : 4 * *hidden;
    arguments.set(Field::intermediate_size, width, "ffn_hidden_size", "default of Megatron");
  }
  const bool grouped = arguments.on("group_query_attention");
  const auto heads = arguments.count("num_attention_heads");
  const auto groups = grouped ? std::optional(arguments.count("num_query_groups").value_or(1)) : heads;
  if (groups) arguments.set(Field::kv_heads, *groups, "num_query_groups", "query groups");
  arguments.set(Field::tied_embeddings, !arguments.on("untie_embeddings_and_output_weights"),
                "untie_embeddings_and_output_weights", "tied unless told");
}

void precision(Arguments& arguments) {
  const bool bf16 = arguments.on("bf16");
  const bool fp16 = arguments.on("fp16");
  const std::string dtype = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
  const std::string_view from = fp16 ? "fp16" : "bf16";
  arguments.set(Field::compute_dtype, dtype, from, "16 bits by --bf16 or --fp16");
  const bool narrow = arguments.on("grad_reduce_in_bf16") || arguments.text("main_grads_dtype") == "bf16" ||
                      (fp16 && !arguments.on("accumulate_allreduce_grads_in_fp32"));
  arguments.set(Field::gradient_dtype, narrow ? dtype : std::string("fp32"),
                "accumulate_allreduce_grads_in_fp32", "dtype of the gradient buffer");
}

/// Full recomputation of no layer is none, of some layers (`block`) is selective.
void recomputation(Arguments& arguments) {
  const std::string granularity = arguments.text("recompute_granularity");
  if (granularity.empty() && !arguments.on("recompute_activations")) {
    arguments.set(Field::checkpointing, std::string("none"), "recompute_granularity", "no recomputation");
    return;
  }
  if (granularity == "full") {
    const bool block = arguments.text("recompute_method") == "block";
    const auto chosen = arguments.count("recompute_num_layers");
    const auto all = arguments.count("num_layers");
    const std::string mode = block && chosen == 0                       ? "none"
                             : block && chosen && all && *chosen < *all ? "selective"
                                                                        : "full";
    arguments.set(Field::checkpointing, mode, "recompute_granularity", "recompute full");
    return;
  }
  arguments.set(Field::checkpointing, std::string("selective"), "recompute_granularity",
                "recompute selective");
  std::vector<std::string> modules = arguments.list("recompute_modules");
  if (modules.empty()) modules.emplace_back("core_attn");
  arguments.set(Field::recompute_modules, std::move(modules), "recompute_modules", "parts of a layer");
}

void pipeline(Arguments& arguments) {
  if (const auto chunks = arguments.count("num_virtual_stages_per_pipeline_rank")) {
    arguments.set(Field::virtual_pipeline, *chunks, "num_virtual_stages_per_pipeline_rank", "interleaved");
    return;
  }
  const auto each = arguments.count("num_layers_per_virtual_pipeline_stage");
  const auto all = arguments.count("num_layers");
  const std::int64_t stages = arguments.count("pipeline_model_parallel_size").value_or(1);
  if (!each || !all || *each < 1 || stages < 1) return;
  arguments.set(Field::virtual_pipeline, std::max<std::int64_t>(1, *all / stages / *each),
                "num_layers_per_virtual_pipeline_stage", "layers by stage and chunk");
}

}  // namespace

void finish(const ReadContext& context, Layer& layer, const Spelling& spelling) {
  Arguments arguments(context, layer, spelling);
  shape(arguments);
  precision(arguments);
  recomputation(arguments);
  pipeline(arguments);
  arguments.set(Field::task, std::string("pretrain"), "num_layers", "Megatron pre-trains");
  arguments.set(Field::method, std::string("full"), "num_layers", "all parameters train");
  arguments.set(Field::packing, true, "seq_length", "blocks of the full length");
  arguments.set(Field::attention, std::string("flash"), "attention_backend", "fused attention");
  const bool sharded = arguments.on("use_torch_fsdp2") || arguments.on("use_megatron_fsdp");
  if (sharded) arguments.set(Field::sharding, std::string("fsdp"), "use_megatron_fsdp", "FSDP");
  // The loss of Megatron itself is compiled; Transformer Engine's is one kernel.
  arguments.set(Field::compiled_loss, arguments.text("cross_entropy_fusion_impl") != "te",
                "cross_entropy_fusion_impl", "native unless te");
  if (arguments.on("optimizer_cpu_offload") && !arguments.has("optimizer_offload_fraction"))
    arguments.set(Field::offload_optimizer, true, "optimizer_cpu_offload", "all of it unless told");
}

}  // namespace megatron

}  // namespace oomlint
