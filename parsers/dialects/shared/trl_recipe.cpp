#include "parsers/dialects/shared/trl_recipe.h"

#include "lint/dialect/edit.h"
#include "lint/plan/words.h"
#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/training_arguments.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace oomlint::trl_recipe {

namespace {

template <std::size_t N>
bool any_of(const ReadContext& context, const std::array<std::string_view, N>& paths) {
  return std::any_of(paths.begin(), paths.end(), [&](std::string_view path) { return context.has(path); });
}

/// Whether a folder or part of the file's name is `word`: "recipes/zephyr/dpo/config_full.yaml" has "dpo".
bool path_says(const ReadContext& context, std::string_view word) {
  const std::string& path = context.document.source().path();
  for (std::size_t at = path.find(word); at != std::string::npos; at = path.find(word, at + 1)) {
    const auto inside = [&](std::size_t i) {
      return i < path.size() && std::isalnum(static_cast<unsigned char>(path[i])) != 0;
    };
    if ((at == 0 || !inside(at - 1)) && !inside(at + word.size())) return true;
  }
  return false;
}

/// The newest version of TRL that may run this file: keys that a release dropped tell that it is older.
Version newest(const ReadContext& context) {
  Version version = context.versions.newest("trl");
  if (context.stated("trl") != nullptr) return version;
  if (context.has("torch_dtype")) version = std::min(version, Version{0, 26, 65535});
  if (context.has("max_seq_length")) version = std::min(version, Version{0, 19, 65535});
  return version;
}

class Additions {
 public:
  Additions(const ReadContext& context, Layer& layer) : context_(context), layer_(layer) {}

  [[nodiscard]] const Assignment* said(Field field) const {
    const auto found = std::find_if(layer_.assignments.begin(), layer_.assignments.end(),
                                    [&](const Assignment& each) { return each.field == field; });
    return found == layer_.assignments.end() ? nullptr : &*found;
  }
  void add(Field field, Scalar value, Origin origin) {
    if (said(field) == nullptr) layer_.assignments.push_back({field, std::move(value), std::move(origin)});
  }
  void by_default(Field field, Scalar value, std::string_view key) {
    Origin origin = context_.origin_of(no_node, OriginKind::framework_default, "default of trl");
    origin.file = no_file;
    origin.key = key;
    add(field, std::move(value), std::move(origin));
  }
  void derived(Field field, Scalar value, std::string_view from, std::string note) {
    add(field, std::move(value),
        context_.origin_of(context_.find(from), OriginKind::derived, std::move(note)));
  }

