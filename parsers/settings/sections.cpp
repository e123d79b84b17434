#include "parsers/settings/tables.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oomlint {

namespace {

/// A glob written in a settings file, as seen from the root.
std::string from_root(const std::string& glob, const std::string& directory) {
  if (directory.empty()) return glob;
  std::string_view rest = glob;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  if (rest.starts_with('/')) return directory + std::string(rest);
  const bool name_only = rest.substr(0, rest.find_last_not_of('/') + 1).find('/') == std::string_view::npos;
  return directory + (name_only ? "/**/" : "/") + std::string(rest);
}

/// Stores a name that must be checked against all names there are.
bool store_name(std::string& field, SettingsReference::Kind kind, const SettingsValue& value,
                const SectionContext& context) {
  if (!store(field, value.text())) return false;
  add_reference(kind, field, value, context);
  return true;
}

bool store_globs(std::vector<std::string>& globs, const SettingsValue& value, const SectionContext& context) {
  const auto texts = value.texts();
  if (!texts) return false;
  for (const std::string& glob : *texts) globs.push_back(from_root(glob, context.directory));
  return true;
}

// --- the sections; each table is the whole list of what a section takes
// -----------------------------------------------

constexpr std::string_view a_count = "a whole number of at least 1";
constexpr std::string_view a_share = "a share such as \"10%\" or 0.1";

constexpr std::array<KeyRow<SettingsPart>, 7> target_rows{{
    {"gpu", "a card or a size as a string",
     [](SettingsPart& p, const SettingsValue& v, const SectionContext& c) {
       p.target.gpu_origin = {OriginKind::policy, no_file, {}, {}, "settings"};
       return store_name(p.target.gpu, SettingsReference::Kind::card, v, c);
     }},
    {"world", a_count,
     [](SettingsPart& p, const SettingsValue& v, const SectionContext&) {
       return store(p.target.world, v.count());
     }},
    {"nodes", a_count,
     [](SettingsPart& p, const SettingsValue& v, const SectionContext&) {
       return store(p.target.nodes, v.count());
     }},
    {"headroom", a_share,
     [](SettingsPart& p, const SettingsValue& v, const SectionContext&) {
       return store(p.headroom, v.share());
     }},
    {"recommended-headroom", a_share,
     [](SettingsPart& p, const SettingsValue& v, const SectionContext&) {
       return store(p.recommended_headroom, v.share());
     }},
    {"report-recommended", "true or false",
     [](SettingsPart& p, const SettingsValue& v, const SectionContext&) {
       return store(p.report_recommended, v.flag());
     }},
    {"other-processes", a_size,
     [](SettingsPart& p, const SettingsValue& v, const SectionContext&) {
       return store(p.other_processes, v.bytes());
     }},
}};

bool read_target(SettingsPart& part, const SettingsValue& value, const SectionContext& context) {
  if (!value.is_table()) return false;
  read_table(value, target_rows, part, context);
  const Target& target = part.target;
  if (target.world && target.nodes && *target.world % *target.nodes != 0) {
    add_problem(value, "`nodes` must divide `world`, the number of all devices", {}, context);
  }
  return true;
}

bool read_levels(SettingsPart& part, const SettingsValue& value, const SectionContext& context) {
  constexpr std::array<std::string_view, 4> words{"off", "note", "warning", "error"};
  if (!value.is_table()) return false;
  each_entry(value, [&](std::string_view key, const SettingsValue& each) {
    const auto word = std::find(words.begin(), words.end(), each.plain().value_or(""));
    if (word == words.end()) {
      add_problem(each, "the level of `" + std::string(key) + "` expects off, note, warning or error", {},
                  context);
    } else {
      part.levels[std::string(key)] = static_cast<Level>(word - words.begin());
      add_reference(SettingsReference::Kind::rule, std::string(key), each, context);
    }
  });
  return true;
}

bool read_versions(SettingsPart& part, const SettingsValue& value, const SectionContext& context) {
  if (!value.is_table()) return false;
  each_entry(value, [&](std::string_view key, const SettingsValue& each) {
    const auto text = each.plain();
    if (text && parse_version(*text)) {
      part.versions[std::string(key)] = *text;
    } else {
      add_problem(each, "the version of `" + std::string(key) + "` expects a release such as \"4.46.2\"", {},
                  context);
    }
  });
  return true;
}

bool read_assume(SettingsPart& part, const SettingsValue& value, const SectionContext& context) {
  if (!value.is_table()) return false;
  each_entry(value, [&](std::string_view key, const SettingsValue& each) {
    const auto field = field_named(key);
    if (!field) {
      std::vector<std::string_view> names;
      for (const FieldInfo& row : all_fields()) names.push_back(row.name);
      report_unknown_key(each, key, names, "field", context);
      return;
    }
    std::string why = "expects one value";
    auto scalar = each.plain() ? parse_value(*field, *each.plain(), why) : std::nullopt;
    if (scalar) {
      part.assumed.push_back(
          {*field, std::move(*scalar), {OriginKind::assumed, no_file, {}, std::string(key), "settings"}});
    } else {
      add_problem(each, "`" + std::string(key) + "` " + why, {}, context);
    }
  });
  return true;
}

template <class Whole>
SettingsPart& part_of(Whole& whole) {
  return whole.part;
}

/// What stands at the top of the file and in each override alike.
template <class Whole>
constexpr std::array<KeyRow<Whole>, 5> part_rows{{
    {"target", "a table",
     [](Whole& w, const SettingsValue& v, const SectionContext& c) { return read_target(part_of(w), v, c); }},
    {"levels", "a table",
     [](Whole& w, const SettingsValue& v, const SectionContext& c) { return read_levels(part_of(w), v, c); }},
    {"versions", "a table",
     [](Whole& w, const SettingsValue& v, const SectionContext& c) {
       return read_versions(part_of(w), v, c);
     }},
    {"assume", "a table",
     [](Whole& w, const SettingsValue& v, const SectionContext& c) { return read_assume(part_of(w), v, c); }},
    {"dialect", "the name of a dialect",
     [](Whole& w, const SettingsValue& v, const SectionContext& c) {
       return store_name(part_of(w).dialect, SettingsReference::Kind::dialect, v, c);
     }},
}};

template <class Row, std::size_t a, std::size_t b>
constexpr std::array<Row, a + b> joined(const std::array<Row, a>& first, const std::array<Row, b>& second) {
  std::array<Row, a + b> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + a);
  return all;
}

