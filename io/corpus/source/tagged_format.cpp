// RIS, NBIB, Web of Science and EndNote: a tag and a value on each line, and lines that continue the value before.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/tagged_record.hpp"

namespace inkling {
namespace {

// In order of preference.
constexpr ReferenceTag kRisTags[] = {
    {"ID", FieldRole::identifier}, {"AN", FieldRole::identifier}, {"TI", FieldRole::title},    {"T1", FieldRole::title},
    {"CT", FieldRole::title},      {"BT", FieldRole::title},      {"AB", FieldRole::abstract}, {"N2", FieldRole::abstract},
    {"AU", FieldRole::authors},    {"A1", FieldRole::authors},    {"PY", FieldRole::year},     {"Y1", FieldRole::year},
    {"DA", FieldRole::year},       {"JF", FieldRole::journal},    {"T2", FieldRole::journal},  {"JO", FieldRole::journal},
    {"JA", FieldRole::journal},    {"J1", FieldRole::journal},    {"J2", FieldRole::journal},  {"DO", FieldRole::doi},
    {"DI", FieldRole::doi},        {"UR", FieldRole::url},        {"KW", FieldRole::keywords}};
constexpr ReferenceTag kNbibTags[] = {
    {"PMID", FieldRole::identifier}, {"PMC", FieldRole::identifier}, {"OID", FieldRole::identifier}, {"TI", FieldRole::title},
    {"BTI", FieldRole::title},       {"TT", FieldRole::title},       {"AB", FieldRole::abstract},    {"OAB", FieldRole::abstract},
    {"FAU", FieldRole::authors},     {"AU", FieldRole::authors},     {"DP", FieldRole::year},        {"JT", FieldRole::journal},
    {"TA", FieldRole::journal},      {"doi", FieldRole::doi},        {"OT", FieldRole::keywords},    {"KW", FieldRole::keywords}};

constexpr ReferenceTag kWosTags[] = {{"UT", FieldRole::identifier}, {"TI", FieldRole::title},   {"AB", FieldRole::abstract},
                                     {"AF", FieldRole::authors},    {"AU", FieldRole::authors}, {"PY", FieldRole::year},
                                     {"SO", FieldRole::journal},    {"DI", FieldRole::doi},     {"DE", FieldRole::keywords}};
constexpr ReferenceTag kEnwTags[] = {{"%M", FieldRole::identifier}, {"%T", FieldRole::title}, {"%X", FieldRole::abstract},
                                     {"%A", FieldRole::authors},    {"%D", FieldRole::year},  {"%J", FieldRole::journal},
                                     {"%B", FieldRole::journal},    {"%R", FieldRole::doi},   {"%U", FieldRole::url},
                                     {"%K", FieldRole::keywords}};

constexpr ReferenceTag kOvidTags[] = {{"Unique Identifier", FieldRole::identifier},
                                      {"Accession Number", FieldRole::identifier},
                                      {"UI", FieldRole::identifier},
                                      {"Title", FieldRole::title},
                                      {"TI", FieldRole::title},
                                      {"Abstract", FieldRole::abstract},
                                      {"AB", FieldRole::abstract},
                                      {"Authors", FieldRole::authors},
                                      {"Author", FieldRole::authors},
                                      {"AU", FieldRole::authors},
                                      {"Year of Publication", FieldRole::year},
                                      {"Publication Year", FieldRole::year},
                                      {"YR", FieldRole::year},
                                      {"Journal Name", FieldRole::journal},
                                      {"Source", FieldRole::journal},
                                      {"SO", FieldRole::journal},
                                      {"Digital Object Identifier", FieldRole::doi},
                                      {"DO", FieldRole::doi},
                                      {"URL", FieldRole::url}};

constexpr ReferenceTag kEmbaseTags[] = {{"PUI", FieldRole::identifier},
                                        {"EMBASE ACCESSION ID", FieldRole::identifier},
                                        {"TITLE", FieldRole::title},
                                        {"ABSTRACT", FieldRole::abstract},
                                        {"AUTHOR NAMES", FieldRole::authors},
                                        {"PUBLICATION YEAR", FieldRole::year},
                                        {"SOURCE TITLE", FieldRole::journal},
                                        {"SOURCE", FieldRole::journal},
                                        {"DOI", FieldRole::doi},
                                        {"FULL TEXT LINK", FieldRole::url},
                                        {"EMBASE LINK", FieldRole::url},
                                        {"AUTHOR KEYWORDS", FieldRole::keywords}};

// Whether the line is the number of a record ("12."), or what databases write before the first record.
bool is_between_records(std::string_view line) {
  if (line.find_first_not_of("0123456789. \t") == std::string_view::npos) return true;
  constexpr std::array<std::string_view, 4> known = {"Provider:", "Database:", "Content:", "Record #"};
  return std::ranges::any_of(known, [&](std::string_view begin) { return line.starts_with(begin); });
}

// RIS as its specification has it: "TY  - " begins a record and "ER  - " ends it, which may be missing. A line without a
// tag continues the value before; of keywords it is another one. Without types, "ER  - " is before a record, if not the first.
template <bool is_typed>
class RisParser final : public TaggedRecordParser {
 public:
  using TaggedRecordParser::TaggedRecordParser;

