// `inkling info`: shows what is in a pool.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/build/text_recipe.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/terminal.hpp"
#include "io/commands/build_report.hpp"
#include "io/commands/commands.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/utf8.hpp"
#include "io/pool/open/pool.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostTopics = 20;

OptionTable info_options() {
  return OptionTable({"inkling info",
                      "Shows what is in a pool and how it was made.",
                      "inkling info reviews",
                      {{"Output",
                        {{"json", Flag{}, "", std::nullopt, "print one JSON object"},
                         {"terms", Integer{0, 1000}, "N", "8",
                          "how many words to show for each label, and how many frequent terms"}}},
                       {"Running", {{"trust", Flag{}, "", std::nullopt, "do not compare checksums"}}}},
                      {"POOL", "the pool", 1, 1}});
}

struct PoolFacts {
  struct Count {
    std::string name;
    std::int64_t documents = 0;
  };
  struct Lengths {  // non-zeros a document
    std::int64_t least = 0;
    std::int64_t median = 0;
    std::int64_t most = 0;
    double mean = 0.0;
    std::int64_t empty = 0;  // documents without any
  };
  struct Topic {
    Count label;
    std::vector<std::string> words;  // those that set it apart
  };

  std::uint64_t bytes = 0;
  Lengths lengths;
  std::vector<Topic> topics;  // most documents first
  std::int64_t unlabelled = 0;
  std::vector<Count> frequent_terms;  // in most documents
};

std::string term_of(const Pool& pool, FeatureId feature) {
  if (!pool.vocabulary()) return "#" + std::to_string(feature);
  return std::string((*pool.vocabulary())[feature]);
}

// The places of the `most` greatest scores, greatest first; of equal scores the first.
template <typename Score>
std::vector<std::size_t> greatest(const std::vector<Score>& scores, std::size_t most) {
  std::vector<std::size_t> places(scores.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::size_t kept = std::min(most, places.size());
  const auto greater = [&scores](std::size_t left, std::size_t right) {
    return scores[left] != scores[right] ? scores[left] > scores[right] : left < right;
  };
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept), greater);
  places.resize(kept);
  return places;
}

PoolFacts::Lengths lengths_of(CsrView matrix) {
  PoolFacts::Lengths lengths;
  std::vector<std::int64_t> all;
  all.reserve(static_cast<std::size_t>(matrix.rows()));
  for (DocumentId i = 0; i < matrix.rows(); ++i)
    all.push_back(static_cast<std::int64_t>(matrix.row(i).size()));
  if (all.empty()) return lengths;
  lengths.empty = std::ranges::count(all, 0);
  lengths.mean = static_cast<double>(matrix.nonzeros()) / static_cast<double>(all.size());
  const auto [least, most] = std::ranges::minmax(all);
  lengths.least = least;
  lengths.most = most;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  lengths.median = *middle;
  return lengths;
}

// The mean weight of each feature in documents of the label, minus its mean weight in all others.
std::vector<std::string> words_of(const Pool& pool, std::int32_t label, std::int64_t documents,
                                  std::size_t most, const std::vector<double>& totals) {
  std::vector<double> within(totals.size(), 0.0);
  const CsrView matrix = pool.view().by_document;
  for (DocumentId i = 0; i < matrix.rows(); ++i) {
    if (pool.labels()[static_cast<std::size_t>(i)] != label) continue;
    const SparseRow row = matrix.row(i);
    for (std::size_t n = 0; n < row.size(); ++n)
      within[static_cast<std::size_t>(row.features[n])] += static_cast<double>(row.values[n]);
  }
  const auto inside = static_cast<double>(documents);
  const double outside = std::max(1.0, static_cast<double>(matrix.rows()) - inside);
  for (std::size_t j = 0; j < within.size(); ++j)
    within[j] = within[j] / inside - (totals[j] - within[j]) / outside;
  std::vector<std::string> words;
  for (const std::size_t j : greatest(within, most))
    if (within[j] > 0.0) words.push_back(term_of(pool, static_cast<FeatureId>(j)));
  return words;
}

