#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/json_writer.hpp"
#include "io/doors/serve/api.hpp"
#include "io/search/service/asked_words.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostLines = 1'000;
constexpr std::int64_t kLinesUnlessSaid = 20;
constexpr std::size_t kMostWordsAsked = 100;

std::size_t limit_of(const RouteCall& call) {
  return static_cast<std::size_t>(call.target.number("limit", 1, kMostLines, kLinesUnlessSaid));
}

HttpResponse pool_list(const ApiParts& parts) {
  JsonWriter json;
  json.begin_object().key("pools").begin_array();
  for (const ServedPool* const pool : parts.pools.all()) pool->write_facts(json);
  return json_response(200, json.end_array().end_object().take());
}

// The name becomes that of a file.
std::string name_of_records(const RouteCall& call) {
  constexpr std::size_t longest = 200;
  const std::string_view name = call.target.text("name").value_or(std::string_view());
  const bool is_plain =
      !name.empty() && name.size() <= longest && !name.starts_with('.') && std::ranges::none_of(name, [](char letter) {
        return letter == '/' || static_cast<unsigned char>(letter) < ' ' || letter == '\x7F';
      });
  if (is_plain) return std::string(name);
  throw HttpRefusal({422, "the name cannot be that of a file", "name", "1 to 200 bytes, no slash, no dot in front"});
}

HttpResponse bring_pool(ApiParts& parts, const RouteCall& call) {
  if (!parts.bring_records) throw HttpRefusal(403, "the pools of this server come from whoever runs it: inkling serve FILE...");
  const std::string encoding(call.target.text("encoding").value_or("auto"));
  const BroughtPool brought = parts.bring_records(name_of_records(call), call.request.body, encoding);
  JsonWriter json;
  parts.pools.add(brought.path, PoolTrust::structure).write_facts(json);
  std::string facts = json.take();
  facts.back() = ',';
  return json_response(201, facts + "\"remarks\":" + JsonWriter().array(brought.remarks).take() + "}");
}

HttpResponse one_pool(const ServedPool& pool) {
  JsonWriter json;
  pool.write_facts(json);
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
  return {"GET", std::move(pattern), RouteAccess::users, RouteBody::none,
          [&parts, handler](const RouteCall& call) { return handler(pool_named(parts, call.parts.at("pool")), call); }};
}

}  // namespace

std::vector<Route> pool_routes(ApiParts& parts) {
  return {
      {"GET", "/api/v1/pools", RouteAccess::users, RouteBody::none, [&parts](const RouteCall&) { return pool_list(parts); }},
      {"POST", "/api/v1/pools", RouteAccess::users, RouteBody::file,
       [&parts](const RouteCall& call) { return bring_pool(parts, call); }},
      pool_route(parts, "/api/v1/pools/{pool}", [](const ServedPool& pool, const RouteCall&) { return one_pool(pool); }),
      pool_route(parts, "/api/v1/pools/{pool}/documents/{document}", one_document),
      pool_route(parts, "/api/v1/pools/{pool}/words", words_of_prefix),
      pool_route(parts, "/api/v1/pools/{pool}/asked", words_asked),
      pool_route(parts, "/api/v1/pools/{pool}/search", documents_of_words),
  };
}

}  // namespace inkling
