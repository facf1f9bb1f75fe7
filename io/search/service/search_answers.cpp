#include "io/search/service/search_answers.hpp"

#include "io/search/events/reason.hpp"
#include "io/search/service/asked_words.hpp"
#include "io/search/stopping/rule_worth.hpp"

namespace inkling {
namespace {

// RFC 4648, 4.
std::string in_base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    unsigned bits = 0;
    for (std::size_t n = 0; n < 3; ++n) bits = bits << 8U | (n < bytes.size() ? static_cast<unsigned char>(bytes[n]) : 0U);
    for (unsigned n = 0; n < 4; ++n) text += n <= bytes.size() ? letters[bits >> (18 - 6 * n) & 0x3FU] : '=';
  }
  return text;
}

void write_choice(JsonWriter& json, const Offer& offer, std::int64_t shown) {
  json.begin_object().member("shown", shown).member("round", offer.round);
  json.member("explored", offer.explored).member("among", offer.among);
  json.member("propensity", offer.propensity).member("mean", offer.mean);
  json.member("width", offer.width).member("radius", offer.radius).end_object();
}

// The guess of what is left, how many draws a lower bound needs, and how well rules for stopping work.
void write_estimates(JsonWriter& json, const ProgressAnswer& answer) {
  json.key("guess");
  if (const std::optional<GoodGuess>& guess = answer.guess)
    json.begin_object().member("about", guess->about).member("ratings", guess->ratings).end_object();
  else
    json.null();
  json.member("at_random", found_at_random(answer.progress)).key("prices").begin_array();
  for (const BoundPrice& price : answer.prices)
    json.begin_object().member("at_most", price.at_most).member("draws", price.draws).end_object();
  json.end_array().key("rules").begin_array();
  for (const RuleWorth& rule : kRuleWorth) {
    json.begin_object().member("without_good", rule.without_good).member("searched", rule.searched);
    json.member("searches", rule.searches).member("found_95", rule.found_95);
    json.member("found", rule.found).member("read", rule.read).end_object();
  }
  json.end_array();
}

template <typename Value>
void write_ratings(JsonWriter& json, std::string_view name, const ProgressAnswer& answer, Value CountedRating::*value) {
  json.key(name).begin_array();
  for (const CountedRating& rating : answer.ratings) json.value(rating.*value);
  json.end_array();
}

void write_progress_answer(JsonWriter& json, const ProgressAnswer& answer, bool full) {
  json.begin_object();
  if (full) json.key("progress").begin_object();
  write_progress(json, answer.progress);
  if (full) {
    json.end_object();
    write_ratings(json, "rewards", answer, &CountedRating::reward);
    write_ratings(json, "found", answer, &CountedRating::found);
    write_ratings(json, "draws", answer, &CountedRating::drawn);
  }
  write_estimates(json, answer);
  json.end_object();
}

/// Writes each kind of answer as one value.
class AnswerWriter {
 public:
  AnswerWriter(const ShownPool& pool, bool full) : pool_(pool), full_(full) {}

  void operator()(const NextAnswer& next) {
    if (full_) return write_full_next(next);
    json_.begin_object();
    write_short_next(next);
    json_.end_object();
  }

  void operator()(const ChangeAnswer& answer) {
    json_.begin_object();
    if (answer.state) {
      write_change(answer, *answer.state);
    } else {
      if (answer.next) write_short_next(*answer.next);
      json_.member("answered", answer.answered.last());
    }
    json_.end_object();
  }

  void operator()(const WhyAnswer& answer) {
    const Why& why = answer.why;
    json_.begin_object();
    pool_.write_id(json_, why.document);
    json_.member("explored", why.explored).member("mean", why.mean).member("width", why.width);
    json_.member("base", why.base).member("radius", why.radius);
    if (why.vector != 0.0) json_.member("vector", why.vector);
    json_.member("chance", why.chance ? std::optional(chance_in_words(*why.chance)) : std::nullopt);
    json_.member("reason", answer.reason);
    json_.key("words").begin_array();
    for (const WordPart& part : why.parts) {
      json_.begin_object();
      pool_.write_named_word(json_, part.feature);
      if (full_) json_.member("common", pool_.is_common(part.feature));
      json_.member("value", part.value).member("weight", part.weight);
      json_.member("contribution", part.contribution).member("deviation", part.deviation);
      json_.member("width_share", part.width_share).member("marked", leaning_of(part)).end_object();
    }
    json_.end_array().key("rated");
    if (answer.rated)
      write_rating(*answer.rated);
    else
      json_.null();
    json_.end_object();
  }

