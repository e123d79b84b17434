#include "parsers/shell_launch.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

namespace oomlint {
namespace {

/// Options of a launcher that take no value; all others take one.
struct LauncherSpec {
  std::string_view name;     ///< its key in the document
  std::string_view command;  ///< words that call it
  std::span<const std::string_view> bare;
};

// torch/distributed/run.py, launch.py 2.8
constexpr std::array<std::string_view, 9> torchrun_bare{
    "standalone", "no_python", "m", "module", "use_env", "run_path", "help", "version", "virtual_local_rank"};
// accelerate/commands/launch.py 1.10
constexpr std::array<std::string_view, 24> accelerate_bare{"q",
                                                           "quiet",
                                                           "cpu",
                                                           "multi_gpu",
                                                           "tpu",
                                                           "ipex",
                                                           "use_xpu",
                                                           "mps",
                                                           "use_mps_device",
                                                           "use_deepspeed",
                                                           "use_fsdp",
                                                           "use_megatron_lm",
                                                           "debug",
                                                           "m",
                                                           "module",
                                                           "no_python",
                                                           "same_network",
                                                           "enable_cpu_affinity",
                                                           "tpu_cluster",
                                                           "no_tpu_cluster",
                                                           "use_parallelism_config",
                                                           "aws_access_key_id_prompt",
                                                           "tpu_use_cluster",
                                                           "tpu_use_sudo"};
// deepspeed/launcher/runner.py 0.17
constexpr std::array<std::string_view, 12> deepspeed_bare{
    "module", "no_python",        "no_local_rank", "no_ssh_check",       "force_multi", "save_pid",
    "no_ssh", "elastic_training", "help",          "bind_cores_to_rank", "m",           "disable_jit"};
// colossalai/cli/launcher/__init__.py 0.5
constexpr std::array<std::string_view, 3> colossalai_bare{"m", "help", "verbose"};
// composer/cli/launcher.py 0.30
constexpr std::array<std::string_view, 5> composer_bare{"m", "module_mode", "c", "command_mode", "verbose"};

constexpr std::array<LauncherSpec, 12> launchers{{
    {"torchrun", "torchrun", torchrun_bare},
    {"torchrun", "python -m torch.distributed.run", torchrun_bare},
    {"torchrun", "python -m torch.distributed.launch", torchrun_bare},
    {"torchrun", "tune run", torchrun_bare},
    {"accelerate", "accelerate launch", accelerate_bare},
    {"accelerate", "accelerate-launch", accelerate_bare},
    {"accelerate", "python -m accelerate.commands.launch", accelerate_bare},
    {"deepspeed", "deepspeed", deepspeed_bare},
    {"deepspeed", "python -m deepspeed.launcher.runner", deepspeed_bare},
    {"colossalai", "colossalai run", colossalai_bare},
    {"composer", "composer", composer_bare},
    {"ray", "ray job submit", {}},
}};

/// Programs whose first words after the name choose what they do.
constexpr std::array<std::string_view, 14> tools{
    "swift", "megatron", "llamafactory-cli", "lmf",  "axolotl", "litgpt", "trl", "autotrain", "xtuner",
    "tune",  "nemo",     "lightning",        "oumi", "fairseq2"};
constexpr std::array<std::string_view, 5> litgpt_methods{"full", "lora", "adapter", "adapter_v2", "qlora"};

/// Programs that only pass on what follows; their options end at the next program known.
constexpr std::array<std::string_view, 27> passers{
    "nohup",   "time",    "exec",    "sudo", "env", "nice",        "stdbuf",    "setsid",     "timeout",
    "taskset", "numactl", "poetry",  "uv",   "uvx", "conda",       "mamba",     "micromamba", "pipenv",
    "pdm",     "mpirun",  "mpiexec", "srun", "ray", "singularity", "apptainer", "docker",     "caffeinate"};

bool holds(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_python(std::string_view name) {
  if (!name.starts_with("python") && !name.starts_with("pypy")) return false;
  name.remove_prefix(name.starts_with("python") ? 6 : 4);
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; });
}

bool is_script(std::string_view text) {
  return text.ends_with(".py") && !is_flag(text);
}

bool starts_program(std::string_view text) {
  const std::string_view name = file_name(text);
  if (is_python(name) || is_script(text) || holds(tools, name) || name == "accelerate" ||
      name == "colossalai")
    return true;
  return std::any_of(launchers.begin(), launchers.end(),
                     [&](const LauncherSpec& spec) { return spec.command == name; });
}

class Taker {
 public:
  explicit Taker(const ShellCommand& command) : words_(command.words) {
    launch_.environment = command.environment;
  }

