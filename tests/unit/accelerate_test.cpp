#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace oomlint {

extern const Dialect accelerate;

namespace {

using test::Reading;

bool hits(std::string_view text, std::string_view id) {
  const auto ids = Reading(accelerate, "a.yaml", text).hits();
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

TEST_CASE("an FSDP launch file") {
  const Reading reading(accelerate, "a.yaml",
                        "distributed_type: FSDP\n"
                        "fsdp_config:\n"
                        "  fsdp_sharding_strategy: SHARD_GRAD_OP\n"
                        "  fsdp_offload_params: true\n"
                        "  fsdp_activation_checkpointing: true\n"
                        "mixed_precision: bf16\nnum_machines: 2\nnum_processes: 16\n");
  CHECK(reading[Field::sharding] == "fsdp_grad_op");
  CHECK(reading[Field::offload_parameters] == "true");
  CHECK(reading[Field::offload_optimizer] == "true");
  CHECK(reading[Field::checkpointing] == "full");
  CHECK(reading[Field::compute_dtype] == "bf16");
  CHECK(reading[Field::nodes] == "2");
  CHECK(reading[Field::world] == "16");  // num_processes counts all machines
}

TEST_CASE("the kind of launch decides which block is read") {
  const auto sharding = [](std::string_view text) {
    return Reading(accelerate, "a.yaml", text)[Field::sharding];
  };
  CHECK(sharding(
            "distributed_type: FSDP\nfsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: true}\n") ==
        "fsdp");
  CHECK(sharding(
            "distributed_type: FSDP\nfsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: false}\n") ==
        "fsdp_grad_op");
  CHECK(sharding("distributed_type: FSDP\nfsdp_config: {fsdp_sharding_strategy: 1}\n") == "fsdp");
  CHECK(sharding("distributed_type: FSDP\nfsdp_config: {fsdp_sharding_strategy: HYBRID_SHARD}\n") == "hsdp");
  CHECK(sharding("distributed_type: FSDP\n") == "fsdp");
  CHECK(sharding("distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 3}\n") == "zero3");
  CHECK(sharding("distributed_type: DEEPSPEED\ndeepspeed_config: {deepspeed_config_file: z.json}\n") == "?");
  CHECK(sharding("distributed_type: MULTI_GPU\nfsdp_config: {fsdp_sharding_strategy: 1}\n") == "ddp");
  CHECK(sharding("distributed_type: 'NO'\n") == "none");
  CHECK(sharding("distributed_type: NO\n") == "none");
  const Reading idle(accelerate, "a.yaml",
                     "distributed_type: MULTI_GPU\nfsdp_config: {fsdp_offload_params: true}\n"
                     "deepspeed_config: {offload_optimizer_device: cpu}\n");
  CHECK(idle[Field::offload_parameters] == "?");
  CHECK(idle[Field::offload_optimizer] == "?");
}

TEST_CASE("accelerate's own checks") {
  CHECK(hits("distributed_type: MULTI_GPU\n", "accelerate/no-processes"));
  CHECK_FALSE(hits("distributed_type: MULTI_GPU\nnum_processes: 2\n", "accelerate/no-processes"));
  CHECK(
      hits("distributed_type: DEEPSPEED\ndeepspeed_config: {deepspeed_config_file: z.json, zero_stage: 3}\n",
           "accelerate/keys-beside-deepspeed-file"));
  CHECK_FALSE(hits("distributed_type: DEEPSPEED\ndeepspeed_config: {deepspeed_config_file: z.json}\n",
                   "accelerate/keys-beside-deepspeed-file"));
  CHECK(
      hits("distributed_type: FSDP\nfsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: FULL_SHARD}\n",
           "accelerate/fsdp1-option-on-fsdp2"));
  CHECK_FALSE(
      hits("distributed_type: FSDP\nfsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: true}\n",
           "accelerate/fsdp1-option-on-fsdp2"));
  CHECK(
      hits("distributed_type: FSDP\nfsdp_config: {fsdp_version: 2, fsdp_state_dict_type: LOCAL_STATE_DICT}\n",
           "accelerate/fsdp1-option-on-fsdp2"));
  CHECK(hits("parallelism_config: {parallelism_config_cp_size: 2, parallelism_config_sp_size: 2}\n",
             "accelerate/context-and-sequence-parallel"));
  CHECK(hits("parallelism_config: {parallelism_config_tp_size: 2, parallelism_config_dp_replicate_size: 2}\n",
             "accelerate/model-parallel-without-shards"));
}

TEST_CASE("which files are accelerate's") {
  const auto accepts = [](std::string_view text) {
    return hold_against(test::document("a.yaml", text), accelerate).accepted;
  };
  CHECK(accepts("distributed_type: 'NO'\nmixed_precision: bf16\n"));
  CHECK_FALSE(accepts("distributed_type: 'NO'\n"));
  CHECK_FALSE(accepts("services:\n  web: {image: nginx}\n"));
}

}  // namespace
}  // namespace oomlint
