#include "lint/text/nearest.h"

#include <doctest/doctest.h>

#include <array>

using namespace oomlint;

TEST_CASE("edit distance counts a swap of neighbours once") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("lora_r", "lora_r") == 0);
  CHECK(edit_distance("fromat", "format") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest candidate is offered only when it is near") {
  const std::array<std::string_view, 3> names{"does-not-fit", "tight", "unknown-key"};
  CHECK(nearest("does-not-fits", names) == "does-not-fit");
  CHECK(nearest("tihgt", names) == "tight");
  CHECK(nearest("batch", names).empty());
  CHECK(nearest("", names).empty());
}
