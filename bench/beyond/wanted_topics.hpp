// What people look for in 20 Newsgroups, as they would say it.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace inkling::bench {

/// A group, or the part of it that holds at least two of six words.
struct WantedTopic {
  std::string_view group;
  std::string_view sentence;
  std::array<std::string_view, 6> words = {};  ///< empty ones: all messages of the group

  [[nodiscard]] bool is_part() const noexcept { return !words.front().empty(); }
};

[[nodiscard]] std::span<const WantedTopic> wanted_topics();

}  // namespace inkling::bench
