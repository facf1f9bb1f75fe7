// RIS, NBIB, Web of Science and EndNote: a tag and a value on each line, and lines that continue the value before.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/source/reference_record.hpp"

namespace inkling {
namespace {

// In order of preference.
constexpr std::array kRisTags = {
    ReferenceTag{"ID", FieldRole::identifier}, ReferenceTag{"AN", FieldRole::identifier}, ReferenceTag{"TI", FieldRole::title},
    ReferenceTag{"T1", FieldRole::title},      ReferenceTag{"CT", FieldRole::title},      ReferenceTag{"BT", FieldRole::title},
    ReferenceTag{"AB", FieldRole::abstract},   ReferenceTag{"N2", FieldRole::abstract},   ReferenceTag{"AU", FieldRole::authors},
    ReferenceTag{"A1", FieldRole::authors},    ReferenceTag{"PY", FieldRole::year},       ReferenceTag{"Y1", FieldRole::year},
    ReferenceTag{"DA", FieldRole::year},       ReferenceTag{"JF", FieldRole::journal},    ReferenceTag{"T2", FieldRole::journal},
    ReferenceTag{"JO", FieldRole::journal},    ReferenceTag{"JA", FieldRole::journal},    ReferenceTag{"J1", FieldRole::journal},
    ReferenceTag{"J2", FieldRole::journal},    ReferenceTag{"DO", FieldRole::doi},        ReferenceTag{"DI", FieldRole::doi},
    ReferenceTag{"UR", FieldRole::url},        ReferenceTag{"KW", FieldRole::keywords}};
constexpr std::array kNbibTags = {ReferenceTag{"PMID", FieldRole::identifier}, ReferenceTag{"PMC", FieldRole::identifier},
                                  ReferenceTag{"OID", FieldRole::identifier},  ReferenceTag{"TI", FieldRole::title},
                                  ReferenceTag{"BTI", FieldRole::title},       ReferenceTag{"TT", FieldRole::title},
                                  ReferenceTag{"AB", FieldRole::abstract},     ReferenceTag{"OAB", FieldRole::abstract},
                                  ReferenceTag{"FAU", FieldRole::authors},     ReferenceTag{"AU", FieldRole::authors},
                                  ReferenceTag{"DP", FieldRole::year},         ReferenceTag{"JT", FieldRole::journal},
                                  ReferenceTag{"TA", FieldRole::journal},      ReferenceTag{"doi", FieldRole::doi},
                                  ReferenceTag{"OT", FieldRole::keywords},     ReferenceTag{"KW", FieldRole::keywords}};

constexpr std::array kWosTags = {
    ReferenceTag{"UT", FieldRole::identifier}, ReferenceTag{"TI", FieldRole::title},   ReferenceTag{"AB", FieldRole::abstract},
    ReferenceTag{"AF", FieldRole::authors},    ReferenceTag{"AU", FieldRole::authors}, ReferenceTag{"PY", FieldRole::year},
    ReferenceTag{"SO", FieldRole::journal},    ReferenceTag{"DI", FieldRole::doi},     ReferenceTag{"DE", FieldRole::keywords}};
constexpr std::array kEnwTags = {ReferenceTag{"%M", FieldRole::identifier}, ReferenceTag{"%T", FieldRole::title},
                                 ReferenceTag{"%X", FieldRole::abstract},   ReferenceTag{"%A", FieldRole::authors},
                                 ReferenceTag{"%D", FieldRole::year},       ReferenceTag{"%J", FieldRole::journal},
                                 ReferenceTag{"%B", FieldRole::journal},    ReferenceTag{"%R", FieldRole::doi},
                                 ReferenceTag{"%U", FieldRole::url},        ReferenceTag{"%K", FieldRole::keywords}};

constexpr std::array kOvidTags = {ReferenceTag{"Unique Identifier", FieldRole::identifier},
                                  ReferenceTag{"Accession Number", FieldRole::identifier},
                                  ReferenceTag{"UI", FieldRole::identifier},
                                  ReferenceTag{"Title", FieldRole::title},
                                  ReferenceTag{"TI", FieldRole::title},
                                  ReferenceTag{"Abstract", FieldRole::abstract},
                                  ReferenceTag{"AB", FieldRole::abstract},
                                  ReferenceTag{"Authors", FieldRole::authors},
                                  ReferenceTag{"Author", FieldRole::authors},
                                  ReferenceTag{"AU", FieldRole::authors},
                                  ReferenceTag{"Year of Publication", FieldRole::year},
                                  ReferenceTag{"Publication Year", FieldRole::year},
                                  ReferenceTag{"YR", FieldRole::year},
                                  ReferenceTag{"Journal Name", FieldRole::journal},
                                  ReferenceTag{"Source", FieldRole::journal},
                                  ReferenceTag{"SO", FieldRole::journal},
                                  ReferenceTag{"Digital Object Identifier", FieldRole::doi},
                                  ReferenceTag{"DO", FieldRole::doi},
                                  ReferenceTag{"URL", FieldRole::url}};

constexpr std::array kEmbaseTags = {ReferenceTag{"PUI", FieldRole::identifier},
                                    ReferenceTag{"EMBASE ACCESSION ID", FieldRole::identifier},
                                    ReferenceTag{"TITLE", FieldRole::title},
                                    ReferenceTag{"ABSTRACT", FieldRole::abstract},
                                    ReferenceTag{"AUTHOR NAMES", FieldRole::authors},
                                    ReferenceTag{"PUBLICATION YEAR", FieldRole::year},
                                    ReferenceTag{"SOURCE TITLE", FieldRole::journal},
                                    ReferenceTag{"SOURCE", FieldRole::journal},
                                    ReferenceTag{"DOI", FieldRole::doi},
                                    ReferenceTag{"FULL TEXT LINK", FieldRole::url},
                                    ReferenceTag{"EMBASE LINK", FieldRole::url},
                                    ReferenceTag{"AUTHOR KEYWORDS", FieldRole::keywords}};

constexpr std::size_t kTagColumns = 4;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_ascii_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The lines of a text one after the other. A line ends in "\n", "\r\n" or "\r".
class TaggedLines {
 public:
  explicit TaggedLines(std::string_view text) : text_(text), newline_(text.find('\n')) {}

