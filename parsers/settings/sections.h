#pragma once

#include "lint/document/document.h"
#include "parsers/settings/settings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// A value in a settings file, read in the types the sections need.
class SettingsValue {
 public:
  SettingsValue(const Document& document, NodeId node) : document_(document), node_(node) {}

  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] bool is_table() const;
  [[nodiscard]] bool is_array() const;

  [[nodiscard]] std::optional<std::string> text() const;   ///< a string
  [[nodiscard]] std::optional<std::string> plain() const;  ///< the text of any scalar
  [[nodiscard]] std::optional<bool> flag() const;
  [[nodiscard]] std::optional<std::int64_t> count() const;  ///< at least 1
  [[nodiscard]] std::optional<double> number() const;       ///< at least 0
  [[nodiscard]] std::optional<Bytes> bytes()
      const;  ///< "80GiB", "500GB", "512MiB" or a whole number of bytes
  [[nodiscard]] std::optional<Ratio> share() const;  ///< "10%" or 0.1
  [[nodiscard]] std::optional<std::vector<std::string>> texts() const;

 private:
  [[nodiscard]] bool is_literal() const;

  const Document& document_;
  NodeId node_;
};

/// What reading a section needs beside the value.
struct SectionContext {
  std::string directory;  ///< of the settings file
  std::vector<SettingsProblem>& problems;
  std::vector<SettingsReference>& references;
};

/// Reads the table a settings file consists of (the root, or `[tool.oomlint]`) into `file`; `extend` is left
/// to the caller.
void read_sections(const SettingsValue& table, SettingsFile& file, const SectionContext& context);

/// Reports `message` at a value, or at its key.
void add_problem(const SettingsValue& value, std::string message, std::string help,
                 const SectionContext& context);

/// Remembers a name for those who can check it.
void add_reference(SettingsReference::Kind kind, std::string name, const SettingsValue& value,
                   const SectionContext& context);

}  // namespace oomlint