void add_topics(PoolFacts& facts, const Pool& pool, std::size_t most_topics, std::size_t most_terms) {
  std::vector<std::int64_t> documents(pool.label_names().size(), 0);
  for (const std::int32_t label : pool.labels()) {
    if (label < 0) {
      ++facts.unlabelled;
    } else {
      ++documents[static_cast<std::size_t>(label)];
    }
  }
  std::vector<double> totals(static_cast<std::size_t>(pool.view().features()), 0.0);
  const CsrView matrix = pool.view().by_document;
  for (std::size_t n = 0; n < matrix.values().size(); ++n)
    totals[static_cast<std::size_t>(matrix.features()[n])] += static_cast<double>(matrix.values()[n]);
  for (const std::size_t label : greatest(documents, most_topics)) {
    facts.topics.push_back(
        {{pool.label_names()[label], documents[label]},
         words_of(pool, static_cast<std::int32_t>(label), documents[label], most_terms, totals)});
  }
}

// At most `most_topics` labels, and `most_terms` words for each label and for the whole pool. The words of a
// label are those with the largest difference between their mean weight in its documents and in all others.
PoolFacts pool_facts(const Pool& pool, std::size_t most_topics, std::size_t most_terms) {
  PoolFacts facts;
  facts.bytes = pool.bytes();
  facts.lengths = lengths_of(pool.view().by_document);
  if (!pool.label_names().empty()) add_topics(facts, pool, most_topics, most_terms);
  std::vector<std::int64_t> frequency;
  for (FeatureId j = 0; j < pool.view().features(); ++j)
    frequency.push_back(static_cast<std::int64_t>(pool.view().by_feature.row(j).size()));
  for (const std::size_t j : greatest(frequency, most_terms))
    facts.frequent_terms.push_back({term_of(pool, static_cast<FeatureId>(j)), frequency[j]});
  return facts;
}

double density(PoolView view) {
  const double cells = static_cast<double>(view.documents()) * static_cast<double>(view.features());
  return cells > 0.0 ? static_cast<double>(view.by_document.nonzeros()) / cells : 0.0;
}

std::string recipe_text(const TextRecipe& recipe) {
  std::string text = recipe.tokens.rule == TokenRule::words ? "words" : "letters";
  text += fmt::format(" of {}+ characters", recipe.tokens.min_length);
  if (recipe.tokens.letter_case == LetterCase::lower) text += ", lower case";
  if (!recipe.stop_words.empty()) text += fmt::format(", {} stop words left out", recipe.stop_words.size());
  if (recipe.longest_ngram > 1)
    text += fmt::format(", {} to {} tokens a term", recipe.shortest_ngram, recipe.longest_ngram);
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
  return tf + idf + norm;
}

