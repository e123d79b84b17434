#include "lint/catalog/catalog.h"
#include "lint/catalog/tables.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a look-up takes less than 10 microseconds") {
  using Clock = std::chrono::steady_clock;
  const auto& t = oomlint::catalog::tables();
  const auto round = [&](const std::string& suffix) {
    const auto start = Clock::now();
    std::size_t known = 0;
    for (const auto& row : t.ids)
      known += oomlint::find_model(std::string(t.text(row.id)) + suffix).model.known() ? 1 : 0;
    CHECK(known > 0);
    const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
    return taken.count() / static_cast<double>(t.ids.size());
  };
  double exact = 1e9;
  double by_rule = 1e9;
  for (int i = 0; i < 5; ++i) {
    exact = std::min(exact, round(""));
    by_rule = std::min(by_rule, round("-awq"));
  }
  MESSAGE("by id " << exact << " us, by rule " << by_rule << " us");
  CHECK(exact < 10);
  CHECK(by_rule < 10);
}
#endif
