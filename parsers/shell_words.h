#pragma once

#include "lint/text/span.h"
#include "parsers/tree.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A run of text that came from one place.
struct ShellPart {
  std::string text;
  std::uint32_t begin = 0;     ///< where these very bytes stand, with `literal`
  Span outer;                  ///< what was written at the place of use: `$X`, `"text"`
  bool literal = false;        ///< the file holds the text as it is at `begin`
  bool known = true;           ///< false: comes from outside the file, a command or a calculation
  bool split = false;          ///< an expansion without quotes: blanks in it end words
  bool from_variable = false;  ///< taken from an assignment elsewhere
  bool from_caller = false;    ///< unknown because it is an argument of the script
  bool ends_word = false;      ///< the end of an array's element
};

/// One word of a command after expansion. Its parts say where the text stands in the file.
struct ShellWord {
  std::vector<ShellPart> parts;
  Span span;  ///< what can be replaced to change this word; empty when nothing can

  [[nodiscard]] std::string text() const;  ///< unknown parts left out
  [[nodiscard]] bool known() const;
  [[nodiscard]] bool from_caller() const;
  /// Whatever may stand here: an expansion without quotes that may become any number of words.
  [[nodiscard]] bool open_ended() const;
};

/// What a variable holds where a command runs.
struct ShellVariable {
  std::vector<ShellPart> value;
  std::vector<ShellWord> elements;  ///< of an array
  bool is_array = false;
  bool exported = false;

  [[nodiscard]] bool known() const;
  [[nodiscard]] bool from_caller() const;
  [[nodiscard]] std::string text() const;
};

using ShellVariables = std::map<std::string, ShellVariable, std::less<>>;

/// Expands words of a script with the variables that the script itself assigns; everything else (arguments,
/// the environment, commands, arithmetic) is unknown and never guessed. `${X:-default}` of a variable that
/// the file does not assign is the default.
class ShellExpander {
 public:
  ShellExpander(const SyntaxTree& tree, std::string_view bytes) : tree_(tree), bytes_(bytes) {}

  /// The words that the argument at node `index` becomes; usually one, none for an empty expansion.
  [[nodiscard]] std::vector<ShellWord> words(std::uint32_t index, const ShellVariables& variables) const;
  /// The text of an assignment's right side.
  [[nodiscard]] std::vector<ShellPart> value(std::uint32_t index, const ShellVariables& variables) const;

 private:
  void expand(std::uint32_t index, const ShellVariables& variables, bool quoted, int depth,
              std::vector<ShellPart>& out) const;
  void expand_range(std::uint32_t index, Span range, const ShellVariables& variables, bool quoted, int depth,
                    std::vector<ShellPart>& out) const;
  void expand_parameter(std::uint32_t index, const ShellVariables& variables, bool quoted, int depth,
                        std::vector<ShellPart>& out) const;
  void literal(Span span, bool quoted, std::vector<ShellPart>& out) const;

  const SyntaxTree& tree_;
  std::string_view bytes_;
};

/// Words of a text that a shell would read again (`eval "$CMD"`, `bash -c '…'`).
[[nodiscard]] std::vector<ShellWord> words_within(const ShellWord& word);

}  // namespace oomlint