constexpr std::array<KeyRow<SettingsOverride>, 1> own_override_rows{{
    {"files", "a list of globs",
     [](SettingsOverride& o, const SettingsValue& v, const SectionContext& c) {
       return store_globs(o.files, v, c);
     }},
}};
constexpr auto override_rows = joined(own_override_rows, part_rows<SettingsOverride>);

constexpr std::array<KeyRow<Limits>, 5> limit_rows{{
    {"max-hours", "a number of hours",
     [](Limits& l, const SettingsValue& v, const SectionContext&) { return store(l.max_hours, v.number()); }},
    {"max-cost", "a number",
     [](Limits& l, const SettingsValue& v, const SectionContext&) { return store(l.max_cost, v.number()); }},
    {"max-disk", a_size,
     [](Limits& l, const SettingsValue& v, const SectionContext&) {
       const auto bytes = v.bytes();
       if (bytes) l.max_disk_bytes = bytes->count();
       return bytes.has_value();
     }},
    {"price-per-gpu-hour", "a number",
     [](Limits& l, const SettingsValue& v, const SectionContext&) {
       return store(l.price_per_gpu_hour, v.number());
     }},
    {"price-per-kwh", "a number",
     [](Limits& l, const SettingsValue& v, const SectionContext&) {
       return store(l.price_per_kwh, v.number());
     }},
}};

