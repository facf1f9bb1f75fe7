#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/serve/api.hpp"
#include "io/search/service/asked_words.hpp"
#include "io/search/service/request_members.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostLines = 1'000;
constexpr std::int64_t kLinesUnlessSaid = 20;
constexpr std::size_t kMostWordsAsked = 100;

std::size_t limit_of(const RouteCall& call) {
  return static_cast<std::size_t>(call.target.number("limit", 1, kMostLines, kLinesUnlessSaid));
}

HttpResponse pool_list(const ApiParts& parts, const RouteCall& call) {
  JsonWriter json;
  json.begin_object().key("pools").begin_array();
  for (const ServedPool* const pool : pools_of(parts, call.user)) pool->write_facts(json);
  return json_response(200, json.end_array().end_object().take());
}

// The name becomes that of a file.
bool is_name_of_file(std::string_view name) {
  constexpr std::size_t longest = 200;
  return !name.empty() && name.size() <= longest && !name.starts_with('.') &&
         std::ranges::none_of(name, [](char letter) { return static_cast<unsigned char>(letter) < ' ' || letter == '\x7F'; });
}

// Cuts off what is before the next separator.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// The files in the body, one after the other: their names have slashes between them, and their sizes have commas.
std::vector<BroughtRecords> files_in(const RouteCall& call) {
  constexpr std::size_t most = 100;
  std::string_view names = call.target.text("name").value_or(std::string_view());
  const std::string_view body = call.request.body;
  const std::string whole = std::to_string(body.size());
  std::string_view sizes = call.target.text("sizes").value_or(whole);
  std::vector<BroughtRecords> files;
  std::size_t at = 0;
  do {
    const std::string_view name = take_part(names, '/');
    if (!is_name_of_file(name) || files.size() == most)
      throw HttpRefusal(
          {422, "the name cannot be that of a file", "name", "1 to 200 bytes, no dot in front, of at most 100 files"});
    const std::optional<std::int64_t> size = parse_integer(take_part(sizes, ','));
    if (!size || *size < 0 || static_cast<std::uint64_t>(*size) > body.size() - at)
      throw HttpRefusal(
          {422, "the sizes are not those of the files", "sizes", "the bytes of each file, with commas between them"});
    BroughtRecords file = {std::string(name), body.substr(at, static_cast<std::size_t>(*size))};
    const auto has_name = [&](const BroughtRecords& other) { return other.name == file.name; };
    for (int n = 2; std::ranges::any_of(files, has_name); ++n) file.name = fmt::format("{}-{}", n, name);
    files.push_back(std::move(file));
    at += static_cast<std::size_t>(*size);
  } while (!names.empty());
  if (at != body.size() || !sizes.empty())
    throw HttpRefusal({422, "the sizes are not those of the files", "sizes", "the bytes of each file, with commas between them"});
  return files;
}

constexpr std::size_t kLongestTextField = 200;

HttpResponse bring_pool(ApiParts& parts, const RouteCall& call) {
  if (!parts.bring_records) throw HttpRefusal(403, "the pools of this server come from whoever runs it: inkling serve FILE...");
  const std::string_view text_field = call.target.text("text_field").value_or(std::string_view());
  if (text_field.size() > kLongestTextField)
    throw HttpRefusal({422, "text_field is too long", "text_field", fmt::format("at most {} bytes", kLongestTextField)});
  const std::string encoding(call.target.text("encoding").value_or("auto"));
  const std::string owner = parts.access.tells_users_apart() ? call.user : std::string();
  const BroughtPool brought = parts.bring_records(files_in(call), {encoding, std::string(text_field)}, owner);
  JsonWriter json;
  parts.pools.add(brought.path, PoolTrust::structure, BroughtBy{.owner = owner}).write_all_facts(json);
  std::string facts = json.take();
  facts.back() = ',';
  return json_response(201, facts + "\"remarks\":" + JsonWriter().array(brought.remarks).take() + "}");
}

void check_brought(const ApiParts& parts, const ServedPool& pool, const std::string& user) {
  if (!parts.remove_records || !pool.is_brought())
    throw HttpRefusal(403, "this pool comes from whoever runs the server: only pools that were brought by the page change there");
  if (!pool.owner().empty() && pool.owner() != user)
    throw HttpRefusal(403, fmt::format("only {}, who brought this pool, changes it", quoted_text(pool.owner())));
}

HttpResponse remove_pool(ApiParts& parts, const RouteCall& call) {
  const ServedPool& pool = pool_named(parts, call.parts.at("pool"), call.user);
  check_brought(parts, pool, call.user);
  parts.sessions.while_unused(pool, [&] {
    static_cast<void>(pool_named(parts, pool.name(), call.user));  // it may be gone by now
    parts.remove_records(pool.path());
    parts.pools.remove(pool);
  });
  return {204, {}, {}};
}

