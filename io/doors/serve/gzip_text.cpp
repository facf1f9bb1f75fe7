#include "io/doors/serve/gzip_text.hpp"

#include <cstddef>
#include <new>

#include <zlib.h>

namespace inkling {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 says gzip, not zlib
constexpr int kUsualMemory = 8;

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "q=0", "q=0.0" and so on: not at all.
bool is_weight_of_nothing(std::string_view parameter) {
  parameter = without_spaces(parameter);
  return parameter.starts_with("q=0") && parameter.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

std::string gzip_text(std::string_view text) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kUsualMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);  // ends in one call, because the room is what deflateBound asks for
  packed.resize(static_cast<std::size_t>(stream.total_out));
  deflateEnd(&stream);
  return packed;
}

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = accept_encoding.find(',');
    const std::string_view one = accept_encoding.substr(0, comma);
    const std::size_t semicolon = one.find(';');
    if (without_spaces(one.substr(0, semicolon)) == "gzip")
      return semicolon == std::string_view::npos || !is_weight_of_nothing(one.substr(semicolon + 1));
    accept_encoding = comma == std::string_view::npos ? "" : accept_encoding.substr(comma + 1);
  }
  return false;
}

}  // namespace inkling
