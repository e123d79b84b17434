#include "integrations/emit/byte_table.h"
#include "integrations/emit/emit.h"
#include "integrations/emit/excerpt.h"
#include "integrations/emit/regions.h"

#include <ostream>

namespace oomlint {

namespace {

/// Escapes the text of a workflow command; in a property, the characters that separate properties as well.
std::string escaped(std::string_view text, bool property) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '%':
        result += "%25";
        break;
      case '\r':
        result += "%0D";
        break;
      case '\n':
        result += "%0A";
        break;
      case ':':
        result += property ? "%3A" : ":";
        break;
      case ',':
        result += property ? "%2C" : ",";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string body(const Diagnostic& diagnostic) {
  std::string text = diagnostic.message;
  if (!diagnostic.help.empty()) text += "\nhelp: " + diagnostic.help;
  std::size_t number = 0;
  for (const Fix& fix : diagnostic.fixes) {
    text += '\n' + std::to_string(++number) + ". " + fix.title;
    if (fix.new_peak_bytes > 0)
      text += " -> peak " + gib_text(fix.new_peak_bytes, gib_decimals(fix.new_peak_bytes));
    if (!fix.cost.empty()) text += "; " + fix.cost;
  }
  return text;
}

std::string_view command(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "notice";
}

}  // namespace

void emit_github(const Report& report, const EmitOptions&, std::ostream& out) {
  for (const Diagnostic& diagnostic : report.diagnostics) {
    out << "::" << command(diagnostic.severity) << " file=" << escaped(diagnostic.primary.path, true);
    if (const SourceFile* source = source_of(report, diagnostic.primary.path)) {
      const Region region = one_line_region(*source, diagnostic.primary.span);
      out << ",line=" << region.start_line << ",endLine=" << region.end_line << ",col=" << region.start_column
          << ",endColumn=" << region.end_column;
    }
    out << ",title=" << escaped(diagnostic.code + ' ' + diagnostic.name, true)
        << "::" << escaped(body(diagnostic), false) << '\n';
  }
  for (const std::string& unreadable : report.unreadable_named) {
    out << "::error title=oomlint::" << escaped("cannot read " + unreadable, false) << '\n';
  }
}

}  // namespace oomlint
