// `inkling info`: shows what is in a pool.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/build_report.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/pool_facts.hpp"
#include "io/doors/commands/pool_trust.hpp"
#include "io/search/score/event_scope.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostTopics = 20;

OptionTable info_options() {
  return OptionTable(
      {"inkling info",
       "Shows what is in a pool, or in a set of pools, and how it was made.",
       "inkling info reviews",
       {{"Output",
         {{"json", Flag{}, "", std::nullopt, "print one JSON object (with --duplicates, one a line)"},
          {"duplicates", Flag{}, "", std::nullopt,
           "list instead the documents that searches do not offer, each with the one that is offered in its place"},
          {"terms", Integer{0, 1000}, "N", "8", "how many words to show for each label, and how many frequent words"}}},
        {"Running", pool_trust_options()}},
       {"POOL", "the pool, or a set (set.json)", 1, 1}});
}

// The same JSON with all characters escaped that act on a terminal; characters outside ASCII occur only in strings.
std::string shown_json(std::string_view json) {
  std::string shown;
  while (!json.empty()) {
    const std::string_view character = json.substr(0, std::max<std::size_t>(utf8_character_length(json), 1));
    json.remove_prefix(character.size());
    const char32_t point = utf8_character_length(character) == 0 ? 0xFFFD : code_point(character);
    if (point < 0x20)
      shown += ' ';
    else if (acts_on_terminal(point))
      shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point));
    else
      shown += point == 0xFFFD ? kReplacementCharacter : character;
  }
  return shown;
}

// Of the vectors of its documents; 0 without.
std::int32_t dimensions_of(const PoolSet& pools) { return pools.view(0).by_document.vectors().dimensions; }

double density(const PoolSet& pools) {
  const double cells = static_cast<double>(pools.documents()) * static_cast<double>(pools.features());
  return cells > 0.0 ? static_cast<double>(pools.nonzeros()) / cells : 0.0;
}

// How a pool was made from text, a sentence a group of options.
struct RecipeText {
  std::string tokens;
  std::string terms;
  std::string features;
  std::string weights;
};

std::string tokens_text(const TextRecipe& recipe) {
  std::string text(recipe.tokens.rule == TokenRule::dictionary ? "words (by dictionary where no blanks stand)"
                                                               : name_of(recipe.tokens.rule, kTokenRuleNames));
  text += fmt::format(" of {}+ characters", recipe.tokens.min_length);
  if (recipe.tokens.letter_case == LetterCase::lower) text += ", lower case";
  if (recipe.tokens.accents != Accents::keep)
    text += fmt::format(", accents stripped ({})", name_of(recipe.tokens.accents, kAccentsNames));
  return text +
         (recipe.stop_words.empty() ? ", no stop words" : fmt::format(", {} stop words left out", recipe.stop_words.size()));
}

std::string feature_choice_text(const TextRecipe& recipe) {
  std::string text = fmt::format("n-grams {}; title-weight {}; min-df {}; max-df {}", ngrams_text(recipe), recipe.title_weight,
                                 threshold_text(recipe.min_documents), threshold_text(recipe.max_documents));
  if (recipe.counts_other_runs())
    text += fmt::format("; min-df-runs {} (other runs count in the length of a row)", recipe.min_documents_of_runs);
  if (recipe.max_features) text += fmt::format("; max-features {}", *recipe.max_features);
  return text;
}

std::string weights_text(const TextRecipe& recipe) {
  const std::string tf = recipe.weight == TermWeight::raw      ? "count"
                         : recipe.weight == TermWeight::binary ? "presence"
                                                               : "1 + ln(count)";
  const std::string idf = recipe.idf == IdfKind::smooth  ? " x idf (smooth)"
                          : recipe.idf == IdfKind::plain ? " x idf (plain)"
                                                         : "";
  const std::string norm = recipe.norm == RowNorm::l2   ? ", rows of length 1"
                           : recipe.norm == RowNorm::l1 ? ", rows that sum to 1"
                                                        : "";
  return fmt::format("{} (tf {}){}{}", tf, name_of(recipe.weight, kTermWeightNames), idf, norm);
}

std::optional<RecipeText> recipe_text_of(const PoolSet& pools) {
  const std::optional<TextRecipe> recipe = recipe_of_pool(pools.path(0), pools.manifest(0));
  if (!recipe) return std::nullopt;
  return RecipeText{tokens_text(*recipe), pairs_text(*recipe), feature_choice_text(*recipe), weights_text(*recipe)};
}

