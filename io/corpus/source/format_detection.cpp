#include "io/corpus/source/format_detection.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "engine/core/errors.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/system/folder.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/pages/html_text.hpp"
#include "io/corpus/source/decoded_stream.hpp"
#include "io/corpus/source/json_record.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/text/decoding.hpp"
#include "io/corpus/unpack/entries.hpp"
#include "io/corpus/unpack/first_bytes.hpp"
#include "io/corpus/unpack/foreign_kinds.hpp"

namespace inkling {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16U;
constexpr std::size_t kMostFiles = 64;

bool is_space(char character) { return character == ' ' || character == '\t' || character == '\r' || character == '\n'; }

std::string_view without_spaces_before(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

// Removes `opening` and the spaces around it from the front; false if the text does not begin with it.
bool take_mark(std::string_view& text, char opening) {
  text = without_spaces_before(text);
  if (!text.starts_with(opening)) return false;
  text = without_spaces_before(text.substr(1));
  return true;
}

// '{ "key":', which prose does not begin with.
bool begins_object(std::string_view text) {
  if (!take_mark(text, '{') || !text.starts_with('"')) return false;
  const std::size_t end = text.find_first_of("\"\\\n", 1);
  if (end == std::string_view::npos || text[end] != '"') return false;
  text.remove_prefix(end + 1);
  return take_mark(text, ':');
}

bool is_json_object(std::string_view line) {
  const PaddedText padded(line);
  JsonObjectParser parser;
  return std::holds_alternative<simdjson::dom::object>(parser.parse(padded.view()));
}

// Whether this is one object a line, an object over several lines, or a list of objects. The reader reads only the first
// kind and says what to do with the others.
bool is_json(std::string_view head) {
  std::string_view list = head;
  if (take_mark(list, '[')) return begins_object(list);
  if (!begins_object(head)) return false;
  const std::string_view start = without_spaces_before(head);
  const std::size_t end = start.find('\n');
  const std::string_view first = without_line_end(start.substr(0, end));
  return end == std::string_view::npos || first == "{" || first.ends_with(',') || is_json_object(first);
}

std::vector<std::string_view> whole_lines(std::string_view head) {
  constexpr std::size_t most = 20;
  std::vector<std::string_view> lines;
  lines.reserve(most);
  while (lines.size() < most && !head.empty()) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && head.size() >= kHeadBytes) break;  // cut
    const std::size_t length = std::min(end, head.size() - 1) + 1;
    lines.push_back(without_line_end(head.substr(0, length)));
    head.remove_prefix(length);
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::size_t usual = 16;
  std::vector<std::string_view> words;
  words.reserve(usual);
  for (line = without_spaces_before(line); !line.empty(); line = without_spaces_before(line)) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if(line, is_space) - line.begin());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

bool is_svmlight_pair(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view index = word.substr(0, colon);
  return (index == "qid" || parse_integer(index)) && parse_real(word.substr(colon + 1));
}

// Every line that is not a comment is a number and pairs "7:0.5", and one at least has pairs.
bool is_svmlight(std::string_view head) {
  bool has_pairs = false;
  for (std::string_view line : whole_lines(head)) {
    const std::vector<std::string_view> words = words_of(line.substr(0, line.find('#')));
    if (words.empty()) continue;
    std::string_view label = words.front().substr(0, words.front().find(','));
    if (label.starts_with('+')) label.remove_prefix(1);
    if (!parse_real(label)) return false;
    if (!std::ranges::all_of(std::span(words).subspan(1), is_svmlight_pair)) return false;
    has_pairs = has_pairs || words.size() > 1;
  }
  return has_pairs;
}

// The separator by which one of the first lines is a header with the field of the text and at least one more, and by which the
// line after it has as many fields. That line counts only if all of it is here and it has no quotes.
std::optional<char> delimiter_of(std::string_view head, const SourceOptions& options) {
  if (!has_header_line(options)) return std::nullopt;
  const std::vector<std::string_view> lines = whole_lines(head);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    for (const auto& [delimiter, name] : kDelimiterNames) {
      const auto header = csv_fields(lines[line], delimiter);
      if (!header || header->size() < 2 || !has_text_fields(*header, options)) continue;
      if (lines.size() < line + 2 || lines[line + 1].empty() || lines[line + 1].find('"') != std::string_view::npos)
        return delimiter;
      const auto second = csv_fields(lines[line + 1], delimiter);
      const bool ends_empty = second && second->size() == header->size() + 1 && second->back().empty();
      if (ends_empty || (second && second->size() == header->size())) return delimiter;
    }
  }
  return std::nullopt;
}

