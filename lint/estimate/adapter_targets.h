#pragma once

#include "lint/estimate/concrete_plan.h"
#include "lint/estimate/recipe.h"

#include <string>
#include <vector>

namespace oomlint {

/// Puts the adapter on the modules that the framework's names mean: "q_proj", "query_key_value",
/// "all-linear", a regular expression that spells such names. Without names: query and value projections,
/// what peft takes for most families.
void target_modules(ConcreteAdapter& adapter, const std::vector<std::string>& names, const Recipe& recipe);

/// `modules_to_save`: full trainable copies.
void target_nothing(ConcreteAdapter& adapter);
void save_modules(ConcreteAdapter& adapter, const std::vector<std::string>& names);

}  // namespace oomlint
