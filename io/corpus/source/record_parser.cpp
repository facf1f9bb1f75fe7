#include "io/corpus/source/record_parser.hpp"

#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::uint64_t kFreeLines = std::uint64_t{1} << 20U;  // so many are read within seconds

// Where the last line end is; npos where there is none.
std::size_t last_line_end(std::string_view text) { return text.rfind('\n'); }

bool is_line_end(char character) { return character == '\n' || character == '\r'; }

// How the first line of a record begins; empty for rules without such a mark.
std::string_view mark_of(RecordEnd rule) {
  switch (rule) {
    case RecordEnd::before_ris: return "TY  -";
    case RecordEnd::before_ris_end: return "ER  -";
    case RecordEnd::before_nbib: return "PMID-";
    case RecordEnd::before_medline: return " - ";
    case RecordEnd::before_bibtex: return "@";
    case RecordEnd::before_wos: return "PT ";
    case RecordEnd::before_enw: return "%0 ";
    case RecordEnd::before_refer: return "%";
    case RecordEnd::before_ovid: return "<";
    case RecordEnd::before_embase: return "\"TITLE\",";
    case RecordEnd::before_endnote: return "<record>";
    case RecordEnd::before_pubmed: return "<Pubmed";
    case RecordEnd::before_mail: return "From ";
    case RecordEnd::every_line:
    case RecordEnd::after_object:
    case RecordEnd::outside_quotes: break;
  }
  return {};
}

// Where the line of a mark begins.
std::size_t line_of_mark(std::string_view text, std::size_t mark, RecordEnd rule) {
  if (rule == RecordEnd::before_medline) return mark - std::min<std::size_t>(mark, 3);
  if (rule == RecordEnd::before_bibtex)
    while (mark > 0 && is_ascii_blank(text[mark - 1])) --mark;
  return mark;
}

// Whether an indented "@" after this text may begin an entry: after the end of another one, or a comment. A field of several
// lines may hold such a line, too.
bool ends_entry(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos || std::string_view("})\",").find(text[last]) != std::string_view::npos) return true;
  const std::size_t line = text.substr(0, last).find_last_of("\r\n") + 1;  // npos + 1 is 0
  return text[text.find_first_not_of(" \t", line)] == '%';
}

// "@article {": letters, blanks and an opening bracket, after blanks. Only of a definition, "@ string {", the letters may come after
// blanks, too: texts have lines such as "@ home (today)".
bool begins_entry(std::string_view before, std::string_view text) {
  const std::size_t sign = text.find('@');
  if (sign > 0 && !ends_entry(before)) return false;
  const std::string_view line = text.substr(sign, kLongestMark);
  std::size_t at = 1;
  while (at < line.size() && is_ascii_blank(line[at])) ++at;
  const std::size_t type = at;
  while (at < line.size() && is_ascii_letter(line[at])) ++at;
  if (at == type || (type > 1 && ascii_lower_case(line.substr(type, at - type)) != "string")) return false;
  while (at < line.size() && is_ascii_blank(line[at])) ++at;
  return at < line.size() && (line[at] == '{' || line[at] == '(');
}

// The text after its first line; empty if that has no end.
std::string_view after_line(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  return text.substr(std::min(end + (text.substr(end).starts_with("\r\n") ? 2 : 1), text.size()));
}

// "Subject: ", as the first line of a letter.
bool begins_header(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && (is_ascii_letter(text[at]) || is_ascii_digit(text[at]) || text[at] == '-')) ++at;
  return at > 0 && at + 1 < text.size() && text[at] == ':' &&
         (text[at + 1] == ' ' || text[at + 1] == '\t' || is_line_end(text[at + 1]));
}

// Whether the text ends in a line end after a blank line. Not if it begins with that line: what is before it is unknown.
bool ends_blank(std::string_view text) {
  if (text.empty() || !is_line_end(text.back())) return false;
  text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  return !text.empty() && is_line_end(text.back());
}

