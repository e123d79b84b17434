#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace oomlint {

extern const Dialect hf_trainer, trl, deepspeed, accelerate;

namespace {

using test::Reading;

/// Two values of the field that differ, as far as its type allows.
std::vector<Scalar> samples(Field field) {
  const FieldInfo& row = info(field);
  switch (row.type) {
    case FieldType::flag:
      return {true, false};
    case FieldType::count:
      return {std::int64_t{3}, std::int64_t{512}};
    case FieldType::number:
      return {0.25, 7.5};
    case FieldType::text:
      return {std::string("one/name"), std::string("another")};
    case FieldType::list:
      return {std::vector<std::string>{"q_proj", "v_proj"}, std::vector<std::string>{"lm_head"}};
    case FieldType::word:
      break;
  }
  std::vector<Scalar> words;
  for (const std::string_view word : row.words()) words.emplace_back(std::string(word));
  return words;
}

void check_laws(const Dialect& dialect, std::string_view name, std::string_view text, int at_least) {
  int spelled = 0;
  for (const KeySpec& key : dialect.keys) {
    if (!key.spell) continue;
    for (const Scalar& value : samples(key.field)) {
      const Reading before(dialect, name, text);
      const auto edits = spell(before.context(), {key.field, value});
      if (!edits) continue;
      ++spelled;
      const Reading after(dialect, name, test::apply(std::string(text), *edits));
      INFO(dialect.name << ": " << path_of(key) << " = " << to_string(value) << "\n"
                        << test::apply(std::string(text), *edits));
      CHECK(after[key.field] == to_string(value));
      const auto again = spell(after.context(), {key.field, value});
      REQUIRE(again);
      CHECK(again->empty());
    }
  }
  CHECK(spelled >= at_least);
}

TEST_CASE("what is spelled reads back") {
  check_laws(hf_trainer, "a.yaml", "model_name_or_path: a/b\nper_device_train_batch_size: 4\n", 60);
  check_laws(hf_trainer, "a.json", "{\n  \"model_name_or_path\": \"a/b\",\n  \"bf16\": true\n}\n", 60);
  check_laws(trl, "a.yaml",
             "model_name_or_path: a/b\nuse_peft: true\nload_in_4bit: true\nfsdp_config:\n  version: 2\n", 70);
  check_laws(deepspeed, "a.json", "{\n  \"zero_optimization\": {\n    \"stage\": 3\n  }\n}\n", 25);
  check_laws(accelerate, "a.yaml", "distributed_type: MULTI_GPU\nnum_processes: 8\nfsdp_config: {}\n", 10);
}

}  // namespace
}  // namespace oomlint
