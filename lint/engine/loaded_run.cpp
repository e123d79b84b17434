#include "lint/engine/loaded_run.h"

#include <algorithm>
#include <utility>

namespace oomlint {

namespace {

constexpr std::size_t max_files = 16;
constexpr int max_depth = 4;

class Loader {
 public:
  Loader(Files& files, const Parts& parts) : files_(files), parts_(parts) {}

  LoadedRun load(LoadedFile main) {
    run_.pins = find_pins(main.path, files_);
    const std::shared_ptr<const Document> document = main.document;
    const bool of_file = main.root == document->root();
    run_.files.push_back(std::move(main));
    follow(0, 0);
    if (document->launch() == no_node || !of_file) return std::move(run_);
    LoadedFile config = config_of_command(*document, run_.files.front().dialect, files_, parts_);
    if (config.document != nullptr) add(std::move(config), 0);
    add({document->source().path(), document, named("launch"), document->launch()}, 0);
    return std::move(run_);
  }

 private:
  void follow(FileIndex index, int depth) {
    if (depth >= max_depth) return;
    // A copy: following companions appends to run_.files.
    const LoadedFile from = run_.files[index];
    const Versions no_versions;
    const ReadContext context{*from.dialect, *from.document, no_versions, index, from.root};
    for (const Companion& companion : from.dialect->companions) {
      const NodeId at = from.document->resolve(context.find(companion.path));
      if (at == no_node) continue;
      const Node& node = from.document->at(at);
      if (node.kind == NodeKind::mapping && companion.inline_allowed) {
        add({from.path, from.document, named(companion.dialect), at}, depth);
      } else if (node.kind == NodeKind::scalar && !node.text.empty()) {
        follow_path(companion, index, at, std::string(node.text), depth);
      }
    }
  }

  void follow_path(const Companion& companion, FileIndex named_in, NodeId at, std::string target, int depth) {
    if (companion.directory_config) target += "/config.json";
    // Frameworks resolve paths against the working directory, people often write them relative to the config.
    const std::string& from = run_.files[named_in].path;
    for (const auto& candidate : {resolve_beside(from, target), normalise(target)}) {
      if (!candidate || !files_.exists(*candidate)) continue;
      FileContent content = files_.read(*candidate);
      if (content.error != ReadError::none) continue;
      auto document =
          read_document(std::make_shared<SourceFile>(*candidate, std::move(content.bytes)), parts_);
      if (!document) continue;
      const Dialect* dialect = named(companion.dialect);
      if (dialect == nullptr) {
        const auto accepted = recognise(*document, parts_.dialects);
        if (accepted.size() == 1) dialect = accepted.front();
      }
      if (dialect == nullptr) continue;
      const NodeId root = document->root();
      add({*candidate, std::move(document), dialect, root}, depth);
      return;
    }
    if (!companion.directory_config)
      run_.missing.push_back({named_in, at, std::move(target), companion.dialect});
  }

  void add(LoadedFile file, int depth) {
    const bool seen = std::any_of(run_.files.begin(), run_.files.end(), [&](const LoadedFile& known) {
      return known.path == file.path && known.root == file.root && known.dialect == file.dialect;
    });
    if (seen || file.dialect == nullptr || run_.files.size() >= max_files) return;
    run_.files.push_back(std::move(file));
    follow(static_cast<FileIndex>(run_.files.size() - 1), depth + 1);
  }

  [[nodiscard]] const Dialect* named(std::string_view name) const {
    const auto found = std::find_if(parts_.dialects.begin(), parts_.dialects.end(),
                                    [&](const Dialect* dialect) { return dialect->name == name; });
    return found == parts_.dialects.end() ? nullptr : *found;
  }

  Files& files_;
  const Parts& parts_;
  LoadedRun run_;
};

}  // namespace

std::shared_ptr<const Document> read_document(const std::shared_ptr<const SourceFile>& source,
                                              const Parts& parts) {
  for (const Reader& reader : parts.readers) {
    if (reader.claims_path(source->path())) return std::make_shared<const Document>(reader.read(source));
  }
  return nullptr;
}

std::vector<std::shared_ptr<const Document>> read_runs(const std::shared_ptr<const SourceFile>& source,
                                                       const Parts& parts) {
  std::vector<std::shared_ptr<const Document>> runs;
  for (const Reader& reader : parts.readers) {
    if (!reader.claims_path(source->path())) continue;
    if (reader.read_runs == nullptr) {
      runs.push_back(std::make_shared<const Document>(reader.read(source)));
      return runs;
    }
    for (Document& document : reader.read_runs(source))
      runs.push_back(std::make_shared<const Document>(std::move(document)));
    return runs;
  }
  return runs;
}

bool worth_reading(std::string_view path, std::string_view bytes, const Parts& parts) {
  for (const Reader& reader : parts.readers) {
    if (reader.worth_reading != nullptr && reader.claims_path(path)) return reader.worth_reading(bytes);
  }
  return worth_parsing(bytes, parts.dialects);
}

Precedence precedence_of(const LoadedFile& file) {
  if (file.document->launch() == no_node) return file.dialect->precedence;
  if (file.root == file.document->root()) return Precedence::command_line;
  return file.dialect->precedence == Precedence::companion ? Precedence::launcher : file.dialect->precedence;
}

LoadedFile config_of_command(const Document& command, const Dialect* expected, Files& files,
                             const Parts& parts) {
  const auto text_at = [&](NodeId root, std::string_view path) {
    const NodeId node = command.find(root, path);
    if (node == no_node || command.at(node).kind != NodeKind::scalar) return std::string();
    return std::string(command.at(node).text);
  };
  std::string target = text_at(command.launch(), "config");
  for (const std::string_view flag : {"config", "config_file", "job.config_file", "cfg", "train_config"}) {
    if (target.empty()) target = text_at(command.root(), flag);
  }
  const bool is_file = target.ends_with(".yaml") || target.ends_with(".yml") || target.ends_with(".toml") ||
                       target.ends_with(".json");
  if (!is_file) return {};
  for (const auto& candidate : {resolve_beside(command.source().path(), target), normalise(target)}) {
    if (!candidate || !files.exists(*candidate)) continue;
    FileContent content = files.read(*candidate);
    if (content.error != ReadError::none) continue;
    auto document = read_document(std::make_shared<SourceFile>(*candidate, std::move(content.bytes)), parts);
    if (!document) continue;
    const auto accepted = recognise(*document, parts.dialects);
    const Dialect* dialect = accepted.size() == 1 ? accepted.front() : expected;
    if (dialect == nullptr) continue;
    const NodeId root = document->root();
    return {*candidate, std::move(document), dialect, root};
  }
  return {};
}

LoadedRun load_run(LoadedFile main, Files& files, const Parts& parts) {
  return Loader(files, parts).load(std::move(main));
}

}  // namespace oomlint
