#include "tests/support/data.h"
#include "tests/support/golden.h"
#include "tests/support/linted_corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What `check` says about configs that people use: counts by rule and dialect in a golden, and every error by
// name, because a config that ships with a framework and runs may not get one.
namespace oomlint {
namespace {

/// Files that say themselves, in a comment or in their name, what they ran on.
struct Documented {
  std::string_view path, gpu, world;
};
constexpr std::array<Documented, 27> documented{{
    {"axolotl-old/examples/falcon/config-7b-qlora.yml", "rtx-a6000", "1"},
    {"axolotl-old/examples/xgen-7b/xgen-7b-8k-qlora.yml", "rtx-a6000", "1"},
    {"axolotl/examples/archived/falcon/config-7b-qlora.yml", "rtx-a6000", "1"},
    {"axolotl/examples/archived/xgen-7b/xgen-7b-8k-qlora.yml", "rtx-a6000", "1"},
    {"axolotl/examples/gpt-oss/gpt-oss-120b-fft-fsdp2-offload.yaml", "h100-sxm", "16"},
    {"axolotl/examples/llama-4/do-no-use-fa2/scout-qlora-single-h100.yaml", "h100-sxm", "1"},
    {"open-r1/recipes/OpenR1-Distill-7B/sft/config_distill.yaml", "h100-sxm", "8"},
    {"torchtitan-forkbranches/25079f115/configs/deepseek_16b-8xb200-131k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/deepseek_16b-8xb200-32k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/deepseek_16b-8xb200-8k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_32b-8xb200-16k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_32b-8xb200-32k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_32b-8xb200-65k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_32b-8xb200-8k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_70b-8xb200-131k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_70b-8xb200-16k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_70b-8xb200-32k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_70b-8xb200-65k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_70b-8xb200-8k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_8b-8xb200-32k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_8b-8xb200-65k.toml", "b200", "8"},
    {"torchtitan-forkbranches/25079f115/configs/llama3_8b-8xb200-8k.toml", "b200", "8"},
    {"torchtitan/v0.2.2/torchtitan/models/llama3/train_configs/llama3_405b.toml", "h100-sxm", "128"},
    {"torchtitan/v0.2.2/torchtitan/models/llama3/train_configs/llama3_70b.toml", "a100-80-sxm", "64"},
    {"torchtitan/v0.2.2/torchtitan/models/llama3/train_configs/llama3_8b.toml", "a100-80-sxm", "64"},
    {"torchtitan/v0.2.2/torchtitan/models/qwen3/train_configs/qwen3_32b.toml", "95GiB", "8"},
    {"torchtune/recipes/configs/mistral/7B_full_ppo_low_memory.yaml", "a100-80-sxm", "1"},
}};

/// Errors that are true: the framework stops at each of these, checked in its source.
constexpr std::array<std::string_view, 8> refused{
    // Early stopping without save_steps and eval_steps: check_early_stopping, in every version with a schema.
    "axolotl-old/examples/falcon/config-7b-qlora.yml OOM3003",
    "axolotl-old/examples/xgen-7b/xgen-7b-8k-qlora.yml OOM3003",
    "axolotl/examples/archived/falcon/config-7b-qlora.yml OOM3003",
    "axolotl/examples/archived/xgen-7b/xgen-7b-8k-qlora.yml OOM3003",
    // FSDP2 with the 8-bit Adam of bitsandbytes: check_fsdp2_w_8bit_optimizer of the same commit.
    "axolotl/examples/mistral4/fft-text.yml OOM3003", "axolotl/examples/mistral4/fft-vision.yml OOM3003",
    // A documentation snippet with `"..."` in the place of keys.
    "deepspeed/fences/docs/_tutorials/mixed_precision_zeropp.md.00.json OOM0001",
    // FSDP2 with forward prefetch, which accelerate's plugin refuses.
    "diffusers/fences/examples/dreambooth/README_z_image.md.08.yaml OOM3003"};

/// target, dialect, rule, severity → how many
using Counts = std::map<std::array<std::string, 4>, int>;

/// Counts the findings and lists the errors.
void count(const Report& report, const std::string& target, Counts& counts, std::set<std::string>& errors) {
  std::map<std::string, std::string> dialect_of;
  for (const RunReport& run : report.runs) dialect_of.emplace(run.files.front(), run.dialect);
  for (const RunReport& run : report.runs) {
    for (const std::string& companion : run.files) dialect_of.emplace(companion, run.dialect);
  }
  for (const Diagnostic& finding : report.diagnostics) {
    const std::string& dialect = dialect_of[finding.primary.path];
    ++counts[{target, dialect, finding.code, to_string(finding.severity)}];
    if (finding.severity == Severity::error) errors.insert(finding.primary.path + ' ' + finding.code);
  }
}

std::string table_of(const Counts& counts) {
  std::string table = "target\tdialect\trule\tseverity\tfindings\n";
  for (const auto& [row, findings] : counts) {
    for (const std::string& cell : row) table += cell + '\t';
    table += std::to_string(findings) + '\n';
  }
  return table;
}

}  // namespace

TEST_CASE("corpus: findings by rule and dialect, and no error on a config that runs") {
  const auto folder = test::data("corpus");
  if (!folder) return;
  test::LintedCorpus corpus(*folder);
  Counts counts;
  std::set<std::string> errors;
  std::vector<Input> all;
  for (const std::string& path : corpus.paths) all.push_back({path, false});
  count(test::check(corpus.files, all), "no card", counts, errors);
  for (const Documented& each : documented) {
    INFO(each.path);
    REQUIRE(corpus.files.exists(each.path));
    count(test::check(corpus.files, each.path,
                      {"--gpu", std::string(each.gpu), "--world", std::string(each.world)}),
          "documented card", counts, errors);
  }
  for (const std::string& error : errors) {
    CHECK_MESSAGE(std::find(refused.begin(), refused.end(), error) != refused.end(), error);
  }
  for (const std::string_view expected : refused)
    CHECK_MESSAGE(errors.contains(std::string(expected)), expected);
  test::check_golden("corpus_counts.tsv", table_of(counts));
}

}  // namespace oomlint
