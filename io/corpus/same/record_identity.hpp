// By what records of several databases are recognised as one: keys of their fields, as few bytes for each record.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// By what two records are one; none of these keeps all records apart.
struct SameBy {
  bool doi = true;
  bool pmid = true;
  bool title = true;  ///< and year
  bool text = true;

  [[nodiscard]] bool any() const noexcept { return doi || pmid || title || text; }
  bool operator==(const SameBy&) const = default;
};
inline constexpr SameBy kAllApart = {.doi = false, .pmid = false, .title = false, .text = false};

/// "doi,pmid,title,text", some of these in any order, or "none"; nothing for any other text.
[[nodiscard]] std::optional<SameBy> same_by_in(std::string_view rules);
[[nodiscard]] std::string same_by_text(SameBy by);
/// The value of "equal_texts" in a recipe that means kAllApart.
inline constexpr std::string_view kKeptApart = "kept apart";
inline constexpr std::string_view kSameByExpectation = "expected none, or some of doi, pmid, title and text, with commas between";

/// Hashes of what identifies a record, in one form however a database writes it; 0 where the record does not say it.
struct RecordIdentity {
  std::uint64_t doi = 0;
  std::uint64_t pmid = 0;
  std::uint64_t title = 0;                   ///< its letters and digits, without case and accents
  std::array<std::uint32_t, 2> author = {};  ///< two words of the first author's name, one of which is the surname
  std::uint32_t volume = 0;
  std::uint32_t page = 0;  ///< the first one, or the number of the article
  std::uint32_t year = 0;  ///< the number itself
  /// How much there is to read, not hashed: `kShortTitle` and `kAbstract`.
  std::uint32_t extent = 0;

  static constexpr std::uint32_t kShortTitle = 1;  ///< such as "Editorial", which many records have
  static constexpr std::uint32_t kAbstract = 2;

  [[nodiscard]] bool has(std::uint32_t what) const noexcept { return (extent & what) != 0; }
  /// Whether it says more than a title and a year.
  [[nodiscard]] bool says_where() const noexcept { return (doi | pmid | author[0] | volume | page) != 0; }
  bool operator==(const RecordIdentity&) const = default;
};
static_assert(sizeof(RecordIdentity) == 48 && std::is_trivially_copyable_v<RecordIdentity>);

/// Reads identities from documents. Thread safety: one thread at a time.
class IdentityReader {
 public:
  /// By the document's fields, whose JSON may be damaged, and by its id where that is a DOI or said to be a PMID.
  [[nodiscard]] RecordIdentity read(const SourceDocument& document);

 private:
  enum class Part { none, doi, pmid, title, authors, volume, page, year, link };
  [[nodiscard]] Part part_of(std::string_view quoted_name);
  [[nodiscard]] bool is_taken(Part part, const RecordIdentity& identity) const noexcept;
  void take(Part part, std::string_view json, RecordIdentity& identity);

  std::map<std::string, Part, std::less<>> known_;
  std::size_t title_bytes_ = 0;
  bool doi_is_link_ = false;
};

}  // namespace inkling
