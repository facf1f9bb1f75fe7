#include "io/doors/serve/http/users_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/random.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/doors/serve/http/sha256.hpp"

namespace inkling {
namespace {

bool is_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_name(std::string_view text) {
  return !text.empty() && !text.starts_with('#') && text.find(' ') == std::string_view::npos && visible_text(text) == text;
}

std::string whole_file(const std::string& path) {
  FileStream stream(path);
  std::string text;
  constexpr std::size_t step = 65'536;
  std::size_t read = step;
  while (read == step) {
    const std::size_t before = text.size();
    text.resize(before + step);
    read = stream.read(std::span(text).subspan(before));
    text.resize(before + read);
  }
  return text;
}

std::vector<ServedUser> users_in(const std::string& text, const std::string& path) {
  std::vector<ServedUser> users;
  std::string_view left = text;
  for (int line = 1; !left.empty(); ++line) {
    std::string_view row = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(row.size() + 1, left.size()));
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.empty() || row.starts_with('#')) continue;
    const std::string place = fmt::format("{}:{}", path, line);
    const std::size_t space = row.find(' ');
    if (space == std::string_view::npos || !is_hash(row.substr(space + 1))) {
      throw FormatError(place,
                        "expected a name, a space, and the 64 small hexadecimal digits of the SHA-256 of the user's token; "
                        "inkling serve --users FILE --add-user NAME writes such a line");
    }
    const std::string name(row.substr(0, space));
    if (!is_name(name)) throw FormatError(place, "expected a name of visible characters");
    if (std::ranges::find(users, name, &ServedUser::name) != users.end())
      throw FormatError(place, fmt::format("expected the user {} once", quoted_text(name)));
    users.push_back({name, std::string(row.substr(space + 1))});
  }
  return users;
}

}  // namespace

std::string new_token() {
  std::string token;
  for (const std::uint32_t number : random_value<std::array<std::uint32_t, 8>>()) token += fmt::format("{:08x}", number);
  return token;
}

std::vector<ServedUser> read_users(const std::string& path) {
  std::vector<ServedUser> users = users_in(whole_file(path), path);
  if (users.empty()) throw FormatError(path, "expected at least one user");
  return users;
}

std::string add_user(const std::string& path, const std::string& name) {
  if (!is_name(name))
    throw FormatError(quoted_text(name), "expected a name of visible characters, without spaces and no # first");
  std::error_code error;
  const bool is_there = std::filesystem::exists(path, error);
  if (is_there && !std::filesystem::is_regular_file(path, error))
    throw FormatError(path, "expected a file, or nothing there yet");
  std::string text = is_there ? whole_file(path) : std::string();
  const std::vector<ServedUser> users = users_in(text, path);
  if (std::ranges::find(users, name, &ServedUser::name) != users.end())
    throw FormatError(path,
                      fmt::format("expected no user {} yet; a new token needs their old line removed first", quoted_text(name)));
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  std::string token = new_token();
  OutputFile file(path);
  file.append(fmt::format("{}{} {}\n", text, name, sha256_text(token)));
  file.close();
  return token;
}

}  // namespace inkling
