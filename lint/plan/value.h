#pragma once

#include "lint/plan/scalar.h"
#include "lint/text/span.h"

#include <cstdint>
#include <string>

namespace oomlint {

enum class OriginKind : std::uint8_t {
  unknown,
  given,              ///< written by the user at `span` of `file`
  framework_default,  ///< what the framework takes when nothing is written; `note` names framework and
                      ///< version
  derived,            ///< follows exactly from other values; `note` says from which
  inferred,           ///< likely, not certain (a model size read from its name)
  policy,             ///< the user's settings
  assumed,            ///< `--assume`, wins over everything
};
[[nodiscard]] const char* to_string(OriginKind kind);

/// Index of a file within the run; `no_file` where a value comes from none.
using FileIndex = std::uint16_t;
inline constexpr FileIndex no_file = 0xFFFF;

/// Where a value came from. `key` is the logical path in that file ("deepspeed.zero_optimization.stage").
struct Origin {
  OriginKind kind = OriginKind::unknown;
  FileIndex file = no_file;
  Span span;  ///< of the value, or of the key where there is no value text
  std::string key;
  std::string note;
};

/// Why the effective value is not the requested one.
enum class Difference : std::uint8_t {
  none,
  overridden,  ///< another place decides (`because` says which)
  conflict,    ///< two places that must agree do not, and the framework would refuse or pick silently
  clamped,     ///< the framework cuts it to a limit
  ignored,     ///< this version, or this combination, does not read it
  refused,     ///< the framework stops with an error
};
[[nodiscard]] const char* to_string(Difference difference);

/// One value of the plan: what was asked for, what will be, where each came from, and why they differ. The
/// estimate reads `effective`; the rules about ignored, overridden, refused and conflicting settings read the
/// difference.
struct Value {
  Scalar requested;
  Scalar effective;
  Origin requested_origin;
  Origin effective_origin;
  Difference difference = Difference::none;
  std::string because;  ///< one clause: "DeepSpeed's train_micro_batch_size_per_gpu decides"

  [[nodiscard]] bool known() const { return is_known(effective); }
  [[nodiscard]] bool given() const { return requested_origin.kind == OriginKind::given; }
};

}  // namespace oomlint
