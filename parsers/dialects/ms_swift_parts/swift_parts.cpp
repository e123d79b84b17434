#include "parsers/dialects/ms_swift_parts/ms_swift_parts.h"
#include "parsers/dialects/shared/conditions.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace oomlint::ms_swift_parts {

namespace {

constexpr std::array<WordPair, 12> stages{{{"zero0", "ddp"},
                                           {"zero1", "zero1"},
                                           {"zero2", "zero2"},
                                           {"zero3", "zero3"},
                                           {"zero2_offload", "zero2"},
                                           {"zero3_offload", "zero3"},
                                           {"default-zero2", "zero2"},
                                           {"default-zero3", "zero3"},
                                           {"zero2-offload", "zero2"},
                                           {"zero3-offload", "zero3"},
                                           {"default-zero2-offload", "zero2"},
                                           {"default-zero3-offload", "zero3"}}};

/// `DEFAULT` and `AUTO` are the model's attention inputs, `ALL` and `EMBEDDING` what they say (1.x and 2.x).
std::vector<std::string> targets_of(const ReadContext& context, std::string_view path) {
  std::vector<std::string> names;
  for (std::string& item : context.list(path)) {
    if (item == "DEFAULT" || item == "AUTO") {
      for (const std::string_view part : {"q_proj", "k_proj", "v_proj"}) names.emplace_back(part);
    } else if (item == "ALL") {
      names.emplace_back("all-linear");
    } else if (item == "EMBEDDING") {
      names.emplace_back("embed_tokens");
    } else {
      names.push_back(std::move(item));
    }
  }
  return names;
}

std::string launched(const ReadContext& context, std::string_view path) {
  const Document& document = context.document;
  if (document.launch() == no_node) return {};
  const NodeId node = document.find(document.launch(), path);
  return node == no_node ? std::string() : std::string(document.at(node).text);
}

bool given(const ReadContext& context, std::string_view path) {
  return context.document.launch() != no_node &&
         context.document.find(context.document.launch(), path) != no_node;
}

/// Several visible devices and one process: the layers are spread over them (device_map="auto"), the batch is
/// not.
void spread_layers(const ReadContext& context, Layer& layer) {
  const std::string devices = launched(context, "environment.CUDA_VISIBLE_DEVICES");
  const auto count = 1 + std::count(devices.begin(), devices.end(), ',');
  if (devices.empty() || count < 2 || given(context, "environment.NPROC_PER_NODE") ||
      given(context, "environment.NNODES") || given(context, "torchrun") || given(context, "accelerate") ||
      given(context, "deepspeed"))
    return;
  const NodeId node = context.document.find(context.document.launch(), "environment.CUDA_VISIBLE_DEVICES");
  const Origin origin =
      context.origin_of(node, OriginKind::derived, "one process spreads the layers over all devices");
  layer.assignments.push_back({Field::world, static_cast<std::int64_t>(count), origin});
  layer.assignments.push_back({Field::pipeline_parallel, static_cast<std::int64_t>(count), origin});
}

}  // namespace

/// On-the-fly quantisation: bitsandbytes unless another method is named.
std::optional<Scalar> read_quantisation(const ReadContext& context, NodeId node) {
  const auto bits = context.count(context.document.path_of(node));
  if (!bits || *bits == 0) return std::nullopt;
  const std::string method = context.text("quant_method").value_or("bnb");
  if (method == "hqq") return Scalar(std::string("hqq"));
  if (method != "bnb") return Scalar();
  if (*bits == 8) return Scalar(std::string("int8"));
  if (*bits != 4) return Scalar();
  const std::string kind = context.text("bnb_4bit_quant_type").value_or("nf4");
  return Scalar(kind + (context.flag("bnb_4bit_use_double_quant").value_or(true) ? "_double" : ""));
}

std::optional<std::string> write_quantisation(const Scalar& value) {
  const std::string word = to_string(value);
  if (word == "nf4_double") return "4";
  return word == "int8" ? std::optional<std::string>("8") : std::nullopt;
}

