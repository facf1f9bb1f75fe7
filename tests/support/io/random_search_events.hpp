// Random events of searches: every kind, with and without each optional member.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "io/search/session/search_event.hpp"

namespace inkling::test {

class RandomSearchEvents {
 public:
  explicit RandomSearchEvents(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] std::int64_t whole(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }

  /// A finite number of random bits.
  [[nodiscard]] double real() {
    for (;;) {
      const auto number = std::bit_cast<double>(random_());
      if (std::isfinite(number)) return number;
    }
  }

  [[nodiscard]] SearchEvent next(std::int64_t sequence) {
    SearchEvent event = {.sequence = sequence, .at_ms = whole(0, 4'000'000'000'000)};
    constexpr std::int64_t kinds = std::size(kSearchEventNames);
    event.kind = kSearchEventNames[static_cast<std::size_t>(whole(0, kinds - 1))].value;
    fill(event);
    return event;
  }

  /// So many events, numbered from `first`.
  [[nodiscard]] std::vector<SearchEvent> several(std::int64_t first, std::int64_t count) {
    std::vector<SearchEvent> events;
    events.reserve(static_cast<std::size_t>(count));
    for (std::int64_t n = 0; n < count; ++n) events.push_back(next(first + n));
    return events;
  }

 private:
  [[nodiscard]] bool coin() { return whole(0, 1) == 1; }

  void fill(SearchEvent& event) {
    const auto document = static_cast<DocumentId>(whole(0, 2'147'483'647));
    switch (event.kind) {
      case SearchEventKind::shown:
        event.document = document;
        event.offer = offer(document);
        return;
      case SearchEventKind::rated:
        event.document = document;
        event.reward = coin() ? std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random_), 300) : -0.0;
        event.words = words(!event.document);
        if (coin()) event.shown = whole(1, 1'000'000);
        if (coin()) event.batch = whole(1, 1'000'000);
        if (coin()) event.note = text();
        if (coin()) event.tags = {"animals", std::to_string(whole(1, 9))};
        return;
      case SearchEventKind::marked:
        if (coin()) event.document = document;
        event.words = words(!event.document);
        return;
      case SearchEventKind::forgot: event.feature = static_cast<FeatureId>(whole(0, 2'147'483'647)); return;
      case SearchEventKind::skipped:
        event.document = document;
        if (coin()) event.shown = whole(1, 1'000'000);
        return;
      case SearchEventKind::sampled: event.count = whole(1, 1'000'000); return;
      case SearchEventKind::undone:
      case SearchEventKind::redone: event.target = whole(1, 1'000'000); return;
      case SearchEventKind::noted: event.note = text(); return;
      case SearchEventKind::aimed:
        event.aim.question = text();
        if (coin()) event.aim.rule = StopRule{.good = whole(1, 1'000'000), .left_at_most = whole(0, 9)};
        if (coin()) event.aim.shared = {text(), text()};
        return;
      case SearchEventKind::separated: event.document = document; return;
      case SearchEventKind::closed: return;
    }
  }

  [[nodiscard]] Offer offer(DocumentId document) {
    Offer offer = {
        .document = document, .round = whole(1, 9'000'000'000'000'000'000), .explored = coin(), .among = whole(0, 1'000'000)};
    if (coin()) offer.beside = whole(0, 1'000'000);
    if (coin()) offer.propensity = std::uniform_real_distribution<double>(0, 1)(random_);
    if (coin()) offer.radius = real();
    if (coin()) offer.mean = real();
    if (coin()) offer.width = real();
    return offer;
  }

  /// Words of an event. In a document they may also be marks, and marks of an old log, with a confidence below 0 (`words_to_learn`).
  [[nodiscard]] std::vector<SaidWord> words(bool is_apart) {
    std::vector<SaidWord> words(static_cast<std::size_t>(whole(0, 4)));
    for (SaidWord& word : words) {
      word.feature = static_cast<FeatureId>(whole(0, 2'147'483'647));
      if (coin()) word.confidence = std::uniform_real_distribution<double>(1e-9, 1)(random_);
      if (is_apart || coin())
        word.reward = coin() ? 1.0 : -std::uniform_real_distribution<double>(1e-9, 1)(random_);
      else if (coin())
        word.confidence = -word.confidence;
    }
    return words;
  }

  [[nodiscard]] std::string text() {
    const char* const parts[] = {"soil", "\"", "\\", "\n", "é", "\xF0\x9F\x8C\xB1", " ", "\x1B[31m", "{}", "\xEF\xBF\xBD"};
    std::string text;
    for (std::int64_t n = whole(0, 6); n > 0; --n) text += parts[whole(0, 9)];
    if (coin()) text += '\0';
    return text;
  }

  std::mt19937_64 random_;
};

}  // namespace inkling::test
