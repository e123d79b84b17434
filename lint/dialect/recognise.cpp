#include "lint/dialect/dialect.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

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

/// The program that a command starts; nothing for a file.
std::optional<std::string_view> program_of(const Document& document) {
  if (document.launch() == no_node) return std::nullopt;
  const NodeId node = document.find(document.launch(), "program");
  return node == no_node ? std::string_view() : document.at(node).text;
}

bool is_program(std::string_view program, std::string_view wanted) {
  if (!program.ends_with(wanted)) return false;
  return program.size() == wanted.size() || program[program.size() - wanted.size() - 1] == '/';
}

/// Words in a program's name that say it does something else than train.
bool trains_nothing(std::string_view program) {
  static constexpr std::array<std::string_view, 24> others{
      "eval",   "evaluate",  "evaluation", "infer",    "inference", "test",    "predict",    "generate",
      "export", "merge",     "serve",      "deploy",   "convert",   "prepare", "preprocess", "download",
      "upload", "benchmark", "demo",       "tokenize", "rollout",   "chat",    "quantize",   "app"};
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  std::string_view name = program.substr(program.rfind('/') + 1);
  while (!name.empty()) {
    const auto end =
        static_cast<std::size_t>(std::find_if_not(name.begin(), name.end(), is_word) - name.begin());
    if (std::find(others.begin(), others.end(), name.substr(0, end)) != others.end()) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

}  // namespace

bool could_train(const Document& document) {
  const auto program = program_of(document);
  // A tool's other commands train nothing, whatever their options are called.
  return !program || (program->find(' ') == std::string_view::npos && !trains_nothing(*program));
}

Recognised hold_against(const Document& document, const Dialect& dialect) {
  const Recognition& wanted = dialect.recognise;
  Recognised result;
  result.dialect = &dialect;
  if (const auto program = program_of(document)) {
    const bool named = std::any_of(wanted.programs.begin(), wanted.programs.end(),
                                   [&](std::string_view each) { return is_program(*program, each); });
    if (named) {
      result.accepted = true;
      result.by_program = true;
      result.found.emplace_back(*program);
      return result;
    }
    if (!could_train(document)) {
      result.missing.insert(result.missing.end(), wanted.programs.begin(), wanted.programs.end());
      return result;
    }
  }
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
  std::vector<const Dialect*> started;
  for (const Dialect* dialect : dialects) {
    const Recognised held = hold_against(document, *dialect);
    if (held.accepted) accepted.push_back(dialect);
    if (held.by_program) started.push_back(dialect);
  }
  if (!started.empty()) accepted = std::move(started);
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
