#include "bench/paper/data/newsgroups.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "bench/paper/data/prepared_pool.hpp"
#include "bench/paper/data/topic_word_lists.hpp"
#include "engine/core/errors.hpp"
#include "io/text/stop_words.hpp"

namespace inkling::bench {
namespace {

constexpr std::array<std::string_view, 5> kPaperTopics = {"misc.forsale", "rec.autos", "sci.med",
                                                          "comp.graphics", "talk.politics.mideast"};

SourceOptions reading() {
  SourceOptions options;
  options.encoding = TextEncoding::latin1;
  options.labels.assign(kPaperTopics.begin(), kPaperTopics.end());
  return options;
}

PoolMaking making_from(const std::string& archive) {
  PoolMaking making;
  making.source_format = "dir";
  making.recipe.tokens = {TokenRule::letters, 1, LetterCase::lower};
  making.recipe.stop_words.assign(english_stop_words().begin(), english_stop_words().end());
  const std::string content = content_of_file(archive);
  if (content.empty()) return making;
  making.made_of = content + ", latin-1, topics";
  for (const std::string_view topic : kPaperTopics) making.made_of.append(" ").append(topic);
  return making;
}

void check_topics(const Pool& pool, const std::string& archive) {
  for (const std::string_view topic : kPaperTopics) {
    if (std::ranges::find(pool.label_names(), topic) != pool.label_names().end()) continue;
    throw FormatError(archive,
                      fmt::format("expected messages in folders named after the paper's five topics, "
                                  "found none of {}",
                                  topic));
  }
}

}  // namespace

Newsgroups Newsgroups::prepare(const std::string& archive, const std::string& pool_folder,
                               const std::function<void()>& check_interruption, const OracleSize& size) {
  Pool pool = prepared_pool(
      pool_folder, making_from(archive), [&] { return open_source({archive}, reading()); },
      check_interruption);
  check_topics(pool, archive);
  TopicOracle oracle =
      find_topic_oracle(pool.view().by_document, pool.labels(), pool.label_names(), size, check_interruption);
  return {std::move(pool), std::move(oracle)};
}

std::int32_t Newsgroups::topics() const { return static_cast<std::int32_t>(pool_.label_names().size()); }

void Newsgroups::read_human_words(const std::string& path) {
  human_ = read_topic_word_lists(path, pool_).words;
}

}  // namespace inkling::bench
