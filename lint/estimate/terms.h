#pragma once

#include "lint/estimate/estimate.h"

#include <span>
#include <string>
#include <utility>

namespace oomlint {

/// Whether a term grows with the tokens of the micro batch; what does is subject to the allocator's growth.
[[nodiscard]] bool grows_with_tokens(TermKind kind);
[[nodiscard]] std::span<const Field> inputs_of(TermKind kind);

/// "4,096 × 128,256 × 4 B"
[[nodiscard]] std::string times(std::initializer_list<std::uint64_t> factors, std::uint64_t bytes);

/// Collects the terms of one phase; empty terms are left out, formulas are only written when asked for.
class PhaseBuilder {
 public:
  PhaseBuilder(Phase phase, Explain explain) : explain_(explain) {
    result_.phase = phase;
    result_.terms.reserve(12);
  }
  template <class Formula>
  PhaseBuilder& add(TermKind kind, Bytes bytes, Dtype dtype, Formula formula) {
    if (bytes.count() == 0) return *this;
    const std::span<const Field> inputs = inputs_of(kind);
    result_.terms.push_back({kind, bytes, dtype, {}, {inputs.begin(), inputs.end()}});
    if (explain_ == Explain::yes) result_.terms.back().formula = formula();
    return *this;
  }
  [[nodiscard]] PhaseEstimate take() && { return std::move(result_); }

 private:
  PhaseEstimate result_;
  Explain explain_;
};

}  // namespace oomlint
