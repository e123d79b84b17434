#pragma once

#include "lint/document/document.h"

#include <cstdint>
#include <string>

namespace oomlint {

// How a document is laid out on its lines, for edits that keep to it.

/// Whether a mapping or sequence is written in brackets on its own terms: JSON, `{…}` and `[…]` in YAML and
/// TOML.
[[nodiscard]] bool is_flow(const Document& document, NodeId container);

/// The lines a span touches, with the last line's ending.
[[nodiscard]] Span whole_lines(const Document& document, Span span);

/// Whether only blanks stand before `offset` on its line.
[[nodiscard]] bool column_is_blank(const Document& document, std::uint32_t offset);
/// Blanks that reach the column of `offset`: what stands there where it is blank, else as many spaces.
[[nodiscard]] std::string column_blanks(const Document& document, std::uint32_t offset);

/// The step by which the file indents nested mappings; two where nothing shows it.
[[nodiscard]] std::uint32_t indent_step(const Document& document);

}  // namespace oomlint
