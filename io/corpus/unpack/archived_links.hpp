// The links within an archive, and the further names that they give to its files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/unpack/archive_reader.hpp"

namespace inkling {

/// A path within an archive in its shortest form, without "." and "..": "a/b" for "./a//c/../b". Empty if it leads out of
/// the archive.
[[nodiscard]] std::string tidy_path(std::string_view path);

/// Whether no part of a tidy path begins with a point.
[[nodiscard]] bool is_visible(std::string_view path);

/// Links mean what they would mean after unpacking: a link to a file is one more file, and a link to a folder holds the
/// files of that folder. Links out of the archive, to nothing, or back into themselves are left out.
class ArchivedLinks {
 public:
  /// Throws FormatError, naming `archive`, for a link within a folder that another link leads to: it cannot be followed
  /// in a stream.
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

  std::map<std::string, std::vector<std::string>, std::less<>> links_to_;  // by their final target
};

}  // namespace inkling
