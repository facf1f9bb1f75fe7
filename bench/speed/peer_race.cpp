#include "bench/speed/peer_race.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "bench/speed/child_process.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/usage_error.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/output_file.hpp"
#include "io/pool/format/npy_header.hpp"

namespace inkling::bench {
namespace {

template <typename Number>
void write_npy(const std::string& path, std::span<const Number> numbers) {
  OutputFile file(path);
  file.append(pool_npy_header(npy_descr<Number>, static_cast<std::int64_t>(numbers.size())));
  constexpr std::size_t piece = std::size_t{1} << 18U;
  for (std::size_t first = 0; first < numbers.size(); first += piece) {
    const std::span<const Number> part = numbers.subspan(first, std::min(piece, numbers.size() - first));
    file.append({reinterpret_cast<const char*>(part.data()), part.size_bytes()});
  }
  file.close();
}

std::string problem_json(const RaceResult& race, const PeerOptions& options) {
  JsonWriter json;
  json.begin_object().member("documents", race.documents).member("features", race.features);
  json.member("rounds", race.run.rounds).member("seconds", options.seconds);
  json.member("ridge", race.run.ridge).member("noise", race.run.confidence.noise);
  json.member("norm_bound", race.run.confidence.norm_bound).member("delta", race.run.confidence.delta);
  return json.end_object().take();
}

/// One object that a peer printed.
class PeerLine {
 public:
  PeerLine(std::string where, simdjson::dom::element element) : where_(std::move(where)), element_(element) {}

  [[nodiscard]] RaceEntry entry() const {
    RaceEntry entry;
    entry.name = get<std::string_view>("name", "a text");
    std::string_view text;
    if (element_["skipped"].get(text) == simdjson::SUCCESS) {
      entry.skipped = std::string(text);
      return entry;
    }
    entry.method = get<std::string_view>("method", "a text") == "same" ? RaceMethod::ours : RaceMethod::other;
    entry.about = get<std::string_view>("about", "a text");
    entry.times = {get<std::int64_t>("rounds", "a whole number"), seconds("median_seconds"),
                   seconds("mean_seconds")};
    entry.peak_bytes = get<std::uint64_t>("peak_bytes", "a whole number from 0 on");
    entry.choices = choices();
    if (entry.times.count != std::ssize(entry.choices)) fail("rounds", "as many as there are choices");
    if (element_["blas"].get(text) == simdjson::SUCCESS) entry.blas = std::string(text);
    return entry;
  }

 private:
  [[noreturn]] void fail(std::string_view name, std::string_view expectation) const {
    throw FormatError(where_, fmt::format("expected {} in \"{}\"", expectation, name));
  }

  template <typename Value>
  [[nodiscard]] Value get(std::string_view name, std::string_view expectation) const {
    Value value;
    if (element_[name].get(value) != simdjson::SUCCESS) fail(name, expectation);
    return value;
  }

  [[nodiscard]] double seconds(std::string_view name) const {
    const auto value = get<double>(name, "a positive number");
    if (!(value > 0.0)) fail(name, "a positive number");
    return value;
  }

  [[nodiscard]] std::vector<DocumentId> choices() const {
    std::vector<DocumentId> documents;
    for (const simdjson::dom::element choice : get<simdjson::dom::array>("choices", "a list")) {
      std::int64_t document = -1;
      if (choice.get(document) != simdjson::SUCCESS || document < 0 || !std::in_range<DocumentId>(document))
        fail("choices", "a list of documents");
      documents.push_back(static_cast<DocumentId>(document));
    }
    return documents;
  }

  std::string where_;
  simdjson::dom::element element_;
};

std::vector<std::string> thread_limits(std::int32_t threads) {
  std::vector<std::string> limits;
  for (const std::string_view variable :
       {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"}) {
    limits.push_back(fmt::format("{}={}", variable, threads));
  }
  return limits;
}

RaceEntry not_run(std::string_view name, std::string reason) {
  RaceEntry entry;
  entry.name = std::string(name);
  entry.skipped = std::move(reason);
  return entry;
}

}  // namespace

const std::vector<Peer>& known_peers() {
  static const std::vector<Peer> peers = {{"numpy", "linucb_numpy.py"},
                                          {"sklearn", "with_sklearn.py"},
                                          {"vowpal", "with_vowpal_wabbit.py"},
                                          {"mabwiser", "with_mabwiser.py"},
                                          {"contextualbandits", "with_contextualbandits.py"},
                                          {"bayesianbandits", "with_bayesianbandits.py"}};
  return peers;
}

void write_peer_files(const RatedPool& rated, const RaceResult& race, const PeerOptions& options) {
  const CsrView documents = rated.pool.by_document;
  if (options.matrix.empty()) {
    write_npy(options.work + "/indptr.npy", documents.offsets());
    write_npy(options.work + "/indices.npy", documents.features());
    write_npy(options.work + "/data.npy", documents.values());
  }
  write_npy(options.work + "/features.npy", std::span<const FeatureId>(rated.relevant));
  write_npy(options.work + "/rewards.npy", std::span<const double>(rated.rewards));
  write_file(options.work + "/problem.json", problem_json(race, options) + "\n");
}

std::vector<RaceEntry> run_peer(const Peer& peer, const RaceResult& race, const PeerOptions& options,
                                const std::function<void()>& check_interruption) {
  const std::string script = fmt::format("{}/{}", options.folder, peer.script);
  const std::string& matrix = options.matrix.empty() ? options.work : options.matrix;
  std::vector<RaceEntry> entries;
  try {
    const ChildResult result = run_child({options.python, script, matrix, options.work},
                                         thread_limits(race.threads), check_interruption);
    entries = parse_peer_lines(script, result.out);
    if (result.exit_code != 0) entries.push_back(not_run(peer.name, failure_of(peer.script, result)));
  } catch (const FormatError& error) {
    return {not_run(peer.name, error.what())};
  } catch (const SystemError& error) {
    return {not_run(peer.name, error.what())};
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
    simdjson::dom::element element;
    if (parser.parse(line).get(element) != simdjson::SUCCESS || !element.is_object())
      throw FormatError(place, "expected a JSON object, got " + in_quotes(line));
    entries.push_back(PeerLine(place, element).entry());
  }
  return entries;
}

}  // namespace inkling::bench
