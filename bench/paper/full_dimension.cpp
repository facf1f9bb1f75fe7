// FF-OFUL in all dimensions of 20 Newsgroups, and OFUL, which the paper calls infeasible there.
#include <algorithm>

#include <fmt/format.h>

#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/figures.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/report/machine_facts.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/wording/byte_size.hpp"

namespace inkling::bench {
namespace {

constexpr std::int32_t kFewDimensions = 500;

/// A study in topic worlds whose settings include p.
Study topic_study_with_p(const PaperContext& context, std::string name, const SharedReducedPool& space = nullptr) {
  Study study = topic_study(context, std::move(name), space);
  study.settings.emplace_back("p, with which such a word of a shown message is marked",
                              fmt::format("{}", context.settings.mark_probability));
  return study;
}

std::vector<Study> few_and_all_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(2048);
  std::vector<Study> studies = {topic_study_with_p(context, "few", newsgroups_space(context, kFewDimensions)),
                                topic_study_with_p(context, "all")};
  for (Study& study : studies)
    study.entrants = {entrant_of(settings, "ff-oful", rounds, settings.label_noise),
                      entrant_of(settings, "random", rounds, settings.label_noise)};
  return studies;
}

/// The cost of a matrix of features by features on this machine, beside that of FF-OFUL.
FigureTable matrix_table(const Results& results) {
  const StudyResult& all = results.study("all");
  const EntrantResult& ours = all.of("ff-oful");
  const auto features = static_cast<double>(all.study.features);
  const double bytes = features * features * sizeof(double);
  const double seconds = static_cast<double>(ours.entrant.rounds) * bytes / measured_read_bandwidth().one_thread;
  const double found = ours.features_found().mean;
  return {.line = fmt::format("Choosing and learning in {} rounds at d = {}", digit_groups(ours.entrant.rounds),
                              digit_groups(all.study.features)),
          .head = {"", "matrix", "memory of it", "seconds a trial"},
          .rows = {{"here: the words found, as measured", fmt::format("{0:.0f} x {0:.0f}", found),
                    byte_size_text(static_cast<std::uint64_t>(found * found * sizeof(double))),
                    fmt::format("{:.3f}", ours.decision_seconds().mean)},
                   {"a matrix of all words, only read once a round at this machine's speed",
                    fmt::format("{0} x {0}", digit_groups(all.study.features)), byte_size_text(static_cast<std::uint64_t>(bytes)),
                    fmt::format("{:.0f}", seconds)}}};
}

Decision most_reward_kept(const Results& results) {
  constexpr double share = 0.85;
  const EntrantResult& all = results.at({"all", "ff-oful"});
  const EntrantResult& few = results.at({"few", "ff-oful"});
  const Estimate ratio = paired_ratio(all, few, final_reward);
  return {ratio.mean >= share ? Verdict::holds : Verdict::fails,
          {{"reward in all dimensions", all.reward()},
           {"reward in 500", few.reward()},
           {"ratio", ratio},
           {"reward of random plays", results.at({"all", "random"}).reward()}}};
}

Decision under_half_a_second(const Results& results) {
  constexpr double most = 0.5;
  const double seconds = results.at({"all", "ff-oful"}).decision_seconds().mean;
  return {seconds < most ? Verdict::holds : Verdict::fails, {{"seconds a trial", {seconds, 0.0}}}};
}

std::vector<Study> oful_in_full_studies(const PaperContext& context) {
  constexpr double share_of_all = 0.1;
  constexpr double tuning_share = 0.3;
  constexpr std::size_t every_fourth_ridge = 4;
  const PaperSettings& settings = context.settings;
  Study study = topic_study_with_p(context, "main");
  study.trials = share_of_trials(settings.trials, share_of_all);
  study.tuning_trials =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(tuning_share * static_cast<double>(settings.tuning_trials)));
  for (const std::string_view preset : {"ff-oful", "oful", "soft-marks", "random"})
    study.entrants.push_back(topic_entrant(context, preset));
  study.entrants[1] = tuned(std::move(study.entrants[1]), settings.ridges(every_fourth_ridge));
  return {std::move(study)};
}

FigureTable times_in_full_table(const Results& results) {
  const StudyResult& result = results.study("main");
  FigureTable table{.line = fmt::format("Choosing and learning at d = {}", digit_groups(result.study.features)),
                    .head = {"policy", "seconds a trial", "ms a round"}};
  for (const EntrantResult& entrant : result.entrants) {
    const double seconds = entrant.decision_seconds().mean;
    const auto rounds = static_cast<double>(entrant.entrant.rounds);
    table.rows.push_back({entrant.entrant.name, fmt::format("{:.2f}", seconds), fmt::format("{:.3f}", 1e3 * seconds / rounds)});
  }
  return table;
}

}  // namespace

Figure full_dimension_figure() {
  return {.name = "full-dimension",
          .title = "All dimensions, and 500 of them",
          .paper_place = "Newsgroup dataset with human feedback, (c)",
          .needs = PaperData::newsgroups,
          .studies = few_and_all_studies,
          .charts = {regret_curves("", "20 Newsgroups, few dimensions and all of them",
                                   {{"ff-oful, 500 dimensions", {"few", "ff-oful"}},
                                    {"ff-oful, all dimensions", {"all", "ff-oful"}},
                                    {"random", {"all", "random"}}})},
          .tables = {{matrix_table}, outcomes("few", "500 dimensions"), outcomes("all", "All dimensions")},
          .claims = {{"full-dimension-reward", ClaimBy::paper,
                      "In all dimensions FF-OFUL loses at most 15 % of the reward that it has in 500.", most_reward_kept},
                     {"full-dimension-time", ClaimBy::ours,
                      "A trial in all dimensions takes less than half a second of choosing and learning.", under_half_a_second}}};
}

Figure full_dimension_oful_figure() {
  return {.name = "full-dimension-oful",
          .title = "OFUL in all dimensions",
          .paper_place = "Newsgroup dataset with human feedback, (c): what the paper calls infeasible",
          .needs = PaperData::newsgroups,
          .studies = oful_in_full_studies,
          .charts = {regret_curves("", "20 Newsgroups in all dimensions, each message once", "main"),
                     tuning_curves("tuning", "OFUL's regret by its ridge", "main")},
          .tables = {{times_in_full_table}, outcomes("main")},
          .claims = {less_regret("full-dimension-beats-oful", ClaimBy::ours,
                                 "In all dimensions FF-OFUL has less regret than tuned OFUL, which the paper "
                                 "could not run there.",
                                 {"main", "ff-oful"}, {"main", "oful"}),
                     less_regret("full-dimension-oful-beats-random", ClaimBy::ours,
                                 "In all dimensions tuned OFUL has less regret than random plays.", {"main", "oful"},
                                 {"main", "random"})}};
}

}  // namespace inkling::bench
