#pragma once

#include "parsers/settings/sections.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oomlint {

// The mechanism of the settings' sections: each is a table of keys, and reading one is a loop over it.

inline constexpr std::string_view a_size = "a size such as \"1.5GiB\" or \"500GB\"";

/// Reports a key that is none of `known`.
void report_unknown_key(const SettingsValue& value, std::string_view key,
                        std::span<const std::string_view> known, std::string_view what,
                        const SectionContext& context);

// `[models]` and `[cards]`: what the built-in catalogue does not know.
bool read_models(SettingsFile& file, const SettingsValue& value, const SectionContext& context);
bool read_cards(SettingsFile& file, const SettingsValue& value, const SectionContext& context);

/// One key of a section: what it accepts in words, and how it is taken over. `apply` is false for a value it
/// does not accept; what is wrong below that (in a nested section) it reports itself.
template <class Target>
struct KeyRow {
  std::string_view key;
  std::string_view expects;
  bool (*apply)(Target& target, const SettingsValue& value, const SectionContext& context);
};

inline std::string with_dashes(std::string_view key) {
  std::string text(key);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

template <class Visit>
void each_entry(const SettingsValue& table, const Visit& visit) {
  const Document& document = table.document();
  for (NodeId child = document.at(table.node()).first_child; child != no_node;
       child = document.at(child).next) {
    visit(std::string_view(document.at(child).key), SettingsValue(document, child));
  }
}

template <class Target, std::size_t count>
void read_table(const SettingsValue& table, const std::array<KeyRow<Target>, count>& rows, Target& target,
                const SectionContext& context) {
  each_entry(table, [&](std::string_view key, const SettingsValue& value) {
    const std::string name = with_dashes(key);
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.key == name; });
    if (row == rows.end()) {
      std::vector<std::string_view> known;
      known.reserve(count);
      for (const auto& each : rows) known.push_back(each.key);
      report_unknown_key(value, name, known, "setting", context);
    } else if (!row->apply(target, value, context)) {
      add_problem(value, "`" + name + "` expects " + std::string(row->expects), {}, context);
    }
  });
}

/// Stores what a reading gave; false when it gave nothing.
template <class Field, class Value>
bool store(Field& field, std::optional<Value> value) {
  if (!value) return false;
  field = *std::move(value);
  return true;
}

}  // namespace oomlint
