// What a measurement was made on, so that its figures can be judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inkling::bench {

struct MachineFacts {
  std::string processor;     ///< "unknown" where the system does not tell, as below
  std::int32_t cores = 0;    ///< that the system has
  std::int32_t threads = 0;  ///< that this process may use
  std::string caches;        ///< of the first core: "L1 48K, L2 1M, L3 32M"
  std::optional<std::uint64_t> memory_bytes;
  std::string system;    ///< the kernel
  std::string compiler;  ///< with the build type
  std::string version;   ///< of the program
  /// Bytes a second read by one thread, and by all that the process may use; 0 where not measured.
  double read_bandwidth_one = 0.0;
  double read_bandwidth_all = 0.0;
};

/// The commit that this program was built from, "-changed" behind it where files had changed; empty where the
/// sources lay in no repository.
[[nodiscard]] std::string_view source_commit() noexcept;

/// Asks the system. Does not measure: see `measure_read_bandwidth`.
[[nodiscard]] MachineFacts machine_facts();

/// Sums up an array larger than the caches, several times; the best counts. Takes a quarter of a second or
/// so.
void measure_read_bandwidth(MachineFacts& facts);

/// Name and value of every fact, as people read them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> rows_of(const MachineFacts& facts);

}  // namespace inkling::bench
