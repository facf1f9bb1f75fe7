#include "io/pool/set/checked_file.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "io/pool/format/npy_header.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {
CheckedFile::CheckedFile(const PoolFolder& folder, const FileRecord& record, PoolTrust trust)
    : folder_(folder), record_(record) {
  PoolFileReader(folder_, record_.name).check_size(record_);
  if (trust == PoolTrust::checksums) is_good_.resize(record_.checksums.size(), false);
}

void CheckedFile::check_is_array(std::string_view descr, std::size_t number_bytes, std::int64_t count) const {
  std::array<std::byte, pool_npy_header_bytes> header{};
  const auto beginning = std::span(header).first(std::min<std::uint64_t>(header.size(), record_.bytes));
  read(0, beginning);
  check_npy_beginning(path(), beginning, record_.bytes, descr, number_bytes, count);
}

void CheckedFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  assert(position <= record_.bytes && bytes.size() <= record_.bytes - position);
  const PoolFileReader file(folder_, record_.name);
  std::vector<std::byte> block;
  const auto last = static_cast<std::size_t>((position + bytes.size() - 1) / checksum_block_bytes);
  for (auto index = static_cast<std::size_t>(position / checksum_block_bytes); index <= last; ++index) {
    if (is_known_good(index)) continue;
    file.read_block(record_, index, PoolTrust::checksums, block);
    const std::scoped_lock lock(known_);
    is_good_[index] = true;
  }
  file.read_all(record_, position, bytes);
}

bool CheckedFile::is_known_good(std::size_t block) const {
  if (is_good_.empty()) return true;
  const std::scoped_lock lock(known_);
  return is_good_[block];
}

}  // namespace inkling
