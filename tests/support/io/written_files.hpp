// Checks for tables of files, as programs write them or broken, and what is read of each: the same checks for all formats.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/io/read_documents.hpp"

namespace inkling::test {

struct WrittenFile {
  std::string program, bytes;
  std::vector<ReadDocument> documents;
};

/// Turns UTF-8 into UTF-16 with a byte order mark. Requires: no character beyond U+FFFF.
inline std::string as_utf16(std::string_view text, bool high_byte_first) {
  std::string bytes;
  const auto append = [&](unsigned unit) {
    const char high = static_cast<char>(unit >> 8U);
    const char low = static_cast<char>(unit & 0xFFU);
    bytes += high_byte_first ? std::string{high, low} : std::string{low, high};
  };
  append(0xFEFF);
  for (std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    unsigned unit = lead < 0x80 ? lead : lead < 0xE0 ? lead & 0x1FU : lead & 0x0FU;
    for (int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : 2; more > 0; --more)
      unit = unit << 6U | (static_cast<unsigned char>(text[at++]) & 0x3FU);
    append(unit);
  }
  return bytes;
}

inline std::string with_line_ends(std::string_view text, const std::string& end) {
  std::string changed;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with("\r\n")) ++at;
    const bool is_end = text[at] == '\n' || text[at] == '\r';
    changed += is_end ? end : std::string(1, text[at]);
  }
  return changed;
}

/// The same file in every way in which a program may write it: in UTF-8 and UTF-16 with byte order marks, with other line ends.
inline std::vector<std::string> ways_to_write(const std::string& bytes, bool line_ends_are_text) {
  std::vector<std::string> ways = {bytes, as_utf16(bytes, false), as_utf16(bytes, true)};
  if (!bytes.starts_with("\xEF\xBB\xBF")) ways.push_back("\xEF\xBB\xBF" + bytes);
  if (!line_ends_are_text)
    for (const std::string end : {"\n", "\r\n", "\r"}) ways.push_back(with_line_ends(bytes, end));
  return ways;
}

inline void check_written_files(const std::vector<WrittenFile>& files, SourceOptions options, bool line_ends_are_text = false) {
  for (const WrittenFile& file : files) {
    CAPTURE(file.program);
    for (const std::string& bytes : ways_to_write(file.bytes, line_ends_are_text)) {
      CAPTURE(bytes);
      for (const std::uint64_t chunk : {1U, 7U, 1000U}) {
        options.reading.chunk_bytes = chunk;
        const ReadDocuments read = documents_in(bytes, options);
        CHECK(read.problem == "");
        REQUIRE(read.documents.size() == file.documents.size());
        for (std::size_t n = 0; n < file.documents.size(); ++n) {
          CHECK(read.documents[n].text == file.documents[n].text);
          CHECK(read.documents[n].id == file.documents[n].id);
          CHECK(read.documents[n].title_bytes == file.documents[n].title_bytes);
          CHECK(read.documents[n].fields == file.documents[n].fields);
        }
      }
    }
  }
}

/// Checks that each file is refused with the place of the problem, wherever chunks are cut, and that the good record beside it is
/// read if bad records are left out.
inline void check_broken_files(const std::vector<std::pair<std::string, std::string>>& files, SourceOptions options,
                               const std::string& good = {}) {
  for (const auto& [bytes, problem] : files) {
    CAPTURE(bytes);
    for (const std::uint64_t chunk : {1U, 10U, 1000U}) {
      options.reading.chunk_bytes = chunk;
      options.reading.skip_bad = false;
      CHECK(documents_in(bytes, options).problem == problem);
      if (good.empty()) continue;
      options.reading.skip_bad = true;
      const ReadDocuments read = documents_in(good + bytes + good, options);
      CHECK(read.skipped >= 1);
      CHECK(read.texts().front() == "good");
      CHECK(read.texts().back() == "good");
    }
  }
}

}  // namespace inkling::test
