// Pools made from texts, files and matrices.
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine/core/enum_names.hpp"
#include "engine/core/errors.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/corpus/from_text/pool_extension.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/source/decoded_stream.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/corpus/source/format_detection.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/vectors/vector_source.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/doors/python/python_texts.hpp"
#include "io/search/events/pool_fingerprint.hpp"

namespace inkling::python {
namespace {

/// How far a build is: written by its threads, read by the one that waits.
struct BuildState {
  std::atomic<int> phase = 0;
  std::atomic<std::uint64_t> done = 0;
  std::atomic<std::uint64_t> total = 0;
  std::atomic<std::int64_t> documents = 0;
};

/// Called with (phase, done, total, documents), or None.
using Teller = nb::object;

struct Recipe {
  Recipe() { recipe.longest_ngram = kNgramsBySize; }

  TextRecipe recipe;
  std::vector<std::string> vocabulary = {};  // that was given
  std::vector<std::string_view> words = {};  // of it; or of a pool, with their idf, where documents come to it
  std::span<const double> idf = {};
  TextKeeping texts = TextKeeping::keep;
  SameBy same_by = {};
  std::shared_ptr<const VectorSource> vectors = {};
  std::span<const float> vector_centre = {};  // of the pool where documents come to it
  RepeatedIds repeated_ids = RepeatedIds::refused;
  std::uint64_t memory = std::uint64_t{1} << 30U;
  int threads = 0;
};

CorpusTotals build(DocumentSource& source, const Recipe& with, const PoolOrigin& origin, const std::string& path,
                   const Teller& teller, const std::function<std::unique_ptr<DocumentSource>()>& read_again = {}) {
  TextBuildOptions options;
  options.read_again = read_again;
  options.recipe = with.recipe;
  if (!with.words.empty()) options.given = GivenFeatures{with.words, with.idf};
  options.texts = with.texts;
  options.same_by = with.same_by;
  options.vectors = with.vectors;
  options.vector_centre.assign(with.vector_centre.begin(), with.vector_centre.end());
  options.repeated_ids = with.repeated_ids;
  options.memory = with.memory;
  options.origin = origin;
  options.check = [](const TextBuildSummary& summary) {
    if (summary.corpus.documents == 0) {
      const std::int64_t links = summary.corpus.links_left_out;
      const std::vector<std::string>& remarks = summary.corpus.remarks;
      throw FormatError(
          "texts",
          "expected at least one document, found none" + (remarks.empty() ? "" : "; " + remarks.front()) +
              (links == 0 ? "" : " and " + std::to_string(links) + " links in folders (follow_links=True follows them)"));
    }
    if (summary.features == 0) {
      throw FormatError("texts",
                        "expected a word that min_df, max_df and "
                        "stop_words leave, found none among " +
                            std::to_string(summary.terms) + " terms");
    }
  };
  int threads = with.threads > 0 ? with.threads : available_threads();
  threads = std::min(threads, most_build_threads(with.memory));
  if (with.memory < least_build_memory(threads))
    throw FormatError("memory", "expected at least " + std::to_string(least_build_memory(threads)) + " bytes");
  LongWork work;
  BuildState state;
  TextBuildSummary summary;
  if (!teller.is_none())
    work.tell = [&] { teller(state.phase.load(), state.done.load(), state.total.load(), state.documents.load()); };
  work.run(threads, [&] {
    PoolStaging staging(path);
    summary = build_text_pool(source, options, staging,
                              [&](BuildPhase phase, std::uint64_t done, std::uint64_t total, std::int64_t documents) {
                                work.stopped();
                                state.phase = static_cast<int>(phase);
                                state.done = done;
                                state.total = total;
                                state.documents = documents;
                              });
  });
  if (!teller.is_none()) teller(3, state.done.load(), state.total.load(), state.documents.load());
  return summary.corpus;
}

// Like `inkling build` where nobody names a format: by looking at what the
// first files hold.
SourceKind format_of(const std::string& path, const SourceOptions& options) {
  const SourceLook look = look_at_source(path, options, [] {});
  for (const LookedAtFile& file : look.files) {
    if (!file.content.foreign.empty()) {
      throw FormatError(
          file.name, "expected documents, found " + std::string(file.content.foreign) + "; " + std::string(file.content.remedy));
    }
    if (look.many_files && is_file_format(file.content.format)) return {std::string(kFilesFormat), ','};
    if (!file.content.format.empty()) return {std::string(file.content.format), file.content.delimiter};
  }
  return {look.many_files ? std::string(kFilesFormat) : "lines", ','};
}

/// How files are read.
struct Reading {
  std::string format = "auto";
  std::vector<std::string> names = {};  // of the fields of text, id and label
  bool keep_fields = true;
  bool follow_links = false;
  bool strict = false;
  std::string encoding = "auto";
  std::vector<std::string> origins = {};  // what is said of the paths, one for each: the addresses that they were fetched from
};

// Says other names of its files than the paths that it reads, because those are temporary.
class RenamedSource final : public DocumentSource {
 public:
  RenamedSource(std::unique_ptr<DocumentSource> source, std::vector<std::string> paths, std::vector<std::string> names)
      : source_(std::move(source)), paths_(std::move(paths)), names_(std::move(names)) {}

