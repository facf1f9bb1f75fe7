# For CMake: Linux with glibc 2.28 and later, as Debian 10 and RHEL 8 have it, and processors of Intel.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(target x86_64-linux)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
string(APPEND CMAKE_CXX_FLAGS_INIT " -include cstdio") # which nanobind takes for included already
