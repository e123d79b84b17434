#include "tests/support/fake_context.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

namespace oomlint {

extern const Rule does_not_fit, tight, unknown_key, renamed_key, duplicate_key, number_read_as_text,
    batch_arithmetic, refused_by_framework, ignored_setting, overridden_setting, conflicting_files,
    sequence_beyond_model, unsupported_by_gpu, logits_dominate, over_time_limit;

namespace {

using test::FakeContext;

constexpr std::array<KeySpec, 4> trainer_keys{{{.path = "micro_batch_size", .field = Field::micro_batch},
                                               {.path = "grad_accum", .field = Field::accumulation},
                                               {.path = "batch_size", .field = Field::effective_batch},
                                               {.path = "max_len", .field = Field::sequence_length}}};
constexpr std::array<KnownKey, 6> trainer_known{
    {{.path = "learning_rate"},
     {.path = "gradient_checkpointing"},
     {.path = "evaluation_strategy", .until = "2.0", .renamed_to = "eval_strategy"},
     {.path = "eval_strategy"},
     {.path = "extra.*"},
     {.path = "datasets[].path"}}};

Dialect trainer(UnknownKeys policy) {
  Dialect dialect;
  dialect.name = "trainer";
  dialect.title = "Trainer";
  dialect.package = "trainer";
  dialect.keys = trainer_keys;
  dialect.known = trainer_known;
  dialect.unknown_keys = policy;
  return dialect;
}

constexpr Bytes tenths_of_gib(std::uint64_t tenths) {
  return Bytes((tenths << 30) / 10);
}

/// A judged run on a card of 24 GiB.
void judged(FakeContext& context, Verdict verdict, Bytes low, Bytes likely, Bytes high, Certainty certainty) {
  context.report_.card = Card{};
  context.report_.card->name = "RTX 4090";
  context.report_.card->capacity = tenths_of_gib(240);
  Evaluation& evaluation = context.report_.evaluation;
  evaluation.estimated = true;
  evaluation.verdict = verdict;
  evaluation.need = {low, likely, high};
  evaluation.device.likely = likely;
  evaluation.usable = tenths_of_gib(240);
  evaluation.certainty = certainty;
  evaluation.likely.phases.push_back({Phase::layer_backward, {}});
}

TEST_CASE("does-not-fit says need, capacity and headroom in one sentence") {
  FakeContext context;
  judged(context, Verdict::over, tenths_of_gib(280), tenths_of_gib(312), tenths_of_gib(330), Certainty::high);
  const auto found = context.run_rule(does_not_fit);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "needs 31.2 GiB on one GPU, RTX 4090 has 24.0 GiB (21.6 GiB after 10 % headroom)");
  CHECK(found[0].severity == Severity::error);
  CHECK(found[0].help.find("34.7 GiB") !=
        std::string::npos);  // what leaves 10 % free, when no remedy was found
}

TEST_CASE("does-not-fit counts devices, other processes and doubt") {
  FakeContext context;
  judged(context, Verdict::over, tenths_of_gib(280), tenths_of_gib(312), tenths_of_gib(330), Certainty::low);
  context.given(Field::world, std::int64_t{8});
  context.report_.evaluation.usable = tenths_of_gib(230);
  const auto found = context.run_rule(does_not_fit);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "probably needs 31.2 GiB on each of 8 GPUs, RTX 4090 has 24.0 GiB, 1.0 GiB of it held by other "
        "processes (20.7 GiB "
        "after 10 % headroom)");
  CHECK(found[0].certainty == Certainty::low);
}

TEST_CASE("memory rules are silent when the run fits and when nothing is known") {
  for (const Verdict verdict : {Verdict::fits, Verdict::unknown}) {
    FakeContext context;
    judged(context, verdict, tenths_of_gib(100), tenths_of_gib(110), tenths_of_gib(120), Certainty::high);
    CHECK(context.run_rule(does_not_fit).empty());
    CHECK(context.run_rule(tight).empty());
    CHECK(context.run_rule(logits_dominate).empty());
  }
}

TEST_CASE("tight names the unknown with the largest share") {
  FakeContext context;
  judged(context, Verdict::tight, tenths_of_gib(180), tenths_of_gib(200), tenths_of_gib(260),
         Certainty::medium);
  context.report_.evaluation.unknowns = {
      {"sequence_length", Field::sequence_length, "512", "1024", "4096", 0.62}};
  const auto found = context.run_rule(tight);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "may need up to 26.0 GiB on one GPU (likely 20.0 GiB), RTX 4090 has 24.0 GiB (21.6 GiB after 10 % "
        "headroom); "
        "`sequence_length` is 62 % of the doubt");
  CHECK(found[0].severity == Severity::warning);
}

