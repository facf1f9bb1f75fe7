#include "io/doors/serve/pairs.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace inkling {
namespace {

// Leases of both searches, each in the name of its reader. Leases are taken in the order of the ids, which prevents a deadlock.
class BothReaders {
 public:
  BothReaders(const ApiParts& parts, const SeenPair& pair) {
    const bool in_order = pair.searches[0] < pair.searches[1];
    for (const std::size_t n : {std::size_t{in_order ? 0U : 1U}, std::size_t{in_order ? 1U : 0U}})
      leases_[n].emplace(parts.sessions.open(pair.searches[n], pair.set.readers[n]));
  }

  [[nodiscard]] ServedSearch& operator[](std::size_t n) const { return **leases_[n]; }

  // Closes both searches if both readers are done. Returns whether they are closed now.
  bool close() const {
    const auto is_done = [](ServedSearch& search) {
      return search.history().is_closed() || search.searcher().left_of_set() == 0;
    };
    if (!is_done((*this)[0]) || !is_done((*this)[1])) return false;
    for (const std::size_t n : {0U, 1U})
      if (!(*this)[n].history().is_closed()) static_cast<void>((*this)[n].searcher().close());
    return true;
  }

 private:
  std::array<std::optional<SearchLease>, 2> leases_;
};

// What both said of a document on which they agree: of a word, what the first one said; notes with their names.
SearchRating joint_rating(const ComparedWork& compared, const ReadingSet& set, DocumentId document) {
  SearchRating joint = {.document = document};
  for (const std::size_t n : {0U, 1U}) {
    const WorkRow& said = compared.said_by(n, document);
    joint.reward += *said.rating / 2.0;
    for (const SaidWord& word : said.words)
      if (std::ranges::find(joint.words, word.feature, &SaidWord::feature) == joint.words.end()) joint.words.push_back(word);
    for (const std::string& tag : said.tags)
      if (std::ranges::find(joint.tags, tag) == joint.tags.end()) joint.tags.push_back(tag);
    if (said.note.empty()) continue;
    joint.note += fmt::format("{}{}: {}", joint.note.empty() ? "" : "; ", set.readers[n], said.note);
  }
  while (broken_rule_of_tags(joint.tags)) joint.tags.pop_back();  // too many
  return joint;
}

class PairsOfSearch {
 public:
  /// Requires: this thread has the lease of the search in the name of its owner, and no other one.
  PairsOfSearch(const ApiParts& parts, ServedSearch& search) : parts_(parts), search_(search) {}

  void take_over() {
    std::vector<DocumentId> with_nobody = search_.history().aim().withheld;
    for (const SeenPair& pair : pairs()) {
      std::vector<DocumentId> of_pair = pair.set.documents;
      std::ranges::sort(of_pair);
      std::erase_if(with_nobody, [&](DocumentId document) { return std::ranges::binary_search(of_pair, document); });
      if (are_withheld(of_pair)) take_over(pair);
    }
    // A draw that was cut off: its documents were withheld, and nobody got them.
    if (!with_nobody.empty()) static_cast<void>(search_.searcher().release(with_nobody));
  }

 private:
  [[nodiscard]] bool are_withheld(const std::vector<DocumentId>& documents) const {
    return std::ranges::any_of(documents, [&](DocumentId document) { return search_.history().is_withheld(document); });
  }

  [[nodiscard]] std::vector<SeenPair> pairs() const {
    std::vector<SeenPair> pairs;
    for (const SessionTable::PairedSearch& one : parts_.sessions.drawn_from(search_.facts().id))
      if (std::ranges::find(pairs, one.reading->pair, [](const SeenPair& seen) { return seen.set.pair; }) == pairs.end())
        pairs.push_back(pair_seen_by(parts_, one.reading->pair, one.reading->readers.front()));
    return pairs;
  }

