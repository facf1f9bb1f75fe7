#include "io/doors/commands/build_options.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/strict_number.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/source/decoded_stream.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/text/stop_words.hpp"
#include "io/corpus/vectors/vector_source.hpp"
#include "io/doors/cli/threads_option.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostDocument = std::int64_t{2047} * kMebibyte;

// "5" is a number of documents; "0.5" and "50%" are a share of them.
DocumentThreshold threshold(const ParsedOptions& options, std::string_view name) {
  std::string_view text = options.text(name);
  using Kind = DocumentThreshold::Kind;
  if (const std::optional<std::int64_t> count = parse_integer(text); count && *count >= 0)
    return {Kind::count, static_cast<double>(*count)};
  const double unit = text.ends_with('%') ? 0.01 : 1.0;
  if (text.ends_with('%')) text.remove_suffix(1);
  const std::optional<double> share = parse_real(text);
  if (!share || *share < 0.0 || *share * unit > 1.0) {
    throw UsageError::option(name, fmt::format("expected a number of documents such as 5, or a share of them such "
                                               "as 0.5 or 50%, got {}",
                                               in_quotes(options.text(name))));
  }
  return {Kind::share, *share * unit};
}

void read_ngrams(const std::vector<std::int64_t>& lengths, TextRecipe& recipe) {
  if (lengths.size() > 2 || lengths.front() > lengths.back())
    throw UsageError::option("ngrams", "expected one length such as 2, or the shortest and the longest such as 1,2");
  recipe.shortest_ngram = static_cast<std::int32_t>(lengths.front());
  recipe.longest_ngram = static_cast<std::int32_t>(lengths.back());
}

template <typename Enum, std::size_t size>
std::string name_text(Enum value, const EnumName<Enum> (&names)[size]) {
  return std::string(name_of(value, names));
}

TextRecipe default_recipe() {
  TextRecipe recipe;
  recipe.longest_ngram = kNgramsBySize;
  return recipe;
}

// These settings as options of a command line.
std::string scikit_learn_options() {
  const TextRecipe recipe = TextRecipe::like_scikit_learn();
  return fmt::format("--tf {} --title-weight {} --ngrams {} --min-df-runs {} --max-df {}",
                     name_of(recipe.weight, kTermWeightNames), recipe.title_weight, ngrams_text(recipe),
                     recipe.min_documents_of_runs, threshold_text(recipe.max_documents));
}

std::vector<std::string> stop_words(const std::string& which) {
  if (which == "none") return {};
  std::vector<std::string> words;
  if (which == "english")
    for (const std::string_view word : english_stop_words()) words.emplace_back(word);
  else
    words = read_word_list(which);
  std::ranges::sort(words);
  return words;
}

ReadingOptions reading_options(const ParsedOptions& options) {
  ReadingOptions reading;
  // A document is in memory several times while it is read, cut and counted.
  const std::int64_t share = std::max(options.integer("memory") / 8, kMebibyte);
  reading.most_document_bytes = static_cast<std::uint64_t>(std::min(options.integer("max-document"), share));
  if (share < options.integer("max-document")) reading.most_document_option = "an eighth of --memory";
  reading.unpacking.most_memory = static_cast<std::uint64_t>(2 * share);
  reading.check_interruption = throw_if_interrupted;
  reading.unpacking.follow_links = options.flag("follow-links");
  reading.unpacking.most_expansion = options.real("max-expansion");
  reading.unpacking.most_unpacked_bytes = static_cast<std::uint64_t>(options.integer("max-unpacked"));
  return reading;
}

