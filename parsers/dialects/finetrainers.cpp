#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"
#include "parsers/dialects/shared/derive.h"

#include <array>
#include <string>

// finetrainers and the CogVideoX scripts it grew from: command lines. Sources: finetrainers 3a519f5
// (training/cogvideox/*.py, args.py) and v0.0.1 (finetrainers/args.py).
namespace oomlint {

namespace {

constexpr std::array<WordPair, 3> precisions{{{"bf16", "bf16"}, {"fp16", "fp16"}, {"no", "fp32"}}};
constexpr std::array<WordPair, 2> checkpointing{{{"", "full"}, {"", "none"}}};
constexpr std::array<DefaultValue, 1> one{{{"1"}}};
constexpr std::array<DefaultValue, 1> none{{{"none"}}};
constexpr std::array<DefaultValue, 1> no{{{"false"}}};

/// `49x480x720`: frames, height, width. The largest bucket decides; it is read where there is one.
std::optional<std::int64_t> bucket_part(const ReadContext& context, std::size_t wanted) {
  const std::vector<std::string> buckets = context.list("video_resolution_buckets");
  std::int64_t largest = 0;
  std::optional<std::int64_t> found;
  for (const std::string& bucket : buckets) {
    std::array<std::int64_t, 3> parts{};
    std::size_t part = 0;
    for (const char c : bucket) {
      if (c == 'x') {
        ++part;
        if (part > 2) break;
      } else if (c >= '0' && c <= '9' && parts[part] < 1'000'000) {
        parts[part] = parts[part] * 10 + (c - '0');
      }
    }
    const std::int64_t size = parts[0] * parts[1] * parts[2];
    if (part != 2 || size <= largest) continue;
    largest = size;
    found = parts[wanted];
  }
  return found;
}

std::optional<Scalar> largest(const ReadContext& context, std::string_view path) {
  std::int64_t most = 0;
  for (const std::string& text : context.list(path)) {
    std::int64_t value = 0;
    for (const char c : text) {
      if (c < '0' || c > '9' || value > 1'000'000) return Scalar();
      value = value * 10 + (c - '0');
    }
    most = std::max(most, value);
  }
  if (most == 0) return std::nullopt;
  return Scalar(most);
}
std::optional<Scalar> read_heights(const ReadContext& context, NodeId /*node*/) {
  return largest(context, "height_buckets");
}
std::optional<Scalar> read_widths(const ReadContext& context, NodeId /*node*/) {
  return largest(context, "width_buckets");
}
std::optional<Scalar> read_frames(const ReadContext& context, NodeId /*node*/) {
  return largest(context, "frame_buckets");
}
template <std::size_t part>
std::optional<Scalar> read_bucket(const ReadContext& context, NodeId /*node*/) {
  const auto value = bucket_part(context, part);
  if (!value) return Scalar();
  return Scalar(*value);
}

constexpr std::array<KeySpec, 20> keys{{
    {.path = "pretrained_model_name_or_path", .field = Field::model},
    {.path = "train_batch_size", .field = Field::micro_batch, .defaults = one, .spell = false},
    {.path = "batch_size", .field = Field::micro_batch},
    {.path = "gradient_accumulation_steps", .field = Field::accumulation, .defaults = one},
    {.path = "mixed_precision",
     .field = Field::compute_dtype,
     .convert = Convert::words,
     .words = precisions},
    {.path = "gradient_checkpointing",
     .field = Field::checkpointing,
     .convert = Convert::true_means,
     .words = checkpointing,
     .defaults = none},
    {.path = "rank", .field = Field::lora_rank},
    {.path = "lora_alpha", .field = Field::lora_alpha},
    {.path = "target_modules", .field = Field::lora_targets},
    {.path = "max_train_steps", .field = Field::max_steps},
    {.path = "train_steps", .field = Field::max_steps, .spell = false},
    {.path = "num_train_epochs", .field = Field::epochs},
    {.path = "checkpointing_steps", .field = Field::save_steps},
    {.path = "use_cpu_offload_optimizer", .field = Field::offload_optimizer, .defaults = no},
    {.path = "height_buckets",
     .field = Field::image_height,
     .convert = Convert::custom,
     .read = read_heights,
     .spell = false},
    {.path = "width_buckets",
     .field = Field::image_width,
     .convert = Convert::custom,
     .read = read_widths,
     .spell = false},
    {.path = "frame_buckets",
     .field = Field::frames,
     .convert = Convert::custom,
     .read = read_frames,
     .spell = false},
    {.path = "video_resolution_buckets",
     .field = Field::image_height,
     .convert = Convert::custom,
     .read = read_bucket<1>,
     .spell = false},
    {.path = "video_resolution_buckets",
     .field = Field::image_width,
     .convert = Convert::custom,
     .read = read_bucket<2>,
     .spell = false},
    {.path = "video_resolution_buckets",
     .field = Field::frames,
     .convert = Convert::custom,
     .read = read_bucket<0>,
     .spell = false},
}};

constexpr std::array<std::string_view, 1> all_of{"pretrained_model_name_or_path"};
constexpr std::array<std::string_view, 5> any_of{"video_resolution_buckets", "frame_buckets",
                                                 "height_buckets", "precompute_conditions",
                                                 "video_reshape_mode"};
constexpr std::array<std::string_view, 2> bytes{"video_resolution_buckets", "frame_buckets"};

/// `--use_8bit` and its kin change the optimizer of `--optimizer`.
std::string optimizer_of(const ReadContext& context) {
  std::string name = context.text("optimizer").value_or("adamw");
  if (is_on(context, "use_8bit") || is_on(context, "use_8bit_bnb")) return name + "_8bit";
  if (is_on(context, "use_4bit")) return name + "_4bit";
  return name;
}

void finish(const ReadContext& context, Layer& layer) {
  derive(context, layer, Field::task, std::string("diffusion"), "pretrained_model_name_or_path",
         "a video model");
  derive(context, layer, Field::optimizer, optimizer_of(context), "optimizer", "--optimizer and its bits");
  const std::string kind = context.text("training_type").value_or("");
  const bool lora = kind == "lora" || (kind.empty() && context.has("rank"));
  derive(context, layer, Field::method, std::string(lora ? "lora" : "full"),
         kind.empty() ? "rank" : "training_type", lora ? "adapters" : "all parameters train");
  const bool scripts = context.has("frame_buckets") || context.has("height_buckets");
  const std::string_view cache = scripts ? "load_tensors" : "precompute_conditions";
  derive(context, layer, Field::cached_conditions, is_on(context, cache), cache,
         "whether encoded prompts and videos are read back");
  if (scripts)
    derive(context, layer, Field::stack, std::string("cogvideox_factory"), "frame_buckets",
           "the scripts of CogVideoX");
}

}  // namespace

extern constinit const Dialect finetrainers{
    .name = "finetrainers",
    .title = "finetrainers",
    .package = "finetrainers",
    .stack = "finetrainers",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 1, .bytes = bytes},
    .scalars = ScalarSchema::yaml12_core,
    .bare_switches = true,
    .keys = keys,
    .unknown_keys = UnknownKeys::passed_on,
    .finish = finish,
};

}  // namespace oomlint
