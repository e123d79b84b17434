#pragma once

#include "lint/plan/model_shape.h"
#include "lint/plan/words.h"

#include <cstdint>
#include <span>
#include <string_view>

// The catalogue as constant data: lint/catalog/tool reads the .toml files beside this header, checks them and
// writes one .cpp with these rows. Text is kept as offsets into one pool, because thousands of string_views
// take a compiler minutes; nothing here runs at start-up.

namespace oomlint::catalog {

struct Text {
  std::uint32_t offset = 0;
  std::uint16_t size = 0;
};

/// How the figures of a model were checked, weakest first.
enum class Checked : std::uint8_t {
  stated,     ///< a published or estimated total only
  formula,    ///< dimensions from the model's own code; no published count to compare with
  published,  ///< the formula's count equals the exact count the hub publishes
  built,      ///< equals the count of the model built from its configuration
};

/// How an id was tied to a model, strongest first.
enum class Tie : std::uint8_t {
  config,   ///< its configuration was read
  counted,  ///< its published parameter count is that of the model
  rule,     ///< its name says that it is a copy or a variant
};

/// A ModelShape without owners of memory; see there for the meaning of the fields.
struct ModelRow {
  std::uint64_t total_parameters = 0;
  std::uint64_t tower_parameters = 0;
  Text name;
  Text family;
  std::uint16_t since = 0;  ///< year the family appeared, 0 unknown
  bool complete = false;
  bool dtype_known = false;
  Dtype dtype = Dtype::fp32;
  Checked checked = Checked::stated;
  std::uint32_t layers = 0, hidden_size = 0, intermediate_size = 0, heads = 0, kv_heads = 0, head_dim = 0;
  std::uint32_t vocabulary = 0, learned_positions = 0, embedding_size = 0, sliding_window = 0;
  bool tied_embeddings = false, gated_mlp = true, attention_sinks = false, extra_attention_scalars = false;
  NormKind norm = NormKind::rms;
  bool norm_has_bias = false, norm_after_embedding = false;
  std::uint8_t norms_per_layer = 2, final_norms = 1;
  QkNorm qk_norm = QkNorm::none;
  ModelBias bias;
  double attention_softcap = 0, final_softcap = 0;
  ModelExperts moe;          ///< experts == 0: none
  ModelLatentAttention mla;  ///< kv_lora == 0: none
};

struct IdRow {
  Text id;
  std::uint16_t model = 0;  ///< index into `models`
  Tie tie = Tie::config;
  bool dtype_known = false;
  Dtype dtype = Dtype::fp32;
  Quantisation quantisation = Quantisation::none;
  std::uint32_t positions = 0;  ///< 0 unknown
};

/// A name and the id it stands for (an index into `ids`).
struct NameRow {
  Text name;
  std::uint16_t id = 0;
};

/// A suffix and what a repository so named stores; see names.h.
struct SuffixRow {
  Text pattern;
  Quantisation quantisation = Quantisation::none;
};

struct PairRow {
  Text from;
  Text to;
};

struct CardRow {
  Text key, name, vendor;
  std::uint64_t capacity = 0;  ///< bytes, the smallest total reported
  std::uint32_t label_gb = 0;  ///< the number on the box
  double peak_tflops = 0, measured_tflops = 0, bandwidth_gb = 0, watts = 0;
  bool has_bf16 = false, has_fp8 = false, has_flash = false;
  bool measured_memory = false;  ///< the capacity was observed, not taken from the label
  bool discrete = false;         ///< a card of its own: not a laptop's part, not shared with the host
  bool consumer = false;         ///< sold for games: its bare number is a name
  bool typical = false;          ///< stands for its memory size where no card is known
};

/// A squeezed name of a card, and the card (an index into `cards`). A name that several cards share is listed
/// once for each.
struct CardNameRow {
  Text name;
  std::uint16_t card = 0;
};

struct InstanceRow {
  Text name;
  std::uint16_t card = 0;
  std::uint16_t count = 0;
};

/// A version of a package and the day it appeared, as the number 20240523.
struct ReleaseRow {
  Text package;
  Text version;
  std::uint32_t day = 0;
};

struct Tables {
  std::string_view pool;
  std::span<const ModelRow> families;  ///< what the models of a family share; sorted by `family`
  std::span<const ModelRow> models;
  std::span<const IdRow> ids;            ///< sorted by folded id
  std::span<const NameRow> names;        ///< last components of the ids, sorted by folded name, best id first
  std::span<const NameRow> mirror_keys;  ///< names without what mirrors add, likewise
  std::span<const NameRow> variant_keys;  ///< and without what variants add, likewise
  std::span<const NameRow> builders;      ///< names other frameworks use, sorted by folded name
  std::span<const PairRow> owners;        ///< old and new makers
  std::span<const Text> prefixes;
  std::span<const SuffixRow> mirror_suffixes;
  std::span<const SuffixRow> variant_suffixes;
  std::span<const CardRow> cards;           ///< by memory, then name
  std::span<const CardNameRow> card_names;  ///< sorted by name, then memory
  std::span<const InstanceRow> instances;   ///< sorted by folded name
  std::span<const ReleaseRow> releases;     ///< sorted by package, then day
  [[nodiscard]] constexpr std::string_view text(Text text) const {
    return pool.substr(text.offset, text.size);
  }
};

/// The built-in catalogue (generated).
[[nodiscard]] const Tables& tables();

[[nodiscard]] ModelShape to_shape(const ModelRow& row, std::string_view family);

}  // namespace oomlint::catalog
