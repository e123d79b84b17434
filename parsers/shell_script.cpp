#include "parsers/shell_script.h"

#include <algorithm>
#include <utility>

namespace oomlint {
namespace {

constexpr int max_depth = 64;
constexpr std::size_t max_commands = 4096;
constexpr std::size_t max_words = 1 << 15;
constexpr std::size_t max_copied_variables = 1 << 18;

/// Variables of the batch system that follow from the script's own header.
constexpr std::pair<std::string_view, std::string_view> of_batch[] = {
    {"SLURM_NNODES", "nodes"},
    {"SLURM_JOB_NUM_NODES", "nodes"},
    {"SLURM_NTASKS", "ntasks"},
    {"SLURM_NTASKS_PER_NODE", "ntasks-per-node"},
    {"SLURM_GPUS_ON_NODE", "gpus-per-node"},
    {"SLURM_GPUS_PER_NODE", "gpus-per-node"},
};

std::vector<ShellSetting> read_batch_header(std::string_view bytes) {
  constexpr std::string_view marker = "#SBATCH";
  std::vector<ShellSetting> header;
  for (std::size_t line = 0; line < bytes.size() && header.size() < 256;) {
    const std::size_t end = std::min(bytes.find('\n', line), bytes.size());
    std::size_t at = line + marker.size();
    if (bytes.substr(line, end - line).starts_with(marker)) {
      const auto word = [&] {
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) ++at;
        const std::size_t begin = at;
        while (at < end && bytes[at] != ' ' && bytes[at] != '\t' && bytes[at] != '\r') ++at;
        return Span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)};
      };
      const Span option = word();
      std::string_view name = bytes.substr(option.begin, option.size());
      Span value;
      const std::size_t equals = name.find('=');
      if (equals != std::string_view::npos) {
        value = {option.begin + static_cast<std::uint32_t>(equals) + 1, option.end};
        name = name.substr(0, equals);
      } else if (name.starts_with("-")) {
        value = word();
      }
      while (name.starts_with('-')) name.remove_prefix(1);
      if (!name.empty() && !name.starts_with('#')) {
        ShellPart part;
        part.text = bytes.substr(value.begin, value.size());
        part.begin = value.begin;
        part.outer = value;
        part.literal = true;
        if (name == "N") name = "nodes";
        if (name == "n") name = "ntasks";
        if (name == "G") name = "gpus";
        header.push_back({std::string(name), {{std::move(part)}, value}});
      }
    }
    line = end + 1;
  }
  return header;
}

class Walker {
 public:
  explicit Walker(std::string_view bytes)
      : bytes_(bytes), tree_(parse_tree(Grammar::bash, bytes)), expander_(tree_, bytes) {}