TEST_CASE("the recommended headroom is mentioned only if the settings ask") {
  FakeContext context;
  judged(context, Verdict::fits, tenths_of_gib(200), tenths_of_gib(205), tenths_of_gib(210), Certainty::high);
  context.report_.evaluation.free_fraction = 0.146;
  CHECK(context.run_rule(tight).empty());
  context.settings.report_recommended_headroom = true;
  const auto found = context.run_rule(tight);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::note);
  CHECK(found[0].message == "fits into RTX 4090 with 15 % free, 20 % are recommended");
}

TEST_CASE("unknown keys follow the loader's policy") {
  struct Case {
    UnknownKeys policy;
    std::string_view key;
    std::optional<Severity> expected;
  };
  for (const Case& each : {Case{UnknownKeys::refused, "learning_rat", Severity::error},
                           Case{UnknownKeys::refused, "my_own_key", Severity::warning},
                           Case{UnknownKeys::warned, "learning_rat", Severity::warning},
                           Case{UnknownKeys::warned, "my_own_key", Severity::warning},
                           Case{UnknownKeys::ignored, "learning_rat", Severity::warning},
                           Case{UnknownKeys::ignored, "my_own_key", std::nullopt},
                           Case{UnknownKeys::unread, "learning_rat", Severity::error},
                           Case{UnknownKeys::unread, "my_own_key", Severity::warning},
                           Case{UnknownKeys::passed_on, "learning_rat", std::nullopt},
                           Case{UnknownKeys::refused, "learning_rate", std::nullopt},
                           Case{UnknownKeys::refused, "micro_batch_size", std::nullopt}}) {
    INFO(each.key);
    const Dialect dialect = trainer(each.policy);
    FakeContext context;
    context.add(dialect, "config.yml", "grad_accum: 2\n" + std::string(each.key) + ": 1\n");
    const auto found = context.run_rule(unknown_key);
    REQUIRE(found.size() == (each.expected ? 1 : 0));
    if (each.expected) CHECK(found[0].severity == *each.expected);
  }
}

TEST_CASE("a misspelt key is renamed by its fix, and what stands below an unknown key is not said again") {
  const Dialect dialect = trainer(UnknownKeys::refused);
  FakeContext context;
  const std::string text =
      "gradient_checkpointng: true\nforeign:\n  a: 1\n  b:\n    c: 2\nextra:\n  anything: 1\n";
  context.add(dialect, "config.yml", text);
  const auto found = context.run_rule(unknown_key);
  REQUIRE(found.size() == 2);
  CHECK(found[0].message ==
        "Trainer does not know the key `gradient_checkpointng` and refuses to start; did you mean "
        "`gradient_checkpointing`?");
  REQUIRE(found[0].fixes.size() == 1);
  CHECK(test::apply(text, found[0].fixes[0].edits).starts_with("gradient_checkpointing: true\n"));
  CHECK(found[1].primary.key == "foreign");
}

TEST_CASE("nothing is said about the keys of a file that does not parse") {
  const Dialect dialect = trainer(UnknownKeys::refused);
  FakeContext context;
  context.add(dialect, "config.yml", "learning_rat: 1\nmicro_batch_size: [\n");
  REQUIRE(context.partial(0));
  CHECK(context.run_rule(unknown_key).empty());
}

TEST_CASE("a renamed key is a note while it is read and a warning once it is not") {
  const Dialect dialect = trainer(UnknownKeys::refused);
  const std::string text = "evaluation_strategy: steps\n";
  for (const auto& [version, expected] :
       {std::pair{Version{1, 5, 0}, Severity::note}, std::pair{Version{2, 0, 0}, Severity::warning}}) {
    FakeContext context;
    context.report_.plan.versions.set("trainer",
                                      {version, version, {OriginKind::policy, no_file, {}, {}, {}}});
    context.add(dialect, "config.yml", text);
    const auto found = context.run_rule(renamed_key);
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == expected);
    REQUIRE(found[0].fixes.size() == 1);
    // A version that still reads the old name may not know the new one.
    const bool read = expected == Severity::note;
    CHECK(found[0].fixes[0].applicability == (read ? Applicability::unsafe : Applicability::safe));
    CHECK(test::apply(text, found[0].fixes[0].edits) == "eval_strategy: steps\n");
  }
  FakeContext both;
  both.add(dialect, "config.yml", "evaluation_strategy: steps\neval_strategy: epoch\n");
  const auto found = both.run_rule(renamed_key);
  REQUIRE(found.size() == 1);
  CHECK(found[0].fixes.empty());
}

