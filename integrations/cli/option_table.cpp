#include "integrations/cli/options.h"
#include "lint/text/nearest.h"

#include <array>
#include <charconv>

namespace oomlint {

namespace {

constexpr CommandSet lints = command_check | command_estimate;
constexpr CommandSet all_commands = ~CommandSet{0};

template <class Enum>
struct Choice {
  std::string_view word;
  Enum value;
};

/// Finds a word of a closed list; otherwise `error` lists what would be accepted.
template <class Enum, std::size_t count>
bool choose(const std::array<Choice<Enum>, count>& choices, std::string_view word, Enum& out,
            std::string& error) {
  error = "expects one of";
  for (const auto& choice : choices) {
    if (choice.word == word) {
      out = choice.value;
      error.clear();
      return true;
    }
    error += (&choice == choices.data() ? " " : ", ") + std::string(choice.word);
  }
  return false;
}

constexpr std::array<Choice<Format>, 5> formats{{{"text", Format::text},
                                                 {"concise", Format::concise},
                                                 {"json", Format::json},
                                                 {"sarif", Format::sarif},
                                                 {"github", Format::github}}};
constexpr std::array<Choice<FailOn>, 4> fail_on_words{{{"error", FailOn::error},
                                                       {"warning", FailOn::warning},
                                                       {"note", FailOn::note},
                                                       {"never", FailOn::never}}};
constexpr std::array<Choice<ColourChoice>, 3> colour_words{
    {{"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}}};

std::optional<std::int64_t> read_count(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::string set_count(std::optional<std::int64_t>& field, std::string_view value) {
  field = read_count(value);
  return field ? "" : "expects a whole number of at least 1";
}

std::string set_gpu(Options& options, std::string_view value) {
  options.target.gpu = value;
  options.target.gpu_origin = {OriginKind::assumed, no_file, {}, {}, "--gpu"};
  return value.empty() ? "expects a card, a size such as 24GB, or none" : "";
}

std::string add_assumption(Options& options, std::string_view value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string_view::npos) return "expects FIELD=VALUE";
  const std::string_view name = value.substr(0, equals);
  const auto field = field_named(name);
  if (!field) {
    std::vector<std::string_view> names;
    for (const FieldInfo& row : all_fields()) names.push_back(row.name);
    const std::string_view near = nearest(name, names);
    return "knows no field " + std::string(name) +
           (near.empty() ? "; `oomlint list fields` shows them"
                         : "; did you mean " + std::string(near) + "?");
  }
  std::string why;
  auto scalar = parse_value(*field, value.substr(equals + 1), why);
  if (!scalar) return "cannot set " + std::string(name) + ": it " + why;
  options.assumed.push_back({*field, std::move(*scalar), {OriginKind::assumed, no_file, {}, {}, "--assume"}});
  return {};
}

std::string add_output(Options& options, std::string_view value) {
  const std::size_t equals = value.find('=');
  OutputRequest request;
  std::string error;
  if (!choose(formats, value.substr(0, equals), request.format, error)) return error;
  if (equals != std::string_view::npos) {
    request.file = value.substr(equals + 1);
    if (request.file.empty()) return "expects a file after `=`";
  }
  options.outputs.push_back(std::move(request));
  return {};
}

std::string set_jobs(Options& options, std::string_view value) {
  const auto count = read_count(value);
  if (!count || *count > 256) return "expects a whole number from 1 to 256";
  options.jobs = static_cast<unsigned>(*count);
  return {};
}

std::string set_fail_on(Options& options, std::string_view value) {
  std::string error;
  FailOn level = FailOn::error;
  if (choose(fail_on_words, value, level, error)) options.fail_on = level;
  return error;
}

std::string set_colour(Options& options, std::string_view value) {
  std::string error;
  choose(colour_words, value, options.colour, error);
  return error;
}

template <std::string Options::* field>
std::string set_text(Options& options, std::string_view value) {
  options.*field = value;
  return value.empty() ? "expects a path" : "";
}

template <bool Options::* field>
std::string set_flag(Options& options, std::string_view /*value*/) {
  options.*field = true;
  return {};
}

constexpr std::array<OptionSpec, 21> specs{{
    {"--gpu", 0, "NAME|24GB|24GiB|none", lints,
     "card the run is for: a name, a size on the box (GB) or usable bytes (GiB)", set_gpu},
    {"--world", 0, "N", lints, "number of all devices",
     [](Options& o, std::string_view v) { return set_count(o.target.world, v); }},
    {"--nodes", 0, "M", lints, "number of machines; divides --world",
     [](Options& o, std::string_view v) { return set_count(o.target.nodes, v); }},
    {"--gpus-per-node", 0, "G", lints, "devices of one machine: with --nodes M the same as --world G*M",
     [](Options& o, std::string_view v) { return set_count(o.gpus_per_node, v); }},
    {"--assume", 0, "FIELD=VALUE", lints,
     "take this value whatever the files say; repeatable (`oomlint list fields`)", add_assumption},
    {"--format", 0, "X[=FILE]", lints,
     "text, concise, json, sarif or github; repeatable, one of them to standard output", add_output},
    {"--fail-on", 0, "LEVEL", lints, "exit with 1 from this level on: error, warning, note or never",
     set_fail_on},
    {"--stdin-filename", 0, "PATH", lints, "read standard input in the place of this file",
     set_text<&Options::stdin_filename>},
    {"--exclude", 0, "GLOB", lints | command_init, "leave out paths, also named ones; repeatable",
     [](Options& o, std::string_view v) {
       o.exclude.emplace_back(v);
       return std::string();
     }},
    {"--config", 0, "PATH", lints, "settings file to use in the place of the nearest one",
     set_text<&Options::config>},
    {"--no-ignores", 0, "", lints, "report what comments and settings silence, too",
     set_flag<&Options::no_ignores>},
    {"--fix", 0, "", command_check, "apply the fixes that do not change the mathematics of the run",
     set_flag<&Options::fix>},
    {"--unsafe-fixes", 0, "", command_check, "with --fix or --diff: also fixes that change it",
     set_flag<&Options::unsafe_fixes>},
    {"--diff", 0, "", command_check, "show what --fix would change and change nothing",
     set_flag<&Options::diff>},
    {"--explain-detection", 0, "", command_check, "show which dialect claims a file, and on what evidence",
     set_flag<&Options::explain_detection>},
    {"--show-settings", 0, "FILE", command_check, "show what the settings come to for a file",
     set_text<&Options::show_settings>},
    {"--jobs", 'j', "N", lints, "threads; as many as the machine has by default", set_jobs},
    {"--color", 0, "WHEN", lints, "auto, always or never", set_colour},
    {"--quiet", 'q', "", lints | command_init, "say nothing when there is nothing to report",
     set_flag<&Options::quiet>},
    {"--help", 'h', "", all_commands, "show this text", set_flag<&Options::help>},
    {"--version", 'V', "", command_help, "the same as `oomlint version`",
     [](Options& o, std::string_view) {
       o.command = "version";
       return std::string();
     }},
}};

constexpr std::array<CommandSpec, 7> commands{{
    {"check", command_check, "[PATH...]",
     "lint configs and folders of configs (the default when paths are given)"},
    {"estimate", command_estimate, "PATH...", "memory, time and disk of the runs, term by term"},
    {"explain", command_explain, "RULE", "what a rule finds, why it matters, what to write instead"},
    {"list", command_list, "WHAT", "rules, dialects, gpus, models, fields or stacks"},
    {"init", command_init, "", "look at the repository and write a settings file for it"},
    {"version", command_version, "", "the version"},
    {"help", command_help, "[COMMAND]", "this text, or that of a command"},
}};

}  // namespace

std::span<const OptionSpec> option_specs() {
  return specs;
}
std::span<const CommandSpec> command_specs() {
  return commands;
}

const CommandSpec* find_command(std::string_view name) {
  for (const CommandSpec& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace oomlint
