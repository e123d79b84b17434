#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oomlint {

extern const Dialect trl, hf_trainer;

namespace {

using test::Reading;

Versions released(Version version) {
  Versions versions;
  versions.set("trl", {version, version, {}});
  return versions;
}

bool hits(std::string_view text, std::string_view id, std::string_view name = "recipe.yaml") {
  const auto ids = Reading(trl, name, text, released({1, 10, 0})).hits();
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

constexpr std::string_view qlora =
    "model_name_or_path: my/model\n"
    "use_peft: true\n"
    "lora_r: 32\n"
    "lora_target_modules: [q_proj, v_proj]\n"
    "load_in_4bit: true\n"
    "use_bnb_nested_quant: true\n"
    "dataset_name: my/data\n"
    "packing: true\n"
    "max_length: 4096\n";

TEST_CASE("a QLoRA recipe") {
  const Reading reading(trl, "recipe.yaml", qlora);
  CHECK(reading[Field::task] == "sft");
  CHECK(reading[Field::method] == "qlora");
  CHECK(reading[Field::quantisation] == "nf4_double");
  CHECK(reading[Field::lora_rank] == "32");
  CHECK(reading.plan_with_defaults().number(Field::lora_alpha) == 32.0);
  CHECK(reading[Field::lora_targets] == "q_proj, v_proj");
  CHECK(reading[Field::sequence_length] == "4096");
  CHECK(reading[Field::packing] == "true");
}

TEST_CASE("defaults by release") {
  const std::string_view text = "model_name_or_path: my/model\ndataset_name: my/data\n";
  const TrainingPlan old = Reading(trl, "r.yaml", text, released({0, 18, 0})).plan_with_defaults();
  CHECK(old.text(Field::checkpointing) == "none");
  CHECK(old.flag(Field::autocast) == false);
  CHECK_FALSE(old[Field::compute_dtype].known());
  CHECK(old.text(Field::loss) == "plain");
  CHECK(old.count(Field::sequence_length) == 1024);

  const TrainingPlan current = Reading(trl, "r.yaml", text, released({1, 9, 0})).plan_with_defaults();
  CHECK(current.text(Field::checkpointing) == "full");
  CHECK(current.flag(Field::autocast) == true);
  CHECK(current.text(Field::compute_dtype) == "bf16");
  CHECK(current.text(Field::loss) == "chunked");
  CHECK(current.text(Field::weight_dtype) == "fp32");
  CHECK(current.text(Field::method) == "full");
  CHECK(current[Field::loss].effective_origin.kind == OriginKind::framework_default);
}

TEST_CASE("bf16 off leaves the weights' dtype to compute in") {
  const TrainingPlan plan =
      Reading(trl, "r.yaml", "model_name_or_path: a/b\nbf16: false\ndtype: float16\n").plan_with_defaults();
  CHECK(plan.flag(Field::autocast) == false);
  CHECK(plan.text(Field::compute_dtype) == "fp16");
}

TEST_CASE("the dtype key by release") {
  const std::string_view text = "model_name_or_path: a/b\ntorch_dtype: bfloat16\n";
  CHECK(Reading(trl, "r.yaml", text, released({0, 26, 0})).plan()[Field::weight_dtype].difference ==
        Difference::none);
  CHECK(Reading(trl, "r.yaml", text, released({0, 27, 0})).plan()[Field::weight_dtype].difference ==
        Difference::ignored);
  CHECK(hits(text, "trl/torch-dtype"));
  CHECK_FALSE(hits("model_name_or_path: a/b\ntorch_dtype: bfloat16\ndtype: bfloat16\n", "trl/torch-dtype"));
}

TEST_CASE("the task from keys and path") {
  const auto task = [](std::string_view text, std::string_view name = "recipe.yaml") {
    return Reading(trl, name, text)[Field::task];
  };
  CHECK(task("num_generations: 8\nreward_funcs: [accuracy]\n") == "grpo");
  CHECK(task("beta: 0.1\nloss_type: sigmoid\n") == "dpo");
  CHECK(task("beta: 0.1\n", "recipes/some/orpo/config.yaml") == "orpo");
  CHECK(task("beta: 0.1\nmax_prompt_length: 512\n", "kto_full.yaml") == "kto");
  CHECK(task("desirable_weight: 1.0\n") == "kto");
  CHECK(task("center_rewards_coefficient: 0.01\n") == "reward");
  CHECK(task("teacher_model_name_or_path: a/b\n") == "distill");
  CHECK(task("packing: true\n", "recipes/dpo/warmup.yaml") == "sft");
  CHECK(task("learning_rate: 1.0e-5\n") == "sft");
  CHECK(task("learning_rate: 1.0e-5\n", "endpoint.yaml") == "sft");
}

TEST_CASE("the reference model of preference training") {
  const std::string base = "model_name_or_path: a/b\nbeta: 0.1\nloss_type: sigmoid\n";
  CHECK(Reading(trl, "r.yaml", base)[Field::reference_model] == "a/b");
  CHECK(Reading(trl, "r.yaml", base + "use_peft: true\n")[Field::reference_model] == "?");
  CHECK(Reading(trl, "r.yaml", base + "precompute_ref_log_probs: true\n")[Field::reference_model] == "?");
  const std::string grpo = "model_name_or_path: a/b\nnum_generations: 8\n";
  CHECK(Reading(trl, "r.yaml", grpo, released({0, 18, 0}))[Field::reference_model] == "a/b");
  CHECK(Reading(trl, "r.yaml", grpo, released({0, 22, 0}))[Field::reference_model] == "?");
}

TEST_CASE("rollouts") {
  const std::string base =
      "model_name_or_path: a/b\nnum_generations: 16\nuse_vllm: true\nmax_prompt_length: 512\n"
      "max_completion_length: 1024\n";
  const Reading shared(trl, "r.yaml", base + "vllm_mode: colocate\n");
  CHECK(shared[Field::generations_per_prompt] == "16");
  CHECK(shared[Field::rollout_engine] == "vllm");
  CHECK(shared[Field::rollout_memory_fraction] == "0.3");
  CHECK(shared[Field::sequence_length] == "1536");
  const TrainingPlan apart =
      Reading(trl, "r.yaml", base + "vllm_mode: server\nvllm_gpu_memory_utilization: 0.7\n").plan();
  CHECK(apart.number(Field::rollout_memory_fraction) == 0.0);
  CHECK(apart[Field::rollout_memory_fraction].difference == Difference::ignored);
}

TEST_CASE("TRL's own scripts evaluate by strategy alone") {
  CHECK(Reading(trl, "r.yaml", "do_eval: true\ndataset_name: d\n")[Field::evaluation] == "false");
  CHECK(Reading(trl, "r.yaml", "do_eval: true\ndataset_mixture: {datasets: []}\n")[Field::evaluation] ==
        "true");
  CHECK(Reading(trl, "r.yaml", "do_eval: true\neval_strategy: steps\n")[Field::evaluation] == "true");
}

TEST_CASE("an adapter and its base's storage are spelled with all their switches") {
  const Reading full(trl, "r.yaml", "model_name_or_path: a/b\nlearning_rate: 1.0e-5\n");
  const Reading adapted(trl, "r.yaml", full.spelled(Field::method, std::string("qlora")));
  CHECK(adapted[Field::method] == "qlora");
  CHECK(adapted[Field::quantisation] == "nf4");
  const Reading quantised(trl, "r.yaml", qlora);
  CHECK(Reading(trl, "r.yaml",
                quantised.spelled(Field::quantisation, std::string("int8")))[Field::quantisation] == "int8");
  CHECK(Reading(trl, "r.yaml",
                quantised.spelled(Field::quantisation, std::string("nf4")))[Field::quantisation] == "nf4");
  CHECK(Reading(trl, "r.yaml",
                quantised.spelled(Field::quantisation, std::string("fp4")))[Field::quantisation] == "fp4");
  CHECK(quantised.spelled(Field::quantisation, std::string("gptq")) == "nothing");
  CHECK(quantised.spelled(Field::quantisation, std::string("nf4_double")) == qlora);
}

TEST_CASE("TRL's own checks") {
  CHECK(hits("padding_free: true\npacking: true\n", "trl/padding-free-without-flash"));
  CHECK_FALSE(
      hits("padding_free: true\nattn_implementation: flash_attention_2\n", "trl/padding-free-without-flash"));
  CHECK(hits("packing: true\nattn_implementation: sdpa\n", "trl/packing-without-flash"));
  CHECK_FALSE(hits("packing: true\npacking_strategy: wrapped\n", "trl/packing-without-flash"));
  CHECK(hits("padding_free: true\n", "trl/padding-free-with-max-length"));
  CHECK_FALSE(hits("padding_free: true\nmax_length: null\n", "trl/padding-free-with-max-length"));
  CHECK_FALSE(hits("padding_free: true\npacking: true\n", "trl/padding-free-with-max-length"));
  CHECK(hits("use_liger_kernel: true\nloss_type: chunked_nll\n", "trl/liger-with-chunked-loss"));
  CHECK(hits("load_in_4bit: true\n", "trl/quantised-without-adapter"));
  CHECK_FALSE(hits("load_in_4bit: true\nuse_peft: true\n", "trl/quantised-without-adapter"));
  CHECK(hits("lora_r: 16\n", "trl/adapter-keys-without-adapter"));
  CHECK(hits("generation_batch_size: 64\nsteps_per_generation: 4\n", "trl/two-generation-batches"));
  CHECK(hits("num_generations: 1\n", "trl/one-generation"));
  CHECK_FALSE(hits("num_generations: 2\n", "trl/one-generation"));
  CHECK(hits("num_generations: 8\nauto_find_batch_size: true\n", "trl/batch-search-in-grpo"));
  CHECK(hits("num_generations: 8\nparallelism_config: {cp_size: 2}\n", "trl/sequence-parallel-grpo"));
  CHECK(hits("beta: 0.1\nsync_ref_model: true\nuse_peft: true\n", "trl/synchronised-reference"));
  CHECK_FALSE(hits("beta: 0.1\nsync_ref_model: true\n", "trl/synchronised-reference"));
  CHECK(hits("beta: 0.1\nuse_liger_kernel: true\nprecompute_ref_log_probs: true\n",
             "trl/liger-with-precomputed-reference"));
}

TEST_CASE("a recipe is TRL's, an example script's arguments are not") {
  const auto names = [](std::string_view text) {
    static constexpr std::array<const Dialect*, 2> both{&hf_trainer, &trl};
    std::string joined;
    for (const Dialect* dialect : recognise(test::document("a.yaml", text), both)) joined += dialect->name;
    return joined;
  };
  CHECK(names(qlora) == "trl");
  CHECK(names(std::string(qlora) + "per_device_train_batch_size: 2\nbf16: true\n") == "trl");
  CHECK(names("model_name_or_path: a/b\ndataset_name: d\ndataset_config_name: c\nblock_size: 1024\n"
              "per_device_train_batch_size: 2\noutput_dir: o\n") == "hf_trainer");
  CHECK(names("model_name_or_path: a/b\nfinetuning_type: lora\ntemplate: llama3\npacking: true\n").empty());
}

TEST_CASE("files that score generations are no runs") {
  CHECK(trl.is_fragment(
      test::document("a.yaml", "model_name_or_path: a/b\nnum_generations: 8\npass_rate_min: 0.1\n")));
  CHECK_FALSE(trl.is_fragment(test::document("a.yaml", qlora)));
}

}  // namespace
}  // namespace oomlint
