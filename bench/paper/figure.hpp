// A figure of the paper as plain data: what it runs, and what came out, for whichever writer shows it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/paper/paper_settings.hpp"
#include "bench/report/line_chart.hpp"
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

enum class Verdict { holds, fails, not_comparable };

/// "holds", "does not hold", "not comparable".
[[nodiscard]] std::string_view verdict_text(Verdict verdict);

struct Measurement {
  std::string name;  ///< as a reader sees it: "regret of ff-oful"
  Estimate value;
};

/// One statement that numbers decide.
struct Claim {
  std::string id;        ///< for programs; unique over all figures: "sparse-beats-oful"
  std::string sentence;  ///< "FF-OFUL has less regret than tuned OFUL where 5 of 40 features matter."
  Verdict verdict = Verdict::not_comparable;
  std::vector<Measurement> numbers;
  std::string why =
      {};  ///< where it does not hold or cannot be compared: why, and under which settings it does
};

/// A chart and the file it goes to, beside its CSV: "" is NAME.svg, "tuning" NAME-tuning.svg.
struct FigureChart {
  std::string suffix;
  LineChart chart;
  std::string caption;  ///< what to see in it; a sentence or two
};

/// Whether a table stands open on the page or behind its line.
enum class TableView { folded, open };

/// Rows as long as the head; columns from `first_number` on stand right.
struct FigureTable {
  std::string line;  ///< says what it holds
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::size_t first_number = 1;
  TableView view = TableView::folded;
};

/// What a figure shows. Everything in `charts` is the same for the same settings and seed, at any number of
/// threads: the CSV is written from it. Times belong in tables.
struct FigureReport {
  std::string paragraph;  ///< what was asked, how it was run, what came out: numbers, not adjectives
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value of all that shaped it
  std::vector<FigureChart> charts;                            ///< the first is the paper's figure
  std::vector<FigureTable> tables;
  std::vector<Claim> claims;
};

enum class PaperData { none, newsgroups, movies, both };

/// An entry of a programme's table.
struct Figure {
  std::string_view name;         ///< on the command line and of its files
  std::string_view title;        ///< of its section on the page
  std::string_view paper_place;  ///< in words that find it there: "synthetic, sparse theta*"
  PaperData needs = PaperData::none;
  /// All that must be run; nothing for a figure of arithmetic alone. Throws what making the worlds throws.
  std::vector<Study> (*studies)(const PaperContext&) = nullptr;
  /// Results in the order of the studies. Deterministic but for times in tables and claims.
  FigureReport (*report)(const PaperContext&, const std::vector<StudyResult>&) = nullptr;
};

}  // namespace inkling::bench
