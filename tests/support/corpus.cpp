#include "tests/support/corpus.h"

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace oomlint::test {

std::vector<CorpusFile> corpus_files(const std::filesystem::path& corpus) {
  std::vector<CorpusFile> files;
  std::set<std::string> seen;
  std::ifstream lines(corpus / "INDEX.tsv");
  std::string line;
  std::getline(lines, line);  // the header
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    if (cells.size() >= 8 && seen.insert(cells[4]).second) files.push_back({cells[0], cells[4], cells[7]});
  }
  return files;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace oomlint::test
