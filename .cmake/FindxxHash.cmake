# Finds xxHash as xxHash::xxhash; distributions ship it without a CMake package.

find_path(XXHASH_INCLUDE_DIR NAMES xxhash.h DOC "The folder that holds xxhash.h")
find_library(XXHASH_LIBRARY NAMES xxhash DOC "The xxHash library")
mark_as_advanced(XXHASH_INCLUDE_DIR XXHASH_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxHash
  REQUIRED_VARS XXHASH_LIBRARY XXHASH_INCLUDE_DIR
  REASON_FAILURE_MESSAGE
    "xxHash was not found. On Debian and Ubuntu it is in libxxhash-dev. If it lies elsewhere, add its prefix to CMAKE_PREFIX_PATH.")

if(xxHash_FOUND AND NOT TARGET xxHash::xxhash)
  add_library(xxHash::xxhash UNKNOWN IMPORTED)
  set_target_properties(xxHash::xxhash PROPERTIES
    IMPORTED_LOCATION "${XXHASH_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${XXHASH_INCLUDE_DIR}")
endif()
