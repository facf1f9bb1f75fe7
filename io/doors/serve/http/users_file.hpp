// Users and their tokens: the file that has a line for each user.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// A user of a server that others may reach, and the SHA-256 of the token that proves who they are.
struct ServedUser {
  std::string name;
  std::string token_hash;  ///< 64 small hexadecimal digits
};

/// All of a file. Throws SystemError.
[[nodiscard]] std::string small_file(const std::string& path);

/// 64 hexadecimal digits that nobody can guess.
[[nodiscard]] std::string new_token();

/// Reads lines "NAME HASH"; empty lines and those that begin with # are left out. Throws FormatError "FILE:LINE" where a
/// line is something else, a name is there twice, or there is no user; SystemError.
[[nodiscard]] std::vector<ServedUser> read_users(const std::string& path);

/// Whether this can be a name in such a file.
[[nodiscard]] bool is_user_name(std::string_view text);

/// Adds a line for a new user, and returns their token, which is kept nowhere. A file that is not there yet is made. Throws
/// FormatError if the name is not valid in such a file, or is in it already, and as read_users does. Programs that change one
/// file at once wait for each other: FormatError where one of them takes 10 seconds.
[[nodiscard]] std::string add_user(const std::string& path, const std::string& name);

/// The same with a new token in the place of a user's old one, and without the user. Throws FormatError if there is no such user,
/// or if nobody would be left.
[[nodiscard]] std::string renew_user(const std::string& path, const std::string& name);
void remove_user(const std::string& path, const std::string& name);

}  // namespace inkling