TEST_CASE(
    "a renaming that only some admissible versions made is less certain, and says what the framework does") {
  const Dialect dialect = trainer(UnknownKeys::refused);
  static constexpr Constraint unread{.id = "trainer/old",
                                     .effect = Effect::ignored,
                                     .message = "the old name is not read and nothing is evaluated",
                                     .remedy = "write eval_strategy",
                                     .source = "trainer/config.py",
                                     .when = nullptr};
  FakeContext context;
  context.report_.plan.versions.set(
      "trainer", {Version{1, 5, 0}, Version{2, 1, 0}, {OriginKind::inferred, no_file, {}, {}, {}}});
  context.add(dialect, "config.yml", "evaluation_strategy: steps\n");
  const NodeId key = context.files[0].document.find("evaluation_strategy");
  context.constraints_.push_back({0, {&unread, {key, {}, std::string(unread.message)}, false}});
  const auto found = context.run_rule(renamed_key);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].certainty == Certainty::medium);
  CHECK(found[0].notes == std::vector<std::string>{std::string(unread.message)});
  CHECK(found[0].fixes[0].applicability == Applicability::unsafe);
  CHECK(context.run_rule(ignored_setting).empty());  // said once
}

TEST_CASE("a renamed mapping is said once, and by its own name") {
  static constexpr std::array<KnownKey, 3> known{{{.path = "old.*", .renamed_to = "new"},
                                                  {.path = "sub.dir.*", .renamed_to = "sub.folder.*"},
                                                  {.path = "new.*"}}};
  Dialect dialect = trainer(UnknownKeys::refused);
  dialect.known = known;
  FakeContext context;
  context.add(dialect, "config.yml", "old:\n  a: 1\n  b: 2\nsub:\n  dir: x\n");
  const auto found = context.run_rule(renamed_key);
  REQUIRE(found.size() == 2);
  CHECK(found[0].message == "`old` is now called `new`");
  CHECK(found[1].message == "`sub.dir` is now called `sub.folder`");
}

TEST_CASE("a duplicate key names the entry that is read") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  FakeContext context;
  context.add(dialect, "config.yml", "micro_batch_size: 2\ngrad_accum: 2\nmicro_batch_size: 8\n");
  const auto found = context.run_rule(duplicate_key);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].primary.span.begin == 0);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].location.span.begin == 34);
  FakeContext same;
  same.add(dialect, "config.yml", "grad_accum: 2\ngrad_accum: 2\n");
  REQUIRE(same.run_rule(duplicate_key).size() == 1);
  CHECK(same.found[0].severity == Severity::note);
}

TEST_CASE("an exponent is a finding only where a whole number is expected") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  FakeContext context;
  context.add(dialect, "config.yml", "max_len: 2e3\nlearning_rate: 5e-5\ngrad_accum: 500_000\n");
  const auto found = context.run_rule(number_read_as_text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].primary.key == "max_len");
}

TEST_CASE("batch arithmetic") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  struct Case {
    std::string_view text;
    std::optional<std::int64_t> world;
    std::string_view message;  ///< empty: silent
  };
  for (const Case& each : {Case{"batch_size: 64\nmicro_batch_size: 4\ngrad_accum: 4\n", 8,
                                "a batch of 64 is not micro batch 4 × accumulation 4 × 8 devices = 128"},
                           Case{"batch_size: 128\nmicro_batch_size: 4\ngrad_accum: 4\n", 8, ""},
                           Case{"batch_size: 100\nmicro_batch_size: 8\n", 4,
                                "a batch of 100 is not a multiple of micro batch 8 × 4 devices"},
                           Case{"batch_size: 128\nmicro_batch_size: 8\n", 4, ""},
                           Case{"batch_size: 64\nmicro_batch_size: 4\ngrad_accum: 4\n", std::nullopt, ""},
                           Case{"batch_size: 30\nmicro_batch_size: 4\ngrad_accum: 4\n", std::nullopt,
                                "a batch of 30 is not a multiple of micro batch 4 × accumulation 4"},
                           Case{"micro_batch_size: 4\ngrad_accum: 4\n", 8, ""}}) {
    FakeContext context;
    context.add(dialect, "config.yml", each.text);
    if (each.world) context.given(Field::world, *each.world);
    const auto found = context.run_rule(batch_arithmetic);
    REQUIRE(found.size() == (each.message.empty() ? 0 : 1));
    if (!each.message.empty()) CHECK(found[0].message == each.message);
  }
}

