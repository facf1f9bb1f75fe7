#include "io/corpus/source/record_parser.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Quotes are rare, so looking for them is faster than counting at every byte.
bool odd_quotes(std::string_view text) {
  bool odd = false;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) odd = !odd;
  return odd;
}

// Where the last line end stands; npos where there is none.
std::size_t last_line_end(std::string_view text) {
  const void* const found = text.empty() ? nullptr : ::memrchr(text.data(), '\n', text.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace

std::size_t first_record(std::string_view text, RecordEnd rule) {
  std::size_t end = 0;
  bool in_quotes = false;
  for (;;) {
    const std::size_t line_end = text.find('\n', end);
    if (line_end == std::string_view::npos) return line_end;
    if (rule == RecordEnd::outside_quotes) in_quotes ^= odd_quotes(text.substr(end, line_end - end));
    end = line_end + 1;
    if (!in_quotes) return end;
  }
}

RecordChunks::RecordChunks(InputStream& stream, RecordEnd rule, const ReadingOptions& reading,
                           StreamBegin begin)
    : stream_(&stream),
      rule_(rule),
      chunk_bytes_(static_cast<std::size_t>(std::max<std::uint64_t>(reading.chunk_bytes, 1))),
      most_record_bytes_(reading.most_document_bytes) {
  if (begin == StreamBegin::within_file) return;
  std::array<char, kByteOrderMark.size()> first{};
  const std::size_t count = stream_->read(first);
  at_end_ = count < first.size();
  left_over_.assign(first.data(), count);
  if (left_over_ == kByteOrderMark) left_over_.clear();
}

bool RecordChunks::read(PaddedText& bytes, std::int64_t& dropped_lines) {
  bytes.clear();
  dropped_lines = 0;
  bytes.append(left_over_);
  left_over_.clear();
  searched_ = 0;
  in_quotes_ = false;
  for (;;) {
    if (!at_end_) at_end_ = fill(bytes) == 0;
    if (at_end_) return bytes.size() > 0;
    if (const std::size_t whole = whole_records(bytes.view()); whole > 0) {
      left_over_ = bytes.view().substr(whole);
      bytes.truncate(whole);
      return true;
    }
    const auto kept = static_cast<std::size_t>(most_record_bytes_ + 3);
    if (bytes.size() < kept) continue;
    dropped_lines = std::ranges::count(bytes.view().substr(kept), '\n') + drop_rest_of_record();
    bytes.truncate(kept);
    return true;
  }
}

// To the size of a chunk, or by another chunk where a record is longer than that.
std::size_t RecordChunks::fill(PaddedText& bytes) {
  const std::size_t before = bytes.size();
  const std::size_t wanted = before < chunk_bytes_ ? chunk_bytes_ - before : chunk_bytes_;
  const std::size_t got = stream_->read({bytes.extend(wanted), wanted});
  bytes.truncate(before + got);
  return got;
}

std::size_t RecordChunks::whole_records(std::string_view text) {
  const std::string_view fresh = text.substr(searched_);
  const bool quotes_matter = rule_ == RecordEnd::outside_quotes;
  if (quotes_matter) in_quotes_ ^= odd_quotes(fresh);
  bool in_quotes = in_quotes_;
  std::size_t end = fresh.size();
  for (;;) {
    const std::size_t line_end = last_line_end(fresh.substr(0, end));
    if (line_end == std::string_view::npos) break;
    if (quotes_matter) in_quotes ^= odd_quotes(fresh.substr(line_end, end - line_end));
    if (!in_quotes) return searched_ + line_end + 1;
    end = line_end;
  }
  searched_ = text.size();
  return 0;
}

std::int64_t RecordChunks::drop_rest_of_record() {
  std::int64_t lines = 0;
  std::string block(chunk_bytes_, '\0');
  for (;;) {
    const std::size_t got = stream_->read(block);
    std::string_view text = std::string_view(block).substr(0, got);
    at_end_ = got == 0;
    if (at_end_) return lines;
    while (!text.empty()) {
      const std::size_t line_end = text.find('\n');
      const std::string_view line = text.substr(0, line_end);
      if (rule_ == RecordEnd::outside_quotes) in_quotes_ ^= odd_quotes(line);
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line_end == std::string_view::npos) break;
      ++lines;
      if (in_quotes_) continue;
      left_over_ = text;
      return lines;
    }
  }
}

RecordProblem too_long_record(const ReadingOptions& reading) {
  return {fmt::format("expected at most {} bytes in a record ({}), found more", reading.most_document_bytes,
                      reading.most_document_option)};
}

RecordVerdict unstorable_label(std::string_view label) {
  if (label.find('\n') == std::string_view::npos) return std::nullopt;
  return RecordProblem{fmt::format("expected a label without a line end, found {}", quoted_text(label))};
}

RecordProblem bad_byte(std::string_view text, std::size_t position, TextEncoding encoding) {
  return {fmt::format("expected {}, found the byte 0x{:02X}",
                      encoding == TextEncoding::utf8 ? "UTF-8" : "Windows-1252 (cp1252)",
                      static_cast<unsigned char>(text[position])),
          position};
}

bool keeps_label(const SourceOptions& options, std::string_view label) {
  if (options.labels.empty()) return true;
  const auto found = std::ranges::find(options.labels, label);
  if (options.seen) options.seen->note_label(static_cast<std::size_t>(found - options.labels.begin()), label);
  return found != options.labels.end();
}

ChunkProblem problem_at(std::string_view text, const RecordProblem& problem) {
  const std::string_view before = text.substr(0, problem.position);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = std::ranges::count(before, '\n'),
          .column = static_cast<std::int64_t>(before.size() - line_begin) + 1,
          .expectation = problem.expectation};
}

void OutcomeCheck::take(const std::shared_ptr<const std::string>& origin, const ChunkOutcome& outcome) {
  if (origin != origin_) lines_ = 0;
  origin_ = origin;
  if (const std::optional<ChunkProblem>& problem = outcome.problem) {
    const bool is_member = !problem->member.empty();
    throw FormatError(fmt::format("{}:{}:{}", is_member ? joined_path(*origin, problem->member) : *origin,
                                  (is_member ? 0 : lines_) + problem->line + 1, problem->column),
                      problem->expectation);
  }
  lines_ += outcome.lines;
}

}  // namespace inkling
