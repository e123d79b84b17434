#pragma once

#include "lint/document/document.h"
#include "lint/document/scalars.h"
#include "lint/plan/layer.h"
#include "lint/plan/training_plan.h"
#include "lint/text/diagnostic.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

// A dialect says what the words of one framework's config mean, as tables that are read both ways: `read`
// turns a document into a layer of the plan, `spell` turns a PlanEdit back into text edits. Tables are
// constant data; the mechanism is in read.cpp, spell.cpp, recognise.cpp and constraints.cpp, the tables in
// parsers/dialects/.

/// Evidence that a document is written in a dialect. Paths as Document::find takes them; a trailing `=value`
/// asks for that scalar text. No scores: after removing every dialect that another accepted one specialises,
/// exactly one may remain.
struct Recognition {
  std::span<const std::string_view> all_of;
  std::span<const std::string_view> any_of;
  std::uint8_t any_count = 0;  ///< how many of any_of there must be
  std::span<const std::string_view> none_of;
  std::span<const std::string_view> specialises;  ///< names of more general dialects this one wins over
  std::span<const std::string_view> programs{};   ///< commands that start the framework ("swift sft",
                                                  ///< "train.py"): in a script they decide alone
  std::span<const std::string_view> bytes;  ///< unless one of these occurs in the text, it is not even parsed
  /// Further condition that tables can't say; nullptr for none.
  bool (*extra)(const Document&) = nullptr;
  std::string_view extra_doc{};  ///< why a document that fails it is refused, for `--explain-detection`
};

struct ReadContext;

/// A word of the framework and the word of the plan it stands for. Several rows may share a plan word: the
/// first is the one that is spelled.
struct WordPair {
  std::string_view theirs;
  std::string_view ours;
};

/// How a scalar becomes a field's value and back. A number or flag written as the text `auto` is treated like
/// null.
enum class Convert : std::uint8_t {
  as_is,       ///< by the field's type
  words,       ///< through `words`
  true_means,  ///< a flag: true stands for words[0].ours, false for words[1].ours if there is one, else for
               ///< nothing
  custom,      ///< through `read`/`write`
  presence,    ///< a value that turns something on by being there and not empty: stands for words[0].ours
};

/// A default that holds from a version of a package on. Rows are ordered from old to new; the last that
/// applies wins.
struct DefaultValue {
  std::string_view text;       ///< as the field would be written in the native dialect; "?" means unknown
  std::string_view package{};  ///< empty: always
  Version since{};
};

/// What an explicit null or empty value means.
enum class NullMeans : std::uint8_t { absent, off, unknown };

/// One key the product reads. Several rows may give one field: the first in table order that says something
/// wins.
struct KeySpec {
  std::string_view path;  ///< empty: the field's own name
  Field field;
  Convert convert = Convert::as_is;
  std::span<const WordPair> words{};
  std::span<const DefaultValue> defaults{};
  NullMeans null_means = NullMeans::absent;
  std::string_view unit{};  ///< unit as the framework counts, if it differs from the field's
  std::string_view
      renamed_to{};  ///< the newer spelling of the same key; this one is read and edited, never inserted
  std::string_view since{};  ///< of the dialect's own package
  std::string_view until{};
  std::string_view doc{};
  std::optional<Scalar> (*read)(const ReadContext&, NodeId) = nullptr;
  std::optional<std::string> (*write)(const Scalar&) = nullptr;
  bool spell = true;  ///< false: read only (a second way to say the same, or not expressible)
};

/// Every key a loader knows, consumed by the product or not: this list decides what is "unknown".
struct KnownKey {
  std::string_view path;  ///< `a.b`; a trailing `.*` means anything below
  std::string_view since{};
  std::string_view until{};
  std::string_view renamed_to{};
};

/// What the framework does with a key it does not know. `unread`: the linter's own words, which nothing else
/// reads.
enum class UnknownKeys : std::uint8_t { refused, warned, ignored, passed_on, unread };

enum class Effect : std::uint8_t { refused, ignored, overridden, warned };