 private:
  const ReadContext& context_;
  Layer& layer_;
};

std::int64_t count_of(const Assignment* assignment) {
  const auto* count = assignment == nullptr ? nullptr : std::get_if<std::int64_t>(&assignment->value);
  return count == nullptr ? 0 : *count;
}

/// Evaluation after training is what the scripts with a data set mixture do; TRL's own scripts look at the
/// strategy.
void settle_evaluation(const ReadContext& context, Layer& layer) {
  if (!is_on(context, "do_eval") || training_arguments::eval_strategy(context) != "no") return;
  const bool script_evaluates = context.has("dataset_mixture") || context.has("dataset_mixer");
  for (Assignment& each : layer.assignments) {
    if (each.field == Field::evaluation && each.origin.kind == OriginKind::given)
      each.value = script_evaluates;
  }
}

void add_lengths(const ReadContext& context, Task task, Additions& additions) {
  if (task != Task::grpo && task != Task::rloo) {
    additions.by_default(Field::sequence_length, std::int64_t{1024}, "max_length");
    return;
  }
  const bool long_completions = newest(context) >= Version{1, 10, 0};
  additions.by_default(Field::completion_length, std::int64_t{long_completions ? 512 : 256},
                       "max_completion_length");
  if (newest(context) < Version{0, 26, 0}) {
    additions.by_default(Field::prompt_length, std::int64_t{512}, "max_prompt_length");
  }
  const std::int64_t prompt = count_of(additions.said(Field::prompt_length));
  const std::int64_t completion = count_of(additions.said(Field::completion_length));
  if (prompt > 0 && completion > 0) {
    additions.derived(Field::sequence_length, prompt + completion, "max_completion_length",
                      "prompt and completion");
  }
}

void add_reference(const ReadContext& context, Task task, Additions& additions) {
  const auto model = context.text("model_name_or_path");
  if (!model || is_on(context, "use_peft") || is_on(context, "precompute_ref_log_probs") ||
      is_on(context, "reference_free"))
    return;
  const double beta = context.number("beta").value_or(newest(context) >= Version{0, 19, 0} ? 0.0 : 0.04);
  const bool kept = task == Task::dpo || task == Task::kto || (task == Task::grpo && beta > 0);
  if (kept)
    additions.derived(Field::reference_model, *model, "model_name_or_path", "frozen copy of the model");
}

void add_rollouts(const ReadContext& context, Task task, Layer& layer, Additions& additions) {
  if (task != Task::grpo && task != Task::rloo) return;
  additions.by_default(Field::generations_per_prompt, std::int64_t{task == Task::rloo ? 2 : 8},
                       "num_generations");
  if (!is_on(context, "use_vllm")) return;
  const Version version = newest(context);
  const bool server =
      context.text("vllm_mode").value_or(version >= Version{1, 0, 0} ? "colocate" : "server") == "server";
  if (!server) {
    additions.by_default(Field::rollout_memory_fraction, 0.3, "vllm_gpu_memory_utilization");
  } else if (const Assignment* share = additions.said(Field::rollout_memory_fraction)) {
    layer.settlements.push_back({Field::rollout_memory_fraction, Scalar(0.0), Difference::ignored,
                                 "the vLLM server runs on GPUs of its own", share->origin});
  }
}

void add_precision(const ReadContext& context, Additions& additions) {
  if (is_on(context, "bf16") || is_on(context, "fp16")) return;
  if (context.has("bf16")) {
    const Assignment* weights = additions.said(Field::weight_dtype);
    const bool known = weights != nullptr && is_known(weights->value);
    additions.derived(Field::compute_dtype, known ? weights->value : Scalar(std::string("fp32")), "bf16",
                      "no autocast");
  } else if (newest(context) >= Version{0, 19, 0}) {
    additions.by_default(Field::compute_dtype, std::string("bf16"), "bf16");
  }
}

/// Sets the switches of one storage and turns off those of the others.
bool spell_storage(const ReadContext& context, std::string_view storage, std::vector<TextEdit>& edits) {
  const bool doubled = storage.ends_with("_double");
  const std::string_view kind = storage.substr(0, storage.find('_'));
  const bool four_bit = kind == "nf4" || kind == "fp4";
  if (!four_bit && storage != "int8") return false;
  const auto flag = [&](std::string_view path, bool value) {
    return is_on(context, path) == value || set_key(context, path, Scalar(value), edits);
  };
  if (!flag("load_in_4bit", four_bit) || !flag("load_in_8bit", storage == "int8")) return false;
  if (!four_bit) return true;
  if (context.text("bnb_4bit_quant_type").value_or("nf4") != kind &&
      !set_key(context, "bnb_4bit_quant_type", Scalar(std::string(kind)), edits))
    return false;
  const bool alias = is_on(context, "bnb_4bit_use_double_quant");
  if (alias && !doubled && !set_key(context, "bnb_4bit_use_double_quant", Scalar(false), edits)) return false;
  return (alias && doubled) || flag("use_bnb_nested_quant", doubled);
}

}  // namespace

