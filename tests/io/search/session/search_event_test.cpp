#include "io/search/session/search_event.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/random_search_events.hpp"

namespace inkling {
namespace {

// The event with only the members that have columns of their own, not those in its body.
SearchEvent without_body(const SearchEvent& event) {
  return {.sequence = event.sequence, .at_ms = event.at_ms, .kind = event.kind, .document = event.document};
}

SearchEvent event_read_back(const SearchEvent& event) {
  SearchEvent read = without_body(event);
  read_body(read, body_of(event), "here");
  return read;
}

SearchEvent event_of_kind(SearchEventKind kind) { return {.sequence = 1, .kind = kind}; }

SearchEvent event_of_document(SearchEventKind kind) {
  SearchEvent event = event_of_kind(kind);
  event.document = 7;
  return event;
}

std::string problem_of_body(SearchEvent event, const std::string& body) {
  return test::expectation_of([&] { read_body(event, body, "here"); }, "here");
}

std::vector<std::uint64_t> bits_of(const SearchEvent& event) {
  std::vector<std::uint64_t> bits = {std::bit_cast<std::uint64_t>(event.reward)};
  for (const SaidWord& word : event.words) {
    bits.push_back(std::bit_cast<std::uint64_t>(word.reward.value_or(0.0)));
    bits.push_back(std::bit_cast<std::uint64_t>(word.confidence));
  }
  if (!event.offer) return bits;
  for (const auto& number : {event.offer->propensity, event.offer->radius, event.offer->mean, event.offer->width})
    bits.push_back(number ? std::bit_cast<std::uint64_t>(*number) : 1);
  return bits;
}

TEST_CASE("an event in a log reads back bit for bit") {
  test::RandomSearchEvents random(1);
  for (std::int64_t n = 1; n <= 20'000; ++n) {
    const SearchEvent event = random.next(n);
    CAPTURE(body_of(event));
    const SearchEvent read = event_read_back(event);
    REQUIRE(read == event);
    REQUIRE(bits_of(read) == bits_of(event));
  }
}

TEST_CASE("the bodies of events are these JSON objects") {
  SearchEvent shown = event_of_document(SearchEventKind::shown);
  shown.offer = Offer{.document = 7, .round = 3, .explored = true, .among = 12, .propensity = 1.0 / 12};
  CHECK(body_of(shown) == R"({"round":3,"explored":true,"among":12,"propensity":0.08333333333333333})");
  shown.offer = Offer{.document = 7, .round = 4, .among = 11, .radius = 1.5, .mean = -0.0, .width = 2};
  CHECK(body_of(shown) == R"({"round":4,"explored":false,"among":11,"radius":1.5,"mean":-0,"width":2})");
  SearchEvent rated = event_of_document(SearchEventKind::rated);
  rated.reward = 0.1;
  rated.words = {{.feature = 5}, {.feature = 0, .confidence = -0.5}, {.feature = 1, .reward = -0.5}};
  CHECK(body_of(rated) == R"({"reward":0.1,"words":[{"feature":5,"rate":1},{"feature":0,"rate":-0.5},)"
                          R"({"feature":1,"reward":-0.5,"confidence":1}]})");
  rated.words.clear();
  rated.shown = 9;
  rated.note = "say \"why\"";
  CHECK(body_of(rated) == R"({"reward":0.1,"words":[],"shown":9,"note":"say \"why\""})");
  rated.tags = {"animals", "wrong \"population\""};
  rated.note.clear();
  CHECK(body_of(rated) == R"({"reward":0.1,"words":[],"shown":9,"tags":["animals","wrong \"population\""]})");
  CHECK(event_read_back(rated) == rated);
  SearchEvent marked = event_of_document(SearchEventKind::marked);
  marked.words = {{.feature = 1}};
  CHECK(body_of(marked) == R"({"words":[{"feature":1,"rate":1}]})");
  SearchEvent skipped = event_of_document(SearchEventKind::skipped);
  CHECK(body_of(skipped) == "{}");
  skipped.shown = 2;
  CHECK(body_of(skipped) == R"({"shown":2})");
  skipped.hand_on = true;
  CHECK(body_of(skipped) == R"({"shown":2,"hand_on":true})");
  CHECK(event_read_back(skipped) == skipped);
  CHECK(problem_of_body(skipped, R"({"shown":2,"hand_on":false})") != "none");
  SearchEvent other = event_of_kind(SearchEventKind::forgot);
  other.feature = 4;
  CHECK(body_of(other) == R"({"feature":4})");
  other = event_of_kind(SearchEventKind::sampled);
  other.count = 59;
  CHECK(body_of(other) == R"({"count":59})");
  other = event_of_kind(SearchEventKind::undone);
  other.target = 3;
  CHECK(body_of(other) == R"({"target":3})");
  other = event_of_kind(SearchEventKind::noted);
  CHECK(body_of(other) == R"({"note":""})");
}

