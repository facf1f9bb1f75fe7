#include "io/search/service/review_report.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include "io/search/events/source_facts.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

/// The searches of one pair in a file.
struct KeptPair {
  ReadingSet set;
  std::array<std::optional<SearchHistory>, 2> read = {};
  std::optional<SearchHistory> decision = {};
};

// The documents that may be compared: all once both searches are closed; of a set that grows, those that neither may change.
std::vector<DocumentId> compared_documents(const KeptPair& pair) {
  const auto& [first, second] = pair.read;
  if (pair.set.grows) return answered_for_good(*first, *second);
  return first->is_closed() && second->is_closed() ? pair.set.documents : std::vector<DocumentId>();
}

// Counts the documents and answers of one search.
class ReportMaker {
 public:
  ReportMaker(const SearchHistory& history, const ReviewOf& review)
      : history_(history), steps_(history.steps()), tally_(review.pools->documents() - history.copies().size()) {
    report_.facts = *review.facts;
    report_.pairs = review.pairs();
    report_.records = review.pools->documents() - history.copies().size();
    tally_.start_over(history);
    count_sources(*review.pools);
    count_events();
    count_ratings();
    count_unread(review.pools->documents());
    add_rule();
  }

  [[nodiscard]] ReviewReport taken() && { return std::move(report_); }

 private:
  void count_sources(const PoolSet& pools) {
    const std::vector<FileOfRecords> files = files_of(pools);
    for (const FileOfRecords& file : files)
      report_.sources.push_back({.name = file.name,
                                 .format = file.format,
                                 .identified = file.documents + file.left_out + file.known,
                                 .left_out = file.left_out,
                                 .across = file.known});
    drop_folders();
    const RowCopies copies = history_.copies();
    for (std::size_t n = 0; n < copies.rows.size(); ++n) {
      const std::size_t source = source_of_row(files, copies.rows[n]);
      ++(source_of_row(files, copies.originals[n]) == source ? report_.sources[source].within : report_.sources[source].across);
    }
    for (const ReportSource& source : report_.sources) {
      report_.all.identified += source.identified;
      report_.all.left_out += source.left_out;
      report_.all.within += source.within;
      report_.all.across += source.across;
    }
    report_.separated = pools.copies().size() - copies.size();
  }

