// What a request asks for: the parts of its path, and its query.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// "/a/b%20c?x=1&y=" has the segments "a" and "b c", and x and y in the query. "/" has none.
struct RequestTarget {
  std::vector<std::string> segments = {};
  std::map<std::string, std::string, std::less<>> query = {};

  /// A whole number of the query, `otherwise` where it is not given. Throws HttpRefusal (422).
  [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most, std::int64_t otherwise) const;
  [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;
};

/// "b%20c" is "b c". Throws HttpRefusal (400) where a percent sign has no two digits, and where that is not UTF-8 or holds control
/// characters. Thread safety: pure.
[[nodiscard]] std::string percent_decoded(std::string_view text);

/// The other way: all but letters, digits, "-", ".", "_" and "~" of ASCII. Thread safety: pure.
[[nodiscard]] std::string percent_encoded(std::string_view text);

/// Throws HttpRefusal (400) where it is no path with an optional query: percent signs without two digits, what is not
/// UTF-8, control characters, empty segments, "." and "..", a name in the query twice. In a query, "+" is a space.
/// Thread safety: pure.
[[nodiscard]] RequestTarget parse_target(std::string_view target);

}  // namespace inkling
