#include "tests/support/dialects.h"

#include <doctest/doctest.h>

namespace oomlint {

extern const Dialect peft_benchmark, peft_adapter;

namespace {

using test::Reading;

std::string benchmark(std::string_view adapter) {
  return "{\"train_config\": {\"model_id\": \"meta-llama/Llama-3.2-3B\", \"dtype\": \"bfloat16\", "
         "\"max_seq_length\": 768, \"batch_size\": 4, \"max_steps\": 5000, \"use_gc\": false, "
         "\"optimizer_type\": \"AdamW\", \"use_amp\": false, \"autocast_adapter_dtype\": true, "
         "\"attn_implementation\": null}, \"peft_config\": " +
         std::string(adapter) + "}\n";
}

}  // namespace

TEST_CASE("peft's benchmark: a LoRA run") {
  const Reading reading(peft_benchmark, "run.json",
                        benchmark("{\"peft_type\": \"LORA\", \"r\": 32, \"lora_alpha\": 64, \"use_dora\": "
                                  "false, \"target_modules\": [\"q_proj\", \"v_proj\"]}"));
  CHECK(reading[Field::model] == "meta-llama/Llama-3.2-3B");
  CHECK(reading[Field::weight_dtype] == "bf16");
  CHECK(reading[Field::sequence_length] == "768");
  CHECK(reading[Field::micro_batch] == "4");
  CHECK(reading[Field::method] == "lora");
  CHECK(reading[Field::lora_rank] == "32");
  CHECK(reading[Field::adapter_dtype] == "fp32");
  CHECK(reading[Field::checkpointing] == "none");
  CHECK_FALSE(reading.plan()[Field::adapter_kind].known());
  CHECK(reading.plan_with_defaults().text(Field::attention) == "sdpa");
}

TEST_CASE("peft's benchmark: methods other than LoRA") {
  const auto read = [](std::string_view adapter) {
    return Reading(peft_benchmark, "run.json", benchmark(adapter)).plan();
  };
  const TrainingPlan adalora = read("{\"peft_type\": \"ADALORA\", \"r\": 8, \"init_r\": 64}");
  CHECK(adalora.text(Field::adapter_kind) == "adalora");
  CHECK(adalora.text(Field::method) == "adapter");
  CHECK(adalora.count(Field::lora_rank) == 64);
  const TrainingPlan prompt = read("{\"peft_type\": \"PROMPT_TUNING\", \"num_virtual_tokens\": 200}");
  CHECK(prompt.text(Field::adapter_kind) == "prompt_tuning");
  CHECK(prompt.count(Field::virtual_tokens) == 200);
  CHECK(read("{\"peft_type\": \"LORA\", \"use_dora\": true}").text(Field::method) == "dora");
  CHECK(read("{\"peft_type\": \"OSF\"}").text(Field::method) == "full");
  CHECK(read("null").text(Field::method) == "full");
}

TEST_CASE("peft: an adapter's config alone says what trains, not how") {
  const std::string_view text =
      "{\"peft_type\": \"LORA\", \"base_model_name_or_path\": \"gpt2\", \"r\": 4, \"target_modules\": "
      "[\"c_attn\"], \"modules_to_save\": [\"lm_head\"], \"inference_mode\": false}";
  const Reading reading(peft_adapter, "adapter_config.json", text);
  CHECK(reading[Field::model] == "gpt2");
  CHECK(reading[Field::lora_rank] == "4");
  CHECK(reading[Field::modules_to_save] == "lm_head");
  CHECK(peft_adapter.is_fragment(reading.document()));
}

}  // namespace oomlint
