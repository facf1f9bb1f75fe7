#include "bench/worlds/synthetic_corpus.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

/// The frequencies of a topic's own words fall more slowly than the language's: none of these words is in every document.
constexpr double kTopicHead = 8.0;

std::int32_t draw_topic(std::int32_t topics, RandomStream& random) {
  return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(topics)));
}

/// The probabilities of what happens to a content word, in 1/1024 and cumulative; most often nothing happens.
struct Ornament {
  static constexpr std::uint64_t comma = 100;
  static constexpr std::uint64_t name = 160;
  static constexpr std::uint64_t number = 176;
  static constexpr std::uint64_t hyphen = 184;
  static constexpr std::uint64_t brackets = 190;
  static constexpr std::uint64_t quotes = 196;
  static constexpr std::uint64_t possessive = 202;
};

/// Mostly plain words with a space between them. Lifetime: lends all that it is given.
class Prose {
 public:
  Prose(const WordList& words, const TextMarks& marks, RandomStream& random, std::string& out)
      : words_(words), marks_(marks), random_(random), out_(out) {}

  /// Appends this many words in sentences, with nothing before the first and after the last. Numbers are
  /// extra words. `rank_of(coin, bits)` turns 32 and 64 uniform bits into the rank of the next word.
  template <typename RankOf>
  void write(std::int32_t words, const RankOf& rank_of) {
    while (words > 0) {
      const std::int32_t length = std::min(words, sentence_length());
      words -= length;
      for (std::int32_t n = 0; n < length; ++n) {
        const std::uint64_t chance = random_.next();
        append_word(rank_of(chance & 0xFFFFFFFFU, random_.next()), chance >> 32U);
      }
      end_sentence();
    }
  }

 private:
  std::int32_t sentence_length() {
    const std::uint64_t bits = random_.next();
    return static_cast<std::int32_t>(4 + (bits & 15U) + ((bits >> 4U) & 15U));
  }

  void append_word(std::int32_t rank, std::uint64_t chance) {
    out_ += std::exchange(gap_, " ");
    if ((chance & 1023U) < Ornament::possessive && rank >= WordList::function_words)
      append_ornate(rank, chance);
    else
      out_ += form_of(rank);
  }

  void append_ornate(std::int32_t rank, std::uint64_t chance) {
    const std::uint64_t ornament = chance & 1023U;
    if (ornament < Ornament::comma) {
      append_between("", rank, ",");
    } else if (ornament < Ornament::name) {
      sentence_begins_ = true;
      append_between("", rank, "");
    } else if (ornament < Ornament::number) {
      append_number(chance >> 10U);
      append_between("", rank, "");
    } else if (ornament < Ornament::hyphen) {
      append_between("", rank, "");
      gap_ = "-";
    } else if (ornament < Ornament::brackets) {
      append_between("(", rank, ")");
    } else if (ornament < Ornament::quotes) {
      append_between(marks_.quote, rank, marks_.quote);
    } else {
      append_between("", rank, "'s");
    }
  }

  void append_between(std::string_view before, std::int32_t rank, std::string_view after) {
    out_ += before;
    out_ += form_of(rank);
    out_ += after;
  }

  void append_number(std::uint64_t chance) {
    const bool is_year = (chance & 1U) != 0;
    const std::uint64_t number = is_year ? 1950 + ((chance >> 1U) & 63U) : 2 + ((chance >> 1U) & 127U);
    fmt::format_to(std::back_inserter(out_), "{} ", number);
  }

  std::string_view form_of(std::int32_t rank) {
    return std::exchange(sentence_begins_, false) ? words_.capitalised(rank) : words_.word(rank);
  }

  void end_sentence() {
    const std::uint64_t bits = random_.next();
    const std::uint64_t mark = bits & 31U;
    if (out_.back() == ',') out_.pop_back();
    out_ += mark == 0 ? '?' : (mark == 1 ? '!' : '.');
    gap_ = (bits & 0xE0U) == 0 ? marks_.paragraph_end : " ";
    sentence_begins_ = true;
  }

  const WordList& words_;
  TextMarks marks_;
  RandomStream& random_;
  std::string& out_;
  std::string_view gap_;  // goes before the next word
  bool sentence_begins_ = true;
};

/// About 200 kB of text of the usual length.
constexpr std::int64_t kBlockDocuments = 256;

