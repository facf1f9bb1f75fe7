#include "io/corpus/pool/open/contents_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/sparse/csr_view.hpp"
#include "io/base/file/corrupt_file_error.hpp"

namespace inkling {
namespace {

constexpr std::size_t kNumbersAtOnce = std::size_t{1} << 16U;

// Whether a vector of length 1 may be rounded so, in 127 steps up to its largest number; or there is none.
bool is_vector(std::span<const std::int8_t> codes, double scale) {
  int largest = 0;
  std::int64_t square = 0;
  for (const std::int8_t code : codes) {
    largest = std::max(largest, std::abs(int{code}));
    square += std::int64_t{code} * std::int64_t{code};
  }
  if (scale == 0.0) return largest == 0;
  const double rounding = 0.5 * scale * std::sqrt(static_cast<double>(codes.size())) + 1e-6;
  return largest == 127 && std::fabs(scale * std::sqrt(static_cast<double>(square)) - 1.0) <= rounding;
}

// Checks file after file; each step may rely on those before it.
class ContentsChecker {
 public:
  ContentsChecker(const std::string& path, const Manifest& manifest, const FilesToCheck& files, const PieceChecked& checked)
      : path_(path), manifest_(manifest), files_(files), checked_(checked) {}

  [[nodiscard]] CheckedTexts run(CheckExtent extent) {
    check_sizes();
    if (extent == CheckExtent::everything) compare_checksums();
    const NumberArray<std::int64_t> columns = check_matrix();
    check_document_frequency(columns);
    CheckedTexts texts;
    check_idf();
    texts.vocabulary = checked_vocabulary();
    for (const std::string_view strings : {PoolFile::ids, PoolFile::texts, PoolFile::fields}) check_table(strings);
    texts.label_names = checked_labels();
    texts.copies = checked_copies();
    check_marks();
    check_vectors();
    check_what_is_left();
    return texts;
  }

  [[nodiscard]] CheckedTexts run_outline() const {
    check_sizes();
    for (const MatrixLayout& layout : {rows(), columns()}) check_offsets(layout.offsets, layout.ids.size(), checked_);
    static_cast<void>(frequencies());
    static_cast<void>(idf_weights());
    for (const std::string_view strings : {PoolFile::ids, PoolFile::texts, PoolFile::fields}) static_cast<void>(table(strings));
    CheckedTexts texts;
    texts.vocabulary = checked_vocabulary();
    texts.label_names = checked_labels();
    texts.copies = checked_copies();
    check_marks();
    static_cast<void>(vectors());
    return texts;
  }

 private:
  [[nodiscard]] std::string path_of(std::string_view name) const { return pool_file_path(path_, name); }
  [[nodiscard]] bool has(std::string_view name) const { return manifest_.file(name) != nullptr; }

  [[nodiscard]] const FileBytes& file(std::string_view name) const {
    const auto checksummed = checksummed_.find(name);
    if (checksummed != checksummed_.end()) return checksummed->second;
    const auto found = files_.find(name);
    if (found == files_.end()) throw CorruptFileError(path_of(name), "missing");
    return *found->second;
  }

  // Whether the pool has both files of a pair. Throws if it has only one of them.
  [[nodiscard]] bool has_both(std::string_view one, std::string_view other) const {
    if (has(one) == has(other)) return has(one);
    throw CorruptFileError(path_of(PoolFile::manifest), "expected {} and {} together", one, other);
  }

  template <typename Number>
  [[nodiscard]] NumberArray<Number> numbers(std::string_view name, std::int64_t count) const {
    if (!has(name)) throw CorruptFileError(path_of(PoolFile::manifest), "expected the file {}", name);
    return {file(name), count};
  }

  void check_sizes() const {
    for (const FileRecord& record : manifest_.files) {
      const std::uint64_t bytes = file(record.name).size();
      if (bytes == record.bytes) continue;
      throw CorruptFileError(path_of(record.name), file_size_problem(bytes, record.bytes));
    }
  }

