// The counts of documents in a few bytes each, for a file between the two passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/corpus/pool/write/staged_file.hpp"
#include "io/corpus/terms/term_bytes.hpp"
#include "io/corpus/terms/term_table.hpp"

namespace inkling {

/// Writes, for each document, the number of its entries, their terms in one to four bytes each, and the counts that are
/// not 1. Frequent terms come early and so have small numbers: an entry takes two to three bytes.
class TermCountsWriter {
 public:
  explicit TermCountsWriter(TermCoding coding = fastest_term_coding()) : coding_(coding) {}

  void append(std::span<const TermCount> document);
  void clear() { used_ = 0; }
  /// Lifetime: until the next append().
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(bytes_).first(used_); }

 private:
  std::vector<std::byte> bytes_;  // its size is its capacity; `used_` bytes are in use
  std::size_t used_ = 0;
  TermCoding coding_;
};

/// Reads back what TermCountsWriter wrote. The bytes may be damaged: nothing is read beyond them, every count is at least
/// 1, and the memory that it takes is at most a few times their number.
class TermCountsReader {
 public:
  explicit TermCountsReader(std::span<const std::byte> bytes, TermCoding coding = fastest_term_coding()) noexcept
      : left_(bytes), coding_(coding) {}

  /// The next document's counts, valid until the next call; nothing if the next bytes are not a document.
  [[nodiscard]] std::optional<std::span<const TermCount>> next();

  /// Whether all bytes were read.
  [[nodiscard]] bool at_end() const noexcept { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
  std::vector<TermCount> counts_;  // its size is its capacity
  std::vector<std::byte> last_;    // a copy of the last documents, padded
  TermCoding coding_;
};

/// Consecutive documents whose counts lie together, few enough for one block of rows.
struct CountedSegment {
  static constexpr std::uint32_t most_documents = 1U << 16U;

  std::uint64_t bytes = 0;
  std::uint32_t documents = 0;
  std::uint64_t entries = 0;
};

/// Counted documents on their way back from a file: the bytes of all segments, one after the other.
class CountedBytes {
 public:
  CountedBytes() = default;
  virtual ~CountedBytes() = default;
  CountedBytes(const CountedBytes&) = delete;
  CountedBytes& operator=(const CountedBytes&) = delete;
  CountedBytes(CountedBytes&&) = delete;
  CountedBytes& operator=(CountedBytes&&) = delete;

  /// Reads the next bytes. Thread safety: one thread at a time.
  virtual void read(std::span<std::byte> bytes) = 0;
  /// Throws an error: the bytes are not counts of documents. Thread safety: any thread.
  [[noreturn]] virtual void refuse(const std::string& expectation) const = 0;
};

/// The bytes of a temporary file of this process, which nobody else can have changed.
class ScratchCounts final : public CountedBytes {
 public:
  /// Whether the bytes will be read again; if not, their disk space is released.
  enum class Reading { again, once };

  /// Lifetime: lends the file.
  ScratchCounts(const ScratchFile& file, Reading reading) : file_(file), reading_(reading) {}

  void read(std::span<std::byte> bytes) override;
  [[noreturn]] void refuse(const std::string& expectation) const override;

 private:
  const ScratchFile& file_;
  Reading reading_;
  std::uint64_t position_ = 0;
  std::uint64_t released_ = 0;
};

}  // namespace inkling
