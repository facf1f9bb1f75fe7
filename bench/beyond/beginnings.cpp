// beginnings: searches that begin with the words of a sentence, or whose reader names words after a run of useless documents.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/search_cases.hpp"
#include "bench/beyond/wanted_topics.hpp"
#include "bench/paper/data/search_pools.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/search_measures.hpp"
#include "bench/worlds/search_world.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/service/asked_words.hpp"

namespace inkling::bench {
namespace {

constexpr double kTopicShare = 0.01;
constexpr double kHalfFound = 0.5;
constexpr std::int32_t kSearchedPart = 6000;  // documents of a search
constexpr std::int64_t kMostRounds = 1500;
constexpr std::int32_t kWordsOfReader = 50;
constexpr std::string_view kHelped = "inkling, 2 words at each standstill";

struct Beginning {
  std::string_view study;
  std::string_view name;
  SearchBeginning begins;
  bool has_words;
};
constexpr Beginning kByDocument = {"document", "a document", SearchBeginning::document, false};
constexpr Beginning kByFiveWords = {"words", "five words of a sentence", SearchBeginning::nothing, true};
constexpr Beginning kByBoth = {"both", "a document and five words", SearchBeginning::document, true};
constexpr Beginning kBeginnings[] = {kByDocument, kByFiveWords, kByBoth};

/// What somebody looks for, in the pool.
struct SoughtTopic {
  std::vector<std::int32_t> is_wanted;  // by document
  std::vector<FeatureId> words;         // proposed by the product for the sentence
};

std::vector<std::int32_t> wanted_documents(const Pool& pool, const WantedTopic& topic) {
  const auto group = std::ranges::find(pool.label_names(), topic.group) - pool.label_names().begin();
  std::vector<std::optional<FeatureId>> words;
  words.reserve(topic.words.size());
  for (const std::string_view word : topic.words) words.push_back(pool.feature_of(word));
  std::vector<std::int32_t> wanted;
  wanted.reserve(pool.labels().size());
  for (DocumentId document = 0; document < pool.view().documents(); ++document) {
    const IdView row = pool.view().by_document.row(document).features;
    const auto held = std::ranges::count_if(
        words, [&](const std::optional<FeatureId>& word) { return word && std::ranges::binary_search(row, *word); });
    const bool is_of_group = pool.labels()[static_cast<std::size_t>(document)] == group;
    wanted.push_back(is_of_group && (!topic.is_part() || held >= 2) ? 1 : 0);
  }
  return wanted;
}

std::vector<FeatureId> words_of_sentence(const ShownPool& shown, std::string_view sentence) {
  const std::vector<AskedWord> asked = asked_words(sentence, shown);
  std::vector<FeatureId> words;
  for (const std::size_t at : proposed_words(asked, shown))
    if (asked[at].feature) words.push_back(*asked[at].feature);
  return words;
}

std::vector<SoughtTopic> sought_topics(const Pool& pool) {
  const PoolSet pools = PoolSet::open(std::span(&pool.path(), 1), PoolAccess::map, PoolTrust::checksums);
  const EventScope scope = event_scope_of(pools);
  const ShownPool shown(pool, scope);
  std::vector<SoughtTopic> sought;
  for (const WantedTopic& topic : wanted_topics()) {
    std::vector<std::int32_t> wanted = wanted_documents(pool, topic);
    constexpr std::int64_t fewest = 2;  // one to begin with, and one to find
    if (std::ranges::count(wanted, 1) >= fewest) sought.push_back({std::move(wanted), words_of_sentence(shown, topic.sentence)});
  }
  return sought;
}

// One round for each document of the smallest search, except the one that it may begin with.
std::int64_t rounds_of(const SearchSetting& setting, const std::vector<SoughtTopic>& sought) {
  std::int64_t rounds = kMostRounds;
  for (const SoughtTopic& topic : sought) {
    const SearchSize size = size_of_search(setting, std::ssize(topic.is_wanted), std::ranges::count(topic.is_wanted, 1));
    rounds = std::min(rounds, size.wanted + size.others - 1);
  }
  return rounds;
}

Entrant searcher(const PaperSettings& settings, std::string_view name, std::int32_t words_at_standstill, std::int64_t rounds) {
  Entrant entrant = entrant_of(settings, kDefaultPolicy, rounds, settings.label_noise);
  entrant.name = name;
  entrant.options.with_replacement = false;
  entrant.end = SearchEnd{.share_found = kHalfFound};
  entrant.words_at_standstill = words_at_standstill;
  return entrant;
}

std::vector<Study> beginning_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const Pool& pool = context.searches->many_topics();
  const auto sought = std::make_shared<const std::vector<SoughtTopic>>(sought_topics(pool));
  std::vector<Study> studies;
  if (sought->empty()) throw FormatError("20 Newsgroups", "expected messages of the topics that are looked for");
  for (const Beginning& beginning : kBeginnings) {
    const SearchSetting setting = {.begins = beginning.begins,
                                   .largest_share = kTopicShare,
                                   .most_documents = kSearchedPart,
                                   .words = kWordsOfReader,
                                   .mark_probability = 0.0};
    Study& study = studies.emplace_back();
    study.name = beginning.study;
    study.world_settings = fmt::format("beginnings in {} by {}", contents_of(pool), beginning.name);
    for (const SoughtTopic& topic : *sought) study.world_settings += fmt::format(" {}", fmt::join(topic.words, ","));
    study.world = [&pool, setting, sought, beginning, seed = settings.seed](std::uint64_t trial) {
      const SoughtTopic& topic = (*sought)[trial % sought->size()];
      World world = make_search_world({pool.view(), topic.is_wanted}, setting, 1, seed, trial);
      if (beginning.has_words) world.start.words = topic.words;
      return world;
    };
    study.features = pool.view().features();
    study.entrants = {searcher(settings, kDefaultPolicy, 0, rounds_of(setting, *sought)),
                      searcher(settings, kHelped, 2, rounds_of(setting, *sought))};
    study.trials = settings.effort == PaperEffort::quick ? 6 : 2 * std::ssize(*sought);
    study.settings = {{"documents of a search", digit_groups(kSearchedPart)}, {"topics", digit_groups(std::ssize(*sought))}};
  }
  return studies;
}

/// Useless documents read until half of the topic was found; all useless documents if that never happened.
double useless_until_half(const TrialResult& trial) {
  const Finds& finds = *trial.finds;
  const double read = std::min(least_documents_until(trial, kHalfFound), static_cast<double>(finds.rounds));
  return read - found_among(trial, static_cast<std::int64_t>(read));
}

FigureTable beginnings_table(const Results& results) {
  FigureTable table{.line = "Useless documents until half of a topic of 1 % is found",
                    .head = {"begun by", "who", "mean", "median", "half was found in %", "as a share of a document alone"},
                    .first_number = 2,
                    .view = TableView::open};
  const std::vector<double> alone =
      by_trial(results.at({std::string(kByDocument.study), std::string(kDefaultPolicy)}), useless_until_half);
  for (const Beginning& beginning : kBeginnings) {
    for (const EntrantResult& result : results.study(beginning.study).entrants) {
      const std::vector<double> useless = by_trial(result, useless_until_half);
      const Estimate mean = estimate_of(useless);
      const Estimate share = ratio_of(useless, alone);
      table.rows.push_back(
          {std::string(beginning.name), result.entrant.name, fmt::format("{:.1f} ± {:.1f}", mean.mean, mean.standard_error),
           fmt::format("{:.0f}", median(useless)), fmt::format("{:.0f}", 100.0 * share_reaching(result, kHalfFound).mean),
           fmt::format("{:.2f} ± {:.2f}", share.mean, share.standard_error)});
    }
  }
  return table;
}

ClaimRule less_useless(std::string id, std::string sentence, const Place& ours, const Place& other, double factor) {
  return {std::move(id), ClaimBy::ours, std::move(sentence), [=](const Results& results) {
            const Estimate share =
                ratio_of(by_trial(results.at(ours), useless_until_half), by_trial(results.at(other), useless_until_half));
            return Decision{share.mean <= factor ? Verdict::holds : Verdict::fails, {{"share of useless documents", share}}};
          }};
}

}  // namespace

Figure beginnings_figure() {
  const std::string ours(kDefaultPolicy);
  return {.name = "beginnings",
          .title = "Words to begin with, and words where a search is at a standstill",
          .paper_place = "Beyond the paper: sentences of people",
          .needs = PaperData::searches,
          .studies = beginning_studies,
          .tables = {{beginnings_table}},
          .claims = {less_useless("beginnings-words",
                                  "Begun by five words of a sentence, at least a quarter fewer documents are useless "
                                  "than begun by a document.",
                                  {std::string(kByFiveWords.study), ours}, {std::string(kByDocument.study), ours}, 0.75),
                     less_useless("beginnings-standstill",
                                  "Two words at each standstill of a search that a document begins save at least a quarter.",
                                  {std::string(kByDocument.study), std::string(kHelped)}, {std::string(kByDocument.study), ours},
                                  0.75)}};
}

}  // namespace inkling::bench
