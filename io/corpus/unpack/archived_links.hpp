// The links within an archive: under which further names its files are to be found.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/unpack/archive_reader.hpp"

namespace inkling {

/// A path within an archive without the parts that mean nothing ("./a//b"), and with ".." followed; empty where it
/// leads out of the archive.
[[nodiscard]] std::string tidy_path(std::string_view path);

/// Whether no part of a tidy path begins with a point.
[[nodiscard]] bool is_visible(std::string_view path);

/// Links behave as they do once the archive is unpacked: a link to a file is another file, a link to a folder holds the
/// folder's files, and those out of the archive or to nothing are left out, and so are links back into themselves.
class ArchivedLinks {
 public:
  /// Throws FormatError, naming `archive`, for links that cannot be followed in a stream: a link within a folder that
  /// another link leads to.
  ArchivedLinks(const std::string& archive, const std::vector<ArchivedLink>& links);

  [[nodiscard]] bool empty() const { return links_to_.empty(); }
  /// A link, for messages. Requires: not empty.
  [[nodiscard]] const std::string& first() const { return links_to_.begin()->second.front(); }

  /// The visible names by which links lead to a file of the archive, in order. Requires: a tidy path.
  [[nodiscard]] std::vector<std::string> names_of(std::string_view path) const;

 private:
  using Targets = std::map<std::string, ArchivedLink, std::less<>>;

  [[nodiscard]] static std::string end_of(const std::string& path, const Targets& targets);
  void check_nesting(const std::string& archive) const;

  std::map<std::string, std::vector<std::string>, std::less<>> links_to_;  // by what they lead to in the end
};

}  // namespace inkling
