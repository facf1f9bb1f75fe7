// The head of a document: its title, authors, year, links and what it is about, found among the fields of its record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/fields/record_fields.hpp"

namespace inkling {

/// A field as a pool keeps it. Lifetime: the value lends the text of the fields.
struct KeptField {
  std::string name;
  std::string_view json;  ///< its value

  /// The role by the field's name; a field of a nested object, "a.b", has the role of "b".
  [[nodiscard]] std::optional<FieldRole> role() const;
  /// As people read it: the characters of a string, the values of a list with "; " between, nothing for null, and
  /// everything else as JSON writes it.
  [[nodiscard]] std::string text() const;
};

/// The fields of one document, in order; none if this is not a JSON object.
[[nodiscard]] std::vector<KeptField> kept_fields(std::string_view json);

struct RecordHead {
  std::string title;                       ///< on one line, as the next two; empty if there is none
  std::string authors;                     ///< with "; " between
  std::string year;                        ///< four digits
  std::string journal = {};                ///< on one line
  std::vector<std::string> kinds = {};     ///< of publication, as "Review"
  std::vector<std::string> keywords = {};  ///< those of the authors, MeSH and the like, each once
  std::vector<std::string> links;          ///< each once; http or https, and nothing in them that ends or leaves an address

  [[nodiscard]] bool empty() const { return title.empty() && authors.empty() && year.empty() && links.empty(); }
};

/// The head of a document, by its fields. Their values may hold anything: links that are not safe to show are left out.
/// Thread safety: pure.
[[nodiscard]] RecordHead record_head(std::string_view json);

/// A DOI however it is written ("doi:10.1/x", "https://doi.org/10.1/x") as the address that leads to it; empty for anything else.
[[nodiscard]] std::string address_of_doi(std::string_view text);

}  // namespace inkling
