#include "io/corpus/pool/open/pool.hpp"

#include <atomic>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/open/checked_record.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/corpus/pool/open/kept_survey.hpp"

namespace inkling {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Makes views of files that have been checked.
class CheckedPool {
 public:
  CheckedPool(const PoolFiles& files, Manifest manifest, CheckedTexts texts) : files_(files) {
    contents_.manifest = std::move(manifest);
    contents_.texts_of_lines = std::move(texts);
  }

  [[nodiscard]] PoolContents contents() {
    const std::int64_t columns = contents_.manifest.columns;
    contents_.matrix = {
        .by_document = layout(PoolFile::row_offsets, PoolFile::row_features, PoolFile::row_values, columns),
        .by_feature = layout(PoolFile::column_offsets, PoolFile::column_rows, PoolFile::column_values, contents_.manifest.rows)};
    if (has(PoolFile::vectors)) {
      contents_.vector_centre = numbers<float>(PoolFile::vector_centre);
      CsrView& rows = contents_.matrix.by_document;
      rows = rows.with({.dimensions = static_cast<std::int32_t>(contents_.vector_centre.size()),
                        .codes = numbers<std::int8_t>(PoolFile::vectors),
                        .scales = numbers<float>(PoolFile::vector_scales)});
    }
    contents_.document_frequency = numbers<std::int32_t>(PoolFile::document_frequency);
    if (has(PoolFile::idf)) contents_.idf = numbers<double>(PoolFile::idf);
    contents_.ids = table(PoolFile::ids);
    contents_.texts = table(PoolFile::texts);
    contents_.fields = table(PoolFile::fields);
    if (const auto& words = contents_.texts_of_lines.vocabulary) contents_.vocabulary = words->lines();
    contents_.copies = contents_.texts_of_lines.copies.view();
    if (const auto& names = contents_.texts_of_lines.label_names) {
      const StringTable lines = names->lines();
      contents_.label_names.reserve(static_cast<std::size_t>(lines.size()));
      for (std::int64_t name = 0; name < lines.size(); ++name) contents_.label_names.emplace_back(lines[name]);
      contents_.labels = numbers<std::int32_t>(PoolFile::labels);
    }
    return std::move(contents_);
  }

 private:
  [[nodiscard]] bool has(std::string_view name) const { return contents_.manifest.file(name) != nullptr; }

  template <typename Number>
  [[nodiscard]] std::span<const Number> numbers(std::string_view name) const {
    const std::span<const std::byte> bytes = files_.find(name)->second.subspan(kPoolNpyHeaderBytes);
    return {reinterpret_cast<const Number*>(bytes.data()), bytes.size() / sizeof(Number)};
  }

  [[nodiscard]] CsrView layout(std::string_view offsets, std::string_view ids, std::string_view values,
                               std::int64_t most_ids) const {
    return {static_cast<std::int32_t>(most_ids), numbers<std::int64_t>(offsets), numbers<std::int32_t>(ids),
            numbers<float>(values)};
  }

  [[nodiscard]] std::optional<StringTable> table(std::string_view name) const {
    if (!has(PoolFile::bytes_of(name))) return std::nullopt;
    return StringTable(numbers<std::int64_t>(PoolFile::offsets_of(name)),
                       as_text(std::as_bytes(numbers<std::uint8_t>(PoolFile::bytes_of(name)))));
  }

  const PoolFiles& files_;
  PoolContents contents_;
};

CheckedTexts check_in_memory(const std::string& path, const PoolFiles& files, const Manifest& manifest, CheckExtent extent) {
  FilesToCheck to_check;
  for (const auto& [name, bytes] : files) to_check.emplace(name, std::make_unique<MemoryFile>(pool_file_path(path, name), bytes));
  return check_contents(path, manifest, to_check, extent, [](std::uint64_t) {});
}

bool is_offsets_of_matrix(std::string_view name) { return name == PoolFile::row_offsets || name == PoolFile::column_offsets; }

}  // namespace

PoolContents checked_contents(const std::string& path, const PoolFiles& files, CheckExtent extent) {
  const std::string manifest_path = pool_file_path(path, PoolFile::manifest);
  const auto manifest = files.find(PoolFile::manifest);
  if (manifest == files.end()) throw CorruptFileError(manifest_path, "missing");
  Manifest parsed = parse_manifest(manifest_path, as_text(manifest->second));
  CheckedTexts texts = check_in_memory(path, files, parsed, extent);
  return CheckedPool(files, std::move(parsed), std::move(texts)).contents();
}

