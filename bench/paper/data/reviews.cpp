#include "bench/paper/data/reviews.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/source/json_record.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/corpus/unpack/entries.hpp"

namespace inkling::bench {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::string_view string_of(object from, std::string_view key) { return value_of_key<std::string_view>(from, key, "a string"); }

Judgement judgement_of(object from) {
  const std::string_view name = string_of(from, "classification");
  if (name != "NEG" && name != "POS")
    refuse_record(fmt::format("expected NEG or POS in the field \"classification\", found {}", quoted_text(name)));
  return name == "POS" ? Judgement::positive : Judgement::negative;
}

/// The phrase of one evidence of a review.
std::string phrase_of(element evidence, const std::string& review) {
  object fields;
  if (evidence.get(fields) != simdjson::SUCCESS)
    refuse_record(fmt::format("expected evidences that are objects, found {}", json_kind_name(evidence.type())));
  const std::string_view document = string_of(fields, "docid");
  if (document != review)
    refuse_record(fmt::format("expected evidence from the annotated review {}, found evidence from {}", quoted_text(review),
                              quoted_text(document)));
  return std::string(string_of(fields, "text"));
}

ReviewAnnotation annotation_of(object from) {
  ReviewAnnotation annotation{std::string(string_of(from, "annotation_id")), judgement_of(from), {}};
  for (const element group : value_of_key<array>(from, "evidences", "an array")) {
    array evidences;
    if (group.get(evidences) != simdjson::SUCCESS)
      refuse_record(fmt::format("expected evidences in arrays, found {}", json_kind_name(group.type())));
    for (const element evidence : evidences) annotation.highlights.push_back(phrase_of(evidence, annotation.review));
  }
  return annotation;
}

constexpr std::array<std::string_view, 2> kAnnotationFiles = {"train.jsonl", "test.jsonl"};

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_review(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.ends_with(".txt") && slash != std::string_view::npos && file_name(path.substr(0, slash)) == "docs";
}

std::string decoded(std::string bytes) {
  if (valid_utf8_prefix(bytes) == bytes.size()) return bytes;
  PaddedText text;
  append_replaced(bytes, text);
  return std::string(text.view());
}

/// The files of an archive, in any order.
class ReviewCollector {
 public:
  ReviewCollector(const std::string& archive, const ReviewLimits& limits) : archive_(archive), limits_(limits) {}

  void take(const Entry& entry) {
    if (is_review(entry.path)) {
      take_review(entry);
      return;
    }
    for (std::size_t n = 0; n < kAnnotationFiles.size(); ++n) {
      if (file_name(entry.path) != kAnnotationFiles[n]) continue;
      for (ReviewAnnotation& read : read_annotations(*entry.stream, entry.name(), limits_.annotations)) {
        std::string review = read.review;
        annotations_[n].try_emplace(std::move(review), std::move(read));
      }
    }
  }

  [[nodiscard]] std::vector<Review> reviews() {
    auto& [of_train, of_test] = annotations_;
    of_train.merge(of_test);  // where both have a review, that of train.jsonl stays
    if (of_train.empty())
      throw FormatError(archive_,
                        "expected reviews in docs/ with annotations in train.jsonl and test.jsonl, "
                        "found none");
    std::vector<Review> reviews;
    reviews.reserve(of_train.size());
    for (auto& [review, annotation] : of_train) {
      const auto text = texts_.find(review);
      if (text == texts_.end())
        throw FormatError(archive_, fmt::format("expected the review docs/{} that an annotation is about, found none", review));
      reviews.push_back({std::move(annotation), std::move(text->second)});
    }
    return reviews;
  }

 private:
  void take_review(const Entry& entry) {
    std::string bytes = whole_stream(*entry.stream, limits_.most_review_bytes);
    if (bytes.size() > limits_.most_review_bytes)
      throw FormatError(entry.name(),
                        fmt::format("expected a review of at most {} bytes, found more", limits_.most_review_bytes));
    constexpr std::uint64_t overhead = 64;  // bytes of a string
    bytes_ += bytes.size() + overhead;
    if (bytes_ > limits_.most_bytes)
      throw FormatError(archive_, fmt::format("expected at most {} bytes of reviews, found more", limits_.most_bytes));
    texts_.insert_or_assign(std::string(file_name(entry.path)), decoded(std::move(bytes)));
  }

  const std::string& archive_;
  const ReviewLimits& limits_;
  std::map<std::string, std::string> texts_;                                                  // by name
  std::array<std::map<std::string, ReviewAnnotation>, kAnnotationFiles.size()> annotations_;  // by review
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::vector<ReviewAnnotation> read_annotations(InputStream& stream, const std::string& name, const JsonLineLimits& limits) {
  std::vector<ReviewAnnotation> annotations;
  for_each_json_line(stream, name, limits, [&](object line) { annotations.push_back(annotation_of(line)); });
  return annotations;
}

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
