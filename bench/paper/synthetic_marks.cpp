// The paper's first experiment: 5 of 40 words matter, or all of them do. Then the cost of marks on words that do not matter.
#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/study.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kSparseDenseRounds = 4096;
constexpr double kNotHurtMuch = 1.25;

std::vector<Study> sparse_dense_studies(const PaperContext& context, std::int32_t relevant) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kSparseDenseRounds);
  Study study = synthetic_study(settings, "main", synthetic_options(settings, relevant));
  study.entrants = {entrant_of(settings, "ff-oful", rounds, settings.noise),
                    tuned(entrant_of(settings, "oful", rounds, settings.noise), settings.ridges()),
                    entrant_of(settings, "explore-then-commit", rounds, settings.noise),
                    entrant_of(settings, "soft-marks", rounds, settings.noise)};
  return {std::move(study)};
}

/// The chosen ridge, beside the one that the paper chose.
ClaimRule oful_ridge_inside(std::string id) {
  ClaimRule rule = ridge_inside(std::move(id), {"main", "oful"});
  rule.decide = [decide = rule.decide](const Results& results) {
    Decision decision = decide(results);
    decision.numbers.push_back({"the paper's choice", {1.0 / 32.0, 0.0}});
    return decision;
  };
  return rule;
}

/// The two figures differ in the claim.
Figure sparse_dense_figure(std::string name, std::int32_t relevant, std::string title, std::string place, ClaimRule claim) {
  ClaimRule ridge = oful_ridge_inside(name + "-ridge-inside");
  return {.name = std::move(name),
          .title = std::move(title),
          .paper_place = std::move(place),
          .studies = [relevant](const PaperContext& context) { return sparse_dense_studies(context, relevant); },
          .charts = {regret_curves("", fmt::format("{} of 40 words matter", relevant), "main"),
                     tuning_curves("tuning", "How OFUL's ridge was chosen", "main")},
          .tables = {outcomes("main")},
          .claims = {std::move(claim), std::move(ridge)},
          .more_settings = [](const Results& /*results*/) -> SettingRows {
            return {{"T0 of explore-then-commit", "the fewest random rounds that mark every relevant word with probability 0.95"},
                    {"the paper's ridge for OFUL", ridge_text(1.0 / 32.0)}};
          }};
}

// Words that do not matter are marked, too.

constexpr std::int64_t kNoisyRounds = 4096;
constexpr std::int32_t kNoisyRelevant = 5;
constexpr std::int32_t kIrrelevantMarks[] = {0, 2, 5, 10, 20, 35};  // k'; the last, with the k = 5, is all 40 words

std::string irrelevant_name(std::int32_t irrelevant) { return fmt::format("irrelevant-{}", irrelevant); }

double words_marked(std::int32_t irrelevant) { return kNoisyRelevant + irrelevant; }

/// OFUL sees no marks: it plays once, in the first study, for all of them.
std::vector<Study> noisy_marks_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kNoisyRounds);
  std::vector<Study> studies;
  for (const std::int32_t irrelevant : kIrrelevantMarks) {
    WorldOptions options = synthetic_options(settings, kNoisyRelevant);
    options.feedback = FeedbackKind::noisy;
    options.irrelevant_marks = irrelevant;
    Study study = synthetic_study(settings, irrelevant_name(irrelevant), options);
    study.entrants = {entrant_of(settings, "ff-oful", rounds, settings.noise),
                      entrant_of(settings, "soft-marks", rounds, settings.noise)};
    if (irrelevant == 0) study.entrants.push_back(tuned(entrant_of(settings, "oful", rounds, settings.noise), settings.ridges()));
    studies.push_back(std::move(study));
  }
  return studies;
}

/// FF-OFUL's regret as a straight line in k + k'.
StraightLine growth_with_marks(const Results& results) {
  std::vector<double> words;
  std::vector<std::vector<double>> by_trial(results.all().front().entrants.front().trials.size());
  for (const std::int32_t irrelevant : kIrrelevantMarks) {
    words.push_back(words_marked(irrelevant));
    const EntrantResult& marked = results.at({irrelevant_name(irrelevant), "ff-oful"});
    for (std::size_t n = 0; n < by_trial.size(); ++n) by_trial[n].push_back(marked.trials[n].regret);
  }
  return mean_line(words, by_trial);
}

Place oful_on_all_words() { return {irrelevant_name(0), "oful"}; }