TEST_CASE("a body with a member that is unknown or missing or repeated or of another kind is refused") {
  const SearchEvent rated = event_of_document(SearchEventKind::rated);
  const std::pair<const char*, const char*> bad[] = {
      {R"({"reward":1})", "expected the member \"words\", an array, found none"},
      {R"({"words":[]})", "expected the member \"reward\", a number, found none"},
      {R"({"reward":"1","words":[]})", R"(expected as the member "reward" a number, found ""1"")"},
      {R"({"reward":1,"words":{}})", "expected as the member \"words\" an array, found \"{}\""},
      {R"({"reward":1,"words":[],"weather":"mild"})", "expected no member \"weather\""},
      {R"({"reward":1,"words":[],"reward":1})", "expected no member \"reward\""},
      {R"({"reward":1,"words":[],"note":""})", "expected no member \"note\" that is empty"},
      {R"({"reward":1,"words":[],"tags":[]})", "expected no member \"tags\" that is empty"},
      {R"({"reward":1,"words":[],"tags":[1]})", "expected as the member \"tags\" texts, found \"1\""},
      {R"({"reward":1,"words":[],"tags":["a","a"]})", R"(expected as the member "tags" each tag once)"},
      {R"({"reward":1,"words":[3]})", "expected an object, found a number"},
      {R"({"reward":1,"words":[{"feature":3}]})", "expected the member \"rate\", a number, found none"},
      {R"({"reward":1,"words":[{"feature":3,"rate":1,"x":1}]})", "expected no member \"x\""},
      {"[]", "expected an object, found an array"},
      {"{", "expected the name of a member in double quotes, found the end of the line"},
      {R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1})", "expected fewer members"}};
  for (const auto& [body, problem] : bad) {
    CAPTURE(body);
    CHECK(problem_of_body(rated, body) == problem);
  }
}

TEST_CASE("typed text becomes a few short and different tags") {
  const auto holds = [](const std::vector<std::string>& tags) { return !broken_rule_of_tags(tags); };
  CHECK(holds({}));
  CHECK(holds({"wrong population", "été, 2", std::string(100, 'x')}));
  for (const char* const tag : {"", " a", "a\t", "a;b", "a\nb", "a\x7f"}) {
    CAPTURE(tag);
    CHECK_FALSE(holds({tag}));
  }
  CHECK_FALSE(holds({std::string(101, 'x')}));
  CHECK_FALSE(holds({"a", "b", "a"}));
  std::vector<std::string> many;
  for (int n = 0; n < 20; ++n) many.push_back(std::to_string(n));
  CHECK(holds(many));
  many.emplace_back("more");
  CHECK_FALSE(holds(many));
  CHECK(tags_typed(" animals , wrong  population;;animals,\t") == std::vector<std::string>{"animals", "wrong  population"});
  CHECK(tags_typed("").empty());
  CHECK(joined_tags(tags_typed("b,a")) == "b; a");
}

TEST_CASE("a number that an event cannot have is refused") {
  const auto is_refused = [](const SearchEvent& event, const std::string& body) {
    CAPTURE(body);
    CHECK(problem_of_body(event, body).starts_with("expected as the member "));
  };
  const SearchEvent rated = event_of_document(SearchEventKind::rated);
  for (const char* const reward : {"1e101", "-1e101", "1e999", "1e-999"})
    is_refused(rated, R"({"reward":)" + std::string(reward) + R"(,"words":[]})");
  for (const char* const word :
       {R"({"feature":-1,"rate":1})", R"({"feature":2147483648,"rate":1})", R"({"feature":1.0,"rate":1})",
        R"({"feature":1,"rate":0})", R"({"feature":1,"rate":1.001})", R"({"feature":1,"rate":-1.001})"})
    is_refused(rated, R"({"reward":1,"words":[)" + std::string(word) + "]}");
  is_refused(rated, R"({"reward":1,"words":[],"shown":0})");
  const SearchEvent shown = event_of_document(SearchEventKind::shown);
  is_refused(shown, R"({"round":0,"explored":true,"among":1})");
  is_refused(shown, R"({"round":1,"explored":1,"among":1})");
  is_refused(shown, R"({"round":1,"explored":true,"among":-1})");
  is_refused(shown, R"({"round":1,"explored":true,"among":1,"propensity":1.5})");
  is_refused(event_of_kind(SearchEventKind::sampled), R"({"count":0})");
  is_refused(event_of_kind(SearchEventKind::undone), R"({"target":0})");
  is_refused(event_of_kind(SearchEventKind::redone), R"({"target":9223372036854775808})");
  is_refused(event_of_kind(SearchEventKind::forgot), R"({"feature":2147483648})");
}

TEST_CASE("events about a document name one and no others do") {
  for (const auto& [kind, name] : kSearchEventNames) {
    CAPTURE(name);
    if (kind == SearchEventKind::marked) continue;  // may have a document or none
    const bool has_document = name == "shown" || name == "rated" || name == "skipped" || name == "separated";
    const SearchEvent wrong = has_document ? event_of_kind(kind) : event_of_document(kind);
    CHECK(problem_of_body(wrong, "{}").starts_with(has_document ? "expected a document" : "expected no document"));
  }
  SearchEvent negative = event_of_document(SearchEventKind::skipped);
  negative.document = -1;
  CHECK(problem_of_body(negative, "{}") == "expected a document from 0 on, found -1");
}

TEST_CASE("words marked in a document or rated apart from any read back as they were written") {
  SearchEvent apart = event_of_kind(SearchEventKind::marked);
  apart.words = {{.feature = 1, .reward = 1.0}, {.feature = 0, .reward = -1.0, .confidence = 0.25}};
  SearchEvent again = event_of_kind(SearchEventKind::marked);
  read_body(again, body_of(apart), "here");
  CHECK(again == apart);
  CHECK_FALSE(again.document);
}

TEST_CASE("an invalid number is not read back as one") {
  SearchEvent rated = event_of_document(SearchEventKind::rated);
  rated.reward = std::numeric_limits<double>::infinity();
  CHECK(problem_of_body(without_body(rated), body_of(rated)) == "expected as the member \"reward\" a number, found \"null\"");
}

}  // namespace
}  // namespace inkling
