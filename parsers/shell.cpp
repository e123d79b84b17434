#include "parsers/readers.h"
#include "parsers/shell_launch.h"
#include "parsers/shell_script.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace oomlint {
namespace {

/// Where the values and flags of one command stand, by their first byte.
class ShellSpans final : public SpanSource {
 public:
  void add(std::uint32_t begin, std::uint32_t end) { ends_.try_emplace(begin, end); }
  Span value_span(std::uint32_t begin) override {
    const auto found = ends_.find(begin);
    return {begin, found == ends_.end() ? begin : found->second};
  }
  Span key_span(std::uint32_t begin) override { return value_span(begin); }

 private:
  std::map<std::uint32_t, std::uint32_t> ends_;
};

/// One command as a document: its arguments are the root's entries, how it is launched is a tree of its own.
class Builder {
 public:
  Builder(const std::shared_ptr<const SourceFile>& source, const ShellScript& script,
          const ShellCommand& command, const ShellLaunch& launch)
      : document_(source, Syntax::shell), script_(script), launch_(launch) {
    if (command.partial) document_.set_partial();
    Node root;
    root.kind = NodeKind::mapping;
    root.begin = command.begin;
    root_ = document_.add(root);
    launch_root_ = document_.add(root);
    document_.set_launch(launch_root_);
  }

  Document build() {
    const ShellArguments arguments = parse_arguments(launch_.arguments);
    for (const ShellOption& option : arguments.options) add_option(root_, option, option.name);
    if (!launch_.program.empty()) {
      Node program = entry(launch_root_, "program", launch_.program_span.begin);
      program.kind = NodeKind::scalar;
      program.text = document_.slice_or_keep(launch_.program, launch_.program_span.begin);
      document_.add(program);
      spans_->add(launch_.program_span.begin, launch_.program_span.end);
    }
    add_positional(arguments);
    for (const ShellLauncher& launcher : launch_.launchers) {
      const NodeId mapping = add_mapping(launcher.name);
      for (const ShellOption& option : launcher.options) {
        if (launcher.name == "accelerate") {
          add_accelerate(mapping, option);
        } else {
          add_option(mapping, option, option.name);
        }
      }
    }
    add_settings("environment", launch_.environment);
    add_settings("batch", script_.batch);
    document_.set_span_source(spans_);
    return std::move(document_);
  }

 private:
  static Node entry(NodeId parent, std::string_view key, std::uint32_t begin) {
    Node node;
    node.parent = parent;
    node.has_key = true;
    node.key = key;
    node.key_begin = begin;
    node.begin = begin;
    return node;
  }

  NodeId add_mapping(std::string_view key) {
    Node node = entry(launch_root_, key, document_.at(root_).begin);
    node.kind = NodeKind::mapping;
    return document_.add(node);
  }

  void add_settings(std::string_view key, const std::vector<ShellSetting>& settings) {
    if (settings.empty()) return;
    const NodeId mapping = add_mapping(key);
    for (const ShellSetting& setting : settings) {
      std::string name = setting.name;
      if (key == "batch") std::replace(name.begin(), name.end(), '-', '_');
      const Node node = entry(mapping, document_.keep(std::move(name)), 0);
      add_value(node, setting.value, 0);
    }
  }

  void add_positional(const ShellArguments& arguments) {
    if (arguments.positional.empty()) return;
    const auto is_config = [](const ShellWord& word) {
      const std::string text = word.text();
      return word.known() && (text.ends_with(".yaml") || text.ends_with(".yml") || text.ends_with(".json") ||
                              text.ends_with(".toml"));
    };
    const auto config = std::find_if(arguments.positional.begin(), arguments.positional.end(), is_config);
    if (config != arguments.positional.end()) add_value(entry(launch_root_, "config", 0), *config, 0);
    Node node = entry(launch_root_, "positional", document_.at(root_).begin);
    node.kind = NodeKind::sequence;
    const NodeId list = document_.add(node);
    for (const ShellWord& word : arguments.positional) {
      Node item;
      item.parent = list;
      add_value(item, word, 0);
    }
  }

