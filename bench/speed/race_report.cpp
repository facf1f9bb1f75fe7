// The race as a table, as JSON and as the list of choices.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/speed/race.hpp"
#include "bench/speed/scale_report.hpp"
#include "io/cli/byte_size.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/json_writer.hpp"

namespace inkling::bench {
namespace {

bool was_timed(const RaceEntry& entry) { return !entry.skipped && entry.times.count > 0; }

/// How many times as long a round of this one takes as one of ours.
double ratio_of(const RaceEntry& entry) { return entry.times.mean / entry.ours_in_these_rounds; }

std::string agreement_text(const RaceEntry& entry) {
  if (!entry.agreement) return entry.choices.empty() ? "(the others are compared with it)" : "another method";
  if (entry.agreement->differences == 0)
    return fmt::format("the same, {} rounds", digit_groups(entry.agreement->compared));
  return fmt::format("{} differ, the first in round {}", entry.agreement->differences,
                     *entry.agreement->first_difference);
}

std::string microseconds_text(double seconds) {
  const double micro = seconds * kMicroseconds;
  return micro < 1e4 ? fmt::format("{:.1f}", micro) : digit_groups(static_cast<std::uint64_t>(micro));
}

std::string entry_line(const RaceEntry& entry, std::size_t width) {
  if (entry.skipped) return fmt::format("{:<{}}  not run: {}\n", entry.name, width, *entry.skipped);
  if (!was_timed(entry)) return fmt::format("{:<{}}  no round was timed\n", entry.name, width);
  return fmt::format("{:<{}} {:>7} {:>12} {:>12} {:>11} {:>12} {:>9.1f} {:>8}  {}\n", entry.name, width,
                     digit_groups(entry.times.count), microseconds_text(entry.times.median),
                     microseconds_text(entry.times.mean), rate_text(entry.times.mean),
                     microseconds_text(entry.ours_in_these_rounds), ratio_of(entry),
                     entry.peak_bytes ? byte_size_text(*entry.peak_bytes) : "-", agreement_text(entry));
}

/// The libraries for linear algebra that the peers calculate with, each once.
std::string blas_text(const RaceResult& result) {
  std::set<std::string> names;
  for (const RaceEntry& entry : result.entries) {
    if (!entry.blas.empty()) names.insert(entry.blas);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string check_line(std::string_view policy, const ChoiceCheck& check) {
  return fmt::format("{:<12} {} choices against a full scan from nothing: {} differ, by {:.2g} at most\n",
                     policy, digit_groups(check.compared), check.differences, check.largest_gap);
}

void write_check(JsonWriter& json, std::string_view policy, const ChoiceCheck& check) {
  json.key(policy).begin_object().member("compared", check.compared);
  json.member("differences", check.differences).member("largest_gap", check.largest_gap).end_object();
}

void write_entry(JsonWriter& json, const RaceEntry& entry) {
  json.begin_object().member("name", entry.name);
  if (entry.skipped) {
    json.member("skipped", *entry.skipped).end_object();
    return;
  }
  json.member("about", entry.about).member("rounds_timed", entry.times.count);
  if (was_timed(entry)) {
    json.member("median_seconds", entry.times.median).member("mean_seconds", entry.times.mean);
    json.member("rounds_per_second", 1.0 / entry.times.mean).member("ratio", ratio_of(entry));
    json.member("our_mean_seconds_in_these_rounds", entry.ours_in_these_rounds);
  }
  if (entry.peak_bytes) json.member("peak_bytes", *entry.peak_bytes);
  if (!entry.blas.empty()) json.member("blas", entry.blas);
  if (entry.agreement) {
    json.member("choices_compared", entry.agreement->compared);
    json.member("choices_different", entry.agreement->differences);
    if (entry.agreement->first_difference)
      json.member("first_difference", *entry.agreement->first_difference);
  }
  json.end_object();
}

void append_choices(std::string& csv, Discovery discovery, const std::vector<TimedRound>& rounds) {
  std::int64_t number = 0;
  for (const TimedRound& round : rounds) {
    csv += fmt::format("{},{},{},{}\n", name_of(discovery), ++number, round.document, round.explored ? 1 : 0);
  }
}

}  // namespace

std::string race_table(const RaceResult& result) {
  std::string text = fmt::format(
      "{} documents x {} features, {:.0f} nnz a row, {} in memory; {} relevant features, {} rounds, {} "
      "thread{}\n\n",
      digit_groups(result.documents), digit_groups(result.features),
      static_cast<double>(result.nonzeros) / static_cast<double>(result.documents),
      byte_size_text(result.pool_bytes), result.relevant, digit_groups(result.run.rounds), result.threads,
      result.threads == 1 ? "" : "s");
  std::size_t width = 0;
  for (const RaceEntry& entry : result.entries) width = std::max(width, entry.name.size());
  text += fmt::format("{:<{}} {:>7} {:>12} {:>12} {:>11} {:>12} {:>9} {:>8}  {}\n", "", width, "rounds",
                      "median us", "mean us", "rounds/s", "ours, us", "times", "memory", "choices");
  for (const RaceEntry& entry : result.entries) text += entry_line(entry, width);
  text +=
      "\n\"ours\" is the mean of our sublinear choice with the same features over the same rounds, \"times\" "
      "how "
      "many\ntimes as long a round takes: peers have all features from the start, and some end early.\n";
  if (const std::string blas = blas_text(result); !blas.empty())
    text += fmt::format("Linear algebra of the peers: {}.\n", blas);
  if (result.checks) {
    text +=
        "\n" + check_line("ff-oful", result.checks->marked) + check_line("oful-subset", result.checks->given);
  }
  return text;
}

std::string race_json(const RaceResult& result) {
  JsonWriter json;
  json.begin_object().member("documents", result.documents).member("features", result.features);
  json.member("nonzeros", result.nonzeros).member("pool_bytes", result.pool_bytes);
  json.member("relevant", result.relevant).member("rounds", result.run.rounds);
  json.member("threads", result.threads).key("entries").begin_array();
  for (const RaceEntry& entry : result.entries) write_entry(json, entry);
  json.end_array();
  if (result.checks) {
    json.key("full_scan").begin_object();
    write_check(json, "ff-oful", result.checks->marked);
    write_check(json, "oful-subset", result.checks->given);
    json.end_object();
  }
  return json.end_object().take();
}

std::string choices_csv(const RaceResult& result) {
  std::string csv = "policy,round,document,explored\n";
  append_choices(csv, Discovery::marked, result.marked);
  append_choices(csv, Discovery::given, result.given);
  return csv;
}

}  // namespace inkling::bench
