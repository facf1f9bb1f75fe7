#include "io/search/service/search_request.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "engine/core/nearest_name.hpp"
#include "engine/model/observation.hpp"
#include "io/base/file/json_text.hpp"
#include "io/search/service/asked_words.hpp"

namespace inkling {
namespace {

constexpr std::size_t kLongestNote = 10'000;
constexpr std::size_t kLongestQuestion = 2'000;
constexpr std::int64_t kMostNumber = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostAtOnce = 1'000'000'000;

std::vector<RequestForm> made_forms() {
  using enum SearchVerb;
  return {
      {.verb = next,
       .name = "next",
       .method = "GET",
       .path = "/next",
       .answer = "Next",
       .sentence = "the document on offer: as often as one asks"},
      {.verb = rate,
       .name = "rate",
       .value = "reward",
       .members = {"document", "reward", "words", "note", "tags"},
       .needed = {"reward"},
       .method = "POST",
       .path = "/ratings",
       .answer = "Answered",
       .sentence = "rates a document (that on offer, or any other; a new rating takes the place of an older "
                   "one) and marks or rates words of it; answers with the next one",
       .makes = SearchEventKind::rated},
      {.verb = skip,
       .name = "skip",
       .members = {"document", "hand_on"},
       .method = "POST",
       .path = "/skips",
       .answer = "Answered",
       .sentence = "skips the document; it is offered again after 20 others; with `hand_on`, in a shared search, "
                   "it goes to the next of the others who asks",
       .makes = SearchEventKind::skipped},
      {.verb = separate,
       .name = "separate",
       .value = "document",
       .members = {"document"},
       .needed = {"document"},
       .method = "POST",
       .path = "/separations",
       .answer = "Answered",
       .sentence = "takes a copy apart from its original: it is offered and rated by itself; undo joins them again",
       .makes = SearchEventKind::separated},
      {.verb = query,
       .name = "query",
       .value = "words",
       .members = {"words"},
       .needed = {"words"},
       .method = "POST",
       .path = "/queries",
       .answer = "Answered",
       .sentence = "rates words apart from any document: what is looked for, and what is not wanted",
       .makes = SearchEventKind::marked},
      {.verb = mark,
       .name = "mark",
       .value = "words",
       .members = {"document", "words"},
       .needed = {"document", "words"},
       .method = "POST",
       .path = "/marks",
       .answer = "Answered",
       .sentence = "marks or rates more words of a document that is rated",
       .makes = SearchEventKind::marked},
      {.verb = unmark,
       .name = "unmark",
       .value = "feature",
       .members = {"feature"},
       .needed = {"feature"},
       .method = "DELETE",
       .path = "/words/{feature}",
       .answer = "Answered",
       .sentence = "takes a word out of every answer before; undo brings it back",
       .makes = SearchEventKind::forgot},
      {.verb = sample,
       .name = "sample",
       .value = "count",
       .members = {"count"},
       .needed = {"count"},
       .method = "POST",
       .path = "/samples",
       .answer = "Answered",
       .sentence = "the next `count` documents are drawn at random, so that `good_left` can say more",
       .makes = SearchEventKind::sampled},
      {.verb = note,
       .name = "note",
       .value = "note",
       .members = {"note"},
       .needed = {"note"},
       .method = "POST",
       .path = "/notes",
       .answer = "Answered",
       .sentence = "keeps a note",
       .makes = SearchEventKind::noted},
      {.verb = aim,
       .name = "aim",
       .members = {"question", "rule", "reasons", "coloured"},
       .method = "POST",
       .path = "/aim",
       .answer = "Answered",
       .sentence = "what is looked for in own words, when to stop, reasons to leave documents out and words to "
                   "colour; what is not given stays as it was, `rule` null removes it",
       .makes = SearchEventKind::aimed},
      {.verb = undo,
       .name = "undo",
       .value = "count",
       .members = {"count", "sequence"},
       .method = "POST",
       .path = "/undo",
       .answer = "Answered",
       .sentence = "takes back the last answer, the last `count`, or the one with this number (never both); exact",
       .makes = SearchEventKind::undone},
      {.verb = redo,
       .name = "redo",
       .value = "count",
       .members = {"count"},
       .method = "POST",
       .path = "/redo",
       .answer = "Answered",
       .sentence = "brings back the answer taken back last, or the last `count`, unless something else was "
                   "answered since",
       .makes = SearchEventKind::redone},
      {.verb = why,
       .name = "why",
       .members = {"document"},
       .method = "GET",
       .path = "/documents/{document}/why",
       .answer = "Why",
       .sentence = "why a document has the score that it has"},
      {.verb = words,
       .name = "words",
       .value = "limit",
       .members = {"limit"},
       .method = "GET",
       .path = "/words",
       .answer = "Words",
       .sentence = "what was learned of words, and which ones one would like to know about",
       .count = 100,
       .most = 10'000},
      {.verb = tags,
       .name = "tags",
       .method = "GET",
       .path = "/tags",
       .answer = "Tags",
       .sentence = "the tags that were given with ratings, each with its number of documents, the most "
                   "frequent first"},
      {.verb = ranking,
       .name = "ranking",
       .value = "top",
       .members = {"top"},
       .method = "GET",
       .path = "/ranking",
       .answer = "DocumentLines",
       .sentence = "the best documents without a rating, by what was learned",
       .count = 10,
       .most = 1'000},
      {.verb = found,
       .name = "found",
       .method = "GET",
       .path = "/found",
       .answer = "DocumentLines",
       .sentence = "the good documents that were found, the best first"},
      {.verb = copies,
       .name = "copies",
       .value = "limit",
       .members = {"limit", "after"},
       .method = "GET",
       .path = "/copies",
       .answer = "Copies",
       .sentence = "the documents that are not offered because each is a copy of another one, by that one; after so many of "
                   "them, with `after`",
       .count = 100,
       .most = 10'000},
      {.verb = progress,
       .name = "progress",
       .method = "GET",
       .path = "/progress",
       .answer = "ProgressCurve",
       .sentence = "how far it is, and the rewards in their order for a curve"},
      {.verb = events,
       .name = "events",
       .value = "limit",
       .members = {"limit", "after"},
       .method = "GET",
       .path = "/events",
       .answer = "Events",
       .sentence = "what happened, in order; with Accept: application/x-ndjson all ratings that hold, as a file of "
                   "events that `import`, `inkling score --events` and `inkling search --import` read",
       .other_types = {"application/x-ndjson"},
       .count = 100,
       .most = 10'000},
      {.verb = export_work,
       .name = "export",
       .value = "format",
       .members = {"format", "which", "columns"},
       .method = "GET",
       .path = "/export",
       .answer = "Export",
       .sentence = "the records with what was said of them, as a file; where Accept names the type of the "
                   "format, the file itself",
       .other_types = {"text/csv", "application/x-ndjson", "application/x-research-info-systems",
                       "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}},
      {.verb = report,
       .name = "report",
       .value = "as",
       .members = {"as", "language"},
       .method = "GET",
       .path = "/report",
       .answer = "Report",
       .sentence = "the report of the review with the numbers of PRISMA 2020: as JSON, as a page of HTML, or as CSV",
       .other_types = {"text/html", "text/csv"}},
      // Its address by HTTP is below a pool, because it is asked before there is a search.
      {.verb = asked, .name = "asked", .value = "text", .members = {"text"}, .needed = {"text"}},
  };
}

/// A member of requests, and how it is read.
struct MemberForm {
  std::string_view name;
  std::string_view is;  // for messages
  std::string_view schema;
  void (*read)(SearchRequest&, const RequestMembers&, const RequestMembers::Member&, const EventScope&);
};

using Request = SearchRequest;
using Members = RequestMembers;
using Member = RequestMembers::Member;

// Reads one of the names of a table.
template <typename Value, std::size_t size>
Value named(const Members& members, const Member& member, const EnumName<Value> (&names)[size]) {
  const std::string name = members.text(member, 0, kLongestNote);
  if (const std::optional<Value> value = value_of(name, names)) return *value;
  std::string all;
  for (const EnumName<Value>& one : names) all += (all.empty() ? "" : ", ") + std::string(one.name);
  members.refuse(member.name, member.value, "one of " + all);
}

void read_count(Request& request, const Members& members, const Member& member, const EventScope&) {
  request.count = members.whole(member, 1, kMostAtOnce);
}

constexpr MemberForm kMembers[] = {
    {"document", "a document",
     R"({"type":"integer","minimum":0,"description":"its row in the pool, or where the pool has ids, its id"})",
     [](Request& request, const Members& members, const Member& member, const EventScope& scope) {
       request.document = members.document(member, scope);
     }},
    {"reward", "the rating, a number", R"({"type":"number"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.reward = members.real(member, kLargestReward);
     }},
    {"words", "an array of words", R"({"type":"array","items":{"$ref":"#/components/schemas/WordSaid"}})",
     [](Request& request, const Members& members, const Member& member, const EventScope& scope) {
       request.words = members.words(member, scope);
     }},
    {"feature", "a word", R"({"type":"integer","minimum":0})",
     [](Request& request, const Members& members, const Member& member, const EventScope& scope) {
       request.feature = members.feature(member, scope);
     }},
    {"count", "a whole number", R"({"type":"integer","minimum":1,"maximum":1000000000})", read_count},
    {"limit", "a whole number", R"({"type":"integer","minimum":1})", read_count},
    {"top", "a whole number", R"({"type":"integer","minimum":1})", read_count},
    {"sequence", "the number of an event", R"({"type":"integer","minimum":1})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.sequence = members.whole(member, 1, kMostNumber);
     }},
    {"hand_on", "true or false", R"({"type":"boolean","default":false})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.hand_on = members.truth(member);
     }},
    {"after", "a whole number", R"({"type":"integer","minimum":0})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.after = members.whole(member, 0, kMostNumber);
     }},
    {"note", "a text", R"({"type":"string","maxLength":10000})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.note = members.text(member, request.verb == SearchVerb::note ? 1 : 0, kLongestNote);
     }},
    {"tags", "an array of texts", R"({"type":"array","maxItems":20,"items":{"type":"string","minLength":1,"maxLength":100}})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.tags = members.tags(member);
     }},
    {"text", "words, or a sentence", R"({"type":"string","maxLength":10000})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.text = members.text(member, 0, kLongestAsked);
     }},
    {"question", "a text", R"({"type":"string","maxLength":2000})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.question = members.text(member, 0, kLongestQuestion);
     }},
    {"rule", "an object or null", R"({"anyOf":[{"$ref":"#/components/schemas/Rule"},{"type":"null"}]})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.rule = members.rule(member);
     }},
    {"reasons", "an array of texts",
     R"({"type":"array","maxItems":20,"items":{"type":"string","minLength":1,"maxLength":100},"description":"why documents are left out: tags that one key gives"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.reasons = members.tags(member);
     }},
    {"coloured", "an array of texts",
     R"({"type":"array","maxItems":5,"items":{"type":"string","maxLength":2000},"description":"words that are only coloured, divided by commas, for each colour in turn"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.coloured = members.coloured(member);
     }},
    {"format", "a format", R"({"type":"string","enum":["csv","jsonl","ris","xlsx"],"default":"csv"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.format = named(members, member, kWorkFormats);
     }},
    {"which", "which documents", R"({"type":"string","enum":["all","good","unread","everything"],"default":"all"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.which = named(members, member, kWorkChoices);
     }},
    {"columns", "which columns", R"({"type":"string","enum":["all","decision"],"default":"all"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.columns = named(members, member, kWorkColumns);
     }},
    {"as", "a format", R"({"type":"string","enum":["json","html","csv"],"default":"json"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.as = named(members, member, kReportFormats);
     }},
    {"language", "a language", R"({"type":"string","enum":["en","de","es"],"default":"en"})",
     [](Request& request, const Members& members, const Member& member, const EventScope&) {
       request.language = named(members, member, kLanguages);
     }}};

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// The form of the request: the first of the table whose name is a member of the line. The order matters, because "words" and
// "note" may also be members of "rate". Without "rate", an array of "words" is a query.
const RequestForm& form_in(const Members& members) {
  std::string names;
  std::vector<std::string> all;
  for (const RequestForm& form : request_forms()) {
    const Member* const member = members.find(form.name);
    const bool is_query = form.verb == SearchVerb::words && member != nullptr && json_kind(member->value.text) == JsonKind::array;
    if (is_query) return form_of(SearchVerb::query);
    if (member != nullptr) return form;
    names += (all.empty() ? "" : ", ") + std::string(form.name);
    all.emplace_back(form.name);
  }
  const std::string expected = "one of " + names;
  if (!members.all().empty()) {
    const Member& first = members.all().front();
    members.refuse(first.name, first.written, expected + did_you_mean("", first.name, all));
  }
  throw RequestError(1, {}, "no member", expected);
}

}  // namespace

