// Systematic reviews: records that people screened by title and abstract, one file a review.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/paper/data/json_lines.hpp"
#include "bench/studies/asreview_search.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling::bench {

/// Move-only, as its pool is.
struct ScreenedReview {
  std::string name;  ///< of its file, without its ending
  std::string path;
  Pool pool;                   ///< a row a record, in the order of the file, made as `inkling build` makes it
  std::int32_t relevant = -1;  ///< the label of records that were included
};

/// The reviews of a run, and the other package that searches them.
struct ReviewCollection {
  std::vector<ScreenedReview> reviews;
  AsreviewPackage asreview;
};

/// The content of a file.
struct ScreenedRecords {
  std::int64_t all = 0;
  std::int64_t relevant = 0;
};

/// Whether the name is that of a review's file: NAME.jsonl.gz or NAME.jsonl.
[[nodiscard]] bool is_review_file(std::string_view name);

/// The folder that holds such files: `folder`/reviews, or else `folder` itself; nothing if neither does.
[[nodiscard]] std::optional<std::string> folder_of_reviews(const std::string& folder);

/// Reads one JSON object a line, with "title" and "abstract" (strings, either may be null or absent, but not both absent) and
/// "included" (0 or 1). A search begins with one record of each side and needs another of each, so at least two of each are
/// required. Throws FormatError ("NAME:LINE:COLUMN", or NAME for all of it).
[[nodiscard]] ScreenedRecords check_screened_records(InputStream& stream, const std::string& name,
                                                     const JsonLineLimits& limits = {});

/// All reviews of the folder, in order of names. Pools go below `work` and are made anew if the file or the defaults of `inkling
/// build` have changed. `announce` gets the name of each step as it begins. Throws what reading and building throw.
[[nodiscard]] std::vector<ScreenedReview> prepare_screened_reviews(const std::string& folder, const std::string& work,
                                                                   const std::function<void(std::string_view)>& announce,
                                                                   const std::function<void()>& check_interruption);

}  // namespace inkling::bench
