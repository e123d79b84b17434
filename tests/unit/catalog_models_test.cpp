#include "lint/catalog/catalog.h"
#include "lint/catalog/lookup.h"
#include "lint/catalog/tables.h"

#include <doctest/doctest.h>

#include <string>

using namespace oomlint;
using oomlint::catalog::tables;

namespace {
/// An id whose size was established apart from its name, on a model whose count is exact.
bool known_apart_from_its_name(const catalog::IdRow& id) {
  return id.tie != catalog::Tie::rule && tables().models[id.model].checked != catalog::Checked::stated;
}
}  // namespace

TEST_CASE("counts from the dimensions equal the stated total of every complete architecture") {
  int complete = 0;
  for (const catalog::ModelRow& row : tables().models) {
    if (!row.complete) continue;
    ++complete;
    const ModelShape shape = to_shape(row, tables().text(row.family));
    const ParameterCounts counts = count_parameters(shape);
    CAPTURE(tables().text(row.name));
    CHECK(counts.total == row.total_parameters);
    CHECK(counts.embedding + counts.head + counts.layers + counts.final_norm + counts.towers == counts.total);
    CHECK(counts.active <= counts.total);
  }
  CHECK(complete == 389);
}

TEST_CASE("every id of the catalogue resolves to its model") {
  CHECK(tables().ids.size() == 2687);
  for (const catalog::IdRow& row : tables().ids) {
    const std::string id(tables().text(row.id));
    CAPTURE(id);
    const ModelMatch match = find_model(id);
    CHECK(match.model.known());
    CHECK(match.model.how == "catalogue");
    CHECK(match.model.shape.total_parameters == tables().models[row.model].total_parameters);
  }
}

TEST_CASE("names of copies and variants lead to the right count: measured by leaving each id out") {
  int tried[2] = {}, exact[2] = {}, near[2] = {};
  for (std::size_t i = 0; i < tables().ids.size(); ++i) {
    const catalog::IdRow& row = tables().ids[i];
    if (!known_apart_from_its_name(row)) continue;
    const auto found = catalog::find_id(tables().text(row.id), i);
    if (!found || found->step < catalog::Step::other_owner) continue;
    const int step = found->step == catalog::Step::variant ? 1 : 0;
    const auto got = static_cast<double>(tables().models[tables().ids[found->id].model].total_parameters);
    const auto want = static_cast<double>(tables().models[row.model].total_parameters);
    ++tried[step];
    exact[step] += got == want ? 1 : 0;
    near[step] += got > want * 0.98 && got < want * 1.02 ? 1 : 0;
  }
  MESSAGE("copies " << exact[0] << " of " << tried[0] << " exact, variants " << exact[1] << " of "
                    << tried[1]);
  CHECK(tried[0] > 600);
  CHECK(tried[1] > 150);
  CHECK(exact[0] + exact[1] >= 0.94 * (tried[0] + tried[1]));
  CHECK(near[0] + near[1] == tried[0] + tried[1]);
}