constexpr std::array<KeyRow<IgnoreEntry>, 4> ignore_rows{{
    {"file", "a glob",
     [](IgnoreEntry& e, const SettingsValue& v, const SectionContext& c) {
       const auto glob = v.text();
       if (glob) e.file = from_root(*glob, c.directory);
       return glob.has_value();
     }},
    {"key", "a key path such as \"zero_optimization.stage\"",
     [](IgnoreEntry& e, const SettingsValue& v, const SectionContext&) { return store(e.key, v.text()); }},
    {"rules", "a list of rule names or codes",
     [](IgnoreEntry& e, const SettingsValue& v, const SectionContext&) { return store(e.rules, v.texts()); }},
    {"reason", "a string",
     [](IgnoreEntry& e, const SettingsValue& v, const SectionContext&) { return store(e.reason, v.text()); }},
}};

/// Reads `[[name]]`: a list of tables of one kind.
template <class Each, std::size_t count, class Finish>
bool read_list(const SettingsValue& value, const std::array<KeyRow<Each>, count>& rows,
               const SectionContext& context, const Finish& finish) {
  if (!value.is_array()) return false;
  const Document& document = value.document();
  for (NodeId item = document.at(value.node()).first_child; item != no_node; item = document.at(item).next) {
    const SettingsValue each(document, item);
    if (!each.is_table()) return false;
    Each entry;
    read_table(each, rows, entry, context);
    finish(std::move(entry), each);
  }
  return true;
}

bool read_overrides(SettingsFile& file, const SettingsValue& value, const SectionContext& context) {
  return read_list(value, override_rows, context, [&](SettingsOverride entry, const SettingsValue& each) {
    if (entry.files.empty()) add_problem(each, "an override needs `files`, the globs it is for", {}, context);
    file.overrides.push_back(std::move(entry));
  });
}

bool read_ignores(SettingsFile& file, const SettingsValue& value, const SectionContext& context) {
  return read_list(value, ignore_rows, context, [&](IgnoreEntry entry, const SettingsValue& each) {
    if (entry.rules.empty()) add_problem(each, "an ignore entry needs `rules`", {}, context);
    for (const std::string& rule : entry.rules)
      add_reference(SettingsReference::Kind::rule, rule, each, context);
    entry.place = {file.path, each.document().value_span(each.node()), {}};
    file.ignores.push_back(std::move(entry));
  });
}

bool read_fail_on(SettingsFile& file, const SettingsValue& value, const SectionContext& /*context*/) {
  const std::string word = value.text().value_or("");
  file.fail_on = word;
  return word == "error" || word == "warning" || word == "note" || word == "never";
}

constexpr std::array<KeyRow<SettingsFile>, 8> own_file_rows{{
    {"extend", "a path",
     [](SettingsFile&, const SettingsValue& v, const SectionContext&) { return v.text().has_value(); }},
    {"exclude", "a list of globs",
     [](SettingsFile& f, const SettingsValue& v, const SectionContext& c) {
       return store_globs(f.exclude, v, c);
     }},
    {"fail-on", "error, warning, note or never", read_fail_on},
    {"limits", "a table",
     [](SettingsFile& f, const SettingsValue& v, const SectionContext& c) {
       if (v.is_table()) read_table(v, limit_rows, f.limits, c);
       return v.is_table();
     }},
    {"models", "a table for each model", read_models},
    {"cards", "a table for each card", read_cards},
    {"overrides", "[[overrides]] tables", read_overrides},
    {"ignores", "[[ignores]] tables", read_ignores},
}};
constexpr auto file_rows = joined(own_file_rows, part_rows<SettingsFile>);

}  // namespace

void read_sections(const SettingsValue& table, SettingsFile& file, const SectionContext& context) {
  read_table(table, file_rows, file, context);
}

}  // namespace oomlint
