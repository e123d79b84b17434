#include "integrations/emit/byte_table.h"
#include "integrations/emit/display.h"
#include "integrations/emit/emit.h"
#include "integrations/emit/excerpt.h"
#include "integrations/emit/style.h"
#include "integrations/emit/tally.h"

#include <ostream>

namespace oomlint {

namespace {

void print_fixes(const Diagnostic& diagnostic, const std::string& indent, const EmitOptions& options,
                 std::ostream& out) {
  std::size_t number = 0;
  for (const Fix& fix : diagnostic.fixes) {
    std::string text = printable(fix.title);
    if (fix.new_peak_bytes > 0)
      text += " -> peak " + gib_text(fix.new_peak_bytes, gib_decimals(fix.new_peak_bytes));
    if (!fix.cost.empty()) text += "; " + printable(fix.cost);
    if (!fix.edits.empty())
      text += fix.applicability == Applicability::safe ? " [--fix]" : " [--unsafe-fixes]";
    const std::string head = indent + "  " + std::to_string(++number) + ". ";
    out << head << wrapped(text, options.width, head.size()) << '\n';
  }
}

void print_aside(std::string_view kind, std::string_view text, const std::string& indent,
                 const Painter& paint, unsigned width, std::ostream& out) {
  const std::size_t taken = indent.size() + kind.size() + 4;
  out << indent << paint(Style::gutter, "=") << ' ' << paint(Style::bold, kind) << ": "
      << wrapped(printable(text), width, taken) << '\n';
}

void print_diagnostic(const Diagnostic& diagnostic, const Report& report, const EmitOptions& options,
                      std::ostream& out) {
  const Painter paint(options.colour);
  const std::string severity = std::string(to_string(diagnostic.severity)) + '[' + diagnostic.code + ']';
  out << paint(style_of(diagnostic.severity), severity) << ' ' << diagnostic.name << ": "
      << paint(Style::bold, printable(diagnostic.message)) << '\n';
  print_excerpt(report, diagnostic, paint, options.width, out);

  const std::string indent(gutter_width(report, diagnostic) + 1, ' ');
  if (!diagnostic.table.rows.empty()) {
    if (!diagnostic.table.phase.empty()) {
      out << indent << paint(Style::gutter, "=") << " the peak, in phase \""
          << printable(diagnostic.table.phase) << "\":\n";
    }
    print_byte_table(diagnostic.table, report, diagnostic.primary.path, "peak", paint, out);
  }
  for (const std::string& note : diagnostic.notes)
    print_aside("note", note, indent, paint, options.width, out);
  if (!diagnostic.help.empty()) print_aside("help", diagnostic.help, indent, paint, options.width, out);
  if (!diagnostic.fixes.empty()) {
    if (diagnostic.help.empty()) {
      print_aside("help", diagnostic.fixes.size() == 1 ? "this mends it" : "any one of these mends it",
                  indent, paint, options.width, out);
    }
    print_fixes(diagnostic, indent, options, out);
  }
  out << '\n';
}

}  // namespace

void emit_text(const Report& report, const EmitOptions& options, std::ostream& out) {
  for (const Diagnostic& diagnostic : report.diagnostics) print_diagnostic(diagnostic, report, options, out);
  for (const std::string& unreadable : report.unreadable_named) {
    out << Painter(options.colour)(Style::error, "error") << ": cannot read " << printable(unreadable)
        << '\n';
  }
  const Summary& summary = report.summary;
  const bool unjudged = summary.without_model + summary.without_card + summary.unreadable > 0;
  if (!report.diagnostics.empty() || unjudged || options.verbose) out << summary_line(report) << '\n';
}

}  // namespace oomlint
