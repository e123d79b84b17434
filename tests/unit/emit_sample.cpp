#include "tests/unit/emit_sample.h"

#include "tests/support/golden.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

namespace oomlint::test {

namespace {

constexpr std::uint64_t mib = 1048576;

constexpr const char* train_path =
    "configs/\xC3\xBC"
    "bung 1/train.yaml";
constexpr const char* deepspeed_path = "configs/ds.json";
constexpr const char* odd_path = "a:b [100%]#1.yaml";
constexpr const char* broken_path = "broken.yaml";

constexpr const char* train_text =
    "# Full fine-tune of an 8B model.\n"
    "base_model: example/llama-8b\n"
    "bf16: true\n"
    "optimizer: adamw_torch\n"
    "micro_batch_size: 8\n"
    "gradient_accumulation_steps: 4\n"
    "\n"
    "# The longest example has 8,192 tokens.\n"
    "sequence_len: 8192\n"
    "gradient_checkpointing: false\n"
    "deepspeed: configs/ds.json\n"
    "val_set_size: 0.05\n";
constexpr const char* deepspeed_text = "{\n  \"zero_optimization\": {\n\t\"stage\": 0\n  }\n}\n";
constexpr const char* odd_text =
    "\xE5\x90\x8D\xE5\x89\x8D: \xE3\x83\xA2\xE3\x83\x87\xE3\x83\xAB  # \xF0\x9F\x98\x80\r\n"
    "e\xCC\x81tude: { \xE6\x9C\x80\xE5\xA4\xA7: 1e-4, maximum: 5 }\r\n";
constexpr const char* broken_text = "a: [1, 2\nb: 3\n";

/// The place of the first `needle`.
Location place(const Report& report, const std::string& path, std::string_view needle, std::string key = {}) {
  const auto at = report.sources.at(path)->bytes().find(needle);
  REQUIRE(at != std::string_view::npos);
  const auto begin = static_cast<std::uint32_t>(at);
  return {path, {begin, begin + static_cast<std::uint32_t>(needle.size())}, std::move(key)};
}

void add_source(Report& report, const char* path, const char* text) {
  report.sources[path] = std::make_shared<const SourceFile>(path, text);
}

Diagnostic does_not_fit(const Report& report) {
  const Location optimizer = place(report, train_path, "adamw_torch", "optimizer");
  const Location batch = place(report, train_path, "8\ngradient", "micro_batch_size");
  const Location length = place(report, train_path, "8192", "sequence_len");
  const Location checkpointing = place(report, train_path, "false", "gradient_checkpointing");
  const Location model = place(report, train_path, "example/llama-8b", "base_model");
  const Location stage = place(report, deepspeed_path, "0", "zero_optimization.stage");

  Diagnostic d;
  d.code = "OOM1001";
  d.name = "does-not-fit";
  d.severity = Severity::error;
  d.certainty = Certainty::high;
  d.message = "training needs 144.1 GiB, but the H100 80GB has 79.2 GiB";
  d.primary = {batch.path, {batch.span.begin, batch.span.begin + 1}, batch.key};
  d.primary_label = "8 \xC3\x97 8,192 tokens: 84.2 GiB of activations";
  d.related = {{optimizer, "two states for each parameter"},
               {checkpointing, "all 32 layers keep their activations"},
               {stage, "nothing is divided among the 2 GPUs"}};
  d.table.phase = "layer backward";
  d.table.card = "H100 80GB SXM";
  d.table.capacity_bytes = 81079 * mib;
  d.table.rows = {
      {"weights", 15317 * mib, "bf16", "8,030,261,248 \xC3\x97 2 B", {model}},
      {"gradients", 15317 * mib, "bf16", "8,030,261,248 \xC3\x97 2 B", {model, stage}},
      {"optimizer state", 30633 * mib, "bf16", "8,030,261,248 \xC3\x97 (2 + 2) B", {optimizer, stage}},
      {"activations",
       86221 * mib,
       "bf16",
       "32 layers \xC3\x97 8 \xC3\x97 8,192 \xC3\x97 43,110 B",
       {batch, length, checkpointing}},
      {"transient", 58 * mib, "", "", {}}};
  for (const ByteRow& row : d.table.rows) d.table.total_bytes += row.bytes;
  d.notes = {"the framework's default for attention is sdpa, which keeps no score matrix"};
  d.help = "each of these brings the peak under the limit of 71.3 GiB";
  d.fixes = {{"Turn on gradient checkpointing",
              Applicability::unsafe,
              {{checkpointing.path, checkpointing.span, "true"}},
              "about a third more compute",
              66 * 1024 * mib},
             {"Halve the micro batch and double the accumulation",
              Applicability::unsafe,
              {{batch.path, d.primary.span, "4"}, {train_path, place(report, train_path, "4").span, "8"}},
              "",
              70 * 1024 * mib},
             {"Train an adapter (lora) instead of all weights",
              Applicability::display,
              {},
              "a different method",
              33 * 1024 * mib}};
  return d;
}

std::vector<Diagnostic> sample_diagnostics(const Report& report) {
  std::vector<Diagnostic> all{does_not_fit(report)};

  Diagnostic text_number;
  text_number.code = "OOM0007";
  text_number.name = "number-read-as-text";
  text_number.severity = Severity::warning;
  text_number.message = "`1e-4` is text to a YAML 1.1 reader, not a number";
  text_number.primary = place(report, odd_path, "1e-4", "\xC3\xA9tude.\xE6\x9C\x80\xE5\xA4\xA7");
  text_number.primary_label = "no point before the exponent";
  text_number.related = {
      {place(report, odd_path, "\xE3\x83\xA2\xE3\x83\x87\xE3\x83\xAB"), "the model it belongs to"}};
  text_number.fixes = {{"Write it with a point",
                        Applicability::safe,
                        {{odd_path, text_number.primary.span, "1.0e-4"}},
                        "",
                        0}};
  all.push_back(text_number);

  Diagnostic note;
  note.code = "OOM1009";
  note.name = "checkpointing-mode-implicit";
  note.severity = Severity::note;
  note.certainty = Certainty::medium;
  note.message = "the mode of checkpointing is not said, and the default changed";
  note.primary = place(report, train_path, "gradient_checkpointing", "gradient_checkpointing");
  all.push_back(note);

  Diagnostic syntax;
  syntax.code = "OOM0001";
  syntax.name = "syntax-error";
  syntax.severity = Severity::error;
  syntax.message = "the flow sequence is not closed";
  syntax.primary = place(report, broken_path, "[1, 2\nb: 3\n");
  syntax.related = {{{"missing.yaml", {}, ""}, "included from here"}};
  all.push_back(syntax);

  std::sort(all.begin(), all.end(), comes_before);
  return all;
}

Bytes gib(double count) {
  return Bytes(static_cast<std::uint64_t>(count * 1024) * mib);
}

Origin given(const Report& report, const char* path, FileIndex file, std::string_view needle,
             std::string key) {
  const Location at = place(report, path, needle, std::move(key));
  return {OriginKind::given, file, at.span, at.key, ""};
}

Card h100() {
  Card card;
  card.key = "h100-sxm";
  card.name = "H100 80GB SXM";
  card.capacity = Bytes(81079 * mib);
  card.peak_flops_16bit = 989e12;
  return card;
}

/// The run behind the finding that it does not fit.
RunReport full_run(const Report& report) {
  RunReport run;
  run.files = {train_path, deepspeed_path};
  run.dialect = "axolotl";
  run.stack = "axolotl";
  run.card = h100();
  run.model.shape.total_parameters = 8030261248;
  run.model.certainty = Certainty::certain;
  run.model.how = "catalogue";
  TrainingPlan& plan = run.plan;
  plan.dialect = "axolotl";
  plan.files = run.files;
  const auto set = [&](Field field, Scalar value, std::string_view needle, std::string key) {
    plan.set(field, std::move(value), given(report, train_path, 0, needle, std::move(key)));
  };
  set(Field::model, std::string("example/llama-8b"), "example/llama-8b", "base_model");
  set(Field::optimizer, std::string("adamw_torch"), "adamw_torch", "optimizer");
  set(Field::micro_batch, std::int64_t{8}, "8\ngradient", "micro_batch_size");
  set(Field::sequence_length, std::int64_t{8192}, "8192", "sequence_len");
  plan.fill(Field::method, std::string("full"),
            {OriginKind::framework_default, no_file, {}, "", "axolotl 0.9: no adapter"});
  plan.fill(Field::task, std::string("sft"), {OriginKind::derived, no_file, {}, "", ""});
  plan.fill(Field::world, std::int64_t{2}, {OriginKind::policy, no_file, {}, "", "--world"});
  plan.set(Field::lora_targets, std::vector<std::string>{"q_proj", "v_proj"},
           {OriginKind::inferred, no_file, {}, "", ""});
  plan.settle(Field::lora_targets, std::monostate{}, {}, Difference::ignored, "there is no adapter");

  Evaluation& e = run.evaluation;
  e.estimated = true;
  e.likely.phases = {
      {Phase::load,
       {{TermKind::weights, gib(15), Dtype::bf16, "8,030,261,248 \xC3\x97 2 B", {Field::model}}}},
      {Phase::layer_backward,
       {{TermKind::weights, gib(15), Dtype::bf16, "8,030,261,248 \xC3\x97 2 B", {Field::model}},
        {TermKind::gradients,
         gib(15),
         Dtype::bf16,
         "8,030,261,248 \xC3\x97 2 B",
         {Field::model, Field::method}},
        {TermKind::activations, gib(84.25), Dtype::bf16, "", {Field::micro_batch, Field::sequence_length}},
        {TermKind::buffers, Bytes(), Dtype::fp32, "", {}}}},
      {Phase::optimizer_step,
       {{TermKind::optimizer_state, gib(30), Dtype::bf16, "", {Field::optimizer, Field::lora_targets}}}}};
  e.likely.peak_index = 1;
  e.likely.allocated = gib(114.25);
  e.likely.context = gib(0.5);
  e.phases = {{gib(15), gib(15), gib(15)}, {gib(100), gib(114.25), gib(120)}, {gib(30), gib(30), gib(30)}};
  e.allocated = {gib(100), gib(114.25), gib(120)};
  e.reserved = {gib(104), gib(118), gib(131.5)};
  e.device = {gib(104.5), gib(118.5), gib(132)};
  e.verdict = Verdict::over;
  e.usable = run.card->capacity;
  e.free_fraction =
      1.0 - static_cast<double>(e.device.likely.count()) / static_cast<double>(e.usable.count());
  e.certainty = Certainty::high;
  e.unknowns = {{"attention", Field::attention, "flash", "sdpa", "eager", 0.75},
                {"version of torch", {}, "2.4", "2.6", "2.8", 0.25}};
  e.compute = {.tokens_presented = 1.5e9,
               .tokens_supervised = 1.2e9,
               .flops = 7.2e19,
               .flops_per_parameter_token = 6,
               .seconds_low = 72800,
               .seconds_likely = 91000,
               .seconds_high = 121300,
               .energy_kwh = 35.4};
  e.disk = gib(90);
  e.evidence = "34 published runs of this stack, median error 5 %";
  return run;
}

RunReport run_without_card(const Report& report) {
  RunReport run = full_run(report);
  run.stack = "trl";
  run.card.reset();
  Evaluation& e = run.evaluation;
  e.usable = Bytes();
  e.free_fraction.reset();
  e.verdict = Verdict::unknown;
  e.unknowns.clear();
  e.compute = {};
  e.disk = Bytes();
  Card large = h100();
  large.name = "H200 141GB";
  large.capacity = Bytes(143771 * mib);
  run.outlook = {{h100(), Verdict::over, -0.49}, {large, Verdict::tight, 0.157}};
  return run;
}

}  // namespace

Report sample_report() {
  Report report;
  report.version = "0.1.0";
  add_source(report, train_path, train_text);
  add_source(report, deepspeed_path, deepspeed_text);
  add_source(report, odd_path, odd_text);
  add_source(report, broken_path, broken_text);
  report.diagnostics = sample_diagnostics(report);

  Diagnostic silenced;
  silenced.code = "OOM1004";
  silenced.name = "evaluation-batch-larger";
  silenced.severity = Severity::warning;
  silenced.message = "evaluation runs with 16 sequences, training with 8";
  silenced.primary = place(report, train_path, "val_set_size", "val_set_size");
  report.suppressed = {{silenced, "measured: it fits", true}};

  RunReport unsized_run;
  unsized_run.files = {broken_path};
  unsized_run.dialect = "native";
  unsized_run.evaluation.missing = {Field::model};
  RunReport fragment;
  fragment.files = {deepspeed_path};
  fragment.dialect = "deepspeed";
  fragment.fragment = true;
  report.runs = {full_run(report), run_without_card(report), unsized_run, fragment};

  report.unreadable_named = {"secret.yaml: no permission"};
  report.summary = {.files_seen = 41,
                    .unrecognised = 35,
                    .unreadable = 1,
                    .fragments = 1,
                    .without_card = 1,
                    .without_model = 0};
  return report;
}

Report one_finding(std::string path, std::string text, std::string_view needle) {
  Report report;
  report.version = "0.1.0";
  report.sources[path] = std::make_shared<const SourceFile>(path, std::move(text));
  Diagnostic d;
  d.code = "OOM1001";
  d.name = "does-not-fit";
  d.message = "it does not fit";
  d.primary = place(report, path, needle);
  d.primary_label = "here";
  report.diagnostics = {d};
  report.summary.files_seen = 1;
  return report;
}

std::string printed(const std::function<void(std::ostream&)>& emit) {
  std::ostringstream out;
  emit(out);
  return out.str();
}

void check_golden(std::string_view name, const std::function<void(std::ostream&)>& emit) {
  check_golden("emit/" + std::string(name), printed(emit));
}

}  // namespace oomlint::test
