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

/// One object that a peer printed, with the words for what it lacks.
class PeerLine {
 public:
  PeerLine(std::string where, simdjson::dom::element element) : where_(std::move(where)), element_(element) {}

  [[nodiscard]] RaceEntry entry() const {
    RaceEntry entry;
    entry.name = text("name");
    std::string_view reason;
    if (element_["skipped"].get(reason) == simdjson::SUCCESS) {
      entry.skipped = std::string(reason);
      return entry;
    }
    entry.method = text("method") == "same" ? RaceMethod::ours : RaceMethod::other;
    entry.about = text("about");
    entry.times = {count("rounds"), seconds("median_seconds"), seconds("mean_seconds")};
    entry.peak_bytes = static_cast<std::uint64_t>(count("peak_bytes"));
    entry.choices = choices();
    return entry;
  }

 private:
  [[noreturn]] void fail(std::string_view name, std::string_view expectation) const {
    throw FormatError(where_, fmt::format("expected {} in \"{}\"", expectation, name));
  }

  [[nodiscard]] std::string text(std::string_view name) const {
    std::string_view value;
    if (element_[name].get(value) != simdjson::SUCCESS) fail(name, "a text");
    return std::string(value);
  }

  [[nodiscard]] std::int64_t count(std::string_view name) const {
    std::int64_t value = 0;
    if (element_[name].get(value) != simdjson::SUCCESS || value < 0) fail(name, "a whole number from 0 on");
    return value;
  }

  [[nodiscard]] double seconds(std::string_view name) const {
    double value = 0.0;
    if (element_[name].get(value) != simdjson::SUCCESS || !(value > 0.0)) fail(name, "a positive number");
    return value;
  }

  [[nodiscard]] std::vector<DocumentId> choices() const {
    simdjson::dom::array array;
    if (element_["choices"].get(array) != simdjson::SUCCESS) fail("choices", "a list of documents");
    std::vector<DocumentId> documents;
    for (const simdjson::dom::element choice : array) {
      std::int64_t document = -1;
      if (choice.get(document) != simdjson::SUCCESS || !std::in_range<DocumentId>(document) || document < 0)
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

/// The last line of what a program said of its failure.
std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t newline = text.rfind('\n');
  return std::string(newline == std::string_view::npos ? text : text.substr(newline + 1));
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
  const ChildResult result = run_child({options.python, script, matrix, options.work},
                                       thread_limits(race.threads), check_interruption);
  std::vector<RaceEntry> entries;
  try {
    entries = parse_peer_lines(script, result.out);
  } catch (const FormatError& error) {
    return {not_run(peer.name, error.what())};
  }
  if (result.exit_code != 0) {
    entries.push_back(not_run(peer.name, fmt::format("{} ended with {}: {}", peer.script, result.exit_code,
                                                     in_quotes(last_line(result.err)))));
  }
  for (RaceEntry& entry : entries) compare_choices(race, entry);
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

std::optional<std::string> find_python(const std::vector<std::string>& candidates,
                                       const std::function<void()>& check_interruption) {
  for (const std::string& candidate : candidates) {
    try {
      if (run_child({candidate, "-c", "import numpy, scipy"}, {}, check_interruption).exit_code == 0)
        return candidate;
    } catch (const SystemError&) {
      continue;  // not there: the next one
    }
  }
  return std::nullopt;
}

}  // namespace inkling::bench
