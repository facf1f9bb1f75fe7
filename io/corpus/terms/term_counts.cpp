#include "io/corpus/terms/term_counts.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace inkling {
namespace {

// Space is released in whole large pages, so that the waiting columns can use it.
constexpr std::uint64_t kReleasedAtOnce = std::uint64_t{4} << 20U;

}  // namespace

void TermCountsWriter::append(std::span<const TermCount> document) {
  const std::size_t most = used_ + kLongestNumber + most_entry_bytes(document.size());
  if (most > bytes_.size()) bytes_.resize(std::max(most, 2 * bytes_.size()));
  std::byte* const entries = write_number(bytes_.data() + used_, static_cast<std::uint32_t>(document.size()));
  used_ = static_cast<std::size_t>(write_entries(entries, document, coding_) - bytes_.data());
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
  if (most_entry_bytes(*size) > rest.size()) {
    last_.assign(most_entry_bytes(*size), std::byte{0});
    std::ranges::copy(rest, last_.begin());
    begin = last_.data();
  }
  const std::byte* const end = read_entries(begin, document, coding_);
  if (end == nullptr || static_cast<std::size_t>(end - begin) > rest.size()) return std::nullopt;
  left_ = rest.subspan(static_cast<std::size_t>(end - begin));
  return document;
}

void ScratchCounts::read(std::span<std::byte> bytes) {
  file_.read(position_, bytes);
  position_ += bytes.size();
  if (reading_ == Reading::again) return;
  for (; position_ - released_ >= kReleasedAtOnce; released_ += kReleasedAtOnce) file_.release(released_, kReleasedAtOnce);
}

void ScratchCounts::refuse(const std::string& expectation) const { throw std::logic_error("temporary data: " + expectation); }

}  // namespace inkling