std::span<const RequestForm> request_forms() {
  static const std::vector<RequestForm> forms = made_forms();
  return forms;
}

const RequestForm& form_of(SearchVerb verb) { return *std::ranges::find(request_forms(), verb, &RequestForm::verb); }

std::string_view schema_of_member(std::string_view name) { return std::ranges::find(kMembers, name, &MemberForm::name)->schema; }

SearchRequest read_search_request(std::string_view line, const EventScope& scope) {
  if (line.size() > kLongestRequest)
    throw FormatError("a line that is too long", fmt::format("expected a request of at most {} bytes", kLongestRequest));
  RequestMembers members(line);
  const RequestForm& form = form_in(members);
  const std::string_view named = members.has(form.name) ? form.name : "words";
  const Member& naming = *members.find(named);
  const bool is_true = naming.value.text == "true";
  const bool has_value = !form.value.empty() && (!is_true || !form.needed.empty());
  if (!has_value && !is_true) members.refuse(naming.name, naming.value, "true");
  if (has_value && named != form.value) {
    if (const Member* const other = members.find(form.value))
      members.refuse(other->name, other->written, fmt::format("it as the value of \"{}\"", named));
    members.rename(named, form.value);
  }
  const std::array<std::string_view, 2> others = {"full", form.name};
  SearchRequest request = read_search_request(members, form.verb, scope, std::span(others).first(has_value ? 1 : 2));
  if (const Member* const full = members.find("full")) request.full = members.truth(*full);
  return request;
}

SearchRequest read_search_request(const RequestMembers& members, SearchVerb verb, const EventScope& scope,
                                  std::span<const std::string_view> others) {
  const RequestForm& form = form_of(verb);
  std::vector<std::string_view> names(form.members);
  names.insert(names.end(), others.begin(), others.end());
  members.check_only(names);
  SearchRequest request = {.verb = verb};
  for (const MemberForm& form_of_member : kMembers) {
    const bool is_needed = is_among(form_of_member.name, form.needed);
    const Member* const member =
        is_needed ? &members.need(form_of_member.name, form_of_member.is) : members.find(form_of_member.name);
    if (member != nullptr && !is_among(form_of_member.name, others)) form_of_member.read(request, members, *member, scope);
  }
  if (request.count && request.sequence)
    members.refuse("sequence", members.find("sequence")->value, "\"count\" or \"sequence\", not both");
  if (verb == SearchVerb::query && request.words.empty())
    members.refuse("words", members.find("words")->value, "at least one word");
  return request;
}

}  // namespace inkling
