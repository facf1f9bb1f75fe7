// What a measurement was made on, so that its figures can be judged.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inkling::bench {

/// Name and value of each fact, as people read them; "unknown" where the system does not tell.
using MachineFacts = std::vector<std::pair<std::string, std::string>>;

/// Bytes a second, read by one thread and by all that this process may use; 0 where not measured.
struct ReadBandwidth {
  double one_thread = 0.0;
  double all_threads = 0.0;
};

/// The commit that this program was built from, "-changed" behind it where files had changed; empty where the
/// sources lay in no repository.
[[nodiscard]] std::string_view source_commit() noexcept;

/// Asks the system for all but the bandwidth.
[[nodiscard]] MachineFacts machine_facts(const ReadBandwidth& bandwidth = {});

/// Sums up an array larger than the caches, several times; the best counts. Takes about a quarter of a second.
[[nodiscard]] ReadBandwidth measured_read_bandwidth();

}  // namespace inkling::bench
