#include "io/pool/open/pool.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <filesystem>

#include "engine/core/errors.hpp"
#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/open/layout_check.hpp"
#include "io/pool/open/read_pool.hpp"

namespace inkling {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Checks file after file; each step may rely on those before it.
class ContentsChecker {
 public:
  ContentsChecker(const std::string& path, const PoolFiles& files, const PieceChecked& checked)
      : path_(path), files_(files), checked_(checked) {}

  [[nodiscard]] PoolContents run(PoolTrust trust) {
    contents_.manifest = parse_manifest(path_of(PoolFile::manifest), as_text(bytes_of(PoolFile::manifest)));
    check_sizes();
    if (trust == PoolTrust::checksums) check_checksums();
    check_matrix();
    check_terms();
    contents_.ids = strings(PoolFile::ids);
    contents_.texts = strings(PoolFile::texts);
    check_labels();
    return std::move(contents_);
  }

 private:
  [[nodiscard]] std::string path_of(std::string_view name) const { return pool_file_path(path_, name); }

  [[nodiscard]] std::span<const std::byte> bytes_of(std::string_view name) const {
    const auto file = files_.find(name);
    if (file == files_.end()) throw CorruptFileError(path_of(name), "missing");
    return file->second;
  }

  [[nodiscard]] bool has(std::string_view name) const { return contents_.manifest.file(name) != nullptr; }

  // Files that come as a pair come together. Whether they come.
  [[nodiscard]] bool has_both(std::string_view one, std::string_view other) const {
    if (has(one) == has(other)) return has(one);
    throw CorruptFileError(path_of(PoolFile::manifest), "expected {} and {} together", one, other);
  }

  template <typename Number>
  [[nodiscard]] std::span<const Number> numbers(std::string_view name, std::int64_t count) const {
    if (!has(name)) throw CorruptFileError(path_of(PoolFile::manifest), "expected the file {}", name);
    return npy_numbers<Number>(path_of(name), bytes_of(name), count);
  }

  void check_sizes() const {
    for (const FileRecord& file : contents_.manifest.files) {
      const std::uint64_t bytes = bytes_of(file.name).size();
      if (bytes == file.bytes) continue;
      throw CorruptFileError(path_of(file.name), file_size_problem(bytes, file.bytes));
    }
  }

  void check_checksums() const {
    for (const FileRecord& file : contents_.manifest.files) {
      const std::span<const std::byte> bytes = bytes_of(file.name);
      const auto is_wrong = [&](std::size_t begin, std::size_t end) {
        const std::span<const std::byte> block = bytes.subspan(begin, end - begin);
        const bool wrong = checksum_of(block) != file.checksums[begin / kChecksumBlockBytes];
        checked_(block);
        return wrong;
      };
      if (const auto wrong = first_wrong_range(bytes.size(), kChecksumBlockBytes, is_wrong)) {
        throw CorruptFileError(path_of(file.name),
                               block_problem(*wrong, std::min(kChecksumBlockBytes, bytes.size() - *wrong)));
      }
    }
  }

  // One layout, checked: a view of it, and the sum over its entries.
  [[nodiscard]] std::pair<CsrView, std::uint64_t> layout(LayoutOrder order, const LayoutNames& names,
                                                         std::int64_t lines, std::int64_t most_ids) const {
    const std::int64_t nonzeros = contents_.manifest.nonzeros;
    const MatrixLayout layout = {.pool = path_,
                                 .names = names,
                                 .order = order,
                                 .offsets = numbers<std::int64_t>(names.offsets, lines + 1),
                                 .ids = numbers<std::int32_t>(names.ids, nonzeros),
                                 .values = numbers<float>(names.values, nonzeros),
                                 .most_ids = most_ids};
    const std::uint64_t sum = checked_layout(layout, checked_);
    return {CsrView(static_cast<std::int32_t>(most_ids), layout.offsets, layout.ids, layout.values), sum};
  }

