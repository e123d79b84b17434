#pragma once

#include "lint/document/document.h"

#include <memory>
#include <string>
#include <string_view>

namespace oomlint {

/// Spans of YAML values; parses the tree at the first question. `repaired` is the text to parse instead of
/// the source's, byte for byte as long; empty if the source needed no repair.
[[nodiscard]] std::shared_ptr<SpanSource> yaml_spans(std::shared_ptr<const SourceFile> source,
                                                     std::string repaired);

/// Fills `document`, spans included, with what error recovery makes of `text`: the source's, or that
/// repaired.
void recover_yaml(Document& document, std::string text);

/// What the library reads a scalar as, quotes, block sign and all. In parsers/yaml.cpp.
[[nodiscard]] std::string decode_yaml_scalar(std::string_view text);

}  // namespace oomlint
