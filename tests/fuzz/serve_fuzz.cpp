// Fuzzes requests to `inkling serve`: every request is answered, never with an internal error, and a refused one changes
// nothing.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/json_text.hpp"
#include "io/doors/serve/api.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/fuzz/one_thread.hpp"
#include "tests/fuzz/pool_folders.hpp"
#include "tests/support/io/event_texts.hpp"
#include "tests/support/io/small_pools.hpp"

namespace inkling::fuzz {
namespace {

test::SmallPool pool_of_requests() {
  test::SmallPool pool;
  pool.columns = static_cast<std::int32_t>(test::small_vocabulary.size());
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < test::small_ids.size(); ++row) {
    const auto feature = static_cast<FeatureId>(row % test::small_vocabulary.size());
    pool.rows.push_back({{feature, 0.5F + static_cast<float>(row)}});
    texts.push_back("<b>" + std::string(test::small_vocabulary[static_cast<std::size_t>(feature)]));
  }
  pool.vocabulary.emplace(test::small_vocabulary.begin(), test::small_vocabulary.end());
  pool.ids.emplace(test::small_ids.begin(), test::small_ids.end());
  pool.texts = texts;
  return pool;
}

// A server of one pool and one user. Changes by an input stay for the next ones, and after some inputs it starts anew.
class FuzzedServer {
 public:
  FuzzedServer() : access_({.hosts = {"localhost"}, .owner = "ada"}) {
    path_ = folders_.write("folder", {});
    test::write_pool(pool_of_requests(), path_ + "/pool");
    pools_.add(path_ + "/pool", PoolTrust::checksums);
    const std::string cookie = access_.cookie_for(access_.once(), {}).value();
    cookie_ = cookie.substr(0, cookie.find(';'));
  }

  // Called before each input: makes sure that there is a search with few events.
  void renew() {
    constexpr int most_inputs = 2'000;
    constexpr int inputs_of_one = 50;
    if (!api_ || ++inputs_ == most_inputs) open_anew();
    if (inputs_ % inputs_of_one != 0) return;
    const HttpResponse made = ask("POST", "/api/v1/sessions", R"({"name":"n","pool":"pool"})", 0);
    demand(made.status == 201);
    const std::string_view location = location_of(made);
    session_ = location.substr(location.rfind('/') + 1);
  }

  [[nodiscard]] HttpResponse ask(std::string method, std::string target, std::string body, unsigned choices) {
    const auto chosen = [choices](unsigned bit) { return (choices >> bit & 1U) != 0; };
    HttpRequest request = {std::move(method), std::move(target), {}, std::move(body)};
    request.headers.push_back({"Host", chosen(0) ? "evil" : "localhost:8765"});
    if (!chosen(1)) request.headers.push_back({"Cookie", cookie_});
    request.headers.push_back({"Content-Type", chosen(2) ? "application/x-ndjson" : "application/json"});
    if (chosen(3)) request.headers.push_back({"Accept", "application/x-ndjson"});
    if (chosen(4)) request.headers.push_back({"If-Match", "\"1\""});
    if (chosen(5)) request.headers.push_back({"Accept-Encoding", "gzip"});
    static_cast<void>(api_->admission(request));
    return api_->answer(request);
  }

  [[nodiscard]] const std::string& session() const { return session_; }
  [[nodiscard]] std::int64_t events() const {
    std::int64_t all = 0;
    for (const SessionTable::Line& line : sessions_->lines("ada")) all += line.events;
    return all;
  }

 private:
  void open_anew() {
    inputs_ = 0;
    api_.reset();
    sessions_.reset();
    for (const char* const end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + "/log" + end);
    sessions_ = std::make_unique<SessionTable>(path_ + "/log", pools_, SessionTableSettings{.most_active = 2});
    api_ = std::make_unique<Api>(ApiParts{access_, *sessions_, pools_, "fuzz", "inkling"});
  }

  static std::string_view location_of(const HttpResponse& made) {
    const auto found = std::ranges::find(made.headers, "Location", &HttpHeader::name);
    demand(found != made.headers.end());
    return found->value;
  }

  PoolFolders folders_;
  std::string path_;
  Access access_;
  std::string cookie_;
  ServedPools pools_;
  std::unique_ptr<SessionTable> sessions_;
  std::unique_ptr<Api> api_;
  std::string session_;
  int inputs_ = 0;
};

std::string_view next_piece(std::string_view& left, char end) {
  const std::string_view piece = left.substr(0, left.find(end));
  left.remove_prefix(std::min(piece.size() + 1, left.size()));
  return piece;
}

bool has_type(const HttpResponse& response, std::string_view end) {
  return std::ranges::any_of(
      response.headers, [end](const HttpHeader& header) { return header.name == "Content-Type" && header.value.ends_with(end); });
}

void check_response(const HttpResponse& response) {
  demand(response.status >= 200 && response.status < 500);
  demand(response.status == 400 || title_of_status(response.status) != title_of_status(500));
  for (const HttpHeader& header : response.headers) demand(header.value.find_first_of("\r\n") == std::string::npos);
  if (has_type(response, "json") && !has_type(response, "ndjson")) {
    check_text(response.body);
    demand(!json_fault(response.body));
  }
  if (response.status >= 400) demand(has_type(response, "/problem+json"));
}

}  // namespace
}  // namespace inkling::fuzz

// An input is choices of headers and requests between bytes 0x1E: "METHOD TARGET", a line feed and the body. A target
// that begins with ~ is one below the search: "~/next".
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  fuzz::use_one_thread();
  static fuzz::FuzzedServer server;
  const fuzz::Input input(data, size);
  server.renew();
  std::string_view left = input.text;
  int refused = 0;  // refusals take the longest and change nothing, so a few are enough
  for (int count = 0; count < 8 && refused < 3 && !left.empty(); ++count) {
    std::string_view request = fuzz::next_piece(left, '\x1e');
    std::string_view line = fuzz::next_piece(request, '\n');
    const std::string method(fuzz::next_piece(line, ' '));
    std::string target(line);
    if (target.starts_with('~')) target = "/api/v1/sessions/" + server.session() + target.substr(1);
    const std::int64_t before = server.events();
    const HttpResponse response = server.ask(method, target, std::string(request), input.choices);
    fuzz::check_response(response);
    if (response.status < 400) continue;
    ++refused;
    fuzz::demand(server.events() <= before + 1);  // a document may be shown first
  }
  return 0;
}