  RecordVerdict parse(std::string_view record) {
    reference().begin(record.size());
    part_ = is_typed ? Part::before : Part::within;
    tag_ = {};
    blank_lines_ = 0;
    RecordVerdict problem = for_each_line(record, [&](std::string_view line) { return take(line); });
    if (part_ == Part::before || (problem && (is_strict() || part_ != Part::after))) return problem;
    if (reference().empty()) return problem;
    reference().unfold_notes("N1");
    return visit(problem);
  }

 private:
  enum class Part { before, within, after };

  // What databases write around records: Ovid puts links there. A record that lacks its begin is none of it.
  [[nodiscard]] bool is_ignored(const std::optional<std::string_view>& tag) const {
    if (is_strict()) return false;
    if (!tag) return part_ == Part::after;
    const auto* const known = std::ranges::find(kRisTags, *tag, &ReferenceTag::tag);
    return known == std::end(kRisTags) ||
           (known->role != FieldRole::title && known->role != FieldRole::abstract && known->role != FieldRole::authors);
  }

  RecordVerdict take(std::string_view line) {
    std::optional<std::string_view> tag = tag_in(line);
    if (tag && tag->size() != 2) tag.reset();
    if (part_ != Part::within) return take_outside(line, tag);
    if (!tag && line.starts_with("KW - "))  // with one blank, as some programs write it
      return add(line, trimmed(line.substr(kTagColumns)), "KW");
    if (!tag) return go_on(line);
    blank_lines_ = 0;
    tag_ = *tag;
    if (*tag != "ER") return add_tagged(line, *tag);
    if (is_typed) part_ = Part::after;
    return std::nullopt;
  }

  RecordVerdict take_outside(std::string_view line, const std::optional<std::string_view>& tag) {
    if (part_ == Part::before && tag && *tag == "TY") {
      part_ = Part::within;
      tag_ = *tag;
      return add_tagged(line, *tag);
    }
    if ((!tag && is_between_records(line)) || is_ignored(tag)) return std::nullopt;
    return RecordProblem{fmt::format("expected \"TY  - \" to begin a record, found {}", quoted_text(line))};
  }

  RecordVerdict go_on(std::string_view line) {
    const std::string_view value = trimmed(line);
    if (value.empty() || reference().empty()) {
      ++blank_lines_;
      return std::nullopt;
    }
    const bool has_lines = tag_ == "AB" || tag_ == "N2" || tag_ == "N1";
    const std::string_view separator = !has_lines ? " " : blank_lines_ > 0 ? "\n\n" : "\n";
    blank_lines_ = 0;
    return tag_ == "KW" ? add(line, value, tag_) : extend(line, value, separator);
  }

  Part part_ = Part::before;
  std::string_view tag_;
  int blank_lines_ = 0;
};

// NBIB as PubMed writes it: "PMID- " begins a record, six blanks continue the value before.
class NbibParser final : public TaggedRecordParser {
 public:
  using TaggedRecordParser::TaggedRecordParser;

  RecordVerdict parse(std::string_view record) {
    reference().begin(record.size());
    has_doi_ = false;
    if (RecordVerdict problem = for_each_line(record, [&](std::string_view line) { return take(line); })) return problem;
    return reference().empty() ? std::nullopt : visit();
  }

 private:
  static constexpr std::string_view goes_on = "      ";

