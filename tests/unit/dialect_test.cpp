#include "lint/dialect/dialect.h"

#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <array>

namespace oomlint {
namespace {

using test::Reading;

// A framework that exists only here: one row of every kind.
constexpr std::array<std::string_view, 1> all_of{"net"};
constexpr std::array<std::string_view, 2> any_of{"steps", "kind=small"};
constexpr std::array<std::string_view, 1> none_of{"other"};
constexpr std::array<std::string_view, 1> bytes{"net"};
constexpr std::array<WordPair, 3> kernels{{{"fast", "flash"}, {"quick", "flash"}, {"slow", "eager"}}};
constexpr std::array<WordPair, 1> fast_flag{{{"", "flash"}}};
constexpr std::array<WordPair, 2> both{{{"", "full"}, {"", "none"}}};
constexpr std::array<WordPair, 1> sharded{{{"", "fsdp"}}};
constexpr std::array<DefaultValue, 2> lengths{{{"512"}, {"1024", "toy", {0, 2, 0}}}};

constexpr std::array<KeySpec, 11> keys{{
    {.path = "net", .field = Field::model},
    {.path = "batch", .field = Field::micro_batch},
    {.path = "len", .field = Field::sequence_length, .defaults = lengths},
    {.path = "length", .field = Field::sequence_length, .renamed_to = "len"},
    {.path = "kernel",
     .field = Field::attention,
     .convert = Convert::words,
     .words = kernels,
     .since = "0.3"},
    {.path = "fast_kernel", .field = Field::attention, .convert = Convert::true_means, .words = fast_flag},
    {.path = "recompute", .field = Field::checkpointing, .convert = Convert::true_means, .words = both},
    {.path = "shards", .field = Field::sharding, .convert = Convert::presence, .words = sharded},
    {.path = "adapter.rank", .field = Field::lora_rank, .null_means = NullMeans::unknown},
    {.path = "adapter.on", .field = Field::lora_targets},
    {.path = "pack", .field = Field::packing, .null_means = NullMeans::off},
}};

std::optional<ConstraintHit> batch_of_zero(const ReadContext& context) {
  if (context.count("batch") != 0) return std::nullopt;
  return ConstraintHit{context.find("batch"), {}, {}};
}

constexpr std::array<Constraint, 2> constraints{{
    {.id = "toy/no-batch",
     .effect = Effect::ignored,
     .message = "a batch of zero is taken as one",
     .when = batch_of_zero,
     .field = Field::micro_batch,
     .effective = "1"},
    {.id = "toy/old",
     .effect = Effect::refused,
     .message = "refused",
     .when = batch_of_zero,
     .package = "toy",
     .since = {0, 1, 0},
     .until = {0, 2, 0}},
}};

constexpr std::array<KnownKey, 3> known{{{"seed"}, {"data[].path"}, {"extra.*"}}};

constexpr Dialect toy{
    .name = "toy",
    .title = "Toy",
    .package = "toy",
    .stack = "textbook",
    .recognise = {.all_of = all_of, .any_of = any_of, .any_count = 1, .none_of = none_of, .bytes = bytes},
    .keys = keys,
    .known = known,
    .constraints = constraints};

Versions toy_version(Version low, Version high) {
  Versions versions;
  versions.set("toy", {low, high, {}});
  return versions;
}

std::string after(std::string_view text, Field field, const Scalar& value) {
  return Reading(toy, "run.yml", text).spelled(field, value);
}

}  // namespace

TEST_CASE("a dialect is recognised by its evidence and by nothing else") {
  const auto held = [](std::string_view text) { return hold_against(test::document("a.yml", text), toy); };
  CHECK(held("net: a\nsteps: 3\n").accepted);
  CHECK(held("net: a\nkind: small\n").accepted);
  CHECK_FALSE(held("net: a\nkind: large\n").accepted);
  CHECK_FALSE(held("steps: 3\n").accepted);
  const Recognised excluded = held("net: a\nsteps: 3\nother: 1\n");
  CHECK_FALSE(excluded.accepted);
  CHECK(excluded.found == std::vector<std::string>{"net", "steps"});
  CHECK(excluded.excluded_by == std::vector<std::string>{"other"});
  CHECK(held("steps: 3\n").missing == std::vector<std::string>{"net"});
  CHECK_FALSE(held("").accepted);
}

TEST_CASE("a more special dialect wins over the general one it names") {
  constexpr std::array<std::string_view, 1> general{"toy"};
  Dialect special = toy;
  special.name = "special";
  special.recognise.specialises = general;
  const std::array<const Dialect*, 2> dialects{&toy, &special};
  const auto accepted = recognise(test::document("a.yml", "net: a\nsteps: 3\n"), dialects);
  REQUIRE(accepted.size() == 1);
  CHECK(accepted.front()->name == "special");
}

TEST_CASE("a text without any dialect's words is not parsed") {
  const std::array<const Dialect*, 1> dialects{&toy};
  CHECK(worth_parsing("net: a", dialects));
  CHECK_FALSE(worth_parsing("services: {}", dialects));
}

TEST_CASE("keys become values of the plan") {
  const Reading run(toy, "run.yml",
                    "net: org/a\nbatch: '8'\nlen: auto\nkernel: quick\nrecompute: false\nshards: {n: 2}\n"
                    "adapter: {rank: , on: [q, v]}\npack:\n");
  CHECK(run[Field::model] == "org/a");
  CHECK(run[Field::micro_batch] == "8");
  CHECK(run[Field::sequence_length] == "?");
  CHECK(run[Field::attention] == "flash");
  CHECK(run[Field::checkpointing] == "none");
  CHECK(run[Field::sharding] == "fsdp");
  CHECK(run[Field::lora_targets] == "q, v");
  CHECK(run[Field::packing] == "false");
  const TrainingPlan plan = run.plan();
  CHECK(plan[Field::lora_rank].given());  // a null that means unknown is still the user's word
  CHECK_FALSE(plan[Field::lora_rank].known());
  CHECK(plan[Field::micro_batch].effective_origin.key == "batch");
  CHECK(run.document().source().text(plan[Field::micro_batch].effective_origin.span) == "'8'");
}

TEST_CASE("the first row that says something gives the field") {
  CHECK(Reading(toy, "a.yml", "length: 4\nlen: 8\n")[Field::sequence_length] == "8");
  CHECK(Reading(toy, "a.yml", "length: 4\nlen:\n")[Field::sequence_length] == "4");
  CHECK(Reading(toy, "a.yml", "fast_kernel: true\nkernel: slow\n")[Field::attention] == "eager");
  CHECK(Reading(toy, "a.yml", "fast_kernel: true\nkernel: strange\n")[Field::attention] == "?");
  CHECK(Reading(toy, "a.yml", "shards:\n")[Field::sharding] == "?");
  CHECK(Reading(toy, "a.yml", "shards: false\n")[Field::sharding] == "?");
}

TEST_CASE("numbers written as text count only where the loader takes them") {
  Dialect strict = toy;
  strict.coerces_text = false;
  CHECK(Reading(strict, "a.yml", "batch: '8'\n")[Field::micro_batch] == "?");
  CHECK(Reading(toy, "a.yml", "batch: 8.0\n")[Field::micro_batch] == "8");
  CHECK(Reading(toy, "a.yml", "batch: -1\n")[Field::micro_batch] == "?");
}

TEST_CASE("a key the version does not read is ignored, and said so") {
  const Reading old(toy, "a.yml", "kernel: slow\n", toy_version({0, 1, 0}, {0, 2, 9}));
  const TrainingPlan plan = old.plan();
  CHECK_FALSE(plan[Field::attention].known());
  CHECK(plan[Field::attention].difference == Difference::ignored);
  CHECK(plan[Field::attention].because == "toy reads this key since 0.3");
  CHECK(Reading(toy, "a.yml", "kernel: slow\n", toy_version({0, 1, 0}, {0, 3, 0}))[Field::attention] ==
        "eager");
}

TEST_CASE("defaults go by version and never replace what was given") {
  const auto length = [](std::string_view text, Version version) {
    return to_string(Reading(toy, "a.yml", text, toy_version(version, version))
                         .plan_with_defaults()[Field::sequence_length]
                         .effective);
  };
  CHECK(length("net: a\n", {0, 1, 0}) == "512");
  CHECK(length("net: a\n", {0, 2, 0}) == "1024");
  CHECK(length("len: 7\n", {0, 2, 0}) == "7");
  CHECK(length("len: many\n", {0, 2, 0}) == "?");
}

TEST_CASE("constraints report their hit and settle the field") {
  const Reading run(toy, "a.yml", "batch: 0\n");
  CHECK(run.hits() == std::vector<std::string>{"toy/no-batch"});
  const Value value = run.plan()[Field::micro_batch];
  CHECK(to_string(value.requested) == "0");
  CHECK(to_string(value.effective) == "1");
  CHECK(value.difference == Difference::ignored);
  CHECK(value.because == "a batch of zero is taken as one");
  const Reading in_range(toy, "a.yml", "batch: 0\n", toy_version({0, 0, 9}, {0, 1, 5}));
  const auto findings = check_constraints(in_range.context());
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].every_version);
  CHECK_FALSE(findings[1].every_version);
}

