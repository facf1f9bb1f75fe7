// What the steps of a build in parts share.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "io/base/file/json_writer.hpp"
#include "io/base/file/partial_folder.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/doors/cli/option_table.hpp"
#include "io/doors/cli/progress.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/parts/shards/build_plan.hpp"

namespace inkling {

/// The result of a step: an output that it made, or found existing.
struct StepResult {
  std::string out;
  std::optional<std::uint64_t> checksum = {};  ///< that the file ends in; nothing for a folder, whose manifest has it
  enum class Work { made, found } work = Work::made;
};

/// To be called if the output exists already: notes that in the result, and removes what killed runs of the same step left beside
/// it.
void found_output(StepResult& result, PartialContents contents = {});

/// "inkling parts count: counts/3: 1,000 documents".
[[nodiscard]] std::string step_line(std::string_view command, const StepResult& result, const std::string& facts);

/// A JSON object that is begun with the members of all steps.
[[nodiscard]] JsonWriter begun_step_object(const StepResult& result);

/// step_line() with facts() on standard error, or one JSON object with the members of add_facts on standard output where
/// --json asks for it. Never throws: the output is complete, and memory may be too short for its summary.
template <typename Facts, typename AddFacts>
void report_step(const ParsedOptions& options, std::string_view command, const StepResult& result, const Facts& facts,
                 const AddFacts& add_facts) noexcept {
  try {
    if (!options.flag("json")) return tell(step_line(command, result, facts()));
    JsonWriter json = begun_step_object(result);
    add_facts(json);
    if (print_summary(json.end_object().take() + "\n")) return;
  } catch (const std::exception&) {
    // Most likely there was not enough memory, or no descriptor to read the checksum.
  }
  tell(kNoSummary);
}

/// Throws UsageError: the output path holds something that this step would not make.
[[noreturn]] void refuse_other_output(const std::string& out, std::string_view what);

/// What --out names. Throws UsageError where it is not given, or is "-".
[[nodiscard]] const std::string& step_output(const ParsedOptions& options, std::string_view what);

/// Writes the output, a file that ends in its checksum, unless the same one is there already. Throws UsageError if something
/// else is. `what`: the kind of file, for messages.
void write_sealed_output(StepResult& result, const std::string& text, std::string_view what);

/// The options of this process, added to those of the plan. Throws UsageError if --memory is too small for the documents that the
/// plan allows.
[[nodiscard]] SourceOptions process_options(const ParsedOptions& options, const BuildPlan& plan);

[[nodiscard]] Option json_option();

}  // namespace inkling
