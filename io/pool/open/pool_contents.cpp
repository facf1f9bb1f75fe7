#include "io/pool/open/pool_contents.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/file/corrupt_file_error.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/layout_check.hpp"

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
    throw CorruptFileError(path_of(PoolFile::manifest),
                           fmt::format("expected {} and {} together", one, other));
  }

  template <typename Number>
  [[nodiscard]] std::span<const Number> numbers(std::string_view name, std::int64_t count) const {
    if (!has(name))
      throw CorruptFileError(path_of(PoolFile::manifest), fmt::format("expected the file {}", name));
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

  struct LayoutNames {
    std::string_view offsets, ids, values;
  };

  // One layout, checked: a view of it, and the sum over its entries.
  [[nodiscard]] std::pair<CsrView, std::uint64_t> layout(LayoutOrder order, const LayoutNames& names,
                                                         std::int64_t lines, std::int64_t most_ids) const {
    const std::int64_t nonzeros = contents_.manifest.nonzeros;
    const MatrixLayout layout = {.order = order,
                                 .offsets = numbers<std::int64_t>(names.offsets, lines + 1),
                                 .ids = numbers<std::int32_t>(names.ids, nonzeros),
                                 .values = numbers<float>(names.values, nonzeros),
                                 .most_ids = most_ids};
    const std::uint64_t sum = checked_layout(
        layout,
        {.offsets = path_of(names.offsets), .ids = path_of(names.ids), .values = path_of(names.values)},
        checked_);
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
      throw CorruptFileError(path_of(PoolFile::document_frequency),
                             fmt::format("expected {} for feature {}, found {}", size, feature,
                                         contents_.document_frequency[feature]));
    }
    if (has(PoolFile::idf)) {
      contents_.idf = numbers<double>(PoolFile::idf, columns);
      const bool finite = std::ranges::all_of(contents_.idf, [](double idf) { return std::isfinite(idf); });
      if (!finite) throw CorruptFileError(path_of(PoolFile::idf), "expected finite numbers");
    }
    if (has(PoolFile::vocabulary)) check_vocabulary();
  }

  void check_vocabulary() {
    const std::string path = path_of(PoolFile::vocabulary);
    const std::string_view text = as_text(bytes_of(PoolFile::vocabulary));
    contents_.term_offsets = checked_lines(path, text, checked_);
    contents_.vocabulary = lines_of(text, contents_.term_offsets);
    if (contents_.vocabulary->size() == contents_.manifest.columns) return;
    throw CorruptFileError(path, fmt::format("expected {} terms, found {}", contents_.manifest.columns,
                                             contents_.vocabulary->size()));
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
    const StringTable names = lines_of(text, offsets);
    for (std::int64_t name = 0; name < names.size(); ++name) contents_.label_names.emplace_back(names[name]);

    contents_.labels = numbers<std::int32_t>(PoolFile::labels, contents_.manifest.rows);
    const auto is_label = [&](std::int32_t label) { return label >= -1 && label < names.size(); };
    const auto wrong = std::ranges::find_if_not(contents_.labels, is_label);
    if (wrong == contents_.labels.end()) return;
    throw CorruptFileError(path_of(PoolFile::labels),
                           fmt::format("expected labels from -1 to {}, found {} in row {}", names.size() - 1,
                                       *wrong, wrong - contents_.labels.begin()));
  }

  const std::string& path_;
  const PoolFiles& files_;
  const PieceChecked& checked_;
  PoolContents contents_;
};

}  // namespace

PoolContents checked_contents(const std::string& path, const PoolFiles& files, PoolTrust trust,
                              const PieceChecked& checked) {
  return ContentsChecker(path, files, checked).run(trust);
}

}  // namespace inkling
