// Other programs on the same pool: the files they read, the child processes, and what they answer.
#pragma once

#include <functional>
#include <optional>
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
  std::string folder;  ///< of the scripts
  std::string python;  ///< the interpreter
  std::string work;    ///< an existing folder that files for the peers go into
  /// A folder with indptr.npy, indices.npy and data.npy, as a pool of `inkling build` is one; empty to write
  /// them into `work`.
  std::string matrix;
  double seconds = 20.0;  ///< a contestant ends early after so many
};

/// Writes what the peers read. Throws SystemError.
void write_peer_files(const RatedPool& rated, const RaceResult& race, const PeerOptions& options);

/// Runs the peer on as many threads as the race has. A peer that cannot run, or says something else than it
/// should, is an entry with the reason. Requires: the files are written.
[[nodiscard]] std::vector<RaceEntry> run_peer(const Peer& peer, const RaceResult& race,
                                              const PeerOptions& options,
                                              const std::function<void()>& check_interruption);

/// The entries in what a peer has printed, a JSON object a line. Throws FormatError naming `where` and the
/// line.
[[nodiscard]] std::vector<RaceEntry> parse_peer_lines(const std::string& where, std::string_view lines);

/// The first of the candidates that imports NumPy and SciPy; nothing where none does.
[[nodiscard]] std::optional<std::string> find_python(const std::vector<std::string>& candidates,
                                                     const std::function<void()>& check_interruption);

}  // namespace inkling::bench
