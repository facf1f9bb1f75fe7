#include "bench/beyond/search_cases.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "bench/paper/data/search_pools.hpp"
#include "bench/studies/figure_parts.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling::bench {
namespace {

constexpr double kShareToFind = 0.95;

struct SearchPlayer {
  std::string_view name;
  bool learns_from_marks;
  bool needs_marks;
};

constexpr SearchPlayer kSearchPlayers[] = {
    {"inkling", true, false},     {"soft-marks", true, false}, {"ff-oful", true, true},        {"oful", false, false},
    {"thompson", false, false},   {"autotar", false, false},   {"asreview", false, false},     {"greedy-logistic", false, false},
    {"greedy-svm", false, false}, {"rocchio", true, false},    {"word-documents", true, true}, {"contrast", true, true}};

constexpr std::string_view kSearchRivals[] = {"autotar", "asreview",       "greedy-logistic", "greedy-svm",
                                              "rocchio", "word-documents", "contrast"};

bool takes_part(const SearchPlayer& player, SearchPlayers who) {
  if (who == SearchPlayers::together) return true;
  return who == SearchPlayers::marking ? player.learns_from_marks : !player.needs_marks;
}

constexpr SearchSetting kNoMarks = {};

constexpr SearchSetting marked(std::int32_t words, double probability) {
  return {.words = words, .mark_probability = probability};
}

constexpr SearchSetting rare(double share, std::int32_t words = 0) { return {.largest_share = share, .words = words}; }

constexpr SearchSetting highlighted(MarkedDocuments marks_in) { return {.highlights = true, .marks_in = marks_in}; }

constexpr SearchEffort kCommon = {0.2, 768, 0, 20'000};
constexpr SearchEffort kCommonQuick = {1.0, 100, 0, 3000};
constexpr SearchEffort kShorter = {0.2, 200, 0, 20'000};  // the same worlds as of kCommon
constexpr SearchEffort kSome = {0.1, 100, 0, 5000};
constexpr SearchEffort kRare5 = {2.0, 100, 0, 20'000};
constexpr SearchEffort kRare5Part = {0.2, 100, 1000, 4000};
constexpr SearchEffort kRare1 = {0.2, 100, 600, 6000};
constexpr SearchEffort kRare03 = {0.2, 100, 400, 10'000};
constexpr SearchEffort kRareQuick = {0.8, 50, 0, 4000};
constexpr SearchEffort kReviewsFull = {0.2, 100, 0, 20'000};
constexpr SearchEffort kReviewsQuick = {0.6, 50, 0, 2000};
constexpr SearchEffort kNotQuick = {0.0, 1, 0, 1};

constexpr std::string_view kTopics = "topics";

constexpr SearchCase by_marking(std::string_view name, std::string_view title, std::int32_t words, double probability) {
  return {.name = name,
          .title = title,
          .players = SearchPlayers::marking,
          .setting = marked(words, probability),
          .full = kSome,
          .quick = kNotQuick};
}

const SearchCase kSearchCases[] = {
    {.name = kTopics, .title = "Common topics, no marks", .setting = kNoMarks, .full = kCommon, .quick = kCommonQuick},
    {.name = "topics-20-words",
     .title = "Common topics, 20 words marked with p = 0.3",
     .players = SearchPlayers::marking,
     .unmarked = kTopics,
     .setting = marked(20, 0.3),
     .full = kCommon,
     .quick = kCommonQuick},
    {.name = "topics-150-words",
     .title = "Common topics, 150 words marked with p = 0.1",
     .players = SearchPlayers::marking,
     .unmarked = kTopics,
     .setting = marked(150, 0.1),
     .full = kShorter,
     .quick = kNotQuick},
    {.name = "rare-5",
     .title = "Topics of at most 5 %, no marks",
     .searched = SearchedData::many,
     .left_out = "soft-marks",
     .setting = rare(0.05),
     .full = kRare5,
     .quick = kNotQuick},
    {.name = "rare-5-20-words",
     .title = "Topics of at most 5 %, 20 words marked with p = 0.3",
     .searched = SearchedData::many,
     .players = SearchPlayers::marking,
     .unmarked = "rare-5",
     .left_out = "soft-marks",
     .setting = rare(0.05, 20),
     .full = kRare5,
     .quick = kNotQuick},
    {.name = "rare-5-part",
     .title = "Topics of at most 5 % of 4,000 documents, no marks",
     .searched = SearchedData::many,
     .setting = rare(0.05),
     .full = kRare5Part,
     .quick = kNotQuick},
    {.name = "rare-5-part-20-words",
     .title = "Topics of at most 5 % of 4,000 documents, 20 words marked with p = 0.3",
     .searched = SearchedData::many,
     .players = SearchPlayers::marking,
     .unmarked = "rare-5-part",
     .setting = rare(0.05, 20),
     .full = kRare5Part,
     .quick = kNotQuick},
    {.name = "rare-1",
     .title = "Topics of at most 1 %, no marks",
     .searched = SearchedData::many,
     .setting = rare(0.01),
     .full = kRare1,
     .quick = kRareQuick},
    {.name = "rare-1-20-words",
     .title = "Topics of at most 1 %, 20 words marked with p = 0.3",
     .searched = SearchedData::many,
     .players = SearchPlayers::marking,
     .unmarked = "rare-1",
     .setting = rare(0.01, 20),
     .full = kRare1,
     .quick = kRareQuick},
    {.name = "rare-0.3",
     .title = "Topics of at most 0.3 %, no marks",
     .searched = SearchedData::many,
     .setting = rare(0.003),
     .full = kRare03,
     .quick = kNotQuick},
    {.name = "rare-0.3-20-words",
     .title = "Topics of at most 0.3 %, 20 words marked with p = 0.3",
     .searched = SearchedData::many,
     .players = SearchPlayers::marking,
     .unmarked = "rare-0.3",
     .setting = rare(0.003, 20),
     .full = kRare03,
     .quick = kNotQuick},
    {.name = "by-words",
     .title = "Begun by three words and no document, no marks",
     .searched = SearchedData::many,
     .players = SearchPlayers::together,
     .setting = {.begins = SearchBeginning::words},
     .full = {1.0, 25, 0, 4000},
     .quick = {1.0, 25, 0, 2000}},
    {.name = "from-nothing",
     .title = "Begun with nothing, 20 words marked with p = 0.3",
     .searched = SearchedData::topics,
     .players = SearchPlayers::together,
     .setting = {.begins = SearchBeginning::nothing, .words = 20},
     .full = kSome,
     .quick = kNotQuick},
    {.name = "reviews",
     .title = "Film reviews, what people highlighted in wanted ones is marked",
     .searched = SearchedData::reviews,
     .players = SearchPlayers::together,
     .left_out = "ff-oful",
     .setting = highlighted(MarkedDocuments::rated_good),
     .full = kReviewsFull,
     .quick = kReviewsQuick},
    {.name = "reviews-both",
     .title = "Film reviews, what people highlighted in all is marked",
     .searched = SearchedData::reviews,
     .players = SearchPlayers::marking,
     .unmarked = "reviews",
     .left_out = "ff-oful",
     .setting = highlighted(MarkedDocuments::all),
     .full = kReviewsFull,
     .quick = kNotQuick},
    {.name = "mistakes",
     .title = "20 words marked with p = 0.3, 5 % of ratings wrong, 10 % of marks misleading",
     .searched = SearchedData::many,
     .players = SearchPlayers::marking,
     .most_topics = 6,
     .setting = {.words = 20, .wrong_ratings = 0.05, .misleading_marks = 0.1},
     .full = {6.0, 200, 0, 2000},
     .quick = {4.0, 100, 0, 2000}},
    by_marking("p-0-20", "Common topics, 20 words, none marked", 20, 0.0),
    by_marking("p-0.1-20", "Common topics, 20 words marked with p = 0.1", 20, 0.1),
    by_marking("p-0.3-20", "Common topics, 20 words marked with p = 0.3", 20, 0.3),
    by_marking("p-1-20", "Common topics, 20 words marked with p = 1", 20, 1.0),
    by_marking("p-0.1-150", "Common topics, 150 words marked with p = 0.1", 150, 0.1),
    by_marking("p-0.3-150", "Common topics, 150 words marked with p = 0.3", 150, 0.3),
    by_marking("p-1-150", "Common topics, 150 words marked with p = 1", 150, 1.0)};

const Pool* pool_of(const SearchPools& pools, SearchedData data) {
  if (data == SearchedData::topics) return &pools.topics;
  if (data == SearchedData::many) return &pools.many_topics();
  return pools.reviews ? &pools.reviews->pool : nullptr;
}

TopicPool topic_pool_of(const SearchPools& pools, const SearchCase& searched) {
  const Pool& pool = *pool_of(pools, searched.searched);
  return {pool.view(), pool.labels(), searched.searched == SearchedData::reviews ? &pools.reviews->highlights : nullptr};
}

std::vector<std::int32_t> topics_of_case(const Pool& pool, const SearchCase& searched, std::uint64_t seed) {
  std::vector<std::int32_t> topics = topics_of_pool(pool, seed);
  topics.resize(std::min(topics.size(), searched.most_topics));
  return topics;
}

/// The sizes of the world of each topic.
std::vector<SearchSize> sizes_of(const Pool& pool, const std::vector<std::int32_t>& topics, const SearchSetting& setting) {
  std::vector<SearchSize> sizes;
  sizes.reserve(topics.size());
  for (const std::int32_t topic : topics)
    sizes.push_back(size_of_search(setting, std::ssize(pool.labels()), std::ranges::count(pool.labels(), topic)));
  return sizes;
}

/// At most all documents of the smallest world, except the given one.
std::int64_t rounds_in(const std::vector<SearchSize>& sizes, std::int64_t rounds) {
  for (const SearchSize& size : sizes) rounds = std::min(rounds, size.wanted + size.others - 1);
  return std::max<std::int64_t>(1, rounds);
}

std::vector<Entrant> search_entrants(const PaperSettings& settings, const SearchCase& searched, const SearchEffort& effort,
                                     const std::vector<SearchSize>& sizes) {
  std::vector<Entrant> entrants;
  const std::int64_t rounds = rounds_in(sizes, settings.rounds.value_or(std::max(effort.rounds, effort.most_rounds)));
  for (const SearchPlayer& player : kSearchPlayers) {
    if (!takes_part(player, searched.players) || player.name == searched.left_out) continue;
    Entrant entrant = entrant_of(settings, player.name, rounds, settings.label_noise);
    entrant.options.with_replacement = false;
    if (effort.most_rounds > 0) entrant.end = SearchEnd{kShareToFind, std::min(rounds, effort.rounds)};
    entrants.push_back(std::move(entrant));
  }
  return entrants;
}

std::string text_of_setting(const SearchSetting& setting) {
  return fmt::format("begins {} by {} share {} of {} words {} p {} highlights {} in {} wrong {} misleading {}",
                     static_cast<int>(setting.begins), setting.first_words, setting.largest_share, setting.most_documents,
                     setting.words, setting.mark_probability, setting.highlights, static_cast<int>(setting.marks_in),
                     setting.wrong_ratings, setting.misleading_marks);
}

SettingRows rows_of_case(const Pool& pool, const std::vector<SearchSize>& sizes) {
  const auto [least, most] = std::ranges::minmax(sizes, {}, &SearchSize::wanted);
  return {{"documents of the largest pool", digit_groups(pool.view().documents())},
          {"words", digit_groups(pool.view().features())},
          {"topics", digit_groups(std::ssize(sizes))},
          {"documents of a topic", least.wanted == most.wanted
                                       ? digit_groups(least.wanted)
                                       : fmt::format("{} to {}", digit_groups(least.wanted), digit_groups(most.wanted))}};
}

Study study_of_case(const PaperContext& context, const SearchCase& searched) {
  const PaperSettings& settings = context.settings;
  const SearchEffort& effort = searched.effort(settings);
  const Pool& pool = *pool_of(*context.searches, searched.searched);
  SearchSetting setting = searched.setting;
  setting.most_documents = effort.most_documents;
  const std::vector<std::int32_t> topics = topics_of_case(pool, searched, settings.seed);
  const std::vector<SearchSize> sizes = sizes_of(pool, topics, setting);
  Study study;
  study.name = searched.name;
  study.world_settings = fmt::format("search of {}: {} topics {} seed {}", contents_of(pool), text_of_setting(setting),
                                     fmt::join(topics, " "), settings.seed);
  study.world = [pools = context.searches, searched, setting, topics, seed = settings.seed](std::uint64_t trial) {
    return make_search_world(topic_pool_of(*pools, searched), setting, topics[trial % topics.size()], seed, trial);
  };
  study.features = pool.view().features();
  study.entrants = search_entrants(settings, searched, effort, sizes);
  study.trials = share_of_trials(settings.trials, effort.trials);
  study.settings = rows_of_case(pool, sizes);
  return study;
}

}  // namespace

std::vector<std::int32_t> topics_of_pool(const Pool& pool, std::uint64_t seed) {
  constexpr std::int64_t enough = 40;
  constexpr std::int64_t fewest = 2;
  std::vector<std::int32_t> topics = searchable_topics(pool.labels(), enough, seed);
  if (topics.empty()) topics = searchable_topics(pool.labels(), fewest, seed);
  if (topics.empty()) throw FormatError(pool.path(), "expected a label of at least two documents, but not of all; found none");
  return topics;
}

std::string contents_of(const Pool& pool) {
  const PoolView view = pool.view();
  return fmt::format("{} documents, {} features, {:016x} {:016x} {:016x}", view.documents(), view.features(),
                     checksum_of(std::as_bytes(view.by_document.features().unchecked())),
                     checksum_of(std::as_bytes(view.by_document.values())), checksum_of(std::as_bytes(pool.labels())));
}

std::span<const SearchCase> search_cases() { return kSearchCases; }

const SearchCase& search_case(std::string_view name) {
  const auto found = std::ranges::find(search_cases(), name, &SearchCase::name);
  assert(found != search_cases().end());
  return *found;
}

std::span<const std::string_view> search_rivals() { return kSearchRivals; }

std::vector<Study> search_studies(const PaperContext& context) {
  assert(context.searches != nullptr);
  std::vector<Study> studies;
  for (const SearchCase& searched : search_cases()) {
    if (pool_of(*context.searches, searched.searched) == nullptr) continue;
    if (searched.effort(context.settings).trials <= 0.0) continue;
    studies.push_back(study_of_case(context, searched));
  }
  return studies;
}

std::size_t topics_in(const PaperContext& context, const SearchCase& searched) {
  if (context.searches == nullptr) return 1;
  const Pool* pool = pool_of(*context.searches, searched.searched);
  return pool == nullptr ? 1 : topics_of_case(*pool, searched, context.settings.seed).size();
}

}  // namespace inkling::bench
