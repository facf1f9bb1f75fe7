#include "io/build/staged_documents.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "io/pool/format/pool_layout.hpp"

namespace inkling {
namespace {

constexpr std::int32_t no_label = -1;
constexpr std::size_t codes_at_once = std::size_t{1} << 14U;

}  // namespace

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

void LabelColumn::append(const StringBatch& batch) {
  std::vector<std::int32_t> codes(batch.size(), no_label);
  for (std::size_t n = 0; n < batch.size(); ++n) {
    if (batch[n].empty()) continue;
    auto found = code_of_.find(batch[n]);
    if (found == code_of_.end())
      found = code_of_.emplace(batch[n], static_cast<std::int32_t>(code_of_.size())).first;
    codes[n] = found->second;
  }
  codes_.append(std::as_bytes(std::span(codes)));
}

void LabelColumn::write(PoolStaging& staging) const {
  if (code_of_.empty()) return;
  StagedLines names(staging, std::string(PoolFile::label_names));
  std::vector<std::int32_t> final_code(code_of_.size());
  std::int32_t next = 0;
  for (const auto& [name, code] : code_of_) {
    final_code[static_cast<std::size_t>(code)] = next++;
    names.append(name);
  }
  names.close();

  StagedArray<std::int32_t> labels(staging, std::string(PoolFile::labels));
  std::vector<std::int32_t> codes(codes_at_once);
  const std::uint64_t rows = codes_.size() / sizeof(std::int32_t);
  for (std::uint64_t row = 0; row < rows; row += codes.size()) {
    codes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(codes_at_once, rows - row)));
    codes_.read(row * sizeof(std::int32_t), std::as_writable_bytes(std::span(codes)));
    for (std::int32_t& code : codes)
      if (code != no_label) code = final_code[static_cast<std::size_t>(code)];
    labels.append(codes);
  }
  labels.close();
}

StagedDocuments::StagedDocuments(PoolStaging& staging)
    : staging_(staging),
      counts_(staging),
      ids_(staging, PoolFile::ids),
      texts_(staging, PoolFile::texts),
      labels_(staging) {}

void StagedDocuments::append(const CountedChunk& chunk) {
  counts_.append(chunk.counts.bytes());
  for (const CountedSegment& segment : chunk.segments)
    if (segment.documents > 0) segments_.push_back(segment);
  ids_.append(chunk.ids);
  labels_.append(chunk.labels);
  texts_.append(chunk.texts);
}

void StagedDocuments::close() {
  ids_.close();
  texts_.close();
  labels_.write(staging_);
}

}  // namespace inkling
