// The search that `inkling build --rated-by` begins with the ratings that records brought with them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "io/corpus/source/document_source.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling {

/// Before anything is built. Throws UsageError where searches of the pool are kept already, or fields are not.
void check_rated_by(const ParsedOptions& options, const std::string& pool);

/// A line for a person: which search was begun or, without --rated-by, which field holds ratings; empty where none does.
/// `read_again` (`reading_again`) tells where records of one text stand whose ratings differ. Throws FormatError where the
/// field is not there or holds something else.
[[nodiscard]] std::string take_ratings(const ParsedOptions& options, const std::string& pool,
                                       const std::function<std::unique_ptr<DocumentSource>()>& read_again);

}  // namespace inkling
