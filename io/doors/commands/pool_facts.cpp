#include "io/doors/commands/pool_facts.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <span>

#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"

namespace inkling {
namespace {

std::string term_of(const PoolSet& pools, FeatureId feature) {
  return pools.has_words() ? std::string(pools.word(feature)) : "#" + std::to_string(feature);
}

// The places of the `most` highest scores, the highest first; equal scores in their order.
template <typename Score>
std::vector<std::size_t> greatest(const std::vector<Score>& scores, std::size_t most) {
  std::vector<std::size_t> places(scores.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::size_t kept = std::min(most, places.size());
  const auto greater = [&scores](std::size_t left, std::size_t right) {
    return scores[left] != scores[right] ? scores[left] > scores[right] : left < right;
  };
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept), greater);
  places.resize(kept);
  return places;
}

PoolFacts::Lengths lengths_of(const PoolSet& pools) {
  PoolFacts::Lengths lengths;
  std::vector<std::int64_t> all;
  all.reserve(static_cast<std::size_t>(pools.documents()));
  for (std::size_t n = 0; n < pools.pools(); ++n) {
    const CsrView matrix = pools.view(n).by_document;
    for (DocumentId i = 0; i < matrix.rows(); ++i) all.push_back(static_cast<std::int64_t>(matrix.row(i).size()));
  }
  if (all.empty()) return lengths;
  lengths.empty = std::ranges::count(all, 0);
  lengths.mean = static_cast<double>(pools.nonzeros()) / static_cast<double>(all.size());
  const auto [least, most] = std::ranges::minmax(all);
  lengths.least = least;
  lengths.most = most;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  lengths.median = *middle;
  return lengths;
}

// Finds the words that distinguish the documents of one label, for one label after another. For all labels together, this visits
// the non-zeros of the pool once, and not once for each label.
class LabelWords {
 public:
  LabelWords(const PoolSet& pools, const JoinedLabels& labels)
      : pools_(pools), within_(static_cast<std::size_t>(pools.features()), 0.0), totals_(within_) {
    for (std::size_t pool = 0; pool < pools.pools(); ++pool) {
      const CsrView matrix = pools.view(pool).by_document;
      for (std::size_t n = 0; n < matrix.values().size(); ++n)
        totals_[static_cast<std::size_t>(matrix.features()[n])] += static_cast<double>(matrix.values()[n]);
    }
    group_rows(labels);
    for (std::size_t j = 0; j < totals_.size(); ++j)
      if (totals_[j] < 0.0) below_zero_.push_back(j);
    std::ranges::stable_sort(below_zero_, {}, [this](std::size_t j) { return totals_[j]; });
  }

  [[nodiscard]] std::int64_t documents(std::size_t label) const {
    return static_cast<std::int64_t>(begins_[label + 1] - begins_[label]);
  }

  // The words with the largest difference between their mean weight in documents of the label and in all others.
  [[nodiscard]] std::vector<std::string> words_of(std::size_t label, std::size_t most) {
    if (documents(label) == 0) return {};
    add_rows_of(label);
    // A word that no document of the label holds has a score above 0 only if its total weight is below 0.
    const std::size_t others = std::min(below_zero_.size(), most + features_.size());
    for (std::size_t n = 0; n < others; ++n) features_.push_back(below_zero_[n]);
    std::ranges::sort(features_);
    const auto repeated = std::ranges::unique(features_);
    features_.erase(repeated.begin(), repeated.end());
    const auto inside = static_cast<double>(documents(label));
    const double outside = std::max(1.0, static_cast<double>(pools_.documents()) - inside);
    std::vector<double> scores;
    scores.reserve(features_.size());
    for (const std::size_t j : features_) scores.push_back(within_[j] / inside - (totals_[j] - within_[j]) / outside);
    std::vector<std::string> words;
    for (const std::size_t place : greatest(scores, most))
      if (scores[place] > 0.0) words.push_back(term_of(pools_, static_cast<FeatureId>(features_[place])));
    for (const std::size_t j : features_) within_[j] = 0.0;
    return words;
  }

