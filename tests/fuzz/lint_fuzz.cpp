// libFuzzer target: any bytes, under any of the names the readers claim, go through the whole line from
// reading to findings and back out through every emitter. Built by the `fuzz` preset:
//   cmake --preset fuzz && cmake --build build/fuzz --target lint_fuzz && build/fuzz/tests/lint_fuzz
//   -max_len=4096 DIR
#include "integrations/emit/emit.h"
#include "integrations/files/memory_files.h"
#include "lint/engine/engine.h"
#include "parsers/readers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

using namespace oomlint;

namespace {

constexpr std::array<std::string_view, 4> names{"a.yaml", "a.toml", "a.json", "run.sh"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string name(names[data[0] % names.size()]);
  MemoryFiles files;
  files.set(name, std::string(data + 1, data + size));
  Settings settings;
  settings.target.gpu = "24GB";
  const Parts parts{all_readers(), all_dialects(), all_rules()};
  FileResult result = lint(name, files, settings, parts, {.explain = true, .outlook = true});

  Report report;
  report.runs = std::move(result.runs);
  report.diagnostics = std::move(result.diagnostics);
  for (auto& source : result.sources) report.sources.emplace(source->path(), source);
  std::ostringstream out;
  emit_text(report, {}, out);
  emit_json(report, {}, out);
  emit_sarif(report, {}, out);
  emit_github(report, {}, out);
  emit_estimate_text(report, {}, out);
  return 0;
}
