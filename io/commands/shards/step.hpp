// What the steps of a build in parts share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/build/text_builder.hpp"
#include "io/cli/option_table.hpp"
#include "io/cli/progress.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/partial_folder.hpp"
#include "io/shards/build_plan.hpp"
#include "io/source/document_source.hpp"

namespace inkling {

/// What a step made, or found made already.
struct StepResult {
  std::string out;
  std::optional<std::uint64_t> checksum =
      {};  ///< that the file ends in; nothing for a folder, whose manifest has it
  enum class Work { made, found } work = Work::made;
};

/// The output stands already: says so in the result, and removes what killed runs of the same step left beside it.
void found_standing(StepResult& result, PartialContents contents = {});

/// "inkling count: parts/3: 1,000 documents" on standard error, or one JSON object on standard output where --json asks
/// for it. `add_facts` adds its members. Never throws: the output stands.
void report_step(const ParsedOptions& options, std::string_view command, const StepResult& result,
                 const std::string& facts, const std::function<void(JsonWriter&)>& add_facts) noexcept;

/// Throws UsageError: something else than this step would make stands where it writes.
[[noreturn]] void refuse_standing(const std::string& out, std::string_view what);

/// What --out names. Throws UsageError where it is not given, or is "-".
[[nodiscard]] const std::string& step_output(const ParsedOptions& options, std::string_view what);

/// Whether anything but an empty folder stands at a path.
[[nodiscard]] bool stands_something_at(const std::string& path);

/// What a worker's process adds to the plan. Throws UsageError where --memory is too little for the documents that the plan
/// allows.
[[nodiscard]] SourceOptions process_options(const ParsedOptions& options, const BuildPlan& plan);

/// The options of a step that reads documents: --memory and --threads.
[[nodiscard]] OptionGroup running_group();
[[nodiscard]] Option json_option();

}  // namespace inkling
