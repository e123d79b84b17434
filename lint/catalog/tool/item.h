#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oomlint::catalog {

/// Mistakes in the source files, as "file:line: text".
class Problems {
 public:
  void add(std::string_view file, std::uint32_t line, std::string_view text);
  [[nodiscard]] const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

/// One value of a TOML file with its line; the text of `file` outlives the items.
struct Item {
  enum class Kind : std::uint8_t { text, integer, number, boolean, list, table };
  Kind kind = Kind::table;
  std::uint32_t line = 0;
  std::string_view file;
  std::string text;
  std::int64_t integer = 0;
  double number = 0;  ///< also of integers
  bool boolean = false;
  std::vector<Item> list;
  std::vector<std::pair<std::string, Item>> table;
};

/// The root table of a file; an empty one, and a problem, where it cannot be read.
[[nodiscard]] Item read_toml(const std::string& path, Problems& problems);

/// Reads a table field by field and complains about wrong types, missing and unknown fields.
class Fields {
 public:
  Fields(const Item& table, Problems& problems);
  [[nodiscard]] const Item* find(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }
  /// `value` stays as it is where the field is absent.
  template <class Integer>
  void read(std::string_view key, Integer& value) {
    const Item* item = find_kind(key, Item::Kind::integer);
    if (item == nullptr) return;
    value = static_cast<Integer>(item->integer);
    if (item->integer < 0 || static_cast<std::int64_t>(value) != item->integer)
      complain(*item, key, "is out of range");
  }
  void read(std::string_view key, bool& value);
  void read(std::string_view key, double& value);
  void read(std::string_view key, std::string& value);
  /// A list of texts.
  void read(std::string_view key, std::vector<std::string>& value);
  /// The position of a text in `words`.
  [[nodiscard]] std::optional<std::size_t> word(std::string_view key,
                                                std::initializer_list<std::string_view> words);
  void require(std::initializer_list<std::string_view> keys);
  /// Complains about fields nobody asked for.
  void finish();
  void complain(const Item& at, std::string_view key, std::string_view text);

 private:
  const Item* find_kind(std::string_view key, Item::Kind kind);
  const Item& table_;
  Problems& problems_;
  std::vector<bool> read_;
};

}  // namespace oomlint::catalog
