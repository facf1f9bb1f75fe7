// `inkling show`: prints documents of a pool, each with its words.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/nearest_name.hpp"
#include "engine/scoring/ranking.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/pool/format/set_file.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/pool_trust.hpp"
#include "io/doors/screen/styled_text.hpp"

namespace inkling {
namespace {

OptionTable show_options() {
  return OptionTable(
      {"inkling show",
       "Prints documents of a pool, with their words. It shows the id, the label, the fields of its record, "
       "the text if it was kept, and the pool's words in it, those of the largest weight first.",
       "inkling show reviews 17 story-4",
       {{"Output",
         {{"words", Integer{0, 1'000'000}, "N", "20", "how many words to show of each document"},
          {"json", Flag{}, "", std::nullopt, "print one JSON object a line and document, with all its words"}}},
        {"Documents", {{"ids", Flag{}, "", std::nullopt, "each DOCUMENT is an id, also where it is a number"}}},
        {"Running", pool_trust_options()}},
       {"POOL DOCUMENT...", "the pool or set (set.json), and documents of it: rows, counted from 0, or ids", 2, SIZE_MAX}});
}

/// One pool, or the shards of a set, each opened when a document of it is shown. Rows are counted through all shards.
/// Thread safety: one thread.
class ShownPools {
 public:
  /// Opens a pool; of a set, reads only its file. Throws as these do.
  ShownPools(const std::string& path, PoolTrust trust);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t count() const { return paths_.size(); }
  [[nodiscard]] std::int64_t documents() const { return first_rows_.back(); }
  /// Requires: n < count() (here and below).
  [[nodiscard]] std::int64_t first_row(std::size_t n) const { return first_rows_[n]; }
  /// The number of the pool with this row. Requires: 0 <= row < documents().
  [[nodiscard]] std::size_t pool_of(std::int64_t row) const;

  /// Lifetime: lends the pool.
  [[nodiscard]] const Pool& open(std::size_t n);

  /// Does Pool::check_unchanged for the pools that were opened.
  void check_unchanged() const;

 private:
  std::string path_;
  PoolTrust trust_;
  std::vector<ShardRecord> shards_;  // none for a pool
  std::vector<std::string> paths_;
  std::vector<std::int64_t> first_rows_ = {0};  // and the end
  std::map<std::size_t, Pool> opened_;
};

ShownPools::ShownPools(const std::string& path, PoolTrust trust) : path_(path), trust_(trust) {
  if (!is_set_file(path)) {
    paths_ = {path};
    first_rows_.push_back(opened_.emplace(0, Pool::open(path, trust_)).first->second.view().documents());
    return;
  }
  shards_ = read_set_file(path).shards;
  for (const ShardRecord& shard : shards_) {
    paths_.push_back(shard_path(path, shard));
    first_rows_.push_back(shard.first_row + shard.rows);
  }
}

std::size_t ShownPools::pool_of(std::int64_t row) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_rows_, row) - first_rows_.begin()) - 1;
}

const Pool& ShownPools::open(std::size_t n) {
  const auto known = opened_.find(n);
  if (known != opened_.end()) return known->second;
  Pool pool = Pool::open(paths_[n], trust_);
  check_shard(path_, shards_[n], paths_[n], pool.manifest(), pool.manifest_checksum());
  return opened_.emplace(n, std::move(pool)).first->second;
}

void ShownPools::check_unchanged() const {
  for (const auto& [n, pool] : opened_) pool.check_unchanged();
}

struct WeightedWord {
  FeatureId feature = 0;
  std::string word;  // empty where the pool has no words
  double weight = 0.0;
};

struct ShownDocument {
  std::int64_t row = 0;
  std::optional<std::string> id;
  std::string_view label;
  std::string_view fields;  // as the pool keeps them
  std::optional<std::string_view> text;
  std::vector<WeightedWord> words;  // largest weight first
};

// " (did you mean story-4?)"; empty if no id is similar, or there are too many to compare.
std::string nearest_id(ShownPools& pools, const std::string& id) {
  constexpr std::int64_t most = 1'000'000;
  if (pools.documents() > most) return {};
  std::vector<std::string> ids;
  for (std::size_t n = 0; n < pools.count(); ++n) {
    const Pool& pool = pools.open(n);
    for (std::int64_t row = 0; pool.ids() && row < pool.ids()->size(); ++row) ids.emplace_back((*pool.ids())[row]);
  }
  return ids.empty() ? std::string() : did_you_mean("", id, ids);
}

// Throws UsageError unless one document has the id.
std::int64_t row_of_id(ShownPools& pools, const std::string& id) {
  std::optional<std::int64_t> found;
  bool has_ids = false;
  for (std::size_t n = 0; n < pools.count(); ++n) {
    const Pool& pool = pools.open(n);
    has_ids |= pool.ids().has_value();
    for (DocumentId row = 0; pool.ids() && row < pool.view().documents(); ++row) {
      if ((*pool.ids())[row] != id) continue;
      const std::int64_t document = pools.first_row(n) + row;
      if (found) {
        throw UsageError(fmt::format("{}: the rows {} and {} of {} have this id: expected one of these rows", quoted_text(id),
                                     *found, document, pools.path()));
      }
      found = document;
    }
  }
  if (found) return *found;
  throw UsageError(fmt::format("{}: expected a row of {} from 0 to {}{}{}", quoted_text(id), pools.path(), pools.documents() - 1,
                               has_ids ? ", or one of its ids" : " (it has no ids)", nearest_id(pools, id)));
}

