#include "io/search/service/work_values.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/json_writer.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::array<std::string_view, 14> kOwnColumns = {"rating",  "included",  "words_for", "words_against", "looked_for",
                                                          "tags",    "note",      "rated_at",  "chosen",        "score",
                                                          "same_as", "separated", "by",        "from_file"};

bool is_own_column(std::string_view name, const WorkRow& row) {
  return std::ranges::find(kOwnColumns, name) != kOwnColumns.end() ||
         std::ranges::any_of(row.more, [&](const auto& column) { return column.first == name; });
}

// The values of one row, in the order of the columns.
class RowValues {
 public:
  RowValues(const ShownPool& pool, const WorkRow& row) : pool_(pool), row_(row) {
    if (row.document) add_record(*row.document);
    add_answer();
  }

  [[nodiscard]] std::vector<WorkValue> taken() && { return std::move(values_); }

 private:
  // If two values have the same name, the first one counts.
  void add(std::string_view name, std::string text, std::string json = {}) {
    if (std::ranges::find(values_, name, &WorkValue::name) != values_.end()) return;
    values_.push_back({std::string(name), std::move(text), std::move(json)});
  }

  void add_record(DocumentId document) {
    const Pool& pool = pool_.pool();
    add_name(has_id(document) ? "id" : "document", document);
    if (const std::optional<std::size_t> label = pool.label(document)) add("label", pool.label_names()[*label]);
    const std::vector<KeptField> fields = kept_fields(pool.fields() ? (*pool.fields())[document] : std::string_view());
    if (pool.texts()) {
      std::string_view text = (*pool.texts())[document];
      const bool has_title = std::ranges::any_of(
          fields, [&text](const KeptField& field) { return field.role() == FieldRole::title && take_title(text, field.text()); });
      add(has_title ? "abstract" : "text", std::string(text));
    }
    for (const KeptField& field : fields) add_field(field);
  }

  [[nodiscard]] bool has_id(DocumentId document) const {
    const std::optional<std::string> id = pool_.pool().id(document);
    return id && !id->empty();
  }

  // The document's id, or its row if it has none.
  void add_name(std::string_view name, DocumentId document) {
    if (has_id(document))
      add(name, *pool_.pool().id(document));
    else
      add(name, std::to_string(document), std::to_string(document));
  }

  // Removes the title from the beginning of the text; returns false if the text does not begin with it.
  static bool take_title(std::string_view& text, std::string_view title) {
    if (title.empty() || !text.starts_with(title)) return false;
    if (text.size() > title.size() && text[title.size()] != '\n') return false;
    text.remove_prefix(std::min(title.size() + 1, text.size()));
    return true;
  }

  // `included` is left out, because the rating replaces it. Other fields with the name of a column of ours get another name.
  void add_field(const KeptField& field) {
    if (field.name == "included") return;
    const bool is_own = is_own_column(field.name, row_);
    add(is_own ? field.name + "_before" : field.name, field.text(), std::string(field.json));
  }

  void add_answer() {
    const std::string rating = row_.rating ? number_text(*row_.rating) : std::string();
    add("rating", rating, row_.rating ? rating : "null");
    if (row_.document) {
      const std::string_view included = !row_.rating ? "" : *row_.rating >= kGoodRating ? "1" : "0";
      add("included", std::string(included), included.empty() ? "null" : std::string(included));
    }
    add_words("words_for", row_.words, [](double lean) { return lean > 0.0; });
    add_words("words_against", row_.words, [](double lean) { return lean < 0.0; });
    if (!row_.looked_for.empty()) add_words("looked_for", row_.looked_for, [](double) { return true; });
    add("tags", joined_tags(row_.tags), JsonWriter().array(row_.tags).take());
    add("note", row_.note);
    add("rated_at", row_.at_ms ? time_text(*row_.at_ms) : std::string());
    add("chosen", std::string(row_.chosen));
    if (row_.score) add("score", number_text(*row_.score), number_text(*row_.score));
    if (row_.same_as) add_name("same_as", *row_.same_as);
    if (row_.separated) add("separated", "1", "true");
    if (!row_.by.empty()) add("by", row_.by);
    if (const std::string_view file = row_.document ? pool_.file_of(*row_.document) : std::string_view(); !file.empty())
      add("from_file", std::string(file));
    for (const auto& [name, text] : row_.more) add(name, text);
  }

  // Adds the words for which `leans` is true. A word without a number is a mark; among words against a document it is rated -1,
  // and among words that are looked for 1. A number in brackets is the confidence of a mark, or, with a sign, a rating.
  void add_words(std::string_view name, std::span<const SaidWord> words, bool (*leans)(double)) {
    const bool are_marks = name == "words_for";
    const double alone = name == "words_against" ? -1.0 : 1.0;
    std::string text;
    JsonWriter json;
    json.begin_array();
    for (const SaidWord& said : words) {
      if (!leans(leaning(said))) continue;
      text += (text.empty() ? "" : "; ") + word(said.feature);
      const bool is_alone = are_marks ? !said.reward : said.reward == alone;
      const bool is_plain = is_alone && said.confidence == 1.0;
      const bool is_for = said.reward && leaning(said) > 0.0;
      if (!is_plain) text += fmt::format(" ({}{})", is_for ? "+" : "", number_text(leaning(said)));
      write_word(json, said, is_plain);
    }
    add(name, std::move(text), json.end_array().take());
  }

  void write_word(JsonWriter& json, const SaidWord& said, bool is_plain) const {
    if (!is_plain) json.begin_object().key("feature");
    if (pool_.pool().vocabulary())
      json.value(pool_.word(said.feature));
    else
      json.value(said.feature);
    if (is_plain) return;
    if (said.reward) json.member("reward", *said.reward);
    if (!said.reward || said.confidence != 1.0) json.member("confidence", said.confidence);
    json.end_object();
  }

  [[nodiscard]] std::string word(FeatureId feature) const {
    return pool_.pool().vocabulary() ? pool_.word(feature) : fmt::format("#{}", feature);
  }

  const ShownPool& pool_;
  const WorkRow& row_;
  std::vector<WorkValue> values_;
};

}  // namespace

std::vector<WorkValue> values_of(const ShownPool& pool, const WorkRow& row) { return RowValues(pool, row).taken(); }

// First the fields in the order of the records, then ratings, words and what else was said.
std::vector<std::string> columns_of(const ShownPool& pool, std::span<const WorkRow> rows) {
  if (rows.empty()) return {"id", "rating", "included", "words_for", "words_against", "tags", "note", "rated_at", "chosen"};
  std::vector<std::string> columns;
  std::vector<std::string> own;
  for (const WorkRow& row : rows) {
    for (const WorkValue& value : values_of(pool, row)) {
      std::vector<std::string>& names = is_own_column(value.name, row) ? own : columns;
      if (std::ranges::find(names, value.name) == names.end()) names.push_back(value.name);
    }
  }
  std::ranges::stable_sort(own, {}, [](const std::string& name) { return std::ranges::find(kOwnColumns, name); });
  // The text is the longest value, so it is the last of the fields.
  std::ranges::stable_partition(columns, [](const std::string& name) { return name != "text" && name != "abstract"; });
  columns.insert(columns.end(), own.begin(), own.end());
  return columns;
}

}  // namespace inkling
