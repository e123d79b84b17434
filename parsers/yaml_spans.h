#pragma once

#include "lint/document/document.h"

#include <memory>
#include <string>

namespace oomlint {

/// Spans of YAML values; parses the tree at the first question. `repaired` is the text to parse instead of
/// the source's, byte for byte as long; empty if the source needed no repair.
[[nodiscard]] std::shared_ptr<SpanSource> yaml_spans(std::shared_ptr<const SourceFile> source,
                                                     std::string repaired);

}  // namespace oomlint
