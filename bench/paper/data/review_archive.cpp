#include "bench/paper/data/review_archive.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/source/entries.hpp"
#include "io/text/decoding.hpp"

namespace inkling::bench {
namespace {

constexpr std::array<std::string_view, 2> kAnnotationFiles = {"train.jsonl", "test.jsonl"};

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_review(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.ends_with(".txt") && slash != std::string_view::npos &&
         file_name(path.substr(0, slash)) == "docs";
}

std::string decoded(std::string bytes) {
  if (valid_utf8_prefix(bytes) == bytes.size()) return bytes;
  PaddedText text;
  append_replaced(bytes, text);
  return std::string(text.view());
}

/// What an archive holds, file by file, in any order.
class ReviewCollector {
 public:
  ReviewCollector(const std::string& archive, const ReviewLimits& limits)
      : archive_(archive), limits_(limits) {}

  void take(const Entry& entry) {
    if (is_review(entry.path)) {
      take_review(entry);
      return;
    }
    for (std::size_t n = 0; n < kAnnotationFiles.size(); ++n) {
      if (file_name(entry.path) != kAnnotationFiles[n]) continue;
      std::vector<ReviewAnnotation> read = read_annotations(*entry.stream, entry.name(), limits_.annotations);
      annotations_[n].insert(annotations_[n].end(), std::make_move_iterator(read.begin()),
                             std::make_move_iterator(read.end()));
    }
  }

  [[nodiscard]] std::vector<Review> reviews() {
    std::map<std::string, Review> by_name;
    for (std::vector<ReviewAnnotation>& of_file : annotations_) {
      for (ReviewAnnotation& annotation : of_file) {
        const auto text = texts_.find(annotation.review);
        if (text == texts_.end())
          throw FormatError(archive_,
                            fmt::format("expected the review docs/{} that an annotation is about, found "
                                        "none",
                                        annotation.review));
        std::string name = annotation.review;
        by_name.try_emplace(std::move(name), Review{std::move(annotation), text->second});
      }
    }
    if (by_name.empty())
      throw FormatError(archive_,
                        "expected reviews in docs/ with annotations in train.jsonl and test.jsonl, "
                        "found none");
    std::vector<Review> reviews;
    reviews.reserve(by_name.size());
    for (auto& [name, review] : by_name) reviews.push_back(std::move(review));
    return reviews;
  }

 private:
  void take_review(const Entry& entry) {
    std::string bytes = whole_stream(*entry.stream, limits_.most_review_bytes);
    if (bytes.size() > limits_.most_review_bytes)
      throw FormatError(entry.name(), fmt::format("expected a review of at most {} bytes, found more",
                                                  limits_.most_review_bytes));
    count_bytes(bytes.size());
    texts_.insert_or_assign(std::string(file_name(entry.path)), decoded(std::move(bytes)));
  }

  void count_bytes(std::uint64_t more) {
    constexpr std::uint64_t overhead = 64;  // of a string
    bytes_ += more + overhead;
    if (bytes_ > limits_.most_bytes)
      throw FormatError(archive_,
                        fmt::format("expected at most {} bytes of reviews, found more", limits_.most_bytes));
  }

  const std::string& archive_;
  const ReviewLimits& limits_;
  std::map<std::string, std::string, std::less<>> texts_;  // by name
  std::array<std::vector<ReviewAnnotation>, kAnnotationFiles.size()> annotations_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::vector<Review> read_reviews(const std::string& archive, const std::function<void()>& check_interruption,
                                 const ReviewLimits& limits) {
  Entries entries({archive}, {.most_unpacked_bytes = 4 * limits.most_bytes});
  ReviewCollector collector(archive, limits);
  while (const std::optional<Entry> entry = entries.next()) {
    check_interruption();
    collector.take(*entry);
  }
  return collector.reviews();
}

std::string whole_stream(InputStream& stream, std::uint64_t most) {
  constexpr std::size_t block = std::size_t{1} << 14U;
  std::string bytes;
  while (bytes.size() <= most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + block);
    const std::size_t got = stream.read(std::span(bytes).subspan(before));
    bytes.resize(before + got);
    if (got < block) break;
  }
  return bytes;
}

}  // namespace inkling::bench
