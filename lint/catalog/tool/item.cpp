#include "lint/catalog/tool/item.h"

#include <toml++/toml.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace oomlint::catalog {

namespace {
Item to_item(const toml::node& node, std::string_view file) {
  Item item;
  item.line = static_cast<std::uint32_t>(node.source().begin.line);
  item.file = file;
  if (const auto* text = node.as_string()) {
    item.kind = Item::Kind::text;
    item.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    item.kind = Item::Kind::integer;
    item.integer = integer->get();
    item.number = static_cast<double>(item.integer);
  } else if (const auto* number = node.as_floating_point()) {
    item.kind = Item::Kind::number;
    item.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    item.kind = Item::Kind::boolean;
    item.boolean = boolean->get();
  } else if (const auto* list = node.as_array()) {
    item.kind = Item::Kind::list;
    for (const toml::node& element : *list) item.list.push_back(to_item(element, file));
  } else if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      item.table.emplace_back(std::string(key.str()), to_item(value, file));
  }
  return item;
}
}  // namespace

void Problems::add(std::string_view file, std::uint32_t line, std::string_view text) {
  all_.push_back(std::string(file) + ":" + std::to_string(line) + ": " + std::string(text));
}

Item read_toml(const std::string& path, Problems& problems) {
  try {
    const toml::table root = toml::parse_file(path);
    return to_item(root, path);
  } catch (const toml::parse_error& error) {
    problems.add(path, static_cast<std::uint32_t>(error.source().begin.line), error.description());
  }
  return {};
}

Fields::Fields(const Item& table, Problems& problems)
    : table_(table), problems_(problems), read_(table.table.size(), false) {
  if (table.kind != Item::Kind::table) problems_.add(table.file, table.line, "a table is expected");
}

const Item* Fields::find(std::string_view key) {
  const auto found = std::find_if(table_.table.begin(), table_.table.end(),
                                  [&](const auto& field) { return field.first == key; });
  if (found == table_.table.end()) return nullptr;
  read_[static_cast<std::size_t>(std::distance(table_.table.begin(), found))] = true;
  return &found->second;
}

const Item* Fields::find_kind(std::string_view key, Item::Kind kind) {
  const Item* item = find(key);
  if (item == nullptr || item->kind == kind) return item;
  if (kind == Item::Kind::number && item->kind == Item::Kind::integer) return item;
  complain(*item, key, "has the wrong type");
  return nullptr;
}

void Fields::read(std::string_view key, bool& value) {
  if (const Item* item = find_kind(key, Item::Kind::boolean)) value = item->boolean;
}

void Fields::read(std::string_view key, double& value) {
  if (const Item* item = find_kind(key, Item::Kind::number)) value = item->number;
}

void Fields::read(std::string_view key, std::string& value) {
  if (const Item* item = find_kind(key, Item::Kind::text)) value = item->text;
}

void Fields::read(std::string_view key, std::vector<std::string>& value) {
  const Item* list = find_kind(key, Item::Kind::list);
  if (list == nullptr) return;
  value.clear();
  for (const Item& item : list->list) {
    if (item.kind != Item::Kind::text) complain(item, key, "holds something else than texts");
    value.push_back(item.text);
  }
}

std::optional<std::size_t> Fields::word(std::string_view key, std::initializer_list<std::string_view> words) {
  const Item* item = find_kind(key, Item::Kind::text);
  if (item == nullptr) return std::nullopt;
  const auto* found = std::find(words.begin(), words.end(), std::string_view(item->text));
  if (found != words.end()) return static_cast<std::size_t>(std::distance(words.begin(), found));
  complain(*item, key, "has an unknown word \"" + item->text + "\"");
  return std::nullopt;
}

void Fields::require(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (!has(key)) problems_.add(table_.file, table_.line, "\"" + std::string(key) + "\" is missing");
  }
}

void Fields::finish() {
  for (std::size_t i = 0; i < read_.size(); ++i) {
    const auto& [key, item] = table_.table[i];
    if (!read_[i]) problems_.add(table_.file, item.line, "unknown field \"" + key + "\"");
  }
}

void Fields::complain(const Item& at, std::string_view key, std::string_view text) {
  problems_.add(at.file, at.line, "\"" + std::string(key) + "\" " + std::string(text));
}

}  // namespace oomlint::catalog
