#include "tests/support/dialects.h"

#include <doctest/doctest.h>

namespace oomlint {

extern const Dialect megatron_lm, megatron_args, megatron_bridge;

namespace {

using test::Reading;

constexpr std::string_view llama =
    "num_layers: 12\nhidden_size: 8192\nffn_hidden_size: 28672\nnum_attention_heads: 64\n"
    "group_query_attention: true\nnum_query_groups: 8\nvocab_size: 128256\n"
    "untie_embeddings_and_output_weights: true\nswiglu: true\nnormalization: RMSNorm\n"
    "seq_length: 4096\nmicro_batch_size: 1\nglobal_batch_size: 16\nbf16: true\n"
    "use_distributed_optimizer: true\nsequence_parallel: true\n"
    "recompute_granularity: full\nrecompute_method: block\nrecompute_num_layers: 0\n"
    "cross_entropy_loss_fusion: true\ncross_entropy_fusion_impl: te\n"
    "tensor_model_parallel_size: 4\npipeline_model_parallel_size: 1\n";

}  // namespace

TEST_CASE("Megatron-LM: a Llama in arguments") {
  const Reading reading(megatron_lm, "args.yaml", llama);
  CHECK(reading[Field::model_type] == "llama");
  CHECK(reading[Field::layers] == "12");
  CHECK(reading[Field::kv_heads] == "8");
  CHECK(reading[Field::tied_embeddings] == "false");
  CHECK(reading[Field::compute_dtype] == "bf16");
  CHECK(reading[Field::gradient_dtype] == "fp32");
  CHECK(reading[Field::sharding] == "megatron");
  CHECK(reading[Field::checkpointing] == "none");  // full recomputation of no layer
  CHECK(reading[Field::loss] == "kernel");
  CHECK(reading[Field::compiled_loss] == "false");
  CHECK(reading[Field::tensor_parallel] == "4");
  CHECK(reading[Field::effective_batch] == "16");
}

TEST_CASE("Megatron-LM: defaults that depend on other arguments") {
  const Reading plain(megatron_lm, "args.yaml",
                      "num_layers: 2\nhidden_size: 1024\nnum_attention_heads: 16\nseq_length: 64\n");
  CHECK(plain[Field::intermediate_size] == "4096");
  CHECK(plain[Field::kv_heads] == "16");
  CHECK(plain[Field::tied_embeddings] == "true");
  CHECK(plain[Field::model_type] == "gpt2");
  CHECK(plain[Field::compute_dtype] == "fp32");
  CHECK(plain[Field::compiled_loss] == "true");
  CHECK(plain.plan_with_defaults().text(Field::sharding) == "ddp");
  const Reading gated(
      megatron_lm, "args.yaml",
      "num_layers: 2\nhidden_size: 1000\nnum_attention_heads: 16\nswiglu: true\nfp16: true\n");
  CHECK(gated[Field::intermediate_size] == "2624");  // 4 · 1000 · 2/3 in whole 64s
  CHECK(gated[Field::gradient_dtype] == "fp16");
}

TEST_CASE("Megatron-LM: recomputation and interleaving") {
  const std::string base = "num_layers: 32\npipeline_model_parallel_size: 4\n";
  const auto mode = [&](std::string_view more) {
    return Reading(megatron_lm, "args.yaml", base + std::string(more))[Field::checkpointing];
  };
  CHECK(mode("recompute_granularity: full\nrecompute_method: uniform\nrecompute_num_layers: 1\n") == "full");
  CHECK(mode("recompute_granularity: full\nrecompute_method: block\nrecompute_num_layers: 4\n") ==
        "selective");
  const Reading parts(megatron_lm, "args.yaml",
                      base + "recompute_granularity: selective\nrecompute_modules: [layernorm, moe_act]\n" +
                          "num_layers_per_virtual_pipeline_stage: 2\n");
  CHECK(parts[Field::recompute_modules] == "layernorm, moe_act");
  CHECK(parts[Field::virtual_pipeline] == "4");
}

TEST_CASE("Megatron-LM: leading dense layers") {
  const auto dense = [](std::string_view frequency) {
    return Reading(megatron_lm, "args.yaml", "moe_layer_freq: \"" + std::string(frequency) + "\"\n")
        .plan()
        .count(Field::dense_layers);
  };
  CHECK(dense("([0]*1+[1]*26)") == 1);
  CHECK(dense("([0]*3+[1]*58)*1") == 3);
  CHECK_FALSE(dense("2").has_value());
}

TEST_CASE("Megatron-LM: the same arguments under MODEL_ARGS") {
  const Reading reading(
      megatron_args, "model_config.yaml",
      "MODEL_ARGS:\n  --num-layers: 32\n  --hidden-size: 4096\n  --num-attention-heads: 32\n"
      "  --micro-batch-size: 1\n  --global-batch-size: 8\n  --seq-length: 8192\n"
      "  --pipeline-model-parallel-size: 4\n  --use-distributed-optimizer: true\n"
      "  --bf16: true\n");
  CHECK(reading[Field::layers] == "32");
  CHECK(reading[Field::intermediate_size] == "16384");
  CHECK(reading[Field::pipeline_parallel] == "4");
  CHECK(reading[Field::sharding] == "megatron");
  CHECK(reading[Field::sequence_length] == "8192");
  const std::string edited = reading.spelled(Field::micro_batch, std::int64_t{2});
  CHECK(edited.find("  --micro-batch-size: 2\n") != std::string::npos);
}

TEST_CASE("Megatron-Bridge: overrides of a recipe") {
  const Reading reading(megatron_bridge, "run.yaml",
                        "# recipe: Llama-3-8B, sft, bf16\nmodel:\n  tensor_model_parallel_size: 2\n"
                        "  expert_model_parallel_size: 8\n  seq_length: 4096\n  sequence_parallel: true\n"
                        "  recompute_granularity: selective\n  recompute_modules: [mla_up_proj]\n"
                        "train:\n  micro_batch_size: 1\n  global_batch_size: 4\nmixed_precision: mxfp8\n"
                        "ddp:\n  grad_reduce_in_fp32: false\n");
  const TrainingPlan plan = reading.plan_with_defaults();
  CHECK(plan.text(Field::model) == "Llama-3-8B");
  CHECK(plan[Field::model].effective_origin.kind == OriginKind::inferred);
  CHECK(plan.text(Field::compute_dtype) == "bf16");
  CHECK(plan.text(Field::gradient_dtype) == "bf16");
  CHECK(plan.text(Field::sharding) == "megatron");
  CHECK(plan.text(Field::checkpointing) == "selective");
  CHECK(plan.count(Field::expert_tensor_parallel) == 1);
  CHECK(plan.text(Field::loss) == "kernel");
}

}  // namespace oomlint
