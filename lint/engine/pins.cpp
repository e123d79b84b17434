#include "lint/engine/pins.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace oomlint {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Calls `visit` with each line, without its end.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// PEP 503: case and the kind of separator do not matter.
std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    out += separator ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

/// 4.41.2 -> 4.41.3, the first that `<=4.41.2` does not admit.
Version after(Version version) {
  ++version.patch;
  return version;
}

/// The first version that is not of the same series, where `parts` numbers are fixed: 4.41.* -> 4.42.
Version next_series(Version version, std::size_t parts) {
  if (parts <= 1) return {static_cast<std::uint16_t>(version.major + 1), 0, 0};
  if (parts == 2) return {version.major, static_cast<std::uint16_t>(version.minor + 1), 0};
  return after(version);
}

/// Adds one clause (`>=4.41`, `==4.41.*`) to a pin; false for what bounds nothing.
bool add_clause(Pin& pin, std::string_view clause) {
  constexpr std::array<std::string_view, 8> operators{"===", "==", "~=", ">=", "<=", "!=", ">", "<"};
  const auto* const op = std::find_if(operators.begin(), operators.end(),
                                      [&](std::string_view each) { return clause.starts_with(each); });
  if (op == operators.end()) return false;
  std::string_view number = trimmed(clause.substr(op->size()));
  const bool series = number.ends_with(".*");
  if (series) number.remove_suffix(2);
  const auto version = parse_version(number);
  if (!version) return false;
  const auto parts = static_cast<std::size_t>(std::count(number.begin(), number.end(), '.') + 1);
  if ((*op == "==" && !series) || *op == "===") {
    pin.exact = *version;
  } else if (*op == "==") {
    pin.at_least = *version;
    pin.below = next_series(*version, parts);
  } else if (*op == "~=") {
    pin.at_least = *version;
    pin.below = next_series(*version, parts - 1);
  } else if (*op == ">=" || *op == ">") {
    pin.at_least = *op == ">" ? after(*version) : *version;
  } else if (*op == "<=" || *op == "<") {
    pin.below = *op == "<=" ? after(*version) : *version;
  } else {
    return false;
  }
  return true;
}

std::optional<Pin> parse_requirement(std::string_view line) {
  // A comment begins a line or follows a blank.
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || blanks.find(line[at - 1]) != std::string_view::npos) {
      line = line.substr(0, at);
      break;
    }
  }
  // Hashes and a continuation, as pip-compile writes them.
  line = trimmed(line.substr(0, std::min(line.find(" --"), line.find('\\'))));
  if (line.find(';') != std::string_view::npos || line.find('@') != std::string_view::npos)
    return std::nullopt;
  const auto* const name_end = std::find_if_not(line.begin(), line.end(), in_name);
  const auto name_size = static_cast<std::size_t>(name_end - line.begin());
  if (name_size == 0 || line.front() == '-') return std::nullopt;

  Pin pin;
  pin.package = normalised(line.substr(0, name_size));
  pin.text = line;
  std::string_view rest = trimmed(line.substr(name_size));
  if (rest.starts_with('[')) {
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    rest = trimmed(rest.substr(close + 1));
  }
  bool bounded = false;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    bounded = add_clause(pin, trimmed(rest.substr(0, comma))) || bounded;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return bounded ? std::optional(std::move(pin)) : std::nullopt;
}

/// The text of `key = "text"`.
std::string_view quoted(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return {};
  line = trimmed(line.substr(key.size()));
  if (!line.starts_with('=')) return {};
  line = trimmed(line.substr(1));
  if (line.size() < 2 || line.front() != '"' || line.back() != '"') return {};
  return line.substr(1, line.size() - 2);
}

/// "a/b/c.yml" -> "a/b"; the root is "".
std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

struct PinFile {
  std::string_view name;
  std::vector<Pin> (*parse)(std::string_view path, std::string_view text);
};

constexpr std::array<PinFile, 3> pin_files{
    {{"uv.lock", pins_in_lock}, {"poetry.lock", pins_in_lock}, {"requirements.txt", pins_in_requirements}}};

}  // namespace

std::vector<Pin> pins_in_requirements(std::string_view path, std::string_view text) {
  std::vector<Pin> pins;
  for_each_line(text, [&](std::string_view line) {
    auto pin = parse_requirement(line);
    if (!pin) return;
    pin->file = path;
    pins.push_back(std::move(*pin));
  });
  return pins;
}

std::vector<Pin> pins_in_lock(std::string_view path, std::string_view text) {
  std::vector<Pin> pins;
  bool in_package = false;
  std::string name;
  for_each_line(text, [&](std::string_view whole) {
    const std::string_view line = trimmed(whole);
    if (line.starts_with('[')) {
      in_package = line == "[[package]]";
      name.clear();
      return;
    }
    if (!in_package) return;
    if (const std::string_view found = quoted(line, "name"); !found.empty()) name = found;
    const std::string_view number = quoted(line, "version");
    const auto version = number.empty() ? std::nullopt : parse_version(number);
    if (!version || name.empty()) return;
    Pin pin;
    pin.package = normalised(name);
    pin.exact = *version;
    pin.file = path;
    pin.text = name + " " + std::string(number);
    pins.push_back(std::move(pin));
    in_package = false;
  });
  return pins;
}

std::vector<Pin> find_pins(std::string_view config_path, Files& files) {
  std::vector<Pin> pins;
  std::string_view directory = directory_of(config_path);
  while (true) {
    for (const PinFile& each : pin_files) {
      const std::string path =
          directory.empty() ? std::string(each.name) : std::string(directory) + "/" + std::string(each.name);
      if (!files.exists(path)) continue;
      const FileContent content = files.read(path);
      if (content.error != ReadError::none) continue;
      for (Pin& pin : each.parse(path, content.bytes)) {
        const bool known = std::any_of(pins.begin(), pins.end(),
                                       [&](const Pin& nearer) { return nearer.package == pin.package; });
        if (!known) pins.push_back(std::move(pin));
      }
    }
    if (directory.empty()) return pins;
    directory = directory_of(directory);
  }
}

}  // namespace oomlint
