#pragma once

#include "lint/dialect/dialect.h"
#include "lint/engine/engine.h"
#include "lint/engine/files.h"
#include "lint/engine/pins.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// One source of a run: a document, or a mapping inside one (an inline DeepSpeed section).
struct LoadedFile {
  std::string path;
  std::shared_ptr<const Document> document;
  const Dialect* dialect = nullptr;
  NodeId root = no_node;
};

/// A reference to a file that is not there: the run is judged without it.
struct MissingCompanion {
  FileIndex named_in = 0;
  NodeId at = no_node;
  std::string path;
  std::string_view dialect;
};

/// All sources of one run, the main config first. `files[i]` is what Origin::file == i points at.
struct LoadedRun {
  std::vector<LoadedFile> files;
  std::vector<MissingCompanion> missing;
  std::vector<Pin> pins;  ///< of the lock and requirements files near the main config
};

/// A text read by the reader that claims its path; null without one.
[[nodiscard]] std::shared_ptr<const Document> read_document(const std::shared_ptr<const SourceFile>& source,
                                                            const Parts& parts);

/// The main document and everything it names, to a depth of four files and sixteen in all.
[[nodiscard]] LoadedRun load_run(LoadedFile main, Files& files, const Parts& parts);

}  // namespace oomlint
