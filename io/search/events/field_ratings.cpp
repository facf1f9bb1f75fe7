#include "io/search/events/field_ratings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/fields/record_head.hpp"

namespace inkling {
namespace {

constexpr std::string_view kRayyan = "rayyan-inclusion:";
constexpr std::string_view kCovidence = "exclusion reason:";  // in notes of records that were excluded

std::string plain_text(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return ascii_lower_case(text.substr(0, text.find_last_not_of(blanks) + 1));
}

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

FieldRating rated(double rating, bool is_note) { return {FieldVerdict::rated, rating, is_note}; }

// {"Ada"=>"Included", "Bob"=>"Excluded"}, where it ends with the bracket.
FieldRating rating_of_rayyan(std::string_view text) {
  text.remove_prefix(text.find(kRayyan) + kRayyan.size());
  text = text.substr(0, text.find('}'));
  const bool is_in = has(text, "\"included\"");
  const bool is_out = has(text, "\"excluded\"");
  if (is_in == is_out || has(text, "\"maybe\"")) return {.is_note = true};
  return rated(is_in ? 1.0 : 0.0, true);
}

std::vector<std::string> field_names(const Pool& pool) {
  constexpr DocumentId enough = 1'000;
  std::set<std::string> names;
  for (DocumentId row = 0; pool.fields() && row < std::min(enough, pool.view().documents()); ++row)
    for (const KeptField& field : kept_fields((*pool.fields())[row])) names.insert(field.name);
  return {names.begin(), names.end()};
}

// The value of a record's field of this name; nothing if it has none.
std::optional<std::string> text_in_field(const Pool& pool, DocumentId row, const std::string& name) {
  if (!pool.fields()) return std::nullopt;
  for (const KeptField& field : kept_fields((*pool.fields())[row]))
    if (field.name == name) return field.text();
  return std::nullopt;
}

// Reads the ratings of all records from one field, or from their labels.
class FieldReader {
 public:
  FieldReader(const Pool& pool, const std::string& field) : pool_(pool), field_(field) {}

  FieldRatings read() {
    for (DocumentId row = 0; row < pool_.view().documents(); ++row)
      if (const std::optional<std::string> text = text_in_field(pool_, row, field_)) take(row, *text);
    if (!is_there_ && field_ == "label") read_labels();
    check();
    return highest_of_copies();
  }

 private:
  void read_labels() {
    for (DocumentId row = 0; row < pool_.view().documents(); ++row)
      if (const std::optional<std::size_t> label = pool_.label(row)) take(row, pool_.label_names()[*label]);
  }

  void take(DocumentId row, const std::string& text) {
    is_there_ = true;
    const FieldRating found = rating_in_text(text);
    are_notes_ |= found.is_note;
    if (found.verdict == FieldVerdict::rated) ratings_.push_back({.document = row, .reward = found.rating, .words = {}});
    if (found.verdict == FieldVerdict::unknown && unknown_.empty())
      unknown_ = fmt::format("{} in document {}", quoted_text(text), row);
  }

  // If several copies of a record have ratings, the highest counts: what one database says is relevant is not lost.
  FieldRatings highest_of_copies() {
    struct Record {
      std::size_t place;
      DocumentId row;
      bool is_disputed = false;
    };
    FieldRatings found;
    std::map<std::int64_t, Record> records;
    for (Event& rating : ratings_) {
      const auto row = static_cast<DocumentId>(*rating.document);
      rating.document = pool_.copies().original_of(row);
      const auto [known, is_first] = records.try_emplace(*rating.document, Record{found.events.size(), row});
      Record& record = known->second;
      if (is_first) {
        found.events.push_back(std::move(rating));
        continue;
      }
      Event& counted = found.events[record.place];
      if (!record.is_disputed && counted.reward != rating.reward) {
        record.is_disputed = true;
        if (++found.disputed == 1) std::tie(found.disputed_row, found.earlier_row) = std::tie(row, record.row);
      }
      record.row = row;
      counted.reward = std::max(counted.reward, rating.reward);
    }
    return found;
  }

  void check() const {
    const std::string place = fmt::format("the field {}", quoted_text(field_));
    if (!is_there_) {
      const std::vector<std::string> names = field_names(pool_);
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
      throw FormatError(place, fmt::format("expected a field of the records, which have {}{}", all.empty() ? "none" : all,
                                           did_you_mean("", field_, names)));
    }
    if (unknown_.empty() || are_notes_) return;
    throw FormatError(place, fmt::format("expected 0 or 1, yes or no, included or excluded, or nothing, found {}", unknown_));
  }

  const Pool& pool_;
  const std::string& field_;
  std::vector<Event> ratings_;
  bool is_there_ = false;
  bool are_notes_ = false;  // the field holds notes: only some are ratings
  std::string unknown_;     // the first value that is no rating
};

}  // namespace

FieldRating rating_in_text(std::string_view text) {
  constexpr std::array<std::string_view, 8> good = {"yes", "y", "true", "include", "included", "relevant", "asreview_relevant",
                                                    "good"};
  constexpr std::array<std::string_view, 8> bad = {"no", "n", "false", "exclude", "excluded", "irrelevant", "asreview_irrelevant",
                                                   "bad"};
  constexpr std::array<std::string_view, 7> nothing = {"", "-1", "nan", "na", "maybe", "undecided", "null"};
  const std::string plain = plain_text(text);
  if (is_one_of(plain, good)) return rated(1.0, false);
  if (is_one_of(plain, bad)) return rated(0.0, false);
  if (is_one_of(plain, nothing)) return {};
  if (const std::optional<double> number = parse_real(plain); number && *number >= 0.0 && *number <= 1.0)
    return rated(*number, false);
  if (has(plain, "asreview_irrelevant")) return rated(0.0, true);
  if (has(plain, "asreview_relevant")) return rated(1.0, true);
  if (has(plain, "asreview_not_seen")) return {.is_note = true};
  if (has(plain, kRayyan)) return rating_of_rayyan(plain);
  if (has(plain, kCovidence)) return rated(0.0, true);
  return {.verdict = FieldVerdict::unknown};
}

std::string disputes_text(const FieldRatings& ratings, std::string_view disputed, std::string_view earlier) {
  if (ratings.disputed == 0) return {};
  return fmt::format("records whose copies are rated differently: {}, of which the highest rating counts ({} differs from {})",
                     digit_groups(ratings.disputed), disputed, earlier);
}

std::string disputes_text(const FieldRatings& ratings) {
  return disputes_text(ratings, fmt::format("document {}", ratings.disputed_row),
                       fmt::format("document {}", ratings.earlier_row));
}

FieldRatings ratings_in_field(const Pool& pool, const std::string& field) { return FieldReader(pool, field).read(); }

std::optional<std::string> rating_field_of(std::span<const std::string> fields) {
  std::optional<std::string> notes;  // used only if no field is named for ratings
  for (const std::string& of_record : fields) {
    for (const KeptField& field : kept_fields(of_record)) {
      const FieldRating found = rating_in_text(field.text());
      if (found.verdict != FieldVerdict::rated) continue;
      if (field.role() == FieldRole::rating || field.name == "rating") return field.name;
      if (found.is_note && !notes) notes = field.name;
    }
  }
  return notes;
}

std::optional<std::string> rating_field_of(const Pool& pool) {
  std::vector<std::string> fields;
  for (DocumentId row = 0; pool.fields() && row < std::min(kRecordsOfRatingField, pool.view().documents()); ++row)
    fields.emplace_back((*pool.fields())[row]);
  return rating_field_of(fields);
}

}  // namespace inkling
