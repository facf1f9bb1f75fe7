// Other programs on the same pool: the files they read, the child processes, and what they answer.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/speed/race.hpp"

namespace inkling::bench {

/// A script of bench/peers/.
struct Peer {
  std::string_view name;  ///< as --peers has it
  std::string_view script;
};

[[nodiscard]] const std::vector<Peer>& known_peers();

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
void write_peer_files(const RatedPool& rated, const RaceResult& race, const PeerOptions& options);

/// Runs the peer on as many threads as the race has. A peer that cannot run, or prints something other than
/// results, becomes an entry with the reason. Requires: the files are written.
[[nodiscard]] std::vector<RaceEntry> run_peer(const Peer& peer, const RaceResult& race,
                                              const PeerOptions& options,
                                              const std::function<void()>& check_interruption);

/// The entries in what a peer printed, a JSON object a line. Throws FormatError naming `where` and the
/// line.
[[nodiscard]] std::vector<RaceEntry> parse_peer_lines(const std::string& where, std::string_view lines);

}  // namespace inkling::bench
