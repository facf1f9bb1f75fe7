#include "bench/paper/figures.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/report/machine_facts.hpp"
#include "io/cli/byte_size.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kFew = 500;
constexpr std::int64_t kRounds = 2048;
constexpr std::string_view kPolicies[] = {"ff-oful", "random"};

Study study_of(const PaperContext& context, std::string name, std::int32_t features) {
  const PaperSettings& settings = context.settings;
  Study study{.name = std::move(name),
              .world_settings = {},
              .world = {},
              .features = features,
              .entrants = {},
              .trials = settings.trials};
  for (const std::string_view policy : kPolicies) {
    study.entrants.push_back(entrant_of(settings, policy, settings.horizon(kRounds), settings.label_noise));
  }
  return study;
}

std::vector<Study> studies(const PaperContext& context) {
  const SharedReducedPool space = newsgroups_space(context, kFew);
  Study few = study_of(context, "few", kFew);
  few.world_settings = text_world_settings(context, "topic", *space);
  few.world = [context, space](std::uint64_t trial) { return topic_world(context, space, trial); };
  Study all = study_of(context, "all", context.newsgroups->view().features());
  all.world_settings = text_world_settings(context, "topic in all features", *space);
  all.world = [context](std::uint64_t trial) { return topic_world_in_full(context, trial); };
  return {std::move(few), std::move(all)};
}

/// The same policy in both, with names that tell them apart.
StudyResult both_of(const StudyResult& few, const StudyResult& all) {
  StudyResult both{few.study, {}};
  for (const StudyResult* result : {&few, &all}) {
    EntrantResult entrant = result->of("ff-oful");
    entrant.entrant.name = fmt::format("ff-oful, d = {}", digit_groups(result->study.features));
    both.entrants.push_back(std::move(entrant));
  }
  EntrantResult random = all.of("random");
  both.entrants.push_back(std::move(random));
  return both;
}

/// What a matrix of features by features would ask of this machine, beside what was asked.
FigureTable time_table(const StudyResult& all) {
  MachineFacts machine = machine_facts();
  measure_read_bandwidth(machine);
  const EntrantResult& ours = all.of("ff-oful");
  const auto rounds = static_cast<double>(ours.entrant.options.rounds);
  const auto features = static_cast<double>(all.study.features);
  const double bytes = features * features * sizeof(double);
  const double seconds = rounds * bytes / machine.read_bandwidth_one;
  const double found = ours.features_found().mean;
  return {.line = fmt::format("Choosing and learning in {} rounds at d = {}",
                              digit_groups(ours.entrant.options.rounds), digit_groups(all.study.features)),
          .head = {"", "matrix", "memory of it", "seconds a trial"},
          .rows = {{"here: the words found, as measured", fmt::format("{0:.0f} x {0:.0f}", found),
                    byte_size_text(static_cast<std::uint64_t>(found * found * sizeof(double))),
                    fmt::format("{:.3f}", ours.decision_seconds())},
                   {"a matrix of all words, were it only read once a round at this machine's speed",
                    fmt::format("{0} x {0}", digit_groups(all.study.features)),
                    byte_size_text(static_cast<std::uint64_t>(bytes)), fmt::format("{:.0f}", seconds)}}};
}

Claim reward_claim(const EntrantResult& all, const EntrantResult& few, const EntrantResult& random) {
  constexpr double share = 0.85;
  const Estimate ratio = paired_ratio(all, few, final_reward);
  return {.id = "full-dimension-reward",
          .sentence = "In all dimensions FF-OFUL loses at most 15 % of the reward that it has in 500.",
          .verdict = ratio.mean >= share ? Verdict::holds : Verdict::fails,
          .numbers = {{"reward in all dimensions", all.reward()},
                      {"reward in 500", few.reward()},
                      {"ratio", ratio},
                      {"reward of random plays", random.reward()}}};
}

Claim time_claim(const EntrantResult& all) {
  constexpr double well_under_a_second = 0.5;
  const double seconds = all.decision_seconds();
  return {.id = "full-dimension-time",
          .sentence = "A trial in all dimensions takes less than half a second of choosing and learning.",
          .verdict = seconds < well_under_a_second ? Verdict::holds : Verdict::fails,
          .numbers = {{"seconds a trial", {seconds, 0.0}}}};
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& few = results[0];
  const StudyResult& all = results[1];
  const StudyResult both = both_of(few, all);
  FigureReport report;
  report.paragraph = fmt::format(
      "The same readers, topics and oracle's words in {} dimensions and in all {}, with ridge 1 in both. The "
      "reward "
      "summed over {} rounds is {} in {} dimensions and {} in all; random plays have {}. Rows have length 1 "
      "in both, "
      "so that a word of the oracle weighs less where all others are there too. Messages may be shown again.",
      kFew, digit_groups(all.study.features), digit_groups(few.of("ff-oful").entrant.options.rounds),
      estimate_text(few.of("ff-oful").reward()), kFew, estimate_text(all.of("ff-oful").reward()),
      estimate_text(all.of("random").reward()));
  report.settings = common_settings(context, few);
  report.settings.emplace_back("the oracle", context.newsgroups->oracle_facts());
  report.settings.emplace_back("p, with which such a word of a shown message is marked",
                               fmt::format("{}", context.settings.mark_probability));
  report.charts = {{"", regret_chart(both, "20 Newsgroups, few dimensions and all of them"),
                    "Regret summed over the rounds; bands are 95 % over trials. OFUL in all of them is in "
                    "the next figure."}};
  report.tables = {time_table(all), outcome_table(both)};
  report.claims = {reward_claim(all.of("ff-oful"), few.of("ff-oful"), all.of("random")),
                   time_claim(all.of("ff-oful"))};
  return report;
}

}  // namespace

Figure full_dimension_figure() {
  return {"full-dimension",
          "All dimensions, and 500 of them",
          "Newsgroup dataset with human feedback, (c)",
          PaperData::newsgroups,
          studies,
          report_of};
}

}  // namespace inkling::bench
