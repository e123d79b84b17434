#include "integrations/cli/options.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oomlint;

namespace {

ParsedOptions parse(std::vector<std::string_view> arguments) {
  return parse_options(arguments);
}

}  // namespace

TEST_CASE("a path alone means check, nothing at all means help") {
  CHECK(parse({"a.yaml"}).options.command == "check");
  CHECK(parse({"--gpu", "24GB"}).options.command == "check");
  CHECK(parse({}).options.command == "help");
  CHECK(parse({"--version"}).options.command == "version");
  CHECK(parse({"estimate", "a.yaml"}).options.arguments == std::vector<std::string>{"a.yaml"});
}

TEST_CASE("options stand anywhere, with a blank or an equals sign") {
  const ParsedOptions parsed =
      parse({"check", "a.yaml", "--gpu=A100-80GB", "--world", "8", "-j4", "-q", "--", "--odd.yaml"});
  REQUIRE(parsed.error.empty());
  CHECK(parsed.options.target.gpu == "A100-80GB");
  CHECK(parsed.options.target.world == 8);
  CHECK(parsed.options.jobs == 4);
  CHECK(parsed.options.quiet);
  CHECK(parsed.options.arguments == std::vector<std::string>{"a.yaml", "--odd.yaml"});
}

TEST_CASE("formats repeat, with at most one on standard output") {
  const ParsedOptions parsed = parse({"a", "--format", "sarif=out.sarif", "--format=text"});
  REQUIRE(parsed.error.empty());
  CHECK(parsed.options.outputs[0].format == Format::sarif);
  CHECK(parsed.options.outputs[0].file == "out.sarif");
  CHECK(parse({"a", "--format", "json", "--format", "sarif"}).error.find("only one format") !=
        std::string::npos);
  CHECK(parse({"a", "--format", "yaml"}).error ==
        "--format expects one of text, concise, json, sarif, github");
  CHECK(parse({"estimate", "a", "--format", "sarif"}).error.find("text or json") != std::string::npos);
}

TEST_CASE("an assumption is checked against the field table") {
  const ParsedOptions parsed = parse({"a", "--assume", "sequence_length=1304"});
  REQUIRE(parsed.options.assumed.size() == 1);
  CHECK(parsed.options.assumed[0].field == Field::sequence_length);
  CHECK(parsed.options.assumed[0].origin.kind == OriginKind::assumed);
  CHECK(parse({"a", "--assume", "sequence_lenght=1"}).error ==
        "--assume knows no field sequence_lenght; did you mean sequence_length?");
  CHECK(parse({"a", "--assume", "micro_batch=many"})
            .error.starts_with("--assume cannot set micro_batch: it expects"));
  CHECK(parse({"a", "--assume", "micro_batch"}).error == "--assume expects FIELD=VALUE");
}

TEST_CASE("errors name what was probably meant") {
  CHECK(parse({"a", "--fromat", "json"}).error == "unknown option --fromat; did you mean --format?");
  CHECK(parse({"a", "--gpu"}).error == "--gpu expects NAME|24GB|24GiB|none");
  CHECK(parse({"a", "--quiet=yes"}).error == "--quiet takes no value");
  CHECK(parse({"list", "rules", "--gpu", "24GB"}).error == "`oomlint list` does not take --gpu");
  CHECK(parse({"a", "--unsafe-fixes"}).error == "--unsafe-fixes needs --fix or --diff");
  CHECK(parse({"a", "-x"}).error == "unknown option -x");
  CHECK(parse({"chekc"}).error == "there is no command or file chekc; did you mean check?");
}

TEST_CASE("the counts of devices agree") {
  const ParsedOptions parsed = parse({"a", "--gpus-per-node", "8", "--nodes", "2"});
  CHECK(parsed.options.target.world == 16);
  CHECK(parsed.options.target.nodes == 2);
  CHECK(parse({"a", "--world", "8", "--nodes", "3"}).error == "--nodes must divide --world");
  CHECK(parse({"a", "--world", "9", "--gpus-per-node", "8"}).error.find("contradicts") != std::string::npos);
  CHECK_FALSE(parse({"a", "--world", "0"}).error.empty());
}

TEST_CASE("every command and option has its line of help") {
  for (const CommandSpec& command : command_specs()) {
    CHECK(help_text(nullptr).find(command.doc) != std::string::npos);
    for (const OptionSpec& option : option_specs()) {
      const bool shown = help_text(&command).find(std::string(option.name) + " ") != std::string::npos;
      CHECK(shown == ((option.commands & command.command) != 0));
    }
  }
}