  [[nodiscard]] bool has_more() const { return at_ < text_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }
  std::string_view take() {
    if (newline_ < at_) newline_ = text_.find('\n', at_);  // npos is no less
    const std::string_view rest = text_.substr(at_, std::min(newline_, text_.size()) - at_);
    const std::string_view line = rest.substr(0, rest.find('\r'));
    at_ += line.size();
    at_ += at_ + 1 == newline_ ? 2 : 1;
    return line;
  }

 private:
  std::string_view text_;
  std::size_t newline_;  // the first one from `at_` on
  std::size_t at_ = 0;
};

// "TI  - A title": capitals and digits, blanks up to the fifth column, "-", and a blank or nothing.
std::optional<std::string_view> tag_in(std::string_view line) {
  if (line.size() <= kTagColumns || line[kTagColumns] != '-') return std::nullopt;
  if (line.size() > kTagColumns + 1 && line[kTagColumns + 1] != ' ') return std::nullopt;
  const auto is_tag = [](char character) {
    return (character >= 'A' && character <= 'Z') || (character >= '0' && character <= '9');
  };
  std::size_t size = 0;
  while (size < kTagColumns && is_tag(line[size])) ++size;
  const bool blanks = line.substr(size, kTagColumns - size).find_first_not_of(' ') == std::string_view::npos;
  if (size < 2 || !blanks || line.front() < 'A') return std::nullopt;
  return line.substr(0, size);
}

// What all these formats share: the lines of a record, one after the other, with their positions.
class TaggedRecordParser {
 public:
  TaggedRecordParser(const Chunk& chunk, std::span<const ReferenceTag> tags, const SourceOptions& options,
                     const DocumentVisitor& visit)
      : options_(&options),
        visit_(&visit),
        decoder_(chunk.bytes.view(), options.encoding, options.bad_bytes),
        reference_(tags, options) {}

  [[nodiscard]] std::int64_t replaced() const { return decoder_.replaced(); }
  void report() { reference_.report(); }

 protected:
  ~TaggedRecordParser() = default;
  ReferenceRecord& reference() { return reference_; }
  [[nodiscard]] RecordVerdict visit() { return reference_.visit(*visit_); }
  [[nodiscard]] bool is_strict() const { return !options_->reading.skip_bad; }

  // Calls `take(line)` for each line until it returns a problem, which becomes a problem of the record.
  template <typename TakeLine>
  RecordVerdict for_each_line(std::string_view record, const TakeLine& take) {
    for (TaggedLines lines(record); lines.has_more();) {
      const std::size_t line_begin = lines.position();
      RecordVerdict problem = take(lines.take());
      if (!problem) continue;
      problem->position += line_begin;
      return problem;
    }
    return std::nullopt;
  }

  // Decodes the value in a line and hands it over.
  template <typename TakeText>
  RecordVerdict decoded(std::string_view line, std::string_view value, const TakeText& take) {
    const std::optional<std::string_view> text = decoder_.decode(value, scratch_);
    if (text) {
      take(*text);
      return std::nullopt;
    }
    RecordProblem problem = bad_byte(value, decoder_.bad_at(), options_->encoding);
    problem.position += static_cast<std::size_t>(value.data() - line.data());
    return problem;
  }

