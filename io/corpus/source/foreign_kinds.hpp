// Kinds of files that nothing here reads, by their first bytes.
#pragma once

#include <string_view>

#include "io/corpus/source/record_parser.hpp"

namespace inkling {

struct ForeignKind {
  std::string_view beginning;
  std::string_view name;       ///< "a Parquet file"
  std::string_view remedy;     ///< how to make something readable of it
  bool is_document = false;    ///< with words in it, which are none in its bytes
  std::string_view part = {};  ///< stands somewhere in what is looked at
};
inline constexpr std::string_view kArrayName = "a NumPy array";

/// Null for all others.
[[nodiscard]] const ForeignKind* foreign_kind_of(std::string_view head);

/// What is wrong with a file that is a document for another program.
[[nodiscard]] RecordVerdict foreign_document(std::string_view content);

}  // namespace inkling
