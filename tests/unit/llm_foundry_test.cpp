#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oomlint {

extern const Dialect llm_foundry;

namespace {

using test::Reading;

constexpr std::string_view pretraining =
    "variables:\n  max_seq_len: 4096\n"
    "max_seq_len: ${variables.max_seq_len}\n"
    "model:\n  name: mpt_causal_lm\n  d_model: 2560\n  n_heads: 20\n  n_layers: 32\n"
    "  expansion_ratio: 4\n  max_seq_len: ${max_seq_len}\n  vocab_size: 50368\n"
    "  attn_config:\n    attn_impl: triton\n"
    "optimizer:\n  name: decoupled_adamw\n"
    "train_loader:\n  name: text\n"
    "max_duration: 24800ba\nsave_interval: 500ba\n"
    "global_train_batch_size: 512\ndevice_train_microbatch_size: 4\nprecision: amp_bf16\n"
    "fsdp_config:\n  sharding_strategy: FULL_SHARD\n  mixed_precision: PURE\n"
    "  activation_checkpointing: true\n";

}  // namespace

TEST_CASE("llm-foundry: an MPT model in the file, its lengths by interpolation") {
  const Reading reading(llm_foundry, "mpt.yaml", pretraining);
  CHECK(reading[Field::sequence_length] == "4096");
  CHECK(reading[Field::max_positions] == "4096");
  CHECK(reading[Field::model_type] == "llm_foundry_mpt");
  CHECK(reading[Field::layers] == "32");
  CHECK(reading[Field::hidden_size] == "2560");
  CHECK(reading[Field::intermediate_size] == "10240");
  CHECK(reading[Field::attention] == "flash");
  CHECK(reading[Field::loss] == "kernel");
  CHECK(reading[Field::task] == "pretrain");
  CHECK(reading[Field::packing] == "true");
  CHECK(reading[Field::effective_batch] == "512");
  CHECK(reading[Field::micro_batch] == "4");
  CHECK(reading[Field::checkpointing] == "full");
  CHECK(reading[Field::sharding] == "fsdp");
  CHECK(reading[Field::max_steps] == "24800");
  CHECK(reading[Field::save_steps] == "500");
  CHECK_FALSE(reading.plan()[Field::epochs].known());
  CHECK(reading.plan_with_defaults().flag(Field::expandable_segments) == true);
}

TEST_CASE("llm-foundry: an edit of an interpolated length is written where it is used") {
  const Reading reading(llm_foundry, "mpt.yaml", pretraining);
  const std::string edited = reading.spelled(Field::sequence_length, std::int64_t{2048});
  CHECK(edited.find("\nmax_seq_len: 2048\n") != std::string::npos);
  CHECK(edited.find("  max_seq_len: 4096\n") != std::string::npos);
}

TEST_CASE("llm-foundry: an automatic micro batch is no number") {
  const Reading reading(
      llm_foundry, "mpt.yaml",
      "model:\n  name: mpt_causal_lm\nmax_seq_len: 2048\ndevice_train_microbatch_size: auto\n");
  CHECK_FALSE(reading.plan()[Field::micro_batch].known());
  CHECK(reading[Field::layers] == "24");
  CHECK(reading[Field::hidden_size] == "2048");
}

TEST_CASE("llm-foundry: fine-tuning a model of the hub pads to the full length unless packed or trimmed") {
  const std::string base =
      "model:\n  name: hf_causal_lm\n  pretrained_model_name_or_path: meta-llama/Meta-Llama-3-8B\n"
      "  peft_config:\n    r: 64\n    target_modules: [q_proj]\n"
      "max_seq_len: 4096\nmax_duration: 2ep\ntrain_loader:\n  name: finetuning\n  dataset:\n    split: "
      "train\n";
  const Reading padded(llm_foundry, "ft.yaml", base);
  CHECK(padded[Field::model] == "meta-llama/Meta-Llama-3-8B");
  CHECK(padded[Field::task] == "sft");
  CHECK(padded[Field::method] == "lora");
  CHECK(padded[Field::lora_rank] == "64");
  CHECK(padded[Field::epochs] == "2");
  CHECK(padded[Field::pad_to_length] == "true");
  CHECK_FALSE(padded.plan()[Field::loss].known());
  CHECK(Reading(llm_foundry, "ft.yaml", base + "    packing_ratio: auto\n")[Field::packing] == "true");
  const Reading trimmed(llm_foundry, "ft.yaml", base + "    allow_pad_trimming: true\n");
  CHECK_FALSE(trimmed.plan()[Field::pad_to_length].known());
}

TEST_CASE("llm-foundry: what the trainer refuses") {
  const auto hits = [](std::string_view text) { return Reading(llm_foundry, "run.yaml", text).hits(); };
  CHECK(hits("model:\n  name: hf_causal_lm\n  load_in_8bit: true\n") ==
        std::vector<std::string>{"llm_foundry/eight-bit-training"});
  CHECK(hits("model:\n  name: mpt_causal_lm\n  max_seq_len: 1024\nmax_seq_len: 2048\n") ==
        std::vector<std::string>{"llm_foundry/length-beyond-positions"});
  CHECK(hits("model:\n  name: mpt_causal_lm\n  max_seq_len: 1024\n  attn_config:\n    alibi: "
             "true\nmax_seq_len: 2048\n")
            .empty());
}

}  // namespace oomlint