TEST_CASE("known keys: lists, patterns, and the nearest one") {
  CHECK(is_known_key(toy, "seed"));
  CHECK(is_known_key(toy, "data"));
  CHECK(is_known_key(toy, "data[3].path"));
  CHECK(is_known_key(toy, "extra.a.b"));
  CHECK(is_known_key(toy, "adapter.rank"));
  CHECK_FALSE(is_known_key(toy, "data[0].name"));
  CHECK_FALSE(is_known_key(toy, "sed"));
  CHECK(nearest_known_key(toy, "recompte") == "recompute");
  CHECK(nearest_known_key(toy, "adapter.rnak") == "adapter.rank");
  CHECK(nearest_known_key(toy, "zzzzzz").empty());
}

TEST_CASE("an edit replaces the value's bytes and keeps the rest of the line") {
  CHECK(after("batch:   4  # small\n", Field::micro_batch, Scalar(std::int64_t{2})) ==
        "batch:   2  # small\n");
  CHECK(after("batch: '4'\r\nlen: 8\r\n", Field::micro_batch, Scalar(std::int64_t{2})) ==
        "batch: '2'\r\nlen: 8\r\n");
  CHECK(after("net: \"a\"\n", Field::model, Scalar(std::string("b"))) == "net: \"b\"\n");
  CHECK(after("net: a\n", Field::model, Scalar(std::string("yes"))) == "net: \"yes\"\n");
  CHECK(after("batch:\nlen: 8\n", Field::micro_batch, Scalar(std::int64_t{2})) == "batch: 2\nlen: 8\n");
  CHECK(after("kernel: quick\n", Field::attention, Scalar(std::string("eager"))) == "kernel: slow\n");
  CHECK(after("recompute: off\n", Field::checkpointing, Scalar(std::string("full"))) == "recompute: true\n");
}