/// A preset's name; a path is a companion.
std::optional<Scalar> read_offload(const ReadContext& context, NodeId) {
  const std::string preset = context.text("deepspeed").value_or("");
  return preset.find("offload") != std::string::npos && preset.find('.') == std::string::npos
             ? std::optional(Scalar(true))
             : std::nullopt;
}

std::optional<Scalar> read_stage(const ReadContext& context, NodeId) {
  const std::string preset = context.text("deepspeed").value_or("");
  const auto row =
      std::find_if(stages.begin(), stages.end(), [&](const WordPair& pair) { return pair.theirs == preset; });
  return row == stages.end() ? std::nullopt : std::optional(Scalar(std::string(row->ours)));
}

std::optional<std::string> write_stage(const Scalar& value) {
  std::string word = to_string(value);
  if (word == "zero1" || word == "zero2" || word == "zero3") return word;
  return std::nullopt;
}

void finish(const ReadContext& context, Layer& layer) {
  const std::string program = launched(context, "program");
  const bool adapter =
      context.text("tuner_type")
          .value_or(context.text("train_type").value_or(context.text("sft_type").value_or("lora"))) == "lora";
  for (const std::string_view path : {"quant_bits", "quantization_bit"}) {
    if (adapter && context.count(path).value_or(0) > 0) {
      layer.assignments.push_back(
          {Field::method, std::string("qlora"),
           context.origin_of(context.find(path), OriginKind::derived, "LoRA over a quantised base")});
    }
  }
  if (is_on(context, "use_dora") && adapter) {
    layer.assignments.push_back(
        {Field::method, std::string("dora"), context.origin_of(context.find("use_dora"))});
  }
  if (!context.has("rlhf_type") && !program.empty()) {
    const std::string_view task = program.ends_with("rlhf")  ? "dpo"
                                  : program.ends_with(" pt") ? "pretrain"
                                                             : "sft";
    layer.assignments.push_back(
        {Field::task, std::string(task),
         context.origin_of(context.document.find(context.document.launch(), "program"), OriginKind::derived,
                           "the command")});
  }
  for (const std::string_view path : {"target_modules", "lora_target_modules"}) {
    const std::vector<std::string> named = targets_of(context, path);
    if (named.empty() || named == context.list(path)) continue;
    layer.assignments.push_back(
        {Field::lora_targets, named,
         context.origin_of(context.find(path), OriginKind::derived, "ms-swift's name for these modules")});
  }
  spread_layers(context, layer);
}

std::optional<ConstraintHit> deepspeed_with_spread_layers(const ReadContext& context) {
  Layer layer;
  spread_layers(context, layer);
  if (layer.assignments.empty() || !context.has("deepspeed")) return std::nullopt;
  return blame(context, "deepspeed");
}

std::optional<ConstraintHit> fsdp_and_deepspeed(const ReadContext& context) {
  if (!context.has("fsdp") || !context.has("deepspeed")) return std::nullopt;
  return blame(context, "fsdp", {"deepspeed"});
}

std::optional<ConstraintHit> packing_without_flash(const ReadContext& context) {
  const std::string attention = context.text("attn_impl").value_or("");
  if (attention.starts_with("flash") || is_on(context, "use_flash_attn") || context.document.partial())
    return std::nullopt;
  // Before 3.x packing masked nothing and asked for nothing.
  if (!context.has("tuner_type")) return std::nullopt;
  if (is_on(context, "packing")) return blame(context, "packing", {"attn_impl"});
  return is_on(context, "padding_free") ? std::optional(blame(context, "padding_free", {"attn_impl"}))
                                        : std::nullopt;
}

std::optional<ConstraintHit> lazy_packing(const ReadContext& context) {
  if (!is_on(context, "packing") || !is_on(context, "lazy_tokenize")) return std::nullopt;
  return blame(context, "lazy_tokenize", {"packing"});
}

std::optional<ConstraintHit> odd_bits(const ReadContext& context) {
  const auto bits = context.count("quant_bits");
  if (!bits || *bits == 4 || *bits == 8 || context.text("quant_method").value_or("bnb") != "bnb")
    return std::nullopt;
  return blame(context, "quant_bits", {"quant_method"});
}

}  // namespace oomlint::ms_swift_parts
