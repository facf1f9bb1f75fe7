// A letter as a document: subject and text, and its headers as fields.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "io/corpus/pages/mail_text.hpp"
#include "io/corpus/source/reference_record.hpp"

namespace inkling {

/// Reads one letter after another. The text is the subject, a line end and the text; the id is the Message-ID. Fields are
/// title (the subject), authors (From) and the other headers, without those of its transport and encoding (Received,
/// Content-Type, ...). Lifetime: lends the options.
class MailDocument {
 public:
  /// `usual`: what letters that name no encoding are likely in; empty where that is not known.
  MailDocument(const SourceOptions& options, std::string usual);

  [[nodiscard]] RecordVerdict parse(std::string_view message, const DocumentVisitor& visit);
  [[nodiscard]] std::int64_t replaced() const { return replaced_; }
  /// What letters that name no encoding were found to be in.
  [[nodiscard]] const std::set<std::string>& detected() const { return detected_; }
  void report() { reference_.report(); }

 private:
  const SourceOptions* options_;
  std::string usual_;
  ReferenceRecord reference_;
  std::int64_t replaced_ = 0;
  std::set<std::string> detected_;
};

/// The problem of a text in which bytes are no characters, if the options refuse such bytes.
[[nodiscard]] RecordVerdict refused_bytes(std::int64_t replaced, const SourceOptions& options);

}  // namespace inkling
