#include "io/doors/protocol/search_protocol.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/search/events/reason.hpp"

namespace inkling {
namespace {

// Words and documents that are shown where no number is given.
constexpr std::int64_t kWordsAnswered = 100;
constexpr std::int64_t kDocumentsRanked = 10;

std::string refusal(std::string_view error, std::string_view expected) {
  constexpr std::string_view beginning = "expected ";
  if (expected.starts_with(beginning)) expected.remove_prefix(beginning.size());
  return JsonWriter().begin_object().member("error", error).member("expected", expected).end_object().take();
}

void write_document(JsonWriter& json, const Pool& pool, DocumentId document) {
  json.member("document", document);
  if (const auto id = pool.id(document)) json.member("id", *id);
}

void write_word(JsonWriter& json, const Pool& pool, FeatureId feature) {
  json.member("feature", feature);
  if (pool.vocabulary()) json.member("word", (*pool.vocabulary())[feature]);
}

}  // namespace

std::string reason_of_why(const Why& why, const Pool& pool) {
  std::vector<HeldWord> held;
  held.reserve(why.parts.size());
  for (const WordPart& part : why.parts) {
    if (!part.said) continue;
    std::string name = pool.vocabulary() ? std::string((*pool.vocabulary())[part.feature])
                                         : "feature " + std::to_string(part.feature);
    held.push_back({std::move(name), opinion_of(*part.said)});
  }
  return reason_text(held);
}

std::string SearchProtocol::answer(std::string_view line) {
  try {
    return answer_to(read_search_request(line, scope_));
  } catch (const CorruptFileError&) {
    throw;
  } catch (const FormatError& error) {
    return refusal(error.where(), error.expectation());
  } catch (const NumericalError& error) {
    return refusal(error.what(), "ratings that can be learned from together with the earlier ones");
  } catch (const SystemError& error) {
    return refusal(error.what(), "a file that can be written; nothing of this request was kept");
  }
}

std::string SearchProtocol::answer_to(const SearchRequest& request) {
  switch (request.verb) {
    case SearchVerb::next:
      return on_offer(std::nullopt);
    case SearchVerb::why:
      return why(request);
    case SearchVerb::words:
      return words(static_cast<std::size_t>(request.count.value_or(kWordsAnswered)));
    case SearchVerb::ranking:
      return ranking(static_cast<std::size_t>(request.count.value_or(kDocumentsRanked)));
    case SearchVerb::progress:
      return progress();
    case SearchVerb::note:
      return JsonWriter().begin_object().member("answered", change(request)).end_object().take();
    default:
      return on_offer(change(request));
  }
}

std::int64_t SearchProtocol::change(const SearchRequest& request) {
  switch (request.verb) {
    case SearchVerb::rate:
      return searcher_.rate({request.document, request.reward, request.words, request.note});
    case SearchVerb::skip:
      return searcher_.skip(request.document);
    case SearchVerb::mark:
      return searcher_.mark(*request.document, request.words);
    case SearchVerb::query:
      return searcher_.rate_words(request.words);
    case SearchVerb::unmark:
      return searcher_.unmark(*request.feature);
    case SearchVerb::sample:
      return searcher_.sample(*request.count);
    case SearchVerb::redo:
      return searcher_.redo_last(request.count.value_or(1));
    case SearchVerb::undo:
      return request.sequence ? searcher_.undo(request.sequence)
                              : searcher_.undo_last(request.count.value_or(1));
    default:
      return searcher_.note(request.note);
  }
}

std::string SearchProtocol::on_offer(std::optional<std::int64_t> answered) {
  const std::optional<Offer> offer = searcher_.next();
  JsonWriter json;
  json.begin_object();
  if (!offer) {
    json.key("document").null();
  } else {
    write_document(json, pool_, offer->document);
    if (pool_.texts()) json.member("text", (*pool_.texts())[offer->document]);
    json.member("explored", offer->explored).member("mean", offer->mean).member("width", offer->width);
    json.member("sequence", searcher_.shown());
  }
  if (answered) json.member("answered", *answered);
  return json.end_object().take();
}

std::string SearchProtocol::why(const SearchRequest& request) {
  std::optional<DocumentId> document = request.document;
  if (const std::optional<Offer> offer = searcher_.next(); offer && !document) document = offer->document;
  if (!document) throw FormatError("no document is on offer", "expected \"why\" with \"document\"");
  const Why why = searcher_.why(*document);
  JsonWriter json;
  json.begin_object();
  write_document(json, pool_, *document);
  json.member("explored", why.explored).member("mean", why.mean).member("width", why.width);
  json.member("radius", why.radius);
  if (why.base != 0.0) json.member("base", why.base);
  if (const std::string reason = reason_of_why(why, pool_); !reason.empty()) json.member("reason", reason);
  json.key("words").begin_array();
  for (const WordPart& part : why.parts) {
    json.begin_object();
    write_word(json, pool_, part.feature);
    json.member("value", part.value).member("weight", part.weight);
    json.member("contribution", part.contribution).member("width_share", part.width_share);
    if (part.said) json.member("marked", leaning(*part.said));
    json.end_object();
  }
  return json.end_array().end_object().take();
}

std::string SearchProtocol::words(std::size_t count) const {
  JsonWriter json;
  json.begin_object().key("words").begin_array();
  for (const LearnedWord& word : searcher_.words(count)) {
    json.begin_object();
    write_word(json, pool_, word.feature);
    json.member("weight", word.weight).member("deviation", word.deviation).member("marked", leaning_of(word));
    if (word.apart) json.member("query", true);
    json.end_object();
  }
  return json.end_array().end_object().take();
}

std::string SearchProtocol::ranking(std::size_t count) {
  JsonWriter json;
  json.begin_object().key("documents").begin_array();
  for (const Ranked& ranked : searcher_.ranking(count)) {
    json.begin_object();
    write_document(json, pool_, ranked.document);
    json.member("score", ranked.score).end_object();
  }
  return json.end_array().end_object().take();
}

std::string SearchProtocol::progress() const {
  const SearchProgress progress = searcher_.progress();
  JsonWriter json;
  json.begin_object().member("documents", progress.documents).member("rated", progress.rated);
  json.member("good", progress.good).member("waiting", progress.waiting);
  json.member("sample_left", progress.sample_left).key("good_left").begin_object();
  json.member("about", progress.left.about).member("at_most", progress.left.at_most);
  json.member("confidence", progress.left.confidence).member("draws", progress.left.draws);
  return json.end_object().end_object().take();
}

}  // namespace inkling