TEST_CASE("constraints: refused is an error only where every version refuses") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  static constexpr Constraint refused{.id = "trainer/x",
                                      .effect = Effect::refused,
                                      .message = "x needs y",
                                      .remedy = "set y",
                                      .source = "trainer/config.py",
                                      .when = nullptr};
  for (const bool every_version : {true, false}) {
    FakeContext context;
    context.add(dialect, "config.yml", "grad_accum: 2\n");
    context.constraints_.push_back(
        {0, {&refused, {context.files[0].document.find("grad_accum"), {}, "x needs y"}, every_version}});
    const auto found = context.run_rule(refused_by_framework);
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == (every_version ? Severity::error : Severity::warning));
    CHECK(found[0].message == "x needs y");
    CHECK(found[0].help == "set y");
    CHECK(context.run_rule(ignored_setting).empty());
    context.report_.fragment = true;
    CHECK(context.run_rule(refused_by_framework).empty());
  }
}

TEST_CASE("two files that disagree are one finding, and not an overridden setting too") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  FakeContext context;
  context.add(dialect, "config.yml", "micro_batch_size: 4\n");
  context.add(dialect, "ds.yml", "micro_batch_size: 2\n");
  const auto found = context.run_rule(conflicting_files);
  REQUIRE(found.size() == 1);
  CHECK(found[0].primary.path == "ds.yml");
  CHECK(found[0].message.starts_with(
      "`micro_batch_size` is 4 in config.yml and `micro_batch_size` is 2 in ds.yml"));
  CHECK(context.run_rule(overridden_setting).empty());
}

TEST_CASE("an assumption that replaces a value is no finding") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  FakeContext context;
  context.add(dialect, "config.yml", "micro_batch_size: 4\n");
  stack(
      context.report_.plan,
      {"--assume", {{Field::micro_batch, std::int64_t{1}, {OriginKind::assumed, no_file, {}, {}, {}}}}, {}});
  CHECK(context.run_rule(overridden_setting).empty());
  CHECK(context.run_rule(conflicting_files).empty());
}

TEST_CASE("a length beyond the model is silent with packing, scaling and guessed models") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  const auto findings = [&](std::string_view text, Certainty certainty, bool packing) {
    FakeContext context;
    context.add(dialect, "config.yml", text);
    context.report_.model.shape.max_positions = 4096;
    context.report_.model.certainty = certainty;
    if (packing) context.given(Field::packing, true);
    return context.run_rule(sequence_beyond_model).size();
  };
  CHECK(findings("max_len: 8192\n", Certainty::certain, false) == 1);
  CHECK(findings("max_len: 4096\n", Certainty::certain, false) == 0);
  CHECK(findings("max_len: 8192\n", Certainty::certain, true) == 0);
  CHECK(findings("max_len: 8192\n", Certainty::low, false) == 0);
  CHECK(findings("max_len: 8192\nrope_scaling:\n  factor: 2\n", Certainty::certain, false) == 0);
}

TEST_CASE("what a GPU can't do is said only of a GPU asked for by name") {
  const Dialect dialect = trainer(UnknownKeys::ignored);
  for (const auto& [name, count] :
       {std::pair{"T4", 1U}, std::pair{"16GB", 0U}, std::pair{"16 GiB", 0U}, std::pair{"2080", 1U}}) {
    FakeContext context;
    context.add(dialect, "config.yml", "grad_accum: 2\n");
    context.given(Field::gpu, std::string(name));
    context.given(Field::attention, std::string("flash"));
    context.report_.card = Card{};
    context.report_.card->has_flash = false;
    const auto found = context.run_rule(unsupported_by_gpu);
    CHECK(found.size() == count);
    for (const Diagnostic& each : found) CHECK(each.severity == Severity::error);
  }
}

TEST_CASE("a time limit is an error only with a measured throughput") {
  for (const bool measured : {true, false}) {
    FakeContext context;
    const Dialect dialect = trainer(UnknownKeys::ignored);
    context.add(dialect, "config.yml", "grad_accum: 2\n");
    context.settings.limits.max_hours = 4;
    ComputeEstimate& compute = context.report_.evaluation.compute;
    compute.seconds_low = compute.seconds_likely = compute.seconds_high = 50'000;
    if (measured) context.given(Field::tokens_per_second, 2000.0);
    const auto found = context.run_rule(over_time_limit);
    REQUIRE(found.size() == 1);
    CHECK(found[0].message == "takes 13.9 h, at least 13.9 h; the limit is 4.0 h");
    CHECK(found[0].severity == (measured ? Severity::error : Severity::warning));
    context.settings.limits.max_hours = 14;
    CHECK(context.run_rule(over_time_limit).empty());
  }
}

}  // namespace
}  // namespace oomlint
