#include "bench/paper/data/movie_reviews.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/paper/data/prepared_pool.hpp"
#include "bench/paper/data/review_archive.hpp"
#include "bench/paper/data/topic_oracle.hpp"
#include "engine/core/errors.hpp"
#include "io/text/padded_text.hpp"
#include "io/text/stop_words.hpp"
#include "io/text/tokenizer.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kNegative = "NEG";
constexpr std::string_view kPositive = "POS";

/// The size of support that comes nearest to the paper's people, who marked 92 words.
constexpr std::size_t kWantedSupport = 92;

/// Reviews in memory, in order. Lifetime: lends them.
class ReviewSource final : public DocumentSource {
 public:
  explicit ReviewSource(std::span<const Review> reviews) : reviews_(reviews) {
    for (const Review& review : reviews) total_bytes_ += review.text.size();
  }

  /// A chunk is a range of reviews, whose texts stay where they are.
  [[nodiscard]] bool read(Chunk& chunk) override {
    constexpr std::size_t most = 256;
    if (next_ == reviews_.size()) return false;
    const std::size_t count = std::min(most, reviews_.size() - next_);
    chunk.origin = origin_;
    chunk.members = {{.name = {}, .begin = next_, .size = count}};
    for (const Review& review : reviews_.subspan(next_, count)) bytes_read_ += review.text.size();
    next_ += count;
    return true;
  }

  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    const Chunk::Member& range = chunk.members.front();
    PaddedText text;
    for (const Review& review : reviews_.subspan(range.begin, range.size)) {
      text.clear();
      text.append(review.text);
      const bool is_positive = review.annotation.judgement == Judgement::positive;
      visit({.text = text.view(),
             .id = review.annotation.review,
             .label = is_positive ? kPositive : kNegative});
    }
    return {};
  }

  [[nodiscard]] std::uint64_t total_bytes() const override { return total_bytes_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  std::span<const Review> reviews_;
  std::size_t next_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t bytes_read_ = 0;
  std::shared_ptr<const std::string> origin_ = std::make_shared<const std::string>("reviews");
};

PoolMaking making_of(std::span<const Review> reviews) {
  std::string all;
  for (const Review& review : reviews) {
    const bool is_positive = review.annotation.judgement == Judgement::positive;
    all.append(review.annotation.review).append(is_positive ? "\n+\n" : "\n-\n").append(review.text);
    all += '\0';
  }
  PoolMaking making;
  making.made_of = fmt::format("{} reviews, {} bytes, {}", reviews.size(), all.size(), content_of(all));
  making.source_format = "reviews";
  making.recipe.stop_words.assign(english_stop_words().begin(), english_stop_words().end());
  return making;
}

/// By review: the features of its row that one of its phrases holds.
CsrMatrix highlights_of(const Pool& pool, std::span<const Review> reviews, const TokenOptions& tokens) {
  CsrMatrix highlights(pool.view().features());
  Tokenizer tokenizer(tokens);
  std::vector<FeatureId> features;
  for (std::size_t i = 0; i < reviews.size(); ++i) {
    const SparseRow row = pool.view().by_document.row(static_cast<DocumentId>(i));
    features.clear();
    for (const std::string& phrase : reviews[i].annotation.highlights) {
      const PaddedText text(phrase);
      tokenizer.for_each(text.view(), [&](std::string_view token) {
        const std::optional<FeatureId> feature = pool.feature_of(token);
        if (feature && std::ranges::binary_search(row.features, *feature)) features.push_back(*feature);
      });
    }
    std::ranges::sort(features);
    const auto repeated = std::ranges::unique(features);
    features.erase(repeated.begin(), repeated.end());
    highlights.append_row({features, std::vector<float>(features.size(), 1.0F)});
  }
  return highlights;
}

std::int64_t count_of_both(std::span<const FeatureId> one, std::span<const FeatureId> other) {
  std::int64_t count = 0;
  for (const FeatureId feature : one) count += std::ranges::binary_search(other, feature) ? 1 : 0;
  return count;
}

MarkingRates marking_rates(CsrView documents, CsrView highlights, std::span<const FeatureId> deciding) {
  MarkingRates rates;
  std::int64_t hits = 0;
  std::int64_t false_marks = 0;
  for (DocumentId i = 0; i < documents.rows(); ++i) {
    const std::span<const FeatureId> words = documents.row(i).features;
    const std::span<const FeatureId> marks = highlights.row(i).features;
    const std::int64_t deciding_here = count_of_both(words, deciding);
    const std::int64_t hits_here = count_of_both(marks, deciding);
    rates.deciding_words += deciding_here;
    rates.other_words += static_cast<std::int64_t>(words.size()) - deciding_here;
    hits += hits_here;
    false_marks += static_cast<std::int64_t>(marks.size()) - hits_here;
  }
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  rates.hit = share(hits, rates.deciding_words);
  rates.false_mark = share(false_marks, rates.other_words);
  return rates;
}

std::int32_t label_number(const Pool& pool, std::string_view label, const std::string& archive) {
  const auto found = std::ranges::find(pool.label_names(), label);
  if (found == pool.label_names().end() || pool.label_names().size() != 2)
    throw FormatError(archive,
                      "expected both reviews that are NEG and reviews that are POS, found none of one");
  return static_cast<std::int32_t>(found - pool.label_names().begin());
}

}  // namespace

MovieReviews MovieReviews::prepare(const std::string& archive, const std::string& pool_folder,
                                   const std::function<void()>& check_interruption, SupportSize oracle_size) {
  const std::vector<Review> reviews = read_reviews(archive, check_interruption);
  const PoolMaking making = making_of(reviews);
  Pool pool = prepared_pool(
      pool_folder, making, [&] { return std::make_unique<ReviewSource>(reviews); }, check_interruption);
  CsrMatrix highlights = highlights_of(pool, reviews, making.recipe.tokens);
  MovieReviews movies(std::move(pool), std::move(highlights));
  movies.find_oracle(label_number(movies.pool(), kPositive, archive), oracle_size, archive);
  movies.rates_ = marking_rates(movies.view().by_document, movies.highlights(), movies.oracle_);
  return movies;
}

void MovieReviews::find_oracle(std::int32_t positive_label, SupportSize size, const std::string& archive) {
  SupportPath path({view().by_document, pool_.labels(), positive_label});
  const SparseLogisticFit* fit = path.support_between(size, kWantedSupport);
  if (fit == nullptr) {
    throw FormatError(archive,
                      fmt::format("expected reviews whose judgement an L1 logistic regression tells by {} "
                                  "to {} features, found none",
                                  size.least, size.most));
  }
  oracle_ = fit->support;
  oracle_facts_ = fmt::format(
      "An L1 logistic regression of the judgement, with the penalty at which it keeps "
      "nearest to {} features: {}.",
      kWantedSupport, fit_facts("POS", *fit));
}

bool MovieReviews::is_positive(DocumentId document) const {
  return pool_.label_names()[static_cast<std::size_t>(pool_.labels()[static_cast<std::size_t>(document)])] ==
         kPositive;
}

MarkModel simulated_person(std::int32_t features, std::vector<FeatureId> deciding,
                           const MarkingRates& rates) {
  return MarkModel::with_rates(features, std::move(deciding),
                               {.deciding = rates.hit, .others = rates.false_mark});
}

}  // namespace inkling::bench
