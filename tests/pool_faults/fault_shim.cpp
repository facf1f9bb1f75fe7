// Loaded into a program by LD_PRELOAD: makes one of its system calls or allocations fail, or kills it there.
//
//   INKLING_FAULT   "CALL ACTION FIRST LAST", several separated by commas. It changes the calls of the kind CALL from number
//                   FIRST to LAST, counted from 1. ACTION is "kill", "short" (only half of the bytes) or the number of an
//                   errno. Allocations of C ("malloc") count from main on, because before it a failed one makes libraries
//                   end the program.
//   INKLING_FAULT_REPORT   a file that is made when a fault was injected.
//   INKLING_FAULT_SERVER   a file for what the program says. The program then runs once for each line of its input, which is the
//                   INKLING_FAULT of that run, and prints how it ended, as waitpid() says it. A run begins at main, in a copy of
//                   the process: starting a program takes longer than most runs. A run of more than 30 s is ended by SIGALRM.
//   INKLING_FAULT_CONTROL  a file of two long integers that a test may change while the program runs: which allocation of C++
//                   from now on fails, on threads of TBB and on all others but the first; 0 is none, and -1 is every one.
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Fault {
  char call[16] = {};
  char action[16] = {};
  long first = 0;
  long last = 0;
  std::atomic<long> calls = 0;
};

std::array<Fault, 4> faults;
std::atomic<int> known_faults = -1;

void note_fault() {
  if (const char* const path = std::getenv("INKLING_FAULT_REPORT"))
    ::syscall(SYS_close, ::syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0666));
}

int read_faults() {
  int count = 0;
  const char* text = std::getenv("INKLING_FAULT");
  while (text != nullptr && count < static_cast<int>(faults.size())) {
    Fault& fault = faults[static_cast<std::size_t>(count)];
    if (std::sscanf(text, "%15s %15s %ld %ld", fault.call, fault.action, &fault.first, &fault.last) != 4) break;
    ++count;
    text = std::strchr(text, ',');
    if (text != nullptr) ++text;
  }
  return count;
}

// Kills the process if that is the action for this call. Otherwise returns 0 (no fault), -1 (only half of the bytes) or an errno.
int fault_at(const char* call) {
  if (known_faults.load() < 0) known_faults = read_faults();
  int result = 0;
  for (int i = 0; i < known_faults.load(); ++i) {
    Fault& fault = faults[static_cast<std::size_t>(i)];
    if (std::strcmp(fault.call, call) != 0) continue;
    const long number = ++fault.calls;
    if (number < fault.first || number > fault.last) continue;
    note_fault();
    if (std::strcmp(fault.action, "kill") == 0) ::syscall(SYS_kill, ::getpid(), SIGKILL);
    result = std::strcmp(fault.action, "short") == 0 ? -1 : std::atoi(fault.action);
    // The program tries interrupted calls again, so only every second call is interrupted.
    if (result == EINTR && number % 2 == 0) result = 0;
  }
  return result;
}

using Main = int (*)(int, char**, char**);
Main main_of_program = nullptr;
std::atomic<bool> main_has_begun = false;

// A line of the input without its end, in static memory, or nullptr at the end of the input.
const char* next_line() {
  static std::array<char, 256> line;
  std::size_t length = 0;
  while (length + 1 < line.size() && ::syscall(SYS_read, STDIN_FILENO, &line[length], 1) == 1) {
    if (line[length] == '\n') return line[length] = '\0', line.data();
    ++length;
  }
  return nullptr;
}

void redirect(int file, const char* path, int flags) {
  const auto opened = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, 0666));
  ::dup2(opened, file);
  ::syscall(SYS_close, opened);
}

// Returns in the copy of each run, and never in the server.
void serve_runs(const char* said) {
  while (const char* const line = next_line()) {
    const pid_t run = ::fork();
    if (run == 0) {
      ::alarm(30);
      redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
      redirect(STDOUT_FILENO, "/dev/null", O_WRONLY);
      redirect(STDERR_FILENO, said, O_CREAT | O_TRUNC | O_WRONLY);
      ::unsetenv("INKLING_FAULT_SERVER");
      ::setenv("INKLING_FAULT", line, 1);
      known_faults = -1;
      return;
    }
    int status = 0;
    ::waitpid(run, &status, 0);
    std::printf("%d\n", status);
    std::fflush(stdout);
  }
  ::_exit(0);
}

int run_main_of_program(int count, char** arguments, char** /*environment*/) {
  if (const char* const said = std::getenv("INKLING_FAULT_SERVER")) serve_runs(said);
  main_has_begun = true;
  return main_of_program(count, arguments, environ);
}

template <typename Real>
auto with_fault(const char* call, const Real& real) -> decltype(real()) {
  const int error = fault_at(call);
  if (error > 0) return errno = error, -1;
  return real();
}

template <typename Real>
ssize_t with_fault_of_bytes(const char* call, std::size_t count, const Real& real) {
  const int error = fault_at(call);
  if (error > 0) return errno = error, -1;
  return real(error < 0 && count > 1 ? count / 2 : count);
}

int open_file(int folder, const char* path, int flags, mode_t mode) {
  return with_fault("open", [&] { return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode)); });
}

mode_t mode_of(int flags, va_list& more) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

enum class ThreadKind { first, of_tbb, other };
thread_local ThreadKind kind_of_thread = ThreadKind::first;

struct ThreadStart {
  void* (*run)(void*);
  void* argument;
  ThreadKind kind;
};

void* run_thread(void* given) {
  const ThreadStart start = *static_cast<ThreadStart*>(given);
  std::free(given);
  kind_of_thread = start.kind;
  return start.run(start.argument);
}

