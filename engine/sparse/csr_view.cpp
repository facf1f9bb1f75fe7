#include "engine/sparse/csr_view.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/sparse/pool_part.hpp"

namespace inkling {
namespace {

std::string at(const char* array, std::size_t position) { return std::string(array) + "[" + std::to_string(position) + "]"; }

[[noreturn]] void refuse(std::string where, const std::string& expected, const std::string& got) {
  throw FormatError(std::move(where), "expected " + expected + ", got " + got);
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t nonzeros) {
  using std::to_string;
  if (offsets.empty()) refuse("offsets", "one more entry than there are rows", "none");
  constexpr auto most_rows = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  const std::size_t rows = offsets.size() - 1;
  if (rows > most_rows) refuse("offsets", "at most " + to_string(most_rows) + " rows", to_string(rows));
  if (offsets.front() != 0) refuse(at("offsets", 0), "0", to_string(offsets.front()));
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] >= offsets[i - 1]) continue;
    refuse(at("offsets", i), "at least " + to_string(offsets[i - 1]) + " (offsets never fall)", to_string(offsets[i]));
  }
  if (static_cast<std::uint64_t>(offsets.back()) == nonzeros) return;
  refuse(at("offsets", rows), to_string(nonzeros) + " (the number of non-zeros)", to_string(offsets.back()));
}

void check_row(std::int32_t columns, std::span<const FeatureId> features, std::size_t first, std::size_t end) {
  using std::to_string;
  FeatureId previous = -1;
  for (std::size_t n = first; n < end; ++n) {
    if (features[n] < 0 || features[n] >= columns)
      refuse(at("features", n), "a feature from 0 to " + to_string(columns - 1), to_string(features[n]));
    if (features[n] <= previous) {
      refuse(at("features", n), "more than " + to_string(previous) + " (the features of a row ascend, each once)",
             to_string(features[n]));
    }
    previous = features[n];
  }
}

}  // namespace

void check_csr(std::int32_t columns, std::span<const std::int64_t> offsets, IdView features, std::span<const float> values) {
  using std::to_string;
  const std::span<const FeatureId> ids = features.unchecked();
  if (columns < 0) refuse("columns", "0 or more", to_string(columns));
  if (ids.size() != values.size()) refuse("values", to_string(ids.size()) + " (one for each feature)", to_string(values.size()));
  check_offsets(offsets, values.size());
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    check_row(columns, ids, static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1]));
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (std::isfinite(values[n])) continue;
    refuse(at("values", n), "a finite number", number_text(static_cast<double>(values[n])));
  }
}

std::int32_t PoolView::whole_documents() const noexcept { return part == nullptr ? documents() : part->documents(); }

std::int64_t PoolView::whole_nonzeros() const noexcept { return part == nullptr ? by_document.nonzeros() : part->nonzeros(); }

DocumentId PoolView::first_document() const noexcept { return part == nullptr ? 0 : part->first(); }

SparseRow PoolView::row_of(DocumentId document) const noexcept {
  return holds(document) ? by_document.row(document - first_document()) : part->row(document);
}

}  // namespace inkling
