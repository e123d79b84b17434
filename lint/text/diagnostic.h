#pragma once

#include "lint/text/span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oomlint {

enum class Severity : std::uint8_t { note, warning, error };

/// How sure the linter is, apart from how bad it would be: a finding that rests on a guess is never an error.
enum class Certainty : std::uint8_t { low, medium, high, certain };

/// A span in one file of the run. `path` is the shown path; `key` is the logical place ("lora.rank"), stable
/// when lines move, empty if there is none.
struct Location {
  std::string path;
  Span span;
  std::string key;
  friend bool operator==(const Location&, const Location&) = default;
};

/// A further place that explains a finding, with a few words to print beside it.
struct Label {
  Location location;
  std::string text;
};

/// Replaces the bytes of `span` in `path` by `text`; an empty span inserts.
struct TextEdit {
  std::string path;
  Span span;
  std::string text;
  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// Safe: the mathematics of the run does not change. Unsafe: it does, or might (applied only on explicit
/// request). Display: words without an edit.
enum class Applicability : std::uint8_t { safe, unsafe, display };

/// One way out of a finding. `cost` says what it gives up, in words; `new_peak_bytes` is the re-estimated
/// device peak after the edits, 0 where the fix is not about memory.
struct Fix {
  std::string title;
  Applicability applicability = Applicability::unsafe;
  std::vector<TextEdit> edits;
  std::string cost;
  std::uint64_t new_peak_bytes = 0;
};

/// One line of the sum a memory finding prints: the terms add up to the peak.
struct ByteRow {
  std::string name;
  std::uint64_t bytes = 0;
  std::string dtype;
  std::string formula;
  std::vector<Location> inputs;
};

/// The table under a memory finding. `capacity_bytes` is 0 without a card.
struct ByteTable {
  std::string phase;
  std::vector<ByteRow> rows;
  std::uint64_t total_bytes = 0;
  std::uint64_t capacity_bytes = 0;
  std::string card;
};

/// A finding: what is wrong, where, why, and how to mend it. Everything a reader sees is here, so that every
/// emitter prints the same facts.
struct Diagnostic {
  std::string code;  ///< "OOM1001"
  std::string name;  ///< "does-not-fit"
  Severity severity = Severity::warning;
  Certainty certainty = Certainty::certain;
  std::string message;  ///< one sentence that stands alone and ends without a full stop
  Location primary;
  std::string primary_label;
  std::vector<Label> related;
  std::vector<std::string> notes;
  std::string help;
  std::vector<Fix> fixes;
  ByteTable table;  ///< empty rows: none
};

[[nodiscard]] const char* to_string(Severity severity);
[[nodiscard]] const char* to_string(Certainty certainty);

/// The one order every output uses: path, offset, code, message.
[[nodiscard]] bool comes_before(const Diagnostic& a, const Diagnostic& b);

}  // namespace oomlint
