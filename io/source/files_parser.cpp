#include "io/source/files_parser.hpp"

#include "io/source/record_parser.hpp"

namespace inkling {
namespace {

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

// One text after the other; what was given out is valid until the next.
class MemberParser {
 public:
  MemberParser(const SourceOptions& options, const DocumentVisitor& visit)
      : options_(&options), visit_(&visit) {}

  RecordVerdict parse(std::string_view bytes, const std::string& name) {
    const std::string_view content = without_byte_order_mark(bytes);
    if (content.size() > options_->most_document_bytes) return too_long_record(options_->most_document_bytes);
    // Not one decoder for all: the end of a file and the beginning of the next could make a character.
    TextDecoder decoder(content, options_->encoding, options_->bad_bytes);
    const std::optional<std::string_view> text = decoder.decode(content, text_);
    if (!text) return bad_byte(content, decoder.bad_at());
    replaced_ += decoder.replaced();
    const std::string_view id = valid_name(name);
    if (keeps_label(*options_, label_of_path(id)))
      (*visit_)({.text = *text, .id = id, .label = label_of_path(id)});
    return std::nullopt;
  }

  [[nodiscard]] std::int64_t replaced() const { return replaced_; }

 private:
  // Names of files are bytes; those of documents are UTF-8.
  std::string_view valid_name(const std::string& name) {
    if (is_decoded(name, TextEncoding::utf8)) return name;
    name_.clear();
    append_replaced(name, name_);
    return name_.view();
  }

  const SourceOptions* options_;
  const DocumentVisitor* visit_;
  PaddedText text_;
  PaddedText name_;
  std::int64_t replaced_ = 0;
};

}  // namespace

std::string_view label_of_path(std::string_view path) {
  const std::size_t end = path.rfind('/');
  if (end == std::string_view::npos) return {};
  const std::string_view folder = path.substr(0, end);
  return folder.substr(folder.rfind('/') + 1);  // npos + 1 is 0
}

ChunkOutcome parse_files(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  ChunkOutcome outcome;
  MemberParser parser(options, visit);
  for (const Chunk::Member& member : chunk.members) {
    const std::string_view bytes = chunk.bytes.view().substr(member.begin, member.size);
    const RecordVerdict problem = parser.parse(bytes, member.name);
    if (problem && !options.skip_bad) {
      outcome.problem = problem_at(without_byte_order_mark(bytes), *problem);
      outcome.problem->member = member.name;
      break;
    }
    if (problem) ++outcome.skipped;
  }
  outcome.bad_bytes = parser.replaced();
  return outcome;
}

}  // namespace inkling
