#include "integrations/emit/excerpt.h"

#include "integrations/emit/display.h"

#include <algorithm>
#include <ostream>
#include <tuple>

namespace oomlint {

namespace {

/// One underlined span on one line; a span over several lines is underlined on its first.
struct Mark {
  std::uint32_t line = 0;
  Span bytes;  ///< within the line
  bool primary = false;
  std::string_view label;
};

Mark mark_of(const SourceFile& source, Span span, bool primary, std::string_view label) {
  const std::uint32_t line =
      source.line_of(std::min(span.begin, static_cast<std::uint32_t>(source.bytes().size())));
  const std::uint32_t start = source.line_start(line);
  const auto size = static_cast<std::uint32_t>(source.line(line).size());
  const std::uint32_t begin = std::min(span.begin - start, size);
  return {line, {begin, std::clamp(span.end - start, begin, size)}, primary, label};
}

/// The marks that fall into one file, in the order they are printed.
std::vector<Mark> marks_in(const SourceFile& source, const Diagnostic& diagnostic) {
  std::vector<Mark> marks;
  const auto add = [&](const Location& location, bool primary, std::string_view label) {
    if (location.path == source.path()) marks.push_back(mark_of(source, location.span, primary, label));
  };
  add(diagnostic.primary, true, diagnostic.primary_label);
  for (const Label& label : diagnostic.related) add(label.location, false, label.text);
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return std::tuple(a.line, a.bytes.begin, !a.primary) < std::tuple(b.line, b.bytes.begin, !b.primary);
  });
  return marks;
}

std::vector<std::string> paths_of(const Diagnostic& diagnostic) {
  std::vector<std::string> paths{diagnostic.primary.path};
  for (const Label& label : diagnostic.related) {
    if (std::find(paths.begin(), paths.end(), label.location.path) == paths.end())
      paths.push_back(label.location.path);
  }
  return paths;
}

/// Prints the lines of one file.
class Excerpt {
 public:
  Excerpt(const SourceFile& source, std::size_t gutter, Style style, const Painter& paint, unsigned width,
          std::ostream& out)
      : source_(source), gutter_(gutter), style_(style), paint_(paint), out_(out) {
    const auto taken = static_cast<unsigned>(gutter + 3);
    width_ = width > taken + 20 ? width - taken : 20;
  }

  void print(const std::vector<Mark>& marks) {
    bar();
    for (std::size_t i = 0; i < marks.size();) {
      std::size_t end = i + 1;
      while (end < marks.size() && marks[end].line == marks[i].line) ++end;
      if (i > 0) gap(marks[i - 1].line, marks[i].line);
      line(std::span(marks).subspan(i, end - i));
      i = end;
    }
    bar();
  }

 private:
  void bar() { out_ << std::string(gutter_ + 1, ' ') << paint_(Style::gutter, "|") << '\n'; }

  void number(std::uint32_t line) {
    out_ << paint_(Style::gutter, right_aligned(std::to_string(line + 1), gutter_) + " |");
  }

  /// Between two printed lines: nothing when they are neighbours, the line itself when it is one, else dots.
  void gap(std::uint32_t before, std::uint32_t after) {
    if (after == before + 2) {
      number(before + 1);
      const ShownLine shown(source_.line(before + 1), {}, width_);
      if (!shown.text().empty()) out_ << ' ' << shown.text();
      out_ << '\n';
    } else if (after > before + 2) {
      out_ << paint_(Style::gutter, "...") << '\n';
    }
  }

  void line(std::span<const Mark> marks) {
    const auto primary =
        std::find_if(marks.begin(), marks.end(), [](const Mark& mark) { return mark.primary; });
    const Mark& focus = primary == marks.end() ? marks.front() : *primary;
    const ShownLine shown(source_.line(focus.line), focus.bytes, width_);
    number(focus.line);
    if (!shown.text().empty()) out_ << ' ' << shown.text();
    out_ << '\n';
    for (const Mark& mark : marks) {
      const unsigned column = shown.column(mark.bytes.begin);
      const unsigned length = std::max(1U, shown.column(mark.bytes.end) - column);
      const Style style = mark.primary ? style_ : Style::gutter;
      std::string underline(length, mark.primary ? '^' : '-');
      if (!mark.label.empty()) underline += ' ' + printable(mark.label);
      out_ << std::string(gutter_ + 1, ' ') << paint_(Style::gutter, "|") << std::string(column + 1, ' ')
           << paint_(style, underline) << '\n';
    }
  }

  const SourceFile& source_;
  std::size_t gutter_;
  Style style_;
  const Painter& paint_;
  unsigned width_;
  std::ostream& out_;
};

}  // namespace

const SourceFile* source_of(const Report& report, const std::string& path) {
  const auto found = report.sources.find(path);
  return found == report.sources.end() ? nullptr : found->second.get();
}

std::string place_text(const Report& report, const Location& location) {
  const SourceFile* source = source_of(report, location.path);
  std::string text = printable(location.path);
  if (source == nullptr) return text;
  const Position at = source->position(location.span.begin);
  return text + ':' + std::to_string(at.line + 1) + ':' + std::to_string(at.code_point_column + 1);
}

std::size_t gutter_width(const Report& report, const Diagnostic& diagnostic) {
  std::uint32_t last = 0;
  const auto look = [&](const Location& location) {
    if (const SourceFile* source = source_of(report, location.path)) {
      last = std::max(last, source->position(location.span.begin).line + 1);
    }
  };
  look(diagnostic.primary);
  for (const Label& label : diagnostic.related) look(label.location);
  return std::max<std::size_t>(std::to_string(last).size(), 2);
}

void print_excerpt(const Report& report, const Diagnostic& diagnostic, const Painter& paint, unsigned width,
                   std::ostream& out) {
  const std::size_t gutter = gutter_width(report, diagnostic);
  const std::string indent(gutter, ' ');
  bool first = true;
  for (const std::string& path : paths_of(diagnostic)) {
    const SourceFile* source = source_of(report, path);
    const auto marks = source == nullptr ? std::vector<Mark>{} : marks_in(*source, diagnostic);
    Location head = diagnostic.primary;
    std::string_view label;
    if (!first) {
      const auto related = std::find_if(diagnostic.related.begin(), diagnostic.related.end(),
                                        [&](const Label& other) { return other.location.path == path; });
      head = related->location;
      label = related->text;
    }
    out << indent << paint(Style::gutter, first ? "-->" : ":::") << ' ' << place_text(report, head);
    if (source == nullptr && !first) out << ": " << printable(label);
    out << '\n';
    if (source != nullptr)
      Excerpt(*source, gutter, style_of(diagnostic.severity), paint, width, out).print(marks);
    first = false;
  }
}

}  // namespace oomlint