  void check_matrix() {
    const auto [rows, columns] = std::pair(contents_.manifest.rows, contents_.manifest.columns);
    const auto [by_document, row_sum] =
        layout(LayoutOrder::by_document,
               {PoolFile::row_offsets, PoolFile::row_features, PoolFile::row_values}, rows, columns);
    const auto [by_feature, column_sum] =
        layout(LayoutOrder::by_feature,
               {PoolFile::column_offsets, PoolFile::column_rows, PoolFile::column_values}, columns, rows);
    if (row_sum != column_sum) {
      throw CorruptFileError(path_of("by_feature"),
                             "expected the transpose of the rows, found another matrix");
    }
    contents_.matrix = {.by_document = by_document, .by_feature = by_feature};
  }

  void check_terms() {
    const std::int64_t columns = contents_.manifest.columns;
    contents_.document_frequency = numbers<std::int32_t>(PoolFile::document_frequency, columns);
    const std::span<const std::int64_t> offsets = contents_.matrix.by_feature.offsets();
    for (std::size_t feature = 0; feature + 1 < offsets.size(); ++feature) {
      const std::int64_t size = offsets[feature + 1] - offsets[feature];
      if (contents_.document_frequency[feature] == size) continue;
      throw CorruptFileError(path_of(PoolFile::document_frequency), "expected {} for feature {}, found {}",
                             size, feature, contents_.document_frequency[feature]);
    }
    if (has(PoolFile::idf)) {
      contents_.idf = numbers<double>(PoolFile::idf, columns);
      const bool finite = std::ranges::all_of(contents_.idf, [](double idf) { return std::isfinite(idf); });
      if (!finite) throw CorruptFileError(path_of(PoolFile::idf), "expected finite numbers");
    }
    if (!has(PoolFile::vocabulary)) return;
    const std::string_view text = as_text(bytes_of(PoolFile::vocabulary));
    contents_.term_offsets = checked_vocabulary(path_of(PoolFile::vocabulary), text, columns, checked_);
    contents_.vocabulary = StringTable(contents_.term_offsets, text, 1);
  }

  [[nodiscard]] std::optional<StringTable> strings(std::string_view table) const {
    const std::string bytes_name = PoolFile::bytes_of(table);
    const std::string offsets_name = PoolFile::offsets_of(table);
    if (!has_both(bytes_name, offsets_name)) return std::nullopt;
    const auto offsets = numbers<std::int64_t>(offsets_name, contents_.manifest.rows + 1);
    const std::int64_t count = npy_count(path_of(bytes_name), bytes_of(bytes_name));
    const auto bytes = as_text(std::as_bytes(numbers<std::uint8_t>(bytes_name, count)));
    check_strings(path_of(bytes_name), bytes, path_of(offsets_name), offsets, checked_);
    return StringTable(offsets, bytes);
  }

  void check_labels() {
    if (!has_both(PoolFile::labels, PoolFile::label_names)) return;
    const std::string_view text = as_text(bytes_of(PoolFile::label_names));
    const std::vector<std::int64_t> offsets = checked_lines(path_of(PoolFile::label_names), text, checked_);
    const StringTable names(offsets, text, 1);
    for (std::int64_t name = 0; name < names.size(); ++name) contents_.label_names.emplace_back(names[name]);

    contents_.labels = numbers<std::int32_t>(PoolFile::labels, contents_.manifest.rows);
    const auto is_label = [&](std::int32_t label) { return label >= -1 && label < names.size(); };
    const auto wrong = std::ranges::find_if_not(contents_.labels, is_label);
    if (wrong == contents_.labels.end()) return;
    throw CorruptFileError(path_of(PoolFile::labels), "expected labels from -1 to {}, found {} in row {}",
                           names.size() - 1, *wrong, wrong - contents_.labels.begin());
  }