TEST_CASE("a Llama resolves under all its names, less surely with each step") {
  struct Case {
    const char* name;
    Certainty certainty;
    const char* quantisation;
  };
  const Case cases[] = {
      {"meta-llama/Llama-3.1-8B", Certainty::certain, ""},
      {"META-LLAMA/llama-3.1-8b", Certainty::certain, ""},
      {"hf://meta-llama/Llama-3.1-8B@main", Certainty::certain, ""},
      {"torchtune.models.llama3_1.lora_llama3_1_8b", Certainty::certain, ""},
      {"llama3.1-8b", Certainty::certain, ""},
      {"LLM-Research/Meta-Llama-3.1-8B", Certainty::high, ""},
      {"someone/Llama-3.1-8B-bnb-4bit", Certainty::high, "nf4"},
      {"someone/Llama-3.1-8B-GPTQ-Int4", Certainty::high, "gptq"},
      {"someone/llama-3.1-8b-awq", Certainty::high, "awq"},
      {"neuralmagic/Meta-Llama-3.1-8B-FP8", Certainty::high, "fp8"},
      {"/data/models/Meta-Llama-3.1-8B/", Certainty::medium, ""},
      {"./checkpoints/meta-llama/Llama-3.1-8B", Certainty::high, ""},
      {"/home/you/.cache/huggingface/hub/models--meta-llama--Llama-3.1-8B/snapshots/0e9e39f2",
       Certainty::certain, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const ModelMatch match = find_model(c.name);
    CHECK(match.model.shape.total_parameters == 8030261248);
    CHECK(match.model.shape.layers == 32);
    CHECK(match.model.certainty == c.certainty);
    CHECK(match.quantisation == c.quantisation);
    CHECK(match.model.checkpoint_dtype == "bf16");
  }
}

TEST_CASE("a variant keeps the dimensions, but not the length it was made for") {
  const ModelMatch match = find_model("someone/Qwen3-8B-Thinking");
  CHECK(match.model.shape.total_parameters == find_model("Qwen/Qwen3-8B").model.shape.total_parameters);
  CHECK(match.model.certainty == Certainty::medium);
  CHECK(match.model.shape.max_positions == 0);
}

TEST_CASE("what only the name says is a guess") {
  CHECK(find_model("acme/private-13B").model.shape.total_parameters == 13000000000);
  CHECK(find_model("acme/private-13B").model.certainty == Certainty::low);
  CHECK(find_model("acme/private-13B").model.how == "name: 13B");
  CHECK(find_model("acme/moe-1B-7B-0924").model.shape.total_parameters == 7000000000);
  CHECK(find_model("acme/small_350m-chat").model.shape.total_parameters == 350000000);
  CHECK(find_model("acme/tiny-1_5b").model.shape.total_parameters == 1500000000);
  CHECK(find_model("acme/mix-8x7B").model.shape.total_parameters == 45920000000);
  CHECK_FALSE(find_model("acme/private-4bit").model.known());
  CHECK_FALSE(find_model("acme/v2.5").model.known());
  CHECK_FALSE(find_model("").model.known());
  CHECK_FALSE(find_model("///").model.known());
  CHECK_FALSE(find_model("${MODEL}").model.known());
}

TEST_CASE("the user's models come first") {
  Overlay overlay;
  overlay.models.push_back({"Qwen/Qwen3-8B", {}});
  overlay.models.back().shape.total_parameters = 5;
  const ModelMatch match = find_model("qwen/qwen3-8b", overlay);
  CHECK(match.model.shape.total_parameters == 5);
  CHECK(match.model.how == "settings");
}

TEST_CASE("counts by kind") {
  const ParameterCounts llama = count_parameters(find_model("meta-llama/Llama-3.1-8B").model.shape);
  CHECK(llama.embedding == 525336576);
  CHECK(llama.head == 525336576);
  CHECK(llama.norms == 65 * 4096);
  CHECK(llama.linear == llama.layers - 64 * 4096);
  CHECK(llama.biases == 0);
  CHECK(llama.active == llama.total);

  const ParameterCounts mixtral = count_parameters(find_model("mistralai/Mixtral-8x7B-v0.1").model.shape);
  CHECK(mixtral.active == 12879925248);
  CHECK(mixtral.experts == 32ULL * (8 * 3 * 4096ULL * 14336 + 8 * 4096));
  CHECK(mixtral.linear == 32ULL * (2 * 4096 * 4096 + 2 * 4096 * 1024));

  const ParameterCounts deepseek = count_parameters(find_model("deepseek-ai/DeepSeek-V3").model.shape);
  CHECK(deepseek.active == 37552282624);
}

TEST_CASE("hostile dimensions saturate instead of wrapping") {
  ModelShape shape;
  shape.complete = true;
  shape.layers = shape.hidden_size = shape.intermediate_size = shape.heads = shape.kv_heads = shape.head_dim =
      0xFFFFFFFF;
  CHECK(count_parameters(shape).total == Bytes::saturated().count());
  shape.moe = ModelExperts{.experts = 1, .per_token = 1, .dense_layers = 0xFFFFFFFF};
  shape.layers = 1;
  CHECK(count_parameters(shape).total == Bytes::saturated().count());
}
