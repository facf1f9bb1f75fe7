// The one check of a pool's contents, whether its files are in memory, mapped or read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/pool/open/file_bytes.hpp"
#include "io/corpus/pool/open/layout_check.hpp"

namespace inkling {

/// All files but the manifest, by name.
using FilesToCheck = std::map<std::string, std::unique_ptr<FileBytes>, std::less<>>;

/// A file of lines, with its text if it was read and not mapped.
struct CheckedLines {
  Room room = {};
  std::string_view text = {};
  std::vector<std::int64_t> offsets = {};  ///< where each line begins, and the end

  [[nodiscard]] StringTable lines() const { return {offsets, text, 1}; }
};

/// Results of the check that readers need, too.
struct CheckedTexts {
  std::optional<CheckedLines> vocabulary;
  std::optional<CheckedLines> label_names;
  CopiedRows copies;
};

/// How far a check goes.
enum class CheckExtent {
  everything,  ///< the structure and every block of every file
  structure,   ///< no checksums
  /// For a pool that was checked before: lengths, headers, labels, copies, and where rows, columns and lines begin.
  /// Other damage then does no more harm than a file that is written to while the pool is open.
  outline,
};

/// Checks in parallel, in pieces that take little memory; keeps only the lines of words and labels. Throws
/// CorruptFileError with "PATH/FILE" and what was expected, the same one for any number of threads, and SystemError.
/// Thread safety: pure.
[[nodiscard]] CheckedTexts check_contents(const std::string& path, const Manifest& manifest, const FilesToCheck& files,
                                          CheckExtent extent, const PieceChecked& checked);

/// The files of an open pool, to be read. Lifetime: lends them.
[[nodiscard]] FilesToCheck files_to_check(const OpenPool& pool);

}  // namespace inkling