  // A report goes to others, who do not know the folders; they stay where names without them are not different.
  void drop_folders() {
    std::vector<std::string> names;
    names.reserve(report_.sources.size());
    for (const ReportSource& source : report_.sources) names.push_back(std::filesystem::path(source.name).filename().string());
    if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) return;
    for (std::size_t n = 0; n < names.size(); ++n) report_.sources[n].name = names[n];
  }

  void count_events() {
    const std::span<const SearchEvent> events = history_.events();
    report_.question = history_.aim().question;
    report_.events = std::ssize(events);
    report_.taken_back = std::ranges::count_if(
        events, [&](const SearchEvent& event) { return is_answer(event.kind) && !history_.holds(event.sequence); });
    if (events.empty()) return;
    report_.first_ms = events.front().at_ms;
    report_.last_ms = events.back().at_ms;
  }

  ReportCounts& counts_by(const SearchStep& step) {
    if (step.batch) return report_.imported;
    const std::string& actor = history_.at(step.sequence).actor;
    const std::string& name = actor.empty() ? report_.facts.owner : actor;
    const auto known = std::ranges::find(report_.by, name, &std::pair<std::string, ReportCounts>::first);
    return known == report_.by.end() ? report_.by.emplace_back(name, ReportCounts{}).second : known->second;
  }

  // If all ratings of a document count, the last one decides.
  void count_ratings() {
    std::unordered_map<DocumentId, std::int64_t> last;
    for (const SearchStep& step : steps_) {
      (step.kind == StepKind::words ? report_.rated_words : report_.marked_words) += std::ssize(step.words);
      if (step.is_rating()) last[step.document] = step.sequence;
    }
    std::map<std::string, std::int64_t> reasons;
    std::vector<std::pair<std::int64_t, std::int64_t>> curve = {{0, 0}};
    for (const SearchStep& step : steps_) {
      if (!step.is_rating() || last.at(step.document) != step.sequence) continue;
      const bool is_good = is_good_rating(step.reward);
      const auto place = is_good ? &ReportCounts::included : &ReportCounts::excluded;
      ++(report_.screened.*place);
      ++(counts_by(step).*place);
      curve.emplace_back(curve.back().first + 1, report_.screened.included);
      if (is_good) continue;
      const std::vector<std::string>& tags = history_.at(step.sequence).tags;
      for (const std::string& tag : tags) ++reasons[tag];
      if (tags.empty()) ++report_.without_reason;
      if (tags.size() > 1) ++report_.several_reasons;
    }
    for (const auto& [tag, documents] : reasons) report_.reasons.push_back({tag, documents});
    std::ranges::stable_sort(report_.reasons, std::ranges::greater(), &TagCount::documents);
    const std::size_t each = (curve.size() + kPointsOfCurve - 3) / (kPointsOfCurve - 1);
    for (std::size_t n = 0; n + 1 < curve.size(); n += each) report_.curve.push_back(curve[n]);
    report_.curve.push_back(curve.back());
  }

  // Documents of which two readers said different things, and which have no rating yet.
  [[nodiscard]] std::set<DocumentId> undecided() const {
    std::set<DocumentId> documents;
    for (const PairOfReaders& pair : report_.pairs) {
      if (!pair.compared) continue;
      for (const DocumentId document : pair.compared->conflicts())
        if (!history_.is_rated(history_.copies().original_of(document)))
          documents.insert(history_.copies().original_of(document));
    }
    return documents;
  }

  void count_unread(std::int64_t documents) {
    const std::set<DocumentId> undecided = this->undecided();
    std::set<DocumentId> skipped;
    for (const SearchStep& step : steps_)
      if (step.kind == StepKind::skip) skipped.insert(step.document);
    std::string options = report_.facts.options;
    const std::optional<ReadingSet> set = take_reading_set(options);
    const std::set<DocumentId> given = given_by(set);
    report_.facts.options = options;
    for (DocumentId document = 0; document < documents; ++document) {
      if (history_.is_rated(document) || history_.copies().original_of(document) != document) continue;
      if (undecided.contains(document)) {
        ++report_.awaiting;
        continue;
      }
      ++report_.not_screened;
      if (history_.is_withheld(document))
        ++report_.with_readers;
      else if (set && !given.contains(document))
        ++report_.outside;
      else if (skipped.contains(document))
        ++report_.put_off;
    }
  }

  [[nodiscard]] std::set<DocumentId> given_by(const std::optional<ReadingSet>& set) const {
    if (!set) return {};
    const std::vector<DocumentId>& given = set->grows ? history_.aim().set : set->documents;
    return {given.begin(), given.end()};
  }

  void add_rule() {
    report_.progress = tally_.progress();
    if (const std::optional<StopRule>& rule = history_.aim().rule) {
      report_.rule = conditions_of(*rule, report_.progress);
      report_.progress.rule_reached = std::ranges::all_of(report_.rule, &RuleCondition::holds);
    }
  }

  const SearchHistory& history_;
  std::vector<SearchStep> steps_;
  SearchTally tally_;
  ReviewReport report_;
};

}  // namespace

std::int64_t PairOfReaders::decided() const {
  if (!compared) return 0;
  return std::ranges::count_if(compared->conflicts(),
                               [&](DocumentId document) { return compared->decision(document).has_value(); });
}

std::vector<PairOfReaders> pairs_drawn_from(const SessionFile& file, const std::string& search, RowCopies copies) {
  std::vector<KeptPair> kept;
  for (const SessionFacts& facts : file.sessions()) {
    std::string options = facts.options;
    const std::optional<ReadingSet> set = take_reading_set(options);
    if (!set || set->from != search) continue;
    auto pair = std::ranges::find(kept, set->pair, [](const KeptPair& one) { return one.set.pair; });
    if (pair == kept.end()) pair = kept.insert(kept.end(), {.set = *set});
    const bool is_first = facts.owner == set->readers[0];
    (set->is_decision ? pair->decision : pair->read[is_first ? 0 : 1]) = history_of(file.events(facts.id), copies);
  }
  std::vector<PairOfReaders> pairs;
  for (KeptPair& pair : kept) {
    if (!pair.read[0] || !pair.read[1]) continue;
    const std::vector<DocumentId> among = compared_documents(pair);
    std::optional<ComparedWork> compared;
    if (!among.empty()) {
      std::optional<ComparedWork::Person> decider;
      if (pair.decision) decider = {pair.set.decider, answers_of_one(*pair.decision)};
      compared.emplace(ComparedWork::Person{pair.set.readers[0], answers_of_one(*pair.read[0])},
                       ComparedWork::Person{pair.set.readers[1], answers_of_one(*pair.read[1])}, among, std::move(decider));
    }
    pairs.push_back({std::move(pair.set), std::move(compared)});
  }
  return pairs;
}

ReviewReport review_report(const SearchHistory& history, const ReviewOf& review) { return ReportMaker(history, review).taken(); }

}  // namespace inkling
