#include "io/include/inkling/search.hpp"

#include <utility>

#include "engine/core/errors.hpp"
#include "engine/policy/presets.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/search/events/setting_values.hpp"
#include "io/search/score/event_scope.hpp"
#include "io/search/session/kept_search_form.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {
namespace {

SessionFacts begun_facts(const OpenedPool& pool, const std::string& name, const NewSearch& begin, std::string fingerprint) {
  const Preset& preset = preset_named(begin.policy);
  if (!can_search_with(preset)) throw FormatError("policy", "expected a policy to search with, got '" + begin.policy + "'");
  SessionFacts facts = facts_of_new_search(name, pool.path(), std::move(fingerprint));
  facts.policy = preset.name;
  PolicyOptions options = begin.options;
  options.with_replacement = false;
  facts.options = options_text(options, preset);
  facts.seed = begin.seed;
  return facts;
}

// Opens the search of this name, or begins it if there is none.
SessionFacts opened_search(SessionFile& file, const OpenedPool& pool, const std::string& name, const NewSearch& begin) {
  const EventScope scope = event_scope_of(pool.whole().members());
  const std::optional<SessionFacts> found = search_named(file, name);
  if (!found) return file.begin(begun_facts(pool, name, begin, scope.fingerprint));
  if (scope.knows_pool(found->fingerprint)) return *found;
  throw FormatError(file.path(), "the search '" + name + "' is one of another pool, " + found->pool);
}

}  // namespace

class Search::State {
 public:
  State(const OpenedPool& pool, const std::string& path, const std::string& name, const NewSearch& begin)
      : file_(path, SessionAccess::write),
        facts_(opened_search(file_, pool, name, begin)),
        searcher_(pool.view(), settings_of_search(facts_, &pool.whole().pool()), file_.events(facts_.id),
                  [this](std::span<const SearchEvent> events) { keep(events); }) {}

  [[nodiscard]] Searcher& searcher() noexcept { return searcher_; }
  [[nodiscard]] const Searcher& searcher() const noexcept { return searcher_; }

 private:
  void keep(std::span<const SearchEvent> events) {
    const SessionBatch batch = {.session = facts_.id, .actor = facts_.owner, .events = events};
    file_.append(std::span(&batch, 1));
  }

  SessionFile file_;
  SessionFacts facts_;
  Searcher searcher_;
};

Search::Search(const OpenedPool& pool, const std::string& file, const std::string& name, const NewSearch& begin)
    : state_(std::make_unique<State>(pool, file, name, begin)) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

std::optional<DocumentId> Search::next() {
  const std::optional<Offer> offer = state_->searcher().next();
  return offer ? std::optional(offer->document) : std::nullopt;
}

void Search::rate(DocumentId document, double rating, std::span<const SaidWord> words) {
  static_cast<void>(
      state_->searcher().rate({.document = document, .reward = rating, .words = std::vector(words.begin(), words.end())}));
}

void Search::rate_words(std::span<const SaidWord> words) { static_cast<void>(state_->searcher().rate_words(words)); }

void Search::skip() { static_cast<void>(state_->searcher().skip()); }
void Search::take_back() { static_cast<void>(state_->searcher().undo()); }
std::vector<Ranked> Search::ranking(std::size_t count) { return state_->searcher().ranking(count); }

SearchSummary Search::progress() const {
  const SearchProgress progress = std::as_const(*state_).searcher().progress();
  return {.documents = progress.documents, .rated = progress.rated, .good = progress.good, .without_good = progress.without_good};
}

ScoreReasons Search::why(DocumentId document) const {
  const Why why = std::as_const(*state_).searcher().why(document);
  ScoreReasons reasons = {.mean = why.mean, .width = why.width, .base = why.base, .vector = why.vector, .reasons = {}};
  for (const WordPart& part : why.parts)
    reasons.reasons.push_back(
        {.feature = part.feature, .value = part.value, .weight = part.weight, .contribution = part.contribution});
  return reasons;
}

}  // namespace inkling
