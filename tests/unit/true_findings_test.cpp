#include "tests/support/dialects.h"
#include "tests/support/lint_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// Mechanisms that keep findings and fixes true on configs as people write them.
namespace oomlint {

extern const Dialect axolotl;

namespace {

std::string codes(const Report& report) {
  std::string all;
  for (const Diagnostic& finding : report.diagnostics)
    all += std::string(to_string(finding.severity)) + ' ' + finding.code + '\n';
  return all;
}

Report check(std::string_view name, std::string text, const std::vector<std::string>& arguments = {}) {
  MemoryFiles files;
  files.set(std::string(name), std::move(text));
  return test::check(files, name, arguments);
}

constexpr std::string_view recipe =
    "model_name_or_path: mistralai/Mixtral-8x22B-v0.1\ndtype: bfloat16\ndataset_name: a/b\nbf16: true\n"
    "gradient_checkpointing: true\nmax_length: 2048\nper_device_train_batch_size: 1\n"
    "gradient_accumulation_steps: 1\nlearning_rate: 5.0e-6\noutput_dir: out\n";

}  // namespace

TEST_CASE("a run that its launcher may divide is not called too large for every card") {
  CHECK(codes(check("recipe.yaml", std::string(recipe))).empty());
  CHECK(codes(check("recipe.yaml", std::string(recipe), {"--world", "1"})) == "error OOM1001\n");
  CHECK(codes(check("recipe.yaml", std::string(recipe), {"--assume", "sharding=ddp"})) == "error OOM1001\n");
}

TEST_CASE(
    "several GPUs whose launcher may divide the states are a warning, one that says it doesn't an error") {
  const std::string text =
      "model_name_or_path: meta-llama/Llama-3.1-8B\ndtype: bfloat16\ndataset_name: a/b\nbf16: true\n"
      "gradient_checkpointing: true\nmax_length: 2048\npacking: true\nattn_implementation: "
      "flash_attention_2\n"
      "per_device_train_batch_size: 1\ngradient_accumulation_steps: 1\nlearning_rate: 5.0e-6\noutput_dir: "
      "out\n";
  const auto found = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--gpu", "40GB"});
    const std::string all = codes(check("recipe.yaml", text, arguments));
    return all.substr(0, all.find('\n'));
  };
  CHECK(found({"--world", "8"}) == "warning OOM1001");
  CHECK(found({"--world", "8", "--assume", "sharding=ddp"}) == "error OOM1001");
  CHECK(found({"--world", "1"}) == "error OOM1001");
}

TEST_CASE("JSON that something fills in is no error, and what Hjson allows is none to DeepSpeed alone") {
  const std::string body = R"("zero_optimization": {"stage": 2}})";
  for (const std::string value : {"CONFIG_BATCH_SIZE", "${BATCH}", "{{ batch }}", "<batch>", "@BATCH@"}) {
    INFO(value);
    CHECK(codes(check("ds.json", R"({"train_micro_batch_size_per_gpu": )" + value + ", " + body)) ==
          "note OOM0001\n");
  }
  CHECK(codes(check("ds.json", R"({"train_micro_batch_size_per_gpu": 'a', )" + body)) == "error OOM0001\n");
  CHECK(codes(check("ds.json", R"({"train_micro_batch_size_per_gpu": Four, )" + body)) == "error OOM0001\n");

  const std::string spare =
      R"({"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": 2,}})";
  CHECK(codes(check("ds.json", spare)) == "warning OOM0001\n");
  MemoryFiles files;  // transformers and accelerate read the file they are given with json.load
  files.set("ds.json", spare);
  files.set("config.yml",
            "base_model: meta-llama/Llama-3.2-1B\ndatasets:\n  - path: d.jsonl\n    type: alpaca\n"
            "sequence_len: 2048\nmicro_batch_size: 4\ngradient_accumulation_steps: 4\nnum_epochs: 1\n"
            "optimizer: adamw_torch\nlearning_rate: 0.0002\nbf16: true\ndeepspeed: ds.json\n");
  CHECK(codes(test::check(files, "config.yml")) == "error OOM0001\n");
}

TEST_CASE("what could not be read may be what makes a run fit") {
  const std::string text =
      "base_model: meta-llama/Llama-3.1-70B\ndatasets:\n  - path: d.jsonl\nsequence_len: 2048\n"
      "micro_batch_size: 4\ngradient_accumulation_steps: 4\nload_in_4bit: [true\n";
  const Report report = check("config.yml", text, {"--gpu", "24GB", "--world", "1"});
  for (const Diagnostic& finding : report.diagnostics) {
    INFO(finding.code);
    CHECK((finding.code == "OOM0001" || finding.severity < Severity::error));
  }
}

TEST_CASE("a list that grows keeps the comments in it and behind it") {
  const std::string text =
      "base_model: a/b\nplugins:\n  - mine.Plugin  # first\n\n# what follows\nmicro_batch_size: 2\n";
  CHECK(test::Reading(axolotl, "c.yml", text).spelled(Field::loss, std::string("fused")) ==
        "base_model: a/b\nplugins:\n  - mine.Plugin  # first\n  - axolotl.integrations.liger.LigerPlugin\n\n"
        "# what follows\nmicro_batch_size: 2\nliger_fused_linear_cross_entropy: true\n");
}

TEST_CASE("axolotl: ZeRO is spelled by the name of the config it ships, FSDP only where it is there") {
  const auto spelled = [](std::string_view text, std::string_view word) {
    return test::Reading(axolotl, "c.yml", text).spelled(Field::sharding, std::string(word));
  };
  CHECK(spelled("base_model: a/b\n", "zero2") ==
        "base_model: a/b\ndeepspeed: deepspeed_configs/zero2.json\n");
  CHECK(spelled("deepspeed: conf/zero1.json  # ours\n", "zero3") == "deepspeed: conf/zero3.json  # ours\n");
  CHECK(spelled("base_model: a/b\n", "fsdp") == "nothing");
  CHECK(spelled("fsdp_config:\n  reshard_after_forward: false\n", "fsdp") ==
        "fsdp_config:\n  reshard_after_forward: true\n");
}

TEST_CASE(
    "no fix leads into what the framework refuses, and each that can be written makes its finding go away") {
  const std::string text =
      "model_name_or_path: meta-llama/Llama-3.1-8B\nstage: sft\ntemplate: llama3\ndataset: a\ndo_train: "
      "true\n"
      "finetuning_type: full\nuse_galore: true\npure_bf16: true\ncutoff_len: 4096\n"
      "per_device_train_batch_size: 16\ngradient_accumulation_steps: 1\n";
  const std::vector<std::string> card{"--gpu", "48GB", "--world", "1"};
  std::size_t written = 0;
  for (const Diagnostic& finding : check("run.yaml", text, card).diagnostics) {
    for (const Fix& fix : finding.fixes) {
      if (fix.edits.empty()) continue;
      ++written;
      INFO(fix.title);
      const Report after = check("run.yaml", test::apply(text, fix.edits), card);
      for (const Diagnostic& left : after.diagnostics) {
        CHECK(left.code != "OOM3003");
        CHECK((finding.code != "OOM1001" || (left.code != "OOM1001" && left.code != "OOM1002")));
      }
    }
  }
  CHECK(written > 0);
}

}  // namespace oomlint
