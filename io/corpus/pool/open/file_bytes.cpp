#include "io/corpus/pool/open/file_bytes.hpp"

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {

void ChecksummedFile::check(std::uint64_t begin, std::uint64_t end) const {
  Room room;
  for (std::uint64_t block = begin / kChecksumBlockBytes; block * kChecksumBlockBytes < end; ++block) {
    std::atomic<bool>& is_good = is_good_[block];
    if (is_good.load(std::memory_order_relaxed)) continue;
    throw_if_interrupted();
    const std::uint64_t position = block * kChecksumBlockBytes;
    const auto bytes = static_cast<std::size_t>(std::min(kChecksumBlockBytes, size() - position));
    if (checksum_of(file_.piece(position, bytes, room)) != record_.checksums[block])
      throw CorruptFileError(path(), block_problem(position, bytes));
    if (!is_good.exchange(true, std::memory_order_relaxed)) checked_(bytes);
  }
}

}  // namespace inkling
