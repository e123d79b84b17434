#pragma once

#include "lint/plan/card.h"
#include "lint/plan/model_shape.h"
#include "lint/plan/versions.h"

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

/// The versions of a package that were its newest on some day of a period, both ends included.
struct CurrentReleases {
  std::string_view package;
  std::string_view oldest;
  std::string_view newest;
};
/// For each package of releases.toml that was out by the end of the period ("2024", "2024-05", "2024-05-23");
/// nothing for what is not a date.
[[nodiscard]] std::vector<CurrentReleases> releases_of(std::string_view period);
/// The same for the twelve months that end with the newest release in the table: what an installation whose
/// versions nobody stated is taken to run on.
[[nodiscard]] std::vector<CurrentReleases> recent_releases();
/// What an installer takes for a package within bounds: the newest release they admit, and the oldest of the
/// last twelve months; nothing for a package that is not in the table or has no release within.
[[nodiscard]] std::optional<CurrentReleases> releases_within(std::string_view package,
                                                             std::optional<Version> at_least,
                                                             std::optional<Version> below);

}  // namespace oomlint
