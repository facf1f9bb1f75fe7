#include "io/corpus/sheets/compound_file.hpp"

#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/low_first.hpp"

namespace inkling {
namespace {

constexpr std::size_t kHead = 512;
constexpr std::size_t kFirstTables = 76;
constexpr std::size_t kLink = 4;
constexpr std::size_t kEntry = 128;
constexpr std::size_t kSmallSector = 64;
constexpr std::uint64_t kLeastLarge = 4096;
constexpr std::uint64_t kEverything = ~std::uint64_t{0};

}  // namespace

void refuse_old_workbook(const std::string& path, std::string_view found) {
  throw FormatError(path, fmt::format("expected an intact workbook, found {}; {}", found, kSaveOtherwise));
}

CompoundFile::CompoundFile(std::string path, std::uint64_t bytes, BytesAt bytes_at, ReadingBudget& budget)
    : path_(std::move(path)), bytes_(bytes), bytes_at_(std::move(bytes_at)), budget_(&budget) {
  const std::string head = bytes_at_(0, kHead);
  const std::uint64_t shift = head.size() == kHead ? low_first(head, 30, 2) : 0;
  if (shift != 9 && shift != 12) refuse_old_workbook(path_, "a beginning that is cut or damaged");
  sector_ = std::size_t{1} << shift;
  for (std::size_t at = kFirstTables; at < kHead; at += kLink) add_table(low_first(head, at, kLink));
  const std::size_t most = sectors();
  std::uint64_t more = low_first(head, 68, kLink);
  for (std::size_t n = 0; more < most; ++n) {
    if (n == most) refuse_old_workbook(path_, "sectors in a circle");
    const std::string list = sector(more);
    for (std::size_t at = 0; at + kLink < list.size(); at += kLink) add_table(low_first(list, at, kLink));
    more = list.size() == sector_ ? low_first(list, sector_ - kLink, kLink) : kNoSector;
  }
  directory_ = chain(low_first(head, 48, kLink), kEverything);
  first_small_ = low_first(head, 60, kLink);
}

std::optional<std::string> CompoundFile::find(std::string_view name) {
  const std::optional<std::size_t> entry = entry_of(name);
  if (!entry) return std::nullopt;
  const std::uint64_t first = low_first(directory_, *entry + 116, kLink);
  const std::uint64_t size = low_first(directory_, *entry + 120, kLink);
  std::string found = size < kLeastLarge ? small_chain(first, size) : chain(first, size);
  if (found.size() < size) refuse_old_workbook(path_, "an end before its end");
  found.resize(size);
  return found;
}

void CompoundFile::add_table(std::uint64_t number) {
  if (number >= sectors()) return;
  budget_->take(sizeof(number));
  tables_.push_back(number);
}

std::uint64_t CompoundFile::sector_after(std::uint64_t number) {
  const std::size_t links = sector_ / kLink;
  const std::uint64_t table = number / links;
  if (table >= tables_.size()) return kNoSector;
  if (table != kept_number_) kept_ = sector(tables_[table]);
  kept_number_ = table;
  const std::size_t at = static_cast<std::size_t>(number % links) * kLink;
  return at + kLink <= kept_.size() ? low_first(kept_, at, kLink) : kNoSector;
}

std::string CompoundFile::chain(std::uint64_t first, std::uint64_t most) {
  std::string bytes;
  std::size_t left = sectors() + 1;
  for (std::uint64_t at = first; at < sectors() && bytes.size() < most; at = sector_after(at)) {
    if (left-- == 0) refuse_old_workbook(path_, "sectors in a circle");
    budget_->take(sector_);
    bytes += sector(at);
  }
  return bytes;
}

std::string CompoundFile::small_chain(std::uint64_t first, std::uint64_t size) {
  const std::string links = chain(first_small_, kEverything);
  const std::string all = chain(low_first(directory_, 116, kLink), kEverything);  // of the root, which is the first entry
  std::string bytes;
  for (std::uint64_t at = first; bytes.size() < size && (at + 1) * kSmallSector <= all.size();) {
    bytes.append(all, static_cast<std::size_t>(at) * kSmallSector, kSmallSector);
    at = (at + 1) * kLink <= links.size() ? low_first(links, static_cast<std::size_t>(at) * kLink, kLink) : kNoSector;
  }
  return bytes;
}

std::optional<std::size_t> CompoundFile::entry_of(std::string_view name) const {
  for (std::size_t entry = 0; entry + kEntry <= directory_.size(); entry += kEntry) {
    const std::uint64_t bytes = low_first(directory_, entry + 64, 2);
    bool is_same = bytes == 2 * (name.size() + 1);
    for (std::size_t n = 0; is_same && n < name.size(); ++n)
      is_same = low_first(directory_, entry + 2 * n, 2) == static_cast<unsigned char>(name[n]);
    if (is_same) return entry;
  }
  return std::nullopt;
}

}  // namespace inkling
