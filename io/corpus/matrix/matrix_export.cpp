#include "io/corpus/matrix/matrix_export.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/corpus/pool/format/npy_header.hpp"

namespace inkling {
namespace {

// A float is written with the fewest digits that read back as the same number.
template <typename Number>
void append_number(OutputFile& file, Number number) {
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  file.append({digits.data(), written.ptr});
}

bool is_list_of_numbers(std::string_view name) {
  for (;;) {
    const std::size_t comma = name.find(',');
    if (!parse_real(name.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    name.remove_prefix(comma + 1);
  }
}

// What is written for each label.
std::vector<std::string> label_texts(std::span<const std::string> names) {
  if (std::ranges::all_of(names, is_list_of_numbers)) return {names.begin(), names.end()};
  std::vector<std::string> numbers;
  numbers.reserve(names.size());
  for (std::size_t n = 0; n < names.size(); ++n) numbers.push_back(std::to_string(n + 1));
  return numbers;
}

// A zip file whose files are stored as they are.
class ZipWriter {
 public:
  /// Lifetime: lends the file.
  explicit ZipWriter(OutputFile& file)
      : file_(&file), archive_(archive_write_new(), [](archive* writer) { archive_write_free(writer); }) {
    if (!archive_) throw std::bad_alloc();
    check(archive_write_set_format_zip(archive_.get()));
    check(archive_write_zip_set_compression_store(archive_.get()));
    constexpr int whole = 1;  // the last block is not padded
    check(archive_write_set_bytes_in_last_block(archive_.get(), whole));
    check(archive_write_open(archive_.get(), this, nullptr, &ZipWriter::write, nullptr));
  }

  void begin(const char* name, std::uint64_t bytes) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), &archive_entry_free);
    if (!entry) throw std::bad_alloc();
    constexpr auto readable = 0644;
    archive_entry_set_pathname(entry.get(), name);
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), readable);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
    // A constant time, so that the same matrix gives the same bytes.
    constexpr std::time_t first_of_1980 = 315532800;
    archive_entry_set_mtime(entry.get(), first_of_1980, 0);
    check(archive_write_header(archive_.get(), entry.get()));
  }

  void append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const la_ssize_t written = archive_write_data(archive_.get(), bytes.data(), bytes.size());
      check(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void close() { check(archive_write_close(archive_.get())); }

 private:
  // An exception must not pass through C code.
  static la_ssize_t write(archive* writer, void* self, const void* bytes, std::size_t count) {
    ZipWriter& zip = *static_cast<ZipWriter*>(self);
    try {
      zip.file_->append({static_cast<const char*>(bytes), count});
      return static_cast<la_ssize_t>(count);
    } catch (...) {
      zip.failure_ = std::current_exception();
      archive_set_error(writer, EIO, "%s", "cannot be written");
      return -1;
    }
  }

  void check(la_ssize_t answer) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (answer < ARCHIVE_WARN) throw SystemError(file_->path(), EIO, "cannot make a zip file");
  }

  OutputFile* file_;
  std::exception_ptr failure_;
  std::unique_ptr<archive, void (*)(archive*)> archive_;
};

template <typename Number>
void append_array(ZipWriter& zip, const char* name, std::span<const Number> numbers) {
  const std::string header = pool_npy_header(npy_descr<Number>, static_cast<std::int64_t>(numbers.size()));
  zip.begin(name, header.size() + numbers.size_bytes());
  zip.append(std::as_bytes(std::span(header)));
  zip.append(std::as_bytes(numbers));
}

// Appends ids piece by piece, each as a view of the matrix gives it.
void append_ids(ZipWriter& zip, const char* name, IdView ids) {
  const std::string header = pool_npy_header(npy_descr<std::int32_t>, static_cast<std::int64_t>(ids.size()));
  zip.begin(name, header.size() + ids.size() * sizeof(std::int32_t));
  zip.append(std::as_bytes(std::span(header)));
  constexpr std::size_t most = 16'384;
  std::vector<std::int32_t> piece;
  for (std::size_t first = 0; first < ids.size(); first += most) {
    const IdView some = ids.subspan(first, std::min(most, ids.size() - first));
    piece.assign(some.begin(), some.end());
    zip.append(std::as_bytes(std::span(piece)));
  }
}

// Of an array that pool_npy_header() cannot describe, because it has not one dimension.
std::string header_of_array(std::string_view descr, std::string_view shape) {
  using namespace std::string_literals;
  std::string header =
      "\x93NUMPY\x01\x00\x76\x00"s + fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  constexpr std::size_t header_bytes = 128;
  header.resize(header_bytes - 1, ' ');
  return header + "\n";
}

// An array without dimensions, of three characters.
void append_layout(ZipWriter& zip) {
  const std::string array = header_of_array("|S3", "()") + "csr";
  zip.begin("format.npy", array.size());
  zip.append(std::as_bytes(std::span(array)));
}

}  // namespace

void export_svmlight(const ExportedMatrix& matrix, OutputFile& file) {
  const std::vector<std::string> labels = label_texts(matrix.label_names);
  for (std::int32_t i = 0; i < matrix.rows.rows(); ++i) {
    const std::int32_t label = matrix.labels.empty() ? -1 : matrix.labels[static_cast<std::size_t>(i)];
    // A label has no name if its file was cut short while it is mapped.
    const bool is_named = label >= 0 && static_cast<std::size_t>(label) < labels.size();
    file.append(is_named ? std::string_view(labels[static_cast<std::size_t>(label)]) : "0");
    const SparseRow row = matrix.rows.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      file.append(" ");
      append_number(file, row.features[n] + std::int64_t{1});
      file.append(":");
      append_number(file, row.values[n]);
    }
    file.append("\n");
  }
}

void export_matrix_market(const ExportedMatrix& matrix, OutputFile& file) {
  file.append("%%MatrixMarket matrix coordinate real general\n");
  file.append(fmt::format("{} {} {}\n", matrix.rows.rows(), matrix.rows.columns(), matrix.rows.nonzeros()));
  for (std::int32_t i = 0; i < matrix.rows.rows(); ++i) {
    const SparseRow row = matrix.rows.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      append_number(file, i + std::int64_t{1});
      file.append(" ");
      append_number(file, row.features[n] + std::int64_t{1});
      file.append(" ");
      append_number(file, row.values[n]);
      file.append("\n");
    }
  }
}

void export_npz(const ExportedMatrix& matrix, OutputFile& file) {
  const CsrView rows = matrix.rows;
  const std::array<std::int64_t, 2> shape = {rows.rows(), rows.columns()};
  constexpr std::array<std::int64_t, 1> no_offsets = {0};
  ZipWriter zip(file);
  append_ids(zip, "indices.npy", rows.features());
  append_array<std::int64_t>(zip, "indptr.npy", rows.offsets().empty() ? std::span(no_offsets) : rows.offsets());
  append_layout(zip);
  append_array<std::int64_t>(zip, "shape.npy", shape);
  append_array<float>(zip, "data.npy", rows.values());
  zip.close();
}

void export_vectors(VectorView vectors, OutputFile& file) {
  file.append(header_of_array("<f4", fmt::format("({}, {})", vectors.scales.size(), vectors.dimensions)));
  std::vector<float> row(static_cast<std::size_t>(vectors.dimensions));
  for (std::size_t i = 0; i < vectors.scales.size(); ++i) {
    std::ranges::transform(vectors.codes_of(static_cast<DocumentId>(i)), row.begin(),
                           [&](std::int8_t code) { return vectors.scales[i] * static_cast<float>(code); });
    file.append({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)});
  }
}

}  // namespace inkling
