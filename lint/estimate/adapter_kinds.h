#pragma once

#include <cstdint>
#include <string_view>

namespace oomlint {

/// What an adapter of this kind is made of.
enum class AdapterParts : std::uint8_t {
  low_rank,  ///< two matrices of the rank a module
  vectors,   ///< a vector or so for each side of a module
  norms,     ///< the model's own norms
  tokens,    ///< embeddings of virtual tokens
};

/// What an adapter method saves for backward beside the frozen model, for a module of `in` → `out` features,
/// in bytes where its weights are fp32 and the model's are 16-bit without autocast: for each token and
/// feature, and for each element of matrices the size of the weight that it builds in every pass.
struct AdapterKind {
  std::string_view name;  ///< peft's `peft_type` in lower case
  AdapterParts parts = AdapterParts::low_rank;
  std::uint8_t input = 4;    ///< per token and input feature
  std::uint8_t output = 0;   ///< per token and output feature
  std::uint8_t product = 4;  ///< per token and rank
  std::uint8_t matrix = 0;   ///< per element of in × out
  std::uint8_t square = 0;   ///< per element of in × in
  bool by_rank = false;      ///< `square` counts for each rank
  std::uint8_t hidden = 0;   ///< per token and hidden feature of a layer, whatever is adapted
  std::uint8_t pairs = 0;    ///< per token, head and virtual token of a layer
};

/// By peft's name; nullptr for LoRA, whose formula depends on more, and for kinds the table does not know.
[[nodiscard]] const AdapterKind* find_adapter_kind(std::string_view name);

}  // namespace oomlint
