#include "lint/estimate/adapter_targets.h"

#include <string_view>

namespace oomlint {

namespace {

using Place = bool ConcreteAdapter::*;

struct TargetName {
  std::string_view name;
  Place place;
};

constexpr TargetName target_names[] = {
    {"q_proj", &ConcreteAdapter::q},
    {"q_a_proj", &ConcreteAdapter::q},
    {"q_b_proj", &ConcreteAdapter::q},
    {"wq", &ConcreteAdapter::q},
    {"query", &ConcreteAdapter::q},
    {"k_proj", &ConcreteAdapter::k},
    {"kv_a_proj_with_mqa", &ConcreteAdapter::k},
    {"kv_b_proj", &ConcreteAdapter::k},
    {"wk", &ConcreteAdapter::k},
    {"key", &ConcreteAdapter::k},
    {"v_proj", &ConcreteAdapter::v},
    {"wv", &ConcreteAdapter::v},
    {"value", &ConcreteAdapter::v},
    {"o_proj", &ConcreteAdapter::o},
    {"out_proj", &ConcreteAdapter::o},
    {"output_proj", &ConcreteAdapter::o},
    {"dense", &ConcreteAdapter::o},
    {"wo", &ConcreteAdapter::o},
    {"gate_proj", &ConcreteAdapter::gate},
    {"w1", &ConcreteAdapter::gate},
    {"up_proj", &ConcreteAdapter::up},
    {"w3", &ConcreteAdapter::up},
    {"fc1", &ConcreteAdapter::up},
    {"c_fc", &ConcreteAdapter::up},
    {"dense_h_to_4h", &ConcreteAdapter::up},
    {"down_proj", &ConcreteAdapter::down},
    {"w2", &ConcreteAdapter::down},
    {"fc2", &ConcreteAdapter::down},
    {"dense_4h_to_h", &ConcreteAdapter::down},
    {"shared_expert_gate", &ConcreteAdapter::shared_gate},
    {"embed_tokens", &ConcreteAdapter::embedding},
    {"wte", &ConcreteAdapter::embedding},
    {"embed_in", &ConcreteAdapter::embedding},
    {"lm_head", &ConcreteAdapter::head},
    {"embed_out", &ConcreteAdapter::head},
};

constexpr std::string_view joint_names[] = {"query_key_value", "c_attn", "qkv_proj", "Wqkv",
                                            "W_pack",          "wqkv"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether `text` names `name` as a whole word: itself, the end of a dotted path, or within a pattern.
bool names_module(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + name.size();
    if (starts && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

void target_all(ConcreteAdapter& adapter) {
  adapter.q = adapter.k = adapter.v = adapter.o = true;
  adapter.gate = adapter.up = adapter.down = adapter.shared_gate = true;
}

void target(ConcreteAdapter& adapter, std::string_view text) {
  if (text == "all-linear" || text == "all" || text == "linear" || text == "all_linear")
    return target_all(adapter);
  for (const TargetName& row : target_names) {
    if (names_module(text, row.name)) adapter.*row.place = true;
  }
  for (const std::string_view joint : joint_names) {
    if (names_module(text, joint)) adapter.q = adapter.k = adapter.v = true;
  }
  if (names_module(text, "gate_up_proj")) adapter.gate = adapter.up = true;
  if (names_module(text, "c_proj")) adapter.o = adapter.down = true;
}

}  // namespace

void target_modules(ConcreteAdapter& adapter, const std::vector<std::string>& names, const Recipe& recipe) {
  for (const std::string& name : names) target(adapter, name);
  if (!names.empty()) return;
  adapter.q = adapter.v = true;
  if (recipe.fused_qkv) adapter.k = true;
}

void target_nothing(ConcreteAdapter& adapter) {
  adapter.q = adapter.k = adapter.v = adapter.o = false;
  adapter.gate = adapter.up = adapter.down = adapter.shared_gate = false;
  adapter.embedding = adapter.head = false;
}

void save_modules(ConcreteAdapter& adapter, const std::vector<std::string>& names) {
  ConcreteAdapter marked;
  for (const std::string& name : names) target(marked, name);
  adapter.save_embedding = marked.embedding;
  adapter.save_head = marked.head;
}

}  // namespace oomlint