  void take_over(const SeenPair& pair) {
    if (!parts_.sessions.may_be_closed(pair.searches[0]) || !parts_.sessions.may_be_closed(pair.searches[1])) return;
    const PairState state = state_of(parts_, pair);
    if (!state.compared) return;
    const std::vector<DocumentId> conflicts = state.compared->conflicts();
    std::vector<SearchRating> agreed;
    for (const DocumentId document : state.compared->documents())
      if (search_.history().is_withheld(document) && std::ranges::find(conflicts, document) == conflicts.end())
        agreed.push_back(joint_rating(*state.compared, pair.set, document));
    if (!agreed.empty())
      static_cast<void>(search_.searcher().take_over(agreed, fmt::format("{} + {}", pair.set.readers[0], pair.set.readers[1])));
    if (pair.decision) take_over_decisions(pair);
  }

  // Once all are there: until then the decider may take one back.
  void take_over_decisions(const SeenPair& pair) {
    const SearchLease decision = parts_.sessions.open(pair.decision->id, pair.set.decider);
    if (decision->searcher().left_of_set() > 0) return;
    if (!decision->history().is_closed()) static_cast<void>(decision->searcher().close());
    const AnswersOfOne answers = answers_of_one(decision->history());
    std::vector<SearchRating> decided;
    for (const DocumentId document : decision->reading()->documents) {
      const WorkRow& said = answers.at(document);
      if (search_.history().is_withheld(document))
        decided.push_back(
            {.document = document, .reward = *said.rating, .words = said.words, .note = said.note, .tags = said.tags});
    }
    const bool is_owner = pair.set.decider == search_.facts().owner;
    if (!decided.empty()) static_cast<void>(search_.searcher().take_over(decided, is_owner ? std::string() : pair.set.decider));
  }

  const ApiParts& parts_;
  ServedSearch& search_;
};

}  // namespace

SeenPair pair_seen_by(const ApiParts& parts, std::string_view pair, const std::string& user) {
  SeenPair seen;
  for (const SessionTable::PairedSearch& one : parts.sessions.paired(user, pair)) {
    if (one.reading->is_decision) {
      seen.decision = *one.facts;
      continue;
    }
    const bool is_first = one.facts->owner == one.reading->readers[0];
    seen.searches[is_first ? 0 : 1] = one.facts->id;
    if (is_first) seen.facts = *one.facts;
    seen.set = *one.reading;
    seen.name = one.from == nullptr ? one.facts->name : one.from->name;
  }
  if (pair.empty() || seen.searches[0].empty() || seen.searches[1].empty()) throw HttpRefusal(404, "there is no such pair");
  return seen;
}

PairState state_of(const ApiParts& parts, const SeenPair& pair) {
  PairState state;
  std::array<ComparedWork::Person, 2> people;
  bool is_closed = false;
  {
    const BothReaders both(parts, pair);
    is_closed = both.close();
    for (const std::size_t n : {0U, 1U}) {
      state.left[n] = both[n].searcher().left_of_set();
      if (is_closed) people[n] = {pair.set.readers[n], answers_of_one(both[n].history())};
    }
  }
  if (!is_closed) return state;
  std::optional<ComparedWork::Person> decider;
  if (pair.decision) {
    const SearchLease decision = parts.sessions.open(pair.decision->id, pair.set.decider);
    decider = {pair.set.decider, answers_of_one(decision->history())};
  }
  state.compared.emplace(std::move(people[0]), std::move(people[1]), pair.set.documents, std::move(decider));
  return state;
}

SearchLease open_with_pairs(const ApiParts& parts, std::string_view session, const std::string& user) {
  std::string owner;
  {
    SearchLease search = parts.sessions.open(session, user);
    if (search->history().aim().withheld.empty()) return search;
    owner = search->facts().owner;
  }
  {
    const SearchLease search = parts.sessions.open(session, owner);
    PairsOfSearch(parts, *search).take_over();
  }
  return parts.sessions.open(session, user);
}

void close_when_read(const ApiParts& parts, std::string_view pair, const std::string& user) {
  static_cast<void>(BothReaders(parts, pair_seen_by(parts, pair, user)).close());
}

}  // namespace inkling
