// Mailboxes: letters one after the other, each after a line "From ...".
#include <algorithm>
#include <string>

#include "io/corpus/source/decoded_stream.hpp"
#include "io/corpus/source/mail_document.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {
namespace {

// Removes the ">" that mailboxes put before lines of a letter that begin with "From " (RFC 4155 calls it mboxrd).
std::string_view without_marks(std::string_view record, std::string& scratch) {
  if (record.find("\n>") == std::string_view::npos) return record;
  scratch.clear();
  for (std::size_t at = 0; at < record.size();) {
    const std::size_t mark = std::min(record.find("\n>", at), record.size());
    scratch += record.substr(at, mark - at);
    at = mark;
    if (at == record.size()) break;
    scratch += '\n';
    ++at;
    const std::size_t text = std::min(record.find_first_not_of('>', at), record.size());
    if (record.substr(text).starts_with("From ")) ++at;
    scratch += record.substr(at, text - at);
    at = text;
  }
  return scratch;
}

}  // namespace

ChunkOutcome parse_mbox(const Chunk& chunk, const SourceOptions& options, const DocumentVisitor& visit) {
  MailDocument document(options, chunk.usual_encoding);
  std::string scratch;
  ChunkOutcome outcome =
      parse_chunk(chunk, RecordEnd::before_mail, options.reading, [&](std::string_view record) -> RecordVerdict {
        if (!record.starts_with("From ")) {
          if (record.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::nullopt;
          return RecordProblem{"expected \"From \", a sender and a date to begin a letter, found none"};
        }
        return document.parse(without_marks(record, scratch), visit);
      });
  outcome.bad_bytes = document.replaced();
  for (const std::string& encoding : document.detected())
    remark(outcome, {.expectation = "letters that name no encoding: " + encoding_remark(encoding), .is_of_file = true});
  document.report();
  return outcome;
}

}  // namespace inkling
