#include "io/doors/steps/step.hpp"

#include <algorithm>
#include <ctime>
#include <span>

#include <fmt/format.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"

namespace inkling {

namespace {

// The CPU time of all threads, user and system.
double process_cpu_seconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::uint64_t manifest_checksum_in(const std::string& folder) {
  const std::string path = pool_file_path(folder, PoolFile::manifest);
  const std::optional<std::uint64_t> checksum = seal_of(text_of_sealed_file(path, "a manifest"));
  if (!checksum) throw CorruptFileError(path, "damaged: expected a manifest that ends in its checksum");
  return *checksum;
}

// Devices and pipes do, too: no output takes their place.
bool holds_something(const std::string& path) {
  const std::optional<FileStatus> found = status_at(path.c_str());
  return found && !is_empty_folder_at(path) && (!found->is_file() || found->size > 0);
}

}  // namespace

std::string step_line(std::string_view command, const StepResult& result, const std::string& facts) {
  const bool found = result.work == StepResult::Work::found;
  return fmt::format("inkling {}: {}: {}{}\n", command, visible_text(result.out), facts,
                     found ? "; it exists already, nothing to do" : "");
}

JsonWriter begun_step_object(const StepResult& result) {
  const std::uint64_t checksum = result.checksum ? *result.checksum : manifest_checksum_in(result.out);
  JsonWriter json;
  json.begin_object();
  json.member("out", result.out).member("checksum", checksum_digits(checksum));
  json.member("found", result.work == StepResult::Work::found).member("cpu_seconds", process_cpu_seconds());
  return json;
}

void found_output(StepResult& result, PartialContents contents) {
  result.work = StepResult::Work::found;
  const std::string name = resolved_path(result.out);
  remove_leftovers(std::span(&name, 1), contents);
}

void refuse_other_output(const std::string& out, std::string_view what) {
  throw UsageError::option(
      "out", fmt::format("found {} at {}, of other inputs. An output is never replaced: remove it, or say another name", what,
                         in_quotes(out)));
}

const std::string& step_output(const ParsedOptions& options, std::string_view what) {
  if (!options.has("out")) throw UsageError::option("out", fmt::format("expected the name of {}", what));
  if (options.text("out") == "-")
    throw UsageError::option("out", fmt::format("{} cannot go to standard output; say its name", what));
  return options.text("out");
}

void refuse_other_sealed_output(const std::string& out, const std::string& text, std::string_view what) {
  if (holds_something(out) && text_of_sealed_file(out, what) != text) refuse_other_output(out, "another file");
}

void write_sealed_output(StepResult& result, const std::string& text, std::string_view what) {
  result.checksum = *seal_of(text);
  refuse_other_sealed_output(result.out, text, what);
  if (holds_something(result.out)) return found_output(result);
  OutputFile file(result.out);
  file.append(text);
  file.close();
}

SourceOptions process_options(const ParsedOptions& options, const BuildPlan& plan) {
  const std::int64_t share = std::max(options.integer("memory") / 8, kMebibyte);
  const std::uint64_t most = plan.source.reading.most_document_bytes;
  if (most > static_cast<std::uint64_t>(share)) {
    throw UsageError::option("memory", fmt::format("the plan takes documents of up to {}: expected at least {}",
                                                   byte_size_text(most), byte_size_text(8 * most)));
  }
  SourceOptions source;
  source.seen = std::make_shared<SeenNames>(plan.source.labels.size());
  source.reading.check_interruption = throw_if_interrupted;
  source.reading.unpacking.most_memory = static_cast<std::uint64_t>(2 * share);
  return source;
}

Option json_option() { return {"json", Flag{}, "", std::nullopt, "print the summary as one JSON object"}; }

}  // namespace inkling
