// Ids, labels, texts and fields of documents, on their way from a source to a pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/corpus/same/record_identity.hpp"
#include "io/corpus/same/repeated_strings.hpp"
#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// Strings one after the other.
class StringBatch {
 public:
  void append(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }
  /// Whether all strings are empty.
  [[nodiscard]] bool blank() const noexcept { return bytes_.empty(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_.size(); }

  /// As DocumentStrings.
  void put(std::vector<std::byte>& bytes) const;
  [[nodiscard]] bool take(std::span<const std::byte>& bytes, std::size_t strings);

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

enum class TextKeeping { drop, keep };

/// What consecutive documents have beside their terms.
struct DocumentStrings {
  StringBatch ids;
  StringBatch labels;
  StringBatch texts;   // where they are kept
  StringBatch fields;  // JSON objects, or empty
  std::vector<StringMark> id_marks;
  std::vector<StringMark> text_marks;  // of the whole text, even if the text is not kept
  std::vector<RecordIdentity> identities;
  std::string scratch;
  IdentityReader identity;

  void clear();
  void append(const SourceDocument& document, TextKeeping keeping);

  /// Appends all but the texts to `bytes`, from which `take` makes the same.
  void put(std::vector<std::byte>& bytes) const;
  /// Replaces all of it. False if these bytes are nothing that `put` makes; nothing is read beyond them.
  [[nodiscard]] bool take(std::span<const std::byte> bytes);
};

/// Labels as numbers in order of discovery; `write` replaces them by numbers in order of the labels.
class LabelColumn {
 public:
  explicit LabelColumn(const PoolStaging& staging) : codes_(staging) {}
  void append(const StringBatch& batch);
  /// How many different labels there are.
  [[nodiscard]] std::size_t size() const { return code_of_.size(); }
  [[nodiscard]] std::vector<std::string> names() const;
  /// Writes documents/labels.npy and documents/label_names.txt if any document has a label. `names`: the labels of a
  /// larger corpus, ascending, to number labels by. Throws FormatError if a label that was found is not among them.
  void write(PoolStaging& staging, std::span<const std::string> names) const;

 private:
  std::map<std::string, std::int32_t, std::less<>> code_of_;
  ScratchFile codes_;
};

/// A column of strings that exists only if some document has such a string, or if it must exist.
class OptionalStrings {
 public:
  OptionalStrings(PoolStaging& staging, std::string_view name, bool must_exist);

  void append(const StringBatch& batch);
  void close();

 private:
  PoolStaging& staging_;
  std::string_view name_;
  std::optional<StagedStrings> strings_;
  std::int64_t rows_ = 0;
};

/// Ids, which wait in a temporary file until it is known which of them are kept.
class WaitingIds {
 public:
  explicit WaitingIds(const PoolStaging& staging) : file_(staging, std::uint64_t{1} << 20U) {}
  void append(const StringBatch& ids);
  /// Hands all over, with an empty one in each of the rows `without`, which ascend.
  void hand_over(OptionalStrings& to, std::span<const DocumentId> without);

 private:
  void write_buffer();

  ScratchFile file_;  // a length in four bytes before each
  std::string buffer_;
};

/// The identities of documents: on the disk from the first one on that has any.
class IdentityColumn {
 public:
  explicit IdentityColumn(const PoolStaging& staging) : staging_(staging) {}
  void append(std::span<const RecordIdentity> identities);
  [[nodiscard]] bool empty() const noexcept { return !identities_; }
  void read(std::uint64_t first, std::span<RecordIdentity> identities) const;

 private:
  const PoolStaging& staging_;
  std::optional<ScratchFile> identities_;
  std::uint64_t rows_ = 0;
};

/// The folder `documents` of a pool. Thread safety: one thread at a time. Lifetime: the staging outlives it.
class DocumentColumns {
 public:
  /// Columns that exist even if no document has such a string.
  struct Certain {
    bool ids = false;
    bool texts = false;
    bool fields = false;
  };

  DocumentColumns(PoolStaging& staging, Certain certain);

  void append(const DocumentStrings& documents);
  /// Documents that have the id of an earlier one.
  [[nodiscard]] CopiedRows repeated_ids() const { return id_marks_.repeats(); }
  /// Documents that are one with another (same_records).
  [[nodiscard]] CopiedRows same(SameBy by) const;
  /// For a shard: the set finds the records that several shards have.
  void write_marks();
  /// To be called after the last document. `label_names`: the labels of a larger corpus, as for LabelColumn::write.
  /// `copies`: what the pool notes of records that are one. `without_id`: rows whose id is dropped, ascending.
  void close(const std::vector<std::string>* label_names, RowCopies copies, std::span<const DocumentId> without_id = {});

 private:
  PoolStaging& staging_;
  WaitingIds waiting_ids_;
  OptionalStrings ids_;
  OptionalStrings texts_;
  OptionalStrings fields_;
  LabelColumn labels_;
  RepeatedStrings id_marks_;
  RepeatedStrings text_marks_;
  IdentityColumn identities_;
};

}  // namespace inkling
