// How long a look-up of a model takes, by id and by a rule on its name. Prints, asserts nothing: timings are
// compared within one run.
#include "lint/catalog/catalog.h"
#include "lint/catalog/tables.h"

#include <chrono>
#include <cstdio>
#include <string>

namespace {

double microseconds_a_look_up(const std::string& suffix) {
  const auto& tables = oomlint::catalog::tables();
  const auto start = std::chrono::steady_clock::now();
  std::size_t known = 0;
  for (const auto& row : tables.ids) {
    known += oomlint::find_model(std::string(tables.text(row.id)) + suffix).model.known() ? 1 : 0;
  }
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  return known == 0 ? 0 : taken.count() / static_cast<double>(tables.ids.size());
}

}  // namespace

int main() {
  microseconds_a_look_up("");
  std::printf("by id   %6.2f us\n", microseconds_a_look_up(""));
  std::printf("by rule %6.2f us\n", microseconds_a_look_up("-awq"));
}