Pool::Files Pool::map_files(const OpenPool& pool) {
  Files files;
  files.bytes = pool.bytes();
  files.manifest_checksum = pool.manifest_checksum();
  for (const auto& [name, file] : pool.files()) {
    files.stamps.emplace_back(file.path(), file.stamp());
    if (is_offsets_of_matrix(name)) {
      Room& room = files.read.emplace_back();
      const std::span<std::byte> bytes = room.of(file.size());
      prefer_large_pages(bytes);
      file.read(0, bytes);
      files.by_name.emplace(name, bytes);
    } else {
      const MappedFile& mapped = files.mapped.emplace_back(file.file(), file.path());
      files.by_name.emplace(name, mapped.bytes());
    }
  }
  return files;
}

Pool Pool::open(const std::string& path, PoolTrust trust) {
  Pool pool(path);
  const OpenPool opened(path);
  pool.files_ = map_files(opened);
  CheckedTexts texts = check_once(
      opened, trust, [&](CheckExtent extent) { return check_in_memory(path, pool.files_.by_name, opened.manifest(), extent); });
  pool.contents_ = CheckedPool(pool.files_.by_name, opened.manifest(), std::move(texts)).contents();
  std::optional<CheckedRecord> record;
  if (trust == PoolTrust::remembered || trust == PoolTrust::renewed) record.emplace(opened);
  pool.survey_ = std::make_shared<const KeptSurvey>(pool.view(), pool.copies().rows, std::move(record));
  return pool;
}

Pool Pool::join(const std::string& path, std::span<const Pool* const> pools, SetCopies copies) {
  Pool joined(path);
  const auto arrays = std::make_shared<JoinedArrays>();
  joined.joined_ = arrays;
  joined.contents_ = joined_contents(pools, copies, *arrays);
  std::vector<std::uint64_t> checksums;
  for (const Pool* const pool : pools) {
    joined.files_.bytes += pool->files_.bytes;
    checksums.push_back(pool->files_.manifest_checksum);
    joined.files_.stamps.insert(joined.files_.stamps.end(), pool->files_.stamps.begin(), pool->files_.stamps.end());
  }
  joined.files_.manifest_checksum = checksum_of(std::as_bytes(std::span(checksums)));
  joined.survey_ = std::make_shared<const KeptSurvey>(joined.view(), joined.copies().rows, std::nullopt);
  return joined;
}

void Pool::check_unchanged() const {
  for (const auto& [path, stamp] : files_.stamps) {
    const std::optional<FileStatus> status = status_at(path.c_str());
    // If it is another file, it belongs to a pool that took the place of this one.
    if (status && status->identity == stamp.identity) stamp.check_unchanged(path, FileStamp(*status));
  }
}

CsrMatrix Pool::row(DocumentId row) const {
  const SparseRow entries = contents_.matrix.by_document.row(row);
  CsrMatrix one(contents_.matrix.features());
  try {
    one.append_row(entries);
  } catch (const FormatError& error) {
    throw CorruptFileError(pool_file_path(path_, PoolFile::row_features), "was changed while it was being read: row {}: {}", row,
                           error.expectation());
  }
  return one;
}

std::pair<std::int64_t, std::int64_t> Pool::postings_of(FeatureId feature) const {
  const auto at = static_cast<std::size_t>(feature);
  const std::span<const std::int64_t> offsets = contents_.matrix.by_feature.offsets();
  return {offsets[at], offsets[at + 1]};
}

std::optional<std::string> Pool::id(DocumentId row) const {
  const bool has_one = contents_.ids && contents_.ids->has(row);
  return has_one ? std::optional(std::string((*contents_.ids)[row])) : std::nullopt;
}

std::uint64_t pool_bytes(const std::string& path) {
  std::uint64_t bytes = 0;
  const bool is_whole = each_name_in(path, [&](const std::string& name) {
    const std::string place = pool_file_path(path, name);
    const std::optional<FileStatus> named = link_status_at(place.c_str());  // a link to a folder could lead around
    if (named && named->is_folder()) bytes += pool_bytes(place);
    if (const std::optional<FileStatus> found = status_at(place.c_str()); found && found->is_file()) bytes += found->size;
    return true;
  });
  if (!is_whole) throw SystemError(path, errno, "cannot read");
  return bytes;
}

VerifyReport verify_pool(const std::string& path, const std::function<void(std::uint64_t, std::uint64_t)>& advance) {
  const OpenPool pool(path);
  const std::uint64_t bytes = pool.bytes();
  std::atomic<std::uint64_t> done = 0;
  static_cast<void>(check_once(pool, PoolTrust::renewed, [&](CheckExtent extent) {
    return check_contents(path, pool.manifest(), files_to_check(pool), extent,
                          [&](std::uint64_t more) { advance(done += more, 2 * bytes); });
  }));
  advance(2 * bytes, 2 * bytes);  // headers and the like were not counted
  return {.files = static_cast<std::int64_t>(pool.files().size()) + 1, .bytes = bytes, .manifest = pool.manifest()};
}

}  // namespace inkling
