#pragma once

#include "lint/catalog/tables.h"
#include "lint/catalog/tool/item.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace oomlint::catalog {

// What the .toml files say, before it is packed. Rows carry no texts yet: those stand beside them.

struct SourceFamily {
  std::string name;
  ModelRow facts;
};

struct SourceId {
  std::string id;
  std::size_t model = 0;
  IdRow row;  ///< tie, dtype, quantisation and positions
  std::string file;
  std::uint32_t line = 0;
};

struct SourceModel {
  std::string name;
  std::string family;
  ModelRow row;
};

struct SourceSuffix {
  std::string pattern;
  Quantisation quantisation = Quantisation::none;
};

struct SourceNames {
  std::vector<std::pair<std::string, std::string>> owners;
  std::vector<std::string> prefixes;
  std::vector<SourceSuffix> mirrors;
  std::vector<SourceSuffix> variants;
  std::map<std::string, std::string> builders;  ///< folded name -> id
};

struct SourceCard {
  std::string key, name, vendor;
  CardRow row;
  std::vector<std::string> names;
};

struct SourceInstance {
  std::string name;
  std::string card;
  std::uint16_t count = 0;
};

struct SourceRelease {
  std::string package;
  std::string version;
  std::uint32_t day = 0;
};

struct Sources {
  std::vector<SourceFamily> families;
  std::vector<SourceModel> models;
  std::vector<SourceId> ids;
  SourceNames names;
  std::vector<SourceCard> cards;
  std::vector<SourceInstance> instances;
  std::vector<SourceRelease> releases;
};

void read_families(const Item& file, Sources& sources, Problems& problems);
/// One file of models/; the families must be read before.
void read_models(const Item& file, Sources& sources, Problems& problems);
void read_names(const Item& file, Sources& sources, Problems& problems);
void read_cards(const Item& file, Sources& sources, Problems& problems);
void read_releases(const Item& file, Sources& sources, Problems& problems);

/// Checks across rows: counts equal totals, ids and names are unique, nothing dangles.
void check_sources(const Sources& sources, Problems& problems);

/// The generated source file.
[[nodiscard]] std::string write_tables(const Sources& sources);

}  // namespace oomlint::catalog