  void operator()(const WordsAnswer& answer) {
    json_.begin_object().key("words").begin_array();
    for (const LearnedWord& word : answer.words) {
      json_.begin_object();
      pool_.write_named_word(json_, word.feature);
      if (full_) json_.member("common", pool_.is_common(word.feature));
      json_.member("weight", word.weight).member("deviation", word.deviation);
      json_.member("marked", leaning_of(word)).member("query", word.apart).end_object();
    }
    json_.end_array();
    if (full_) {
      json_.key("ask").begin_array();
      for (const FeatureId feature : answer.ask) pool_.write_word(json_, feature);
      json_.end_array();
    }
    json_.end_object();
  }

  void operator()(const TagsAnswer& answer) {
    json_.begin_object().key("tags").begin_array();
    for (const TagCount& one : answer.tags)
      json_.begin_object().member("tag", one.tag).member("documents", one.documents).end_object();
    json_.end_array().end_object();
  }

  void operator()(const DocumentsAnswer& answer) {
    json_.begin_object().key("documents").begin_array();
    for (const ListedDocument& one : answer.documents) {
      json_.begin_object();
      if (full_ && one.same_as)
        write_record(one.document);
      else if (full_)
        pool_.write_line_members(json_, one.document);
      else
        pool_.write_id(json_, one.document);
      if (one.value) json_.member(answer.value_name, *one.value);
      if (one.same_as) json_.member("same_as", *one.same_as);
      if (one.same_as && full_) {
        json_.key("original").begin_object();
        write_record(*one.same_as);
        json_.end_object();
      }
      json_.end_object();
    }
    json_.end_array();
    if (answer.hidden) json_.member("hidden", *answer.hidden);
    json_.end_object();
  }

  void operator()(const ProgressAnswer& answer) { write_progress_answer(json_, answer, full_); }

  void operator()(const EventsAnswer& answer) {
    json_.begin_object().key("events").begin_array();
    for (const AnsweredEvent& line : answer.events) write_event(line);
    json_.end_array().member("more", answer.more).end_object();
  }

  void operator()(const ExportAnswer& answer) {
    json_.begin_object().member("format", name_of(answer.format, kWorkFormats));
    json_.member("which", name_of(answer.which, kWorkChoices));
    json_.member("text", answer.format == WorkFormat::xlsx ? in_base64(answer.file) : answer.file);
    json_.end_object();
  }

  void operator()(const ReportAnswer& answer) {
    if (answer.format == ReportFormat::json) return write_report(json_, answer.report);
    json_.begin_object().member("format", name_of(answer.format, kReportFormats));
    json_.member("text", report_text(answer.report, answer.format, answer.language)).end_object();
  }

  void operator()(const AskedAnswer& answer) { write_asked_words(json_, answer.text, pool_); }

  [[nodiscard]] std::string take() { return json_.take(); }

 private:
  void write_short_next(const NextAnswer& next) {
    if (!next.offer) {
      json_.key("document").null();
      return;
    }
    const Offer& offer = *next.offer;
    pool_.write_id(json_, offer.document);
    pool_.write_head(json_, offer.document);
    if (pool_.pool().texts()) json_.member("text", (*pool_.pool().texts())[offer.document]);
    json_.member("explored", offer.explored).member("mean", offer.mean).member("width", offer.width);
    json_.member("sequence", next.shown);
  }

  void write_full_next(const NextAnswer& next) {
    if (!next.offer) {
      json_.null();
      return;
    }
    json_.begin_object().key("choice");
    write_choice(json_, *next.offer, next.shown);
    json_.key("document");
    pool_.write_document(json_, next.offer->document);
    json_.key("why");
    (*this)(*next.why);
    json_.end_object();
  }