// "title (1,204), year (1,203)".
std::string fields_text(const PoolFacts& facts) {
  std::string text;
  for (const PoolFacts::Count& field : facts.fields)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", visible_text(field.name), digit_groups(field.documents));
  return text;
}

std::string text_of(const std::string& path, const PoolSet& pools, const PoolFacts& facts, const Style& style) {
  std::string text = style.bold(fmt::format("{}: {} documents x {} features", visible_text(path), digit_groups(pools.documents()),
                                            digit_groups(pools.features()))) +
                     "\n";
  if (is_set_file(path)) text += summary_line("shards", digit_groups(static_cast<std::int64_t>(pools.pools())));
  text += summary_line("non-zeros", fmt::format("{} ({:.3g} %)", digit_groups(pools.nonzeros()), 100.0 * density(pools)));
  text += summary_line("a document", fmt::format("{} non-zeros at least, {} median, {:.1f} mean, {} at most; {} empty",
                                                 facts.lengths.least, facts.lengths.median, facts.lengths.mean,
                                                 digit_groups(facts.lengths.most), digit_groups(facts.lengths.empty)));
  text += summary_line("on disk", byte_size_text(facts.bytes));
  text += summary_line(
      "holds", fmt::format("words {}, ids {}, labels {}, texts {}", pools.has_words() ? "yes" : "no",
                           facts.has_ids ? "yes" : "no", facts.has_labels ? "yes" : "no", facts.has_texts ? "yes" : "no"));
  if (const std::int32_t dimensions = dimensions_of(pools); dimensions > 0)
    text += summary_line("vectors", vectors_text(dimensions));
  if (pools.has_uncompared_texts()) text += summary_line("equal texts", std::string(kUncomparedTexts));
  if (facts.copies > 0) text += summary_line("duplicates", copies_text(facts.copies));
  const auto lacks_some = [](const SourceFacts& source) { return source.records.left_out > 0; };
  if (facts.sources.size() > 1 || !facts.fields.empty() || std::ranges::any_of(facts.sources, lacks_some))
    for (const std::string& line : source_lines(facts.sources)) text += summary_line("source", visible_text(line));
  if (!facts.fields.empty()) text += summary_line("fields", fields_text(facts));
  if (const std::optional<RecipeText> recipe = recipe_text_of(pools)) {
    text += summary_line("tokens", recipe->tokens);
    if (!recipe->terms.empty()) text += summary_line("terms", recipe->terms);
    text += summary_line("features", recipe->features);
    text += summary_line("weights", recipe->weights);
  }
  text += summary_line("made by", fmt::format("version {}, format {}", visible_text(pools.manifest(0).program_version),
                                              Manifest::current_version));
  text += summary_line("fingerprint", fingerprint_of(pools));
  if (!facts.topics.empty()) {
    text += style.bold("Labels, and words that set them apart") + "\n";
    std::size_t width = 0;
    for (const PoolFacts::Topic& topic : facts.topics) width = std::max(width, utf8_count(visible_text(topic.label.name)));
    for (const PoolFacts::Topic& topic : facts.topics) {
      const std::string name = visible_text(topic.label.name);
      const std::string padding(width - utf8_count(name), ' ');
      text += fmt::format("  {}{} {:>11}  {}\n", name, padding, digit_groups(topic.label.documents),
                          style.dim(visible_text(fmt::format("{}", fmt::join(topic.words, " ")))));
    }
    if (facts.labels > std::ssize(facts.topics))
      text += fmt::format("  ... and {} more\n", facts.labels - std::ssize(facts.topics));
  }
  if (!facts.frequent_terms.empty()) {
    text += style.bold("In most documents") + "\n ";
    for (const PoolFacts::Count& term : facts.frequent_terms)
      text += fmt::format(" {} ({})", visible_text(term.name), digit_groups(term.documents));
    text += "\n";
  }
  return text;
}