HttpResponse title_pool(ApiParts& parts, const RouteCall& call) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view member = "title";
  const ServedPool& pool = pool_named(parts, call.parts.at("pool"), call.user);
  const RequestMembers body(call.request.body);
  body.check_only({&member, 1});
  const std::string title = body.text(body.need(member, "a name to be shown"), 1, longest);
  check_brought(parts, pool, call.user);
  parts.title_records(pool.path(), title);
  pool.show_as(title);
  JsonWriter json;
  pool.write_facts(json);
  return json_response(200, json.take());
}

HttpResponse one_pool(const ServedPool& pool) {
  JsonWriter json;
  pool.write_all_facts(json);
  return json_response(200, json.take());
}

HttpResponse one_document(const ServedPool& pool, const RouteCall& call) {
  JsonWriter json;
  pool.shown().write_document(json, pool.document_of(call.parts.at("document")));
  return json_response(200, json.take());
}

HttpResponse words_of_prefix(const ServedPool& pool, const RouteCall& call) {
  const std::string_view prefix = call.target.text("prefix").value_or(std::string_view());
  JsonWriter json;
  json.begin_object().key("words").begin_array();
  for (const FeatureId feature : pool.words_with_prefix(prefix, limit_of(call))) pool.shown().write_word(json, feature);
  return json_response(200, json.end_array().end_object().take());
}

// What a person typed, with an upper limit that keeps an answer quick.
std::string_view typed_text(const RouteCall& call, std::string_view name, std::string_view expected) {
  const std::optional<std::string_view> written = call.target.text(name);
  if (!written) throw HttpRefusal({422, fmt::format("the address lacks {}", name), std::string(name), std::string(expected)});
  if (written->size() > kLongestAsked)
    throw HttpRefusal({422, "the text is too long", std::string(name), fmt::format("at most {} bytes", kLongestAsked)});
  return *written;
}

HttpResponse words_asked(const ServedPool& pool, const RouteCall& call) {
  JsonWriter json;
  write_asked_words(json, typed_text(call, "text", "words, or a sentence"), pool.shown());
  return json_response(200, json.take());
}

HttpResponse documents_of_words(const ServedPool& pool, const RouteCall& call) {
  std::vector<FeatureId> known;
  std::vector<std::string> unknown;
  for (AskedWord& word : asked_words(typed_text(call, "words", "words between commas or spaces"), pool.shown()))
    if (!word.feature)
      unknown.push_back(std::move(word.typed));
    else if (std::ranges::find(known, *word.feature) == known.end())
      known.push_back(*word.feature);
  if (known.size() + unknown.size() > kMostWordsAsked)
    throw HttpRefusal({422, "there are too many words", "words", "at most 100"});
  JsonWriter json;
  json.begin_object().key("documents").begin_array();
  for (const ServedPool::Hit& hit : pool.documents_with_words(known, limit_of(call))) {
    json.begin_object();
    pool.shown().write_line_members(json, hit.document);
    json.key("words").begin_array();
    for (const FeatureId feature : hit.words) json.value(pool.shown().word(feature));
    json.end_array().end_object();
  }
  json.end_array().key("unknown").array(unknown);
  return json_response(200, json.end_object().take());
}

Route pool_route(ApiParts& parts, std::string pattern, HttpResponse (*handler)(const ServedPool&, const RouteCall&)) {
  return {"GET", std::move(pattern), RouteAccess::users, RouteBody::none, [&parts, handler](const RouteCall& call) {
            return handler(pool_named(parts, call.parts.at("pool"), call.user), call);
          }};
}

}  // namespace

std::vector<Route> pool_routes(ApiParts& parts) {
  return {
      {"GET", "/api/v1/pools", RouteAccess::users, RouteBody::none,
       [&parts](const RouteCall& call) { return pool_list(parts, call); }},
      {"POST", "/api/v1/pools", RouteAccess::users, RouteBody::file,
       [&parts](const RouteCall& call) { return bring_pool(parts, call); }},
      {"DELETE", "/api/v1/pools/{pool}", RouteAccess::users, RouteBody::none,
       [&parts](const RouteCall& call) { return remove_pool(parts, call); }},
      {"POST", "/api/v1/pools/{pool}/title", RouteAccess::users, RouteBody::json,
       [&parts](const RouteCall& call) { return title_pool(parts, call); }},
      pool_route(parts, "/api/v1/pools/{pool}", [](const ServedPool& pool, const RouteCall&) { return one_pool(pool); }),
      pool_route(parts, "/api/v1/pools/{pool}/documents/{document}", one_document),
      pool_route(parts, "/api/v1/pools/{pool}/words", words_of_prefix),
      pool_route(parts, "/api/v1/pools/{pool}/asked", words_asked),
      pool_route(parts, "/api/v1/pools/{pool}/search", documents_of_words),
  };
}

}  // namespace inkling
