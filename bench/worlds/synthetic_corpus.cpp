#include "bench/worlds/synthetic_corpus.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/core/portable_math.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

/// A topic's own words fall more evenly than those of the language: no one of them is in every document.
constexpr double kTopicHead = 8.0;

/// (1 + head)^-exponent, (2 + head)^-exponent, ...
std::vector<double> zipf_weights(std::size_t count, double exponent, double head) {
  std::vector<double> weights;
  weights.reserve(count);
  for (std::size_t rank = 1; rank <= count; ++rank) {
    weights.push_back(exponential(-exponent * natural_log(static_cast<double>(rank) + head)));
  }
  return weights;
}

std::int32_t draw_topic(std::int32_t topics, RandomStream& random) {
  return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(topics)));
}

std::int32_t draw_length(const SyntheticCorpusOptions& options, RandomStream& random) {
  const double spread = options.length_spread;
  const double centre = natural_log(options.mean_length) - 0.5 * spread * spread;
  const double length = exponential(centre + spread * random.normal());
  return static_cast<std::int32_t>(
      std::clamp(std::floor(length + 0.5), 1.0, static_cast<double>(SyntheticCorpus::longest_document)));
}

}  // namespace

SyntheticCorpus::SyntheticCorpus(const SyntheticCorpusOptions& options)
    : options_(options),
      words_(options.vocabulary, options.unicode_share),
      draw_(zipf_weights(static_cast<std::size_t>(options.vocabulary), options.zipf, 0.0)),
      topics_(make_topics()) {
  assert(options.vocabulary >= SyntheticCorpusOptions::fewest_words && options.topics <= 1'000);
}

std::vector<SyntheticCorpus::Topic> SyntheticCorpus::make_topics() const {
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(options_.vocabulary - WordList::function_words));
  std::iota(ranks.begin(), ranks.end(), WordList::function_words);
  RandomStream random(options_.seed, 0, RandomRole::topics);
  std::vector<Topic> topics;
  auto next = ranks.begin();
  for (std::int32_t topic = 0; topic < options_.topics; ++topic) {
    const auto fair_share = (ranks.end() - next) / (options_.topics - topic);
    const auto end = next + std::min<std::ptrdiff_t>(options_.topic_words, fair_share);
    const auto begin = next;
    for (; next != end; ++next) {
      std::iter_swap(next, next + static_cast<std::ptrdiff_t>(
                                      random.below(static_cast<std::uint64_t>(ranks.end() - next))));
    }
    std::vector<std::int32_t> own(begin, end);
    std::ranges::sort(own);
    AliasTable draw(zipf_weights(own.size(), options_.zipf, kTopicHead));
    topics.push_back({fmt::format("topic-{}", topic + 1), std::move(own), std::move(draw)});
  }
  return topics;
}

const std::string& SyntheticCorpus::topic_name(std::int32_t topic) const {
  return topics_[static_cast<std::size_t>(topic)].name;
}

std::span<const std::int32_t> SyntheticCorpus::own_words(std::int32_t topic) const {
  return topics_[static_cast<std::size_t>(topic)].own_words;
}

std::optional<std::int32_t> SyntheticCorpus::topic_of(std::int64_t document) const {
  if (topics_.empty()) return std::nullopt;
  RandomStream random(options_.seed, static_cast<std::uint64_t>(document), RandomRole::documents);
  return draw_topic(options_.topics, random);
}

void SyntheticCorpus::append_text(std::int64_t document, const TextMarks& marks, std::string& out) const {
  RandomStream random(options_.seed, static_cast<std::uint64_t>(document), RandomRole::documents);
  const Topic* const topic =
      topics_.empty() ? nullptr : &topics_[static_cast<std::size_t>(draw_topic(options_.topics, random))];
  const std::int32_t length = draw_length(options_, random);
  // 32 of the bits decide whether a word is the topic's own.
  const auto own_of_2_32 = static_cast<std::uint64_t>(options_.topic_share * 0x1p32);
  Prose prose(words_, marks, random, out);
  prose.write(length, [&](std::uint64_t coin, std::uint64_t bits) {
    if (topic == nullptr || coin >= own_of_2_32) return static_cast<std::int32_t>(draw_.draw(bits));
    return topic->own_words[topic->draw.draw(bits)];
  });
}

}  // namespace inkling::bench
