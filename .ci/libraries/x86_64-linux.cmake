# For CMake: Linux with glibc 2.28 and later.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(target x86_64-linux)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH) # Python and nanobind are this machine's
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
