#include "io/parts/shards/counts_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/parts/shards/build_plan.hpp"

namespace inkling {
namespace {

std::string_view text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

CountsFolder::CountsFolder(std::string path) : path_(std::move(path)) {
  const std::string manifest_path = pool_file_path(path_, PoolFile::manifest);
  const std::string text = text_of_sealed_file(manifest_path, "the manifest of counts");
  manifest_ = parse_counts_manifest(manifest_path, text);
  checksum_ = *seal_of(text);
  const File folder = File::open(path_, OpenAs::folder);
  if (!folder.is_open()) throw SystemError(path_, errno, "cannot open");
  for (const FileRecord& record : manifest_.files) {
    const std::string of_file = pool_file_path(path_, record.name);
    const auto [file, is_new] = files_.try_emplace(record.name, folder, record.name, of_file);
    if (file->second.size() != record.bytes)
      throw CorruptFileError(of_file, file_size_problem(file->second.size(), record.bytes));
  }
}

const PoolFileReader& CountsFolder::file(std::string_view name) const {
  const auto found = files_.find(name);
  if (found != files_.end()) return found->second;
  throw CorruptFileError(pool_file_path(path_, PoolFile::manifest), "expected the file {}", name);
}

void CountsFolder::check_unchanged() const {
  for (const auto& [name, file] : files_) file.check_unchanged();
}

std::optional<CountsManifest> counts_at(const std::string& path) {
  const std::string manifest = pool_file_path(path, PoolFile::manifest);
  if (!status_at(manifest.c_str())) return std::nullopt;
  return parse_counts_manifest(manifest, text_of_sealed_file(manifest, "the manifest of counts"));
}

CountsBytes::CountsBytes(const CountsFolder& counts, std::string_view name, std::size_t piece)
    : file_(&counts.file(name)),
      record_(counts.manifest().file(name)),
      piece_(static_cast<std::size_t>(std::min<std::uint64_t>(piece, file_->size()))) {}

std::span<const std::byte> CountsBytes::next() {
  const std::uint64_t left = file_->size() - position_;
  if (left == 0) return {};
  const std::span<std::byte> bytes =
      std::span(piece_).first(static_cast<std::size_t>(std::min<std::uint64_t>(piece_.size(), left)));
  file_->read(position_, bytes);
  position_ += bytes.size();
  checksum_.add(bytes);
  if (position_ % kChecksumBlockBytes == 0 || position_ == file_->size()) {
    const std::uint64_t block = (position_ - 1) / kChecksumBlockBytes;
    const std::uint64_t begin = block * kChecksumBlockBytes;
    if (checksum_.value() != record_->checksums[static_cast<std::size_t>(block)])
      throw CorruptFileError(path(), block_problem(begin, position_ - begin));
    checksum_.restart();
  }
  return bytes;
}

CountsStream::Numbers::Numbers(CountsBytes bytes, std::int64_t count) : bytes_(std::move(bytes)) {
  left_ = bytes_.next();
  const std::span<const std::byte> header =
      left_.first(std::min<std::size_t>(left_.size(), static_cast<std::size_t>(kPoolNpyHeaderBytes)));
  check_npy_beginning(bytes_.path(), header, bytes_.size(), npy_descr<std::int64_t>, sizeof(std::int64_t), count);
  left_ = left_.subspan(header.size());
}

std::int64_t CountsStream::Numbers::next() {
  if (left_.empty()) left_ = bytes_.next();
  std::int64_t number = 0;
  std::memcpy(&number, left_.data(), sizeof(number));
  left_ = left_.subspan(sizeof(number));
  return number;
}

CountsStream::CountsStream(const CountsFolder& counts, std::size_t piece)
    : lines_(counts, CountsFile::terms, piece),
      frequencies_(CountsBytes(counts, CountsFile::document_frequency, piece), counts.manifest().terms),
      terms_left_(counts.manifest().terms) {
  if (counts.has(CountsFile::occurrences))
    occurrence_counts_.emplace(CountsBytes(counts, CountsFile::occurrences, piece), counts.manifest().terms);
}

bool CountsStream::next() {
  if (terms_left_ == 0) {
    if (!left_.empty() || !lines_.next().empty()) throw CorruptFileError(lines_.path(), "expected no more lines than numbers");
    return false;
  }
  --terms_left_;
  read_term();
  documents_ = frequencies_.next();
  if (occurrence_counts_) occurrences_ = occurrence_counts_->next();
  if (documents_ < 1 || occurrences_ < 0)
    throw CorruptFileError(lines_.path(), "expected each term in a document at least, found one in {}", documents_);
  return true;
}

void CountsStream::read_term() {
  joined_.clear();
  for (;;) {
    const std::size_t end = left_.find('\n');
    if (end != std::string_view::npos) {
      if (!joined_.empty()) joined_ += left_.substr(0, end);
      term_ = joined_.empty() ? left_.substr(0, end) : std::string_view(joined_);
      left_.remove_prefix(end + 1);
      return;
    }
    joined_ += left_;
    left_ = text_of_bytes(lines_.next());
    if (left_.empty()) throw CorruptFileError(lines_.path(), "expected as many lines as numbers");
  }
}

std::vector<std::string> labels_of(const CountsFolder& counts) {
  std::vector<std::string> labels;
  if (!counts.has(CountsFile::labels)) return labels;
  std::string text;
  CountsBytes bytes(counts, CountsFile::labels, static_cast<std::size_t>(kChecksumBlockBytes));
  for (auto piece = bytes.next(); !piece.empty(); piece = bytes.next()) text += text_of_bytes(piece);
  std::string_view left = text;
  while (!left.empty()) {
    const std::size_t end = left.find('\n');
    if (end == std::string_view::npos) throw CorruptFileError(bytes.path(), "expected whole lines");
    if (!labels.empty() && labels.back() >= left.substr(0, end))
      throw CorruptFileError(bytes.path(), "expected lines that ascend");
    labels.emplace_back(left.substr(0, end));
    left.remove_prefix(end + 1);
  }
  return labels;
}

CountsWriter::CountsWriter(PoolStaging& staging, Occurrences occurrences)
    : staging_(staging),
      terms_(staging, std::string(CountsFile::terms)),
      frequencies_(staging, std::string(CountsFile::document_frequency)) {
  if (occurrences == Occurrences::are_counted) occurrences_.emplace(staging, std::string(CountsFile::occurrences));
}

void CountsWriter::append(std::string_view term, std::int64_t documents, std::int64_t occurrences) {
  terms_.append(term);
  frequencies_.append(documents);
  if (occurrences_) occurrences_->append(occurrences);
}

void CountsWriter::publish(const std::vector<std::string>& labels, CountsManifest manifest) {
  manifest.terms = frequencies_.size();
  terms_.close();
  frequencies_.close();
  if (occurrences_) occurrences_->close();
  if (!labels.empty()) {
    StagedLines lines(staging_, std::string(CountsFile::labels));
    for (const std::string& label : labels) lines.append(label);
    lines.close();
  }
  staging_.publish([&manifest](std::vector<FileRecord> files) {
    manifest.files = std::move(files);
    return counts_manifest_text(manifest);
  });
}

}  // namespace inkling
