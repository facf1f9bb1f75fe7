#include "io/doors/screen/report_pages.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/doors/screen/document_page.hpp"
#include "io/search/events/reason.hpp"
#include "io/search/stopping/rule_worth.hpp"

namespace inkling {
namespace {

constexpr std::size_t kBarColumns = 24;
constexpr std::size_t kNameColumns = 18;
constexpr std::size_t kMostWhyParts = 20;
constexpr double kLeastShareOfWhy = 0.05;  // of the largest part; smaller parts hardly matter
constexpr std::string_view kBack = "Esc back to the document";

std::string bar_of(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t n = 0; n < times; ++n) text += piece;
  return text;
}

// The name padded to a fixed number of columns, so that what follows is aligned.
std::string padded_name(const std::string& name) {
  std::string shown = plain_text(cut_line({{name}}, kNameColumns));
  return shown + std::string(kNameColumns - columns_of(shown), ' ');
}

std::size_t columns_for(double size, double longest) {
  if (longest <= 0.0 || !std::isfinite(size)) return 0;
  const double columns = std::min(size / longest, 1.0) * static_cast<double>(kBarColumns);
  return static_cast<std::size_t>(std::lround(columns));
}

// "name  +0.310 ± 0.050  ██████──": a solid bar for the value, then a thin one for its uncertainty.
StyledLine bar_line(const std::string& name, double value, double doubt, double longest, double mark) {
  const Look look = look_of(value, mark);
  const std::size_t solid = columns_for(std::fabs(value), longest);
  const std::size_t both = columns_for(std::fabs(value) + doubt, longest);
  StyledLine line = {{"  "}, {padded_name(name), look}};
  line.push_back({fmt::format(" {:>+7.3f} ± {:<6.3f} ", value, doubt)});
  line.push_back({bar_of("█", solid), look == Look::plain ? Look::plain : look_of(value, 0.0)});
  line.push_back({bar_of("─", both - solid), Look::quiet});
  return line;
}

std::vector<StyledLine> reason_lines(const Why& why, std::size_t columns) {
  if (why.parts.empty()) {
    return paragraph(why.explored ? "It was drawn at random, to learn. It has no word that the search knows."
                                  : "It has no word that the search knows; w marks the words that matter.",
                     columns);
  }
  const std::string_view chance = why.chance ? chance_in_words(*why.chance) : "";
  std::string how = why.explored ? "It was drawn at random, to learn. " : "";
  if (!why.explored && why.chance) how = fmt::format("It {}{}. ", chance.starts_with("may") ? "" : "is ", chance);
  return paragraph(how + "Its words:", columns);
}

// "It holds soil, which you liked."
std::string held_sentence(const WhyAnswer& answer) {
  std::string sentence = visible_text(answer.reason);
  if (sentence.empty()) return sentence;
  sentence.front() = 'I';
  return sentence + ".";
}

std::string ratings_line(const std::vector<CountedRating>& ratings) {
  constexpr std::size_t most = 20;
  const std::size_t first = ratings.size() > most ? ratings.size() - most : 0;
  std::string line = "The last ratings:";
  for (std::size_t n = first; n < ratings.size(); ++n) line += fmt::format(" {:g}", ratings[n].reward);
  return line;
}

std::string read_sentence(const SearchProgress& progress) {
  return fmt::format("You read {} of {} documents and found {} good {} (rated {:g} or more).", digit_groups(progress.rated),
                     digit_groups(progress.documents), digit_groups(progress.good), progress.good == 1 ? "one" : "ones",
                     kGoodRating);
}

std::string seen_sentence(const ProgressAnswer& answer) {
  const SearchProgress& progress = answer.progress;
  return fmt::format("Of the last {} {} were good; {} since the last good one. At random you would have found {} of these {}.",
                     progress.lately, progress.good_lately, digit_groups(progress.without_good),
                     digit_groups(std::llround(found_at_random(progress))), digit_groups(progress.good));
}

std::string guess_sentence(const std::optional<GoodGuess>& guess) {
  if (!guess)
    return fmt::format("Not known yet: that takes {} good ones, and at most {} of the last {}.", kLeastGood, kGoodLately,
                       kLately);
  return fmt::format("The model takes about {} of the unread ones to be good. It may be wrong.",
                     digit_groups(std::llround(guess->about)));
}

// "At most 20 left: 2,510 more draws, all bad; at most 300: 160."
std::string price_sentence(const std::vector<BoundPrice>& prices) {
  std::string sentence;
  for (const BoundPrice& price : prices)
    sentence += fmt::format("{} {}: {}", sentence.empty() ? "At most" : "; at most",
                            digit_groups(price.at_most) + (sentence.empty() ? " left" : ""),
                            digit_groups(price.draws) + (sentence.empty() ? " more draws, all bad" : ""));
  return sentence.empty() ? sentence : sentence + ".";
}

void append_rules(std::vector<StyledLine>& body, std::size_t columns) {
  std::int64_t rule = 0;
  for (const RuleWorth& worth : kRuleWorth) {
    if (worth.without_good != rule)
      append_lines(body,
                   paragraph(fmt::format("Stopped after {} bad ones in a row, 95 % were found in", worth.without_good), columns));
    rule = worth.without_good;
    append_lines(
        body, paragraph(fmt::format("  {:.0f} % of {} searches of {}", worth.found_95, worth.searches, worth.searched), columns));
  }
}

std::string sample_sentence(const SearchProgress& progress) {
  if (progress.sample_left > 0)
    return fmt::format("The next {} drawn at random, as you asked.",
                       progress.sample_left == 1 ? "document is" : digit_groups(progress.sample_left) + " documents are");
  return "a draws a sample: the more documents are drawn, the better the estimate.";
}

void append_aim(std::vector<StyledLine>& body, const SearchAim& aim, bool is_reached, std::size_t columns) {
  if (!aim.question.empty()) append_lines(body, paragraph("You look for: " + visible_text(aim.question), columns));
  if (!aim.rule) return;
  std::string rule;
  for (const RuleMember& member : kRuleMembers)
    if (const std::optional<std::int64_t> number = (*aim.rule).*member.place)
      rule += fmt::format("{}{} {}", rule.empty() ? "" : ", ", member.short_name, digit_groups(*number));
  append_lines(body, paragraph(fmt::format("You stop at: {}. {}", rule, is_reached ? "You are there." : "You are not there yet."),
                               columns));
}

}  // namespace

