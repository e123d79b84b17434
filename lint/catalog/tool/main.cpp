// Reads lint/catalog/*.toml, checks it and writes the tables: catalog_tool FOLDER OUT.cpp

#include "lint/catalog/tool/sources.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {
std::vector<std::string> toml_files(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}
}  // namespace

int main(int argc, char** argv) {
  using namespace oomlint::catalog;
  if (argc != 3) {
    std::fputs("usage: catalog_tool FOLDER OUT.cpp\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  Problems problems;
  Sources sources;
  std::vector<std::string> paths{(folder / "families.toml").string(), (folder / "names.toml").string(),
                                 (folder / "gpus.toml").string(), (folder / "releases.toml").string()};
  const std::vector<std::string> models = toml_files(folder / "models");
  read_families(read_toml(paths[0], problems), sources, problems);
  read_names(read_toml(paths[1], problems), sources, problems);
  read_cards(read_toml(paths[2], problems), sources, problems);
  read_releases(read_toml(paths[3], problems), sources, problems);
  for (const std::string& path : models) read_models(read_toml(path, problems), sources, problems);
  if (problems.all().empty()) check_sources(sources, problems);
  for (const std::string& problem : problems.all()) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!problems.all().empty()) return 1;
  std::ofstream out(argv[2], std::ios::binary);
  out << write_tables(sources);
  return out.flush() ? 0 : 1;
}
