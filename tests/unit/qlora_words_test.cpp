#include "lint/dialect/dialect.h"
#include "tests/support/dialects.h"

#include <doctest/doctest.h>

namespace oomlint {

extern const Dialect axolotl, hf_trainer;

namespace {

using test::Reading;

constexpr std::string_view command =
    "python qlora.py --model_name_or_path a/b --per_device_train_batch_size 1 --output_dir out "
    "--source_max_len 16 --target_max_len 512 --lora_r 64 ";

}  // namespace

TEST_CASE("qlora.py: bits of the base, and a length for each side") {
  const Reading four(hf_trainer, "run.sh", std::string(command) + "--bits 4 --quant_type nf4");
  CHECK(four[Field::method] == "qlora");
  CHECK(four[Field::quantisation] == "nf4_double");
  CHECK(four[Field::sequence_length] == "528");  // 16 + 512
  CHECK(Reading(hf_trainer, "run.sh",
                std::string(command) + "--bits 4 --double_quant False")[Field::quantisation] == "nf4");
  CHECK(Reading(hf_trainer, "run.sh", std::string(command) + "--bits 8")[Field::quantisation] == "int8");
  CHECK(Reading(hf_trainer, "run.sh", std::string(command) + "--bits 16")[Field::quantisation] == "?");
}

TEST_CASE("axolotl claims files, not other programs' options of the same names") {
  constexpr std::string_view options =
      "python finetune.py --base_model a/b --micro_batch_size 4 --num_epochs 3 --lora_r 8";
  CHECK_FALSE(hold_against(test::document("run.sh", options), axolotl).accepted);
  CHECK(hold_against(test::document("run.yml", "base_model: a/b\nmicro_batch_size: 4\nnum_epochs: 3\n"),
                     axolotl)
            .accepted);
}

}  // namespace oomlint