Page why_page(const std::string& heading, const WhyAnswer& answer, const NameOfWord& name, PageSize size) {
  const Why& why = answer.why;
  Page page;
  page.top.push_back({{"Why this one: " + heading, Look::heading}});
  if (const std::string held = held_sentence(answer); !held.empty()) append_lines(page.top, paragraph(held, text_columns(size)));
  append_lines(page.top, reason_lines(why, text_columns(size)));
  page.top.emplace_back();
  const double radius = why.radius.value_or(1.0);
  const auto doubt_of = [&](const WordPart& part) { return radius * why.width * std::sqrt(std::max(part.width_share, 0.0)); };
  double longest = 0.0;
  for (const WordPart& part : why.parts) longest = std::max(longest, std::fabs(part.contribution) + doubt_of(part));
  const double least = why.parts.empty() ? 0.0 : kLeastShareOfWhy * std::fabs(why.parts.front().contribution);
  const auto matters = [&](const WordPart& part) { return std::fabs(part.contribution) >= least; };
  const auto shown = static_cast<std::size_t>(std::min<std::ptrdiff_t>(std::ranges::count_if(why.parts, matters), kMostWhyParts));
  page.body.reserve(shown + 1);
  for (std::size_t n = 0; n < shown; ++n) {
    const WordPart& part = why.parts[n];
    page.body.push_back(bar_line(name(part.feature), part.contribution, doubt_of(part), longest, 0.0));
  }
  if (shown < why.parts.size())
    page.body.push_back({{fmt::format("  and {} more that hardly matter", digit_groups(why.parts.size() - shown)), Look::quiet}});
  page.bottom = key_hints({kBack}, text_columns(size));
  return page;
}

