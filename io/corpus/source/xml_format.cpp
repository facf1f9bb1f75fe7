// XML of EndNote and of PubMed: an element for each value of a record.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/source/reference_record.hpp"

namespace inkling {
namespace {

// In order of preference, as in the tables of the formats with tags.
constexpr std::array kEndnoteTags = {ReferenceTag{"accession-num", FieldRole::identifier},
                                     ReferenceTag{"title", FieldRole::title},
                                     ReferenceTag{"abstract", FieldRole::abstract},
                                     ReferenceTag{"authors", FieldRole::authors},
                                     ReferenceTag{"year", FieldRole::year},
                                     ReferenceTag{"full-title", FieldRole::journal},
                                     ReferenceTag{"secondary-title", FieldRole::journal},
                                     ReferenceTag{"electronic-resource-num", FieldRole::doi},
                                     ReferenceTag{"related-urls", FieldRole::url},
                                     ReferenceTag{"keyword", FieldRole::keywords}};
// Those of NBIB, so that both downloads of a record give the same.
constexpr std::array kPubmedTags = {ReferenceTag{"PMID", FieldRole::identifier}, ReferenceTag{"TI", FieldRole::title},
                                    ReferenceTag{"BTI", FieldRole::title},       ReferenceTag{"TT", FieldRole::title},
                                    ReferenceTag{"AB", FieldRole::abstract},     ReferenceTag{"OAB", FieldRole::abstract},
                                    ReferenceTag{"FAU", FieldRole::authors},     ReferenceTag{"DP", FieldRole::year},
                                    ReferenceTag{"JT", FieldRole::journal},      ReferenceTag{"TA", FieldRole::journal},
                                    ReferenceTag{"doi", FieldRole::doi},         ReferenceTag{"OT", FieldRole::keywords}};

/// An element of PubMed that is a value.
struct PubmedElement {
  std::string_view name;
  std::string_view within;  // the element around it; empty for any
  std::string_view tag;
  std::string_view joint = {};  // what is between it and the value before, if that has the same tag and they are one
};
constexpr std::array kPubmedElements = {PubmedElement{"PMID", "MedlineCitation", "PMID"},
                                        PubmedElement{"PMID", "BookDocument", "PMID"},
                                        PubmedElement{"ArticleTitle", "Article", "TI"},
                                        PubmedElement{"ArticleTitle", "BookDocument", "TI"},
                                        PubmedElement{"BookTitle", "Book", "BTI"},
                                        PubmedElement{"VernacularTitle", "", "TT"},
                                        PubmedElement{"AbstractText", "Abstract", "AB", " "},
                                        PubmedElement{"AbstractText", "OtherAbstract", "OAB", " "},
                                        PubmedElement{"LastName", "Author", "FAU"},
                                        PubmedElement{"ForeName", "Author", "FAU", ", "},
                                        PubmedElement{"CollectiveName", "Author", "CN"},
                                        PubmedElement{"Affiliation", "AffiliationInfo", "AD"},
                                        PubmedElement{"Title", "Journal", "JT"},
                                        PubmedElement{"MedlineTA", "", "TA"},
                                        PubmedElement{"ISSN", "Journal", "IS"},
                                        PubmedElement{"Volume", "JournalIssue", "VI"},
                                        PubmedElement{"Issue", "JournalIssue", "IP"},
                                        PubmedElement{"Year", "PubDate", "DP"},
                                        PubmedElement{"MedlineDate", "PubDate", "DP"},
                                        PubmedElement{"Month", "PubDate", "DP", " "},
                                        PubmedElement{"Day", "PubDate", "DP", " "},
                                        PubmedElement{"MedlinePgn", "Pagination", "PG"},
                                        PubmedElement{"Language", "Article", "LA"},
                                        PubmedElement{"PublicationType", "", "PT"},
                                        PubmedElement{"NameOfSubstance", "", "RN"},
                                        PubmedElement{"DescriptorName", "MeshHeading", "MH"},
                                        PubmedElement{"QualifierName", "MeshHeading", "MH", "/"},
                                        PubmedElement{"Keyword", "KeywordList", "OT"},
                                        PubmedElement{"ELocationID", "Article", "LID"},
                                        PubmedElement{"ArticleId", "ArticleIdList", "AID"}};

// Only these have elements within them that are values. All others are values.
constexpr std::array<std::string_view, 21> kEndnoteLists = {
    "record",       "contributors",       "authors",        "secondary-authors", "tertiary-authors", "subsidiary-authors",
    "titles",       "translated-authors", "periodical",     "alt-periodical",    "keywords",         "dates",
    "pub-dates",    "copyright-dates",    "urls",           "related-urls",      "pdf-urls",         "text-urls",
    "foreign-keys", "image-urls",         "translated-urls"};
// Values that are named by the list in which they are.
constexpr std::array<std::string_view, 4> kNamedByList = {"author", "url", "date", "key"};

bool is_xml_blank(char character) { return character == ' ' || character == '\t' || character == '\r' || character == '\n'; }

// Appends a text with references to characters replaced. An unknown one stays; what XML does not allow is left out.
void append_xml(std::string_view text, std::string& out) {
  constexpr std::array<std::pair<std::string_view, char>, 5> named = {
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  constexpr std::size_t longest = 12;
  for (;;) {
    const std::size_t begin = std::min(text.find('&'), text.size());
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) return;
    const std::size_t end = text.substr(0, longest).find(';');
    const std::string_view name = end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
    const auto* const known = std::ranges::find(named, name, [](const auto& entity) { return entity.first; });
    std::uint32_t point = 0;
    if (known != named.end()) {
      out += known->second;
    } else if (name.starts_with('#')) {
      const bool is_hexadecimal = name.starts_with("#x");
      const std::string_view digits = name.substr(is_hexadecimal ? 2 : 1);
      std::from_chars(digits.data(), digits.data() + digits.size(), point, is_hexadecimal ? 16 : 10);
      if (point >= ' ' || point == '\t' || point == '\n' || point == '\r') append_character(point, out);
    } else {
      out += '&';
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(end + 1);
  }
}

// A text with one blank for each run of white space; with line ends as "\n" if it may have some.
void trim_xml(std::string_view text, bool has_lines, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    if (!is_xml_blank(text[at])) {
      out += text[at++];
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_xml_blank(text[at])) ++at;
    const std::string_view gap = text.substr(begin, at - begin);
    if (out.empty() || at == text.size()) continue;
    const auto lines = std::max(std::ranges::count(gap, '\n'), std::ranges::count(gap, '\r'));
    out += has_lines && lines > 0 ? (lines > 1 ? "\n\n" : "\n") : " ";
  }
}

// The value of an attribute of a tag; empty if it has none.
std::string_view attribute_in(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const std::string_view rest = tag.substr(at + name.size());
    if (at == 0 || !is_xml_blank(tag[at - 1]) || rest.size() < 2 || rest[0] != '=' || (rest[1] != '"' && rest[1] != '\''))
      continue;
    const std::size_t end = rest.find(rest[1], 2);
    if (end != std::string_view::npos) return rest.substr(2, end - 2);
  }
  return {};
}

/// A tag, a piece of text or the like at the front of a text.
struct XmlPiece {
  enum class Kind { begin, end, text, exact_text, nothing };
  Kind kind = Kind::nothing;
  std::string_view inner;  // without its marks
  std::size_t size = 0;    // 0 if its end is missing
};

XmlPiece piece_until(XmlPiece::Kind kind, std::string_view text, std::size_t from, std::string_view mark) {
  const std::size_t end = text.find(mark, from);
  if (end == std::string_view::npos) return {};
  return {kind, text.substr(from, end - from), end + mark.size()};
}

// Where the ">" of this tag is; one within quotes does not end it.
std::size_t end_of_tag(std::string_view text) {
  char quote = '\0';
  for (std::size_t at = 1; at < text.size(); ++at)
    if (quote != '\0')
      quote = text[at] == quote ? '\0' : quote;
    else if (text[at] == '"' || text[at] == '\'')
      quote = text[at];
    else if (text[at] == '>')
      return at;
  return std::string_view::npos;
}

XmlPiece first_piece(std::string_view xml) {
  using Kind = XmlPiece::Kind;
  if (!xml.starts_with('<')) {
    const std::size_t size = std::min(xml.find('<'), xml.size());
    return {Kind::text, xml.substr(0, size), size};
  }
  if (xml.starts_with("<!--")) return piece_until(Kind::nothing, xml, 4, "-->");
  if (xml.starts_with("<![CDATA[")) return piece_until(Kind::exact_text, xml, 9, "]]>");
  if (xml.starts_with("<?") || xml.starts_with("<!")) return piece_until(Kind::nothing, xml, 2, ">");
  if (xml.starts_with("</")) return piece_until(Kind::end, xml, 2, ">");
  const std::size_t at = end_of_tag(xml);
  return at == std::string_view::npos ? XmlPiece{} : XmlPiece{Kind::begin, xml.substr(1, at - 1), at + 1};
}

// The elements of a record, one after the other. An element that is a value is handed over with all text within it.
class XmlRecordParser {
 public:
  XmlRecordParser(const Chunk& chunk, std::span<const ReferenceTag> tags, const SourceOptions& options,
                  const DocumentVisitor& visit)
      : options_(&options),
        visit_(&visit),
        decoder_(chunk.bytes.view(), options.encoding, options.bad_bytes),
        reference_(tags, options) {}
  virtual ~XmlRecordParser() = default;
  XmlRecordParser(const XmlRecordParser&) = delete;
  XmlRecordParser& operator=(const XmlRecordParser&) = delete;
  XmlRecordParser(XmlRecordParser&&) = delete;
  XmlRecordParser& operator=(XmlRecordParser&&) = delete;

