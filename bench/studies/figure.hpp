// A figure as data: the studies that it runs, and the charts, tables and claims that are made of their
// results.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/line_chart.hpp"
#include "bench/studies/paper_settings.hpp"
#include "bench/studies/study.hpp"

namespace inkling::bench {

class Newsgroups;
class MovieReviews;

/// What all figures start from. Lifetime: lends the data, which may be missing.
struct PaperContext {
  PaperSettings settings;
  const Newsgroups* newsgroups = nullptr;
  const MovieReviews* movies = nullptr;
};

/// An entrant of a study.
struct Place {
  std::string study;
  std::string entrant;
};

/// The results of all studies of a figure. Lifetime: lends them.
class Results {
 public:
  Results(const PaperContext& context, std::span<const StudyResult> studies)
      : context_(&context), studies_(studies) {}

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
  ours,   ///< a check of our own: of the experiment, or of what the paper does not speak of
};

struct Measurement {
  std::string name;  ///< as a reader sees it: "regret of ff-oful"
  Estimate value;
};

/// What the results say of a claim.
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
  std::string only_with = {};  ///< a study without which nothing can be said: the claim is then left out
};

/// A chart, named after the figure and its suffix: "" is NAME, "tuning" is NAME-tuning.
struct ChartRule {
  std::string suffix;
  std::function<LineChart(const Results&)> draw;
  std::string only_with = {};
};

/// Whether a table is shown at once, or after a click on its title.
enum class TableView { folded, open };

/// Rows as long as the head; columns from `first_number` on stand right.
struct FigureTable {
  std::string line;  ///< says what it holds
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::size_t first_number = 1;
  TableView view = TableView::folded;
};

struct TableRule {
  std::function<FigureTable(const Results&)> fill;
  std::string only_with = {};
};

/// Names and values of settings, as a reader sees them.
using SettingRows = std::vector<std::pair<std::string, std::string>>;

enum class PaperData { none, newsgroups, movies, both };

struct FigureReport;

/// An entry of a programme's table. What the page says about it in words is in
/// bench/report/templates/PROGRAMME/NAME.md.
struct Figure {
  std::string name = {};         ///< on the command line and of its files
  std::string title = {};        ///< of its section on the page
  std::string paper_place = {};  ///< in words that find it there: "synthetic, sparse theta*"
  PaperData needs = PaperData::none;
  /// All that must be run; empty for a figure of arithmetic alone. Throws what making the worlds throws.
  std::function<std::vector<Study>(const PaperContext&)> studies = {};
  std::vector<ChartRule> charts = {};  ///< the first is the paper's figure
  std::vector<TableRule> tables = {};
  std::vector<ClaimRule> claims = {};
  /// What the words of the page say besides what every study measures.
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

/// Applies the rules of a figure to its results. Deterministic but for times.
[[nodiscard]] FigureReport report_of(const Figure& figure, const Results& results);

}  // namespace inkling::bench
