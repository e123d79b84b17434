#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

extern const Dialect litgpt;

namespace {

struct Snippet {
  std::string_view id, hits, passes;
};

constexpr std::string_view pretrain = "model_name: pythia-14m\n";
constexpr std::string_view finetune = "checkpoint_dir: checkpoints/a/b\n";

}  // namespace

TEST_CASE("litgpt: every check has a config that runs into it and one that does not") {
  const auto hits = [](std::string_view head, std::string_view text) {
    return test::Reading(litgpt, "run.yaml", std::string(head) + std::string(text)).hits();
  };
  const auto contains = [](const std::vector<std::string>& ids, std::string_view id) {
    return std::find(ids.begin(), ids.end(), "litgpt/" + std::string(id)) != ids.end();
  };
  for (const auto& [head, snippet] : std::vector<std::pair<std::string_view, Snippet>>{
           {finetune,
            {"quantised-mixed", "quantize: bnb.nf4\nprecision: bf16-mixed\n",
             "quantize: bnb.nf4\nprecision: bf16-true\n"}},
           // Without a precision a mixed one is taken.
           {finetune, {"quantised-mixed", "quantize: bnb.nf4\nprecision:\n", "quantize:\nprecision:\n"}},
           {finetune,
            {"quantised-on-several-devices", "quantize: bnb.nf4\ndevices: 2\n",
             "quantize: bnb.nf4\ndevices: 1\n"}},
           {pretrain, {"pretrain-with-epochs", "train:\n  epochs: 2\n", "train:\n  epochs:\n"}},
           {finetune, {"finetune-unsupported", "train:\n  max_norm: 1.0\n", "train:\n  max_norm:\n"}},
           {finetune,
            {"global-batch-too-small", "devices: 8\ntrain:\n  global_batch_size: 4\n",
             "devices: 4\ntrain:\n  global_batch_size: 4\n"}},
           {finetune, {"finetune-required", "train:\n  epochs:\n", "train:\n  micro_batch_size: 1\n"}},
           {pretrain, {"pretrain-required", "train:\n  max_tokens: null\n", "train:\n  max_tokens: 1000\n"}},
           {pretrain,
            {"two-warmups", "train:\n  lr_warmup_fraction: 0.1\n  lr_warmup_steps: 100\n",
             "train:\n  lr_warmup_fraction: 0.1\n  lr_warmup_steps: 0\n"}},
           {pretrain,
            {"resumed-and-initialised", "initial_checkpoint_dir: a\nresume: auto\n",
             "initial_checkpoint_dir: a\nresume: false\n"}},
           {finetune, {"fp32-base", "lora_r: 8\n", "lora_r: 8\nprecision: bf16-true\n"}}}) {
    INFO(snippet.id, ": ", snippet.hits);
    CHECK(contains(hits(head, snippet.hits), snippet.id));
    CHECK_FALSE(contains(hits(head, snippet.passes), snippet.id));
  }
}

}  // namespace oomlint
