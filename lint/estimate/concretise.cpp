#include "lint/estimate/concretise.h"

#include "lint/estimate/adapter_targets.h"
#include "lint/estimate/answers.h"
#include "lint/estimate/formulas.h"
#include "lint/estimate/nominal_shape.h"
#include "lint/estimate/stacks/profiles.h"

#include <algorithm>

namespace oomlint {

namespace {

constexpr std::string_view textbook = "textbook";

std::uint64_t at_least_one(std::optional<std::uint64_t> count) {
  return std::max<std::uint64_t>(1, count.value_or(1));
}

void set_adapter(const Answers& answers, ConcretePlan& plan) {
  ConcreteAdapter& adapter = plan.adapter;
  adapter.rank = static_cast<std::uint32_t>(answers.count(Field::lora_rank).value_or(8));
  target_modules(adapter, answers.list(Field::lora_targets), find_recipe(plan.model.model_type));
  save_modules(adapter, answers.list(Field::modules_to_save));
  adapter.dropout = answers.number(Field::lora_dropout).value_or(0) > 0;
  adapter.bias = answers.flag(Field::lora_bias).value_or(false);
  adapter.dora = plan.method == Method::dora;
  adapter.kind = find_adapter_kind(answers.text(Field::adapter_kind));
  adapter.virtual_tokens = answers.count(Field::virtual_tokens).value_or(0);
  // Norms and virtual tokens sit on no linear layer.
  if (adapter.kind != nullptr &&
      (adapter.kind->parts == AdapterParts::norms || adapter.kind->parts == AdapterParts::tokens))
    target_nothing(adapter);
}

/// Preference losses run chosen and rejected answers together and need a frozen reference unless adapters can
/// be switched off.
void set_task(const Answers& answers, ConcretePlan& plan) {
  // Encoders are fine-tuned for classes; what else is done with them is pre-training, which says so.
  const bool encoder = find_recipe(plan.model.model_type).encoder;
  plan.task = answers.word<Task>(Field::task).value_or(encoder ? Task::classify : Task::sft);
  const bool pairs = plan.task == Task::dpo || plan.task == Task::orpo || plan.task == Task::simpo ||
                     plan.task == Task::reward || plan.task == Task::kto;
  if (pairs) plan.micro_batch = product({plan.micro_batch, 2}).count();
  const bool compares = plan.task == Task::dpo || plan.task == Task::kto || plan.task == Task::ppo;
  if (answers.known(Field::reference_model) || (compares && !trains_adapters(plan.method)))
    plan.frozen_copies += 1;
  if (answers.known(Field::teacher_model)) plan.frozen_copies += 1;
  if (answers.known(Field::reward_model)) plan.frozen_copies += 1;
}

void set_length(const Answers& answers, ConcretePlan& plan) {
  const auto cap = answers.count(Field::sequence_length);
  const auto longest = answers.count(Field::longest_example);
  const bool packed = answers.flag(Field::packing).value_or(false);
  const bool padded = answers.flag(Field::pad_to_length).value_or(false);
  plan.sequence_length = cap.value_or(longest.value_or(0));
  if (longest && !packed && !padded) plan.sequence_length = std::min(plan.sequence_length, *longest);
  if (!cap && !longest) {
    const auto prompt = answers.count(Field::prompt_length);
    const auto completion = answers.count(Field::completion_length);
    plan.sequence_length = prompt.value_or(0) + completion.value_or(0);
  }
  const std::string_view kind = answers.text(Field::adapter_kind);
  const bool lengthens = kind == "prompt_tuning" || kind == "p_tuning" || kind == "multitask_prompt_tuning";
  if (lengthens) plan.sequence_length += answers.count(Field::virtual_tokens).value_or(0);
  plan.varying_lengths = !packed && !padded && plan.task != Task::pretrain;
  plan.padding_mask =
      plan.micro_batch > 1 && plan.varying_lengths && !answers.flag(Field::padding_free).value_or(false);
}

void set_devices(const Answers& answers, ConcretePlan& plan) {
  plan.world = at_least_one(answers.count(Field::world));
  plan.tensor_parallel = at_least_one(answers.count(Field::tensor_parallel));
  plan.pipeline_parallel = at_least_one(answers.count(Field::pipeline_parallel));
  plan.context_parallel = at_least_one(answers.count(Field::context_parallel));
  plan.expert_parallel = at_least_one(answers.count(Field::expert_parallel));
  // Experts are split like the rest of the model unless told.
  plan.expert_tensor_parallel =
      at_least_one(answers.count(Field::expert_tensor_parallel).value_or(plan.tensor_parallel));
  plan.virtual_pipeline = at_least_one(answers.count(Field::virtual_pipeline));
  plan.sequence_parallel = answers.flag(Field::sequence_parallel).value_or(false);
  plan.sharding =
      answers.word<Sharding>(Field::sharding).value_or(plan.world > 1 ? Sharding::ddp : Sharding::none);
  const std::uint64_t replicas = std::max<std::uint64_t>(
      1, plan.world /
             std::max<std::uint64_t>(1, product({plan.tensor_parallel, plan.pipeline_parallel}).count()));
  std::uint64_t group = replicas;
  const auto copies = answers.count(Field::replica_groups);
  if (copies)
    group = std::max<std::uint64_t>(1, replicas / std::max<std::uint64_t>(1, *copies));
  else if (plan.sharding == Sharding::hsdp)
    group = std::max<std::uint64_t>(1, replicas / at_least_one(answers.count(Field::nodes)));
  plan.shard_group = std::max<std::uint64_t>(1, answers.count(Field::shard_group).value_or(group));
  plan.offload_optimizer = answers.flag(Field::offload_optimizer).value_or(false);
  plan.offload_parameters = answers.flag(Field::offload_parameters).value_or(false);
  plan.reduce_bucket_elements = answers.count(Field::reduce_bucket_elements).value_or(0);
  plan.expandable_segments = answers.flag(Field::expandable_segments).value_or(false);
}

void set_diffusion(const Answers& answers, ConcretePlan& plan) {
  if (plan.task != Task::diffusion) return;
  DiffusionPlan& diffusion = plan.diffusion;
  diffusion.model = find_diffusion_model(answers.text(Field::model));
  diffusion.height = answers.count(Field::image_height).value_or(0);
  diffusion.width = answers.count(Field::image_width).value_or(diffusion.height);
  diffusion.frames = at_least_one(answers.count(Field::frames));
  diffusion.cached = answers.flag(Field::cached_conditions).value_or(false);
  for (const std::string& name : answers.list(Field::lora_targets))
    diffusion.targets |= diffusion_module_bit(name);
}

void set_recomputed(const Answers& answers, ConcretePlan& plan) {
  for (const std::string& name : answers.list(Field::recompute_modules)) {
    if (name == "layernorm") plan.recomputed.norms = true;
    if (name == "mlp") plan.recomputed.mlp = true;
    if (name == "moe") plan.recomputed.experts = true;
    if (name == "moe_act") plan.recomputed.expert_activation = true;
    if (name == "mla_up_proj") plan.recomputed.latent_up = true;
  }
}

void set_optimizer(const Answers& answers, ConcretePlan& plan) {
  const std::string_view name = answers.text(Field::optimizer);
  if (const auto info = find_optimizer(name)) {
    plan.optimizer = info->id;
    plan.optimizer_paged = info->paged;
  } else if (!name.empty()) {
    plan.optimizer = OptimizerId::unknown;
  }
  if (plan.optimizer == OptimizerId::sgd && answers.number(Field::optimizer_momentum).value_or(0) > 0)
    plan.optimizer = OptimizerId::sgd_momentum;
  if (const auto paged = answers.flag(Field::optimizer_paged)) plan.optimizer_paged = *paged;
}

void set_generation(const Answers& answers, ConcretePlan& plan) {
  const auto layers = answers.count(Field::generation_layers);
  const auto width = answers.count(Field::generation_kv_width);
  if (!layers || !width) return;
  plan.generation = Generation{*layers, *width, at_least_one(answers.count(Field::generation_tokens)),
                               at_least_one(answers.count(Field::generation_requests)),
                               answers.count(Field::generation_bytes_per_element).value_or(2)};
}

}  // namespace

Concrete concretise(const TrainingPlan& from, const ResolvedModel& model, const Scenario& scenario) {
  const Answers answers(from, model, scenario);
  Concrete concrete;
  ConcretePlan& plan = concrete.plan;
  const std::string_view stack = answers.text(Field::stack);
  plan.model = model.shape;
  if (!plan.model.complete && stack != textbook) {
    const std::uint64_t total = model.shape.total_parameters > 0
                                    ? model.shape.total_parameters
                                    : answers.count(Field::parameters).value_or(0);
    plan.model = nominal_shape(total, model.shape);
  }
  plan.quantisation = answers.word<Quantisation>(Field::quantisation).value_or(Quantisation::none);
  const bool low_rank = answers.known(Field::lora_rank) || answers.known(Field::adapter_parameters);
  const Method otherwise = !low_rank                                 ? Method::full
                           : plan.quantisation != Quantisation::none ? Method::qlora
                                                                     : Method::lora;
  plan.method = answers.word<Method>(Field::method).value_or(otherwise);
  plan.micro_batch = at_least_one(answers.count(Field::micro_batch));
  plan.accumulation = at_least_one(answers.count(Field::accumulation));
  set_task(answers, plan);
  set_length(answers, plan);
  if (answers.flag(Field::evaluation).value_or(false))
    plan.evaluation_batch = answers.count(Field::evaluation_batch).value_or(plan.micro_batch);
  plan.evaluation_keeps_logits = answers.flag(Field::evaluation_keeps_logits).value_or(false);
  if (const auto top = answers.count(Field::trainable_layers))
    plan.first_trainable_layer =
        static_cast<std::uint32_t>(plan.model.layers - std::min<std::uint64_t>(*top, plan.model.layers));
  if (trains_adapters(plan.method)) set_adapter(answers, plan);
  set_optimizer(answers, plan);
  set_devices(answers, plan);
  set_generation(answers, plan);
  plan.checkpointing = answers.word<Checkpointing>(Field::checkpointing).value_or(Checkpointing::none);
  if (answers.flag(Field::activation_offload).value_or(false)) plan.checkpointing = Checkpointing::offloaded;
  set_recomputed(answers, plan);
  set_diffusion(answers, plan);
  plan.attention = answers.word<Attention>(Field::attention).value_or(Attention::sdpa);
  plan.loss = answers.word<Loss>(Field::loss).value_or(Loss::plain);
  plan.compile = answers.flag(Field::compile).value_or(false);
  plan.compiled_loss = answers.flag(Field::compiled_loss).value_or(false);
  plan.checkpointing_every =
      static_cast<std::uint32_t>(answers.count(Field::checkpointing_every).value_or(0));
  plan.optimizer_in_backward = answers.flag(Field::optimizer_in_backward).value_or(false);
  find_profile(stack).apply(answers, concrete);
  return concrete;
}

std::vector<Field> deciding_unknowns(const TrainingPlan& plan, const ResolvedModel& model) {
  std::vector<Field> missing;
  const bool flat = plan.text(Field::stack) == textbook;
  if (plan.word<Task>(Field::task) == Task::diffusion) {
    if (find_diffusion_model(plan.text(Field::model).value_or("")) == nullptr)
      missing.push_back(Field::model);
    if (!plan[Field::image_height].known()) missing.push_back(Field::image_height);
    return missing;
  }
  const bool sized = model.known() || plan[Field::parameters].known();
  if (!sized && !(flat && plan[Field::generation_layers].known())) missing.push_back(Field::model);
  if (flat) {
    if (!plan[Field::activation_bytes].known()) {
      missing.push_back(Field::micro_batch);
      missing.push_back(Field::sequence_length);
    }
    return missing;
  }
  const bool length = plan[Field::sequence_length].known() || plan[Field::longest_example].known() ||
                      plan[Field::prompt_length].known() || plan[Field::completion_length].known();
  if (!length) missing.push_back(Field::sequence_length);
  // What is divided is only known when the number of devices is.
  const Sharding sharding = plan.word<Sharding>(Field::sharding).value_or(Sharding::none);
  const bool divides = sharding != Sharding::none && sharding != Sharding::ddp;
  if (divides && !plan[Field::world].known() && !plan[Field::shard_group].known())
    missing.push_back(Field::world);
  return missing;
}

}  // namespace oomlint
