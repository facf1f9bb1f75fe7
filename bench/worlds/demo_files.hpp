// The text files of datasets/demo/ as they were when the program was built: they are part of the program, so that the
// demonstration needs nothing but itself.
#pragma once

#include <span>
#include <string_view>

namespace inkling::bench {

struct TextFile {
  std::string_view path;  ///< as errors name it
  std::string_view text;
};

/// The sentences of one topic.
struct TopicFile {
  std::string_view topic;
  TextFile file;
};

struct DemoFiles {
  TextFile lists;     ///< the words for what stands in braces
  TextFile anything;  ///< sentences of no topic
  std::span<const TopicFile> topics;
};

/// Lifetime: that of the program.
[[nodiscard]] DemoFiles demo_files();

}  // namespace inkling::bench
