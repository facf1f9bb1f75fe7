// `inkling search` as a person at a terminal uses it.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

#undef EMPTY  // a macro of utmp.h, and a name in the headers of simdjson, which may be included after this file

namespace inkling::test {
namespace {

using Clock = std::chrono::steady_clock;

// The program at a terminal of 80 x 24, with its output so far.
class ProgramAtTerminal {
 public:
  explicit ProgramAtTerminal(const Args& args, const std::string& term = "xterm") {
    winsize size = {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    if (::openpty(&master_, &slave_, nullptr, nullptr, &size) != 0) throw std::runtime_error("no terminal");
    ::tcgetattr(slave_, &before_);
    process_ = ::fork();
    if (process_ == 0) run(args, term);
  }
  ~ProgramAtTerminal() {
    if (!code_) ::kill(process_, SIGKILL);
    if (!code_) ::waitpid(process_, nullptr, 0);
    hang_up();
    ::close(slave_);
  }
  ProgramAtTerminal(const ProgramAtTerminal&) = delete;
  ProgramAtTerminal& operator=(const ProgramAtTerminal&) = delete;
  ProgramAtTerminal(ProgramAtTerminal&&) = delete;
  ProgramAtTerminal& operator=(ProgramAtTerminal&&) = delete;

  // Waits until this text is shown; later calls ignore all output up to it.
  [[nodiscard]] bool shows(std::string_view part) {
    const auto until = Clock::now() + std::chrono::seconds(20);
    while (Clock::now() < until) {
      if (const std::size_t at = shown_.find(part); at != std::string::npos) {
        shown_.erase(0, at + part.size());
        return true;
      }
      if (!read_some()) break;
    }
    return false;
  }
  // The same of each part, one after the other.
  [[nodiscard]] bool shows_all(std::initializer_list<std::string_view> parts) {
    return std::ranges::all_of(parts, [this](std::string_view part) { return shows(part); });
  }
  ProgramAtTerminal& type(std::string_view keys) {
    CHECK(::write(master_, keys.data(), keys.size()) > 0);
    return *this;
  }
  void send(int signal) const { ::kill(process_, signal); }
  void resize(unsigned short rows, unsigned short columns) const {
    const winsize size = {.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
    ::kill(process_, SIGWINCH);
  }
  void hang_up() {
    if (master_ >= 0) ::close(std::exchange(master_, -1));
  }

  // The exit code, or 128 + the signal that ended it, as in a shell. `rest` gets all output until then.
  [[nodiscard]] int ends() {
    const auto until = Clock::now() + std::chrono::seconds(20);
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      if (Clock::now() > until) return -1;
      if (master_ >= 0) (void)read_some();
    }
    while (master_ >= 0 && read_some()) {
    }
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return *code_;
  }
  [[nodiscard]] const std::string& rest() const { return shown_; }
  [[nodiscard]] const std::string& all() const { return all_; }

  // Whether the terminal has the mode that it had before the program.
  [[nodiscard]] bool is_as_before() const {
    termios now = {};
    ::tcgetattr(slave_, &now);
    return now.c_lflag == before_.c_lflag && now.c_iflag == before_.c_iflag;
  }
  [[nodiscard]] bool takes_single_keys() const {
    termios now = {};
    ::tcgetattr(slave_, &now);
    return (now.c_lflag & static_cast<tcflag_t>(ICANON | ECHO)) == 0;
  }

 private:
  [[noreturn]] void run(const Args& args, const std::string& term) const {
    ::close(master_);
    ::login_tty(slave_);
    const rlimit no_core = {};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setenv("TERM", term.c_str(), 1);
    ::unsetenv("NO_COLOR");
    std::vector<std::string> all = Args{kInklingProgram} + args;
    std::vector<char*> pointers;
    pointers.reserve(all.size() + 1);
    for (std::string& one : all) pointers.push_back(one.data());
    pointers.push_back(nullptr);
    ::execv(kInklingProgram, pointers.data());
    ::_exit(127);
  }

  bool read_some() {
    pollfd waiting = {master_, POLLIN, 0};
    if (::poll(&waiting, 1, 200) <= 0) return code_ ? false : ::kill(process_, 0) == 0 && !is_over();
    std::array<char, 4096> bytes = {};
    const ssize_t count = ::read(master_, bytes.data(), bytes.size());
    if (count <= 0) return false;
    shown_.append(bytes.data(), static_cast<std::size_t>(count));
    all_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }
  [[nodiscard]] bool is_over() const {
    siginfo_t info = {};
    ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid != 0;
  }

  int master_ = -1;
  int slave_ = -1;
  termios before_ = {};
  pid_t process_ = -1;
  std::string shown_;
  std::string all_;
  std::optional<int> code_;
};

constexpr const char* kKeysLine = "q quit";
constexpr const char* kLeavesScreen = "\x1b[?1049l";

struct PoolAtTerminal {
  PoolAtTerminal() { succeeded(inkling({"build", kTinyCorpus, "--keep-text", "--out", pool})); }
  [[nodiscard]] Args command() const { return {"search", pool, "--searches", folder.file("s.db")}; }
  // The documents of the search as JSON lines.
  [[nodiscard]] std::string found() const { return succeeded(inkling(command() + Args{"--out", "-", "--which", "good"})).out; }

