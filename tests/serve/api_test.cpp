// Requests of searches, answered without a socket.
#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/core/random_stream.hpp"
#include "io/doors/serve/http/sha256.hpp"
#include "io/doors/serve/openapi.hpp"
#include "io/doors/serve/page_files.hpp"
#include "io/search/service/search_request.hpp"
#include "tests/serve/served_garden.hpp"

namespace inkling {
namespace {

using test::member_of, test::offered_in, test::ServedGarden;

std::string rating(int document, double reward, const std::string& request) {
  return fmt::format(R"({{"request":"{}","document":{},"reward":{}}})", request, document, reward);
}

int first_offer(const ServedGarden& garden, const std::string& id) {
  return offered_in(garden.ask("GET", "/sessions/" + id + "/next").body);
}

struct InServedGarden {
  const ServedGarden garden;
};

TEST_CASE_FIXTURE(InServedGarden, "every route of the program is in openapi.json, and no other") {
  const std::string_view paths = openapi_text();
  std::set<std::string> written;
  const std::string all = member_of(paths, "paths");
  for (JsonPieces by_path({all, 0}); by_path.has_next();) {
    const JsonMember path = by_path.next_member();
    for (JsonPieces operations(path.value); operations.has_next();) {
      std::string method = string_of_json(operations.next_member().name.text);
      std::ranges::transform(method, method.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
      written.insert(method + " " + string_of_json(path.name.text));
    }
  }
  std::set<std::string> served;
  for (const Route& route : garden.api->routes())
    if (route.pattern != "/" && !route.pattern.starts_with("/assets/")) served.insert(route.method + " " + route.pattern);
  CHECK(written == served);
}

TEST_CASE("a rating is answered with the next document and a repeated request is not carried out again") {
  ServedGarden garden;
  const std::string id = garden.begin();
  const std::string path = "/sessions/" + id + "/ratings";
  const int first = first_offer(garden, id);
  const HttpResponse once = garden.ask("POST", path, rating(first, 1, "a"));
  REQUIRE(once.status == 201);
  CHECK(member_of(once.body, "sequence") == "2");
  CHECK(offered_in(member_of(once.body, "next")) != first);
  CHECK(garden.ask("POST", path, rating(first, 1, "a")).body == once.body);
  garden.open();
  CHECK(garden.ask("POST", path, rating(first, 1, "a")).body == once.body);
  CHECK(garden.ask("POST", "/sessions/" + id + "/undo", R"({"request":"a"})").status == 422);
}

TEST_CASE("an uploaded file of records is searched at once if the server takes any") {
  ServedGarden garden;
  const HttpHeader is_file = {"Content-Type", "application/octet-stream"};
  CHECK(garden.ask("POST", "/pools?name=late.csv", "x", {is_file}).status == 403);
  HttpRequest large = {"POST", "/api/v1/pools?name=late.csv", {{"Host", "localhost:8765"}, {"Cookie", garden.cookie}}, {}};
  CHECK(garden.api->admission(large).most_body_bytes == kMostBodyBytes);
  std::string brought;
  garden.brings = [&](std::span<const BroughtRecords> files, const ReadingOfFile& as, const std::string& /*user*/) {
    brought.clear();
    for (const BroughtRecords& file : files) brought += fmt::format("{}={};", file.name, file.bytes);
    if (files.front().bytes != "two beans") throw FormatError(files.front().name, "expected two beans");
    const std::string pool = garden.folder.file(fmt::format("{}-{}", files.size(), files.front().name));
    write_pool(test::small_pool(), pool);
    return BroughtPool{pool, {"read as " + as.encoding}};
  };
  garden.open();
  CHECK(garden.api->admission(large).most_body_bytes == kMostRecordsBytes);
  large.headers.pop_back();
  CHECK(garden.api->admission(large).most_body_bytes == kMostBodyBytes);
  CHECK(garden.ask("POST", "/pools?name=late.csv", "x", {is_file}).status == 422);
  CHECK(garden.ask("POST", "/pools?name=late.csv", "two beans").status == 415);
  for (const char* const name : {"", "?name=", "?name=.x", "?name=a%2Fb", "?name=..%2Fx"})
    CHECK(garden.ask("POST", "/pools" + std::string(name), "two beans", {is_file}).status == 422);
  const HttpResponse made = garden.ask("POST", "/pools?name=late.csv", "two beans", {is_file});
  CHECK(member_of(made.body, "remarks") == R"(["read as auto"])");
  REQUIRE(made.status == 201);
  CHECK(member_of(made.body, "pool") == R"("1-late.csv")");
  CHECK(garden.ask("GET", "/pools").body.find(made.body.substr(0, made.body.find(",\"sources\""))) != std::string::npos);
  CHECK(garden.ask("POST", "/sessions", R"({"name":"n","pool":"1-late.csv"})").status == 201);
  CHECK(garden.ask("POST", "/pools?name=a.ris%2Fb.csv%2Fa.ris&sizes=9,1,0", "two beans!", {is_file}).status == 201);
  CHECK(brought == "a.ris=two beans;b.csv=!;2-a.ris=;");
  for (const char* const sizes : {"9", "9,0", "9,2", "9,1,0", "9,x", "-1,11", ",10"})
    CHECK(garden.ask("POST", fmt::format("/pools?name=a.ris%2Fb.csv&sizes={}", sizes), "two beans!", {is_file}).status == 422);
}

TEST_CASE_FIXTURE(InServedGarden, "an answer is refused if the search has changed meanwhile and changes nothing") {
  const std::string id = garden.begin();
  const std::string path = "/sessions/" + id + "/ratings";
  const int first = first_offer(garden, id);
  CHECK(garden.ask("POST", path, rating(first, 1, "a"), {{"If-Match", "\"1\""}}).status == 201);
  const HttpResponse stale = garden.ask("POST", path, rating(first, 0, "b"), {{"If-Match", "\"1\""}});
  CHECK(stale.status == 409);
  CHECK(member_of(stale.body, "sequence") == "3");
  // Repeating a request that was kept is no conflict, although the search has changed since.
  CHECK(garden.ask("POST", path, rating(first, 1, "a"), {{"If-Match", "\"1\""}}).status == 201);
}

TEST_CASE_FIXTURE(InServedGarden, "when every document is rated next is 410, and undo brings the last one back") {
  const std::string id = garden.begin();
  int document = first_offer(garden, id);
  int last = document;
  for (int n = 0; document >= 0; ++n) {
    REQUIRE(n < 12);
    last = document;
    const HttpResponse answer =
        garden.ask("POST", "/sessions/" + id + "/ratings", rating(document, n % 2, "r" + std::to_string(n)));
    REQUIRE(answer.status == 201);
    document = offered_in(member_of(answer.body, "next"));
  }
  CHECK(garden.ask("GET", "/sessions/" + id + "/next").status == 410);
  const HttpResponse undone = garden.ask("POST", "/sessions/" + id + "/undo", R"({"request":"u"})");
  CHECK(member_of(undone.body, "document") == std::to_string(last));
  CHECK(offered_in(member_of(undone.body, "next")) == last);
}

TEST_CASE_FIXTURE(InServedGarden, "a problem says where and what was expected for any body") {
  const std::string id = garden.begin();
  const std::string path = "/sessions/" + id + "/ratings";
  const std::pair<std::string, std::string> problems[] = {
      {"{}", "document"},
      {R"({"request":"a","document":99,"reward":1})", "document"},
      {R"({"request":"a","document":0,"reward":"1"})", "reward"},
      {R"({"request":"a","document":0,"reward":1,"words":["no"]})", "words[0]"},
      {R"({"request":"a","document":0,"reward":1,"words":["soil",{"word":"soil","rate":0}]})", "words[1].rate"},
      {R"({"request":"a","document":0,"reward":1,"x":1})", "x"},
      {R"({"request":"","document":0,"reward":1})", "request"},
      {"{", "column 2 of the body"},
      {"\xff", "column 1 of the body"},
      {"[]", "column 1 of the body"}};
  for (const auto& [body, where] : problems) {
    CAPTURE(body);
    const HttpResponse answer = garden.ask("POST", path, body);
    CHECK(answer.status == 422);
    CHECK(string_of_json(member_of(answer.body, "where")) == where);
    CHECK_FALSE(member_of(answer.body, "expected").empty());
    CHECK(answer.headers.front().value == "application/problem+json");
  }
  CHECK(garden.ask("POST", path, "{}", {{"Content-Type", "text/plain"}}).status == 415);
  CHECK(member_of(garden.ask("GET", "/sessions/" + id).body, "sequence") == "0");
}

TEST_CASE_FIXTURE(InServedGarden, "bodies damaged at random are answered and never by an error of the server") {
  const std::string id = garden.begin();
  RandomStream random(11, 0, RandomRole::reward);
  const std::string good =
      R"({"request":"a","document":0,"reward":0.5,"words":["soil",{"word":1,"rate":-1}],"note":"n","tags":["t"]})";
  for (int round = 0; round < 3'000; ++round) {
    std::string body = good;
    for (std::uint64_t n = random.below(4) + 1; n > 0; --n) {
      const std::size_t at = random.below(body.size());
      if (random.below(2) == 0)
        body[at] = static_cast<char>(random.below(256));
      else
        body.erase(at, random.below(5));
    }
    CAPTURE(body);
    try {
      constexpr std::string_view name = "request";
      static_cast<void>(
          read_search_request(RequestMembers(body), SearchVerb::rate, garden.pools.all().front()->scope(), {&name, 1}));
    } catch (const RequestError& error) {
      CHECK(error.where().starts_with("column "));
    }
  }
}

TEST_CASE("the aim of a search is kept in its log, and its rule is shown as reached or not") {
  ServedGarden garden;
  const std::string path = "/sessions/" + garden.begin(R"(,"question":"soil?","rule":{"rated":1})");
  CHECK(member_of(member_of(garden.ask("GET", path).body, "progress"), "rule_reached") == "false");
  const HttpResponse rated = garden.ask("POST", path + "/ratings", rating(3, 0, "a"));
  CHECK(member_of(member_of(rated.body, "progress"), "rule_reached") == "true");
  CHECK(garden.ask("POST", path + "/aim", R"({"request":"b","rule":{"without_good":2,"rated":1}})").status == 201);
  garden.open();
  const std::string session = garden.ask("GET", path).body;
  CHECK(member_of(session, "question") == "\"soil?\"");
  CHECK(member_of(session, "rule") == R"({"rated":1,"without_good":2})");
  CHECK(member_of(member_of(session, "progress"), "rule_reached") == "false");
  CHECK(garden.ask("POST", path + "/aim", R"({"request":"c","rule":null})").status == 201);
  CHECK(member_of(garden.ask("GET", path).body, "rule") == "null");
}

TEST_CASE_FIXTURE(InServedGarden, "a search that was exported and imported has the same ratings and words") {
  const std::string id = garden.begin(R"(,"words":["soil",{"word":"lamp","rate":-0.5}])");
  static_cast<void>(
      garden.ask("POST", "/sessions/" + id + "/ratings", R"({"request":"a","document":3,"reward":1,"words":["rose"]})"));
  const HttpHeader lines = {"Accept", "application/x-ndjson"};
  const std::string file = garden.ask("GET", "/sessions/" + id + "/events", {}, {lines}).body;
  const HttpResponse made =
      garden.ask("POST", "/sessions/import?name=copy&pool=garden", file, {{"Content-Type", "application/x-ndjson"}});
  REQUIRE(made.status == 201);
  const std::string copy = string_of_json(member_of(made.body, "session"));
  CHECK(garden.ask("GET", "/sessions/" + copy + "/events", {}, {lines}).body == file);
  const HttpResponse bad = garden.ask("POST", "/sessions/import?name=copy&pool=garden", "{\"document\":99,\"reward\":1}\n",
                                      {{"Content-Type", "application/x-ndjson"}});
  CHECK(bad.status == 422);
}

TEST_CASE("an import that has too many events or takes too long or is interrupted by the end of the server begins nothing") {
  ServedGarden garden;
  const auto import = [&](int lines) {
    std::string body;
    for (int n = 0; n < lines; ++n) body += fmt::format("{{\"document\":{},\"reward\":1}}\n", n % 12);
    return garden.ask("POST", "/sessions/import?name=a&pool=garden", body, {{"Content-Type", "application/x-ndjson"}}).status;
  };
  CHECK(import(20'001) == 422);
  CHECK(import(2'000) == 201);
  garden.settings.most_learning = std::chrono::milliseconds(0);
  garden.open();
  CHECK(import(12) == 422);
  garden.sessions->end();
  CHECK(import(12) == 503);
  CHECK(garden.sessions->lines("ada").size() == 1);
}

TEST_CASE("a user sees only their own searches and without a token nobody sees any") {
  ServedGarden garden(10, {{"bob", "b"}, {"eve", "e"}});
  garden.cookie = {};
  const HttpHeader bob = {"Authorization", "Bearer b"};
  const HttpHeader eve = {"Authorization", "Bearer e"};
  const std::string made = garden.ask("POST", "/sessions", R"({"name":"n","pool":"garden"})", {bob}).body;
  const std::string path = "/sessions/" + string_of_json(member_of(made, "session"));
  CHECK(member_of(made, "owner") == "\"bob\"");
  CHECK(garden.ask("GET", path, {}, {bob}).status == 200);
  const auto asker = [&](const HttpHeader& who) {
    const std::vector<HttpHeader> headers = garden.ask("GET", "/about", {}, {who}).headers;
    const auto named = std::ranges::find(headers, kUserHeader, &HttpHeader::name);
    return named == headers.end() ? std::string() : named->value;
  };
  CHECK(asker(bob) == "bob");
  CHECK(asker(eve) == "eve");
  for (const char* const rest : {"", "/next", "/events", "/words", "/progress", "/ranking", "/found", "/documents/0/why"}) {
    CHECK(garden.ask("GET", path + rest, {}, {eve}).status == 404);
    CHECK(garden.ask("GET", path + rest).status == 401);
  }
  CHECK(garden.ask("POST", path + "/notes", R"({"request":"a","note":"x"})", {eve}).status == 404);
  CHECK(garden.ask("GET", "/sessions", {}, {eve}).body == R"({"sessions":[]})");
}

TEST_CASE_FIXTURE(InServedGarden, "a header on which access depends is refused if it is there twice") {
  for (const char* const name : {"Authorization", "Cookie", "Sec-Fetch-Site", "Sec-Fetch-Mode", "X-Forwarded-Proto"}) {
    CAPTURE(name);
    CHECK(garden.ask("GET", "/pools", {}, {{name, "cross-site"}, {name, "cross-site"}}).status == 400);
  }
}

TEST_CASE_FIXTURE(InServedGarden, "only an import by a known user may be large") {
  HttpRequest request = {"POST", "/api/v1/sessions/import?name=a", {{"Host", "localhost"}}, {}};
  CHECK(garden.api->admission(request).most_body_bytes == kMostBodyBytes);
  request.headers.push_back({"Cookie", garden.cookie});
  CHECK(garden.api->admission(request).most_body_bytes == kMostImportBytes);
  request.headers.front().value = "evil";
  CHECK(garden.api->admission(request).most_body_bytes == kMostBodyBytes);
  request = {"POST", "/api/v1/sessions", {{"Host", "localhost"}, {"Cookie", garden.cookie}}, {}};
  CHECK(garden.api->admission(request).most_body_bytes == kMostBodyBytes);
}

TEST_CASE("searches that are evicted and loaded again choose as ones that stayed in memory") {
  ServedGarden crowded(1);
  const ServedGarden roomy(1'000);
  constexpr std::size_t searches = 4;
  std::vector<std::string> in_crowd;
  std::vector<std::string> in_room;
  for (std::size_t n = 0; n < searches; ++n) {
    const std::string seed = fmt::format(R"(,"seed":{})", n);
    in_crowd.push_back(crowded.begin(seed));
    in_room.push_back(roomy.begin(seed));
  }
  RandomStream random(3, 0, RandomRole::reward);
  for (int round = 0; round < 200; ++round) {
    const std::size_t one = random.below(searches);
    const std::string request = "r" + std::to_string(round);
    std::string what = "/skips";
    std::string body = fmt::format(R"({{"request":"{}","document":{}}})", request, random.below(12));
    if (const std::uint64_t kind = random.below(10); kind < 7) {
      what = "/ratings";
      body = fmt::format(R"({{"request":"{}","document":{},"reward":{},"words":[{}]}})", request, random.below(12),
                         random.below(2), random.below(5));
    } else if (kind < 9) {
      what = kind == 7 ? "/undo" : "/redo";
      body = fmt::format(R"({{"request":"{}"}})", request);
    }
    CAPTURE(body);
    const HttpResponse crowd = crowded.ask("POST", "/sessions/" + in_crowd[one] + what, body);
    const HttpResponse room = roomy.ask("POST", "/sessions/" + in_room[one] + what, body);
    CHECK(crowd.status == room.status);
    CHECK(crowd.body == room.body);
    if (round == 100) crowded.open();
  }
  CHECK(crowded.sessions->active() == 1);
}

TEST_CASE("many threads that search at once keep every answer in its place") {
  const ServedGarden garden(3);
  constexpr int threads = 8;
  constexpr int answers = 25;
  std::vector<std::string> ids;
  for (int n = 0; n < 5; ++n) ids.push_back(garden.begin());
  std::vector<int> refused(threads);
  {
    std::vector<std::jthread> people;
    for (int person = 0; person < threads; ++person) {
      people.emplace_back([&, person] {
        RandomStream random(static_cast<std::uint64_t>(person), 0, RandomRole::reward);
        for (int n = 0; n < answers; ++n) {
          const std::string& id = ids[random.below(ids.size())];
          const std::string body = rating(static_cast<int>(random.below(12)), 1, fmt::format("{}-{}", person, n));
          const HttpResponse answer = garden.ask("POST", "/sessions/" + id + "/ratings", body);
          refused[static_cast<std::size_t>(person)] += answer.status == 201 ? 0 : 1;
        }
      });
    }
  }
  CHECK(refused == std::vector<int>(threads));
  const SessionFile file(garden.folder.file("kept.search"), SessionAccess::read);
  CHECK(file.verify().empty());
  std::int64_t rated = 0;
  std::size_t requests = 0;
  for (const std::string& id : ids) {
    for (const SearchEvent& event : file.events(id)) rated += event.kind == SearchEventKind::rated ? 1 : 0;
    requests += file.requests(id).size();
  }
  CHECK(rated == threads * answers);
  CHECK(requests == static_cast<std::size_t>(threads * answers));
}

TEST_CASE_FIXTURE(InServedGarden, "the page and its files are served to anybody, and nothing else is") {
  const auto get = [&](const std::string& target) { return garden.api->answer({"GET", target, {{"Host", "localhost"}}, {}}); };
  CHECK(get("/").status == 200);
  CHECK(get("/healthz").status == 200);
  CHECK(get("/metrics").status == 401);
  CHECK(get("/assets/none").status == 404);
  CHECK(get("/assets/none/index.html").status == 404);
  for (const PageFile& file : page_files()) CHECK(get("/assets/" + std::string(file.name)).body == file.text);
  CHECK(get("/?once=x").status == 303);
}

TEST_CASE("a link with the token of a user signs nobody in") {
  const ServedGarden garden(1'000, {{"bob", "b"}, {"eve", "e"}});
  const HttpResponse led = garden.api->answer({"GET", "/?once=e", {{"Host", "localhost"}}, {}});
  CHECK(led.status == 303);
  CHECK(std::ranges::none_of(led.headers, [](const HttpHeader& one) { return one.name == "Set-Cookie"; }));
  const HttpResponse told = garden.ask("POST", "/login", R"({"token":"e"})");
  CHECK(told.status == 204);
  CHECK(std::ranges::any_of(told.headers, [](const HttpHeader& one) { return one.name == "Set-Cookie"; }));
}

}  // namespace
}  // namespace inkling
