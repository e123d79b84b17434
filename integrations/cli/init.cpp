#include "integrations/cli/commands.h"
#include "integrations/cli/output.h"
#include "integrations/cli/session.h"
#include "integrations/files/atomic_write.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iostream>
#include <map>

namespace oomlint {

namespace {

constexpr std::string_view settings_name = ".oomlint.toml";

/// What a folder or file name says about the machine its configs are for.
struct Hint {
  std::string gpu;
  std::int64_t world = 0;
};

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

/// Reads "8" of "8gpu", "8xa100", "8x"; the rest of the word is left.
std::int64_t take_count(std::string_view& word) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc{} || count < 1 || count > 4096) return 0;
  const std::string_view rest = word.substr(static_cast<std::size_t>(end - word.data()));
  if (rest == "gpu" || rest == "gpus") {
    word = {};
    return count;
  }
  if (!rest.starts_with('x')) return 0;
  word = rest.substr(1);
  return count;
}

/// A word counts as a card when it holds letters and digits and the catalogue knows it; a size beside it
/// ("a100_80gb") makes it exact.
Hint hint_of(std::string_view name) {
  Hint hint;
  std::string why;
  const std::vector<std::string> words = words_of(name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (const std::int64_t count = take_count(word); count > 0) hint.world = count;
    const bool has_letter =
        std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    const bool has_digit =
        std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!has_letter || !has_digit || !find_card(word, {}, why)) continue;
    const std::string with_size =
        i + 1 < words.size() ? std::string(word) + "-" + words[i + 1] : std::string();
    if (!with_size.empty() && words[i + 1].ends_with("gb") && find_card(with_size, {}, why)) {
      hint.gpu = with_size;
    } else if (hint.gpu.empty()) {
      hint.gpu = word;
    }
  }
  return hint;
}

/// Overrides to propose: the outermost folder whose name says something speaks for all below it, else the
/// file itself.
std::map<std::string, Hint> overrides_of(const Report& report) {
  std::map<std::string, Hint> proposals;
  for (const RunReport& run : report.runs) {
    const std::string& path = run.files.front();
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t slash = path.find('/', begin);
      const Hint hint =
          hint_of(std::string_view(path).substr(begin, slash == std::string::npos ? slash : slash - begin));
      if (!hint.gpu.empty()) {
        proposals.emplace(slash == std::string::npos ? path : path.substr(0, slash) + "/**", hint);
        break;
      }
      if (slash == std::string::npos) break;
      begin = slash + 1;
    }
  }
  return proposals;
}

std::string settings_text(const Report& report) {
  std::map<std::string, std::size_t> dialects;
  for (const RunReport& run : report.runs) ++dialects[run.dialect];
  std::string text = "# What the training configs of this repository are meant to run on.\n";
  for (const auto& [name, count] : dialects) {
    text += "#   " + std::to_string(count) + (count == 1 ? " config of " : " configs of ") + name + "\n";
  }
  text +=
      "\n[target]\n# gpu = \"A100-80GB\"  # the card most of them run on; `oomlint list gpus` shows all "
      "names\n# world = 8          # number of all devices\n";
  for (const auto& [glob, hint] : overrides_of(report)) {
    text += "\n[[overrides]]\nfiles = [\"" + glob + "\"]\ntarget = { gpu = \"" + hint.gpu + "\"";
    if (hint.world > 0) text += ", world = " + std::to_string(hint.world);
    text += " }\n";
  }
  return text;
}

}  // namespace

ExitCode run_init(const Options& options, const Parts& parts) {
  if (!options.arguments.empty()) {
    print_error("`oomlint init` takes no path", "run it in the folder the settings are for");
    return ExitCode::usage;
  }
  Options here = options;
  here.arguments = {"."};
  Session session(here, parts);
  LintOptions lint_options;
  lint_options.rules = false;
  const Report report = session.lint(session.workspace.files(), lint_options);
  const std::string problem = create_file(std::string(settings_name), settings_text(report));
  if (!problem.empty()) {
    print_error("cannot write " + problem);
    return ExitCode::usage;
  }
  if (!options.quiet) {
    std::cout << "wrote " << settings_name << ": " << report.runs.size() << " training "
              << (report.runs.size() == 1 ? "config" : "configs") << " among " << report.summary.files_seen
              << " files\n";
  }
  return ExitCode::done;
}

}  // namespace oomlint
