#include "io/corpus/from_text/document_columns.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::int32_t kNoLabel = -1;
constexpr std::size_t kCodesAtOnce = std::size_t{1} << 14U;
constexpr std::size_t kBufferedIds = std::size_t{1} << 16U;

}  // namespace

void DocumentStrings::clear() {
  ids.clear();
  labels.clear();
  texts.clear();
  fields.clear();
  id_marks.clear();
  text_marks.clear();
}

void DocumentStrings::append(const SourceDocument& document, TextKeeping keeping) {
  ids.append(document.id);
  labels.append(document.label);
  if (keeping == TextKeeping::keep) texts.append(document.text);
  fields.append(document.fields);
  id_marks.push_back(mark_of(document.id));
  text_marks.push_back(mark_of_words(document.text, scratch));
}

void LabelColumn::append(const StringBatch& batch) {
  std::vector<std::int32_t> codes(batch.size(), kNoLabel);
  for (std::size_t n = 0; n < batch.size(); ++n) {
    if (batch[n].empty()) continue;
    auto found = code_of_.find(batch[n]);
    if (found == code_of_.end()) found = code_of_.emplace(batch[n], static_cast<std::int32_t>(code_of_.size())).first;
    codes[n] = found->second;
  }
  codes_.append(std::as_bytes(std::span(codes)));
}

std::vector<std::string> LabelColumn::names() const {
  std::vector<std::string> names;
  names.reserve(code_of_.size());
  for (const auto& [name, code] : code_of_) names.push_back(name);
  return names;
}

void LabelColumn::write(PoolStaging& staging, std::span<const std::string> names) const {
  if (names.empty()) return;
  StagedLines lines(staging, std::string(PoolFile::label_names));
  for (const std::string& name : names) lines.append(name);
  lines.close();
  std::vector<std::int32_t> final_code(code_of_.size());
  for (const auto& [name, code] : code_of_) {
    const auto found = std::ranges::lower_bound(names, name);
    if (found == names.end() || *found != name)
      throw FormatError("the labels", fmt::format("expected labels that were counted, found another one: {}", quoted_text(name)));
    final_code[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(found - names.begin());
  }

  StagedArray<std::int32_t> labels(staging, std::string(PoolFile::labels));
  std::vector<std::int32_t> codes(kCodesAtOnce);
  const std::uint64_t rows = codes_.size() / sizeof(std::int32_t);
  for (std::uint64_t row = 0; row < rows; row += codes.size()) {
    codes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kCodesAtOnce, rows - row)));
    codes_.read(row * sizeof(std::int32_t), std::as_writable_bytes(std::span(codes)));
    for (std::int32_t& code : codes)
      if (code != kNoLabel) code = final_code[static_cast<std::size_t>(code)];
    labels.append(codes);
  }
  labels.close();
}

OptionalStrings::OptionalStrings(PoolStaging& staging, std::string_view name, bool must_exist) : staging_(staging), name_(name) {
  if (must_exist) strings_.emplace(staging_, name_);
}

void OptionalStrings::append(const StringBatch& batch) {
  if (!strings_ && !batch.blank()) {
    strings_.emplace(staging_, name_);
    for (std::int64_t row = 0; row < rows_; ++row) strings_->append("");
  }
  rows_ += static_cast<std::int64_t>(batch.size());
  if (!strings_) return;
  for (std::size_t n = 0; n < batch.size(); ++n) strings_->append(batch[n]);
}

void OptionalStrings::close() {
  if (strings_) strings_->close();
}

void WaitingIds::append(const StringBatch& ids) {
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const auto size = static_cast<std::uint32_t>(ids[n].size());
    std::array<char, sizeof size> length{};
    std::memcpy(length.data(), &size, sizeof size);
    buffer_.append(length.data(), length.size()).append(ids[n]);
    if (buffer_.size() >= kBufferedIds) write_buffer();
  }
}

void WaitingIds::write_buffer() {
  file_.append(std::as_bytes(std::span(buffer_)));
  buffer_.clear();
}

void WaitingIds::hand_over(OptionalStrings& to, std::span<const DocumentId> without) {
  write_buffer();
  StringBatch batch;
  std::string bytes;
  DocumentId row = 0;
  for (std::uint64_t at = 0; at < file_.size();) {
    std::uint32_t size = 0;
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBufferedIds, file_.size() - at)));
    file_.read(at, std::as_writable_bytes(std::span(bytes)));
    std::size_t used = 0;
    for (; bytes.size() - used >= sizeof size; ++row) {
      std::memcpy(&size, bytes.data() + used, sizeof size);
      if (bytes.size() - used - sizeof size < size) {
        if (used > 0) break;
        bytes.resize(sizeof size + size);  // one long id
        file_.read(at, std::as_writable_bytes(std::span(bytes)));
      }
      while (!without.empty() && without.front() < row) without = without.subspan(1);
      const bool is_kept = without.empty() || without.front() != row;
      batch.append(is_kept ? std::string_view(bytes).substr(used + sizeof size, size) : std::string_view());
      used += sizeof size + size;
    }
    at += used;
    to.append(batch);
    batch.clear();
  }
}

DocumentColumns::DocumentColumns(PoolStaging& staging, Certain certain)
    : staging_(staging),
      waiting_ids_(staging),
      ids_(staging, PoolFile::ids, certain.ids),
      texts_(staging, PoolFile::texts, certain.texts),
      fields_(staging, PoolFile::fields, certain.fields),
      labels_(staging),
      id_marks_(staging),
      text_marks_(staging) {}

void DocumentColumns::append(const DocumentStrings& documents) {
  waiting_ids_.append(documents.ids);
  labels_.append(documents.labels);
  texts_.append(documents.texts);
  fields_.append(documents.fields);
  id_marks_.append(documents.id_marks);
  text_marks_.append(documents.text_marks);
}

void DocumentColumns::close(const std::vector<std::string>* label_names, RowCopies copies,
                            std::span<const DocumentId> without_id) {
  waiting_ids_.hand_over(ids_, without_id);
  ids_.close();
  texts_.close();
  fields_.close();
  labels_.write(staging_, label_names != nullptr ? *label_names : labels_.names());
  if (copies.rows.empty()) return;
  for (const auto& [name, rows] : {std::pair(PoolFile::copies, copies.rows), std::pair(PoolFile::originals, copies.originals)}) {
    StagedArray<DocumentId> array(staging_, std::string(name));
    array.append(rows);
    array.close();
  }
}

}  // namespace inkling
