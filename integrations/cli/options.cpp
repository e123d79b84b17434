#include "integrations/cli/options.h"

#include "lint/text/nearest.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace oomlint {

namespace {

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest(word, candidates);
  return near.empty() ? "" : "; did you mean " + std::string(near) + "?";
}

const OptionSpec* find_option(std::string_view name) {
  const auto found = std::find_if(option_specs().begin(), option_specs().end(),
                                  [&](const OptionSpec& spec) { return spec.name == name; });
  return found == option_specs().end() ? nullptr : &*found;
}

const OptionSpec* find_letter(char letter) {
  const auto found = std::find_if(option_specs().begin(), option_specs().end(),
                                  [&](const OptionSpec& spec) { return spec.letter == letter; });
  return found == option_specs().end() ? nullptr : &*found;
}

/// Walks the arguments from left to right. Options may stand anywhere; `--` ends them.
class OptionParser {
 public:
  explicit OptionParser(std::span<const std::string_view> arguments) : arguments_(arguments) {}

  ParsedOptions parse() {
    if (!arguments_.empty()) {
      command_ = find_command(arguments_.front());
      if (command_ != nullptr) ++at_;
    }
    for (; at_ < arguments_.size() && parsed_.error.empty(); ++at_) take(arguments_[at_]);
    if (parsed_.error.empty()) finish();
    return std::move(parsed_);
  }

 private:
  void take(std::string_view argument) {
    if (only_paths_ || argument == "-" || !argument.starts_with('-')) {
      parsed_.options.arguments.emplace_back(argument);
    } else if (argument == "--") {
      only_paths_ = true;
    } else if (argument.starts_with("--")) {
      take_long(argument);
    } else {
      take_short(argument);
    }
  }

  void take_long(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const OptionSpec* spec = find_option(name);
    if (spec == nullptr) {
      std::vector<std::string_view> names;
      for (const OptionSpec& each : option_specs()) names.push_back(each.name);
      parsed_.error = "unknown option " + std::string(name) + did_you_mean(name, names);
    } else if (equals == std::string_view::npos) {
      apply(*spec, std::nullopt);
    } else if (spec->value_name.empty()) {
      parsed_.error = std::string(name) + " takes no value";
    } else {
      apply(*spec, argument.substr(equals + 1));
    }
  }

  void take_short(std::string_view argument) {
    const OptionSpec* spec = find_letter(argument[1]);
    if (spec == nullptr || (spec->value_name.empty() && argument.size() > 2)) {
      parsed_.error = "unknown option " + std::string(argument);
    } else {
      apply(*spec, argument.size() > 2 ? std::optional(argument.substr(2)) : std::nullopt);
    }
  }

  void apply(const OptionSpec& spec, std::optional<std::string_view> value) {
    if (!spec.value_name.empty() && !value) {
      if (at_ + 1 == arguments_.size()) {
        parsed_.error = std::string(spec.name) + " expects " + std::string(spec.value_name);
        return;
      }
      value = arguments_[++at_];
    }
    const std::string problem = spec.apply(parsed_.options, value.value_or(""));
    if (!problem.empty()) parsed_.error = std::string(spec.name) + " " + problem;
    used_.push_back(&spec);
  }

  void finish() {
    Options& options = parsed_.options;
    if (!options.command.empty()) return;  // --version
    if (command_ == nullptr) {
      const bool nothing = options.arguments.empty() && used_.empty();
      command_ = find_command(nothing || (options.help && options.arguments.empty()) ? "help" : "check");
    }
    options.command = command_->name;
    for (const OptionSpec* spec : used_) {
      if ((spec->commands & command_->command) != 0) continue;
      parsed_.error = "`oomlint " + options.command + "` does not take " + std::string(spec->name);
      return;
    }
    parsed_.error = mistyped_command(options.arguments);
    if (parsed_.error.empty()) parsed_.error = contradictions(options);
  }

  /// "chekc" is no path that anybody has: without a dot or a slash, near a command, and not there.
  [[nodiscard]] std::string mistyped_command(const std::vector<std::string>& paths) const {
    if (paths.empty() || paths.front() != arguments_.front()) return {};
    const std::string& word = paths.front();
    std::error_code error;
    if (word.find_first_of("./") != std::string::npos || std::filesystem::exists(word, error)) return {};
    std::vector<std::string_view> names;
    for (const CommandSpec& each : command_specs()) names.push_back(each.name);
    const std::string suggestion = did_you_mean(word, names);
    return suggestion.empty() ? "" : "there is no command or file " + word + suggestion;
  }

  static std::string contradictions(Options& options) {
    const auto to_stdout = std::count_if(options.outputs.begin(), options.outputs.end(),
                                         [](const OutputRequest& request) { return request.file.empty(); });
    if (to_stdout > 1)
      return "--format: only one format can go to standard output; write the others as --format X=FILE";
    if (options.unsafe_fixes && !options.fix && !options.diff) return "--unsafe-fixes needs --fix or --diff";
    if (options.command == "estimate") {
      for (const OutputRequest& request : options.outputs) {
        if (request.format != Format::text && request.format != Format::json)
          return "--format: `oomlint estimate` prints text or json";
      }
    }
    Target& target = options.target;
    if (options.gpus_per_node) {
      const std::int64_t world = *options.gpus_per_node * target.nodes.value_or(1);
      if (target.world && *target.world != world) return "--world contradicts --gpus-per-node times --nodes";
      target.world = world;
    }
    if (target.world && target.nodes && *target.world % *target.nodes != 0)
      return "--nodes must divide --world";
    return {};
  }

  std::span<const std::string_view> arguments_;
  std::size_t at_ = 0;
  bool only_paths_ = false;
  const CommandSpec* command_ = nullptr;
  std::vector<const OptionSpec*> used_;
  ParsedOptions parsed_;
};

/// "  left            right", the right column at a fixed place and wrapped by hand in the tables.
std::string row(std::string left, std::string_view right) {
  constexpr std::size_t column = 34;
  left = "  " + left;
  left += left.size() + 2 > column ? "\n" + std::string(column, ' ') : std::string(column - left.size(), ' ');
  return left + std::string(right) + "\n";
}

}  // namespace

ParsedOptions parse_options(std::span<const std::string_view> arguments) {
  return OptionParser(arguments).parse();
}

std::string help_text(const CommandSpec* command) {
  if (command == nullptr) {
    std::string text =
        "oomlint: will the training run fit, what will it cost, which line to change\n\nUsage: oomlint "
        "[COMMAND] [OPTION...] [PATH...]\n\nCommands:\n";
    for (const CommandSpec& each : command_specs()) {
      text += row(std::string(each.name) + (each.synopsis.empty() ? "" : " ") + std::string(each.synopsis),
                  each.doc);
    }
    return text +
           "\n`oomlint help COMMAND` shows the options of a command.\nExit codes: 0 done, 1 findings, 2 "
           "wrong usage, settings or an unreadable path.\n";
  }
  std::string text = std::string(command->doc) + "\n\nUsage: oomlint " + std::string(command->name);
  if (!command->synopsis.empty()) text += " " + std::string(command->synopsis);
  text += "\n\nOptions:\n";
  for (const OptionSpec& spec : option_specs()) {
    if ((spec.commands & command->command) == 0) continue;
    std::string left = spec.letter == 0 ? "" : std::string("-") + spec.letter + ", ";
    left += spec.name;
    if (!spec.value_name.empty()) left += " " + std::string(spec.value_name);
    text += row(std::move(left), spec.doc);
  }
  return text;
}

}  // namespace oomlint
