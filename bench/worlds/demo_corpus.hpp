// Messages in plain English about five topics, as people write them to a club: what `inkling-bench demo` searches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/worlds/demo_files.hpp"
#include "bench/worlds/sentence_files.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {

struct DemoMessage {
  std::string id;  ///< its topic and its number within it, counted from 1: "garden-0017"
  std::string_view topic;
  std::string text;  ///< a few sentences on one line, in ASCII
};

/// Puts messages together from the sentences of files. A message is about one subject of one topic, often with words
/// of greeting before and after it. Thread safety: const after construction.
class DemoCorpus {
 public:
  /// Requires: each topic, and `anything`, has a subject "Opening"; `anything` has "Aside" and "Closing", too. Every other
  /// subject of a topic needs at least `most_of_subject` sentences. Lifetime: lends the files.
  explicit DemoCorpus(const DemoFiles& files);

  /// How many sentences of its subject a message holds at most.
  static constexpr std::uint64_t most_of_subject = 4;

  [[nodiscard]] std::vector<std::string_view> topics() const;

  /// This many messages of topics drawn at random; no two have the same text. The same seed gives the same messages on every
  /// machine, and a larger count begins with the messages of a smaller one. Throws FormatError if the files hold too few
  /// sentences for that.
  [[nodiscard]] std::vector<DemoMessage> messages(std::int64_t count, std::uint64_t seed) const;

 private:
  struct Topic {
    std::string_view name;
    Subject openings;
    std::vector<Subject> subjects;
  };

  [[nodiscard]] std::string message_about(const Topic& topic, RandomStream& random) const;

  WordLists lists_;
  Subject openings_;
  Subject asides_;
  Subject closings_;
  std::vector<Topic> topics_;
};

/// A message as a line of JSON with the members id, label and text, with its newline.
[[nodiscard]] std::string json_line(const DemoMessage& message);

}  // namespace inkling::bench
