#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/request_body.hpp"
#include "io/doors/serve/search_answers.hpp"

namespace inkling {
namespace {

constexpr std::size_t kLongestRequestName = 100;
constexpr std::size_t kMostBytesOfNote = 10'000;
constexpr std::size_t kMostBytesOfAim = 2'000;
constexpr std::int64_t kMostAtOnce = 1'000'000;

/// What a person says, checked but for what only the search knows; `say` tells the search.
struct SaidAnswer {
  std::string request;
  SearchEventKind kind = SearchEventKind::noted;  // of its first event
  std::function<void(Searcher&)> say;
  std::vector<std::int64_t> undone = {};
};
using ReadAnswer = SaidAnswer (*)(ServedSearch&, const RouteCall&);

std::string request_name(const RequestBody& body) { return body.text("request", 1, kLongestRequestName); }

DocumentId document_in(const RequestBody& body, const ServedSearch& search) {
  const std::int64_t documents = search.pool().pool().view().documents();
  return static_cast<DocumentId>(body.integer("document", 0, documents - 1));
}

SaidAnswer read_rating(ServedSearch& search, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "document", "reward", "words", "note", "ms"});
  static_cast<void>(body.optional_integer("ms", 0, INT64_MAX));
  SearchRating rating = {.document = document_in(body, search),
                         .reward = body.number("reward"),
                         .words = body.words(search.pool().scope()),
                         .note = body.optional_text("note", kMostBytesOfNote).value_or("")};
  return {request_name(body), SearchEventKind::rated,
          [rating = std::move(rating)](Searcher& searcher) { searcher.rate(rating); }};
}

SaidAnswer read_marks(ServedSearch& search, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "document", "words"});
  std::vector<SaidWord> words = body.words(search.pool().scope());
  const std::optional<DocumentId> document =
      body.has("document") ? std::optional(document_in(body, search)) : std::nullopt;
  return {request_name(body), SearchEventKind::marked,
          [document, words = std::move(words)](Searcher& searcher) {
            static_cast<void>(document ? searcher.mark(*document, words) : searcher.rate_words(words));
          }};
}

SaidAnswer read_skip(ServedSearch& search, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "document"});
  return {request_name(body), SearchEventKind::skipped,
          [document = document_in(body, search)](Searcher& searcher) { searcher.skip(document); }};
}

SaidAnswer read_undo(ServedSearch& search, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "sequence", "count"});
  const auto sequence = body.optional_integer("sequence", 1, INT64_MAX);
  const auto count = body.optional_integer("count", 1, kMostAtOnce);
  if (sequence && count)
    throw HttpRefusal({422, "it is not clear what to take back", "sequence", "sequence or count, not both"});
  if (sequence)
    return {request_name(body),
            SearchEventKind::undone,
            [sequence](Searcher& searcher) { searcher.undo(sequence); },
            {*sequence}};
  const std::int64_t many = count.value_or(1);
  return {request_name(body), SearchEventKind::undone,
          [many](Searcher& searcher) { searcher.undo_last(many); }, search.history().undoable(many)};
}

SaidAnswer read_redo(ServedSearch& search, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "count"});
  const std::int64_t many = body.optional_integer("count", 1, kMostAtOnce).value_or(1);
  return {request_name(body), SearchEventKind::redone,
          [many](Searcher& searcher) { searcher.redo_last(many); }, search.history().redoable(many)};
}

SaidAnswer read_sample(ServedSearch&, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "count"});
  return {request_name(body), SearchEventKind::sampled,
          [count = body.integer("count", 1, kMostAtOnce)](Searcher& searcher) { searcher.sample(count); }};
}

SaidAnswer read_note(ServedSearch&, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "note"});
  return {request_name(body), SearchEventKind::noted,
          [note = body.text("note", 1, kMostBytesOfNote)](Searcher& searcher) { searcher.note(note); }};
}

SaidAnswer read_aim(ServedSearch& search, const RouteCall& call) {
  const RequestBody body(call.request.body, {"request", "question", "rule"});
  SearchAim aim = search.aim();
  if (auto question = body.optional_text("question", kMostBytesOfAim)) aim.question = std::move(*question);
  if (body.is_null("rule"))
    aim.rule.reset();
  else if (body.has("rule"))
    aim.rule = read_rule(body.object("rule"));
  return {request_name(body), SearchEventKind::noted,
          [note = note_of_aim(aim)](Searcher& searcher) { searcher.note(note); }};
}

