// Which records are one with another, by their identities and texts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "io/corpus/same/record_identity.hpp"
#include "io/corpus/same/repeated_strings.hpp"

namespace inkling {

/// Fills `identities` with those of the rows from `first` on.
using ReadIdentities = std::function<void(std::uint64_t first, std::span<RecordIdentity> identities)>;

/// Which of `rows` records are one with another, each with the record that is offered in its place: the first of its cluster
/// that has an abstract, or else the first. Two records are one if a rule of `by` links them and nothing speaks against it; a
/// cluster never has two DOIs, whatever links its records. `memory`: as for repeated_marks; it takes some hundred bytes more for
/// each record that shares a key with another.
[[nodiscard]] CopiedSetRows same_records(std::uint64_t rows, const ReadMarks& texts, const ReadIdentities& identities, SameBy by,
                                         std::uint64_t memory);

}  // namespace inkling
