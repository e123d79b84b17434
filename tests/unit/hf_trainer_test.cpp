#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oomlint {

extern const Dialect hf_trainer, model_config;

namespace {

using test::Reading;

bool hits(const Reading& reading, std::string_view id) {
  const auto ids = reading.hits();
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

Versions transformers(Version version) {
  Versions versions;
  versions.set("transformers", {version, version, {}});
  return versions;
}

TEST_CASE("TrainingArguments in YAML") {
  const Reading reading(hf_trainer, "args.yaml",
                        "model_name_or_path: my/model\n"
                        "per_device_train_batch_size: 2\n"
                        "gradient_accumulation_steps: 16\n"
                        "bf16: true\n"
                        "optim: adamw_bnb_8bit\n"
                        "gradient_checkpointing: true\n"
                        "gradient_checkpointing_kwargs:\n  use_reentrant: false\n"
                        "attn_implementation: flash_attention_2\n"
                        "eval_strategy: epoch\n"
                        "eval_accumulation_steps: 4\n"
                        "fsdp: shard_grad_op auto_wrap offload\n"
                        "max_steps: -1\n"
                        "use_liger_kernel: true\n");
  CHECK(reading[Field::model] == "my/model");
  CHECK(reading[Field::micro_batch] == "2");
  CHECK(reading[Field::accumulation] == "16");
  CHECK(reading[Field::compute_dtype] == "bf16");
  CHECK(reading[Field::autocast] == "true");
  CHECK(reading[Field::optimizer] == "adamw_bnb_8bit");
  CHECK(reading[Field::checkpointing] == "full");
  CHECK(reading[Field::checkpointing_reentrant] == "false");
  CHECK(reading[Field::attention] == "flash");
  CHECK(reading[Field::evaluation] == "true");
  CHECK(reading[Field::evaluation_keeps_logits] == "false");
  CHECK(reading[Field::sharding] == "fsdp_grad_op");
  CHECK(reading[Field::offload_parameters] == "true");
  CHECK(reading[Field::max_steps] == "?");
  CHECK(reading[Field::loss] == "fused");
}

TEST_CASE("TrainingArguments: defaults follow the versions") {
  const std::string_view text = "model_name_or_path: my/model\nnum_train_epochs: 1\n";
  const TrainingPlan old = Reading(hf_trainer, "a.yaml", text, transformers({4, 57, 0})).plan_with_defaults();
  CHECK(old.text(Field::weight_dtype) == "fp32");
  CHECK(old.count(Field::micro_batch) == 8);
  CHECK(old.count(Field::evaluation_batch) == 8);
  CHECK(old.flag(Field::autocast) == false);
  CHECK(old.text(Field::checkpointing) == "none");
  const TrainingPlan current =
      Reading(hf_trainer, "a.yaml", text, transformers({5, 2, 0})).plan_with_defaults();
  CHECK_FALSE(current[Field::weight_dtype].known());
}

TEST_CASE("TrainingArguments: a bare `no` is the strategy and not a value of its own") {
  CHECK(Reading(hf_trainer, "a.yaml", "eval_strategy: no\n")[Field::evaluation] == "false");
  CHECK(Reading(hf_trainer, "a.yaml", "eval_strategy: no\ndo_eval: true\n")[Field::evaluation] == "true");
  CHECK(Reading(hf_trainer, "a.json", R"({"evaluation_strategy": "steps"})")[Field::evaluation] == "true");
}

TEST_CASE("TrainingArguments: what the loader does not convert stays unread") {
  CHECK(Reading(hf_trainer, "a.yaml", "per_device_train_batch_size: \"4\"\n")[Field::micro_batch] == "?");
  CHECK(Reading(hf_trainer, "a.yaml", "dtype: auto\n").plan_with_defaults()[Field::weight_dtype].known() ==
        false);
}

TEST_CASE("TrainingArguments: FSDP as a flag with its block") {
  CHECK(Reading(hf_trainer, "a.yaml", "fsdp: true\n")[Field::sharding] == "fsdp");
  CHECK(Reading(hf_trainer, "a.yaml",
                "fsdp: true\nfsdp_config: {reshard_after_forward: false}\n")[Field::sharding] ==
        "fsdp_grad_op");
  CHECK(Reading(hf_trainer, "a.json", R"({"fsdp": ["hybrid_shard", "auto_wrap"]})")[Field::sharding] ==
        "hsdp");
  CHECK(Reading(hf_trainer, "a.yaml", "fsdp: ''\n")[Field::sharding] == "?");
}

TEST_CASE("TrainingArguments: the Trainer's own checks") {
  const auto hit = [](std::string_view text, std::string_view id) {
    return hits(Reading(hf_trainer, "a.yaml", text, transformers({5, 24, 0})), id);
  };
  CHECK(hit("bf16: true\nfp16: true\n", "transformers/fp16-and-bf16"));
  CHECK_FALSE(hit("bf16: true\nfp16: false\n", "transformers/fp16-and-bf16"));

  constexpr std::string_view best = "transformers/best-model-strategies-differ";
  CHECK(hit("load_best_model_at_end: true\neval_strategy: epoch\n", best));
  CHECK_FALSE(hit("load_best_model_at_end: true\neval_strategy: steps\n", best));
  CHECK_FALSE(hit("load_best_model_at_end: true\neval_strategy: epoch\nsave_strategy: best\n", best));

  constexpr std::string_view between = "transformers/save-between-evaluations";
  CHECK(hit("load_best_model_at_end: true\neval_strategy: steps\neval_steps: 300\n", between));
  CHECK_FALSE(
      hit("load_best_model_at_end: true\neval_strategy: steps\neval_steps: 250\nsave_steps: 500\n", between));
  CHECK_FALSE(
      hit("load_best_model_at_end: true\neval_strategy: steps\neval_steps: 0.1\nsave_steps: 0.2\n", between));

  CHECK(hit("eval_strategy: steps\nlogging_steps: 0\n", "transformers/evaluation-without-steps"));
  CHECK_FALSE(hit("eval_strategy: steps\nlogging_steps: 0\neval_steps: 5\n",
                  "transformers/evaluation-without-steps"));

  constexpr std::string_view prefetch = "transformers/prefetch-without-workers";
  CHECK(hit("dataloader_prefetch_factor: 2\n", prefetch));
  CHECK_FALSE(hit("dataloader_prefetch_factor: 2\ndataloader_num_workers: 4\n", prefetch));

  CHECK(hit("optim: galore_adamw\n", "transformers/low-rank-optimizer-without-targets"));
  CHECK_FALSE(hit("optim: apollo_adamw\noptim_target_modules: [q_proj]\n",
                  "transformers/low-rank-optimizer-without-targets"));
  CHECK(hit("optim: adamw_8bits\n", "transformers/unknown-optimizer"));
  CHECK_FALSE(hit("optim: paged_adamw_8bit\n", "transformers/unknown-optimizer"));

  CHECK(hit("auto_find_batch_size: true\ndeepspeed: {zero_optimization: {stage: 3}}\n",
            "transformers/batch-search-with-zero3"));
  CHECK_FALSE(hit("auto_find_batch_size: true\ndeepspeed: {zero_optimization: {stage: 2}}\n",
                  "transformers/batch-search-with-zero3"));
  CHECK(hit("fsdp: hybrid_shard\n", "transformers/hybrid-shard-on-fsdp2"));
  CHECK_FALSE(hit("fsdp: hybrid_shard\nfsdp_config: {version: 1}\n", "transformers/hybrid-shard-on-fsdp2"));
  CHECK(hit("fsdp: full_shard\ngradient_checkpointing: true\n", "transformers/checkpointing-beside-fsdp"));
  CHECK(hit("load_in_4bit: true\nload_in_8bit: true\n", "bitsandbytes/four-and-eight-bit"));
  CHECK(hit("bnb_4bit_quant_storage: bf16\n", "bitsandbytes/storage-dtype"));
  CHECK_FALSE(hit("bnb_4bit_quant_storage: bfloat16\n", "bitsandbytes/storage-dtype"));
}

TEST_CASE("FSDP 2 is only assumed where the version is known") {
  CHECK_FALSE(
      hits(Reading(hf_trainer, "a.yaml", "fsdp: hybrid_shard\n"), "transformers/hybrid-shard-on-fsdp2"));
}

TEST_CASE("TrainingArguments: adapters of the script") {
  const auto method = [](std::string_view text) {
    return Reading(hf_trainer, "a.yaml", text)[Field::method];
  };
  CHECK(method("lora_r: 16\n") == "lora");
  CHECK(method("lora_rank: 16\nload_in_4bit: true\n") == "qlora");
  CHECK(method("use_lora: true\n") == "lora");
  CHECK(method("use_peft: false\nlora_r: 16\n") == "full");
  CHECK(method("bf16: true\n") == "?");
  CHECK(Reading(hf_trainer, "a.yaml", "lora_r: 16\n").plan()[Field::method].effective_origin.kind ==
        OriginKind::inferred);
}

TEST_CASE("arguments that a version dropped") {
  const auto hit = [](std::string_view text, Version version) {
    return hits(Reading(hf_trainer, "a.yaml", text, transformers(version)), "transformers/removed-key");
  };
  CHECK(hit("overwrite_output_dir: true\n", {5, 0, 0}));
  CHECK_FALSE(hit("overwrite_output_dir: true\n", {4, 57, 0}));
  CHECK(hit("warmup_ratio: 0.1\n", {5, 24, 0}));
  CHECK_FALSE(hit("warmup_ratio: 0.1\n", {5, 10, 0}));
  CHECK_FALSE(
      hits(Reading(hf_trainer, "a.yaml", "overwrite_output_dir: true\n"), "transformers/removed-key"));
}

TEST_CASE("which files are TrainingArguments") {
  const auto accepts = [](std::string_view name, std::string_view text) {
    return hold_against(test::document(name, text), hf_trainer).accepted;
  };
  CHECK(accepts("a.json", R"({"per_device_train_batch_size": 4, "bf16": true, "output_dir": "o"})"));
  CHECK(accepts("a.yaml", "model_name_or_path: a/b\nnum_train_epochs: 3\nlearning_rate: 1.0e-5\n"));
  CHECK_FALSE(accepts("a.yaml", "output_dir: o\nlearning_rate: 1.0e-5\nbf16: true\n"));
  CHECK_FALSE(accepts("a.yaml",  // LLaMA-Factory
                      "model_name_or_path: a/b\nstage: sft\nfinetuning_type: lora\ncutoff_len: 2048\n"
                      "per_device_train_batch_size: 1\nlearning_rate: 1.0e-4\n"));
  CHECK_FALSE(accepts("a.yaml",
                      "model: a/b\ntuner_type: lora\nper_device_train_batch_size: 1\nbf16: true\n"
                      "num_train_epochs: 1\n"));
  CHECK_FALSE(
      accepts("package.json", R"({"name": "x", "scripts": {"build": "tsc"}, "devDependencies": {}})"));
  CHECK_FALSE(accepts("compose.yaml", "services:\n  web:\n    image: nginx\n    ports: ['80:80']\n"));
  CHECK_FALSE(accepts("ci.yml", "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: []\n"));
}

TEST_CASE("config.json of a model folder") {
  const Reading reading(
      model_config, "config.json",
      R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "vocab_size": 32000,
 "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "tie_word_embeddings": false,
 "torch_dtype": "bfloat16", "quantization_config": {"quant_method": "gptq", "bits": 4}})");
  CHECK(hold_against(reading.document(), model_config).accepted);
  CHECK(reading[Field::model_type] == "llama");
  CHECK(reading[Field::layers] == "32");
  CHECK(reading[Field::kv_heads] == "8");
  CHECK(reading[Field::quantisation] == "gptq");
  CHECK(reading[Field::weight_dtype] == "?");
  CHECK_FALSE(hold_against(test::document("tsconfig.json", R"({"compilerOptions": {"target": "es2022"}})"),
                           model_config)
                  .accepted);
  CHECK(Reading(model_config, "config.json",
                R"({"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": true,
 "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": true}})")[Field::quantisation] == "nf4_double");
}

}  // namespace
}  // namespace oomlint
