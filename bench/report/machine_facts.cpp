#include "bench/report/machine_facts.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "io/cli/available_threads.hpp"
#include "io/cli/build_info.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/strict_number.hpp"

namespace inkling::bench {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  const std::size_t last = text.find_last_not_of(blank);
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

/// What stands behind the colon of the first line that begins so; nothing where there is none.
std::optional<std::string> field_of(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || trimmed(std::string_view(line).substr(0, colon)) != name) continue;
    return std::string(trimmed(std::string_view(line).substr(colon + 1)));
  }
  return std::nullopt;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The system gives sizes in K alone.
std::string short_size(const std::string& size) {
  const std::optional<std::uint64_t> bytes = parse_byte_size(size);
  return bytes ? byte_size_text(*bytes) : size;
}

std::string caches_of_first_core() {
  std::string caches;
  constexpr int most = 10;
  for (int index = 0; index < most; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const std::string size = first_line(folder + "size");
    if (size.empty() || first_line(folder + "type") == "Instruction") continue;
    caches +=
        fmt::format("{}L{} {}", caches.empty() ? "" : ", ", first_line(folder + "level"), short_size(size));
  }
  return caches.empty() ? "unknown" : caches;
}

std::optional<std::uint64_t> memory_of_machine() {
  const std::optional<std::string> total = field_of("/proc/meminfo", "MemTotal");
  if (!total) return std::nullopt;
  const std::optional<std::int64_t> kibibytes =
      parse_integer(std::string_view(*total).substr(0, total->find(' ')));
  if (!kibibytes) return std::nullopt;
  return static_cast<std::uint64_t>(*kibibytes) * 1024;
}

std::string kernel() {
  utsname name = {};
  if (::uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", static_cast<const char*>(name.sysname),
                     static_cast<const char*>(name.release), static_cast<const char*>(name.machine));
}

std::uint64_t sum_of(const std::uint64_t* from, const std::uint64_t* to) {
  std::uint64_t sum = 0;
  for (; from != to; ++from) sum += *from;
  return sum;
}

double read_bandwidth(const std::vector<std::uint64_t>& words, int threads) {
  constexpr int repeats = 4;
  constexpr std::size_t grain = std::size_t{1} << 17U;  // 1 MiB
  double best = std::numeric_limits<double>::infinity();
  std::uint64_t total = 0;
  ThreadLimit limit(threads);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Stopwatch watch;
    limit.run([&] {
      total += tbb::parallel_reduce(
          tbb::blocked_range<std::size_t>(0, words.size(), grain), std::uint64_t{0},
          [&](const tbb::blocked_range<std::size_t>& range, std::uint64_t sum) {
            return sum + sum_of(words.data() + range.begin(), words.data() + range.end());
          },
          std::plus<>());
    });
    best = std::min(best, watch.seconds());
  }
  // Never so, but the compiler cannot know, and must not leave the sum out.
  if (total == 1) return 0.0;
  return static_cast<double>(words.size() * sizeof(std::uint64_t)) / best;
}

std::string bandwidth_text(double bytes_a_second) {
  return bytes_a_second > 0.0 ? fmt::format("{:.1f} GB/s", bytes_a_second / 1e9) : "not measured";
}

}  // namespace

std::string_view source_commit() noexcept { return INKLING_COMMIT; }

MachineFacts machine_facts() {
  MachineFacts facts;
  facts.processor = field_of("/proc/cpuinfo", "model name").value_or("unknown");
  facts.cores = static_cast<std::int32_t>(std::thread::hardware_concurrency());
  facts.threads = available_threads();
  facts.caches = caches_of_first_core();
  facts.memory_bytes = memory_of_machine();
  facts.system = kernel();
  facts.compiler = fmt::format("{}, {}", compiler, build_type);
  facts.version = std::string(program_version);
  return facts;
}

void measure_read_bandwidth(MachineFacts& facts) {
  constexpr std::size_t megabytes = 256;
  const std::vector<std::uint64_t> words((megabytes << 20U) / sizeof(std::uint64_t), 3);
  facts.read_bandwidth_one = read_bandwidth(words, 1);
  facts.read_bandwidth_all = read_bandwidth(words, facts.threads);
}

std::vector<std::pair<std::string, std::string>> rows_of(const MachineFacts& facts) {
  return {
      {"processor", facts.processor},
      {"cores", fmt::format("{}, of which this process may use {}", facts.cores, facts.threads)},
      {"caches", facts.caches},
      {"memory", facts.memory_bytes ? byte_size_text(*facts.memory_bytes) : "unknown"},
      {"read bandwidth", fmt::format("{} on one thread, {} on {}", bandwidth_text(facts.read_bandwidth_one),
                                     bandwidth_text(facts.read_bandwidth_all), facts.threads)},
      {"system", facts.system},
      {"compiler", facts.compiler},
      {"version", facts.version}};
}

}  // namespace inkling::bench