std::int64_t row_of(ShownPools& pools, const std::string& document, bool is_id) {
  const std::optional<std::int64_t> row = is_id ? std::nullopt : parse_integer(document);
  if (row && *row >= 0 && *row < pools.documents()) return *row;
  return row_of_id(pools, document);
}

std::vector<WeightedWord> words_in(const Pool& pool, DocumentId row) {
  const SparseRow entries = pool.view().by_document.row(row);
  std::vector<WeightedWord> words;
  words.reserve(entries.size());
  for (std::size_t n = 0; n < entries.size(); ++n) {
    const FeatureId feature = entries.features[n];
    words.push_back({feature, pool.vocabulary() ? std::string((*pool.vocabulary())[feature]) : std::string(),
                     static_cast<double>(entries.values[n])});
  }
  std::ranges::sort(words, {},
                    [](const WeightedWord& word) { return std::tuple(-sort_key(std::fabs(word.weight)), word.feature); });
  return words;
}

ShownDocument document_at(ShownPools& pools, std::int64_t number) {
  const std::size_t place = pools.pool_of(number);
  const Pool& pool = pools.open(place);
  const auto row = static_cast<DocumentId>(number - pools.first_row(place));
  ShownDocument document = {
      .row = number, .id = pool.id(row), .label = {}, .fields = {}, .text = {}, .words = words_in(pool, row)};
  if (const std::optional<std::size_t> label = pool.label(row)) document.label = pool.label_names()[*label];
  if (pool.fields()) document.fields = (*pool.fields())[row];
  if (pool.texts()) document.text = (*pool.texts())[row];
  return document;
}

std::string json_of(const ShownDocument& document) {
  JsonWriter json;
  json.begin_object().member("document", document.row);
  if (document.id) json.member("id", *document.id);
  if (!document.label.empty()) json.member("label", document.label);
  if (const std::vector<KeptField> fields = kept_fields(document.fields); !fields.empty()) {
    json.key("fields").begin_object();
    for (const KeptField& field : fields) json.member(field.name, field.text());
    json.end_object();
  }
  if (document.text) json.member("text", *document.text);
  json.key("words").begin_array();
  for (const WeightedWord& word : document.words) {
    json.begin_object().member("feature", word.feature);
    if (!word.word.empty()) json.member("word", word.word);
    json.member("weight", word.weight).end_object();
  }
  return json.end_array().end_object().take();
}

// A text as a terminal may show it: its lines stay lines, and a tab is some spaces.
std::string text_shown(std::string_view text, std::optional<std::size_t> columns) {
  std::string shown;
  for (const StyledLine& line : wrapped_lines(text, columns.value_or(SIZE_MAX))) shown += plain_text(line) + '\n';
  return shown;
}

std::string text_of(const ShownDocument& document, std::size_t most_words, const TerminalFacts& terminal) {
  const Style style(terminal.colour);
  std::string heading = fmt::format("document {}", document.row);
  if (document.id) heading += ": " + visible_text(*document.id);
  if (!document.label.empty()) heading += fmt::format(" ({})", visible_text(document.label));
  std::string text = style.bold(heading) + "\n";
  for (const KeptField& field : kept_fields(document.fields))
    text += style.dim(fmt::format("{}: {}", visible_text(field.name), visible_text(field.text()))) + "\n";
  const auto columns = static_cast<std::size_t>(std::max(terminal.columns, 20));
  if (document.text) text += text_shown(*document.text, terminal.is_terminal ? std::optional(columns) : std::nullopt);
  const std::size_t shown = std::min(most_words, document.words.size());
  for (const WeightedWord& word : std::span(document.words).first(shown)) {
    text += fmt::format("  {:>10.5f}  {}\n", word.weight,
                        word.word.empty() ? fmt::format("feature {}", word.feature) : visible_text(word.word));
  }
  if (const std::size_t left = document.words.size() - shown; left > 0)
    text += style.dim("  and " + counted(left, "more word", "more words")) + "\n";
  return text;
}

int show(const ParsedOptions& options) {
  const std::vector<std::string>& positionals = options.positionals();
  ShownPools pools(positionals.front(), pool_trust_of(options));
  std::vector<std::int64_t> rows;
  rows.reserve(positionals.size() - 1);
  for (const std::string& document : std::span(positionals).subspan(1))
    rows.push_back(row_of(pools, document, options.flag("ids")));
  if (!rows.empty() && !pools.open(pools.pool_of(rows.front())).texts())
    tell("inkling show: this pool holds no texts; inkling build --keep-text makes one that does\n");
  const TerminalFacts terminal = terminal_facts(Stream::output);
  bool is_first = true;
  for (const std::int64_t row : rows) {
    throw_if_interrupted();
    const ShownDocument document = document_at(pools, row);
    if (options.flag("json")) {
      fmt::print("{}\n", json_of(document));
      continue;
    }
    fmt::print("{}{}", std::exchange(is_first, false) ? "" : "\n",
               text_of(document, static_cast<std::size_t>(options.integer("words")), terminal));
  }
  pools.check_unchanged();
  return ExitCode::ok;
}

}  // namespace

Command show_command() { return command_of(show_options(), show); }

}  // namespace inkling
