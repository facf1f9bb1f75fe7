#include "io/base/system/linux/cgroups.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("a cpu.max quota counts as whole threads, rounded up") {
  CHECK(threads_of_cpu_max("200000 100000\n") == 2);
  CHECK(threads_of_cpu_max("150000 100000\n") == 2);
  CHECK(threads_of_cpu_max("1000 100000\n") == 1);
  CHECK(threads_of_cpu_max("9223372036854775807 1\n") == 2147483647);
}

TEST_CASE("a text without a limit or that is malformed gives no quota") {
  for (const char* const text :
       {"max 100000\n", "", "\n", "100000", "0 100000", "-1 100000", "100000 0", "a b", "1 2 3", "99999999999999999999 1"}) {
    CHECK_FALSE(threads_of_cpu_max(text));
  }
}

TEST_CASE("the two files of a version 1 quota give threads in the same way") {
  CHECK(threads_of_cfs("250000\n", "100000\n") == 3);
  CHECK_FALSE(threads_of_cfs("-1\n", "100000\n"));
  CHECK_FALSE(threads_of_cfs("", ""));
}

TEST_CASE("the process's own group is found in the lines of its cgroup file") {
  const char* const text = "12:cpuset:/a\n4:cpu,cpuacct:/b/c\n1:name=systemd:/d\n0::/e:f\n";
  CHECK(cgroup_path(text, "cpu") == "/b/c");
  CHECK(cgroup_path(text, "cpuacct") == "/b/c");
  CHECK(cgroup_path(text, "") == "/e:f");
  CHECK_FALSE(cgroup_path(text, "memory"));
  CHECK_FALSE(cgroup_path("no colons here", ""));
}

}  // namespace
}  // namespace inkling
