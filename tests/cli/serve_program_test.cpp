// `inkling serve` if it cannot start. What it does afterwards is tested in tests/serve/.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/doors/serve/http/sha256.hpp"
#include "io/search/session/session_file.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

// A pool that can be served, and a file of users.
struct ServablePool {
  ServablePool() {
    write_pool(small_pool(), path);
    std::ofstream(users) << "ada " << std::string(64, '0') << "\n";
  }

  TemporaryFolder folder;
  std::string path = folder.file("pool");
  std::string users = folder.file("users");
};

TEST_CASE("a server that others can reach needs users, who are added with a token printed once to a file of the owner") {
  const ServablePool pool;
  check_refused(inkling({"serve", pool.path, "--listen", "0.0.0.0"}), 2, {"--listen: expected with --users"});
  for (const char* const elsewhere : {"nonsense", "203.0.113.9"}) {
    check_refused(inkling({"serve", pool.path, "--listen", elsewhere, "--users", pool.users, "--port", "0"}), 4,
                  {"expected an address of this computer"});
  }

  const std::string users = pool.folder.file("new users");
  const ProgramResult added = succeeded(inkling({"serve", "--users", users, "--add-user", "ada"}));
  CHECK(added.out.size() == 65);
  CHECK(holds(added.err, "ada logs in with this token"));
  CHECK(text_of(users).starts_with("ada "));
  CHECK_FALSE(holds(text_of(users), added.out.substr(0, 64)));
  CHECK(std::filesystem::status(users).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  const std::string before = text_of(users);
  const ProgramResult again = inkling({"serve", "--users", users, "--add-user", "ada"});
  CHECK(again.exit_code == 3);
  CHECK(again.out.empty());
  CHECK(holds(again.err, "expected no user \"ada\" yet"));
  CHECK(inkling({"serve", "--add-user", "bob"}).exit_code == 2);
  CHECK(inkling({"serve", pool.path, "--users", users, "--add-user", "bob"}).exit_code == 2);
  CHECK(text_of(users) == before);
}

TEST_CASE("20 programs that add a user at once keep all 20; a change of nothing says why; a proxy is named by its address") {
  const ServablePool pool;
  std::vector<ProgramResult> added(20);
  {
    std::vector<std::jthread> all;
    for (std::size_t n = 0; n < added.size(); ++n)
      all.emplace_back([&, n] { added[n] = inkling({"serve", "--users", pool.users, "--add-user", "u" + std::to_string(n)}); });
  }
  const std::string kept = text_of(pool.users);
  CHECK(std::ranges::count(kept, '\n') == 21);
  for (const ProgramResult& one : added) CHECK(holds(kept, sha256_text(succeeded(one).out.substr(0, 64))));
  const std::string renewed = succeeded(inkling({"serve", "--users", pool.users, "--new-token", "u1"})).out.substr(0, 64);
  CHECK(holds(text_of(pool.users), "u1 " + sha256_text(renewed) + "\n"));
  CHECK(holds(succeeded(inkling({"serve", "--users", pool.users, "--remove-user", "u1"})).err, "u1 is not in"));
  CHECK_FALSE(holds(text_of(pool.users), "u1 "));
  for (const char* const change : {"--new-token", "--remove-user"})
    check_refused(inkling({"serve", "--users", pool.users, change, "u1"}), 3, {"expected the user \"u1\", found no such user"});

  check_refused(inkling({"serve", pool.path, "--proxy", "127.0.0.1,proxy.example.org"}), 2,
                {"--proxy: expected an address such as 127.0.0.1, found 'proxy.example.org'"});
}

TEST_CASE("a server does not start on wrong users, without its pool, on a used file or port") {
  const ServablePool pool;
  std::ofstream(pool.users, std::ios::app) << "bob secret\n";
  check_refused(inkling({"serve", pool.path, "--users", pool.users}), 3,
                {pool.users + ":2: expected a name, a space, and the 64 small hexadecimal digits"});
  CHECK_FALSE(std::filesystem::exists(pool.path + ".search"));

  CHECK(inkling({"serve", "--users", pool.users}).exit_code == 3);
  CHECK(inkling({"serve", pool.folder.file("none")}).exit_code == 4);
  CHECK(inkling({"serve", pool.path, "--searches", pool.path}).exit_code != 0);
  const SessionFile held(pool.folder.file("held"), SessionAccess::write);
  const ProgramResult taken = inkling({"serve", pool.path, "--searches", held.path(), "--port", "0"});
  CHECK(taken.exit_code != 0);
  CHECK(holds(taken.err, "held"));

  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(bind(listening, reinterpret_cast<struct sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(listen(listening, 1) == 0);
  socklen_t size = sizeof address;
  REQUIRE(getsockname(listening, reinterpret_cast<struct sockaddr*>(&address), &size) == 0);
  const ProgramResult result = inkling({"serve", pool.path, "--port", std::to_string(ntohs(address.sin_port))});
  close(listening);
  CHECK(result.exit_code == 4);
  CHECK(holds(result.err, "expected a port that no other program uses"));
}

}  // namespace
}  // namespace inkling::test
