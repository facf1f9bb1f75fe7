// The members of a request: a line of a pipe, the body of an HTTP request, a dictionary of Python.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/errors.hpp"
#include "io/base/file/json_places.hpp"
#include "io/search/events/events.hpp"
#include "io/search/session/search_aim.hpp"

namespace inkling {

/// A request that is not valid. Its message, as that of any FormatError, has the column, what was expected and what was found.
class RequestError : public FormatError {
 public:
  RequestError(std::size_t column, std::string member, const std::string& found, const std::string& expected);

  /// The member that is wrong, such as "words[2].rate"; empty if the whole text is not a JSON object.
  [[nodiscard]] const std::string& member() const noexcept { return member_; }
  [[nodiscard]] const std::string& found() const noexcept { return found_; }

 private:
  std::string member_;
  std::string found_;
};

/// "a number", of the "expected a number" of an error.
[[nodiscard]] std::string_view without_expected(std::string_view expectation);

/// Reads and checks the members of a JSON object. All functions throw RequestError. Lifetime: lends the text. Thread safety:
/// that of the scope's functions.
class RequestMembers {
 public:
  struct Member {
    std::string name;
    JsonPiece written;  ///< the name, with its quotes
    JsonPiece value;
  };

  /// Throws unless the text is an object without repeated members.
  explicit RequestMembers(std::string_view text);

  [[nodiscard]] std::span<const Member> all() const noexcept { return members_; }
  /// Requires: there is a member `name`, and none named `other`.
  void rename(std::string_view name, std::string_view other);
  [[nodiscard]] const Member* find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Throws if the member is missing; `expected` says what its value must be.
  [[nodiscard]] const Member& need(std::string_view name, std::string_view expected) const;
  /// Throws if there is a member that is not among these names.
  void check_only(std::span<const std::string_view> names) const;
  [[noreturn]] void refuse(const std::string& member, const JsonPiece& found, const std::string& expected) const;

  [[nodiscard]] std::string text(const Member& member, std::size_t least_bytes, std::size_t most_bytes) const;
  [[nodiscard]] std::int64_t whole(const Member& member, std::int64_t least, std::int64_t most) const;
  [[nodiscard]] double real(const Member& member, double largest) const;
  [[nodiscard]] bool truth(const Member& member) const;
  /// A row of the pool, or an id if the pool has ids.
  [[nodiscard]] DocumentId document(const Member& member, const EventScope& scope) const;
  /// A word of the pool, or the number of a feature.
  [[nodiscard]] FeatureId feature(const Member& member, const EventScope& scope) const;
  /// "soil", 7, {"word": "soil", "confidence": 0.5} or {"word": "rose", "rate": -1, "confidence": 0.5}. With a rate it is a
  /// rating of the word, without one a mark. If a word is named twice, the first mention counts.
  [[nodiscard]] std::vector<SaidWord> words(const Member& member, const EventScope& scope) const;
  /// Tags that are valid by `broken_rule_of_tags`.
  [[nodiscard]] std::vector<std::string> tags(const Member& member) const;
  /// `SearchAim::coloured`, without empty texts at its end.
  [[nodiscard]] std::vector<std::string> coloured(const Member& member) const;
  /// Nothing if the value is null.
  [[nodiscard]] std::optional<StopRule> rule(const Member& member) const;

 private:
  [[nodiscard]] std::vector<Member> members_of(const JsonPiece& object, const std::string& prefix) const;
  [[nodiscard]] std::vector<std::string> texts(const Member& member, const std::string& expected) const;
  [[nodiscard]] FeatureId feature_at(const std::string& member, const JsonPiece& value, const EventScope& scope) const;
  [[nodiscard]] SaidWord word_at(const std::string& member, const JsonPiece& value, const EventScope& scope) const;
  [[nodiscard]] DocumentId row_of_id(const Member& member, const EventScope& scope) const;

  std::string_view text_;
  std::vector<Member> members_;
};

}  // namespace inkling
