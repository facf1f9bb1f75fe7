#include "io/corpus/matrix/matrix_import.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/matrix/matrix_spill.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {
namespace {

[[noreturn]] void fail_at_line(const std::string& path, std::size_t line, const std::string& expectation) {
  throw FormatError(fmt::format("{}:{}:1", path, line + 1), expectation);
}

// The lines of a file, one after the other. A line is refused as soon as it is too long, even if it never ends.
class TermLines {
 public:
  explicit TermLines(const std::string& path) : file_(path) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    fill();
    if (text_.starts_with(byte_order_mark)) next_ = byte_order_mark.size();
  }

  /// The next line without its end; nothing after the last line. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> next() {
    std::size_t end = text_.find('\n', next_);
    while (end == std::string::npos && fill()) {
      if (text_.size() - next_ > kMostTermBytes) fail_at_line(file_.path(), line_, "expected a term, found a megabyte");
      end = text_.find('\n', next_);
    }
    if (end == std::string::npos && next_ == text_.size()) return std::nullopt;
    const std::string_view line = std::string_view(text_).substr(next_, end - next_);
    next_ = std::min(end, text_.size() - 1) + 1;
    ++line_;
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  }

 private:
  static constexpr std::size_t kMostTermBytes = std::size_t{1} << 20U;

  // Reads more; false at the end of the file. Lines that were handed out before become invalid.
  bool fill() {
    text_.erase(0, std::exchange(next_, 0));
    constexpr std::size_t block = std::size_t{1} << 16U;
    const std::size_t before = text_.size();
    text_.resize(before + block);
    const std::size_t got = file_.read(std::span(text_).subspan(before));
    text_.resize(before + got);
    return got > 0;
  }

  FileStream file_;
  std::string text_;
  std::size_t next_ = 0;  // where the next line begins
  std::size_t line_ = 0;
};

std::vector<std::string> terms_in_file(const std::string& path, std::uint64_t memory) {
  constexpr std::uint64_t bytes_beside = 48;  // what a term takes beside its characters
  TermLines lines(path);
  std::vector<std::string> terms;
  std::uint64_t bytes = 0;
  while (const std::optional<std::string_view> term = lines.next()) {
    if (term->empty()) fail_at_line(path, terms.size(), "expected a term, found an empty line");
    if (!is_decoded(*term, TextEncoding::utf8)) fail_at_line(path, terms.size(), "expected a term in UTF-8");
    bytes += term->size() + bytes_beside;
    if (bytes > memory / 2) {
      fail_at_line(path, terms.size(),
                   fmt::format("expected terms that take at most half of the memory, {} bytes (--memory)", memory / 2));
    }
    terms.emplace_back(*term);
  }
  return terms;
}

// The memory for a piece of a source, for its entries, and for parsing them.
constexpr std::uint64_t kBytesOfPiece = std::uint64_t{8} << 20U;

MatrixTotals spill_source(MatrixSource& source, const ImportOptions& options, const ImportProgress& progress,
                          MatrixSpill& spill) {
  const auto at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(options.memory / 8 / kBytesOfPiece, 1, 64));
  const MatrixTotals totals = read_matrix(source, at_once, [&](const MatrixBatch& batch) {
    spill.append(batch);
    progress(ImportPhase::read, source.bytes_read(), source.total_bytes());
  });
  spill.finish();
  return totals;
}

void check_terms(const ColumnTerms& terms, const ImportOptions& options, const MatrixSource& source) {
  const std::optional<std::int64_t> columns = source.shape().columns;
  if (columns && *columns != terms.size()) {
    throw FormatError(options.vocabulary,
                      fmt::format("expected {} terms, one for each column, found {}", *columns, terms.size()));
  }
}

// Column counts in order of features.
std::vector<std::int64_t> feature_counts(const MatrixSpill& spill, const std::optional<ColumnTerms>& terms) {
  if (!terms) return spill.column_counts();
  std::vector<std::int64_t> counts(spill.column_counts().size());
  for (std::size_t column = 0; column < counts.size(); ++column)
    counts[static_cast<std::size_t>(terms->feature_of_column()[column])] = spill.column_counts()[column];
  return counts;
}