struct ConstraintHit {
  NodeId at = no_node;  ///< the key to blame; no_node for the file
  std::vector<NodeId> related;
  std::string message;  ///< filled by the mechanism from the row when empty
};

/// A check the framework makes itself, as data: the rules "refused by framework", "ignored setting" and
/// "overridden setting" report its hits.
struct Constraint {
  std::string_view id;  ///< "axolotl/quantised-without-adapter"
  Effect effect;
  std::string_view message;  ///< one sentence, without a full stop
  std::string_view remedy;
  std::string_view source;  ///< file of the framework that enforces it, with version
  std::optional<ConstraintHit> (*when)(const ReadContext&);
  std::string_view package{};  ///< versions in which it holds; empty: all
  Version since{};
  Version until{65535, 65535, 65535};
  /// What another file of the run must say for it to hold, `sharding` = "zero3": not judged where no run is
  /// known, and not on what is only inferred.
  Field run_field = Field::count_;
  std::string_view run_value{};
  Field field = Field::count_;   ///< field whose value it settles, if any
  std::string_view effective{};  ///< what the field becomes ("?": keep)
};

/// Another file that a document names and that belongs to the run.
struct Companion {
  std::string_view path;          ///< key whose value is a path
  std::string_view dialect;       ///< dialect that reads it ("deepspeed"); empty: recognise
  bool inline_allowed = false;    ///< the value may also be the mapping itself
  bool directory_config = false;  ///< the value is a model folder whose config.json is meant
};

/// Who decides between a command line, a trainer file and a companion; larger wins.
enum class Precedence : std::uint8_t {
  model_config = 10,
  companion = 20,
  trainer = 30,
  launcher = 40,
  command_line = 50
};

struct Dialect {
  std::string_view name;     ///< "axolotl"
  std::string_view title;    ///< "axolotl"
  std::string_view package;  ///< PyPI name whose version the tables mean
  std::string_view stack;    ///< default stack profile ("axolotl", "trl", "hf_trainer", "textbook")
  Recognition recognise;
  ScalarSchema scalars = ScalarSchema::yaml11_pyyaml;
  /// Whether the loader takes a number or flag written as text for what it spells.
  bool coerces_text = true;
  /// Whether options that are on or off take no value (argparse's `store_true`): off is to leave them out.
  bool bare_switches = false;
  /// Whether `${a.b}` stands for the value under that path of the same document (OmegaConf).
  bool interpolates = false;
  std::span<const KeySpec> keys;
  std::span<const KnownKey> known;
  UnknownKeys unknown_keys = UnknownKeys::ignored;
  std::span<const Constraint> constraints;
  std::span<const Companion> companions;
  Precedence precedence = Precedence::trainer;
  /// Values that follow from several keys; runs after the loop over `keys`, may append to the layer.
  void (*finish)(const ReadContext&, Layer&) = nullptr;
  /// Spells edits that one key cannot say (several keys at once); returns false to leave the edit to the
  /// table.
  bool (*spell)(const ReadContext&, const PlanEdit&, std::vector<TextEdit>&) = nullptr;
  /// True when the file lacks what makes a run (neither model nor batch): no claims are made about it.
  bool (*is_fragment)(const Document&) = nullptr;
  /// Whether the states may be divided by what no file of the run says: the launcher's config, the recipe.
  bool divided_elsewhere = false;
  bool reads_hjson = false;     ///< its own loader takes Hjson: comments, commas to spare or left out
  bool companion_only = false;  ///< alone it is never a run (DeepSpeed JSON, accelerate YAML)
};

/// What a hook may look at.
struct ReadContext {
  const Dialect& dialect;
  const Document& document;
  const Versions& versions;
  FileIndex file = 0;
  NodeId root =
      no_node;  ///< where the dialect's paths start; the document's root, or an inline companion mapping
  bool* met_unknown = nullptr;  ///< set when a hook looks at a value that the text does not tell