std::string json_of(const std::string& path, const PoolSet& pools, const PoolFacts& facts) {
  JsonWriter json;
  json.begin_object().member("pool", path);
  if (is_set_file(path)) json.member("shards", static_cast<std::int64_t>(pools.pools()));
  json.member("format_version", Manifest::current_version).member("program_version", pools.manifest(0).program_version);
  json.member("documents", pools.documents()).member("features", pools.features());
  json.member("nonzeros", pools.nonzeros()).member("density", density(pools)).member("bytes", facts.bytes);
  json.member("fingerprint", fingerprint_of(pools));
  json.member("has_vocabulary", pools.has_words()).member("has_ids", facts.has_ids);
  json.member("has_labels", facts.has_labels).member("has_texts", facts.has_texts);
  json.member("equal_texts", facts.copies);
  if (const std::int32_t dimensions = dimensions_of(pools); dimensions > 0) json.member("dimensions", dimensions);
  write_source_facts(json.key("sources"), facts.sources);
  json.key("fields").begin_array();
  for (const PoolFacts::Count& field : facts.fields)
    json.begin_object().member("field", field.name).member("documents", field.documents).end_object();
  json.end_array();
  const PoolFacts::Lengths& lengths = facts.lengths;
  json.key("document_nonzeros").begin_object();
  json.member("least", lengths.least).member("median", lengths.median).member("mean", lengths.mean);
  json.member("most", lengths.most).member("empty_documents", lengths.empty).end_object();
  json.key("labels").begin_array();
  for (const PoolFacts::Topic& topic : facts.topics) {
    json.begin_object().member("label", topic.label.name).member("documents", topic.label.documents);
    json.key("words").array(topic.words).end_object();
  }
  json.end_array().member("unlabelled_documents", facts.unlabelled);
  json.key("frequent_terms").begin_array();
  for (const PoolFacts::Count& term : facts.frequent_terms)
    json.begin_object().member("term", term.name).member("documents", term.documents).end_object();
  json.end_array();
  if (const std::optional<RecipeText> recipe = recipe_text_of(pools)) {
    json.key("recipe_in_words").begin_object().member("tokens", recipe->tokens);
    json.member("features", recipe->features).member("weights", recipe->weights).end_object();
  }
  json.end_object();
  std::string text = json.take();
  text.pop_back();  // the closing brace: the recipe follows, which is JSON already
  return text + ",\"recipe\":" + shown_json(pools.manifest(0).recipe) + "}";
}

std::string title_of(const PoolSet& pools, std::int64_t document) {
  const PoolPlace place = pools.place_of(document);
  const std::optional<StringTable>& fields = pools.mapped(place.pool).fields();
  return fields ? record_head((*fields)[place.row]).title : std::string();
}

// A line for each document that is one with another.
std::string duplicates_of(const PoolSet& pools, bool json) {
  std::string text;
  const SetCopies copies = pools.copies();
  for (std::size_t n = 0; n < copies.rows.size(); ++n) {
    const std::int64_t row = copies.rows[n];
    const std::int64_t original = copies.originals[n];
    if (json) {
      JsonWriter line;
      line.begin_object().member("document", row).member("id", pools.id(row).value_or("")).member("title", title_of(pools, row));
      line.member("same_as", original).member("same_as_id", pools.id(original).value_or(""));
      text += line.member("same_as_title", title_of(pools, original)).end_object().take() + "\n";
      continue;
    }
    const auto named = [&](std::int64_t document) {
      const std::string id = pools.id(document).value_or("");
      return fmt::format("{}{}  {}", document, id.empty() ? "" : " (" + id + ")", title_of(pools, document));
    };
    text += visible_text(fmt::format("{}", named(row))) + "\n  = " + visible_text(named(original)) + "\n";
  }
  return text;
}

int info(const ParsedOptions& options) {
  const std::string& path = options.positionals().front();
  const PoolSet pools = PoolSet::open(std::array{path}, PoolAccess::map, pool_trust_of(options));
  const bool json = options.flag("json");
  if (options.flag("duplicates")) {
    const std::string text = duplicates_of(pools, json);
    pools.check_unchanged();
    fmt::print("{}", text);
    return ExitCode::ok;
  }
  const auto terms = static_cast<std::size_t>(options.integer("terms"));
  const PoolFacts facts = pool_facts(pools, json ? SIZE_MAX : kMostTopics, terms);
  const Style style(terminal_facts(Stream::output).colour);
  const std::string text = json ? json_of(path, pools, facts) + "\n" : text_of(path, pools, facts, style);
  pools.check_unchanged();
  fmt::print("{}", text);
  return ExitCode::ok;
}

}  // namespace

Command info_command() { return command_of(info_options(), info); }

}  // namespace inkling
