#include "bench/report/machine_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <thread>

#include <boost/algorithm/string/trim.hpp>
#include <fmt/format.h>

#include "io/base/process/build_info.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/process.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/search/score/read_bandwidth.hpp"

namespace inkling::bench {
namespace {

/// The text after the colon of the first line that begins so, or nothing.
std::optional<std::string> field_of(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && boost::trim_copy(line.substr(0, colon)) == name)
      return boost::trim_copy(line.substr(colon + 1));
  }
  return std::nullopt;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The system gives sizes in K, as "48K" or as "65536 kB".
std::string short_size(const std::string& size) {
  const std::optional<std::uint64_t> bytes =
      parse_byte_size(size.ends_with(" kB") ? size.substr(0, size.size() - 3) + "K" : size);
  return bytes ? byte_size_text(*bytes) : size;
}

/// "L1 48K, L2 1M, L3 32M".
std::string caches_of_first_core() {
  std::string caches;
  constexpr int most = 10;
  for (int index = 0; index < most; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const std::string size = first_line(folder + "size");
    if (size.empty() || first_line(folder + "type") == "Instruction") continue;
    caches += fmt::format("{}L{} {}", caches.empty() ? "" : ", ", first_line(folder + "level"), short_size(size));
  }
  return caches.empty() ? "unknown" : caches;
}

double read_bandwidth(std::span<const std::byte> bytes, int threads) {
  constexpr int repeats = 4;
  double best = std::numeric_limits<double>::infinity();
  ThreadLimit limit(threads);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Stopwatch watch;
    limit.run([bytes] { static_cast<void>(sum_of_bytes(bytes)); });
    best = std::min(best, watch.seconds());
  }
  return static_cast<double>(bytes.size()) / best;
}

std::string bandwidth_text(double bytes_a_second) {
  return bytes_a_second > 0.0 ? fmt::format("{:.1f} GB/s", bytes_a_second / 1e9) : "not measured";
}

}  // namespace

std::string_view source_commit() noexcept { return INKLING_COMMIT; }

ReadBandwidth measured_read_bandwidth() {
  constexpr std::size_t megabytes = 256;
  const std::vector<std::byte> bytes(megabytes << 20U, std::byte{3});
  return {read_bandwidth(bytes, 1), read_bandwidth(bytes, available_threads())};
}

MachineFacts machine_facts(const ReadBandwidth& bandwidth) {
  const int threads = available_threads();
  return {{"processor", field_of("/proc/cpuinfo", "model name").value_or("unknown")},
          {"cores", fmt::format("{}, of which this process may use {}", std::thread::hardware_concurrency(), threads)},
          {"caches", caches_of_first_core()},
          {"memory", short_size(field_of("/proc/meminfo", "MemTotal").value_or("unknown"))},
          {"read bandwidth", fmt::format("{} on one thread, {} on {}", bandwidth_text(bandwidth.one_thread),
                                         bandwidth_text(bandwidth.all_threads), threads)},
          {"system", name_of_system()},
          {"compiler", fmt::format("{}, {}", compiler, build_type)},
          {"version", std::string(program_version)}};
}

}  // namespace inkling::bench
