#include "integrations/cli/commands.h"
#include "integrations/cli/output.h"
#include "lint/text/nearest.h"

#include <algorithm>
#include <cctype>
#include <iostream>

namespace oomlint {

namespace {

const Rule* find_rule(std::span<const Rule* const> rules, std::string name) {
  std::string code = name;
  std::transform(code.begin(), code.end(), code.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const Rule* rule) { return rule->name == name || rule->code == code; });
  return found == rules.end() ? nullptr : *found;
}

}  // namespace

ExitCode run_explain(const Options& options, const Parts& parts) {
  if (options.arguments.empty()) {
    print_error("`oomlint explain` expects a rule", "`oomlint list rules` shows them all");
    return ExitCode::usage;
  }
  for (const std::string& name : options.arguments) {
    const Rule* rule = find_rule(parts.rules, name);
    if (rule == nullptr) {
      std::vector<std::string_view> names;
      for (const Rule* each : parts.rules) names.insert(names.end(), {each->name, each->code});
      const std::string_view near = nearest(name, names);
      print_error("there is no rule `" + name + "`", near.empty()
                                                         ? "`oomlint list rules` shows them all"
                                                         : "did you mean `" + std::string(near) + "`?");
      return ExitCode::usage;
    }
    std::cout << rule->code << ' ' << rule->name << " (" << to_string(rule->severity)
              << "): " << rule->summary << "\n\n";
    std::string_view doc = rule->doc;
    while (doc.starts_with('\n')) doc.remove_prefix(1);
    while (doc.ends_with('\n')) doc.remove_suffix(1);
    std::cout << doc << '\n';
  }
  return ExitCode::done;
}

}  // namespace oomlint
