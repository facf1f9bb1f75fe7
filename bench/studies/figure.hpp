// What figures are run with, and a figure as data: the studies that it runs, and the charts, tables and claims
// that are made of their results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/report.hpp"
#include "bench/studies/study.hpp"
#include "engine/model/confidence_radius.hpp"

namespace inkling::bench {

enum class PaperEffort {
  full,   ///< 100 trials and the horizons below
  quick,  ///< 20 trials, every other ridge, and a quarter of each horizon: the shapes, not the figures
};

/// The settings of a reproduction of the paper. "Open" means that the paper does not give the value.
struct PaperSettings {
  PaperEffort effort = PaperEffort::full;
  std::int64_t trials = 100;  ///< the paper's
  std::int64_t tuning_trials = 10;
  std::uint64_t seed = 1;
  double noise = 0.5;                                  ///< R of rewards x.theta* + noise; open in the paper
  double norm_bound = ConfidenceOptions{}.norm_bound;  ///< S, and the norm of theta*; open in the paper
  double logistic_norm = 5.0;                          ///< the same where a logistic makes rewards +1 or -1; open in the paper
  double label_noise = 0.1;                            ///< R given to policies if a label is the reward, which has no noise; open
  double delta = ConfidenceOptions{}.delta;            ///< open in the paper
  std::int32_t words = 8;                              ///< drawn for a synthetic document; open in the paper
  double mark_probability = 0.1;                       ///< p, the paper's
  std::optional<std::int64_t> rounds = {};             ///< in place of every figure's own horizon

  /// A figure's horizon: `rounds` where given; else the figure's own, or a quarter of it.
  [[nodiscard]] std::int64_t horizon(std::int64_t usual) const;

  /// Every step-th of the paper's grid 2^-7 ... 2^10, from the least on; half as many in a quick run.
  [[nodiscard]] std::vector<double> ridges(std::size_t step = 1) const;

  [[nodiscard]] ConfidenceOptions confidence(double assumed_noise) const { return {assumed_noise, norm_bound, delta}; }
};

/// The ridges over which the paper tunes OFUL: 2^-7 ... 2^10.
[[nodiscard]] std::vector<double> tuning_grid();

struct Newsgroups;
struct MovieReviews;
struct SearchPools;
struct ReviewCollection;

/// What all figures start from. Lifetime: lends the data, which may be missing.
struct PaperContext {
  PaperSettings settings;
  const Newsgroups* newsgroups = nullptr;
  const MovieReviews* movies = nullptr;
  const SearchPools* searches = nullptr;
  const ReviewCollection* reviews = nullptr;
};

/// An entrant of a study.
struct Place {
  std::string study;
  std::string entrant;
};

/// The results of all studies of a figure. Lifetime: lends them.
class Results {
 public:
  Results(const PaperContext& context, std::span<const StudyResult> studies) : context_(&context), studies_(studies) {}

  [[nodiscard]] const PaperContext& context() const { return *context_; }
  [[nodiscard]] const PaperSettings& settings() const { return context_->settings; }
  [[nodiscard]] std::span<const StudyResult> all() const { return studies_; }
  [[nodiscard]] bool has(std::string_view study) const;
  /// Requires: it was run.
  [[nodiscard]] const StudyResult& study(std::string_view name) const;
  [[nodiscard]] const EntrantResult& at(const Place& place) const;

 private:
  const PaperContext* context_;
  std::span<const StudyResult> studies_;
};

/// A number that can be computed from the results: a point of a chart, a cell of a table, a part of a claim.
using Number = std::function<Estimate(const Results&)>;

struct NamedNumber {
  std::string name;
  Number number;
};

enum class Verdict { holds, fails, not_comparable };

/// "holds", "does not hold", "not comparable".
[[nodiscard]] std::string_view verdict_text(Verdict verdict);

enum class ClaimBy {
  paper,  ///< the paper says it, or shows it in a figure
  ours,   ///< our own check of the experiment, or of something that the paper does not mention
};

struct Measurement {
  std::string name;  ///< as a reader sees it: "regret of ff-oful"
  Estimate value;
};

/// The verdict of the results on a claim.
struct Decision {
  Verdict verdict = Verdict::not_comparable;
  std::vector<Measurement> numbers;
};

/// One statement that numbers decide.
struct ClaimRule {
  std::string id;  ///< for programs; unique over all figures: "sparse-beats-oful"
  ClaimBy whose;
  std::string sentence;  ///< "FF-OFUL has less regret than tuned OFUL where 5 of 40 features matter."
  std::function<Decision(const Results&)> decide;
  std::string only_with = {};  ///< the study that the claim needs: without it the claim is left out
};

/// A chart, named after the figure and its suffix: "" is NAME, "tuning" is NAME-tuning.
struct ChartRule {
  std::string suffix;
  std::function<LineChart(const Results&)> draw;
  std::string only_with = {};
};

struct TableRule {
  std::function<FigureTable(const Results&)> fill;
  std::string only_with = {};
};

enum class PaperData { none, newsgroups, movies, searches, reviews };

struct FigureReport;

/// An entry of a programme's table. What the page says about it in words is in
/// bench/report/templates/PROGRAMME/NAME.md.
struct Figure {
  std::string name = {};         ///< on the command line and of its files
  std::string title = {};        ///< of its section on the page
  std::string paper_place = {};  ///< in words that find it there: "synthetic, sparse theta*"
  PaperData needs = PaperData::none;
  /// The studies to run; empty for a figure of arithmetic alone. Throws the errors of making the worlds.
  std::function<std::vector<Study>(const PaperContext&)> studies = {};
  std::vector<ChartRule> charts = {};  ///< the first is the paper's figure
  std::vector<TableRule> tables = {};
  std::vector<ClaimRule> claims = {};
  /// Values for the text of the page, besides those that every study measures.
  std::vector<NamedNumber> facts = {};
  /// Settings besides those that every study has.
  std::function<SettingRows(const Results&)> more_settings = {};
};

/// A claim with its verdict.
struct Claim {
  std::string id;
  ClaimBy whose = ClaimBy::ours;
  std::string sentence;
  Verdict verdict = Verdict::not_comparable;
  std::vector<Measurement> numbers = {};
};

struct FigureChart {
  std::string suffix;
  LineChart chart;
};

/// What a figure shows. Everything in `charts` is the same for the same settings and seed, at any number of
/// threads: the CSV is written from it. Times belong in tables.
struct FigureReport {
  SettingRows settings;
  std::vector<FigureChart> charts;
  std::vector<FigureTable> tables;
  std::vector<Claim> claims;
  std::vector<Measurement> facts;
};

/// Applies the rules of a figure to its results. Deterministic except for times.
[[nodiscard]] FigureReport report_of(const Figure& figure, const Results& results);

/// A list of figures: what a command runs, and the words of its help.
struct Programme {
  std::string_view name;     ///< of the command, and of the folder of its templates
  std::string_view purpose;  ///< of the command, a sentence
  std::string_view example;  ///< a command line that works
  std::string_view title;    ///< of the page
  std::int64_t trials = 100;
  std::int64_t quick_trials = 20;
  std::int64_t tuning_trials = 10;
  std::int64_t quick_tuning_trials = 4;
  std::span<const Figure> (*figures)() = nullptr;
  /// Has figures in which searches are compared: in a pool of the user's, and with programs of others.
  bool compares_searches = false;
};

}  // namespace inkling::bench
