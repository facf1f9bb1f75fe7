// The finds of searches, as a table for a terminal and as members of a JSON object.
#pragma once

#include <span>
#include <string>

#include "bench/studies/study.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling::bench {

/// If each document is shown once and is wanted or not, a row a policy: how many were found, of all that the pool
/// has, in the middle 80 % of the trials; documents to read until the 10th and for 80 and 95 % of all; the share of
/// trials that found less than half of the median. Otherwise empty.
[[nodiscard]] std::string finds_table(std::span<const EntrantResult> results, Colour colour);

/// The same as the member "finds", with the round of every find of every trial; otherwise nothing.
void write_finds(const EntrantResult& result, JsonWriter& json);

}  // namespace inkling::bench
