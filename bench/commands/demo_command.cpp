#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/report/program_file.hpp"
#include "bench/report/report.hpp"
#include "bench/rivals/rival_presets.hpp"
#include "bench/studies/simulation.hpp"
#include "bench/worlds/question_words.hpp"
#include "bench/worlds/screening_world.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/text/function_words.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/search/service/asked_words.hpp"

namespace inkling::bench {
namespace {

constexpr const char* kReview = "datasets/demo/Oud_2018.jsonl.gz";
constexpr const char* kQuestion =
    "Specialized psychotherapies for adults with borderline personality disorder: a systematic review and meta-analysis";
constexpr std::size_t kMarks = 3;     // words that the reader marks in a relevant record, at most
constexpr std::int64_t kDrawn = 200;  // records, by which all methods but chance have found nearly all
constexpr const char* kQuestionReader = "inkling, question";
constexpr std::size_t kWordsShown = 12;
constexpr std::size_t kShortestShown = 3;  // letters: "lt" is what an abstract has left of a sign

OptionTable demo_options() {
  return OptionTable({"inkling-bench demo",
                      "Screens a real systematic review by Inkling and by what others use.",
                      "inkling-bench demo --out demo",
                      {{"The demonstration",
                        {{"out", Path{}, "DIR", "demo", "folder for the pool and the results"},
                         {"readers", Integer{1, 10'000}, "N", "20", "simulated readers, each a trial"},
                         {"seed", Integer{0}, "SEED", "1", "another seed, other records to begin with"},
                         threads_option()}}}});
}

TextRecipe usual_recipe() {
  TextRecipe recipe;
  recipe.longest_ngram = kNgramsBySize;
  return recipe;
}

/// The features that ASReview's package makes for elas_u4.
TextRecipe recipe_of_asreview() {
  TextRecipe recipe = TextRecipe::like_scikit_learn();
  recipe.longest_ngram = 2;
  recipe.weight = TermWeight::sublinear;
  recipe.max_documents.value = 0.95;
  return recipe;
}

/// By the usual recipe, does the same as `inkling build REVIEW --text-field title,abstract --label-field included --keep-text --out POOL`.
TextBuildSummary build_demo_pool(const TextRecipe& recipe, const std::string& pool) {
  const std::string review = program_file(kReview);
  SourceOptions reading;
  reading.format = "jsonl";
  reading.text_field = "title,abstract";
  reading.label_field = "included";
  const std::unique_ptr<DocumentSource> source = open_source({review}, reading);
  TextBuildOptions build;
  build.recipe = recipe;
  build.texts = TextKeeping::keep;
  build.origin = {{review}, "jsonl", std::string(program_version)};
  PoolStaging staging(pool);
  return build_text_pool(*source, build, staging);
}

/// Prints at once, so that a person sees which step is under way.
void say(std::string_view text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

/// A line a step: its name and, once it is done, its result and its time.
template <typename Work>
void step(std::string_view what, std::string_view made, const Work& work) {
  say(fmt::format("{:<8}{:<24}", what, visible_text(made)));
  const Stopwatch watch;
  const std::string outcome = work();
  say(fmt::format(" {:<40}{:>5.1f} s\n", outcome, watch.seconds()));
}

/// The review as its readers meet it. Lifetime: lends the pool.
struct Review {
  const Pool& pool;
  std::vector<bool> relevant;
  std::vector<FeatureId> words;  ///< of the question, as a search proposes them

  explicit Review(const Pool& opened) : pool(opened), words(words_of_sentences(opened.path(), {kQuestion}).front()) {
    const auto included = std::ranges::find(opened.label_names(), "1") - opened.label_names().begin();
    relevant = relevant_records(opened.labels(), static_cast<std::int32_t>(included));
  }
  [[nodiscard]] std::int64_t records() const { return pool.view().documents(); }
  [[nodiscard]] std::int64_t wanted() const { return std::ranges::count(relevant, true); }
};

/// What the reader says of the question; none of it knows a label.
enum class Spoken { ratings, words_at_start, marks };

using Worlds = std::function<World(std::uint64_t trial)>;

Worlds worlds_of(const Review& review, Spoken spoken, std::uint64_t seed) {
  Screening screening{review.pool.view(), review.relevant, nullptr};
  if (spoken == Spoken::marks) {
    const std::vector<FeatureId> words = rarest_first(review.pool.view(), review.words);
    screening.marks = std::make_shared<const CsrMatrix>(marks_in_relevant(review.pool.view(), review.relevant, words, kMarks));
  }
  return
      [screening, seed, words = spoken == Spoken::words_at_start ? review.words : std::vector<FeatureId>()](std::uint64_t trial) {
        World world = make_screening_world(screening, seed, trial);
        for (const FeatureId word : words) world.start.words.push_back({.feature = word, .confidence = kProposedConfidence});
        return world;
      };
}

Entrant entrant_of(std::string_view name, std::string_view policy, const Review& review, std::uint64_t seed) {
  Entrant entrant{.name = std::string(name), .preset = *find_any_preset(policy)};
  entrant.options.with_replacement = false;
  entrant.rounds = review.records() - 2;  // all but the two that are given
  entrant.seed = seed;
  entrant.words_told = review.pool.view().features();
  entrant.end = SearchEnd{};
  return entrant;
}

/// `of_asreview` is the same review with the features of ASReview.
std::vector<Study> studies_of(const Review& usual, const Review& of_asreview, std::int64_t readers, std::uint64_t seed) {
  const auto study = [&](const Review& review, Spoken spoken, const std::vector<std::array<std::string_view, 2>>& players) {
    Study made{.world = worlds_of(review, spoken, seed), .entrants = {}, .trials = readers};
    for (const auto& [name, policy] : players) made.entrants.push_back(entrant_of(name, policy, review, seed));
    return made;
  };
  return {study(usual, Spoken::ratings, {{"inkling", "inkling"}}),
          study(usual, Spoken::words_at_start, {{kQuestionReader, "inkling"}}),
          study(usual, Spoken::marks, {{"inkling, marks", "inkling"}}),
          study(of_asreview, Spoken::ratings, {{"asreview", "asreview"}}),
          study(usual, Spoken::ratings, {{"autotar", "autotar"}, {"random", "random"}})};
}

std::string demo_opening(std::int64_t readers) {
  return fmt::format(
      R"(The records of a systematic review, with what its authors decided of each: Oud et al. 2018,
"{}".
Each of {} readers begins with one record that was included and one that was not, drawn at random,
and reads one record after another until all that were included are found. None of them, and no
method, knows beforehand which these are.

  inkling            what `inkling search` uses, from yes and no alone
  inkling, question  begun with the words that it proposes of the title above
  inkling, marks     up to {} of these words are marked in each included record
  asreview           ASReview's model (elas_u4), with the features that its package makes
  autotar            the baseline of the TREC Total Recall track
  random             any order

)",
      kQuestion, readers, kMarks);
}

/// A number of a search that has found everything; less is better.
struct Measure {
  std::string_view name;
  std::string_view counts;  ///< "records read until all are found"
  double (*of)(const Finds& finds);
};

constexpr std::int64_t kFirst = 25;

double useless_of_first(const Finds& finds) {
  return static_cast<double>(kFirst - std::ranges::count_if(finds.at, [](std::int64_t round) { return round <= kFirst; }));
}

double mean_find(const Finds& finds) {
  return std::accumulate(finds.at.begin(), finds.at.end(), 0.0) / static_cast<double>(finds.at.size());
}

constexpr std::array<Measure, 3> kMeasures = {{
    {"useless of first 25", "useless records among the first 25", useless_of_first},
    {"read for a find, mean", "records read for a find, on average", mean_find},
    {"read for all", "records read until all are found", [](const Finds& finds) { return static_cast<double>(finds.at.back()); }},
}};

std::vector<double> by_search(const EntrantResult& result, const Measure& measure) {
  return by_trial(result, [&](const TrialResult& trial) { return measure.of(*trial.finds); });
}

std::string demo_table(const std::vector<EntrantResult>& results, const Style& style) {
  std::string head = fmt::format("{:<18}", "");
  for (const Measure& measure : kMeasures) head += fmt::format("{:>23}", measure.name);
  std::string text = style.bold(head) + "\n";
  for (std::size_t n = 0; n < results.size(); ++n) {
    text += style.series(fmt::format("{:<18}", results[n].entrant.name), n);
    for (const Measure& measure : kMeasures)
      text +=
          fmt::format("{:>{}}", with_error(estimate_of(by_search(results[n], measure))), results[n].trials.size() > 1 ? 24 : 23);
    text += "\n";
  }
  return text;
}

/// A line for each number of which `ours` needs more than the other method, search by search.
std::string losses_to(const EntrantResult& other, const EntrantResult& ours) {
  std::string lines;
  for (const Measure& measure : kMeasures) {
    std::vector<double> more = by_search(ours, measure);
    std::ranges::transform(more, by_search(other, measure), more.begin(), std::minus());
    const Estimate lost = estimate_of(more);
    if (lost.mean <= 0.0) continue;
    lines += fmt::format("  {} loses to {}: {} more {}{}\n", ours.entrant.name, other.entrant.name, with_error(lost),
                         measure.counts, lost.mean < 2.0 * lost.standard_error ? " (less than twice the error)" : "");
  }
  return lines;
}

std::string demo_losses(const std::vector<EntrantResult>& results) {
  const auto is_ours = [](const EntrantResult& result) { return result.entrant.preset.name == "inkling"; };
  std::string lines;
  for (const EntrantResult& ours : results)
    for (const EntrantResult& other : results)
      if (is_ours(ours) && !is_ours(other)) lines += losses_to(other, ours);
  return lines.empty() ? "Inkling loses to none of the others in any of these numbers.\n"
                       : "Where Inkling loses, search by search:\n" + lines;
}

/// The heaviest words that say something by themselves, and how many records hold each.
std::string demo_words(const EntrantResult& result, const Review& review, const Style& style) {
  std::string text = style.bold(fmt::format("{:<36}records with it: included, others",
                                            fmt::format("Learned by {}, first reader", result.entrant.name))) +
                     "\n";
  std::size_t shown = 0;
  for (const auto& [feature, weight] : result.trials.front().words) {
    const std::string word((*review.pool.vocabulary())[feature]);
    if (word.size() < kShortestShown || says_nothing(word)) continue;
    if (++shown > kWordsShown) break;
    const auto holders = review.pool.view().by_feature.row(feature).features;
    const auto included =
        std::ranges::count_if(holders, [&](std::int32_t record) { return review.relevant[static_cast<std::size_t>(record)]; });
    text += fmt::format("  {:<28} {:+.2f}     {:>9}   {:>6}\n", word, weight, included, std::ssize(holders) - included);
  }
  return text;
}

/// How many of the wanted records were found among the first, mean over the readers with 95 % bands. More than five lines
/// would be drawn apart, so one reader is left out.
LineChart demo_chart(const std::vector<EntrantResult>& results, const Review& review) {
  constexpr double band = 1.96;  // half the width of a 95 % band, in standard errors
  LineChart chart{.title = fmt::format("Included records found among the first {} of {}", kDrawn, digit_groups(review.records())),
                  .x_label = "records read",
                  .y_label = fmt::format("found, of {}", review.wanted() - 1)};
  for (const EntrantResult& result : results) {
    if (result.entrant.name == kQuestionReader) continue;
    Series& line = chart.series.emplace_back(Series{.name = result.entrant.name});
    for (std::int64_t read = 1; read <= kDrawn; ++read) {
      const Estimate found = estimate_over_trials(result, [&](const TrialResult& trial) {
        return static_cast<double>(std::ranges::upper_bound(trial.finds->at, read) - trial.finds->at.begin());
      });
      line.x.push_back(static_cast<double>(read));
      line.y.push_back(found.mean);
      line.low.push_back(found.mean - band * found.standard_error);
      line.high.push_back(found.mean + band * found.standard_error);
    }
  }
  return chart;
}

// How a person here would type the name of a program beside this one: a fresh build is not in PATH.
std::string program_from_here(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return name;
  const auto from_here = std::filesystem::relative(self.parent_path() / name, error);
  return error || from_here.empty() || *from_here.begin() == ".." ? name : from_here.string();
}

void report(const std::vector<EntrantResult>& results, const Review& review, std::uint64_t seed, const std::string& folder) {
  const Style style(terminal_facts(Stream::output).colour);
  const LineChart chart = demo_chart(results, review);
  write_file(folder + "/found.csv", std::string(kChartCsvHead) + chart_csv("found", chart));
  const bool is_drawn =
      draw_picture(chart, fmt::format("Means over {} readers with 95 % bands, seed {}", results.front().trials.size(), seed),
                   folder + "/found.svg");
  fmt::print("\n{}\n{}\n{}\n", demo_table(results, style), demo_losses(results), demo_words(results.front(), review, style));
  if (is_drawn) fmt::print("The searches as a picture: {}/found.svg\n", visible_text(folder));
  fmt::print("The same as numbers: {}/found.csv\n", visible_text(folder));
}

int demo(const ParsedOptions& options) {
  const std::string& folder = options.text("out");
  const std::string pool_path = folder + "/pool";
  const std::string other_path = folder + "/pool-of-asreview";
  const int threads = threads_of(options);
  const auto seed = static_cast<std::uint64_t>(options.integer("seed"));
  const WriterLock lock = held_folder(folder);

  say(demo_opening(options.integer("readers")));
  step("pool", pool_path, [&] {
    const TextBuildSummary built = ThreadLimit(threads).run([&] { return build_demo_pool(usual_recipe(), pool_path); });
    static_cast<void>(ThreadLimit(threads).run([&] { return build_demo_pool(recipe_of_asreview(), other_path); }));
    return fmt::format("{} records, {} words and pairs", digit_groups(built.corpus.documents), digit_groups(built.features));
  });
  const Pool pool = Pool::open(pool_path);
  const Review review(pool);
  const Pool other_pool = Pool::open(other_path);
  std::vector<EntrantResult> results;
  step("search", fmt::format("{} readers", options.integer("readers")), [&] {
    const Review of_asreview(other_pool);
    for (const Study& study : studies_of(review, of_asreview, options.integer("readers"), seed))
      std::ranges::move(run_live(study, threads), std::back_inserter(results));
    return fmt::format("until all {} others are found", review.wanted() - 1);
  });
  report(results, review, seed, folder);
  fmt::print("\nNow search these records yourself: {}\n",
             visible_text(fmt::format("{} search {}", program_from_here("inkling"), pool_path)));
  return ExitCode::ok;
}

}  // namespace

Command demo_command() { return command_of(demo_options(), demo); }

}  // namespace inkling::bench