void write_column_terms(PoolStaging& staging, const std::vector<std::int64_t>& counts, const std::optional<ColumnTerms>& terms) {
  StagedArray<std::int32_t> frequencies(staging, std::string(PoolFile::document_frequency));
  for (const std::int64_t count : counts) frequencies.append(static_cast<std::int32_t>(count));
  frequencies.close();
  if (!terms) return;
  StagedLines vocabulary(staging, std::string(PoolFile::vocabulary));
  for (const std::string& term : terms->terms()) vocabulary.append(term);
  vocabulary.close();
}

// How the pool came about, for its manifest.
std::string import_recipe(const ImportOptions& options, const ImportSummary& summary) {
  JsonWriter json;
  begin_manifest_recipe(json, options.origin);
  json.member("skipped_records", summary.skipped).member("zeros_left_out", summary.zeros);
  json.end_object();
  return json.take();
}

}  // namespace

ColumnTerms::ColumnTerms(const std::string& path, std::uint64_t memory) : terms_(terms_in_file(path, memory)) {
  std::vector<FeatureId> columns(terms_.size());
  std::iota(columns.begin(), columns.end(), 0);
  const auto term = [&](FeatureId column) -> const std::string& { return terms_[static_cast<std::size_t>(column)]; };
  std::ranges::stable_sort(columns, [&](FeatureId a, FeatureId b) { return term(a) < term(b); });

  feature_of_column_.resize(terms_.size());
  std::vector<std::string> ascending;
  ascending.reserve(terms_.size());
  for (std::size_t rank = 0; rank < columns.size(); ++rank) {
    const auto column = static_cast<std::size_t>(columns[rank]);
    if (rank > 0 && ascending.back() == terms_[column])
      fail_at_line(path, column, fmt::format("expected each term once, found {} again", quoted_text(terms_[column])));
    feature_of_column_[column] = static_cast<FeatureId>(rank);
    ascending.push_back(std::move(terms_[column]));
  }
  terms_ = std::move(ascending);
}

ImportSummary import_matrix(MatrixSource& source, const ImportOptions& options, PoolStaging& staging,
                            const ImportProgress& progress) {
  std::optional<ColumnTerms> terms;
  if (!options.vocabulary.empty()) {
    terms.emplace(options.vocabulary, options.memory);
    check_terms(*terms, options, source);
  }
  std::optional<std::int64_t> columns = source.shape().columns;
  if (terms) columns = terms->size();
  MatrixSpill spill(staging, source, options, columns);
  const MatrixTotals totals = spill_source(source, options, progress, spill);

  const std::vector<std::int64_t> counts = feature_counts(spill, terms);
  const ImportSummary summary = {.rows = spill.rows(),
                                 .columns = static_cast<std::int64_t>(counts.size()),
                                 .nonzeros = spill.nonzeros(),
                                 .zeros = totals.zeros,
                                 .skipped = totals.skipped,
                                 .links_left_out = source.links_left_out()};
  options.check(summary);
  write_column_terms(staging, counts, terms);
  spill.write_labels(staging);

  const auto entries = static_cast<std::uint64_t>(summary.nonzeros);
  std::uint64_t written = 0;
  const auto reported = [&](ImportPhase phase) {
    return [&progress, &written, entries, phase](auto more) {
      written += static_cast<std::uint64_t>(more);
      progress(phase, written, entries);
    };
  };
  MatrixWriter writer(staging, counts, options.memory / 2);
  RowPass pass = {.columns = static_cast<std::int32_t>(counts.size()),
                  .feature_of_column = {},
                  .memory = options.memory / 4,
                  .advance = reported(ImportPhase::rows)};
  if (terms) pass.feature_of_column = terms->feature_of_column();
  write_rows(spill, staging, pass, writer);
  written = 0;
  writer.finish(reported(ImportPhase::columns));

  staging.publish({.rows = summary.rows,
                   .columns = summary.columns,
                   .nonzeros = summary.nonzeros,
                   .program_version = options.origin.program_version,
                   .recipe = import_recipe(options, summary),
                   .files = {}});
  return summary;
}

}  // namespace inkling
