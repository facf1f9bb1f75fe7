// The search that `inkling build --rated-by` begins with the ratings that records brought with them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "io/corpus/source/document_source.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// To be called before anything is built. Throws UsageError if searches of the pool are kept already, or fields are not kept.
void check_rated_by(const ParsedOptions& options, const std::string& pool);

/// A line for a person: which search was begun or, without --rated-by, which field holds ratings; empty if none does.
/// `read_again` (`reading_again`) is used to find the places of records with the same text and different ratings. Throws
/// FormatError if the field is missing or holds something else.
[[nodiscard]] std::string take_ratings(const ParsedOptions& options, const std::string& pool,
                                       const std::function<std::unique_ptr<DocumentSource>()>& read_again);

}  // namespace inkling
