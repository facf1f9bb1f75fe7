#include "bench/speed/race.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "bench/report/child_process.hpp"
#include "bench/speed/scale_report.hpp"
#include "engine/core/errors.hpp"
#include "engine/policy/policy_settings.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/search/simulation/synthetic_pool.hpp"

namespace inkling::bench {
namespace {

void count_choice(std::int64_t round, DocumentId choice, DocumentId ours, RaceEntry::Agreement& agreement) {
  ++agreement.compared;
  if (choice == ours) return;
  ++agreement.differences;
  if (!agreement.first_difference) agreement.first_difference = round + 1;
}

/// The entry of one of our runs, beside the sublinear run with the same features.
RaceEntry entry_of(const TimedRun& run, const TimedRun& sublinear) {
  const bool marked = run.discovery == Discovery::marked;
  RaceEntry entry{.name = fmt::format("inkling {} {}", name_of(run.discovery), scoring_name(run.scoring)),
                  .same_method = !marked,
                  .about = marked ? "features marked on the way" : "all features from the start",
                  .times = times_of(run),
                  .peak_bytes = run.peak_bytes};
  RaceEntry::Agreement agreement;
  double ours = 0.0;
  for (std::size_t n = 0; n < run.rounds.size(); ++n) {
    if (run.rounds[n].seconds < 0.0) continue;  // rescoring neither chose nor was timed
    ours += sublinear.rounds[n].seconds;
    count_choice(static_cast<std::int64_t>(n), run.rounds[n].document, sublinear.rounds[n].document, agreement);
  }
  if (run.scoring != Scoring::sublinear) entry.agreement = agreement;
  if (entry.times.count > 0) entry.ours_in_these_rounds = ours / static_cast<double>(entry.times.count);
  return entry;
}

bool was_timed(const RaceEntry& entry) { return !entry.skipped && entry.times.count > 0; }

/// The time of this entry's round over the time of ours.
double ratio_of(const RaceEntry& entry) { return entry.times.mean / entry.ours_in_these_rounds; }

std::string agreement_text(const RaceEntry& entry) {
  if (!entry.agreement) return entry.choices.empty() ? "(the others are compared with it)" : "another method";
  if (entry.agreement->differences == 0) return fmt::format("the same, {} rounds", digit_groups(entry.agreement->compared));
  return fmt::format("{} differ, the first in round {}", entry.agreement->differences, *entry.agreement->first_difference);
}

std::string microseconds_text(double seconds) {
  const double micro = seconds * kMicroseconds;
  return micro < 1e4 ? fmt::format("{:.1f}", micro) : digit_groups(static_cast<std::uint64_t>(micro));
}

std::string entry_line(const RaceEntry& entry, std::size_t width) {
  if (entry.skipped) return fmt::format("{:<{}}  not run: {}\n", entry.name, width, *entry.skipped);
  if (!was_timed(entry)) return fmt::format("{:<{}}  no round was timed\n", entry.name, width);
  return fmt::format("{:<{}} {:>7} {:>12} {:>12} {:>11} {:>12} {:>9.1f} {:>8}  {}\n", entry.name, width,
                     digit_groups(entry.times.count), microseconds_text(entry.times.median), microseconds_text(entry.times.mean),
                     rate_text(entry.times.mean), microseconds_text(entry.ours_in_these_rounds), ratio_of(entry),
                     entry.peak_bytes ? byte_size_text(*entry.peak_bytes) : "-", agreement_text(entry));
}

/// The slowest rounds of our sublinear choice, which its mean hides. Empty if no round was timed.
std::string slow_rounds_line(Discovery discovery, std::span<const TimedRound> rounds) {
  constexpr std::size_t slowest = 3;
  std::vector<std::pair<double, std::int64_t>> timed;  // with the number of the round; 1 is the first
  for (std::size_t n = 0; n < rounds.size(); ++n)
    if (rounds[n].seconds >= 0.0) timed.emplace_back(rounds[n].seconds, static_cast<std::int64_t>(n) + 1);
  if (timed.empty()) return "";
  std::ranges::sort(timed, std::ranges::greater{});
  std::vector<std::string> first;
  for (const auto& [seconds, number] : std::span(timed).first(std::min(slowest, timed.size())))
    first.push_back(fmt::format("{} us in round {}", microseconds_text(seconds), digit_groups(number)));
  return fmt::format("{:<12} 99 in 100 rounds end within {} us; the slowest take {}\n", name_of(discovery),
                     microseconds_text(timed[timed.size() / 100].first), fmt::join(first, ", "));
}

/// The libraries for linear algebra that the peers calculate with, each once.
std::string blas_text(const RaceResult& result) {
  std::set<std::string> names;
  for (const RaceEntry& entry : result.entries)
    if (!entry.blas.empty()) names.insert(entry.blas);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string check_line(Discovery discovery, const ChoiceCheck& check) {
  return fmt::format("{:<12} {} choices against a full scan from nothing: {} differ, by {:.2g} at most\n", name_of(discovery),
                     digit_groups(check.compared), check.differences, check.largest_gap);
}

void write_check(JsonWriter& json, Discovery discovery, const ChoiceCheck& check) {
  json.key(name_of(discovery)).begin_object().member("compared", check.compared);
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
    if (entry.agreement->first_difference) json.member("first_difference", *entry.agreement->first_difference);
  }
  json.end_object();
}

void append_choices(std::string& csv, Discovery discovery, const std::vector<TimedRound>& rounds) {
  std::int64_t number = 0;
  for (const TimedRound& round : rounds)
    csv += fmt::format("{},{},{},{}\n", name_of(discovery), ++number, round.document, round.explored ? 1 : 0);
}

template <typename Number>
void write_npy(const std::string& path, std::span<const Number> numbers) {
  OutputFile file(path);
  file.append(pool_npy_header(npy_descr<Number>, static_cast<std::int64_t>(numbers.size())));
  constexpr std::size_t piece = std::size_t{1} << 18U;  // at a time: OutputFile buffers what it gets
  for (std::size_t first = 0; first < numbers.size(); first += piece) {
    const std::span<const Number> part = numbers.subspan(first, std::min(piece, numbers.size() - first));
    file.append({reinterpret_cast<const char*>(part.data()), part.size_bytes()});
  }
  file.close();
}

std::string problem_json(const RaceResult& race, const PeerOptions& options) {
  JsonWriter json;
  json.begin_object().member("documents", race.pool.documents()).member("features", race.pool.features());
  json.member("rounds", race.run.rounds).member("seconds", options.seconds);
  json.member("ridge", race.run.policy.ridge).member("noise", race.run.policy.confidence.noise);
  json.member("norm_bound", race.run.policy.confidence.norm_bound).member("delta", race.run.policy.confidence.delta);
  return json.end_object().take();
}

/// What a peer printed in one object. Throws simdjson_error or FormatError naming `where`.
RaceEntry entry_of_peer(const std::string& where, simdjson::dom::object said) {
  const auto check = [&where](bool holds, std::string_view expectation) {
    if (!holds) throw FormatError(where, fmt::format("expected {}", expectation));
  };
  RaceEntry entry;
  entry.name = visible_text(std::string_view(said["name"]));
  std::string_view text;
  if (said["skipped"].get(text) == simdjson::SUCCESS) {
    entry.skipped = visible_text(text);
    return entry;
  }
  entry.same_method = std::string_view(said["method"]) == "same";
  entry.about = visible_text(std::string_view(said["about"]));
  entry.times = {std::int64_t(said["rounds"]), double(said["median_seconds"]), double(said["mean_seconds"])};
  check(entry.times.median > 0.0 && entry.times.mean > 0.0, "positive numbers of seconds");
  entry.peak_bytes = std::uint64_t(said["peak_bytes"]);
  for (const std::int64_t document : said["choices"].get_array()) {
    check(document >= 0 && std::in_range<DocumentId>(document), "documents in \"choices\"");
    entry.choices.push_back(static_cast<DocumentId>(document));
  }
  check(entry.times.count == std::ssize(entry.choices), "as many \"rounds\" as there are choices");
  if (said["blas"].get(text) == simdjson::SUCCESS) entry.blas = visible_text(text);
  return entry;
}

}  // namespace

void race_ours(const World& rated, const RunListener& listener, RaceResult& result) {
  for (const Discovery discovery : kDiscoveries) {
    auto runs = run_scorings(rated, discovery, result.run, listener);
    for (const TimedRun& run : runs) result.entries.push_back(entry_of(run, runs.front()));
    (discovery == Discovery::marked ? result.marked : result.given) = std::move(runs.front().rounds);
  }
}

void check_ours(const World& rated, const RunListener& listener, RaceResult& result) {
  result.checks = {
      check_choices(rated, Discovery::marked, result.run, listener),
      check_choices(rated, Discovery::given, result.run, listener),
  };
}

void compare_with_ours(const RaceResult& result, RaceEntry& peer) {
  const std::size_t rounds = std::min(peer.choices.size(), result.given.size());
  if (peer.skipped || rounds == 0) return;
  RaceEntry::Agreement agreement;
  double ours = 0.0;
  for (std::size_t n = 0; n < rounds; ++n) {
    ours += result.given[n].seconds;
    count_choice(static_cast<std::int64_t>(n), peer.choices[n], result.given[n].document, agreement);
  }
  peer.ours_in_these_rounds = ours / static_cast<double>(rounds);
  if (peer.same_method) peer.agreement = agreement;
}

void write_peer_files(const World& rated, const RaceResult& race, const PeerOptions& options) {
  const CsrView documents = rated.pool.by_document;
  if (options.matrix.empty()) {
    write_npy(options.work + "/indptr.npy", documents.offsets());
    write_npy(options.work + "/indices.npy", documents.features().unchecked());
    write_npy(options.work + "/data.npy", documents.values());
  }
  write_npy(options.work + "/features.npy", std::span<const FeatureId>(rated.relevant));
  write_npy(options.work + "/rewards.npy", std::span<const double>(rated.rewards.expected()));
  write_file(options.work + "/problem.json", problem_json(race, options) + "\n");
}

std::vector<RaceEntry> run_peer(const Peer& peer, const RaceResult& race, const PeerOptions& options,
                                const std::function<void()>& check_interruption) {
  const std::string script = fmt::format("{}/{}", options.folder, peer.script);
  const std::string& matrix = options.matrix.empty() ? options.work : options.matrix;
  const auto not_run = [&peer](std::string reason) {
    return RaceEntry{.name = std::string(peer.name), .about = "", .skipped = std::move(reason)};
  };
  std::vector<RaceEntry> entries;
  try {
    const ChildResult result =
        run_child({options.python, script, matrix, options.work}, thread_limits(race.threads), check_interruption);
    entries = parse_peer_lines(script, result.out);
    if (result.exit_code != 0) entries.push_back(not_run(failure_of(peer.script, result)));
  } catch (const FormatError& error) {
    return {not_run(error.what())};
  } catch (const SystemError& error) {
    return {not_run(error.what())};
  }
  for (RaceEntry& entry : entries) compare_with_ours(race, entry);
  return entries;
}

std::vector<RaceEntry> parse_peer_lines(const std::string& where, std::string_view lines) {
  std::vector<RaceEntry> entries;
  simdjson::dom::parser parser;
  for (std::int64_t number = 1; !lines.empty(); ++number) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.empty()) continue;
    const std::string place = fmt::format("{}:{}", where, number);
    try {
      entries.push_back(entry_of_peer(place, parser.parse(line).get_object()));
    } catch (const simdjson::simdjson_error& error) {
      throw FormatError(place, fmt::format("expected the results of a peer, got {} ({})", in_quotes(line), error.what()));
    }
  }
  return entries;
}

