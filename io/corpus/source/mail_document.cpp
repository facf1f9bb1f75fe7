#include "io/corpus/source/mail_document.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "io/corpus/fields/record_fields.hpp"

namespace inkling {
namespace {

constexpr std::string_view kBody = "body";
constexpr std::array kMailTags = {ReferenceTag{"Message-ID", FieldRole::identifier}, ReferenceTag{"Subject", FieldRole::title},
                                  ReferenceTag{kBody, FieldRole::abstract}, ReferenceTag{"From", FieldRole::authors}};

// Whether the header is about the transport or the encoding of a letter, by the beginning of its plain name. Labels that people
// gave to the letter are kept.
bool is_of_the_way(std::string_view name) {
  constexpr std::array<std::string_view, 12> begins = {"received",   "dkim", "arc",     "authentication",
                                                       "returnpath", "mime", "content", "deliveredto",
                                                       "domainkey",  "x",    "spam",    "lines"};
  const std::string plain = plain_field_name(name);
  return plain != "xgmlabels" && plain != "xkeywords" &&
         std::ranges::any_of(begins, [&](std::string_view begin) { return plain.starts_with(begin); });
}

// The name as the table writes it: case means nothing in the names of headers.
std::string_view known_name(std::string_view name) {
  const std::string plain = plain_field_name(name);
  for (const ReferenceTag& known : kMailTags)
    if (known.tag != kBody && plain_field_name(known.tag) == plain) return known.tag;
  return name;
}

std::string_view without_angles(std::string_view id) {
  if (id.starts_with('<')) id.remove_prefix(1);
  if (id.ends_with('>')) id.remove_suffix(1);
  return id;
}

}  // namespace

MailDocument::MailDocument(const SourceOptions& options, std::string usual)
    : options_(&options), usual_(std::move(usual)), reference_(kMailTags, options) {}

RecordVerdict MailDocument::parse(std::string_view message, const DocumentVisitor& visit) {
  reference_.begin(message.size());
  UnnamedEncoding unnamed(message, options_->encoding, options_->other_encoding, usual_);
  const MailText mail = mail_text(message, unnamed, reference_.budget());
  if (!unnamed.detected().empty()) detected_.insert(unnamed.detected());
  if (RecordVerdict problem = refused_bytes(mail.replaced, *options_)) return problem;
  replaced_ += mail.replaced;
  for (const MailHeader& header : mail.headers) {
    if (is_of_the_way(header.name)) continue;
    const std::string_view name = known_name(header.name);
    reference_.add(name, name == kMailTags.front().tag ? without_angles(header.value) : header.value);
  }
  const bool says_nothing = mail.text.empty() && mail.header("Subject").empty();
  reference_.add(kBody, says_nothing ? "(no subject)" : mail.text);
  return reference_.visit(visit);
}

RecordVerdict refused_bytes(std::int64_t replaced, const SourceOptions& options) {
  if (replaced == 0 || options.bad_bytes != BadBytes::refuse) return std::nullopt;
  return RecordProblem{fmt::format("expected characters of the encoding that it names, found {} bytes that are none", replaced)};
}

}  // namespace inkling