OptionGroup input_group() {
  return {
      "What comes in",
      {{"format", Choice{format_choices()}, "FORMAT", "auto", format_help()},
       {"topics", Text{}, "LABELS", std::nullopt, "keep only documents with these labels, separated by commas"},
       {"text-field", Text{}, "NAME", "text",
        "field, column or tag that holds the text (default: text, or else title and abstract): NAME; "
        "several: title,text; of an object within: OBJECT.NAME (jsonl)"},
       {"id-field", Text{}, "NAME", "id", "field or column that holds the id"},
       {"label-field", Text{}, "NAME", "label",
        "field or column that holds the label; of a list of labels the first counts, or the first of "
        "--topics"},
       {"delimiter", Choice{names_of(kDelimiterNames)}, "NAME", std::nullopt,
        "what separates the fields of csv (default: detected, otherwise comma)"},
       encoding_option(),
       {"bad-bytes", Choice{names_of(kBadBytesNames)}, "RULE", "replace",
        "bytes that are not UTF-8: replace them by U+FFFD and count them, or end the build with an error"},
       {"no-fields", Flag{}, "", std::nullopt,
        "do not keep what records hold beside text, id and label (title, authors, year, DOI, ...)"},
       strict_option(),
       {"follow-links", Flag{}, "", std::nullopt,
        "follow symbolic links in folders, wherever they lead; without it they are counted and left out"},
       {"max-document", Size{1, kMostDocument}, "SIZE", "64M", "refuse a document or line longer than this"},
       {"max-expansion", Real::at_least(1.0), "RATIO", "200", "refuse archives that unpack to more than RATIO times their size"},
       {"max-unpacked", Size{1}, "SIZE", "1T", "refuse archives that unpack to more than this"}}};
}

OptionGroup matrix_group() {
  return {"A ready-made matrix",
          {{"index-base", Integer{0, 1}, "N", "1", "number of the first feature (svmlight)"},
           {"features", Integer{1, INT32_MAX}, "N", std::nullopt,
            "number of features (svmlight; default: the highest feature in the file)"},
           {"no-labels", Flag{}, "", std::nullopt, "do not keep the first number of a line as a label (svmlight)"},
           {"skip-bad", Flag{}, "", std::nullopt, "leave out bad rows and count them, instead of stopping at the first"}}};
}

OptionGroup token_group() {
  return {
      "Tokens",
      {{"tokens", Choice{names_of(kTokenRuleNames)}, "RULE", "words",
        "words: letters, digits and underscores of any script; letters: a to z alone; dictionary: as words, "
        "and Chinese, Japanese, Thai, Lao, Khmer and Burmese are cut into words"},
       {"min-token-length", Integer{1, 1000}, "N", std::nullopt, "shortest token in characters (default: 2 for words, else 1)"},
       {"keep-case", Flag{}, "", std::nullopt, "do not turn the text into lower case"},
       {"strip-accents", Choice{names_of(kAccentsNames)}, "HOW", "keep",
        "letters with accents: keep; unicode: without them; ascii: and without all characters beyond ASCII"},
       {"stop-words", Text{}, "WHICH", "none", "words to leave out: none, english, or a file with one a line"},
       {"title-weight", Integer{1, kMostTitleWeight}, "N", std::nullopt,
        fmt::format("with several --text-field, the first is a title and counts N times (default: {})",
                    TextRecipe().title_weight)},
       {"ngrams", IntegerList{{1, kLongestNgram}}, "MIN,MAX", std::nullopt,
        fmt::format("features are runs of MIN to MAX tokens: 1, or 1,2 (default: {})", ngrams_text(default_recipe()))}}};
}

OptionGroup chosen_feature_group() {
  return {"Features",
          {{"min-df", Text{}, "N", threshold_text(TextRecipe().min_documents),
            "drop words that fewer documents hold: a number (5) or a share (0.01, 1%)"},
           {"min-df-runs", Integer{1, INT32_MAX}, "N", fmt::format("{}", TextRecipe().min_documents_of_runs),
            "of --ngrams: drop runs of several words that fewer documents hold; unless N is 1, a dropped run "
            "still counts in the length of its row, as if one document held it"},
           {"max-df", Text{}, "N", std::nullopt,
            fmt::format("drop words that more documents hold: a number (500) or a share (0.5, 50%) (default: {})",
                        threshold_text(TextRecipe().max_documents))},
           {"max-features", Integer{1, INT32_MAX}, "N", std::nullopt, "keep the N most frequent words"}}};
}

