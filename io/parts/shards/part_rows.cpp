#include "io/parts/shards/part_rows.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"
#include "io/parts/shards/build_plan.hpp"

namespace inkling {
namespace {

constexpr SealedFormat kRowsFormat = {.name = "inkling rows", .article = "", .version = 2};
constexpr std::array<std::string_view, 1> kRowsFileNames = {RowsFile::rows};

// A segment in the file.
struct SegmentRecord {
  std::uint64_t bytes = 0;
  std::uint64_t documents = 0;
  std::uint64_t entries = 0;
};
static_assert(sizeof(SegmentRecord) == 24);

}  // namespace

std::string rows_manifest_text(const RowsManifest& rows) {
  const std::string program = JsonWriter().value(rows.program_version).take();
  std::string text = fmt::format("{{\n  \"format\": \"{}\",\n", kRowsFormat.name);
  const auto add = [&text](std::string_view key, const auto& value) { text += fmt::format("  \"{}\": {},\n", key, value); };
  add("format_version", RowsManifest::current_version);
  add("needs_program", program);
  add("program", program);
  add("plan", '"' + checksum_digits(rows.plan) + '"');
  add("part", rows.part.part);
  add("text", '"' + checksum_digits(rows.part.text) + '"');
  add("documents", rows.part.documents);
  add("entries", rows.entries);
  add("strings", rows.strings);
  add("segments", rows.segments);
  add("terms", rows.terms);
  return sealed_json(text + file_records_text(rows.files));
}

RowsManifest parse_rows_manifest(const std::string& path, std::string_view text) {
  const SealedJson json(path, text, kRowsFormat);
  const JsonMembers::Element root = json.root();
  RowsManifest rows;
  rows.program_version = json.string(root, "program");
  rows.plan = json.checksum(root, "plan");
  rows.part = {.part = json.integer(root, "part"),
               .documents = json.integer(root, "documents", kMostRowsOrColumns),
               .text = json.checksum(root, "text")};
  rows.entries = json.integer(root, "entries");
  rows.strings = json.integer(root, "strings");
  rows.segments = json.integer(root, "segments", kMostRowsOrColumns);
  rows.terms = json.integer(root, "terms", kMostRowsOrColumns);
  rows.files = file_records_in(json, root, kRowsFileNames);
  if (rows.files.size() != 1) json.fail(fmt::format("expected the file {}", RowsFile::rows));
  return rows;
}

RowsWriter::RowsWriter(PoolStaging& staging, TextKeeping texts)
    : beside_(staging), rows_(beside_, std::string(RowsFile::rows)), texts_(texts), strings_(staging) {}

void RowsWriter::append(const CountedChunk& chunk) {
  rows_.append(chunk.counts.bytes());
  for (const CountedSegment& segment : chunk.segments)
    if (segment.documents > 0) segments_.push_back(segment);
  if (texts_ == TextKeeping::keep || chunk.strings.ids.size() == 0) return;
  bytes_.assign(sizeof(std::uint64_t), std::byte{});
  chunk.strings.put(bytes_);
  const std::uint64_t size = bytes_.size() - sizeof size;
  std::memcpy(bytes_.data(), &size, sizeof size);
  strings_.append(bytes_);
}

void RowsWriter::close(std::span<const TermTable::Term> sorted, RowsManifest manifest) {
  manifest.strings = static_cast<std::int64_t>(strings_.size());
  for (std::uint64_t at = 0; at < strings_.size(); at += bytes_.size()) {
    bytes_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kChecksumBlockBytes, strings_.size() - at)));
    strings_.read(at, bytes_);
    rows_.append(bytes_);
  }
  for (const CountedSegment& segment : segments_) {
    const SegmentRecord record = {segment.bytes, segment.documents, segment.entries};
    rows_.append(std::as_bytes(std::span(&record, 1)));
  }
  for (const TermTable::Term& term : sorted) rows_.append(std::as_bytes(std::span(&term.id, 1)));
  rows_.close();
  manifest.segments = std::ssize(segments_);
  manifest.terms = std::ssize(sorted);
  manifest.files = beside_.records();
  StagedFile file(beside_, std::string(RowsFile::manifest));
  file.append(rows_manifest_text(manifest));
  file.close();
}

std::unique_ptr<PartRows> PartRows::beside(CountsFolder counts) {
  const std::string manifest_path = pool_file_path(counts.path(), RowsFile::manifest);
  const std::string rows_path = pool_file_path(counts.path(), RowsFile::rows);
  try {
    const RowsManifest rows = parse_rows_manifest(manifest_path, text_of_sealed_file(manifest_path, "the manifest of rows"));
    const CountsManifest& of_counts = counts.manifest();
    const bool are_of_these = rows.program_version == of_counts.program_version && rows.plan == of_counts.plan &&
                              rows.part == of_counts.parts.front() && rows.entries == of_counts.totals.entries &&
                              rows.terms == of_counts.terms;
    if (!are_of_these) throw CorruptFileError(manifest_path, "expected the rows of the counts beside it");
    PoolFileReader file(File::working_folder(), rows_path, rows_path);
    if (file.size() != rows.files.front().bytes)
      throw CorruptFileError(rows_path, file_size_problem(file.size(), rows.files.front().bytes));
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): its constructor is for this function alone
    return std::unique_ptr<PartRows>(new PartRows(std::move(counts), rows, std::move(file)));
  } catch (const SystemError& error) {
    if (error.error_number() == ENOENT) return nullptr;
    throw;
  }
}

