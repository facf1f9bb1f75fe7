// A pool of which nothing is mapped: what is asked for is read, and checked as it passes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/pool/format/manifest.hpp"
#include "io/pool/format/string_table.hpp"
#include "io/pool/open/pool_contents.hpp"
#include "io/pool/open/pool_folder.hpp"
#include "io/pool/set/checked_file.hpp"
#include "io/pool/set/pool_member.hpp"

namespace inkling {

/// Holds the manifest and the vocabulary, and nothing that grows with the number of documents.
class ReadPool final : public PoolMember {
 public:
  /// Every failure, here and later, is a CorruptFileError naming the file, or a SystemError.
  ReadPool(const std::string& path, PoolTrust trust);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] const Manifest& manifest() const override { return manifest_; }
  [[nodiscard]] PoolTrust trust() const noexcept { return trust_; }
  [[nodiscard]] const PoolFolder& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::optional<StringTable>& vocabulary() const override { return vocabulary_; }
  void drop_vocabulary() override;

  [[nodiscard]] CsrMatrix row(DocumentId row) const override;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const override;
  [[nodiscard]] std::optional<std::string> id(DocumentId row) const override;
  [[nodiscard]] const Pool* mapped() const override { return nullptr; }
  [[nodiscard]] const ReadPool* read() const override { return this; }

  /// Entries [first, first + documents.size()) of the postings: documents and values, not looked at yet.
  void read_postings(std::int64_t first, std::span<DocumentId> documents, std::span<float> values) const;

  /// How messages name the files of the postings.
  [[nodiscard]] std::string postings_path() const { return column_rows_.path(); }
  [[nodiscard]] std::string posting_values_path() const { return column_values_.path(); }

 private:
  [[nodiscard]] const FileRecord& record(std::string_view name) const;
  /// Two neighbouring offsets. Throws CorruptFileError unless they ascend and lie within `end`.
  [[nodiscard]] static std::pair<std::int64_t, std::int64_t> offsets_at(const CheckedFile& offsets,
                                                                        std::int64_t at, std::int64_t end);
  void read_vocabulary();

  std::string path_;
  PoolTrust trust_;
  PoolFolder folder_;
  Manifest manifest_;
  CheckedFile row_offsets_, row_features_, row_values_;
  CheckedFile column_offsets_, column_rows_, column_values_;
  std::optional<CheckedFile> id_offsets_;
  std::optional<CheckedFile> id_bytes_;
  std::string terms_;
  std::vector<std::int64_t> term_offsets_;
  std::optional<StringTable> vocabulary_;
};

}  // namespace inkling
