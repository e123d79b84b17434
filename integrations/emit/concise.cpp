#include "integrations/emit/display.h"
#include "integrations/emit/emit.h"
#include "integrations/emit/excerpt.h"

#include <ostream>

namespace oomlint {

void emit_concise(const Report& report, const EmitOptions&, std::ostream& out) {
  for (const Diagnostic& diagnostic : report.diagnostics) {
    out << place_text(report, diagnostic.primary) << ": " << to_string(diagnostic.severity) << '['
        << diagnostic.code << "] " << printable(diagnostic.message) << '\n';
  }
  for (const std::string& unreadable : report.unreadable_named)
    out << "error: cannot read " << printable(unreadable) << '\n';
}

}  // namespace oomlint
