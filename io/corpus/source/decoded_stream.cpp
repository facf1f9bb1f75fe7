#include "io/corpus/source/decoded_stream.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/source/record_format.hpp"

namespace inkling {
namespace {

constexpr std::size_t kDecidingBytes = std::size_t{1} << 16U;
// A file that is ASCII for so long is UTF-8, so that each part of it can be read by itself.
constexpr std::uint64_t kMostUndecided = std::uint64_t{64} << 20U;
// Where few words are not ASCII, so much is read to find more of them.
constexpr std::size_t kMostWaiting = std::size_t{16} << 20U;

}  // namespace

bool set_encoding(const std::string& name, SourceOptions& options) {
  const std::optional<TextEncoding> own = value_of(ascii_lower_case(name), kTextEncodingNames);
  options.encoding = own.value_or(TextEncoding::utf8);
  options.other_encoding = own ? std::string() : known_encoding(name);
  return own || !options.other_encoding.empty();
}

bool detects_encoding(const SourceOptions& options) {
  return options.encoding == TextEncoding::detected && options.bad_bytes == BadBytes::replace;
}

std::string encoding_of_text(std::string_view bytes, const SourceOptions& options, std::string_view usual) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (!options.other_encoding.empty()) return bytes.starts_with(mark) ? std::string() : options.other_encoding;
  const bool may_be_other = detects_encoding(options) && !bytes.starts_with(mark);
  return may_be_other ? guessed_encoding(bytes, usual) : std::string();
}

std::string encoding_remark(const std::string& encoding) {
  return fmt::format("read as {} (detected; --encoding names another)", encoding);
}

bool ends_lines_in_returns(std::string_view table) {
  bool in_quotes = false;
  bool any = false;
  for (std::size_t at = 0; at < table.size(); ++at) {
    if (table[at] == '"') in_quotes = !in_quotes;
    if (in_quotes || (table[at] != '\n' && table[at] != '\r')) continue;
    if (table[at] == '\n' || table.substr(at + 1).starts_with('\n')) return false;
    any = true;
  }
  return any;
}

DecodedStream::DecodedStream(InputStream& stream, std::string name, const SourceOptions& options)
    : stream_(&stream),
      name_(std::move(name)),
      detects_(detects_encoding(options)),
      bad_bytes_(options.bad_bytes),
      encoding_(options.other_encoding),
      is_mail_(!is_file_format(options.format) && record_format(options.format).record_end == RecordEnd::before_mail),
      undecided_(detects_ || !encoding_.empty() ? kMostUndecided : 0) {
  const bool is_table = !is_file_format(options.format) && record_format(options.format).has_columns;
  has_returns_ = is_table && options.has_returns.value_or(false);
  const bool looks = is_table && !options.has_returns;
  if (undecided_ == 0 && !looks) return;
  const std::size_t first = looks ? kDecidingBytes : 4096;  // a byte order mark, or zeros, say at once what it is
  waiting_.resize(first);
  waiting_.resize(stream_->read(waiting_));
  at_end_ = waiting_.size() < first;
  if (looks) has_returns_ = ends_lines_in_returns(waiting_);
  if (undecided_ == 0) return;
  if (!encoding_.empty() || waiting_.find('\0') != std::string::npos || waiting_.starts_with("\xEF\xBB\xBF")) decide();
}

void DecodedStream::read_evidence() {
  waiting_.erase(0, at_);
  at_ = 0;
  while (!at_end_ && waiting_.size() < kMostWaiting && (waiting_.size() < kDecidingBytes || !tells_enough(waiting_))) {
    const std::size_t before = waiting_.size();
    waiting_.resize(std::max(2 * before, kDecidingBytes));
    waiting_.resize(before + stream_->read(std::span(waiting_).subspan(before)));
    at_end_ = waiting_.size() < std::max(2 * before, kDecidingBytes);
  }
}

// Requires: the waiting bytes are all that is known of the text's beginning.
void DecodedStream::decide() {
  undecided_ = 0;
  SourceOptions options;
  options.encoding = detects_ ? TextEncoding::detected : TextEncoding::utf8;
  options.other_encoding = encoding_;
  const std::string found = encoding_of_text(waiting_, options);
  if (is_mail_ && !found.starts_with("UTF-16")) usual_ = found;
  if (found.empty() || !usual_.empty()) return;
  if (encoding_.empty()) found_ = found;
  converter_.emplace(found);
  const std::string bytes = std::exchange(waiting_, {});
  converter_->append(bytes, at_end_, waiting_);
  refuse_bad_bytes();
}

void DecodedStream::refuse_bad_bytes() const {
  if (bad_bytes_ == BadBytes::refuse && converter_->replaced() > 0)
    throw FormatError(name_,
                      fmt::format("expected {}, found {} bytes that are no characters of it", encoding_, converter_->replaced()));
}

bool DecodedStream::convert_some() {
  if (at_end_) return false;
  std::string bytes(kDecidingBytes, '\0');
  bytes.resize(stream_->read(bytes));
  at_end_ = bytes.size() < kDecidingBytes;
  waiting_.clear();
  at_ = 0;
  converter_->append(bytes, at_end_, waiting_);
  refuse_bad_bytes();
  return true;
}

std::size_t DecodedStream::read(std::span<char> to) {
  const std::size_t count = read_decoded(to);
  if (has_returns_) std::ranges::replace(to.first(count), '\r', '\n');
  return count;
}

std::size_t DecodedStream::read_decoded(std::span<char> to) {
  std::size_t count = 0;
  while (count < to.size()) {
    if (at_ < waiting_.size() && undecided_ > 0 && tells_encoding(std::string_view(waiting_).substr(at_))) {
      read_evidence();
      decide();
    }
    if (at_ < waiting_.size()) {
      const std::size_t some = std::min(to.size() - count, waiting_.size() - at_);
      std::copy_n(waiting_.data() + at_, some, to.data() + count);
      at_ += some;
      count += some;
      continue;
    }
    if (converter_) {
      if (!convert_some()) break;
      continue;
    }
    if (at_end_) break;
    const std::size_t wanted = to.size() - count;
    const std::size_t got = stream_->read(to.subspan(count));
    at_end_ = got < wanted;
    const std::string_view bytes(to.data() + count, got);
    if (undecided_ > 0 && tells_encoding(bytes)) {
      waiting_ = bytes;
      at_ = 0;
      continue;
    }
    undecided_ -= std::min<std::uint64_t>(undecided_, got);
    count += got;
  }
  return count;
}

std::int64_t DecodedStream::take_bad_bytes() {
  const std::int64_t all = converter_ ? converter_->replaced() : 0;
  return all - std::exchange(taken_, all);
}

}  // namespace inkling
