#include "io/doors/serve/http/users_file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/sqlite/writer_lock.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/random.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/doors/serve/http/sha256.hpp"

namespace inkling {
namespace {

bool is_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
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
    if (!is_user_name(name)) throw FormatError(place, "expected a name of visible characters");
    if (std::ranges::find(users, name, &ServedUser::name) != users.end())
      throw FormatError(place, fmt::format("expected the user {} once", quoted_text(name)));
    users.push_back({name, std::string(row.substr(space + 1))});
  }
  return users;
}

// Puts what `change` makes of the text in the place of the file, while no other program does.
void change_file(const std::string& path, const std::function<std::string(std::string)>& change) {
  constexpr std::chrono::seconds most_wait(10);
  if (exists_at(path) && !is_file_at(path)) throw FormatError(path, "expected a file, or nothing there yet");
  const WriterLock lock(path, most_wait);
  const std::string changed = change(exists_at(path) ? small_file(path) : std::string());
  OutputFile file(path);
  file.append(changed);
  file.close();
}

std::string line_of(std::string_view name, std::string_view token) { return fmt::format("{} {}\n", name, sha256_text(token)); }

// The text with another line of this user, or none.
std::string with_line(std::string text, const std::string& path, const std::string& name, std::string_view line) {
  const std::vector<ServedUser> users = users_in(text, path);
  const auto user = std::ranges::find(users, name, &ServedUser::name);
  if (user == users.end()) throw FormatError(path, fmt::format("expected the user {}, found no such user", quoted_text(name)));
  const std::string old = "\n" + name + " " + user->token_hash;
  const std::size_t begin = text.starts_with(std::string_view(old).substr(1)) ? 0 : text.find(old) + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
  return text.replace(begin, end + 1 - begin, line);
}

}  // namespace

bool is_user_name(std::string_view text) {
  return !text.empty() && !text.starts_with('#') && text.find(' ') == std::string_view::npos && visible_text(text) == text;
}

std::string small_file(const std::string& path) {
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

std::string new_token() {
  std::string token;
  for (const std::uint32_t number : random_value<std::array<std::uint32_t, 8>>()) token += fmt::format("{:08x}", number);
  return token;
}

std::vector<ServedUser> read_users(const std::string& path) {
  std::vector<ServedUser> users = users_in(small_file(path), path);
  if (users.empty()) throw FormatError(path, "expected at least one user");
  return users;
}

std::string add_user(const std::string& path, const std::string& name) {
  if (!is_user_name(name))
    throw FormatError(quoted_text(name), "expected a name of visible characters, without spaces and no # first");
  std::string token = new_token();
  change_file(path, [&](std::string text) {
    const std::vector<ServedUser> users = users_in(text, path);
    if (std::ranges::find(users, name, &ServedUser::name) != users.end())
      throw FormatError(path, fmt::format("expected no user {} yet: --new-token gives them another token", quoted_text(name)));
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    return text + line_of(name, token);
  });
  return token;
}

std::string renew_user(const std::string& path, const std::string& name) {
  std::string token = new_token();
  change_file(path, [&](const std::string& text) { return with_line(text, path, name, line_of(name, token)); });
  return token;
}

void remove_user(const std::string& path, const std::string& name) {
  change_file(path, [&](const std::string& text) {
    std::string left = with_line(text, path, name, "");
    if (users_in(left, path).empty()) throw FormatError(path, "expected another user, who is left");
    return left;
  });
}

}  // namespace inkling
