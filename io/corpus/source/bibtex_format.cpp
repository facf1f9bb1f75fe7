// BibTeX: entries "@article{key, name = value, ...}", in which names defined by "@string" may stand for texts.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/pages/tex_text.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/source/reference_record.hpp"

namespace inkling {
namespace {

constexpr std::string_view kKeyTag = "citekey";
constexpr std::string_view kTypeTag = "entrytype";
constexpr std::array kBibtexTags = {ReferenceTag{kKeyTag, FieldRole::identifier},
                                    ReferenceTag{"title", FieldRole::title},
                                    ReferenceTag{"abstract", FieldRole::abstract},
                                    ReferenceTag{"author", FieldRole::authors},
                                    ReferenceTag{"year", FieldRole::year},
                                    ReferenceTag{"date", FieldRole::year},
                                    ReferenceTag{"journal", FieldRole::journal},
                                    ReferenceTag{"journaltitle", FieldRole::journal},
                                    ReferenceTag{"booktitle", FieldRole::journal},
                                    ReferenceTag{"doi", FieldRole::doi},
                                    ReferenceTag{"url", FieldRole::url},
                                    ReferenceTag{"keywords", FieldRole::keywords},
                                    ReferenceTag{"author_keywords", FieldRole::keywords},
                                    ReferenceTag{"mendeley-tags", FieldRole::keywords}};

using Macros = std::map<std::string, std::string, std::less<>>;

Macros months() {
  return {{"jan", "January"},   {"feb", "February"}, {"mar", "March"},    {"apr", "April"},
          {"may", "May"},       {"jun", "June"},     {"jul", "July"},     {"aug", "August"},
          {"sep", "September"}, {"oct", "October"},  {"nov", "November"}, {"dec", "December"}};
}

// In a file, because every chunk of it reads the definitions of those before.
constexpr std::size_t kMostDefinitions = std::size_t{1} << 20U;
// A definition may hold earlier ones several times, and so double with each.
constexpr ReadingBudget::Limits kDefined = {.bytes = 4 * kMostDefinitions, .option = "for the names of @string"};
// A name of three letters may stand for a long text, in every entry of a file.
constexpr ReadingBudget::Limits kUsed = {.bytes = 8192, .more_for_each_byte = 16, .option = "for the texts of names in an entry"};
// And in all entries of a chunk, because many short entries may each use one long text.
constexpr ReadingBudget::Limits kUsedInAll = {
    .bytes = std::uint64_t{1} << 20U, .more_for_each_byte = 1, .option = "for the texts of names in neighbouring entries"};

// What is defined so far. What a definition took is not given back, so that many which define one name anew end, too.
struct Names {
  Macros texts = months();
  ReadingBudget budget{kDefined, {}};
};

// Cuts a text at each separator outside braces. A separator is a word or a sign: " and " between authors, "," or ";"
// between keywords.
template <typename Take>
void for_each_outside_braces(std::string_view list, const Take& take, auto separator_at) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < list.size(); ++at) {
    depth += list[at] == '{' ? 1 : list[at] == '}' ? -1 : 0;
    const std::size_t separator = depth > 0 ? 0 : separator_at(list.substr(at));
    if (separator == 0) continue;
    take(list.substr(begin, at - begin));
    begin = at + separator;
    at = begin - 1;
  }
  take(list.substr(begin));
}

