// The part of exporting that writes arrays into a zip file.
#include <array>
#include <cerrno>
#include <ctime>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include <archive.h>
#include <archive_entry.h>

#include "engine/core/errors.hpp"
#include "io/matrix/matrix_export.hpp"
#include "io/pool/format/npy_header.hpp"

namespace inkling {
namespace {

// A zip file whose files are stored as they are.
class ZipWriter {
 public:
  /// Lifetime: lends the file.
  explicit ZipWriter(OutputFile& file)
      : file_(&file), archive_(archive_write_new(), [](archive* writer) { archive_write_free(writer); }) {
    if (!archive_) throw std::bad_alloc();
    check(archive_write_set_format_zip(archive_.get()));
    check(archive_write_zip_set_compression_store(archive_.get()));
    constexpr int whole = 1;  // the last block is not filled up
    check(archive_write_set_bytes_in_last_block(archive_.get(), whole));
    check(archive_write_open(archive_.get(), this, nullptr, &ZipWriter::write, nullptr));
  }

  void begin(const char* name, std::uint64_t bytes) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         &archive_entry_free);
    if (!entry) throw std::bad_alloc();
    constexpr auto readable = 0644;
    archive_entry_set_pathname(entry.get(), name);
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), readable);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
    // One time for all, so that the same matrix gives the same bytes.
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

// An array without dimensions that is three characters, which the headers of pools cannot say.
void append_layout(ZipWriter& zip) {
  using namespace std::string_literals;
  std::string array = "\x93NUMPY\x01\x00\x76\x00{'descr': '|S3', 'fortran_order': False, 'shape': (), }"s;
  constexpr std::size_t header_bytes = 128;
  array.resize(header_bytes - 1, ' ');
  array += "\ncsr";
  zip.begin("format.npy", array.size());
  zip.append(std::as_bytes(std::span(array)));
}

}  // namespace

void export_npz(const ExportedMatrix& matrix, OutputFile& file) {
  const CsrView rows = matrix.rows;
  const std::array<std::int64_t, 2> shape = {rows.rows(), rows.columns()};
  constexpr std::array<std::int64_t, 1> no_offsets = {0};
  ZipWriter zip(file);
  append_array<std::int32_t>(zip, "indices.npy", rows.features());
  append_array<std::int64_t>(zip, "indptr.npy",
                             rows.offsets().empty() ? std::span(no_offsets) : rows.offsets());
  append_layout(zip);
  append_array<std::int64_t>(zip, "shape.npy", shape);
  append_array<float>(zip, "data.npy", rows.values());
  zip.close();
}

}  // namespace inkling
