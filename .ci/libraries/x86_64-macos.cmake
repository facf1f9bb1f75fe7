# For CMake: Macs of macOS 13 and later with processors of Intel.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(target x86_64-macos)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
set(CMAKE_INSTALL_NAME_TOOL true) # for shared libraries, which none is
