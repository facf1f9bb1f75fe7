#include "io/pool/set/checked_file.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

/// An open file of a folder.
class Descriptor {
 public:
  Descriptor(const PoolFolder& folder, const std::string& name)
      : number_(::openat(folder.descriptor(), name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ >= 0) return;
    if (errno == ENOENT) throw CorruptFileError(folder.path_of(name), "missing");
    throw SystemError(folder.path_of(name), errno, "cannot open");
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const noexcept { return number_; }

  /// As many bytes as there are, up to the size of `bytes`.
  [[nodiscard]] std::size_t read(std::uint64_t position, std::span<std::byte> bytes,
                                 const std::string& path) const {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const ssize_t got = ::pread(number_, bytes.data() + filled, bytes.size() - filled,
                                  static_cast<off_t>(position + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw SystemError(path, errno, "cannot read");
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return filled;
  }

 private:
  int number_;
};

void read_exactly(const Descriptor& file, std::uint64_t position, std::span<std::byte> bytes,
                  const FileRecord& record, const std::string& path) {
  const std::size_t got = file.read(position, bytes, path);
  if (got < bytes.size()) throw CorruptFileError(path, file_size_problem(position + got, record.bytes));
}

}  // namespace

CheckedFile::CheckedFile(const PoolFolder& folder, const FileRecord& record, PoolTrust trust)
    : folder_(folder), record_(record), trust_(trust) {
  const Descriptor file(folder_, record_.name);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) throw SystemError(path(), errno, "cannot look at");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size != record_.bytes) throw CorruptFileError(path(), file_size_problem(size, record_.bytes));
  if (trust_ == PoolTrust::checksums) is_good_.resize(record_.checksums.size(), false);
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
  const Descriptor file(folder_, record_.name);
  if (trust_ == PoolTrust::checksums) {
    std::vector<std::byte> block;
    const auto last = static_cast<std::size_t>((position + bytes.size() - 1) / checksum_block_bytes);
    for (auto index = static_cast<std::size_t>(position / checksum_block_bytes); index <= last; ++index) {
      if (is_known_good(index)) continue;
      const std::uint64_t begin = index * checksum_block_bytes;
      block.resize(std::min(checksum_block_bytes, record_.bytes - begin));
      read_exactly(file, begin, block, record_, path());
      if (checksum_of(block) != record_.checksums[index]) {
        throw CorruptFileError(path(), block_problem(begin, block.size()));
      }
      const std::scoped_lock lock(known_);
      is_good_[index] = true;
    }
  }
  read_exactly(file, position, bytes, record_, path());
}

bool CheckedFile::is_known_good(std::size_t block) const {
  const std::scoped_lock lock(known_);
  return is_good_[block];
}

}  // namespace inkling