std::string race_table(const RaceResult& result) {
  std::string text = fmt::format(
      "{} documents x {} features, {:.0f} nnz a row, {} in memory; {} relevant features, {} rounds, {} "
      "thread{}\n\n",
      digit_groups(result.pool.documents()), digit_groups(result.pool.features()),
      static_cast<double>(result.pool.by_document.nonzeros()) / static_cast<double>(result.pool.documents()),
      byte_size_text(bytes_of(result.pool)), result.relevant, digit_groups(result.run.rounds), result.threads,
      result.threads == 1 ? "" : "s");
  std::size_t width = 0;
  for (const RaceEntry& entry : result.entries) width = std::max(width, entry.name.size());
  text += fmt::format("{:<{}} {:>7} {:>12} {:>12} {:>11} {:>12} {:>9} {:>8}  {}\n", "", width, "rounds", "median us", "mean us",
                      "rounds/s", "ours, us", "times", "memory", "choices");
  for (const RaceEntry& entry : result.entries) text += entry_line(entry, width);
  text +=
      "\n\"ours\" is the mean of our sublinear choice with the same features over the same rounds, \"times\" "
      "how many\ntimes as long a round takes: peers have all features from the start, and some end early.\n";
  text += slow_rounds_line(Discovery::marked, result.marked);
  text += slow_rounds_line(Discovery::given, result.given);
  if (const std::string blas = blas_text(result); !blas.empty()) text += fmt::format("Linear algebra of the peers: {}.\n", blas);
  if (result.checks)
    text += "\n" + check_line(Discovery::marked, result.checks->marked) + check_line(Discovery::given, result.checks->given);
  return text;
}

std::string race_json(const RaceResult& result) {
  JsonWriter json;
  json.begin_object().member("documents", result.pool.documents()).member("features", result.pool.features());
  json.member("nonzeros", result.pool.by_document.nonzeros()).member("pool_bytes", bytes_of(result.pool));
  json.member("relevant", result.relevant).member("rounds", result.run.rounds);
  json.member("threads", result.threads).key("entries").begin_array();
  for (const RaceEntry& entry : result.entries) write_entry(json, entry);
  json.end_array();
  if (result.checks) {
    json.key("full_scan").begin_object();
    write_check(json, Discovery::marked, result.checks->marked);
    write_check(json, Discovery::given, result.checks->given);
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