  RecordVerdict take(std::string_view line) {
    if (trimmed(line).empty()) return std::nullopt;
    const std::optional<std::string_view> tag = tag_in(line);
    if (reference().empty()) return begin(line, tag);
    if (line.starts_with("ISSN - "))  // as ERIC writes it, with a blank more than other tags have
      return add(line, trimmed(line.substr(kTagColumns + 2)), "ISSN");
    if (!tag && line.starts_with(goes_on)) return extend(line, trimmed(line), " ");
    if (!tag) return RecordProblem{fmt::format("expected a tag such as \"TI  - \", or six blanks, found {}", quoted_text(line))};
    return is_doi(line, *tag) ? add_tagged(without_mark(line), "doi") : add_tagged(line, *tag);
  }

  RecordVerdict begin(std::string_view line, const std::optional<std::string_view>& tag) {
    if (line.starts_with("OWN - ERIC") || line.starts_with("PMC - PMC")) return add_tagged(line, *tag);
    if (!tag || *tag != "PMID")
      return RecordProblem{fmt::format("expected \"PMID- \" to begin a record, found {}", quoted_text(line))};
    const std::string_view number = trimmed(line.substr(kTagColumns + 1));
    if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
      return RecordProblem{fmt::format("expected a number of PubMed, found {}", quoted_text(number)), kTagColumns + 2};
    return add_tagged(line, *tag);
  }

  // "10.1000/182 [doi]", the first one of a record.
  bool is_doi(std::string_view line, std::string_view tag) {
    if (has_doi_ || (tag != "LID" && tag != "AID") || !trimmed(line).ends_with(doi_mark)) return false;
    has_doi_ = true;
    return true;
  }
  static std::string_view without_mark(std::string_view line) { return line.substr(0, line.rfind(doi_mark)); }

  static constexpr std::string_view doi_mark = "[doi]";
  bool has_doi_ = false;
};

// A tag of two characters, a blank and the value, as Web of Science and EndNote (Refer) have it.
struct ShortTags {
  std::string_view begin;    // tag of a record's first line; the record ends before the next such line. Empty for any tag
  std::string_view goes_on;  // the beginning of a line without a tag
  std::string_view lists;    // tags whose continued lines are further values
  std::string_view around;   // tags that may be before and after records
};
constexpr ShortTags kWosStyle = {"PT", "   ", "AU AF BA BF BE CA CR", "FN VR EF"};
constexpr ShortTags kEnwStyle = {"%0", "", "%A %E %K", ""};
constexpr ShortTags kReferStyle = {"", "", "%A %E %K", ""};

template <const ShortTags& style>
class ShortTagParser final : public TaggedRecordParser {
 public:
  using TaggedRecordParser::TaggedRecordParser;

  RecordVerdict parse(std::string_view record) {
    reference().begin(record.size());
    has_ended_ = false;
    RecordVerdict problem = for_each_line(record, [&](std::string_view line) { return take(line); });
    if (reference().empty() || (problem && (is_strict() || !has_ended_))) return problem;
    return visit(problem);
  }

 private:
  RecordVerdict take(std::string_view line) {
    if (trimmed(line).empty()) return std::nullopt;
    const std::string_view tag = tag_of(line);
    const bool is_within = !reference().empty() && !has_ended_;
    if (!is_within) {
      if (!tag.empty() && style.around.find(tag) != std::string_view::npos) return std::nullopt;
      if (tag.empty() || (!style.begin.empty() && tag != style.begin) || has_ended_)
        return RecordProblem{fmt::format("expected \"{} \" to begin a record, found {}", style.begin, quoted_text(line))};
    }
    if (tag.empty()) return go_on(line);
    if (tag == "ER") {
      has_ended_ = true;
      return std::nullopt;
    }
    tag_ = tag;
    return add(line, trimmed(line.substr(tag.size())), tag);
  }

  static std::string_view tag_of(std::string_view line) {
    if (line.size() < 2 || (line.size() > 2 && line[2] != ' ')) return {};
    const bool is_of_endnote = !style.begin.starts_with('P');
    const bool is_tag = is_of_endnote ? line[0] == '%' && line[1] > ' '
                                      : is_ascii_capital(line[0]) && (is_ascii_capital(line[1]) || is_ascii_digit(line[1]));
    return is_tag ? line.substr(0, 2) : std::string_view();
  }

  RecordVerdict go_on(std::string_view line) {
    if (!line.starts_with(is_strict() ? style.goes_on : style.goes_on.substr(0, 1)))
      return RecordProblem{fmt::format("expected a tag such as \"TI \", or three blanks, found {}", quoted_text(line))};
    const bool is_list = style.lists.find(tag_) != std::string_view::npos;
    return is_list ? add(line, trimmed(line), tag_) : extend(line, trimmed(line), " ");
  }