  [[nodiscard]] std::int64_t replaced() const { return decoder_.replaced(); }
  void report() { reference_.report(); }

 protected:
  /// The tag of the value that the element `name` is; empty for an element with elements within it, or of no use. `tag`: all
  /// that is between "<" and ">".
  [[nodiscard]] virtual std::string_view tag_of(std::string_view name, std::string_view tag) = 0;
  virtual void take(std::string_view tag, std::string_view text) = 0;

  RecordVerdict parse_elements(std::string_view record) {
    record_ = record;
    reference_.begin(record.size());
    open_.clear();
    value_level_ = 0;
    for (std::size_t at = 0; at < record.size();) {
      const XmlPiece piece = first_piece(record.substr(at));
      if (piece.size == 0) return RecordProblem{"expected the end of this tag, found the end of the record", at};
      if (RecordVerdict problem = take_piece(piece)) return problem;
      if (piece.kind == XmlPiece::Kind::end && open_.empty()) return reference_.visit(*visit_);
      at += piece.size;
    }
    return RecordProblem{"expected the end of the record, found the end of the file"};
  }

  [[nodiscard]] std::string_view around() const { return open_.empty() ? std::string_view() : open_.back(); }
  [[nodiscard]] bool is_within(std::string_view name) const { return std::ranges::find(open_, name) != open_.end(); }
  ReferenceRecord& reference() { return reference_; }
  std::string& trimmed(std::string_view value, bool has_lines) {
    trim_xml(value, has_lines, trimmed_);
    return trimmed_;
  }
  /// Sets `out` to the value of an attribute that becomes text. For `tag_of` alone: bytes that are refused end the record after it.
  void take_attribute(std::string_view tag, std::string_view name, std::string& out) {
    out.clear();
    append_text(attribute_in(tag, name), XmlPiece::Kind::text, out);
  }

