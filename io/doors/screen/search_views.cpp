// The pages of a search after the last answer.
#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/screen/pool_words.hpp"
#include "io/doors/screen/search_pages.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostEvents = 10'000;  // of the history, in one page

}  // namespace

std::vector<StyledLine> SearchPages::screen(PageSize size) {
  const bool may_keep = view_ == View::document;
  if (!may_keep || !drawn_ || drawn_size_ != size) {
    drawn_ = page(size);
    drawn_size_ = size;
  }
  rows_ = body_rows(*drawn_, size);
  first_ = first_shown(*drawn_, size, first_);
  return framed(*drawn_, size, first_);
}

std::vector<StyledLine> SearchPages::whole(std::size_t columns) {
  constexpr std::size_t enough = 1'000'000'000;
  return framed(page({columns, enough}), {columns, enough}, 0);
}

Page SearchPages::page(PageSize size) const {
  const NameOfWord name = [this](FeatureId feature) { return word_shown(pool_, feature); };
  Page page;
  switch (view_) {
    case View::document: return shown() ? page_of_document(*shown(), size) : page_of_nothing(size);
    case View::choosing:
      page = chooser_->page(size);
      if (!chooser_->problem().empty()) return page;  // the page shows the problem itself
      break;
    case View::asking: return page_of_question(size);
    case View::why:
      if (!shown()) return page_of_nothing(size);
      page = why_page(document_heading(*document(), pool_.id(*document())), *shown(), name, size);
      break;
    case View::learned: page = learned_page(learned_, cursor_, name, size); break;
    case View::list: page = page_of_list(size); break;
    case View::history: page = history_page(history_lines(), size); break;
    case View::progress: page = progress_page(service_.progress(true), service_.aim(), size); break;
    case View::keys: page = keys_page(size); break;
  }
  if (!message_.text.empty()) append_lines(page.bottom, paragraph(message_.text, text_columns(size), message_.look));
  return page;
}

Look SearchPages::look_of_word(FeatureId feature) const {
  if (const auto mark = pending_.find(feature);
      mark != pending_.end() && (view_ != View::choosing || choosing_ == Choosing::shown))
    return look_of(mark->second, mark->second);
  const auto known = known_.find(feature);
  return known == known_.end() ? Look::plain : look_of(known->second.weight, leaning_of(known->second));
}

Page SearchPages::page_of_document(const WhyAnswer& shown, PageSize size) const {
  DocumentFacts facts = facts_of_document(pool_, shown.why.document, [this](FeatureId feature) { return look_of_word(feature); });
  facts.place = state_.progress.rated + 1;
  if (shown.rated) facts.rating = shown.rated->reward;
  if (!opened_) facts.offer = state_.next.offer;
  if (facts.offer) facts.chance = shown.why.chance;
  facts.marks.reserve(pending_.size());
  for (const auto& [feature, rate] : pending_)
    facts.marks.push_back({(rate < 0.0 ? "-" : "") + word_shown(pool_, feature) + " ", look_of(rate, rate)});
  Page page = document_page(facts, size);
  if (!query_.empty()) {
    const std::string query = "Looking for: " + words_shown(said_apart(query_));
    page.top.insert(page.top.begin(), cut_line({{query, Look::quiet}}, text_columns(size)));
  }
  if (!name_.empty()) page.top.insert(page.top.begin(), {{visible_text(name_), Look::quiet}});
  page.bottom = bottom_of_document(size);
  return page;
}

std::vector<StyledLine> SearchPages::bottom_of_document(PageSize size) const {
  std::vector<StyledLine> lines = paragraph(message_.text, text_columns(size), message_.look);
  if (lines.empty()) lines.emplace_back();
  const std::size_t columns = text_columns(size);
  append_lines(
      lines, opened_ ? key_hints({"y yes", "n no", "1-5 grades", "w words", "e why", "Esc back", "? keys", "q quit"}, columns)
                     : key_hints({"y yes", "n no", "1-5 grades", "s later", "w words", "k look for", "u undo", "e why", "? keys",
                                  "q quit"},
                                 columns));
  return lines;
}

Page SearchPages::page_of_nothing(PageSize size) const {
  Page page;
  if (is_stale_) {
    page.top.push_back({{"The next document could not be kept; any key tries again.", Look::heading}});
  } else {
    page.top.push_back({{"Every document is rated.", Look::heading}});
    page.body = paragraph("f shows what was found, l what was learned, u takes a rating back, q quits.", text_columns(size));
  }
  page.bottom = paragraph(message_.text, text_columns(size), message_.look);
  return page;
}