std::string text_of(const Pool& pool, const PoolFacts& facts, const Style& style) {
  const PoolView view = pool.view();
  std::string text = style.bold(fmt::format("{}: {} documents x {} features", pool.path(),
                                            digit_groups(view.documents()), digit_groups(view.features()))) +
                     "\n";
  text += summary_line("non-zeros", fmt::format("{} ({:.3g} %)", digit_groups(view.by_document.nonzeros()),
                                                100.0 * density(view)));
  text += summary_line("a document",
                       fmt::format("{} non-zeros at least, {} median, {:.1f} mean, {} at most; {} empty",
                                   facts.lengths.least, facts.lengths.median, facts.lengths.mean,
                                   digit_groups(facts.lengths.most), digit_groups(facts.lengths.empty)));
  text += summary_line("on disk", byte_size_text(facts.bytes));
  text +=
      summary_line("holds", fmt::format("words {}, ids {}, labels {}, texts {}",
                                        pool.vocabulary() ? "yes" : "no", pool.ids() ? "yes" : "no",
                                        pool.labels().empty() ? "no" : "yes", pool.texts() ? "yes" : "no"));
  if (const auto recipe = recipe_of_pool(pool.path(), pool.manifest())) {
    text += summary_line("tokens", recipe_text(*recipe));
    text += summary_line("weights", weights_text(*recipe));
  }
  text += summary_line("made by", fmt::format("version {}, format {}", pool.manifest().program_version,
                                              Manifest::current_version));
  if (!facts.topics.empty()) {
    text += style.bold("Labels, and words that set them apart") + "\n";
    std::size_t width = 0;
    for (const PoolFacts::Topic& topic : facts.topics) width = std::max(width, utf8_count(topic.label.name));
    for (const PoolFacts::Topic& topic : facts.topics) {
      const std::string padding(width - utf8_count(topic.label.name), ' ');
      text +=
          fmt::format("  {}{} {:>11}  {}\n", topic.label.name, padding, digit_groups(topic.label.documents),
                      style.dim(fmt::format("{}", fmt::join(topic.words, " "))));
    }
    if (pool.label_names().size() > facts.topics.size())
      text += fmt::format("  ... and {} more\n", pool.label_names().size() - facts.topics.size());
  }
  if (!facts.frequent_terms.empty()) {
    text += style.bold("In most documents") + "\n ";
    for (const PoolFacts::Count& term : facts.frequent_terms)
      text += fmt::format(" {} ({})", term.name, digit_groups(term.documents));
    text += "\n";
  }
  return text;
}

std::string json_of(const Pool& pool, const PoolFacts& facts) {
  const PoolView view = pool.view();
  JsonWriter json;
  json.begin_object().member("pool", pool.path());
  json.member("format_version", Manifest::current_version)
      .member("program_version", pool.manifest().program_version);
  json.member("documents", view.documents()).member("features", view.features());
  json.member("nonzeros", view.by_document.nonzeros())
      .member("density", density(view))
      .member("bytes", facts.bytes);
  json.member("has_vocabulary", pool.vocabulary().has_value()).member("has_ids", pool.ids().has_value());
  json.member("has_labels", !pool.labels().empty()).member("has_texts", pool.texts().has_value());
  const PoolFacts::Lengths& lengths = facts.lengths;
  json.key("document_nonzeros").begin_object();
  json.member("least", lengths.least).member("median", lengths.median).member("mean", lengths.mean);
  json.member("most", lengths.most).member("empty_documents", lengths.empty).end_object();
  json.key("labels").begin_array();
  for (const PoolFacts::Topic& topic : facts.topics) {
    json.begin_object().member("label", topic.label.name).member("documents", topic.label.documents);
    json.key("words").begin_array();
    for (const std::string& word : topic.words) json.value(word);
    json.end_array().end_object();
  }
  json.end_array().member("unlabelled_documents", facts.unlabelled);
  json.key("frequent_terms").begin_array();
  for (const PoolFacts::Count& term : facts.frequent_terms)
    json.begin_object().member("term", term.name).member("documents", term.documents).end_object();
  json.end_array().end_object();
  std::string text = json.take();
  text.pop_back();  // the closing brace: the recipe follows, which is JSON already
  return text + ",\"recipe\":" + pool.manifest().recipe + "}";
}

int info(const ParsedOptions& options) {
  const Pool pool = Pool::open(options.positionals().front(),
                               options.flag("trust") ? PoolTrust::structure : PoolTrust::checksums);
  const bool json = options.flag("json");
  const auto terms = static_cast<std::size_t>(options.integer("terms"));
  const PoolFacts facts = pool_facts(pool, json ? SIZE_MAX : kMostTopics, terms);
  const Style style(terminal_facts(Stream::output).colour);
  const std::string text = json ? json_of(pool, facts) + "\n" : text_of(pool, facts, style);
  pool.check_unchanged();
  fmt::print("{}", text);
  return ExitCode::ok;
}

}  // namespace

Command info_command() { return command_of(info_options(), info); }

}  // namespace inkling
