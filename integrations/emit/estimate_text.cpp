#include "integrations/emit/byte_table.h"
#include "integrations/emit/display.h"
#include "integrations/emit/emit.h"
#include "integrations/emit/style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace oomlint {

namespace {

constexpr std::string_view indent = "  ";
constexpr std::size_t label_width = 10;

std::string decimal(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string percent(double fraction) {
  return decimal(std::round(fraction * 100.0), 0) + " %";
}

/// "8.03 B", "3.2 M", "512": counts that people read, in short-scale steps.
std::string shortened(double count) {
  constexpr std::array<std::pair<double, std::string_view>, 4> steps{
      {{1e12, " T"}, {1e9, " B"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto& [size, letter] : steps) {
    if (count >= size) return decimal(count / size, 2) + std::string(letter);
  }
  return decimal(count, 0);
}

std::string scientific(double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.2e", value);
  return text.data();
}

std::string hours(double seconds) {
  const double value = seconds / 3600.0;
  return decimal(value, value < 10.0 ? 2 : value < 100.0 ? 1 : 0);
}

/// Prints what one run comes to.
class RunPrinter {
 public:
  RunPrinter(const RunReport& run, const Report& report, const EmitOptions& options, std::ostream& out)
      : run_(run), report_(report), options_(options), paint_(options.colour), out_(out) {}

  void print() {
    header();
    const Evaluation& evaluation = run_.evaluation;
    if (run_.fragment) {
      line("verdict", "unknown: a fragment, neither model nor batch is named");
    } else if (!evaluation.estimated || evaluation.likely.phases.empty()) {
      line("verdict", "unknown: " + missing_text());
    } else {
      phases();
      peak();
      intervals();
      verdict();
      unknowns();
    }
    compute();
    if (evaluation.disk.count() > 0)
      line("disk", gib(evaluation.disk) + " for the checkpoints that are kept");
    if (!evaluation.evidence.empty()) line("evidence", evaluation.evidence);
  }

 private:
  [[nodiscard]] int decimals() const { return gib_decimals(run_.evaluation.device.likely.count()); }
  [[nodiscard]] std::string gib(Bytes bytes) const {
    return bytes.overflowed() ? to_string(bytes) : gib_text(bytes.count(), decimals());
  }

  void line(std::string_view label, std::string_view text) {
    const std::string head = std::string(indent) + padded(std::string(label), label_width);
    out_ << head << wrapped(printable(text), options_.width, head.size()) << '\n';
  }

  /// ", name value" for a known field.
  void append(std::string& text, Field field, std::string_view before, std::string_view after = {}) const {
    const Value& value = run_.plan[field];
    if (!value.known()) return;
    if (!text.empty()) text += ", ";
    text.append(before).append(to_string(value.effective)).append(after);
  }

  void header() {
    std::string files;
    for (const std::string& file : run_.files) files += (files.empty() ? "" : " + ") + printable(file);
    out_ << paint_(Style::bold, files) << " (" << run_.dialect;
    if (!run_.stack.empty() && run_.stack != run_.dialect) out_ << ", runs as " << run_.stack;
    out_ << ")\n";
    model();
    std::string method;
    append(method, Field::method, "");
    append(method, Field::quantisation, "");
    if (run_.plan.text(Field::method) != "full") append(method, Field::lora_rank, "rank ");
    append(method, Field::weight_dtype, "weights ");
    append(method, Field::compute_dtype, "computes in ");
    append(method, Field::optimizer, "");
    if (!method.empty()) line("method", method);
    std::string batch;
    append(batch, Field::micro_batch, "micro batch ");
    append(batch, Field::sequence_length, "", " tokens");
    append(batch, Field::accumulation, "accumulation ");
    append(batch, Field::checkpointing, "checkpointing ");
    append(batch, Field::attention, "attention ");
    append(batch, Field::loss, "loss ");
    if (!batch.empty()) line("batch", batch);
    std::string card =
        run_.card ? run_.card->name + ", " + gib_text(run_.evaluation.usable.count()) + " usable" : "unknown";
    append(card, Field::world, "world ");
    append(card, Field::nodes, "nodes ");
    append(card, Field::sharding, "sharding ");
    line("card", card);
  }

  void model() {
    std::string text = "unknown";
    if (const auto name = run_.plan.text(Field::model)) text = *name;
    std::uint64_t parameters = run_.model.shape.total_parameters;
    if (parameters == 0 && run_.model.shape.complete) parameters = count_parameters(run_.model.shape).total;
    if (parameters == 0)
      parameters = static_cast<std::uint64_t>(run_.plan.count(Field::parameters).value_or(0));
    if (parameters > 0) text += ", " + shortened(static_cast<double>(parameters)) + " parameters";
    if (!run_.model.how.empty()) text += " (" + run_.model.how + ")";
    line("model", text);
  }

  [[nodiscard]] std::string missing_text() const {
    std::string text;
    for (const Field field : run_.evaluation.missing)
      text += (text.empty() ? "" : ", ") + std::string(name_of(field));
    return text.empty() ? "nothing to add up" : text + " decides and is not known";
  }

  void phases() {
    const Estimate& likely = run_.evaluation.likely;
    std::size_t width = 0;
    for (const PhaseEstimate& phase : likely.phases)
      width = std::max<std::size_t>(width, display_width(to_string(phase.phase)));
    out_ << '\n' << indent << "allocated in each phase\n";
    for (std::size_t i = 0; i < likely.phases.size(); ++i) {
      const PhaseEstimate& phase = likely.phases[i];
      const std::string text =
          padded(to_string(phase.phase), width) + "  " + right_aligned(gib(phase.total()), 10);
      const bool is_peak = i == likely.peak_index;
      out_ << indent << (is_peak ? " > " : "   ") << (is_peak ? paint_(Style::bold, text) : text) << '\n';
    }
  }

  void peak() {
    const Estimate& likely = run_.evaluation.likely;
    ByteTable table;
    for (const Term& term : likely.peak().terms) {
      if (term.bytes.count() == 0) continue;
      ByteRow row{
          to_string(term.kind), term.bytes.count(), std::string(to_word(term.dtype)), term.formula, {}};
      for (const Field field : term.inputs) {
        const Origin& origin = run_.plan[field].effective_origin;
        if (origin.file < run_.plan.files.size())
          row.inputs.push_back({run_.plan.files[origin.file], origin.span, origin.key});
      }
      table.rows.push_back(std::move(row));
    }
    table.total_bytes = likely.allocated.count();
    out_ << '\n' << indent << "the peak, in phase \"" << to_string(likely.peak().phase) << "\"\n";
    print_byte_table(table, report_, run_.files.empty() ? "" : run_.files.front(), "allocated", paint_, out_);
  }

  void intervals() {
    const Evaluation& evaluation = run_.evaluation;
    constexpr std::size_t column = 12;
    out_ << '\n'
         << indent << padded("", label_width) << right_aligned("low", column)
         << right_aligned("likely", column) << right_aligned("high", column) << '\n';
    const auto row = [&](std::string_view name, const Interval& interval) {
      out_ << indent << padded(std::string(name), label_width) << right_aligned(gib(interval.low), column)
           << right_aligned(gib(interval.likely), column) << right_aligned(gib(interval.high), column)
           << '\n';
    };
    row("allocated", evaluation.allocated);
    row("reserved", evaluation.reserved);
    row("device", evaluation.device);
    if (evaluation.likely.host.count() > 0) line("host", gib(evaluation.likely.host) + " in host memory");
    out_ << '\n';
  }

  void verdict() {
    const Evaluation& evaluation = run_.evaluation;
    std::string text;
    if (evaluation.free_fraction) {
      const double free = *evaluation.free_fraction;
      if (free >= 0) {
        text = ": " + percent(free) + " of the card is likely free";
      } else if (evaluation.verdict == Verdict::over) {
        text = ": likely " + percent(-free) + " more than the card has";
      } else {
        text = ": cached blocks may fill the card; the allocator gives them back when it must";
      }
      if (free >= 0 && free < recommended_free)
        text += ", less than the recommended " + percent(recommended_free);
    } else if (!evaluation.missing.empty()) {
      text = ": " + missing_text() + "; the figures are a lower bound";
    } else if (!run_.card) {
      text = evaluation.verdict == Verdict::over ? ": more than the largest accelerator has"
                                                 : ": no card is named";
    }
    const Style style = evaluation.verdict == Verdict::over    ? Style::error
                        : evaluation.verdict == Verdict::tight ? Style::warning
                                                               : Style::bold;
    out_ << indent << padded("verdict", label_width) << paint_(style, to_string(evaluation.verdict)) << text
         << '\n';
    for (const CardOutlook& outlook : run_.outlook) {
      std::string row = padded(outlook.card.name, 24) +
                        right_aligned(gib_text(outlook.card.capacity.count()), 11) + "  " +
                        padded(to_string(outlook.verdict), 8);
      if (outlook.free_fraction && *outlook.free_fraction >= 0)
        row += percent(*outlook.free_fraction) + " free";
      row.erase(row.find_last_not_of(' ') + 1);
      out_ << indent << padded("", label_width) << row << '\n';
    }
  }

  void unknowns() {
    std::string_view label = "unknown";
    for (const Unknown& unknown : run_.evaluation.unknowns) {
      line(label,
           unknown.name + " taken as " + unknown.likely + " (" + unknown.low + " to " + unknown.high +
               "): " + percent(unknown.share) + " of the interval's width" +
               (unknown.field ? ""
                              : "; a lock file, requirements.txt or [versions] in the settings settles it"));
      label = "";
    }
  }

  /// The share of the cards' peak rate that a duration means.
  [[nodiscard]] std::optional<double> utilisation(const std::optional<double>& seconds) const {
    const ComputeEstimate& compute = run_.evaluation.compute;
    if (!compute.flops || !seconds || *seconds <= 0 || !run_.card || run_.card->peak_flops_16bit <= 0)
      return std::nullopt;
    const auto devices = static_cast<double>(run_.plan.count(Field::world).value_or(1));
    return *compute.flops / (*seconds * run_.card->peak_flops_16bit * devices);
  }

  void compute() {
    const ComputeEstimate& compute = run_.evaluation.compute;
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (compute.tokens_presented) add(shortened(*compute.tokens_presented) + " tokens presented");
    if (compute.tokens_supervised) add(shortened(*compute.tokens_supervised) + " supervised");
    if (compute.tokens_padded) add(shortened(*compute.tokens_padded) + " padded");
    if (compute.flops) {
      add(scientific(*compute.flops) + " FLOPs (" + decimal(compute.flops_per_parameter_token, 0) +
          " a parameter and token)");
    }
    if (!text.empty()) line("compute", text);

    if (compute.seconds_likely) {
      text = hours(*compute.seconds_likely) + " h";
      if (compute.seconds_low && compute.seconds_high) {
        text += " (" + hours(*compute.seconds_low) + " to " + hours(*compute.seconds_high) + " h)";
      }
      const auto best = utilisation(compute.seconds_low);
      const auto worst = utilisation(compute.seconds_high);
      if (run_.plan[Field::tokens_per_second].known()) {
        text += " at the given " + to_string(run_.plan[Field::tokens_per_second].effective) + " tokens/s";
      } else if (best && worst) {
        text += ", taking " + percent(*worst) + " to " + percent(*best) + " of the card's peak rate";
      }
      line("time", text);
    }
    text.clear();
    if (compute.energy_kwh) add(decimal(*compute.energy_kwh, 1) + " kWh");
    if (compute.cost) add("cost " + decimal(*compute.cost, 2));
    if (!text.empty()) line("energy", text);
  }

  static constexpr double recommended_free = 0.20;

  const RunReport& run_;
  const Report& report_;
  const EmitOptions& options_;
  Painter paint_;
  std::ostream& out_;
};

}  // namespace

void emit_estimate_text(const Report& report, const EmitOptions& options, std::ostream& out) {
  bool first = true;
  for (const RunReport& run : report.runs) {
    if (!first) out << '\n';
    first = false;
    RunPrinter(run, report, options, out).print();
  }
  if (report.runs.empty()) {
    out << "no training config recognised in " << report.summary.files_seen
        << (report.summary.files_seen == 1 ? " file\n" : " files\n");
  }
}

}  // namespace oomlint
