# For CMake: builds by zig for the target that is named in `target`, with the libraries that build.sh has made for it.
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
foreach(language C CXX)
  set(name cc)
  if(language STREQUAL CXX)
    set(name c++)
  endif()
  set(CMAKE_${language}_COMPILER "${root}/build/zig/tools/${target}-${name}")
  set(CMAKE_${language}_COMPILER_AR "${root}/build/zig/tools/${target}-ar")
  set(CMAKE_${language}_COMPILER_RANLIB "${root}/build/zig/tools/${target}-ranlib")
  # zig looks for undefined behaviour where nothing is optimised, as tests are, unless it is asked not to.
  set(CMAKE_${language}_FLAGS_INIT "-fno-sanitize=undefined")
endforeach()
set(CMAKE_AR "${root}/build/zig/tools/${target}-ar")
set(CMAKE_RANLIB "${root}/build/zig/tools/${target}-ranlib")

set(CMAKE_FIND_ROOT_PATH "${root}/build/${target}-libraries/prefix")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# The packages in the prefix say what a static library needs besides; CMake's own modules for ICU and libarchive do not.
set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)