// "From ann@example.org Thu Nov 12 09:30:00 2020", or at least "From ann@example.org", "From -" or "From " between a blank
// line and the header of a letter, as Thunderbird writes it: other lines of a letter may begin with this word, too.
bool begins_message(std::string_view before, std::string_view text) {
  std::string_view line = text.substr(0, kLongestMark);
  const auto* const end = std::ranges::find_if(line, is_line_end);
  if (end == line.end()) return false;
  line = line.substr(0, static_cast<std::size_t>(end - line.begin()));
  const std::string_view who =
      line.substr(5, line.find_last_not_of(' ') + 1 - std::min<std::size_t>(line.find_last_not_of(' ') + 1, 5));
  const bool is_sender = who.find_first_of(" \t") == std::string_view::npos &&
                         (who.empty() || who == "-" || who == "MAILER-DAEMON" || who.find('@') != std::string_view::npos);
  if (is_sender && ends_blank(before) && begins_header(after_line(text.substr(0, kLongestMark)))) return true;
  bool time = false;
  bool year = false;
  for (std::size_t at = 5; at + 5 <= line.size(); ++at) {
    const std::string_view five = line.substr(at, 5);
    const bool digits = is_ascii_digit(five[0]) && is_ascii_digit(five[1]) && is_ascii_digit(five[3]) && is_ascii_digit(five[4]);
    time = time || (digits && five[2] == ':');
    year = year || (five[0] == ' ' && std::ranges::all_of(five.substr(1), is_ascii_digit));
  }
  return time && year;
}

// "<12>", alone in its line.
bool begins_number(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  return end > 1 && end + 1 < text.size() && text[end] == '>' && is_line_end(text[end + 1]);
}

// Whether a record begins at `at`, which is not 0. Requires: the mark of the rule is there.
bool begins_record(std::string_view text, std::size_t at, RecordEnd rule) {
  if (rule == RecordEnd::before_endnote) return true;
  if (rule == RecordEnd::before_pubmed) {
    const std::string_view rest = text.substr(at + mark_of(rule).size());
    return rest.starts_with("Article>") || rest.starts_with("BookArticle>");
  }
  if (!is_line_end(text[at - 1])) return false;
  if (rule == RecordEnd::before_medline)
    return text.substr(at).starts_with("OWN - ERIC") || text.substr(at).starts_with("PMC - PMC");
  if (rule == RecordEnd::before_bibtex) return begins_entry(text.substr(0, at), text.substr(at));
  if (rule == RecordEnd::before_refer) return ends_blank(text.substr(0, at));
  if (rule == RecordEnd::before_ovid) return begins_number(text.substr(at, kLongestMark));
  return rule != RecordEnd::before_mail || begins_message(text.substr(0, at), text.substr(at));
}

}  // namespace

std::size_t next_mark(std::string_view text, RecordEnd rule, std::size_t from) {
  const std::string_view mark = mark_of(rule);
  from = std::max<std::size_t>(from, 1);
  std::size_t at = from;
  for (; (at = text.find(mark, at)) != std::string_view::npos; ++at)
    if (const std::size_t line = line_of_mark(text, at, rule); line >= from && begins_record(text, line, rule)) return line;
  return at;
}

std::size_t last_mark(std::string_view text, RecordEnd rule, std::size_t from) {
  const std::string_view mark = mark_of(rule);
  const std::size_t begin = std::min(from, text.size());
  const std::string_view fresh = text.substr(begin);  // not all of a long record for each chunk of it
  // By the first character, which few places have.
  for (std::size_t at = fresh.size(); (at = fresh.rfind(mark.front(), at)) != std::string_view::npos;) {
    if (fresh.substr(at).starts_with(mark))
      if (const std::size_t line = line_of_mark(text, begin + at, rule); line > 0 && begins_record(text, line, rule)) return line;
    if (at-- == 0) break;
  }
  return std::string_view::npos;
}

std::size_t QuotedLines::next(std::string_view piece, std::size_t from) {
  constexpr std::string_view begins_field = ",;\t|\n";
  std::size_t line_end = from;
  bool is_known = false;  // where the line ends
  for (std::size_t at = from; at < piece.size();) {
    if (in_quotes_) {
      at = std::min(piece.find('"', at), piece.size() - 1) + 1;
      in_quotes_ = piece[at - 1] != '"';
      has_closed_ = !in_quotes_;
      continue;
    }
    if (std::exchange(has_closed_, false) && piece[at] == '"') {
      in_quotes_ = true;
      ++at;
      continue;
    }
    if (!is_known || line_end < at) line_end = std::min(piece.find('\n', at), piece.size());
    is_known = true;
    const std::size_t quote = std::min(piece.substr(at, line_end - at).find('"'), line_end - at) + at;
    if (quote == line_end) {
      if (line_end == piece.size()) break;
      before_ = '\n';
      return line_end + 1;
    }
    in_quotes_ = begins_field.find(quote > 0 ? piece[quote - 1] : before_) != std::string_view::npos;
    at = quote + 1;
  }
  if (!piece.empty()) before_ = piece.back();
  return std::string_view::npos;
}

