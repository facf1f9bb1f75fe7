#include "io/build/term_counts.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace inkling {
namespace {

// Terms are below 2^31, so that a term and a bit fit in four bytes: the bit says that its count is not 1.
constexpr std::size_t kLongestTerm = 4;
constexpr std::size_t kLongestNumber = 5;
constexpr std::size_t kLengthsInAByte = 4;  // two bits each
constexpr std::uint32_t kMostInAByte = 0x7F;

// What was read is given back in whole large pages, so that the columns which wait take its place.
constexpr std::uint64_t kReleasedAtOnce = std::uint64_t{4} << 20U;

std::byte* write_number(std::byte* out, std::uint32_t number) {
  for (; number > kMostInAByte; number >>= 7U) *out++ = static_cast<std::byte>(number | 0x80U);
  *out++ = static_cast<std::byte>(number);
  return out;
}

// Seven bits a byte, the lowest first; the eighth says that more follow. Nothing where that is no number of 32 bits; never
// reads more than kLongestNumber bytes.
std::optional<std::uint32_t> read_number(const std::byte*& in) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 7 * kLongestNumber; shift += 7) {
    const auto byte = static_cast<std::uint32_t>(*in++);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte > kMostInAByte) continue;
    if (number >> 32U != 0) return std::nullopt;
    return static_cast<std::uint32_t>(number);
  }
  return std::nullopt;
}

// 1 where `number` is larger, or 0. By subtraction, because compilers make branches of comparisons, and nothing foretells
// these.
std::uint32_t is_above(std::uint32_t number, std::uint32_t other) {
  return static_cast<std::uint32_t>((std::uint64_t{other} - number) >> 63U);
}

std::uint32_t length_of_term(std::uint32_t term) {
  return 1 + is_above(term, 0xFF) + is_above(term, 0xFFFF) + is_above(term, 0xFFFFFF);
}

std::size_t length_bytes(std::size_t entries) { return (entries + kLengthsInAByte - 1) / kLengthsInAByte; }

// No document of so many entries takes more bytes behind its number of entries, or lets more be read.
std::size_t most_bytes_read(std::size_t entries) {
  return length_bytes(entries) + (kLongestTerm + kLongestNumber) * entries + kLongestTerm;
}

// The entries of one document; returns where they end, or nullptr where a count is none. Requires: as many bytes may be
// read as most_bytes_read() says.
const std::byte* read_entries(const std::byte* in, std::span<TermCount> document) {
  const std::byte* const length_of = in;
  in += length_bytes(document.size());
  for (std::size_t n = 0; n < document.size(); ++n) {
    const unsigned length =
        ((static_cast<unsigned>(length_of[n / kLengthsInAByte]) >> (2 * (n % kLengthsInAByte))) & 3U) + 1;
    std::uint32_t term = 0;
    std::memcpy(&term, in, kLongestTerm);
    term &= 0xFFFFFFFFU >> (32 - 8 * length);
    in += length;
    document[n] = {term >> 1U, 1 + (term & 1U)};
  }
  std::uint32_t no_counts = 0;
  for (TermCount& entry : document) {
    const std::uint32_t repeated = entry.count - 1;
    const auto byte = static_cast<std::uint32_t>(*in);
    if ((repeated & (byte >> 7U)) != 0) [[unlikely]] {
      entry.count = read_number(in).value_or(0);
      no_counts |= entry.count == 0 ? 1U : 0U;
      continue;
    }
    entry.count = repeated != 0 ? byte : 1;
    no_counts |= entry.count == 0 ? 1U : 0U;
    in += repeated;
  }
  return no_counts == 0 ? in : nullptr;
}

}  // namespace

void TermCountsWriter::append(std::span<const TermCount> document) {
  const std::size_t lengths = length_bytes(document.size());
  const std::size_t most = used_ + kLongestNumber + most_bytes_read(document.size());
  if (most > bytes_.size()) bytes_.resize(std::max(most, 2 * bytes_.size()));
  std::byte* out = write_number(bytes_.data() + used_, static_cast<std::uint32_t>(document.size()));
  std::byte* length_of = out;
  out += lengths;
  // Without a branch: four bytes are written, and as many count as the number needs.
  for (std::size_t n = 0; n < document.size();) {
    std::uint32_t lengths_of_four = 0;
    const std::size_t end = std::min(n + kLengthsInAByte, document.size());
    for (unsigned shift = 0; n < end; ++n, shift += 2) {
      const std::uint32_t repeated = is_above(document[n].count, 1);
      const std::uint32_t term = (document[n].term << 1U) | repeated;
      const std::uint32_t length = length_of_term(term);
      std::memcpy(out, &term, kLongestTerm);
      out += length;
      lengths_of_four |= (length - 1) << shift;
    }
    *length_of++ = static_cast<std::byte>(lengths_of_four);
  }
  // The same: a byte is written, and counts unless the count is 1; few counts need more.
  for (const TermCount& entry : document) {
    *out = static_cast<std::byte>(entry.count);
    out += is_above(entry.count, 1);
    if (entry.count > kMostInAByte) [[unlikely]]
      out = write_number(out - 1, entry.count);
  }
  used_ = static_cast<std::size_t>(out - bytes_.data());
}

std::optional<std::span<const TermCount>> TermCountsReader::next() {
  std::array<std::byte, kLongestNumber> beginning{};
  std::ranges::copy(left_.first(std::min(left_.size(), beginning.size())), beginning.begin());
  const std::byte* after_size = beginning.data();
  const std::optional<std::uint32_t> size = read_number(after_size);
  const auto size_bytes = static_cast<std::size_t>(after_size - beginning.data());
  if (!size || size_bytes > left_.size()) return std::nullopt;
  const std::span<const std::byte> rest = left_.subspan(size_bytes);
  if (length_bytes(*size) + *size > rest.size()) return std::nullopt;  // an entry takes a byte at least

  if (*size > counts_.size()) counts_.resize(std::size_t{2} * *size);
  const std::span<TermCount> document = std::span(counts_).first(*size);
  const std::byte* begin = rest.data();
  if (most_bytes_read(*size) > rest.size()) {
    last_.assign(most_bytes_read(*size), std::byte{0});
    std::ranges::copy(rest, last_.begin());
    begin = last_.data();
  }
  const std::byte* const end = read_entries(begin, document);
  if (end == nullptr || static_cast<std::size_t>(end - begin) > rest.size()) return std::nullopt;
  left_ = rest.subspan(static_cast<std::size_t>(end - begin));
  return document;
}

void ScratchCounts::read(std::span<std::byte> bytes) {
  file_.read(position_, bytes);
  position_ += bytes.size();
  if (reading_ == Reading::again) return;
  for (; position_ - released_ >= kReleasedAtOnce; released_ += kReleasedAtOnce)
    file_.release(released_, kReleasedAtOnce);
}

void ScratchCounts::refuse(const std::string& expectation) const {
  throw std::logic_error("temporary data: " + expectation);
}

}  // namespace inkling
