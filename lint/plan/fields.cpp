#include "lint/plan/fields.h"

#include "lint/plan/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace oomlint {

namespace {

using enum FieldType;
using D = MemoryDirection;

template <class Enum>
std::span<const std::string_view> of() {
  return words<Enum>();
}

// One row a field, in the order of the enumeration (checked below).
constexpr std::array<FieldInfo, field_count> table{{
    {Field::model, "model", text, "", "Hugging Face id, local path or builder name of the model"},
    {Field::parameters, "parameters", count, "parameters", "total parameters, for a model without dimensions",
     D::up},
    {Field::task, "task", word, "", "what the run optimises", D::either, false, of<Task>},
    {Field::method, "method", word, "", "which parameters train and how", D::either, true, of<Method>},
    {Field::stack, "stack", text, "", "stack profile: what the runtime does beyond the config", D::either},
    {Field::framework_date, "framework_date", text, "date",
     "release date that pins the versions of the packages", D::either},

    {Field::model_type, "model_type", text, "", "architecture family, as config.json names it", D::either},
    {Field::layers, "layers", count, "layers", "decoder layers", D::up},
    {Field::hidden_size, "hidden_size", count, "features", "width of the residual stream", D::up},
    {Field::intermediate_size, "intermediate_size", count, "features", "width of the MLP", D::up},
    {Field::heads, "heads", count, "heads", "attention heads", D::either},
    {Field::kv_heads, "kv_heads", count, "heads", "key/value heads", D::up},
    {Field::head_dim, "head_dim", count, "features", "size of one head", D::up},
    {Field::vocabulary, "vocabulary", count, "tokens", "rows of the embedding table", D::up},
    {Field::tied_embeddings, "tied_embeddings", flag, "", "head and embedding share one matrix", D::down},
    {Field::max_positions, "max_positions", count, "tokens", "longest sequence the model was made for"},
    {Field::experts, "experts", count, "experts", "experts a layer", D::up},
    {Field::experts_per_token, "experts_per_token", count, "experts", "experts one token visits", D::up},
    {Field::expert_intermediate_size, "expert_intermediate_size", count, "features",
     "MLP width of one expert", D::up},
    {Field::shared_expert_intermediate_size, "shared_expert_intermediate_size", count, "features",
     "MLP width of the shared expert", D::up},
    {Field::dense_layers, "dense_layers", count, "layers", "leading layers without experts", D::either},
    {Field::q_lora_rank, "q_lora_rank", count, "features", "latent width of the queries", D::up},
    {Field::kv_lora_rank, "kv_lora_rank", count, "features", "latent width of keys and values", D::up},
    {Field::qk_nope_head_dim, "qk_nope_head_dim", count, "features",
     "part of a latent query's head without positions", D::up},
    {Field::qk_rope_head_dim, "qk_rope_head_dim", count, "features",
     "part of a latent query's head with positions", D::up},
    {Field::v_head_dim, "v_head_dim", count, "features", "size of a value's head, where it differs", D::up},

    {Field::weight_dtype, "weight_dtype", word, "", "dtype the unquantised weights are held in", D::up, true,
     of<Dtype>},
    {Field::compute_dtype, "compute_dtype", word, "", "dtype of the matrix multiplications", D::either, false,
     of<Dtype>},
    {Field::autocast, "autocast", flag, "", "torch.autocast casts per operation", D::either},
    {Field::gradient_dtype, "gradient_dtype", word, "", "dtype of the gradients", D::up, false, of<Dtype>},
    {Field::master_weights, "master_weights", flag, "", "an fp32 copy of the weights is kept", D::up},
    {Field::tf32, "tf32", flag, "", "TF32 matrix multiplications"},

    {Field::optimizer, "optimizer", text, "", "the framework's name of the optimizer", D::either, true},
    {Field::optimizer_momentum, "optimizer_momentum", number, "", "momentum; above zero it costs a state",
     D::up},
    {Field::optimizer_paged, "optimizer_paged", flag, "", "states move to host memory when the GPU is full",
     D::down},
    {Field::optimizer_in_backward, "optimizer_in_backward", flag, "",
     "each gradient is used and freed as soon as it is made", D::down},

    {Field::micro_batch,
     "micro_batch",
     count,
     "sequences",
     "sequences per device and forward pass",
     D::up,
     true,
     nullptr,
     {1, 1, 8}},
    {Field::accumulation,
     "accumulation",
     count,
     "micro batches",
     "micro batches per optimizer step",
     D::either,
     true,
     nullptr,
     {1, 1, 1}},
    {Field::effective_batch, "effective_batch", count, "sequences",
     "sequences per optimizer step over all devices"},
    {Field::evaluation_batch, "evaluation_batch", count, "sequences", "sequences per device in evaluation",
     D::up, true},
    {Field::sequence_length, "sequence_length", count, "tokens",
     "longest sequence after truncation or packing", D::up, true},
    {Field::packing, "packing", flag, "", "examples are joined up to the sequence length", D::up},
    {Field::pad_to_length, "pad_to_length", flag, "", "every sequence is padded to the sequence length",
     D::up},
    {Field::padding_free, "padding_free", flag, "", "sequences are concatenated without padding", D::down},
    {Field::image_height, "image_height", count, "pixels", "height of the largest image or frame", D::up},
    {Field::image_width, "image_width", count, "pixels", "width of the largest image or frame", D::up},
    {Field::frames, "frames", count, "frames", "frames of the longest video", D::up},
    {Field::cached_conditions, "cached_conditions", flag, "",
     "text encoder and autoencoder have done their work before the first step", D::down},
    {Field::longest_example, "longest_example", count, "tokens",
     "longest example of the data set, where known", D::up},
    {Field::evaluation, "evaluation", flag, "", "the run evaluates", D::up},
    {Field::evaluation_keeps_logits, "evaluation_keeps_logits", flag, "",
     "evaluation gathers the logits of all batches", D::up, true},

    {Field::lora_rank, "lora_rank", count, "rank", "rank of the adapters", D::up, true},
    {Field::lora_alpha, "lora_alpha", number, "", "scaling of the adapters"},
    {Field::lora_targets, "lora_targets", list, "modules", "modules that get adapters", D::up, true},
    {Field::lora_dropout, "lora_dropout", number, "",
     "dropout before the adapters; above zero it saves masks", D::up},
    {Field::lora_bias, "lora_bias", flag, "", "adapters carry biases", D::up},
    {Field::modules_to_save, "modules_to_save", list, "modules",
     "modules trained in full beside the adapters", D::up},
    {Field::adapter_kind, "adapter_kind", text, "", "peft's name of the adapter method, if not LoRA",
     D::either},
    {Field::virtual_tokens, "virtual_tokens", count, "tokens", "learned tokens before every sequence", D::up},
    {Field::adapter_dtype, "adapter_dtype", word, "", "dtype of the adapter weights", D::up, false,
     of<Dtype>},
    {Field::quantisation, "quantisation", word, "", "storage of the frozen base", D::down, true,
     of<Quantisation>},
    {Field::quantisation_compute_dtype, "quantisation_compute_dtype", word, "",
     "dtype dequantised weights compute in", D::either, false, of<Dtype>},
    {Field::trainable_layers, "trainable_layers", count, "layers",
     "topmost layers that train; absent means all", D::up},
    {Field::kbit_prepared, "kbit_prepared", flag, "",
     "peft's k-bit preparation casts the remaining 16-bit tensors to fp32", D::up},

    {Field::checkpointing, "checkpointing", word, "", "activation checkpointing", D::down, true,
     of<Checkpointing>},
    {Field::checkpointing_reentrant, "checkpointing_reentrant", flag, "",
     "reentrant implementation of activation checkpointing", D::either},
    {Field::checkpointing_every, "checkpointing_every", count, "layers",
     "selective checkpointing recomputes one layer in so many; absent: single operators", D::up},
    {Field::attention, "attention", word, "", "attention implementation", D::either, true, of<Attention>},
    {Field::loss, "loss", word, "", "how the loss treats the logits", D::either, true, of<Loss>},
    {Field::compile, "compile", flag, "", "torch.compile", D::down},
    {Field::compiled_loss, "compiled_loss", flag, "", "torch.compile of the loss", D::down},
    {Field::activation_offload, "activation_offload", flag, "", "saved activations go to host memory",
     D::down, true},
    {Field::recompute_modules, "recompute_modules", list, "modules",
     "parts of a layer that selective checkpointing recomputes", D::down},

    {Field::gpu, "gpu", text, "", "accelerator the run is meant for"},
    {Field::world, "world", count, "devices", "number of all devices", D::down},
    {Field::nodes, "nodes", count, "machines", "number of machines"},
    {Field::sharding, "sharding", word, "", "what is divided over the devices", D::down, true, of<Sharding>},
    {Field::shard_group, "shard_group", count, "devices", "devices one copy of the states is divided over",
     D::down},
    {Field::replica_groups, "replica_groups", count, "groups", "copies of the states hybrid sharding keeps",
     D::up},
    {Field::tensor_parallel, "tensor_parallel", count, "devices", "tensor parallel degree", D::down},
    {Field::pipeline_parallel, "pipeline_parallel", count, "devices", "pipeline parallel degree", D::down},
    {Field::pipeline_micro_batch, "pipeline_micro_batch", count, "sequences",
     "sequences a pipeline stage takes at a time", D::up},
    {Field::virtual_pipeline, "virtual_pipeline", count, "chunks",
     "chunks of layers each pipeline stage interleaves", D::up},
    {Field::context_parallel, "context_parallel", count, "devices", "context parallel degree", D::down},
    {Field::expert_parallel, "expert_parallel", count, "devices", "expert parallel degree", D::down},
    {Field::expert_tensor_parallel, "expert_tensor_parallel", count, "devices",
     "tensor parallel degree of the experts", D::down},
    {Field::sequence_parallel, "sequence_parallel", flag, "",
     "activations outside tensor-parallel regions are divided too", D::down},
    {Field::offload_optimizer, "offload_optimizer", flag, "", "optimizer states live in host memory", D::down,
     true},
    {Field::offload_parameters, "offload_parameters", flag, "", "parameters live in host memory", D::down,
     true},
    {Field::reduce_bucket_elements, "reduce_bucket_elements", count, "elements",
     "size of a gradient reduction bucket", D::up},
    {Field::deferred_reduction, "deferred_reduction", flag, "",
     "gradients stay whole on every device until the last micro batch", D::up},
    {Field::expandable_segments, "expandable_segments", flag, "",
     "the allocator grows segments instead of adding new ones", D::down},

    {Field::epochs, "epochs", number, "epochs", "passes over the data set"},
    {Field::max_steps, "max_steps", count, "steps", "optimizer steps, if they limit the run"},
    {Field::tokens, "tokens", count, "tokens", "tokens of the data set"},
    {Field::examples, "examples", count, "examples", "examples of the data set"},
    {Field::tokens_per_second, "tokens_per_second", number, "tokens/s",
     "measured throughput of the whole run"},
    {Field::save_steps, "save_steps", count, "steps", "steps between checkpoints"},
    {Field::save_limit, "save_limit", count, "checkpoints", "checkpoints that are kept"},

    {Field::activation_bytes, "activation_bytes", count, "bytes", "activations as a flat sum", D::up},
    {Field::adapter_parameters, "adapter_parameters", count, "parameters", "adapter parameters as a flat sum",
     D::up},
    {Field::weight_bytes, "weight_bytes", number, "bytes per parameter", "weight bytes per parameter", D::up},
    {Field::gradient_bytes, "gradient_bytes", number, "bytes per parameter",
     "gradient bytes per trainable parameter", D::up},
    {Field::moment_bytes, "moment_bytes", number, "bytes per parameter",
     "optimizer moments per trainable parameter", D::up},
    {Field::master_bytes, "master_bytes", number, "bytes per parameter",
     "further weight copies per trainable parameter", D::up},
    {Field::generation_layers, "generation_layers", count, "layers", "layers that keep keys and values",
     D::up},
    {Field::generation_kv_width, "generation_kv_width", count, "features",
     "key/value width: kv heads x head size", D::up},
    {Field::generation_tokens, "generation_tokens", count, "tokens", "tokens kept per request", D::up, true},
    {Field::generation_requests, "generation_requests", count, "requests", "concurrent requests", D::up,
     true},
    {Field::generation_bytes_per_element, "generation_bytes_per_element", count, "bytes",
     "bytes of one cached element", D::up},

    {Field::reference_model, "reference_model", text, "", "frozen reference model of preference training",
     D::up},
    {Field::reward_model, "reward_model", text, "", "reward model of reinforcement learning", D::up},
    {Field::teacher_model, "teacher_model", text, "", "teacher of a distillation", D::up},
    {Field::rollout_engine, "rollout_engine", text, "", "inference engine that makes the rollouts"},
    {Field::rollout_memory_fraction, "rollout_memory_fraction", number, "of the device",
     "share of the device the rollout engine takes", D::up},
    {Field::generations_per_prompt, "generations_per_prompt", count, "completions",
     "completions sampled per prompt", D::up},
    {Field::completion_length, "completion_length", count, "tokens", "longest completion", D::up, true},
    {Field::prompt_length, "prompt_length", count, "tokens", "longest prompt", D::up},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].field) != i || table[i].name.empty()) return false;
  }
  return true;
}
static_assert(in_order(), "one row a field, in the order of the enumeration");

