#include "io/corpus/source/member_parser.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/fields/record_fields.hpp"
#include "io/corpus/pages/html_text.hpp"
#include "io/corpus/pages/named_encoding.hpp"
#include "io/corpus/source/decoded_stream.hpp"
#include "io/corpus/source/mail_document.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/unpack/foreign_kinds.hpp"

namespace inkling {
namespace {

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

// Whether the name has an ending of that file format, in any case.
bool has_ending(std::string_view name, std::string_view format) {
  const std::string lower = ascii_lower_case(name.substr(name.size() - std::min<std::size_t>(name.size(), 8)));
  const auto* const known = std::ranges::find(kFileFormats, format, &FileFormat::name);
  return std::ranges::any_of(known->endings, [&](std::string_view ending) { return !ending.empty() && lower.ends_with(ending); });
}

// Reads one file after another. What it hands over is valid until the next one.
class MemberParser {
 public:
  // `neighbours`: what files that name no encoding are likely in.
  MemberParser(const SourceOptions& options, std::string_view neighbours, const DocumentVisitor& visit)
      : options_(&options),
        usual_(detects_encoding(options) ? guessed_encoding(neighbours) : std::string()),
        visit_(&visit),
        budget_(budget_of_records(options.reading)) {}

  RecordVerdict parse(std::string_view bytes, const std::string& name) {
    const std::string_view content = without_byte_order_mark(bytes);
    if (content.size() > options_->reading.most_document_bytes) return too_long_record(options_->reading);
    if (RecordVerdict problem = unstorable_label(label_of_path(name))) return problem;
    if (const ForeignKind* const kind = foreign_kind_of(content); kind != nullptr && kind->is_document)
      return RecordProblem{fmt::format("expected a text, found {}; {}", kind->name, kind->remedy)};
    const bool names_encoding = is_letter(name) || is_page(name, content);
    std::string converted;
    found_ = encoding_of_text(content, *options_, usual_);
    if (names_encoding && !found_.starts_with("UTF-16")) found_.clear();
    if (!found_.empty()) {
      EncodingConverter converter(found_);
      converter.append(content, true, converted);
      if (RecordVerdict problem = refused_bytes(converter.replaced(), *options_)) return problem;
      replaced_ += converter.replaced();
    }
    const std::string_view readable = found_.empty() ? content : std::string_view(converted);
    if (is_letter(name)) return parse_letter(readable, valid_name(name));
    if (names_encoding) return within_budget([&] { return parse_page(readable, valid_name(name)); });
    // One decoder for each file: the end of a file and the beginning of the next could look like one character.
    TextDecoder decoder(readable, options_->encoding, options_->bad_bytes);
    std::optional<std::string_view> text = decoder.decode(readable, text_);
    if (!text) return bad_byte(readable, decoder.bad_at(), options_->encoding);
    if (!found_.empty()) {
      text_ = PaddedText(*text);
      text = text_.view();
    }
    replaced_ += decoder.replaced();
    const std::string_view id = valid_name(name);
    if (keeps_label(*options_, label_of_path(id))) (*visit_)({.text = *text, .id = id, .label = label_of_path(id)});
    return std::nullopt;
  }

  [[nodiscard]] std::int64_t replaced() const { return replaced_; }
  // What the last file was found to be encoded in; empty for UTF-8, or if the options name it.
  [[nodiscard]] std::string take_found() { return options_->other_encoding.empty() ? std::exchange(found_, {}) : std::string(); }

 private:
  [[nodiscard]] bool is_letter(const std::string& name) const {
    return options_->format == "eml" || (options_->format == kFilesFormat && has_ending(name, "eml"));
  }
  [[nodiscard]] bool is_page(const std::string& name, std::string_view content) const {
    return options_->format == "html" ||
           (options_->format == kFilesFormat && (has_ending(name, "html") || begins_as_html(content)));
  }

