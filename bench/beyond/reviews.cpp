// reviews: systematic reviews, begun with one relevant and one irrelevant record, until all relevant ones are found.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/review_results.hpp"
#include "bench/paper/data/prepared_pool.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/worlds/screening_world.hpp"
#include "bench/worlds/topic_words.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kTellingWords = 20;
constexpr std::size_t kMarksInRecord = 3;

/// 10 beginnings of each review with the usual number of trials, and 3 in a quick run.
std::int64_t beginnings(const PaperSettings& settings) {
  return share_of_trials(settings.trials, settings.effort == PaperEffort::quick ? 0.3 : 0.2);
}

std::uint64_t seed_of(const PaperSettings& settings, const ScreenedReview& review) {
  return settings.seed ^ checksum_of(std::as_bytes(std::span(review.name)));
}

/// The most discriminating words first. Features of several words are left out, because a person names single words.
std::vector<FeatureId> words_that_tell(const ScreenedReview& review) {
  const PoolView pool = review.pool.view();
  std::vector<FeatureId> words = telling_words(pool, review.pool.labels(), review.relevant, pool.features());
  const auto& terms = review.pool.vocabulary();
  std::erase_if(words, [&](FeatureId word) { return (*terms)[word].find(' ') != std::string_view::npos; });
  words.resize(std::min(words.size(), static_cast<std::size_t>(kTellingWords)));
  return words;
}

Entrant entrant_for(const PaperSettings& settings, const ScreenedReview& review, std::string_view preset) {
  Entrant entrant = entrant_of(settings, preset, documents_to_show(review), settings.label_noise);
  entrant.options.with_replacement = false;
  entrant.end = SearchEnd{};
  return entrant;
}

SettingRows rows_of_review(const ScreenedReview& review, const Screening& screening) {
  return {{"records of the first review", digit_groups(std::ssize(screening.relevant))},
          {"relevant of them", digit_groups(std::ranges::count(screening.relevant, true))},
          {"features of its pool, made as inkling build makes it by default", digit_groups(review.pool.view().features())}};
}

/// What a method sees: the pool with some help, or the records alone.
std::string seen_pool(const ScreenedReview& review, std::string_view help) {
  return fmt::format("pool {:016x} help {}", checksum_of(std::as_bytes(review.pool.view().by_document.values())), help);
}

Study study_of_review(const PaperSettings& settings, const ScreenedReview& review, std::string_view suffix, Screening screening,
                      std::string_view seen) {
  Study study;
  study.name = fmt::format("{}{}", review.name, suffix);
  study.world_settings = fmt::format("screening of {} {} seed {}", review.name, seen, settings.seed);
  study.features = review.pool.view().features();
  study.trials = beginnings(settings);
  study.settings = rows_of_review(review, screening);
  study.world = [screening = std::move(screening), seed = seed_of(settings, review)](std::uint64_t trial) {
    return make_screening_world(screening, seed, trial);
  };
  return study;
}

void add_studies(const PaperContext& context, const ScreenedReview& review, std::vector<Study>& studies) {
  const PaperSettings& settings = context.settings;
  const AsreviewPackage& asreview = context.reviews->asreview;
  const PoolView pool = review.pool.view();
  const Screening plain{pool, relevant_records(review.pool.labels(), review.relevant), {}, nullptr};
  const std::vector<FeatureId> words = words_that_tell(review);
  Screening marked = plain;
  marked.marks = std::make_shared<const CsrMatrix>(marks_in_relevant(pool, plain.relevant, words, kMarksInRecord));
  Screening rated = plain;
  rated.rated = words;
  Study& alone = studies.emplace_back(study_of_review(settings, review, "", plain, seen_pool(review, "none")));
  alone.entrants = {entrant_for(settings, review, kUnmarked.entrant), entrant_for(settings, review, kAutotar.entrant)};
  const std::string list = fmt::format("{}", fmt::join(words, " "));
  studies.push_back(study_of_review(settings, review, kMarkedStudy, std::move(marked), seen_pool(review, "marks " + list)));
  studies.back().entrants = {entrant_for(settings, review, kThreeMarks.entrant)};
  studies.push_back(study_of_review(settings, review, kRatedStudy, std::move(rated), seen_pool(review, "words " + list)));
  studies.back().entrants = {entrant_for(settings, review, kTwentyWords.entrant)};
  if (asreview.version.empty()) return;
  studies.push_back(study_of_review(settings, review, kAsreviewStudy, plain, content_of_file(review.path)));
  studies.back().entrants = {asreview_entrant(asreview, review.path, documents_to_show(review))};
}

std::vector<Study> review_studies(const PaperContext& context) {
  std::vector<Study> studies;
  for (const ScreenedReview* review : reviews_of_run(context)) add_studies(context, *review, studies);
  return studies;
}

SettingRows more_rows(const Results& results) {
  std::vector<std::string> names;
  for (const ScreenedReview* review : reviews_of_run(results.context())) names.push_back(review->name);
  const AsreviewPackage& asreview = results.context().reviews->asreview;
  return {{"trials are beginnings of each of the reviews", fmt::format("{}", fmt::join(names, ", "))},
          {"package of asreview", asreview.version.empty() ? asreview.missing : asreview.version}};
}

}  // namespace

Figure reviews_figure() {
  return {.name = "reviews",
          .title = "Systematic reviews, until all relevant records are found",
          .paper_place = "Beyond the paper: records screened by title and abstract",
          .needs = PaperData::reviews,
          .studies = review_studies,
          .charts = review_charts(),
          .tables = review_tables(),
          .claims = review_claims(),
          .more_settings = more_rows};
}

}  // namespace inkling::bench
