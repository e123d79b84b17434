#pragma once

#include "integrations/cli/lint_all.h"
#include "integrations/files/memory_files.h"
#include "parsers/readers.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint::test {

/// What `oomlint check ARGUMENTS...` reports about these of the files, their settings files included. Throws
/// when the command line would refuse the arguments or the settings.
inline Report check(Files& files, const std::vector<Input>& inputs,
                    const std::vector<std::string>& arguments = {}) {
  std::vector<std::string_view> words{"check"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const ParsedOptions parsed = parse_options(words);
  if (!parsed.error.empty()) throw std::invalid_argument(parsed.error);
  const Parts parts{all_readers(), all_dialects(), all_rules()};
  SettingsStore store(files, parsed.options, parts);
  Report report = make_report(inputs, lint_all(inputs, files, store, parts, {}, 1), false);
  if (!store.problems().empty()) throw std::invalid_argument(store.problems().front().message);
  return report;
}

/// The same for one file that the user named.
inline Report check(Files& files, std::string_view path, const std::vector<std::string>& arguments = {}) {
  return check(files, std::vector<Input>{{std::string(path), true}}, arguments);
}

}  // namespace oomlint::test
