#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/corpus.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace oomlint {

extern const Dialect axolotl;

namespace {

using test::CorpusFile;

std::shared_ptr<const SourceFile> source_of(const std::filesystem::path& file, const std::string& shown) {
  return std::make_shared<const SourceFile>(shown, test::contents(file));
}

bool is_axolotl_run(const CorpusFile& file) {
  static const std::set<std::string> others{"dataset", "infer", "other", "deepspeed", "fsdp", "accelerate"};
  return (file.framework == "axolotl" || file.framework == "axolotl-old") && !others.contains(file.kind);
}

}  // namespace

TEST_CASE("corpus: axolotl configs are axolotl's and nobody else's is") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  std::size_t runs = 0;
  std::size_t foreign = 0;
  for (const CorpusFile& file : test::corpus_files(*corpus)) {
    const Reader* reader = reader_for(file.path);
    if (reader == nullptr) continue;
    const Document document = reader->read(source_of(*corpus / file.path, file.path));
    INFO(file.path, " ", file.kind);
    if (is_axolotl_run(file)) {
      ++runs;
      const auto accepted = recognise(document, all_dialects());
      REQUIRE(accepted.size() == 1);
      CHECK(accepted.front() == &axolotl);
      CHECK(worth_parsing(document.source().bytes(), accepted));
      CHECK(hold_against(document, axolotl).found.size() >= 3);
    } else if (!file.framework.starts_with("axolotl")) {
      ++foreign;
      CHECK_FALSE(hold_against(document, axolotl).accepted);
    }
  }
  CHECK(runs > 150);
  CHECK(foreign > 1000);
  MESSAGE(runs, " axolotl runs recognised, ", foreign, " files of other frameworks left alone");
}

TEST_CASE("corpus: every axolotl config reads into a plan with a model, a batch and a length") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  for (const CorpusFile& file : test::corpus_files(*corpus)) {
    const Reader* reader = reader_for(file.path);
    if (reader == nullptr || !is_axolotl_run(file)) continue;
    const Document document = reader->read(source_of(*corpus / file.path, file.path));
    INFO(file.path);
    TrainingPlan plan;
    stack(plan, read({axolotl, document, plan.versions, 0, document.root()}));
    fill_defaults(axolotl, plan);
    CHECK(plan.text(Field::model).has_value());
    CHECK(plan.count(Field::micro_batch).value_or(0) > 0);
    CHECK(plan.count(Field::sequence_length).value_or(0) > 0);
    CHECK(plan.word<Method>(Field::method).has_value());
    CHECK(plan.word<Dtype>(Field::weight_dtype).has_value());
  }
}

TEST_CASE("corpus: an edit of a real axolotl config changes one line and reads as the edit") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  for (const CorpusFile& file : test::corpus_files(*corpus)) {
    const Reader* reader = reader_for(file.path);
    if (reader == nullptr || !is_axolotl_run(file)) continue;
    const auto source = source_of(*corpus / file.path, file.path);
    const Document document = reader->read(source);
    INFO(file.path);
    const Versions versions;
    for (const PlanEdit& edit :
         {PlanEdit{Field::micro_batch, std::int64_t{3}}, PlanEdit{Field::sequence_length, std::int64_t{333}},
          PlanEdit{Field::evaluation_batch, std::int64_t{3}}}) {
      const auto edits = spell({axolotl, document, versions, 0, document.root()}, edit);
      REQUIRE(edits.has_value());
      REQUIRE(edits->size() == 1);
      std::string text(source->bytes());
      text.replace(edits->front().span.begin, edits->front().span.size(), edits->front().text);
      const Document edited = reader->read(std::make_shared<const SourceFile>(file.path, text));
      TrainingPlan plan;
      stack(plan, read({axolotl, edited, versions, 0, edited.root()}));
      CHECK(to_string(plan[edit.field].effective) == to_string(edit.value));
    }
  }
}

}  // namespace oomlint
