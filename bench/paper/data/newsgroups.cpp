#include "bench/paper/data/newsgroups.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <fmt/format.h>

#include "bench/paper/data/prepared_pool.hpp"
#include "bench/paper/data/reviews.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/corpus/text/stop_words.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling::bench {
namespace {

constexpr std::array<std::string_view, 5> kPaperTopics = {"misc.forsale", "rec.autos", "sci.med", "comp.graphics",
                                                          "talk.politics.mideast"};

SourceOptions reading(NewsgroupTopics topics = NewsgroupTopics::paper) {
  SourceOptions options;
  options.encoding = TextEncoding::latin1;
  if (topics == NewsgroupTopics::paper) options.labels.assign(kPaperTopics.begin(), kPaperTopics.end());
  return options;
}

PoolMaking making_from(const std::string& archive, NewsgroupTopics topics = NewsgroupTopics::paper) {
  PoolMaking making;
  making.source_format = "dir";
  making.recipe = TextRecipe::like_scikit_learn();
  making.recipe.tokens = {TokenRule::letters, 1, LetterCase::lower};
  making.recipe.stop_words.assign(english_stop_words().begin(), english_stop_words().end());
  const std::string content = content_of_file(archive);
  if (content.empty()) return making;
  making.made_of = topics == NewsgroupTopics::paper ? fmt::format("{}, latin-1, topics {}", content, fmt::join(kPaperTopics, " "))
                                                    : fmt::format("{}, latin-1, all topics", content);
  return making;
}

void check_topics(const Pool& pool, const std::string& archive) {
  for (const std::string_view topic : kPaperTopics) {
    if (std::ranges::find(pool.label_names(), topic) != pool.label_names().end()) continue;
    throw FormatError(archive, fmt::format("expected messages in folders named after the paper's five topics, "
                                           "found none of {}",
                                           topic));
  }
}

std::string text_of(InputStream& stream, const std::string& name) {
  std::string text = whole_stream(stream, most_topic_word_bytes);
  if (text.size() > most_topic_word_bytes)
    throw FormatError(name, fmt::format("expected at most {} bytes of words, found more", most_topic_word_bytes));
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

std::string without_blanks_around(const std::string& text) {
  return boost::algorithm::trim_copy_if(text, boost::algorithm::is_any_of(" \t\r\f\v"));
}

std::vector<std::string> parts(const std::string& text, std::string_view separators) {
  std::vector<std::string> parts;
  boost::algorithm::split(parts, text, boost::algorithm::is_any_of(separators));
  return parts;
}

/// Reads one line after the other.
class ListReader {
 public:
  ListReader(const std::string& name, std::span<const std::string> topics, const WordLookup& feature_of)
      : name_(name), topics_(topics), feature_of_(feature_of), words_(topics.size()) {}

  void read(const std::string& whole_line) {
    ++line_number_;
    const std::string line = without_blanks_around(whole_line);
    if (line.empty() || line.front() == '#') return;
    if (valid_utf8_prefix(line) != line.size()) fail("expected UTF-8");
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) fail(fmt::format("expected a topic, a colon and its words, found {}", quoted_text(line)));
    add(line.substr(colon + 1), words_[topic_of(without_blanks_around(line.substr(0, colon)))]);
  }

  [[nodiscard]] WordsByTopic words() const {
    WordsByTopic lists;
    for (const std::set<FeatureId>& words : words_) {
      if (words.empty())
        throw FormatError(name_, fmt::format("expected a word of the vocabulary for {}, found none", topics_[lists.size()]));
      lists.emplace_back(words.begin(), words.end());
    }
    return lists;
  }

 private:
  [[noreturn]] void fail(std::string expectation) const {
    throw FormatError(fmt::format("{}:{}", name_, line_number_), std::move(expectation));
  }

  [[nodiscard]] std::size_t topic_of(const std::string& topic) const {
    const auto found = std::ranges::find(topics_, topic);
    if (found != topics_.end()) return static_cast<std::size_t>(found - topics_.begin());
    fail(fmt::format("expected one of the topics {}, found {}{}", fmt::join(topics_, ", "), quoted_text(topic),
                     did_you_mean("", topic, topics_)));
  }

  void add(const std::string& list, std::set<FeatureId>& words) const {
    for (const std::string& word : parts(list, " \t\r\f\v,;")) {
      if (word.empty()) continue;
      std::string lower_case;
      append_lower_case(lower_case, word);
      if (const std::optional<FeatureId> feature = feature_of_(lower_case)) words.insert(*feature);
    }
  }

  const std::string& name_;
  std::span<const std::string> topics_;
  const WordLookup& feature_of_;
  std::vector<std::set<FeatureId>> words_;  // by topic
  std::int64_t line_number_ = 0;
};

}  // namespace

Newsgroups prepare_newsgroups(const std::string& archive, const std::string& pool_folder,
                              const std::function<void()>& check_interruption, const OracleSize& size) {
  Pool pool = prepared_pool(
      pool_folder, making_from(archive), [&] { return open_source({archive}, reading()); }, check_interruption);
  check_topics(pool, archive);
  TopicOracle oracle = find_topic_oracle(pool.view().by_document, pool.labels(), pool.label_names(), size, check_interruption);
  return {std::move(pool), std::move(oracle)};
}

Pool prepare_messages(const std::string& archive, const std::string& pool_folder, NewsgroupTopics topics, StopWords stop_words,
                      const std::function<void()>& check_interruption) {
  PoolMaking making = making_from(archive, topics);
  making.recipe.weight = TermWeight::sublinear;
  if (stop_words == StopWords::kept) making.recipe.stop_words.clear();
  Pool pool = prepared_pool(
      pool_folder, making, [&] { return open_source({archive}, reading(topics)); }, check_interruption);
  check_topics(pool, archive);
  return pool;
}

WordsByTopic read_topic_word_lists(InputStream& stream, const std::string& name, std::span<const std::string> topics,
                                   const WordLookup& feature_of) {
  const std::string text = text_of(stream, name);
  ListReader reader(name, topics, feature_of);
  for (const std::string& line : parts(text, "\n")) reader.read(line);
  return reader.words();
}

WordsByTopic read_topic_word_lists(const std::string& path, const Pool& pool) {
  FileStream file(path);
  return read_topic_word_lists(file, path, pool.label_names(), [&](std::string_view word) { return pool.feature_of(word); });
}

}  // namespace inkling::bench
