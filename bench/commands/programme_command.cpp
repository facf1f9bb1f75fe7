#include <chrono>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/programme_options.hpp"
#include "bench/report/machine_facts.hpp"
#include "bench/report/report.hpp"
#include "bench/studies/programme_output.hpp"
#include "bench/studies/study.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/cli/stopwatch.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/threads_option.hpp"

namespace inkling::bench {
namespace {

/// Identifies this build of the program, so that it does not reuse trials of another one.
std::string this_program() {
  const MappedFile program("/proc/self/exe");
  return fmt::format("{:016x}", checksum_of(program.bytes()));
}

std::string kept_folder(const ProgrammeRequest& request) { return request.folder + "/kept"; }

/// A figure with all that it will run.
struct PlannedFigure {
  const Figure* figure;
  std::vector<Study> studies;
};

std::uint64_t planned_rounds(const std::vector<PlannedFigure>& plan) {
  std::int64_t rounds = 0;
  for (const PlannedFigure& planned : plan)
    for (const Study& study : planned.studies) rounds += rounds_of(study);
  return static_cast<std::uint64_t>(rounds);
}

class ProgrammeRunner {
 public:
  explicit ProgrammeRunner(ProgrammeRequest request) : request_(std::move(request)), run_(request_.run) {
    run_.machine = machine_facts();
  }

  /// Finished studies are on disk even if this throws.
  void run() {
    const std::string kept = kept_folder(request_);
    const PaperDataSets data = prepare(kept);
    if (data.reviews && !data.reviews->asreview.missing.empty())
      notes_.push_back(data.reviews->asreview.missing + "; its row is missing");
    const PaperContext context = data.context(run_.settings);
    const std::vector<PlannedFigure> plan = planned(data, context);
    make_folder(kept + "/trials");
    Progress progress("rounds", planned_rounds(plan));
    const auto steps = [](std::int64_t rounds) { return static_cast<std::uint64_t>(rounds); };
    StudyRunOptions running{.build = this_program(),
                            .note = [this](const std::string& text) { notes_.push_back(text); },
                            .check_interruption = throw_if_interrupted,
                            .advance = [&](std::int64_t rounds) { progress.advance(steps(rounds)); },
                            .skip = [&](std::int64_t rounds) { progress.skip(steps(rounds)); }};
    for (std::size_t next = 0; next < plan.size(); ++next) {
      progress.note(fmt::format("figure {} of {}: {}", next + 1, plan.size(), plan[next].figure->name));
      running.log = fmt::format("{}/trials/{}-", kept, plan[next].figure->name);
      make_figure(plan[next], context, running);
      write_summary(std::span(plan).subspan(next + 1));
    }
  }

  [[nodiscard]] const ProgrammeRun& outcome() const { return run_; }
  /// Warnings about the logs of earlier runs.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  [[nodiscard]] PaperDataSets prepare(const std::string& work) const {
    Progress progress("preparing", 0);
    const auto announce = [&progress](std::string_view what) { progress.note(std::string(what)); };
    return prepare_data(request_.wanted, work, announce, throw_if_interrupted);
  }

  std::vector<PlannedFigure> planned(const PaperDataSets& data, const PaperContext& context) {
    std::vector<PlannedFigure> plan;
    for (const Figure* figure : request_.wanted.figures)
      if (const std::string missing = data.missing_for(*figure); !missing.empty())
        run_.left_out.push_back({figure, "Its data was not found.", missing});
      else
        plan.push_back({figure, figure->studies ? figure->studies(context) : std::vector<Study>()});
    return plan;
  }

  void make_figure(const PlannedFigure& planned, const PaperContext& context, const StudyRunOptions& running) {
    const Stopwatch watch;
    const Figure& figure = *planned.figure;
    FigureOutcome outcome{.figure = &figure, .report = {}, .studies = {}};
    for (const Study& study : planned.studies) outcome.studies.push_back(run_study(study, running));
    outcome.report = report_of(figure, Results(context, outcome.studies));
    outcome.seconds = watch.seconds();
    write_file(fmt::format("{}/{}.csv", request_.folder, figure.name), figure_csv(figure, outcome.report));
    run_.figures.push_back(std::move(outcome));
  }

  /// Called after each figure, so that a stopped run leaves a summary of the finished ones.
  void write_summary(std::span<const PlannedFigure> still_to_come) {
    run_.seconds = watch_.seconds();
    const std::size_t left_out = run_.left_out.size();
    for (const PlannedFigure& planned : still_to_come)
      run_.left_out.push_back({planned.figure, "The run was stopped before this figure.", "The same command continues."});
    write_file(request_.folder + "/summary.json", summary_json(run_));
    run_.left_out.resize(left_out);
  }

  ProgrammeRequest request_;
  ProgrammeRun run_;
  std::vector<std::string> notes_;
  Stopwatch watch_;
};

/// "Claims of the paper: 14 of 20 hold"; nothing if there are none.
std::string count_text(std::string_view which, const VerdictCounts& counts) {
  if (counts.all() == 0) return "";
  std::string text = fmt::format("{}: {} of {} hold", which, counts.holds, counts.all());
  if (counts.not_comparable > 0) text += fmt::format(", {} cannot be compared", counts.not_comparable);
  return text + "\n";
}

std::string claims_text(const ProgrammeRun& run, const std::string& folder, bool drawn, Colour colour) {
  std::string text;
  for (const FigureOutcome& outcome : run.figures)
    for (const Claim& claim : outcome.report.claims)
      text += fmt::format("{:<15} {}\n", verdict_text(claim.verdict), claim.sentence);
  for (const LeftOut& left_out : run.left_out)
    text += fmt::format("{:<15} {}: {}\n", "left out", left_out.figure->name, visible_text(left_out.remedy));
  const Style style(colour);
  text += style.bold(count_text("Claims of the paper", count_verdicts(run, ClaimBy::paper)) +
                     count_text("Checks of ours", count_verdicts(run, ClaimBy::ours)));
  return text + fmt::format("{} figures in {}. {}\n", run.figures.size(),
                            short_duration(std::chrono::seconds(std::llround(run.seconds))),
                            drawn ? fmt::format("{}/index.html shows them.", visible_text(folder))
                                  : fmt::format("Their numbers are in {}.", visible_text(folder)));
}

void warn_of(const std::vector<std::string>& notes, const Programme& programme) {
  for (const std::string& note : notes) warn(programme.name, note);
}

int run_programme(const Programme& programme, const ParsedOptions& options) {
  const ProgrammeRequest request = request_of(programme, options);
  const WriterLock lock = held_folder(kept_folder(request));
  if (options.flag("fresh")) std::filesystem::remove_all(kept_folder(request) + "/trials");
  ProgrammeRunner runner(request);
  ThreadLimit threads(threads_of(options));
  try {
    threads.run([&] { runner.run(); });
  } catch (...) {
    warn_of(runner.notes(), programme);
    throw;
  }
  warn_of(runner.notes(), programme);
  const bool drawn = draw_report(request.folder);
  const Colour colour = terminal_facts(Stream::output).colour;
  fmt::print(
      "{}", options.flag("json") ? summary_json(runner.outcome()) : claims_text(runner.outcome(), request.folder, drawn, colour));
  return ExitCode::ok;
}

}  // namespace

Command programme_command(const Programme& programme) {
  return command_of(option_table_of(programme),
                    [&programme](const ParsedOptions& options) { return run_programme(programme, options); });
}

}  // namespace inkling::bench