Page SearchPages::page_of_question(PageSize size) const {
  Page page;
  const std::size_t columns = text_columns(size);
  const auto show = [&](const char* title, const std::string& text) {
    page.top.push_back({{title, Look::heading}});
    page.body = paragraph(text + " Esc goes back.", columns);
  };
  switch (question_) {
    case Question::document:
      show("Go to a document", fmt::format("Its number from 0 to {}{}.", digit_groups(pool_.view().documents() - 1),
                                           pool_.ids() ? ", or its id" : ""));
      break;
    case Question::sample:
      show("Draw documents at random",
           fmt::format("How many of the next documents shall be drawn at random, from 1 to {}? Rate them as any "
                       "other; then p says how many good ones are left at most. Enter alone draws {}.",
                       digit_groups(pool_.view().documents()), usual_sample()));
      break;
    case Question::aim: show("What you look for", "In your own words, for you and for whoever reads the log."); break;
    case Question::rule:
      show("When to stop",
           "All that you name must hold: \"left 20\" (at most 20 good ones are left), \"good 30\" (30 are "
           "found), \"rated 200\" (200 are read), \"without 50\" (the last 50 were not good). p shows "
           "whether it does. Enter alone takes the rule away.");
      break;
    case Question::tags: {
      std::string known;
      for (const TagCount& one : service_.tags().tags)
        known += fmt::format("{}{} ({})", known.empty() ? " So far: " : ", ", one.tag, one.documents);
      show("Tags of this document", "Reasons, in a few words each, divided by commas: they are kept with its rating." + known);
      break;
    }
    case Question::note: show("A note", "It is kept in the log."); break;
  }
  page.bottom = paragraph(message_.text, columns, message_.look);
  page.bottom.push_back({{"> " + visible_text(typed_)}, {"_", Look::quiet}});
  return page;
}

Page SearchPages::page_of_list(PageSize size) const {
  std::vector<DocumentLine> lines;
  lines.reserve(listed_.documents.size());
  for (const ListedDocument& one : listed_.documents) lines.push_back(document_line(pool_, one));
  return list_page(*list_, lines, cursor_, size);
}

// Answers, notes and aims, the latest first.
std::vector<HistoryLine> SearchPages::history_lines() const {
  std::vector<HistoryLine> lines;
  const EventsAnswer answer = service_.events(std::max<std::int64_t>(state_.last - kMostEvents, 0), kMostEvents);
  for (const AnsweredEvent& line : answer.events | std::views::reverse) {
    const SearchEvent& event = *line.event;
    if (!line.number && event.kind != SearchEventKind::noted && event.kind != SearchEventKind::aimed) continue;
    std::string what = described(event.sequence);
    if (!event.note.empty()) what += ": " + event.note;
    if (!line.by.empty()) what += ", by " + line.by;
    lines.push_back({line.number, line.holds, line.good, std::move(what)});
  }
  return lines;
}

std::string SearchPages::words_shown(const std::vector<SaidWord>& words) const {
  std::string text;
  for (const SaidWord& word : words) {
    text += text.empty() ? "" : ", ";
    text += (leaning(word) < 0.0 ? "-" : "") + word_shown(pool_, word.feature);
  }
  return text;
}

// What an event said, as part of a sentence.
std::string SearchPages::described(std::int64_t sequence) const {
  const SearchEvent& event = *service_.event(sequence).event;
  const std::string document = event.document ? "document " + digit_groups(*event.document) : std::string();
  switch (event.kind) {
    case SearchEventKind::rated:
      return fmt::format("the rating {:g} of {}{}", event.reward, document,
                         event.words.empty() ? std::string() : fmt::format(" ({})", words_shown(event.words))) +
             (event.tags.empty() ? std::string() : fmt::format(" with the tags {}", joined_tags(event.tags)));
    case SearchEventKind::marked:
      if (!event.document) return fmt::format("what to look for ({})", words_shown(event.words));
      return fmt::format("the words {} of {}", words_shown(event.words), document);
    case SearchEventKind::forgot:
      return fmt::format("that {} was not meant", event.feature ? word_shown(pool_, *event.feature) : "a word");
    case SearchEventKind::skipped: return fmt::format("{} {}", document, event.hand_on ? "for somebody else" : "for later");
    case SearchEventKind::sampled: return fmt::format("the sample of {} documents", digit_groups(event.count));
    case SearchEventKind::noted: return "the note";
    case SearchEventKind::aimed: return "what you look for and when to stop";
    case SearchEventKind::closed: return "the end of the answers";
    case SearchEventKind::separated: return document + " as a record of its own";
    case SearchEventKind::shown:
    case SearchEventKind::undone:
    case SearchEventKind::redone: break;
  }
  return fmt::format("event {}", sequence);
}

}  // namespace inkling
