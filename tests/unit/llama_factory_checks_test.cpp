#include "tests/support/dialects.h"
#include "tests/support/lint_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

extern const Dialect llama_factory;

namespace {

using test::Reading;

struct Snippet {
  std::string_view id, hits, passes;
};

/// One row a check that the file alone decides; those that ask what DeepSpeed's config says follow below.
const std::vector<Snippet>& snippets() {
  static const std::vector<Snippet> all{
      {"quantised-pissa", "pissa_init: true\nquantization_bit: 4\n", "pissa_init: true\n"},
      {"quantised-vocabulary", "resize_vocab: true\nquantization_bit: 4\n", "resize_vocab: true\n"},
      {"quantised-new-adapter", "create_new_adapter: true\nadapter_name_or_path: a\nquantization_bit: 4\n",
       "create_new_adapter: true\nadapter_name_or_path: a\n"},
      {"quantised-bits", "quantization_bit: 3\n", "quantization_bit: 3\nquantization_method: hqq\n"},
      {"quantised-device-map", "quantization_device_map: auto\ndo_train: true\n",
       "quantization_device_map: auto\n"},
      {"fp8-on-quantised", "fp8: true\nquantization_bit: 4\n", "fp8: true\n"},
      {"two-projections", "use_galore: true\nuse_badam: true\n", "use_galore: true\nuse_badam: false\n"},
      {"pissa-stage", "pissa_init: true\nstage: dpo\n", "pissa_init: true\nstage: dpo\npref_loss: orpo\n"},
      {"llama-pro", "use_llama_pro: true\nfinetuning_type: full\n",
       "use_llama_pro: true\nfinetuning_type: freeze\n"},
      {"label-smoothing", "stage: dpo\npref_loss: hinge\ndpo_label_smoothing: 0.1\n",
       "stage: dpo\ndpo_label_smoothing: 0.1\n"},
      {"history-outside-sft", "stage: dpo\nmask_history: true\n", "stage: sft\nmask_history: true\n"},
      {"history-and-prompt", "mask_history: true\ntrain_on_prompt: true\n", "mask_history: true\n"},
      {"prediction-without-generation", "do_predict: true\n",
       "do_predict: true\npredict_with_generate: true\n"},
      {"best-model-stage", "stage: rm\nload_best_model_at_end: true\n",
       "stage: sft\nload_best_model_at_end: true\n"},
      {"shifted-attention-ppo", "stage: ppo\nshift_attn: true\n", "stage: sft\nshift_attn: true\n"},
      {"no-evaluation-data", "eval_strategy: steps\n", "eval_strategy: steps\nval_size: 0.1\n"},
      {"streamed-samples", "streaming: true\nmax_samples: 100\n", "max_samples: 100\n"},
      {"streamed-fraction", "streaming: true\nval_size: 0.1\n", "streaming: true\nval_size: 100\n"},
      {"interleaving", "interleave_probs: 0.5,0.5\n",
       "interleave_probs: 0.5,0.5\nmix_strategy: interleave_under\n"},
      {"inference-engine", "infer_backend: vllm\ndo_train: true\n", "infer_backend: vllm\n"}};
  return all;
}

bool contains(const std::vector<std::string>& ids, std::string_view id) {
  return std::find(ids.begin(), ids.end(), "llama_factory/" + std::string(id)) != ids.end();
}

/// The messages of refused-by-framework in a run whose DeepSpeed config says this stage.
std::set<std::string> refused_at_stage(const std::string& stage, const std::string& keys) {
  MemoryFiles files;
  files.set("ds.json",
            R"({"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": )" + stage + "}}");
  files.set("run.yaml",
            "model_name_or_path: meta-llama/Llama-3.2-1B\nstage: sft\ntemplate: llama3\ndataset: a\n"
            "do_train: true\nbf16: true\nper_device_train_batch_size: 1\ndeepspeed: ds.json\n" +
                keys);
  std::set<std::string> messages;
  for (const Diagnostic& finding : test::check(files, "run.yaml").diagnostics) {
    if (finding.code == "OOM3003") messages.insert(finding.message);
  }
  return messages;
}

}  // namespace

TEST_CASE("LLaMA-Factory: every check has a config that runs into it and one that does not") {
  for (const Snippet& snippet : snippets()) {
    INFO(snippet.id);
    const auto hits = Reading(llama_factory, "run.yaml", snippet.hits).hits();
    CHECK(contains(hits, snippet.id));
    CHECK_FALSE(contains(Reading(llama_factory, "run.yaml", snippet.passes).hits(), snippet.id));
  }
}

TEST_CASE(
    "LLaMA-Factory: what does not run under ZeRO-3 is refused where the DeepSpeed config says stage 3") {
  for (const std::string keys : {"pure_bf16: true\n", "use_unsloth: true\n", "pissa_init: true\n",
                                 "quantization_bit: 8\n", "predict_with_generate: true\nval_size: 0.1\n"}) {
    INFO(keys);
    CHECK(refused_at_stage("3", keys).size() == 1);
    CHECK(refused_at_stage("2", keys).empty());
  }
  CHECK(refused_at_stage("3", "quantization_bit: 4\n").empty());
}

TEST_CASE("LLaMA-Factory: experts on the host are another run than the file's sizes say") {
  MemoryFiles files;
  files.set(
      "run.yaml",
      "model_name_or_path: deepseek-ai/DeepSeek-V3\nstage: sft\nfinetuning_type: lora\ntemplate: deepseek3\n"
      "dataset: a\ndo_train: true\nbf16: true\nper_device_train_batch_size: 1\nuse_kt: true\n"
      "kt_config:\n  kt_backend: amx\n");
  CHECK(test::check(files, "run.yaml", {"--gpu", "24GB"}).diagnostics.empty());
}

}  // namespace oomlint
