#include "bench/report/child_process.hpp"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/process.hpp"
#include "io/base/wording/quotes.hpp"

namespace inkling::bench {
namespace {

std::string printed_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

WorkFolder::WorkFolder() {
  const std::string stem = (std::filesystem::temp_directory_path() / "inkling-").string();
  std::optional<std::string> made = make_temporary_folder(stem);
  if (!made) throw SystemError(stem, errno, "cannot make the folder");
  path = *std::move(made);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

std::string failure_of(std::string_view name, const ChildResult& result) {
  return fmt::format("{} ended with {}: {}", name, result.exit_code, in_quotes(last_line(result.err)));
}

std::vector<std::string> thread_limits(std::int32_t threads) {
  std::vector<std::string> limits;
  for (const std::string_view variable : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"})
    limits.push_back(fmt::format("{}={}", variable, threads));
  return limits;
}

ChildResult run_child(std::vector<std::string> arguments, const std::vector<std::string>& environment,
                      const std::function<void()>& check_interruption) {
  constexpr std::chrono::milliseconds between_looks{20};
  const WorkFolder printed;
  const std::string out = printed.path + "/out";
  const std::string err = printed.path + "/err";
  ChildProcess child(std::move(arguments), environment, out, err);
  for (;;) {
    check_interruption();
    if (const std::optional<int> code = child.exit_code())
      return {*code, printed_text(out), printed_text(err), child.cpu_seconds(), child.most_memory()};
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace inkling::bench