  // Compares small files at once, so that damage is reported and not an error that follows from it; larger files block by
  // block, when they are first read.
  void compare_checksums() {
    Room room;
    for (const FileRecord& record : manifest_.files) {
      const FileBytes& bytes = file(record.name);
      const auto [added, is_new] = checksummed_.try_emplace(record.name, bytes, record, checked_);
      if (record.checksums.size() == 1) static_cast<void>(added->second.piece(0, 1, room));
    }
  }

  // Every block should have been read and compared by now; reads those that were not.
  void check_what_is_left() const {
    Room room;
    for (const auto& [name, file] : checksummed_)
      for (std::uint64_t at = 0; at < file.size(); at += kChecksumBlockBytes) static_cast<void>(file.piece(at, 1, room));
  }

  [[nodiscard]] MatrixLayout rows() const {
    return {.order = LayoutOrder::by_document,
            .offsets = numbers<std::int64_t>(PoolFile::row_offsets, manifest_.rows + 1),
            .ids = numbers<std::int32_t>(PoolFile::row_features, manifest_.nonzeros),
            .values = numbers<float>(PoolFile::row_values, manifest_.nonzeros),
            .most_ids = manifest_.columns};
  }
  [[nodiscard]] MatrixLayout columns() const {
    return {.order = LayoutOrder::by_feature,
            .offsets = numbers<std::int64_t>(PoolFile::column_offsets, manifest_.columns + 1),
            .ids = numbers<std::int32_t>(PoolFile::column_rows, manifest_.nonzeros),
            .values = numbers<float>(PoolFile::column_values, manifest_.nonzeros),
            .most_ids = manifest_.rows};
  }

  // Returns where the columns begin.
  [[nodiscard]] NumberArray<std::int64_t> check_matrix() const {
    const EntryMix mix;
    const std::uint64_t row_sum = checked_layout(rows(), mix, checked_);
    const MatrixLayout by_feature = columns();
    if (checked_layout(by_feature, mix, checked_) != row_sum)
      throw CorruptFileError(path_of("by_feature"), "expected the transpose of the rows, found another matrix");
    return by_feature.offsets;
  }

  [[nodiscard]] NumberArray<std::int32_t> frequencies() const {
    return numbers<std::int32_t>(PoolFile::document_frequency, manifest_.columns);
  }

  void check_document_frequency(const NumberArray<std::int64_t>& offsets) const {
    const NumberArray<std::int32_t> of_features = frequencies();
    NumberCursor<std::int64_t> ends(offsets, 0);
    NumberCursor<std::int32_t> stated(of_features, 0);
    std::int64_t begin = ends.next();
    for (std::size_t feature = 0; feature < of_features.size(); ++feature) {
      const std::int64_t end = ends.next();
      const std::int32_t frequency = stated.next();
      if (frequency != end - begin)
        throw CorruptFileError(of_features.path(), "expected {} for feature {}, found {}", end - begin, feature, frequency);
      begin = end;
    }
  }

  [[nodiscard]] std::optional<NumberArray<double>> idf_weights() const {
    if (!has(PoolFile::idf)) return std::nullopt;
    return numbers<double>(PoolFile::idf, manifest_.columns);
  }

  void check_idf() const {
    const std::optional<NumberArray<double>> idf = idf_weights();
    if (!idf) return;
    const auto is_wrong = [&](std::size_t begin, std::size_t end) {
      Room room;
      return !std::ranges::all_of(idf->piece(begin, end - begin, room), [](double weight) { return std::isfinite(weight); });
    };
    if (const auto wrong = first_wrong_range(idf->size(), kNumbersAtOnce, is_wrong)) {
      static_cast<void>(is_wrong(*wrong, std::min(*wrong + kNumbersAtOnce, idf->size())));
      throw CorruptFileError(idf->path(), "expected finite numbers");
    }
  }

