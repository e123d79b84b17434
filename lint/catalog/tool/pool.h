#pragma once

#include "lint/catalog/tables.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace oomlint::catalog {

/// All texts of the tables in one; equal texts are kept once.
class Pool {
 public:
  Text add(std::string_view text);
  /// As adjacent C++ string literals.
  [[nodiscard]] std::string literal() const;

 private:
  std::string text_;
  std::unordered_map<std::string, Text> known_;
};

}  // namespace oomlint::catalog