  std::string_view tag_;
  bool has_ended_ = false;
};

// Ovid as text: "<1>", then the name of each field in a line, and its value in lines that begin with blanks; or "TI  - A title".
class OvidParser final : public TaggedRecordParser {
 public:
  using TaggedRecordParser::TaggedRecordParser;

  RecordVerdict parse(std::string_view record) {
    reference().begin(record.size());
    name_ = {};
    is_named_ = false;
    if (!record.starts_with('<')) return std::nullopt;  // what is before the first record
    if (RecordVerdict problem = for_each_line(record, [&](std::string_view line) { return take(line); })) return problem;
    return visit();
  }

 private:
  RecordVerdict take(std::string_view line) {
    const std::string_view value = trimmed(line);
    if (value.empty() || (reference().empty() && name_.empty() && line.starts_with('<'))) return std::nullopt;
    if (const std::optional<std::string_view> tag = tag_in(line)) {
      name_ = *tag;
      is_named_ = false;
      return add_tagged(line, *tag);
    }
    if (!is_ascii_blank(line.front())) {
      name_ = value;
      is_named_ = true;
      return std::nullopt;
    }
    return decoded(line, value, [&](std::string_view text) {
      if (std::exchange(is_named_, false))
        reference().add(name_, text);
      else if (!reference().empty())
        reference().extend(" ", text);
    });
  }

  std::string_view name_;
  bool is_named_ = false;  // its value comes next
};

// Embase by rows: a row of CSV for each field, its name and then its values. A row without a value is no field.
class EmbaseParser final : public TaggedRecordParser {
 public:
  using TaggedRecordParser::TaggedRecordParser;

  RecordVerdict parse(std::string_view record) {
    reference().begin(record.size());
    for (std::size_t at = 0, size = 0; at < record.size(); at += size) {
      const std::string_view rest = record.substr(at);
      size = std::min(first_record(rest, RecordEnd::outside_quotes), rest.size());
      RecordVerdict problem = take(without_line_end(rest.substr(0, size)));
      if (!problem) continue;
      problem->position += at;
      return problem;
    }
    return reference().empty() ? std::nullopt : visit();
  }

 private:
  RecordVerdict take(std::string_view row) {
    if (trimmed(row).empty()) return std::nullopt;
    const std::optional<std::vector<std::string_view>> fields = csv_fields(row, ',');
    if (!fields || (reference().empty() && fields->front() != kEmbaseTags[2].tag))
      return RecordProblem{fmt::format("expected {} in quotes, with commas between them, found {}",
                                       fields ? "\"TITLE\" and its value" : "the name of a field and its values",
                                       quoted_text(row))};
    for (const std::string_view value : std::span(*fields).subspan(1)) {
      RecordVerdict problem = decoded(row, value, [&](std::string_view text) {
        single_.clear();
        append_single_quotes(text, single_);
        reference().add(fields->front(), single_);
      });
      if (problem) return problem;
    }
    return std::nullopt;
  }

  std::string single_;
};

}  // namespace

ChunkOutcome parse_ris(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<RisParser<true>>(chunk, RecordEnd::before_ris, kRisTags, options, visit);
}

ChunkOutcome parse_untyped_ris(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<RisParser<false>>(chunk, RecordEnd::before_ris_end, kRisTags, options, visit);
}

ChunkOutcome parse_nbib(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<NbibParser>(chunk, RecordEnd::before_nbib, kNbibTags, options, visit);
}

ChunkOutcome parse_medline(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<NbibParser>(chunk, RecordEnd::before_medline, kNbibTags, options, visit);
}

ChunkOutcome parse_wos(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<ShortTagParser<kWosStyle>>(chunk, RecordEnd::before_wos, kWosTags, options, visit);
}

ChunkOutcome parse_enw(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<ShortTagParser<kEnwStyle>>(chunk, RecordEnd::before_enw, kEnwTags, options, visit);
}

ChunkOutcome parse_refer(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<ShortTagParser<kReferStyle>>(chunk, RecordEnd::before_refer, kEnwTags, options, visit);
}

ChunkOutcome parse_ovid(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<OvidParser>(chunk, RecordEnd::before_ovid, kOvidTags, options, visit);
}

ChunkOutcome parse_embase(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  return parse_references<EmbaseParser>(chunk, RecordEnd::before_embase, kEmbaseTags, options, visit);
}

}  // namespace inkling
