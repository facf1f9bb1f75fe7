# For CMake: Macs of macOS 13 and later with processors of Apple.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(target aarch64-macos)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
set(CMAKE_INSTALL_NAME_TOOL true) # for shared libraries, which none is