PartRows::PartRows(CountsFolder counts, const RowsManifest& manifest, PoolFileReader file)
    : counts_(std::move(counts)), file_(std::move(file)), record_(manifest.files.front()) {
  const std::uint64_t behind = static_cast<std::uint64_t>(manifest.segments) * sizeof(SegmentRecord) +
                               static_cast<std::uint64_t>(manifest.terms) * sizeof(TermId);
  const auto strings = static_cast<std::uint64_t>(manifest.strings);
  if (behind > file_.size() || strings > file_.size() - behind) refuse("expected room for all strings, segments and terms");
  strings_end_ = file_.size() - behind;
  strings_begin_ = strings_end_ - strings;
  unread_documents_ = static_cast<std::uint64_t>(manifest.part.documents);
  read_segments(manifest, strings_begin_, strings_end_);
  read_numbers(manifest, file_.size() - static_cast<std::uint64_t>(manifest.terms) * sizeof(TermId));
}

// Checks that the segments exactly fill the first `bytes` of the file. A document takes at least a byte, and so does an entry.
void PartRows::read_segments(const RowsManifest& manifest, std::uint64_t bytes, std::uint64_t position) {
  std::vector<SegmentRecord> records(static_cast<std::size_t>(manifest.segments));
  read_at(position, std::as_writable_bytes(std::span(records)));
  auto documents = static_cast<std::uint64_t>(manifest.part.documents);
  auto entries = static_cast<std::uint64_t>(manifest.entries);
  segments_.reserve(records.size());
  for (const SegmentRecord& record : records) {
    const bool fits = record.bytes <= bytes && record.documents <= documents && record.entries <= entries;
    const bool is_one = record.documents > 0 && record.documents <= UnsortedBlock::most_rows &&
                        record.documents <= record.bytes && record.entries <= record.bytes;
    if (!fits || !is_one) refuse("expected segments of the documents that were counted");
    bytes -= record.bytes;
    documents -= record.documents;
    entries -= record.entries;
    segments_.push_back(
        {.bytes = record.bytes, .documents = static_cast<std::uint32_t>(record.documents), .entries = record.entries});
  }
  if (bytes + documents + entries > 0) refuse("expected segments of all documents that were counted");
}

void PartRows::read_numbers(const RowsManifest& manifest, std::uint64_t position) {
  numbers_.resize(static_cast<std::size_t>(manifest.terms));
  read_at(position, std::as_writable_bytes(std::span(numbers_)));
  std::vector<bool> seen(numbers_.size());
  for (const TermId number : numbers_) {
    if (number >= numbers_.size() || seen[number]) refuse("expected a number of its own for each term");
    seen[number] = true;
  }
}

bool PartRows::read_strings(DocumentStrings& strings) {
  constexpr std::string_view expected = "expected ids, labels, fields and marks of the documents that were counted";
  const std::uint64_t left = strings_end_ - strings_begin_;
  if (left == 0) {
    if (unread_documents_ > 0) refuse(std::string(expected));
    return false;
  }
  std::uint64_t size = 0;
  if (left < sizeof size) refuse(std::string(expected));
  read_at(strings_begin_, std::as_writable_bytes(std::span(&size, 1)));
  if (size > left - sizeof size) refuse(std::string(expected));
  string_bytes_.resize(static_cast<std::size_t>(size));
  read_at(strings_begin_ + sizeof size, string_bytes_);
  if (!strings.take(string_bytes_) || strings.ids.size() > unread_documents_) refuse(std::string(expected));
  strings_begin_ += sizeof size + size;
  unread_documents_ -= strings.ids.size();
  return true;
}

void PartRows::read(std::span<std::byte> bytes) {
  read_at(position_, bytes);
  position_ += bytes.size();
}

// Requires: all of it lies within the file.
void PartRows::read_at(std::uint64_t position, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t begin = position - position % kChecksumBlockBytes;
    if (block_.empty() || begin != block_begin_) {
      file_.read_block(record_, static_cast<std::size_t>(begin / kChecksumBlockBytes), PoolTrust::checksums, block_);
      block_begin_ = begin;
    }
    const std::span<const std::byte> here = std::span(block_).subspan(position - begin);
    const std::size_t size = std::min(here.size(), bytes.size());
    std::ranges::copy(here.first(size), bytes.begin());
    bytes = bytes.subspan(size);
    position += size;
  }
}

void PartRows::refuse(const std::string& expectation) const { throw CorruptFileError(file_.path(), "{}", expectation); }

}  // namespace inkling
