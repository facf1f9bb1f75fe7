#include "bench/studies/asreview_search.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "bench/report/child_process.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kScript = "screen_with_asreview.py";
constexpr std::string_view kElas = "asreview elas_u4";

std::string script_in(const PeerPlace& place) { return fmt::format("{}/{}", place.folder, kScript); }

ChildResult run_script(const PeerPlace& place, const std::vector<std::string>& arguments,
                       const std::function<void()>& check_interruption) {
  std::vector<std::string> all = {place.python, script_in(place)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_child(std::move(all), thread_limits(1), check_interruption);
}

/// Identifies the script, because another version may choose other records.
std::string checksum_of_script(const PeerPlace& place) {
  const MappedFile script(script_in(place));
  return fmt::format("{:016x}", checksum_of(script.bytes()));
}

/// A member of the object that the script printed last, or nothing.
std::string member_of(std::string_view printed, std::string_view name) {
  simdjson::dom::parser parser;
  simdjson::dom::element object;
  std::string_view text;
  const std::string line(last_line(printed));
  if (parser.parse(line).get(object) != simdjson::SUCCESS) return {};
  return object[name].get(text) == simdjson::SUCCESS ? visible_text(text) : std::string();
}

OtherProgram::Search run_search(const AsreviewPackage& package, const std::string& records, const World& world,
                                std::uint64_t trial) {
  const ChildResult result = run_script(
      package.place,
      {records, "--given", fmt::format("{}", fmt::join(world.start.documents, ",")), "--seed", fmt::format("{}", trial)},
      throw_if_interrupted);
  const std::string script = script_in(package.place);
  if (result.exit_code != 0) throw FormatError(script, failure_of(kScript, result));
  return search_printed(last_line(result.out), world, script);
}

std::int64_t wanted_in(const World& world) {
  std::int64_t wanted = 0;
  for (DocumentId document = 0; document < world.pool.documents(); ++document)
    wanted += world.rewards.is_wanted(document) ? 1 : 0;
  return wanted;
}

}  // namespace

AsreviewPackage find_asreview(const PeerPlace& place, const std::function<void()>& check_interruption) {
  AsreviewPackage package{.place = place, .version = {}, .missing = {}};
  if (!std::filesystem::exists(script_in(place))) {
    package.missing = fmt::format("{} is not there: say where it is with --peer-folder", script_in(place));
    return package;
  }
  try {
    const ChildResult result = run_script(place, {"--version"}, check_interruption);
    package.version = member_of(result.out, "version");
    if (package.version.empty()) package.missing = member_of(result.out, "skipped");
    if (package.version.empty() && package.missing.empty()) package.missing = failure_of(kScript, result);
  } catch (const SystemError& error) {
    package.missing = error.what();
  }
  return package;
}

Entrant asreview_entrant(const AsreviewPackage& package, const std::string& records, std::int64_t rounds) {
  Entrant entrant;
  entrant.name = kElas;
  entrant.preset = {.name = kElas, .summary = "ASReview's default model, by its own package"};
  entrant.options.with_replacement = false;
  entrant.rounds = rounds;
  entrant.program = {
      package.version + " " + checksum_of_script(package.place),
      [package, records](const World& world, std::uint64_t trial) { return run_search(package, records, world, trial); }};
  return entrant;
}

OtherProgram::Search search_printed(std::string_view line, const World& world, const std::string& where) {
  OtherProgram::Search search;
  simdjson::dom::parser parser;
  const std::string text(line);
  try {
    const simdjson::dom::element said = parser.parse(text);
    search.seconds = said["seconds"].get_double();
    for (const simdjson::dom::element at : said["found_at"].get_array()) search.finds.at.push_back(at.get_int64());
  } catch (const simdjson::simdjson_error& error) {
    throw FormatError(where, fmt::format("expected \"found_at\" and \"seconds\", got {} ({})", in_quotes(text), error.what()));
  }
  Finds& finds = search.finds;
  finds.there = wanted_in(world);
  for (const DocumentId given : world.start.documents) finds.there -= world.rewards.is_wanted(given) ? 1 : 0;
  const std::int64_t most = world.pool.documents() - std::ssize(world.start.documents);
  const bool ascends = std::ranges::adjacent_find(finds.at, std::ranges::greater_equal()) == finds.at.end();
  if (std::ssize(finds.at) != finds.there || !ascends || finds.at.empty() || finds.at.front() < 1 || finds.at.back() > most)
    throw FormatError(where, fmt::format("expected {} ascending ranks from 1 to {}, got {}", finds.there, most, in_quotes(text)));
  finds.rounds = finds.at.back();
  return search;
}

}  // namespace inkling::bench
