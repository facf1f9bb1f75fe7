// What is claimed of searches with the policy inkling, decided by numbers.
#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bench/beyond/search_results.hpp"
#include "bench/paper/data/search_pools.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/search_measures.hpp"
#include "io/search/events/learning.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kOurs = kDefaultPolicy;
/// The rivals in wide use.
constexpr std::string_view kInUse[] = {"autotar", "asreview"};

/// Our number must be at most `factor` times that of the best rival.
struct Bound {
  std::string name;
  TrialNumber number;
  double factor = 1.0;
};

/// Adds the means of both and their difference, trial by trial; fails where ours is above the bound.
void compare(Decision& decision, const EntrantResult& ours, const EntrantResult& rival, const Bound& bound) {
  const Estimate mean = estimate_over_trials(ours, bound.number);
  const Estimate other = estimate_over_trials(rival, bound.number);
  decision.numbers.push_back({fmt::format("{}, {}", bound.name, kOurs), mean});
  decision.numbers.push_back({fmt::format("{}, {}", bound.name, rival.entrant.name), other});
  decision.numbers.push_back({fmt::format("{}, difference", bound.name), paired_difference(ours, rival, bound.number)});
  if (mean.mean > bound.factor * other.mean) decision.verdict = Verdict::fails;
}

/// Whether every trial of the case showed this many documents.
bool shows(const Results& results, const SearchCase& searched, std::int64_t documents) {
  const std::vector<std::int64_t> firsts = first_documents(results, searched);
  return std::ranges::find(firsts, documents) != firsts.end();
}

/// The bounds against the better one of `rivals` in one case; not comparable if none of them played.
Decision against_best(const Results& results, std::string_view name, std::span<const std::string_view> rivals,
                      const std::vector<std::int64_t>& firsts, double factor) {
  const SearchCase& searched = search_case(name);
  const std::vector<const EntrantResult*> players = players_in(results, searched);
  const EntrantResult* ours = player_named(players, kOurs);
  Decision decision{Verdict::not_comparable, {}};
  if (ours == nullptr) return decision;
  for (const std::int64_t documents : firsts) {
    const TrialNumber number = useless(documents);
    const EntrantResult* rival = best_of(players, rivals, number);
    if (rival == nullptr || !shows(results, searched, documents)) continue;
    if (decision.numbers.empty()) decision.verdict = Verdict::holds;
    compare(decision, *ours, *rival, {fmt::format("useless among {}", documents), number, factor});
  }
  return decision;
}

ClaimRule better_than(std::string id, std::string sentence, std::string_view name, std::vector<std::int64_t> firsts,
                      double factor) {
  return {std::move(id), ClaimBy::ours, std::move(sentence),
          [name, firsts = std::move(firsts), factor](const Results& results) {
            return against_best(results, name, kInUse, firsts, factor);
          },
          std::string(name)};
}

constexpr std::string_view kWithoutMarks = "without marks";
constexpr std::string_view kWithMarks = "with 20 words marked with p = 0.3";
constexpr std::int64_t kLongSearch = 768;

/// The expected count holds for five topics of 20 Newsgroups only; with a user's pool the claim is not comparable.
ClaimRule finds_at_least(std::string id, std::string sentence, std::string_view name, double least) {
  return {std::move(id), ClaimBy::ours, std::move(sentence),
          [name, least](const Results& results) {
            const SearchCase& searched = search_case(name);
            const EntrantResult* ours = player_named(players_in(results, searched), kOurs);
            Decision decision{Verdict::not_comparable, {}};
            if (ours == nullptr || !shows(results, searched, kLongSearch)) return decision;
            if (results.context().searches != nullptr && results.context().searches->given) return decision;
            const Estimate found =
                estimate_over_trials(*ours, [](const TrialResult& trial) { return found_among(trial, kLongSearch); });
            decision.numbers.push_back({fmt::format("found in {}", kLongSearch), found});
            decision.verdict = found.mean >= least ? Verdict::holds : Verdict::fails;
            return decision;
          },
          std::string(name)};
}

/// The cases that search until 95 % are found; for the rarer topics, the first documents are counted, too.
constexpr std::string_view kSearchedToTheEnd[] = {"rare-5-part", "rare-1", "rare-0.3"};
constexpr std::span<const std::string_view> kRarerTopics = std::span(kSearchedToTheEnd).subspan(1);

