#pragma once

#include <ctime>

namespace oomlint::test {

/// Seconds of processor time since it was made: what a busy machine does not stretch.
class CpuTimer {
 public:
  [[nodiscard]] double seconds() const {
    return static_cast<double>(std::clock() - start_) / static_cast<double>(CLOCKS_PER_SEC);
  }

 private:
  std::clock_t start_ = std::clock();
};

/// The two seconds a file may take, in a build with sanitizers more.
#ifdef __SANITIZE_ADDRESS__
inline constexpr double time_limit_seconds = 20;
#else
inline constexpr double time_limit_seconds = 2;
#endif

}  // namespace oomlint::test
