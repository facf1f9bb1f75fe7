#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/utf8.hpp"
#include "io/matrix/matrix_source.hpp"
#include "io/matrix/text_matrix.hpp"
#include "io/source/record_parser.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostLabelBytes = 4096;

bool is_space(char character) { return character == ' ' || character == '\t'; }

// One row after the other; cuts tokens at spaces and tabs.
class SvmlightRowParser {
 public:
  SvmlightRowParser(const MatrixSourceOptions& options, MatrixBatch& batch)
      : base_(options.index_base),
        features_(options.features.value_or(std::numeric_limits<std::int32_t>::max())),
        batch_(&batch) {}

  RecordVerdict parse(std::string_view line) {
    begin_ = at_ = line.data();
    end_ = line.data() + std::min(line.find('#'), line.size());
    pass_spaces();
    if (at_ == end_) return std::nullopt;
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
    const std::string_view label = token();
    if (label.find(':') != std::string_view::npos)
      return found("expected a label before the features", label);
    if (!is_decoded(label, TextEncoding::utf8))
      return bad_byte({begin_, end_}, position() + valid_utf8_prefix(label));
    if (label.size() > kMostLabelBytes)
      return RecordProblem{fmt::format("expected a label of at most {} bytes", kMostLabelBytes), position()};
    advance(label.size());
    if (const std::string_view query = token(); query.starts_with("qid:")) advance(query.size());

    const std::size_t first = batch_->entries.size();
    FeatureId last = -1;
    bool ascending = true;
    while (at_ != end_) {
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
    const auto [colon, error] = std::from_chars(at_, end_, index);
    const bool out_of_range = error == std::errc::result_out_of_range;
    if ((error != std::errc() && !out_of_range) || colon == end_ || *colon != ':')
      return found("expected INDEX:VALUE", token());
    if (out_of_range || index < base_ || index - base_ >= features_) return bad_index();
    entry.feature = static_cast<FeatureId>(index - base_);
    const char* const value_end = read_matrix_value(colon + 1, end_, entry.value);
    if (value_end == nullptr || (value_end != end_ && !is_space(*value_end))) {
      at_ = colon + 1;
      return found(kMatrixValueRule, token());
    }
    at_ = value_end;
    pass_spaces();
    return std::nullopt;
  }

  RecordVerdict bad_index() const {
    const std::string_view index = token().substr(0, token().find(':'));
    if (index == "0")
      return found(fmt::format("expected indices from {} on (--index-base 0 where the first is 0)", base_),
                   index);
    return found(fmt::format("expected an index from {} to {}", base_, features_ - 1 + base_), index);
  }

  RecordVerdict sort_row(std::size_t first) {
    const auto begin = batch_->entries.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, batch_->entries.end(),
              [](const MatrixEntry& a, const MatrixEntry& b) { return a.feature < b.feature; });
    const auto twice =
        std::adjacent_find(begin, batch_->entries.end(),
                           [](const MatrixEntry& a, const MatrixEntry& b) { return a.feature == b.feature; });
    if (twice == batch_->entries.end()) return std::nullopt;
    return RecordProblem{
        fmt::format("expected each index once in a row, found {} twice", twice->feature + base_)};
  }

  void drop_zeros(std::size_t first) {
    const auto begin = batch_->entries.begin() + static_cast<std::ptrdiff_t>(first);
    const auto kept = std::remove_if(begin, batch_->entries.end(),
                                     [](const MatrixEntry& entry) { return entry.value == 0.0F; });
    batch_->zeros += batch_->entries.end() - kept;
    batch_->entries.erase(kept, batch_->entries.end());
  }

  void pass_spaces() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  void advance(std::size_t count) {
    at_ += count;
    pass_spaces();
  }
  [[nodiscard]] std::string_view token() const { return {at_, std::find_if(at_, end_, is_space)}; }
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
  [[nodiscard]] RecordVerdict found(std::string_view expectation, std::string_view text) const {
    return RecordProblem{fmt::format("{}, found {}", expectation, quoted_text(text)), position()};
  }

  std::int64_t base_;
  std::int64_t features_;
  MatrixBatch* batch_;
  const char* begin_ = nullptr;  // of the line
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

// The rows of all files, one file after another.
class SvmlightSource final : public TextMatrixSource {
 public:
  SvmlightSource(const std::vector<std::string>& paths, const MatrixSourceOptions& options)
      : TextMatrixSource(paths, options), name_(*origin()) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] RowOrder order() const override { return RowOrder::ascending; }
  [[nodiscard]] DeclaredShape shape() const override { return {{}, options().features, {}}; }

  [[nodiscard]] std::optional<MatrixPiece> read() override {
    std::shared_ptr<Chunk> chunk = is_open_ ? read_chunk() : nullptr;
    while (!chunk) {
      is_open_ = open_next_file();
      if (!is_open_) return std::nullopt;
      chunk = read_chunk();
    }
    return MatrixPiece{origin(), [chunk = std::move(chunk), options = options()](MatrixBatch& batch) {
                         return parse_svmlight(*chunk, options, batch);
                       }};
  }

 private:
  std::string name_;
  bool is_open_ = false;
};

}  // namespace

ChunkOutcome parse_svmlight(const Chunk& chunk, const MatrixSourceOptions& options, MatrixBatch& batch) {
  SvmlightRowParser parser(options, batch);
  return parse_chunk(chunk, rules_of(options), [&](std::string_view line) { return parser.parse(line); });
}

std::unique_ptr<MatrixSource> open_svmlight(const std::vector<std::string>& paths,
                                            const MatrixSourceOptions& options) {
  return std::make_unique<SvmlightSource>(paths, options);
}

}  // namespace inkling
