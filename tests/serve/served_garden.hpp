// A small pool, served without a socket, for tests.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "io/base/file/json_places.hpp"
#include "io/base/file/json_text.hpp"
#include "io/base/file/output_file.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/http/sha256.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {

inline SmallPool served_garden_pool() {
  SmallPool pool = {.columns = 5};
  for (int row = 0; row < 12; ++row) {
    const auto weight = 0.25F + 0.05F * static_cast<float>(row);
    pool.rows.push_back({{row % 5, 1.0F}, {(row + 2) % 5, weight}});
    std::ranges::sort(pool.rows.back(), {}, &Entry::feature);
  }
  pool.vocabulary = std::vector<std::string>{"<b>", "compost", "lamp", "rose", "soil"};
  std::vector<std::string> texts;
  std::vector<std::string> ids;
  for (int row = 0; row < 12; ++row) {
    texts.push_back("<script>\"soil\" & \x01" + std::to_string(row) + "</script>");
    ids.push_back("g" + std::to_string(row));
  }
  pool.texts = texts;
  pool.ids = ids;
  return pool;
}

/// The JSON of a member of an object; empty if there is no such member.
inline std::string member_of(std::string_view json, std::string_view name) {
  for (JsonPieces pieces({json, 0}); pieces.has_next();) {
    const JsonMember member = pieces.next_member();
    if (string_of_json(member.name.text) == name) return std::string(member.value.text);
  }
  return {};
}

/// A user's name and token.
using UserToken = std::pair<std::string, std::string>;

/// Writes them as a file of users. Returns its path, or nothing for no users.
inline std::string file_of_users(const std::string& path, const std::vector<UserToken>& users) {
  std::string text;
  for (const auto& [name, token] : users) text += fmt::format("{} {}\n", name, sha256_text(token));
  if (users.empty()) return {};
  write_file(path, text);
  return path;
}

/// One user, ada, and one pool, "garden". Everything lives as long as this object.
class ServedGarden {
 public:
  explicit ServedGarden(std::size_t most_active = 1'000, const std::vector<UserToken>& users = {})
      : access({.hosts = {"localhost"}, .owner = "ada", .users_file = file_of_users(folder.file("users"), users)}) {
    write_pool(served_garden_pool(), folder.file("garden"));
    pools.add(folder.file("garden"), PoolTrust::checksums);
    settings = {.most_active = most_active, .most_with_scores = 2, .tells_users_apart = access.tells_users_apart()};
    open();
  }

  /// Opens the sessions again, as after a restart of the program.
  void open() {
    api.reset();
    sessions.reset();
    sessions = std::make_unique<SessionTable>(folder.file("kept.search"), pools, settings);
    api = std::make_unique<Api>(ApiParts{access, *sessions, pools, "test", "inkling", {}, brings});
    if (cookie.empty() && !access.tells_users_apart()) {
      const std::string set = access.cookie_for(access.once(), {}).value();
      cookie = set.substr(0, set.find(';'));
    }
  }

  HttpResponse ask(std::string_view method, std::string_view path, std::string_view body = {},
                   std::initializer_list<HttpHeader> more = {}) const {
    HttpRequest request = {std::string(method), "/api/v1" + std::string(path), more, std::string(body)};
    request.headers.push_back({"Host", "localhost:8765"});
    if (!cookie.empty()) request.headers.push_back({"Cookie", cookie});
    if (!body.empty() && request.count_of_header("Content-Type") == 0)
      request.headers.push_back({"Content-Type", "application/json; charset=utf-8"});
    return api->answer(request);
  }

  /// The id of a new search.
  std::string begin(std::string_view more = {}) const {
    const HttpResponse made = ask("POST", "/sessions", R"({"name":"n","pool":"garden")" + std::string(more) + "}");
    REQUIRE(made.status == 201);
    return string_of_json(member_of(made.body, "session"));
  }

  TemporaryFolder folder;
  Access access;
  ServedPools pools;
  SessionTableSettings settings;
  std::function<BroughtPool(std::span<const BroughtRecords>, const ReadingOfFile&, const std::string&)> brings =
      {};  // used from the next `open` on
  std::unique_ptr<SessionTable> sessions;
  std::unique_ptr<Api> api;
  std::string cookie;
};

/// The row of the document on offer in the answer to a rating; -1 if there is none.
inline int offered_in(const std::string& next) {
  if (next == "null") return -1;
  return std::stoi(member_of(member_of(next, "document"), "document"));
}

}  // namespace inkling::test
