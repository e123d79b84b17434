#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/corpus.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

// Each dialect claims the training configs of its own framework and nobody else's.
namespace oomlint {
namespace {

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

}  // namespace

TEST_CASE("corpus: further frameworks' dialects claim their own runs and nobody else's") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  std::vector<std::size_t> claimed(expectations().size());
  for (const test::CorpusFile& file : test::corpus_files(*corpus)) {
    const Reader* reader = reader_for(file.path);
    if (reader == nullptr) continue;
    const Document document =
        reader->read(std::make_shared<const SourceFile>(file.path, test::contents(*corpus / file.path)));
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
