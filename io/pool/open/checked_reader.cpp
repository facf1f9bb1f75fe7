#include "io/pool/open/checked_reader.hpp"

#include <algorithm>

namespace inkling {

CheckedReader::CheckedReader(const PoolFolder& folder, const FileRecord& record, PoolTrust trust)
    : file_(folder, record.name), record_(record), trust_(trust) {
  file_.check_size(record);
}

void CheckedReader::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (used_ == block_.size()) {
      file_.read_block(record_, blocks_read_++, trust_, block_);
      used_ = 0;
    }
    const std::size_t taken = std::min(bytes.size(), block_.size() - used_);
    std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(used_), taken, bytes.begin());
    used_ += taken;
    bytes = bytes.subspan(taken);
  }
}

}  // namespace inkling
