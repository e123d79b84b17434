#include "integrations/files/memory_files.h"
#include "lint/estimate/evaluate.h"
#include "tests/support/corpus.h"
#include "tests/support/data.h"
#include "tests/support/lint_files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace oomlint;

namespace {

constexpr Origin told{OriginKind::assumed, no_file, {}, "", ""};

/// The runs of the corpus that can be estimated, a file at a time and without what lies beside it.
std::vector<RunReport> corpus_runs(const std::filesystem::path& corpus) {
  std::vector<RunReport> runs;
  for (const test::CorpusFile& file : test::corpus_files(corpus)) {
    MemoryFiles files;
    files.set(file.path, test::contents(corpus / file.path));
    for (RunReport& run : test::check(files, file.path).runs) {
      if (run.evaluation.estimated && run.evaluation.missing.empty()) runs.push_back(std::move(run));
    }
  }
  return runs;
}

Evaluation judged(const RunReport& run, const TrainingPlan& plan) {
  return evaluate(plan, run.model, nullptr, HeadroomPolicy{});
}

void in_order(const Interval& interval) {
  CHECK(interval.low <= interval.likely);
  CHECK(interval.likely <= interval.high);
}

/// Nothing is lower than before.
void not_lower(const Evaluation& before, const Evaluation& after) {
  CHECK(after.allocated.low >= before.allocated.low);
  CHECK(after.allocated.likely >= before.allocated.likely);
  CHECK(after.allocated.high >= before.allocated.high);
  CHECK(after.need.likely >= before.need.likely);
}
}  // namespace

TEST_CASE("intervals of corpus runs are in order, and more of a run never needs less") {
  const auto corpus = test::data("corpus");
  if (!corpus) return;
  const std::vector<RunReport> runs = corpus_runs(*corpus);
  MESSAGE(runs.size() << " runs of the corpus");
  CHECK(runs.size() > 100);
  for (const RunReport& run : runs) {
    CAPTURE(run.files.front());
    const Evaluation before = judged(run, run.plan);
    for (const Interval& interval : {before.allocated, before.reserved, before.device, before.need})
      in_order(interval);
    for (const Interval& phase : before.phases) in_order(phase);
    CHECK(before.reserved.low >= before.allocated.low);
    CHECK(before.reserved.likely >= before.allocated.likely);
    CHECK(before.device.low >= before.reserved.low);
    CHECK(before.need.low <= before.device.high);

    for (const Field field : {Field::micro_batch, Field::sequence_length, Field::lora_rank}) {
      const auto now = run.plan.count(field);
      if (!now || *now <= 0 || *now > (std::int64_t{1} << 30)) continue;
      CAPTURE(std::string(info(field).name));
      TrainingPlan more = run.plan;
      more.set(field, Scalar(*now * 2), told);
      not_lower(before, judged(run, more));
    }
    TrainingPlan recomputed = run.plan;
    recomputed.set(Field::checkpointing, Scalar(std::string("full")), told);
    TrainingPlan kept = run.plan;
    kept.set(Field::checkpointing, Scalar(std::string("none")), told);
    // Where the states decide, the peak is in the lowest layer, which holds its checkpoint besides.
    const std::uint64_t tokens = static_cast<std::uint64_t>(
        run.plan.count(Field::micro_batch).value_or(1) * run.plan.count(Field::sequence_length).value_or(1));
    const Bytes checkpoint(tokens * 2 * run.model.shape.hidden_size * 4);
    CHECK(judged(run, recomputed).allocated.likely <= judged(run, kept).allocated.likely + checkpoint);
  }
}
