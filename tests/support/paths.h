#pragma once

#include <filesystem>

namespace oomlint::test {

[[nodiscard]] std::filesystem::path data_dir();
[[nodiscard]] std::filesystem::path source_dir();
[[nodiscard]] std::filesystem::path oomlint_binary();

}  // namespace oomlint::test