std::size_t ObjectEnds::next(std::string_view piece, std::size_t from) {
  for (std::size_t at = from; at < piece.size();) {
    if (in_string_) {
      at = pass_string(piece, at);
      continue;
    }
    const char next = piece[at++];
    if (next == '"') {
      in_string_ = true;
    } else if (next == '{') {
      ++depth_;
    } else if (next == '}') {
      depth_ -= depth_ > 0 ? 1 : 0;
      if (depth_ == 0) return at;
    }
  }
  return std::string_view::npos;
}

// The position after the end of the string, or of the piece. Strings are most of such a text, so they are searched and not walked.
std::size_t ObjectEnds::pass_string(std::string_view piece, std::size_t at) {
  if (std::exchange(is_escaped_, false) && piece[at] != '\n') ++at;
  const std::size_t begin = at;
  for (;; ++at) {
    const std::size_t quote = std::min(piece.find('"', at), piece.size());
    const std::size_t line_end = piece.substr(at, quote - at).find('\n');
    in_string_ = false;
    if (line_end != std::string_view::npos) return at + line_end + 1;
    std::size_t escape = quote;
    while (escape > begin && piece[escape - 1] == '\\') --escape;
    const bool is_escaped = (quote - escape) % 2 != 0;
    if (quote < piece.size() && !is_escaped) return quote + 1;
    in_string_ = true;
    is_escaped_ = quote == piece.size() && is_escaped;
    if (quote == piece.size()) return quote;
    at = quote;
  }
}

void LineCount::add(std::string_view piece) {
  if (piece.empty()) return;
  lines_ += std::ranges::count(piece, '\n');
  if (!begins_with_mark(rule_)) return;
  if (after_return_ && piece.front() == '\n') --lines_;
  after_return_ = piece.back() == '\r';
  if (piece.find('\r') == std::string_view::npos) return;
  lines_ += std::ranges::count(piece, '\r');
  for (std::size_t at = 1; at < piece.size(); ++at)
    lines_ -= static_cast<std::int64_t>(piece[at - 1] == '\r' && piece[at] == '\n');
}

std::int64_t line_ends_in(std::string_view text, RecordEnd rule) {
  LineCount count(rule);
  count.add(text);
  return count.lines();
}

std::size_t first_record(std::string_view text, RecordEnd rule) {
  if (begins_with_mark(rule)) return next_mark(text, rule, 1);
  if (rule == RecordEnd::after_object) return ObjectEnds().next(text, 0);
  if (rule == RecordEnd::outside_quotes) return QuotedLines().next(text, 0);
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ? end : end + 1;
}

RecordChunks::RecordChunks(InputStream& stream, RecordEnd rule, const ReadingOptions& reading, StreamBegin begin)
    : stream_(&stream),
      rule_(rule),
      chunk_bytes_(static_cast<std::size_t>(std::max<std::uint64_t>(reading.chunk_bytes, 1))),
      most_record_bytes_(reading.most_document_bytes),
      record_a_chunk_(reading.record_a_chunk) {
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
  lines_ = {};
  objects_ = {};
  if (record_a_chunk_ && cut_after(whole_records(bytes.view()), bytes)) return true;
  for (;;) {
    if (!at_end_) at_end_ = fill(bytes) == 0;
    if (at_end_) return bytes.size() > 0;
    if (cut_after(whole_records(bytes.view()), bytes)) return true;
    const auto kept = static_cast<std::size_t>(most_record_bytes_ + 3);
    const bool has_mark = begins_with_mark(rule_);
    if (bytes.size() < kept + (has_mark ? kLongestMark : 0)) continue;
    const std::string_view cut = bytes.view().substr(kept);
    dropped_lines =
        has_mark ? drop_to_mark(bytes.view().substr(kept - 1)) : std::ranges::count(cut, '\n') + drop_rest_of_record();
    bytes.truncate(kept);
    return true;
  }
}

