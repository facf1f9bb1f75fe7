// What two people said of the same documents, side by side.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/search/people/kappa.hpp"
#include "io/search/service/work_export.hpp"

namespace inkling {

/// The ratings of one person that hold, by document, without copies.
using AnswersOfOne = std::map<DocumentId, WorkRow>;
[[nodiscard]] AnswersOfOne answers_of_one(const SearchHistory& history);

/// Of two who are handed out documents as they read: what both rated and neither may still change, by rows.
[[nodiscard]] std::vector<DocumentId> answered_for_good(const SearchHistory& first, const SearchHistory& second);

/// Two people agree on a document if both ratings say that it is good (`kGoodRating`), or both that it is not.
class ComparedWork {
 public:
  struct Person {
    std::string name;
    AnswersOfOne answers;
  };

  /// Compares the documents of `among` that both rated, or, if `among` is empty, all that both rated, in order of rows. The
  /// decider's rating counts where the two differ.
  ComparedWork(Person first, Person second, std::span<const DocumentId> among = {}, std::optional<Person> decider = {});

  [[nodiscard]] std::span<const DocumentId> documents() const noexcept { return documents_; }
  [[nodiscard]] std::vector<DocumentId> conflicts() const;
  /// How many documents neither calls good, only the second, only the first, and both.
  [[nodiscard]] std::array<std::int64_t, 4> counts() const;
  [[nodiscard]] std::optional<Kappa> kappa() const { return cohen_kappa(counts(), 2); }

  /// Requires: a document of these.
  [[nodiscard]] const WorkRow& said_by(std::size_t person, DocumentId document) const {
    return people_[person].answers.at(document);
  }
  [[nodiscard]] std::optional<double> decision(DocumentId document) const;

  /// The rows for `write_work`. `rating` is the mean if the two agree, otherwise the decider's rating, or empty if there is none
  /// yet. The answers of each have columns of their own, such as `rating_ada`.
  [[nodiscard]] std::vector<WorkRow> rows(std::span<const DocumentId> documents) const;

  /// Writes members of an object: how many documents there are, on how many the two agree, and kappa.
  void write_agreement(JsonWriter& json) const;

 private:
  [[nodiscard]] bool agree_on(DocumentId document) const;

  std::array<Person, 2> people_;
  std::optional<Person> decider_;
  std::vector<DocumentId> documents_;
};

}  // namespace inkling
