// `inkling parts plan`: cuts sources into parts for a build on many machines.
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/build_checks.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/build_report.hpp"
#include "io/doors/commands/build_sources.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/doors/steps/step.hpp"
#include "io/parts/shards/job_prediction.hpp"
#include "io/parts/shards/plan_cuts.hpp"

namespace inkling {
namespace {

// The fields that some record must have, as in a build at once.
std::vector<std::string> wanted_fields(const ParsedOptions& options, const SourceOptions& source) {
  std::vector<std::string> fields;
  if (!has_fields(source.format)) return fields;
  fields.push_back(source.text_field);
  if (options.given("id-field")) fields.push_back(source.id_field);
  if (options.given("label-field")) fields.push_back(source.label_field);
  return fields;
}

// Measures the text of the sources if they decide about pairs of words, as a build at once does.
TextRecipe planned_recipe(const ParsedOptions& options, SourceOptions source, const BuildSources& sources) {
  TextRecipe recipe = text_recipe(options);
  if (recipe.longest_ngram != kNgramsBySize) return recipe;
  source.kinds = sources.kinds;
  const std::unique_ptr<DocumentSource> documents = open_source(sources.paths, source);
  MeasuredSource measured(*documents);
  return recipe_for_source(std::move(recipe), measured, static_cast<std::uint64_t>(options.integer("memory")),
                           throw_if_interrupted);
}

struct MadePlan {
  BuildPlan plan;
  std::int64_t links_left_out = 0;
};

MadePlan plan_of(const ParsedOptions& options) {
  for (const std::string& source : options.positionals())
    if (source == "-") throw UsageError("standard input (-) cannot be planned: every worker reads its part of a file");
  BuildPlan plan;
  plan.source = source_options(options);
  const BuildSources sources = build_sources(options, plan.source);
  for (const std::string& text : sources.remarks) tell(fmt::format("inkling parts plan: {}\n", visible_text(text)));
  if (is_matrix_format(sources.format))
    throw UsageError(
        fmt::format("a {} matrix is taken as it is: it has no words to count, so inkling build "
                    "--out SHARD makes a pool of each of its files",
                    sources.format));
  check_fields_of_format(options, sources);
  plan.source.format = sources.format;
  plan.source.delimiter = sources.delimiter;
  plan.program_version = std::string(program_version);
  plan.sources = options.positionals();
  for (const std::string& source : plan.sources) plan.roots.push_back(planned_root(source));
  plan.wanted_fields = wanted_fields(options, plan.source);
  plan.texts = options.flag("keep-text") ? TextKeeping::keep : TextKeeping::drop;
  plan.may_be_empty = options.flag("allow-empty");
  PartRequest wanted;
  wanted.bytes = static_cast<std::uint64_t>(options.integer("part-size"));
  if (options.has("parts")) wanted.parts = options.integer("parts");
  const auto files_of = [&](const std::vector<std::string>& paths) {
    return planned_files(paths, plan.source.reading.unpacking.follow_links, static_cast<std::uint64_t>(options.integer("memory")),
                         throw_if_interrupted);
  };
  auto [files, links_left_out] = files_of(sources.kinds.empty() ? sources.paths : std::vector<std::string>());
  for (std::size_t n = 0; n < sources.kinds.size(); ++n) {
    PlannedFiles more = files_of({sources.paths[n]});
    for (PlannedFile& file : more.files) files.emplace_back(std::move(file)).kind = sources.kinds[n];
    links_left_out += more.links_left_out;
  }
  if (options.has("vectors")) plan.vectors = planned_vectors(options.text("vectors"), throw_if_interrupted);
  plan.recipe = planned_recipe(options, plan.source, sources);
  plan.parts = parts_of(files, plan.source, wanted, throw_if_interrupted);
  return {.plan = std::move(plan), .links_left_out = links_left_out};
}

// For standard error, apart from the facts, because it is only a prediction.
std::string prediction_text(const BuildPlan& plan) {
  constexpr JobRates rates;
  const JobPrediction job = predicted_job(plan, rates);
  std::string on_cores;
  for (const int cores : {1, 16, 64})
    on_cores += fmt::format("{}{} on {} core{}", on_cores.empty() ? "" : ", ", duration_text(job.seconds_on(cores)), cores,
                            cores == 1 ? "" : "s");
  return fmt::format(
      "inkling parts plan: a prediction, not a measurement: {}; text / {:.0f} MB/s for counting and / {:.0f} "
      "MB/s for building, shared by the cores, but not less than the longest part, {}\n",
      on_cores, rates.counting / 1e6, rates.building / 1e6, duration_text(job.longest_part));
}

int plan_build(const ParsedOptions& options) {
  const std::string& out = step_output(options, "the plan to write");
  const bool as_json = options.flag("json");
  OutputGuard guard;
  for (const std::string& source : options.positionals()) guard.reads("SOURCE", source);
  guard.writes("--out", out);
  const auto [plan, links_left_out] = plan_of(options);
  StepResult result = {.out = out};
  write_sealed_output(result, plan_text(plan), "an inkling plan");
  std::uint64_t bytes = 0;
  for (const PlanPart& part : plan.parts) bytes += part.bytes();
  report_step(
      options, "parts plan", result,
      [&, parts = plan.parts.size(), links = links_left_out] {
        return fmt::format("{} parts of {} bytes in all{}", digit_groups(parts), digit_groups(bytes),
                           links == 0 ? "" : "; links: " + links_text(links));
      },
      [&, &plan = plan, links = links_left_out](JsonWriter& json) {
        const JobPrediction job = predicted_job(plan);
        json.member("parts", plan.parts.size()).member("bytes", bytes);
        json.member("links_left_out", links);
        json.member("predicted_core_seconds", job.work);
        json.member("predicted_longest_part_seconds", job.longest_part);
      });
  if (!as_json) tell_summary([&] { return prediction_text(plan); });
  return ExitCode::ok;
}

}  // namespace

Command plan_step() { return command_of(plan_option_table(), plan_build); }

}  // namespace inkling
