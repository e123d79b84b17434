#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/corpus.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace oomlint {

extern const Dialect hf_trainer, trl, deepspeed, accelerate, model_config;

namespace {

constexpr std::array<const Dialect*, 5> family{&accelerate, &deepspeed, &hf_trainer, &model_config, &trl};

using test::CorpusFile;

std::string recognised_as(const std::filesystem::path& path) {
  const Reader* reader = reader_for(path.string());
  if (reader == nullptr) return "";
  std::string bytes = test::contents(path);
  if (!worth_parsing(bytes, family)) return "";
  const Document document = reader->read(std::make_shared<SourceFile>(path.string(), std::move(bytes)));
  std::string names;
  for (const Dialect* dialect : recognise(document, family)) {
    names += (names.empty() ? "" : "+") + std::string(dialect->name);
  }
  return names;
}

/// The dialect a corpus file is written in, by its repository and place; empty for none of ours.
std::string expected(const CorpusFile& file) {
  // Files of these repositories that are no configs of theirs: I/O benchmarks and BERT data descriptions.
  static const std::set<std::string> other{"deepspeed/csrc/aio/py_test/single_process_config.json",
                                           "deepspeed-examples/training/bing_bert/bert_base_large_lr.json",
                                           "deepspeed-examples/training/bing_bert/bert_large.json"};
  if (other.contains(file.path)) return "";
  const bool launch = file.path.find("accelerate_configs/") != std::string::npos;
  if (launch || file.kind == "accelerate") return "accelerate";
  if (file.kind == "deepspeed") return "deepspeed";
  if (file.framework == "trl" || file.framework == "alignment-handbook" || file.framework == "open-r1")
    return "trl";
  if (file.framework == "accelerate") return file.path.ends_with(".json") ? "deepspeed" : "accelerate";
  if (file.framework == "deepspeed" || file.framework == "deepspeed-examples" ||
      file.framework == "megatron-deepspeed")
    return "deepspeed";
  return "";
}

TEST_CASE("corpus files of the Hugging Face family are recognised as their own and nobody else's are") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  std::map<std::string, int> counts;
  for (const CorpusFile& file : test::corpus_files(*corpus)) {
    const std::string found = recognised_as(*corpus / file.path);
    const std::string wanted = expected(file);
    ++counts[found];
    // Launch files that other frameworks ship under other kinds.
    if (wanted.empty() && (found == "accelerate" || found == "deepspeed")) {
      INFO(file.path);
      CHECK((file.framework == "diffusers" || file.framework == "simpletuner" ||
             file.framework == "llama-factory"));
      continue;
    }
    INFO(file.path);
    CHECK(found == wanted);
  }
  CHECK(counts["trl"] == 26);
  CHECK(counts["accelerate"] == 61);
  CHECK(counts["deepspeed"] == 119);
  CHECK(counts["hf_trainer"] == 0);
  CHECK(counts["model_config"] == 0);
}

}  // namespace
}  // namespace oomlint
