// The container of XLS and of other files of Microsoft (MS-CFB): a file of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/reading_budget.hpp"

namespace inkling {

/// What such a file begins with.
inline constexpr std::string_view kCompoundFileMark = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// What to do about a workbook that cannot be read.
inline constexpr std::string_view kSaveOtherwise = "save it as XLSX or CSV";
[[noreturn]] void refuse_old_workbook(const std::string& path, std::string_view found);

/// Each file in it is a chain of sectors, of which a table names the one after each. Short files are chains of smaller sectors within
/// one of the others. Throws FormatError for damage. Lifetime: the budget outlives it. Thread safety: one thread at a time.
class CompoundFile {
 public:
  /// The bytes at a position, so many or fewer at the end.
  using BytesAt = std::function<std::string(std::uint64_t position, std::size_t size)>;

  CompoundFile(std::string path, std::uint64_t bytes, BytesAt bytes_at, ReadingBudget& budget);

  /// The bytes of the file of that name, which is ASCII; nothing if there is none.
  [[nodiscard]] std::optional<std::string> find(std::string_view name);
  [[nodiscard]] bool has(std::string_view name) const { return entry_of(name).has_value(); }

 private:
  static constexpr std::uint64_t kNoSector = 0xFFFFFFFF;

  [[nodiscard]] std::size_t sectors() const { return static_cast<std::size_t>(bytes_) / sector_; }
  [[nodiscard]] std::string sector(std::uint64_t number) const { return bytes_at_((number + 1) * sector_, sector_); }
  void add_table(std::uint64_t number);
  [[nodiscard]] std::uint64_t sector_after(std::uint64_t number);
  [[nodiscard]] std::string chain(std::uint64_t first, std::uint64_t most);
  [[nodiscard]] std::string small_chain(std::uint64_t first, std::uint64_t size);
  [[nodiscard]] std::optional<std::size_t> entry_of(std::string_view name) const;

  std::string path_;
  std::uint64_t bytes_;
  BytesAt bytes_at_;
  ReadingBudget* budget_;
  std::size_t sector_ = 0;
  std::vector<std::uint64_t> tables_;  // sectors that name the sector after each
  std::uint64_t kept_number_ = kNoSector;
  std::string kept_;  // of these
  std::string directory_;
  std::uint64_t first_small_ = kNoSector;
};

}  // namespace inkling