  [[nodiscard]] bool read(Chunk& chunk) override {
    if (!source_->read(chunk)) return false;
    for (std::size_t n = 0; n < paths_.size(); ++n) {
      const std::string_view origin = *chunk.origin;
      if (!origin.starts_with(paths_[n]) || (origin.size() > paths_[n].size() && origin[paths_[n].size()] != '/')) continue;
      chunk.origin = std::make_shared<const std::string>(names_[n] + std::string(origin.substr(paths_[n].size())));
      break;
    }
    return true;
  }
  [[nodiscard]] ChunkOutcome parse(const Chunk& chunk, const DocumentVisitor& visit) const override {
    return source_->parse(chunk, visit);
  }
  [[nodiscard]] std::uint64_t total_bytes() const override { return source_->total_bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return source_->bytes_read(); }
  [[nodiscard]] std::int64_t links_left_out() const override { return source_->links_left_out(); }
  [[nodiscard]] std::uint64_t unpacking_memory() const override { return source_->unpacking_memory(); }

 private:
  std::unique_ptr<DocumentSource> source_;
  std::vector<std::string> paths_;
  std::vector<std::string> names_;
};

// What is to be said of records and files, a line each.
std::vector<std::string> build_files(const std::vector<std::string>& paths, const Reading& reading, Recipe recipe,
                                     const std::string& out, const Teller& teller) {
  std::string format = reading.format;
  SourceOptions options;
  if (!set_encoding(reading.encoding, options))
    throw FormatError("encoding '" + reading.encoding + "'", "expected auto, utf-8, latin-1, cp1252 or a name that ICU has");
  options.reading.skip_bad = !reading.strict;
  recipe.repeated_ids = reading.strict ? RepeatedIds::refused : RepeatedIds::left_out;
  options.reading.unpacking.follow_links = reading.follow_links;
  options.text_field = reading.names.at(0);
  options.id_field = reading.names.at(1);
  options.label_field = reading.names.at(2);
  options.keep_fields = reading.keep_fields;
  if (format == "auto") {
    for (const std::string& path : paths) options.kinds.push_back(format_of(path, options));
    format = options.kinds.at(0).format;
    options.delimiter = options.kinds[0].delimiter;
    const bool are_same = std::ranges::count(options.kinds, options.kinds[0]) == std::ssize(options.kinds);
    if (are_same) options.kinds.clear();
  }
  const std::vector<std::string> kinds_of_matrices = {"svmlight", "mtx", "npz"};
  const auto is_matrix = [&](const SourceKind& kind) { return std::ranges::count(kinds_of_matrices, kind.format) > 0; };
  if (is_matrix({format}) || std::ranges::any_of(options.kinds, is_matrix)) {
    throw FormatError(paths.at(0),
                      "expected documents, found a matrix (" + format + "); read it with SciPy and give it to Pool.from_csr");
  }
  options.format = format;
  const auto renamed = [&paths, &reading](std::unique_ptr<DocumentSource> source) -> std::unique_ptr<DocumentSource> {
    if (reading.origins == paths) return source;
    return std::make_unique<RenamedSource>(std::move(source), paths, reading.origins);
  };
  const std::unique_ptr<DocumentSource> source = renamed(open_source(paths, options));
  std::function<std::unique_ptr<DocumentSource>()> again = reading_again(paths, options);
  if (again) again = [&renamed, open = std::move(again)] { return renamed(open()); };
  const CorpusTotals totals = build(*source, recipe, {reading.origins, format, std::string(program_version)}, out, teller, again);
  std::vector<std::string> remarks = totals.remarks;
  if (totals.skipped > std::ssize(remarks)) remarks.push_back(std::to_string(totals.skipped) + " records were left out in all");
  if (totals.bad_bytes > 0) remarks.push_back(std::to_string(totals.bad_bytes) + " bytes were no characters and became U+FFFD");
  if (totals.links_left_out > 0)
    remarks.push_back(std::to_string(totals.links_left_out) +
                      " links in folders were not followed (follow_links=True follows them)");
  return remarks;
}

void build_texts(nb::handle texts, std::uint64_t total_bytes, const Recipe& recipe, const std::string& out,
                 const Teller& teller) {
  PythonTexts source(texts, total_bytes);
  static_cast<void>(build(source, recipe, {{"Python"}, "texts", std::string(program_version)}, out, teller));
}

// Sets up a build whose rows can be added to the pool. Lifetime: the recipe lends the pool.
void be_like(Recipe& recipe, const CorePool& core) {
  const Pool* const pool = core.mapped();
  if (pool == nullptr || !core.is_from_text() || !pool->vocabulary() || pool->idf().empty())
    throw FormatError("the pool", "expected one made from text, found one made from a matrix");
  recipe.recipe = core.recipe();
  recipe.words = pool->vocabulary()->all();
  recipe.idf = pool->idf();
  recipe.texts = pool->texts() ? TextKeeping::keep : TextKeeping::drop;
  recipe.same_by = same_by_of(pool->manifest());
  recipe.vector_centre = pool->vector_centre();
}

// Lifetime: lends the bytes.
void bring_vectors(Recipe& recipe, const std::string& name, const std::string& descr, const ArrayIn<std::uint8_t>& bytes,
                   std::int64_t rows, std::int64_t dimensions) {
  recipe.vectors = vectors_in_memory(name, descr, std::as_bytes(span_of(bytes)), rows, dimensions);
}

// Exactly these words are features, in their order by bytes.
void set_vocabulary(Recipe& recipe, std::vector<std::string> words) {
  std::ranges::sort(words);
  const auto repeated = std::ranges::unique(words);
  words.erase(repeated.begin(), repeated.end());
  recipe.vocabulary = std::move(words);
  recipe.words.assign(recipe.vocabulary.begin(), recipe.vocabulary.end());
}

// Publishes the pool with the documents of `more` after its own, a pool that was built like it; false if it has them all.
bool extend(const CorePool& pool, const std::string& more, const std::string& out) {
  bool has_new = false;
  LongWork work;
  work.run(0, [&] {
    const Pool later = Pool::open(more, PoolTrust::structure);
    PoolStaging staging(out);
    const std::string fingerprint = pool_fingerprint(pool.mapped()->manifest());
    has_new =
        extend_pool(*pool.mapped(), fingerprint, later, same_by_of(later.manifest()), staging, [&] { work.stopped(); }).added > 0;
  });
  return has_new;
}

void save(const std::string& path, const CorePool& pool, SavedMatrix with) {
  LongWork().run(0, [&] { save_matrix(path, pool.view().by_document, with); });
}

DocumentThreshold threshold(bool is_share, double value) {
  return {.kind = is_share ? DocumentThreshold::Kind::share : DocumentThreshold::Kind::count, .value = value};
}

}  // namespace

void bind_building(nb::module_& module) {
  module.attr("MOST_TITLE_WEIGHT") = kMostTitleWeight;
  nb::class_<Recipe>(module, "Recipe", "The options by which text becomes a pool.")
      .def(nb::init<>())
      .def("like_scikit_learn", [](Recipe& recipe) { recipe.recipe = TextRecipe::like_scikit_learn(); })
      .def("like", be_like, nb::arg("pool"), nb::keep_alive<1, 2>())
      .def("vocabulary", set_vocabulary, nb::arg("words"))
      .def("lowercase",
           [](Recipe& recipe, bool lower) { recipe.recipe.tokens.letter_case = lower ? LetterCase::lower : LetterCase::keep; })
      .def("strip_accents",
           [](Recipe& recipe, const std::string& how) {
             recipe.recipe.tokens.accents = value_named("strip_accents", how, kAccentsNames);
           })
      .def("tokens",
           [](Recipe& recipe, const std::string& rule, std::int32_t least) {
             recipe.recipe.tokens.rule = value_named("token_pattern", rule, kTokenRuleNames);
             recipe.recipe.tokens.min_length = least;
           })
      .def("stop_words", [](Recipe& recipe, std::vector<std::string> words) { recipe.recipe.stop_words = std::move(words); })
      .def("ngrams",
           [](Recipe& recipe, int shortest, int longest) {
             if (shortest < 1 || longest < shortest || longest > kLongestNgram)
               throw FormatError("ngram_range", "expected 1 <= first <= last <= " + std::to_string(kLongestNgram));
             recipe.recipe.shortest_ngram = shortest;
             recipe.recipe.longest_ngram = longest;
           })
      .def("title_weight", [](Recipe& recipe, int times) { recipe.recipe.title_weight = times; })
      .def("min_df",
           [](Recipe& recipe, bool is_share, double value) { recipe.recipe.min_documents = threshold(is_share, value); })
      .def("min_df_runs", [](Recipe& recipe, std::int64_t least) { recipe.recipe.min_documents_of_runs = least; })
      .def("max_df",
           [](Recipe& recipe, bool is_share, double value) { recipe.recipe.max_documents = threshold(is_share, value); })
      .def("max_features", [](Recipe& recipe, std::int64_t most) { recipe.recipe.max_features = most; })
      .def("weight", [](Recipe& recipe,
                        const std::string& name) { recipe.recipe.weight = value_named("the weight", name, kTermWeightNames); })
      .def("idf", [](Recipe& recipe, const std::string& name) { recipe.recipe.idf = value_named("idf", name, kIdfNames); })
      .def("norm", [](Recipe& recipe, const std::string& name) { recipe.recipe.norm = value_named("norm", name, kRowNormNames); })
      .def("keep_text", [](Recipe& recipe, bool keep) { recipe.texts = keep ? TextKeeping::keep : TextKeeping::drop; })
      .def("same_by",
           [](Recipe& recipe, const std::string& rules) {
             const std::optional<SameBy> by = same_by_in(rules);
             if (!by) throw FormatError("same_by '" + rules + "'", std::string(kSameByExpectation));
             recipe.same_by = *by;
           })
      .def("vectors_in_file", [](Recipe& recipe, const std::string& path) { recipe.vectors = vectors_in_file(path); })
      .def("vectors", bring_vectors, nb::arg("name"), nb::arg("descr"), nb::arg("bytes").noconvert(), nb::arg("rows"),
           nb::arg("dimensions"), nb::keep_alive<1, 4>())
      .def_rw("memory", &Recipe::memory)
      .def_rw("threads", &Recipe::threads);
  module.def("build_texts", build_texts, nb::arg("texts"), nb::arg("total_bytes"), nb::arg("recipe"), nb::arg("out"),
             nb::arg("teller").none());
  module.def("document_formats", document_formats);
  nb::class_<Reading>(module, "Reading", "How files are read.")
      .def(nb::init<>())
      .def_rw("format", &Reading::format)
      .def_rw("names", &Reading::names)
      .def_rw("keep_fields", &Reading::keep_fields)
      .def_rw("follow_links", &Reading::follow_links)
      .def_rw("strict", &Reading::strict)
      .def_rw("encoding", &Reading::encoding)
      .def_rw("origins", &Reading::origins);
  module.def("build_files", build_files, nb::arg("paths"), nb::arg("reading"), nb::arg("recipe"), nb::arg("out"),
             nb::arg("teller").none());
  module.def("extend", extend, nb::arg("pool"), nb::arg("more"), nb::arg("out"));
  nb::class_<SavedMatrix>(module, "SavedMatrix", "What a matrix needs besides to become a pool.")
      .def(nb::init<>())
      .def_rw("terms", &SavedMatrix::terms)
      .def_rw("order", &SavedMatrix::order)
      .def_rw("ids", &SavedMatrix::ids)
      .def_rw("labels", &SavedMatrix::labels)
      .def_rw("texts", &SavedMatrix::texts);
  module.def("save", save, nb::arg("path"), nb::arg("pool"), nb::arg("with_"));
}

}  // namespace inkling::python
