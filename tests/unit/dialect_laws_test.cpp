#include "lint/dialect/convert.h"
#include "lint/dialect/edit.h"
#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

// What holds for every key of every dialect: an edit that was spelled reads as the edit, and spelling what is
// there changes no byte.
namespace oomlint {
namespace {

using test::Reading;

struct Form {
  std::string_view name;
  std::string_view text;
};

std::vector<Form> forms_of(const Dialect& dialect) {
  std::vector<Form> forms{{"run.yml", "# a run\nseed: 1  # kept\nother:\n    nested: [a, b]\n"},
                          {"run.yaml", "seed: 1\r\nother: {nested: 2}\r\n"},
                          {"run.json", "{\n  \"seed\": 1,\n  \"other\": {\"nested\": 2}\n}\n"}};
  // Where an option is on by being there, off is to leave it out, which says nothing where the default is on.
  if (!dialect.bare_switches)
    forms.push_back({"run.sh", "python train.py \\\n    --seed 1 \\\n    --other.nested 2  # kept\n"});
  if (dialect.name == "native") forms.push_back({"run.toml", "seed = 1  # kept\n\n[other]\nnested = 2\n"});
  std::erase_if(forms, [](const Form& form) { return reader_for(form.name) == nullptr; });
  return forms;
}

std::vector<Scalar> samples(Field field) {
  const FieldInfo& row = info(field);
  switch (row.type) {
    case FieldType::flag:
      return {true, false};
    case FieldType::count:
      return {std::int64_t{3}, std::int64_t{4096}};
    case FieldType::number:
      return {0.5, 2.0, 5e-05};
    case FieldType::list:
      return {std::vector<std::string>{"q_proj", "v_proj"}, std::vector<std::string>{"all-linear"}};
    case FieldType::text:
      return {std::string("org/name-7b"), std::string("beta"), std::string("off")};
    case FieldType::word: {
      std::vector<Scalar> values;
      for (const std::string_view word : row.words()) values.emplace_back(std::string(word));
      return values;
    }
  }
  return {};
}

std::string describe(const Dialect& dialect, Field field, const Scalar& value, std::string_view text) {
  return std::string(dialect.name) + " " + std::string(name_of(field)) + " = " + to_string(value) + " in\n" +
         std::string(text);
}

/// Checks the laws on one text; gives the edited text where the dialect can say the value.
std::optional<std::string> check_edit(const Dialect& dialect, std::string_view name, const std::string& text,
                                      Field field, const Scalar& value) {
  const Reading before(dialect, name, text);
  const auto edits = spell(before.context(), {field, value});
  if (!edits) return std::nullopt;
  std::string edited = test::apply(text, *edits);
  INFO(describe(dialect, field, value, text), "became\n", edited);
  const Reading after(dialect, name, edited);
  CHECK(after.document().problems().empty());
  CHECK(to_string(after.plan_with_defaults()[field].effective) == to_string(value));
  const auto again = spell(after.context(), {field, value});
  REQUIRE(again.has_value());
  CHECK(again->empty());
  return edited;
}

/// Fields a dialect gets from the same keys: an edit of one may change the others.
bool may_follow(Field edited, Field other) {
  const auto is_any = [](Field field, std::initializer_list<Field> group) {
    return std::find(group.begin(), group.end(), field) != group.end();
  };
  using enum Field;
  const auto both_in = [&](std::initializer_list<Field> group) {
    return is_any(edited, group) && is_any(other, group);
  };
  return both_in({method, quantisation, kbit_prepared, weight_dtype, compute_dtype, autocast, master_weights,
                  gradient_dtype, trainable_layers, adapter_dtype, quantisation_compute_dtype,
                  reference_model, lora_targets, lora_rank, lora_alpha, lora_dropout}) ||
         both_in({model, reference_model}) ||
         both_in({task, loss, reference_model, rollout_engine, evaluation}) ||
         both_in({task, packing}) ||  // pre-training packs by default
         both_in({packing, pad_to_length, padding_free}) ||
         both_in({micro_batch, accumulation, evaluation_batch}) ||
         both_in({checkpointing, checkpointing_reentrant, activation_offload}) ||
         both_in({checkpointing, activation_offload, sharding}) ||  // llm-foundry's fsdp_config holds them
         both_in({sharding, shard_group, offload_optimizer, offload_parameters, context_parallel,
                  tensor_parallel}) ||
         both_in({optimizer, optimizer_paged}) || both_in({evaluation, evaluation_batch});
}

}  // namespace

TEST_CASE("every dialect: an edit that was spelled reads as the edit") {
  for (const Dialect* dialect : all_dialects()) {
    std::size_t spelled = 0;
    for (const Form& form : forms_of(*dialect)) {
      for (const FieldInfo& field : all_fields()) {
        std::optional<std::string> text = std::string(form.text);
        for (const Scalar& value : samples(field.field)) {
          auto edited = check_edit(*dialect, form.name, *text, field.field, value);
          if (!edited) continue;
          ++spelled;
          text = std::move(edited);  // the next value replaces this one
        }
      }
    }
    CHECK_MESSAGE((spelled > 0 || dialect->keys.empty()), dialect->name);
  }
}

TEST_CASE("every dialect: an edit leaves the other fields as they are") {
  for (const Dialect* dialect : all_dialects()) {
    for (const Form& form : forms_of(*dialect)) {
      const TrainingPlan before = Reading(*dialect, form.name, form.text).plan();
      for (const FieldInfo& field : all_fields()) {
        for (const Scalar& value : samples(field.field)) {
          const Reading reading(*dialect, form.name, form.text);
          const auto edits = spell(reading.context(), {field.field, value});
          if (!edits) continue;
          const std::string edited = test::apply(std::string(form.text), *edits);
          const TrainingPlan after = Reading(*dialect, form.name, edited).plan();
          for (const FieldInfo& other : all_fields()) {
            if (other.field == field.field || may_follow(field.field, other.field)) continue;
            INFO(describe(*dialect, field.field, value, edited), "changed ", other.name);
            CHECK(to_string(before[other.field].effective) == to_string(after[other.field].effective));
          }
        }
      }
    }
  }
}

TEST_CASE("every key of every dialect reads back what is written under it") {
  for (const Dialect* dialect : all_dialects()) {
    for (const Form& form : forms_of(*dialect)) {
      for (const KeySpec& key : dialect->keys) {
        for (const Scalar& value : samples(key.field)) {
          const auto theirs = write_value(key, value);
          if (!theirs) continue;
          const Reading empty(*dialect, form.name, form.text);
          const auto inserted = insert_key(empty.context(), path_of(key), *theirs);
          if (!inserted) continue;
          const std::string text = test::apply(std::string(form.text), {*inserted});
          INFO(describe(*dialect, key.field, value, text), "under ", path_of(key));
          const Reading reading(*dialect, form.name, text);
          const auto value_read = read_value(reading.context(), key, reading.context().find(path_of(key)));
          REQUIRE(value_read.has_value());
          CHECK(to_string(*value_read) == to_string(value));
          for (const Scalar& other : samples(key.field))
            check_edit(*dialect, form.name, text, key.field, other);
        }
      }
    }
  }
}

TEST_CASE("every dialect: a value that is taken out is no longer there") {
  for (const Dialect* dialect : all_dialects()) {
    for (const Form& form : forms_of(*dialect)) {
      for (const KeySpec& key : dialect->keys) {
        for (const Scalar& value : samples(key.field)) {
          const Reading empty(*dialect, form.name, form.text);
          const auto edits = spell(empty.context(), {key.field, value});
          if (!edits) continue;
          const std::string text = test::apply(std::string(form.text), *edits);
          const Reading reading(*dialect, form.name, text);
          const auto taken = spell(reading.context(), {key.field, Scalar()});
          if (!taken) continue;
          const Reading without(*dialect, form.name, test::apply(text, *taken));
          INFO(describe(*dialect, key.field, value, text));
          CHECK(without.document().problems().empty());
          CHECK_FALSE(without.plan()[key.field].given());
        }
      }
    }
  }
}

}  // namespace oomlint
