#include "io/search/evaluation/logged_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "engine/model/linear_model.hpp"
#include "io/base/file/utf8.hpp"
#include "io/search/events/setting_values.hpp"

namespace inkling {
namespace {

/// By the `shown` event that they answer, the rewards that hold at the end.
std::unordered_map<std::int64_t, double> rewards_in(const SearchHistory& history, bool with_replacement,
                                                    RoundsLeftOut& left_out) {
  std::unordered_map<std::int64_t, double> rewards;
  for (const SearchEvent& event : history.events()) {
    if (event.kind != SearchEventKind::rated || !history.holds(event.sequence)) continue;
    if (event.shown)
      rewards[*event.shown] = with_replacement ? event.reward : history.rating_of(*event.document).reward;
    else
      ++left_out.brought;
  }
  return rewards;
}

// The sum of target^2 / logged over all documents. By the probability of the document shown it is known how all were chosen if
// they were equally likely, or if it was the best one, which happens with this probability; other rounds count through those.
double expected_square(double logged, const ChoiceOdds& odds, DocumentId shown) {
  constexpr double rounding = 1e-9;
  const auto among = static_cast<double>(odds.among);
  const bool is_uniform = std::fabs(logged * among - 1.0) < rounding;
  if (!is_uniform && logged * among < 1.0) return 0.0;
  const double other = is_uniform ? logged : std::max((1.0 - logged) / (among - 1.0), kLeastLogged);
  std::vector<DocumentId> named = odds.best;
  named.push_back(shown);
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  const double as_any = odds.exploration / among;
  double sum = (among - static_cast<double>(named.size())) * as_any * as_any / other;
  for (const DocumentId document : named) {
    const double target = odds.of(document);
    sum += target * target / (document == shown ? logged : other);
  }
  return is_uniform ? sum : sum / logged;
}

/// The history of a search up to a place, and a policy that has learned it.
class Replay {
 public:
  Replay(PoolView pool, const SearchSettings& settings, const std::function<void()>& between)
      : pool_(pool), settings_(settings), history_(empty_history()), fold_(pool, settings) {
    fold_.call_between(between);
  }

  [[nodiscard]] SearchHistory empty_history() const {
    return SearchHistory(settings_.with_replacement ? RatingsOfOne::all_count : RatingsOfOne::last_counts, settings_.copies);
  }

  void append(const SearchEvent& event) {
    const bool only_appends = history_.only_appends(event);
    history_.append(event);
    switch (event.kind) {
      case SearchEventKind::shown:
      case SearchEventKind::sampled:
      case SearchEventKind::noted:
      case SearchEventKind::aimed:
      case SearchEventKind::closed: return;
      case SearchEventKind::rated:
      case SearchEventKind::marked:
      case SearchEventKind::forgot:
      case SearchEventKind::skipped:
      case SearchEventKind::undone:
      case SearchEventKind::redone:
      case SearchEventKind::separated: break;
    }
    follows_ = follows_ && only_appends;
    if (follows_) pending_.push_back(history_.step_of(history_.at(event.sequence)));
  }

  /// The round that this event begins; nothing if the choice cannot be repeated.
  [[nodiscard]] std::optional<LoggedRound> round_of(const SearchEvent& event, double reward) {
    catch_up();
    const Offer& offer = *event.offer;
    const std::vector<DocumentId> beside = others_on_offer(event);
    const OfferRequest request = {.beside = beside, .withheld = history_.aim().withheld};
    if (offer.beside.value_or(0) != std::ssize(beside) || offer.round != fold_.round() + std::ssize(beside)) return std::nullopt;
    LoggedRound round = {
        .shown = event.sequence, .document = *event.document, .weighed = {}, .odds = fold_.odds(request, kOddsDraws)};
    if (round.odds.among != offer.among) return std::nullopt;
    const double logged = std::max(*offer.propensity, kLeastLogged);
    round.weighed = {.logged = logged, .target = round.odds.of(round.document), .reward = reward};
    round.weighed.square = expected_square(logged, round.odds, round.document);
    const Learner* const learner = fold_.policy().learner();
    if (learner == nullptr || learner->model() == nullptr || fold_.policy().features_in_use() == 0) return round;
    round.weighed.predicted = prediction(*learner->model(), std::span(&round.document, 1));
    const double of_any = round.odds.exploration > 0.0 ? prediction(*learner->model(), fold_.drawn(request, kOddsDraws)) : 0.0;
    const double of_best = round.odds.best.empty() ? 0.0 : prediction(*learner->model(), round.odds.best);
    round.weighed.expectation = round.odds.exploration * of_any + (1.0 - round.odds.exploration) * of_best;
    return round;
  }

 private:
  // Learns the steps since the last round.
  void catch_up() {
    if (follows_) {
      fold_.append(std::exchange(pending_, {}));
      return;
    }
    const RowCopies copies = history_.copies();
    left_out_.assign(copies.rows.begin(), copies.rows.end());
    fold_.leave_out(left_out_);
    fold_.start_over(history_.steps());
    pending_.clear();
    follows_ = true;
  }

