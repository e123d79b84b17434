#pragma once

#include <iosfwd>
#include <string_view>

#include "lint/engine/report.h"

namespace oomlint {

struct EmitOptions {
  bool colour = false;
  unsigned width = 100;
  bool verbose = false;
};

// One function and one file a format, all from the same report.
void emit_text(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_concise(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_json(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_sarif(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_github(const Report& report, const EmitOptions& options, std::ostream& out);

// What `estimate` prints.
void emit_estimate_text(const Report& report, const EmitOptions& options, std::ostream& out);
void emit_estimate_json(const Report& report, const EmitOptions& options, std::ostream& out);

}  // namespace oomlint