  RecordVerdict parse_letter(std::string_view content, std::string_view id) {
    const std::string_view label = label_of_path(id);
    if (!keeps_label(*options_, label)) return std::nullopt;
    SourceOptions of_letter;
    of_letter.encoding = options_->encoding;
    of_letter.other_encoding = options_->other_encoding;
    of_letter.bad_bytes = options_->bad_bytes;
    of_letter.reading = options_->reading;
    of_letter.id_field = {};  // the path is the id, and the letter's own is one of the fields
    MailDocument letter(of_letter, usual_);
    const auto visit = [&](SourceDocument document) {
      document.id = id;
      document.label = label;
      (*visit_)(document);
    };
    RecordVerdict problem = within_budget([&] { return letter.parse(content, visit); });
    replaced_ += letter.replaced();
    if (!letter.detected().empty()) found_ = *letter.detected().begin();
    return problem;
  }

  RecordVerdict parse_page(std::string_view content, std::string_view id) {
    const std::string_view label = label_of_path(id);
    if (!keeps_label(*options_, label)) return std::nullopt;
    std::string decoded;
    const std::string named(encoding_of_html(content));
    UnnamedEncoding unnamed(content, options_->encoding, {}, usual_);
    const std::int64_t replaced = append_in_encoding(content, named.empty() ? options_->other_encoding : named, unnamed, decoded);
    if (!unnamed.detected().empty()) found_ = unnamed.detected();
    if (RecordVerdict problem = refused_bytes(replaced, *options_)) return problem;
    replaced_ += replaced;
    budget_.renew(content.size());
    const HtmlText page = html_text(decoded, budget_);
    text_.clear();
    text_.append(page.title);
    if (!page.title.empty() && !page.text.empty()) text_.append("\n");
    text_.append(page.text);
    fields_.clear();
    if (!page.title.empty()) fields_.add("title", page.title);
    (*visit_)({.text = text_.view(), .id = id, .label = label, .title_bytes = page.title.size(), .fields = fields_.json()});
    return std::nullopt;
  }

  // Names of files are bytes; those of documents are UTF-8.
  std::string_view valid_name(const std::string& name) {
    if (is_decoded(name, TextEncoding::utf8)) return name;
    name_.clear();
    append_replaced(name, name_);
    return name_.view();
  }

  const SourceOptions* options_;
  std::string usual_;
  const DocumentVisitor* visit_;
  ReadingBudget budget_;
  PaddedText text_;
  PaddedText name_;
  RecordFields fields_;
  std::string found_;
  std::int64_t replaced_ = 0;
};

}  // namespace

std::string_view label_of_path(std::string_view path) {
  const std::size_t end = path.rfind('/');
  if (end == std::string_view::npos) return {};
  const std::string_view folder = path.substr(0, end);
  return folder.substr(folder.rfind('/') + 1);  // npos + 1 is 0
}

ChunkOutcome parse_members(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  ChunkOutcome outcome;
  MemberParser parser(options, chunk.members.size() > 1 ? chunk.bytes.view() : std::string_view(), visit);
  for (const Chunk::Member& member : chunk.members) {
    const std::string_view bytes = chunk.bytes.view().substr(member.begin, member.size);
    const RecordVerdict problem = parser.parse(bytes, member.name);
    if (const std::string encoding = parser.take_found(); !encoding.empty())
      outcome.remarks.push_back({.member = member.name, .expectation = encoding_remark(encoding), .is_of_file = true});
    if (member.is_utf16) outcome.remarks.push_back({.member = member.name, .expectation = kUtf16Remark, .is_of_file = true});
    if (!problem) continue;
    ChunkProblem found = problem_at(without_byte_order_mark(bytes), *problem);
    found.member = member.name;
    if (!options.reading.skip_bad) {
      outcome.problem = std::move(found);
      break;
    }
    leave_out(outcome, std::move(found));
  }
  outcome.bad_bytes = parser.replaced();
  return outcome;
}

}  // namespace inkling
