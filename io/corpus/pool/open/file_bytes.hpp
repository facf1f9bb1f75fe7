// The bytes of a pool's file, in memory or on disk, behind one interface, so that one check serves both.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/open/open_pool.hpp"

namespace inkling {

/// Memory for bytes that are read; it is used again for the next bytes. Move-only.
class Room {
 public:
  [[nodiscard]] std::span<std::byte> of(std::size_t size) {
    if (size > size_) {
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(size);
      size_ = size;
    }
    return {bytes_.get(), size};
  }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

/// Thread safety: const from several threads.
class FileBytes {
 public:
  explicit FileBytes(std::string path) : path_(std::move(path)) {}
  virtual ~FileBytes() = default;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  FileBytes(FileBytes&&) = delete;
  FileBytes& operator=(FileBytes&&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// The bytes from `position` on: as they lie in memory, or read into the room and valid until it is used again. They
  /// begin at a multiple of 8 if `position` is a multiple of 8. Requires: the file is that long.
  [[nodiscard]] virtual std::span<const std::byte> piece(std::uint64_t position, std::size_t count, Room& room) const = 0;

 private:
  std::string path_;
};

/// Lifetime: lends the bytes.
class MemoryFile final : public FileBytes {
 public:
  MemoryFile(std::string path, std::span<const std::byte> bytes) : FileBytes(std::move(path)), bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> piece(std::uint64_t position, std::size_t count, Room& /*room*/) const override {
    return bytes_.subspan(position, count);
  }

 private:
  std::span<const std::byte> bytes_;
};

/// Lifetime: lends the open file.
class DiskFile final : public FileBytes {
 public:
  explicit DiskFile(const PoolFileReader& file) : FileBytes(file.path()), file_(file) {}
  [[nodiscard]] std::uint64_t size() const override { return file_.size(); }
  [[nodiscard]] std::span<const std::byte> piece(std::uint64_t position, std::size_t count, Room& room) const override {
    const std::span<std::byte> bytes = room.of(count);
    file_.read(position, bytes);
    return bytes;
  }

 private:
  const PoolFileReader& file_;
};

/// Receives how many more bytes were checked; may be called from any thread.
using PieceChecked = std::function<void(std::uint64_t)>;

/// A file whose blocks are compared with their checksums when they are first read: so the file is read from the disk only
/// once, for its checksums and its content. Lifetime: lends what it is made of.
class ChecksummedFile final : public FileBytes {
 public:
  ChecksummedFile(const FileBytes& file, const FileRecord& record, const PieceChecked& checked)
      : FileBytes(file.path()), file_(file), record_(record), checked_(checked), is_good_(record.checksums.size()) {}

  [[nodiscard]] std::uint64_t size() const override { return file_.size(); }
  /// Throws CorruptFileError if a checksum is wrong.
  [[nodiscard]] std::span<const std::byte> piece(std::uint64_t position, std::size_t count, Room& room) const override {
    if (count > 0) check(position, position + count);
    return file_.piece(position, count, room);
  }

 private:
  void check(std::uint64_t begin, std::uint64_t end) const;

  const FileBytes& file_;
  const FileRecord& record_;
  const PieceChecked& checked_;
  mutable std::vector<std::atomic<bool>> is_good_;  // by block
};

/// The numbers of an array. Lifetime: lends the file. Pass by value.
template <typename Number>
class NumberArray {
 public:
  /// Throws CorruptFileError unless the file is an array of `count` such numbers and nothing else.
  NumberArray(const FileBytes& file, std::int64_t count) : file_(&file), size_(static_cast<std::size_t>(count)) {
    Room room;
    const auto header = static_cast<std::size_t>(std::min(file.size(), kPoolNpyHeaderBytes));
    check_npy_beginning(file.path(), file.piece(0, header, room), file.size(), npy_descr<Number>, sizeof(Number), count);
  }

  [[nodiscard]] const std::string& path() const { return file_->path(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Requires: the array has that many.
  [[nodiscard]] std::span<const Number> piece(std::size_t first, std::size_t count, Room& room) const {
    const std::span<const std::byte> bytes =
        file_->piece(kPoolNpyHeaderBytes + first * sizeof(Number), count * sizeof(Number), room);
    return {reinterpret_cast<const Number*>(bytes.data()), count};
  }
  [[nodiscard]] Number operator[](std::size_t index) const {
    Room room;
    return piece(index, 1, room).front();
  }

 private:
  const FileBytes* file_;
  std::size_t size_;
};

/// Goes over the numbers of an array in order.
template <typename Number>
class NumberCursor {
 public:
  NumberCursor(const NumberArray<Number>& array, std::size_t first) : array_(array), next_(first) {}

  /// Requires: there is one more.
  [[nodiscard]] Number next() {
    if (used_ == piece_.size()) refill();
    return piece_[used_++];
  }

 private:
  void refill() {
    constexpr std::size_t most = 4096;
    piece_ = array_.piece(next_, std::min(most, array_.size() - next_), room_);
    next_ += piece_.size();
    used_ = 0;
  }

  NumberArray<Number> array_;
  std::size_t next_;
  Room room_;
  std::span<const Number> piece_;
  std::size_t used_ = 0;
};

}  // namespace inkling