Task task_of(const ReadContext& context) {
  static constexpr std::array<std::string_view, 4> rollouts{"num_generations", "reward_funcs",
                                                            "steps_per_generation", "generation_batch_size"};
  static constexpr std::array<std::string_view, 6> supervised{"packing",
                                                              "max_seq_length",
                                                              "dataset_text_field",
                                                              "assistant_only_loss",
                                                              "completion_only_loss",
                                                              "packing_strategy"};
  static constexpr std::array<std::string_view, 6> preference{
      "beta",           "max_prompt_length", "precompute_ref_log_probs",
      "sync_ref_model", "rpo_alpha",         "f_divergence_type"};
  if (context.has("rloo_k")) return Task::rloo;
  if (any_of(context, rollouts)) return path_says(context, "rloo") ? Task::rloo : Task::grpo;
  if (context.has("teacher_model_name_or_path") || context.has("seq_kd")) return Task::distill;
  if (context.has("desirable_weight") || context.has("undesirable_weight")) return Task::kto;
  if (context.has("center_rewards_coefficient")) return Task::reward;
  if (context.has("reward_model_path") || context.has("num_ppo_epochs")) return Task::ppo;
  const std::string loss = context.text("loss_type").value_or("");
  if (loss == "kto" || loss == "apo_zero_unpaired") return Task::kto;
  if (loss == "simpo" || context.has("simpo_gamma")) return Task::simpo;
  if (any_of(context, supervised)) return Task::sft;
  for (const Task task : {Task::orpo, Task::kto, Task::dpo, Task::reward, Task::simpo, Task::grpo}) {
    if (path_says(context, to_word(task))) return task;
  }
  const bool of_pairs = any_of(context, preference) || loss == "sigmoid" || loss == "hinge" ||
                        loss == "ipo" || loss == "apo_zero" || loss == "apo_down";
  return of_pairs && !path_says(context, "sft") ? Task::dpo : Task::sft;
}

std::optional<Scalar> read_method(const ReadContext& context, NodeId) {
  if (!context.has("use_peft")) return std::nullopt;
  const auto adapter = context.flag("use_peft");
  if (!adapter) return Scalar();
  if (!*adapter) return Scalar(std::string("full"));
  if (is_on(context, "use_dora")) return Scalar(std::string("dora"));
  return Scalar(std::string(is_on(context, "load_in_4bit") ? "qlora" : "lora"));
}

std::optional<std::string> write_method(const Scalar& method) {
  const std::string word = to_string(method);
  if (word == "full") return "false";
  return word == "lora" ? std::optional<std::string>("true") : std::nullopt;
}

std::optional<Scalar> read_loss(const ReadContext& context, NodeId) {
  const std::string loss = context.text("loss_type").value_or("");
  if (loss == "chunked_nll") return Scalar(std::string("chunked"));
  if (loss != "nll") return std::nullopt;
  const VersionRange* range = context.stated("trl");
  const bool alias =
      range != nullptr && range->low >= Version{1, 16, 0};  // `nll` takes the chunked path from then on
  return Scalar(std::string(alias ? "chunked" : "plain"));
}

void finish(const ReadContext& context, Layer& layer) {
  Additions additions(context, layer);
  const Task task = task_of(context);
  additions.add(Field::task, std::string(to_word(task)),
                context.origin_of(no_node, OriginKind::inferred, "from the keys and the path of the recipe"));
  settle_evaluation(context, layer);
  add_lengths(context, task, additions);
  add_reference(context, task, additions);
  add_rollouts(context, task, layer, additions);
  add_precision(context, additions);
  const bool chunked = task == Task::sft && newest(context) >= Version{1, 7, 0};
  additions.by_default(Field::loss, std::string(chunked ? "chunked" : "plain"), "loss_type");
}

bool spell(const ReadContext& context, const PlanEdit& edit, std::vector<TextEdit>& edits) {
  const std::string word = to_string(edit.value);
  if (edit.field == Field::quantisation) return spell_storage(context, word, edits);
  if (edit.field != Field::method || (word != "lora" && word != "qlora" && word != "dora")) return false;
  const auto flag = [&](std::string_view path, bool value) {
    return is_on(context, path) == value || set_key(context, path, Scalar(value), edits);
  };
  if (!flag("use_peft", true) || !flag("use_dora", word == "dora")) return false;
  return word == "dora" ||
         (flag("load_in_4bit", word == "qlora") && (word != "qlora" || flag("load_in_8bit", false)));
}

}  // namespace oomlint::trl_recipe
