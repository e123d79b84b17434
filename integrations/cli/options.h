#pragma once

#include "lint/engine/settings.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

enum class Format : std::uint8_t { text, concise, json, sarif, github };

/// `--format json=report.json`; an empty file means standard output.
struct OutputRequest {
  Format format = Format::text;
  std::string file;
};

enum class FailOn : std::uint8_t { error, warning, note, never };
enum class ColourChoice : std::uint8_t { automatic, always, never };

/// What the command line says, before any file is looked at.
struct Options {
  std::string command;                 ///< "check" when only paths are given
  std::vector<std::string> arguments;  ///< paths, or what the command takes
  std::vector<OutputRequest> outputs;
  std::optional<FailOn> fail_on;
  Target target;
  std::optional<std::int64_t> gpus_per_node;
  std::vector<Assignment> assumed;
  std::vector<std::string> exclude;
  std::string config;
  std::string stdin_filename;
  std::string show_settings;
  ColourChoice colour = ColourChoice::automatic;
  unsigned jobs = 0;  ///< 0: as many as the machine has
  bool fix = false;
  bool unsafe_fixes = false;
  bool diff = false;
  bool explain_detection = false;
  bool no_ignores = false;
  bool quiet = false;
  bool help = false;
};

/// A set of commands, one bit each.
using CommandSet = unsigned;
enum Command : CommandSet {
  command_check = 1U << 0U,
  command_estimate = 1U << 1U,
  command_explain = 1U << 2U,
  command_list = 1U << 3U,
  command_init = 1U << 4U,
  command_version = 1U << 5U,
  command_help = 1U << 6U,
};

/// One option: how it is written, which commands take it, and what it does to the options. `apply` returns
/// what is wrong with the value, or nothing.
struct OptionSpec {
  std::string_view name;        ///< "--gpu"
  char letter = 0;              ///< 'j' for "-j", 0 for none
  std::string_view value_name;  ///< "NAME"; empty for a flag
  CommandSet commands;
  std::string_view doc;
  std::string (*apply)(Options& options, std::string_view value);
};

struct CommandSpec {
  std::string_view name;
  Command command;
  std::string_view synopsis;  ///< what follows the name
  std::string_view doc;
};

[[nodiscard]] std::span<const OptionSpec> option_specs();
[[nodiscard]] std::span<const CommandSpec> command_specs();
[[nodiscard]] const CommandSpec* find_command(std::string_view name);

/// The options, or one sentence that says what is wrong and what was probably meant.
struct ParsedOptions {
  Options options;
  std::string error;
};
[[nodiscard]] ParsedOptions parse_options(std::span<const std::string_view> arguments);

/// The text of `oomlint help [COMMAND]`.
[[nodiscard]] std::string help_text(const CommandSpec* command);

}  // namespace oomlint
