# For CMake on Debian: builds for 64-bit Windows with MinGW-w64, with the libraries that ../libraries/build.sh has made.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)

# std::thread and std::mutex are only in the variant of GCC that has the threads of POSIX.
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# GCC keeps values of 32 and 64 bytes on a stack that Windows aligns to 16 bytes only, and then uses instructions that
# fail there (GCC bug 54412). The assembler can write the instructions that take any address instead.
set(CMAKE_C_FLAGS_INIT "-Wa,-muse-unaligned-vector-move")
set(CMAKE_CXX_FLAGS_INIT "-Wa,-muse-unaligned-vector-move")

# Programs bring the runtime of GCC and winpthread along in themselves, so that they need no DLL but those of Windows.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-static")

get_filename_component(windows_libraries "${CMAKE_CURRENT_LIST_DIR}/../../build/windows-libraries/prefix" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH "${windows_libraries}" /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# The packages in the prefix say what a static library needs besides; CMake's own modules for ICU and libarchive do not.
set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)

# Debian's `wine` is a script that asks for the 32-bit one at each start; the 64-bit program itself is outside of $PATH.
find_program(INKLING_WINE NAMES wine64 wine HINTS /usr/lib/wine)
mark_as_advanced(INKLING_WINE)
if(INKLING_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${INKLING_WINE}")
endif()
