#include "bench/worlds/demo_corpus.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/json_writer.hpp"

namespace inkling::bench {
namespace {

constexpr double kOpeningChance = 0.35;
constexpr double kTopicOpeningShare = 0.5;  // the others are of no topic
constexpr double kAsideChance = 0.15;
constexpr double kClosingChance = 0.3;

/// After this many repeated messages in a row, hardly any others are left.
constexpr int kMostRepeats = 1'000;

Subject taken_subject(std::vector<Subject>& subjects, std::string_view heading) {
  const auto found = std::ranges::find(subjects, heading, &Subject::heading);
  assert(found != subjects.end());
  Subject taken = std::move(*found);
  subjects.erase(found);
  return taken;
}

template <typename Value>
const Value& one_of(const std::vector<Value>& values, RandomStream& random) {
  return values[static_cast<std::size_t>(random.below(values.size()))];
}

/// `wanted` of the sentences, in their order; every subset of that size is equally likely.
std::vector<std::string_view> some_in_order(const std::vector<std::string_view>& sentences, std::uint64_t wanted,
                                            RandomStream& random) {
  std::vector<std::string_view> chosen;
  chosen.reserve(sentences.size() + 3);  // an opening, an aside and a closing join them
  for (std::size_t at = 0; at < sentences.size(); ++at)
    if (random.below(sentences.size() - at) < wanted - chosen.size()) chosen.push_back(sentences[at]);
  return chosen;
}

/// Inserts it after one of the sentences, but not after a question at the end, which waits for its answer.
void insert_aside(std::vector<std::string_view>& sentences, std::string_view aside, RandomStream& random) {
  const std::size_t places = sentences.size() - (sentences.back().ends_with('?') ? 1 : 0);
  const auto at = static_cast<std::ptrdiff_t>(1 + random.below(places));
  sentences.insert(sentences.begin() + at, aside);
}

}  // namespace

DemoCorpus::DemoCorpus(const DemoFiles& files) : lists_(files.lists) {
  std::vector<Subject> of_no_topic = read_subjects(files.anything);
  openings_ = taken_subject(of_no_topic, "Opening");
  asides_ = taken_subject(of_no_topic, "Aside");
  closings_ = taken_subject(of_no_topic, "Closing");
  topics_.reserve(files.topics.size());
  for (const TopicFile& topic : files.topics) {
    std::vector<Subject> subjects = read_subjects(topic.text);
    Subject openings = taken_subject(subjects, "Opening");
    topics_.push_back({topic.topic, std::move(openings), std::move(subjects)});
  }
}

std::vector<std::string_view> DemoCorpus::topics() const {
  std::vector<std::string_view> names;
  names.reserve(topics_.size());
  for (const Topic& topic : topics_) names.push_back(topic.name);
  return names;
}

std::string DemoCorpus::message_about(const Topic& topic, RandomStream& random) const {
  const Subject& subject = one_of(topic.subjects, random);
  const std::uint64_t length = 2 + random.below(most_of_subject - 1);
  std::vector<std::string_view> sentences = some_in_order(subject.sentences, length, random);
  if (random.coin(kAsideChance)) insert_aside(sentences, one_of(asides_.sentences, random), random);
  if (random.coin(kOpeningChance)) {
    const Subject& openings = random.coin(kTopicOpeningShare) ? topic.openings : openings_;
    sentences.insert(sentences.begin(), one_of(openings.sentences, random));
  }
  if (random.coin(kClosingChance)) sentences.push_back(one_of(closings_.sentences, random));

  MessageWords words(lists_);
  std::string text;
  for (const std::string_view sentence : sentences) {
    if (!text.empty()) text += ' ';
    text += words.filled(sentence, random);
  }
  return text;
}

std::vector<DemoMessage> DemoCorpus::messages(std::int64_t count, std::uint64_t seed) const {
  RandomStream random(seed, 0, RandomRole::documents);
  std::vector<DemoMessage> messages;
  messages.reserve(static_cast<std::size_t>(count));
  std::unordered_set<std::string> written;
  std::vector<int> of_topic(topics_.size(), 0);
  int repeats = 0;
  while (std::ssize(messages) < count) {
    const auto topic = static_cast<std::size_t>(random.below(topics_.size()));
    std::string text = message_about(topics_[topic], random);
    if (written.insert(text).second) {
      const std::string_view name = topics_[topic].name;
      messages.push_back({fmt::format("{}-{:04}", name, ++of_topic[topic]), name, std::move(text)});
      repeats = 0;
    } else if (++repeats == kMostRepeats) {
      throw FormatError("datasets/demo", fmt::format("expected sentences for {} different messages, found enough "
                                                     "for about {}",
                                                     count, messages.size()));
    }
  }
  return messages;
}

std::string json_line(const DemoMessage& message) {
  JsonWriter json;
  json.begin_object().member("id", message.id).member("label", message.topic).member("text", message.text);
  return json.end_object().take() + "\n";
}

}  // namespace inkling::bench