 private:
  // Groups the rows by label, in their order within each label.
  void group_rows(const JoinedLabels& labels) {
    constexpr std::int32_t none = -1;
    std::vector<std::int32_t> of_rows;  // read once, so that both passes below see the same labels
    for (std::size_t pool = 0; pool < pools_.pools(); ++pool) {
      for (DocumentId row = 0; row < pools_.view(pool).documents(); ++row) {
        const std::optional<std::size_t> label = pools_.mapped(pool).label(row);
        of_rows.push_back(label ? labels.numbers[pool][*label] : none);
      }
    }
    begins_.assign(labels.names.size() + 1, 0);
    for (const std::int32_t label : of_rows)
      if (label != none) ++begins_[static_cast<std::size_t>(label) + 1];
    for (std::size_t label = 1; label < begins_.size(); ++label) begins_[label] += begins_[label - 1];
    rows_.resize(begins_.back());
    std::vector<std::size_t> next = begins_;
    auto label = of_rows.begin();
    for (std::size_t pool = 0; pool < pools_.pools(); ++pool)
      for (DocumentId row = 0; row < pools_.view(pool).documents(); ++row, ++label)
        if (*label != none) rows_[next[static_cast<std::size_t>(*label)]++] = {pool, row};
  }

  void add_rows_of(std::size_t label) {
    features_.clear();
    for (std::size_t n = begins_[label]; n < begins_[label + 1]; ++n) {
      const SparseRow row = pools_.view(rows_[n].pool).by_document.row(rows_[n].row);
      for (std::size_t entry = 0; entry < row.size(); ++entry) {
        const auto j = static_cast<std::size_t>(row.features[entry]);
        if (within_[j] == 0.0) features_.push_back(j);
        within_[j] += static_cast<double>(row.values[entry]);
      }
    }
  }

  const PoolSet& pools_;
  std::vector<double> within_;           // by feature: the sum of its weights in the documents of one label; zero between calls
  std::vector<double> totals_;           // by feature: the sum in all documents
  std::vector<std::size_t> below_zero_;  // features with a total below 0, the lowest first
  std::vector<std::size_t> begins_;      // by label: where its rows begin
  std::vector<PoolPlace> rows_;
  std::vector<std::size_t> features_;  // those of one label
};

void add_topics(PoolFacts& facts, const PoolSet& pools, const JoinedLabels& labels, std::size_t most_topics,
                std::size_t most_terms) {
  LabelWords words(pools, labels);
  std::vector<std::int64_t> documents;
  documents.reserve(labels.names.size());
  for (std::size_t label = 0; label < labels.names.size(); ++label) documents.push_back(words.documents(label));
  facts.labels = std::ssize(labels.names);
  facts.unlabelled = pools.documents() - std::reduce(documents.begin(), documents.end());
  for (const std::size_t label : greatest(documents, most_topics))
    facts.topics.push_back({{labels.names[label], documents[label]}, words.words_of(label, most_terms)});
}

// The fields of most documents first; equal counts by name. Only as many fields as a record may sensibly have.
std::vector<PoolFacts::Count> field_counts(std::span<const Pool* const> pools) {
  constexpr std::size_t most_names = 1'000;
  std::map<std::string, std::int64_t, std::less<>> documents;
  for (const Pool* const pool : pools) {
    for (DocumentId row = 0; pool->fields() && row < pool->view().documents(); ++row) {
      for (const KeptField& field : kept_fields((*pool->fields())[row]))
        if (documents.size() < most_names || documents.contains(field.name)) ++documents[field.name];
    }
  }
  std::vector<PoolFacts::Count> counts;
  counts.reserve(documents.size());
  for (const auto& [name, count] : documents) counts.push_back({name, count});
  std::ranges::stable_sort(counts, std::ranges::greater(), &PoolFacts::Count::documents);
  return counts;
}

}  // namespace

PoolFacts pool_facts(const PoolSet& pools, std::size_t most_topics, std::size_t most_terms) {
  PoolFacts facts;
  std::vector<const Pool*> all;
  for (std::size_t n = 0; n < pools.pools(); ++n) {
    const Pool& pool = *all.emplace_back(&pools.mapped(n));
    facts.bytes += pool.bytes();
    facts.has_ids |= pool.ids().has_value();
    facts.has_labels |= !pool.labels().empty();
    facts.has_texts |= pool.texts().has_value();
  }
  facts.copies = pools.copies().size();
  facts.sources = source_facts(pools);
  facts.fields = field_counts(all);
  facts.lengths = lengths_of(pools);
  const JoinedLabels labels = joined_labels(all);
  if (!labels.names.empty()) add_topics(facts, pools, labels, most_topics, most_terms);
  std::vector<std::int64_t> frequency;
  frequency.reserve(static_cast<std::size_t>(pools.features()));
  for (FeatureId j = 0; j < pools.features(); ++j) frequency.push_back(pools.document_frequency(j));
  for (const std::size_t j : greatest(frequency, most_terms))
    facts.frequent_terms.push_back({term_of(pools, static_cast<FeatureId>(j)), frequency[j]});
  return facts;
}

}  // namespace inkling
