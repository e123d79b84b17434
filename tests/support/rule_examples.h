#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint::test {

/// One fenced block of a rule's documentation, with the companion files that stand before it.
struct RuleExample {
  struct File {
    std::string name;
    std::string text;
  };
  std::vector<File> files;             ///< the config under test is the last
  std::vector<std::string> arguments;  ///< "--gpu", "24GB", …
  bool fires = false;
};

/// The examples of a rule's documentation, in order. Info string: "```yaml config.yml --gpu 24GB fires". A
/// block without a verdict is a companion file of the next one that has one.
inline std::vector<RuleExample> rule_examples(std::string_view doc) {
  std::vector<RuleExample> examples;
  RuleExample next;
  std::optional<std::string> body;
  std::vector<std::string> info;
  while (!doc.empty()) {
    const std::size_t end = std::min(doc.find('\n'), doc.size());
    const std::string_view line = doc.substr(0, end);
    doc.remove_prefix(std::min(end + 1, doc.size()));
    const bool fence = line.substr(0, 3) == "```";
    if (!body && fence) {
      body.emplace();
      info.clear();
      std::string word;
      for (const char c : std::string(line.substr(3)) + " ") {
        if (c != ' ') {
          word += c;
        } else if (!word.empty()) {
          info.push_back(std::move(word));
          word.clear();
        }
      }
    } else if (body && fence) {
      if (info.size() >= 2) {
        next.files.push_back({info[1], *body});
        if (info.back() == "fires" || info.back() == "silent") {
          next.arguments.assign(info.begin() + 2, info.end() - 1);
          next.fires = info.back() == "fires";
          examples.push_back(std::move(next));
          next = {};
        }
      }
      body.reset();
    } else if (body) {
      *body += std::string(line) + "\n";
    }
  }
  return examples;
}

}  // namespace oomlint::test
