#pragma once

#include "lint/document/document.h"

#include <memory>
#include <string_view>

namespace oomlint {

/// Turns the bytes of one syntax into a Document; never throws, never hangs, says what it could not read in
/// the document's problems.
struct Reader {
  Syntax syntax;
  bool (*claims_path)(std::string_view path);
  Document (*read)(const std::shared_ptr<const SourceFile>& source);
};

}  // namespace oomlint
