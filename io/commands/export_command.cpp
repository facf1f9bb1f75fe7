// `inkling export`: writes a pool in the formats of other programs.
#include <fmt/format.h>

#include "io/cli/output_guard.hpp"
#include "io/commands/commands.hpp"
#include "io/file/output_file.hpp"
#include "io/matrix/matrix_export.hpp"
#include "io/pool/open/pool.hpp"

namespace inkling {
namespace {

OptionTable export_options() {
  using Need = Option::Need;
  return OptionTable(
      {"inkling export",
       "Writes a pool's matrix in a format of other programs: values are the shortest decimals that read "
       "back the same.",
       "inkling export reviews --to svmlight --out reviews.svm",
       {{"Output",
         {{"to", Choice{{"svmlight", "mtx", "npz"}}, "FORMAT", std::nullopt,
           "svmlight: a row a line, with labels; mtx: MatrixMarket coordinates; npz: what "
           "scipy.sparse.load_npz reads",
           Need::required},
          {"out", Path{}, "FILE", std::nullopt, "the file, which appears whole or not at all",
           Need::required},
          {"vocabulary", Path{}, "FILE", std::nullopt, "write the features' words there, one a line, too"}}},
        {"Running", {{"trust", Flag{}, "", std::nullopt, "do not compare checksums"}}}},
       {"POOL", "the pool", 1, 1}});
}

void export_matrix(const Pool& pool, const std::string& format, OutputFile& file) {
  const ExportedMatrix matrix = {pool.view().by_document, pool.labels(), pool.label_names()};
  if (format == "svmlight") {
    export_svmlight(matrix, file);
  } else if (format == "mtx") {
    export_matrix_market(matrix, file);
  } else {
    export_npz(matrix, file);
  }
}

void export_vocabulary(const Pool& pool, const std::string& path) {
  if (!pool.vocabulary()) throw UsageError::option("vocabulary", "this pool has no words");
  OutputFile file(path);
  for (std::int64_t j = 0; j < pool.vocabulary()->size(); ++j) {
    file.append((*pool.vocabulary())[j]);
    file.append("\n");
  }
  pool.check_unchanged();
  file.close();
}

void guard_pool(const ParsedOptions& options) {
  OutputGuard guard;
  guard.reads(options.positionals());
  guard.writes("out", options.text("out"));
  if (options.has("vocabulary")) guard.writes("vocabulary", options.text("vocabulary"));
}

int export_pool(const ParsedOptions& options) {
  guard_pool(options);
  const Pool pool = Pool::open(options.positionals().front(),
                               options.flag("trust") ? PoolTrust::structure : PoolTrust::checksums);
  OutputFile file(options.text("out"));
  export_matrix(pool, options.text("to"), file);
  if (options.has("vocabulary")) export_vocabulary(pool, options.text("vocabulary"));
  pool.check_unchanged();
  file.close();
  return ExitCode::ok;
}

}  // namespace

Command export_command() { return command_of(export_options(), export_pool); }

}  // namespace inkling
