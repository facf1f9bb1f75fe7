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
  bool close_if_read() const {
    const auto is_done = [](ServedSearch& search) {
      return search.history().is_closed() || (!search.reading()->grows && search.searcher().left_of_set() == 0);
    };
    if (is_done((*this)[0]) && is_done((*this)[1])) close();
    return (*this)[0].history().is_closed() && (*this)[1].history().is_closed();
  }

  void close() const {
    for (const std::size_t n : {0U, 1U})
      if (!(*this)[n].history().is_closed()) static_cast<void>((*this)[n].searcher().close());
  }

 private:
  std::array<std::optional<SearchLease>, 2> leases_;
};

std::string joint_name_of(const ReadingSet& set) { return fmt::format("{} + {}", set.readers[0], set.readers[1]); }

// A user as the events of a search name people: nothing is the owner.
std::string name_in(const ServedSearch& search, const std::string& user) { return user == search.facts().owner ? "" : user; }

SearchRating rating_of(const WorkRow& said) {
  return {.document = said.document, .reward = *said.rating, .words = said.words, .note = said.note, .tags = said.tags};
}

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

bool holds(std::span<const DocumentId> documents, DocumentId document) {
  return std::ranges::find(documents, document) != documents.end();
}

std::vector<DocumentId> without(std::vector<DocumentId> documents, std::span<const DocumentId> others) {
  std::erase_if(documents, [&](DocumentId document) { return holds(others, document); });
  return documents;
}

// What a reader may still take back although both answered it: the last answer, while something is left to read.
std::optional<DocumentId> last_answer(ServedSearch& search) {
  if (search.history().is_closed() || search.searcher().left_of_set() == 0) return std::nullopt;
  const std::vector<std::int64_t> last = search.searcher().undoable(1);
  return last.empty() ? std::nullopt : search.history().at(last.front()).document;
}

// A reader gets the documents that the other one has, in that one's order, and then those that the search chooses: it learns from
// what both answered. So nobody sees from an own document how far the other one is.
class GrowingPair {
 public:
  /// Requires: this thread has the lease of the search that the documents are of, in the name of its owner, and no other one.
  GrowingPair(const ApiParts& parts, SeenPair pair, ServedSearch& from)
      : parts_(parts), pair_(std::move(pair)), from_(from), both_(parts, pair_) {
    if (pair_.decision) decision_.emplace(parts.sessions.open(pair_.decision->id, pair_.set.decider));
  }

  /// Whatever a program that was killed left half done is done by the next call: ratings come first, and are given once.
  void follow(const std::string& reader) {
    for (const std::size_t n : {0U, 1U})
      if (pair_.set.readers[n] == reader && !both_[n].history().is_closed()) hand_out_to(n);
    compare();
    if (decision_) take_over_decisions();
  }

 private:
  static constexpr std::int64_t kAhead = 2;  // unread documents of a reader: the one on offer, and the next one

  [[nodiscard]] const std::vector<DocumentId>& set_of(std::size_t n) const { return both_[n].history().aim().set; }

  // Whoever is far ahead gets more at once, so that the log stays short.
  void hand_out_to(std::size_t n) {
    const std::int64_t waiting = both_[n].searcher().progress().waiting;
    if (both_[n].searcher().left_of_set() >= kAhead + waiting) return;
    const auto wanted = static_cast<std::size_t>(kAhead + std::ssize(set_of(n)) / 10);
    std::vector<DocumentId> set = set_of(n);
    const std::size_t before = set.size();
    for (const DocumentId document : set_of(1 - n))
      if (set.size() < before + wanted && !holds(set, document) && !both_[n].history().is_rated(document))
        set.push_back(document);
    if (set.size() < before + wanted) {
      // A copy that was separated in this search is none in the searches of the readers.
      const std::span<const DocumentId> copies = from_.pool().pool().copies().rows;
      std::vector<DocumentId> taken(copies.begin(), copies.end());
      taken.insert(taken.end(), set.begin(), set.end());
      taken.insert(taken.end(), set_of(1 - n).begin(), set_of(1 - n).end());
      if (decision_)
        taken.insert(taken.end(), (*decision_)->history().aim().set.begin(), (*decision_)->history().aim().set.end());
      const std::vector<DocumentId> more = from_.searcher().next_beside(std::move(taken), before + wanted - set.size());
      set.insert(set.end(), more.begin(), more.end());
    }
    if (set.size() > before) static_cast<void>(both_[n].searcher().hand_out(std::move(set), joint_name()));
  }

