#include "io/search/service/compared_work.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "io/base/file/strict_number.hpp"

namespace inkling {
namespace {

bool is_good_to(const WorkRow& row) { return *row.rating >= kGoodRating; }

}  // namespace

AnswersOfOne answers_of_one(const SearchHistory& history) {
  AnswersOfOne answers;
  for (WorkRow& row : answered_work(history, WorkChoice::all))
    if (row.document && !row.same_as) answers.insert_or_assign(*row.document, std::move(row));
  return answers;
}

std::vector<DocumentId> answered_for_good(const SearchHistory& first, const SearchHistory& second) {
  const auto is_open_in = [](const SearchHistory& history, DocumentId document) {
    return std::ranges::find(history.aim().set, document) != history.aim().set.end();
  };
  std::vector<DocumentId> documents;
  for (const auto& [document, row] : answers_of_one(first))
    if (second.is_rated(document) && !is_open_in(first, document) && !is_open_in(second, document)) documents.push_back(document);
  return documents;
}

ComparedWork::ComparedWork(Person first, Person second, std::span<const DocumentId> among, std::optional<Person> decider)
    : people_({std::move(first), std::move(second)}), decider_(std::move(decider)) {
  std::vector<DocumentId> all(among.begin(), among.end());
  if (among.empty())
    for (const auto& [document, row] : people_[0].answers) all.push_back(document);
  std::ranges::copy_if(all, std::back_inserter(documents_), [&](DocumentId document) {
    return people_[0].answers.contains(document) && people_[1].answers.contains(document);
  });
}

bool ComparedWork::agree_on(DocumentId document) const {
  return is_good_to(said_by(0, document)) == is_good_to(said_by(1, document));
}

std::vector<DocumentId> ComparedWork::conflicts() const {
  std::vector<DocumentId> conflicts;
  std::ranges::copy_if(documents_, std::back_inserter(conflicts), [&](DocumentId document) { return !agree_on(document); });
  return conflicts;
}

std::array<std::int64_t, 4> ComparedWork::counts() const {
  std::array<std::int64_t, 4> counts = {};
  for (const DocumentId document : documents_)
    ++counts[(is_good_to(said_by(0, document)) ? 2U : 0U) + (is_good_to(said_by(1, document)) ? 1U : 0U)];
  return counts;
}

std::optional<double> ComparedWork::decision(DocumentId document) const {
  if (!decider_ || agree_on(document)) return std::nullopt;
  const auto decided = decider_->answers.find(document);
  return decided == decider_->answers.end() ? std::nullopt : decided->second.rating;
}

std::vector<WorkRow> ComparedWork::rows(std::span<const DocumentId> documents) const {
  std::vector<WorkRow> rows;
  rows.reserve(documents.size());
  for (const DocumentId document : documents) {
    WorkRow row = {.document = document, .rating = decision(document)};
    double sum = 0.0;
    for (const Person& person : people_) {
      const WorkRow& said = person.answers.at(document);
      sum += *said.rating;
      row.more.emplace_back("rating_" + person.name, number_text(*said.rating));
      row.more.emplace_back("tags_" + person.name, joined_tags(said.tags));
      row.more.emplace_back("note_" + person.name, said.note);
    }
    if (agree_on(document)) row.rating = sum / 2.0;
    if (decider_) {
      const std::optional<double> decided = decision(document);
      row.more.emplace_back("decision", decided ? number_text(*decided) : std::string());
      row.more.emplace_back("decided_by", decided ? decider_->name : std::string());
      if (decided) {
        row.note = decider_->answers.at(document).note;
        row.tags = decider_->answers.at(document).tags;
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void ComparedWork::write_agreement(JsonWriter& json) const {
  const auto [neither, second, first, both] = counts();
  const std::optional<Kappa> kappa = this->kappa();
  const auto part = [&](double Kappa::*value) { return kappa ? std::optional((*kappa).*value) : std::nullopt; };
  json.member("documents", std::ssize(documents_)).member("both_good", both).member("neither_good", neither);
  json.member("first_only", first).member("second_only", second).member("kappa", part(&Kappa::kappa));
  json.member("deviation", part(&Kappa::deviation)).member("low", part(&Kappa::low));
  json.member("high", part(&Kappa::high));
}

}  // namespace inkling