 private:
  RecordVerdict take_piece(const XmlPiece& piece) {
    problem_.reset();
    switch (piece.kind) {
      case XmlPiece::Kind::begin: begin_element(piece.inner); return problem_;
      case XmlPiece::Kind::end: return end_element(piece.inner);
      case XmlPiece::Kind::text:
      case XmlPiece::Kind::exact_text:
        if (value_level_ > 0) append_text(piece.inner, piece.kind, value_);
        return problem_;
      case XmlPiece::Kind::nothing: break;
    }
    return std::nullopt;
  }

  void begin_element(std::string_view inner) {
    if (inner.ends_with('/')) return;
    const std::string_view name = inner.substr(0, inner.find_first_of(" \t\r\n"));
    reference_.budget().enter();
    if (value_level_ == 0) tag_ = tag_of(name, inner);
    open_.push_back(name);
    if (value_level_ > 0 || tag_.empty()) return;
    value_level_ = open_.size();
    value_.clear();
  }

  RecordVerdict end_element(std::string_view inner) {
    const std::string_view name = inner.substr(0, inner.find_first_of(" \t\r\n"));
    if (open_.empty() || open_.back() != name)
      return RecordProblem{fmt::format("expected the end of {}, found that of {}",
                                       open_.empty() ? "nothing" : quoted_text(open_.back()), quoted_text(name)),
                           static_cast<std::size_t>(inner.data() - record_.data()) - 2};
    open_.pop_back();
    reference_.budget().leave();
    if (open_.size() + 1 != value_level_) return std::nullopt;
    value_level_ = 0;
    take(tag_, value_);
    return std::nullopt;
  }

