#pragma once

#include "lint/engine/files.h"
#include "lint/plan/versions.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

/// What a lock file or a requirements file says of one package.
struct Pin {
  std::string package;              ///< normalised: lower case, hyphens
  std::optional<Version> exact;     ///< `==4.41.2`, or what a lock file holds
  std::optional<Version> at_least;  ///< `>=4.41`
  std::optional<Version> below;     ///< first version that is no longer admitted: `<5`, `~=4.41.0`
  std::string file;                 ///< shown path of the file that says so
  std::string text;                 ///< as written there: "transformers==4.41.2"
};

/// The lines of a pip requirements file that hold without an environment marker; what is installed from an
/// address or has no bound says nothing.
[[nodiscard]] std::vector<Pin> pins_in_requirements(std::string_view path, std::string_view text);

/// The `[[package]]` entries of a uv or poetry lock file.
[[nodiscard]] std::vector<Pin> pins_in_lock(std::string_view path, std::string_view text);

/// The pins that hold for a config: of uv.lock, poetry.lock and requirements.txt beside it and in the
/// directories above, the nearest first; one a package.
[[nodiscard]] std::vector<Pin> find_pins(std::string_view config_path, Files& files);

}  // namespace oomlint
