// Who says an answer: names of requests, the person of a request, logins, and what a reader may count.
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "io/doors/serve/http/sha256.hpp"
#include "io/search/session/session_file.hpp"
#include "tests/serve/served_garden.hpp"
#include "tests/support/io/session_files.hpp"

namespace inkling {
namespace {

using test::member_of, test::offered_in, test::ServedGarden;

std::string token_of(std::string_view user) { return fmt::format("token of {}", user); }

std::string percent_written_name(std::string_view name) {
  std::string written;
  for (const char c : name) written += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return written;
}

/// A garden of these users, the first of whom has a search that all share.
class SharedGarden : public ServedGarden {
 public:
  explicit SharedGarden(const std::vector<std::string>& names) : ServedGarden(1'000, users_of(names)) {
    const HttpResponse made = say(names.front(), "", R"({"name":"n","pool":"garden"})");
    id = string_of_json(member_of(made.body, "session"));
    std::string others;
    for (std::size_t n = 1; n < names.size(); ++n) others += fmt::format(R"({}"{}")", n == 1 ? "" : ",", names[n]);
    REQUIRE(say(names.front(), "/" + id + "/share", fmt::format(R"({{"with":[{}]}})", others)).status == 200);
  }

  HttpResponse say(const std::string& user, const std::string& rest, const std::string& body,
                   std::vector<HttpHeader> more = {}) const {
    more.push_back({"Authorization", "Bearer " + token_of(user)});
    return sent("POST", "/api/v1/sessions" + rest, body, std::move(more));
  }
  HttpResponse note(const std::string& user, const std::string& request, const std::string& text = "x") const {
    return say(user, "/" + id + "/notes", fmt::format(R"({{"request":"{}","note":"{}"}})", request, text));
  }
  HttpResponse sent(const char* method, const std::string& target, const std::string& body,
                    std::vector<HttpHeader> headers) const {
    headers.push_back({"Host", "localhost"});
    if (!body.empty()) headers.push_back({"Content-Type", "application/json"});
    return api->answer({method, target, headers, body});
  }
  std::vector<SearchEvent> notes() const {
    std::vector<SearchEvent> events = SessionFile(folder.file("kept.search"), SessionAccess::read).events(id);
    std::erase_if(events, [](const SearchEvent& event) { return event.kind != SearchEventKind::noted; });
    return events;
  }
  void close() {
    api.reset();
    sessions.reset();
  }

  std::string id;

