// Finds the known name that is nearest to an unknown one that a person wrote.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace inkling {

/// How many characters to insert, delete, replace or swap with their neighbour to turn one text into the
/// other.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The name that is nearest to what was written, or that begins with it; nullopt if no name is near. Of equally near
/// names the first.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view written, std::span<const std::string> names);

/// " (did you mean PREFIX...?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view prefix, std::string_view written, std::span<const std::string> names);

}  // namespace inkling
