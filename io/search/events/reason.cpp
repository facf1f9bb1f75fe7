#include "io/search/events/reason.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace inkling {
namespace {

// "soil, compost and 3 others"
std::string listed_names(const std::vector<std::string_view>& names) {
  constexpr std::size_t most = 5;
  const std::size_t others = names.size() > most ? names.size() - most : 0;
  const std::size_t named = names.size() - others;
  std::string list;
  for (std::size_t n = 0; n < named; ++n) {
    const bool is_last = others == 0 && n + 1 == named;
    list += n == 0 ? "" : is_last ? " and " : ", ";
    list += names[n];
  }
  if (others > 0) list += fmt::format(" and {} {}", others, others == 1 ? "other" : "others");
  return list;
}

std::string part_of_reason(std::span<const HeldWord> words, WordOpinion opinion, std::string_view said) {
  std::vector<std::string_view> names;
  names.reserve(words.size());
  for (const HeldWord& word : words)
    if (word.opinion == opinion) names.push_back(word.name);
  return names.empty() ? std::string() : fmt::format("{}, which you {}", listed_names(names), said);
}

}  // namespace

WordOpinion opinion_of(const SaidWord& said) noexcept {
  if (!said.reward) return WordOpinion::marked;
  return *said.reward > 0.0 ? WordOpinion::liked : WordOpinion::unwanted;
}

SaidOfWords said_of_words(std::span<const Event> events, const Learner& learner) {
  SaidOfWords said;
  for (const Event& event : events) {
    for (const SaidWord& word : event.words) {
      const auto [known, is_new] = said.try_emplace(word.feature, word);
      if (!is_new && outweighs(word, known->second)) known->second = word;
    }
  }
  std::erase_if(said, [&](const auto& word) { return !counts(word.second, learner); });
  return said;
}

std::string reason_text(std::span<const HeldWord> words) {
  std::string reason;
  for (const std::string& part :
       {part_of_reason(words, WordOpinion::liked, "liked"), part_of_reason(words, WordOpinion::marked, "marked"),
        part_of_reason(words, WordOpinion::unwanted, "did not want")}) {
    if (!part.empty()) reason += (reason.empty() ? "it holds " : ", and ") + part;
  }
  return reason;
}

}  // namespace inkling
