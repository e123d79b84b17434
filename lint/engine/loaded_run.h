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

/// The config file that a command names, read; no document without one. Its dialect is `expected`, or
/// recognised.
[[nodiscard]] LoadedFile config_of_command(const Document& command, const Dialect* expected, Files& files,
                                           const Parts& parts);

/// All sources of one run, the main config first. `files[i]` is what Origin::file == i points at.
struct LoadedRun {
  std::vector<LoadedFile> files;
  std::vector<MissingCompanion> missing;
  std::vector<Pin> pins;  ///< of the lock and requirements files near the main config
};

/// A text read by the reader that claims its path; null without one.
[[nodiscard]] std::shared_ptr<const Document> read_document(const std::shared_ptr<const SourceFile>& source,
                                                            const Parts& parts);

/// The runs that a text holds: one for a config, one for each command of a script.
[[nodiscard]] std::vector<std::shared_ptr<const Document>> read_runs(
    const std::shared_ptr<const SourceFile>& source, const Parts& parts);

/// Whether a text can hold anything for this build at all.
[[nodiscard]] bool worth_reading(std::string_view path, std::string_view bytes, const Parts& parts);

/// Whether a source of the run is the command line that starts it, or only how it is launched.
[[nodiscard]] Precedence precedence_of(const LoadedFile& file);

/// The main document and everything it names, to a depth of four files and sixteen in all.
[[nodiscard]] LoadedRun load_run(LoadedFile main, Files& files, const Parts& parts);

}  // namespace oomlint
