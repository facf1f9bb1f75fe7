// Our policies and other programs on one pool with the same relevant features and the same rewards: the runs,
// the files that peers read, their child processes, what they answer, and how all of them compare.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/speed/timed_run.hpp"

namespace inkling::bench {

/// The result of one contestant; of one that could not run, its name and the reason.
struct RaceEntry {
  std::string name;
  bool same_method = true;  ///< as our policy with given features: it should choose the same
  std::string about;
  RoundTimes times = {};
  /// The mean round of our sublinear choice, with the same features and over the same rounds, in seconds.
  double ours_in_these_rounds = 0.0;
  std::optional<std::uint64_t> peak_bytes = {};
  std::string blas = {};                 ///< the library a peer calculates with, if it knows
  std::vector<DocumentId> choices = {};  ///< of a peer: one for each round that it played
  /// How many choices were compared with ours, how many differ, and the first round that does.
  struct Agreement {
    std::int64_t compared = 0;
    std::int64_t differences = 0;
    std::optional<std::int64_t> first_difference = {};  ///< 1 is the first round
  };
  std::optional<Agreement> agreement = {};  ///< nothing if there is nothing to compare
  std::optional<std::string> skipped = {};
};

struct OwnChecks {
  ChoiceCheck marked;  ///< ff-oful against a full scan from nothing
  ChoiceCheck given;   ///< oful-subset, the same
};

/// Lifetime: lends the pool.
struct RaceResult {
  PoolView pool;
  std::int64_t relevant = 0;
  std::int32_t threads = 1;
  TimedRunOptions run = {};
  std::vector<RaceEntry> entries = {};
  std::vector<TimedRound> marked = {};  ///< what ff-oful played
  std::vector<TimedRound> given = {};   ///< what oful-subset played
  std::optional<OwnChecks> checks = {};
};

/// The rows that run in this process: both policies, each with sublinear and running scores and full
/// rescoring. Requires: called in an arena of as many threads as `result.threads` says.
void race_ours(const World& rated, const RunListener& listener, RaceResult& result);

/// Compares every choice of the sublinear scoring with a full scan from nothing.
void check_ours(const World& rated, const RunListener& listener, RaceResult& result);

/// Sets the comparison of a peer's entry with ours: our time in the rounds that it played, and, where the method is
/// ours, how its choices agree with those of our policy with given features.
void compare_with_ours(const RaceResult& result, RaceEntry& peer);

/// A script of bench/peers/.
struct Peer {
  std::string_view name;  ///< as --peers names it
  std::string_view script;
};

inline constexpr Peer kKnownPeers[] = {{"numpy", "linucb_numpy.py"},
                                       {"sklearn", "with_sklearn.py"},
                                       {"vowpal", "with_vowpal_wabbit.py"},
                                       {"mabwiser", "with_mabwiser.py"},
                                       {"contextualbandits", "with_contextualbandits.py"},
                                       {"bayesianbandits", "with_bayesianbandits.py"}};

struct PeerOptions {
  std::string folder;              ///< of the scripts
  std::string python = "python3";  ///< the interpreter; without a slash it is looked for in PATH
  std::string work;                ///< an existing folder that files for the peers go into
  /// A folder with indptr.npy, indices.npy and data.npy, as a pool of `inkling build` is one; empty to write
  /// them into `work`.
  std::string matrix;
  double seconds = 20.0;  ///< after this time a contestant ends early
};

/// Writes what the peers read. Throws SystemError.
void write_peer_files(const World& rated, const RaceResult& race, const PeerOptions& options);

/// Runs the peer on as many threads as the race has. A peer that cannot run, or prints something other than
/// results, becomes an entry with the reason. Requires: the files are written.
[[nodiscard]] std::vector<RaceEntry> run_peer(const Peer& peer, const RaceResult& race, const PeerOptions& options,
                                              const std::function<void()>& check_interruption);

/// The entries in what a peer printed, a JSON object a line. Throws FormatError naming `where` and the
/// line.
[[nodiscard]] std::vector<RaceEntry> parse_peer_lines(const std::string& where, std::string_view lines);

/// For a terminal.
[[nodiscard]] std::string race_table(const RaceResult& result);

/// One JSON object, without a newline.
[[nodiscard]] std::string race_json(const RaceResult& result);

/// policy,round,document,explored: what our policies played; the same at any number of threads.
[[nodiscard]] std::string choices_csv(const RaceResult& result);

}  // namespace inkling::bench
