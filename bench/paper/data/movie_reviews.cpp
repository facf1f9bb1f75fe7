#include "bench/paper/data/movie_reviews.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/paper/data/prepared_pool.hpp"
#include "bench/paper/data/reviews.hpp"
#include "bench/paper/data/topic_oracle.hpp"
#include "engine/core/errors.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/text/stop_words.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kNegative = "NEG";
constexpr std::string_view kPositive = "POS";

/// The size of support that comes nearest to the paper's people, who marked 92 words.
constexpr std::size_t kWantedSupport = 92;

std::string_view label_of(const Review& review) {
  return review.annotation.judgement == Judgement::positive ? kPositive : kNegative;
}

/// Reviews in memory, in order; no bytes are counted. Lifetime: lends them.
class ReviewSource final : public DocumentSource {
 public:
  explicit ReviewSource(std::span<const Review> reviews) : reviews_(reviews) {}

  /// A chunk is a range of reviews; their texts are not copied.
  [[nodiscard]] bool read(Chunk& chunk) override {
    constexpr std::size_t most = 256;
    if (next_ == reviews_.size()) return false;
    const std::size_t count = std::min(most, reviews_.size() - next_);
    chunk.origin = origin_;
    chunk.members = {{.name = {}, .begin = next_, .size = count}};
    next_ += count;
    return true;
  }

  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    const Chunk::Member& range = chunk.members.front();
    PaddedText text;
    for (const Review& review : reviews_.subspan(range.begin, range.size)) {
      text.clear();
      text.append(review.text);
      visit({.text = text.view(), .id = review.annotation.review, .label = label_of(review)});
    }
    return {};
  }

  [[nodiscard]] std::uint64_t total_bytes() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return 0; }

 private:
  std::span<const Review> reviews_;
  std::size_t next_ = 0;
  std::shared_ptr<const std::string> origin_ = std::make_shared<const std::string>("reviews");
};

PoolMaking making_of(std::span<const Review> reviews) {
  std::string all;
  for (const Review& review : reviews) {
    all += fmt::format("{}\n{}\n{}", review.annotation.review, label_of(review) == kPositive ? '+' : '-', review.text);
    all += '\0';
  }
  PoolMaking making;
  making.made_of = fmt::format("{} reviews, {} bytes, {}", reviews.size(), all.size(), content_of(all));
  making.source_format = "reviews";
  making.recipe = TextRecipe::like_scikit_learn();
  making.recipe.stop_words.assign(english_stop_words().begin(), english_stop_words().end());
  return making;
}

/// By review: the features of its row that one of its phrases holds.
CsrMatrix highlights_of(const Pool& pool, std::span<const Review> reviews, const TokenOptions& tokens) {
  CsrMatrix highlights(pool.view().features());
  Tokenizer tokenizer(tokens);
  for (std::size_t i = 0; i < reviews.size(); ++i) {
    const SparseRow row = pool.view().by_document.row(static_cast<DocumentId>(i));
    std::set<FeatureId> marked;
    for (const std::string& phrase : reviews[i].annotation.highlights) {
      const PaddedText text(phrase);
      tokenizer.for_each(text.view(), [&](std::string_view token) {
        const std::optional<FeatureId> feature = pool.feature_of(token);
        if (feature && std::ranges::binary_search(row.features, *feature)) marked.insert(*feature);
      });
    }
    const std::vector<FeatureId> features(marked.begin(), marked.end());
    highlights.append_row({features, std::vector<float>(features.size(), 1.0F)});
  }
  return highlights;
}

MarkRates marking_rates(CsrView documents, CsrView highlights, std::span<const FeatureId> deciding) {
  const auto count_deciding = [deciding](IdView features) {
    return std::ranges::count_if(features, [&](FeatureId feature) { return std::ranges::binary_search(deciding, feature); });
  };
  std::int64_t words = 0;
  std::int64_t hits = 0;
  for (DocumentId i = 0; i < documents.rows(); ++i) {
    words += count_deciding(documents.row(i).features);
    hits += count_deciding(highlights.row(i).features);
  }
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  return {.deciding = share(hits, words), .others = share(highlights.nonzeros() - hits, documents.nonzeros() - words)};
}

std::int32_t positive_label(const Pool& pool, const std::string& archive) {
  const auto found = std::ranges::find(pool.label_names(), kPositive);
  if (found == pool.label_names().end() || pool.label_names().size() != 2)
    throw FormatError(archive, "expected both reviews that are NEG and reviews that are POS, found none of one");
  return static_cast<std::int32_t>(found - pool.label_names().begin());
}

void find_oracle(MovieReviews& movies, SupportSize size, const std::string& archive) {
  SupportPath path({movies.view().by_document, movies.pool.labels(), positive_label(movies.pool, archive)});
  const SparseLogisticFit* fit = path.support_between(size, kWantedSupport);
  if (fit == nullptr) {
    throw FormatError(archive, fmt::format("expected reviews whose judgement an L1 logistic regression tells by {} "
                                           "to {} features, found none",
                                           size.least, size.most));
  }
  movies.oracle = fit->support;
  movies.oracle_facts = fmt::format(
      "An L1 logistic regression of the judgement, with the penalty at which it keeps "
      "nearest to {} features: {}.",
      kWantedSupport, fit_facts("POS", *fit));
}

}  // namespace

HighlightedReviews prepare_highlighted_reviews(const std::string& archive, const std::string& pool_folder,
                                               const std::function<void()>& check_interruption, TermWeight weight) {
  const std::vector<Review> reviews = read_reviews(archive, check_interruption);
  PoolMaking making = making_of(reviews);
  making.recipe.weight = weight;
  Pool pool = prepared_pool(
      pool_folder, making, [&] { return std::make_unique<ReviewSource>(reviews); }, check_interruption);
  CsrMatrix highlights = highlights_of(pool, reviews, making.recipe.tokens);
  return {std::move(pool), std::move(highlights)};
}

MovieReviews prepare_reviews(const std::string& archive, const std::string& pool_folder,
                             const std::function<void()>& check_interruption, SupportSize oracle_size) {
  HighlightedReviews reviews = prepare_highlighted_reviews(archive, pool_folder, check_interruption, TermWeight::raw);
  MovieReviews movies{std::move(reviews.pool), std::move(reviews.highlights)};
  find_oracle(movies, oracle_size, archive);
  movies.rates = marking_rates(movies.view().by_document, movies.highlights.view(), movies.oracle);
  return movies;
}

}  // namespace inkling::bench
