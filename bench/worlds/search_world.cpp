#include "bench/worlds/search_world.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "io/search/simulation/topic_words.hpp"

namespace inkling::bench {
namespace {

/// Draws `count` of them without replacement, in random order; all if there are no more.
template <typename Item>
std::vector<Item> drawn_from(std::vector<Item> items, std::int64_t count, RandomStream& random) {
  const std::size_t kept = std::min(items.size(), static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  for (std::size_t n = 0; n < kept; ++n) {
    const auto other = n + static_cast<std::size_t>(random.below(items.size() - n));
    std::swap(items[n], items[other]);
  }
  items.resize(kept);
  return items;
}

/// The documents of the searched pool by whether they are wanted.
struct Parts {
  std::vector<DocumentId> wanted;
  std::vector<DocumentId> others;
};

Parts parts_of(std::span<const DocumentId> documents, std::span<const std::int32_t> topics, std::int32_t topic) {
  Parts parts;
  for (const DocumentId document : documents) {
    const bool wanted = topics[static_cast<std::size_t>(document)] == topic;
    (wanted ? parts.wanted : parts.others).push_back(document);
  }
  return parts;
}

/// The documents that stay in the pool, ascending.
std::vector<DocumentId> kept_documents(const TopicPool& searched, const SearchSetting& setting, std::int32_t topic,
                                       RandomStream& random) {
  std::vector<DocumentId> documents(static_cast<std::size_t>(searched.pool.documents()));
  std::iota(documents.begin(), documents.end(), 0);
  Parts parts = parts_of(documents, searched.topics, topic);
  const SearchSize size = size_of_search(setting, std::ssize(documents), std::ssize(parts.wanted));
  documents = drawn_from(std::move(parts.wanted), size.wanted, random);
  const std::vector<DocumentId> rest = drawn_from(std::move(parts.others), size.others, random);
  documents.insert(documents.end(), rest.begin(), rest.end());
  std::ranges::sort(documents);
  return documents;
}

CsrMatrix rows_at(CsrView rows, std::span<const DocumentId> documents) {
  CsrMatrix some(rows.columns());
  for (const DocumentId document : documents) some.append_row(rows.row(document));
  return some;
}

/// The reader's ratings of all documents of the world, before any search.
class Reader {
 public:
  Reader(const TopicPool& searched, const SearchSetting& setting, std::vector<FeatureId> words, std::uint64_t seed,
         std::uint64_t trial)
      : searched_(searched),
        setting_(setting),
        words_(std::move(words)),
        mistakes_(seed, trial, RandomRole::reward),
        marking_(seed, trial, RandomRole::marks) {}

  [[nodiscard]] double rating(double expected) { return mistakes_.coin(setting_.wrong_ratings) ? -expected : expected; }

  /// The marked features of a document of the whole pool; ascending, each once.
  [[nodiscard]] std::vector<FeatureId> marks(DocumentId document, double rating) {
    if (setting_.marks_in == MarkedDocuments::rated_good && rating < 0.0) return {};
    const IdView row = searched_.pool.by_document.row(document).features;
    const IdView candidates = setting_.highlights ? searched_.highlights->view().row(document).features : row;
    std::set<FeatureId> marked;
    for (const FeatureId feature : candidates) {
      if (!setting_.highlights && !is_marked(feature)) continue;
      marked.insert(marking_.coin(setting_.misleading_marks) ? another_word(row, feature) : feature);
    }
    return {marked.begin(), marked.end()};
  }

 private:
  [[nodiscard]] bool is_on_list(FeatureId feature) const { return std::ranges::binary_search(words_, feature); }

  [[nodiscard]] bool is_marked(FeatureId feature) { return is_on_list(feature) && marking_.coin(setting_.mark_probability); }

  /// A word of the document that is not on the list; the word itself where there is none.
  [[nodiscard]] FeatureId another_word(IdView row, FeatureId feature) {
    std::vector<FeatureId> others;
    std::ranges::copy_if(row, std::back_inserter(others),
                         [&](FeatureId other) { return other != feature && !is_on_list(other); });
    return others.empty() ? feature : others[static_cast<std::size_t>(marking_.below(others.size()))];
  }

  const TopicPool& searched_;
  const SearchSetting& setting_;
  std::vector<FeatureId> words_;  // ascending
  RandomStream mistakes_;
  RandomStream marking_;
};

/// Ratings and marks of the documents that stay.
struct Said {
  std::vector<double> expected;
  std::vector<double> ratings;
  CsrMatrix marks;
};

/// The first document gets its true rating: it is given because it is wanted.
Said said_of(const TopicPool& searched, std::span<const DocumentId> documents, std::int32_t topic,
             std::optional<DocumentId> first, Reader& reader) {
  Said said{{}, {}, CsrMatrix(searched.pool.features())};
  said.expected.reserve(documents.size());
  said.ratings.reserve(documents.size());
  for (const DocumentId document : documents) {
    const double expected = searched.topics[static_cast<std::size_t>(document)] == topic ? 1.0 : -1.0;
    const double rating = reader.rating(expected);
    said.expected.push_back(expected);
    said.ratings.push_back(document == first ? expected : rating);
    const std::vector<FeatureId> marks = reader.marks(document, said.ratings.back());
    said.marks.append_row({marks, std::vector<float>(marks.size(), 1.0F)});
  }
  return said;
}

DocumentId draw_wanted(const TopicPool& searched, std::span<const DocumentId> documents, std::int32_t topic, std::uint64_t seed,
                       std::uint64_t trial) {
  const std::vector<DocumentId> wanted = parts_of(documents, searched.topics, topic).wanted;
  RandomStream random(seed, trial, RandomRole::target);
  return wanted[static_cast<std::size_t>(random.below(wanted.size()))];
}

DocumentId place_of_document(std::span<const DocumentId> documents, DocumentId document) {
  return static_cast<DocumentId>(std::ranges::lower_bound(documents, document) - documents.begin());
}

}  // namespace

World make_search_world(const TopicPool& searched, const SearchSetting& setting, std::int32_t topic, std::uint64_t seed,
                        std::uint64_t trial) {
  assert(setting.largest_share > 0.0 && (!setting.highlights || searched.highlights != nullptr));
  RandomStream random(seed, trial, RandomRole::pool);
  const std::vector<DocumentId> documents = kept_documents(searched, setting, topic, random);
  std::vector<FeatureId> words =
      telling_words(searched.pool, searched.topics, topic, std::max(setting.words, setting.first_words));
  SearchStart start;
  if (setting.begins == SearchBeginning::words) {
    const auto count = std::min(words.size(), static_cast<std::size_t>(setting.first_words));
    start.words = words_to_find(std::span(words).first(count));
  }
  std::optional<DocumentId> first;
  if (setting.begins == SearchBeginning::document) first = draw_wanted(searched, documents, topic, seed, trial);
  if (first) start.documents = {place_of_document(documents, *first)};

  words.resize(std::min(words.size(), static_cast<std::size_t>(setting.words)));
  std::ranges::sort(words);
  Reader reader(searched, setting, words, seed, trial);
  Said said = said_of(searched, documents, topic, first, reader);
  const bool whole = documents.size() == static_cast<std::size_t>(searched.pool.documents());
  std::shared_ptr<const PoolMatrix> part;
  if (!whole) part = std::make_shared<const PoolMatrix>(rows_at(searched.pool.by_document, documents));
  return {part ? part->view() : searched.pool,
          RewardModel::rated(std::move(said.expected), std::move(said.ratings)),
          MarkModel::as_marked(std::make_shared<const CsrMatrix>(std::move(said.marks)), 1.0),
          std::move(words),
          std::move(part),
          std::move(start)};
}

SearchSize size_of_search(const SearchSetting& setting, std::int64_t documents, std::int64_t of_topic) {
  const auto all = static_cast<double>(documents);
  const double part = std::min(1.0, static_cast<double>(setting.most_documents) / all);
  const auto others = static_cast<double>(documents - of_topic);
  const std::int64_t kept = std::max<std::int64_t>(1, std::llround(part * others));
  const double share = std::min(setting.largest_share, static_cast<double>(of_topic) / all);
  const std::int64_t allowed = std::llround(static_cast<double>(kept) * share / (1.0 - share));
  return {std::min(of_topic, std::max<std::int64_t>(2, allowed)), kept};
}

std::vector<std::int32_t> searchable_topics(std::span<const std::int32_t> topics, std::int64_t fewest, std::uint64_t seed) {
  std::map<std::int32_t, std::int64_t> documents;
  for (const std::int32_t topic : topics) ++documents[topic];
  std::vector<std::int32_t> searchable;
  for (const auto& [topic, count] : documents)
    if (topic >= 0 && count >= fewest && count < std::ssize(topics)) searchable.push_back(topic);
  RandomStream random(seed, 0, RandomRole::topics);
  const auto count = std::ssize(searchable);
  return drawn_from(std::move(searchable), count, random);
}

}  // namespace inkling::bench