  [[nodiscard]] CheckedLines lines_of(std::string_view name) const {
    const FileBytes& bytes = file(name);
    CheckedLines lines;
    const std::span<const std::byte> all = bytes.piece(0, bytes.size(), lines.room);
    lines.text = {reinterpret_cast<const char*>(all.data()), all.size()};
    lines.offsets = checked_lines(bytes.path(), lines.text, checked_);
    return lines;
  }

  [[nodiscard]] std::optional<CheckedLines> checked_vocabulary() const {
    if (!has(PoolFile::vocabulary)) return std::nullopt;
    CheckedLines lines = lines_of(PoolFile::vocabulary);
    const std::size_t terms = lines.offsets.size() - 1;
    if (terms == static_cast<std::size_t>(manifest_.columns)) return lines;
    throw CorruptFileError(path_of(PoolFile::vocabulary), "expected {} terms, found {}", manifest_.columns, terms);
  }

  struct StringArrays {
    NumberArray<std::int64_t> offsets;
    NumberArray<std::uint8_t> bytes;
  };

  [[nodiscard]] std::optional<StringArrays> table(std::string_view name) const {
    const std::string bytes_name = PoolFile::bytes_of(name);
    const std::string offsets_name = PoolFile::offsets_of(name);
    if (!has_both(bytes_name, offsets_name)) return std::nullopt;
    const auto offsets = numbers<std::int64_t>(offsets_name, manifest_.rows + 1);
    const std::uint64_t size = file(bytes_name).size();
    const auto count = static_cast<std::int64_t>(size - std::min(size, kPoolNpyHeaderBytes));
    return StringArrays{.offsets = offsets, .bytes = numbers<std::uint8_t>(bytes_name, count)};
  }

  void check_table(std::string_view name) const {
    if (const std::optional<StringArrays> strings = table(name)) check_strings(strings->bytes, strings->offsets, checked_);
  }

  [[nodiscard]] std::optional<CheckedLines> checked_labels() const {
    if (!has_both(PoolFile::labels, PoolFile::label_names)) return std::nullopt;
    CheckedLines names = lines_of(PoolFile::label_names);
    const std::int64_t most = names.lines().size() - 1;
    const auto labels = numbers<std::int32_t>(PoolFile::labels, manifest_.rows);
    NumberCursor<std::int32_t> cursor(labels, 0);
    for (std::size_t row = 0; row < labels.size(); ++row) {
      const std::int32_t label = cursor.next();
      if (label < -1 || label > most)
        throw CorruptFileError(labels.path(), "expected labels from -1 to {}, found {} in row {}", most, label, row);
    }
    return names;
  }

  struct VectorArrays {
    NumberArray<std::int8_t> codes;
    NumberArray<float> scales;
    NumberArray<float> centre;
  };

  [[nodiscard]] std::optional<VectorArrays> vectors() const {
    const bool all = has_both(PoolFile::vectors, PoolFile::vector_scales);
    if (has_both(PoolFile::vectors, PoolFile::vector_centre) != all || !all) return std::nullopt;
    const std::uint64_t size = file(PoolFile::vector_centre).size();
    const auto dimensions = static_cast<std::int64_t>((size - std::min(size, kPoolNpyHeaderBytes)) / sizeof(float));
    const auto centre = numbers<float>(PoolFile::vector_centre, dimensions);
    if (dimensions < 1 || dimensions > VectorView::most_dimensions)
      throw CorruptFileError(centre.path(), "expected from 1 to {} numbers, found {}", VectorView::most_dimensions, dimensions);
    return VectorArrays{.codes = numbers<std::int8_t>(PoolFile::vectors, manifest_.rows * dimensions),
                        .scales = numbers<float>(PoolFile::vector_scales, manifest_.rows),
                        .centre = centre};
  }

