// Finds out what a source holds, from the first bytes of its first files.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// What the beginning of one file tells.
struct ContentLook {
  std::string_view format = {};   ///< a record format, or "svmlight", "mtx", "npz"; empty where it does not tell
  char delimiter = ',';           ///< of csv
  std::string_view foreign = {};  ///< a kind of file that is none of the formats: "a Parquet file"; or empty
  std::string_view remedy = {};   ///< how to make something readable of it
};

/// `head`: at least some kilobytes, or a whole file. `options` says which field is the text, and how it is encoded.
/// Recognises only what cannot be prose: a JSON object or a list of them, a header line with the field of the text, tags
/// and entries of references, the numbers of svmlight, the banner of MatrixMarket, and the first bytes of other kinds of
/// files.
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
/// Files that cannot be read are passed over: the reader will report them later. The bytes of a pipe that has no name in
/// the file system (`-`, /dev/stdin, /dev/fd/5) stay in it.
[[nodiscard]] SourceLook look_at_source(const std::string& path, const SourceOptions& options, const WhileWaiting& waiting);

}  // namespace inkling
