// What a person sees and does with `inkling search POOL` in a terminal.
#pragma once

#include <string>

#include "io/search/service/shown_pool.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

struct ScreenOptions {
  std::string command;  ///< continues this search: "inkling search POOL"
  std::string kept_in;  ///< the file that keeps it; empty where nothing is kept
  std::string name;     ///< of the search, shown above every page; may be empty
};

/// Whether a person can search here: standard input and output are both terminals.
[[nodiscard]] bool can_search_on_screen();

/// Shows one document after the other and takes ratings and words, by single keys, or line by line where the terminal
/// can do nothing else. It returns an exit code when the person quits or the input ends, and says then how to continue. The
/// terminal is as it was before on every way out. If an answer cannot be kept, it says so and continues.
///
/// Throws InterruptedError where a signal asked the program to end, SystemError where the terminal fails, and what is
/// neither a mistake of the person nor a failure to keep an answer. Requires: `can_search_on_screen()`.
/// Thread safety: one at a time, in the main thread.
[[nodiscard]] int search_on_screen(Searcher& searcher, const ShownPool& pool, const ScreenOptions& options);

}  // namespace inkling