Page learned_page(const std::vector<LearnedWord>& words, std::size_t cursor, const NameOfWord& name, PageSize size) {
  Page page;
  page.top.push_back({{"What was learned", Look::heading}});
  append_lines(page.top, paragraph("Words that speak for a document have a weight above 0; ± says how far off it may "
                                   "be. * is before a word that you marked.",
                                   text_columns(size), Look::quiet));
  page.top.emplace_back();
  double longest = 0.0;
  for (const LearnedWord& word : words) longest = std::max(longest, std::fabs(word.weight) + word.deviation);
  page.body.reserve(words.size());
  for (const LearnedWord& word : words) {
    StyledLine line = bar_line(name(word.feature), word.weight, word.deviation, longest, leaning_of(word));
    const bool is_chosen = page.body.size() == cursor;
    line.front() = {std::string(is_chosen ? ">" : " ") + (word.said ? "*" : " "), is_chosen ? Look::chosen : Look::plain};
    page.body.push_back(std::move(line));
  }
  if (words.empty())
    page.body = paragraph("Nothing yet: k chooses words to look for, w marks words of a document.", text_columns(size));
  if (!words.empty()) page.chosen = std::min(cursor, words.size() - 1);
  page.bottom = key_hints({"arrows move", "+ look for this word", "- not this one", "x it was not meant: forget it", kBack},
                          text_columns(size));
  return page;
}

Page list_page(const ListPage& list, const std::vector<DocumentLine>& documents, std::size_t cursor, PageSize size) {
  Page page;
  page.top.push_back({{fmt::format("{}: {}", list.title, counted(documents.size(), list.one, list.many)), Look::heading}});
  page.top.emplace_back();
  page.body.reserve(documents.size());
  for (const DocumentLine& one : documents) {
    const bool is_chosen = page.body.size() == cursor;
    page.body.push_back({{is_chosen ? "> " : "  ", is_chosen ? Look::chosen : Look::plain},
                         {one.value ? fmt::format("{:<5g} ", *one.value) : std::string()},
                         {one.heading, Look::heading},
                         {one.same_as.empty() ? "" : "  = " + one.same_as},
                         {"  " + visible_text(one.begin), Look::quiet}});
  }
  if (documents.empty()) page.body = paragraph("Nothing yet.", text_columns(size));
  if (!documents.empty()) page.chosen = std::min(cursor, documents.size() - 1);
  page.bottom = list.verb == SearchVerb::copies
                    ? key_hints({"arrows move", "Enter opens it", "x takes it apart: offered and rated by itself", kBack},
                                text_columns(size))
                    : key_hints({"arrows move", "Enter opens it, to read or to rate it again", kBack}, text_columns(size));
  return page;
}

Page history_page(const std::vector<HistoryLine>& lines, PageSize size) {
  Page page;
  page.top.push_back({{"History, the latest first", Look::heading}});
  page.top.emplace_back();
  for (const HistoryLine& line : lines) {
    const Look look = !line.good ? Look::plain : *line.good ? Look::speaks_for : Look::speaks_against;
    const std::string number = line.number ? digit_groups(*line.number) : std::string();
    page.body.push_back({{fmt::format("{:>7}  ", number), Look::quiet},
                         {fmt::format("{:<5}", line.good.value_or(false) ? "good" : ""), look},
                         {visible_text(line.what)},
                         {line.number && !line.holds ? " (taken back)" : "", Look::quiet}});
  }
  if (lines.empty()) page.body = paragraph("Nothing yet.", text_columns(size));
  page.bottom = key_hints({"arrows move", "u takes back the last answer", kBack}, text_columns(size));
  return page;
}

std::string estimate_sentence(const SearchProgress& progress) {
  const std::int64_t unread = progress.documents - progress.rated;
  if (unread == 0) return "No document is unread.";
  const GoodLeft& left = progress.left;
  if (left.draws == 0) {
    return fmt::format(
        "No document was drawn at random and rated yet, so nothing is known of the {} unread ones: at "
        "most {} of them are good.",
        digit_groups(unread), digit_groups(unread));
  }
  return fmt::format(
      "Of {} {} drawn at random {} {} good: at most {} of the {} unread ones are good ({:g} %), "
      "about {}.",
      digit_groups(left.draws), left.draws == 1 ? "document" : "documents", digit_groups(progress.good_draws),
      progress.good_draws == 1 ? "was" : "were", digit_groups(left.at_most), digit_groups(unread), left.confidence * 100.0,
      digit_groups(std::llround(std::max(left.about, 0.0))));
}

