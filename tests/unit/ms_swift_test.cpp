#include "lint/dialect/dialect.h"
#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace oomlint {

extern const Dialect ms_swift, qwen_finetune;

namespace {

using test::Reading;

std::vector<std::string> names(std::string_view text) {
  std::vector<std::string> accepted;
  for (const Dialect* dialect : recognise(test::document("run.sh", text), all_dialects()))
    accepted.emplace_back(dialect->name);
  return accepted;
}

}  // namespace

TEST_CASE("ms-swift: the words of three generations") {
  const Reading old(ms_swift, "run.sh",
                    "swift sft --model_type qwen-7b-chat --sft_type lora --batch_size 2 --max_length 2048 "
                    "--lora_target_modules DEFAULT --use_flash_attn true --gradient_checkpointing false");
  CHECK(old[Field::model] == "qwen-7b-chat");
  CHECK(old[Field::method] == "lora");
  CHECK(old[Field::micro_batch] == "2");
  CHECK(old[Field::sequence_length] == "2048");
  CHECK(old[Field::attention] == "flash");
  CHECK(old[Field::checkpointing] == "none");
  CHECK(old[Field::lora_targets] == "q_proj, k_proj, v_proj");
  const Reading third(ms_swift, "run.sh",
                      "swift sft --model a/b --train_type full --deepspeed zero3_offload");
  CHECK(third[Field::method] == "full");
  CHECK(third[Field::sharding] == "zero3");
  CHECK(third[Field::offload_optimizer] == "true");
  const Reading today(ms_swift, "run.yaml",
                      "model: a/b\ntuner_type: lora\nquant_bits: 4\nattn_impl: flash_attn\n");
  CHECK(today[Field::method] == "qlora");
  CHECK(today[Field::quantisation] == "nf4_double");
  CHECK(today.plan_with_defaults().count(Field::micro_batch) == 1);
  CHECK(today.plan_with_defaults().text(Field::checkpointing) == "full");
}

TEST_CASE("ms-swift: one process spreads the layers over the devices it sees") {
  const auto pipeline = [](std::string_view text) {
    return Reading(ms_swift, "run.sh", text)[Field::pipeline_parallel];
  };
  CHECK(pipeline("CUDA_VISIBLE_DEVICES=0,1 swift sft --model a/b --tuner_type lora") == "2");
  CHECK(pipeline("CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=2 swift sft --model a/b --tuner_type lora") == "?");
  CHECK(pipeline("CUDA_VISIBLE_DEVICES=0 swift sft --model a/b --tuner_type lora") == "?");
  const Reading refused(ms_swift, "run.sh",
                        "CUDA_VISIBLE_DEVICES=0,1 swift sft --model a/b --tuner_type lora --deepspeed zero2");
  CHECK(refused.hits() == std::vector<std::string>{"ms_swift/deepspeed-with-spread-layers"});
}

TEST_CASE("ms-swift: what it refuses") {
  const auto hits = [](std::string_view text) { return Reading(ms_swift, "run.sh", text).hits(); };
  CHECK(hits("swift sft --model a/b --tuner_type lora --packing true") ==
        std::vector<std::string>{"ms_swift/packing-without-flash"});
  CHECK(hits("swift sft --model a/b --tuner_type lora --packing true --attn_impl flash_attn").empty());
  CHECK(hits("swift sft --model a/b --tuner_type lora --packing true --attn_impl $ATTN").empty());
  CHECK(hits("swift sft --model a/b --tuner_type lora --quant_bits 3") ==
        std::vector<std::string>{"ms_swift/bits"});
  CHECK(hits("swift sft --model a/b --tuner_type lora --quant_bits 3 --quant_method hqq").empty());
}

TEST_CASE("launch: the command decides the dialect, and only commands that train") {
  CHECK(names("swift sft --model a/b") == std::vector<std::string>{"ms_swift"});
  CHECK(names("swift infer --model a/b --tuner_type lora").empty());
  CHECK(names("megatron sft --model a/b --tuner_type lora").empty());
  CHECK(names("llamafactory-cli train --model_name_or_path a/b --stage sft") ==
        std::vector<std::string>{"llama_factory"});
  CHECK(names("python finetune.py --model_name_or_path a/b --per_device_train_batch_size 1 --output_dir o") ==
        std::vector<std::string>{"hf_trainer"});
  CHECK(names("python eval.py --model_name_or_path a/b --per_device_train_batch_size 1 --output_dir o")
            .empty());
}

TEST_CASE("Qwen's finetune.py: its own defaults") {
  const std::string command =
      "python finetune.py --model_name_or_path Qwen/Qwen-7B --data_path d --bf16 True "
      "--per_device_train_batch_size 1 "
      "--model_max_length 512 --lazy_preprocess True --gradient_checkpointing --use_lora";
  CHECK(names(command) == std::vector<std::string>{"qwen_finetune"});
  const Reading base(qwen_finetune, "run.sh", command);
  CHECK(base[Field::method] == "lora");
  CHECK(base[Field::sequence_length] == "512");
  CHECK(base[Field::modules_to_save] == "wte, lm_head");
  CHECK(base.plan_with_defaults().count(Field::lora_rank) == 64);
  CHECK(base.plan_with_defaults().flag(Field::pad_to_length) == true);
  const Reading quantised(
      qwen_finetune, "run.sh",
      "python finetune.py --model_name_or_path Qwen/Qwen-7B-Chat-Int4 --data_path d --fp16 True "
      "--model_max_length 512 --use_lora --q_lora");
  CHECK(quantised[Field::method] == "qlora");
  CHECK(quantised[Field::quantisation] == "gptq");
  CHECK(quantised[Field::modules_to_save] == "?");
}

}  // namespace oomlint
