#pragma once

#include "lint/document/document.h"

#include <memory>
#include <string_view>
#include <vector>

namespace oomlint {

/// Turns the bytes of one syntax into a Document; never throws, never hangs, says what it could not read in
/// the document's problems.
struct Reader {
  Syntax syntax;
  bool (*claims_path)(std::string_view path);
  Document (*read)(const std::shared_ptr<const SourceFile>& source);
  /// For syntaxes in which one file may hold several runs: a document for each; null where `read` is all.
  std::vector<Document> (*read_runs)(const std::shared_ptr<const SourceFile>& source) = nullptr;
  /// The byte test where the dialects' own does not fit; null: theirs.
  bool (*worth_reading)(std::string_view bytes) = nullptr;
};

}  // namespace oomlint
