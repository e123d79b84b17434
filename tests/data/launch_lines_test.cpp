#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/data.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

extern const Dialect launch;

namespace {

using nlohmann::json;

/// A word as a person would write it: expansions stay expansions, all else is quoted where it must be.
std::string as_written(const std::string& word) {
  if (word.find('$') != std::string::npos)
    return word.find(' ') == std::string::npos ? word : '"' + word + '"';
  if (!word.empty() && word.find_first_of(" '\"\\()<>|&;*?[]{}`#~!\n\t") == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

std::string script_of(const json& row) {
  std::string text = "#!/bin/bash\n";
  for (const json& line : row["sbatch"]) text += line.get<std::string>() + '\n';
  for (const auto& [name, value] : row["env"].items())
    text += "export " + name + "=" + as_written(value.get<std::string>()) + '\n';
  std::size_t column = 0;
  for (const json& word : row["words"]) {
    const std::string written = as_written(word.get<std::string>());
    text += (column == 0 ? "" : written.starts_with("--") ? " \\\n    " : " ") + written;
    ++column;
  }
  return text + '\n';
}

/// A whole number, 0 for anything else.
long number(const std::string& text) {
  if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos) return 0;
  return std::stol(text);
}

/// The processes that a row states in numbers: torchrun's two options, or the two variables that tools read;
/// 0 where it does not.
long stated_world(const json& row) {
  std::vector<std::string> words = row["words"];
  long per_node = 0;
  long nodes = 1;
  const auto is = [](std::string option, std::string_view name) {
    std::replace(option.begin(), option.end(), '-', '_');
    return option == "__" + std::string(name);
  };
  const bool torchrun = !words.empty() && (words[0] == "torchrun" || words[0] == "colossalai");
  for (std::size_t i = 0; torchrun && i < words.size() && words[i].find(".py") == std::string::npos; ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string option = words[i].substr(0, equals);
    const std::string value = equals != std::string::npos ? words[i].substr(equals + 1)
                              : i + 1 < words.size()      ? words[i + 1]
                                                          : std::string();
    if (is(option, "nproc_per_node")) per_node = number(value);
    if (is(option, "nnodes")) nodes = number(value);
    if (is(option, "host") || is(option, "hostfile")) nodes = 0;
  }
  if (!words.empty() && words[0] == "swift") {
    if (row["env"].contains("NPROC_PER_NODE")) per_node = number(row["env"]["NPROC_PER_NODE"]);
    if (row["env"].contains("NNODES")) nodes = number(row["env"]["NNODES"]);
  }
  return per_node * nodes;
}

bool trains(const std::string& kind) {
  return kind != "infer" && kind != "other";
}

}  // namespace

TEST_CASE("launch lines: printed as scripts, read back") {
  const auto path = test::data("launch_lines.jsonl");
  if (!path) return;
  std::ifstream in(*path);
  std::string line;
  std::size_t training = 0;
  std::size_t read_as_runs = 0;
  std::size_t worlds = 0;
  std::size_t recognised = 0;
  std::map<std::string, std::size_t> unread;
  while (std::getline(in, line)) {
    const json row = json::parse(line);
    const std::string text = script_of(row);
    const auto source = std::make_shared<SourceFile>("run.sh", text);
    const std::vector<Document> runs = read_shell_runs(source);
    for (const Document& run : runs) {
      // Every value lies inside the script, and its key before it.
      for (NodeId id = 0; id < run.size(); ++id) CHECK(run.value_span(id).end <= text.size());
    }
    const std::string kind = row["kind"];
    if (trains(kind)) {
      ++training;
      read_as_runs += runs.empty() ? 0 : 1;
      if (runs.empty()) ++unread[row["words"].size() > 0 ? std::string(row["words"][0]) : std::string()];
    }
    if (runs.size() != 1) continue;
    if (!recognise(runs.front(), all_dialects()).empty()) ++recognised;
    const long world = stated_world(row);
    if (world == 0) continue;
    ++worlds;
    const Versions versions;
    TrainingPlan plan;
    stack(plan, read({launch, runs.front(), versions, 0, runs.front().launch()}));
    CAPTURE(text);
    CHECK(plan.count(Field::world) == world);
  }
  for (const auto& [word, count] : unread) MESSAGE("no run: " << word << " " << count);
  MESSAGE(read_as_runs << " of " << training << " training commands are runs, " << recognised
                       << " of a known trainer, " << worlds << " state their world");
  CHECK(read_as_runs * 100 >= training * 95);
  CHECK(worlds > 50);
}

TEST_CASE("launch lines: cut anywhere, they are read or left alone") {
  const auto path = test::data("launch_lines.jsonl");
  if (!path) return;
  std::ifstream in(*path);
  std::string line;
  std::size_t index = 0;
  while (std::getline(in, line)) {
    if (++index % 16 != 0) continue;
    const std::string text = script_of(json::parse(line));
    for (std::size_t cut = 1; cut < text.size(); cut += 1 + text.size() / 12) {
      const auto source = std::make_shared<SourceFile>("run.sh", text.substr(0, cut));
      CHECK(read_shell_runs(source).size() <= 1);
    }
  }
}

}  // namespace oomlint
