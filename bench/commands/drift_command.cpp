#include "bench/commands/drift_command.hpp"

#include <utility>

#include <fmt/format.h>

#include "io/cli/interruption.hpp"
#include "io/cli/progress.hpp"
#include "io/file/json_writer.hpp"

namespace inkling::bench {
namespace {

std::string_view name_of(FactorKind kind) { return kind == FactorKind::cholmod ? "cholmod" : "dense"; }

OptionGroup options_of_the_run() {
  return {
      .heading = "Run",
      .options = {
          {.name = "updates",
           .kind = Integer{1, 1'000'000'000},
           .value_name = "N",
           .otherwise = "1000000",
           .help = "rewards to learn"},
          {.name = "relevant",
           .kind = Integer{16, 4000},
           .value_name = "M",
           .otherwise = "200",
           .help = "relevant features"},
          {.name = "documents",
           .kind = Integer{1, 10'000'000},
           .value_name = "N",
           .otherwise = "20000",
           .help = "distinct documents, of about 8 relevant features each"},
          {.name = "ridge",
           .kind = Real::above(0.0),
           .value_name = "LAMBDA",
           .otherwise = "1",
           .help = "ridge of the model"},
          {.name = "factor",
           .kind = Choice{{"cholmod", "dense"}},
           .value_name = "KIND",
           .otherwise = "cholmod",
           .help = "how the model keeps its Cholesky factor"},
          {.name = "refine-every",
           .kind = Integer{0},
           .value_name = "N",
           .otherwise = "16384",
           .help = "refine the model after every N rewards, as the policies do; 0 is never"},
          {.name = "seed", .kind = Integer{0}, .value_name = "N", .otherwise = "1", .help = "of all chance"},
      }};
}

DriftOptions options_from(const ParsedOptions& given) {
  return {.updates = given.integer("updates"),
          .relevant = static_cast<std::int32_t>(given.integer("relevant")),
          .documents = static_cast<std::int32_t>(given.integer("documents")),
          .ridge = given.real("ridge"),
          .factor = given.text("factor") == "dense" ? FactorKind::dense : FactorKind::cholmod,
          .refine_every = given.integer("refine-every"),
          .seed = static_cast<std::uint64_t>(given.integer("seed"))};
}

int run(const ParsedOptions& given) {
  const DriftOptions options = options_from(given);
  Progress progress("updates", static_cast<std::uint64_t>(options.updates));
  const DriftReport report = measure_drift(options, [&](std::int64_t updates) {
    throw_if_interrupted();
    progress.advance(static_cast<std::uint64_t>(updates));
  });
  progress.finish();
  fmt::print("{}", given.flag("json") ? drift_json(options, report) + "\n" : drift_table(options, report));
  return ExitCode::ok;
}

std::string verdict(const DriftFigure& figure) {
  if (!figure.required) return "";
  return fmt::format("{:>9.1e}  {}", *figure.required, figure.passes() ? "pass" : "FAIL");
}

}  // namespace

std::string drift_table(const DriftOptions& options, const DriftReport& report) {
  const std::string refined = options.refine_every == 0
                                  ? "never refined"
                                  : fmt::format("refined every {} rewards", options.refine_every);
  std::string table = fmt::format(
      "{} rewards, {} relevant features, {} documents, ridge {}, {} factor, {}\n"
      "{:.2f} us a reward, {} rebuilds; condition of V {:.2e}, ln det V - m ln ridge {:.4f}\n\n",
      options.updates, options.relevant, options.documents, options.ridge, name_of(options.factor), refined,
      1e6 * report.seconds / static_cast<double>(options.updates), report.rebuilds, report.condition,
      report.log_det_ratio);
  table += fmt::format("{:<48} {:>9}  {:>9}\n", "against extended precision", "error", "required");
  for (const DriftFigure& figure : report.figures) {
    table += fmt::format("{:<48} {:>9.2e}  {}\n", figure.meaning, figure.error, verdict(figure));
  }
  return table;
}

std::string drift_json(const DriftOptions& options, const DriftReport& report) {
  JsonWriter json;
  json.begin_object();
  json.member("updates", options.updates).member("relevant", options.relevant);
  json.member("documents", options.documents).member("ridge", options.ridge);
  json.member("factor", name_of(options.factor)).member("refine_every", options.refine_every);
  json.member("seed", options.seed).member("seconds", report.seconds).member("rebuilds", report.rebuilds);
  json.member("condition", report.condition).member("log_det_ratio", report.log_det_ratio);
  json.key("errors").begin_object();
  for (const DriftFigure& figure : report.figures) {
    json.key(figure.name).begin_object().member("error", figure.error);
    json.key("required");
    if (figure.required) {
      json.value(*figure.required);
    } else {
      json.null();
    }
    json.member("pass", figure.passes()).end_object();
  }
  json.end_object().end_object();
  return json.take();
}

Command drift_command() {
  OptionTable table(
      {.command = "inkling-bench drift",
       .purpose = "Learns many rewards and compares the model with one computed afresh in extended "
                  "precision.",
       .example = "inkling-bench drift --updates 100000 --relevant 100 --factor dense",
       .groups = {options_of_the_run(),
                  {.heading = "Output", .options = {{.name = "json", .help = "print one JSON object"}}}}});
  return command_of(std::move(table), run);
}

}  // namespace inkling::bench