  RecordVerdict add(std::string_view line, std::string_view tag) {
    const std::string_view value = trimmed(line.substr(kTagColumns + 1));
    return decoded(line, value, [&](std::string_view text) { reference_.add(tag, text); });
  }

 private:
  const SourceOptions* options_;
  const DocumentVisitor* visit_;
  TextDecoder decoder_;
  PaddedText scratch_;
  ReferenceRecord reference_;
};

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
    RecordVerdict of_record = visit();
    return of_record ? of_record : problem;
  }

 private:
  enum class Part { before, within, after };

  // What databases write around records: Ovid puts links there. A record that lacks its begin is none of it.
  [[nodiscard]] bool is_ignored(const std::optional<std::string_view>& tag) const {
    if (is_strict()) return false;
    if (!tag) return part_ == Part::after;
    const auto* const known = std::ranges::find(kRisTags, *tag, &ReferenceTag::tag);
    return known == kRisTags.end() ||
           (known->role != FieldRole::title && known->role != FieldRole::abstract && known->role != FieldRole::authors);
  }

  RecordVerdict take(std::string_view line) {
    std::optional<std::string_view> tag = tag_in(line);
    if (tag && tag->size() != 2) tag.reset();
    if (part_ != Part::within) return take_outside(line, tag);
    if (!tag && line.starts_with("KW - "))  // with one blank, as some programs write it
      return decoded(line, trimmed(line.substr(kTagColumns)), [&](std::string_view text) { reference().add("KW", text); });
    if (!tag) return go_on(line);
    blank_lines_ = 0;
    tag_ = *tag;
    if (*tag != "ER") return add(line, *tag);
    if (is_typed) part_ = Part::after;
    return std::nullopt;
  }

  RecordVerdict take_outside(std::string_view line, const std::optional<std::string_view>& tag) {
    if (part_ == Part::before && tag && *tag == "TY") {
      part_ = Part::within;
      tag_ = *tag;
      return add(line, *tag);
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
    return decoded(line, value, [&](std::string_view text) {
      if (tag_ == "KW")
        reference().add(tag_, text);
      else
        reference().extend(separator, text);
    });
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
      return decoded(line, trimmed(line.substr(kTagColumns + 2)), [&](std::string_view text) { reference().add("ISSN", text); });
    if (!tag && line.starts_with(goes_on))
      return decoded(line, trimmed(line), [&](std::string_view text) { reference().extend(" ", text); });
    if (!tag) return RecordProblem{fmt::format("expected a tag such as \"TI  - \", or six blanks, found {}", quoted_text(line))};
    return is_doi(line, *tag) ? add(without_mark(line), "doi") : add(line, *tag);
  }

  RecordVerdict begin(std::string_view line, const std::optional<std::string_view>& tag) {
    if (line.starts_with("OWN - ERIC") || line.starts_with("PMC - PMC")) return add(line, *tag);
    if (!tag || *tag != "PMID")
      return RecordProblem{fmt::format("expected \"PMID- \" to begin a record, found {}", quoted_text(line))};
    const std::string_view number = trimmed(line.substr(kTagColumns + 1));
    if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
      return RecordProblem{fmt::format("expected a number of PubMed, found {}", quoted_text(number)), kTagColumns + 2};
    return add(line, *tag);
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
    RecordVerdict of_record = visit();
    return of_record ? of_record : problem;
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
    return decoded(line, trimmed(line.substr(tag.size())), [&](std::string_view text) { reference().add(tag, text); });
  }

  static std::string_view tag_of(std::string_view line) {
    if (line.size() < 2 || (line.size() > 2 && line[2] != ' ')) return {};
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const bool is_of_endnote = !style.begin.starts_with('P');
    const bool is_tag =
        is_of_endnote ? line[0] == '%' && line[1] > ' ' : is_capital(line[0]) && (is_capital(line[1]) || is_ascii_digit(line[1]));
    return is_tag ? line.substr(0, 2) : std::string_view();
  }

  RecordVerdict go_on(std::string_view line) {
    if (!line.starts_with(is_strict() ? style.goes_on : style.goes_on.substr(0, 1)))
      return RecordProblem{fmt::format("expected a tag such as \"TI \", or three blanks, found {}", quoted_text(line))};
    return decoded(line, trimmed(line), [&](std::string_view text) {
      if (style.lists.find(tag_) != std::string_view::npos)
        reference().add(tag_, text);
      else
        reference().extend(" ", text);
    });
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
      return add(line, *tag);
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