// Whether quotes enclose fields, as Excel and pandas write them, in a table with tabs: each record then has as many fields as the
// first one by the rules of CSV. Otherwise they are part of the text.
bool has_quoted_fields(std::string_view head) {
  const bool is_cut = head.size() >= kHeadBytes;
  bool any = false;
  std::size_t columns = 0;
  while (!head.empty()) {
    const std::size_t size = first_record(head, RecordEnd::outside_quotes);
    if (size == std::string_view::npos && is_cut) break;
    const std::string_view record = without_line_end(head.substr(0, size));
    head.remove_prefix(std::min(size, head.size()));
    const auto fields = csv_fields(record, '\t');
    if (!fields || (columns > 0 && !record.empty() && fields->size() != columns)) return false;
    columns = std::max(columns, fields->size());
    any = any || record.starts_with('"') || record.find("\t\"") != std::string_view::npos;
  }
  return any;
}

// The text from its first record on. Empty if that is far from the begin: what databases write before it is short.
std::string_view from_first_mark(std::string_view head, RecordEnd rule) {
  constexpr std::size_t most_before = 2000;
  const std::string begun = '\n' + std::string(head.substr(0, most_before + kLongestMark));
  const std::size_t mark = next_mark(begun, rule, 1);
  return mark > most_before ? std::string_view() : head.substr(mark - 1);
}

// Whether a list of objects has what CSL asks of each.
bool is_csl(std::string_view head) {
  constexpr std::array<std::string_view, 4> further = {"\"title\"", "\"container-title\"", "\"issued\"", "\"author\""};
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  return without_spaces_before(head).starts_with('[') && has("\"type\"") && std::ranges::any_of(further, has);
}

// Not every line that looks like an entry is one: programs have annotations.
bool is_bibtex(std::string_view head) {
  constexpr std::array<std::string_view, 27> types = {
      "article",      "book",          "booklet", "collection",    "comment", "conference", "dataset", "electronic",  "inbook",
      "incollection", "inproceedings", "manual",  "mastersthesis", "misc",    "online",     "patent",  "phdthesis",   "preamble",
      "proceedings",  "reference",     "report",  "software",      "string",  "techreport", "thesis",  "unpublished", "www"};
  const std::string_view entry = without_spaces_before(from_first_mark(head, RecordEnd::before_bibtex));
  if (entry.empty()) return false;
  std::string type(entry.substr(1, entry.find_first_of(" \t{(") - 1));
  for (char& letter : type) letter = static_cast<char>(static_cast<unsigned char>(letter) | 0x20U);
  return std::ranges::find(types, type) != types.end();
}

bool is_nbib(std::string_view head) {
  constexpr std::size_t mark = 6;
  const std::string_view record = from_first_mark(head, RecordEnd::before_nbib);
  return record.size() > mark && record[mark] >= '0' && record[mark] <= '9';
}

// Whether a later line begins with `begin`.
bool has_line(std::string_view text, std::string_view begin) {
  return text.find('\n' + std::string(begin)) != std::string_view::npos ||
         text.find('\r' + std::string(begin)) != std::string_view::npos;
}

// Looks for later rows, because a table with a column of titles begins with the same word.
bool is_embase_by_rows(std::string_view head) {
  const std::string_view record = from_first_mark(head, RecordEnd::before_embase);
  constexpr std::array<std::string_view, 3> later = {"\"AUTHOR NAMES\",", "\"SOURCE\",", "\"PUI\","};
  return std::ranges::any_of(later, [&](std::string_view row) { return has_line(record, row); });
}

