#include "lint/dialect/dialect.h"

#include <algorithm>

namespace oomlint {

namespace {

/// One piece of evidence: `path`, or `path=value` for a scalar of that text.
bool holds(const Document& document, std::string_view evidence) {
  const std::size_t equals = evidence.find('=');
  const NodeId node = document.resolve(document.find(evidence.substr(0, equals)));
  if (node == no_node) return false;
  if (equals == std::string_view::npos) return true;
  return document.at(node).kind == NodeKind::scalar && document.at(node).text == evidence.substr(equals + 1);
}

}  // namespace

Recognised hold_against(const Document& document, const Dialect& dialect) {
  const Recognition& wanted = dialect.recognise;
  Recognised result;
  result.dialect = &dialect;
  bool all = true;
  for (const std::string_view evidence : wanted.all_of) {
    const bool found = holds(document, evidence);
    all = all && found;
    (found ? result.found : result.missing).emplace_back(evidence);
  }
  std::size_t any = 0;
  std::vector<std::string> not_there;
  for (const std::string_view evidence : wanted.any_of) {
    if (holds(document, evidence)) {
      ++any;
      result.found.emplace_back(evidence);
    } else {
      not_there.emplace_back(evidence);
    }
  }
  const bool enough = any >= wanted.any_count;
  if (!enough) result.missing.insert(result.missing.end(), not_there.begin(), not_there.end());
  for (const std::string_view evidence : wanted.none_of) {
    if (holds(document, evidence)) result.excluded_by.emplace_back(evidence);
  }
  result.accepted = all && enough && result.excluded_by.empty();
  if (result.accepted && wanted.extra != nullptr && !wanted.extra(document)) {
    result.accepted = false;
    result.excluded_by.emplace_back(wanted.extra_doc);
  }
  return result;
}

std::vector<const Dialect*> recognise(const Document& document, std::span<const Dialect* const> dialects) {
  std::vector<const Dialect*> accepted;
  for (const Dialect* dialect : dialects) {
    if (hold_against(document, *dialect).accepted) accepted.push_back(dialect);
  }
  std::vector<const Dialect*> most_special;
  for (const Dialect* general : accepted) {
    const bool beaten = std::any_of(accepted.begin(), accepted.end(), [&](const Dialect* special) {
      const auto names = special->recognise.specialises;
      return std::find(names.begin(), names.end(), general->name) != names.end();
    });
    if (!beaten) most_special.push_back(general);
  }
  return most_special;
}

bool worth_parsing(std::string_view bytes, std::span<const Dialect* const> dialects) {
  return std::any_of(dialects.begin(), dialects.end(), [&](const Dialect* dialect) {
    const auto needles = dialect->recognise.bytes;
    return needles.empty() || std::any_of(needles.begin(), needles.end(), [&](std::string_view needle) {
             return bytes.find(needle) != std::string_view::npos;
           });
  });
}

}  // namespace oomlint
