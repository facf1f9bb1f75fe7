// A pool of the paper's data in a folder: built once, then reused while its sources and recipe are the same.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/source/document_source.hpp"

namespace inkling::bench {

/// What a pool is made of and how.
struct PoolMaking {
  /// Identifies the sources by content, and what shaped them besides the recipe: a file's checksum and the part that was used. It
  /// goes into the manifest. If empty (not known), the pool is always built.
  std::string made_of;
  std::string source_format;  ///< as `inkling build --format` names it
  TextRecipe recipe;
};

/// Opens the pool in `folder` if its manifest names the same sources, recipe and program version and all its checksums hold; else
/// builds it there, in place of an older pool. A folder that is neither a pool nor empty is refused. `check_interruption` throws
/// to end a build, from any thread. Throws what `Pool::open` and `build_text_pool` throw.
[[nodiscard]] Pool prepared_pool(const std::string& folder, const PoolMaking& making,
                                 const std::function<std::unique_ptr<DocumentSource>()>& open_documents,
                                 const std::function<void()>& check_interruption);

/// "NAME, 14464277 bytes, XXH3 0123456789abcdef" of a regular file; empty for a folder.
[[nodiscard]] std::string content_of_file(const std::string& path);

/// "XXH3 0123456789abcdef".
[[nodiscard]] std::string content_of(std::string_view bytes);

}  // namespace inkling::bench