  const std::string& path_;
  const PoolFiles& files_;
  const PieceChecked& checked_;
  PoolContents contents_;
};

// `by_name` lends what `files` own.
struct MappedPool {
  std::vector<MappedFile> files;
  PoolFiles by_name;
};

// The file mapped, or nothing where there is none.
std::optional<MappedFile> mapped(const PoolFolder& folder, std::string_view name) {
  try {
    return MappedFile(folder.descriptor(), std::string(name), folder.path_of(name));
  } catch (const SystemError& error) {
    if (error.error_number() == ENOENT || error.error_number() == ENOTDIR) return std::nullopt;
    throw;
  }
}

MappedPool map_files(const PoolFolder& folder) {
  MappedPool pool;
  const auto take = [&](std::string_view name) {
    std::optional<MappedFile> file = mapped(folder, name);
    if (!file) return;
    pool.by_name.emplace(name, file->bytes());
    pool.files.push_back(std::move(*file));
  };
  take(PoolFile::manifest);
  for (const std::string_view name : kPoolFileNames) take(name);
  return pool;
}

// Maps every file that a pool may have and that is there, all of one folder, even where another process puts
// a new pool in its place at the same time.
MappedPool map_pool(const std::string& path) {
  // A folder that was replaced may have lost files before they were mapped; what replaced it has all of its own.
  constexpr int most_attempts = 100;
  for (int attempt = 1;; ++attempt) {
    const PoolFolder folder(path);
    MappedPool pool = map_files(folder);
    if (!folder.is_in_place() && attempt < most_attempts) continue;
    if (pool.by_name.contains(PoolFile::manifest)) return pool;
    folder.fail_without_manifest();
  }
}

}  // namespace

PoolContents checked_contents(const std::string& path, const PoolFiles& files, PoolTrust trust,
                              const PieceChecked& checked) {
  return ContentsChecker(path, files, checked).run(trust);
}

Pool Pool::open(const std::string& path, PoolTrust trust) {
  MappedPool mapped = map_pool(path);
  PoolContents contents = checked_contents(path, mapped.by_name, trust);
  return {path, std::move(mapped.files), std::move(contents)};
}

CsrMatrix Pool::row(DocumentId row) const {
  CsrMatrix one(contents_.matrix.features());
  one.append_row(contents_.matrix.by_document.row(row));
  return one;
}

std::pair<std::int64_t, std::int64_t> Pool::postings_of(FeatureId feature) const {
  const auto at = static_cast<std::size_t>(feature);
  const std::span<const std::int64_t> offsets = contents_.matrix.by_feature.offsets();
  return {offsets[at], offsets[at + 1]};
}

std::optional<std::string> Pool::id(DocumentId row) const {
  return contents_.ids ? std::optional(std::string((*contents_.ids)[row])) : std::nullopt;
}

std::uint64_t pool_bytes(const std::string& path) {
  namespace fs = std::filesystem;
  try {
    std::uint64_t bytes = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
  } catch (const fs::filesystem_error& error) {
    throw SystemError(path, error.code().value(), "cannot read");
  }
}

VerifyReport verify_pool(const std::string& path,
                         const std::function<void(std::uint64_t, std::uint64_t)>& advance) {
  const MappedPool mapped = map_pool(path);
  std::uint64_t bytes = 0;
  for (const auto& [name, file] : mapped.by_name) bytes += file.size();

  std::atomic<std::uint64_t> done = 0;
  const auto checked = [&](std::span<const std::byte> piece) {
    advance(done += piece.size(), 2 * bytes);
    forget_pages(piece);
  };
  PoolContents contents = checked_contents(path, mapped.by_name, PoolTrust::checksums, checked);
  advance(2 * bytes, 2 * bytes);  // headers and the like were not told of
  return {.files = static_cast<std::int64_t>(mapped.files.size()),
          .bytes = bytes,
          .manifest = std::move(contents.manifest)};
}

}  // namespace inkling
