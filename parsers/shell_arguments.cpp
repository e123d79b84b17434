#include "parsers/shell_arguments.h"

#include <algorithm>
#include <cctype>

namespace oomlint {
namespace {

/// `a.b=c`, `+a.b=c`, `++a=c`, `~a`: an assignment among the arguments, as Hydra and OmegaConf read them.
bool is_override(std::string_view text) {
  while (text.starts_with('+') || text.starts_with('~')) text.remove_prefix(1);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  const std::string_view key = text.substr(0, equals);
  if (std::isdigit(static_cast<unsigned char>(key.front())) != 0) return false;
  return std::all_of(key.begin(), key.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '/' || c == '@' ||
           c == '-';
  });
}

std::string option_name(std::string_view text) {
  const bool flag = text.starts_with('-');
  while (text.starts_with('-') || text.starts_with('+') || text.starts_with('~')) text.remove_prefix(1);
  std::string name(text);
  if (flag) std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

bool is_flag(std::string_view text) {
  if (!text.starts_with('-') || text.size() < 2) return false;
  if (text == "--" || text[1] == '-') return true;
  return std::isalpha(static_cast<unsigned char>(text[1])) != 0;
}

ShellArguments parse_arguments(const std::vector<ShellWord>& words) {
  ShellArguments all;
  bool takes_values = false;
  for (const ShellWord& word : words) {
    const std::string text = word.text();
    const std::size_t equals = text.find('=');
    const bool flag = is_flag(text);
    const bool first_value = takes_values && all.options.back().values.empty();
    if (!flag && word.open_ended() && !first_value) {
      all.open_ended = true;
      takes_values = false;
    } else if (flag || (is_override(text) && !first_value)) {
      ShellOption option;
      option.name = option_name(std::string_view(text).substr(0, equals));
      option.flag = word.span;
      option.begin = word.parts.empty()  ? word.span.begin
                     : word.span.empty() ? word.parts.front().begin
                                         : word.span.begin;
      if (equals != std::string::npos) {
        option.values.push_back(word);
        option.inline_value = equals + 1;
      }
      takes_values = equals == std::string::npos;
      all.options.push_back(std::move(option));
    } else if (takes_values) {
      all.options.back().values.push_back(word);
    } else {
      all.positional.push_back(word);
    }
  }
  return all;
}

}  // namespace oomlint