  void compare() {
    std::vector<DocumentId> answered;
    for (const DocumentId document : set_of(0)) {
      const auto is_answered = [&](std::size_t n) {
        return both_[n].history().is_rated(document) && last_answer(both_[n]) != document;
      };
      if (holds(set_of(1), document) && is_answered(0) && is_answered(1)) answered.push_back(document);
    }
    const bool is_closed = both_[0].history().is_closed() && both_[1].history().is_closed();
    if (!answered.empty()) take_over(answered);
    for (const std::size_t n : {0U, 1U}) {
      std::vector<DocumentId> left = is_closed ? std::vector<DocumentId>() : without(set_of(n), answered);
      if (left.size() < set_of(n).size()) static_cast<void>(both_[n].searcher().hand_out(std::move(left), joint_name()));
    }
  }

  void take_over(const std::vector<DocumentId>& answered) {
    const ComparedWork compared({pair_.set.readers[0], answers_of_one(both_[0].history())},
                                {pair_.set.readers[1], answers_of_one(both_[1].history())}, answered);
    const std::vector<DocumentId> conflicts = compared.conflicts();
    std::vector<SearchRating> agreed;
    for (const DocumentId document : answered)
      if (!holds(conflicts, document) && !from_.history().is_rated(document))
        agreed.push_back(joint_rating(compared, pair_.set, document));
    if (!agreed.empty()) static_cast<void>(from_.searcher().take_over(agreed, joint_name()));
    if (!conflicts.empty()) put_before_decider(conflicts);
  }

  void put_before_decider(const std::vector<DocumentId>& conflicts) {
    if (!decision_) decision_.emplace(parts_.sessions.begin(decision_facts(pair_, {}), {}, pair_.set.decider));
    ServedSearch& decision = **decision_;
    std::vector<DocumentId> set = decision.history().aim().set;
    const std::size_t before = set.size();
    for (const DocumentId document : conflicts)
      if (!holds(set, document) && !decision.history().is_rated(document) && !from_.history().is_rated(document))
        set.push_back(document);
    if (set.size() > before) static_cast<void>(decision.searcher().hand_out(std::move(set), joint_name()));
  }

  void take_over_decisions() {
    ServedSearch& decision = **decision_;
    const AnswersOfOne answers = answers_of_one(decision.history());
    const std::optional<DocumentId> last = last_answer(decision);
    std::vector<DocumentId> decided;
    std::vector<SearchRating> ratings;
    for (const DocumentId document : decision.history().aim().set) {
      if (!decision.history().is_rated(document) || document == last) continue;
      decided.push_back(document);
      if (!from_.history().is_rated(document)) ratings.push_back(rating_of(answers.at(document)));
    }
    if (decided.empty()) return;
    if (!ratings.empty()) static_cast<void>(from_.searcher().take_over(ratings, name_in(from_, pair_.set.decider)));
    static_cast<void>(decision.searcher().hand_out(without(decision.history().aim().set, decided), joint_name()));
  }

  [[nodiscard]] std::string joint_name() const { return joint_name_of(pair_.set); }

  const ApiParts& parts_;
  SeenPair pair_;
  ServedSearch& from_;
  BothReaders both_;
  std::optional<SearchLease> decision_;
};

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
      if (pair.set.grows)
        GrowingPair(parts_, pair, search_).follow({});
      else if (are_withheld(of_pair))
        take_over(pair);
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
    if (!agreed.empty()) static_cast<void>(search_.searcher().take_over(agreed, joint_name_of(pair.set)));
    // Of a pair that was ended early: what not both rated is offered again.
    std::vector<DocumentId> unread = without(pair.set.documents, state.compared->documents());
    std::erase_if(unread, [&](DocumentId document) { return !search_.history().is_withheld(document); });
    if (!unread.empty()) static_cast<void>(search_.searcher().release(unread));
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
    if (!decided.empty()) static_cast<void>(search_.searcher().take_over(decided, name_in(search_, pair.set.decider)));
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
    seen.from_owner = one.from == nullptr ? std::string() : one.from->owner;
  }
  if (pair.empty() || seen.searches[0].empty() || seen.searches[1].empty()) throw HttpRefusal(404, "there is no such pair");
  return seen;
}