OptionGroup feature_group() {
  OptionGroup group = {
      "Features",
      {{"vocabulary", Path{}, "FILE", std::nullopt,
        "the features are these words, one a line, and no others; of a ready-made matrix: the words of its "
        "columns"},
       {"like", Path{}, "POOL", std::nullopt, "make the documents part of POOL's matrix: its recipe, its words and their idf"},
       vectors_option()}};
  for (Option& option : chosen_feature_group().options) group.options.push_back(std::move(option));
  return group;
}

OptionGroup weight_group() {
  return {
      "Weights",
      {{"tf", Choice{names_of(kTermWeightNames)}, "KIND", name_text(TextRecipe().weight, kTermWeightNames),
        "the weight of a word in a document: its count, 1 + ln(count), or 1"},
       {"idf", Choice{names_of(kIdfNames)}, "KIND", name_text(TextRecipe().idf, kIdfNames),
        "the weight of a word: ln((1 + N) / (1 + df)) + 1, ln(N / df) + 1, or 1"},
       {"norm", Choice{names_of(kRowNormNames)}, "KIND", name_text(TextRecipe().norm, kRowNormNames),
        "the norm by which each row is scaled to length 1"},
       {"like-scikit-learn", Flag{}, "", std::nullopt,
        fmt::format("the defaults of scikit-learn's TfidfVectorizer: {}; options given beside it win", scikit_learn_options())}}};
}

OptionGroup output_group() {
  return {
      "What goes out",
      {{"out", Path{}, "POOL", std::nullopt, "the pool: a folder, which appears whole or not at all"},
       {"force", Flag{}, "", std::nullopt, "replace the pool that --out names, if there is one"},
       {"allow-empty", Flag{}, "", std::nullopt, "make a pool even without documents or without features"},
       {"keep-text", Flag{}, "", std::nullopt, "keep the documents' texts in the pool"},
       {"keep-duplicates", Flag{}, "", std::nullopt, "the same as --same-by none: searches offer every document"},
       same_by_option(),
       {"rated-by", Text{}, "FIELD", std::nullopt,
        "begin a search of the pool with the ratings that a field of the records holds, as inkling search "
        "--rated-by does, and keep it in POOL.search"},
       {"dry-run", Flag{}, "", std::nullopt, "read everything, write nothing, and say how much disk and memory a build takes"},
       {"explain", Text{}, "TEXT", std::nullopt,
        "show the tokens, features and weights of one text instead; with SOURCE... or --like POOL, by their "
        "counts"},
       {"json", Flag{}, "", std::nullopt, "print the summary as one JSON object"}}};
}

}  // namespace

Option vectors_option() {
  return {
      "vectors", Path{}, "FILE", std::nullopt,
      "a .npy matrix with a row for each document, in their order (sentence vectors): inkling learns from it beside the words; "
      "a row of zeros is a document without one"};
}

Option same_by_option() {
  return {"same-by", Text{}, "RULES", std::nullopt,
          "by what records are one, of which searches offer each once: some of doi, pmid, title (and year) and text, with commas "
          "between, or none (default: " +
              same_by_text(SameBy()) + ")"};
}

std::optional<SameBy> given_same_by(const ParsedOptions& options) {
  if (!options.has("same-by")) return std::nullopt;
  const std::optional<SameBy> by = same_by_in(options.text("same-by"));
  if (!by) throw UsageError::option("same-by", fmt::format("{}, got {}", kSameByExpectation, in_quotes(options.text("same-by"))));
  return by;
}

