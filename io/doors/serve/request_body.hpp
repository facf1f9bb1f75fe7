// The JSON object that a request carries, read member by member, with the place of everything that is wrong.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/json_places.hpp"
#include "io/search/events/events.hpp"
#include "io/search/session/search_event.hpp"

namespace inkling {

/// Every function throws HttpRefusal (422) that names the member: "words[2].rate". Lifetime: lends the body.
class RequestBody {
 public:
  /// Only these members may be there, each once.
  RequestBody(std::string_view body, std::initializer_list<std::string_view> members);

  [[nodiscard]] bool has(std::string_view name) const { return members_.contains(name); }
  [[nodiscard]] bool is_null(std::string_view name) const;

  /// Requires the member (here and in all that give no optional).
  [[nodiscard]] std::string text(std::string_view name, std::size_t least, std::size_t most) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t least, std::int64_t most) const;
  /// An object, as it is written.
  [[nodiscard]] std::string_view object(std::string_view name) const;

  [[nodiscard]] std::optional<std::string> optional_text(std::string_view name, std::size_t most) const;
  [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view name, std::int64_t least,
                                                             std::int64_t most) const;
  /// None where the member is absent.
  [[nodiscard]] std::vector<SaidWord> words(const EventScope& scope) const;

 private:
  [[nodiscard]] std::string_view value(std::string_view name) const;

  std::map<std::string, std::string_view, std::less<>> members_;  // as they are written
};

}  // namespace inkling