/// Some records of the corpus. Its memory is reused.
struct Block {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::string bytes;
  std::vector<std::size_t> record_ends;
};

void make_block(const SyntheticCorpus& corpus, CorpusFormat format, Block& block) {
  block.bytes.clear();
  block.record_ends.clear();
  for (std::int64_t document = block.first; document < block.end; ++document) {
    append_record(corpus, document, format, block.bytes);
    block.record_ends.push_back(block.bytes.size());
  }
}

/// How many records of the block belong to a corpus that still lacks `lacking` bytes.
std::size_t records_within(const Block& block, std::uint64_t lacking) {
  const auto reaching = std::ranges::lower_bound(block.record_ends, lacking);
  return static_cast<std::size_t>(
      std::min(std::next(reaching, reaching != block.record_ends.end() ? 1 : 0), block.record_ends.end()) -
      block.record_ends.begin());
}

}  // namespace

SyntheticCorpus::SyntheticCorpus(const SyntheticCorpusOptions& options)
    : options_(options),
      words_(options.vocabulary),
      draw_(zipf_weights(options.vocabulary, options.zipf)),
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
    for (; next != end; ++next)
      std::iter_swap(next, next + static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint64_t>(ranks.end() - next))));
    std::vector<std::int32_t> own(begin, end);
    std::ranges::sort(own);
    AliasTable draw(zipf_weights(static_cast<std::int32_t>(own.size()), options_.zipf, kTopicHead));
    topics.push_back({fmt::format("topic-{}", topic + 1), std::move(own), std::move(draw)});
  }
  return topics;
}

const std::string& SyntheticCorpus::topic_name(std::int32_t topic) const { return topics_[static_cast<std::size_t>(topic)].name; }

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
  const Topic* const topic = topics_.empty() ? nullptr : &topics_[static_cast<std::size_t>(draw_topic(options_.topics, random))];
  const std::int32_t length = draw_length(options_.mean_length, options_.length_spread, 1.0, random);
  // 32 of the bits decide whether a word is the topic's own.
  const auto own_of_2_32 = static_cast<std::uint64_t>(options_.topic_share * 0x1p32);
  Prose prose(words_, marks, random, out);
  prose.write(length, [&](std::uint64_t coin, std::uint64_t bits) {
    if (topic == nullptr || coin >= own_of_2_32) return static_cast<std::int32_t>(draw_.draw(bits));
    return topic->own_words[topic->draw.draw(bits)];
  });
}

void append_record(const SyntheticCorpus& corpus, std::int64_t document, CorpusFormat format, std::string& out) {
  if (format == CorpusFormat::lines) {
    corpus.append_text(document, {.quote = "\"", .paragraph_end = " "}, out);
    out += '\n';
    return;
  }
  // Neither ids nor names nor words hold anything that JSON escapes.
  fmt::format_to(std::back_inserter(out), R"({{"id":"d{}",)", document);
  if (const auto topic = corpus.topic_of(document))
    fmt::format_to(std::back_inserter(out), R"("label":"{}",)", corpus.topic_name(*topic));
  out += R"("text":")";
  corpus.append_text(document, {.quote = "\\\"", .paragraph_end = "\\n"}, out);
  out += "\"}\n";
}

CorpusSize write_corpus(const SyntheticCorpus& corpus, CorpusFormat format, const CorpusExtent& extent, const CorpusSink& sink) {
  CorpusSize totals;
  std::int64_t next = 0;
  std::atomic<bool> complete = extent.documents == 0 || extent.bytes == 0;
  std::vector<Block> blocks(2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  const auto begin_block = [&](Block& block) {
    if (complete || next >= extent.documents) return false;
    block.first = next;
    next += std::min(kBlockDocuments, extent.documents - next);
    block.end = next;
    return true;
  };
  const auto hand_over = [&](const Block& block) {
    if (complete) return;
    const std::size_t records = records_within(block, extent.bytes - totals.bytes);
    const std::size_t bytes = block.record_ends[records - 1];
    totals.documents += static_cast<std::int64_t>(records);
    totals.bytes += bytes;
    complete = totals.bytes >= extent.bytes;
    sink(std::string_view(block.bytes).substr(0, bytes), totals);
  };
  ordered_pipeline(
      blocks, begin_block, [&](Block& block) { make_block(corpus, format, block); }, hand_over);
  return totals;
}

}  // namespace inkling::bench
