#pragma once

#include "parsers/shell_words.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// An option as it was written: `--name value…`, `--name=value`, `--name`, `-n value`.
struct ShellOption {
  std::string name;               ///< without dashes, `-` inside as `_`
  Span flag;                      ///< the word with the dashes; empty when it can't be edited
  std::uint32_t begin = 0;        ///< first byte of the flag
  std::vector<ShellWord> values;  ///< empty: on by being there
  std::size_t inline_value = 0;   ///< where the value starts inside values[0] (`--name=value`)
};

/// Arguments as options and the words that belong to none.
struct ShellArguments {
  std::vector<ShellOption> options;
  std::vector<ShellWord> positional;
  bool open_ended = false;  ///< a word that may be any arguments
};
[[nodiscard]] ShellArguments parse_arguments(const std::vector<ShellWord>& words);

/// Whether a word is an option's name: `--x`, `-x`, and no negative number.
[[nodiscard]] bool is_flag(std::string_view text);

}  // namespace oomlint