  [[nodiscard]] std::vector<DocumentId> others_on_offer(const SearchEvent& event) const {
    std::vector<DocumentId> documents;
    if (!event.offer->beside) return documents;
    for (const std::int64_t shown : history_.is_shared() ? history_.offers_to_people() : history_.open_offers())
      if (!history_.is_shared() || history_.at(shown).actor != event.actor) documents.push_back(*history_.at(shown).document);
    return documents;
  }

  [[nodiscard]] double prediction(const LinearModel& model, std::span<const DocumentId> documents) const {
    double sum = 0.0;
    for (const DocumentId document : documents) sum += model.predict(pool_.by_document.row(document)).mean;
    return documents.empty() ? 0.0 : sum / static_cast<double>(documents.size());
  }

  PoolView pool_;
  const SearchSettings& settings_;
  SearchHistory history_;
  std::vector<DocumentId> left_out_;  // copies; the fold borrows it
  SearchFold fold_;
  std::vector<SearchStep> pending_;
  bool follows_ = true;  // whether the steps of the history are those of the fold and the pending ones
};

std::string advice_on(const RoundsLeftOut& left_out, const std::string& logging) {
  if (left_out.certain > 0)
    return fmt::format(
        "{} chose its documents for certain, so the log says nothing of what others would have chosen. Search with a policy that "
        "also chooses at random, such as ff-oful, or have some documents drawn at random (the request sample)",
        logging);
  if (left_out.unknown > 0)
    return fmt::format(
        "how likely {} was to choose each is not known. Search with ff-oful or random, whose probabilities are logged", logging);
  return "expected documents that the policy offered and somebody rated";
}

}  // namespace

SearchSettings settings_of_target(SessionFacts log, const Pool* pool, const Preset& policy, PolicyOptions options) {
  options.with_replacement = settings_of_search(log, pool).with_replacement;
  log.policy = policy.name;
  log.options = options_text(options, policy);
  return settings_of_search(log, pool);
}

std::vector<WeighedRound> LoggedRounds::weighed() const {
  std::vector<WeighedRound> all;
  all.reserve(rounds.size());
  for (const LoggedRound& round : rounds) all.push_back(round.weighed);
  return all;
}

LoggedRounds logged_rounds(PoolView pool, const SearchSettings& target, std::span<const SearchEvent> events,
                           const std::function<void()>& between) {
  constexpr std::uint64_t apart = 0x9e3779b97f4a7c15U;  // no draw of the log may be one of the evaluation
  SearchSettings settings = target;
  settings.seed ^= apart;
  LoggedRounds found;
  Replay replay(pool, settings, between);
  SearchHistory whole = replay.empty_history();
  for (const SearchEvent& event : events) {
    if (event.document) check_id("document", *event.document, pool.documents());
    whole.append(event);
  }
  const std::unordered_map<std::int64_t, double> rewards = rewards_in(whole, settings.with_replacement, found.left_out);
  for (const SearchEvent& event : events) {
    const auto rated = rewards.find(event.sequence);
    if (event.kind != SearchEventKind::shown) {
    } else if (rated == rewards.end()) {
      ++found.left_out.unrated;
    } else if (!event.offer->propensity) {
      ++found.left_out.unknown;
    } else if (*event.offer->propensity >= 1.0 && event.offer->among > 1) {
      ++found.left_out.certain;
    } else {
      between();
      std::optional<LoggedRound> round = replay.round_of(event, rated->second);
      if (!round) ++found.left_out.limited;
      if (round) found.rounds.push_back(*std::move(round));
    }
    replay.append(event);
  }
  return found;
}

void require_rounds(const LoggedRounds& found, const std::string& search, const std::string& logging) {
  const auto& [unrated, unknown, certain, limited, brought] = found.left_out;
  const std::int64_t rounds = std::ssize(found.rounds);
  if (rounds >= kFewestRounds || (rounds > 0 && certain + unknown == 0)) return;
  const std::string reasons = left_out_text(found.left_out);
  throw FormatError(
      "the search " + quoted_text(search),
      fmt::format("expected {} rounds whose document was drawn with a known probability below 1, found {}{}: {}", kFewestRounds,
                  rounds, reasons.empty() ? "" : " (" + reasons + ")", advice_on(found.left_out, logging)));
}

std::string left_out_text(const RoundsLeftOut& left_out) {
  std::string text;
  const auto add = [&text](std::int64_t count, const char* what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(left_out.certain, "chosen for certain");
  add(left_out.unknown, "without a known probability");
  add(left_out.limited, "offered again or in a limited choice");
  add(left_out.unrated, "skipped or not rated");
  add(left_out.brought, "rated without an offer");
  return text;
}

}  // namespace inkling
