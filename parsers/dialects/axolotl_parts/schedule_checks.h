#pragma once

#include "parsers/dialects/axolotl_parts/conditions.h"

#include <array>

// axolotl's checks of what is trained on and when it evaluates and saves. Sources as in axolotl_parts.h.
namespace oomlint::axolotl_parts {

[[nodiscard]] Hit evaluation_rhythm(C c);
[[nodiscard]] Hit evaluation_without_data(C c);
[[nodiscard]] Hit validation_beside_tests(C c);
[[nodiscard]] Hit generation_table(C c);
[[nodiscard]] Hit early_stopping(C c);
[[nodiscard]] Hit simpo_warmup(C c);
[[nodiscard]] Hit packed_streams(C c);

inline constexpr std::string_view validation = "utils/schemas/validation.py";
inline constexpr std::array<Constraint, 7> schedule_checks{{
    {.id = "axolotl/evaluation-rhythm",
     .effect = Effect::refused,
     .message = "`eval_strategy` contradicts another key that says when to evaluate",
     .remedy = "set eval_strategy: steps or drop it",
     .source = validation,
     .when = evaluation_rhythm},
    {.id = "axolotl/evaluation-without-data",
     .effect = Effect::refused,
     .message = "`eval_strategy` and `eval_steps` need a validation set",
     .remedy = "set val_set_size or drop the key",
     .source = validation,
     .when = evaluation_without_data},
    {.id = "axolotl/validation-beside-tests",
     .effect = Effect::refused,
     .message = "`val_set_size` and `test_datasets` exclude each other",
     .remedy = "set val_set_size: 0",
     .source = validation,
     .when = validation_beside_tests},
    {.id = "axolotl/generation-table",
     .effect = Effect::refused,
     .message = "`eval_table_size` does not go with packed evaluation",
     .remedy = "set eval_sample_packing: false",
     .source = validation,
     .when = generation_table},
    {.id = "axolotl/early-stopping",
     .effect = Effect::refused,
     .message = "`early_stopping_patience` needs `save_steps` and `eval_steps`, the first a multiple of the "
                "second",
     .remedy = "set both",
     .source = validation,
     .when = early_stopping},
    {.id = "axolotl/simpo-warmup",
     .effect = Effect::refused,
     .message = "the SimPO trainer takes no `warmup_ratio`",
     .remedy = "use warmup_steps",
     .source = validation,
     .when = simpo_warmup},
    {.id = "axolotl/packed-streams",
     .effect = Effect::refused,
     .message = "several data sets that are streamed can not be packed together",
     .remedy = "set sample_packing: false",
     .source = validation,
     .when = packed_streams},
}};

}  // namespace oomlint::axolotl_parts