  // Typed by the dialect's schema; nothing for absent, null or of another type. Numbers written as text are
  // accepted where the framework coerces.
  [[nodiscard]] NodeId find(std::string_view path) const;
  /// The node that holds the value: aliases followed, and `${a.b}` where the dialect interpolates. An
  /// interpolation that leads nowhere in this document stays the text it is.
  [[nodiscard]] NodeId follow(NodeId node) const;
  [[nodiscard]] bool has(std::string_view path) const;  ///< present and not null
  [[nodiscard]] ScalarValue scalar(std::string_view path) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view path) const;
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view path) const;
  [[nodiscard]] std::optional<double> number(std::string_view path) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const;
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const;
  /// The versions of a package that somebody stated; null where they are only guessed, so that nothing is
  /// held against a config for a version it may never have been meant for.
  [[nodiscard]] const VersionRange* stated(std::string_view package) const;
  [[nodiscard]] Origin origin_of(NodeId node, OriginKind kind = OriginKind::given,
                                 std::string note = {}) const;
};

/// The result of holding a document against one dialect: which evidence was found and what was missing, for
/// `--explain-detection`.
struct Recognised {
  const Dialect* dialect = nullptr;
  bool accepted = false;
  bool by_program = false;  ///< by the command that starts it
  std::vector<std::string> found;
  std::vector<std::string> missing;
  std::vector<std::string> excluded_by;
};

/// False for a command whose program says by its name that it does something else ("eval.py", "swift infer").
[[nodiscard]] bool could_train(const Document& document);
[[nodiscard]] Recognised hold_against(const Document& document, const Dialect& dialect);
/// The dialects that accept the document after removing generalised ones; one is the normal case.
[[nodiscard]] std::vector<const Dialect*> recognise(const Document& document,
                                                    std::span<const Dialect* const> dialects);
/// The byte test: false when no dialect can possibly accept this text.
[[nodiscard]] bool worth_parsing(std::string_view bytes, std::span<const Dialect* const> dialects);

/// Reads the document's keys into a layer: given values, then `finish`, then constraints as settlements.
[[nodiscard]] Layer read(const ReadContext& context);
/// Fills the dialect's defaults for the versions at hand into fields nobody set.
void fill_defaults(const Dialect& dialect, TrainingPlan& plan);

struct ConstraintFinding {
  const Constraint* constraint;
  ConstraintHit hit;
  bool every_version = true;  ///< false: some admissible version of the package doesn't have this check
};
/// `run` is the plan of all files together; without it the rows that ask for one are left out.
[[nodiscard]] std::vector<ConstraintFinding> check_constraints(const ReadContext& context,
                                                               const TrainingPlan* run = nullptr);

/// Text edits that make the document say `edit`: the value's bytes are replaced, or a key is inserted after
/// its nearest sibling in the file's indentation, quoting and newline style. Nothing when the dialect has no
/// key for the field.
[[nodiscard]] std::optional<std::vector<TextEdit>> spell(const ReadContext& context, const PlanEdit& edit);

/// The path a row is about.
[[nodiscard]] inline std::string_view path_of(const KeySpec& key) {
  return key.path.empty() ? name_of(key.field) : key.path;
}
/// What the loader knows under `path` (as Document::path_of writes it; indices don't matter); null when it
/// knows nothing there. Keys the product reads count as known. A dialect without a list knows nothing and
/// says nothing.
[[nodiscard]] bool is_known_key(const Dialect& dialect, std::string_view path);
/// The row of the list, for `since`, `until` and `renamed_to`.
[[nodiscard]] const KnownKey* known_key(const Dialect& dialect, std::string_view path);
/// The newer spelling of a key.
struct Renaming {
  std::string to;          ///< whole path; empty: the key was not renamed
  std::string_view until;  ///< first version that does not read the old name; empty while it is still read
};
/// What became of `path`. Nothing for a key below a renamed mapping: the mapping's own name is what changed.
[[nodiscard]] Renaming renaming_of(const Dialect& dialect, std::string_view path);
/// The known key closest to a misspelt one within the same mapping; empty when none is close.
[[nodiscard]] std::string nearest_known_key(const Dialect& dialect, std::string_view path);

/// All dialects of this build, by name.
[[nodiscard]] std::span<const Dialect* const> all_dialects();

}  // namespace oomlint
