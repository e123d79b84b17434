#include "tests/support/golden.h"

#include "tests/support/corpus.h"
#include "tests/support/paths.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace oomlint::test {

void check_golden(std::string_view name, const std::string& text) {
  const auto path = source_dir() / "tests" / "goldens" / name;
  if (std::getenv("OOMLINT_UPDATE_GOLDENS") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  const std::string expected = contents(path);
  if (text == expected) return;
  std::istringstream ours(text);
  std::istringstream theirs(expected);
  std::string line;
  std::string other;
  while (std::getline(ours, line) && std::getline(theirs, other) && line == other) {
  }
  FAIL_CHECK(name, " differs (OOMLINT_UPDATE_GOLDENS=1 writes it), first in\n", line, "\ninstead of\n",
             other);
}

}  // namespace oomlint::test
