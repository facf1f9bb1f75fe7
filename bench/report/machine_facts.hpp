// Facts about the machine of a measurement, so that its figures can be judged.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inkling::bench {

/// Name and value of each fact, as people read them; "unknown" if the system does not provide it.
using MachineFacts = std::vector<std::pair<std::string, std::string>>;

/// Bytes a second, read by one thread and by all that this process may use; 0 if not measured.
struct ReadBandwidth {
  double one_thread = 0.0;
  double all_threads = 0.0;
};

/// The commit that this program was built from, "-changed" after it if files had changed; empty if the
/// sources were in no repository.
[[nodiscard]] std::string_view source_commit() noexcept;

/// Asks the system for all but the bandwidth.
[[nodiscard]] MachineFacts machine_facts(const ReadBandwidth& bandwidth = {});

/// Sums up an array larger than the caches, several times; the best counts. Takes about a quarter of a second.
[[nodiscard]] ReadBandwidth measured_read_bandwidth();

}  // namespace inkling::bench