  TemporaryFolder folder;
  std::string pool = folder.file("pool");
};

struct AtTerminal {
  const PoolAtTerminal searched;
};

TEST_CASE_FIXTURE(AtTerminal, "a person rates and marks words and takes back and quits and goes on later") {
  {
    ProgramAtTerminal search(searched.command());
    REQUIRE(search.shows_all({"the 1st you read", kKeysLine}));
    CHECK(search.takes_single_keys());
    REQUIRE(search.type("w").shows("Word: "));
    REQUIRE(search.type("1\r").shows("Marked: \x1b[1;4;32m"));
    REQUIRE(search.type("\r").shows_all({"These words go with the rating", kKeysLine}));
    REQUIRE(search.type("y").shows_all({"the 2nd you read", "Kept the rating 1 of document", kKeysLine}));
    REQUIRE(search.type("y").shows_all({"the 3rd you read", kKeysLine}));
    REQUIRE(search.type("u").shows_all({"the 2nd you read", "Took back the rating 1 of document", kKeysLine}));
    CHECK(search.type("q").ends() == 0);
    CHECK(search.is_as_before());
    check_holds(search.rest(), {kLeavesScreen, "1 document rated. Continue with: inkling search ", "s.db"});
  }
  const std::string found = searched.found();
  CHECK(std::ranges::count(found, '\n') == 1);
  ProgramAtTerminal again(searched.command());
  REQUIRE(again.shows_all({"the 2nd you read", kKeysLine}));
  REQUIRE(again.type("p").shows("You read 1 of 20 documents"));
  REQUIRE(again.type("\x1b").shows(kKeysLine));
  CHECK(again.type("\x04").ends() == 0);
  CHECK(searched.found() == found);
}

TEST_CASE_FIXTURE(InFolder, "nothing in the name of a search, of its file or of its pool acts on the terminal") {
  const std::string act =
      "\x1b]0;owned\x07\x1b[31m\x9b"
      "5m\r\n";
  const std::string pool = folder.file("pool" + act);
  const std::string log = folder.file("log" + act);
  REQUIRE(inkling({"build", kTinyCorpus, "--keep-text", "--out", pool}).exit_code == 0);
  ProgramAtTerminal search({"search", pool, "--searches", log, "--name", "name" + act});
  REQUIRE(search.shows(kKeysLine));
  CHECK(search.type("q").ends() == 0);
  check_holds(search.rest(), {"Continue with: inkling search ", "Kept in "});
  for (const char* const part : {"\x1b]0;", "\x07", "\x1b[31m\x9b",
                                 "\x9b"
                                 "5m"}) {
    CAPTURE(part);
    CHECK_FALSE(holds(search.all(), part));
  }
}

TEST_CASE_FIXTURE(AtTerminal, "signals that end a search give the terminal back") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    INFO(signal);
    ProgramAtTerminal search(searched.command());
    REQUIRE(search.shows(kKeysLine));
    CHECK(search.takes_single_keys());
    search.send(signal);
    CHECK(search.ends() == 128 + signal);
    CHECK(search.is_as_before());
    CHECK(holds(search.rest(), kLeavesScreen));
  }
}

TEST_CASE_FIXTURE(AtTerminal, "a stopped search gives the terminal back and draws its page again when it continues") {
  ProgramAtTerminal search(searched.command());
  REQUIRE(search.shows(kKeysLine));
  search.send(SIGTSTP);
  REQUIRE(search.shows(kLeavesScreen));
  // Without a shell nobody could continue a stopped process, so the system continues it at once.
  REQUIRE(search.shows_all({"\x1b[?1049h", kKeysLine}));
  CHECK(search.takes_single_keys());
  search.send(SIGCONT);
  REQUIRE(search.shows(kKeysLine));
  CHECK(search.type("q").ends() == 0);
}

TEST_CASE_FIXTURE(AtTerminal, "a page is drawn again in the new size of the terminal") {
  ProgramAtTerminal search(searched.command());
  REQUIRE(search.shows(kKeysLine));
  search.resize(24, 40);
  REQUIRE(search.shows_all({"s later\x1b[0m\x1b[K\r", "\n\x1b[2mw words"}));
  CHECK(search.type("q").ends() == 0);
}

TEST_CASE_FIXTURE(AtTerminal, "a search ends in order if its terminal goes away") {
  ProgramAtTerminal search(searched.command());
  REQUIRE(search.shows(kKeysLine));
  REQUIRE(search.type("y").shows("the 2nd you read"));
  search.hang_up();
  const int code = search.ends();
  CHECK((code == 0 || code == 128 + SIGHUP));
  CHECK(std::ranges::count(searched.found(), '\n') == 1);
}

TEST_CASE_FIXTURE(AtTerminal, "a key typed before a document was visible does not rate it") {
  ProgramAtTerminal search(searched.command());
  REQUIRE(search.shows(kKeysLine));
  REQUIRE(search.type("yyyy").shows_all({"the 2nd you read", kKeysLine}));
  CHECK(search.type("q").ends() == 0);
  CHECK(std::ranges::count(searched.found(), '\n') == 1);
}

TEST_CASE_FIXTURE(AtTerminal, "a terminal that only shows lines is used line by line") {
  ProgramAtTerminal search(searched.command(), "dumb");
  REQUIRE(search.shows_all({"the 1st you read", "A key and Enter: "}));
  CHECK_FALSE(search.takes_single_keys());
  REQUIRE(search.type("w 1 -2\n").shows_all({"Marked: ", "A key and Enter: "}));
  REQUIRE(search.type("yes\n").shows("w chooses words"));
  REQUIRE(search.type("y\n").shows_all({"the 2nd you read", "A key and Enter: "}));
  CHECK_FALSE(holds(search.rest(), "\x1b"));
  CHECK(search.type("q\n").ends() == 0);
  CHECK(std::ranges::count(searched.found(), '\n') == 1);
}

}  // namespace
}  // namespace inkling::test