// Keeps the first `whole` bytes in `bytes`, and the rest for the next chunk; false if there are none.
bool RecordChunks::cut_after(std::size_t whole, PaddedText& bytes) {
  if (whole == 0) return false;
  left_over_ = bytes.view().substr(whole);
  bytes.truncate(whole);
  return true;
}

// Fills `bytes` up to the size of a chunk; if they are a chunk already, because a record is longer, adds another chunk.
std::size_t RecordChunks::fill(PaddedText& bytes) {
  const std::size_t before = bytes.size();
  const std::size_t wanted = before < chunk_bytes_ ? chunk_bytes_ - before : chunk_bytes_;
  const std::size_t got = stream_->read({bytes.extend(wanted), wanted});
  bytes.truncate(before + got);
  return got;
}

std::size_t RecordChunks::whole_records(std::string_view text) {
  if (record_a_chunk_) {
    const std::size_t first = first_record(text, rule_);
    return first == std::string_view::npos ? 0 : first;
  }
  if (begins_with_mark(rule_)) {
    const std::size_t last = last_mark(text, rule_, searched_);
    if (last != std::string_view::npos) return last;
    searched_ = text.size() - std::min(text.size(), kLongestMark);
    return 0;
  }
  std::size_t last = 0;
  if (rule_ == RecordEnd::every_line)
    last = last_line_end(text.substr(searched_)) + 1;  // npos + 1 is 0
  else
    for (std::size_t end = searched_; (end = next_end(text, end)) != std::string_view::npos;) last = end;
  if (rule_ == RecordEnd::every_line && last > 0) last += searched_;
  searched_ = text.size();
  return last;
}

// The position after the next record that ends by itself; npos if all of the text was searched.
std::size_t RecordChunks::next_end(std::string_view text, std::size_t from) {
  if (rule_ == RecordEnd::after_object) return objects_.next(text, from);
  if (rule_ == RecordEnd::outside_quotes) return lines_.next(text, from);
  const std::size_t end = text.find('\n', from);
  return end == std::string_view::npos ? end : end + 1;
}

std::int64_t RecordChunks::drop_rest_of_record() {
  std::int64_t lines = 0;
  std::string block(chunk_bytes_, '\0');
  for (;;) {
    const std::string_view text = std::string_view(block).substr(0, stream_->read(block));
    at_end_ = text.empty();
    if (at_end_) return lines;
    const std::size_t end = next_end(text, 0);
    lines += std::ranges::count(text.substr(0, end), '\n');
    if (end == std::string_view::npos) continue;
    left_over_ = text.substr(end);
    return lines;
  }
}

// `cut`: the last byte of the record that is kept, and what was read after it.
std::int64_t RecordChunks::drop_to_mark(std::string_view cut) {
  LineCount count(rule_);
  count.add(cut.substr(0, 1));
  const std::int64_t before = count.lines();
  std::string window(cut);
  std::string block(chunk_bytes_, '\0');
  for (std::size_t counted = 1;;) {
    const std::size_t mark = next_mark(window, rule_, counted);
    if (mark != std::string_view::npos || at_end_) {
      const std::string_view rest = std::string_view(window).substr(counted);
      count.add(rest.substr(0, mark - counted));
      if (mark != std::string_view::npos) left_over_ = window.substr(mark);
      return count.lines() - before;
    }
    const std::size_t kept = std::min(window.size() - counted, kLongestMark);
    count.add(std::string_view(window).substr(counted, window.size() - kept - counted));
    window.erase(0, window.size() - kept - 1);
    counted = 1;
    const std::size_t got = stream_->read(block);
    at_end_ = got == 0;
    window.append(block, 0, got);
  }
}

RecordProblem too_long_record(const ReadingOptions& reading) {
  return {fmt::format("expected at most {} bytes in a record ({}), found more", reading.most_document_bytes,
                      reading.most_document_option)};
}

ReadingBudget budget_of_records(const ReadingOptions& reading) {
  return ReadingBudget::of_records(reading.most_document_bytes, reading.most_document_option);
}

RecordVerdict unstorable_label(std::string_view label) {
  if (label.find('\n') == std::string_view::npos) return std::nullopt;
  return RecordProblem{fmt::format("expected a label without a line end, found {}", quoted_text(label))};
}

