// The text files of datasets/demo/ as they were when the program was built: they are part of the program, so that the
// demonstration needs no other file.
#pragma once

#include <span>
#include <string_view>

namespace inkling::bench {

/// The sentences of one topic.
struct TopicFile {
  std::string_view topic;
  std::string_view text;
};

struct DemoFiles {
  std::string_view lists;     ///< the words for the braces
  std::string_view anything;  ///< sentences of no topic
  std::span<const TopicFile> topics;
};

/// Lifetime: that of the program.
[[nodiscard]] DemoFiles demo_files();

}  // namespace inkling::bench
