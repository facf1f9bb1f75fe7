#include "io/base/system/mapping.hpp"

#include <csignal>

#include <sys/mman.h>

#include "io/base/system/calls.hpp"

namespace inkling {
namespace {

void (*cut_file_handler)(const char* path) = nullptr;

extern "C" void handle_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const char* const path = info->si_code == BUS_ADRERR ? mapped_path_at(info->si_addr) : nullptr;
  if (path != nullptr) return cut_file_handler(path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

const std::byte* map_file(const File& file, std::size_t bytes) noexcept {
  const Fault fault = fault_of(SystemCall::map, "");
  if (fault.error != 0) return errno = fault.error, nullptr;
  void* const address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.number(), 0);
  return address == MAP_FAILED ? nullptr : static_cast<const std::byte*>(address);
}

void unmap_file(const std::byte* mapped, std::size_t bytes) noexcept { ::munmap(const_cast<std::byte*>(mapped), bytes); }

void on_cut_file(void (*handle)(const char* path)) noexcept {
  cut_file_handler = handle;
  struct sigaction action = {};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace inkling
