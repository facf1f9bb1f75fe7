// The figures on real text, on the paper's data in miniature.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/paper/data/movie_reviews.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/data/screened_reviews.hpp"
#include "bench/paper/data/search_pools.hpp"
#include "bench/paper/figures.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure.hpp"
#include "bench/worlds/world.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/bench/paper/data/small_archives.hpp"
#include "tests/bench/paper/made_up_results.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::bench {
namespace {

using inkling::test::TemporaryFolder, test::run_report;

/// All data sets in miniature, and a context of tiny settings that lends them.
struct SmallData {
  TemporaryFolder folder;
  Newsgroups newsgroups = prepared_newsgroups();
  MovieReviews movies = prepared_reviews();
  SearchPools searches = prepared_searches();
  ReviewCollection reviews = prepared_collection();

  [[nodiscard]] PaperContext context(std::int64_t rounds = 20) const {
    PaperContext context{{}, &newsgroups, &movies, &searches, &reviews};
    context.settings.effort = PaperEffort::quick;
    context.settings.trials = 3;
    context.settings.tuning_trials = 2;
    context.settings.rounds = rounds;
    return context;
  }

 private:
  [[nodiscard]] Newsgroups prepared_newsgroups() const {
    test::write_folder(folder.file("20news-bydate"), test::small_newsgroups());
    return prepare_newsgroups(folder.file("20news-bydate"), folder.file("newsgroups"), [] {}, {{1, 12}, 12});
  }
  [[nodiscard]] MovieReviews prepared_reviews() const {
    test::write_folder(folder.file("unpacked"), test::small_reviews());
    return prepare_reviews(folder.file("unpacked/movies"), folder.file("reviews"), [] {}, {.least = 1, .most = 6});
  }
  [[nodiscard]] SearchPools prepared_searches() const {
    std::filesystem::create_directory(folder.file("searches"));
    return prepare_search_pools(
        folder.file("20news-bydate"), folder.file("unpacked/movies"), folder.file("searches"), [](std::string_view) {}, [] {});
  }
  [[nodiscard]] ReviewCollection prepared_collection() const {
    test::write_folder(folder.file("screened"),
                       {{"one.jsonl", test::small_screened_review()}, {"two.jsonl", test::small_screened_review()}});
    return {prepare_screened_reviews(
                folder.file("screened"), folder.file("screened-pools"), [](std::string_view) {}, [] {}),
            {.place = {}, .version = {}, .missing = "asreview is not installed"}};
  }
};

std::vector<double> numbers_of(const FigureReport& report) {
  std::vector<double> numbers;
  for (const FigureChart& chart : report.charts) {
    for (const Series& series : chart.chart.series) {
      numbers.insert(numbers.end(), series.y.begin(), series.y.end());
      // A single tuning trial has no error and so no band.
      std::ranges::copy_if(series.low, std::back_inserter(numbers), [](double low) { return std::isfinite(low); });
    }
  }
  return numbers;
}

/// The figures on text of the paper and beyond it.
std::vector<Figure> figures_on_text() {
  std::vector<Figure> figures;
  for (const Programme* programme : {&paper_programme(), &beyond_programme()}) {
    std::ranges::copy_if(programme->figures(), std::back_inserter(figures), [](const Figure& figure) {
      // Its text is about topics of the whole collection, which the miniature does not have.
      return figure.needs != PaperData::none && figure.name != "beginnings";
    });
  }
  return figures;
}

TEST_CASE("figures on text give the same finite numbers at 1 and 2 threads, over words that matter and rows of length 1") {
  const SmallData data;
  for (const Figure& figure : figures_on_text()) {
    CAPTURE(figure.name);
    const FigureReport report = run_report(figure, data.context(), 1);
    const std::vector<double> numbers = numbers_of(report);
    REQUIRE(numbers.empty() == report.charts.empty());
    for (const double number : numbers) CHECK(std::isfinite(number));
    CHECK(numbers == numbers_of(run_report(figure, data.context(), 2)));
    // Rules for stopping are measured without claims.
    CHECK(report.claims.empty() == figure.name.starts_with("stopping"));
  }

  for (const Figure& figure : paper_programme().figures()) {
    if (figure.name != "newsgroups-no-replacement" && figure.name != "human") continue;
    CHECK_FALSE(run_report(figure, data.context(500), 1).claims.empty());
  }

  const SharedReducedPool space = newsgroups_space(data.context(), 15);
  const PoolView view = space->matrix.view();
  CHECK(view.documents() == data.newsgroups.view().documents());
  CHECK(space->reduced(data.newsgroups.oracle.words_of_all).size() == data.newsgroups.oracle.words_of_all.size());
  for (DocumentId i = 0; i < view.documents(); ++i) {
    const double length = squared_norm(view.by_document.row(i));
    CHECK((length == 0.0 || length == doctest::Approx(1.0).epsilon(1e-6)));
  }
}

TEST_CASE("a reader of a topic rates its messages good and marks its words, and a wanted message has the highest reward") {
  const SmallData data;
  const PaperContext context = data.context();
  const SharedReducedPool space = newsgroups_space(context, 15);
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const World world = topic_world(context, space, trial);
    const std::int32_t topic = wanted_topic(context, trial);
    SimulatedReader reader(world, 1, trial);
    for (DocumentId message = 0; message < world.pool.documents(); ++message) {
      const Answer answer = reader.answer(message);
      const bool wanted = data.newsgroups.pool.labels()[static_cast<std::size_t>(message)] == topic;
      CHECK(answer.reward == (wanted ? 1.0 : -1.0));
      for (const FeatureId mark : answer.marks) CHECK(std::ranges::binary_search(world.relevant, mark));
    }
  }

  for (const RewardKind reward : {RewardKind::document, RewardKind::logistic}) {
    for (std::uint64_t trial = 0; trial < 20; ++trial) {
      const World world = message_world(context, space, {reward, MarkedWords::of_message, 1.0}, trial);
      const double best = std::ranges::max(world.rewards.expected());
      const double norm = reward == RewardKind::document ? context.settings.norm_bound
                                                         : 2.0 / (1.0 + std::exp(-context.settings.logistic_norm)) - 1.0;
      CHECK(best == doctest::Approx(norm).epsilon(1e-6));
    }
  }
}

TEST_CASE("readers of reviews mark those highlighted words that are in the pool") {
  const SmallData data;
  const PaperContext context = data.context();
  const SharedReducedPool space = reviews_space(context, 4);
  const auto highlights = highlights_in(context, *space);
  const World world = review_world(context, space, highlights, 0);
  SimulatedReader reader(world, 1, 0);
  for (DocumentId review = 0; review < world.pool.documents(); ++review) {
    const Answer answer = reader.answer(review);
    const SparseRow marked = highlights->view().row(review);
    CHECK(std::vector<FeatureId>(answer.marks.begin(), answer.marks.end()) ==
          std::vector<FeatureId>(marked.features.begin(), marked.features.end()));
  }
}

TEST_CASE("words that people gave by topic take the place of a simulated person") {
  SmallData data;
  const std::string list = data.folder.file("words.txt");
  write_file(list,
             "comp.graphics: pixel\nmisc.forsale: sale\nrec.autos: car\nsci.med: doctor\n"
             "talk.politics.mideast: peace\n");
  data.newsgroups.human = read_topic_word_lists(list, data.newsgroups.pool);
  const PaperContext context = data.context();
  const World world = person_world(context, person_space(context, 15), 0);
  CHECK(world.relevant.size() == 1);
  CHECK(world.marks.markable() == world.relevant);
}

}  // namespace
}  // namespace inkling::bench
