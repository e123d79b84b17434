#include "lint/estimate/residual_table.h"

#include <doctest/doctest.h>

namespace oomlint {

namespace {

double value(Ratio ratio) {
  return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}

TEST_CASE("residual bands: measured ones hold the estimate and say how many configs made them") {
  for (const ResidualBand& band : measured_bands) {
    CAPTURE(band.stack);
    CHECK(value(band.low) <= 1);
    CHECK(value(band.low) > 0.5);
    CHECK(value(band.high) >= 1);
    CHECK(band.runs >= 8);
    CHECK(&residual_band(band.stack, band.metric) == &band);
  }
}

TEST_CASE("residual bands: what no run was published of is wide, arithmetic has none") {
  const ResidualBand& nobody = residual_band("a stack of tomorrow", Metric::allocated);
  CHECK(nobody.low == Ratio{70, 100});
  CHECK(nobody.high == Ratio{140, 100});
  CHECK(residual_band("trl", Metric::reserved).high == Ratio{119, 100});
  CHECK(residual_band("textbook", Metric::device).high == Ratio{1, 1});
  // Another metric of a measured stack falls back to the Trainer's.
  CHECK(residual_band("litgpt", Metric::reserved).low == Ratio{90, 100});
}

TEST_CASE("residual bands: the evidence names its runs") {
  CHECK(evidence("litgpt") == "40 published runs of this stack, median error 0 %");
  CHECK(evidence("a stack of tomorrow") == "no published run of this stack");
  CHECK(evidence("textbook") == "arithmetic of the named copies, not a prediction");
}

}  // namespace

}  // namespace oomlint
