#include "io/commands/import_build.hpp"

#include <memory>

#include <fmt/format.h>

#include "io/cli/build_info.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/command_line.hpp"
#include "io/cli/peak_memory.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/commands/build_options.hpp"
#include "io/commands/build_progress.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/json_writer.hpp"
#include "io/matrix/matrix_import.hpp"
#include "io/pool/open/pool_size.hpp"

namespace inkling {
namespace {

std::string label_of(ImportPhase phase) {
  switch (phase) {
    case ImportPhase::rows:
      return "rows, non-zeros";
    case ImportPhase::columns:
      return "columns, non-zeros";
    case ImportPhase::read:
      break;
  }
  return "reading, bytes";
}

std::string text_of(const ImportSummary& summary, const std::string& pool, double seconds,
                    const Style& style) {
  std::string text =
      style.bold(fmt::format("{}: a pool of {} documents", pool, digit_groups(summary.rows))) + "\n";
  text += fmt::format("  features     {}\n  non-zeros    {}\n", digit_groups(summary.columns),
                      digit_groups(summary.nonzeros));
  if (summary.zeros > 0) text += fmt::format("  zeros        {} left out\n", digit_groups(summary.zeros));
  if (summary.skipped > 0)
    text += fmt::format("  skipped      {} bad records\n", digit_groups(summary.skipped));
  text +=
      fmt::format("  on disk      {}\n  time         {:.2f} s\n", byte_size_text(pool_bytes(pool)), seconds);
  if (const auto peak = peak_resident_memory())
    text += fmt::format("  memory       {} at most\n", byte_size_text(*peak));
  return text;
}

std::string json_of(const ImportSummary& summary, const std::string& pool, double seconds) {
  JsonWriter json;
  json.begin_object()
      .member("pool", pool)
      .member("documents", summary.rows)
      .member("features", summary.columns);
  json.member("nonzeros", summary.nonzeros).member("zeros_left_out", summary.zeros);
  json.member("skipped_records", summary.skipped)
      .member("pool_bytes", pool_bytes(pool))
      .member("seconds", seconds);
  if (const auto peak = peak_resident_memory()) json.member("peak_memory_bytes", *peak);
  return json.end_object().take();
}

void refuse_options_of_text(const ParsedOptions& options, const std::string& format) {
  for (const char* const name :
       {"topics", "tokens", "min-token-length", "keep-case", "stop-words", "ngrams", "min-df", "max-df",
        "max-features", "tf", "idf", "norm", "keep-text", "dry-run", "encoding", "bad-bytes", "text-field",
        "id-field", "label-field"}) {
    if (options.given(name))
      throw UsageError::option(name, fmt::format("is for text; a {} matrix is taken as it is", format));
  }
}

}  // namespace

int build_matrix(const ParsedOptions& options, const std::string& format) {
  refuse_options_of_text(options, format);
  const Stopwatch watch;
  const std::string& pool = pool_to_build(options);
  ImportOptions import;
  import.memory = static_cast<std::uint64_t>(options.integer("memory"));
  if (options.has("vocabulary")) import.vocabulary = options.text("vocabulary");
  if (options.flag("no-labels")) import.labels = LabelUse::drop;
  import.sources = options.positionals();
  import.source_format = format;
  import.program_version = std::string(program_version);
  ImportSummary summary;
  {
    PhasedProgress progress;
    const std::unique_ptr<MatrixSource> source =
        open_matrix_source(options.positionals(), matrix_source_options(options, format));
    PoolStaging staging(pool);
    ThreadLimit limit(build_threads(options));
    const ImportListener listener = {
        .progress = [&](ImportPhase phase, std::uint64_t done, std::uint64_t total) {
          progress.show(label_of(phase), done, total);
        }};
    summary = limit.run([&] { return import_matrix(*source, import, staging, listener); });
  }
  if (options.flag("json")) {
    fmt::print("{}\n", json_of(summary, pool, watch.seconds()));
  } else {
    fmt::print(stderr, "{}",
               text_of(summary, pool, watch.seconds(), Style(terminal_facts(Stream::error).colour)));
  }
  return ExitCode::ok;
}

}  // namespace inkling
