#include "io/doors/serve/http/request_target.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/serve/http/http_message.hpp"

namespace inkling {
namespace {

[[noreturn]] void refuse_target(std::string_view expected) {
  throw HttpRefusal({400, "the address, or the name of a user, cannot be read", "the address", std::string(expected)});
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  refuse_target("two hexadecimal digits after each percent sign");
}

bool is_printable_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_character_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || first < 0x20 || first == 0x7F) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string decoded_in_query(std::string_view text) {
  std::string without_plus(text);
  std::ranges::replace(without_plus, '+', ' ');
  return percent_decoded(without_plus);
}

void read_path(std::string_view path, RequestTarget& target) {
  if (!path.starts_with('/')) refuse_target("a path that begins with a slash");
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    std::string segment = percent_decoded(path.substr(0, end));
    if (segment.empty() || segment == "." || segment == "..") refuse_target("a path without . and ..");
    target.segments.push_back(std::move(segment));
    if (end + 1 == path.size()) refuse_target("a path that does not end with a slash");
    path.remove_prefix(std::min(end + 1, path.size()));
  }
}

void read_query(std::string_view query, RequestTarget& target) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string name = decoded_in_query(pair.substr(0, equals));
    std::string value = decoded_in_query(pair.substr(std::min(equals + 1, pair.size())));
    if (!target.query.emplace(name, std::move(value)).second) refuse_target("each name once after the question mark");
  }
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') {
      if (text.size() - at < 3) refuse_target("two hexadecimal digits after each percent sign");
      decoded += static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 2;
    } else {
      decoded += text[at];
    }
  }
  if (!is_printable_utf8(decoded)) refuse_target("UTF-8 without control characters");
  return decoded;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string encoded;
  for (const char one : text)
    encoded +=
        plain.find(one) != std::string_view::npos ? std::string(1, one) : fmt::format("%{:02X}", static_cast<unsigned char>(one));
  return encoded;
}

RequestTarget parse_target(std::string_view target) {
  RequestTarget parsed;
  const std::size_t question = std::min(target.find('?'), target.size());
  read_path(target.substr(0, question), parsed);
  read_query(target.substr(std::min(question + 1, target.size())), parsed);
  return parsed;
}

std::optional<std::string_view> RequestTarget::text(std::string_view name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::int64_t RequestTarget::number(std::string_view name, std::int64_t least, std::int64_t most, std::int64_t otherwise) const {
  const std::optional<std::string_view> written = text(name);
  if (!written) return otherwise;
  const std::optional<std::int64_t> value = parse_integer(*written);
  if (value && *value >= least && *value <= most) return *value;
  throw HttpRefusal({422, fmt::format("{} is {}", name, quoted_text(*written)), std::string(name),
                     fmt::format("a whole number from {} to {}", least, most)});
}

}  // namespace inkling
