#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// The rules of `.gitignore` files from the root of the repository down, as gitignore(5) defines them: the
/// last rule that matches decides, deeper files are read later, `!` takes back, a trailing `/` means folders
/// only.
class IgnoreRules {
 public:
  /// Adds the rules of one `.gitignore`; they speak about what is below `directory` ("" is the root).
  void add(std::string_view directory, std::string_view text);

  /// Whether git would leave this path out. Folders above it are the caller's business: nothing below an
  /// ignored folder can be taken back.
  [[nodiscard]] bool ignored(std::string_view path, bool is_directory) const;

  [[nodiscard]] std::size_t size() const { return rules_.size(); }
  /// Forgets rules added last, when a walk leaves their folder.
  void shrink(std::size_t size) { rules_.resize(size); }

 private:
  struct Rule {
    std::string directory;  ///< with a trailing slash, or empty
    std::string pattern;
    bool negated = false;
    bool directories_only = false;
    bool anchored = false;
  };
  std::vector<Rule> rules_;
};

}  // namespace oomlint
