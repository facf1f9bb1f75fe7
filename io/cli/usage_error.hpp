// The error of a wrong command line (exit code 2), and guesses at what was meant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace inkling {

/// Its what() is one line without the program's name, which run_program puts in front.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message) : std::runtime_error(message) {}

  /// "--NAME: PROBLEM". The problem says what was expected and what was given:
  ///   throw UsageError::option("relevant", "expected 1 to 40 (the number of --features), got 50");
  [[nodiscard]] static UsageError option(std::string_view name, std::string_view problem);
};

/// What a person typed, in quotes, for such a message: cut where it is long, and visible (io/file/utf8.hpp),
/// so that the message stays one line.
[[nodiscard]] std::string in_quotes(std::string_view typed);

/// How many characters to insert, delete, replace or swap with their neighbour to turn one text into the
/// other.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The name that is nearest to what was written, or that begins with it; nothing where no name is near. Of
/// equally near names the first.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view written,
                                                      std::span<const std::string> names);

/// " (did you mean PREFIX...?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view prefix, std::string_view written,
                                       std::span<const std::string> names);

}  // namespace inkling
