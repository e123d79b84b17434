#include "tests/support/dialects.h"

#include <doctest/doctest.h>

namespace oomlint {

extern const Dialect nemo_automodel;

namespace {

using test::Reading;

constexpr std::string_view recipe =
    "recipe: TrainFinetuneRecipeForNextTokenPrediction\n"
    "step_scheduler:\n  global_batch_size: 64\n  local_batch_size: 8\n"
    "model:\n  _target_: nemo_automodel.NeMoAutoModelForCausalLM.from_pretrained\n"
    "  pretrained_model_name_or_path: meta-llama/Llama-3.2-1B\n  torch_dtype: torch.bfloat16\n"
    "distributed:\n  strategy: fsdp2\n  tp_size: 2\n  activation_checkpointing: true\n"
    "  defer_fsdp_grad_sync: false\n"
    "loss_fn:\n  _target_: nemo_automodel.components.loss.masked_ce.MaskedCrossEntropy\n"
    "dataset:\n  _target_: a.MockIterableDataset\n  seq_len: 4096\n"
    "packed_sequence:\n  packed_sequence_size: 0\n"
    "optimizer:\n  _target_: torch.optim.Adam\n";

}  // namespace

TEST_CASE("AutoModel: a fine-tuning recipe") {
  const Reading reading(nemo_automodel, "run.yaml", recipe);
  CHECK(reading[Field::model] == "meta-llama/Llama-3.2-1B");
  CHECK(reading[Field::weight_dtype] == "bf16");
  CHECK(reading[Field::micro_batch] == "8");
  CHECK(reading[Field::effective_batch] == "64");
  CHECK(reading[Field::sharding] == "fsdp");
  CHECK(reading[Field::tensor_parallel] == "2");
  CHECK(reading[Field::checkpointing] == "full");
  CHECK(reading[Field::deferred_reduction] == "false");
  CHECK(reading[Field::loss] == "plain");
  CHECK(reading[Field::optimizer] == "Adam");
  CHECK(reading[Field::sequence_length] == "4096");  // nothing is packed
  CHECK(reading[Field::packing] == "true");          // made-up sequences have one length
  CHECK(reading[Field::method] == "full");
  CHECK(reading[Field::task] == "sft");
}

TEST_CASE("AutoModel: losses, adapters and packing") {
  const auto with = [](std::string_view more) {
    return Reading(nemo_automodel, "run.yaml",
                   "step_scheduler:\n  local_batch_size: 1\n" + std::string(more));
  };
  CHECK(with("loss_fn:\n  _target_: a.MaskedCrossEntropy\n  fp32_upcast: false\n")[Field::loss] == "kernel");
  CHECK(with("loss_fn:\n  _target_: a.linear_ce.FusedLinearCrossEntropy\n")[Field::loss] == "fused");
  const Reading lora =
      with("peft:\n  alpha: 32\n  target_modules: '*_proj'\nquantization:\n  load_in_4bit: true\n");
  CHECK(lora[Field::method] == "qlora");
  CHECK(lora[Field::quantisation] == "nf4");
  CHECK(lora[Field::lora_rank] == "8");
  CHECK(lora[Field::lora_targets] == "all-linear");
  CHECK(with("packed_sequence:\n  packed_sequence_size: 2048\n")[Field::sequence_length] == "2048");
}

TEST_CASE("AutoModel: what it refuses") {
  const auto hits = [](std::string_view text) { return Reading(nemo_automodel, "run.yaml", text).hits(); };
  CHECK(hits("step_scheduler:\n  global_batch_size: 30\n  local_batch_size: 8\n") ==
        std::vector<std::string>{"nemo_automodel/batch-indivisible"});
  CHECK(hits("distributed:\n  enable_async_tensor_parallel: true\n") ==
        std::vector<std::string>{"nemo_automodel/async-tensor-parallel"});
}

}  // namespace oomlint
