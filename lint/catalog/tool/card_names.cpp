#include "lint/catalog/tool/card_names.h"

#include "lint/catalog/names.h"

#include <array>
#include <string_view>
#include <vector>

namespace oomlint::catalog {

CardNames names_of(const SourceCard& card) {
  CardNames names;
  std::vector<std::string> spellings = card.names;
  spellings.insert(spellings.end(), {card.key, card.name});
  for (const std::string& spelling : spellings) {
    names.own.insert(squeezed_card(spelling));
    names.derived.insert(card_base(spelling).name);
  }
  std::set<std::string> numbers;
  for (const std::string& name : names.derived) {
    constexpr std::array<std::string_view, 3> series{"rtx", "gtx", "rx"};
    for (const std::string_view prefix : series) {
      const bool bare = name.starts_with(prefix) && name.size() > prefix.size() + 3 &&
                        name[prefix.size()] >= '0' && name[prefix.size()] <= '9';
      if (bare && card.row.consumer) numbers.insert(name.substr(prefix.size()));
    }
  }
  names.derived.merge(numbers);
  for (const std::string& name : names.own) names.derived.erase(name);
  names.own.erase("");
  names.derived.erase("");
  return names;
}

}  // namespace oomlint::catalog
