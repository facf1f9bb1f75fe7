#include "bench/paper/data/topic_word_lists.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "bench/paper/data/review_archive.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/nearest_name.hpp"
#include "io/file/utf8.hpp"
#include "io/text/decoding.hpp"
#include "io/text/unicode_words.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kSpaces = " \t\r\f\v";
constexpr std::string_view kSeparators = " \t\r\f\v,;";
constexpr std::size_t kMostUnknownShown = 20;

std::string text_of(InputStream& stream, const std::string& name) {
  std::string text = whole_stream(stream, most_topic_word_bytes);
  if (text.size() > most_topic_word_bytes)
    throw FormatError(name,
                      fmt::format("expected at most {} bytes of words, found more", most_topic_word_bytes));
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

std::string_view without_blanks_around(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// Reads one line after the other into the lists.
class ListReader {
 public:
  ListReader(const std::string& name, std::span<const std::string> topics, const WordLookup& feature_of)
      : name_(name), topics_(topics), feature_of_(feature_of) {
    lists_.words.resize(topics.size());
  }

  void read(std::string_view line) {
    ++line_number_;
    line = without_blanks_around(line);
    if (line.empty() || line.front() == '#') return;
    if (valid_utf8_prefix(line) != line.size()) fail("expected UTF-8");
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      fail(fmt::format("expected a topic, a colon and its words, found {}", quoted_text(line)));
    add(line.substr(colon + 1), lists_.words[topic_of(without_blanks_around(line.substr(0, colon)))]);
  }

  [[nodiscard]] TopicWordLists take() {
    for (std::size_t topic = 0; topic < topics_.size(); ++topic) {
      std::vector<FeatureId>& words = lists_.words[topic];
      if (words.empty())
        throw FormatError(
            name_, fmt::format("expected a word of the vocabulary for {}, found none", topics_[topic]));
      std::ranges::sort(words);
      const auto repeated = std::ranges::unique(words);
      words.erase(repeated.begin(), repeated.end());
    }
    return std::move(lists_);
  }

 private:
  [[noreturn]] void fail(std::string expectation) const {
    throw FormatError(fmt::format("{}:{}", name_, line_number_), std::move(expectation));
  }

  [[nodiscard]] std::size_t topic_of(std::string_view topic) const {
    const auto found = std::ranges::find(topics_, topic);
    if (found != topics_.end()) return static_cast<std::size_t>(found - topics_.begin());
    fail(fmt::format("expected one of the topics {}, found {}{}", fmt::join(topics_, ", "),
                     quoted_text(topic), did_you_mean("", topic, topics_)));
  }

  void add(std::string_view list, std::vector<FeatureId>& words) {
    for (;;) {
      const std::size_t begin = list.find_first_not_of(kSeparators);
      if (begin == std::string_view::npos) return;
      list.remove_prefix(begin);
      const std::string_view word = list.substr(0, list.find_first_of(kSeparators));
      list.remove_prefix(word.size());
      word_.clear();
      append_lower_case(word_, word);
      if (const std::optional<FeatureId> feature = feature_of_(word_)) {
        words.push_back(*feature);
      } else if (++lists_.unknown <= kMostUnknownShown) {
        lists_.first_unknown.emplace_back(word);
      }
    }
  }

  const std::string& name_;
  std::span<const std::string> topics_;
  const WordLookup& feature_of_;
  TopicWordLists lists_;
  std::int64_t line_number_ = 0;
  std::string word_;
};

}  // namespace

TopicWordLists read_topic_word_lists(InputStream& stream, const std::string& name,
                                     std::span<const std::string> topics, const WordLookup& feature_of) {
  const std::string text = text_of(stream, name);
  ListReader reader(name, topics, feature_of);
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    reader.read(line);
    left.remove_prefix(std::min(left.size(), line.size() + 1));
  }
  return reader.take();
}

TopicWordLists read_topic_word_lists(const std::string& path, const Pool& pool) {
  FileStream file(path);
  return read_topic_word_lists(file, path, pool.label_names(),
                               [&](std::string_view word) { return pool.feature_of(word); });
}

}  // namespace inkling::bench
