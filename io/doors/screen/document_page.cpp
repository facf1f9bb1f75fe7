#include "io/doors/screen/document_page.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/search/events/reason.hpp"

namespace inkling {
namespace {

std::string how_it_came(const DocumentFacts& facts) {
  if (facts.rating) return fmt::format("you rated it {:g}", *facts.rating);
  const std::string place = fmt::format("the {} you read", ordinal(facts.place));
  if (!facts.offer) return place + "; opened by you";
  if (facts.offer->explored) return place + "; drawn at random, to learn";
  if (!facts.offer->mean) return place + "; nothing was learned yet";
  return facts.chance ? fmt::format("{}; {}", place, chance_in_words(*facts.chance)) : place;
}

// The title, with authors, year and links below it; the number and the id alone where there is no title.
std::vector<StyledLine> head_lines(const DocumentFacts& facts, std::size_t columns) {
  const std::string heading = document_heading(facts.document, facts.id);
  const RecordHead& head = facts.head;
  const bool is_titled = !head.title.empty() || !facts.title.empty();
  std::vector<StyledLine> lines;
  if (!is_titled) lines.push_back({{heading, Look::heading}});
  append_lines(lines, wrapped_lines(facts.title, columns));
  append_lines(lines, paragraph(head.title, columns, Look::heading));
  const std::string separator = head.authors.empty() || head.year.empty() ? "" : ", ";
  append_lines(lines, paragraph(head.authors + separator + head.year, columns, Look::plain));
  for (const std::string& link : head.links) append_lines(lines, paragraph(link, columns, Look::quiet));
  if (is_titled) lines.push_back({{heading, Look::quiet}});
  return lines;
}

std::vector<StyledLine> lines_of_words(const std::vector<DocumentWord>& words, std::size_t columns) {
  std::vector<StyledLine> lines =
      paragraph("This pool keeps no texts; inkling build --keep-text makes one that does. Its words:", columns, Look::quiet);
  lines.reserve(lines.size() + words.size());
  for (const DocumentWord& word : words) lines.push_back({{fmt::format("  {:>10.5f}  ", word.value)}, {word.name, word.look}});
  return lines;
}

}  // namespace

Look look_of(double weight, double mark) {
  if (weight == 0.0 && mark == 0.0) return Look::plain;
  const bool speaks_for = weight != 0.0 ? weight > 0.0 : mark > 0.0;
  if (mark != 0.0) return speaks_for ? Look::marked_for : Look::marked_against;
  return speaks_for ? Look::speaks_for : Look::speaks_against;
}

std::vector<StyledPiece> tinted_text(std::span<const TextRun> runs, const LookOfWord& look) {
  std::vector<StyledPiece> text;
  text.reserve(runs.size());
  std::size_t phrase_end = 0;
  Look phrase_look = Look::plain;
  for (std::size_t n = 0; n < runs.size(); ++n) {
    for (const TextPhrase& phrase : runs[n].phrases) {
      const Look of_phrase = look(phrase.feature);
      if (of_phrase == Look::plain || n + phrase.runs <= phrase_end) continue;
      phrase_end = n + phrase.runs;
      phrase_look = of_phrase;
    }
    Look shown = runs[n].feature ? look(*runs[n].feature) : Look::plain;
    if (shown == Look::plain && n < phrase_end) shown = phrase_look;
    text.push_back({std::string(runs[n].piece), shown});
  }
  return text;
}

std::string ordinal(std::int64_t number) {
  const std::int64_t tens = number / 10 % 10;
  const std::int64_t ones = number % 10;
  const char* ending = "th";
  if (tens != 1 && ones == 1) ending = "st";
  if (tens != 1 && ones == 2) ending = "nd";
  if (tens != 1 && ones == 3) ending = "rd";
  return digit_groups(number) + ending;
}

std::string document_heading(DocumentId document, const std::optional<std::string>& id) {
  std::string heading = "Document " + digit_groups(document);
  if (id) heading += ": " + visible_text(*id);
  return heading;
}

Page document_page(const DocumentFacts& facts, PageSize size) {
  const std::size_t columns = text_columns(size);
  Page page;
  page.top = head_lines(facts, columns);
  append_lines(page.top, paragraph(how_it_came(facts), columns, Look::quiet));
  if (!facts.marks.empty()) {
    StyledLine marks = {{"Marked: "}};
    marks.insert(marks.end(), facts.marks.begin(), facts.marks.end());
    page.top.push_back(std::move(marks));
  }
  page.top.emplace_back();
  page.body = facts.text ? wrapped_lines(*facts.text, columns) : lines_of_words(facts.words, columns);
  if (page.body.empty()) page.body = paragraph("(an empty text)", columns, Look::quiet);
  return page;
}

}  // namespace inkling
