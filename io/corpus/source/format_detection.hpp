// Finds out by looking what a source holds: the first bytes of its first files.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// What the beginning of one file tells.
struct ContentLook {
  std::string_view format =
      {};                ///< a record format, or "svmlight", "mtx", "npz"; empty where it does not tell
  char delimiter = ',';  ///< of csv
  std::string_view foreign = {};  ///< "a Parquet file": what is none of the formats; empty otherwise
  std::string_view remedy = {};   ///< how to make something readable of it
};

/// `head`: at least some kilobytes, or all of a file. `options` says which field is the text, and how it is encoded.
/// Only what cannot be prose is told: a JSON object or a list of them, a header line with the field of the text, the tags
/// and entries of references, numbers as svmlight has them, the banner of MatrixMarket, a known beginning of another kind of file.
[[nodiscard]] ContentLook look_at_content(std::string_view head, const SourceOptions& options);

struct LookedAtFile {
  std::string name;  ///< as messages show it
  ContentLook content;
};

/// What the first files of one source tell.
struct SourceLook {
  std::vector<LookedAtFile> files;  ///< empty ones are left out
  bool complete = false;            ///< there are no others
  bool many_files = false;          ///< a folder or an archive: each file in it could be a document
};

/// Called now and then while a pipe has nothing to read yet; may throw.
using WhileWaiting = std::function<void()>;

/// Looks at the first files of a file, a folder, an archive or a pipe, in an order that does not depend on the disk.
/// What cannot be read tells nothing: the reader that comes after will say why. What comes through a pipe that has no
/// name in the file system (`-`, /dev/stdin, /dev/fd/5) is looked at without taking it out.
[[nodiscard]] SourceLook look_at_source(const std::string& path, const SourceOptions& options,
                                        const WhileWaiting& waiting);

}  // namespace inkling
