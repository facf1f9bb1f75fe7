#include "io/cli/mapping_guard.hpp"

#include <csignal>
#include <cstring>

#include <unistd.h>

#include "io/cli/command_line.hpp"
#include "io/file/mapped_file.hpp"

namespace inkling {
namespace {

const char* program_name = "";

// Only async-signal-safe calls from here on. If the message cannot be written there is no other place for it.
void complain(const char* text) {
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
}

void handle_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const char* const path = info->si_code == BUS_ADRERR ? mapped_path_at(info->si_addr) : nullptr;
  if (path == nullptr) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  complain(program_name);
  complain(": ");
  complain(path);
  complain(": became shorter while it was being read\n");
  ::_exit(ExitCode::corrupt_file);
}

}  // namespace

void install_mapping_guard(const char* program) {
  program_name = program;
  struct sigaction action = {};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace inkling