  /// `accelerate launch` takes flat options for what its file keeps in blocks.
  void add_accelerate(NodeId parent, const ShellOption& option) {
    static constexpr std::pair<std::string_view, std::string_view> kinds[] = {
        {"use_deepspeed", "DEEPSPEED"},
        {"use_fsdp", "FSDP"},
        {"use_megatron_lm", "MEGATRON_LM"},
        {"multi_gpu", "MULTI_GPU"}};
    static constexpr std::string_view of_deepspeed[] = {"zero_stage",           "offload_optimizer_device",
                                                        "offload_param_device", "gradient_accumulation_steps",
                                                        "gradient_clipping",    "zero3_save_16bit_model",
                                                        "zero3_init_flag",      "deepspeed_config_file"};
    for (const auto& [flag, kind] : kinds) {
      if (option.name != flag) continue;
      Node node = entry(parent, "distributed_type", option.begin);
      node.kind = NodeKind::scalar;
      node.text = kind;
      document_.add(node);
      spans_->add(option.flag.begin, option.flag.end);
      return;
    }
    const std::string& name = option.name;
    std::string path = name;
    if (std::find(std::begin(of_deepspeed), std::end(of_deepspeed), name) != std::end(of_deepspeed))
      path = "deepspeed_config." + name;
    if (name.starts_with("fsdp_")) path = "fsdp_config." + name;
    if (name.starts_with("megatron_lm_")) path = "megatron_lm_config." + name;
    if (name.starts_with("parallelism_config_")) path = "parallelism_config." + name;
    add_option(parent, option, path);
  }

  void add_option(NodeId parent, const ShellOption& option, const std::string& name) {
    Node node = entry(parent, {}, option.begin);
    const std::size_t dashes = source_text(option.flag).find_first_not_of('-');
    node.key = document_.slice_or_keep(
        name, option.begin + static_cast<std::uint32_t>(std::min<std::size_t>(dashes, 2)));
    if (option.values.empty()) {
      node.kind = NodeKind::scalar;
      node.text = "true";
      spans_->add(option.flag.begin, option.flag.end);
      document_.add(node);
    } else if (option.values.size() == 1) {
      add_value(node, option.values.front(), option.inline_value);
    } else {
      node.kind = NodeKind::sequence;
      node.begin = option.values.front().span.begin;
      const NodeId list = document_.add(node);
      for (const ShellWord& word : option.values) {
        Node item;
        item.parent = list;
        add_value(item, word, 0);
      }
    }
  }

  [[nodiscard]] std::string_view source_text(Span span) const { return document_.source().text(span); }

  /// `node` with what `word` says from byte `skip` of its text on.
  void add_value(Node node, const ShellWord& word, std::size_t skip) {
    const ShellPart* first = nullptr;
    std::size_t rest = skip;
    bool known = true;
    std::string text;
    std::size_t parts = 0;
    std::uint32_t begin = word.span.begin;
    for (const ShellPart& part : word.parts) {
      if (rest >= part.text.size() && (rest > 0 || (part.text.empty() && part.known))) {
        rest -= std::min(rest, part.text.size());
        continue;
      }
      if (first == nullptr) {
        first = &part;
        begin = part.literal ? part.begin + static_cast<std::uint32_t>(rest) : part.outer.begin;
      }
      known = known && part.known;
      text += part.text.substr(rest);
      rest = 0;
      ++parts;
    }
    const bool slice = parts == 1 && first->literal;
    const bool quoted = begin > 0 && (document_.source().bytes()[begin - 1] == '"' ||
                                      document_.source().bytes()[begin - 1] == '\'');
    if (slice && quoted) --begin;
    if (!slice && skip == 0 && !word.span.empty()) begin = word.span.begin;
    node.begin = begin;
    if (!node.has_key || node.key_begin == 0) node.key_begin = begin;
    node.kind = NodeKind::scalar;
    if (slice) {
      const std::uint32_t at = first->begin + static_cast<std::uint32_t>(first->text.size() - text.size());
      node.text = document_.source().bytes().substr(at, text.size());
    } else {
      spans_->add(begin, std::max(begin, word.span.end));
      // A path whose folder is unknown still names its file.
      const bool names_file =
          !known && word.parts.back().known && word.parts.back().text.find('/') != std::string::npos;
      if (known) {
        node.text = document_.keep(std::move(text));
      } else if (names_file) {
        node.text = document_.keep(std::string(source_text({begin, std::max(begin, word.span.end)})));
      } else {
        node.kind = NodeKind::unknown;
      }
    }
    document_.add(node);
  }

  Document document_;
  const ShellScript& script_;
  const ShellLaunch& launch_;
  std::shared_ptr<ShellSpans> spans_ = std::make_shared<ShellSpans>();
  NodeId root_ = no_node;
  NodeId launch_root_ = no_node;
};

}  // namespace

std::vector<Document> read_shell_runs(const std::shared_ptr<const SourceFile>& source) {
  std::vector<Document> documents;
  const ShellScript script = read_script(source->bytes());
  for (const ShellCommand& command : script.commands) {
    if (const auto launch = take_apart(command))
      documents.push_back(Builder(source, script, command, *launch).build());
  }
  return documents;
}

Document read_shell(const std::shared_ptr<const SourceFile>& source) {
  std::vector<Document> documents = read_shell_runs(source);
  return documents.empty() ? Document(source, Syntax::shell) : std::move(documents.front());
}

}  // namespace oomlint