// Whether a line "From ..." and a header begin the text.
bool is_mailbox(std::string_view head) {
  if (next_mark("\n\n" + std::string(head.substr(0, 2 * kLongestMark)), RecordEnd::before_mail, 2) != 2) return false;
  const std::string_view second = head.substr(head.find('\n') + 1);
  const std::size_t colon = second.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         second.substr(0, colon).find_first_of(" \t\r\n") == std::string_view::npos;
}

std::string normal_path(const std::string& path) { return std::filesystem::path(path).lexically_normal().generic_string(); }

// Errors are ignored: what comes before damage, or was in a pipe so far, is enough.
std::string head_of(InputStream& stream) {
  constexpr std::size_t piece = std::size_t{1} << 12U;
  std::string head;
  std::string bytes(piece, '\0');
  try {
    while (head.size() < kHeadBytes) {
      const std::size_t got = stream.read(bytes);
      head.append(bytes, 0, got);
      if (got < piece) break;
    }
  } catch (const FormatError&) {
    return head;
  }
  return head;
}

// Reads files until enough is known. Passing over a packed file means unpacking it, so that is limited, too.
class SourceViewer {
 public:
  SourceViewer(const SourceOptions& options, SourceLook& look) : options_(&options), look_(&look) {}

  // `shown`: the file's name for messages, where it is not `path` itself. False once enough was seen.
  bool look_into(const std::string& path, const std::string& shown) {
    const std::size_t before = look_->files.size();
    const bool more = look_into_entries(path, shown);
    fold_arrays(before, shown);
    return more;
  }

 private:
  bool look_into_entries(const std::string& path, const std::string& shown) {
    try {
      if (add_zipped_kind(path, shown)) return true;
      Entries entries({path}, options_->reading.unpacking);
      while (const std::optional<Entry> entry = entries.next()) {
        const bool packed = normal_path(entry->name()) != normal_path(path);
        look_->many_files = look_->many_files || packed;
        const std::string name = packed ? joined_path(shown, entry->path) : shown;
        if (!add(name, head_of(*entry->stream))) return false;
        if (packed && !pass_over(*entry->stream)) return false;
      }
    } catch (const FormatError&) {
      return false;
    } catch (const SystemError&) {
      return false;
    }
    return true;
  }

  bool add_zipped_kind(const std::string& path, const std::string& shown) {
    const FileStream file(path);
    if (!file.can_seek() || packing_kind_of(file.head()) != PackingKind::zip) return false;
    const ForeignKind* const kind = zipped_kind_in(file);
    if (kind == nullptr || kind->is_workbook) return false;
    look_->files.push_back({shown, {.format = {}, .delimiter = ',', .foreign = kind->name, .remedy = kind->remedy}});
    return true;
  }

  // A zip of NumPy arrays is one matrix, in a file with the ending .npz or another.
  void fold_arrays(std::size_t first, const std::string& shown) {
    const std::span<const LookedAtFile> added = std::span(look_->files).subspan(first);
    const bool arrays = std::ranges::all_of(added, [](const LookedAtFile& file) { return file.content.foreign == kArrayName; });
    if (!arrays || added.empty() || added.front().name == shown) return;
    look_->files.resize(first);
    look_->files.push_back({shown, {.format = "npz"}});
  }

  bool add(std::string name, const std::string& head) {
    if (head.empty()) return true;
    look_->files.push_back({std::move(name), look_at_content(head, *options_)});
    return look_->files.size() < kMostFiles;
  }

  bool pass_over(InputStream& stream) {
    std::string block(kHeadBytes, '\0');
    for (;;) {
      const std::size_t got = stream.read(block);
      if (got < block.size()) return true;
      if (unpacked_left_ < got) return false;
      unpacked_left_ -= got;
    }
  }

  const SourceOptions* options_;
  SourceLook* look_;
  std::size_t unpacked_left_ = std::size_t{4} << 20U;
};

SourceLook look_at_folder(const std::string& path, const SourceOptions& options) {
  SourceLook look;
  look.many_files = true;
  SourceViewer viewer(options, look);
  const FirstFiles first = first_files_in(path, kMostFiles, options.reading.unpacking.follow_links);
  look.complete = first.complete;
  for (const std::string& file : first.paths) {
    if (viewer.look_into(file, file)) continue;
    look.complete = false;
    break;
  }
  return look;
}

