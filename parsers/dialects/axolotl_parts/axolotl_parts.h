#pragma once

#include "lint/dialect/dialect.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

// The parts of the axolotl dialect (parsers/dialects/axolotl.cpp). Sources are named by file below
// src/axolotl/ of axolotl at 067b021 (0.18 development), unless another version is named.
namespace oomlint::axolotl_parts {

/// The key tables' custom conversions.
[[nodiscard]] std::optional<Scalar> read_bits(const ReadContext& context, NodeId node);
[[nodiscard]] std::optional<Scalar> read_precision(const ReadContext& context, NodeId node);
[[nodiscard]] std::optional<std::string> write_precision(const Scalar& value);
[[nodiscard]] std::optional<Scalar> read_attention(const ReadContext& context, NodeId node);
[[nodiscard]] std::optional<std::string> write_attention(const Scalar& value);
[[nodiscard]] std::optional<Scalar> read_validation(const ReadContext& context, NodeId node);
[[nodiscard]] std::optional<Scalar> read_sharding(const ReadContext& context, NodeId node);

/// What several keys decide together.
void derive(const ReadContext& context, Layer& layer);

/// Edits that take several keys.
[[nodiscard]] bool spell_together(const ReadContext& context, const PlanEdit& edit,
                                  std::vector<TextEdit>& edits);

/// Whether the plugin of that class is listed: a plugin's keys do nothing without it.
[[nodiscard]] bool has_plugin(const ReadContext& context, std::string_view name);
inline constexpr std::string_view liger_plugin = "axolotl.integrations.liger.LigerPlugin";
inline constexpr std::string_view cut_cross_entropy_plugin =
    "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin";

/// Python's truth of the value under a key: given and neither null, false, zero nor empty.
[[nodiscard]] bool is_truthy(const ReadContext& context, std::string_view path);
/// 1 or 2 where FSDP is used, 0 where it is not; a version nobody wrote is 1.
[[nodiscard]] int fsdp_version(const ReadContext& context);

/// The checks axolotl makes itself.
inline constexpr std::size_t constraint_count = 71;
extern const std::array<Constraint, constraint_count> constraints;

}  // namespace oomlint::axolotl_parts
