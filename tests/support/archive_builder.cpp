#include "tests/support/archive_builder.hpp"

#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>

namespace inkling::test {

void write_archive(const std::string& path, std::string_view format, std::string_view filter,
                   const ArchivedFiles& files) {
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), &archive_write_free);
  const std::string format_name = format == "tar" ? "ustar" : std::string(format);
  REQUIRE(archive_write_set_format_by_name(writer.get(), format_name.c_str()) == ARCHIVE_OK);
  if (filter != "none")
    REQUIRE(archive_write_add_filter_by_name(writer.get(), std::string(filter).c_str()) >= ARCHIVE_WARN);
  REQUIRE(archive_write_open_filename(writer.get(), path.c_str()) == ARCHIVE_OK);
  for (const auto& [name, content] : files) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         &archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    REQUIRE(archive_write_header(writer.get(), entry.get()) >= ARCHIVE_WARN);
    REQUIRE(archive_write_data(writer.get(), content.data(), content.size()) ==
            static_cast<la_ssize_t>(content.size()));
  }
  REQUIRE(archive_write_close(writer.get()) == ARCHIVE_OK);
}

}  // namespace inkling::test
