#include "tests/support/dialects.h"

#include <doctest/doctest.h>

namespace oomlint {

extern const Dialect litgpt, torchtune, torchtitan;

namespace {

using test::Reading;

TEST_CASE("litgpt: accumulation by two divisions rounded down") {
  const auto accumulation = [](std::string_view text) {
    return Reading(litgpt, "run.yaml", text)[Field::accumulation];
  };
  // 6 over 2 devices is 3, over a micro batch of 2 is 1.
  CHECK(accumulation("devices: 2\ntrain:\n  global_batch_size: 6\n  micro_batch_size: 2\n") == "1");
  CHECK(accumulation("devices: 1\ntrain:\n  global_batch_size: 8\n  micro_batch_size: 2\n") == "4");
  CHECK(accumulation("devices: auto\ntrain:\n  global_batch_size: 8\n  micro_batch_size: 2\n") == "?");
}

TEST_CASE("litgpt: the longest example is known of Alpaca only") {
  const auto longest = [](std::string_view text) {
    return Reading(litgpt, "run.yaml", text)[Field::longest_example];
  };
  CHECK(longest("train:\n  micro_batch_size: 1\n") == "?");
  CHECK(longest("data: Alpaca\ntrain:\n  micro_batch_size: 1\n") == "1304");
  CHECK(longest("data:\n  class_path: litgpt.data.Alpaca\ntrain:\n  micro_batch_size: 1\n") == "1304");
  CHECK(longest("data:\n  class_path: litgpt.data.Alpaca2k\ntrain:\n  micro_batch_size: 1\n") == "?");
  CHECK(longest("data:\n  init_args: {}\ntrain:\n  micro_batch_size: 1\n") == "?");
  CHECK(longest("model_name: pythia-14m\ntrain:\n  micro_batch_size: 1\n") == "?");
}

TEST_CASE("torchtune: the step in backward, and Alpaca unless it is packed") {
  const auto read = [](std::string_view text) { return Reading(torchtune, "run.yaml", text); };
  CHECK(read("optimizer_in_bwd: true\n")[Field::optimizer_in_backward] == "true");
  CHECK(read("optimizer_in_bwd: false\n")[Field::optimizer_in_backward] == "?");
  constexpr std::string_view alpaca = "dataset:\n  _component_: torchtune.datasets.alpaca_dataset\n";
  CHECK(read(alpaca)[Field::longest_example] == "1304");
  CHECK(read(std::string(alpaca) + "  packed: true\n")[Field::longest_example] == "?");
  CHECK(read(std::string(alpaca) + "  source: my/data\n")[Field::longest_example] == "?");
}

TEST_CASE("torchtitan: flavours of the catalogue, checkpointing by layer, compiled parts, replicas") {
  const auto read = [](std::string_view text) { return Reading(torchtitan, "run.toml", text); };
  CHECK(read("[model]\nname = \"qwen3\"\nflavor = \"32B\"\n")[Field::model] == "qwen3:32B");
  constexpr std::string_view every = "[activation_checkpoint]\nmode = \"selective\"\nselective_ac_option = ";
  CHECK(read(std::string(every) + "\"2\"\n")[Field::checkpointing_every] == "2");
  CHECK(read(std::string(every) + "\"op\"\n")[Field::checkpointing_every] == "?");
  constexpr std::string_view parts = "[compile]\nenable = true\ncomponents = ";
  CHECK(read(std::string(parts) + "[\"model\", \"loss\"]\n")[Field::compiled_loss] == "true");
  CHECK(read(std::string(parts) + "[\"model\"]\n")[Field::compiled_loss] == "false");
  CHECK(read("[parallelism]\ndata_parallel_replicate_degree = 2\n")[Field::replica_groups] == "2");
  CHECK(read("[parallelism]\nfsdp_reshard_after_forward = \"never\"\n")[Field::sharding] == "fsdp_grad_op");
  CHECK(read("[optimizer]\nearly_step_in_backward = true\n")[Field::optimizer_in_backward] == "true");
}

}  // namespace

}  // namespace oomlint
