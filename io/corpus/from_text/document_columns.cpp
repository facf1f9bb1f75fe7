#include "io/corpus/from_text/document_columns.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/same/same_records.hpp"
#include "io/corpus/text/decoding.hpp"

namespace inkling {
namespace {

constexpr std::int32_t kNoLabel = -1;
constexpr std::size_t kCodesAtOnce = std::size_t{1} << 14U;
constexpr std::size_t kBufferedIds = std::size_t{1} << 16U;

template <typename Value>
void put_values(std::vector<std::byte>& bytes, std::span<const Value> values) {
  const std::span<const std::byte> raw = std::as_bytes(values);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

void put_number(std::vector<std::byte>& bytes, std::uint64_t number) {
  put_values(bytes, std::span<const std::uint64_t>(&number, 1));
}

// Takes so many values from the front of the bytes; false if there are fewer.
template <typename Values>
bool take_values(std::span<const std::byte>& bytes, Values& values, std::uint64_t count) {
  using Value = typename Values::value_type;
  if (count > bytes.size() / sizeof(Value)) return false;
  values.resize(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
  bytes = bytes.subspan(values.size() * sizeof(Value));
  return true;
}

std::optional<std::uint64_t> take_number(std::span<const std::byte>& bytes) {
  std::uint64_t number = 0;
  if (bytes.size() < sizeof number) return std::nullopt;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes = bytes.subspan(sizeof number);
  return number;
}

}  // namespace

void StringBatch::put(std::vector<std::byte>& bytes) const {
  put_number(bytes, bytes_.size());
  if (blank()) return;
  put_values(bytes, std::span<const std::size_t>(ends_));
  put_values(bytes, std::span<const char>(bytes_));
}

bool StringBatch::take(std::span<const std::byte>& bytes, std::size_t strings) {
  const std::optional<std::uint64_t> size = take_number(bytes);
  bytes_.clear();
  ends_.assign(strings, 0);
  if (!size || *size == 0) return size.has_value();
  return take_values(bytes, ends_, strings) && take_values(bytes, bytes_, *size) && std::ranges::is_sorted(ends_) &&
         !ends_.empty() && ends_.back() == bytes_.size() && valid_utf8_prefix(bytes_) == bytes_.size();
}

void DocumentStrings::clear() {
  ids.clear();
  labels.clear();
  texts.clear();
  fields.clear();
  id_marks.clear();
  text_marks.clear();
  identities.clear();
}

void DocumentStrings::append(const SourceDocument& document, TextKeeping keeping) {
  ids.append(document.id);
  labels.append(document.label);
  if (keeping == TextKeeping::keep) texts.append(document.text);
  fields.append(document.fields);
  id_marks.push_back(mark_of(document.id));
  text_marks.push_back(mark_of_words(document.text, scratch));
  identities.push_back(identity.read(document));
}

void DocumentStrings::put(std::vector<std::byte>& bytes) const {
  put_number(bytes, text_marks.size());
  put_values(bytes, std::span<const StringMark>(text_marks));
  const bool says_something = std::ranges::any_of(identities, [](const RecordIdentity& one) { return one != RecordIdentity(); });
  put_number(bytes, says_something ? identities.size() : 0);
  if (says_something) put_values(bytes, std::span<const RecordIdentity>(identities));
  for (const StringBatch* const batch : {&ids, &labels, &fields}) batch->put(bytes);
}

bool DocumentStrings::take(std::span<const std::byte> bytes) {
  clear();
  const std::optional<std::uint64_t> documents = take_number(bytes);
  if (!documents || !take_values(bytes, text_marks, *documents)) return false;
  const std::optional<std::uint64_t> identified = take_number(bytes);
  if (!identified || (*identified != 0 && *identified != *documents) || !take_values(bytes, identities, *identified))
    return false;
  identities.resize(text_marks.size());
  for (StringBatch* const batch : {&ids, &labels, &fields})
    if (!batch->take(bytes, text_marks.size())) return false;
  for (std::size_t n = 0; n < ids.size(); ++n) id_marks.push_back(mark_of(ids[n]));
  return bytes.empty();
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

void IdentityColumn::append(std::span<const RecordIdentity> identities) {
  const auto says_something = [](const RecordIdentity& identity) { return identity != RecordIdentity(); };
  if (!identities_ && std::ranges::any_of(identities, says_something)) {
    identities_.emplace(staging_);
    const std::vector<RecordIdentity> none(kCodesAtOnce);
    for (std::uint64_t left = rows_; left > 0; left -= std::min<std::uint64_t>(left, none.size()))
      identities_->append(
          std::as_bytes(std::span(none).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, none.size())))));
  }
  rows_ += identities.size();
  if (identities_) identities_->append(std::as_bytes(identities));
}

void IdentityColumn::read(std::uint64_t first, std::span<RecordIdentity> identities) const {
  if (identities_)
    identities_->read(first * sizeof(RecordIdentity), std::as_writable_bytes(identities));
  else
    std::ranges::fill(identities, RecordIdentity());
}

DocumentColumns::DocumentColumns(PoolStaging& staging, Certain certain)
    : staging_(staging),
      waiting_ids_(staging),
      ids_(staging, PoolFile::ids, certain.ids),
      texts_(staging, PoolFile::texts, certain.texts),
      fields_(staging, PoolFile::fields, certain.fields),
      labels_(staging),
      id_marks_(staging),
      text_marks_(staging),
      identities_(staging) {}

void DocumentColumns::append(const DocumentStrings& documents) {
  waiting_ids_.append(documents.ids);
  labels_.append(documents.labels);
  texts_.append(documents.texts);
  fields_.append(documents.fields);
  id_marks_.append(documents.id_marks);
  text_marks_.append(documents.text_marks);
  identities_.append(documents.identities);
}

CopiedRows DocumentColumns::same(SameBy by) const {
  if (identities_.empty()) return by.text ? text_marks_.repeats() : CopiedRows();
  const CopiedSetRows found = same_records(
      text_marks_.rows(), [this](std::uint64_t first, std::span<StringMark> marks) { text_marks_.read(first, marks); },
      [this](std::uint64_t first, std::span<RecordIdentity> identities) { identities_.read(first, identities); }, by,
      RepeatedStrings::kMemory);
  CopiedRows copies;
  for (std::size_t n = 0; n < found.rows.size(); ++n)
    copies.add(static_cast<DocumentId>(found.rows[n]), static_cast<DocumentId>(found.originals[n]));
  return copies;
}

void DocumentColumns::write_marks() {
  text_marks_.write(staging_, PoolFile::text_marks);
  if (identities_.empty()) return;
  constexpr std::uint64_t numbers = sizeof(RecordIdentity) / sizeof(std::int64_t);
  StagedArray<std::int64_t> array(staging_, std::string(PoolFile::identities));
  std::vector<RecordIdentity> some(kCodesAtOnce);
  for (std::uint64_t row = 0; row < text_marks_.rows(); row += some.size()) {
    some.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kCodesAtOnce, text_marks_.rows() - row)));
    identities_.read(row, some);
    std::vector<std::int64_t> words(some.size() * numbers);
    std::memcpy(words.data(), some.data(), some.size() * sizeof(RecordIdentity));
    array.append(words);
  }
  array.close();
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