std::string_view trimmed(std::string_view text_) {
  while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  while (!text_.empty() && text_.back() == ' ') text_.remove_suffix(1);
  return text_;
}

std::optional<double> parse_number(std::string_view digits) {
  std::string clean;
  std::copy_if(digits.begin(), digits.end(), std::back_inserter(clean), [](char c) { return c != '_'; });
  double value = 0;
  const auto [end, error] = std::from_chars(clean.data(), clean.data() + clean.size(), value);
  if (error != std::errc{} || end != clean.data() + clean.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace

std::span<const FieldInfo> all_fields() {
  return table;
}
const FieldInfo& info(Field field) {
  return table[static_cast<std::size_t>(field)];
}

std::optional<Field> field_named(std::string_view name) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const FieldInfo& f) { return f.name == name; });
  return row == table.end() ? std::nullopt : std::optional(row->field);
}

std::optional<Scalar> parse_value(Field field, std::string_view value, std::string& why) {
  const FieldInfo& row = info(field);
  value = trimmed(value);
  switch (row.type) {
    case flag:
      if (value == "true") return Scalar(true);
      if (value == "false") return Scalar(false);
      why = "expects true or false";
      return std::nullopt;
    case count: {
      const auto parsed = parse_number(value);
      if (parsed && *parsed >= 0 && *parsed < 9.2e18 && std::floor(*parsed) == *parsed) {
        return Scalar(static_cast<std::int64_t>(*parsed));
      }
      why = "expects a whole number" + (row.unit.empty() ? std::string() : " of " + std::string(row.unit));
      return std::nullopt;
    }
    case number:
      if (const auto parsed = parse_number(value)) return Scalar(*parsed);
      why = "expects a number";
      return std::nullopt;
    case word: {
      const auto vocabulary = row.words();
      if (std::find(vocabulary.begin(), vocabulary.end(), value) != vocabulary.end())
        return Scalar(std::string(value));
      why = "expects one of";
      for (const std::string_view each : vocabulary)
        why += (each == vocabulary.front() ? " " : ", ") + std::string(each);
      return std::nullopt;
    }
    case text:
      return Scalar(std::string(value));
    case list: {
      std::vector<std::string> items;
      while (!value.empty()) {
        const std::size_t comma = std::min(value.find(','), value.size());
        items.emplace_back(trimmed(value.substr(0, comma)));
        value.remove_prefix(std::min(comma + 1, value.size()));
      }
      return Scalar(std::move(items));
    }
  }
  return std::nullopt;
}

std::string to_string(const Scalar& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return "?"; }
    std::string operator()(bool flag_) const { return flag_ ? "true" : "false"; }
    std::string operator()(std::int64_t count_) const { return std::to_string(count_); }
    std::string operator()(double number_) const {
      std::array<char, 32> buffer{};
      const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number_);
      return error == std::errc{} ? std::string(buffer.data(), end) : "?";
    }
    std::string operator()(const std::string& text_) const { return text_; }
    std::string operator()(const std::vector<std::string>& items) const {
      std::string joined;
      for (const std::string& item : items) joined += (joined.empty() ? "" : ", ") + item;
      return joined;
    }
  };
  return std::visit(Printer{}, value);
}

}  // namespace oomlint