// The bytes are put into a file in memory, so that they are unpacked as those of any file.
SourceLook look_at_pipe(const std::string& path, const SourceOptions& options, const WhileWaiting& waiting) {
  SourceLook look;
  const std::string head = first_bytes_of_pipe(path, waiting);
  std::string name;
  const File memory = File::in_memory(name);
  if (head.empty() || !memory.is_open()) return look;
  if (memory.write_all(std::as_bytes(std::span(head))) != 0) return look;
  SourceViewer(options, look).look_into(name, path);
  return look;
}

}  // namespace

ContentLook look_at_content(std::string_view head, const SourceOptions& options) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  if (const ForeignKind* kind = foreign_kind_of(head))
    return {.format = {}, .delimiter = ',', .foreign = kind->name, .remedy = kind->remedy};
  PaddedText decoded;
  std::string converted;
  if (const std::string encoding = encoding_of_text(head, options); !encoding.empty()) {
    EncodingConverter(encoding).append(head, head.size() < kHeadBytes, converted);
    head = converted;
  }
  TextDecoder decoder(head, options.encoding, BadBytes::replace);
  const std::string_view text = decoder.decode(head, decoded).value_or(head);
  if (text.starts_with("%%MatrixMarket")) return {.format = "mtx"};
  if (is_json(text)) return {.format = is_csl(text) ? "csl" : "jsonl"};
  const std::string_view ris = from_first_mark(text, RecordEnd::before_ris);
  if (!ris.empty() && (ris.size() == text.size() || !delimiter_of(text, options))) return {.format = "ris"};
  const std::string_view begun = without_spaces_before(text);
  if (begun.size() > 2 && begun.substr(2).starts_with("  - ") && has_line(begun, "ER  -") &&
      (has_line(begun, "TI  - ") || has_line(begun, "T1  - ")))
    return {.format = "ris-untyped"};
  if (begun.starts_with("OWN - ERIC") || begun.starts_with("PMC - PMC")) return {.format = "medline"};
  if (is_nbib(text)) return {.format = "nbib"};
  if (begun.starts_with("FN") && (has_line(begun, "VR ") || has_line(begun, "PT "))) return {.format = "wos"};
  if (begun.starts_with("%0 ") && has_line(begun, "%T ")) return {.format = "enw"};
  if (begun.starts_with("%T ") && has_line(begun, "%0 ")) return {.format = "refer"};
  if (begun.starts_with("<1>") && (has_line(begun, "Title") || has_line(begun, "TI  - "))) return {.format = "ovid"};
  if (is_embase_by_rows(text)) return {.format = "embase"};
  if (is_mailbox(text)) return {.format = "mbox"};
  if (begun.starts_with('<') && !from_first_mark(text, RecordEnd::before_pubmed).empty()) return {.format = "pubmed-xml"};
  if (begun.starts_with('<') && begun.substr(0, 2000).find("<records>") != std::string_view::npos)
    return {.format = "endnote-xml"};
  if (begins_as_html(text)) return {.format = "html"};
  if (is_bibtex(text)) return {.format = "bibtex"};
  if (is_svmlight(text)) return {.format = "svmlight"};
  std::string lines(ends_lines_in_returns(text) ? text : std::string_view());
  std::ranges::replace(lines, '\r', '\n');
  if (const std::optional<char> delimiter = delimiter_of(lines.empty() ? text : lines, options))
    return *delimiter == '\t' && !has_quoted_fields(text) ? ContentLook{.format = "tsv"}
                                                          : ContentLook{.format = "csv", .delimiter = *delimiter};
  return {};
}

SourceLook look_at_source(const std::string& path, const SourceOptions& options, const WhileWaiting& waiting) {
  const std::optional<FileStatus> status = status_at(path.c_str());
  if (!status) return {};
  if (status->is_folder()) return look_at_folder(path, options);
  if (status->kind == FileKind::pipe) return look_at_pipe(path, options, waiting);
  SourceLook look;
  if (!status->is_file()) return look;
  look.complete = SourceViewer(options, look).look_into(path, path);
  const bool is_matrix = look.files.size() == 1 && look.files.front().content.format == "npz";
  look.many_files = look.many_files && !is_matrix;
  return look;
}

}  // namespace inkling