bool is_blank_of_bibtex(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

std::size_t and_at(std::string_view text) {
  constexpr std::size_t size = 5;
  if (text.size() < size || !is_blank_of_bibtex(text[0]) || !is_blank_of_bibtex(text[4])) return 0;
  return ascii_lower_case(text.substr(1, 3)) == "and" ? size : 0;
}

// "@string" or "@ string".
bool begins_definition(std::string_view text) {
  constexpr std::string_view type = "string";
  if (!text.starts_with('@')) return false;
  const std::size_t begin = text.find_first_not_of(" \t", 1);
  return begin != std::string_view::npos && ascii_lower_case(text.substr(begin, type.size())) == type;
}

// Parses an entry, from its "@" on. Positions are counted from the begin of the record.
class BibtexParser {
 public:
  BibtexParser(std::string_view bytes, const SourceOptions& options, DocumentVisitor visit)
      : options_(&options),
        visit_(std::move(visit)),
        decoder_(bytes, options.encoding, options.bad_bytes),
        reference_(kBibtexTags, options),
        used_(kUsed, {}),
        used_in_all_(kUsedInAll, {}) {
    used_in_all_.renew(bytes.size());
  }

  RecordVerdict parse(std::string_view record) {
    record_ = record;
    at_ = 0;
    while (find_entry())
      if (RecordVerdict problem = entry()) return problem;
    return stray_;
  }

  [[nodiscard]] const Names& names() const { return names_; }
  void define(Names names) { names_ = std::move(names); }
  [[nodiscard]] std::int64_t replaced() const { return decoder_.replaced(); }
  void report() { reference_.report(); }

 private:
  [[nodiscard]] bool at_end() const { return at_ == record_.size(); }
  [[nodiscard]] bool is_at(char character) const { return !at_end() && record_[at_] == character; }
  bool take(char character) {
    const bool found = is_at(character);
    at_ += found ? 1 : 0;
    return found;
  }
  void skip_blanks() {
    while (!at_end() && is_blank_of_bibtex(record_[at_])) ++at_;
  }
  void skip_line() {
    while (!at_end() && record_[at_] != '\n' && record_[at_] != '\r') ++at_;
  }

  RecordProblem expected(std::string_view what) const {
    const std::string found = at_end() ? std::string("the end of the entry") : quoted_text(record_.substr(at_, 20));
    return {fmt::format("expected {}, found {}", what, found), at_};
  }

  // Goes to the next "@". Text between entries is a comment, unless it has a brace as an entry has.
  bool find_entry() {
    stray_.reset();
    bool begins_line = true;
    for (; !at_end() && record_[at_] != '@'; ++at_) {
      if (begins_line && record_[at_] == '%') skip_line();
      if (at_end()) return false;
      if (record_[at_] == '{') {
        stray_ = expected("\"@\" before an entry");
        return false;
      }
      begins_line = record_[at_] == '\n' || record_[at_] == '\r' || (begins_line && is_blank_of_bibtex(record_[at_]));
    }
    entry_begin_ = at_;
    return !at_end();
  }

  std::string_view word() {
    const std::size_t begin = at_;
    constexpr std::string_view not_in_words = " \t\r\n\"#%'(),={}@";
    while (!at_end() && not_in_words.find(record_[at_]) == std::string_view::npos) ++at_;
    return record_.substr(begin, at_ - begin);
  }

  RecordVerdict entry() {
    reference_.begin(record_.size());
    used_.renew(record_.size());
    ++at_;
    skip_blanks();
    const std::string type = ascii_lower_case(word());
    if (type.empty()) return expected("a type of entry after \"@\"");
    skip_blanks();
    if (type == "comment") return comment();
    const bool braces = take('{');
    if (!braces && !take('(')) return expected("\"{\" after the type of an entry");
    closing_ = braces ? '}' : ')';
    skip_blanks();
    if (type == "preamble") {
      if (RecordVerdict problem = value(used_)) return problem;
      return close();
    }
    if (type == "string") return definition();
    return reference(type);
  }

  RecordVerdict comment() {
    if (!is_at('{'))
      skip_line();
    else if (!skip_braces())
      at_ = record_.size();
    return std::nullopt;
  }

  RecordVerdict close() {
    skip_blanks();
    if (take(closing_)) return std::nullopt;
    if (!at_end()) return expected(fmt::format("\",\" or \"{}\"", closing_));
    return RecordProblem{fmt::format("expected \"{}\" to end this entry, found none", closing_), entry_begin_};
  }

  RecordVerdict definition() {
    const std::size_t before = record_.substr(0, entry_begin_).find_last_not_of(" \t");
    if (before != std::string_view::npos && record_[before] != '\n' && record_[before] != '\r')
      return RecordProblem{"expected @string at the begin of a line, found text before it", entry_begin_};
    if (!begins_definition(record_.substr(entry_begin_)))  // the chunks that follow would not know of it
      return RecordProblem{"expected @string in one line, found a line end in it", entry_begin_};
    const std::string name = ascii_lower_case(word());
    if (name.empty()) return expected("a name to define");
    if (RecordVerdict problem = equal_sign()) return problem;
    if (RecordVerdict problem = value(names_.budget)) return problem;
    names_.texts[name] = value_;
    skip_blanks();
    take(',');
    return close();
  }

  RecordVerdict equal_sign() {
    skip_blanks();
    if (!take('=')) return expected("\"=\" after a name");
    skip_blanks();
    return std::nullopt;
  }

  // A name may have blanks, as "Early Access Date" of Web of Science has, unless bad records are refused.
  std::string_view field_name() {
    const std::size_t begin = at_;
    std::size_t end = begin;
    for (std::string_view part = word(); !part.empty(); part = options_->reading.skip_bad ? word() : std::string_view()) {
      end = at_;
      if (options_->reading.skip_bad) skip_blanks();
    }
    return record_.substr(begin, end - begin);
  }

  RecordVerdict reference(const std::string& type) {
    if (RecordVerdict problem = key()) return problem;
    reference_.add(kTypeTag, type);
    for (skip_blanks(); take(','); skip_blanks()) {
      skip_blanks();
      if (is_at(closing_)) break;
      if (is_at(',')) continue;
      for (; options_->reading.skip_bad && is_at('%'); skip_blanks()) skip_line();
      const std::string_view name = field_name();
      if (name.empty() && at_end()) break;
      if (name.empty()) return expected("the name of a field");
      if (RecordVerdict problem = equal_sign()) return problem;
      if (RecordVerdict problem = value(used_)) return problem;
      add_field(ascii_lower_case(name));
    }
    if (RecordVerdict problem = close()) return problem;
    RecordVerdict problem = reference_.visit(visit_);
    if (problem) problem->position += entry_begin_;
    return problem;
  }

  RecordVerdict key() {
    const std::size_t begin = at_;
    while (!at_end() && record_[at_] != ',' && record_[at_] != closing_ && record_[at_] != '=' && record_[at_] != '{' &&
           record_[at_] != '"' && record_[at_] != '\n' && record_[at_] != '\r')
      ++at_;
    std::string_view key = record_.substr(begin, at_ - begin);
    while (!key.empty() && is_blank_of_bibtex(key.back())) key.remove_suffix(1);
    skip_blanks();
    if (!is_at(',') && !is_at(closing_)) {
      at_ = begin;
      return expected("a key and a comma");
    }
    value_.clear();
    if (RecordVerdict problem = append_decoded(key)) return problem;
    reference_.add(kKeyTag, value_);
    return std::nullopt;
  }

  // Texts in braces or quotes, numbers and names, with "#" between them, into `value_`. `names`: of what names stand for.
  RecordVerdict value(ReadingBudget& names) {
    value_.clear();
    do {
      skip_blanks();
      if (RecordVerdict problem = piece(names)) return problem;
      skip_blanks();
    } while (take('#'));
    return std::nullopt;
  }

  RecordVerdict piece(ReadingBudget& names) {
    const std::size_t begin = at_;
    if (is_at('{')) {
      if (skip_braces()) return append_decoded(record_.substr(begin + 1, at_ - begin - 2));
      return RecordProblem{"expected \"}\" for this brace, found none", begin};
    }
    if (is_at('"')) {
      if (skip_quotes()) return append_decoded(record_.substr(begin + 1, at_ - begin - 2));
      return RecordProblem{"expected a closing quote for this one, found none", begin};
    }
    const std::string_view name = word();
    if (name.empty()) return expected("a value in braces or quotes");
    const auto macro = names_.texts.find(ascii_lower_case(name));
    if (macro == names_.texts.end()) return append_decoded(name);
    names.take(macro->second.size());
    if (&names == &used_ && take_of_all(macro->second.size())) return all_used_;
    reference_.budget().take(macro->second.size());
    value_ += macro->second;
    return std::nullopt;
  }

  // The problem of all entries once names took too much: a million of them may follow, and an exception for each would take seconds.
  const RecordVerdict& take_of_all(std::size_t bytes) {
    const auto take = [&]() -> RecordVerdict {
      used_in_all_.take(bytes);
      return std::nullopt;
    };
    if (!all_used_) all_used_ = within_budget(take);
    return all_used_;
  }

  // Goes behind the brace that closes this one; false if there is none.
  bool skip_braces() {
    int depth = 0;
    for (; !at_end(); ++at_) {
      depth += record_[at_] == '{' ? 1 : record_[at_] == '}' ? -1 : 0;
      if (depth > 0) continue;
      ++at_;
      return true;
    }
    return false;
  }

  // A quote within braces does not end the text.
  bool skip_quotes() {
    int depth = 0;
    for (++at_; !at_end(); ++at_) {
      depth += record_[at_] == '{' ? 1 : record_[at_] == '}' ? -1 : 0;
      if (depth > 0 || record_[at_] != '"') continue;
      ++at_;
      return true;
    }
    return false;
  }

  RecordVerdict append_decoded(std::string_view bytes) {
    const std::optional<std::string_view> text = decoder_.decode(bytes, decoded_);
    if (text) {
      reference_.budget().take(text->size());
      value_ += *text;
      return std::nullopt;
    }
    RecordProblem problem = bad_byte(bytes, decoder_.bad_at(), options_->encoding);
    problem.position += static_cast<std::size_t>(bytes.data() - record_.data());
    return problem;
  }

  void add_field(const std::string& name) {
    const bool address = name == "url" || name == "doi" || name == "file" || name == "eprint";
    const auto add = [&](std::string_view tex) {
      text_.clear();
      append_tex(tex, address ? TexText::address : TexText::prose, text_, reference_.budget());
      reference_.add(name, text_);
    };
    if (name == "author" || name == "editor")
      for_each_outside_braces(value_, add, and_at);
    else if (name == "keywords" || name == "author_keywords" || name == "mendeley-tags")
      for_each_outside_braces(value_, add, [](std::string_view text) {
        return text.front() == ',' || text.front() == ';' ? std::size_t{1} : std::size_t{0};
      });
    else
      add(value_);
  }

  const SourceOptions* options_;
  DocumentVisitor visit_;
  TextDecoder decoder_;
  ReferenceRecord reference_;
  Names names_;
  ReadingBudget used_;         // by names in this entry
  ReadingBudget used_in_all_;  // and in all entries
  RecordVerdict all_used_;
  std::string_view record_;
  std::size_t at_ = 0;
  std::size_t entry_begin_ = 0;
  char closing_ = '}';
  RecordVerdict stray_;
  std::string value_;  // with its TeX
  std::string text_;
  PaddedText decoded_;
};

// Skips bad definitions: the chunk that holds them reports them.
Names names_in(const std::string& definitions, SourceOptions options) {
  options.seen = nullptr;
  options.reading.skip_bad = true;
  BibtexParser parser(definitions, options, [](const SourceDocument&) {});
  ChunkOutcome outcome;
  parse_records(definitions, RecordEnd::before_bibtex, options.reading, outcome,
                [&](std::string_view record) { return parser.parse(record); });
  return parser.names();
}

}  // namespace

