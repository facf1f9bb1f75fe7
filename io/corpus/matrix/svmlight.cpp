#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/matrix/text_matrix.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostLabelBytes = 4096;

// One row after the other; cuts tokens at spaces and tabs.
class SvmlightRowParser {
 public:
  SvmlightRowParser(const MatrixSourceOptions& options, MatrixBatch& batch)
      : base_(options.index_base),
        features_(options.features.value_or(std::numeric_limits<std::int32_t>::max())),
        batch_(&batch) {}

  RecordVerdict parse(std::string_view line) {
    line_ = LineCursor(line.substr(0, line.find('#')));
    if (line_.done()) return std::nullopt;
    const std::size_t entries_before = batch_->entries.size();
    const std::int64_t zeros_before = batch_->zeros;
    RecordVerdict problem = parse_row();
    if (!problem) return std::nullopt;
    batch_->entries.resize(entries_before);
    batch_->zeros = zeros_before;
    return problem;
  }

 private:
  RecordVerdict parse_row() {
    const std::string_view label = line_.word();
    if (label.find(':') != std::string_view::npos) return line_.found("expected a label before the features", label);
    if (!is_decoded(label, TextEncoding::utf8)) {
      RecordProblem problem = bad_byte(label, valid_utf8_prefix(label));
      problem.position += line_.position();
      return problem;
    }
    if (label.size() > kMostLabelBytes)
      return RecordProblem{fmt::format("expected a label of at most {} bytes", kMostLabelBytes), line_.position()};
    line_.take_word();
    if (line_.word().starts_with("qid:")) line_.take_word();

    const std::size_t first = batch_->entries.size();
    FeatureId last = -1;
    bool ascending = true;
    while (!line_.done()) {
      MatrixEntry entry = {.row = static_cast<std::int32_t>(batch_->rows), .feature = 0, .value = 0};
      if (RecordVerdict problem = parse_entry(entry)) return problem;
      ascending = ascending && entry.feature > last;
      last = entry.feature;
      batch_->entries.push_back(entry);
    }
    if (!ascending) {
      if (RecordVerdict problem = sort_row(first)) return problem;
    }
    drop_zeros(first);
    batch_->labels.append(label.starts_with('+') ? label.substr(1) : label);
    ++batch_->rows;
    return std::nullopt;
  }

  RecordVerdict parse_entry(MatrixEntry& entry) {
    std::int64_t index = 0;
    const auto [colon, error] = std::from_chars(line_.at(), line_.end(), index);
    const bool out_of_range = error == std::errc::result_out_of_range;
    if ((error != std::errc() && !out_of_range) || colon == line_.end() || *colon != ':')
      return line_.found("expected INDEX:VALUE", line_.word());
    if (out_of_range || index < base_ || index - base_ >= features_) return bad_index();
    entry.feature = static_cast<FeatureId>(index - base_);
    const char* const value_end = read_matrix_value(colon + 1, line_.end(), entry.value);
    if (value_end == nullptr || !line_.ends_word(value_end)) {
      line_.move_to(colon + 1);
      return line_.found(kMatrixValueRule, line_.word());
    }
    line_.move_to(value_end);
    line_.pass_spaces();
    return std::nullopt;
  }

  RecordVerdict bad_index() const {
    const std::string_view index = line_.word().substr(0, line_.word().find(':'));
    if (index == "0")
      return line_.found(fmt::format("expected indices from {} on (--index-base 0 where the first is 0)", base_), index);
    return line_.found(fmt::format("expected an index from {} to {}", base_, features_ - 1 + base_), index);
  }

  RecordVerdict sort_row(std::size_t first) {
    const std::span<MatrixEntry> row = std::span(batch_->entries).subspan(first);
    std::ranges::sort(row, {}, &MatrixEntry::feature);
    const auto twice = std::ranges::adjacent_find(row, {}, &MatrixEntry::feature);
    if (twice == row.end()) return std::nullopt;
    return RecordProblem{fmt::format("expected each index once in a row, found {} twice", twice->feature + base_)};
  }

  void drop_zeros(std::size_t first) {
    const auto begin = batch_->entries.begin() + static_cast<std::ptrdiff_t>(first);
    const auto kept = std::remove_if(begin, batch_->entries.end(), [](const MatrixEntry& entry) { return entry.value == 0.0F; });
    batch_->zeros += batch_->entries.end() - kept;
    batch_->entries.erase(kept, batch_->entries.end());
  }

  std::int64_t base_;
  std::int64_t features_;
  MatrixBatch* batch_;
  LineCursor line_;
};

// The rows of all files, one file after another.
class SvmlightSource final : public TextMatrixSource {
 public:
  SvmlightSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options)
      : TextMatrixSource(paths, options), name_(paths.front()) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] RowOrder order() const override { return RowOrder::ascending; }
  [[nodiscard]] DeclaredShape shape() const override { return {{}, options().features, {}}; }

  [[nodiscard]] std::optional<MatrixPiece> read() override {
    const std::shared_ptr<Chunk> chunk = read_chunk();
    if (!chunk) return std::nullopt;
    return MatrixPiece{chunk->origin,
                       [chunk, options = options()](MatrixBatch& batch) { return parse_svmlight(*chunk, options, batch); }};
  }

 private:
  std::string name_;
};

}  // namespace

ChunkOutcome parse_svmlight(const Chunk& chunk, const MatrixSourceOptions& options, MatrixBatch& batch) {
  SvmlightRowParser parser(options, batch);
  return parse_chunk(chunk, RecordEnd::every_line, options.reading, [&](std::string_view line) { return parser.parse(line); });
}

std::unique_ptr<MatrixSource> open_svmlight(const std::vector<std::string>& paths, const MatrixSourceOptions& options) {
  return std::make_unique<SvmlightSource>(paths, options);
}

}  // namespace inkling
