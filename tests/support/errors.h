#pragma once

#include "lint/plan/bytes.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace oomlint::test {

/// (estimated − counted) / counted, in percent.
[[nodiscard]] double percent_off(Bytes estimated, Bytes counted);

/// One compared row: what it was, and where the counted peak lies (the cause of a deviation is told from it).
struct Deviation {
  double percent = 0;
  std::string what;
};

/// Errors in percent by group, in the order of the names.
class Errors {
 public:
  void add(const std::string& group, double percent, const std::string& what);
  [[nodiscard]] std::vector<std::string> groups() const;
  [[nodiscard]] double mean() const;                          ///< of the absolute errors
  [[nodiscard]] double mean(const std::string& group) const;  ///< 0 for no such group
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] double share_within(double percent) const;
  [[nodiscard]] double lowest() const;  ///< the most negative error
  /// A line a group (rows, mean, largest), then a line a row that is off by more than `beyond` percent.
  [[nodiscard]] std::string table(double beyond = 5) const;

 private:
  std::map<std::string, std::vector<Deviation>> groups_;
};

}  // namespace oomlint::test
