// A record of tags: a tag and a value on each line, and lines that continue the value before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "io/corpus/source/reference_record.hpp"

namespace inkling {

/// So many columns of a line come before the "-" that follows a tag.
inline constexpr std::size_t kTagColumns = 4;

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_ascii_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The lines of a text one after the other. A line ends in "\n", "\r\n" or "\r".
class TaggedLines {
 public:
  explicit TaggedLines(std::string_view text) : text_(text), newline_(text.find('\n')) {}

  [[nodiscard]] bool has_more() const { return at_ < text_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }
  std::string_view take() {
    if (newline_ < at_) newline_ = text_.find('\n', at_);  // npos is no less
    const std::string_view rest = text_.substr(at_, std::min(newline_, text_.size()) - at_);
    const std::string_view line = rest.substr(0, rest.find('\r'));
    at_ += line.size();
    at_ += at_ + 1 == newline_ ? 2 : 1;
    return line;
  }

 private:
  std::string_view text_;
  std::size_t newline_;  // the first one from `at_` on
  std::size_t at_ = 0;
};

/// "TI  - A title": capitals and digits, blanks up to the fifth column, "-", and a blank or nothing.
[[nodiscard]] inline std::optional<std::string_view> tag_in(std::string_view line) {
  if (line.size() <= kTagColumns || line[kTagColumns] != '-') return std::nullopt;
  if (line.size() > kTagColumns + 1 && line[kTagColumns + 1] != ' ') return std::nullopt;
  const auto is_tag = [](char character) { return is_ascii_capital(character) || is_ascii_digit(character); };
  std::size_t size = 0;
  while (size < kTagColumns && is_tag(line[size])) ++size;
  const bool blanks = line.substr(size, kTagColumns - size).find_first_not_of(' ') == std::string_view::npos;
  if (size < 2 || !blanks || line.front() < 'A') return std::nullopt;
  return line.substr(0, size);
}

/// The lines of a record, one after the other, with their positions. Lifetime: lends chunk, tags, options and visitor.
class TaggedRecordParser {
 public:
  TaggedRecordParser(const Chunk& chunk, std::span<const ReferenceTag> tags, const SourceOptions& options,
                     const DocumentVisitor& visit)
      : options_(&options),
        visit_(&visit),
        decoder_(chunk.bytes.view(), options.encoding, options.bad_bytes),
        reference_(tags, options) {}

  [[nodiscard]] std::int64_t replaced() const { return decoder_.replaced(); }
  void report() { reference_.report(); }

 protected:
  ~TaggedRecordParser() = default;
  ReferenceRecord& reference() { return reference_; }
  /// What is wrong with the document, or else what was wrong with its lines.
  [[nodiscard]] RecordVerdict visit(const RecordVerdict& problem_of_lines = std::nullopt) {
    RecordVerdict problem = reference_.visit(*visit_);
    return problem ? problem : problem_of_lines;
  }
  [[nodiscard]] bool is_strict() const { return !options_->reading.skip_bad; }

  /// Calls `take(line)` for each line until it returns a problem, which becomes a problem of the record.
  template <typename TakeLine>
  RecordVerdict for_each_line(std::string_view record, const TakeLine& take) {
    for (TaggedLines lines(record); lines.has_more();) {
      const std::size_t line_begin = lines.position();
      RecordVerdict problem = take(lines.take());
      if (!problem) continue;
      problem->position += line_begin;
      return problem;
    }
    return std::nullopt;
  }

  /// Decodes the value in a line and hands it over.
  template <typename TakeText>
  RecordVerdict decoded(std::string_view line, std::string_view value, const TakeText& take) {
    const std::optional<std::string_view> text = decoder_.decode(value, scratch_);
    if (text) {
      take(*text);
      return std::nullopt;
    }
    RecordProblem problem = bad_byte(value, decoder_.bad_at(), options_->encoding);
    problem.position += static_cast<std::size_t>(value.data() - line.data());
    return problem;
  }

  RecordVerdict add(std::string_view line, std::string_view value, std::string_view name) {
    return decoded(line, value, [&](std::string_view text) { reference_.add(name, text); });
  }
  RecordVerdict extend(std::string_view line, std::string_view value, std::string_view separator) {
    return decoded(line, value, [&](std::string_view text) { reference_.extend(separator, text); });
  }
  /// A line in which `tag_in` finds this tag.
  RecordVerdict add_tagged(std::string_view line, std::string_view tag) {
    return add(line, trimmed(line.substr(kTagColumns + 1)), tag);
  }

 private:
  const SourceOptions* options_;
  const DocumentVisitor* visit_;
  TextDecoder decoder_;
  PaddedText scratch_;
  ReferenceRecord reference_;
};

}  // namespace inkling
