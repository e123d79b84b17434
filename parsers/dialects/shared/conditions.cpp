#include "parsers/dialects/shared/conditions.h"

namespace oomlint {

bool is_on(const ReadContext& context, std::string_view path) {
  return context.flag(path).value_or(false);
}

ConstraintHit blame(const ReadContext& context, std::string_view path,
                    std::initializer_list<std::string_view> related) {
  ConstraintHit hit;
  hit.at = context.find(path);
  for (const std::string_view other : related) {
    if (const NodeId node = context.find(other); node != no_node) hit.related.push_back(node);
  }
  return hit;
}

}  // namespace oomlint