SessionFacts decision_facts(const SeenPair& pair, std::vector<DocumentId> documents) {
  ReadingSet set = pair.set;
  set.documents = std::move(documents);
  set.is_decision = true;
  SessionFacts facts = pair.facts;
  facts.owner = set.decider;
  facts.name = fmt::format("{} · {} decides", pair.name, set.decider);
  facts.created_ms = milliseconds_now();
  static_cast<void>(take_reading_set(facts.options));
  facts.options = options_with(facts.options, set);
  return facts;
}

PairState state_of(const ApiParts& parts, const SeenPair& pair) {
  PairState state;
  std::array<ComparedWork::Person, 2> people;
  std::vector<DocumentId> among = pair.set.documents;
  {
    const BothReaders both(parts, pair);
    state.is_closed = both.close_if_read();
    if (pair.set.grows) among = answered_for_good(both[0].history(), both[1].history());
    for (const std::size_t n : {0U, 1U}) {
      state.left[n] = both[n].searcher().left_of_set();
      if (state.is_closed || pair.set.grows) people[n] = {pair.set.readers[n], answers_of_one(both[n].history())};
    }
  }
  if (pair.set.grows ? among.empty() : !state.is_closed) return state;
  std::optional<ComparedWork::Person> decider;
  if (pair.decision) {
    const SearchLease decision = parts.sessions.open(pair.decision->id, pair.set.decider);
    decider = {pair.set.decider, answers_of_one(decision->history())};
  }
  state.compared.emplace(std::move(people[0]), std::move(people[1]), among, std::move(decider));
  return state;
}

void end_pair(const ApiParts& parts, const SeenPair& pair) { BothReaders(parts, pair).close(); }

void follow_pair(const ApiParts& parts, const std::optional<ReadingSet>& set, const std::string& user) {
  if (!set || !set->grows) return;
  const std::string owner = pair_seen_by(parts, set->pair, user).from_owner;
  if (owner.empty()) return;
  const SearchLease from = parts.sessions.open(set->from, owner);
  GrowingPair(parts, pair_seen_by(parts, set->pair, user), *from).follow(user);
}

bool is_read_by_two(const ApiParts& parts, const ServedSearch& search) {
  if (!search.has_pairs()) return false;
  const auto is_open = [&](const SessionTable::PairedSearch& one) {
    if (!one.reading->grows || one.reading->is_decision) return false;
    return !parts.sessions.may_be_closed(one.facts->id) ||
           !parts.sessions.open(one.facts->id, one.facts->owner)->history().is_closed();
  };
  return std::ranges::any_of(parts.sessions.drawn_from(search.facts().id), is_open);
}

SearchLease open_with_pairs(const ApiParts& parts, std::string_view session, const std::string& user) {
  std::string owner;
  std::optional<ReadingSet> set;
  {
    SearchLease search = parts.sessions.open(session, user);
    const bool is_handed_out = search->reading() && search->reading()->grows;
    if (!is_handed_out && search->history().aim().withheld.empty() && !search->has_pairs()) return search;
    if (is_handed_out)
      set = search->reading();
    else
      owner = search->facts().owner;
  }
  if (set) {
    follow_pair(parts, set, user);
    return parts.sessions.open(session, user);
  }
  {
    const SearchLease search = parts.sessions.open(session, owner);
    PairsOfSearch(parts, *search).take_over();
  }
  return parts.sessions.open(session, user);
}

void close_when_read(const ApiParts& parts, std::string_view pair, const std::string& user) {
  static_cast<void>(BothReaders(parts, pair_seen_by(parts, pair, user)).close_if_read());
}

}  // namespace inkling