/// The cases that were run, in the given order.
std::vector<std::string_view> cases_run(const Results& results, std::span<const std::string_view> names,
                                        std::string_view suffix) {
  std::vector<std::string_view> cases;
  for (const SearchCase& searched : search_cases()) {
    const auto is_wanted = [&](std::string_view name) {
      return searched.name.starts_with(name) && searched.name.substr(name.size()) == suffix;
    };
    if (std::ranges::any_of(names, is_wanted) && results.has(searched.name)) cases.push_back(searched.name);
  }
  return cases;
}

/// Compares with the best of all rivals over all these cases together.
Decision over_topics(const Results& results, const std::vector<std::string_view>& cases, const std::vector<Bound>& bounds) {
  Decision decision{Verdict::not_comparable, {}};
  const std::optional<EntrantResult> ours = over_cases(results, cases, kOurs);
  if (!ours) return decision;
  std::vector<EntrantResult> rivals;
  for (const std::string_view name : search_rivals())
    if (std::optional<EntrantResult> rival = over_cases(results, cases, name)) rivals.push_back(*std::move(rival));
  if (rivals.empty()) return decision;
  decision.verdict = Verdict::holds;
  for (const Bound& bound : bounds) {
    const auto best = std::ranges::min_element(
        rivals, {}, [&](const EntrantResult& rival) { return estimate_over_trials(rival, bound.number).mean; });
    compare(decision, *ours, *best, bound);
  }
  return decision;
}

/// A quick run shows too few documents of a search to count those for 95 %.
std::vector<Bound> reading_bound(const Results& results, double factor) {
  if (results.settings().effort == PaperEffort::quick) return {};
  return {{"to read for 95 %", reading_for(0.95), factor}};
}

std::vector<Bound> first_bounds(const Results& results, double factor) {
  std::vector<Bound> bounds = {{"useless among 25", useless(25), factor}};
  if (results.settings().effort == PaperEffort::full) bounds.push_back({"useless among 100", useless(100), factor});
  return bounds;
}

using BoundsOf = std::vector<Bound> (*)(const Results&, double);

ClaimRule on_cases(std::string id, std::string sentence, std::span<const std::string_view> names, std::string_view suffix,
                   BoundsOf bounds, double factor) {
  return {std::move(id), ClaimBy::ours, std::move(sentence),
          [names, suffix, bounds, factor](const Results& results) {
            const std::vector<Bound> wanted = bounds(results, factor);
            if (wanted.empty()) return Decision{Verdict::not_comparable, {}};
            return over_topics(results, cases_run(results, names, suffix), wanted);
          },
          fmt::format("rare-1{}", suffix)};
}

ClaimRule on_rare_topics(std::string id, std::string_view marks, std::string_view times, std::string_view name,
                         std::int64_t documents, double factor) {
  return better_than(std::move(id),
                     fmt::format("On topics of at most 5 % {} inkling shows at most {} times the useless "
                                 "documents of the better of AutoTAR and ASReview among the first {}.",
                                 marks, times, documents),
                     name, {documents}, factor);
}

Decision found_early(const Results& results) {
  constexpr std::int64_t early = 3;
  constexpr double enough = 0.9;
  const EntrantResult* ours = player_named(players_in(results, search_case("by-words")), kOurs);
  if (ours == nullptr) return {Verdict::not_comparable, {}};
  const Estimate share = estimate_over_trials(
      *ours, [](const TrialResult& trial) { return first_find(trial).value_or(early + 1) <= early ? 1.0 : 0.0; });
  return {share.mean >= enough ? Verdict::holds : Verdict::fails, {{"share of searches", share}}};
}

Decision few_fail(const Results& results) {
  constexpr double most = 0.01;
  const SearchCase& searched = search_case("mistakes");
  const std::int64_t documents = first_documents(results, searched).back();
  Decision decision{Verdict::not_comparable, {}};
  for (const EntrantResult* player : players_in(results, searched)) {
    const Estimate failed = share_failed(*player, documents, topics_in(results.context(), searched));
    decision.numbers.push_back({fmt::format("share failed, {}", player->entrant.name), failed});
    if (player->entrant.name == kOurs) decision.verdict = failed.mean <= most ? Verdict::holds : Verdict::fails;
  }
  return decision;
}

