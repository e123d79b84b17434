#include "tests/support/dialects.h"

#include <doctest/doctest.h>

namespace oomlint {

extern const Dialect finetrainers;

namespace {

using test::Reading;

}  // namespace

TEST_CASE("finetrainers: a CogVideoX script of 2024") {
  const Reading reading(finetrainers, "args.yaml",
                        "pretrained_model_name_or_path: THUDM/CogVideoX-5b\nheight_buckets: [256, 480]\n"
                        "width_buckets: 720\nframe_buckets: 49\nmixed_precision: bf16\ntrain_batch_size: 4\n"
                        "optimizer: adamw\nuse_8bit: true\nload_tensors: true\nrank: 64\n"
                        "gradient_checkpointing: true\n");
  CHECK(reading[Field::model] == "THUDM/CogVideoX-5b");
  CHECK(reading[Field::task] == "diffusion");
  CHECK(reading[Field::image_height] == "480");  // the largest bucket
  CHECK(reading[Field::image_width] == "720");
  CHECK(reading[Field::frames] == "49");
  CHECK(reading[Field::micro_batch] == "4");
  CHECK(reading[Field::optimizer] == "adamw_8bit");
  CHECK(reading[Field::method] == "lora");
  CHECK(reading[Field::cached_conditions] == "true");
  CHECK(reading[Field::checkpointing] == "full");
  CHECK(reading[Field::stack] == "cogvideox_factory");
}

TEST_CASE("finetrainers: resolution buckets and full training") {
  const Reading reading(finetrainers, "args.yaml",
                        "pretrained_model_name_or_path: Lightricks/LTX-Video\n"
                        "video_resolution_buckets: [49x480x720, 17x256x256]\ntraining_type: full-finetune\n"
                        "batch_size: 2\n");
  CHECK(reading[Field::frames] == "49");
  CHECK(reading[Field::image_height] == "480");
  CHECK(reading[Field::image_width] == "720");
  CHECK(reading[Field::method] == "full");
  CHECK(reading[Field::micro_batch] == "2");
  CHECK(reading[Field::cached_conditions] == "false");
  CHECK_FALSE(reading.plan()[Field::stack].known());
}

}  // namespace oomlint
