// `inkling export`: writes a pool in the formats of other programs.
#include <cstdint>
#include <string>
#include <vector>

#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/matrix/matrix_export.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/output_check.hpp"
#include "io/doors/commands/pool_trust.hpp"

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
          {"out", Path{}, "FILE", std::nullopt,
           "the file, which appears whole or not at all; - is standard output", Need::required},
          {"vocabulary", Path{}, "FILE", std::nullopt,
           "write the features' words there, one a line, too; - is standard output"}}},
        {"Running", pool_trust_options()}},
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

OutputFile opened_output(const std::string& path) {
  if (path == "-") return OutputFile::standard_output();
  return OutputFile(path);
}

// Words come from documents: a terminal would act on some of their characters.
void export_vocabulary(const StringTable& words, bool to_terminal, OutputFile& file) {
  for (std::int64_t j = 0; j < words.size(); ++j) {
    if (to_terminal)
      file.append(visible_text(words[j]));
    else
      file.append(words[j]);
    file.append("\n");
  }
}

// Throws UsageError where an output would destroy the pool or the other output, or a terminal is no place for it.
void check_outputs_of(const ParsedOptions& options) {
  std::vector<NamedFile> outputs = {{"--out", options.text("out")}};
  if (options.has("vocabulary")) outputs.push_back({"--vocabulary", options.text("vocabulary")});
  refuse_overwriting(outputs, {}, options.positionals());
  if (outputs.size() == 2 && outputs.front().path == "-" && outputs.back().path == "-")
    throw UsageError::option("vocabulary",
                             "expected another place than --out, which is standard output already");
  if (options.text("to") == "npz" && options.text("out") == "-" && terminal_facts(Stream::output).is_terminal)
    throw UsageError::option("out",
                             "npz is not text: expected a file, or standard output that is not a terminal");
}

int export_pool(const ParsedOptions& options) {
  check_outputs_of(options);
  const Pool pool = Pool::open(options.positionals().front(), pool_trust_of(options));
  const bool with_words = options.has("vocabulary");
  if (with_words && !pool.vocabulary()) throw UsageError::option("vocabulary", "this pool has no words");
  OutputFile file = opened_output(options.text("out"));
  if (with_words) {
    const std::string& path = options.text("vocabulary");
    OutputFile words = opened_output(path);
    export_vocabulary(*pool.vocabulary(), path == "-" && terminal_facts(Stream::output).is_terminal, words);
    export_matrix(pool, options.text("to"), file);
    pool.check_unchanged();
    words.close();
  } else {
    export_matrix(pool, options.text("to"), file);
  }
  pool.check_unchanged();
  file.close();
  return ExitCode::ok;
}

}  // namespace

Command export_command() { return command_of(export_options(), export_pool); }

}  // namespace inkling
