#include "lint/engine/plan_builder.h"

#include "lint/catalog/catalog.h"
#include "lint/engine/run_versions.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace oomlint {

namespace {

Origin origin(OriginKind kind, std::string note) {
  return Origin{kind, no_file, {}, {}, std::move(note)};
}

Layer target_layer(const Settings& settings) {
  Layer layer{"the target", {}, {}};
  const auto add = [&](Field field, std::optional<std::int64_t> value) {
    if (value) layer.assignments.push_back({field, *value, origin(OriginKind::assumed, "target")});
  };
  add(Field::world, settings.target.world);
  add(Field::nodes, settings.target.nodes);
  if (!settings.target.gpu.empty()) {
    layer.assignments.push_back({Field::gpu, settings.target.gpu, origin(OriginKind::assumed, "target")});
  }
  return layer;
}

std::int64_t degree(const TrainingPlan& plan, Field field) {
  return std::max<std::int64_t>(1, plan.count(field).value_or(1));
}

/// What follows exactly from other values. effective batch = micro batch × accumulation × data-parallel
/// ranks, in whichever direction is missing.
void derive(TrainingPlan& plan) {
  const Origin from = origin(OriginKind::derived, "micro batch × accumulation × data-parallel devices");
  const std::int64_t model_parallel = degree(plan, Field::tensor_parallel) *
                                      degree(plan, Field::pipeline_parallel) *
                                      degree(plan, Field::context_parallel);
  const std::int64_t ranks = std::max<std::int64_t>(1, degree(plan, Field::world) / model_parallel);
  const auto micro = plan.count(Field::micro_batch);
  const auto accumulation = plan.count(Field::accumulation);
  const auto effective = plan.count(Field::effective_batch);
  if (micro && accumulation) {
    plan.fill(Field::effective_batch, *micro * *accumulation * ranks, from);
  } else if (effective && micro && *micro > 0 && *effective % (*micro * ranks) == 0) {
    plan.fill(Field::accumulation, *effective / (*micro * ranks), from);
  } else if (effective && accumulation && *accumulation > 0 && *effective % (*accumulation * ranks) == 0) {
    plan.fill(Field::micro_batch, *effective / (*accumulation * ranks), from);
  }
  if (degree(plan, Field::world) > 1) {
    plan.fill(Field::sharding, std::string("ddp"),
              origin(OriginKind::inferred, "several devices and no sharding named"));
  } else if (plan.count(Field::world)) {
    plan.fill(Field::sharding, std::string("none"), origin(OriginKind::derived, "one device"));
  }
}

/// The plan's own fields as the config.json they stand for: the family knows its norms, biases and tables.
std::optional<ModelShape> family_shape(const TrainingPlan& plan) {
  constexpr std::pair<std::string_view, Field> keys[] = {
      {"model_type", Field::model_type},
      {"num_hidden_layers", Field::layers},
      {"hidden_size", Field::hidden_size},
      {"intermediate_size", Field::intermediate_size},
      {"num_attention_heads", Field::heads},
      {"num_key_value_heads", Field::kv_heads},
      {"head_dim", Field::head_dim},
      {"vocab_size", Field::vocabulary},
      {"tie_word_embeddings", Field::tied_embeddings},
      {"max_position_embeddings", Field::max_positions},
      {"num_experts", Field::experts},
      {"num_experts_per_tok", Field::experts_per_token},
      {"moe_intermediate_size", Field::expert_intermediate_size},
      {"shared_expert_intermediate_size", Field::shared_expert_intermediate_size},
      {"first_k_dense_replace", Field::dense_layers},
      {"q_lora_rank", Field::q_lora_rank},
      {"kv_lora_rank", Field::kv_lora_rank},
      {"qk_nope_head_dim", Field::qk_nope_head_dim},
      {"qk_rope_head_dim", Field::qk_rope_head_dim},
      {"v_head_dim", Field::v_head_dim},
  };
  if (!plan[Field::model_type].known()) return std::nullopt;
  return shape_from_config([&](std::string_view key) -> std::optional<std::string> {
    const auto row =
        std::find_if(std::begin(keys), std::end(keys), [&](const auto& pair) { return pair.first == key; });
    if (row == std::end(keys) || !plan[row->second].known()) return std::nullopt;
    return to_string(plan[row->second].effective);
  });
}

/// A model described by the plan's own fields; incomplete unless the dimensions that carry the bytes are all
/// there.
ModelShape inline_shape(const TrainingPlan& plan) {
  if (auto shape = family_shape(plan)) return *shape;
  ModelShape shape;
  const auto size = [&](Field field) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(plan.count(field).value_or(0), 0, 1'000'000'000));
  };
  shape.model_type = plan.text(Field::model_type).value_or("llama");
  shape.layers = size(Field::layers);
  shape.hidden_size = size(Field::hidden_size);
  shape.intermediate_size = size(Field::intermediate_size);
  shape.heads = size(Field::heads);
  shape.kv_heads = size(Field::kv_heads) > 0 ? size(Field::kv_heads) : shape.heads;
  shape.head_dim =
      size(Field::head_dim) > 0 || shape.heads == 0 ? size(Field::head_dim) : shape.hidden_size / shape.heads;
  shape.vocabulary = size(Field::vocabulary);
  shape.tied_embeddings = plan.flag(Field::tied_embeddings).value_or(false);
  shape.max_positions = size(Field::max_positions);
  if (size(Field::experts) > 0) {
    ModelExperts moe;
    moe.experts = size(Field::experts);
    moe.per_token = size(Field::experts_per_token);
    moe.intermediate_size = size(Field::expert_intermediate_size);
    moe.shared_intermediate_size = size(Field::shared_expert_intermediate_size);
    shape.moe = moe;
  }
  shape.complete = shape.layers > 0 && shape.hidden_size > 0 && shape.heads > 0 && shape.vocabulary > 0 &&
                   (shape.intermediate_size > 0 || shape.moe);
  return shape;
}

std::optional<ModelShape> shape_of_config_file(const LoadedRun& run) {
  for (const LoadedFile& file : run.files) {
    if (file.dialect->name != "model_config") continue;
    const auto get = [&](std::string_view key) -> std::optional<std::string> {
      const NodeId at = file.document->resolve(file.document->find(key));
      if (at == no_node || file.document->at(at).kind != NodeKind::scalar) return std::nullopt;
      return std::string(file.document->at(at).text);
    };
    if (auto shape = shape_from_config(get)) return shape;
  }
  return std::nullopt;
}

/// A command line that replaces what the same program's config file says does so on purpose.
void refine(TrainingPlan& plan, const Layer& layer, const LoadedRun& run, const LoadedFile& file) {
  for (const Assignment& each : layer.assignments) {
    const FileIndex decided = plan[each.field].effective_origin.file;
    if (decided < run.files.size() && run.files[decided].dialect == file.dialect)
      plan.set(each.field, each.value, each.origin);
  }
}

}  // namespace

