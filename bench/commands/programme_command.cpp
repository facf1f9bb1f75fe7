#include "bench/commands/programme_command.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/paper_options.hpp"
#include "bench/paper/output/figure_files.hpp"
#include "bench/paper/output/paper_page.hpp"
#include "bench/paper/output/paper_run.hpp"
#include "bench/paper/output/summary_json.hpp"
#include "bench/paper/paper_data.hpp"
#include "bench/report/machine_facts.hpp"
#include "bench/studies/workbench.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/mapped_file.hpp"
#include "io/file/output_file.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling::bench {
namespace {

/// Tells one build of this program from another, so that no trials of an older one are taken for its own.
std::string this_program() {
  const MappedFile program("/proc/self/exe");
  return fmt::format("{:016x}", checksum_of(program.bytes()));
}

/// A figure with all that it will run.
struct PlannedFigure {
  const Figure* figure;
  std::vector<Study> studies;
};

double expected_seconds_of(const std::vector<PlannedFigure>& plan) {
  double seconds = 0.0;
  for (const PlannedFigure& planned : plan) {
    for (const Study& study : planned.studies) seconds += expected_seconds(study);
  }
  return seconds;
}

/// Steps of the progress line: milliseconds of expected work.
std::uint64_t steps(double seconds) {
  constexpr double a_second = 1000.0;
  return static_cast<std::uint64_t>(std::llround(seconds * a_second));
}

class PageMaker {
 public:
  explicit PageMaker(PaperRequest request) : request_(std::move(request)) {
    run_.programme = request_.programme;
    run_.settings = request_.settings;
    run_.machine = rows_of(machine_facts());
    run_.command = request_.command;
  }

  /// Whatever is finished is on disk, also where this throws.
  void make() {
    const std::string kept = request_.folder + "/kept";
    make_folder(kept);
    const PaperDataSets data = prepare(kept);
    const PaperContext context = data.context(request_.settings);
    const std::vector<PlannedFigure> plan = planned(data, context);
    Progress progress("milliseconds of work", steps(expected_seconds_of(plan)));
    Workbench workbench({.trials_folder = kept + "/trials",
                         .build = this_program(),
                         .check_interruption = throw_if_interrupted,
                         .advance = [&progress](double seconds) { progress.advance(steps(seconds)); },
                         .skip = [&progress](double seconds) { progress.skip(steps(seconds)); }});
    for (std::size_t next = 0; next < plan.size(); ++next) {
      progress.note(std::string(plan[next].figure->name));
      make_figure(plan[next], context, workbench);
      write_summary(std::span(plan).subspan(next + 1));
    }
  }

  [[nodiscard]] const PaperRun& run() const { return run_; }

 private:
  [[nodiscard]] PaperDataSets prepare(const std::string& work) const {
    Progress progress("preparing", 0);
    return prepare_data(
        request_, work, [&progress](std::string_view what) { progress.note(std::string(what)); },
        throw_if_interrupted);
  }

  std::vector<PlannedFigure> planned(const PaperDataSets& data, const PaperContext& context) {
    std::vector<PlannedFigure> plan;
    for (const Figure* figure : request_.figures) {
      if (const std::string missing = data.missing_for(*figure); !missing.empty()) {
        run_.left_out.push_back({figure, "Its data was not found.", missing});
      } else {
        plan.push_back(
            {figure, figure->studies == nullptr ? std::vector<Study>() : figure->studies(context)});
      }
    }
    return plan;
  }

  void make_figure(const PlannedFigure& planned, const PaperContext& context, Workbench& workbench) {
    const Stopwatch watch;
    std::vector<StudyResult> results;
    results.reserve(planned.studies.size());
    for (const Study& study : planned.studies) results.push_back(workbench.run(planned.figure->name, study));
    FigureOutcome outcome{planned.figure, planned.figure->report(context, results), 0.0};
    outcome.seconds = watch.seconds();
    write_figure_files(request_.folder, *planned.figure, outcome.report);
    run_.figures.push_back(std::move(outcome));
  }

  /// After each figure, so that a page is there while a long run goes on and when it is stopped.
  void write_summary(std::span<const PlannedFigure> still_to_come) {
    run_.seconds = watch_.seconds();
    PaperRun so_far = run_;
    for (const PlannedFigure& planned : still_to_come) {
      so_far.left_out.push_back({planned.figure, "The run has not come to it yet, or was stopped before.",
                                 "The same command goes on where it was."});
    }
    write_file(request_.folder + "/summary.json", summary_json(so_far));
    write_file(request_.folder + "/index.html", paper_page(so_far));
  }

  PaperRequest request_;
  PaperRun run_;
  Stopwatch watch_;
};

std::string claims_text(const PaperRun& run, const std::string& folder, Colour colour) {
  const Style style(colour);
  std::string text;
  for (const FigureOutcome& outcome : run.figures) {
    for (const Claim& claim : outcome.report.claims) {
      text += fmt::format("{:<15} {}\n", verdict_text(claim.verdict), claim.sentence);
    }
  }
  for (const LeftOut& left_out : run.left_out) {
    text += fmt::format("{:<15} {}: {}\n", "left out", left_out.figure->name, left_out.remedy);
  }
  const VerdictCounts counts = count_verdicts(run);
  text += style.bold(fmt::format("{} of {} claims hold, {} do not, {} cannot be compared", counts.holds,
                                 counts.all(), counts.fails, counts.not_comparable)) +
          fmt::format("; {} figures in {}.\n{}/index.html has them all, with plots and numbers.\n",
                      run.figures.size(), short_duration(std::chrono::seconds(std::llround(run.seconds))),
                      folder);
  return text;
}

int run_programme(const Programme& programme, const ParsedOptions& options) {
  const PaperRequest request = request_of(programme, options);
  if (options.flag("fresh")) std::filesystem::remove_all(request.folder + "/kept/trials");
  PageMaker maker(request);
  ThreadLimit threads(threads_of(options));
  threads.run([&] { maker.make(); });
  const Colour colour = terminal_facts(Stream::output).colour;
  fmt::print("{}", options.flag("json") ? summary_json(maker.run())
                                        : claims_text(maker.run(), request.folder, colour));
  return ExitCode::ok;
}

}  // namespace

Command programme_command(const Programme& programme) {
  return command_of(option_table_of(programme),
                    [&programme](const ParsedOptions& options) { return run_programme(programme, options); });
}

}  // namespace inkling::bench