RecordProblem bad_byte(std::string_view text, std::size_t position, TextEncoding encoding) {
  return {fmt::format("expected {}, found the byte 0x{:02X}", is_utf8(encoding) ? "UTF-8" : "Windows-1252 (cp1252)",
                      static_cast<unsigned char>(text[position])),
          position};
}

bool keeps_label(const SourceOptions& options, std::string_view label) {
  if (options.labels.empty()) return true;
  const auto found = std::ranges::find(options.labels, label);
  if (options.seen) options.seen->note_label(static_cast<std::size_t>(found - options.labels.begin()), label);
  return found != options.labels.end();
}

ChunkProblem problem_at(std::string_view text, const RecordProblem& problem, RecordEnd rule) {
  const std::string_view before = text.substr(0, problem.position);
  const std::size_t line_begin = before.find_last_of(begins_with_mark(rule) ? "\r\n" : "\n") + 1;  // npos + 1 is 0
  return {.line = line_ends_in(before, rule),
          .column = static_cast<std::int64_t>(before.size() - line_begin) + 1,
          .expectation = problem.expectation};
}

void remark(ChunkOutcome& outcome, ChunkProblem found) {
  constexpr std::size_t most = 100;
  if (outcome.remarks.size() < most) outcome.remarks.push_back(std::move(found));
}

constexpr std::string_view kLeftOut = "left out: ";

std::string why_left_out(const ChunkOutcome& outcome) {
  const auto first =
      std::ranges::find_if(outcome.remarks, [](const ChunkProblem& remark) { return remark.expectation.starts_with(kLeftOut); });
  return first == outcome.remarks.end() ? std::string() : first->expectation.substr(kLeftOut.size());
}

void leave_out(ChunkOutcome& outcome, ChunkProblem problem) {
  ++outcome.skipped;
  problem.expectation.insert(0, kLeftOut);
  remark(outcome, std::move(problem));
}

void OutcomeCheck::take(const std::shared_ptr<const std::string>& origin, const ChunkOutcome& outcome) {
  if (origin != origin_) lines_ = 0;
  if (!origin_ || *origin != *origin_) said_of_files_.clear();
  origin_ = origin;
  if (const std::optional<ChunkProblem>& problem = outcome.problem)
    throw FormatError(fmt::format("{}:{}", place_of(*problem), problem->column), problem->expectation);
  for (const ChunkProblem& remark : outcome.remarks)
    if (remarks_.size() < most_remarks && (!remark.is_of_file || said_of_files_.insert(remark.expectation).second))
      remarks_.push_back(fmt::format("{}: {}", place_of(remark), remark.expectation));
  lines_ += outcome.lines;
  lines_of_all_ += static_cast<std::uint64_t>(outcome.lines);
  if (outcome.disk_bytes > 0 && lines_of_all_ > kFreeLines + outcome.disk_bytes)
    throw FormatError(*origin, fmt::format("expected at most one line for each packed byte beyond the first {}, found more: "
                                           "unpack it, and leave empty lines out",
                                           kFreeLines));
}

std::string OutcomeCheck::place_of(const ChunkProblem& problem) const {
  const bool is_member = !problem.member.empty();
  std::string file = is_member ? joined_path(*origin_, problem.member) : *origin_;
  return problem.is_of_file ? file : fmt::format("{}:{}", file, (is_member ? 0 : lines_) + problem.line + 1);
}

std::vector<RecordPlace> places_of(DocumentSource& source, std::span<const std::int64_t> rows) {
  std::vector<RecordPlace> places;
  std::shared_ptr<const std::string> origin;
  std::int64_t lines = 0;  // of the chunks before, of the same origin
  std::int64_t row = 0;
  for (Chunk chunk; places.size() < rows.size() && source.read(chunk);) {
    if (chunk.origin != origin) lines = 0;
    origin = chunk.origin;
    lines += source
                 .parse(chunk,
                        [&](const SourceDocument& document) {
                          if (places.size() == rows.size() || row++ != rows[places.size()]) return;
                          const std::string id(document.id);
                          places.push_back(
                              {chunk.members.empty() ? fmt::format("{}:{}", *origin, lines + 1) : joined_path(*origin, id), id});
                        })
                 .lines;
  }
  return places;
}

}  // namespace inkling