  // Appends the text of this part of the record, or says in `problem_` what is wrong with its bytes.
  void append_text(std::string_view bytes, XmlPiece::Kind kind, std::string& out) {
    const std::optional<std::string_view> text = decoder_.decode(bytes, decoded_);
    if (!text) {
      problem_ = bad_byte(bytes, decoder_.bad_at(), options_->encoding);
      problem_->position += static_cast<std::size_t>(bytes.data() - record_.data());
    } else if (kind == XmlPiece::Kind::text) {
      append_xml(*text, out);
    } else {
      out += *text;
    }
  }

  const SourceOptions* options_;
  const DocumentVisitor* visit_;
  TextDecoder decoder_;
  PaddedText decoded_;
  ReferenceRecord reference_;
  std::string_view record_;
  RecordVerdict problem_;  // of the piece that is taken
  std::vector<std::string_view> open_;
  std::size_t value_level_ = 0;  // of the element that is a value; 0 outside of it
  std::string_view tag_;
  std::string value_;
  std::string trimmed_;
};

class EndnoteXmlParser final : public XmlRecordParser {
 public:
  using XmlRecordParser::XmlRecordParser;

  RecordVerdict parse(std::string_view record) {
    if (!record.starts_with("<record>")) return std::nullopt;  // what is before the first one
    return parse_elements(record);
  }

 private:
  std::string_view tag_of(std::string_view name, std::string_view tag) override {
    if (name == "ref-type") take_attribute(tag, "name", type_);
    if (std::ranges::find(kEndnoteLists, name) != kEndnoteLists.end()) return {};
    return std::ranges::find(kNamedByList, name) != kNamedByList.end() ? around() : name;
  }

  void take(std::string_view tag, std::string_view value) override {
    if (tag == "database" || tag == "source-app" || tag == "foreign-keys") return;  // where the library is, nothing of the record
    const bool has_name = tag == "ref-type" && !type_.empty();                      // beside its number
    const std::string& text = trimmed(has_name ? type_ : value, tag == "abstract" || tag.ends_with("notes"));
    if (!text.empty()) reference().add(tag, text);
  }

  std::string type_;
};

class PubmedXmlParser final : public XmlRecordParser {
 public:
  using XmlRecordParser::XmlRecordParser;

  RecordVerdict parse(std::string_view record) {
    if (!record.starts_with("<PubmedArticle>") && !record.starts_with("<PubmedBookArticle>")) return std::nullopt;
    last_ = {};
    has_doi_ = false;
    return parse_elements(record);
  }

 private:
  std::string_view tag_of(std::string_view name, std::string_view tag) override {
    const auto* const known = std::ranges::find_if(kPubmedElements, [&](const PubmedElement& element) {
      return element.name == name && (element.within.empty() || element.within == around());
    });
    if (known == kPubmedElements.end()) return {};
    joint_ = known->joint;
    part_.clear();
    if (name == "AbstractText") take_attribute(tag, "Label", part_);
    return known->tag == "LID" || known->tag == "AID" ? tag_of_id(tag) : known->tag;
  }

  // Other ids than these are kept nowhere; those of the references belong to other records.
  [[nodiscard]] std::string_view tag_of_id(std::string_view tag) {
    if (is_within("ReferenceList")) return {};
    if (attribute_in(tag, "IdType") == "pmc") return "PMC";
    const bool is_doi = attribute_in(tag, "EIdType") == "doi" || attribute_in(tag, "IdType") == "doi";
    return is_doi && !std::exchange(has_doi_, true) ? "doi" : std::string_view();
  }

  void take(std::string_view tag, std::string_view value) override {
    std::string& text = trimmed(value, false);
    if (text.empty()) return;
    if (!part_.empty()) text.insert(0, part_ + ": ");
    if (!joint_.empty() && last_ == tag)
      reference().extend(joint_, text);
    else
      reference().add(tag, text);
    last_ = tag;
  }

  std::string_view joint_;  // between the last value and this one
  std::string part_;        // of the abstract
  std::string_view last_;   // tag that was taken
  bool has_doi_ = false;
};

}  // namespace

ChunkOutcome parse_endnote_xml(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<EndnoteXmlParser>(chunk, RecordEnd::before_endnote, kEndnoteTags, options, visit);
}

ChunkOutcome parse_pubmed_xml(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<PubmedXmlParser>(chunk, RecordEnd::before_pubmed, kPubmedTags, options, visit);
}

}  // namespace inkling
