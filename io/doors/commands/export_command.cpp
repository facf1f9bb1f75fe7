// `inkling export`: writes a pool, or its words, in the formats of other programs.
#include <cstdint>
#include <span>
#include <string>

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
       "Writes a pool's matrix, words or vectors for other programs. Values are the shortest decimals that read back "
       "the same.",
       "inkling export reviews --to svmlight --out reviews.svm",
       {{"Output",
         {{"to", Choice{{"svmlight", "mtx", "npz", "words", "vectors"}}, "FORMAT", std::nullopt,
           "svmlight: a row a line, with labels; mtx: MatrixMarket coordinates; npz: what "
           "scipy.sparse.load_npz reads; words: those of the features, one a line; vectors: what numpy.load reads, "
           "a row a document",
           Need::required},
          {"out", Path{}, "FILE", std::nullopt, "the file, which appears whole or not at all; - is standard output",
           Need::required}}},
        {"Running", pool_trust_options()}},
       {"POOL", "the pool", 1, 1}});
}

void export_matrix(const Pool& pool, const std::string& format, OutputFile& file) {
  const ExportedMatrix matrix = {pool.view().by_document, pool.labels(), pool.label_names()};
  if (format == "svmlight")
    export_svmlight(matrix, file);
  else if (format == "mtx")
    export_matrix_market(matrix, file);
  else
    export_npz(matrix, file);
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

// Throws UsageError if the output would destroy the pool, or would go to a terminal although it is no text.
void check_output_of(const ParsedOptions& options) {
  const NamedFile output = {"--out", options.text("out")};
  refuse_overwriting(std::span(&output, 1), {}, options.positionals());
  const std::string& format = options.text("to");
  const bool is_text = format != "npz" && format != "vectors";
  if (!is_text && options.text("out") == "-" && terminal_facts(Stream::output).is_terminal)
    throw UsageError::option("out", format + " is not text: expected a file, or standard output that is not a terminal");
}

int export_pool(const ParsedOptions& options) {
  check_output_of(options);
  const Pool pool = Pool::open(options.positionals().front(), pool_trust_of(options));
  const std::string& format = options.text("to");
  if (format == "words" && !pool.vocabulary()) throw UsageError::option("to", "this pool has no words");
  const VectorView vectors = pool.view().by_document.vectors();
  if (format == "vectors" && vectors.empty()) throw UsageError::option("to", "this pool has no vectors");
  const std::string& path = options.text("out");
  OutputFile file = OutputFile::at(path);
  if (format == "words")
    export_vocabulary(*pool.vocabulary(), path == "-" && terminal_facts(Stream::output).is_terminal, file);
  else if (format == "vectors")
    export_vectors(vectors, file);
  else
    export_matrix(pool, format, file);
  pool.check_unchanged();
  file.close();
  return ExitCode::ok;
}

}  // namespace

Command export_command() { return command_of(export_options(), export_pool); }

}  // namespace inkling