  ShellScript walk() {
    script_.batch = read_batch_header(bytes_);
    for (const auto& [name, option] : of_batch) {
      for (const ShellSetting& setting : script_.batch) {
        if (setting.name == option) variables_[std::string(name)].value = setting.value.parts;
      }
    }
    if (!tree_.nodes.empty()) visit(0, 0);
    // Bodies may run wherever they are called: with everything assigned, and their own arguments unknown.
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      ShellVariables outer = variables_;
      visit_children(functions_[i], 1);
      variables_ = std::move(outer);
    }
    return std::move(script_);
  }

 private:
  [[nodiscard]] std::string_view text(std::uint32_t index) const {
    return bytes_.substr(tree_.nodes[index].span.begin, tree_.nodes[index].span.size());
  }

  void visit_children(std::uint32_t index, int depth) {
    for_each_child(tree_, index, [&](std::uint32_t child) { visit(child, depth + 1); });
  }

  void visit(std::uint32_t index, int depth) {
    if (depth > max_depth || script_.commands.size() >= max_commands) return;
    const std::string_view type = tree_.nodes[index].type;
    if (type == "variable_assignment") {
      assign(index, false, depth);
    } else if (type == "declaration_command") {
      const bool exported = text(index).starts_with("export") || text(index).starts_with("declare -x");
      for_each_child(tree_, index, [&](std::uint32_t child) {
        if (tree_.nodes[child].type == "variable_assignment") assign(child, exported, depth);
        if (tree_.nodes[child].type == "variable_name" && exported) export_name(text(child));
      });
    } else if (type == "unset_command") {
      for_each_child(tree_, index, [&](std::uint32_t child) {
        if (const auto found = variables_.find(text(child)); found != variables_.end())
          variables_.erase(found);
      });
    } else if (type == "command") {
      add_command(index);
    } else if (type == "function_definition") {
      for_each_child(tree_, index, [&](std::uint32_t child) {
        if (tree_.nodes[child].type != "word") functions_.push_back(child);
      });
    } else if (type == "if_statement" || type == "case_statement") {
      visit_branches(index, depth);
    } else if (type == "while_statement" || type == "for_statement" || type == "c_style_for_statement") {
      visit_loop(index, depth);
    } else if (type == "subshell" || type == "command_substitution") {
      ShellVariables outer = copy();
      visit_children(index, depth);
      variables_ = std::move(outer);
    } else if (type == "ERROR") {
      const bool outer = std::exchange(broken_, true);
      visit_error(index, depth);
      broken_ = outer;
    } else if (type == "program" || type == "compound_statement" || type == "do_group" || type == "list" ||
               type == "pipeline" || type == "redirected_statement" || type == "negated_command" ||
               type == "variable_assignments" || type == "else_clause" || type == "elif_clause" ||
               type == "case_item") {
      visit_children(index, depth);
    }
  }

  ShellVariables copy() {
    copied_ += variables_.size() + 1;
    return copied_ > max_copied_variables ? ShellVariables() : variables_;
  }

  void export_name(std::string_view name) {
    const auto found = variables_.find(name);
    if (found != variables_.end()) found->second.exported = true;
  }

  void assign(std::uint32_t index, bool exported, int depth) {
    std::string name;
    std::uint32_t value = index;
    std::uint32_t name_end = 0;
    for_each_child(tree_, index, [&](std::uint32_t child) {
      const SyntaxNode& node = tree_.nodes[child];
      if (name_end == 0) {
        name_end = node.span.end;
        name = node.type == "variable_name" ? std::string(text(child)) : std::string();
      } else {
        value = child;
      }
    });
    if (name.empty()) return;
    const bool appends = name_end < bytes_.size() && bytes_[name_end] == '+';
    ShellVariable variable;
    const auto old = variables_.find(name);
    if (old != variables_.end() && (appends || exported || old->second.exported)) {
      if (appends) variable = old->second;
      variable.exported = old->second.exported;
    }
    variable.exported = variable.exported || exported;
    if (value != index && tree_.nodes[value].type == "array") {
      variable.is_array = true;
      for_each_child(tree_, value, [&](std::uint32_t element) {
        if (tree_.nodes[element].type == "comment") return;
        for (ShellWord& word : expander_.words(element, variables_)) {
          if (variable.elements.size() < max_words) variable.elements.push_back(std::move(word));
        }
      });
    } else if (value != index) {
      std::vector<ShellPart> parts = expander_.value(value, variables_);
      std::size_t size = 0;
      for (const ShellPart& part : variable.value) size += part.text.size();
      for (const ShellPart& part : parts) size += part.text.size();
      if (variable.value.size() + parts.size() > max_words || size > max_words) {
        parts = {ShellPart{}};
        parts.front().known = false;
        variable.value.clear();
      }
      variable.value.insert(variable.value.end(), std::make_move_iterator(parts.begin()),
                            std::make_move_iterator(parts.end()));
    }
    // In a branch, what the script's arguments would put in place of an earlier value is not there.
    if (branches_ > 0 && variable.from_caller() && old != variables_.end()) return;
    variables_[name] = std::move(variable);
    if (value != index) visit_substitutions(value, depth);
  }

  /// Commands inside `$(…)` run too.
  void visit_substitutions(std::uint32_t index, int depth) {
    if (tree_.nodes[index].type == "command_substitution") visit(index, depth + 1);
  }

  [[nodiscard]] std::vector<ShellSetting> exported() const {
    std::vector<ShellSetting> settings;
    for (const auto& [name, variable] : variables_) {
      if (!variable.exported || variable.is_array) continue;
      ShellWord word{variable.value, {}};
      if (word.parts.size() == 1 && word.parts.front().literal) {
        const ShellPart& part = word.parts.front();
        word.span = {part.begin, part.begin + static_cast<std::uint32_t>(part.text.size())};
      }
      settings.push_back({name, std::move(word)});
    }
    return settings;
  }

  void add_command(std::uint32_t index) {
    ShellCommand command;
    command.begin = tree_.nodes[index].span.begin;
    command.partial = broken_;
    for_each_child(tree_, index, [&](std::uint32_t child) { add_to_command(child, command); });
    finish(std::move(command));
  }

  void add_to_command(std::uint32_t child, ShellCommand& command) {
    const std::string_view type = tree_.nodes[child].type;
    if (type == "variable_assignment") {
      const std::string_view whole = text(child);
      const std::size_t equals = whole.find('=');
      for_each_child(tree_, child, [&](std::uint32_t part) {
        if (equals == std::string_view::npos || tree_.nodes[part].type == "variable_name") return;
        command.environment.push_back({std::string(whole.substr(0, equals)),
                                       {expander_.value(part, variables_), tree_.nodes[part].span}});
      });
      return;
    }
    if (type == "file_redirect" || type == "herestring_redirect" || type == "comment") return;
    if (type == "ERROR") command.partial = true;
    const std::uint32_t word =
        type == "command_name" && child + 1 < tree_.nodes[child].past ? child + 1 : child;
    for (ShellWord& each : expander_.words(word, variables_)) {
      if (command.words.size() < max_words) command.words.push_back(std::move(each));
    }
  }

  void finish(ShellCommand command) {
    if (command.words.empty()) return;
    for (ShellSetting& setting : exported()) {
      const bool own = std::any_of(command.environment.begin(), command.environment.end(),
                                   [&](const ShellSetting& each) { return each.name == setting.name; });
      if (!own) command.environment.push_back(std::move(setting));
    }
    script_.commands.push_back(std::move(command));
  }

  /// What is left of a script that does not parse: words in a row on lines that belong together are a
  /// command.
  void visit_error(std::uint32_t index, int depth) {
    ShellCommand command;
    std::uint32_t end = 0;
    const auto flush = [&] {
      if (command.words.size() > 1) finish(std::move(command));
      command = {};
      command.partial = true;
    };
    flush();
    for_each_child(tree_, index, [&](std::uint32_t child) {
      const SyntaxNode& node = tree_.nodes[child];
      const bool word = node.type == "word" || node.type == "number" || node.type == "string" ||
                        node.type == "raw_string" || node.type == "concatenation" ||
                        node.type == "command_name" || node.type == "simple_expansion" ||
                        node.type == "expansion" || node.type == "variable_assignment";
      const std::string_view gap =
          end > 0 && end <= node.span.begin ? bytes_.substr(end, node.span.begin - end) : std::string_view();
      const std::size_t newline = gap.find('\n');
      const bool joined = newline == std::string_view::npos || (newline > 0 && gap[newline - 1] == '\\');
      if (!joined || node.type == "command_name") flush();
      if (word && !(node.type == "variable_assignment" && command.words.empty())) {
        if (command.words.empty()) command.begin = node.span.begin;
        add_to_command(child, command);
      } else {
        visit(child, depth + 1);
      }
      end = node.span.end;
    });
    flush();
  }

  /// After branches a variable is known if it is the same whichever was taken.
  void merge(std::vector<ShellVariables> outcomes) {
    if (outcomes.empty()) return;
    ShellVariables merged = std::move(outcomes.front());
    for (std::size_t i = 1; i < outcomes.size(); ++i) {
      for (auto& [name, variable] : merged) {
        const auto other = outcomes[i].find(name);
        if (other == outcomes[i].end() || !same(other->second, variable))
          variable = unknown(variable.exported);
      }
      for (auto& [name, variable] : outcomes[i]) {
        if (!merged.contains(name)) merged[name] = unknown(variable.exported);
      }
    }
    variables_ = std::move(merged);
  }

  static ShellVariable unknown(bool exported) {
    ShellVariable variable;
    ShellPart part;
    part.known = false;
    variable.value.push_back(std::move(part));
    variable.exported = exported;
    return variable;
  }

  static bool same(const ShellVariable& a, const ShellVariable& b) {
    if (a.is_array != b.is_array || a.known() != b.known() || a.text() != b.text()) return false;
    return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(),
                      [](const ShellWord& x, const ShellWord& y) {
                        return x.known() && y.known() && x.text() == y.text();
                      });
  }

  void visit_branches(std::uint32_t index, int depth) {
    const bool cases = tree_.nodes[index].type == "case_statement";
    const ShellVariables before = copy();
    std::vector<ShellVariables> outcomes;
    bool covers_all = false;
    std::string_view condition;
    ++branches_;
    for_each_child(tree_, index, [&](std::uint32_t child) {
      const std::string_view type = tree_.nodes[child].type;
      const bool branch = type == "elif_clause" || type == "else_clause" || type == "case_item";
      if (type == "test_command" && condition.empty()) condition = text(child);
      if (branch) {
        outcomes.push_back(std::exchange(variables_, before));
        copied_ += before.size();
        covers_all =
            covers_all || type == "else_clause" || (type == "case_item" && text(child).starts_with("*"));
      }
      if (copied_ <= max_copied_variables) visit(child, depth + 1);
    });
    --branches_;
    outcomes.push_back(std::move(variables_));
    if (cases) outcomes.erase(outcomes.begin());  // before the first item
    if (!covers_all) outcomes.push_back(fallback(before, condition, outcomes));
    merge(std::move(outcomes));
  }

  /// What holds where no branch was taken. `[ -z "$X" ]` names the variables that are not set otherwise.
  static ShellVariables fallback(ShellVariables before, std::string_view condition,
                                 const std::vector<ShellVariables>& outcomes) {
    if (condition.find("-z ") == std::string_view::npos || outcomes.size() != 1) return before;
    for (const auto& [name, variable] : outcomes.front()) {
      const bool tested = condition.find("$" + name) != std::string_view::npos ||
                          condition.find("${" + name) != std::string_view::npos;
      if (tested && !before.contains(name)) before[name] = variable;
    }
    return before;
  }

  void visit_loop(std::uint32_t index, int depth) {
    const ShellVariables before = copy();
    ++branches_;
    bool first = true;
    std::size_t values = 0;
    std::string name;
    for_each_child(tree_, index, [&](std::uint32_t child) {
      const SyntaxNode& node = tree_.nodes[child];
      if (tree_.nodes[index].type == "for_statement" && node.type == "variable_name" && first) {
        name = text(child);
        variables_[name] = unknown(false);
      } else if (node.type == "do_group" || node.type == "compound_statement" ||
                 node.type == "test_command") {
        visit(child, depth + 1);
      } else if (!name.empty()) {
        std::vector<ShellWord> words = expander_.words(child, before);
        values += words.size();
        variables_[name] = unknown(false);
        if (values == 1 && words.size() == 1 && words.front().known()) {
          for (ShellPart& part : words.front().parts) part.split = false;
          variables_[name].value = std::move(words.front().parts);
        }
      }
      first = false;
    });
    --branches_;
    std::vector<ShellVariables> outcomes;
    outcomes.push_back(std::move(variables_));
    outcomes.push_back(before);
    merge(std::move(outcomes));
  }

  std::string_view bytes_;
  SyntaxTree tree_;
  ShellExpander expander_;
  ShellScript script_;
  ShellVariables variables_;
  std::vector<std::uint32_t> functions_;
  std::size_t copied_ = 0;
  int branches_ = 0;
  bool broken_ = false;
};

}  // namespace

ShellScript read_script(std::string_view bytes) {
  return Walker(bytes).walk();
}

}  // namespace oomlint
