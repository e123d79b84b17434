#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

// Each dialect claims the training configs of its own framework and nobody else's.
namespace oomlint {
namespace {

struct CorpusFile {
  std::string framework, path, kind;
};

std::vector<CorpusFile> corpus(const std::filesystem::path& index) {
  std::vector<CorpusFile> files;
  std::ifstream lines(index);
  std::string line;
  std::getline(lines, line);  // the header
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    if (cells.size() >= 8) files.push_back({cells[0], cells[4], cells[7]});
  }
  return files;
}

/// A dialect, the folder of the corpus its files are in, the kinds that are training runs, and how many of
/// them it claims.
struct Expected {
  std::string_view dialect, framework;
  std::vector<std::string_view> kinds;
  std::size_t at_least;
};

const std::vector<Expected>& expectations() {
  static const std::vector<Expected> rows{
      {"llm_foundry", "llm-foundry", {"pretrain", "sft", "lora"}, 21},
      {"nemo_automodel", "nemo-automodel", {"train", "model"}, 104},
      {"megatron_args", "megatron-lm", {"train"}, 50},
      {"megatron_bridge", "megatron-bridge", {"train", "model"}, 5},
      {"peft_adapter", "peft", {"peft-adapter", "lora"}, 60},
  };
  return rows;
}

Document read_file(const std::filesystem::path& file, const std::string& shown, const Reader& reader) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return reader.read(std::make_shared<const SourceFile>(shown, bytes.str()));
}

}  // namespace

TEST_CASE("corpus: further frameworks' dialects claim their own runs and nobody else's") {
  const auto index = test::data("corpus/INDEX.tsv");
  if (!index) return;
  std::vector<std::size_t> claimed(expectations().size());
  for (const CorpusFile& file : corpus(*index)) {
    const Reader* reader = reader_for(file.path);
    if (reader == nullptr) continue;
    const Document document = read_file(index->parent_path() / file.path, file.path, *reader);
    const auto accepted = recognise(document, all_dialects());
    INFO(file.path, " ", file.kind);
    for (std::size_t i = 0; i < expectations().size(); ++i) {
      const Expected& row = expectations()[i];
      const bool mine = std::any_of(accepted.begin(), accepted.end(),
                                    [&](const Dialect* dialect) { return dialect->name == row.dialect; });
      const bool own = std::find(row.kinds.begin(), row.kinds.end(), file.kind) != row.kinds.end() &&
                       file.framework == row.framework;
      if (!mine) continue;
      CHECK(own);
      CHECK(accepted.size() == 1);
      CHECK(worth_parsing(document.source().bytes(), accepted));
      ++claimed[i];
    }
  }
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    INFO(expectations()[i].dialect);
    CHECK(claimed[i] >= expectations()[i].at_least);
  }
}

}  // namespace oomlint
