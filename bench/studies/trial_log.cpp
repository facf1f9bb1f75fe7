#include "bench/studies/trial_log.hpp"

#include <cerrno>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

using simdjson::dom::element;

std::string header_of(std::string_view settings) {
  JsonWriter json;
  json.begin_object().member("trials_of", settings).end_object();
  return json.take();
}

std::string line_of(const std::vector<TrialResult>& trial) {
  JsonWriter json;
  json.begin_array();
  for (const TrialResult& result : trial) {
    json.begin_object()
        .member("regret", result.regret)
        .member("reward", result.reward)
        .member("explored", result.explored)
        .member("decision_seconds", result.decision_seconds)
        .member("features_found", result.features_found);
    if (result.all_found_at) json.member("all_found_at", *result.all_found_at);
    if (result.coverage) {
      json.member("watched", result.coverage->rounds)
          .member("missed", result.coverage->missed)
          .member("undervalued", result.coverage->undervalued);
    }
    json.key("curve").begin_array();
    for (const double regret : result.curve) json.value(regret);
    json.end_array().end_object();
  }
  json.end_array();
  return json.take();
}

/// Throws simdjson_error where the object is not what `line_of` writes.
TrialResult result_of(element object) {
  TrialResult result;
  result.regret = object["regret"].get_double();
  result.reward = object["reward"].get_double();
  result.explored = object["explored"].get_int64();
  result.decision_seconds = object["decision_seconds"].get_double();
  result.features_found = object["features_found"].get_int64();
  std::int64_t found_at = 0;
  if (object["all_found_at"].get(found_at) == simdjson::SUCCESS) result.all_found_at = found_at;
  std::int64_t watched = 0;
  if (object["watched"].get(watched) == simdjson::SUCCESS) {
    result.coverage = {watched, object["missed"].get_int64(), object["undervalued"].get_int64()};
  }
  for (const element regret : object["curve"].get_array()) result.curve.push_back(regret.get_double());
  return result;
}

std::optional<std::vector<TrialResult>> trial_of(simdjson::dom::parser& parser, const std::string& line,
                                                 std::size_t entrants) {
  try {
    std::vector<TrialResult> trial;
    for (const element object : parser.parse(line).get_array()) trial.push_back(result_of(object));
    if (trial.size() == entrants) return trial;
  } catch (const simdjson::simdjson_error&) {  // not a line of ours, or cut off: the trial runs again
  }
  return std::nullopt;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  if (const std::ifstream file(path, std::ios::binary); file) text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace

TrialLog::TrialLog(std::string path, std::string_view settings, std::size_t entrants)
    : path_(std::move(path)) {
  const std::string header = header_of(settings) + "\n";
  const std::string text = text_of(path_);
  std::size_t good = text.starts_with(header) ? header.size() : 0;
  simdjson::dom::parser parser;
  for (std::size_t end = 0; good > 0 && (end = text.find('\n', good)) != std::string::npos; good = end + 1) {
    std::optional<std::vector<TrialResult>> trial = trial_of(parser, text.substr(good, end - good), entrants);
    if (!trial) break;
    finished_.push_back(*std::move(trial));
  }
  constexpr mode_t mode = 0666;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode);
  if (descriptor_ < 0) throw SystemError(path_, errno, "cannot open the log of trials");
  if (::ftruncate(descriptor_, static_cast<off_t>(good)) != 0) {
    const int error = errno;
    ::close(descriptor_);
    throw SystemError(path_, error, "cannot shorten the log of trials");
  }
  if (good == 0) write(header);
}

TrialLog::~TrialLog() { ::close(descriptor_); }

void TrialLog::append(const std::vector<TrialResult>& trial) { write(line_of(trial) + "\n"); }

void TrialLog::write(std::string_view line) {
  const int error = WriteCalls::of_system().write_all(descriptor_, std::as_bytes(std::span(line)));
  if (error != 0) throw SystemError(path_, error, "cannot write the log of trials");
}

}  // namespace inkling::bench