/// Compares with every rival at the end of the search.
Decision best_of_all(const Results& results, std::string_view name) {
  const SearchCase& searched = search_case(name);
  const std::vector<const EntrantResult*> players = players_in(results, searched);
  const EntrantResult* ours = player_named(players, kOurs);
  Decision decision{Verdict::not_comparable, {}};
  if (ours == nullptr) return decision;
  const std::int64_t documents = first_documents(results, searched).back();
  for (const std::string_view rival : search_rivals()) {
    const EntrantResult* other = player_named(players, rival);
    if (other == nullptr) continue;
    if (decision.numbers.empty()) decision.verdict = Verdict::holds;
    const Estimate difference = paired_difference(*ours, *other, useless(documents));
    decision.numbers.push_back({fmt::format("useless among {}, minus those of {}", documents, rival), difference});
    if (difference.mean >= 0.0) decision.verdict = Verdict::fails;
  }
  return decision;
}

ClaimRule rule_of(std::string id, std::string sentence, Decision (*decide)(const Results&), std::string_view study) {
  return {std::move(id), ClaimBy::ours, std::move(sentence), decide, std::string(study)};
}

}  // namespace

std::vector<ClaimRule> search_claims() {
  return {finds_at_least("searches-unmarked-found",
                         "Without marks inkling finds at least 751 wanted documents among the first 768.", "topics", 751.0),
          better_than("searches-unmarked",
                      "Without marks inkling shows at most as many useless documents as the better of AutoTAR and "
                      "ASReview among the first 100, 200 and 400.",
                      "topics", {100, 200, 400}, 1.0),
          better_than("searches-marked",
                      "With 20 words marked with p = 0.3 inkling shows at most half as many useless documents as the "
                      "better of AutoTAR and ASReview among the first 25 and 100.",
                      "topics-20-words", {25, 100}, 0.5),
          finds_at_least("searches-marked-found",
                         "With 20 words marked with p = 0.3 inkling finds at least 756 wanted documents among the "
                         "first 768.",
                         "topics-20-words", 756.0),
          on_rare_topics("searches-rare-25", kWithoutMarks, "0.7", "rare-5", 25, 0.7),
          on_rare_topics("searches-rare-100", kWithoutMarks, "0.7", "rare-5", 100, 0.7),
          on_rare_topics("searches-rare-marked-25", kWithMarks, "0.4", "rare-5-20-words", 25, 0.4),
          on_rare_topics("searches-rare-marked-100", kWithMarks, "0.4", "rare-5-20-words", 100, 0.4),
          on_cases("searches-rarer",
                   "On topics of at most 1 % without marks inkling shows at most 0.7 times the useless documents "
                   "of the best rival among the first 25 and 100.",
                   kRarerTopics, "", first_bounds, 0.7),
          on_cases("searches-rarer-marked",
                   "On topics of at most 1 % with 20 words marked with p = 0.3 inkling shows at most 0.4 times "
                   "the useless documents of the best rival among the first 25 and 100.",
                   kRarerTopics, "-20-words", first_bounds, 0.4),
          on_cases("searches-rare-all",
                   "On topics of at most 5 % without marks inkling needs no more documents for 95 % of all than "
                   "the best rival.",
                   kSearchedToTheEnd, "", reading_bound, 1.0),
          on_cases("searches-rare-all-marked",
                   "On topics of at most 5 % with 20 words marked with p = 0.3 inkling needs at most 0.8 times "
                   "the documents of the best rival for 95 % of all.",
                   kSearchedToTheEnd, "-20-words", reading_bound, 0.8),
          rule_of("searches-by-words",
                  "Begun by three words alone, inkling shows the first wanted document by round 3 in 90 % of "
                  "searches.",
                  found_early, "by-words"),
          rule_of(
              "searches-reviews",
              "On film reviews with people's highlights in wanted reviews inkling shows fewer useless ones than "
              "every rival.",
              [](const Results& results) { return best_of_all(results, "reviews"); }, "reviews"),
          rule_of(
              "searches-reviews-both",
              "On film reviews with people's highlights in all reviews inkling shows fewer useless ones than "
              "every "
              "rival.",
              [](const Results& results) { return best_of_all(results, "reviews-both"); }, "reviews-both"),
          rule_of("searches-mistakes",
                  "With 5 % of ratings wrong and 10 % of marks misleading, at most 1 % of searches with inkling find "
                  "less than half of the median for their topic.",
                  few_fail, "mistakes")};
}

}  // namespace inkling::bench
