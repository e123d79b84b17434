#pragma once

#include "lint/text/diagnostic.h"

#include <string>
#include <string_view>

namespace oomlint {

enum class Style { error, warning, note, bold, gutter };

[[nodiscard]] inline Style style_of(Severity severity) {
  return severity == Severity::error     ? Style::error
         : severity == Severity::warning ? Style::warning
                                         : Style::note;
}

/// Wraps text in terminal colours, or leaves it alone.
class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}

  [[nodiscard]] std::string operator()(Style style, std::string_view text) const {
    if (!colour_) return std::string(text);
    return std::string(code(style)).append(text).append("\x1b[0m");
  }

 private:
  [[nodiscard]] static std::string_view code(Style style) {
    switch (style) {
      case Style::error:
        return "\x1b[1;31m";
      case Style::warning:
        return "\x1b[1;33m";
      case Style::note:
        return "\x1b[1;36m";
      case Style::bold:
        return "\x1b[1m";
      case Style::gutter:
        return "\x1b[34m";
    }
    return "";
  }

  bool colour_;
};

}  // namespace oomlint
