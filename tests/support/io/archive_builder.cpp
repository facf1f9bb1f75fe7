#include "tests/support/io/archive_builder.hpp"

#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>

#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

void write_link(archive* writer, const ArchivedLink& link) {
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), &archive_entry_free);
  archive_entry_set_pathname(entry.get(), link.path.c_str());
  archive_entry_set_filetype(entry.get(), link.symbolic ? AE_IFLNK : AE_IFREG);
  archive_entry_set_perm(entry.get(), 0777);
  if (link.symbolic)
    archive_entry_set_symlink(entry.get(), link.target.c_str());
  else
    archive_entry_set_hardlink(entry.get(), link.target.c_str());
  REQUIRE(archive_write_header(writer, entry.get()) >= ARCHIVE_WARN);
}

}  // namespace

std::string packed(std::string_view format, std::string_view filter, const ArchivedFiles& files,
                   const std::vector<ArchivedLink>& links) {
  static const TemporaryFolder folder;
  write_archive(folder.file("packed"), format, filter, files, links);
  return text_of(folder.file("packed"));
}

void write_archive(const std::string& path, std::string_view format, std::string_view filter, const ArchivedFiles& files,
                   const std::vector<ArchivedLink>& links) {
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), &archive_write_free);
  const std::string format_name = format == "tar" ? "ustar" : std::string(format);
  REQUIRE(archive_write_set_format_by_name(writer.get(), format_name.c_str()) == ARCHIVE_OK);
  if (filter != "none") REQUIRE(archive_write_add_filter_by_name(writer.get(), std::string(filter).c_str()) >= ARCHIVE_WARN);
  REQUIRE(archive_write_open_filename(writer.get(), path.c_str()) == ARCHIVE_OK);
  for (const auto& [name, content] : files) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), &archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    REQUIRE(archive_write_header(writer.get(), entry.get()) >= ARCHIVE_WARN);
    REQUIRE(archive_write_data(writer.get(), content.data(), content.size()) == static_cast<la_ssize_t>(content.size()));
  }
  for (const ArchivedLink& link : links) write_link(writer.get(), link);
  REQUIRE(archive_write_close(writer.get()) == ARCHIVE_OK);
}

}  // namespace inkling::test
