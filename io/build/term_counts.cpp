#include "io/build/term_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace inkling {
namespace {

// Terms are below 2^31, so that a term and a bit fit in four bytes: the bit says that its count is not 1.
constexpr std::size_t longest_term = 4;
constexpr std::size_t longest_number = 5;
constexpr std::size_t lengths_in_a_byte = 4;  // two bits each

std::byte* write_number(std::byte* out, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7U) *out++ = static_cast<std::byte>(number | 0x80U);
  *out++ = static_cast<std::byte>(number);
  return out;
}

// Seven bits a byte, the lowest first; the eighth says that more follow.
std::uint32_t read_number(const std::byte*& in) {
  std::uint32_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint32_t>(*in++);
    number |= (byte & 0x7FU) << shift;
    if (byte < 0x80) return number;
  }
}

std::size_t length_bytes(std::size_t entries) {
  return (entries + lengths_in_a_byte - 1) / lengths_in_a_byte;
}

}  // namespace

void TermCountsWriter::append(std::span<const TermCount> document) {
  const std::size_t lengths = length_bytes(document.size());
  const std::size_t most =
      used_ + 2 * longest_number + lengths + (longest_term + longest_number) * document.size();
  if (most > bytes_.size()) bytes_.resize(std::max(most, 2 * bytes_.size()));
  std::byte* out = write_number(bytes_.data() + used_, static_cast<std::uint32_t>(document.size()));
  std::byte* const length_of = out;
  std::memset(length_of, 0, lengths);
  out += lengths;
  // Without a branch: four bytes are written, and as many count as the number needs.
  for (std::size_t n = 0; n < document.size(); ++n) {
    const std::uint32_t repeated = document[n].count > 1 ? 1 : 0;
    const std::uint32_t term = (document[n].term << 1U) | repeated;
    const unsigned length = (static_cast<unsigned>(std::bit_width(term | 1U)) + 7) / 8;
    std::memcpy(out, &term, longest_term);
    out += length;
    length_of[n / lengths_in_a_byte] |= static_cast<std::byte>((length - 1) << (2 * (n % lengths_in_a_byte)));
  }
  for (const TermCount& entry : document)
    if (entry.count > 1) out = write_number(out, entry.count);
  used_ = static_cast<std::size_t>(out - bytes_.data());
}

std::span<const TermCount> TermCountsReader::next() {
  const std::size_t size = read_number(next_);
  if (size > counts_.size()) counts_.resize(2 * size);
  const std::span<TermCount> document = std::span(counts_).first(size);
  const std::byte* const length_of = next_;
  const std::byte* in = next_ + length_bytes(size);
  for (std::size_t n = 0; n < size; ++n) {
    const unsigned length =
        ((static_cast<unsigned>(length_of[n / lengths_in_a_byte]) >> (2 * (n % lengths_in_a_byte))) & 3U) + 1;
    std::uint32_t term = 0;
    std::memcpy(&term, in, longest_term);
    term &= 0xFFFFFFFFU >> (32 - 8 * length);
    in += length;
    document[n] = {term >> 1U, 1 + (term & 1U)};
  }
  for (TermCount& entry : document)
    if (entry.count > 1) entry.count = read_number(in);
  next_ = in;
  return document;
}

}  // namespace inkling
