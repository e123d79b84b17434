#include "lint/catalog/tool/pool.h"

namespace oomlint::catalog {

Text Pool::add(std::string_view text) {
  const auto [known, fresh] = known_.try_emplace(std::string(text));
  if (fresh) {
    known->second = {static_cast<std::uint32_t>(text_.size()), static_cast<std::uint16_t>(text.size())};
    text_ += text;
  }
  return known->second;
}

std::string Pool::literal() const {
  constexpr std::size_t width = 100;
  std::string out;
  for (std::size_t at = 0; at < text_.size(); at += width) {
    out += at == 0 ? "    \"" : "\n    \"";
    for (const char c : text_.substr(at, width)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out.empty() ? "\"\"" : out;
}

}  // namespace oomlint::catalog