  std::optional<ShellLaunch> take() {
    for (int rounds = 0; rounds < 8 && at_ < words_.size(); ++rounds) {
      const std::string first(file_name(words_[at_].text()));
      if (const LauncherSpec* spec = launcher_here()) {
        take_launcher(*spec);
        if (module_) return finish_module();
      } else if (reads_again()) {
        continue;
      } else if (holds(passers, first)) {
        if (!pass_on(first)) return std::nullopt;
      } else if (is_python(first)) {
        ++at_;
        if (!take_python()) return std::nullopt;
        return std::move(launch_);
      } else if (holds(tools, first)) {
        return finish_tool(first);
      } else if (is_script(words_[at_].text()) || takes_any_program()) {
        return finish_program();
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string text(std::size_t index) const {
    return index < words_.size() ? words_[index].text() : std::string();
  }

  /// A launcher of Python programs starts whatever comes next.
  [[nodiscard]] bool takes_any_program() const {
    return std::any_of(launch_.launchers.begin(), launch_.launchers.end(), [](const ShellLauncher& each) {
      return each.name != "srun" && each.name != "mpirun" && each.name != "ray";
    });
  }

  /// The words at hand as the launchers' table spells them: paths and versions of python left out.
  const LauncherSpec* launcher_here() {
    for (const LauncherSpec& spec : launchers) {
      std::size_t at = at_;
      std::size_t begin = 0;
      bool fits = true;
      while (fits && begin < spec.command.size()) {
        const std::size_t end = std::min(spec.command.find(' ', begin), spec.command.size());
        const std::string_view wanted = spec.command.substr(begin, end - begin);
        if (begin > 0) {
          while (wanted == "-m" && text(at) == "-u") ++at;
        }
        const std::string word = text(at);
        const std::string_view name = begin == 0 ? file_name(word) : std::string_view(word);
        fits = name == wanted || (begin == 0 && wanted == "python" && is_python(name));
        ++at;
        begin = end + 1;
      }
      if (!fits) continue;
      at_ = at;
      return &spec;
    }
    return nullptr;
  }

  /// `bash -c "…"`, `eval …`: the words inside.
  bool reads_again() {
    const std::string first(file_name(words_[at_].text()));
    const bool shell = first == "bash" || first == "sh" || first == "zsh";
    std::size_t inside = at_ + 1;
    if (shell) {
      while (inside < words_.size() && is_flag(text(inside)) && text(inside).find('c') == std::string::npos)
        ++inside;
      if (inside >= words_.size() || !is_flag(text(inside))) return false;
      ++inside;
    } else if (first != "eval") {
      return false;
    }
    if (inside >= words_.size() || ++nested_ > 4) return false;
    std::vector<ShellWord> again;
    const std::size_t end = shell ? inside + 1 : words_.size();
    for (std::size_t i = inside; i < end; ++i) {
      for (ShellWord& word : words_within(words_[i])) again.push_back(std::move(word));
    }
    words_ = std::move(again);
    at_ = 0;
    take_assignments();
    return true;
  }

  /// `NAME=value` before a program (`env A=b python`, a command line in quotes).
  void take_assignments() {
    while (at_ < words_.size()) {
      const std::string word = text(at_);
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || equals == 0 || is_flag(word)) return;
      ShellWord value = words_[at_++];
      std::size_t skip = equals + 1;
      while (skip > 0 && !value.parts.empty()) {
        ShellPart& part = value.parts.front();
        const std::size_t here = std::min(skip, part.text.size());
        part.text.erase(0, here);
        part.begin += static_cast<std::uint32_t>(here);
        skip -= here;
        if (part.text.empty() && part.known) value.parts.erase(value.parts.begin());
      }
      value.span = {};
      launch_.environment.push_back({word.substr(0, equals), std::move(value)});
    }
  }

  bool pass_on(const std::string& name) {
    const std::size_t begin = ++at_;
    while (at_ < words_.size()) {
      const std::string word = text(at_);
      const std::string_view program = file_name(word);
      const bool shell = program == "bash" || program == "sh" || program == "eval";
      if (starts_program(word) || shell || (holds(passers, program) && !is_flag(word) && program == word))
        break;
      ++at_;
    }
    if (at_ == words_.size()) return false;
    const std::vector<ShellWord> own(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                                     words_.begin() + static_cast<std::ptrdiff_t>(at_));
    if (name == "srun" || name == "mpirun" || name == "mpiexec") {
      launch_.launchers.push_back({name == "srun" ? "srun" : "mpirun", parse_arguments(own).options});
    } else if (name == "env") {
      const std::size_t end = std::exchange(at_, begin);
      while (at_ < end) {
        take_assignments();
        if (at_ < end) ++at_;
      }
      at_ = end;
    }
    return true;
  }

  void take_launcher(const LauncherSpec& spec) {
    ShellLauncher launcher{spec.name, {}};
    while (at_ < words_.size()) {
      const ShellWord& word = words_[at_];
      const std::string word_text = word.text();
      if (!is_flag(word_text)) {
        // Options kept in a variable that the file does not set.
        const bool more = at_ + 1 < words_.size() && word.open_ended();
        if (!more) break;
        ++at_;
        continue;
      }
      if (word_text == "--") {
        ++at_;
        break;
      }
      const std::vector<ShellWord> own{word};
      const ShellArguments single = parse_arguments(own);
      ShellOption option = single.options.front();
      ++at_;
      if (option.values.empty() && !holds(spec.bare, option.name) && at_ < words_.size())
        option.values.push_back(words_[at_++]);
      if (option.name == "m" || option.name == "module") module_ = true;
      launcher.options.push_back(std::move(option));
    }
    if (spec.command == "tune run") tool_ = "tune run";
    launch_.launchers.push_back(std::move(launcher));
  }

  std::optional<ShellLaunch> finish_program() {
    launch_.program = tool_.empty() ? text(at_) : tool_;
    launch_.program_span = words_[at_].span;
    if (tool_.empty()) ++at_;  // a tool's recipe is an argument of its
    rest();
    return std::move(launch_);
  }

  std::optional<ShellLaunch> finish_module() {
    if (at_ >= words_.size()) return std::nullopt;
    return finish_program();
  }

  std::optional<ShellLaunch> finish_tool(const std::string& name) {
    launch_.program = name;
    launch_.program_span = words_[at_].span;
    ++at_;
    if (at_ < words_.size() && !is_flag(text(at_))) launch_.program += " " + text(at_++);
    if (name == "litgpt" && holds(litgpt_methods, text(at_))) launch_.program += " " + text(at_++);
    rest();
    return std::move(launch_);
  }

  bool take_python() {
    while (at_ < words_.size()) {
      const std::string word = text(at_);
      if (word == "-m") {
        ++at_;
        return at_ < words_.size() && finish_into_launch();
      }
      if (word == "-c") return false;
      if (word == "-X" || word == "-W") {
        at_ += 2;
      } else if (is_flag(word)) {
        ++at_;
      } else {
        return finish_into_launch();
      }
    }
    return false;
  }

  bool finish_into_launch() {
    launch_.program = text(at_);
    launch_.program_span = words_[at_].span;
    ++at_;
    rest();
    return true;
  }

  void rest() { launch_.arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end()); }

  std::vector<ShellWord> words_;
  std::size_t at_ = 0;
  int nested_ = 0;
  bool module_ = false;
  std::string tool_;
  ShellLaunch launch_;
};

}  // namespace

std::optional<ShellLaunch> take_apart(const ShellCommand& command) {
  return Taker(command).take();
}

}  // namespace oomlint