TEST_CASE("spelling what is there changes nothing") {
  CHECK(after("kernel: quick\n", Field::attention, Scalar(std::string("flash"))) == "kernel: quick\n");
  CHECK(after("batch: 0x10\n", Field::micro_batch, Scalar(std::int64_t{16})) == "batch: 0x10\n");
  CHECK(after("len: 8\n", Field::micro_batch, Scalar()) == "len: 8\n");
}

TEST_CASE("lists keep the style they are written in") {
  const Scalar two(std::vector<std::string>{"a", "b"});
  CHECK(after("adapter:\n  on:\n    - q\n    - v\n    - o\n", Field::lora_targets, two) ==
        "adapter:\n  on:\n    - a\n    - b\n");
  CHECK(after("adapter:\n  on: [q]\n", Field::lora_targets, two) == "adapter:\n  on: [a, b]\n");
  CHECK(after("adapter:\n  on: q\n", Field::lora_targets, two) == "adapter:\n  on: [a, b]\n");
}

TEST_CASE("a missing key is inserted after its nearest sibling") {
  const Scalar two(std::int64_t{2});
  CHECK(after("net: a\nlen: 8  # long\nseed: 1\n", Field::micro_batch, two) ==
        "net: a\nbatch: 2\nlen: 8  # long\nseed: 1\n");
  CHECK(after("len: 8  # long\nseed: 1\n", Field::micro_batch, two) == "len: 8  # long\nbatch: 2\nseed: 1\n");
  CHECK(after("seed: 1\r\nsave: 2\r\n", Field::micro_batch, two) == "seed: 1\r\nsave: 2\r\nbatch: 2\r\n");
  CHECK(after("net: a", Field::micro_batch, two) == "net: a\nbatch: 2");
  CHECK(after("{net: a, len: 8}", Field::micro_batch, two) == "{net: a, batch: 2, len: 8}");
  CHECK(after("adapter:\n    on: q\nseed: 1\n", Field::lora_rank, two) ==
        "adapter:\n    on: q\n    rank: 2\nseed: 1\n");
  CHECK(after("adapter: {on: q}\n", Field::lora_rank, two) == "adapter: {on: q, rank: 2}\n");
  CHECK(after("net: a\nx:\n    y: 1\n", Field::lora_rank, two) ==
        "net: a\nadapter:\n    rank: 2\nx:\n    y: 1\n");
  CHECK(after("adapter:\nseed: 1\n", Field::lora_rank, two) == "adapter:\n  rank: 2\nseed: 1\n");
  CHECK(after("adapter: path.json\n", Field::lora_rank, two) == "nothing");
}

TEST_CASE("an edit silences the rows that would contradict it") {
  const Scalar eager(std::string("eager"));
  CHECK(after("net: a\nfast_kernel: true\n", Field::attention, eager) ==
        "net: a\nfast_kernel: false\nkernel: slow\n");
  CHECK(after("length: 4\nlen: 8\n", Field::sequence_length, Scalar(std::int64_t{2})) == "len: 2\n");
  CHECK(after("shards:\n  n: 2\nnet: a\n", Field::sharding, Scalar()) == "net: a\n");
  CHECK(after("net: a\nbatch: 2  # b\n", Field::micro_batch, Scalar()) == "net: a\n");
  CHECK(after("{net: a, batch: 2}", Field::micro_batch, Scalar()) == "{net: a}");
  CHECK(after("{batch: 2, net: a}", Field::micro_batch, Scalar()) == "{net: a}");
}

TEST_CASE("a field without a key, or a value without a word, can't be spelled") {
  CHECK(after("net: a\n", Field::optimizer, Scalar(std::string("sgd"))) == "nothing");
  CHECK(after("net: a\n", Field::sharding, Scalar(std::string("zero3"))) == "nothing");
}

TEST_CASE("merged keys are not edited where they come from") {
  CHECK(after("base: &b\n  batch: 4\n<<: *b\nnet: a\n", Field::micro_batch, Scalar(std::int64_t{2})) ==
        "base: &b\n  batch: 4\n<<: *b\nnet: a\nbatch: 2\n");
}

}  // namespace oomlint