SameBy same_by_or_keep_duplicates(const ParsedOptions& options) {
  const std::optional<SameBy> by = given_same_by(options);
  if (!options.flag("keep-duplicates")) return by.value_or(SameBy());
  if (by && by->any()) throw UsageError::option("same-by", "expected without --keep-duplicates");
  return kAllApart;
}

OptionGroup running_group() {
  return {"Running",
          {{"memory", Size{static_cast<std::int64_t>(least_build_memory(1))}, "SIZE", "1G",
            "most memory to use; with little of it, fewer threads work"},
           threads_option()}};
}

OptionTable build_option_table() {
  OptionTable::Description description = {
      "inkling build",
      "Turns texts, or a ready-made matrix, into a pool. The defaults are those that search best; "
      "--like-scikit-learn gives the matrix of scikit-learn's TfidfVectorizer.",
      "inkling build reviews.jsonl.gz --out reviews --keep-text --min-df 2",
      {input_group(), token_group(), feature_group(), weight_group(), matrix_group(), output_group(), running_group()},
      {"SOURCE...", "files, folders and archives (.tar.gz, .zip, .gz, .zst, ...); - is standard input", 0, SIZE_MAX}};
  // Set separately: as a part of the list above, g++ 12 would free the positionals twice if memory ran out.
  description.common = {"out",      "force",       "like",       "format", "text-field",
                        "id-field", "label-field", "stop-words", "min-df", "keep-text"};
  return OptionTable(std::move(description));
}

OptionTable plan_option_table() {
  OptionTable::Description description = {
      "inkling parts plan",
      "Cuts sources into parts. They are built on many machines, or in many runs, and together they are what "
      "inkling build makes at once, to the last bit.",
      "inkling parts plan reviews/ --parts 16 --min-df 2 --out plan.json",
      {input_group(),
       token_group(),
       chosen_feature_group(),
       weight_group(),
       {"What goes out",
        {{"out", Path{}, "FILE", std::nullopt, "the plan"},
         {"parts", Integer{1, 10'000'000}, "N", std::nullopt, "make at most N parts"},
         {"part-size", Size{1}, "SIZE", "1G", "without --parts: make parts of about this size"},
         {"keep-text", Flag{}, "", std::nullopt, "keep the documents' texts in the shards"},
         vectors_option(),
         {"allow-empty", Flag{}, "", std::nullopt, "make shards even without documents or without features"},
         {"json", Flag{}, "", std::nullopt, "print the summary as one JSON object"}}},
       {"Running",
        {{"memory", Size{static_cast<std::int64_t>(least_build_memory(1))}, "SIZE", "1G",
          "most memory to use, here and by each worker; with little of it, long documents are refused"}}}},
      {"SOURCE...", "files, folders and archives (.tar.gz, .zip, .gz, .zst, ...)", 1, SIZE_MAX}};
  description.common = {"out",         "parts",  "part-size",  "format", "text-field", "id-field",
                        "label-field", "topics", "stop-words", "min-df", "ngrams",     "keep-text"};
  return OptionTable(std::move(description));
}

int build_threads(const ParsedOptions& options) {
  return std::min(threads_of(options), most_build_threads(static_cast<std::uint64_t>(options.integer("memory"))));
}

MatrixSourceOptions matrix_source_options(const ParsedOptions& options, const BuildSources& sources) {
  MatrixSourceOptions source;
  source.format = sources.format;
  source.index_base = options.integer("index-base");
  if (options.has("features")) source.features = options.integer("features");
  source.reading = reading_options(options);
  source.reading.skip_bad = options.flag("skip-bad");
  return source;
}

Option strict_option() {
  return {"strict", Flag{}, "", std::nullopt,
          "refuse a source at its first bad record or repeated id; without it bad records are left out and named, and a record "
          "with the id of an earlier one is kept without an id"};
}

Option encoding_option() {
  return {"encoding", Text{}, "NAME", "auto",
          "encoding of the text: utf-8, latin-1, cp1252, or any that ICU has (shift_jis, gb18030, koi8-r, ...); auto: UTF-8, or "
          "else what it was found to be"};
}