TrainingPlan build_plan(const LoadedRun& run, const Settings& settings) {
  TrainingPlan plan;
  plan.versions = resolve_versions(settings, run.pins);
  plan.dialect = run.files.front().dialect->name;
  for (const LoadedFile& file : run.files) plan.files.push_back(file.path);

  std::vector<std::size_t> order(run.files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return precedence_of(run.files[a]) < precedence_of(run.files[b]);
  });
  for (const std::size_t i : order) {
    const LoadedFile& file = run.files[i];
    const Layer layer =
        read({*file.dialect, *file.document, plan.versions, static_cast<FileIndex>(i), file.root});
    if (precedence_of(file) >= Precedence::launcher) refine(plan, layer, run, file);
    stack(plan, layer);
  }
  stack(plan, Layer{"--assume", settings.assumed, {}});
  stack(plan, target_layer(settings));
  for (auto i = order.rbegin(); i != order.rend(); ++i) fill_defaults(*run.files[*i].dialect, plan);
  plan.fill(Field::stack, std::string(run.files.front().dialect->stack),
            origin(OriginKind::framework_default, plan.dialect));
  derive(plan);
  return plan;
}

ResolvedModel resolve_model(TrainingPlan& plan, const LoadedRun& run, const Settings& settings) {
  ResolvedModel model;
  if (const ModelShape shape = inline_shape(plan); shape.complete && plan[Field::layers].known()) {
    model = {shape, Certainty::certain, "inline", {}};
  }
  ModelMatch match;
  if (const auto id = plan.text(Field::model)) match = find_model(*id, settings.catalogue);
  if (!model.known()) {
    if (auto shape = shape_of_config_file(run)) model = {*shape, Certainty::certain, "config.json", {}};
  }
  if (!model.known()) model = match.model;
  if (!model.known()) {
    if (const auto total = plan.count(Field::parameters)) {
      model.shape.total_parameters = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *total));
      model.certainty = Certainty::high;
      model.how = "parameters";
    }
  }
  if (!match.quantisation.empty()) {
    plan.fill(Field::quantisation, match.quantisation, origin(OriginKind::inferred, "the model's name"));
  }
  if (model.shape.max_positions > 0) {
    plan.fill(Field::max_positions, static_cast<std::int64_t>(model.shape.max_positions),
              origin(OriginKind::derived, model.how));
  }
  return model;
}

std::optional<Card> resolve_card(const TrainingPlan& plan, const Settings& settings, std::string& why) {
  const auto name = plan.text(Field::gpu);
  if (!name || name->empty() || *name == "none") return std::nullopt;
  return find_card(*name, settings.catalogue, why);
}

}  // namespace oomlint