void take_bibtex_definitions(std::string_view bytes, std::string& found) {
  while (!bytes.empty() && found.size() <= kMostDefinitions) {
    const std::size_t length = std::min(first_record(bytes, RecordEnd::before_bibtex), bytes.size());
    if (begins_definition(bytes.substr(std::min(bytes.find_first_not_of(" \t"), length)))) {
      if (!found.empty() && found.back() != '\n') found += '\n';  // a record that was too long was cut within a line
      found += bytes.substr(0, length);
    }
    bytes.remove_prefix(length);
  }
}

// Entries with what is known of their fields; @comment and @preamble are passed over, and so is text between entries.
ChunkOutcome parse_bibtex(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  BibtexParser parser(chunk.bytes.view(), options, visit);
  if (chunk.header) {
    if (chunk.header->size() > kMostDefinitions)
      return {.problem = problem_at({}, {fmt::format("expected at most {} bytes of @string, found more", kMostDefinitions)})};
    parser.define(names_in(*chunk.header, options));
  }
  ChunkOutcome outcome = parse_chunk(chunk, RecordEnd::before_bibtex, options.reading,
                                     [&](std::string_view record) { return parser.parse(record); });
  outcome.bad_bytes = parser.replaced();
  parser.report();
  return outcome;
}

}  // namespace inkling
