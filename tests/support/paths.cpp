#include "tests/support/paths.h"

namespace oomlint::test {

std::filesystem::path data_dir() {
  return OOMLINT_DATA_DIR;
}
std::filesystem::path source_dir() {
  return OOMLINT_SOURCE_DIR;
}
std::filesystem::path oomlint_binary() {
  return OOMLINT_BINARY;
}

}  // namespace oomlint::test
