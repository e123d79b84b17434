#include "tests/support/oracle.h"

#include "lint/catalog/catalog.h"
#include "lint/estimate/adapter_targets.h"
#include "lint/estimate/recipe.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>

namespace oomlint::test {

namespace {
using nlohmann::json;

std::vector<json> lines_of(const std::filesystem::path& path) {
  std::vector<json> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) rows.push_back(json::parse(line));
  return rows;
}

/// The dimensions as the family's config.json would give them.
std::optional<ModelShape> shape_of(const json& dimensions, const std::string& model_type) {
  return shape_from_config([&](std::string_view key) -> std::optional<std::string> {
    if (key == "model_type") return model_type;
    const auto found = dimensions.find(std::string(key));
    // All traced decoders were built for 4,096 positions; only some rows say so.
    if (key == "max_position_embeddings" && found == dimensions.end() &&
        !dimensions.contains("n_positions") && !find_recipe(model_type).encoder)
      return "4096";
    if (found == dimensions.end() || found->is_structured()) return std::nullopt;
    return found->is_string() ? found->get<std::string>() : found->dump();
  });
}

/// Llama2Config -> the model_type of its config.json: lower case, words joined by '_' where the family does
/// so.
std::string model_type_of(const std::string& config_class) {
  static const std::map<std::string, std::string> joined{
      {"GPTNeoXConfig", "gpt_neox"},       {"GPTNeoConfig", "gpt_neo"},
      {"GPTBigCodeConfig", "gpt_bigcode"}, {"Gemma3TextConfig", "gemma3_text"},
      {"Qwen2MoeConfig", "qwen2_moe"},     {"Qwen3MoeConfig", "qwen3_moe"}};
  if (const auto found = joined.find(config_class); found != joined.end()) return found->second;
  std::string type = config_class.substr(0, config_class.find("Config"));
  std::transform(type.begin(), type.end(), type.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return type;
}

std::vector<std::string> names_of(const json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return {value.get<std::string>()};
  return value.get<std::vector<std::string>>();
}

Bytes bytes_of_key(const json& row, const char* key) {
  return Bytes(row.at(key).get<std::uint64_t>());
}

Dtype dtype_of(const std::string& word) {
  return word == "fp32" ? Dtype::fp32 : Dtype::bf16;
}

void set_adapter(const json& lora, ConcretePlan& plan) {
  ConcreteAdapter& adapter = plan.adapter;
  plan.method = plan.quantisation == Quantisation::none ? Method::lora : Method::qlora;
  adapter.rank = lora.at("r").get<std::uint32_t>();
  target_modules(adapter, names_of(lora.at("target")), find_recipe(plan.model.model_type));
  adapter.dropout = lora.value("lora_dropout", 0.0) > 0;
  adapter.dora = lora.value("use_dora", false);
  const bool own = !lora.value("autocast_adapter_dtype", true);
  adapter.dtype = own ? plan.weight_dtype : Dtype::fp32;
}

void set_optimizer(const json& row, ConcretePlan& plan, Stack& stack) {
  const std::string name = row.at("opt");
  const std::string loop = row.at("opt_impl");
  stack.step_loop = loop == "fused"     ? StepLoop::fused
                    : loop == "foreach" ? StepLoop::foreach
                                        : StepLoop::single;
  plan.optimizer = name == "adamw" && loop == "fused" ? OptimizerId::adamw_torch_fused
                   : name == "sgd"                    ? OptimizerId::sgd
                   : name == "sgdm"                   ? OptimizerId::sgd_momentum
                   : name == "hf_adafactor"           ? OptimizerId::adafactor
                                                      : OptimizerId::adamw_torch;
}

/// What a quantised base keeps in its own dtype: 16 bits, or fp32 after peft's preparation.
void set_storage(const json& row, ConcretePlan& plan, Stack& stack) {
  const json& quantised = row.at("quant");
  plan.weight_dtype = dtype_of(row.at("dtype"));
  plan.autocast = !row.at("autocast").is_null();
  plan.compute_dtype = plan.autocast ? dtype_of(row.at("autocast")) : plan.weight_dtype;
  if (quantised.is_null()) return;
  plan.quantisation = quantised.value("dq", false) ? Quantisation::nf4_double : Quantisation::nf4;
  if (quantised.value("kbit", true)) plan.weight_dtype = Dtype::fp32;
  stack.dequantises_forward = quantised.value("old", false);
}

/// The logits a loop holds during backward: as the model returned them, and accelerate's fp32 copy of 16-bit
/// ones.
std::uint32_t held_logits(const ConcretePlan& plan, bool converted) {
  const bool half = plan.autocast || plan.weight_dtype != Dtype::fp32;
  return half ? (converted ? 6 : 2) : 4;
}

Bytes phase_bytes(const json& phases, const char* name) {
  const auto found = phases.find(name);
  return found == phases.end() ? Bytes() : bytes_of_key(*found, "bytes");
}

std::string label_of(const json& row) {
  std::string text = row.at("family").get<std::string>() + " " + row.at("method").get<std::string>();
  if (!row.at("lora").is_null()) text += row.at("lora").dump();
  if (!row.at("quant").is_null()) text += row.at("quant").dump();
  text += " " + row.at("dtype").get<std::string>() + (row.at("autocast").is_null() ? "" : "+ac");
  text += " " + row.at("attn").get<std::string>() + (row.at("mask").is_null() ? "" : "+mask");
  text += " ckpt=" + row.at("ckpt").get<std::string>();
  text += " B=" + row.at("B").dump() + " S=" + row.at("S").dump();
  text += " " + row.at("opt").get<std::string>() + "/" + row.at("opt_impl").get<std::string>();
  if (row.at("accum") != 1) text += " accum=" + row.at("accum").dump();
  return text;
}

OracleRun run_of(const json& row, const ModelShape& shape) {
  OracleRun run;
  run.id = row.at("id");
  run.family = row.at("model_type");
  run.label = label_of(row);
  run.task = row.at("task");
  ConcretePlan& plan = run.plan;
  plan.model = shape;
  set_storage(row, plan, run.stack);
  plan.gradient_dtype = plan.weight_dtype;
  if (!row.at("lora").is_null()) set_adapter(row.at("lora"), plan);
  set_optimizer(row, plan, run.stack);
  plan.micro_batch = row.at("B").get<std::uint64_t>();
  plan.sequence_length = row.at("S").get<std::uint64_t>();
  plan.accumulation = row.at("accum").get<std::uint64_t>();
  plan.padding_mask = !row.at("mask").is_null();
  plan.model_dropout = row.at("dims").value("attn_pdrop", 0.1) > 0;
  plan.checkpointing = row.at("ckpt") == "off" ? Checkpointing::none : Checkpointing::full;
  const std::string kernel = row.at("attn");
  plan.attention = kernel == "eager" ? Attention::eager
                   : kernel == "fa2" ? Attention::flash
                                     : Attention::sdpa;
  if (row.at("keep_outputs").get<bool>()) run.stack.logits.held = held_logits(plan, row.at("accel_fp32_out"));

  run.parameters = row.at("n_params");
  run.trainable = row.at("n_trainable");
  const Bytes outputs = Bytes(plan.model.vocabulary) * plan.micro_batch * plan.sequence_length;
  run.activations = bytes_of_key(row, "act_fwd_end") - outputs * run.stack.logits.held;
  if (row.contains("phases")) {
    run.weights = bytes_of_key(row, "param_bytes");
    run.gradients = bytes_of_key(row, "grad_bytes");
    run.optimizer = bytes_of_key(row, "opt_bytes");
    const json& phases = row.at("phases");
    run.forward = phase_bytes(phases, "1:fwd");
    run.backward = phase_bytes(phases, "1:bwd");
    run.step = std::max(phase_bytes(phases, "0:opt"), phase_bytes(phases, "1:opt"));
    run.peak = bytes_of_key(row, "peak_total");
    run.at = row.at("peak_at").get<std::string>() + " " + row.at("peak_op").get<std::string>();
  }
  return run;
}
}  // namespace

std::vector<OracleRun> oracle_runs(const std::filesystem::path& file) {
  std::vector<OracleRun> runs;
  for (const json& row : lines_of(file)) {
    const auto shape = shape_of(row.at("dims"), row.at("model_type"));
    if (shape && row.at("task") == "causal" && row.at("loss").get<bool>())
      runs.push_back(run_of(row, *shape));
  }
  return runs;
}

std::vector<OracleRun> oracle_encoders(const std::filesystem::path& file) {
  // What was traced: masked words, or classes.
  static const std::map<std::string, Task> tasks{
      {"bert", Task::pretrain}, {"distilbert", Task::pretrain}, {"roberta", Task::classify}};
  std::vector<OracleRun> runs;
  for (json row : lines_of(file)) {
    const auto task = tasks.find(row.at("model_type"));
    if (task == tasks.end()) continue;
    json& dimensions = row.at("dims");
    if (!dimensions.contains("intermediate_size"))
      dimensions["intermediate_size"] = 4 * dimensions.at("hidden_size").get<int>();
    const auto shape = shape_of(dimensions, task->first);
    if (!shape) continue;
    runs.push_back(run_of(row, *shape));
    runs.back().plan.task = task->second;
  }
  return runs;
}

std::vector<OracleAdapter> oracle_adapters(const std::filesystem::path& file) {
  std::vector<OracleAdapter> rows;
  for (const json& row : lines_of(file)) {
    const auto shape = shape_of(row.at("config"), model_type_of(row.at("config_class")));
    if (!shape) continue;
    OracleAdapter result;
    result.model = row.at("model");
    const json& options = row.at("options");
    result.what = row.at("target_modules").dump() + " r=" + row.at("r").dump() + " " + options.dump();
    result.shape = *shape;
    ConcreteAdapter& adapter = result.adapter;
    adapter.rank = row.at("r");
    target_modules(adapter, names_of(row.at("target_modules")), find_recipe(shape->model_type));
    save_modules(adapter, names_of(options.value("modules_to_save", json())));
    adapter.dora = options.value("use_dora", false);
    adapter.bias = options.value("lora_bias", false);
    const std::string biases = options.value("bias", "none");
    adapter.base_biases = biases == "all"         ? TrainedBias::all
                          : biases == "lora_only" ? TrainedBias::adapted
                                                  : TrainedBias::none;
    result.base = row.at("base_params");
    result.trainable = row.at("trainable");
    rows.push_back(std::move(result));
  }
  return rows;
}

std::vector<OracleShards> oracle_shards(const std::filesystem::path& file) {
  std::vector<OracleShards> rows;
  for (const json& row : lines_of(file)) {
    const auto shape = shape_of(row.at("dims"), "llama");
    if (!shape) continue;
    OracleShards result;
    ConcretePlan& plan = result.plan;
    const bool reshards = row.at("reshard_after_forward");
    const bool half = row.at("mp");
    result.what = "world=" + row.at("world").dump() + (reshards ? " full shard" : " grad op") +
                  " param=" + row.at("param").get<std::string>() + (half ? " mp" : "") +
                  (row.at("ckpt").get<bool>() ? " ckpt" : "") +
                  (row.at("nosync").get<bool>() ? " nosync" : "") + " accum=" + row.at("accum").dump() +
                  " B=" + row.at("B").dump() + " S=" + row.at("S").dump() +
                  " h=" + row.at("dims").at("hidden_size").dump();
    plan.model = *shape;
    const Dtype stored = dtype_of(row.at("param"));
    plan.weight_dtype = half ? Dtype::bf16 : stored;
    plan.compute_dtype = plan.weight_dtype;
    plan.master_weights = half && stored == Dtype::fp32;
    plan.gradient_dtype = stored;
    plan.sharding = reshards ? Sharding::fsdp : Sharding::fsdp_grad_op;
    plan.world = plan.shard_group = row.at("world").get<std::uint64_t>();
    plan.micro_batch = row.at("B").get<std::uint64_t>();
    plan.sequence_length = row.at("S").get<std::uint64_t>();
    plan.accumulation = row.at("accum").get<std::uint64_t>();
    plan.checkpointing = row.at("ckpt").get<bool>() ? Checkpointing::full : Checkpointing::none;
    plan.optimizer = OptimizerId::adamw_torch_fused;
    result.stack.unsharded_accumulation = row.at("nosync");
    const json& peaks = row.at("peaks");
    result.forward = bytes_of_key(peaks.at("1:fwd"), "bytes");
    result.backward = bytes_of_key(peaks.at("1:bwd"), "bytes");
    result.peak = std::max(result.forward, result.backward);
    result.at = peaks.at(result.backward < result.forward ? "1:fwd" : "1:bwd").at("op").get<std::string>();
    rows.push_back(std::move(result));
  }
  return rows;
}

Moments moments(const Estimate& estimate) {
  Moments result;
  for (const PhaseEstimate& phase : estimate.phases) {
    const Bytes total = phase.total();
    switch (phase.phase) {
      case Phase::forward:
        result.forward = total;
        break;
      case Phase::loss:
        for (const Term& term : phase.terms) {
          const bool saved = term.kind == TermKind::activations || term.kind == TermKind::checkpoints ||
                             term.kind == TermKind::weight_copies || term.kind == TermKind::loss;
          if (saved) result.activations += term.bytes;
        }
        [[fallthrough]];
      case Phase::head_backward:
      case Phase::layer_backward:
      case Phase::end_of_backward:
        result.backward = std::max(result.backward, total);
        break;
      case Phase::optimizer_step:
        result.step = total;
        break;
      default:
        break;
    }
  }
  result.peak = std::max({result.forward, result.backward, result.step});
  return result;
}

}  // namespace oomlint::test
