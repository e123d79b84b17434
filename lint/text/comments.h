#pragma once

#include "lint/text/source_file.h"

#include <vector>

namespace oomlint {

/// The `#` comments of a YAML, TOML, shell or Python text, each from its `#` to the end of its line, found
/// without parsing. A `#` inside quotes or a YAML block scalar is text; a quote that never closes ends at its
/// line. The syntax follows from the path's extension (YAML when it says nothing); JSON has no comments.
[[nodiscard]] std::vector<Span> find_comments(const SourceFile& source);

}  // namespace oomlint
