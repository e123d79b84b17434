#include "parsers/readers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oomlint {
namespace {

bool claims_yaml(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

bool claims_toml(std::string_view path) {
  return path.ends_with(".toml");
}
bool claims_json(std::string_view path) {
  return path.ends_with(".json");
}

bool claims_shell(std::string_view path) {
  return path.ends_with(".sh") || path.ends_with(".bash") || path.ends_with(".sbatch") ||
         path.ends_with(".slurm");
}

/// What any command that trains has: the name of a program, or of an option of the trainers.
bool may_launch(std::string_view bytes) {
  static constexpr std::array<std::string_view, 14> words{
      "python",   "torchrun", "accelerate", "deepspeed", "swift",      "llamafactory", "axolotl",
      "tune run", "litgpt",   "trl ",       "megatron",  "colossalai", "composer",     ".py"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; });
}

constexpr std::array readers{
    Reader{Syntax::yaml, claims_yaml, read_yaml},
    Reader{Syntax::toml, claims_toml, read_toml},
    Reader{Syntax::json, claims_json, read_json},
    Reader{Syntax::shell, claims_shell, read_shell, read_shell_runs, may_launch},
};

}  // namespace

std::span<const Reader> all_readers() {
  return readers;
}

const Reader* reader_for(std::string_view path) {
  for (const Reader& reader : readers) {
    if (reader.claims_path(path)) return &reader;
  }
  return nullptr;
}

}  // namespace oomlint
