#pragma once

#include "lint/dialect/dialect.h"

#include <optional>
#include <string>

// The parts of the ms-swift dialect (parsers/dialects/ms_swift.cpp), where one key does not say it.
namespace oomlint::ms_swift_parts {

// The key table's conversions.
std::optional<Scalar> read_quantisation(const ReadContext& context, NodeId node);
std::optional<std::string> write_quantisation(const Scalar& value);
std::optional<Scalar> read_stage(const ReadContext& context, NodeId node);
std::optional<std::string> write_stage(const Scalar& value);
std::optional<Scalar> read_offload(const ReadContext& context, NodeId node);

/// What several keys, the command and its environment decide together.
void finish(const ReadContext& context, Layer& layer);

// Conditions of ms-swift's own checks.
std::optional<ConstraintHit> deepspeed_with_spread_layers(const ReadContext& context);
std::optional<ConstraintHit> fsdp_and_deepspeed(const ReadContext& context);
std::optional<ConstraintHit> packing_without_flash(const ReadContext& context);
std::optional<ConstraintHit> lazy_packing(const ReadContext& context);
std::optional<ConstraintHit> odd_bits(const ReadContext& context);

}  // namespace oomlint::ms_swift_parts
