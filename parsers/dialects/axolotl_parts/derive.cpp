#include "lint/dialect/convert.h"
#include "parsers/dialects/axolotl_parts/axolotl_parts.h"

#include <algorithm>
#include <string>
#include <utility>

namespace oomlint::axolotl_parts {

namespace {

const Assignment* said(const Layer& layer, Field field) {
  const auto found = std::find_if(layer.assignments.begin(), layer.assignments.end(),
                                  [&](const Assignment& each) { return each.field == field; });
  return found == layer.assignments.end() ? nullptr : &*found;
}

void put(Layer& layer, Field field, Scalar value, Origin origin) {
  const auto found = std::find_if(layer.assignments.begin(), layer.assignments.end(),
                                  [&](const Assignment& each) { return each.field == field; });
  if (found == layer.assignments.end()) {
    layer.assignments.push_back({field, std::move(value), std::move(origin)});
  } else {
    *found = {field, std::move(value), std::move(origin)};
  }
}

Origin derived(const ReadContext& context, std::string_view path, std::string note) {
  return context.origin_of(context.find(path), OriginKind::derived, std::move(note));
}

Origin by_default(std::string note) {
  return {OriginKind::framework_default, no_file, {}, {}, std::move(note)};
}

/// utils/config/__init__.py resolve_dtype: bf16 and fp16 mean 16-bit weights under autocast, bfloat16 and
/// float16 the same without; with none of them the weights are fp32, or fp16 when they are quantised to 8
/// bits.
void precision(const ReadContext& context, Layer& layer) {
  Scalar dtype = std::string("bf16");
  Origin origin = by_default("axolotl's bf16: auto");
  bool autocast = true;
  if (const Assignment* given = said(layer, Field::compute_dtype)) {
    dtype = given->value;
    origin = given->origin;
    autocast = origin.key == "bf16" || origin.key == "fp16";
  } else if (const NodeId off = context.find("bf16"); off != no_node) {
    dtype = std::string("fp32");
    origin = context.origin_of(off, OriginKind::derived, "neither bf16 nor fp16");
    autocast = false;
    put(layer, Field::compute_dtype, dtype, origin);
  } else {
    put(layer, Field::compute_dtype, dtype, origin);
  }
  put(layer, Field::autocast, autocast, origin);
  if (dtype == Scalar(std::string("fp32")) && is_truthy(context, "load_in_8bit")) dtype = std::string("fp16");
  put(layer, Field::weight_dtype, std::move(dtype), std::move(origin));
}

/// loaders/model.py: only qlora with 4 and lora with 8 bits make a quantised base; after the k-bit
/// preparation axolotl casts embeddings and norms back to 16 bits. With lora and load_in_4bit nothing is
/// quantised, and the preparation leaves the whole base in fp32.
void quantisation(const ReadContext& context, Layer& layer) {
  const std::string adapter = context.text("adapter").value_or("");
  if (!is_truthy(context, "load_in_4bit") && !is_truthy(context, "load_in_8bit")) return;
  if (adapter == "lora" && is_truthy(context, "load_in_4bit")) {
    layer.settlements.push_back({Field::weight_dtype, std::string("fp32"), Difference::overridden,
                                 "the k-bit preparation casts an unquantised base to fp32",
                                 context.origin_of(context.find("load_in_4bit"))});
  } else if (!adapter.empty()) {
    put(layer, Field::kbit_prepared, false,
        derived(context, "adapter", "axolotl casts embeddings and norms back to 16 bits"));
  }
}

void method(const ReadContext& context, Layer& layer) {
  if (is_truthy(context, "adapter")) {
    const std::string adapter = context.text("adapter").value_or("");
    if ((adapter == "lora" || adapter == "qlora") && is_truthy(context, "peft_use_dora")) {
      put(layer, Field::method, std::string("dora"), context.origin_of(context.find("peft_use_dora")));
    }
    return;
  }
  const NodeId unfrozen = context.find("unfrozen_parameters");
  const std::vector<std::string> patterns = context.list("unfrozen_parameters");
  if (patterns.empty()) return;
  const bool only_head = std::all_of(patterns.begin(), patterns.end(), [](const std::string& pattern) {
    return pattern.find("lm_head") != std::string::npos;
  });
  put(layer, Field::method, std::string(only_head ? "head" : "freeze"), context.origin_of(unfrozen));
  // Patterns may leave out parts of layers and layers in between: how far gradients reach is not known.
  if (!only_head) put(layer, Field::trainable_layers, Scalar(), context.origin_of(unfrozen));
}

/// utils/config/__init__.py normalize_config: batch_size is per device and stands for the accumulation.
void batch(const ReadContext& context, Layer& layer) {
  const auto whole = context.count("batch_size");
  const auto micro = context.count("micro_batch_size");
  if (is_truthy(context, "gradient_accumulation_steps") || !whole || !micro || *micro < 1) return;
  put(layer, Field::accumulation, std::max<std::int64_t>(1, *whole / *micro),
      derived(context, "batch_size", "batch_size divided by micro_batch_size"));
}

void lengths(const ReadContext& context, Layer& layer) {
  const bool packed = is_truthy(context, "sample_packing");
  if (said(layer, Field::pad_to_length) == nullptr && (packed || is_truthy(context, "reward_model"))) {
    put(layer, Field::pad_to_length, true, by_default("axolotl pads to sequence_len when it packs"));
  }
  if (const NodeId test = context.find("test_datasets");
      test != no_node && is_truthy(context, "test_datasets")) {
    put(layer, Field::evaluation, true, context.origin_of(test));
  }
}

/// The plugins patch the model's own loss; preference trainers take the logits and compute theirs.
void loss(const ReadContext& context, Layer& layer) {
  const bool preference = is_truthy(context, "rl");
  const bool cut =
      has_plugin(context, cut_cross_entropy_plugin) && context.flag("cut_cross_entropy").value_or(true);
  const bool liger =
      has_plugin(context, liger_plugin) && is_truthy(context, "liger_fused_linear_cross_entropy");
  std::string effective = "plain";
  if (preference) {
    if (is_truthy(context, "dpo_use_liger_kernel") || is_truthy(context, "trl.use_liger_loss"))
      effective = "fused";
  } else if (cut || liger) {
    effective = "fused";
  } else if (is_truthy(context, "chunked_cross_entropy")) {
    effective = "chunked";
  }
  const Assignment* given = said(layer, Field::loss);
  if (given == nullptr) {
    if (effective != "plain") put(layer, Field::loss, effective, context.origin_of(context.find("plugins")));
    return;
  }
  if (given->value == Scalar(effective)) return;
  layer.settlements.push_back({Field::loss, effective,
                               preference ? Difference::overridden : Difference::ignored,
                               preference ? "the trainer of this `rl` computes its loss from the logits"
                                          : "the plugin that reads this key is not listed",
                               given->origin});
}

/// The names of the DeepSpeed configs that axolotl ships say what is in them; the file itself, when it can be
/// read, wins.
void deepspeed(const ReadContext& context, Layer& layer) {
  const std::string file = context.text("deepspeed").value_or("");
  const auto infer = [&](Field field, Scalar value) {
    put(layer, field, std::move(value),
        context.origin_of(context.find("deepspeed"), OriginKind::inferred,
                          "the name of the DeepSpeed config"));
  };
  for (const std::string stage : {"zero1", "zero2", "zero3"}) {
    if (file.find(stage) != std::string::npos) infer(Field::sharding, stage);
  }
  const bool all = file.find("cpuoffload_all") != std::string::npos;
  if (all) infer(Field::offload_optimizer, true);
  if (all || file.find("cpuoffload_params") != std::string::npos) infer(Field::offload_parameters, true);
}

/// core/builders/rl.py: without an adapter to switch off, the reference is a second copy of the model.
void further_models(const ReadContext& context, Layer& layer) {
  const std::string rl = context.text("rl").value_or("");
  const bool needs_reference = rl == "dpo" || rl == "ipo" || rl == "kto" ||
                               (rl == "grpo" && context.number("trl.beta").value_or(0) > 0);
  const auto model = context.text("base_model");
  if (needs_reference && model && !is_truthy(context, "adapter") &&
      !is_truthy(context, "precompute_ref_log_probs")) {
    put(layer, Field::reference_model, *model, derived(context, "rl", "a frozen copy of base_model"));
  }
  if (is_truthy(context, "trl.use_vllm") && context.text("trl.vllm_mode") == "colocate") {
    put(layer, Field::rollout_engine, std::string("vllm"), context.origin_of(context.find("trl.use_vllm")));
    const auto share = context.number("vllm.gpu_memory_utilization");
    put(layer, Field::rollout_memory_fraction, share.value_or(0.9),
        share ? context.origin_of(context.find("vllm.gpu_memory_utilization"))
              : by_default("axolotl's vllm section"));
  }
}

void devices(const ReadContext& context, Layer& layer) {
  const auto workers = context.count("ray_num_workers");
  if (is_truthy(context, "use_ray") && workers && *workers > 0) {
    put(layer, Field::world, *workers, context.origin_of(context.find("ray_num_workers")));
  }
}

}  // namespace

void derive(const ReadContext& context, Layer& layer) {
  precision(context, layer);
  quantisation(context, layer);
  method(context, layer);
  batch(context, layer);
  lengths(context, layer);
  loss(context, layer);
  deepspeed(context, layer);
  further_models(context, layer);
  devices(context, layer);
}

}  // namespace oomlint::axolotl_parts