 private:
  static std::vector<test::UserToken> users_of(const std::vector<std::string>& names) {
    std::vector<test::UserToken> users;
    for (const std::string& name : names) users.emplace_back(name, token_of(name));
    return users;
  }
};

TEST_CASE("no two of 50 people meet whatever they and their requests are called") {
  std::vector<std::string> names = {"ada"};
  const std::array<std::string, 7> letters = {"a", "/", "%2F", "&", "é", "字", "+"};
  for (const std::string& one : letters) names.push_back(one);
  for (const std::string& one : letters)
    for (const std::string& other : letters) names.push_back(one + other);
  names.resize(50);
  std::vector<std::string> requests = {"é", "e\u0301", " a", "%2Fa"};
  for (const std::string_view pattern : {"a", "/", "a/", "/a", "//", "aa", "a/a", "//a", "/a/"}) requests.emplace_back(pattern);
  SharedGarden garden(names);
  std::map<std::string, std::pair<std::string, std::string>> said;  // by the number of the event
  for (const std::string& name : names) {
    for (const std::string& request : requests) {
      const HttpResponse answer = garden.note(name, request, name + "|" + request);
      REQUIRE(answer.status == 201);
      CAPTURE(name + "|" + request);
      CHECK(said.emplace(member_of(answer.body, "sequence"), std::pair(name, request)).second);
    }
  }
  const std::vector<SearchEvent> kept = garden.notes();
  CHECK(kept.size() == names.size() * requests.size());
  for (const SearchEvent& event : kept) {
    const std::string who = event.actor.empty() ? "ada" : event.actor;
    CHECK(event.note == who + "|" + said.at(std::to_string(event.sequence)).second);
  }
  garden.open();
  for (const auto& [sequence, one] : said) CHECK(member_of(garden.note(one.first, one.second).body, "sequence") == sequence);
  CHECK(garden.notes() == kept);
}

TEST_CASE("the owner's request bob/REQ1 and bob's REQ1 are both kept") {
  SharedGarden garden({"ada", "bob"});
  for (const auto& [user, request] : {std::pair("ada", "bob/REQ1"), {"bob", "REQ1"}, {"bob", "bob/REQ1"}, {"ada", "REQ1"}})
    CHECK(garden.note(user, request).status == 201);
  CHECK(garden.notes().size() == 4);
}

// In a file of version 2, bob's "REQ1" is "bob/REQ1".
TEST_CASE("requests in a log that joined the names of people and requests are known by what they were") {
  SharedGarden garden({"ada", "bob"});
  const std::string of_bob = member_of(garden.note("bob", "bob/REQ1").body, "sequence");
  const std::string of_ada = member_of(garden.note("ada", "bob/REQ2").body, "sequence");
  garden.close();
  test::run_sql(
      garden.folder.file("kept.search"),
      std::string(test::kSqlOfVersion3) +
          "DROP INDEX once; DROP TRIGGER event_is_the_next_one; DROP TABLE joined; CREATE UNIQUE INDEX once ON event "
          "(session, request) WHERE request IS NOT NULL; CREATE TRIGGER event_is_the_next_one BEFORE INSERT ON event WHEN "
          "NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE session = NEW.session) OR EXISTS (SELECT 1 "
          "FROM event WHERE session = NEW.session AND request = NEW.request) BEGIN SELECT RAISE(ABORT, 'events are only "
          "appended, each request once'); END; PRAGMA user_version = 2");
  for (int opened = 0; opened < 2; ++opened) {
    garden.open();
    CHECK(member_of(garden.note("bob", "REQ1").body, "sequence") == of_bob);
    CHECK(member_of(garden.note("ada", "bob/REQ2").body, "sequence") == of_ada);
  }
  CHECK(garden.note("bob", "bob/REQ1").status == 422);  // its place in the index is taken: refused, and never lost
  for (const auto& [user, request] : {std::pair("bob", "REQ2"), {"bob", "bob/REQ2"}, {"ada", "bob/REQ1"}})
    CHECK(garden.note(user, request).status == 201);
  CHECK(garden.notes().size() == 5);
  garden.open();
  CHECK(garden.note("bob", "bob/REQ2").status == 201);
  CHECK(garden.notes().size() == 5);
}

TEST_CASE("a request that names another person than the one who is signed in is refused and changes nothing") {
  const SharedGarden garden({"ada", "bob", "字é"});
  const std::string notes = "/" + garden.id + "/notes";
  int asked = 0;
  const auto answer = [&](const std::string& user, std::vector<HttpHeader> named) {
    return garden.say(user, notes, fmt::format(R"({{"request":"r{}","note":"x"}})", ++asked), std::move(named));
  };
  for (const auto& [user, named] :
       {std::pair("ada", "bob"), {"bob", "ada"}, {"bob", ""}, {"字é", "bob"}, {"bob", "BOB"}, {"bob", "bob%20"}}) {
    const HttpResponse refused = answer(user, {{"inkling-user", named}});
    CHECK(refused.status == 403);
    CHECK(string_of_json(member_of(refused.body, "where")) == kUserHeader);
  }
  CHECK(answer("bob", {{"Inkling-User", "bob"}, {"Inkling-User", "ada"}}).status == 400);
  CHECK(answer("bob", {{"Inkling-User", "%"}}).status == 400);
  CHECK(garden.notes().empty());
  for (const char* const user : {"ada", "bob", "字é"})
    CHECK(answer(user, {{"Inkling-User", percent_written_name(user)}}).status == 201);
  CHECK(answer("ada", {}).status == 201);
  CHECK(garden.notes().size() == 4);
  // Every address that needs a person, and not those of answers alone.
  for (const Route& route : garden.api->routes()) {
    if (route.access != RouteAccess::users) continue;
    std::string target = route.pattern;
    for (std::size_t at = target.find('{'); at != std::string::npos; at = target.find('{'))
      target.replace(at, target.find('}') - at + 1, "x");
    CAPTURE(target);
    const HttpResponse refused =
        garden.sent(route.method.c_str(), target, "", {{"Authorization", "Bearer " + token_of("ada")}, {"Inkling-User", "bob"}});
    CHECK(refused.status == 403);
    CHECK(string_of_json(member_of(refused.body, "where")) == kUserHeader);
  }
}

TEST_CASE("all logins of a user end at once and those of others stay") {
  SharedGarden garden({"ada", "bob"});
  const auto cookie_of = [&](const char* user) {
    const std::string set = garden.access.cookie_for(token_of(user), {}).value();
    return HttpHeader{"Cookie", set.substr(0, set.find(';'))};
  };
  const auto status = [&](const HttpHeader& header) { return garden.sent("GET", "/api/v1/about", "", {header}).status; };
  std::vector<HttpHeader> of_ada;
  for (int n = 0; n < 5; ++n) of_ada.push_back(cookie_of("ada"));
  const HttpHeader of_bob = cookie_of("bob");
  const HttpHeader copied = {"Authorization", "Bearer " + of_ada[1].value.substr(of_ada[1].value.find('=') + 1)};
  const auto log_out = [&](const HttpHeader& by, const char* body) { return garden.sent("POST", "/api/v1/logout", body, {by}); };
  CHECK(log_out(of_ada[0], R"({"everywhere":false})").status == 204);
  CHECK(status(of_ada[0]) == 401);
  CHECK(status(copied) == 200);
  CHECK(log_out(of_ada[2], R"({"everywhere":1})").status == 422);
  const HttpResponse ended = log_out(of_ada[2], R"({"everywhere":true})");
  CHECK(ended.status == 204);
  CHECK(ended.headers.front().value.find("Max-Age=0") != std::string::npos);
  for (const HttpHeader& one : of_ada) CHECK(status(one) == 401);
  CHECK(status(copied) == 401);
  CHECK(status(of_bob) == 200);
  CHECK(status(cookie_of("ada")) == 200);  // her token stays
}

TEST_CASE("who reads with somebody whom they do not see may not count what all do") {
  SharedGarden garden({"ada", "bob", "eve", "dan"});
  const auto get = [&](const std::string& user, const std::string& target) {
    return garden.sent("GET", target, "", {{"Authorization", "Bearer " + token_of(user)}});
  };
  REQUIRE(garden.say("ada", "/" + garden.id + "/pairs", R"({"readers":["bob","eve"],"count":2,"decider":"dan"})").status == 201);
  const auto read_all = [&](const std::string& user) {
    const std::string pairs = get(user, "/api/v1/pairs").body;
    const std::size_t at = pairs.find(R"("session":")") + 11;
    const std::string path = "/" + pairs.substr(at, 16);
    int document = offered_in(get(user, "/api/v1/sessions" + path + "/next").body);
    for (int n = 0; document >= 0; ++n) {
      const HttpResponse rated =
          garden.say(user, path + "/ratings", fmt::format(R"({{"request":"{}","document":{},"reward":1}})", n, document));
      REQUIRE(rated.status == 201);
      document = offered_in(member_of(rated.body, "next"));
    }
  };
  const auto statuses = [&] {
    std::vector<int> all;
    for (const char* const user : {"ada", "bob", "eve", "dan"}) all.push_back(get(user, "/metrics").status);
    return all;
  };
  CHECK(statuses() == std::vector<int>{200, 403, 403, 200});
  const std::string before = get("eve", "/metrics").body;
  read_all("bob");
  CHECK(get("eve", "/metrics").body == before);
  CHECK(statuses() == std::vector<int>{200, 403, 403, 200});
  read_all("eve");
  CHECK(statuses() == std::vector<int>{200, 200, 200, 200});
}

}  // namespace
}  // namespace inkling