std::optional<StopRule> rule_typed(std::string_view text) {
  constexpr std::string_view expected = "expected numbers after rated, good, left or without, such as \"left 20, good 30\"";
  StopRule rule;
  while (text.find_first_not_of(" ,") != std::string_view::npos) {
    const auto take = [&text] {
      text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
      const std::string_view word = text.substr(0, text.find_first_of(" ,"));
      text.remove_prefix(word.size());
      return word;
    };
    const std::string_view name = take();
    const auto* const member = std::ranges::find_if(kRuleMembers, [&](const RuleMember& one) { return one.short_name == name; });
    const std::optional<std::int64_t> number = parse_integer(take());
    if (member == std::ranges::end(kRuleMembers) || !number || *number < member->least || *number > kLargestOfRule)
      throw FormatError("the rule", std::string(expected));
    rule.*member->place = *number;
  }
  return rule == StopRule{} ? std::nullopt : std::optional(rule);
}

Page progress_page(const ProgressAnswer& answer, const SearchAim& aim, PageSize size) {
  const SearchProgress& progress = answer.progress;
  const std::size_t columns = text_columns(size);
  Page page;
  page.top.push_back({{"How far the search is", Look::heading}});
  page.top.emplace_back();
  append_lines(page.body, paragraph(read_sentence(progress), columns));
  if (progress.waiting > 0)
    append_lines(page.body, paragraph(fmt::format("{} put off for later.", digit_groups(progress.waiting)), columns));
  if (!answer.ratings.empty()) {
    append_lines(page.body, paragraph(seen_sentence(answer), columns));
    append_lines(page.body, paragraph(ratings_line(answer.ratings), columns));
  }
  append_aim(page.body, aim, progress.rule_reached.value_or(false), columns);
  const auto begin_part = [&](std::string_view heading) {
    page.body.emplace_back();
    append_lines(page.body, paragraph(heading, columns, Look::heading));
  };
  begin_part("A guess of what is left");
  append_lines(page.body, paragraph(guess_sentence(answer.guess), columns));
  begin_part("What is certain");
  append_lines(page.body, paragraph(estimate_sentence(progress), columns));
  append_lines(page.body, paragraph(price_sentence(answer.prices), columns));
  append_lines(page.body, paragraph(sample_sentence(progress), columns, Look::quiet));
  begin_part("What a rule is worth");
  append_rules(page.body, columns);
  page.bottom = key_hints({"a draw a sample", kBack}, columns);
  return page;
}

Page keys_page(PageSize size) {
  struct KeyLine {
    std::string key;
    const char* what;
  };
  std::vector<KeyLine> lines = {{"y", "yes: a good document (1); the next one comes"},
                                {"n", "no: not what is wanted (0)"},
                                {"1 to 5", "in between: 0, 0.25, 0.5, 0.75, 1"},
                                {"s", "later: not rated, and offered again after a while"},
                                {"w", "words of this document that matter; they go with its rating"},
                                {"W", "words of the document that was rated last"},
                                {"k", "words to look for, or not wanted, in any document"},
                                {"u  r", "undo, redo: everything can be taken back, step by step"},
                                {"e", "why this document was chosen"},
                                {"l", "what was learned: words and their weights; + and - rate one"}};
  for (const ListPage& list : kListPages) lines.push_back({std::string(1, list.key), list.help});
  lines.insert(lines.end(), {{"h", "history: all that you answered, with your notes"},
                             {"p", "progress, and how much is probably left"},
                             {"a", "have some documents drawn at random, for that estimate"},
                             {"i  t", "what you look for, in your own words; when to stop"},
                             {"#", "tags of this document: reasons that go with its rating"},
                             {"m", "a note for the log"},
                             {"g  /", "go to a document by number or id; a shared one g hands on"},
                             {"arrows, space, b", "move through a long text"},
                             {"Tab", "to the next word that the search knows"},
                             {"q", "quit; everything is kept already"}});
  Page page;
  page.top.push_back({{"Keys", Look::heading}});
  page.top.emplace_back();
  for (const KeyLine& line : lines) page.body.push_back({{fmt::format("  {:<18}", line.key), Look::heading}, {line.what}});
  page.bottom = key_hints({kBack}, text_columns(size));
  return page;
}

}  // namespace inkling
