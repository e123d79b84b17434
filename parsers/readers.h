#pragma once

#include "lint/engine/reader.h"

#include <span>
#include <string_view>
#include <vector>

namespace oomlint {

/// The syntaxes this build reads.
[[nodiscard]] std::span<const Reader> all_readers();

/// The reader whose file names `path` has, or null.
[[nodiscard]] const Reader* reader_for(std::string_view path);

[[nodiscard]] Document read_yaml(const std::shared_ptr<const SourceFile>& source);
[[nodiscard]] Document read_toml(const std::shared_ptr<const SourceFile>& source);
[[nodiscard]] Document read_json(const std::shared_ptr<const SourceFile>& source);
/// The first launch of a script; its arguments are the document's entries.
[[nodiscard]] Document read_shell(const std::shared_ptr<const SourceFile>& source);
/// One document for each command of a script that starts a program which may train.
[[nodiscard]] std::vector<Document> read_shell_runs(const std::shared_ptr<const SourceFile>& source);

}  // namespace oomlint
