#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace oomlint {

/// How a diffusion transformer trains; decides what a block saves for backward.
enum class DiffusionMode : std::uint8_t {
  adapters_autocast,  ///< 16-bit base under autocast
  adapters,           ///< 16-bit base and arithmetic
  full,               ///< all in 16 bits
  full_autocast,      ///< 16-bit weights under autocast
  full_mixed,         ///< fp32 weights under autocast
};

/// Bytes per token in tenths of the hidden width, by DiffusionMode.
using TenthsByMode = std::array<std::uint16_t, 5>;

/// A linear layer of a block, by the name adapters are put on; `count` where both streams have one.
struct DiffusionModule {
  std::string_view name;
  std::uint32_t in, out;
  std::uint8_t count = 1;
};

struct DiffusionBlock {
  std::uint32_t depth = 0;
  std::uint32_t parameters = 0;
  TenthsByMode image{}, text{};  ///< saved by one block, per token of the image or video and of the text
  std::span<const DiffusionModule> modules;
};

/// One diffusion transformer with the models its pipeline runs beside it. Text either runs through the blocks
/// (joint) or is attended to.
struct DiffusionModel {
  std::span<const std::string_view> names;  ///< parts of an id in lower case; the longest match wins
  std::uint32_t hidden = 0;
  std::uint64_t parameters = 0;
  std::array<DiffusionBlock, 2> blocks{};
  std::uint32_t text_tokens = 0;
  bool joint = true;
  std::uint16_t pixels = 16;      ///< side of the square of pixels that is one token
  std::uint16_t frame_group = 4;  ///< frames behind the first that are one step of the latent; 0: images
  std::uint16_t in_flight = 0;  ///< tenths of hidden alive in the backward of one recomputed block, adapters
                                ///< under autocast; 0: not measured
  std::uint64_t text_encoder = 0, autoencoder = 0;  ///< parameters
  std::uint64_t buffer_bytes = 0;
};

/// A bit for each name of a module in the table; 0 for others.
[[nodiscard]] std::uint32_t diffusion_module_bit(std::string_view name);

/// By id; nullptr for models the table does not have.
[[nodiscard]] const DiffusionModel* find_diffusion_model(std::string_view id);

}  // namespace oomlint
