#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace oomlint {

extern const Dialect axolotl;

namespace {

using test::Reading;

Reading run(std::string_view text) {
  return {axolotl, "run.yml", text};
}

std::string with_defaults(std::string_view text, Field field, Versions versions = {}) {
  return to_string(
      Reading(axolotl, "run.yml", text, std::move(versions)).plan_with_defaults()[field].effective);
}

Versions version(std::string package, Version exactly) {
  Versions versions;
  versions.set(std::move(package), {exactly, exactly, {}});
  return versions;
}

/// A config that runs into each check, and one close to it that does not; in the order of the table.
struct Snippet {
  std::string_view id;
  std::string_view hits;
  std::string_view passes;
};

const std::vector<Snippet>& snippets() {
  static const std::vector<Snippet> all{
      {"batch-keys", "micro_batch_size: 4\n", "micro_batch_size: 4\nbatch_size: 16\n"},
      {"batch-size-and-accumulation", "batch_size: 16\ngradient_accumulation_steps: 4\n", "batch_size: 16\n"},
      {"quantised-without-adapter", "load_in_8bit: true\n", "load_in_8bit: true\nadapter: lora\n"},
      {"lora-is-not-quantised", "adapter: lora\nload_in_4bit: true\n",
       "adapter: qlora\nload_in_4bit: true\n"},
      {"qlora-without-4bit", "adapter: qlora\n", "adapter: qlora\nload_in_4bit: true\n"},
      {"qlora-in-8bit", "adapter: qlora\nload_in_8bit: true\n", "adapter: lora\nload_in_8bit: true\n"},
      {"packing-with-rl", "rl: orpo\nsample_packing: true\n", "rl: orpo\nsample_packing: false\n"},
      {"kto-columns", "rl: kto\n", "rl: kto\nremove_unused_columns: false\n"},
      {"grpo-batch",
       "rl: grpo\nmicro_batch_size: 5\ngradient_accumulation_steps: 2\ntrl:\n  num_generations: 4\n",
       "rl: grpo\nmicro_batch_size: 4\ngradient_accumulation_steps: 2\ntrl:\n  num_generations: 4\n"},
      {"grpo-generations", "rl: grpo\ntrl:\n  num_generations: 1\n",
       "rl: grpo\ntrl:\n  num_generations: 2\n"},
      {"two-losses", "chunked_cross_entropy: true\nliger_cross_entropy: true\n",
       "chunked_cross_entropy: true\nliger_cross_entropy: false\n"},
      {"liger-without-plugin", "liger_rms_norm: true\n",
       "liger_rms_norm: true\nplugins:\n  - axolotl.integrations.liger.LigerPlugin\n"},
      {"cut-cross-entropy-without-plugin",
       "cut_cross_entropy: true\n# plugins:\n#   - "
       "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin\n",
       "cut_cross_entropy: false\n"},
      {"cut-cross-entropy-dtype",
       "cut_cross_entropy: true\nplugins: [axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin]\n",
       "cut_cross_entropy: true\nbf16: auto\nplugins: "
       "[axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin]\n"},
      {"no-sequence-length", "base_model: a\n", "sequence_len: 512\n"},
      {"offloading-without-checkpointing", "activation_offloading: legacy\n",
       "activation_offloading: legacy\ngradient_checkpointing: true\n"},
      {"selective-checkpointing", "selective_checkpointing: true\n",
       "selective_checkpointing: true\ngradient_checkpointing: true\n"},
      {"unfrozen-reentrant",
       "unfrozen_parameters: [head]\ngradient_checkpointing_kwargs:\n  use_reentrant: true\n",
       "unfrozen_parameters: [head]\ngradient_checkpointing_kwargs:\n  use_reentrant: false\n"},
      {"deepspeed-and-fsdp", "deepspeed: a.json\nfsdp: [full_shard]\n", "deepspeed: a.json\nfsdp:\n"},
      {"fsdp1-offload-8bit", "optimizer: adamw_bnb_8bit\nfsdp_config:\n  offload_params: true\n",
       "optimizer: adamw_bnb_8bit\nfsdp_version: 2\nfsdp_config:\n  offload_params: true\n"},
      {"fsdp2-8bit-adam", "optimizer: adamw_8bit\nfsdp_version: 2\nfsdp_config: {offload_params: false}\n",
       "optimizer: adamw_torch_8bit\nfsdp_version: 2\nfsdp_config: {offload_params: false}\n"},
      {"fsdp2-quantised-preference", "rl: kto\nload_in_8bit: true\nfsdp_version: 2\n",
       "rl: simpo\nload_in_8bit: true\nfsdp_version: 2\n"},
      {"tensor-parallel-8bit", "tensor_parallel_size: 4\noptimizer: paged_adamw_8bit\n",
       "tensor_parallel_size: 1\noptimizer: paged_adamw_8bit\n"},
      {"tensor-parallel-liger",
       "tensor_parallel_size: 4\nliger_fused_linear_cross_entropy: true\nplugins: "
       "[axolotl.integrations.liger.LigerPlugin]\n",
       "tensor_parallel_size: 4\nliger_swiglu: true\nplugins: [axolotl.integrations.liger.LigerPlugin]\n"},
      {"context-parallel-attention", "context_parallel_size: 2\n",
       "context_parallel_size: 2\nflash_attention: true\n"},
      {"context-parallel-packing", "sequence_parallel_degree: 2\nsample_packing: true\nmicro_batch_size: 4\n",
       "sequence_parallel_degree: 2\nsample_packing: true\nmicro_batch_size: 1\n"},
      {"flattening-attention", "batch_flattening: true\nattn_implementation: eager\n",
       "batch_flattening: auto\nattn_implementation: eager\n"},
      {"packing-without-attention", "sample_packing: yes\n", "sample_packing: yes\nflex_attention: true\n"},
      {"streaming-without-steps", "streaming: true\n", "streaming: true\nmax_steps: 100\n"},
      {"streaming-validation", "pretraining_dataset: [{path: c4}]\nval_set_size: 0.05\n",
       "pretraining_dataset: [{path: c4}]\nval_set_size: 0.0\n"},
      {"two-warmups", "warmup_steps: 5\nwarmup_ratio: 0.1\n", "warmup_steps: 5\nwarmup_ratio:\n"},
      {"two-save-rhythms", "save_steps: 50\nsave_strategy: epoch\n",
       "save_steps: 50\nsave_strategy: steps\n"},
      {"two-evaluation-rhythms", "eval_steps: 50\nevals_per_epoch: 2\n",
       "eval_steps: 50\nevals_per_epoch:\n"},
      {"two-attentions", "attn_implementation: eager\nsdp_attention: true\n",
       "attn_implementation: flash_attention_2\nflash_attention: true\n"},
      {"muon-sharding", "optimizer: muon\nfsdp: [full_shard]\n",
       "optimizer: muon\nfsdp: [full_shard]\nfsdp_version: 2\n"},
      {"dropout-on-parameters", "lora_target_parameters: [experts]\nlora_dropout: 0.1\n",
       "lora_target_parameters: [experts]\nlora_dropout: 0\n"},
      {"kernels-in-8bit", "adapter: lora\nload_in_8bit: true\nlora_o_kernel: true\n",
       "adapter: qlora\nload_in_4bit: true\nlora_o_kernel: true\n"},
      {"quantised-experts",
       "quantize_moe_experts: true\nadapter: qlora\nload_in_4bit: true\nlora_target_linear: true\n",
       "quantize_moe_experts: true\nadapter: qlora\nload_in_4bit: true\n"},
      {"compile-options", "torch_compile_options: {epilogue_fusion: true}\ntorch_compile: false\n",
       "torch_compile_options: {epilogue_fusion: true}\ntorch_compile: auto\n"},
      {"fp32-norms", "fp32_norms: true\nfsdp_version: 1\n", "fp32_norms: true\nfsdp_version: 2\n"},
      {"qat-with-adapter", "qat: {group_size: 32}\nadapter: lora\n", "qat: {group_size: 32}\n"},
      {"evaluation-batch", "micro_batch_size: 1\neval_batch_size: 4\n",
       "micro_batch_size: 4\neval_batch_size: 4\n"},
      {"checkpointing-mpt", "base_model: mosaicml/mpt-30b\ngradient_checkpointing: true\n",
       "base_model: mosaicml/mpt-30b\ngradient_checkpointing: false\n"},
      {"removed-key", "s2_attention: true\n", "s2_attention:\n"},
      {"sharegpt-type", "datasets:\n  - path: a\n  - {path: b, type: sharegpt.load_role}\n",
       "datasets:\n  - {path: b, type: chat_template}\n"},
      {"train-on-split", "datasets:\n  - {path: b, train_on_split: all}\n",
       "datasets:\n  - {path: b, split: all}\n"},
      {"fsdp-version", "fsdp_config: {offload_params: false}\n", "fsdp_config: {version: 2}\n"},
      {"evaluation-rhythm", "eval_strategy: epoch\nevals_per_epoch: 2\n",
       "eval_strategy: steps\nevals_per_epoch: 2\n"},
      {"evaluation-without-data", "eval_steps: 50\nval_set_size: 0\n",
       "eval_steps: 50\nval_set_size: 0\ntest_datasets: [{path: a}]\n"},
      {"validation-beside-tests", "val_set_size: 0.1\ntest_datasets: [{path: a}]\n",
       "val_set_size: 0\ntest_datasets: [{path: a}]\n"},
      {"generation-table", "sample_packing: true\neval_table_size: 5\n",
       "sample_packing: true\neval_table_size: 5\neval_sample_packing: false\n"},
      {"early-stopping", "early_stopping_patience: 3\nsave_steps: 100\neval_steps: 40\n",
       "early_stopping_patience: 3\nsave_steps: 100\neval_steps: 50\n"},
      {"simpo-warmup", "rl: simpo\nwarmup_ratio: 0.1\n", "rl: simpo\nwarmup_steps: 10\n"},
      {"packed-streams", "streaming: true\nsample_packing: true\ndatasets: [{path: a}, {path: b}]\n",
       "streaming: true\nsample_packing: true\ndatasets: [{path: a}]\n"},
      {"kernels-with-remote-code", "lora_mlp_kernel: true\ntrust_remote_code: true\n",
       "lora_mlp_kernel: true\ntrust_remote_code: false\n"},
      {"fused-mlp-with-adapter", "adapter: lora\nflash_attn_fuse_mlp: true\n", "flash_attn_fuse_mlp: true\n"},
      {"frozen-twice", "adapter: lora\npeft_layers_to_transform: [0]\nunfrozen_parameters: [lm_head]\n",
       "adapter: lora\npeft_layers_to_transform: [0]\n"},
      {"layers-pattern", "peft_layers_pattern: layers\n",
       "peft_layers_pattern: layers\npeft_layers_to_transform: [0]\n"},
      {"two-learning-rates", "lr_groups: [{name: a}]\nloraplus_lr_ratio: 4\n", "loraplus_lr_ratio: 4\n"},
      {"two-memory-limits", "max_memory: {0: 20GiB}\ngpu_memory_limit: 20GiB\n", "gpu_memory_limit: 20GiB\n"},
      {"relora", "relora: true\ndeepspeed: deepspeed_configs/zero1.json\n", "relora: true\n"},
      {"fp8-gather", "fp8_enable_fsdp_float8_all_gather: true\nfsdp_config: {offload_params: false}\n",
       "fp8_enable_fsdp_float8_all_gather: true\nfsdp_version: 2\n"},
      {"deepcompile", "deepcompile: true\n", "deepcompile: true\ndeepspeed: zero1.json\n"},
      {"unpinned-offload", "fsdp_config: {cpu_offload_pin_memory: false}\n",
       "fsdp_config: {cpu_offload_pin_memory: false}\nfsdp_version: 2\n"},
      {"quantised-twice", "model_quantization_config: Mxfp4Config\nload_in_4bit: true\n",
       "model_quantization_config: Mxfp4Config\nload_in_4bit: false\n"},
      {"falcon-fsdp", "base_model: tiiuae/Falcon-7b\nfsdp: [full_shard]\n",
       "base_model: tiiuae/Falcon-7b\nfsdp:\n"},
      {"nemotron-checkpointing", "base_model: nvidia/Nemotron-H-8B\ngradient_checkpointing: true\n",
       "base_model: nvidia/Nemotron-H-8B\ngradient_checkpointing: true\nsample_packing: true\n"},
      {"flash-optimizer", "optimizer: flash_adamw\nfsdp: [full_shard]\n",
       "optimizer: flash_adamw\nfsdp_version: 2\nfsdp_config: {offload_params: false}\n"},
      {"quantised-galore", "optimizer: q_galore_adamw8bit\nadapter: lora\n",
       "optimizer: q_galore_adamw8bit\n"},
      {"selective-with-offload", "selective_checkpointing: true\nactivation_offloading: true\n",
       "selective_checkpointing: true\nactivation_offloading: hidden_states\n"},
      {"grpo-liger-context-parallel", "rl: grpo\ntrl: {use_liger_loss: true}\ncontext_parallel_size: 2\n",
       "rl: grpo\ntrl: {use_liger_loss: true}\ncontext_parallel_size: 1\n"},
  };
  return all;
}

bool contains(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

TEST_CASE("axolotl: every check has a config that runs into it and one that does not") {
  REQUIRE(snippets().size() == axolotl.constraints.size());
  for (std::size_t i = 0; i < snippets().size(); ++i) {
    const Snippet& snippet = snippets()[i];
    const std::string id = "axolotl/" + std::string(snippet.id);
    INFO(id);
    CHECK(axolotl.constraints[i].id == id);
    CHECK(contains(run(snippet.hits).hits(), id));
    CHECK_FALSE(contains(run(snippet.passes).hits(), id));
  }
}

TEST_CASE("axolotl: checks blame a key of the text, and none speaks of keys missing from a broken text") {
  for (const Snippet& snippet : snippets()) {
    const Reading reading = run("base_model: a\n" + std::string(snippet.hits));
    for (const ConstraintFinding& finding : check_constraints(reading.context())) {
      INFO(finding.constraint->id);
      CHECK(finding.hit.at != no_node);
      CHECK_FALSE(finding.hit.message.empty());
    }
  }
  const Reading broken = run("base_model: a\nmicro_batch_size: [1\n");
  CHECK(broken.document().partial());
  CHECK(broken.hits().empty());
}

TEST_CASE("axolotl: what quantises the base") {
  CHECK(run("adapter: qlora\nload_in_4bit: true\n")[Field::quantisation] == "nf4_double");
  CHECK(run("adapter: qlora\nload_in_4bit: true\nbnb_config_kwargs: {bnb_4bit_use_double_quant: false}\n")
            [Field::quantisation] == "nf4");
  CHECK(run("adapter: lora\nload_in_8bit: true\n")[Field::quantisation] == "int8");
  CHECK(with_defaults("adapter: lora\n", Field::quantisation) == "none");
}

TEST_CASE("axolotl: lora with load_in_4bit is not quantised, and its base ends up in fp32") {
  const TrainingPlan plan = run("adapter: lora\nload_in_4bit: true\nbf16: true\n").plan();
  CHECK(to_string(plan[Field::quantisation].requested) == "nf4_double");
  CHECK(to_string(plan[Field::quantisation].effective) == "none");
  CHECK(plan[Field::quantisation].difference == Difference::ignored);
  CHECK(to_string(plan[Field::weight_dtype].requested) == "bf16");
  CHECK(to_string(plan[Field::weight_dtype].effective) == "fp32");
}

TEST_CASE("axolotl: precision") {
  const auto dtypes = [](std::string_view text) {
    const Reading reading = run(text);
    return reading[Field::weight_dtype] + " " + reading[Field::compute_dtype] + " " +
           reading[Field::autocast];
  };
  CHECK(dtypes("bf16: auto\nfp16:\n") == "bf16 bf16 true");
  CHECK(dtypes("base_model: a\n") == "bf16 bf16 true");
  CHECK(dtypes("bf16: false\nfp16: true\n") == "fp16 fp16 true");
  CHECK(dtypes("bfloat16: true\n") == "bf16 bf16 false");
  CHECK(dtypes("bf16: false\n") == "fp32 fp32 false");
  CHECK(dtypes("bf16: false\nload_in_8bit: true\n") == "fp16 fp32 false");
}

TEST_CASE("axolotl: batch keys") {
  CHECK(run("batch_size: 16\nmicro_batch_size: 4\n")[Field::accumulation] == "4");
  CHECK(run("gradient_accumulation_steps: 2\nmicro_batch_size: 4\n")[Field::accumulation] == "2");
  CHECK(run("batch_size: 16\nmicro_batch_size: 4\n").spelled(Field::accumulation, std::int64_t{8}) ==
        "micro_batch_size: 4\ngradient_accumulation_steps: 8\n");
}

TEST_CASE("axolotl: attention by its new and its old names") {
  CHECK(run("attn_implementation: flash_attention_2\n")[Field::attention] == "flash");
  CHECK(run("attn_implementation: kernels-community/vllm-flash-attn3\n")[Field::attention] == "flash");
  CHECK(run("attn_implementation: org/other\n")[Field::attention] == "?");
  CHECK(run("flash_attention: true\n")[Field::attention] == "flash");
  CHECK(run("sdp_attention: true\nflash_attention:\n")[Field::attention] == "sdpa");
  CHECK(with_defaults("base_model: a\n", Field::attention) == "sdpa");
  CHECK(with_defaults("base_model: a\n", Field::attention, version("transformers", {4, 35, 2})) == "eager");
}

TEST_CASE("axolotl: a fused loss takes its plugin, not a comment about it") {
  constexpr std::string_view cut = "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin";
  CHECK(run("plugins:\n  - " + std::string(cut) + "\n")[Field::loss] == "fused");
  CHECK(run("plugins:\n  - " + std::string(cut) + "\ncut_cross_entropy: false\n")[Field::loss] == "?");
  const Value loss =
      run("# plugins:\n#   - " + std::string(cut) + "\ncut_cross_entropy: true\n").plan()[Field::loss];
  CHECK(to_string(loss.requested) == "fused");
  CHECK(to_string(loss.effective) == "plain");
  CHECK(loss.difference == Difference::ignored);
  const std::string liger =
      "plugins: [axolotl.integrations.liger.LigerPlugin]\nliger_fused_linear_cross_entropy: true\n";
  CHECK(run(liger)[Field::loss] == "fused");
  CHECK(run(liger + "rl: dpo\n")[Field::loss] == "plain");
}

TEST_CASE("axolotl: the loss is fused by listing the plugin that does it") {
  const std::string text =
      run("base_model: a\nplugins:\n  - my.Plugin\n").spelled(Field::loss, std::string("fused"));
  CHECK(text ==
        "base_model: a\nliger_fused_linear_cross_entropy: true\nplugins:\n  - my.Plugin\n"
        "  - axolotl.integrations.liger.LigerPlugin\n");
}

TEST_CASE("axolotl: sharding") {
  CHECK(run("fsdp:\nfsdp_config:\n")[Field::sharding] == "?");
  CHECK(run("fsdp: [full_shard, auto_wrap]\n")[Field::sharding] == "fsdp");
  CHECK(run("fsdp: [shard_grad_op]\n")[Field::sharding] == "fsdp_grad_op");
  CHECK(run("fsdp_config: {fsdp_sharding_strategy: HYBRID_SHARD}\n")[Field::sharding] == "hsdp");
  CHECK(run("fsdp_version: 2\nfsdp_config: {reshard_after_forward: false}\n")[Field::sharding] ==
        "fsdp_grad_op");
  const TrainingPlan named = run("deepspeed: deepspeed_configs/zero3_bf16_cpuoffload_all.json\n").plan();
  CHECK(to_string(named[Field::sharding].effective) == "zero3");
  CHECK(to_string(named[Field::offload_optimizer].effective) == "true");
  CHECK(named[Field::sharding].effective_origin.kind == OriginKind::inferred);
}

TEST_CASE("axolotl: tasks and the models they need") {
  CHECK(with_defaults("base_model: a\n", Field::task) == "sft");
  CHECK(run("rl: ipo\n")[Field::task] == "dpo");
  CHECK(run("reward_model: true\n")[Field::task] == "reward");
  CHECK(run("pretraining_dataset: [{path: c4}]\n")[Field::task] == "pretrain");
  CHECK(run("base_model: a\nrl: dpo\n")[Field::reference_model] == "a");
  CHECK(run("base_model: a\nrl: dpo\nadapter: lora\n")[Field::reference_model] == "?");
  CHECK(run("base_model: a\nrl: dpo\nprecompute_ref_log_probs: true\n")[Field::reference_model] == "?");
}

TEST_CASE("axolotl: which parameters train") {
  CHECK(with_defaults("base_model: a\nadapter:\n", Field::method) == "full");
  CHECK(run("adapter: qlora\npeft_use_dora: true\n")[Field::method] == "dora");
  CHECK(run("unfrozen_parameters:\n  - ^lm_head.weight$\n")[Field::method] == "head");
  CHECK(run("unfrozen_parameters:\n  - ^lm_head.weight$\n  - model.layers.3[0-9]+\n")[Field::method] ==
        "freeze");
  CHECK(run("base_model: a\nadapter: lora\nlora_r: 8\n").spelled(Field::method, std::string("qlora")) ==
        "base_model: a\nadapter: qlora\nload_in_4bit: true\nlora_r: 8\n");
  CHECK(run("adapter: lora\nlora_target_linear: true\n")[Field::lora_targets] == "all-linear");
  CHECK(run("adapter: lora\nlora_target_modules:\n  - q_proj\n  - v_proj\n")[Field::lora_targets] ==
        "q_proj, v_proj");
}

TEST_CASE("axolotl: defaults by version") {
  CHECK(with_defaults("base_model: a\n", Field::optimizer) == "adamw_torch_fused");
  CHECK(with_defaults("base_model: a\n", Field::optimizer, version("axolotl", {0, 7, 1})) == "adamw_hf");
  CHECK(with_defaults("base_model: a\n", Field::tf32, version("axolotl", {0, 15, 0})) == "false");
  CHECK(with_defaults("base_model: a\n", Field::sequence_length) == "512");
}

TEST_CASE("axolotl: known keys") {
  CHECK(is_known_key(axolotl, "datasets[0].type"));
  CHECK(is_known_key(axolotl, "fsdp_config.fsdp_offload_params"));
  CHECK(is_known_key(axolotl, "liger_rms_norm"));
  CHECK_FALSE(is_known_key(axolotl, "micro_batchsize"));
  CHECK(nearest_known_key(axolotl, "micro_batchsize") == "micro_batch_size");
  CHECK(nearest_known_key(axolotl, "context_parapllel_size") == "context_parallel_size");
}

}  // namespace oomlint