std::atomic<long>* mapped_control() {
  const char* const path = std::getenv("INKLING_FAULT_CONTROL");
  if (path == nullptr) return nullptr;
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDWR);
  return reinterpret_cast<std::atomic<long>*>(
      ::syscall(SYS_mmap, nullptr, 2 * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
}

bool fails_on_this_thread() {
  static std::atomic<long>* const control = mapped_control();
  if (control == nullptr || kind_of_thread == ThreadKind::first) return false;
  std::atomic<long>& left = control[kind_of_thread == ThreadKind::of_tbb ? 0 : 1];
  return left.load() < 0 || (left.load() > 0 && --left == 0);
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (fault_at("new") > 0 || fails_on_this_thread()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment = 0) {
  while (true) {
    if (void* const memory = allocate(size, alignment)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

bool fails_in_c() { return main_has_begun.load() && fault_at("malloc") > 0; }

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

void* allocate_or_not(std::size_t size) noexcept {
  try {
    return allocate_or_throw(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int count, char** arguments, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack_end) {
  main_of_program = main;
  const auto start = reinterpret_cast<decltype(&__libc_start_main)>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(run_main_of_program, count, arguments, init, fini, loader_fini, stack_end);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  Dl_info where = {};
  const bool of_tbb = ::dladdr(reinterpret_cast<void*>(run), &where) != 0 && std::strstr(where.dli_fname, "libtbb") != nullptr;
  void* const start = std::malloc(sizeof(ThreadStart));
  if (start == nullptr) return EAGAIN;
  return create(thread, attributes, run_thread,
                new (start) ThreadStart{run, argument, of_tbb ? ThreadKind::of_tbb : ThreadKind::other});
}

// The allocator of the C library, under its other names.
void* __libc_malloc(size_t size) noexcept;
void* __libc_calloc(size_t count, size_t size) noexcept;
void* __libc_realloc(void* memory, size_t size) noexcept;

void* malloc(size_t size) noexcept { return fails_in_c() ? no_memory() : __libc_malloc(size); }
void* calloc(size_t count, size_t size) noexcept { return fails_in_c() ? no_memory() : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) noexcept { return fails_in_c() ? no_memory() : __libc_realloc(memory, size); }

ssize_t write(int file, const void* bytes, size_t count) {
  return with_fault_of_bytes("write", count, [&](size_t some) { return ::syscall(SYS_write, file, bytes, some); });
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t position) {
  return with_fault_of_bytes("write", count, [&](size_t some) { return ::syscall(SYS_pwrite64, file, bytes, some, position); });
}
ssize_t pwrite(int file, const void* bytes, size_t count, off_t position) { return pwrite64(file, bytes, count, position); }

ssize_t read(int file, void* bytes, size_t count) {
  return with_fault_of_bytes("read", count, [&](size_t some) { return ::syscall(SYS_read, file, bytes, some); });
}
ssize_t __read_chk(int file, void* bytes, size_t count, size_t) { return read(file, bytes, count); }

ssize_t pread64(int file, void* bytes, size_t count, off64_t position) {
  return with_fault_of_bytes("read", count, [&](size_t some) { return ::syscall(SYS_pread64, file, bytes, some, position); });
}
ssize_t pread(int file, void* bytes, size_t count, off_t position) { return pread64(file, bytes, count, position); }
ssize_t __pread64_chk(int file, void* bytes, size_t count, off64_t position, size_t) {
  return pread64(file, bytes, count, position);
}

int fsync(int file) {
  return with_fault("fsync", [&] { return static_cast<int>(::syscall(SYS_fsync, file)); });
}

int rename(const char* from, const char* to) noexcept {
  return with_fault("rename", [&] { return static_cast<int>(::syscall(SYS_rename, from, to)); });
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return with_fault("rename", [&] { return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0U)); });
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  if (const int error = fault_at("exchange"); error > 0) return errno = error, -1;
  return with_fault("rename",
                    [&] { return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags)); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  return with_fault("mkdir", [&] { return static_cast<int>(::syscall(SYS_mkdir, path, mode)); });
}

int unlink(const char* path) noexcept {
  return with_fault("unlink", [&] { return static_cast<int>(::syscall(SYS_unlink, path)); });
}

int rmdir(const char* path) noexcept {
  return with_fault("unlink", [&] { return static_cast<int>(::syscall(SYS_rmdir, path)); });
}

int flock(int file, int operation) noexcept {
  return with_fault("flock", [&] { return static_cast<int>(::syscall(SYS_flock, file, operation)); });
}

// A close that fails also closes the file, as on Linux.
int close(int file) {
  const int error = fault_at("close");
  const int result = static_cast<int>(::syscall(SYS_close, file));
  return error > 0 ? (errno = error, -1) : result;
}

void* mmap64(void* address, size_t size, int protection, int flags, int file, off64_t position) noexcept {
  if (const int error = fault_at("mmap"); error > 0) return errno = error, reinterpret_cast<void*>(-1);
  return reinterpret_cast<void*>(::syscall(SYS_mmap, address, size, protection, flags, file, position));
}
void* mmap(void* address, size_t size, int protection, int flags, int file, off_t position) noexcept {
  return mmap64(address, size, protection, flags, file, position);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_file(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_file(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_file(folder, path, flags, mode);
}
int __open_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char* path, int flags) { return open_file(folder, path, flags, 0); }
int __openat64_2(int folder, const char* path, int flags) { return open_file(folder, path, flags, 0); }

}  // extern "C"

void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_not(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_not(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