SaidAnswer read_forgotten(ServedSearch& search, const RouteCall& call) {
  const std::string_view name = call.target.text("request").value_or(std::string_view());
  if (name.empty() || name.size() > kLongestRequestName)
    throw HttpRefusal(
        {422, "the address lacks the name of the request", "request", "a text of 1 to 100 bytes"});
  const std::optional<std::int64_t> feature = parse_integer(call.parts.at("feature"));
  if (!feature || *feature < 0 || *feature >= search.pool().pool().view().features())
    throw HttpRefusal({404, "the pool has no such word", "feature", "the number of a word of the pool"});
  return {std::string(name), SearchEventKind::forgot,
          [id = static_cast<FeatureId>(*feature)](Searcher& searcher) { searcher.unmark(id); }};
}

// If-Match: "17", where the asker looked at a search of 17 events.
void check_if_match(const ServedSearch& search, const HttpRequest& request) {
  if (request.count_of_header("If-Match") == 0) return;
  const std::string_view wanted = request.header("If-Match").value_or(std::string_view());
  if (wanted == "*" || wanted == fmt::format("\"{}\"", search.last())) return;
  throw HttpRefusal({409, "something else was answered meanwhile: look again", "If-Match",
                     fmt::format("\"{}\"", search.last()), search.last()});
}

bool is_undo_kind(SearchEventKind kind) {
  return kind == SearchEventKind::undone || kind == SearchEventKind::redone;
}

// What a request of this name did before, without doing it again.
AnsweredWith answered_before(ServedSearch& search, std::int64_t first, const SaidAnswer& said) {
  const std::span<const SearchEvent> events = search.history().events();
  const SearchEvent& event = events[static_cast<std::size_t>(first) - 1];
  if (event.kind != said.kind) {
    throw HttpRefusal({422,
                       fmt::format("the request {} was {} already, in event {}", quoted_text(said.request),
                                   search_event_name(event.kind), first),
                       "request", "a new name for each request"});
  }
  AnsweredWith answered = {.sequence = first, .is_undo = is_undo_kind(said.kind)};
  for (std::size_t n = static_cast<std::size_t>(first) - 1; answered.is_undo && n < events.size(); ++n) {
    const bool is_other = events[n].sequence != first && search.begins_request(events[n].sequence);
    if (events[n].kind != said.kind || is_other) break;
    answered.undone.push_back(events[n].target);
  }
  return answered;
}

HttpResponse take_answer(ApiParts& parts, const RouteCall& call, ReadAnswer read) {
  const SearchLease lease = parts.sessions.open(call.parts.at("session"), call.user);
  ServedSearch& search = *lease;
  const SaidAnswer said = read(search, call);
  if (const auto before = search.event_of_request(said.request)) {
    const AnsweredWith answered = answered_before(search, *before, said);
    return search_response(201, answered_answer(search, answered), search);
  }
  check_if_match(search, call.request);
  {
    const ServedSearch::Answering answering(search, call.user, said.request);
    said.say(search.searcher());
  }
  const AnsweredWith answered = {.sequence = search.event_of_request(said.request).value_or(search.last()),
                                 .undone = said.undone,
                                 .is_undo = is_undo_kind(said.kind)};
  return search_response(201, answered_answer(search, answered), search);
}

Route answer_route(ApiParts& parts, std::string_view rest, ReadAnswer read) {
  return {"POST", "/api/v1/sessions/{session}" + std::string(rest), RouteAccess::users, RouteBody::json,
          [&parts, read](const RouteCall& call) { return take_answer(parts, call, read); }};
}

}  // namespace

std::vector<Route> answer_routes(ApiParts& parts) {
  Route forget = answer_route(parts, "/words/{feature}", read_forgotten);
  forget.method = "DELETE";
  forget.body = RouteBody::none;
  return {answer_route(parts, "/ratings", read_rating),
          answer_route(parts, "/marks", read_marks),
          answer_route(parts, "/skips", read_skip),
          answer_route(parts, "/undo", read_undo),
          answer_route(parts, "/redo", read_redo),
          answer_route(parts, "/samples", read_sample),
          answer_route(parts, "/notes", read_note),
          answer_route(parts, "/aim", read_aim),
          std::move(forget)};
}

}  // namespace inkling