  // What tells records of one title from each other.
  void write_record(DocumentId document) {
    pool_.write_line_members(json_, document);
    if (!pool_.pool().fields()) return;
    const RecordHead head = pool_.head(document);
    json_.member("authors", head.authors).member("year", head.year).key("links").array(head.links);
  }

  void write_change(const ChangeAnswer& answer, const StateAnswer& state) {
    json_.member("sequence", answer.answered.sequence).key("next");
    write_full_next(state.next);
    json_.member("last", state.last).key("progress").begin_object();
    write_progress(json_, state.progress);
    json_.end_object().member("undo", state.undo).member("redo", state.redo);
    if (!answer.answered.is_undo) return;
    json_.key("undone").array(answer.answered.undone).member("document", answer.document);
  }

  void write_words(const std::vector<SaidWord>& words) {
    json_.key("words").begin_array();
    for (const SaidWord& word : words_to_learn(words, true)) {
      json_.begin_object();
      pool_.write_named_word(json_, word.feature);
      if (word.reward) json_.member("rate", *word.reward);
      json_.member("confidence", word.confidence).end_object();
    }
    json_.end_array();
  }

  void write_rating(const DocumentRating& rating) {
    json_.begin_object().member("reward", rating.reward).member("good", rating.good);
    write_words(rating.words);
    json_.member("note", rating.note).key("tags").array(rating.tags).end_object();
  }

  void write_event(const AnsweredEvent& line) {
    const SearchEvent& event = *line.event;
    json_.begin_object().member("sequence", event.sequence).member("at_ms", event.at_ms);
    json_.member("kind", search_event_name(event.kind)).member("holds", line.holds);
    if (line.number) json_.member("number", *line.number);
    if (!line.by.empty()) json_.member("by", line.by);
    if (event.document) pool_.write_id(json_, *event.document);
    if (event.offer) json_.member("explored", event.offer->explored).member("round", event.offer->round);
    if (line.good) json_.member("reward", event.reward).member("good", *line.good);
    if (event.kind == SearchEventKind::rated || event.kind == SearchEventKind::marked) write_words(event.words);
    if (event.feature) pool_.write_named_word(json_, *event.feature);
    if (event.kind == SearchEventKind::sampled) json_.member("count", event.count);
    if (event.hand_on) json_.member("hand_on", true);
    if (event.target != 0) json_.member("target", event.target);
    if (!event.note.empty()) json_.member("note", event.note);
    if (!event.tags.empty()) json_.key("tags").array(event.tags);
    if (event.kind == SearchEventKind::aimed) {
      json_.member("question", event.aim.question);
      write_rule(json_.key("rule"), event.aim.rule);
      for (const auto& [name, texts] : kTextsOfAim)
        if (!(event.aim.*texts).empty()) json_.key(name).array(event.aim.*texts);
    }
    json_.end_object();
  }

  const ShownPool& pool_;
  bool full_;
  JsonWriter json_;
};

}  // namespace

std::string json_of(const SearchAnswer& answer, const ShownPool& pool, bool full) {
  AnswerWriter writer(pool, full);
  std::visit(writer, answer);
  return writer.take();
}

std::string json_of(const ProgressAnswer& answer, bool full) {
  JsonWriter json;
  write_progress_answer(json, answer, full);
  return json.take();
}

void write_progress(JsonWriter& json, const SearchProgress& progress) {
  json.member("documents", progress.documents).member("rated", progress.rated);
  json.member("good", progress.good).member("without_good", progress.without_good);
  json.member("standstills", progress.standstills);
  json.member("lately", progress.lately).member("good_lately", progress.good_lately);
  json.member("waiting", progress.waiting);
  json.member("sample_left", progress.sample_left);
  write_good_left(json, progress);
  json.member("rule_reached", progress.rule_reached);
}

void write_good_left(JsonWriter& json, const SearchProgress& progress) {
  json.key("good_left").begin_object();
  json.member("about", progress.left.about).member("at_most", progress.left.at_most);
  json.member("confidence", progress.left.confidence).member("draws", progress.left.draws);
  json.member("good_draws", progress.good_draws).end_object();
}

}  // namespace inkling
