#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/utf8.hpp"
#include "io/matrix/matrix_import.hpp"
#include "io/source/byte_stream.hpp"
#include "io/source/record_chunks.hpp"
#include "io/source/record_parser.hpp"
#include "io/text/decoding.hpp"

namespace inkling {
namespace {

[[noreturn]] void fail(const std::string& path, std::size_t line, const std::string& expectation) {
  throw FormatError(fmt::format("{}:{}:1", path, line + 1), expectation);
}

std::vector<std::string> terms_in_file(const std::string& path) {
  constexpr RecordLimits limits = {.most_record_bytes = std::uint64_t{1} << 20U};
  FileStream file(path);
  RecordChunks chunks(file, RecordEnd::every_line, limits);
  std::vector<std::string> lines;
  PaddedText bytes;
  std::int64_t dropped = 0;
  while (chunks.read(bytes, dropped)) {
    for (std::string_view rest = bytes.view(); !rest.empty();) {
      const std::string_view line = rest.substr(0, first_record(rest, RecordEnd::every_line));
      rest.remove_prefix(line.size());
      const std::string_view term = without_line_end(line);
      if (term.empty()) fail(path, lines.size(), "expected a term, found an empty line");
      if (term.size() > limits.most_record_bytes)
        fail(path, lines.size(), "expected a term, found a megabyte");
      if (!is_decoded(term, TextEncoding::utf8)) fail(path, lines.size(), "expected a term in UTF-8");
      lines.emplace_back(term);
    }
  }
  return lines;
}

}  // namespace

ColumnTerms::ColumnTerms(const std::string& path) : terms_(terms_in_file(path)) {
  std::vector<FeatureId> columns(terms_.size());
  std::iota(columns.begin(), columns.end(), 0);
  const auto term = [&](FeatureId column) -> const std::string& {
    return terms_[static_cast<std::size_t>(column)];
  };
  std::ranges::stable_sort(columns, [&](FeatureId a, FeatureId b) { return term(a) < term(b); });

  feature_of_column_.resize(terms_.size());
  std::vector<std::string> ascending;
  ascending.reserve(terms_.size());
  for (std::size_t rank = 0; rank < columns.size(); ++rank) {
    const auto column = static_cast<std::size_t>(columns[rank]);
    if (rank > 0 && ascending.back() == terms_[column])
      fail(path, column, fmt::format("expected each term once, found {} again", quoted_text(terms_[column])));
    feature_of_column_[column] = static_cast<FeatureId>(rank);
    ascending.push_back(std::move(terms_[column]));
  }
  terms_ = std::move(ascending);
}

}  // namespace inkling
