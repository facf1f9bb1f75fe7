#include "bench/studies/trial_log.hpp"

#include <cerrno>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "engine/core/errors.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling::bench {
namespace {

using simdjson::dom::element;

constexpr std::string_view kChecksumMember = R"(,"xxh3":")";
constexpr std::size_t kChecksumDigits = 16;
constexpr std::string_view kLineEnd = R"("})";
constexpr std::size_t kSealBytes = kChecksumMember.size() + kChecksumDigits + kLineEnd.size();

/// The checksum of the beginning of a line, in a file with this first line (empty for the first line itself).
std::string seal_of(std::string_view beginning, std::string_view header) {
  const std::string covered = std::string(header) + std::string(beginning);
  return fmt::format("{}{:016x}{}", kChecksumMember, checksum_of(std::as_bytes(std::span(covered))), kLineEnd);
}

/// An object without its last brace becomes a whole line.
std::string sealed(std::string object, std::string_view header) {
  object.pop_back();
  return object + seal_of(object, header);
}

bool is_sealed(std::string_view line, std::string_view header) {
  if (line.size() < kSealBytes) return false;
  const std::string_view beginning = line.substr(0, line.size() - kSealBytes);
  return line.substr(beginning.size()) == seal_of(beginning, header);
}

std::string header_of(std::string_view settings) {
  JsonWriter json;
  json.begin_object().member("trials_of", settings).end_object();
  return sealed(json.take(), "");
}

void write_result(JsonWriter& json, const TrialResult& result) {
  json.begin_object()
      .member("regret", result.regret)
      .member("reward", result.reward)
      .member("explored", result.explored)
      .member("decision_seconds", result.decision_seconds)
      .member("slowest_seconds", result.slowest_seconds)
      .member("features_found", result.features_found);
  if (result.all_found_at) json.member("all_found_at", *result.all_found_at);
  if (result.finds) {
    json.member("there", result.finds->there).member("shown", result.finds->rounds);
    json.key("found_at").begin_array();
    for (const std::int64_t round : result.finds->at) json.value(round);
    json.end_array().key("guesses").begin_array();
    for (const double guess : result.finds->guesses) json.value(guess);
    json.end_array();
  }
  json.key("curve").begin_array();
  for (const double regret : result.curve) json.value(regret);
  json.end_array().end_object();
}

std::string line_of(std::int64_t trial, const std::vector<TrialResult>& results, std::string_view header) {
  JsonWriter json;
  json.begin_object().member("trial", trial).key("results").begin_array();
  for (const TrialResult& result : results) write_result(json, result);
  json.end_array().end_object();
  return sealed(json.take(), header);
}

/// Throws simdjson_error if the object is not what `write_result` writes.
TrialResult result_of(element object) {
  TrialResult result;
  result.regret = object["regret"].get_double();
  result.reward = object["reward"].get_double();
  result.explored = object["explored"].get_int64();
  result.decision_seconds = object["decision_seconds"].get_double();
  result.slowest_seconds = object["slowest_seconds"].get_double();
  result.features_found = object["features_found"].get_int64();
  std::int64_t found_at = 0;
  if (object["all_found_at"].get(found_at) == simdjson::SUCCESS) result.all_found_at = found_at;
  std::int64_t there = 0;
  if (object["there"].get(there) == simdjson::SUCCESS) {
    Finds& finds = result.finds.emplace(Finds{there, object["shown"].get_int64()});
    const simdjson::dom::array rounds = object["found_at"].get_array();
    finds.at.reserve(rounds.size());
    for (const element round : rounds) finds.at.push_back(round.get_int64());
    for (const element guess : object["guesses"].get_array()) finds.guesses.push_back(guess.get_double());
  }
  const simdjson::dom::array curve = object["curve"].get_array();
  result.curve.reserve(curve.size());
  for (const element regret : curve) result.curve.push_back(regret.get_double());
  return result;
}

using NumberedTrial = FinishedTrials::value_type;

/// Nothing if the line is not one that this program wrote into a file with this first line.
std::optional<NumberedTrial> trial_of(simdjson::dom::parser& parser, std::string_view line, std::string_view header,
                                      std::size_t entrants) {
  if (!is_sealed(line, header)) return std::nullopt;
  try {
    const element object = parser.parse(line.data(), line.size());
    std::vector<TrialResult> results;
    results.reserve(entrants);
    for (const element result : object["results"].get_array()) results.push_back(result_of(result));
    if (results.size() == entrants) return NumberedTrial(object["trial"].get_int64(), std::move(results));
  } catch (const simdjson::simdjson_error&) {  // the same as a wrong checksum
  }
  return std::nullopt;
}

// Nothing if there is no such file. A file that cannot be read is an error, not an empty log.
std::string text_of_log(const std::string& path) {
  std::string text;
  if (!identity_of(path)) return text;
  const File file = open_regular_file(path);
  std::vector<std::byte> block(std::size_t{1} << 16U);
  std::size_t length = 0;
  do {
    length = file.read_at(block, text.size());
    text.append(reinterpret_cast<const char*>(block.data()), length);
  } while (length == block.size());
  if (errno != 0) throw SystemError(path, errno, "cannot read the log of trials");
  return text;
}

/// The whole lines of a text, without their ends; what follows the last end was cut off while it was written.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string lines_text(std::size_t lines) { return lines == 1 ? "1 line" : fmt::format("{} lines", lines); }

}  // namespace

TrialLog::TrialLog(std::string path, std::string_view settings, std::size_t entrants, const Note& note)
    : path_(std::move(path)), header_(header_of(settings)) {
  read(entrants, note);
  file_ = File::open(path_, OpenAs::appender);
  if (!file_.is_open()) throw SystemError(path_, errno, "cannot open the log of trials");
}

void TrialLog::read(std::size_t entrants, const Note& note) {
  const std::string text = text_of_log(path_);
  const std::vector<std::string_view> lines = whole_lines(text);
  std::string kept = header_ + "\n";
  std::size_t damaged = 0;
  if (!lines.empty() && lines.front() == header_) {
    simdjson::dom::parser parser;
    for (const std::string_view line : std::span(lines).subspan(1)) {
      std::optional<NumberedTrial> trial = trial_of(parser, line, header_, entrants);
      const bool is_new = trial && finished_.insert(*std::move(trial)).second;
      if (is_new) kept.append(line).append("\n");
      damaged += is_new ? 0 : 1;
    }
  } else if (!lines.empty() && !is_sealed(lines.front(), "")) {
    damaged = lines.size();
  }
  if (damaged > 0)
    note(fmt::format("{}: {} damaged or there twice: left out, and trials that are missing run again", path_,
                     lines_text(damaged)));
  if (kept != text) write_file(path_, kept);
}

FinishedTrials TrialLog::take_finished() { return std::exchange(finished_, {}); }

void TrialLog::append(std::int64_t trial, const std::vector<TrialResult>& results) {
  const std::string line = line_of(trial, results, header_) + "\n";
  const int error = file_.write_all(std::as_bytes(std::span(line)));
  if (error != 0) throw SystemError(path_, error, "cannot write the log of trials");
}

}  // namespace inkling::bench