SourceOptions source_options(const ParsedOptions& options) {
  SourceOptions source;
  if (const std::string& name = options.text("encoding"); !set_encoding(name, source))
    throw UsageError::option(
        "encoding", fmt::format("expected auto, utf-8, latin-1, cp1252 or a name that ICU has, got {}", in_quotes(name)));
  source.bad_bytes = options.choice("bad-bytes", kBadBytesNames);
  source.text_field = options.text("text-field");
  source.id_field = options.text("id-field");
  source.label_field = options.text("label-field");
  source.keep_fields = !options.flag("no-fields");
  if (options.has("topics")) {
    for (const std::string_view label : split_at_commas(options.text("topics"))) {
      const bool again = std::ranges::find(source.labels, label) != source.labels.end();
      if (!label.empty() && !again) source.labels.emplace_back(label);
    }
  }
  source.seen = std::make_shared<SeenNames>(source.labels.size());
  source.reading = reading_options(options);
  source.reading.skip_bad = !options.flag("strict") && source.bad_bytes == BadBytes::replace;
  return source;
}

TextRecipe text_recipe(const ParsedOptions& options) {
  TextRecipe recipe = default_recipe();
  if (options.flag("like-scikit-learn")) recipe = TextRecipe::like_scikit_learn();
  recipe.tokens.rule = options.choice("tokens", kTokenRuleNames);
  const std::int32_t usual_length = recipe.tokens.rule == TokenRule::words ? 2 : 1;
  recipe.tokens.min_length =
      options.has("min-token-length") ? static_cast<std::int32_t>(options.integer("min-token-length")) : usual_length;
  recipe.tokens.letter_case = options.flag("keep-case") ? LetterCase::keep : LetterCase::lower;
  recipe.tokens.accents = options.choice("strip-accents", kAccentsNames);
  recipe.stop_words = stop_words(options.text("stop-words"));
  if (options.given("title-weight")) recipe.title_weight = static_cast<std::int32_t>(options.integer("title-weight"));
  if (options.given("ngrams")) read_ngrams(options.integers("ngrams"), recipe);
  if (options.given("min-df")) recipe.min_documents = threshold(options, "min-df");
  if (options.given("min-df-runs")) recipe.min_documents_of_runs = options.integer("min-df-runs");
  if (options.given("max-df")) recipe.max_documents = threshold(options, "max-df");
  if (options.has("max-features")) recipe.max_features = options.integer("max-features");
  if (options.given("tf")) recipe.weight = options.choice("tf", kTermWeightNames);
  if (options.given("idf")) recipe.idf = options.choice("idf", kIdfNames);
  if (options.given("norm")) recipe.norm = options.choice("norm", kRowNormNames);
  return recipe;
}

TextRecipe recipe_of_a_text(const ParsedOptions& options) {
  TextRecipe recipe = text_recipe(options);
  recipe.choose_ngrams(true);
  return recipe;
}

TextBuildOptions text_build_options(const ParsedOptions& options, const std::string& format, const GivenWords& words) {
  TextBuildOptions build;
  build.recipe = words.recipe();
  build.given = words.features();
  build.texts = options.flag("keep-text") ? TextKeeping::keep : TextKeeping::drop;
  if (options.has("vectors")) build.vectors = vectors_in_file(options.text("vectors"));
  if (words.pool() != nullptr) {
    const std::span<const float> centre = words.pool()->vector_centre();
    build.vector_centre.assign(centre.begin(), centre.end());
  }
  build.same_by = same_by_or_keep_duplicates(options);
  build.repeated_ids = options.flag("strict") ? RepeatedIds::refused : RepeatedIds::left_out;
  build.memory = static_cast<std::uint64_t>(options.integer("memory"));
  build.origin = {options.positionals(), format, std::string(program_version)};
  return build;
}

}  // namespace inkling