ChartRule noisy_marks_chart() {
  PlottedNumbers measured{"ff-oful", {}, SeriesStyle::points};
  PlottedNumbers fitted{"straight line of ff-oful", {}};
  PlottedNumbers soft{"soft-marks", {}, SeriesStyle::points};
  for (const std::int32_t irrelevant : kIrrelevantMarks) {
    const double words = words_marked(irrelevant);
    measured.points.emplace_back(words, regret_of({irrelevant_name(irrelevant), "ff-oful"}));
    soft.points.emplace_back(words, regret_of({irrelevant_name(irrelevant), "soft-marks"}));
    fitted.points.emplace_back(words, [words](const Results& results) {
      const StraightLine line = growth_with_marks(results);
      return Estimate{line.level.mean + line.slope.mean * words, 0.0};
    });
  }
  return number_chart(
      "", {.title = "Irrelevant words are marked too", .x_label = "words that are marked (k + k')", .y_label = "regret"},
      {std::move(measured),
       std::move(fitted),
       std::move(soft),
       {"oful on all words", {{0.0, regret_of(oful_on_all_words())}}, SeriesStyle::reference}});
}

TableRule noisy_marks_table() {
  std::vector<NumberRow> rows;
  for (const std::int32_t irrelevant : kIrrelevantMarks) {
    const Place marked{irrelevant_name(irrelevant), "ff-oful"};
    rows.push_back({fmt::format("{}", irrelevant),
                    {regret_of(marked), regret_difference(marked, oful_on_all_words()), regret_ratio(marked, oful_on_all_words()),
                     features_found_of(marked), regret_of({irrelevant_name(irrelevant), "soft-marks"})}});
  }
  return number_table("FF-OFUL where k' irrelevant words are marked like the 5 relevant ones",
                      {"k'", "regret", "minus that of oful", "over that of oful", "words marked", "regret of soft-marks"},
                      std::move(rows));
}

std::vector<BoundedNumber> differences_to_oful() {
  constexpr std::int32_t features = 40;
  std::vector<BoundedNumber> differences;
  for (const std::int32_t irrelevant : kIrrelevantMarks) {
    if (kNoisyRelevant + irrelevant >= features) continue;
    differences.push_back({fmt::format("ff-oful minus oful at k' = {}", irrelevant),
                           regret_difference({irrelevant_name(irrelevant), "ff-oful"}, oful_on_all_words())});
  }
  return differences;
}

Decision grows_with_marks(const Results& results) {
  const StraightLine line = growth_with_marks(results);
  return {clearly_above(line.slope, 0.0) ? Verdict::holds : Verdict::fails,
          {{"regret for each marked word", line.slope}, {"regret at k + k' = 0", line.level}}};
}

}  // namespace

Figure sparse_figure() {
  return sparse_dense_figure(
      "sparse", 5, "Few words matter", "Experiments, synthetic data, (a): sparse theta*",
      less_regret("sparse-beats-oful", ClaimBy::paper, "FF-OFUL has less regret than tuned OFUL where 5 of 40 words matter.",
                  {"main", "ff-oful"}, {"main", "oful"}));
}

Figure dense_figure() {
  return sparse_dense_figure("dense", 40, "Every word matters", "Experiments, synthetic data, (b): dense theta*",
                             within_factor("dense-within-25-percent", ClaimBy::paper,
                                           "Where all 40 words matter, FF-OFUL's regret is at most 25 % above "
                                           "tuned OFUL's: marks do not hurt much.",
                                           {"main", "ff-oful"}, {"main", "oful"}, kNotHurtMuch));
}

Figure noisy_marks_figure() {
  return {.name = "noisy-marks",
          .title = "Irrelevant words are marked too",
          .paper_place = "Corollary of Theorem 2: k' irrelevant features are marked",
          .studies = noisy_marks_studies,
          .charts = {noisy_marks_chart()},
          .tables = {noisy_marks_table()},
          .claims = {{"noisy-marks-grow-with-words", ClaimBy::paper,
                      "Regret grows with k + k', the number of words that are marked.", grows_with_marks},
                     all_below("noisy-marks-below-oful", ClaimBy::paper,
                               "While k + k' < d, FF-OFUL's regret stays below that of tuned OFUL on all d "
                               "words.",
                               differences_to_oful())}};
}

}  // namespace inkling::bench
