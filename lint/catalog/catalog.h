#pragma once

#include "lint/plan/card.h"
#include "lint/plan/model_shape.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// Cards and models added by the user's settings; looked at before the built-in tables.
struct Overlay {
  struct Model {
    std::string id;
    ModelShape shape;
  };
  std::vector<Model> models;
  std::vector<Card> cards;
};

/// What the repository behind a model id stores, where the name or the catalogue says so ("nf4" for a
/// -bnb-4bit mirror).
struct ModelMatch {
  ResolvedModel model;
  std::string quantisation;  ///< a plan word, empty for none
};

/// Dimensions behind a model id, path or builder name: exact id, then case, renames, mirrors and variants
/// (see names.cpp), then the size in the name. Certainty falls with each step.
[[nodiscard]] ModelMatch find_model(std::string_view id, const Overlay& overlay = {});

/// Dimensions from the text fields of a Hugging Face config.json, by key; `get` returns the scalar's text or
/// nothing. Nothing when the family is unknown and the keys do not suffice.
[[nodiscard]] std::optional<ModelShape> shape_from_config(
    const std::function<std::optional<std::string>(std::string_view key)>& get);

/// A card by any of its usual names, "24GB" (the smallest real card sold with that label), "24GiB" (exactly
/// that many usable bytes). On failure `why` says what is near.
[[nodiscard]] std::optional<Card> find_card(std::string_view name, const Overlay& overlay, std::string& why);
/// All built-in cards, by memory, then name.
[[nodiscard]] std::vector<Card> all_cards();
/// The cards a report shows when no card is known: one per common memory size.
[[nodiscard]] std::vector<Card> typical_cards();
/// Capacity of the largest accelerator there is: what does not fit there fits nowhere.
[[nodiscard]] Bytes largest_capacity();

/// A cloud instance type ("p4d.24xlarge") as a card and a count.
struct Instance {
  Card card;
  std::uint32_t count = 1;
};
[[nodiscard]] std::optional<Instance> find_instance(std::string_view name);

/// Versions of the packages that were current on a date ("2024-05"), from releases.toml.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> releases_at(std::string_view date);
/// The newest release of a package in the table, empty if unknown.
[[nodiscard]] std::string newest_release(std::string_view package);

}  // namespace oomlint