  void check_vectors() const {
    const std::optional<VectorArrays> arrays = vectors();
    if (!arrays) return;
    const std::size_t dimensions = arrays->centre.size();
    NumberCursor<float> centre(arrays->centre, 0);
    for (std::size_t k = 0; k < dimensions; ++k)
      if (!std::isfinite(centre.next())) throw CorruptFileError(arrays->centre.path(), "expected finite numbers");
    const auto is_wrong = [&](std::size_t begin, std::size_t end) {
      Room of_codes;
      Room of_scales;
      const std::span<const std::int8_t> codes = arrays->codes.piece(begin * dimensions, (end - begin) * dimensions, of_codes);
      const std::span<const float> scales = arrays->scales.piece(begin, end - begin, of_scales);
      for (std::size_t row = 0; row < scales.size(); ++row)
        if (!is_vector(codes.subspan(row * dimensions, dimensions), static_cast<double>(scales[row]))) return true;
      return false;
    };
    const std::size_t at_once = std::max<std::size_t>(kNumbersAtOnce / dimensions, 1);
    const std::optional<std::size_t> piece = first_wrong_range(arrays->scales.size(), at_once, is_wrong);
    if (!piece) return;
    const std::size_t end = std::min(*piece + at_once, arrays->scales.size());
    std::size_t row = *piece;
    while (row + 1 < end && !is_wrong(row, row + 1)) ++row;
    throw CorruptFileError(arrays->codes.path(),
                           "expected codes and a scale that make a vector of length 1, or zeros, found others in row {}", row);
  }

  void check_marks() const {
    if (has(PoolFile::text_marks)) static_cast<void>(numbers<std::int64_t>(PoolFile::text_marks, 2 * manifest_.rows));
    if (has(PoolFile::identities)) static_cast<void>(numbers<std::int64_t>(PoolFile::identities, 6 * manifest_.rows));
  }

  // A copy of the lists, so that later changes of the files cannot affect them.
  [[nodiscard]] CopiedRows checked_copies() const {
    CopiedRows copies;
    if (!has_both(PoolFile::copies, PoolFile::originals)) return copies;
    const std::uint64_t size = file(PoolFile::copies).size();
    const auto count = static_cast<std::int64_t>((size - std::min(size, kPoolNpyHeaderBytes)) / sizeof(DocumentId));
    const auto rows = numbers<DocumentId>(PoolFile::copies, count);
    const auto originals = numbers<DocumentId>(PoolFile::originals, count);
    NumberCursor<DocumentId> row_cursor(rows, 0);
    NumberCursor<DocumentId> original_cursor(originals, 0);
    for (DocumentId before = -1; std::ssize(copies.rows) < count; before = copies.rows.back()) {
      copies.add(row_cursor.next(), original_cursor.next());
      const DocumentId row = copies.rows.back();
      if (row <= before || row >= manifest_.rows)
        throw CorruptFileError(rows.path(), "expected ascending rows below {}, found {} after {}", manifest_.rows, row, before);
    }
    if (const std::optional<std::size_t> bad = copies.view().bad_original(manifest_.rows))
      throw CorruptFileError(originals.path(), "expected for row {} another row that is no copy, found {}", copies.rows[*bad],
                             copies.originals[*bad]);
    return copies;
  }

  const std::string& path_;
  const Manifest& manifest_;
  const FilesToCheck& files_;
  const PieceChecked& checked_;
  std::map<std::string, ChecksummedFile, std::less<>> checksummed_;  // empty if checksums are not compared
};

}  // namespace

CheckedTexts check_contents(const std::string& path, const Manifest& manifest, const FilesToCheck& files, CheckExtent extent,
                            const PieceChecked& checked) {
  ContentsChecker checker(path, manifest, files, checked);
  return extent == CheckExtent::outline ? checker.run_outline() : checker.run(extent);
}

FilesToCheck files_to_check(const OpenPool& pool) {
  FilesToCheck files;
  for (const auto& [name, file] : pool.files()) files.emplace(name, std::make_unique<DiskFile>(file));
  return files;
}

}  // namespace inkling
