#pragma once

#include "integrations/emit/style.h"
#include "lint/engine/report.h"

#include <iosfwd>

namespace oomlint {

/// The source of a shown path, nullptr when the report does not carry it.
[[nodiscard]] const SourceFile* source_of(const Report& report, const std::string& path);
/// "path:line:column", 1-based, columns in code points; the bare path when its source is not at hand.
[[nodiscard]] std::string place_text(const Report& report, const Location& location);

/// Columns that line numbers take in the excerpt of a diagnostic.
[[nodiscard]] std::size_t gutter_width(const Report& report, const Diagnostic& diagnostic);

/// The lines a diagnostic speaks of, its primary span underlined with carets, related ones with dashes; the
/// primary's file first, each further file below it, lines in source order.
void print_excerpt(const Report& report, const Diagnostic& diagnostic, const Painter& paint, unsigned width,
                   std::ostream& out);

}  // namespace oomlint
