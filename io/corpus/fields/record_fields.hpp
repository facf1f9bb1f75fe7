// What a record holds beside its text (title, authors, year, DOI, ...): names and values, as one JSON object.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inkling {

/// The fields of one record, in its order. The values of a name that comes several times are a list. Keeps its memory
/// from record to record.
class RecordFields {
 public:
  void clear();
  [[nodiscard]] bool empty() const noexcept { return fields_.empty(); }

  /// A text, as UTF-8.
  void add(std::string_view name, std::string_view value);
  /// A value as JSON writes it. Requires: one JSON value.
  void add_json(std::string_view name, std::string_view json);

  /// {"title":"...","authors":["...","..."]} on one line; empty where nothing was added. Valid until the next call.
  [[nodiscard]] std::string_view json();

 private:
  struct Field {
    std::size_t name_end = 0;  // in `bytes_`, which hold each name and its value as JSON
    std::size_t value_end = 0;
    std::size_t next = 0;  // field of this name; 0 for none
    bool is_first = true;  // of its name
  };
  [[nodiscard]] std::string_view name_of(std::size_t index) const;
  [[nodiscard]] std::string_view value_of(std::size_t index) const;
  void sort_by_name();
  void append_value(std::size_t first);

  std::string bytes_;
  std::vector<Field> fields_;
  std::vector<std::size_t> order_;
  std::string json_;
};

/// What a field is for, whatever its name in the record ("TI", "Article Title", "Titel").
enum class FieldRole { title, abstract, authors, year, journal, doi, url, keywords, identifier, label, rating };

/// Only the letters and digits of a name, in lower case, without accents: "Include?" is "include", "Résumé" is "resume".
[[nodiscard]] std::string plain_field_name(std::string_view name);

/// Knows the names that common programs give to their columns, whatever their case, accents and signs; nothing for any
/// other name. Thread safety: pure.
[[nodiscard]] std::optional<FieldRole> role_of_field(std::string_view name);

}  // namespace inkling
