#include "lint/estimate/formulas.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>
#include <string>

using namespace oomlint;
using nlohmann::json;

namespace {

json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

/// Bytes per weight of a matrix large enough that headers of a tensor vanish.
double bytes_per_weight(Quantisation format) {
  constexpr std::uint64_t side = 1U << 16;
  return static_cast<double>(stored_bytes(format, side, side, 0).count()) / (double(side) * double(side));
}

/// The formats the plan has a word for, by their names in the reference data, and the figure they are held
/// to.
struct Format {
  Quantisation format;
  const char* figure;
};
const std::map<std::string, Format> formats{
    {"nf4", {Quantisation::nf4, "bytes_per_param"}},
    {"nf4_double_quant", {Quantisation::nf4_double, "bytes_per_param"}},
    {"fp4", {Quantisation::fp4, "bytes_per_param"}},
    {"fp4_double_quant", {Quantisation::fp4_double, "bytes_per_param"}},
    {"int8_llm_int8", {Quantisation::int8, "bytes_per_param"}},
    {"gptq", {Quantisation::gptq, "bits4_bytes_per_param"}},
    {"awq", {Quantisation::awq, "bytes_per_param"}},
    {"hqq", {Quantisation::hqq, "bits4_bytes_per_param"}},
    {"fp8_block128x128", {Quantisation::fp8, "bytes_per_param"}},
    {"mxfp4", {Quantisation::mxfp4, "bytes_per_param"}},
    {"int4_torchao_g128", {Quantisation::int4, "bytes_per_param"}},
};
/// Plain dtypes, and formats no training framework of ours loads a base in.
const std::set<std::string> no_format{"fp32",  "bf16",  "fp16",     "fp8_per_tensor",
                                      "mxfp8", "nvfp4", "aqlm_2bit"};

/// State per parameter of a 256 × 512 matrix, the shape the reference data measured. The embedding is left
/// out: a Trainer keeps its state apart.
double state_per_parameter(OptimizerId optimizer, Dtype dtype) {
  ConcretePlan plan;
  plan.model.complete = true;
  plan.model.layers = 1;
  plan.weight_dtype = plan.gradient_dtype = dtype;
  plan.method = Method::lora;
  plan.optimizer = optimizer;
  plan.adapter.dtype = dtype;
  const Sizes sizes(plan);
  TrainableBytes trainable;
  trainable.parameters = 256ULL * 512;
  trainable.stored = Bytes(trainable.parameters) * bytes_of(dtype);
  return static_cast<double>(optimizer_state(sizes, trainable).count()) /
         static_cast<double>(trainable.parameters);
}

/// What Hugging Face's Trainer calls the optimizers of the reference data.
const std::map<std::string, std::string> names{
    {"torch_AdamW", "adamw_torch"}, {"torch_Adam", "adam"},
    {"torch_SGD", "sgd"},           {"torch_SGD_momentum", "sgd_momentum"},
    {"torch_RMSprop", "rmsprop"},   {"torch_Adagrad", "adagrad"},
    {"torch_Adamax", "adamax"},     {"torch_NAdam", "nadam"},
    {"torch_Muon", "muon"}};
const std::map<std::string, std::string> bitsandbytes_names{
    {"adam8bit", "adamw_bnb_8bit"},   {"lion8bit", "lion_8bit"}, {"rmsprop8bit", "rmsprop_bnb_8bit"},
    {"adamw32", "paged_adamw_32bit"}, {"lion32", "lion_32bit"},  {"ademamix8bit", "ademamix_8bit"},
    {"ademamix32", "ademamix"}};
}  // namespace

TEST_CASE("stored bytes of quantised formats") {
  const auto path = test::data("oracle/storage.json");
  if (!path) return;
  const json weights = read_json(*path).at("weights");
  for (const auto& [name, row] : weights.items()) {
    CAPTURE(name);
    const auto known = formats.find(name);
    CHECK((known != formats.end() || no_format.contains(name)));
    if (known == formats.end()) continue;
    CHECK(bytes_per_weight(known->second.format) ==
          doctest::Approx(row.at(known->second.figure).get<double>()).epsilon(1e-4));
    if (!row.contains("measured")) continue;
    for (const auto& [shape, bits] : row["measured"].items()) {
      CAPTURE(shape);
      const std::size_t cross = shape.find('x');
      const auto in = static_cast<std::uint64_t>(std::stoul(shape.substr(0, cross)));
      const auto out = static_cast<std::uint64_t>(std::stoul(shape.substr(cross + 1)));
      // The measurement leaves the code tables out.
      const Bytes tables(64 + 1024);
      const auto packed =
          static_cast<double>((stored_bytes(known->second.format, in, out, 0) - tables).count());
      CHECK(packed * 8 / static_cast<double>(in * out) == doctest::Approx(bits.get<double>()).epsilon(1e-6));
    }
  }
}

TEST_CASE("state of optimizers that keep tensors of the parameter's size") {
  const auto path = test::data("oracle/optstate.json");
  if (!path) return;
  int compared = 0;
  const json rows = read_json(*path);
  for (const auto& [key, row] : rows.items()) {
    const std::size_t slash = key.find('/');
    const auto name = names.find(key.substr(0, slash));
    if (name == names.end()) continue;
    CAPTURE(key);
    const auto info = find_optimizer(name->second);
    REQUIRE(info.has_value());
    const Dtype dtype = key.substr(slash + 1) == "float32" ? Dtype::fp32 : Dtype::bf16;
    CHECK(state_per_parameter(info->id, dtype) == doctest::Approx(row.at("bytes_per_param").get<double>()));
    ++compared;
  }
  CHECK(compared == 18);
}

TEST_CASE("state of bitsandbytes' optimizers") {
  const auto path = test::data("oracle/storage.json");
  if (!path) return;
  const json rows = read_json(*path).at("optimizer_state").at("bitsandbytes");
  for (const auto& [row, name] : bitsandbytes_names) {
    CAPTURE(name);
    const auto info = find_optimizer(name);
    REQUIRE(info.has_value());
    const double expected = rows.at(row).at("bytes_per_param");
    CHECK(state_per_parameter(info->id, Dtype::bf16) == doctest::Approx(expected));
  }
}

TEST_CASE("Adafactor keeps rows and columns of matrices in fp32, and vectors whole") {
  const auto path = test::data("oracle/optstate.json");
  if (!path) return;
  const json row = read_json(*path).at("hf_Adafactor/bfloat16");
  ConcretePlan plan;
  plan.model.complete = true;
  plan.model.layers = 0;
  plan.model.vocabulary = 256;
  plan.model.hidden_size = 512;
  plan.model.final_norms = 0;
  plan.model.tied_embeddings = true;
  plan.optimizer = OptimizerId::adafactor;
  const Sizes sizes(plan);
  const auto state = static_cast<double>(optimizer_state(sizes, trainable_bytes(sizes)).count());
  CHECK(state / (256 * 512) == doctest::Approx(row.at("bytes_per_param").get<double>()));
}
